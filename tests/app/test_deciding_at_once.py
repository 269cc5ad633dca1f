"""Several who decide in the same moment, each in a thread and on a connection of their own: one decision is made."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from riskapp.models import Actor, AuditEvent, Project, Proposal, ProposalState, Release, Upload, User
from riskapp.services import deciding, proposals
from tests.app.deciding import SQUARE, Way, at_once, way

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def square(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive, SQUARE)


@pytest.fixture
def proposal(square: Way) -> Proposal:
    return answered(square)


def answered(square: Way) -> Proposal:
    made = square.propose(rule=square.keeping("town"))
    square.answer(made)
    return made


def of_two(square: Way) -> Proposal:
    Project.objects.filter(pk=square.project.pk).update(votes_needed=2)
    square.run.project.refresh_from_db()
    return answered(square)


def voting(square: Way, proposal: Proposal, by: Actor, approves: bool = True) -> Callable[[], None]:
    """A vote on the proposal as its page was seen before."""
    shown, seen = Proposal.objects.get(pk=proposal.pk), deciding.basis(proposal)
    return lambda: deciding.decide(shown, approves=approves, reason="So be it.", by=by, seen=seen)


def trail(*kinds: str) -> list[int]:
    return [AuditEvent.objects.filter(action=f"proposal {kind}").count() for kind in kinds]


def test_two_votes_of_two_make_one_release(square: Way) -> None:
    proposal = of_two(square)
    told = at_once(*(voting(square, proposal, by) for by in (square.officer, square.second)))
    assert told == ["done", "done"]
    proposal.refresh_from_db()
    assert (proposal.state, proposal.votes.count(), Release.objects.count()) == (ProposalState.APPROVED, 2, 1)
    assert trail("half-decided", "approved") == [1, 1]


def test_one_of_two_who_rejects_leaves_no_release_whoever_is_first(square: Way) -> None:
    proposal = of_two(square)
    told = at_once(voting(square, proposal, square.officer), voting(square, proposal, square.second, approves=False))
    assert told == ["done", "done"]
    proposal.refresh_from_db()
    assert (proposal.state, proposal.votes.count()) == (ProposalState.REJECTED, 2)
    assert not Release.objects.exists()


def test_of_an_approval_and_a_rejection_the_first_decides(square: Way, proposal: Proposal) -> None:
    told = at_once(voting(square, proposal, square.officer), voting(square, proposal, square.second, approves=False))
    assert told == ["Overtaken", "done"]
    proposal.refresh_from_db()
    assert proposal.votes.count() == 1
    assert Release.objects.count() == (proposal.state == ProposalState.APPROVED)
    assert sum(trail("approved", "rejected")) == 1


def test_what_is_approved_and_withdrawn_at_once_is_one_of_both(square: Way, proposal: Proposal) -> None:
    shown = Proposal.objects.get(pk=proposal.pk)
    told = at_once(
        voting(square, proposal, square.officer),
        lambda: proposals.withdraw(shown, "A better one is there.", by=square.steward),
    )
    assert told == ["Overtaken", "done"]
    proposal.refresh_from_db()
    approved = proposal.state == ProposalState.APPROVED
    assert approved or proposal.state == ProposalState.WITHDRAWN
    assert (Release.objects.count(), proposal.votes.count()) == (approved, approved)
    assert proposal.remarks.filter(text__startswith="Withdrawn").count() == (not approved)
    assert trail("approved", "withdrawn") == [approved, not approved]


@pytest.mark.parametrize("votes", [1, 2])
def test_a_double_click_is_one_vote_and_the_second_is_told(square: Way, votes: int) -> None:
    proposal = of_two(square) if votes == 2 else answered(square)
    address = reverse("proposal", args=[proposal.project_id, proposal.pk])
    said = {"vote": "approve", "decide-reason": "So be it.", "seen": deciding.basis(proposal)}
    told = list[int]()

    def click() -> None:
        client = Client()
        assert square.officer.user is not None
        client.force_login(square.officer.user, backend="django.contrib.auth.backends.ModelBackend")
        told.append(client.post(f"{address}decide/", said).status_code)

    assert at_once(click, click) == ["done", "done"]
    proposal.refresh_from_db()
    assert sorted(told) == ([302, 409] if votes == 1 else [302, 403])
    assert proposal.votes.count() == 1
    assert proposal.state == (ProposalState.APPROVED if votes == 1 else ProposalState.HALF_DECIDED)
    assert Release.objects.count() == (votes == 1)
