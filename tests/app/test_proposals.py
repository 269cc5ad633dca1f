"""Proposing and deciding: who may, in which order, on what evidence."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from riskapp.core.errors import Refused, RiskappError
from riskapp.models import Actor, Project, Proposal, ProposalState, Release, ReleaseState, Upload, User
from riskapp.selectors import votes_shown
from riskapp.services import proposals, warnings
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from tests.app.deciding import Way, way
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def on_the_way(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive)


def test_a_rule_is_proposed_with_its_figures_and_hashes_frozen(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    evidence = proposal.evidence
    assert evidence["listed"]["id"] == proposal.rule
    assert evidence["assessment"] == on_the_way.run.parameters["assessment"]
    assert set(evidence["files"]) == {"people.csv"}
    assert proposal.state == ProposalState.PENDING


def test_neither_the_proposer_nor_whoever_started_the_run_decides(on_the_way: Way, by: Actor) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    with pytest.raises(Refused):
        on_the_way.approve(proposal, by=on_the_way.steward)
    with pytest.raises(Refused, match="started the run"):
        on_the_way.approve(proposal, by=by)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.PENDING


def test_an_officer_cannot_approve_what_they_proposed(on_the_way: Way) -> None:
    proposal = proposals.propose(on_the_way.run, on_the_way.rule(), on_the_way.wish(), by=on_the_way.officer)
    with pytest.raises(Refused, match="You proposed it"):
        on_the_way.approve(proposal, by=on_the_way.officer)


def test_a_rule_above_a_limit_needs_a_signed_exception(on_the_way: Way, project: Project) -> None:
    project.setup.release_class = "public"
    project.setup.save()
    on_the_way.run.project.setup.refresh_from_db()
    lowest = "full-domain:" + ".".join("0" for _ in on_the_way.run.outcome.summary["words"])
    with pytest.raises(Unfit, match="breaks limits"):
        proposals.propose(on_the_way.run, lowest, on_the_way.wish(exception=" "), by=on_the_way.steward)
    assert proposals.propose(on_the_way.run, lowest, on_the_way.wish(), by=on_the_way.steward).exception == "Agreed"


def test_nothing_is_approved_before_its_warnings_are_computed_and_answered(on_the_way: Way) -> None:
    proposal = proposals.propose(on_the_way.run, on_the_way.rule(), on_the_way.wish(), by=on_the_way.steward)
    with pytest.raises(Unfit, match="still being computed"):
        on_the_way.approve(proposal)
    work_off("warn")
    found = warnings.of(proposal).figures
    assert found is not None
    assert found["warnings"], "a rule chosen among many is always warned about"
    with pytest.raises(Unfit, match="needs an answer"):
        on_the_way.approve(proposal)
    on_the_way.answer(proposal)
    on_the_way.approve(proposal)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPROVED


def test_open_advice_stops_an_approval_until_it_is_answered(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    given = proposals.advise(proposal, "Ask for a contract.", "Data protection officer", by=on_the_way.steward)
    with pytest.raises(Unfit, match="advice without an answer"):
        on_the_way.approve(proposal)
    proposals.answer_advice(given, followed=True, why="It is signed.", by=on_the_way.steward)
    on_the_way.approve(proposal)


def test_of_two_officers_neither_sees_the_others_vote_and_both_must_approve(on_the_way: Way, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(votes_needed=2)
    on_the_way.run.project.refresh_from_db()
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    on_the_way.approve(proposal)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.HALF_DECIDED
    assert on_the_way.second.user is not None
    assert votes_shown(proposal, on_the_way.second.user) == []
    proposals.decide(proposal, approves=False, reason="Too fine.", by=on_the_way.second)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.REJECTED
    assert len(votes_shown(proposal, on_the_way.second.user)) == 2
    assert not Release.objects.exists()


def test_a_first_rejection_of_two_looks_like_a_first_approval(on_the_way: Way, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(votes_needed=2)
    on_the_way.run.project.refresh_from_db()
    proposal = on_the_way.propose()
    proposals.decide(proposal, approves=False, reason="Too fine.", by=on_the_way.officer)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.HALF_DECIDED


def test_withdrawn_and_proposed_again(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    with pytest.raises(Overtaken, match="proposed already"):
        on_the_way.propose()
    with pytest.raises(Refused):
        proposals.withdraw(proposal, "no", by=on_the_way.officer)
    proposals.withdraw(proposal, "A better rule is there.", by=on_the_way.steward)
    assert on_the_way.propose().state == ProposalState.PENDING


def test_a_release_in_the_past_or_for_people_who_are_no_recipients_is_refused(on_the_way: Way) -> None:
    with pytest.raises(Unfit, match="still to come"):
        on_the_way.propose(expires_on=timezone.localdate() - timedelta(days=1))
    assert on_the_way.officer.user is not None
    with pytest.raises(Unfit, match="Only recipients"):
        on_the_way.propose(recipients=[on_the_way.officer.user])


def test_two_simultaneous_approvals_make_one_release(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)

    def decide(by: Actor) -> str:
        try:
            on_the_way.approve(Proposal.objects.get(pk=proposal.pk), by=by)
            return "done"
        except RiskappError as trouble:
            return type(trouble).__name__
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as both:
        told = sorted(both.map(decide, [on_the_way.officer, on_the_way.second]))
    assert told == ["Overtaken", "done"]
    assert Release.objects.count() == 1
    assert Release.objects.get().state == ReleaseState.BUILDING
