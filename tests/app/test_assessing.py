"""From an upload to the result of a run, with the services alone."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from django.test import Client
from django.urls import reverse

from riskapp import storage
from riskapp.bridge import assessing as bridge
from riskapp.bridge import documents
from riskapp.engine.assess import assess
from riskapp.models import Actor, ColumnRole, Notice, Project, Run, RunState, Setup, Upload, User
from riskapp.services import assessing, rehearsing, setups
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

TOWNS = ["Aldersee", "Birkenau", "Cronfeld"]
ROWS = "\n".join(f"p{i},{TOWNS[i % 3]},{1950 + i % 40},{'mf'[i % 2]},{20 + i % 7}" for i in range(120))
PEOPLE = f"id,town,born,sex,visits\n{ROWS}\n"


@pytest.fixture
def setup(project: Project, arrive: Callable[..., Upload], by: Actor) -> Setup:
    upload = arrive(PEOPLE)
    work_off("read")
    upload.refresh_from_db()
    found = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(found, upload, found.version, by=by)
    return found


def rehearsed(setup: Setup, by: Actor) -> dict[str, object]:
    rehearsing.ask(setup, by=by)
    work_off("rehearse")
    known = rehearsing.of(setup)
    assert known.figures is not None, known.run and known.run.fault
    return known.figures


def test_choosing_a_dataset_describes_its_columns_and_adds_the_attacker_who_knows_who_is_in_it(setup: Setup) -> None:
    roles = dict(setup.attributes.values_list("column", "role"))
    assert roles["id"] in {ColumnRole.IDENTIFIER, ColumnRole.DROPPED}
    assert ColumnRole.GENERALISED in roles.values()
    assert [one.kind for one in setup.attackers.all()] == ["self"]


def test_a_rehearsal_tells_the_shape_the_coverage_and_the_cost(setup: Setup, by: Actor) -> None:
    figures = rehearsed(setup, by)
    assert figures["about"]["records"] == 120  # type: ignore[index]
    assert sum(figures["coverage"]["neighbour"].values()) == 120  # type: ignore[index]
    assert 0 < figures["forecast"]["seconds"] < figures["forecast"]["at_most"]  # type: ignore[index]


def test_too_many_rules_to_measure_each_are_searched_within_a_time(
    project: Project, arrive: Callable[..., Upload], by: Actor
) -> None:
    columns = [f"c{place}" for place in range(21)]
    rows = [",".join(str(row * place % 3 % 2) for place in range(1, 22)) for row in range(40)]
    upload = arrive("\n".join([",".join(columns), *rows, ""]))
    work_off("read")
    upload.refresh_from_db()
    found = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(found, upload, found.version, by=by)
    found.attributes.update(role=ColumnRole.GENERALISED, knowable=True, hierarchy=None)
    figures = rehearsed(found, by)
    assert figures["about"]["nodes"] == 1 << 21  # type: ignore[index]
    assert figures["forecast"]["seconds"] is None  # type: ignore[index]
    visit = Client()
    visit.force_login(cast(User, by.user), backend="django.contrib.auth.backends.ModelBackend")
    assert "say for how many seconds to look" in visit.get(reverse("runs", args=[project.pk])).content.decode()
    search = {"rules": ["full-domain"], "least_share": 0.5, "seconds": 1}
    setups.plan(found, found.version, by=by, search=search, risk={}, utility={})
    run = assessing.start(found, by=by)
    work_off("assess")
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED, run.fault


def test_a_run_has_the_very_figures_of_assess_on_the_exported_file(setup: Setup, by: Actor, tmp_path: Path) -> None:
    rehearsed(setup, by)
    run = assessing.start(setup, by=by)
    work_off("assess")
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    result = storage.outcome_place(run.project_id, run.outcome.folder) / bridge.RESULT
    document = assessing.frozen(run).document
    path = bridge.write(document, run.project_id, tmp_path)
    (tmp_path / "people.csv").write_text(PEOPLE)
    again = assess(path).mapping()
    found = json.loads(result.read_text())
    del again["seconds"], found["seconds"]
    assert found == again
    assert Notice.objects.filter(run=run, state=RunState.SUCCEEDED).count() == 1


def test_a_share_of_the_detail_becomes_the_utility_of_the_question(setup: Setup, by: Actor) -> None:
    setups.plan(setup, setup.version, by=by, search={"rules": ["full-domain"], "least_share": 0.5}, risk={}, utility={})
    figures = rehearsed(setup, by)
    run = assessing.start(setup, by=by)
    asked = assessing.frozen(run).document["assessment"]["search"]["least_utility"]
    assert asked == pytest.approx(0.5 * figures["utility"]["unchanged"])  # type: ignore[index]
    work_off("assess")
    run.refresh_from_db()
    best = run.outcome.summary["optimum"]
    assert best["utility"] >= asked


def test_a_run_whose_dataset_is_shredded_meanwhile_is_cancelled(setup: Setup, by: Actor) -> None:
    from riskapp.services import uploads

    rehearsed(setup, by)
    run = assessing.start(setup, by=by)
    assert setup.dataset is not None
    uploads.purge(setup.dataset, by=by)
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED


def test_a_repeated_run_on_a_file_read_in_another_way_fails_and_says_so(setup: Setup, by: Actor) -> None:
    from riskapp.services import reading

    rehearsed(setup, by)
    run = assessing.start(setup, by=by)
    work_off("assess")
    assert setup.dataset is not None
    reading.again(Upload.objects.get(pk=setup.dataset_id), {"missing": ["", "x"]}, by=by)
    work_off("read")
    second = assessing.repeat(Run.objects.get(pk=run.pk), by=by)
    work_off("assess")
    second.refresh_from_db()
    assert second.state == RunState.FAILED
    assert "read again" in second.fault["message"]


def test_a_set_up_without_a_dataset_says_what_is_left_to_do(project: Project) -> None:
    with pytest.raises(documents.NotReady, match="which upload is the dataset"):
        documents.frozen(Setup.objects.get(pk=project.pk))
