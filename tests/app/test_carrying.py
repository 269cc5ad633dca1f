"""Assessments carried from riskapp to the command line and from one project into another."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp import storage
from riskapp.bridge import as_json
from riskapp.engine.assess import assess
from riskapp.models import (
    Actor,
    Attacker,
    AuditEvent,
    Membership,
    Project,
    Role,
    Run,
    Setup,
    Upload,
    User,
    WaitingImport,
)
from riskapp.services import assessing, carrying, copying, projects, reading, rehearsing, retention, setups
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

TOWNS = ["Aldersee", "Birkenau", "Cronfeld"]
ROWS = "\n".join(f"p{i},{TOWNS[i % 3]},{1950 + i % 40},{('flu', 'HIV', 'acne')[i % 7 % 3]},{i % 5}" for i in range(120))
PEOPLE = f"id,town,born,illness,own\n{ROWS}\n"
REGISTER = "who,place\n" + "\n".join(f"r{i},{('Lakes', 'Hills')[i % 2]}" for i in range(50)) + "\n"
OUT = "id\np3\np4\n"
SHARES = {"rows": [["Aldersee", "Lakes", "*"], ["Birkenau", "Hills", "*"], ["Cronfeld", "Hills", "*"]]}
ILLNESS = {"weight": 2, "weights": {"HIV": "inf", "flu": 0.5}, "fall": "step", "hurts": True, "personal": "own"}


@pytest.fixture
def visit(officer: User) -> Client:
    client = Client()
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def run(project: Project, arrive: Callable[..., Upload], by: Actor) -> Run:
    """A run of a set-up that says something about everything."""
    people, register, out = arrive(PEOPLE), arrive(REGISTER, "register.csv"), arrive(OUT, "out.csv")
    work_off("read")
    setup = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(setup, Upload.objects.get(pk=people.pk), setup.version, by=by)
    roles = {"id": "identifier", "town": "generalised", "born": "generalised", "illness": "kept", "own": "dropped"}
    said: dict[str, dict[str, Any]] = {"town": {"hierarchy": {"header": ["town", "land", "all"], **SHARES}}}
    said |= {"illness": ILLNESS, "born": {"hierarchy": {"intervals": {"from": 0, "widths": [5, 20]}}}}
    for one in setup.attributes.all():
        told = {"role": roles[one.column], "knowable": one.column in ("town", "born"), "keep_reason": "a test"}
        setups.describe(one, one.version, by=by, **told, **said.get(one.column, {}))
    Attacker.objects.create(
        setup=setup, position=1, name="reg", kind="register", upload=Upload.objects.get(pk=register.pk),
        match={"place": "town@land"}, identity="who", prior=0.25,
    )  # fmt: skip
    setups.set_class(setup, "contract", None, setup.version, by=by)
    setups.leave_out(setup, Upload.objects.get(pk=out.pk), setup.version, by=by)
    Setup.objects.filter(pk=setup.pk).update(
        sensitivity={"family": "linear", "pairs": [{"attributes": ["town", "illness"], "weight": 0.25}]}
    )
    setup.refresh_from_db()
    search = {"rules": ["full-domain", "k-anonymity"], "k": [3], "least_share": 0.4}
    setups.plan(setup, setup.version, by=by, search=search, risk={"over_dictionaries": "bayes"}, utility={})
    return finished(setup, by)


def finished(setup: Setup, by: Actor) -> Run:
    rehearsing.ask(setup, by=by)
    work_off("rehearse")
    assert rehearsing.of(setup).figures, [run.fault for run in Run.objects.all()]
    run = assessing.start(setup, by=by)
    work_off("assess")
    run.refresh_from_db()
    assert run.state == "succeeded", run.fault
    return run


def result(run: Run) -> Any:
    found = json.loads((storage.outcome_place(run.project_id, run.outcome.folder) / "result.json").read_text())
    del found["seconds"]
    return found


def exported(visit: Client, run: Run, *, data: bool = False) -> bytes:
    address = reverse("run-export", args=[run.project_id, run.pk])
    answer: Any = visit.post(address) if data else visit.get(address)
    content = b"".join(answer.streaming_content)
    answer.close()
    return content


def bare(run: Run) -> Any:
    """The frozen assessment without what the ids of uploads and tables are."""
    document = assessing.frozen(run).document
    for part in ("tables", "lists"):
        for about in document[part].values():
            about.pop("upload"), about.pop("table", None)
    return document


def test_assess_on_the_unpacked_zip_gives_the_very_figures_of_the_run(run: Run, visit: Client, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(exported(visit, run))) as packed:
        assert sorted(packed.namelist()) == ["README.txt", "assessment.json", "files.json", "hierarchies/0.csv"]
        packed.extractall(tmp_path)
    for name, text in (("people.csv", PEOPLE), ("register.csv", REGISTER), ("out.csv", OUT)):
        (tmp_path / name).write_text(text)
    again = assess(tmp_path / "assessment.json").mapping()
    del again["seconds"]
    assert result(run) == again


def test_the_tables_come_along_when_asked_for_and_that_is_recorded(run: Run, visit: Client, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(exported(visit, run, data=True))) as packed:
        packed.extractall(tmp_path)
    again = assess(tmp_path / "assessment.json").mapping()
    del again["seconds"]
    assert result(run) == again
    assert AuditEvent.objects.get(action="assessment exported").details["data"] is True


def test_a_table_that_was_read_by_hand_comes_along_as_it_was_read(
    project: Project, arrive: Callable[..., Upload], visit: Client, by: Actor, tmp_path: Path
) -> None:
    upload = arrive(PEOPLE.replace(",", "|").replace("1950", "x"))
    work_off("read")
    reading.again(Upload.objects.get(pk=upload.pk), {"missing": ["", "x"], "delimiter": "|"}, by=by)
    work_off("read")
    setup = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(setup, Upload.objects.get(pk=upload.pk), setup.version, by=by)
    done = finished(setup, by)
    with zipfile.ZipFile(io.BytesIO(exported(visit, done, data=True))) as packed:
        assert "people.parquet" in packed.namelist()
        packed.extractall(tmp_path)
    again = assess(tmp_path / "assessment.json").mapping()
    found = result(done)
    assert again["dataset"].pop("sha256") != found["dataset"].pop("sha256")
    del again["seconds"]
    assert found == again


@pytest.fixture
def other(by: Actor, arrive: Callable[..., Upload], officer: User) -> Project:
    """Another project with the same files, one under another name."""
    made = projects.create(by=by, name="Other", purpose="", role=Role.OFFICER)
    for text, name in ((PEOPLE, "renamed.csv"), (REGISTER, "register.csv"), (OUT, "out.csv")):
        arrive(text, name, project=made)
    work_off("read")
    return made


def previewed(visit: Client, project: Project, content: bytes, name: str = "a.zip") -> Any:
    return visit.post(reverse("assessment-import", args=[project.pk]), {"file": SimpleUploadedFile(name, content)})


def confirmed(visit: Client, project: Project, page: Any, **changes: str) -> Any:
    form = page.context["form"]
    sent = {"kept": form["kept"].value(), "seen": form["seen"].value(), "reason": ""}
    sent |= {field.html_name: field.value() for field in form.table_fields()}
    return visit.post(reverse("assessment-import", args=[project.pk]), sent | changes)


def test_an_exported_assessment_makes_the_same_one_in_another_project(
    run: Run, other: Project, visit: Client, by: Actor
) -> None:
    page = previewed(visit, other, exported(visit, run))
    assert page.status_code == 200
    assert Setup.objects.get(pk=other.pk).dataset is None  # nothing has changed yet
    there = Setup.objects.get(pk=other.pk)
    setups.set_class(there, "contract", None, there.version, by=by)
    page = previewed(visit, other, exported(visit, run))
    assert confirmed(visit, other, page, reason="as in the first project").status_code == 302
    setup = Setup.objects.get(pk=other.pk)
    again = finished(setup, by)
    here, there_too = bare(run), bare(again)
    renamed = json.loads(json.dumps(here).replace("people.csv", "renamed.csv"))
    assert there_too == renamed
    assert result(again) == result(run)
    assert setup.limits is None  # they are those of the release class


def test_importing_once_more_replaces_all_and_tells_before(run: Run, visit: Client, by: Actor) -> None:
    setup = Setup.objects.get(pk=run.project_id)
    Attacker.objects.create(setup=setup, position=2, name="cousin", kind="self", knows=["town"])
    one = setup.attributes.get(column="town")
    setups.describe(one, one.version, by=by, weight=77)
    page = previewed(visit, run.project, exported(visit, run))
    assert "cousin" in page.content.decode()
    confirmed(visit, run.project, page)
    assert [one.name for one in setup.attackers.all()] == ["neighbour", "reg"]
    assert bare(finished(Setup.objects.get(pk=setup.pk), by)) == bare(run)


def said(project: Project) -> dict[str, Any]:
    """All that a set-up says."""
    return copying.copied(Setup.objects.get(pk=project.pk))


def test_an_import_leaves_what_the_project_says_of_attackers_tables_and_retention_shreds_them(
    run: Run, visit: Client
) -> None:
    past, made = timezone.localdate() - timedelta(days=1), date(2024, 3, 1)
    told = {"source": "the city", "licence": "a contract", "as_of": made, "delete_after": past}
    setup = Setup.objects.get(pk=run.project_id)
    setup.attackers.filter(name="reg").update(name="town hall", **told)  # the same table, under another name by now
    page = previewed(visit, run.project, exported(visit, run))
    assert "from the city, a contract, of 1 Mar 2024" in page.content.decode()
    assert confirmed(visit, run.project, page).status_code == 302
    reg = setup.attackers.get(name="reg")
    assert {name: getattr(reg, name) for name in told} == told
    retention.tend()
    assert Upload.objects.get(pk=reg.upload_id).state == "purged"


def test_what_nothing_would_shred_after_an_import_is_told_before(
    run: Run, visit: Client, arrive: Callable[..., Upload]
) -> None:
    other = arrive(REGISTER + "r50,Lakes\n", "other.csv")
    work_off("read")
    setup, later = Setup.objects.get(pk=run.project_id), timezone.localdate() + timedelta(days=9)
    about = {"kind": "register", "match": {"place": "town@land"}, "delete_after": later}
    Attacker.objects.create(setup=setup, position=2, name="clerk", upload_id=other.pk, **about)
    shown = previewed(visit, run.project, exported(visit, run)).content.decode()
    assert "Nothing is known here of where the table of reg is from" in shown
    assert "other.csv, held by clerk, was to be shredded after" in shown


def test_an_import_is_undone_to_the_letter_and_that_too(run: Run, visit: Client, by: Actor) -> None:
    setup = Setup.objects.get(pk=run.project_id)
    setup.attackers.filter(name="reg").update(name="clerk", delete_after=date(2099, 1, 1), prior=0.5)
    town = setup.attributes.get(column="town")
    setups.describe(town, town.version, by=by, role="dropped", weight=77)
    before = said(run.project)
    page = previewed(visit, run.project, exported(visit, run))
    assert "It can be undone" in page.content.decode()
    confirmed(visit, run.project, page)
    imported = said(run.project)
    assert imported != before
    for words, then in (("An assessment was imported", before), ("The set-up was set back", imported)):
        assert words in visit.get(reverse("attributes", args=[setup.pk])).content.decode()
        event = AuditEvent.objects.filter(project_id=setup.pk).latest("number")
        visit.post(reverse("templates-undo", args=[setup.pk]), {"event": event.number})
        assert said(run.project) == then


def test_an_import_of_another_dataset_is_undone_too(run: Run, other: Project, visit: Client) -> None:
    before = said(other)
    confirmed(visit, other, previewed(visit, other, exported(visit, run)), reason="as in the first project")
    event = AuditEvent.objects.filter(project_id=other.pk).latest("number")
    visit.post(reverse("templates-undo", args=[other.pk]), {"event": event.number})
    assert said(other) == before
    assert not Setup.objects.get(pk=other.pk).attributes.exists()


# Back to a run


def set_up_as_in(visit: Client, run: Run, **sent: Any) -> Any:
    seen = {"seen": Setup.objects.get(pk=run.project_id).version}
    return visit.post(reverse("run-setup", args=[run.project_id, run.pk]), seen | sent)


def would_change(visit: Client, run: Run) -> set[tuple[str, str, str]]:
    shown = visit.get(reverse("run-setup", args=[run.project_id, run.pk]))
    assert shown.status_code == 200
    return {(one.part, one.name, one.what) for one in shown.context["changes"]}


def changed_in_every_part(setup: Setup, by: Actor) -> None:
    town, born = setup.attributes.get(column="town"), setup.attributes.get(column="born")
    setups.describe(town, town.version, by=by, hierarchy=None, weight=7, knowable=False)
    setups.describe(born, born.version, by=by, role="dropped")
    setup.attackers.filter(name="reg").update(prior=1, match={"place": "town"}, source="the city")
    setup.attackers.filter(name="neighbour").delete()
    Attacker.objects.create(setup=setup, position=5, name="clerk", kind="self")
    setups.leave_out(setup, None, setup.version, by=by)
    setups.set_class(setup, "contract", {"smallest_group": 99}, setup.version, by=by)
    plan: dict[str, Any] = {"search": {"rules": ["mondrian"], "k": [4]}, "risk": {}, "utility": {"measure": "lm"}}
    setups.plan(setup, setup.version, by=by, **plan)
    linkage = {"upload": str(setup.attackers.get(name="reg").upload_id), "match": {"place": "town"}, "adds": {}}
    Setup.objects.filter(pk=setup.pk).update(linkage=linkage, sensitivity={})


def test_what_a_run_was_made_from_is_what_is_there_while_nobody_changes_it(run: Run, visit: Client) -> None:
    assert would_change(visit, run) == set()
    address = reverse("run-setup", args=[run.project_id, run.pk])
    assert "There is nothing to change" in visit.get(address).content.decode()
    assert address in visit.get(reverse("run", args=[run.project_id, run.pk])).content.decode()


def test_what_is_as_usual_is_the_same_whether_it_is_said_or_not(run: Run, visit: Client) -> None:
    setup = Setup.objects.get(pk=run.project_id)
    usual = {"family": "linear", "fall": "step", "unidentified": 0}
    spelt_out, left_out = usual | setup.sensitivity, {"pairs": setup.sensitivity["pairs"]}
    for told in (spelt_out, left_out):
        assert told != setup.sensitivity
        Setup.objects.filter(pk=setup.pk).update(sensitivity=told)
        assert would_change(visit, run) == set()


def test_the_project_is_set_up_as_in_a_run_and_back(run: Run, visit: Client, by: Actor) -> None:
    setup = Setup.objects.get(pk=run.project_id)
    first = said(run.project)
    changed_in_every_part(setup, by)
    later = said(run.project)
    assert would_change(visit, run) == {
        ("Column", "town", "whether an attacker could know it, its hierarchy and its weight"),
        ("Column", "born", "Dropped → Released with a hierarchy"),
        ("Attacker", "neighbour", "new"),
        ("Attacker", "clerk", "not there any more"),
        ("Attacker", "reg", "the matched columns and how likely they are"),
        ("", "People left out", "none → out.csv"),
        ("", "Form of harm", "another"),
        ("", "Linkage data", "another"),
        ("", "Limits", "another"),
        ("", "Plan of the run", "another"),
    }
    assert said(run.project) == later  # looking changes nothing
    assert set_up_as_in(visit, run).status_code == 302
    again = said(run.project)
    assert would_change(visit, run) == set()
    assert again["attackers"][1].pop("source") == "the city"
    del first["attackers"][1]["source"]
    assert again == first | {"harm_seen": True}
    event = AuditEvent.objects.filter(project_id=setup.pk).latest("number")
    assert (event.action, event.details["run"]) == ("set up as in a run", str(run.pk))
    assert "as in an earlier run" in visit.get(reverse("attributes", args=[setup.pk])).content.decode()
    visit.post(reverse("templates-undo", args=[setup.pk]), {"event": event.number})
    assert said(run.project) == later


def test_a_run_after_going_back_gives_the_very_figures(run: Run, visit: Client, by: Actor) -> None:
    changed_in_every_part(Setup.objects.get(pk=run.project_id), by)
    set_up_as_in(visit, run)
    again = finished(Setup.objects.get(pk=run.project_id), by)
    assert bare(again) == bare(run)
    assert result(again) == result(run)


def test_a_set_up_whose_file_was_shredded_cannot_come_back(run: Run, visit: Client) -> None:
    Upload.objects.filter(name="register.csv").update(state="purged")
    before = said(run.project)
    shown = visit.get(reverse("run-setup", args=[run.project_id, run.pk])).content.decode()
    assert "The run worked on register.csv: not there any more" in shown
    assert "Set it up so" not in shown
    assert set_up_as_in(visit, run).status_code == 422
    assert said(run.project) == before


def test_going_back_releases_no_identifier_without_a_reason(run: Run, visit: Client) -> None:
    setup = Setup.objects.get(pk=run.project_id)
    setup.attributes.filter(column="illness").update(role="dropped", keep_reason="", suggestion={"needs_reason": True})
    address = reverse("run-setup", args=[run.project_id, run.pk])
    assert "<b>illness</b> would be released" in visit.get(address).content.decode()
    refused = set_up_as_in(visit, run)
    assert refused.status_code == 422
    assert "Give the reason" in refused.content.decode()
    assert setup.attributes.get(column="illness").role == "dropped"
    assert set_up_as_in(visit, run, reason="they are invented").status_code == 302
    illness = setup.attributes.get(column="illness")
    assert (illness.role, illness.keep_reason) == ("kept", "they are invented")


def test_who_is_overtaken_on_the_way_back_is_told_and_nothing_is_lost(run: Run, visit: Client) -> None:
    Setup.objects.filter(pk=run.project_id).update(version=50, risk_weight="own")
    assert set_up_as_in(visit, run, seen=49).status_code == 409
    assert Setup.objects.get(pk=run.project_id).risk_weight == "own"


def test_an_identifier_is_not_released_by_an_import_without_a_reason(other: Project, visit: Client) -> None:
    told = {"dataset": {"file": "renamed.csv"}, "attributes": {"id": {}, "town": {}}}
    page = previewed(visit, other, json.dumps(told).encode(), "assessment.json")
    refused = confirmed(visit, other, page)
    assert refused.status_code == 422
    assert "Give the reason" in refused.content.decode()
    assert Setup.objects.get(pk=other.pk).dataset is None
    assert confirmed(visit, other, page, reason="they are invented").status_code == 302
    assert Setup.objects.get(pk=other.pk).attributes.get(column="id").keep_reason == "they are invented"


def test_a_yaml_file_of_the_command_line_can_be_imported(other: Project, visit: Client, by: Actor) -> None:
    text = """
