"""Codes after the password: setting up, using, losing, turning off."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from riskapp.models import Actor, AuditEvent, User
from riskapp.services import second_factor

PASSWORD = "correct horse battery"


@pytest.fixture
def olga(person: Callable[..., User]) -> User:
    return person("olga")


@pytest.fixture
def app(olga: User, device: Callable[[User], TOTPDevice]) -> TOTPDevice:
    """Olga's telephone."""
    return device(olga)


@pytest.fixture
def recovery(olga: User, app: TOTPDevice) -> list[str]:
    return second_factor.renew_codes(olga, by=Actor(olga))


def give_password(client: Client, **more: str) -> Any:
    return client.post("/sign-in/", {"username": "olga@example.org", "password": PASSWORD, **more})


def give_code(client: Client, code: str) -> Any:
    return client.post("/sign-in/code/", {"code": code})


def signed_in_as(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


# Signing in


def test_the_password_alone_signs_nobody_in(client: Client, app: TOTPDevice) -> None:
    assert give_password(client)["Location"] == "/sign-in/code/"
    assert signed_in_as(client) is None
    assert client.get("/account/")["Location"].startswith("/sign-in/")


def test_the_right_code_signs_in_and_goes_where_one_wanted(
    client: Client, olga: User, app: TOTPDevice, code: Callable[..., str]
) -> None:
    give_password(client, next="/account/")
    response = give_code(client, code(app))
    assert response["Location"] == "/account/"
    assert signed_in_as(client) == str(olga.pk)
    assert AuditEvent.objects.get(action="signed in").details == {"second_factor": "app"}


def test_the_session_has_a_new_key_after_the_code(client: Client, app: TOTPDevice, code: Callable[..., str]) -> None:
    give_password(client)
    before = client.session.session_key
    give_code(client, code(app))
    assert client.session.session_key != before


def test_spaces_in_a_code_mean_nothing(client: Client, app: TOTPDevice, code: Callable[..., str]) -> None:
    give_password(client)
    digits = code(app)
    assert give_code(client, f"{digits[:3]} {digits[3:]}").status_code == 302


def test_a_wrong_code_is_told_and_audited(client: Client, app: TOTPDevice, code: Callable[..., str]) -> None:
    give_password(client)
    response = give_code(client, code(app, later=40))
    assert response.status_code == 422
    assert "not right" in response.context["form"].errors["code"][0]
    assert signed_in_as(client) is None
    assert AuditEvent.objects.filter(action="second factor failed").count() == 1


def test_a_code_works_only_once(client: Client, app: TOTPDevice, code: Callable[..., str]) -> None:
    digits = code(app)
    give_password(client)
    give_code(client, digits)
    other = Client()
    give_password(other)
    assert give_code(other, digits).status_code == 422


def test_after_a_wrong_code_one_waits_and_is_told_how_long(
    client: Client, olga: User, app: TOTPDevice, code: Callable[..., str]
) -> None:
    give_password(client)
    for _ in range(6):
        app.throttle_increment()
    response = give_code(client, code(app))
    assert response.status_code == 422
    assert response.context["form"].errors["code"][0].startswith("Too many wrong codes. Wait 3")
    assert signed_in_as(client) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "Wait a moment, then"),
        (9, "Wait a moment, then"),
        (31.5, "32 seconds"),
        (119, "119 seconds"),
        (121, "3 minutes"),
    ],
)
def test_a_short_wait_is_a_moment_and_a_longer_one_is_counted(seconds: float, words: str) -> None:
    assert words in str(second_factor.Wait(timezone.now() + timedelta(seconds=seconds)))


def test_the_field_for_the_code_is_ready_to_type_into(
    client: Client, olga: User, app: TOTPDevice, signed_in: Callable[[User], Client], person: Callable[..., User]
) -> None:
    give_password(client)
    field = str(client.get("/sign-in/code/").context["form"]["code"])
    assert "autofocus" in field
    assert "inputmode" not in field
    nina = person("nina")
    second_factor.begin(nina)
    field = str(signed_in(nina).get("/account/second-factor/").context["confirm"]["code"])
    assert "autofocus" in field
    assert 'inputmode="numeric"' in field


