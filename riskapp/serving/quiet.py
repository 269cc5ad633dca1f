"""What the web server's own log leaves out."""

import logging

QUOTING = ("Error handling request", "Invalid request")


class NoAddress(logging.Filter):
    """Gunicorn's lines that quote a request keep their opening and lose the quotation, which may hold a token."""

    def filter(self, record: logging.LogRecord) -> bool:
        for opening in QUOTING:
            if record.getMessage().startswith(opening):
                record.msg, record.args = opening, ()
        return True
