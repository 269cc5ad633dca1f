"""After an approval: the file, measured again by a fresh process, attacked once, sealed and reported on."""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from django.conf import settings

from riskapp import environment
from riskapp.bridge import decisions, footprints, outcomes, packing
from riskapp.bridge.bound import NotAsApproved, check_before_building
from riskapp.core.errors import RiskappError
from riskapp.engine.assess import Prepared, prepare
from riskapp.engine.hashes import sha256
from riskapp.engine.outgoing.origin import origin
from riskapp.engine.releasing import building, codebook, measured, sealing
from riskapp.engine.releasing.analysed import analysed, told_inside, told_outside
from riskapp.engine.releasing.analyses import Analysis
from riskapp.engine.releasing.attack.attack import attacked
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.differing import FiguresDiffer
from riskapp.engine.releasing.evidence import evidence as report_evidence
from riskapp.engine.releasing.manifest import manifest
from riskapp.engine.releasing.report.page import report as report_page
from riskapp.engine.reporting import Report
from riskapp.engine.ruling import Ruling
from riskapp.models import FrozenAssessment, Outcome, Proposal, Release, today

STEPS = 6


class NotMeasured(RiskappError):
    """The file could not be measured again, so it does not leave."""

    code = "not-measured"


class Exchanged(NotAsApproved):
    """The file is not the one that was written any more."""

    advice = "Find out who can write into the store of files, then build it again."


@dataclass(frozen=True)
class BuiltRelease:
    """A file that was built, measured, attacked and sealed, with what lies beside it."""

    folder: UUID
    name: str
    size: int
    sha256: str
    digest: str
    manifest_sha256: str
    report_sha256: str
    figures: dict[str, Any]
    attacks: dict[str, Any]
    analyses: list[dict[str, Any]]
    seconds: dict[str, float]


