"""What an approval is bound to: whether all of it still is what it was when the rule was proposed."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from riskapp import storage
from riskapp.bridge.assessing import still_there
from riskapp.bridge.documents import NotReady, fingerprint, limits_of
from riskapp.bridge.evidence import broken, named
from riskapp.bridge.packing import as_uploaded
from riskapp.core.errors import RiskappError
from riskapp.engine.hashes import sha256
from riskapp.engine.outgoing import software
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.measured import FROZEN
from riskapp.models import FrozenAssessment, Proposal, Run, Setup


class NotAsApproved(RiskappError):
    """What was built, or what it is built from, is not what was approved, so it does not leave."""

    code = "not-as-approved"
    advice = "Look whether a table was read again in another way; run the assessment anew and propose its rule."


def seed_sha256(seed: str) -> str:
    """What evidence and manifest tell of a proposal's seed."""
    return Choices(seed=int(seed, 16)).seed_sha256


def changes(proposal: Proposal) -> list[str]:
    """In words, what is no longer as it was proposed, as far as can be said without reading the files."""
    told = proposal.evidence
    return [*_of_the_record(proposal), *_of_files(proposal), *_of_software(told), *_of_limits(proposal)]


def gone(run: Run) -> list[str]:
    """In words, which files of a run's assessment cannot be worked on any more."""
    document = FrozenAssessment.objects.get(pk=run.parameters["assessment"]).document
    found = []
    for about in named(document).values():
        try:
            still_there(about, run.project_id)
        except NotReady as trouble:
            found.append(str(trouble))
    return found


def _of_the_record(proposal: Proposal) -> Iterator[str]:
    if fingerprint(proposal.evidence) != proposal.evidence_sha256:
        yield "its evidence is not the one that was proposed"
    if fingerprint(_document(proposal)) != proposal.evidence["assessment"]:
        yield "the assessment is not the one that was proposed"
    if proposal.evidence.get("seed", seed_sha256(proposal.seed)) != seed_sha256(proposal.seed):
        yield "the seed is not the one that was proposed"
    if not set(FROZEN) <= set(proposal.evidence.get("details", [])):
        yield "l, t and the losses were not yet measured for the decision when it was proposed"


def _of_files(proposal: Proposal) -> Iterator[str]:
    for name, about in named(_document(proposal)).items():
        try:
            if still_there(about, proposal.project_id).sha256 != proposal.evidence["files"].get(name):
                yield f"the file {about['name']} is another one"
        except NotReady as trouble:
            yield str(trouble).rstrip(".")


def _of_software(told: Mapping[str, Any]) -> Iterator[str]:
    now = software({"riskapp": settings.VERSION})
    for name, version in now.items():
        if version != told["software"].get(name):
            yield f"{name} was {told['software'].get(name)} and is {version}"


def _of_limits(proposal: Proposal) -> Iterator[str]:
    """Limits that hold now and are broken, and that nobody signed an exception for."""
    told = proposal.evidence
    if not told["release_class"]:
        yield "no release class was chosen when it was proposed"
    for one in broken(told["listed"], limits_of(Setup.objects.get(pk=proposal.project_id))):
        if one not in told["broken"]:
            yield f"the limits of the project are others: {one}"


def check_before_building(proposal: Proposal, folder: Path) -> None:
    """Let nothing be built from anything else than what was approved.

    Parameters
    ----------
    folder : where the files of the assessment were laid out; their bytes are hashed

    Raises
    ------
    NotAsApproved
        It says what is another one.
    """
    found = [*_of_the_record(proposal), *_of_software(proposal.evidence), *_of_limits(proposal)]
    found += [f"the bytes of {name} are others" for name in _changed_bytes(proposal, folder)]
    if found:
        raise NotAsApproved(f"Since the proposal: {'; '.join(found)}. The release stays here.")


def _changed_bytes(proposal: Proposal, folder: Path) -> Iterator[str]:
    """The files whose bytes are not those of the proposal, be they read now or read by hand before."""
    for name, about in named(_document(proposal)).items():
        kept = storage.place(proposal.project_id, about["sha256"])
        file = folder / name if as_uploaded(name, about) else kept
        if sha256(file) != proposal.evidence["files"].get(name):
            yield str(about["name"])


def _document(proposal: Proposal) -> dict[str, Any]:
    found: dict[str, Any] = FrozenAssessment.objects.get(pk=proposal.evidence["assessment"]).document
    return found