def test_an_administrator_ends_the_wait(
    client: Client, olga: User, app: TOTPDevice, administrator: User, signed_in: Callable[[User], Client],
    code: Callable[..., str],
) -> None:  # fmt: skip
    give_password(client)
    for _ in range(6):
        app.throttle_increment()
    signed_in(administrator).post(f"/people/{olga.pk}/unlock/")
    assert give_code(client, code(app)).status_code == 302


def test_without_a_password_there_is_no_code_to_give(client: Client, app: TOTPDevice, code: Callable[..., str]) -> None:
    assert give_code(client, code(app))["Location"] == "/sign-in/"
    assert signed_in_as(client) is None


def age(client: Client, seconds: float) -> None:
    session = client.session
    session["waiting_for_code"] = session["waiting_for_code"] | {"since": time.time() - seconds}
    session.save()


@pytest.mark.parametrize(("seconds", "to"), [(290, "/projects/"), (301, "/sign-in/")])
def test_the_password_is_remembered_for_five_minutes(
    client: Client, app: TOTPDevice, code: Callable[..., str], seconds: float, to: str
) -> None:
    give_password(client)
    age(client, seconds)
    assert give_code(client, code(app))["Location"] == to


def test_a_changed_password_ends_the_wait_for_a_code(
    client: Client, olga: User, app: TOTPDevice, code: Callable[..., str]
) -> None:
    give_password(client)
    olga.set_password("quite another long one")
    olga.save()
    assert give_code(client, code(app))["Location"] == "/sign-in/"
    assert signed_in_as(client) is None


def test_a_deactivated_account_cannot_finish(
    client: Client, olga: User, app: TOTPDevice, code: Callable[..., str]
) -> None:
    give_password(client)
    User.objects.update(is_active=False)
    assert give_code(client, code(app))["Location"] == "/sign-in/"


def test_somebody_elses_code_is_wrong(
    client: Client, person: Callable[..., User], app: TOTPDevice, device: Callable[[User], TOTPDevice],
    code: Callable[..., str],
) -> None:  # fmt: skip
    give_password(client)
    assert give_code(client, code(device(person("otto")))).status_code == 422


# Recovery codes


def test_a_recovery_code_signs_in_once_and_is_audited(client: Client, recovery: list[str]) -> None:
    give_password(client)
    assert give_code(client, recovery[0].upper()).status_code == 302
    assert AuditEvent.objects.get(action="recovery code used").details == {"left": 9}
    assert "9 are left" in str(next(iter(client.get("/account/").context["messages"])))
    other = Client()
    give_password(other)
    assert give_code(other, recovery[0]).status_code == 422


def test_a_wrong_recovery_code_is_refused_and_makes_wait(client: Client, olga: User, recovery: list[str]) -> None:
    give_password(client)
    answer = give_code(client, "abcdefgh")
    assert answer.status_code == 422
    assert "not one of your recovery codes" in answer.context["form"].errors["code"][0]
    assert "Wait a moment, then try again." in give_code(client, recovery[0]).context["form"].errors["code"][0]
    assert second_factor.codes_left(olga) == 10


def test_new_codes_replace_the_old(
    olga: User, recovery: list[str], signed_in: Callable[[User], Client], client: Client
) -> None:
    page = signed_in(olga).post("/account/recovery-codes/", {"password": PASSWORD})
    fresh = page.context["codes"]
    assert len(set(fresh)) == 10
    assert not set(fresh) & set(recovery)
    assert all(code in page.content.decode() for code in fresh)
    assert set(StaticToken.objects.values_list("token", flat=True)) == set(fresh)
    assert AuditEvent.objects.filter(action="recovery codes renewed").count() == 2
    give_password(client)
    assert give_code(client, recovery[1]).status_code == 422


def test_new_codes_need_the_password(olga: User, recovery: list[str], signed_in: Callable[[User], Client]) -> None:
    response = signed_in(olga).post("/account/recovery-codes/", {"password": "wrong"})
    assert response.status_code == 422
    assert set(StaticToken.objects.values_list("token", flat=True)) == set(recovery)


# Setting up and turning off


