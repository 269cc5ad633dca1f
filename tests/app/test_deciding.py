"""Deciding on what one has seen, and who acts where those who should have left the project."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from threading import Event

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from riskapp.core.errors import Refused
from riskapp.models import (
    Actor,
    AuditEvent,
    Membership,
    Project,
    Proposal,
    ProposalState,
    Release,
    ReleaseState,
    Role,
    Setup,
    Upload,
    User,
)
from riskapp.services import (
    assessing,
    audit,
    deciding,
    projects,
    proposals,
    releases,
    remarks,
    setups,
    turns,
    uploads,
    warnings,
)
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from tests.app.deciding import ILLS, SQUARE, Way, assessed, way
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def square(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive, SQUARE)


@pytest.fixture
def two_votes(square: Way) -> Way:
    Project.objects.filter(pk=square.project.pk).update(votes_needed=2)
    square.run.project.refresh_from_db()
    return square


def signed_in(by: Actor) -> Client:
    client = Client()
    assert by.user is not None
    client.force_login(by.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def answered(made: Way, column: str) -> Proposal:
    proposal = made.propose(rule=made.keeping(column))
    made.answer(proposal)
    return proposal


def leave(made: Way, *people: Actor) -> None:
    Membership.objects.filter(project=made.project, user__in=[one.user for one in people]).delete()


# What was seen


def test_what_left_between_two_votes_was_not_seen_by_the_first_officer(two_votes: Way) -> None:
    towns, years = (answered(two_votes, column) for column in ("town", "born"))
    two_votes.approve(towns)
    two_votes.approve(years)
    two_votes.approve(years, by=two_votes.second)
    work_off("build")
    warnings.ask(towns, by=two_votes.steward)
    work_off("warn")
    towns.refresh_from_db()
    with pytest.raises(Unfit, match="since the first vote another release of the project has left"):
        two_votes.approve(towns, by=two_votes.second)
    turn = turns.of(towns)
    assert turn.side is turns.Side.PROPOSER
    assert "must withdraw it and propose again: since the first vote" in turn.words
    assert not Release.objects.filter(proposal=towns).exists()


def test_no_answer_changes_after_the_first_of_two_votes(two_votes: Way) -> None:
    proposal = answered(two_votes, "town")
    key = proposal.remarks.get(kind="answer").warning
    remarks.answer_warning(proposal, key, "Thought over once more.", by=two_votes.steward)
    two_votes.approve(proposal)
    with pytest.raises(Overtaken, match="an officer has decided on the answers as they are"):
        remarks.answer_warning(proposal, key, "Something else.", by=two_votes.steward)
    page = signed_in(two_votes.steward).get(reverse("proposal", args=[proposal.project_id, proposal.pk]))
    assert "Answer differently" not in page.content.decode()


def test_no_answer_slips_in_while_the_first_vote_is_being_kept(two_votes: Way) -> None:
    proposal = answered(two_votes, "town")
    key, voted = proposal.remarks.get(kind="answer").warning, Event()

    def answer() -> str:
        voted.wait(20)
        try:
            remarks.answer_warning(Proposal.objects.get(pk=proposal.pk), key, "Something else.", by=two_votes.steward)
            return "kept"
        except Overtaken:
            return "too late"
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        with audit.writing():
            two_votes.approve(proposal)
            told = other.submit(answer)
            voted.set()
            wait([told], timeout=0.5)
        assert told.result() == "too late"
    assert proposal.remarks.filter(kind="answer").count() == 1


def _another_answer(made: Way, proposal: Proposal) -> None:
    key = proposal.remarks.filter(kind="answer")[0].warning
    remarks.answer_warning(proposal, key, "It is not known after all.", by=made.steward)


def _more_advice(made: Way, proposal: Proposal) -> None:
    given = remarks.advise(proposal, "Do not release it.", "Data protection officer", by=made.steward)
    remarks.answer_advice(given, followed=False, why="I know better.", by=made.steward)


def _another_release(made: Way, proposal: Proposal) -> None:
    made.release(rule=made.keeping("born"))
    warnings.ask(proposal, by=made.steward)
    work_off("warn")
    made.answer(proposal)


def _role_lost(made: Way, by: Actor) -> None:
    projects.change_member(Membership.objects.get(user=made.officer.user), by=by, role=Role.AUDITOR, owner=False)


def _account_closed(made: Way, by: Actor) -> None:
    User.objects.filter(pk=made.officer.user.pk).update(is_active=False)  # type: ignore[union-attr]


def _not_named(made: Way, by: Actor) -> None:
    made.project.approvers.set([made.second.user, by.user])  # type: ignore[list-item]


def _run_started(made: Way, by: Actor) -> None:
    assessing.repeat(made.run, by=made.officer)


@pytest.mark.parametrize("change", [_role_lost, _account_closed, _not_named, _run_started])
def test_a_first_vote_does_not_count_whose_officer_may_not_decide_when_it_becomes_final(
    two_votes: Way, by: Actor, change: Callable[[Way, Actor], None]
) -> None:
    proposal = answered(two_votes, "town")
    two_votes.approve(proposal)
    change(two_votes, by)
    told = "the vote of Oscar does not count any more.*two officers must vote on it anew"
    with pytest.raises(Unfit, match=told):
        two_votes.approve(Proposal.objects.get(pk=proposal.pk), by=two_votes.second)
    proposal = Proposal.objects.get(pk=proposal.pk)
    assert (proposal.state, proposal.votes.count()) == (ProposalState.HALF_DECIDED, 1)
    assert not Release.objects.exists()
    assert turns.of(proposal).words.startswith("The proposer must withdraw it and propose again: the vote of Oscar")


@pytest.mark.parametrize("change", [_another_answer, _more_advice, _another_release])
def test_nobody_approves_by_a_page_that_shows_other_warnings_answers_or_advice(
    square: Way, change: Callable[[Way, Proposal], None]
) -> None:
    proposal, officer = answered(square, "town"), signed_in(square.officer)
    address = reverse("proposal", args=[proposal.project_id, proposal.pk])
    seen = officer.get(address).context["basis"]
    change(square, proposal)
    said = {"vote": "approve", "decide-reason": "The figures convince me.", "seen": seen}
    refused = officer.post(f"{address}decide/", said)
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "have changed since you opened this page" in page
    assert "The figures convince me." in page, "what was written is not lost"
    assert f'name="seen" value="{refused.context["basis"]}"' in page
    assert officer.post(f"{address}decide/", said | {"seen": refused.context["basis"]}).status_code == 302
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPROVED


def test_a_comment_does_not_stand_in_the_way_of_a_decision(square: Way) -> None:
    proposal = answered(square, "town")
    seen = deciding.basis(proposal)
    remarks.comment(proposal, "The contract is signed.", by=square.steward)
    deciding.decide(proposal, approves=True, reason="Good.", by=square.officer, seen=seen)


def test_what_was_seen_comes_with_the_warnings_as_soon_as_they_are_computed(square: Way) -> None:
    proposal = proposals.propose(square.run, square.rule(), square.wish(), by=square.steward)
    address = reverse("proposal-warnings", args=[proposal.project_id, proposal.pk])
    work_off("warn")
    told = f'<input type="hidden" id="seen" name="seen" value="{deciding.basis(proposal)}" hx-swap-oob="true">'
    assert told in signed_in(square.officer).get(address).content.decode()
    assert 'id="seen"' not in signed_in(square.steward).get(address).content.decode(), "there is no form for it"


def test_a_vote_that_says_neither_yes_nor_no_is_none(square: Way) -> None:
    proposal = answered(square, "town")
    address = reverse("proposal-decide", args=[proposal.project_id, proposal.pk])
    refused = signed_in(square.officer).post(address, {"decide-reason": "Good."})
    assert refused.status_code == 422
    assert "Say whether you approve or reject it." in refused.content.decode()
    assert proposal.votes.count() == 0


# Who acts when somebody has left


def test_an_owner_withdraws_what_nobody_else_can_once_the_proposer_has_left(
    two_votes: Way, by: Actor, arrive: Callable[..., Upload]
) -> None:
    proposal = two_votes.propose(rule=two_votes.keeping("town"))
    with pytest.raises(Refused, match="Only whoever proposed it"):
        proposals.withdraw(proposal, "It is stale.", by=by)
    leave(two_votes, two_votes.steward)
    uploads.purge(Upload.objects.get(), by=by)
    proposal = Proposal.objects.get(pk=proposal.pk)
    turn = turns.of(proposal)
    assert turn.side is turns.Side.OWNER
    assert turn.words.startswith("An owner must withdraw it, as the proposer no longer can: ")
    assert [one for one, _ in turns.waiting_for(by.user)] == [proposal]  # type: ignore[arg-type]
    with pytest.raises(Refused, match="Only whoever proposed it"):
        proposals.withdraw(proposal, "It is stale.", by=two_votes.officer)
    owner, address = signed_in(by), reverse("proposal", args=[proposal.project_id, proposal.pk])
    assert "Withdraw the proposal" in owner.get(address).content.decode()
    assert owner.post(f"{address}withdraw/", {"withdraw-reason": "It is stale."}).status_code == 302
    assert "Withdrawn by Olga" in owner.get(address).content.decode()


def test_what_the_proposer_left_behind_waits_for_the_others_who_can_answer_it(square: Way) -> None:
    proposal = square.propose(rule=square.keeping("town"))
    assert turns.waiting_for(square.officer.user) == []  # type: ignore[arg-type]
    leave(square, square.steward)
    ((waits, words),) = turns.waiting_for(square.officer.user)  # type: ignore[arg-type]
    assert waits == proposal
    assert "must answer" in words


@pytest.mark.parametrize("votes", [1, 2])
def test_where_too_few_officers_are_left_an_owner_must_find_another(square: Way, by: Actor, votes: int) -> None:
    Project.objects.filter(pk=square.project.pk).update(votes_needed=votes)
    square.run.project.refresh_from_db()
    proposal = answered(square, "town")
    if votes == 2:
        square.approve(proposal)
    leave(square, square.second, *([square.officer] if votes == 1 else []))
    proposal.refresh_from_db()
    turn = turns.of(proposal)
    assert turn.side is turns.Side.OWNER
    assert turn.words.startswith("An owner must invite another officer")
    assert [words for _, words in turns.waiting_for(by.user)] == [turn.words]  # type: ignore[arg-type]


def test_an_officer_who_was_named_and_left_leaves_nobody_to_decide(square: Way) -> None:
    square.project.approvers.set([square.officer.user])  # type: ignore[list-item]
    proposal = answered(square, "town")
    assert turns.of(proposal).side is turns.Side.OFFICER
    leave(square, square.officer)
    assert turns.of(proposal).side is turns.Side.OWNER
    with pytest.raises(Refused, match="not among them"):
        square.approve(proposal, by=square.second)
    with pytest.raises(Unfit, match="or name one under Decisions"):
        square.propose(rule=square.keeping("born"))


# What is kept


def test_an_exception_from_limits_that_are_all_kept_is_none(square: Way, by: Actor) -> None:
    proposal = square.propose(rule=square.keeping("town"), exception="Agreed with the authority.")
    assert proposal.evidence["broken"] == []
    assert proposal.exception == ""
    page = signed_in(square.officer).get(reverse("proposal", args=[proposal.project_id, proposal.pk]))
    assert "Exception from the limits" not in page.content.decode()
    told = AuditEvent.objects.get(action="proposal pending").details
    assert told["exception"] is False


# Columns whose names begin alike, as those of a questionnaire do.
ALIKE = "How satisfied were you during the last twelve months with your"
SURVEY = f"id,town,born,{ALIKE} work,{ALIKE} Work,ill\n" + "".join(
    f"p{i},Town {i // 4},{1950 + i % 4},{i // 4},{i // 8},{ILLS[i % 3]}\n" for i in range(16)
)


def test_an_answer_to_one_warning_is_none_to_another_however_alike_their_columns_are_named(
    project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]
) -> None:
    made = way(project, by, person, arrive, SURVEY)
    setup = Setup.objects.get(pk=project.pk)
    for column in setup.attributes.filter(column__startswith=ALIKE):
        said = {"role": "kept", "knowable": False, "hurts": True, "keep_reason": "For it."}
        setups.describe(column, column.version, by=by, **said)
    made = replace(made, run=assessed(setup, by))
    proposal = made.propose(rule=made.keeping("town"))
    found = warnings.of(proposal).figures
    assert found is not None
    title = f"Everybody in a group has the same value: {ALIKE}"
    alike = [one for one in found["warnings"] if one["title"].startswith(title)]
    assert len(alike) == 2
    remarks.answer_warning(proposal, alike[0]["key"], "It is known.", by=made.steward)
    left = remarks.unanswered(proposal, found)
    assert alike[0]["title"] not in left
    assert alike[1]["title"] in left


# What is gone


def test_a_rule_whose_dataset_was_shredded_is_not_proposed(square: Way, by: Actor) -> None:
    rule = square.keeping("town")
    there = f"{reverse('propose', args=[square.project.pk, square.run.pk])}?rule={rule}"
    assert "No file can be built" not in signed_in(square.steward).get(there).content.decode()
    uploads.purge(Upload.objects.get(), by=by)
    assert "No file can be built by this run" in signed_in(square.steward).get(there).content.decode()
    with pytest.raises(Unfit, match="was shredded since"):
        square.propose(rule=rule)


def test_what_is_shredded_before_the_building_is_not_offered_to_be_built_again(square: Way, by: Actor) -> None:
    square.approve(answered(square, "town"))
    uploads.purge(Upload.objects.get(), by=by)
    work_off("build")
    release = Release.objects.get()
    assert release.state == ReleaseState.FAILED
    page = signed_in(square.steward).get(reverse("release", args=[release.project_id, release.pk])).content.decode()
    assert "The file people.csv was shredded since." in page
    assert "Build it again" not in page
    with pytest.raises(Unfit, match="cannot be built any more"):
        releases.build_again(release, by=square.steward)
