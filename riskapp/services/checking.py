"""Changes that hold only if the set-up can be assessed with them."""

from collections.abc import Iterator
from contextlib import contextmanager

from riskapp.bridge import checking
from riskapp.models import Setup
from riskapp.services import audit


@contextmanager
def sound(setup: Setup, *parts: str) -> Iterator[None]:
    """Undo what is changed inside, if afterwards one of these parts is impossible: `BadSetting` names its key."""
    with audit.writing():
        yield
        setup.refresh_from_db()
        checking.check(setup, *parts)
