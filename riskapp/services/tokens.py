"""Tokens: programs act for somebody, within some of what they may do, until the token ends or is withdrawn."""

import hashlib
import secrets
from datetime import timedelta

from django.utils import timezone

from riskapp import policies
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, ApiToken, User
from riskapp.services import audit
from riskapp.services.states import Overtaken

PREFIX = "riskapp_"
SCOPES = {
    "read": "Look at projects, set-ups, runs and results",
    "upload": "Start projects, send files and shred them",
    "describe": "Say what the columns are, who attacks and what hurts",
    "run": "Have files read again, start and cancel runs",
    "propose": "Propose rules, answer warnings, withdraw, have releases built again",
    "decide": "Approve, reject and revoke in your name",
    "download": "Accept terms and download releases in your name",
    "values": "Look at values of people; every look is audited",
}
MOST_OPEN = 20
# A moment that is told to the minute need not be written at every request.
USED_EVERY = timedelta(minutes=1)


class TooMany(RiskappError):
    """Nobody keeps track of that many tokens."""


def make(name: str, scopes: list[str], days: int, *, by: Actor) -> tuple[str, ApiToken]:
    """A new token for whoever asks: its words, which nobody will see again, and the row that remembers it."""
    user = _person(by)
    assert set(scopes) <= SCOPES.keys(), "a form has checked this"
    secret = PREFIX + secrets.token_urlsafe(32)
    with audit.writing():
        if sum(token.is_open for token in user.tokens.all()) >= MOST_OPEN:
            raise TooMany(f"You have {MOST_OPEN} tokens that can be used. Withdraw one that you no longer need first.")
        token = ApiToken.objects.create(
            user=user,
            name=name,
            token_hash=hashed(secret),
            scopes=sorted(scopes, key=list(SCOPES).index),
            expires_at=timezone.now() + timedelta(days=days),
        )
        audit.record("token made", by=by, on=token, name=name, scopes=token.scopes, days=days)
    return secret, token


def withdraw(token: ApiToken, *, by: Actor) -> None:
    """End a token of one's own at once."""
    if token.user_id != _person(by).pk:
        raise policies.Hidden
    with audit.writing():
        if not ApiToken.objects.filter(pk=token.pk, withdrawn_at=None).update(withdrawn_at=timezone.now()):
            raise Overtaken("This token is withdrawn already.")
        audit.record("token withdrawn", by=by, on=token, name=token.name)


def find(secret: str) -> ApiToken | None:
    """The token of these words, if it can still be used by somebody whose account is active."""
    token = ApiToken.objects.select_related("user").filter(token_hash=hashed(secret)).first()
    return token if token is not None and token.is_open and token.user.is_active else None


def used(token: ApiToken) -> None:
    """Remember that a token was used just now."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _person(by: Actor) -> User:
    if by.user is None:
        raise policies.Hidden
    return by.user
