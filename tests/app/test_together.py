"""What releases say together: warned of before an approval, shown beside the frontier, counted in the register."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp import selectors, storage
from riskapp.models import Actor, Project, Proposal, Release, ReleaseState, Run, Setup, Upload, User
from riskapp.services import releases, rules, runs, setups, turns, warnings
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from tests.app.deciding import ILLS, SQUARE, Way, assessed, way
from tests.app.programs import Program
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
    with pytest.raises(Unfit, match="Together with earlier releases"):
        square.approve(second)


def test_the_next_is_not_blamed_for_what_the_earlier_ones_say_by_themselves(square: Way, towns: Release) -> None:
    square.release(rule=square.keeping("born"))
    tops = [str(len(told) - 1) for told in square.run.outcome.summary["words"].values()]
    nothing = square.propose(rule=f"full-domain:{'.'.join(tops)}")
    found = warnings.of(nothing).figures
    assert found is not None
    (words,) = [one["words"] for one in found["warnings"] if one["key"] == "intersection"]
    assert "16 people are singled out" in words
    assert words.endswith("By the earlier releases alone it is 16 already.")
    steward, there = signed_in(square.steward.user), [square.project.pk, square.run.pk]
    steward.post(f"{reverse('rule-together', args=there)}?rule={nothing.rule}")
    work_off("together")
    page = steward.get(reverse("rule", args=there), {"rule": nothing.rule}).content.decode()
    assert "By what was released before it is 16 already." in page
    panel = steward.get(
        reverse("rule", args=there), {"rule": nothing.rule}, headers={"hx-request": "true"}
    ).content.decode()
    assert "whom no release alone singles out; 16 are so already by those alone." in panel


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


def test_a_release_of_another_secret_key_is_said_so(square: Way, towns: Release, settings: LazySettings) -> None:
    settings.SECRET_KEY = "another key of the house, as long as they must be, or longer"
    told = warned_of(square.propose(rule=square.keeping("born")))
    assert "intersection" not in told
    assert "with another secret key" in told["not-compared"]["words"]


def test_a_release_with_fresh_pseudonyms_is_compared_by_columns(
    square: Way, towns: Release, arrive: Callable[..., Upload], by: Actor
) -> None:
    upload = arrive(SQUARE.replace("\np", "\nq"), name="again.csv")
    work_off("read")
    setup = Setup.objects.get(pk=square.project.pk)
    setups.choose_dataset(setup, Upload.objects.get(pk=upload.pk), setup.version, by=by)
    second = replace(square, run=assessed(setup, by))
    told = warned_of(second.propose(rule=second.keeping("born")))
    assert told["intersection-shared-columns"]["count"] == 16
    assert "nobody has the same identifier in both" in told["identifiers-in-doubt"]["words"]


def warned_of(proposal: Proposal) -> dict[str, dict[str, Any]]:
    found = warnings.of(proposal).figures
    assert found is not None
    return {one["key"]: one for one in found["warnings"]}


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
    assert '<th role="rowheader" scope="row">University</th>' in page
    frontier = steward.get(reverse("frontier", args=[square.project.pk, square.run.pk])).content.decode()
    assert 'id="together"' in frontier
    found = rules.together(square.run.outcome, {"id": rule}).known().figures
    assert found is not None
    assert [(one["recipient"], one["held"], one["together"]["newly_singled_out"]) for one in found["recipients"]] == [
        ("University", 1, 16)
    ]


def test_a_program_is_told_the_same_as_the_page(square: Way, towns: Release) -> None:
    assert square.steward.user
    program = Program(square.steward.user)
    path = f"/projects/{square.project.pk}/runs/{square.run.pk}/rule/together?rule={square.keeping('born')}"
    assert program.get(path) == {"figures": None, "run": None, "obstacle": ""}
    program.send("POST", path)
    work_off("together")
    found = rules.together(square.run.outcome, {"id": square.keeping("born")}).known().figures
    assert program.get(path)["figures"] == found


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
    assert "singled out at least, together" in page


# The same square without names, with a column more.
NAMELESS = "town,born,sex,ill\n" + "".join(
    f"Town {x},{1950 + y},{'mf'[(x + y) % 2]},{ILLS[(x + y) % 3]}\n" for x in range(4) for y in range(4)
)


def test_releases_without_names_over_different_columns_are_compared_by_those_that_both_have(
    project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]
) -> None:
    first = way(project, by, person, arrive, NAMELESS)
    first.release(rule=first.keeping("town"))
    setup = Setup.objects.get(pk=project.pk)
    sex = setup.attributes.get(column="sex")
    setups.describe(sex, sex.version, by=by, role="dropped")
    second = replace(first, run=assessed(setup, by))
    proposal = second.propose(rule=second.keeping("born"))
    found = warnings.of(proposal).figures
    assert found is not None
    told = {one["key"]: one for one in found["warnings"]}
    assert "not-compared" not in told
    assert told["intersection-shared-columns"]["count"] == 16
    assert "(born, town), 16 people of this one would be singled out" in told["intersection-shared-columns"]["words"]
    with pytest.raises(Unfit, match="shared columns"):
        second.approve(proposal)
    second.answer(proposal)
    second.approve(proposal)
    work_off("build")
    built = Release.objects.get(proposal=proposal)
    assert built.attacks["intersection"] is None
    assert built.attacks["by_columns"]["newly_singled_out"] == 16
    steward = signed_in(second.steward.user)
    page = steward.get(reverse("release", args=[project.pk, built.pk])).content.decode()
    assert "16 would be singled out if they are" in page
    folder = storage.release_place(project.pk, built.folder)
    assert "compared pair by pair by the columns that both have (born, town)" in (folder / "report.html").read_text()
    (held,) = selectors.by_recipient(Release.objects.all())
    assert (held.singled_out, held.would_be) == (0, 16)
    assert (
        "and 16 more if they are in several" in signed_in(second.officer.user).get(reverse("register")).content.decode()
    )
    ask = reverse("rule-together", args=[project.pk, second.run.pk])
    assert steward.post(f"{ask}?rule={second.keeping('born')}").status_code == 302
    work_off("together")
    rule = steward.get(reverse("rule", args=[project.pk, second.run.pk]), {"rule": second.keeping("born")})
    assert "16 people would be singled out" in rule.content.decode()


# One release after the other


def test_the_warnings_of_a_decided_proposal_stay_what_the_officers_saw(square: Way, towns: Release) -> None:
    before = warnings.of(towns.proposal).figures
    assert before is not None
    square.release(rule=square.keeping("born"))
    assert warnings.of(towns.proposal).figures == before
    page = signed_in(square.officer.user).get(reverse("proposal", args=[towns.project_id, towns.proposal_id]))
    assert "since something changed" not in page.content.decode()


def test_nothing_is_approved_while_another_release_of_the_project_is_built(square: Way) -> None:
    first, second = (square.propose(rule=square.keeping(column)) for column in ("town", "born"))
    for proposal in (first, second):
        square.answer(proposal)
    square.approve(first)
    assert turns.of(second).words == "The worker builds another release of this project first."
    with pytest.raises(Unfit, match="being built"):
        square.approve(second)
    work_off("build")
    with pytest.raises(Unfit, match="still being computed"):
        square.approve(second)
    warnings.ask(second, by=square.steward)
    work_off("warn")
    with pytest.raises(Unfit, match="Together with earlier releases"):
        square.approve(second)


@pytest.fixture
def failed(square: Way) -> Release:
    """A release whose building was cancelled."""
    proposal = square.propose(rule=square.keeping("town"))
    square.answer(proposal)
    square.approve(proposal)
    runs.stop(Run.objects.get(kind="build"), by=square.officer)
    release = Release.objects.get()
    assert release.state == ReleaseState.FAILED
    return release


def test_a_failed_release_is_built_again_with_the_warnings_that_were_answered(square: Way, failed: Release) -> None:
    releases.build_again(failed, by=square.steward)
    work_off("build")
    failed.refresh_from_db()
    folder = storage.release_place(failed.project_id, failed.folder)  # type: ignore[arg-type]
    assert "It is known and accepted." in (folder / "report.html").read_text()


def test_a_failed_release_is_not_built_on_a_decision_that_knew_less(square: Way, failed: Release) -> None:
    square.release(rule=square.keeping("born"))
    with pytest.raises(releases.Unwarned, match="nobody has seen what both say"):
        releases.build_again(failed, by=square.steward)
    steward = signed_in(square.steward.user)
    page = steward.get(reverse("release", args=[failed.project_id, failed.pk])).content.decode()
    assert "Build it again" not in page
    again = reverse("propose", args=[failed.project_id, square.run.pk])
    assert f"{again}?rule={quote(failed.proposal.rule)}&amp;again={failed.proposal_id}" in page
    form = steward.get(again, {"rule": failed.proposal.rule, "again": str(failed.proposal_id)})
    assert form.context["form"]["recipient"].value() == "University"


def test_a_failed_release_waits_for_another_that_is_being_built(square: Way, failed: Release) -> None:
    other = square.propose(rule=square.keeping("born"))
    square.answer(other)
    square.approve(other)
    with pytest.raises(Overtaken, match="being built"):
        releases.build_again(failed, by=square.steward)


def test_a_failed_release_is_given_up_and_not_said_to_be_shredded(square: Way, failed: Release, by: Actor) -> None:
    owner = signed_in(by.user)
    there = reverse("release", args=[failed.project_id, failed.pk])
    assert "Give it up" in owner.get(there).content.decode()
    away = reverse("release-purge", args=[failed.project_id, failed.pk])
    assert "was not built" in owner.get(away).content.decode()
    page = owner.post(away, follow=True).content.decode()
    assert "Given up. The decision stays." in page
    assert "nothing has left the house" in page
    assert "hredded" not in page
