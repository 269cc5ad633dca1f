"""Attackers, from the page of cards to the chart, with real tables and a worker."""

import csv
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from riskapp.bridge import documents
from riskapp.bridge.documents import NotReady
from riskapp.models import Actor, Attacker, AuditEvent, Finding, Project, Run, Setup, Upload, User
from riskapp.services import attackers, inquiries, reading, runs, setups
from riskapp.services.states import Overtaken
from tests.app.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "customers"
CUSTOMERS, REGISTER = (EXAMPLE / name for name in ("customers.csv", "register.csv"))
CENSUS = "town,work,number\nAshford,doctor,40\nAshford,baker,60\n"


@pytest.fixture
def setup(project: Project, arrive: Callable[..., Upload], by: Actor) -> Setup:
    """The customers described as suggested, with town, born and work released and known to attackers."""
    upload = arrive(CUSTOMERS.read_bytes(), "customers.csv")
    work_off("read")
    upload.refresh_from_db()
    found = Setup.objects.get(pk=project.pk)
    setups.choose_dataset(found, upload, found.version, by=by)
    setups.accept_all(found, by=by)
    for one in found.attributes.exclude(column="person"):
        setups.describe(one, one.version, by=by, role="generalised", knowable=True, hierarchy=None)
    return found


@pytest.fixture
def register(setup: Setup, arrive: Callable[..., Upload]) -> Upload:
    upload = arrive(REGISTER.read_bytes(), "register.csv")
    work_off("read")
    upload.refresh_from_db()
    return upload


@pytest.fixture
def stranger(setup: Setup, register: Upload, by: Actor) -> Attacker:
    found = attackers.add(setup, "register", "stranger", by=by)
    attackers.describe(found, found.version, by=by, upload=register, source="the town hall")
    return found


