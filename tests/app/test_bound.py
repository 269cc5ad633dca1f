"""What an approval is bound to: whatever changes between proposal, approval and building, nothing else leaves."""

import csv
import io
import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp import bridge, storage
from riskapp.bridge import releasing
from riskapp.engine.releasing.choices import Choices
from riskapp.models import (
    Actor,
    Attacker,
    FrozenAssessment,
    Project,
    Proposal,
    ProposalState,
    Release,
    ReleaseState,
    Run,
    RunState,
    Setup,
    Upload,
    User,
)
from riskapp.services import (
    attackers,
    deciding,
    proposals,
    releases,
    runs,
    setups,
    turns,
    uploads,
    warnings,
)
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from tests.app.deciding import PEOPLE, Way, assessed, way
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

REGISTER = "name,town,born\n" + "".join(f"n{i},Town {i % 16},{1950 + i % 15}\n" for i in range(300))


@pytest.fixture
def on_the_way(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive)


@pytest.fixture
def with_register(on_the_way: Way, by: Actor, arrive: Callable[..., Upload]) -> Way:
    """The same with an attacker who holds a register."""
    upload = arrive(REGISTER, name="register.csv")
    work_off("read")
    upload.refresh_from_db()
    setup = Setup.objects.get(pk=on_the_way.project.pk)
    stranger = attackers.add(setup, "register", "stranger", by=by)
    said: dict[str, Any] = {"upload": upload, "identity": "name", "match": {"town": "town", "born": "born"}}
    attackers.describe(stranger, stranger.version, by=by, **said)
    on_the_way.run = assessed(setup, by)
    assert on_the_way.run.state == RunState.SUCCEEDED, on_the_way.run.fault
    return on_the_way


def approved(made: Way) -> Release:
    """A release that waits to be built."""
    proposal = made.propose()
    made.answer(proposal)
    made.approve(proposal)
    return Release.objects.get(proposal=proposal)


def fault_of(release: Release) -> str:
    release.refresh_from_db()
    assert (release.state, release.folder) == (ReleaseState.FAILED, None)
    assert release.fault["code"] == "not-as-approved"
    return str(release.fault["message"])


def folder_of(release: Release) -> Path:
    assert release.folder is not None
    return storage.release_place(release.project_id, release.folder)


# The seed


def test_who_has_the_file_and_the_manifest_cannot_put_the_rows_back_in_order(on_the_way: Way) -> None:
    release = on_the_way.release()
    manifest = json.loads((folder_of(release) / "manifest.json").read_text())
    seed = release.proposal.seed
    everything = b"".join(path.read_bytes() for path in folder_of(release).iterdir())
    assert seed.encode() not in everything
    assert str(int(seed, 16)).encode() not in everything
    assert "seed" not in manifest["file"]["choices"]
    told = Choices(seed=int(seed, 16)).seed_sha256
    assert manifest["seed"] == manifest["bound"]["seed"] == release.proposal.evidence["seed"] == told


def test_the_house_can_put_the_rows_back_by_the_seed_that_it_keeps(on_the_way: Way) -> None:
    rule = "full-domain:0.0.0"
    release = on_the_way.release(rule=rule)
    rows = list(csv.DictReader(io.StringIO((folder_of(release) / release.name).read_text())))
    order = np.random.Generator(np.random.PCG64(int(release.proposal.seed, 16))).permutation(len(rows))
    back = dict(zip(order.tolist(), rows, strict=True))
    own = list(csv.DictReader(io.StringIO(PEOPLE)))
    assert [(back[at]["town"], back[at]["ill"]) for at in range(240)] == [(row["town"], row["ill"]) for row in own]
    assert [row["town"] for row in rows] != [row["town"] for row in own]


def test_no_two_proposals_shuffle_alike(on_the_way: Way) -> None:
    first = on_the_way.propose()
    proposals.withdraw(first, "Once more.", by=on_the_way.steward)
    assert first.seed != on_the_way.propose().seed
    assert len(first.seed) == 32


