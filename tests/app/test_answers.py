"""Several warnings answered with one reason: all of them or none, each in the trail, and only as they were seen."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from riskapp.core.errors import Refused
from riskapp.models import Actor, AuditEvent, Project, Proposal, Remark, Upload, User
from riskapp.services import deciding, remarks, warnings
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from tests.app.deciding import PEOPLE, Way, at_once, way
from tests.app.programs import Program
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)
TWICE = "".join(f"{line},{line.rpartition(',')[2]}\n" for line in PEOPLE.splitlines()).replace("ill,ill", "ill,cure")


@pytest.fixture
def on_the_way(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    return way(project, by, person, arrive, TWICE, ("ill", "cure"))


@pytest.fixture
def proposal(on_the_way: Way) -> Proposal:
    return on_the_way.propose()


def keys(proposal: Proposal) -> list[str]:
    found = warnings.of(proposal).figures
    assert found is not None
    told = [one["key"] for one in found["warnings"]]
    assert {"homogeneous-ill", "homogeneous-cure", "chosen-after-looking"} <= set(told)
    return told


def given(proposal: Proposal) -> dict[str, str]:
    answers = proposal.remarks.filter(kind=Remark.Kind.ANSWER).order_by("pk")
    return {one.warning: one.text for one in answers}


def trail(proposal: Proposal) -> list[str]:
    events = AuditEvent.objects.filter(action="warning answered", subject_id=str(proposal.pk)).order_by("number")
    return [event.details["warning"] for event in events]


def test_several_are_answered_with_one_reason_and_each_is_in_the_trail(on_the_way: Way, proposal: Proposal) -> None:
    every = keys(proposal)
    remarks.answer_warnings(proposal, every[::-1], "Under contract.", by=on_the_way.steward)
    assert given(proposal) == dict.fromkeys(every, "Under contract.")
    assert trail(proposal) == every
    on_the_way.approve(proposal)


def test_one_that_is_not_warned_of_keeps_all_from_being_answered(on_the_way: Way, proposal: Proposal) -> None:
    for chosen in ([*keys(proposal), "no-such"], []):
        with pytest.raises(Unfit, match="no such warning"):
            remarks.answer_warnings(proposal, chosen, "Under contract.", by=on_the_way.steward)
    with pytest.raises(Unfit, match="write something"):
        remarks.answer_warnings(proposal, keys(proposal), "  ", by=on_the_way.steward)
    assert (given(proposal), trail(proposal)) == ({}, [])


def test_nobody_answers_who_may_not_propose(on_the_way: Way, proposal: Proposal) -> None:
    recipient = Actor(on_the_way.recipient, "127.0.0.1")
    with pytest.raises(Refused):
        remarks.answer_warnings(proposal, keys(proposal), "Under contract.", by=recipient)
    with pytest.raises(Refused):
        remarks.answer_warning(proposal, keys(proposal)[0], "Under contract.", by=recipient)
    assert given(proposal) == {}


def test_what_was_answered_since_it_was_seen_is_not_answered_over(on_the_way: Way, proposal: Proposal) -> None:
    every, seen = keys(proposal), remarks.seen(proposal)
    remarks.answer_warning(proposal, every[0], "It is agreed.", by=on_the_way.officer)
    with pytest.raises(Overtaken, match="answered in the meantime"):
        remarks.answer_warnings(proposal, every, "Under contract.", by=on_the_way.steward, seen=seen)
    assert given(proposal) == {every[0]: "It is agreed."}
    remarks.answer_warnings(proposal, every[1:], "Under contract.", by=on_the_way.steward, seen=seen)
    assert given(proposal) == {every[0]: "It is agreed.", **dict.fromkeys(every[1:], "Under contract.")}


@pytest.mark.parametrize("seen", ["x", "-", "-1", "0", "é-٣"])
def test_who_says_nonsense_of_what_they_saw_answers_nothing(on_the_way: Way, proposal: Proposal, seen: str) -> None:
    with pytest.raises(Overtaken):
        remarks.answer_warnings(proposal, keys(proposal), "Under contract.", by=on_the_way.steward, seen=seen)
    assert given(proposal) == {}


def test_other_warnings_than_were_seen_are_not_answered(on_the_way: Way) -> None:
    proposal = on_the_way.propose(on_the_way.keeping("born"))
    found = warnings.of(proposal).figures
    assert found is not None
    every, seen = [one["key"] for one in found["warnings"]], remarks.seen(proposal)
    other = on_the_way.release(rule=on_the_way.keeping("town"))
    assert warnings.question(proposal)["earlier"] == [str(other.pk)]
    with pytest.raises(Unfit, match="still being computed"):
        remarks.answer_warnings(proposal, every, "Under contract.", by=on_the_way.steward, seen=seen)
    warnings.ask(proposal, by=on_the_way.steward)
    work_off("warn")
    with pytest.raises(Overtaken, match="have changed in the meantime"):
        remarks.answer_warnings(proposal, every, "Under contract.", by=on_the_way.steward, seen=seen)
    assert given(proposal) == {}
    remarks.answer_warnings(proposal, every, "Under contract.", by=on_the_way.steward, seen=remarks.seen(proposal))
    assert set(given(proposal)) == set(every)


def test_of_two_who_answer_the_same_at_once_one_is_told(on_the_way: Way, proposal: Proposal) -> None:
    every, seen = keys(proposal), remarks.seen(proposal)
    told = at_once(
        lambda: remarks.answer_warnings(at_hand(proposal), every, "Mine.", by=on_the_way.steward, seen=seen),
        lambda: remarks.answer_warnings(at_hand(proposal), every, "Ours.", by=on_the_way.officer, seen=seen),
    )
    assert told == ["Overtaken", "done"]
    assert len(set(given(proposal).values())) == 1
    assert trail(proposal) == every


def test_nothing_is_answered_after_the_decision_however_close(on_the_way: Way, proposal: Proposal) -> None:
    every = keys(proposal)
    told = at_once(
        lambda: remarks.answer_warnings(at_hand(proposal), every, "Late?", by=on_the_way.steward),
        lambda: deciding.decide(at_hand(proposal), approves=False, reason="Too fine.", by=on_the_way.officer),
    )
    answers = AuditEvent.objects.filter(action="warning answered")
    rejected = AuditEvent.objects.get(action="proposal rejected").number
    assert told == (["done", "done"] if answers else ["Overtaken", "done"])
    assert all(event.number < rejected for event in answers)


def at_hand(proposal: Proposal) -> Proposal:
    return Proposal.objects.get(pk=proposal.pk)


# The page and the requests


def page(by: Actor, proposal: Proposal) -> Any:
    return client(by).get(reverse("proposal", args=[proposal.project_id, proposal.pk]))


def client(by: Actor) -> Client:
    found = Client()
    assert by.user is not None
    found.force_login(by.user, backend="django.contrib.auth.backends.ModelBackend")
    return found


def sent(by: Actor, proposal: Proposal, chosen: list[str], text: str, seen: str = "") -> Any:
    address = reverse("proposal-answers", args=[proposal.project_id, proposal.pk])
    said = {"answers-warnings": chosen, "answers-text": text, "answers-seen": seen or remarks.seen(proposal)}
    return client(by).post(address, said, follow=True)


@pytest.mark.parametrize(
    ("chosen", "answered"),
    [
        (["open"], {"homogeneous-ill", "homogeneous-cure", "chosen-after-looking"}),
        (["kind:Everybody in a group has the same value"], {"homogeneous-ill", "homogeneous-cure"}),
        (["kind:Everybody in a group has the same value", "homogeneous-ill"], {"homogeneous-ill", "homogeneous-cure"}),
        (["chosen-after-looking", "homogeneous-ill"], {"homogeneous-ill", "chosen-after-looking"}),
    ],
)
def test_the_page_offers_all_open_ones_each_kind_and_each(
    on_the_way: Way, proposal: Proposal, chosen: list[str], answered: set[str]
) -> None:
    every = set(keys(proposal))
    wanted = every if chosen == ["open"] else answered
    after = sent(on_the_way.steward, proposal, chosen, "Under contract.")
    assert f"Your answer is kept for {len(wanted)} warnings." in after.content.decode()
    assert set(given(proposal)) == wanted


def test_what_is_answered_is_said_so_and_not_among_the_open_ones(on_the_way: Way, proposal: Proposal) -> None:
    every = keys(proposal)
    assert f"All {len(every)} that have no answer" in page(on_the_way.steward, proposal).content.decode()
    remarks.answer_warning(proposal, "chosen-after-looking", "It is the best.", by=on_the_way.officer)
    told = page(on_the_way.steward, proposal).content.decode()
    assert f"All {len(every) - 1} that have no answer" in told
    assert "Chosen after looking (answered)" in told
    sent(on_the_way.steward, proposal, ["open"], "Under contract.")
    assert given(proposal)["chosen-after-looking"] == "It is the best."


@pytest.mark.parametrize(
    ("chosen", "text"), [([], "Under contract."), (["open"], ""), (["no-such"], "Under contract.")]
)
def test_a_form_filled_in_wrongly_comes_back_as_it_was(
    on_the_way: Way, proposal: Proposal, chosen: list[str], text: str
) -> None:
    back = sent(on_the_way.steward, proposal, chosen, text)
    told = back.content.decode()
    assert back.status_code == 422
    assert '<details class="more" id="several" open>' in told
    assert text in told
    assert given(proposal) == {}


def test_a_page_that_was_left_open_answers_over_nobody(on_the_way: Way, proposal: Proposal) -> None:
    seen = remarks.seen(proposal)
    remarks.answer_warning(proposal, "homogeneous-ill", "It is agreed.", by=on_the_way.officer)
    late = sent(on_the_way.steward, proposal, ["homogeneous-ill"], "Under contract.", seen)
    assert late.status_code == 409
    assert escape("Some of these warnings were answered in the meantime.") in late.content.decode()
    assert given(proposal) == {"homogeneous-ill": "It is agreed."}


def test_who_cannot_answer_is_not_offered_it(on_the_way: Way, proposal: Proposal) -> None:
    assert 'id="several"' in page(on_the_way.steward, proposal).content.decode()
    deciding.decide(proposal, approves=False, reason="Too fine.", by=on_the_way.officer)
    assert 'id="several"' not in page(on_the_way.steward, proposal).content.decode()


def test_programs_answer_several_too(on_the_way: Way, proposal: Proposal) -> None:
    steward, path = Program(on_the_way.steward.user), f"/projects/{proposal.project_id}/proposals/{proposal.pk}"
    told, every = steward.get(path), keys(proposal)
    said = {"warnings": every[:2], "text": "Under contract.", "seen": told["seen"]}
    assert steward.send("POST", f"{path}/answers/several", said)["seen"] != told["seen"]
    assert steward.ask("POST", f"{path}/answers/several", said).status_code == 409
    steward.send("POST", f"{path}/answers/several", {"warnings": every, "text": "The last counts."})
    assert given(proposal) == dict.fromkeys(every, "The last counts.")
    assert steward.ask("POST", f"{path}/answers/several", {"warnings": [], "text": "x"}).status_code == 422
    assert steward.ask("POST", f"{path}/answers/several", {"warnings": ["no"], "text": "x"}).status_code == 422
