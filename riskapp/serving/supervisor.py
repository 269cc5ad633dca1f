"""The supervisor: starts the parts, starts those again that die, and stops them all in order.

Each part is the leader of its own session, so that Ctrl-C in the terminal reaches the supervisor alone, and whatever a
part has started itself can be ended with it. Everything happens in the main thread, for the leash holds to a thread.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import FrameType

from riskapp.serving import logs
from riskapp.serving.leash import on_leash
from riskapp.serving.parts import Part

LONGEST_WAIT = 30.0
LIVED_A_WHILE = 60.0
PULSE = 0.1
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Say = Callable[[str], None]


class Running:
    """A part, its process while it has one, and when it is next to be started while it has none."""

    def __init__(self, part: Part, root: Path, log_folder: Path) -> None:
        self.part, self._root, self._log_folder = part, root, log_folder
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._failures = 0
        self.due = 0.0

    @property
    def log(self) -> Path:
        return self._log_folder / f"{self.part.name}.log"

    @property
    def alive(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        with logs.opened(self._log_folder, self.part.name) as log:
            self._process = subprocess.Popen(
                on_leash(self.part.command),
                cwd=self._root,
                env={**os.environ, **self.part.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.started_at(time.monotonic())

    def started_at(self, moment: float) -> None:
        self._started = moment

    def ended(self) -> int | None:
        """How the part ended, once, with all that it had started itself ended too; None while it lives."""
        if self._process is None or not _is_over(self._process.pid):
            return None
        # Not yet reaped, so its number cannot have gone to a stranger.
        return self.kill()

    def wait_longer(self) -> float:
        """Put the next start off: a second, then twice as long each time, until the part has lived for a while."""
        if time.monotonic() - self._started > LIVED_A_WHILE:
            self._failures = 0
        delay = min(LONGEST_WAIT, 2.0**self._failures)
        self._failures += 1
        self.due = time.monotonic() + delay
        return delay

    def ask_to_end(self) -> None:
        if self._process is not None:
            os.kill(self._process.pid, signal.SIGTERM)  # ours until it is reaped; Popen would reap it first

    def kill(self) -> int | None:
        """End the part and all that it has started, now."""
        if self._process is None:
            return None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        result, self._process = self._process.wait(), None
        return result


def _is_over(pid: int) -> bool:
    """Whether our child has ended, without taking notice of it."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


class Supervisor:
    """Keeps parts running until it is asked to stop."""

    def __init__(self, root: Path, log_folder: Path, say: Say) -> None:
        self._root, self._log_folder, self._say = root, log_folder, say
        self._running: dict[str, Running] = {}
        self._asked = 0

    def listen(self) -> None:
        """From now on Ctrl-C and the like ask for a clean stop; a second Ctrl-C asks for a quick one."""
        for number in STOPPING:
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self._asked or number == signal.SIGINT:
            self._asked += 1

    @property
    def stopping(self) -> bool:
        return self._asked > 0

    def start(self, part: Part) -> None:
        self._running[part.name] = Running(part, self._root, self._log_folder)
        self._running[part.name].start()

    def tend(self) -> None:
        """Look once after every part: notice those that died, start those whose time has come."""
        for running in self._running.values():
            result = running.ended()
            if result is not None:
                self._say_it_died(running, result)
            if not running.alive and time.monotonic() >= running.due:
                running.start()

    def _say_it_died(self, running: Running, result: int) -> None:
        delay = running.wait_longer()
        self._say(f"{running.part.name} {_ending(result)}; starting it again in {delay:.0f} s (see {running.log})")

    def tend_until(self, answered: Callable[[], bool], *, seconds: float) -> bool:
        """Look after the parts until the question is answered with yes; False when time is up or we are to stop."""
        deadline = time.monotonic() + seconds
        while not self.stopping and time.monotonic() < deadline:
            if answered():
                return True
            self.tend()
            time.sleep(PULSE)
        return False

    def tend_for_ever(self) -> None:
        while not self.stopping:
            self.tend()
            time.sleep(PULSE)

    def stop(self, order: Iterable[str]) -> None:
        """End the parts one after the other, each with its own patience."""
        for name in order:
            if name in self._running:
                self._stop(self._running[name])

    def _stop(self, running: Running) -> None:
        running.ask_to_end()
        deadline = time.monotonic() + running.part.patience
        while running.alive and running.ended() is None:
            if self._asked > 1 or time.monotonic() > deadline:
                self._say(f"{running.part.name} did not end when asked; killing it")
                running.kill()
            time.sleep(PULSE / 5)


def _ending(result: int) -> str:
    return f"was killed by signal {-result}" if result < 0 else f"ended with code {result}"
