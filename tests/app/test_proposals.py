"""Proposing and deciding: who may, in which order, on what evidence."""

import inspect
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from riskapp import selectors
from riskapp.bridge import decisions
from riskapp.bridge.documents import fingerprint
from riskapp.bridge.evidence import NO_LIMIT
from riskapp.bridge.warning import TITLES
from riskapp.core.errors import Hidden, Refused, RiskappError
from riskapp.engine.releasing import warnings as warnings_about
from riskapp.models import (
    Actor,
    Membership,
    Project,
    Proposal,
    ProposalState,
    Release,
    ReleaseState,
    Remark,
    Role,
    Run,
    Setup,
    Upload,
    User,
)
from riskapp.selectors import votes_shown
from riskapp.services import (
    assessing,
    deciding,
    downloads,
    projects,
    proposals,
    releases,
    remarks,
    setups,
    turns,
    warnings,
)
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from tests.app.deciding import Way, assessed, way
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
    Setup.objects.filter(pk=project.pk).update(release_class="public", limits=None)
    lowest = "full-domain:" + ".".join("0" for _ in on_the_way.run.outcome.summary["words"])
    with pytest.raises(Unfit, match="breaks limits"):
        proposals.propose(on_the_way.run, lowest, on_the_way.wish(exception=" "), by=on_the_way.steward)
    assert proposals.propose(on_the_way.run, lowest, on_the_way.wish(), by=on_the_way.steward).exception == "Agreed"


def test_nothing_is_proposed_before_somebody_has_said_what_kind_of_release_it_is(on_the_way: Way) -> None:
    Setup.objects.update(release_class="", limits=None)
    with pytest.raises(Unfit, match="no release class, so no limit holds"):
        on_the_way.propose()
    client = signed_in(on_the_way.steward)
    address = reverse("propose", args=[on_the_way.project.pk, on_the_way.run.pk])
    page = client.get(address, {"rule": on_the_way.rule()}).content.decode()
    assert "Nothing limits the release yet" in page
    assert reverse("release-class", args=[on_the_way.project.pk]) in page
    assert not Proposal.objects.exists()


def test_where_a_class_has_no_limit_an_exception_must_be_signed(on_the_way: Way) -> None:
    Setup.objects.update(limits={})
    with pytest.raises(Unfit, match="no limit is set"):
        on_the_way.propose(exception="")
    assert on_the_way.propose().evidence["broken"] == [NO_LIMIT]


