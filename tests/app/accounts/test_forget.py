"""What is over is forgotten: ended sessions, and failures that lock nobody out any more."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.utils import timezone

from riskapp.services import entrance

pytestmark = pytest.mark.django_db


def session(key: str, days: int) -> None:
    Session.objects.create(session_key=key, session_data="", expire_date=timezone.now() + timedelta(days=days))


def failure(email: str, hours: int) -> None:
    attempt = AccessAttempt.objects.create(username=email, ip_address="127.0.0.1", failures_since_start=1)
    AccessAttempt.objects.filter(pk=attempt.pk).update(attempt_time=timezone.now() - timedelta(hours=hours))


def test_ended_sessions_go_and_living_ones_stay() -> None:
    session("over", -1)
    session("alive", 1)
    entrance.forget_expired()
    assert [row.session_key for row in Session.objects.all()] == ["alive"]


def test_old_failures_go_and_new_ones_still_count() -> None:
    failure("old@example.org", 24)
    failure("new@example.org", 0)
    entrance.forget_expired()
    assert [row.username for row in AccessAttempt.objects.all()] == ["new@example.org"]
