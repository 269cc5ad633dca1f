"""Waiting for a library call that reports nothing itself."""

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


def while_waiting(call: Callable[[], Result], pulse: Callable[[], None], every: float) -> Result:
    """The result of a call, with `pulse` called from time to time until it is there.

    If `pulse` raises, the call is left to end by itself: a library cannot be interrupted, but nobody waits for it.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(every or 0.05)
        pulse()
    if errors:
        raise errors[0]
    return results[0]
