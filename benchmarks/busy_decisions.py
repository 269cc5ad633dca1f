"""Decisions and releases for the busy house: some that wait, some that are ready, and a register that is long."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from riskapp.models import Actor, Project, Proposal, Release, Run
from riskapp.services import deciding, downloads, proposals, remarks, warnings
from riskapp.services.proposals import Wish

COMMENTS, DOWNLOADS, REGISTERED = 40, 20, 150


@dataclass(frozen=True)
class Decided:
    """What pages about decisions show.

    Parameters
    ----------
    waiting : a proposal with its warnings, and a long talk about it
    release : one that is built, measured and attacked, and was downloaded
    """

    waiting: Proposal
    release: Release


def decide(
    run: Run,
    rules: Sequence[str],
    others: Sequence[Project],
    work_off: Callable[[], None],
    *,
    proposer: Actor,
    officer: Actor,
) -> Decided:
    """The colleague who started the run proposes, the officer decides; `others` have had their releases too."""
    first, waiting = (_proposed(run, rule, by=proposer) for rule in rules[:2])
    work_off()
    _answer(first, by=proposer)
    seen = deciding.basis(first)
    deciding.decide(first, approves=True, reason="The figures convince me.", by=officer, seen=seen)
    work_off()
    release = Release.objects.get(proposal=first)
    for _ in range(DOWNLOADS):
        downloads.fetch(downloads.link(release, by=officer), release.project, by=officer).file.close()
    for number in range(COMMENTS):
        remarks.comment(waiting, f"The {number + 1}th thing to be said.", by=officer)
    release.refresh_from_db()
    for project in others[:REGISTERED]:
        _copy(release, project)
    return Decided(waiting, release)


def _proposed(run: Run, rule: str, *, by: Actor) -> Proposal:
    until = timezone.localdate() + timedelta(days=30)
    wish = Wish("A study", "University", "Enough detail", until, exception="Agreed with the committee")
    return proposals.propose(run, rule, wish, by=by)


def _answer(proposal: Proposal, *, by: Actor) -> None:
    found = warnings.of(proposal).figures
    assert found is not None, "the warnings were computed"
    for one in found["warnings"]:
        remarks.answer_warning(proposal, one["key"], "It is known and accepted.", by=by)


def _copy(release: Release, project: Project) -> None:
    """The same release in another project, in the register only: its file is not copied."""
    proposal = Proposal.objects.get(pk=release.proposal_id)
    proposal.pk, proposal.project, proposal.recipient = uuid4(), project, f"Institute {project.name[-1]}"
    proposal.save(force_insert=True)
    copied = Release.objects.get(pk=release.pk)
    copied.pk, copied.project, copied.proposal, copied.folder = uuid4(), project, proposal, None
    copied.save(force_insert=True)
