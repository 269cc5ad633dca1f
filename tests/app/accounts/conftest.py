"""Visitors, administrators, codes by the clock, and a mail server that listens."""

import queue
import socket
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from riskapp.models import AuditEvent, User

BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def administrator(person: Callable[..., User]) -> User:
    return person("ada", is_administrator=True)


@pytest.fixture
def signed_in() -> Callable[[User], Client]:
    """A browser in which somebody is signed in."""

    def browser(user: User) -> Client:
        client = Client()
        client.force_login(user, backend=BACKEND)
        return client

    return browser


@pytest.fixture
def actions(db: None) -> Callable[[], list[str]]:
    """What the audit trail says, oldest first."""
    return lambda: list(AuditEvent.objects.order_by("number").values_list("action", flat=True))


@pytest.fixture
def code() -> Callable[..., str]:
    """The code that a telephone with this device's secret shows, so many half minutes from now."""

    def shown(device: TOTPDevice, later: int = 0) -> str:
        clock = TOTP(device.bin_key, device.step, device.t0, device.digits)
        clock.time = time.time() + later * device.step
        return f"{clock.token():06d}"

    return shown


@pytest.fixture
def device() -> Callable[[User], TOTPDevice]:
    """A confirmed second factor of somebody."""
    return lambda user: TOTPDevice.objects.create(user=user, name="app", confirmed=True)


class Letterbox:
    """Keeps what arrives; can be told to refuse."""

    def __init__(self) -> None:
        self.letters: queue.Queue[EmailMessage] = queue.Queue()
        self.refuses = False

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.refuses:
            return "554 not wanted here"
        self.letters.put(BytesParser(policy=default).parsebytes(envelope.content))  # type: ignore[arg-type]
        return "250 OK"

    def take(self) -> EmailMessage:
        return self.letters.get(timeout=10)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def letterbox(settings: Any) -> Iterator[Letterbox]:
    """A real mail server on this machine, and settings that use it."""
    box = Letterbox()
    server = Controller(box, hostname="127.0.0.1", port=_free_port())
    server.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.EMAIL_USE_TLS, settings.MAIL_WORKS = False, True
    yield box
    server.stop()


@pytest.fixture
def no_mail_server(settings: Any) -> None:
    """Settings that name a mail server where nobody listens."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    settings.EMAIL_USE_TLS, settings.MAIL_WORKS = False, True
