"""What can go wrong, named by meaning.

A message holds names of columns, line numbers and counts, never a value of the data, so it may be shown, stored and
logged as it is.
"""


class RiskappError(Exception):
    """Something the person at the screen can mend."""

    audited = False
    """Whether the audit trail tells of it already."""


class Hidden(RiskappError):
    """For this person the thing does not exist."""


class Refused(RiskappError):
    """This member may not do that."""


class Unreadable(RiskappError):
    """A file that cannot be read as a table: what is wrong, where, and what to do about it.

    >>> str(Unreadable("ragged", "Line 7 has 3 cells, the header has 4.", line=7, advice="Mend the line."))
    'Line 7 has 3 cells, the header has 4.'
    """

    def __init__(self, code: str, message: str, *, advice: str, line: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.advice = advice
        self.line = line


class Stopped(Exception):
    """The person cancelled, or another worker took over: stop computing and leave nothing behind."""
