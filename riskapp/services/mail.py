"""Letters. Each holds a name, a project's name and a link, and nothing else; one that fails breaks nothing."""

import logging
import threading
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string

log = logging.getLogger(__name__)


def send(template: str, to: str, **words: object) -> bool | None:
    """Whether the letter went out; None where no mail server is set up. Its first line is the subject."""
    if not settings.MAIL_WORKS:
        return None
    return _deliver(_letter(template, to, words))


def send_unwatched(template: str, to: str, **words: object) -> threading.Thread | None:
    """Send beside the request, so that the time of the answer does not tell whether a letter goes out."""
    if not settings.MAIL_WORKS:
        return None
    thread = threading.Thread(target=_deliver, args=[_letter(template, to, words)])
    thread.start()
    return thread


def _letter(template: str, to: str, words: dict[str, object]) -> EmailMessage:
    text = render_to_string(f"mail/{template}.txt", words)
    subject, _, body = text.strip().partition("\n")
    return EmailMessage(" ".join(subject.split()), body.strip() + "\n", to=[to])


def _deliver(letter: EmailMessage) -> bool:
    try:
        return letter.send() == 1
    except (OSError, SMTPException) as trouble:
        # The words of a mail server's answer can hold addresses.
        log.warning("a letter could not be sent: %s", type(trouble).__name__)
        return False
