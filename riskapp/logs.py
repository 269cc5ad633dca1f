"""One event, one line: no forging with line breaks; an unexpected error shows its kind, not its words."""

import logging


class OneLine(logging.Formatter):
    """Time, level, logger, message; of an exception its class and where it arose, since its text may quote data."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in line)

    def formatException(self, ei) -> str:  # type: ignore[no-untyped-def]  # noqa: N802
        kind, _, traceback = ei
        while traceback and traceback.tb_next:
            traceback = traceback.tb_next
        where = f"{traceback.tb_frame.f_code.co_filename}:{traceback.tb_lineno}" if traceback else "nowhere"
        return f"{kind.__name__} at {where}"