# Between the approval and the building


def test_limits_that_are_tightened_after_the_approval_hold_the_building(on_the_way: Way) -> None:
    release = approved(on_the_way)
    Setup.objects.filter(pk=on_the_way.project.pk).update(limits={"smallest_group": 100_000})
    work_off("build")
    assert "the limits of the project are others: the smallest group counts" in fault_of(release)
    Setup.objects.filter(pk=on_the_way.project.pk).update(limits={"largest_chance": 1})
    releases.build_again(release, by=on_the_way.steward)
    work_off("build")
    release.refresh_from_db()
    assert release.state == ReleaseState.READY


# Between the proposal and the approval


def _stricter(proposal: Proposal) -> None:
    setup = Setup.objects.get(pk=proposal.project_id)
    Setup.objects.filter(pk=setup.pk).update(limits={"smallest_group": 100_000})


def _over(proposal: Proposal) -> None:
    Proposal.objects.filter(pk=proposal.pk).update(expires_on=timezone.localdate() - timedelta(days=1))


def _other_evidence(proposal: Proposal) -> None:
    Proposal.objects.filter(pk=proposal.pk).update(evidence={**proposal.evidence, "people": 1})


def _other_assessment(proposal: Proposal) -> None:
    kept = FrozenAssessment.objects.get(pk=proposal.evidence["assessment"])
    FrozenAssessment.objects.filter(pk=kept.pk).update(document={**kept.document, "more": 1})


def _other_seed(proposal: Proposal) -> None:
    Proposal.objects.filter(pk=proposal.pk).update(seed="0" * 32)


def _other_upload(proposal: Proposal) -> None:
    Upload.objects.update(sha256="0" * 64)