def build_release(release: Release, decided_on: Mapping[str, Any], *, into: Path, report: Report) -> BuiltRelease:
    """Build the file of an approved proposal and everything that goes with it; any doubt is an error.

    Parameters
    ----------
    release : of an approved proposal
    decided_on : the warnings, and the details that were measured with them
    into : the folder that is made
    """
    proposal, clock = release.proposal, time.monotonic()
    document = FrozenAssessment.objects.get(pk=proposal.evidence["assessment"]).document
    into.mkdir(parents=True, mode=0o700)
    with TemporaryDirectory(prefix="riskapp-") as folder:
        path = packing.lay_out(document, release.project_id, Path(folder))
        check_before_building(proposal, Path(folder))
        report(0, STEPS, "Reading the dataset and the dictionaries")
        ready = prepare(path)
        made = _Making(release, ready, into, path, report, decided_on)
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
    decided_on: Mapping[str, Any]

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
        again = measured.ruling_in(self.ready, found, file, choices)
        attack = self._attack(again)
        wanted = [Analysis.of_told(one) for one in proposal.options.get("analyses", [])]
        compared = analysed(self.ready, again.released, wanted)
        self.report(4, STEPS, "Writing codebook, manifest and report")
        beside = self._codebook(found, choices, name)
        sealed = manifest(
            again,
            built,
            origin(self.ready, keep_order=choices.keep_order, versions={"riskapp": settings.VERSION}),
            figures=figures["figures"],
            groups=figures["groups"],
            losses={name: told["losses"] for name, told in figures["attackers"].items()},
            attack=attack,
            analyses=[told_outside(one) for one in compared],
            approvals=decisions.approvals(proposal),
            release=decisions.about(proposal),
            decided_on=self._told(),
            beside=beside,
        )
        text = sealed.encode()
        (self.into / "manifest.json").write_bytes(text)
        page = self._report(again, figures, sealed).encode()
        (self.into / "report.html").write_bytes(page)
        _check_same(file, built.sha256)
        self.report(STEPS, STEPS, "Done")
        return {
            "name": name,
            "size": file.stat().st_size,
            "sha256": built.sha256,
            "digest": sealing.read(sealed)["digest"],
            "manifest_sha256": hashlib.sha256(text).hexdigest(),
            "report_sha256": hashlib.sha256(page).hexdigest(),
            "figures": figures["figures"],
            "attacks": attack,
            "analyses": [told_inside(one) for one in compared],
        }

    def _check(self, figures: Mapping[str, Any]) -> None:
        details = self.decided_on.get("details", {})
        try:
            measured.check(figures, self.release.proposal.evidence["listed"])
            measured.check(figures, {part: details.get(part) for part in measured.FROZEN})
        except FiguresDiffer as trouble:
            raise NotAsApproved(str(trouble)) from trouble

    def _attack(self, again: Ruling) -> dict[str, Any]:
        own = footprints.own(again, self.release.pk.hex[:8])
        own.save(self.into / footprints.FILE)
        rows = self.release.project.releases.exclude(ready_at=None).exclude(pk=self.release.pk)
        before = footprints.earlier(self.release.project_id, (str(row.pk) for row in rows), own)
        seed = self.ready.assessment.search.seed
        attack = attacked(again, earlier=[one for _, one in before.footprints], own=own, seed=seed)
        recipient = footprints.spelled(self.release.proposal.recipient)
        return {
            **attack,
            "by_columns": before.by_columns(own),
            "same_recipient": before.together(own, recipient),
            "same_recipient_by_columns": before.by_columns(own, recipient),
            "not_compared": before.not_compared,
        }

    def _codebook(self, found: Ruling, choices: Choices, name: str) -> dict[str, str]:
        book = codebook.codebook(building.sheet(self.ready, found.found, choices), name, found.found.id)
        (self.into / "codebook.json").write_text(json.dumps(book, ensure_ascii=False, indent=1), encoding="utf-8")
        (self.into / "codebook.html").write_text(codebook.codebook_html(book), encoding="utf-8")
        return {part: sha256(self.into / part) for part in ("codebook.json", "codebook.html")}

    def _told(self) -> dict[str, Any]:
        """What the decision rests on beside the figures of the file, as the manifest tells it."""
        evidence = self.release.proposal.evidence
        listed = evidence["listed"]
        tags = {name: listed[name] for name in ("number", "holds_against")}
        return {
            "limits": {name: evidence[name] for name in ("limits", "broken")},
            "tags": {**tags, "conditions": [*listed["conditions"], *evidence["conditions"]]},
            "sources": decisions.sources(self.release),
            "warnings": decisions.answered(self.release.proposal, self.decided_on["warnings"]),
            "advice": decisions.advice(self.release.proposal),
        }

    def _report(self, again: Ruling, figures: Mapping[str, Any], sealed: str) -> str:
        proposal, told = self.release.proposal, self._told()
        outcome = Outcome.objects.get(run=proposal.run)
        with outcomes.opened(outcome) as known:
            chosen = {*outcome.summary["frontier"], proposal.rule}
            drawn = [known[name] for name in known if name in chosen]
        more = {
            "title": f"Release for {proposal.recipient}",
            "project": self.release.project.name,
            "made": today().isoformat(),
            "release": decisions.about(proposal),
            "assumptions": proposal.evidence["conditions"],
            **{name: told[name] for name in ("limits", "sources", "warnings", "advice")},
        }
        evidence = report_evidence(
            again, figures, sealed, listed=proposal.evidence["listed"], frontier=drawn, more=more
        )
        return report_page(evidence)


def _check_same(file: Path, written: str) -> None:
    """What was measured and attacked is what was written, unless somebody changed it meanwhile."""
    if sha256(file) != written:
        raise Exchanged("The file was changed after it was written. The release stays here.")


def choices_of(proposal: Proposal) -> Choices:
    told = proposal.options
    return Choices(
        keep_order=bool(told.get("keep_order")),
        seed=int(proposal.seed, 16),
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
    command += ["--rule", rule, "--seed", "-", *words]
    done = _apart(command, str(choices.seed))
    if done.returncode < 0:  # killed, not refused: the file is there to be measured
        done = _apart(command, str(choices.seed))
    if done.returncode != measured.SAME:
        raise NotMeasured(f"The built file could not be measured again. {done.stderr.strip()[-300:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _apart(command: list[str], seed: str) -> subprocess.CompletedProcess[str]:
    """Neither the database nor a key of the house is in its surroundings.

    The seed undoes the shuffling of the rows, and everybody on a machine can read command lines.
    """
    given = environment.without_settings()
    return subprocess.run(
        command, cwd=settings.BASE_DIR, env=given, input=seed, capture_output=True, text=True, check=False
    )
