"""What releases say together: warned of before an approval, shown beside the frontier, counted in the register."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp import selectors, storage
from riskapp.models import Actor, Project, Release, Upload, User
from riskapp.services import releases, rules, warnings
from riskapp.services.setups import Unfit
from tests.app.deciding import SQUARE, Way, way
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def square(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive, SQUARE)


@pytest.fixture
def towns(square: Way) -> Release:
    """The towns have left the house."""
    return square.release(rule=square.keeping("town"))


def signed_in(user: User | None) -> Client:
    client = Client()
    assert user is not None
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_two_4_anonymous_releases_that_single_people_out_are_warned_of_before_the_approval(
    square: Way, towns: Release
) -> None:
    second = square.propose(rule=square.keeping("born"))
    assert towns.proposal.evidence["listed"]["smallest_group"] == 4
    assert second.evidence["listed"]["smallest_group"] == 4
    found = warnings.of(second).figures
    assert found is not None
    warned = next(one for one in found["warnings"] if one["key"] == "intersection")
    assert warned["count"] == 16
    assert "16 people are singled out" in warned["words"]
    with pytest.raises(Unfit, match="Intersection"):
        square.approve(second)


def test_a_release_that_was_shredded_is_still_held_against_the_next(square: Way, towns: Release) -> None:
    Release.objects.update(expires_on=timezone.localdate() - timedelta(days=1))
    releases.expire(Release.objects.get(), by=square.officer)
    folder = storage.release_place(towns.project_id, towns.folder)  # type: ignore[arg-type]
    releases.shred(Release.objects.get(), by=square.officer)
    assert not folder.exists()
    found = warnings.of(square.propose(rule=square.keeping("born"))).figures
    assert found is not None
    assert next(one for one in found["warnings"] if one["key"] == "intersection")["count"] == 16


def test_a_release_without_a_footprint_is_said_so(square: Way, towns: Release) -> None:
    storage.footprint_place(towns.project_id, towns.pk).unlink()
    found = warnings.of(square.propose(rule=square.keeping("born"))).figures
    assert found is not None
    keys = {one["key"]: one["words"] for one in found["warnings"]}
    assert "intersection" not in keys
    assert "1 earlier release cannot be held against this one" in keys["not-compared"]


def test_the_rules_page_and_the_frontier_say_whom_it_singles_out_with_what_each_recipient_holds(
    square: Way, towns: Release
) -> None:
    steward = signed_in(square.steward.user)
    rule = square.keeping("born")
    address = reverse("rule-together", args=[square.project.pk, square.run.pk])
    assert steward.post(f"{address}?rule={rule}").status_code == 302
    work_off("together")
    page = steward.get(reverse("rule", args=[square.project.pk, square.run.pk]), {"rule": rule}).content.decode()
    assert "16 people are singled out" in page
    assert '<th scope="row">University</th>' in page
    frontier = steward.get(reverse("frontier", args=[square.project.pk, square.run.pk])).content.decode()
    assert 'id="together"' in frontier
    found = rules.together(square.run.outcome, {"id": rule}).known().figures
    assert found is not None
    assert [(one["recipient"], one["newly_singled_out"]) for one in found["recipients"]] == [("University", 16)]


def test_where_nobody_holds_anything_the_pages_say_nothing_of_it(square: Way) -> None:
    steward = signed_in(square.steward.user)
    for name in ("rule", "frontier"):
        page = steward.get(reverse(name, args=[square.project.pk, square.run.pk]), {"rule": square.rule()})
        assert b'id="together"' not in page.content


def test_the_register_adds_up_what_one_recipient_holds_and_not_what_another_does(square: Way, towns: Release) -> None:
    square.release(rule=square.keeping("born"), recipient="Another University")
    held = {one.recipient: one for one in selectors.by_recipient(Release.objects.all())}
    assert {name: one.singled_out for name, one in held.items()} == {"University": 0, "Another University": 0}
    square.release(rule=square.keeping("town"), recipient="another  university", options={"format": "parquet"})
    held = {one.recipient.lower(): one for one in selectors.by_recipient(Release.objects.all())}
    assert held["university"].singled_out == 0
    assert next(one for name, one in held.items() if name.startswith("another")).singled_out == 16
    page = signed_in(square.officer.user).get(reverse("register")).content.decode()
    assert "singled out, put together" in page
