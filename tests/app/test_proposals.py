"""Proposing and deciding: who may, in which order, on what evidence."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from riskapp.core.errors import Hidden, Refused, RiskappError
from riskapp.models import Actor, Project, Proposal, ProposalState, Release, ReleaseState, Run, Upload, User
from riskapp.selectors import votes_shown
from riskapp.services import proposals, releases, warnings
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


def signed_in(by: Actor) -> Client:
    client = Client()
    assert by.user is not None
    client.force_login(by.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_what_was_rejected_is_proposed_again_with_what_was_said_filled_in(on_the_way: Way) -> None:
    analysis = {"name": "By sex", "kind": "counts", "columns": ["sex"], "of": ""}
    first = on_the_way.propose(dpia="DPIA-7", options={"format": "parquet", "analyses": [analysis]})
    on_the_way.answer(first)
    proposals.decide(first, approves=False, reason="Say more about the contract.", by=on_the_way.officer)
    first.refresh_from_db()
    steward, address = signed_in(on_the_way.steward), reverse("propose", args=[first.project_id, first.run_id])
    page = steward.get(address, {"rule": first.rule, "again": str(first.pk)})
    told = page.content.decode()
    assert "DPIA-7" in told
    assert "Say more about the contract." in told
    assert page.context["form"]["format"].value() == "parquet"
    assert page.context["analyses"].rows[0]["name"].value() == "By sex"
    assert page.context["form"]["recipients"].value() == [str(on_the_way.recipient.pk)]
    again = proposals.propose(on_the_way.run, first.rule, on_the_way.wish(), by=on_the_way.steward, replaces=first)
    work_off("warn")
    there = steward.get(reverse("proposal", args=[again.project_id, again.pk])).content.decode()
    assert "It is known and accepted." in there, "earlier answers are filled in, not given"
    with pytest.raises(Unfit, match="needs an answer"):
        on_the_way.approve(again)


def test_only_what_was_rejected_or_withdrawn_is_proposed_again(on_the_way: Way) -> None:
    first = on_the_way.propose()
    steward, address = signed_in(on_the_way.steward), reverse("propose", args=[first.project_id, first.run_id])
    for again in (str(first.pk), "00000000-0000-0000-0000-000000000000", "x"):
        assert steward.get(address, {"rule": first.rule, "again": again}).status_code == 404
    other = next(rule for rule in on_the_way.run.outcome.summary["frontier"] if rule != first.rule)
    with pytest.raises(Overtaken, match="rejected or withdrawn"):
        proposals.propose(on_the_way.run, other, on_the_way.wish(), by=on_the_way.steward, replaces=first)


def test_each_state_has_one_side_that_must_act_and_the_page_says_which(on_the_way: Way, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(votes_needed=2)
    on_the_way.run.project.refresh_from_db()
    proposal = proposals.propose(on_the_way.run, on_the_way.rule(), on_the_way.wish(), by=on_the_way.steward)
    turns = []

    def turn() -> None:
        proposal.refresh_from_db()
        turns.append(proposals.turn(proposal))
        for by in (on_the_way.steward, on_the_way.officer):
            there = reverse("proposal", args=[proposal.project_id, proposal.pk])
            assert escape(turns[-1]) in signed_in(by).get(there).content.decode()

    turn()
    work_off("warn")
    turn()
    given = proposals.advise(proposal, "Ask for a contract.", "Data protection officer", by=on_the_way.steward)
    on_the_way.answer(proposal)
    turn()
    proposals.answer_advice(given, followed=False, why="There is one.", by=on_the_way.steward)
    turn()
    on_the_way.approve(proposal)
    turn()
    on_the_way.approve(proposal, by=on_the_way.second)
    turn()
    sides = [words.split(" must ")[0].split(" computes ")[0].split(":")[0] for words in turns]
    proposers = "The proposer\u2019s side"
    officers = ["An officer who did not propose it", "A second officer"]
    assert sides == ["The worker", proposers, proposers, *officers, "Nobody"]


def test_warnings_that_failed_are_to_be_computed_again(on_the_way: Way) -> None:
    proposal = proposals.propose(on_the_way.run, on_the_way.rule(), on_the_way.wish(), by=on_the_way.steward)
    Run.objects.filter(kind="warn").update(state="failed", fault={"message": "x", "advice": "y"})
    assert "have the warnings computed" in proposals.turn(proposal)


def test_who_decides_is_a_setting_of_the_project(on_the_way: Way, by: Actor) -> None:
    owner, address = signed_in(by), reverse("project-decisions", args=[on_the_way.project.pk])
    assert on_the_way.second.user is not None
    said = {"votes_needed": "1", "approvers": [str(on_the_way.second.user.pk)], "terms": ""}
    assert owner.post(address, said).status_code == 302
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    with pytest.raises(Refused, match="not among them"):
        on_the_way.approve(proposal)
    on_the_way.approve(proposal, by=on_the_way.second)
    owner.post(address, said | {"votes_needed": "2", "approvers": []})
    proposal.refresh_from_db()
    assert proposal.votes_needed == 1, "it holds for what is proposed from then on"


def test_nobody_gets_a_file_that_is_not_approved_and_built(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    assert not Release.objects.exists()
    on_the_way.approve(proposal)
    release = Release.objects.get()
    for by in (on_the_way.steward, on_the_way.officer):
        with pytest.raises(Refused, match="being built"):
            releases.link(release, by=by)
    with pytest.raises(Hidden):
        releases.link(release, by=Actor(on_the_way.recipient))


def test_the_rule_that_was_asked_for_is_not_called_chosen_after_looking(on_the_way: Way) -> None:
    other, asked = on_the_way.run.outcome.summary["frontier"][:2]
    outcome = on_the_way.run.outcome
    outcome.summary = {**outcome.summary, "optimum": {"rule": asked}}
    outcome.save()

    def keys(rule: str) -> set[str]:
        found = warnings.of(on_the_way.propose(rule=rule)).figures
        assert found is not None
        return {one["key"] for one in found["warnings"]}

    assert "chosen-after-looking" not in keys(asked)
    assert "chosen-after-looking" in keys(other)