CHANGES: dict[str, tuple[Callable[[Proposal], None], str]] = {
    "stricter limits": (_stricter, "the limits of the project are others: the smallest group counts"),
    "its last day": (_over, "its last day is over"),
    "the evidence": (_other_evidence, "its evidence is not the one that was proposed"),
    "the assessment": (_other_assessment, "the assessment is not the one that was proposed"),
    "the seed": (_other_seed, "the seed is not the one that was proposed"),
    "the dataset": (_other_upload, "is another one"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_has_changed_since_the_proposal_cannot_be_approved_and_the_page_says_whose_turn_it_is(
    on_the_way: Way, what: str
) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    change, words = CHANGES[what]
    change(proposal)
    with pytest.raises(Unfit, match=words):
        on_the_way.approve(proposal)
    proposal = Proposal.objects.get(pk=proposal.pk)
    assert (proposal.state, proposal.votes.count()) == (ProposalState.PENDING, 0)
    turn = turns.of(proposal).words
    assert turn.startswith("The proposer must withdraw it and propose again: ")
    assert words in turn
    deciding.decide(proposal, approves=False, reason="It is stale.", by=on_the_way.officer)


def test_other_software_than_at_the_proposal_needs_a_new_one(on_the_way: Way, settings: Any) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    was, settings.VERSION = settings.VERSION, "99.1"
    with pytest.raises(Unfit, match=f"riskapp was {was} and is 99.1"):
        on_the_way.approve(proposal)


def test_an_exception_covers_the_limits_that_it_was_signed_for_and_no_others(on_the_way: Way) -> None:
    Setup.objects.filter(pk=on_the_way.project.pk).update(limits={"smallest_group": 100_000})
    on_the_way.run.project.setup.refresh_from_db()
    proposal = on_the_way.propose(exception="Agreed with the authority.")
    on_the_way.answer(proposal)
    Setup.objects.filter(pk=on_the_way.project.pk).update(limits={"smallest_group": 200_000})
    with pytest.raises(Unfit, match="the limit is 200000"):
        on_the_way.approve(proposal)
    Setup.objects.filter(pk=on_the_way.project.pk).update(limits={"smallest_group": 100_000})
    on_the_way.approve(proposal)


def test_a_changed_set_up_changes_nothing_about_what_was_proposed(on_the_way: Way, by: Actor) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    town = Setup.objects.get(pk=on_the_way.project.pk).attributes.get(column="town")
    setups.describe(town, town.version, by=by, hierarchy={"mask": {"char": "*"}}, weight=50)
    on_the_way.approve(proposal)
    work_off("build")
    release = Release.objects.get()
    assert release.state == ReleaseState.READY, release.fault
    assert release.figures["risk"] == pytest.approx(proposal.evidence["listed"]["risk"])


def test_what_was_shredded_since_cannot_be_approved(on_the_way: Way, by: Actor) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    uploads.purge(Upload.objects.get(), by=by)
    with pytest.raises(Unfit, match="was shredded since"):
        on_the_way.approve(proposal)


# Between the approval and the building


@pytest.mark.parametrize("name", ["people.csv", "register.csv"])
def test_other_bytes_in_the_store_are_not_built_from_though_they_say_the_same(with_register: Way, name: str) -> None:
    release = approved(with_register)
    upload = Upload.objects.get(name=name)
    with storage.place(upload.project_id, upload.sha256).open("ab") as file:
        file.write(b"\n")
    work_off("build")
    assert fault_of(release) == f"Since the proposal: the bytes of {upload.name} are others. The release stays here."


def test_a_parquet_file_that_was_read_by_hand_is_built_from_as_it_was_read(
    project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]
) -> None:
    """Its name is the same as that of the table that was read from it; what is missing in it is not."""
    rows = list(csv.DictReader(io.StringIO(PEOPLE)))
    table = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    written = io.BytesIO()
    pq.write_table(table, written)

    def by_hand(_: str) -> Upload:
        upload = arrive(written.getvalue(), name="people.parquet")
        Upload.objects.filter(pk=upload.pk).update(wishes={"missing": ["", "Town 3"]})
        Run.objects.filter(upload=upload).update(parameters={"missing": ["", "Town 3"]})
        return upload

    made = way(project, by, person, by_hand)
    release = made.release(rule="full-domain:0.0.0")
    assert release.state == ReleaseState.READY, release.fault
    towns = [row["town"] for row in csv.DictReader(io.StringIO((folder_of(release) / release.name).read_text()))]
    assert (towns.count(""), towns.count("Town 3"), towns.count("Town 4")) == (15, 0, 15)


@pytest.mark.parametrize("what", ["the evidence", "the assessment", "the seed"])
def test_what_is_changed_after_the_approval_is_not_built(on_the_way: Way, what: str) -> None:
    release = approved(on_the_way)
    change, words = CHANGES[what]
    change(release.proposal)
    work_off("build")
    assert words in fault_of(release)


def test_other_software_than_was_approved_builds_nothing(on_the_way: Way, settings: Any) -> None:
    release = approved(on_the_way)
    was, settings.VERSION = settings.VERSION, "99.1"
    work_off("build")
    assert f"riskapp was {was} and is 99.1" in fault_of(release)


def with_two_rows_exchanged(file: Path) -> None:
    head, *rows = file.read_text().splitlines(keepends=True)
    other = next(at for at, row in enumerate(rows) if row != rows[0])
    rows[0], rows[other] = rows[other], rows[0]
    file.write_text("".join([head, *rows]))


@pytest.mark.parametrize("step", ["building.build", "measured_apart", "analysed", "report_page"])
def test_a_file_that_is_exchanged_while_it_is_made_fails(
    on_the_way: Way, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Whoever reads it again sees it, and at last it is hashed once more."""
    release = approved(on_the_way)
    where, _, name = f"{releasing.__name__}.{step}".rpartition(".")
    place = releasing.building if where.endswith("building") else releasing
    plain = getattr(place, name)

    def exchanged(*args: Any) -> Any:
        done = plain(*args)
        (file,) = storage.root().glob(f"{release.project_id}/releases/*/release-*.csv")
        with_two_rows_exchanged(file)
        return done

    monkeypatch.setattr(place, name, exchanged)
    work_off("build")
    release.refresh_from_db()
    assert (release.state, release.folder) == (ReleaseState.FAILED, None)
    assert ("was changed after it was written" in release.fault["message"]) is (step in ("analysed", "report_page"))


def test_a_file_that_is_written_otherwise_with_the_same_cells_fails(
    on_the_way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its figures are the approved ones, its bytes are not those that the manifest is about."""
    release, plain = approved(on_the_way), releasing.building.build

    def quoted(*args: Any) -> Any:
        done, file = plain(*args), args[2]
        head, first, rest = file.read_text().split("\n", 2)
        town, comma, others = first.partition(",")
        file.write_text(f'{head}\n"{town}"{comma}{others}\n{rest}')
        return done

    monkeypatch.setattr(releasing.building, "build", quoted)
    work_off("build")
    assert "was changed after it was written" in fault_of(release)


def test_the_measuring_process_knows_neither_the_database_nor_a_key(
    on_the_way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RISKAPP_SECRET_KEY", "DATABASE_URL", "DJANGO_SETTINGS_MODULE"):
        monkeypatch.setenv(name, "of the house")
    given: list[dict[str, str]] = []
    run = releasing.subprocess.run

    def watched(command: list[str], **more: Any) -> Any:
        given.append(more["env"])
        return run(command, **more)

    monkeypatch.setattr(releasing.subprocess, "run", watched)
    release = on_the_way.release()
    assert release.state == ReleaseState.READY
    assert given
    assert not [name for name in given[0] if name.startswith(("RISKAPP_", "DJANGO_", "DATABASE"))]


def test_where_no_limit_is_set_the_page_does_not_say_that_limits_are_kept(on_the_way: Way) -> None:
    Setup.objects.filter(pk=on_the_way.project.pk).update(limits={})
    page = shown(on_the_way, on_the_way.propose())
    assert "Nothing was limited" in page
    assert "It keeps every limit" not in page
    Setup.objects.filter(pk=on_the_way.project.pk).update(limits={"largest_chance": 1.0})
    page = shown(on_the_way, on_the_way.propose(rule=on_the_way.rule(4)))
    assert "It keeps every limit of its class." in page


# What was measured for the decision


def _other_l(details: dict[str, Any]) -> str:
    details["groups"]["sensitive"]["ill"]["l"]["distinct"] += 1
    return "groups.sensitive.ill.l.distinct"


def _other_t(details: dict[str, Any]) -> str:
    details["groups"]["sensitive"]["ill"]["t"] += 1e-6
    return "groups.sensitive.ill.t"


def _other_loss(details: dict[str, Any]) -> str:
    details["attackers"]["neighbour"]["losses"]["definition"]["quantiles"]["0.5"] += 1e-6
    return "attackers.neighbour.losses.definition.quantiles.0.5"


def _without_groups(details: dict[str, Any]) -> str:
    del details["groups"]
    return "groups"


@pytest.mark.parametrize("change", [_other_l, _other_t, _other_loss, _without_groups])
def test_a_file_with_another_l_t_or_loss_than_was_decided_on_stays(
    on_the_way: Way, change: Callable[[dict[str, Any]], str]
) -> None:
    release = approved(on_the_way)
    warned = release.proposal.warned
    named = change(warned["details"])
    Proposal.objects.filter(pk=release.proposal_id).update(warned=warned)
    work_off("build")
    assert named in fault_of(release)


def test_another_l_or_loss_only_by_rounding_is_the_same(on_the_way: Way) -> None:
    release = approved(on_the_way)
    warned = release.proposal.warned
    warned["details"]["groups"]["sensitive"]["ill"]["t"] *= 1 + 1e-13
    Proposal.objects.filter(pk=release.proposal_id).update(warned=warned)
    work_off("build")
    release.refresh_from_db()
    assert release.state == ReleaseState.READY


def test_l_t_and_the_losses_stand_in_the_manifest_as_they_were_decided_on(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    client = Client()
    client.force_login(on_the_way.officer.user, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    page = client.get(reverse("proposal", args=[proposal.project_id, proposal.pk])).content.decode()
    assert "Measured with them" in page
    assert "least l" in page
    on_the_way.answer(proposal)
    on_the_way.approve(proposal)
    work_off("build")
    release = Release.objects.get()
    manifest = json.loads((folder_of(release) / "manifest.json").read_text())
    details = release.proposal.warned["details"]
    assert manifest["groups"] == details["groups"]
    assert manifest["groups"]["sensitive"]["ill"]["l"]["distinct"] >= 1
    assert manifest["losses"] == {name: one["losses"] for name, one in details["attackers"].items()}


def test_what_was_proposed_before_they_were_measured_must_be_proposed_again(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    old = {name: told for name, told in proposal.evidence.items() if name != "details"}
    Proposal.objects.filter(pk=proposal.pk).update(evidence=old, evidence_sha256=bridge.fingerprint(old))
    proposal.refresh_from_db()
    assert "l, t and the losses were not yet measured" in deciding.outdated(proposal)


# What was warned of


def test_the_report_has_the_warnings_of_the_approval_and_their_answers(on_the_way: Way) -> None:
    release = on_the_way.release()
    told = warnings.of(release.proposal).figures
    assert told is not None
    assert told["warnings"]
    assert release.proposal.warned == {"earlier": [], "warnings": told["warnings"], "details": told["details"]}
    report = (folder_of(release) / "report.html").read_text()
    assert report.count("It is known and accepted.") == len(told["warnings"])


def test_nothing_is_approved_while_another_release_is_built_that_its_warnings_do_not_know(on_the_way: Way) -> None:
    first, second = on_the_way.propose(), on_the_way.propose(on_the_way.keeping("town"))
    for proposal in (first, second):
        on_the_way.answer(proposal)
    on_the_way.approve(first)
    with pytest.raises(Unfit, match="Another release of this project is being built"):
        on_the_way.approve(second)
    work_off("build")
    with pytest.raises(Unfit, match="warnings are still being computed"):
        on_the_way.approve(second)
    warnings.ask(second, by=on_the_way.steward)
    work_off("warn")
    on_the_way.answer(second)
    on_the_way.approve(second)


def test_what_failed_is_not_built_again_beside_a_release_that_nobody_was_warned_of(on_the_way: Way) -> None:
    release = approved(on_the_way)
    runs.cancel(Run.objects.get(kind="build"), by=on_the_way.steward)
    release.refresh_from_db()
    assert release.state == ReleaseState.FAILED
    other = on_the_way.release(rule=on_the_way.keeping("town"))
    assert other.state == ReleaseState.READY
    with pytest.raises(bridge.NotAsApproved, match="another release of the project has left"):
        releases.build_again(release, by=on_the_way.steward)
    release.refresh_from_db()
    assert release.state == ReleaseState.FAILED


def test_what_did_not_fail_is_not_built_again_and_the_words_say_why(on_the_way: Way) -> None:
    release = approved(on_the_way)
    with pytest.raises(Overtaken, match="Only what has failed is built again: this release is being built"):
        releases.build_again(release, by=on_the_way.steward)
    work_off("build")
    on_the_way.release(rule=on_the_way.keeping("town"))
    with pytest.raises(Overtaken, match="Only what has failed is built again: this release is ready"):
        releases.build_again(release, by=on_the_way.steward)


def test_of_two_that_are_built_at_once_the_second_fails_closed(
    on_the_way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when an older version approved both: what became ready while the other was built is seen at its end."""
    release = approved(on_the_way)
    built = releases.bridge.build_release

    def meanwhile(*args: Any, **more: Any) -> Any:
        made = built(*args, **more)
        copy = Proposal.objects.get(pk=release.proposal_id)
        copy.pk, copy.rule, copy.state = None, "full-domain:1.1.1", ProposalState.APPROVED
        copy.save(force_insert=True)
        Release.objects.create(
            project=release.project, proposal=copy, expires_on=copy.expires_on, ready_at=timezone.now(), state="ready"
        )
        return made

    monkeypatch.setattr(releases.bridge, "build_release", meanwhile)
    work_off("build")
    assert "another release of the project has left" in fault_of(release)


# From when the tables are


def warned_of_age(proposal: Proposal) -> list[str]:
    told = warnings.of(proposal).figures
    assert told is not None
    return [one["words"] for one in told["warnings"] if one["key"].startswith("old-dictionary")]


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("register", "data", "uploaded", "words"),
    [
        (30, 10, 0, ["stranger is 20 days older than the data."]),
        (10, 30, 0, []),
        (30, None, 0, ["stranger is 30 days older than the data, by the day on which the data were uploaded."]),
        (None, 10, 40, ["stranger is 30 days older than the data, by the day on which it was uploaded."]),
        (None, None, 3, ["stranger is 3 days older than the data, by the days on which both were uploaded."]),
        (None, None, 0, []),
    ],
)
def test_a_register_older_than_the_data_is_warned_of_by_the_days_given_or_those_of_the_uploads(
    with_register: Way, register: int | None, data: int | None, uploaded: int, words: list[str]
) -> None:
    today = timezone.localdate()
    stranger = Attacker.objects.get(name="stranger")
    Upload.objects.filter(name="register.csv").update(uploaded_at=timezone.now() - uploaded * DAY)
    Attacker.objects.filter(pk=stranger.pk).update(as_of=None if register is None else today - register * DAY)
    proposal = with_register.propose(data_until=None if data is None else today - data * DAY)
    assert warned_of_age(proposal) == words
    Attacker.objects.filter(pk=stranger.pk).update(as_of=today - 500 * DAY)
    assert warned_of_age(proposal) == words, "what was proposed is frozen"


def test_the_day_of_another_table_says_nothing_about_the_one_that_was_assessed(
    with_register: Way, arrive: Callable[..., Upload]
) -> None:
    other = arrive(REGISTER + "n300,Town 1,1950\n", name="newer.csv")
    Attacker.objects.filter(name="stranger").update(upload=other, as_of=timezone.localdate() - 90 * DAY)
    assert warned_of_age(with_register.propose()) == []


def test_report_and_page_say_up_to_when_the_data_and_from_when_a_register_are(with_register: Way) -> None:
    Attacker.objects.filter(name="stranger").update(as_of=date(2026, 3, 1), source="The town hall")
    release = with_register.release(data_until=date(2026, 2, 3))
    report = (folder_of(release) / "report.html").read_text()
    assert "The town hall; as of 2026-03-01" in report
    sources = json.loads((folder_of(release) / "manifest.json").read_text())["sources"]
    assert (sources["stranger"]["source"], sources["stranger"]["made"]) == ("The town hall", "as of 2026-03-01")
    assert "people, up to 2026-02-03" in report
    page = shown(with_register, release.proposal)
    assert "<dt>data up to</dt><dd>3 Feb 2026</dd>" in page
    assert "<dt>stranger as of</dt><dd>1 Mar 2026</dd>" in page


def test_the_page_says_where_only_the_day_of_an_upload_is_known(with_register: Way) -> None:
    page = shown(with_register, with_register.propose())
    assert page.count("the day of the upload: nobody gave another") == 2


def shown(made: Way, proposal: Proposal) -> str:
    client = Client()
    client.force_login(proposal.proposed_by, backend="django.contrib.auth.backends.ModelBackend")
    return client.get(reverse("proposal", args=[made.project.pk, proposal.pk])).content.decode()


def test_data_cannot_be_about_days_to_come(on_the_way: Way) -> None:
    with pytest.raises(Unfit, match="days that are still to come"):
        on_the_way.propose(data_until=timezone.localdate() + DAY)
