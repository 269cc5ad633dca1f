"""Analyses that a proposal names: said on its form, done before and after, told beside the file."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp import bridge
from riskapp.engine.releasing.report.words import figure
from riskapp.models import Actor, Project, Proposal, Release, Upload, User
from riskapp.services.setups import Unfit
from riskapp.storage import release_place
from tests.app.deciding import PEOPLE, Way, way
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)
COUNTS = {"name": "By sex", "kind": "counts", "columns": ["sex"], "of": ""}
MEAN = {"name": "Year", "kind": "mean", "columns": ["sex"], "of": "born"}


@pytest.fixture
def on_the_way(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive)


@pytest.fixture
def steward(on_the_way: Way) -> Client:
    client = Client()
    assert on_the_way.steward.user
    client.force_login(on_the_way.steward.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def filled(on_the_way: Way, *analyses: dict[str, Any], **more: Any) -> dict[str, Any]:
    until = (timezone.localdate() + timedelta(days=9)).isoformat()
    said = {"rule": on_the_way.rule(), "purpose": "A study", "recipient": "University", "reason": "Good"}
    said |= {"expires_on": until, "format": "csv", "exception": "Agreed", "analyses": str(len(analyses))}
    for at, one in enumerate(analyses):
        said |= {f"analysis-{at}-{name}": value for name, value in one.items()}
    return said | more


def address(on_the_way: Way) -> str:
    return reverse("propose", args=[on_the_way.project.pk, on_the_way.run.pk])


def test_only_numbers_and_dates_are_offered_for_a_mean(on_the_way: Way) -> None:
    columns = bridge.can_be_analysed(on_the_way.run)
    assert set(columns.every) == {"town", "born", "sex", "ill"}
    assert columns.numbers == ["born"]


def test_rows_are_added_and_removed_without_proposing_and_without_losing_what_was_said(
    on_the_way: Way, steward: Client
) -> None:
    first = steward.post(address(on_the_way), filled(on_the_way, **{"add-analysis": "1", "recipient": "Kept words"}))
    assert first.status_code == 200
    assert first.content.count(b"analysis-0-name") > 0
    assert b"Kept words" in first.content
    assert b"Please mend" not in first.content
    gone = steward.post(address(on_the_way), filled(on_the_way, COUNTS, MEAN, **{"remove-analysis": "0"}))
    (row,) = gone.context["analyses"].rows
    assert row.initial["name"] == "Year"
    full = steward.post(address(on_the_way), filled(on_the_way, *[COUNTS] * 5, **{"add-analysis": "1"}))
    assert len(full.context["analyses"].rows) == 5
    assert b"Another analysis" not in full.content
    assert not Proposal.objects.exists()


def test_a_row_that_says_too_little_is_refused_beside_its_field(on_the_way: Way, steward: Client) -> None:
    answer = steward.post(address(on_the_way), filled(on_the_way, {**COUNTS, "name": ""}))
    assert answer.status_code == 422
    assert b"Give the analysis a name." in answer.content
    answer = steward.post(address(on_the_way), filled(on_the_way, {"name": "Nothing", "kind": "counts", "of": ""}))
    assert answer.status_code == 422
    assert not Proposal.objects.exists()


def test_an_empty_row_is_no_analysis(on_the_way: Way, steward: Client) -> None:
    sent = filled(on_the_way, {"name": "", "kind": "counts", "of": ""}, COUNTS)
    assert steward.post(address(on_the_way), sent).status_code == 302
    assert [one["name"] for one in Proposal.objects.get().options["analyses"]] == ["By sex"]


@pytest.mark.parametrize(
    ("analysis", "why"),
    [
        ({**MEAN, "of": "town"}, "neither numbers nor dates"),
        ({**COUNTS, "columns": ["shoe size"]}, "not released"),
        ({**COUNTS, "columns": []}, "Counts need columns"),
        ({**MEAN, "columns": ["sex", "town"]}, "by one column"),
        ({"name": "x", "kind": "regression", "columns": ["born"], "of": "born"}, "both sides"),
        ({"name": "x", "kind": "guess", "columns": ["born"], "of": ""}, "no such choice"),
    ],
)
def test_what_cannot_be_done_is_refused_with_words(on_the_way: Way, analysis: dict[str, Any], why: str) -> None:
    with pytest.raises(Unfit, match=why):
        on_the_way.propose(options={"analyses": [analysis]})


def test_at_most_five_with_names_of_their_own(on_the_way: Way) -> None:
    with pytest.raises(Unfit, match="at most 5"):
        on_the_way.propose(options={"analyses": [{**COUNTS, "name": str(at)} for at in range(6)]})
    with pytest.raises(Unfit, match="same name"):
        on_the_way.propose(options={"analyses": [COUNTS, COUNTS]})


def test_they_are_told_exactly_inside_and_roughly_beside_the_file(on_the_way: Way, steward: Client) -> None:
    release = on_the_way.release(options={"analyses": [COUNTS, MEAN]})
    counts, mean = release.analyses
    assert (counts["name"], counts["kind"]) == ("By sex", "counts")
    years = [1950 + i % 15 for i in range(240)]
    assert mean["before"] == pytest.approx(sum(years) / 240)
    assert mean["groups"]["number"] <= 2
    folder = release_place(release.project_id, release.folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert "flu" not in json.dumps(release.analyses)
    counted, averaged = manifest["analyses"]
    assert set(counted) == {"name", "kind", "columns", "of", "change"}
    assert set(averaged) == {"name", "kind", "columns", "of", "after", "change", "groups", "read"}
    assert set(averaged["change"]) <= {"at_most", "above"}
    report = (folder / "report.html").read_text()
    page = steward.get(reverse("release", args=[release.project_id, release.pk])).content.decode()
    exact = f"{figure(mean['before'])} before"
    assert exact in page
    assert exact not in report
    assert "Analyses before and after" in report
    assert "Mean of born" in report
    assert "By sex" in page
    assert "the mean of born by sex" in page


def test_a_release_is_built_though_an_analysis_cannot_be_done(on_the_way: Way) -> None:
    proposal = on_the_way.propose(options={"analyses": [MEAN]})
    Proposal.objects.filter(pk=proposal.pk).update(options={"analyses": [{**MEAN, "of": "town"}]})
    on_the_way.answer(proposal)
    on_the_way.approve(Proposal.objects.get(pk=proposal.pk))
    work_off("build")
    release = Release.objects.get()
    assert release.state == "ready"
    assert "neither numbers nor dates" in release.analyses[0]["not_done"]


def test_a_regression_that_the_release_no_longer_allows_is_told_so(
    project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]
) -> None:
    rows = [line + (f",{50 + at % 40}" if at else ",weight") for at, line in enumerate(PEOPLE.splitlines())]
    made = way(project, by, person, arrive, "\n".join(rows))
    explained = {"name": "Weight by age", "kind": "regression", "of": "weight", "columns": ["born"]}
    release = made.release(rule=made.keeping("town"), options={"analyses": [explained]})
    assert release.analyses[0]["after"] is None
    client = Client()
    client.force_login(release.proposal.proposed_by, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("release", args=[release.project_id, release.pk])).content.decode()
    assert "cannot be computed" in page