def test_what_was_proposed_without_a_class_is_not_approved(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    evidence = {**proposal.evidence, "release_class": ""}
    Proposal.objects.update(evidence=evidence, evidence_sha256=fingerprint(evidence))
    with pytest.raises(Unfit, match="no release class was chosen when it was proposed"):
        on_the_way.approve(proposal)


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
    given = remarks.advise(proposal, "Ask for a contract.", "Data protection officer", by=on_the_way.steward)
    with pytest.raises(Unfit, match="advice without an answer"):
        on_the_way.approve(proposal)
    remarks.answer_advice(given, followed=True, why="It is signed.", by=on_the_way.steward)
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
    deciding.decide(proposal, approves=False, reason="Too fine.", by=on_the_way.second)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.REJECTED
    assert len(votes_shown(proposal, on_the_way.second.user)) == 2
    assert not Release.objects.exists()


def test_a_first_rejection_of_two_looks_like_a_first_approval(on_the_way: Way, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(votes_needed=2)
    on_the_way.run.project.refresh_from_db()
    proposal = on_the_way.propose()
    for approves in (True, False):
        with pytest.raises(Unfit, match="Every warning needs an answer before the first of two votes"):
            seen = deciding.basis(proposal)
            deciding.decide(proposal, approves=approves, reason="Too fine.", by=on_the_way.officer, seen=seen)
    on_the_way.answer(proposal)
    deciding.decide(proposal, approves=False, reason="Too fine.", by=on_the_way.officer)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.HALF_DECIDED
    assert turns.of(proposal).words == "A second officer must decide."


def test_a_first_vote_stays_secret_when_the_proposal_is_withdrawn_and_proposed_again(
    on_the_way: Way, project: Project, person: Callable[..., User]
) -> None:
    Project.objects.filter(pk=project.pk).update(votes_needed=2)
    on_the_way.run.project.refresh_from_db()
    auditor = person("anton")
    Membership.objects.create(project=project, user=auditor, role=Role.AUDITOR)
    people = [one.user for one in (on_the_way.officer, on_the_way.second, on_the_way.steward)]
    first, second, steward = [user for user in people if user is not None]
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    deciding.decide(proposal, approves=False, reason="Too fine.", by=on_the_way.officer)
    proposal.refresh_from_db()
    assert votes_shown(proposal, auditor) == []
    proposals.withdraw(proposal, "Once more.", by=on_the_way.steward)
    seen = {user.email: len(votes_shown(proposal, user)) for user in (first, second, steward, auditor)}
    assert seen == {first.email: 1, second.email: 0, steward.email: 0, auditor.email: 1}
    for user in (second, steward):
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        for name, more in (("proposal", [proposal.pk]), ("project-audit", [])):
            assert b"Too fine." not in client.get(reverse(name, args=[project.pk, *more])).content


def test_who_had_the_run_repeated_by_somebody_else_does_not_decide_either(on_the_way: Way, by: Actor) -> None:
    Membership.objects.filter(user=on_the_way.steward.user).update(role=Role.OFFICER)
    again = assessing.repeat(on_the_way.run, by=on_the_way.steward)
    work_off("assess")
    again.refresh_from_db()
    proposal = proposals.propose(again, on_the_way.rule(), on_the_way.wish(), by=on_the_way.second)
    assert by.user is not None
    assert deciding.obstacle(proposal, by.user) == (
        "You started a run of the same assessment: somebody else must decide."
    )
    with pytest.raises(Refused, match="started a run of the same assessment"):
        deciding.decide(proposal, approves=True, reason="Fine.", by=by)
    assert on_the_way.officer.user is not None
    assert deciding.obstacle(proposal, on_the_way.officer.user) == ""


def test_an_auditor_reads_a_proposal_and_adds_nothing_to_it(
    on_the_way: Way, project: Project, person: Callable[..., User]
) -> None:
    Membership.objects.create(project=project, user=person("anton"), role=Role.AUDITOR)
    proposal, auditor = on_the_way.propose(), Actor(User.objects.get(email="anton@example.org"))
    for say in (
        lambda: remarks.comment(proposal, "I wonder.", by=auditor),
        lambda: remarks.advise(proposal, "Do not.", "The auditor", by=auditor),
    ):
        with pytest.raises(Refused, match="auditor"):
            say()
    page = signed_in(auditor).get(reverse("proposal", args=[project.pk, proposal.pk])).content.decode()
    assert "Record advice" not in page
    assert reverse("proposal-comment", args=[project.pk, proposal.pk]) not in page
    assert not proposal.remarks.exists()


def test_all_that_was_measured_of_the_data_counts_as_looked_at(on_the_way: Way, by: Actor) -> None:
    first = on_the_way.run.outcome.summary["rules"]
    assessing.repeat(on_the_way.run, by=by)
    work_off("assess")
    evidence = on_the_way.propose().evidence
    assert evidence["looked_at"] == {"runs": 1, "rules": first}, "the same once more is no other look"
    setup = Setup.objects.get(pk=on_the_way.project.pk)
    sex = setup.attributes.get(column="sex")
    setups.describe(sex, sex.version, by=by, role="dropped")
    second = replace(on_the_way, run=assessed(setup, by))
    proposal = second.propose()
    rules = first + second.run.outcome.summary["rules"]
    assert proposal.evidence["looked_at"] == {"runs": 2, "rules": rules}
    found = warnings.of(proposal).figures
    assert found is not None
    (told,) = [one for one in found["warnings"] if one["key"] == "chosen-after-looking"]
    assert told["count"] == rules
    assert "of 2 runs of these data" in told["words"]
    page = signed_in(on_the_way.officer).get(reverse("proposal", args=[second.project.pk, proposal.pk]))
    assert "in 2 runs of these data" in page.content.decode()


def test_the_limit_of_the_class_says_which_losses_are_large(on_the_way: Way) -> None:
    Setup.objects.update(limits={"largest_chance": 0.2})
    asked = warnings.question(on_the_way.propose())
    assert asked["largest_chance"] == 0.2


def test_no_change_of_role_lets_the_proposer_decide(on_the_way: Way, by: Actor) -> None:
    steward, place = on_the_way.steward, Membership.objects.get(user=on_the_way.steward.user)
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    projects.change_member(place, by=by, role=Role.OFFICER, owner=True)
    with pytest.raises(Refused, match="You proposed it"):
        on_the_way.approve(proposal, by=steward)
    assert steward.user is not None
    User.objects.filter(pk=steward.user.pk).update(is_administrator=True)
    steward.user.refresh_from_db()
    with pytest.raises(Refused, match="You proposed it"):
        on_the_way.approve(proposal, by=steward)
    projects.remove_member(Membership.objects.get(pk=place.pk), by=by)
    with pytest.raises(Hidden):
        on_the_way.approve(proposal, by=steward)
    assert proposal.votes.count() == 0


def test_withdrawn_and_proposed_again(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    with pytest.raises(Overtaken, match="proposed already"):
        on_the_way.propose()
    with pytest.raises(Refused):
        proposals.withdraw(proposal, "no", by=on_the_way.officer)
    proposals.withdraw(proposal, "A better rule is there.", by=on_the_way.steward)
    page = enter(on_the_way.officer.user).get(f"/projects/{proposal.project_id}/proposals/{proposal.pk}/")
    assert "Withdrawn by Stella" in page.content.decode()
    assert on_the_way.propose().state == ProposalState.PENDING


def enter(user: User | None) -> Client:
    assert user is not None
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_the_form_says_before_it_is_filled_in_that_the_rule_is_proposed_already(on_the_way: Way) -> None:
    client, rule = enter(on_the_way.steward.user), on_the_way.rule()
    address = reverse("propose", args=[on_the_way.project.pk, on_the_way.run.pk]) + f"?rule={quote(rule)}"
    assert "proposed already" not in client.get(address).content.decode()
    proposal = on_the_way.propose(rule)
    page = client.get(address).content.decode()
    assert "This rule is proposed already" in page
    assert reverse("proposal", args=[on_the_way.project.pk, proposal.pk]) in page
    until = timezone.localdate() + timedelta(days=9)
    said = {"purpose": "Kept words", "recipient": "U", "reason": "R", "expires_on": until, "exception": "E"}
    sent = client.post(address, said | {"rule": rule, "format": "csv"})
    assert sent.status_code == 422
    assert "Kept words" in sent.content.decode()
    assert "nobody has decided yet" in sent.content.decode()


def test_the_form_says_before_it_is_filled_in_that_nobody_could_decide(on_the_way: Way) -> None:
    client, rule = enter(on_the_way.steward.user), on_the_way.rule()
    address = reverse("propose", args=[on_the_way.project.pk, on_the_way.run.pk]) + f"?rule={quote(rule)}"
    assert "Nobody could decide yet" not in client.get(address).content.decode()
    for officer in (on_the_way.officer.user, on_the_way.second.user):
        Membership.objects.filter(project=on_the_way.project, user=officer).delete()
    page = client.get(address).content.decode()
    assert "Nobody could decide yet" in page
    assert reverse("members", args=[on_the_way.project.pk]) in page


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
    deciding.decide(first, approves=False, reason="Say more about the contract.", by=on_the_way.officer)
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


def test_what_was_released_and_has_ended_is_proposed_again(on_the_way: Way) -> None:
    release = on_the_way.release()
    steward, first = signed_in(on_the_way.steward), release.proposal
    form, rule = reverse("propose", args=[first.project_id, first.run_id]), quote(first.rule)
    again = f"{form}?rule={rule}&amp;again={first.pk}"
    there = reverse("proposal", args=[first.project_id, first.pk])
    assert again not in steward.get(there).content.decode()
    releases.revoke(release, "The contract was ended.", by=on_the_way.officer)
    assert again in steward.get(there).content.decode()
    assert "what was approved" in steward.get(again.replace("&amp;", "&")).content.decode()


def test_what_waited_beyond_its_last_day_is_not_approved(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    Proposal.objects.filter(pk=proposal.pk).update(expires_on=timezone.localdate() - timedelta(days=1))
    proposal.refresh_from_db()
    assert turns.of(proposal).words.endswith("its last day is over.")
    with pytest.raises(Unfit, match="its last day is over"):
        on_the_way.approve(proposal)


def test_each_state_has_one_side_that_must_act_and_the_page_says_which(on_the_way: Way, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(votes_needed=2)
    on_the_way.run.project.refresh_from_db()
    proposal = proposals.propose(on_the_way.run, on_the_way.rule(), on_the_way.wish(), by=on_the_way.steward)
    said = []

    def turn() -> None:
        proposal.refresh_from_db()
        said.append(turns.of(proposal).words)
        for by in (on_the_way.steward, on_the_way.officer):
            there = reverse("proposal", args=[proposal.project_id, proposal.pk])
            assert escape(said[-1]) in signed_in(by).get(there).content.decode()

    turn()
    work_off("warn")
    turn()
    given = remarks.advise(proposal, "Ask for a contract.", "Data protection officer", by=on_the_way.steward)
    on_the_way.answer(proposal)
    turn()
    remarks.answer_advice(given, followed=False, why="There is one.", by=on_the_way.steward)
    turn()
    on_the_way.approve(proposal)
    turn()
    on_the_way.approve(proposal, by=on_the_way.second)
    turn()
    work_off("build")
    turn()
    releases.revoke(proposal.release, "The contract was ended.", by=on_the_way.officer)
    assert turns.of(Proposal.objects.get(pk=proposal.pk)).words.endswith("decision stays. Its release is revoked.")
    turn()
    sides = [re.split(" must | may | computes | builds ", words)[0] for words in said]
    proposers = "The proposer\u2019s side"
    officers = ["An officer who did not propose it", "A second officer"]
    ends = ["The worker", "The recipient", "An owner"]
    assert sides == ["The worker", proposers, proposers, *officers, *ends]


def test_warnings_that_failed_are_to_be_computed_again(on_the_way: Way) -> None:
    proposal = proposals.propose(on_the_way.run, on_the_way.rule(), on_the_way.wish(), by=on_the_way.steward)
    Run.objects.filter(kind="warn").update(state="failed", fault={"message": "x", "advice": "y"})
    assert "have the warnings computed" in turns.of(proposal).words


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
            downloads.link(release, by=by)
    with pytest.raises(Hidden):
        downloads.link(release, by=Actor(on_the_way.recipient))


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


def test_whose_turn_it_is_comes_with_the_warnings_as_soon_as_they_are_computed(on_the_way: Way) -> None:
    proposal = proposals.propose(on_the_way.run, on_the_way.rule(), on_the_way.wish(), by=on_the_way.steward)
    steward = Client()
    steward.force_login(proposal.proposed_by, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("proposal-warnings", args=[proposal.project_id, proposal.pk])
    turn = '<b id="turn" role="status" hx-swap-oob="true">{}</b>'
    assert turn.format("The worker computes the warnings.") in steward.get(address).content.decode()
    work_off("warn")
    assert turn.format(escape(turns.of(proposal).words)) in steward.get(address).content.decode()
    assert "must answer" in turns.of(proposal).words
    page = steward.get(reverse("proposal", args=[proposal.project_id, proposal.pk])).content.decode()
    assert page.count('id="turn"') == 1
    assert "hx-swap-oob" not in page


def test_the_projects_page_says_what_waits_for_whom(on_the_way: Way, by: Actor) -> None:
    proposal = on_the_way.propose()

    def told() -> list[list[str]]:
        people = (on_the_way.steward, on_the_way.officer, on_the_way.second, by, Actor(on_the_way.recipient))
        pages = [signed_in(one).get(reverse("projects")) for one in people]
        for page in pages:
            assert ("Waiting for you" in page.content.decode()) == bool(page.context["waiting"])
        return [[words for _, words in page.context["waiting"]] for page in pages]

    steward, *others = told()
    assert "must answer" in steward[0]
    assert others == [[]] * 4, "nobody else is asked while warnings are open"
    on_the_way.answer(proposal)
    ask = ["Your decision is asked for."]
    assert told() == [[], ask, ask, [], []], "not the one who proposed it, nor the one who started the run"
    on_the_way.approve(proposal)
    assert told() == [[]] * 5


def test_every_kind_of_warning_has_a_title() -> None:
    modules = (warnings_about.every, warnings_about.earlier, warnings_about.groups)
    source = "".join(map(inspect.getsource, modules))
    kinds = set(re.findall(r'Warned\(\s*"([a-z-]+)"', source))
    assert len(kinds) > 10
    assert kinds == set(TITLES)


def test_why_it_was_withdrawn_is_told_on_its_page(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    steward, there = signed_in(on_the_way.steward), reverse("proposal", args=[proposal.project_id, proposal.pk])
    said = {"withdraw-reason": "A better rule is there."}
    steward.post(reverse("proposal-withdraw", args=[proposal.project_id, proposal.pk]), said)
    assert "Withdrawn: A better rule is there." in steward.get(there).content.decode()


def test_answers_come_along_however_often_it_is_proposed_again(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    for _ in range(2):
        proposals.withdraw(proposal, "Not yet.", by=on_the_way.steward)
        wish = on_the_way.wish()
        proposal = proposals.propose(on_the_way.run, proposal.rule, wish, by=on_the_way.steward, replaces=proposal)
        assert set(selectors.answers_before(proposal).values()) == {"It is known and accepted."}


def test_the_first_of_two_is_told_who_decides_next(on_the_way: Way, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(votes_needed=2)
    on_the_way.run.project.refresh_from_db()
    proposal = on_the_way.propose()
    on_the_way.answer(proposal)
    there = reverse("proposal-decide", args=[proposal.project_id, proposal.pk])
    page = signed_in(on_the_way.officer).post(there, {"vote": "reject", "decide-reason": "Too fine."}, follow=True)
    assert "Your decision is kept. A second officer must decide." in page.content.decode()


def test_advice_comes_along_however_often_it_is_proposed_again_and_is_answered_anew(on_the_way: Way) -> None:
    proposal = on_the_way.propose()
    remarks.advise(proposal, "Not with groups of two.", "Dora, data protection officer", by=on_the_way.officer)
    for _ in range(2):
        proposals.withdraw(proposal, "Not yet.", by=on_the_way.steward)
        wish = on_the_way.wish()
        proposal = proposals.propose(on_the_way.run, proposal.rule, wish, by=on_the_way.steward, replaces=proposal)
        work_off("warn")
        on_the_way.answer(proposal)
        (advice,) = proposal.remarks.filter(kind=Remark.Kind.ADVICE)
        assert (advice.text, advice.by) == ("Not with groups of two.", on_the_way.officer.user)
        with pytest.raises(Unfit, match="advice without an answer"):
            on_the_way.approve(proposal)
        remarks.answer_advice(advice, followed=False, why="The contract forbids to look.", by=on_the_way.steward)
    on_the_way.approve(proposal)
    told = decisions.advice(proposal)
    assert [(one["by"], one["followed"]) for one in told] == [("Dora, data protection officer", False)]


def test_advice_comes_along_to_the_same_rule_proposed_afresh_and_its_form_says_so(on_the_way: Way) -> None:
    first = on_the_way.propose()
    remarks.advise(first, "Not with groups of two.", "Dora, data protection officer", by=on_the_way.officer)
    proposals.withdraw(first, "Not yet.", by=on_the_way.steward)
    repeated = assessing.repeat(on_the_way.run, by=on_the_way.steward)
    work_off("assess")
    repeated.refresh_from_db()
    form = reverse("propose", args=[first.project_id, repeated.pk])
    page = signed_in(on_the_way.steward).get(form, {"rule": first.rule}).content.decode()
    assert "Dora, data protection officer: Not with groups of two." in page
    for run in (on_the_way.run, repeated):
        proposal = proposals.propose(run, first.rule, on_the_way.wish(), by=on_the_way.steward)
        (advice,) = proposal.remarks.filter(kind=Remark.Kind.ADVICE)
        assert (advice.text, advice.by, advice.followed) == ("Not with groups of two.", on_the_way.officer.user, None)
    other = on_the_way.propose(on_the_way.keeping("town"))
    assert not other.remarks.filter(kind=Remark.Kind.ADVICE).exists()
    assert "Advice on this rule" not in signed_in(on_the_way.steward).get(form, {"rule": other.rule}).content.decode()