def test_setting_up_needs_the_password(olga: User, signed_in: Callable[[User], Client]) -> None:
    browser = signed_in(olga)
    assert browser.post("/account/second-factor/start/", {"password": "wrong"}).status_code == 422
    assert not TOTPDevice.objects.exists()


def test_setting_up_shows_picture_and_secret_and_a_right_code_turns_it_on(
    olga: User, signed_in: Callable[[User], Client], code: Callable[..., str]
) -> None:
    browser, elsewhere = signed_in(olga), signed_in(olga)
    browser.post("/account/second-factor/start/", {"password": PASSWORD})
    page = browser.get("/account/second-factor/")
    pending = TOTPDevice.objects.get()
    assert page.context["qr"].startswith("data:image/svg+xml")
    assert f"secret={page.context['secret'].replace(' ', '')}&" in pending.config_url
    assert not olga.has_second_factor
    answer = browser.post("/account/second-factor/confirm/", {"code": code(pending)})
    assert olga.has_second_factor
    assert len(answer.context["codes"]) == 10
    assert browser.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302
    assert AuditEvent.objects.get().action == "second factor turned on"


def test_the_page_needs_no_inline_style_and_no_foreign_picture(olga: User, signed_in: Callable[[User], Client]) -> None:
    browser = signed_in(olga)
    browser.post("/account/second-factor/start/", {"password": PASSWORD})
    text = browser.get("/account/second-factor/").content.decode()
    assert "style=" not in text
    assert 'src="http' not in text


def test_a_wrong_code_turns_nothing_on(
    olga: User, signed_in: Callable[[User], Client], code: Callable[..., str]
) -> None:
    browser = signed_in(olga)
    browser.post("/account/second-factor/start/", {"password": PASSWORD})
    wrong = code(TOTPDevice.objects.get(), later=40)
    response = browser.post("/account/second-factor/confirm/", {"code": wrong})
    assert response.status_code == 422
    assert not olga.has_second_factor
    assert not StaticDevice.objects.exists()
    assert TOTPDevice.objects.get().throttling_failure_count == 1


def test_an_unconfirmed_secret_is_not_asked_for(
    client: Client, olga: User, signed_in: Callable[[User], Client]
) -> None:
    signed_in(olga).post("/account/second-factor/start/", {"password": PASSWORD})
    assert give_password(client)["Location"] == "/projects/"


def test_setting_up_can_be_cancelled(olga: User, signed_in: Callable[[User], Client]) -> None:
    browser = signed_in(olga)
    browser.post("/account/second-factor/start/", {"password": PASSWORD})
    browser.post("/account/second-factor/cancel/")
    assert not TOTPDevice.objects.exists()
    assert browser.post("/account/second-factor/confirm/", {"code": "123456"}).status_code == 409


def test_a_second_secret_cannot_be_slipped_in(olga: User, app: TOTPDevice, signed_in: Callable[[User], Client]) -> None:
    response = signed_in(olga).post("/account/second-factor/start/", {"password": PASSWORD})
    assert response.status_code == 409
    assert TOTPDevice.objects.get() == app


def test_turning_off_needs_the_password_and_is_audited(
    olga: User, recovery: list[str], signed_in: Callable[[User], Client]
) -> None:
    browser, elsewhere = signed_in(olga), signed_in(olga)
    assert browser.post("/account/second-factor/off/", {"password": "wrong"}).status_code == 422
    assert olga.has_second_factor
    assert browser.post("/account/second-factor/off/", {"password": PASSWORD}).status_code == 302
    assert not olga.has_second_factor
    assert not StaticToken.objects.exists()
    assert elsewhere.get("/account/").status_code == 302
    assert AuditEvent.objects.filter(action="second factor turned off").count() == 1


def test_an_administrator_turns_it_off_for_who_lost_everything(
    client: Client, olga: User, recovery: list[str], administrator: User, signed_in: Callable[[User], Client]
) -> None:
    signed_in(administrator).post(f"/people/{olga.pk}/turn-off-second-factor/")
    assert give_password(client)["Location"] == "/projects/"
    event = AuditEvent.objects.get(action="second factor turned off")
    assert (event.actor, event.subject_id) == ("ada@example.org", str(olga.pk))