@pytest.fixture
def browser(client: Client, officer: User) -> Client:
    client.force_login(officer, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def at(project: Project) -> Callable[..., str]:
    def address(name: str, *ids: object) -> str:
        return reverse(name, args=[project.pk, *ids])

    return address


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def seen_by_hand(columns: list[str]) -> Counter[str]:
    """The coverage, by comparing every customer with every person of the register."""
    customers, people = (rows_of(path) for path in (CUSTOMERS, REGISTER))
    bands: Counter[str] = Counter()
    for one in customers:
        fit = sum(all(one[column] == other[column] for column in columns) for other in people)
        bands["0" if not fit else "1" if fit == 1 else "2-5" if fit <= 5 else "6-20" if fit <= 20 else ">20"] += 1
    return bands


def suggested(attacker: Attacker, by: Actor) -> dict[str, object]:
    question = inquiries.about_matching(attacker.setup, attacker.upload, "it")
    inquiries.ask(attacker.setup.project, question, by=by)
    work_off("matching")
    figures = inquiries.of(attacker.setup.project, question).figures
    assert figures is not None
    return figures


def matched(attacker: Attacker, by: Actor, *columns: str) -> None:
    attackers.describe(attacker, attacker.version, by=by, match={column: column for column in columns})


def form_of(attacker: Attacker, **given: str) -> dict[str, str]:
    """What the form of the matching sends: columns in the order of the register."""
    return {"seen": str(attacker.version), "kind": "register", **given}


# The list


def test_the_dataset_itself_is_there_from_the_start_with_its_meaning(
    browser: Client, setup: Setup, at: Callable[..., str]
) -> None:
    page = browser.get(at("attackers")).content.decode()
    assert "neighbour" in page
    assert "Knows who is in the file" in page


def test_without_one_who_knows_who_is_in_the_file_the_page_offers_one(
    browser: Client, setup: Setup, stranger: Attacker, at: Callable[..., str]
) -> None:
    neighbour = setup.attackers.get(kind="self")
    browser.post(at("attacker-remove", neighbour.pk), {"seen": neighbour.version})
    page = browser.get(at("attackers")).content.decode()
    assert "exactly these columns about everybody in the file" in page


def test_every_card_of_people_can_be_added_twice_under_names_of_their_own(
    browser: Client, setup: Setup, at: Callable[..., str]
) -> None:
    for preset in ("stranger", "census", "neighbour", "staff", "stranger"):
        assert browser.post(at("attacker-add"), {"preset": preset}).status_code == 302
    names = list(setup.attackers.values_list("name", flat=True))
    assert names == ["neighbour", "stranger", "census", "neighbour 2", "recipient’s staff", "stranger 2"]
    assert browser.get(at("attackers")).status_code == 200


def test_a_copy_has_everything_but_the_name(stranger: Attacker, by: Actor) -> None:
    matched(stranger, by, "town", "born")
    copy = attackers.duplicate(stranger, by=by)
    assert copy.name == "stranger 2"
    same = ("match", "kind", "upload_id", "source", "fuzzy", "identity")
    assert [getattr(copy, key) for key in same] == [getattr(stranger, key) for key in same]


def test_what_was_removed_can_be_brought_back_once(
    browser: Client, setup: Setup, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    attackers.describe(stranger, stranger.version, by=by, delete_after=timezone.localdate())
    matched(stranger, by, "town")
    browser.post(at("attacker-remove", stranger.pk), {"seen": stranger.version})
    assert not setup.attackers.filter(name="stranger").exists()
    assert "Undo" in browser.get(at("attackers")).content.decode()
    browser.post(at("attacker-restore"))
    back = setup.attackers.get(name="stranger")
    assert (back.match, back.upload_id, back.delete_after) == (
        {"town": "town"},
        stranger.upload_id,
        stranger.delete_after,
    )
    browser.post(at("attacker-restore"))
    assert setup.attackers.filter(name__startswith="stranger").count() == 1


def test_one_who_was_changed_meanwhile_is_not_removed(stranger: Attacker, by: Actor) -> None:
    seen = stranger.version
    matched(stranger, by, "town")
    with pytest.raises(Overtaken):
        attackers.remove(stranger, seen, by=by)
    assert Attacker.objects.filter(pk=stranger.pk).exists()


def test_attackers_can_be_put_in_order(
    browser: Client, setup: Setup, stranger: Attacker, at: Callable[..., str]
) -> None:
    browser.post(at("attacker-move", stranger.pk), {"to": "up"})
    assert [one.name for one in setup.attackers.all()] == ["stranger", "neighbour"]
    browser.post(at("attacker-move", stranger.pk), {"to": "up"})
    assert [one.name for one in setup.attackers.all()] == ["stranger", "neighbour"]
    browser.post(at("attacker-move", stranger.pk), {"to": "down"})
    assert [one.name for one in setup.attackers.all()] == ["neighbour", "stranger"]


def priors(setup: Setup, *given: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for one, share in zip(setup.attackers.all(), given, strict=True):
        found |= {f"prior_{one.pk}": share, f"seen_{one.pk}": str(one.version)}
    return found


def test_shares_are_taken_in_proportion_and_sum_to_one(
    browser: Client, setup: Setup, stranger: Attacker, at: Callable[..., str]
) -> None:
    assert browser.post(at("attackers"), priors(setup, "30", "10")).status_code == 302
    assert list(setup.attackers.values_list("prior", flat=True)) == [0.75, 0.25]
    page = browser.get(at("attackers")).content.decode()
    assert "75\N{NO-BREAK SPACE}%" in page
    assert "25\N{NO-BREAK SPACE}%" in page


def test_shares_that_are_all_zero_are_refused_and_nothing_is_saved(
    browser: Client, setup: Setup, stranger: Attacker, at: Callable[..., str]
) -> None:
    answer = browser.post(at("attackers"), priors(setup, "0", "0"))
    assert answer.status_code == 422
    assert "All shares are 0" in answer.content.decode()
    assert list(setup.attackers.values_list("prior", flat=True)) == [1.0, 1.0]


def test_shares_over_a_change_of_somebody_else_are_refused_as_a_whole(
    browser: Client, setup: Setup, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    given = priors(setup, "30", "10")
    matched(stranger, by, "town")
    answer = browser.post(at("attackers"), given)
    assert answer.status_code == 422
    assert list(setup.attackers.values_list("prior", flat=True)) == [1.0, 1.0]


# Matching


def test_the_columns_of_the_register_are_suggested_with_reasons_and_taken_over_at_once(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    suggested(stranger, by)
    page = browser.get(at("attacker", stranger.pk)).content.decode()
    assert "The name is the same" in page
    answer = browser.post(at("attacker-accept", stranger.pk), {"seen": stranger.version})
    assert answer.status_code == 302
    stranger.refresh_from_db()
    assert stranger.match == {"town": "town", "born": "born", "work": "work"}
    assert stranger.identity == "person"


def test_what_was_matched_by_hand_stays_where_nothing_is_suggested(
    browser: Client, setup: Setup, arrive: Callable[..., Upload], by: Actor, at: Callable[..., str]
) -> None:
    upload = arrive("town,hue,other\nAshford,red,1\nElm,blue,2\n", "hues.csv")
    work_off("read")
    upload.refresh_from_db()
    found = attackers.add(setup, "register", "hues", by=by)
    attackers.describe(found, found.version, by=by, upload=upload)
    attackers.describe(
        found, found.version, by=by, match={"hue": "work", "other": "town"}, fuzzy={"hue": 0.9, "other": 0.8}
    )
    suggested(found, by)
    browser.post(at("attacker-accept", found.pk), {"seen": found.version})
    found.refresh_from_db()
    assert (found.match, found.fuzzy) == ({"hue": "work", "town": "town"}, {"hue": 0.9})


def test_a_column_that_would_meet_nobody_is_left_unmatched_and_named(
    browser: Client, setup: Setup, arrive: Callable[..., Upload], by: Actor, at: Callable[..., str]
) -> None:
    upload = arrive("town,work\nAshford,D\nElm,B\n", "short.csv")
    work_off("read")
    upload.refresh_from_db()
    found = attackers.add(setup, "register", "short", by=by)
    attackers.describe(found, found.version, by=by, upload=upload)
    figures = suggested(found, by)
    assert [one["suggested"]["confidence"] for one in figures["columns"]] == ["certain", "possible"]  # type: ignore[attr-defined]
    page = browser.post(at("attacker-accept", found.pk), {"seen": found.version}, follow=True).content.decode()
    assert "Left unmatched: “work”." in page
    found.refresh_from_db()
    assert found.match == {"town": "town"}

    table = {"table": str(upload.pk)}
    browser.post(at("linkage"), table | {"suggest": "yes"})
    work_off("matching")
    setup.refresh_from_db()
    given = table | {"seen": str(setup.version), "accept": "yes"}
    assert "Left unmatched: “work”." in browser.post(at("linkage"), given, follow=True).content.decode()
    setup.refresh_from_db()
    assert setup.linkage is not None
    assert setup.linkage["match"] == {"town": "town"}


def test_a_table_of_counts_is_recognised_as_one(
    browser: Client, setup: Setup, arrive: Callable[..., Upload], by: Actor, at: Callable[..., str]
) -> None:
    upload = arrive(CENSUS, "census.csv")
    work_off("read")
    upload.refresh_from_db()
    census = attackers.add(setup, "register", "census", by=by)
    attackers.describe(census, census.version, by=by, upload=upload)
    suggested(census, by)
    browser.post(at("attacker-accept", census.pk), {"seen": census.version})
    census.refresh_from_db()
    assert (census.kind, census.count, census.identity) == ("counts", "number", "")
    work_off("coverage")
    found = inquiries.of(setup.project, inquiries.about_coverage(census)).figures
    assert found is not None
    assert found["people"] == 100


def test_counts_without_a_column_that_counts_are_asked_for_it(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    answer = browser.post(at("attacker-know", stranger.pk), form_of(stranger) | {"kind": "counts"})
    assert answer.status_code == 422
    assert "Choose the column that counts the people" in answer.content.decode()


def test_two_columns_for_one_attribute_are_refused_and_what_was_chosen_stays(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    answer = browser.post(at("attacker-know", stranger.pk), form_of(stranger, match_1="town", match_2="town"))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Leave one of them out" in page
    assert len(re.findall(r'<option value="town" selected>', page)) == 2
    stranger.refresh_from_db()
    assert stranger.match == {}


def test_a_match_over_a_change_of_somebody_else_keeps_what_was_chosen_and_can_be_saved_again(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    given = form_of(stranger, match_2="born")
    matched(stranger, by, "town")
    answer = browser.post(at("attacker-know", stranger.pk), given)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "in the meantime" in page
    assert '<option value="born" selected>' in page
    seen = re.search(r'id="knowing".*?name="seen" value="(\d+)"', page, re.DOTALL)
    assert seen is not None
    assert browser.post(at("attacker-know", stranger.pk), given | {"seen": seen[1]}).status_code == 302
    stranger.refresh_from_db()
    assert stranger.match == {"born": "born"}


def test_another_file_begins_with_nothing_matched(stranger: Attacker, arrive: Callable[..., Upload], by: Actor) -> None:
    matched(stranger, by, "town")
    other = arrive(CENSUS, "census.csv")
    work_off("read")
    other.refresh_from_db()
    attackers.describe(stranger, stranger.version, by=by, upload=other)
    assert stranger.match == {}


def test_a_name_that_is_taken_or_has_a_meaning_is_refused(
    browser: Client, setup: Setup, stranger: Attacker, at: Callable[..., str]
) -> None:
    for name, words in (("neighbour", "Another attacker has this name"), ("worst", "meaning of its own")):
        answer = browser.post(at("attacker", stranger.pk), {"seen": stranger.version, "name": name})
        assert answer.status_code == 422
        assert words in answer.content.decode()


def test_a_run_that_looks_at_one_attacker_only_follows_its_new_name(
    setup: Setup, stranger: Attacker, by: Actor
) -> None:
    Setup.objects.filter(pk=setup.pk).update(risk={"over_dictionaries": "stranger"})
    stranger = Attacker.objects.select_related("setup__project").get(pk=stranger.pk)
    attackers.describe(stranger, stranger.version, by=by, name="registrar")
    assert Setup.objects.get(pk=setup.pk).risk == {"over_dictionaries": "registrar"}
    attackers.remove(Attacker.objects.select_related("setup__project").get(pk=stranger.pk), stranger.version, by=by)
    assert Setup.objects.get(pk=setup.pk).risk == {"over_dictionaries": "worst"}


def test_a_register_whose_day_has_passed_is_pointed_at(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    attackers.describe(stranger, stranger.version, by=by, delete_after=yesterday)
    for address in (at("attackers"), at("attacker", stranger.pk)):
        assert "should be gone has passed" in browser.get(address).content.decode()


# Coverage


@pytest.mark.parametrize("columns", [["town"], ["town", "born"], ["town", "born", "work"]])
def test_the_chart_counts_what_comparing_every_record_with_everybody_counts(
    stranger: Attacker, by: Actor, columns: list[str]
) -> None:
    matched(stranger, by, *columns)
    inquiries.ask(stranger.setup.project, inquiries.about_coverage(stranger), by=by)
    work_off("coverage")
    found = inquiries.of(stranger.setup.project, inquiries.about_coverage(stranger)).figures
    assert found is not None
    assert Counter(found["bands"]) == seen_by_hand(columns)


def test_the_chart_of_a_form_that_is_not_saved_is_counted_and_told_apart(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    matched(stranger, by, "town")
    browser.post(at("attacker-coverage", stranger.pk), headers={"HX-Request": "true"})
    work_off("coverage")
    shown = inquiries.of(stranger.setup.project, inquiries.about_coverage(stranger)).key
    given = form_of(stranger, match_1="town", match_2="born") | {"shown": shown}
    waiting = browser.post(at("attacker-coverage", stranger.pk), given, headers={"HX-Request": "true"}).content.decode()
    assert "The chart before your change" in waiting
    assert 'hx-trigger="every 1s"' in waiting
    work_off("coverage")
    poll = re.search(r'hx-get="([^"]+)"', waiting)
    assert poll is not None
    done = browser.get(poll[1].replace("&amp;", "&"), headers={"HX-Request": "true"}).content.decode()
    assert "not saved yet" in done
    assert "every 1s" not in done
    assert f"{seen_by_hand(['town', 'born'])['1']} <span" in done
    stranger.refresh_from_db()
    assert stranger.match == {"town": "town"}


def counting(browser: Client, address: str, attacker: Attacker, **match: str) -> str:
    """The key of the chart that is counted for a matching that is not saved."""
    page = browser.post(address, form_of(attacker, **match), headers={"HX-Request": "true"}).content.decode()
    asked = re.search(r"of=(\w+)", page)
    assert asked is not None
    return asked[1]


def test_of_charts_that_are_not_saved_only_the_newest_is_counted(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    matched(stranger, by, "town", "work")
    address = at("attacker-coverage", stranger.pk)
    browser.post(address, headers={"HX-Request": "true"})
    first = counting(browser, address, stranger, match_1="town")
    runs.claim(Run.objects.get(kind="coverage", key=first).pk)  # a worker is at it already
    counting(browser, address, stranger, match_2="born")
    newest = counting(browser, address, stranger, match_1="town", match_2="born")
    asked = Run.objects.filter(kind="coverage").order_by("created_at")
    assert [run.state for run in asked] == ["queued", "cancelled", "cancelled", "queued"], "what is saved is counted"
    assert {run.details["code"] for run in AuditEvent.objects.filter(action="run cancelled")} == {"superseded"}
    work_off("coverage")
    assert Finding.objects.filter(kind="coverage").count() == 2
    chart = browser.get(address, {"of": newest}, headers={"HX-Request": "true"}).content.decode()
    assert f"{seen_by_hand(['town', 'born'])['1']} <span" in chart

    other_window = browser.get(address, {"of": first}, headers={"HX-Request": "true"}).content.decode()
    assert "You changed the matching in another window" in other_window
    assert "hx-trigger" not in other_window, "else two windows would supersede one another for ever"


def test_a_colleagues_chart_is_not_superseded_and_a_superseded_one_can_be_asked_again(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str], member: Callable[[str], User]
) -> None:
    matched(stranger, by, "town", "work")
    address, colleague = at("attacker-coverage", stranger.pk), Client()
    colleague.force_login(member("steward"), backend="django.contrib.auth.backends.ModelBackend")
    theirs = counting(colleague, address, stranger, match_1="town")
    mine = counting(browser, address, stranger, match_2="born")
    counting(browser, address, stranger, match_1="town", match_2="born")
    assert counting(browser, address, stranger, match_2="born") == mine
    work_off("coverage")
    found = set(Finding.objects.filter(kind="coverage").values_list("key", flat=True))
    assert found == {theirs, mine}


def test_the_same_chart_is_counted_once(browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]) -> None:
    matched(stranger, by, "town")
    for _ in range(3):
        browser.post(at("attacker-coverage", stranger.pk), headers={"HX-Request": "true"})
        work_off("coverage")
    setups.describe(stranger.setup.attributes.get(column="work"), 2, by=by, weight=10)
    browser.post(at("attacker-coverage", stranger.pk), headers={"HX-Request": "true"})
    assert Run.objects.filter(kind="coverage").count() == 1


def test_a_register_that_matches_nobody_says_which_column_is_to_blame_and_what_to_do(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    attackers.describe(stranger, stranger.version, by=by, match={"town": "town", "work": "born"})
    browser.post(at("attacker-coverage", stranger.pk))
    work_off("coverage")
    for address in (at("attacker", stranger.pk), at("attackers")):
        page = browser.get(address).content.decode()
        assert "No record fits anybody" in page
        assert "Look at born first" in page
        assert "leave it out" in page


def test_a_register_read_with_other_words_for_missing_leads_to_reading_it_again(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    matched(stranger, by, "town")
    reading.again(Upload.objects.get(pk=stranger.setup.dataset_id), {"missing": ["unknown"]}, by=by)
    work_off("read")
    browser.post(at("attacker-coverage", stranger.pk))
    work_off("coverage")
    there = reverse("upload", args=[stranger.setup.project_id, stranger.upload_id])
    assert f'href="{there}#differently"' in browser.get(at("attacker", stranger.pk)).content.decode()


def test_the_chart_says_what_is_left_to_say(browser: Client, stranger: Attacker, at: Callable[..., str]) -> None:
    page = browser.get(at("attacker", stranger.pk)).content.decode()
    assert "has no column matched to an attribute" in page


def test_somebody_who_knows_nothing_is_refused(browser: Client, setup: Setup, at: Callable[..., str]) -> None:
    neighbour = setup.attackers.get()
    answer = browser.post(at("attacker-know", neighbour.pk), {"seen": neighbour.version})
    assert answer.status_code == 422
    assert "who knows nothing finds nobody" in answer.content.decode()


def test_knowing_everything_goes_on_with_columns_marked_later(
    browser: Client, setup: Setup, at: Callable[..., str]
) -> None:
    neighbour = setup.attackers.get()
    browser.post(at("attacker-know", neighbour.pk), {"seen": neighbour.version, "knows": ["town"]})
    neighbour.refresh_from_db()
    assert neighbour.knows == ["town"]
    everything = {"seen": neighbour.version, "knows": ["town", "born", "work"]}
    browser.post(at("attacker-know", neighbour.pk), everything)
    neighbour.refresh_from_db()
    assert neighbour.knows == []


def test_a_card_tells_only_columns_that_are_released_and_could_be_known(
    browser: Client, setup: Setup, by: Actor, at: Callable[..., str]
) -> None:
    neighbour = setup.attackers.get()
    attackers.describe(neighbour, neighbour.version, by=by, knows=["town", "born", "gone"])
    setups.describe(
        setup.attributes.get(column="born"), setup.attributes.get(column="born").version, by=by, role="dropped"
    )
    [card] = browser.get(at("attackers")).context["attackers"]
    assert card["knows"] == ["town"]


# What if


def test_what_a_neighbour_would_find_who_knew_more_is_what_is_found_when_they_do(
    browser: Client, setup: Setup, by: Actor, at: Callable[..., str]
) -> None:
    neighbour = setup.attackers.select_related("setup__project").get()
    attackers.describe(neighbour, neighbour.version, by=by, knows=["town"])
    page = browser.get(at("attacker", neighbour.pk)).content.decode()
    more = re.findall(r'name="more" value="([^"]+)"', page)
    assert more == ["born → born@0", "work → work@0"]
    waiting = browser.post(at("attacker-what-if", neighbour.pk), {"more": more}, headers={"HX-Request": "true"})
    assert "Waiting for a worker" in waiting.content.decode()
    work_off("what-if")
    question = inquiries.about_more(neighbour, inquiries.could_also_know(neighbour, None))
    figures = inquiries.of(setup.project, question).figures
    assert figures is not None
    with_born = next(one for one in figures["each"] if one["attribute"] == "born")["changes"]["unchanged"]
    customers = rows_of(CUSTOMERS)
    groups = Counter((one["town"], one["born"]) for one in customers)
    assert with_born["before"]["singled_out"] == sum(n == 1 for n in Counter(one["town"] for one in customers).values())
    assert with_born["after"]["singled_out"] == sum(n == 1 for n in groups.values())
    assert with_born["after"]["expected_found"] == pytest.approx(len(groups))
    answer = browser.post(at("attacker-adopt", neighbour.pk), {"more": "born → born@0", "seen": neighbour.version})
    assert answer.status_code == 302
    neighbour.refresh_from_db()
    assert neighbour.knows == ["town", "born"]


def test_a_column_nobody_was_thought_to_know_becomes_known_when_it_is_adopted(setup: Setup, by: Actor) -> None:
    born = setup.attributes.get(column="born")
    setups.describe(born, born.version, by=by, knowable=False)
    neighbour = setup.attackers.select_related("setup__project").get()
    assert [one["attribute"] for one in inquiries.could_also_know(neighbour, None)] == ["born"]
    attackers.learn(neighbour, neighbour.version, {"column": "born", "attribute": "born", "level": "0"}, by=by)
    assert setup.attributes.get(column="born").knowable
    assert set(neighbour.knows) == {"town", "work", "born"}


def test_a_further_column_of_a_register_is_suggested_counted_and_adopted(
    browser: Client, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    suggested(stranger, by)
    attackers.describe(stranger, stranger.version, by=by, match={"town": "town", "born": "born"}, identity="person")
    given = {"more": ["work → work@0"]}
    browser.post(at("attacker-what-if", stranger.pk), given, headers={"HX-Request": "true"})
    work_off("what-if")
    page = browser.post(at("attacker-what-if", stranger.pk), given, headers={"HX-Request": "true"}).content.decode()
    assert "the table unchanged" in page
    assert "every column one level coarser" in page
    figures = Finding.objects.get(kind="what-if").figures["each"][0]["changes"]["unchanged"]
    assert figures["before"]["singled_out"] == seen_by_hand(["town", "born"])["1"]
    assert figures["after"]["singled_out"] == seen_by_hand(["town", "born", "work"])["1"]
    browser.post(at("attacker-adopt", stranger.pk), {"more": "work → work@0", "seen": stranger.version})
    stranger.refresh_from_db()
    assert stranger.match == {"town": "town", "born": "born", "work": "work"}


def test_a_further_column_that_is_written_otherwise_is_not_taken_for_harmless(
    browser: Client, setup: Setup, arrive: Callable[..., Upload], by: Actor, at: Callable[..., str]
) -> None:
    upload = arrive("town,born\n" + "A,1950s\nB,1960s\n" * 10, "coded.csv")
    work_off("read")
    upload.refresh_from_db()
    found = attackers.add(setup, "register", "coded", by=by)
    attackers.describe(found, found.version, by=by, upload=upload)
    page = browser.get(at("attacker", found.pk)).content.decode()
    assert "Match the columns of their table first." in page
    suggested(found, by)
    attackers.describe(found, found.version, by=by, match={"born": "born"})
    given = {"more": ["town → town@0"]}
    browser.post(at("attacker-what-if", found.pk), given, headers={"HX-Request": "true"})
    work_off("what-if")
    page = browser.post(at("attacker-what-if", found.pk), given, headers={"HX-Request": "true"}).content.decode()
    many = len(rows_of(CUSTOMERS))
    assert f"With it, {many} of {many} people would fit nobody" in page


# Likeness


MISSPELT = "town,born\nAshfrod,1950s\nAshford,1960s\nBrookfeild,1950s\n"


@pytest.fixture
def careless(setup: Setup, arrive: Callable[..., Upload], by: Actor) -> Attacker:
    upload = arrive(MISSPELT, "careless.csv")
    work_off("read")
    upload.refresh_from_db()
    found = attackers.add(setup, "register", "careless", by=by)
    attackers.describe(found, found.version, by=by, upload=upload, match={"town": "town"})
    return found


def test_a_threshold_is_tried_with_counts_and_examples_are_an_audited_look(
    browser: Client, careless: Attacker, at: Callable[..., str]
) -> None:
    given = {"column": "0", "match_0": "town"}
    browser.post(at("attacker-likeness", careless.pk), given, headers={"HX-Request": "true"})
    work_off("likeness")
    page = browser.post(at("attacker-likeness", careless.pk), given, headers={"HX-Request": "true"}).content.decode()
    assert "<b>1</b> are spelt as in town" in page
    assert "Ashfrod" not in page
    assert "<option selected>0.9</option>" in page
    look = {"column": "0", "to": "town", "threshold": "0.9"}
    shown = browser.post(at("attacker-examples", careless.pk), look, headers={"HX-Request": "true"}).content.decode()
    assert "Ashfrod" in shown
    event = AuditEvent.objects.get(action="matches seen")
    assert event.details == {"column": "town", "attacker": "careless"}
    assert "Ashfrod" not in str(Finding.objects.get(kind="likeness").figures)


def test_examples_begin_at_the_likeness_that_somebody_has_in_mind(
    browser: Client, careless: Attacker, at: Callable[..., str]
) -> None:
    given = {"column": "0", "match_0": "town", "fuzzy_0": "0.870"}
    waiting = browser.post(at("attacker-likeness", careless.pk), given, headers={"HX-Request": "true"})
    again = re.findall(r'hx-get="([^"]+)"', waiting.content.decode())[0].replace("&amp;", "&")
    work_off("likeness")
    page = browser.get(again, headers={"HX-Request": "true"}).content.decode()
    assert "<option>0.85</option><option selected>0.87</option><option>0.9</option>" in page


def test_a_column_with_slips_is_taken_over_with_its_likeness_and_what_if_counts_it_so(
    browser: Client, setup: Setup, arrive: Callable[..., Upload], by: Actor, at: Callable[..., str]
) -> None:
    towns = setup.attributes.get(column="town")
    lines = [f"Ash{'x' * slip}ford,1950s" for slip in (0, 0, 0, 1)] + ["Brookfield,1960s"] * 4
    upload = arrive("town,born\n" + "\n".join(lines) + "\n", "careless.csv")
    work_off("read")
    upload.refresh_from_db()
    found = attackers.add(setup, "register", "careless", by=by)
    attackers.describe(found, found.version, by=by, upload=upload)
    suggested(found, by)
    assert "by likeness, at least 0.95" in browser.get(at("attacker", found.pk)).content.decode()
    more = [one for one in inquiries.could_also_know(found, suggested(found, by)) if one["attribute"] == "town"]
    assert [one["likeness"] for one in more] == ["0.95"]
    browser.post(at("attacker-accept", found.pk), {"seen": found.version})
    found.refresh_from_db()
    assert (found.match["town"], found.fuzzy) == (towns.column, {"town": 0.95})
    assert "taken" in browser.get(at("attacker", found.pk)).content.decode()


def test_likeness_of_a_column_that_is_not_matched_says_what_to_do(
    browser: Client, careless: Attacker, at: Callable[..., str]
) -> None:
    page = browser.post(at("attacker-likeness", careless.pk), {"column": "1"}).content.decode()
    assert "Match the column to an attribute first" in page
    assert reverse("project-settings", args=[careless.setup_id]) in page  # without scripts it is a page with every tab


def test_a_column_matched_by_likeness_covers_who_is_spelt_otherwise(
    browser: Client, careless: Attacker, at: Callable[..., str]
) -> None:
    answer = browser.post(at("attacker-know", careless.pk), form_of(careless, match_0="town", fuzzy_0="0.9"))
    assert answer.status_code == 302
    careless.refresh_from_db()
    assert careless.fuzzy == {"town": 0.9}
    work_off("coverage")
    found = inquiries.of(careless.setup.project, inquiries.about_coverage(careless)).figures
    assert found is not None
    assert found["attributes"][0]["by_likeness"]


# Bounds


def test_the_customers_bound_the_register_they_stand_in(
    browser: Client, setup: Setup, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    matched(stranger, by, "town", "born", "work")
    browser.post(at("attacker-bounds"), headers={"HX-Request": "true"})
    work_off("compare")
    page = browser.get(at("attackers")).content.decode()
    assert "Who is safe from <b>neighbour</b> is safe from <b>stranger</b>" in page
    assert "<b>stranger</b> does not stand for <b>neighbour</b>" in page
    assert "neighbour has 180 people too few" in page


# Linkage


def test_linkage_data_are_matched_saved_and_part_of_the_assessment(
    browser: Client, setup: Setup, register: Upload, by: Actor, at: Callable[..., str]
) -> None:
    table = {"table": str(register.pk)}
    browser.post(at("linkage"), table | {"suggest": "yes"})
    work_off("matching")
    page = browser.get(at("linkage"), table).content.decode()
    assert "The name is the same" in page
    setup.refresh_from_db()
    given = table | {"seen": str(setup.version), "match_1": "town", "match_2": "born", "adds_3": "2.5"}
    assert browser.post(at("linkage"), given).status_code == 302
    setup.refresh_from_db()
    told = documents.frozen(setup)["assessment"]["linkage"]
    assert told == {"file": "register.csv", "match": {"town": "town", "born": "born"}, "adds": {"work": 2.5}}
    browser.post(at("linkage"), {"remove": "yes"})
    setup.refresh_from_db()
    assert setup.linkage is None


def test_what_is_said_of_a_column_that_is_no_longer_released_waits(setup: Setup, register: Upload, by: Actor) -> None:
    setup.linkage = {"upload": str(register.pk), "match": {"town": "town", "born": "born@1"}, "adds": {"work": 2.5}}
    setup.utility = {"measure": "lm", "weights": {"town": 2, "work": 3}}
    setup.save()
    drop(setup, "town", by)
    told = documents.frozen(setup)["assessment"]
    assert told["linkage"] == {"file": "register.csv", "match": {"born": "born@1"}, "adds": {"work": 2.5}}
    assert told["utility"] == {"measure": "lm", "weights": {"work": 3}}
    drop(setup, "born", by)
    with pytest.raises(NotReady, match="Match one on the Adversary page"):
        documents.frozen(setup)


def drop(setup: Setup, column: str, by: Actor) -> None:
    one = setup.attributes.get(column=column)
    setups.describe(one, one.version, by=by, role="dropped")
    setup.refresh_from_db()


def test_a_column_that_is_not_released_is_told_apart_from_one_that_is_not_recognised(
    browser: Client, setup: Setup, arrive: Callable[..., Upload], by: Actor, at: Callable[..., str]
) -> None:
    upload = arrive("town,person,hue\nAshford,1,red\nAshford,2,blue\n", "other.csv")
    work_off("read")
    found = attackers.add(setup, "register", "other", by=by)
    attackers.describe(found, found.version, by=by, upload=Upload.objects.get(pk=upload.pk))
    browser.post(at("attacker-suggestions", found.pk))
    browser.post(at("linkage"), {"table": str(upload.pk), "suggest": "yes"})
    work_off("matching")
    pages = [browser.get(at("attacker", found.pk)), browser.get(at("linkage"), {"table": str(upload.pk)})]
    for page in pages:
        assert [row["unreleased"] for row in page.context["rows"]] == [False, True, False]
        assert "Not recognised in a column that is released" in page.content.decode()
    assert "has a column of this name, but does not release it" in pages[1].content.decode()


def test_accepting_the_suggestions_for_linkage_data_keeps_the_weights_of_what_they_add(
    browser: Client, setup: Setup, arrive: Callable[..., Upload], at: Callable[..., str]
) -> None:
    upload = arrive("town,illness,born\nAshford,flu,1950s\nAshford,none,1960s\n", "ill.csv")
    work_off("read")
    table = {"table": str(upload.pk)}
    browser.post(at("linkage"), table | {"suggest": "yes"})
    work_off("matching")
    setup.refresh_from_db()
    given = table | {"seen": str(setup.version), "match_0": "town", "adds_1": "2.5", "adds_2": "7", "accept": "yes"}
    assert browser.post(at("linkage"), given).status_code == 302
    setup.refresh_from_db()
    assert setup.linkage is not None
    assert setup.linkage["match"] == {"town": "town", "born": "born"}
    assert setup.linkage["adds"] == {"illness": 2.5}
    late = browser.post(at("linkage"), given)
    assert late.status_code == 422
    assert "Somebody changed the set-up in the meantime." in late.content.decode()
    wrong = browser.post(at("linkage"), given | {"seen": str(setup.version), "adds_1": "-4"})
    assert wrong.status_code == 422
    setup.refresh_from_db()
    assert setup.linkage["adds"] == {"illness": 2.5}


def test_linkage_data_without_a_match_or_with_a_column_twice_are_refused(
    browser: Client, setup: Setup, register: Upload, at: Callable[..., str]
) -> None:
    table = {"table": str(register.pk), "seen": str(setup.version)}
    answer = browser.post(at("linkage"), table)
    assert answer.status_code == 422
    assert "no row can be joined" in answer.content.decode()
    answer = browser.post(at("linkage"), table | {"match_1": "town", "adds_1": "1"})
    assert "known by the match" in answer.content.decode()


# What stays behind


def test_no_value_of_the_tables_stands_in_the_audit_trail_the_findings_or_the_session(
    browser: Client, setup: Setup, stranger: Attacker, by: Actor, at: Callable[..., str]
) -> None:
    suggested(stranger, by)
    browser.post(at("attacker-accept", stranger.pk), {"seen": stranger.version})
    work_off()
    browser.post(at("attacker-bounds"))
    work_off()
    stranger.refresh_from_db()
    browser.post(at("attacker-remove", stranger.pk), {"seen": stranger.version})
    values = {row[column] for row in rows_of(REGISTER) for column in ("person", "town", "work", "born")}
    kept = "".join(str(event.details) for event in AuditEvent.objects.all())
    kept += "".join(str(found.figures) for found in Finding.objects.all()) + str(dict(browser.session))
    assert [value for value in values if value in kept] == []


def test_without_a_dataset_the_page_says_where_to_choose_one(
    browser: Client, project: Project, at: Callable[..., str]
) -> None:
    assert "Choose the dataset" in browser.get(at("attackers")).content.decode()
    browser.post(at("attacker-add"), {"preset": "stranger"})
    assert not Attacker.objects.exists()


def test_an_attacker_whose_file_was_shredded_says_so(
    browser: Client, stranger: Attacker, register: Upload, by: Actor, at: Callable[..., str]
) -> None:
    from riskapp.services import uploads

    matched(stranger, by, "town")
    uploads.purge(register, by=by)
    page = browser.get(at("attacker", stranger.pk)).content.decode()
    assert "was shredded. Choose another" in page
