"""Releases: warnings before the decision; afterwards the file, measured again by a fresh process, attacked, sealed."""

import hashlib
import hmac
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from riskapp import storage
from riskapp.bridge import assessing, carrying, outcomes
from riskapp.bridge.uploads import Report
from riskapp.core.errors import RiskappError
from riskapp.engine.assess import Prepared, prepare
from riskapp.engine.assessment.tables import NOTHING_KNOWN, Known
from riskapp.engine.hashes import sha256
from riskapp.engine.release.origin import origin
from riskapp.engine.releasing import building, codebook, measured
from riskapp.engine.releasing import warnings as warning
from riskapp.engine.releasing.attack.attack import attacked
from riskapp.engine.releasing.attack.footprint import Footprint, footprint
from riskapp.engine.releasing.attack.intersection import intersected
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.differing import FiguresDiffer
from riskapp.engine.releasing.evidence import evidence as report_evidence
from riskapp.engine.releasing.manifest import manifest
from riskapp.engine.releasing.report.page import report as report_page
from riskapp.engine.ruling import Ruling
from riskapp.models import Attacker, FrozenAssessment, Outcome, Proposal, Release, Remark, Upload

FOOTPRINT = "footprint.parquet"
STEPS = 6


class NotMeasured(RiskappError):
    """The file could not be measured again, so it does not leave."""

    code = "not-measured"


class NotAsApproved(RiskappError):
    """The built file has other figures than those that were approved, so it does not leave."""

    code = "not-as-approved"
    advice = "Look whether a table was read again in another way; run the assessment anew and propose its rule."


@dataclass(frozen=True)
class BuiltRelease:
    """A file that was built, measured, attacked and sealed, with what lies beside it."""

    folder: UUID
    name: str
    size: int
    sha256: str
    manifest_sha256: str
    report_sha256: str
    figures: dict[str, Any]
    attacks: dict[str, Any]
    seconds: dict[str, float]


# Before the decision


def warned(asked: Mapping[str, Any], project: UUID, report: Report) -> dict[str, Any]:
    """The warnings about a rule beside the project's earlier releases."""
    document = FrozenAssessment.objects.get(pk=asked["assessment"]).document
    with assessing.prepared(document, project, report) as ready:
        found = Ruling.of(ready, asked["rule"], progress=report)
        own = _footprint(found, "this one", assessing.known(document, project))
        earlier = _comparable(_earlier(project, asked["earlier"]), own)
        together = intersected([*earlier, own]) if own and earlier else None
        given = warning.Circumstances(
            considered=asked["rules_looked_at"],
            dictionaries_from=_days_of_dictionaries(document, project),
            data_until=_day_of(document["assessment"]["dataset"]["file"], document),
            derived=_derived(document),
            intersection=together,
        )
        return {"warnings": [_as_told(one) for one in warning.warnings(found, given)]}


def _as_told(one: Mapping[str, Any]) -> dict[str, Any]:
    where = f" ({one['where']})" if one["where"] else ""
    key = f"{one['name']}-{one['where']}".strip("-").replace(" ", "-").lower()[:60]
    title = f"{one['name'].replace('-', ' ').replace('_', ' ').capitalize()}{where}"
    return {"key": key, "title": title, "words": one["about"], "advice": one["do"], "count": one["count"]}


def _footprint(found: Ruling, name: str, known: Known = NOTHING_KNOWN) -> Footprint | None:
    """Who is in the table and in which group; None where nothing says whose the rows are."""
    secret = hmac.digest(settings.SECRET_KEY.encode(), b"footprints of releases", "sha256")
    dataset = found.prepared.assessment.dataset
    columns = [found.problem.names[place] for place in found.problem.generalised]
    by: list[str] = [] if dataset.identifier else columns
    return footprint(found, name, secret, by=by, known=known) if by or dataset.identifier else None


def _earlier(project: UUID, releases: Iterable[str]) -> list[Footprint]:
    rows = Release.objects.filter(project_id=project, pk__in=list(releases)).exclude(folder=None)
    paths = [storage.release_place(project, row.folder) / FOOTPRINT for row in rows if row.folder]
    return [Footprint.open(path) for path in paths if path.is_file()]


def _comparable(earlier: Iterable[Footprint], own: Footprint | None) -> list[Footprint]:
    """Footprints tell of the same people only where the same thing stands for a person."""
    return [one for one in earlier if own is not None and one.rows_are_people == own.rows_are_people]