dataset: {file: renamed.csv, identifier: id}
attributes:
  born: {hierarchy: {intervals: {from: 0, widths: [5, 20]}}, weight: .inf}
  town: {hierarchy: {groups: {Hills: [Birkenau, Cronfeld], Lakes: [Aldersee]}}, weights: {Aldersee: 1.50}}
dictionaries: [self, {file: register.csv, match: {place: town@1}}]
sensitivity: {unidentified: 0.10}
search: {rules: [full-domain], least_utility: 2.50}
"""
    page = previewed(visit, other, text.encode(), "x.yaml")
    assert confirmed(visit, other, page).status_code == 302
    setup = Setup.objects.get(pk=other.pk)
    town, born = setup.attributes.get(column="town"), setup.attributes.get(column="born")
    assert (born.weight, town.weights, setup.sensitivity) == ("inf", {"Aldersee": 1.5}, {"unidentified": 0.1})
    assert (born.position, town.position) == (0, 1)  # the order of the file, not of the table
    assert finished(setup, by).outcome.summary["optimum"]["utility"] >= 2.5
    assert visit.get(reverse("harm", args=[other.pk])).status_code == 200
    assert visit.get(reverse("runs", args=[other.pk])).status_code == 200


WITH_FILES = {
    "dataset": {"file": "renamed.csv"},
    "attributes": {
        "town": {"hierarchy": {"file": "town.csv"}, "weights": {"file": "harm/town.csv"}},
        "id": {"hierarchy": {"mask": 1}},
    },
}
SMALL = {"town.csv": "Aldersee;*\nBirkenau;*\nCronfeld;*\n", "harm/town.csv": "Aldersee;2\n"}


def zipped(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in {"assessment.json": json.dumps(WITH_FILES), "renamed.csv": "no,table", **files}.items():
            archive.writestr(name, text)
    return packed.getvalue()


def test_small_files_are_taken_from_wherever_the_assessment_says_they_are(other: Project, visit: Client) -> None:
    page = previewed(visit, other, zipped(SMALL))
    assert confirmed(visit, other, page, reason="they are invented").status_code == 302
    town = Setup.objects.get(pk=other.pk).attributes.get(column="town")
    assert town.hierarchy == {"rows": [["Aldersee", "*"], ["Birkenau", "*"], ["Cronfeld", "*"]]}
    assert town.weights == {"Aldersee": 2}


@pytest.mark.parametrize(
    ("name", "key"), [("town.csv", "attributes.town.hierarchy.file"), ("harm/town.csv", "attributes.town.weights.file")]
)
def test_a_small_file_that_is_missing_is_named_before_anything_is_asked(
    other: Project, visit: Client, name: str, key: str
) -> None:
    page = previewed(visit, other, zipped({file: text for file, text in SMALL.items() if file != name}))
    assert page.status_code == 422
    assert f"{key}: {name} did not come with the assessment" in page.content.decode()
    assert not WaitingImport.objects.exists()


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"attributes": {}}, "dataset: This is needed"),
        ({"dataset": {"file": "a"}, "attributes": {"x": {"wait": 1}}}, "attributes.x.wait: There is no such key"),
        ({"dataset": {"file": "a"}, "attributes": {"x": {}}, "search": {"rules": ["all"]}}, "search.rules.0"),
    ],
)
def test_a_wrong_key_is_named_by_its_path(other: Project, visit: Client, told: Any, words: str) -> None:
    page = previewed(visit, other, json.dumps(told).encode(), "assessment.json")
    assert page.status_code == 422
    assert words in page.content.decode()


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.zip", b"no zip"), ("a.csv", b"a,b"), ("a.json", b"{"), ("a.json", b"\xff"), ("a.zip", b"")],
)
def test_what_is_no_assessment_is_refused_with_a_way_out(
    other: Project, visit: Client, name: str, content: bytes
) -> None:
    page = previewed(visit, other, content, name)
    assert page.status_code == 422
    assert Setup.objects.get(pk=other.pk).version == 0


def test_a_column_that_the_chosen_upload_lacks_is_named(other: Project, visit: Client) -> None:
    told = {"dataset": {"file": "renamed.csv"}, "attributes": {"income": {}}}
    page = previewed(visit, other, json.dumps(told).encode(), "assessment.json")
    refused = confirmed(visit, other, page)
    assert "attributes: income" in refused.content.decode()
    assert Setup.objects.get(pk=other.pk).dataset is None


def test_an_import_prepared_for_one_project_is_not_taken_by_another(
    run: Run, other: Project, visit: Client, by: Actor
) -> None:
    page = previewed(visit, run.project, exported(visit, run))
    answer = confirmed(visit, other, page)
    assert answer.status_code == 302
    assert Setup.objects.get(pk=other.pk).dataset is None


def test_an_import_that_nobody_confirms_is_forgotten_and_one_that_is_confirmed_too(
    run: Run, other: Project, visit: Client
) -> None:
    page = previewed(visit, other, exported(visit, run))
    carrying.sweep()
    assert WaitingImport.objects.count() == 1
    WaitingImport.objects.update(came_at=timezone.now() - timedelta(minutes=61))
    assert "waited too long" in visit.get(confirmed(visit, other, page).url).content.decode()
    carrying.sweep()
    assert not WaitingImport.objects.exists()
    confirmed(visit, other, previewed(visit, other, exported(visit, run)))
    assert Setup.objects.get(pk=other.pk).dataset is not None
    assert not WaitingImport.objects.exists()


def test_an_auditor_exports_no_tables(run: Run, person: Callable[..., User]) -> None:
    auditor = person("ada")
    Membership.objects.create(project=run.project, user=auditor, role=Role.AUDITOR)
    carrying.export(run, by=Actor(auditor)).close()
    with pytest.raises(Exception, match="does not allow"):
        carrying.export(run, by=Actor(auditor), data=True)


def test_words_stay_as_they_were_written_unless_they_are_numbers() -> None:
    from riskapp.engine.assessment.tree import Plain

    words = ["010", "1.50", "1e3", "no", "NA", "1.5", "7", "true", ".inf", "-3"]
    found = [as_json.as_mapping(Plain(word)) for word in words]
    assert found == ["010", "1.50", "1e3", "no", "NA", 1.5, 7, True, "inf", -3]