def _day_of(name: str, document: Mapping[str, Any]) -> date | None:
    about = document["tables"].get(name)
    upload = Upload.objects.filter(pk=about["upload"]).first() if about else None
    return timezone.localdate(upload.uploaded_at) if upload else None


def _days_of_dictionaries(document: Mapping[str, Any], project: UUID) -> dict[str, date]:
    """When each register was uploaded, the latest that it can be from."""
    named = {one["name"]: one["file"] for one in document["assessment"].get("dictionaries", []) if "file" in one}
    known = set(Attacker.objects.filter(setup_id=project).values_list("name", flat=True))
    days = {name: _day_of(file, document) for name, file in named.items() if name in known}
    return {name: day for name, day in days.items() if day}


def _derived(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Columns whose leaves are those that happen to occur: masks, and no hierarchy at all."""
    told = document["assessment"]["attributes"]
    return tuple(
        name for name, one in told.items() if one.get("role") != "keep" and "mask" in one.get("hierarchy", {"mask": 0})
    )


# After the decision


def build_release(release: Release, warnings: list[dict[str, Any]], *, into: Path, report: Report) -> BuiltRelease:
    """Build the file of an approved proposal and everything that goes with it; any doubt is an error."""
    proposal, clock = release.proposal, time.monotonic()
    document = FrozenAssessment.objects.get(pk=proposal.evidence["assessment"]).document
    into.mkdir(parents=True, mode=0o700)
    with TemporaryDirectory(prefix="riskapp-") as folder:
        path = carrying.lay_out(document, release.project_id, Path(folder))
        report(0, STEPS, "Reading the dataset and the dictionaries")
        ready = prepare(path)
        made = _Making(release, ready, into, path, report, warnings)
        told = made.all()
    return BuiltRelease(folder=UUID(into.name), seconds={"build": time.monotonic() - clock}, **told)


@dataclass(frozen=True)
class _Making:
    """One building: each step needs those before it."""

    release: Release
    ready: Prepared
    into: Path
    assessment: Path
    report: Report
    warnings: list[dict[str, Any]]

    def all(self) -> dict[str, Any]:
        proposal = self.release.proposal
        choices = choices_of(proposal)
        name = f"release-{self.release.pk.hex[:8]}.{proposal.options.get('format', 'csv')}"
        file = self.into / name
        self.report(1, STEPS, "Writing the file")
        found = Ruling.of(self.ready, proposal.rule)
        built = building.build(self.ready, found.found, file, choices)
        self.report(2, STEPS, "Measuring it again in a process of its own")
        figures = measured_apart(file, self.assessment, proposal.rule, choices)
        self._check(figures)
        self.report(3, STEPS, "Attacking it once")
        again = measured.ruling_in(self.ready, proposal.rule, file, choices)
        attack = self._attack(again)
        self.report(4, STEPS, "Writing codebook, manifest and report")
        beside = self._codebook(found, choices, name)
        sealed = manifest(
            again,
            built,
            origin(self.ready, keep_order=choices.keep_order, versions={"riskapp": settings.VERSION}),
            figures=figures["figures"],
            attack=attack,
            approvals=approvals(proposal),
            release=about(proposal),
            beside=beside,
        )
        text = sealed.encode()
        (self.into / "manifest.json").write_bytes(text)
        page = self._report(again, figures, sealed).encode()
        (self.into / "report.html").write_bytes(page)
        self.report(STEPS, STEPS, "Done")
        return {
            "name": name,
            "size": file.stat().st_size,
            "sha256": built.sha256,
            "manifest_sha256": hashlib.sha256(text).hexdigest(),
            "report_sha256": hashlib.sha256(page).hexdigest(),
            "figures": figures["figures"],
            "attacks": attack,
        }

    def _check(self, figures: Mapping[str, Any]) -> None:
        try:
            measured.check(figures, self.release.proposal.evidence["listed"])
        except FiguresDiffer as trouble:
            raise NotAsApproved(str(trouble)) from trouble

    def _attack(self, again: Ruling) -> dict[str, Any]:
        own = _footprint(again, self.release.pk.hex[:8])
        if own is not None:
            own.save(self.into / FOOTPRINT)
        rows = self.release.project.releases.exclude(ready_at=None).exclude(pk=self.release.pk)
        earlier = _comparable(_earlier(self.release.project_id, (str(row.pk) for row in rows)), own)
        return attacked(again, earlier=earlier, own=own, seed=self.ready.assessment.search.seed)

    def _codebook(self, found: Ruling, choices: Choices, name: str) -> dict[str, str]:
        book = codebook.codebook(building.sheet(self.ready, found.found, choices), name, found.found.id)
        (self.into / "codebook.json").write_text(json.dumps(book, ensure_ascii=False, indent=1), encoding="utf-8")
        (self.into / "codebook.html").write_text(codebook.codebook_html(book), encoding="utf-8")
        return {part: sha256(self.into / part) for part in ("codebook.json", "codebook.html")}

    def _report(self, again: Ruling, figures: Mapping[str, Any], sealed: str) -> str:
        proposal = self.release.proposal
        outcome = Outcome.objects.get(run=proposal.run)
        with outcomes.opened(outcome) as known:
            chosen = {*outcome.summary["frontier"], proposal.rule}
            drawn = [known[name] for name in known if name in chosen]
        more = {
            "title": f"Release for {proposal.recipient}",
            "project": self.release.project.name,
            "made": timezone.localdate().isoformat(),
            "release": about(proposal),
            "limits": {key: proposal.evidence[key] for key in ("limits", "broken")},
            "sources": sources(self.release),
            "warnings": answered(proposal, self.warnings),
            "advice": advice(proposal),
        }
        told = report_evidence(again, figures, sealed, listed=proposal.evidence["listed"], frontier=drawn, more=more)
        return report_page(told)


def choices_of(proposal: Proposal) -> Choices:
    told = proposal.options
    seed = int.from_bytes(hashlib.sha256(proposal.pk.bytes).digest()[:4], "big")
    return Choices(
        keep_order=bool(told.get("keep_order")),
        seed=seed,
        defuse=bool(told.get("defuse")),
        analysts=True,
        details=bool(told.get("details")),
    )


def measured_apart(file: Path, assessment: Path, rule: str, choices: Choices) -> dict[str, Any]:
    """Every figure of a file, by a fresh process that is given the file, the assessment and what that names."""
    flags = {"keep-order": choices.keep_order, "defused": choices.defuse, "analysts": choices.analysts}
    flags |= {"details": choices.details}
    words = [f"--{name}" for name, given in flags.items() if given]
    command = [sys.executable, "-m", "riskapp.engine.releasing.measured", str(file), str(assessment)]
    command += ["--rule", rule, "--seed", str(choices.seed), *words]
    done = _apart(command)
    if done.returncode < 0:  # killed, not refused: the file is there to be measured
        done = _apart(command)
    if done.returncode != measured.SAME:
        raise NotMeasured(f"The built file could not be measured again. {done.stderr.strip()[-300:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _apart(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)


# What manifest and report tell of the decision


def about(proposal: Proposal) -> dict[str, Any]:
    return {
        "purpose": proposal.purpose,
        "recipient": proposal.recipient,
        "reason": proposal.reason,
        "expires": proposal.expires_on.isoformat(),
        "class": proposal.evidence["class_words"],
        "legal_basis": proposal.legal_basis,
        "dpia": proposal.dpia,
        "exception": proposal.exception,
        "proposed_by": proposal.proposed_by.name,
        "evidence": proposal.evidence_sha256,
    }


def sources(release: Release) -> dict[str, dict[str, str]]:
    """Where the dictionaries come from, as the attackers' pages say."""
    document = FrozenAssessment.objects.get(pk=release.proposal.evidence["assessment"]).document
    days = _days_of_dictionaries(document, release.project_id)
    rows = Attacker.objects.filter(setup_id=release.project_id, name__in=days)
    return {
        one.name: {"source": one.source, "licence": one.licence, "made": f"uploaded {days[one.name].isoformat()}"}
        for one in rows
    }


def approvals(proposal: Proposal) -> list[dict[str, Any]]:
    votes = proposal.votes.select_related("officer")
    return [{"by": one.officer.name, "at": one.at.isoformat(timespec="seconds"), "reason": one.reason} for one in votes]


def answered(proposal: Proposal, warnings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every warning with the last answer to it."""
    last = {one.warning: one.text for one in proposal.remarks.filter(kind=Remark.Kind.ANSWER)}
    return [{"about": one["words"], "do": one["advice"], "answer": last.get(one["key"])} for one in warnings]


def advice(proposal: Proposal) -> list[dict[str, Any]]:
    given = proposal.remarks.filter(kind=Remark.Kind.ADVICE)
    return [{"by": one.of, "advice": one.text, "followed": one.followed, "why": one.why} for one in given]
