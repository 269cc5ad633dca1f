"""The hierarchy studio in a real browser: the tree by keyboard and by mouse, undo, and leaving with unsaved changes."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, Route, expect

from tests.journey.keyboard import Keys
from tests.journey.serving import ROOT, Server, clean_environment
from tests.journey.visitor import Visitor, rows

DESCRIBE = """
import json, sys, django; django.setup()
from riskapp import storage
from riskapp.models import Actor, Attribute, Project, Run, Setup, User
from riskapp.services import runs, setups, uploads
project = Project.objects.get(); by = Actor(User.objects.get(email="ines@example.org"))
with storage.Incoming() as file:
    file.write(b"city,home,work,birth,school,town,age\\n" + b"".join(f"{(city + ',') * 6}{age}\\n".encode()
               for age in range(20, 60) for city in ("Rome", "Milan", "Paris", "Lyon", "Oslo")))
    upload = uploads.add(project, "people.csv", file, by=by)
run = Run.objects.get(upload=upload)
token = runs.claim(run.pk)
if token:
    runs.compute(run.pk, token)
while upload.state != "ready":
    upload.refresh_from_db()
setup = Setup.objects.get(pk=project.pk)
setups.choose_dataset(setup, upload, setup.version, by=by)
groups = [["Rome", "Italy"], ["Milan", "Italy"], ["Paris", "France"], ["Lyon", "France"], ["Oslo", "Norway"]]
Attribute.objects.filter(column__in=["city", "home", "work", "birth", "school"]).update(
    hierarchy={"header": None, "rows": [[*row, "*"] for row in groups]}, role="generalised")
print(json.dumps({one.column: one.pk for one in setup.attributes.all()}))
"""


@pytest.fixture(scope="module")
def visitor(server: Server) -> Visitor:
    return Visitor.of(server)


@pytest.fixture(scope="module")
def columns(server: Server, visitor: Visitor) -> dict[str, int]:
    environment = clean_environment(RISKAPP_VAR=str(server.var), DJANGO_SETTINGS_MODULE="riskapp.settings")
    command = [sys.executable, "-c", DESCRIBE]
    made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert made.returncode == 0, made.stderr
    found: dict[str, int] = json.loads(made.stdout)
    return found


@pytest.fixture
def studio(
    server: Server, visitor: Visitor, columns: dict[str, int], visit: Callable[..., Page]
) -> Callable[..., Page]:
    def sit(column: str, **wishes: object) -> Page:
        page = visit(**wishes)
        page.context.add_cookies([{"name": "sessionid", "value": visitor.session, "url": server.base_url}])
        page.goto(f"{server.base_url}/projects/{visitor.project}/attributes/{columns[column]}/hierarchy/")
        return page

    return sit


def lines(page: Page) -> list[str]:
    return [
        str(label) for label in page.locator("[role=treeitem]").evaluate_all("all => all.map(e => e.dataset.label)")
    ]


def line(page: Page, label: str) -> Locator:
    return page.locator(f"[role=treeitem][data-label='{label}']")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def opened(page: Page) -> Page:
    page.get_by_role("button", name="Open the tree").click()
    expect(page.get_by_role("tree")).to_be_visible()
    expect(page.locator("[role=treeitem][tabindex='0']")).to_have_count(1)
    return page


def test_the_preview_follows_what_is_typed(studio: Callable[..., Page]) -> None:
    page = studio("age")
    page.get_by_label("Widths, from fine to coarse").fill("20, 100")
    expect(page.locator("#preview")).to_contain_text("[20,40)")
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    expect(page.get_by_label("Widths, from fine to coarse")).to_be_focused()


def test_values_are_put_in_order_by_mouse_and_by_keyboard(studio: Callable[..., Page], server: Server) -> None:
    page = studio("town")
    page.get_by_label("Ordered values: neighbours merged").check()
    page.get_by_role("button", name="Change the order").click()
    listed = page.locator("[data-order] .order-value")
    expect(listed).to_have_text(["Lyon", "Milan", "Oslo", "Paris", "Rome"])
    page.get_by_role("button", name="Move Rome up").click()
    expect(listed).to_have_text(["Lyon", "Milan", "Oslo", "Rome", "Paris"])
    expect(page.locator("#preview")).to_contain_text("Oslo – Rome")
    expect(page.get_by_role("button", name="Move Rome up")).to_be_focused()

    press(page, "Home", "ArrowDown")
    page.get_by_role("button", name="Move Oslo down").focus()
    press(page, "Enter")
    expect(listed).to_have_text(["Lyon", "Rome", "Milan", "Paris", "Oslo"])
    expect(page.locator("#announcer")).to_have_text("Oslo: 5 of 5")
    expect(page.locator("#preview")).to_contain_text("Lyon – Rome")
    assert not [each for each in Axe().run(page).response["violations"] if each["impact"] in {"serious", "critical"}]

    page.get_by_role("button", name="Save the hierarchy").click()
    expect(page.get_by_text("Saved: the hierarchy of town.")).to_be_visible()
    query = 'SELECT hierarchy, "order" FROM riskapp_attribute WHERE "column" = \'town\''
    [(saved, order)] = rows(server.var, query)
    assert (
        [row[0] for row in json.loads(saved)["rows"]] == json.loads(order) == ["Lyon", "Rome", "Milan", "Paris", "Oslo"]
    )


def test_the_tree_is_changed_by_keyboard_alone(studio: Callable[..., Page], server: Server) -> None:
    page = studio("city")
    keys = Keys(page)
    keys.hit(page.get_by_role("button", name="Open the tree"))
    expect(page.get_by_role("treeitem").first).to_be_focused()
    keys.press("Home")
    while page.evaluate("document.activeElement.dataset.label") != "Italy":
        keys.press("ArrowDown")
    press(page, "ArrowDown", "Control+x")  # Rome is picked up
    press(page, "ArrowDown", "ArrowDown", "Control+v")  # and put down on France
    expect(page.locator("#builder")).to_contain_text("Moved.")
    assert lines(page) == ["France", "Rome", "Paris", "Lyon", "Italy", "Milan", "Norway", "Oslo"]
    expect(line(page, "France")).to_be_focused()

    press(page, "Space", "End", "ArrowUp", "Space", "g")
    page.keyboard.type("Elsewhere")
    press(page, "Enter")
    expect(line(page, "Elsewhere")).to_be_focused()
    expect(page.locator(".levels > li")).to_have_count(4)  # groups directly below the top got a level
    press(page, "F2")
    page.keyboard.type("Far away")
    press(page, "Enter")
    expect(line(page, "Far away")).to_be_focused()

    press(page, "Control+z")
    expect(line(page, "Elsewhere")).to_be_visible()
    press(page, "Control+y")
    expect(line(page, "Far away")).to_be_visible()
    assert not [each for each in Axe().run(page).response["violations"] if each["impact"] in {"serious", "critical"}]

    keys.follow(page.get_by_role("button", name="Save the hierarchy"))
    expect(page.get_by_text("Saved: the hierarchy of city.")).to_be_visible()
    [(saved,)] = rows(server.var, "SELECT hierarchy FROM riskapp_attribute WHERE \"column\" = 'city'")
    assert ["Rome", "France", "Far away", "*"] in json.loads(saved)["rows"]


def test_the_tree_is_changed_also_where_a_pressed_button_never_had_the_focus(studio: Callable[..., Page]) -> None:
    """Some browsers give a button no focus when it is clicked: its address must not stick to the form."""
    page = studio("home")
    page.get_by_role("button", name="Open the tree").evaluate("button => button.click()")
    expect(page.locator("[role=treeitem][tabindex='0']")).to_have_count(1)
    line(page, "Rome").focus()
    press(page, "Control+x", "ArrowDown", "ArrowDown", "Control+v")
    expect(page.locator("#builder")).to_contain_text("Moved.")
    expect(line(page, "Rome")).to_have_attribute("data-parent", "France")


@contextmanager
def unanswered(page: Page) -> Iterator[None]:
    """The first step that is asked for meanwhile has its answer only when everything is pressed."""
    kept: list[Route] = []
    page.route("**/hierarchy/edit/", lambda route: kept.append(route), times=1)
    with page.expect_request("**/hierarchy/edit/"):
        yield
    page.evaluate("0")  # what the browser told before its answer has been heard
    kept[0].continue_()


def test_who_types_faster_than_the_server_answers_loses_no_step(studio: Callable[..., Page], server: Server) -> None:
    page = opened(studio("work"))
    before = lines(page)
    line(page, "Rome").focus()
    with unanswered(page):
        press(page, "Control+x", "ArrowDown", "ArrowDown", "Control+v")
        press(page, "ArrowDown", "Control+x", "End", "Control+v")  # Paris, while nobody knows whether Rome has moved
    expect(line(page, "Paris")).to_have_attribute("data-parent", "Norway")
    expect(line(page, "Rome")).to_have_attribute("data-parent", "France")
    moved = lines(page)

    with unanswered(page):
        press(page, "Control+z", "Control+z")
    expect(line(page, "Rome")).to_have_attribute("data-parent", "Italy")
    assert lines(page) == before
    with unanswered(page):
        press(page, "Control+y", "Control+y")
    expect(line(page, "Paris")).to_have_attribute("data-parent", "Norway")
    assert lines(page) == moved

    with unanswered(page):
        press(page, "Control+z")
        page.get_by_role("button", name="Save the hierarchy").click(no_wait_after=True)
    expect(page.get_by_text("Saved: the hierarchy of work.")).to_be_visible()
    [(saved,)] = rows(server.var, "SELECT hierarchy FROM riskapp_attribute WHERE \"column\" = 'work'")
    assert [row for row in json.loads(saved)["rows"] if row[0] in ("Rome", "Paris")] == [
        ["Rome", "France", "*"],
        ["Paris", "France", "*"],
    ]


def test_a_value_is_dragged_into_another_group_and_leaving_asks(studio: Callable[..., Page]) -> None:
    page = opened(studio("birth"))
    before = lines(page)
    line(page, "Oslo").drag_to(line(page, "Milan"))
    expect(page.locator("#builder")).to_contain_text("Moved.")
    expect(line(page, "Oslo")).to_have_attribute("data-parent", "Italy")

    page.get_by_role("button", name="Undo", exact=True).click()
    expect(line(page, "Oslo")).to_have_attribute("data-parent", "Norway")
    assert lines(page) == before
    page.get_by_role("button", name="Redo").click()
    expect(line(page, "Oslo")).to_have_attribute("data-parent", "Italy")

    page.once("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog") as asked:
        page.get_by_role("link", name="Attributes").first.click(no_wait_after=True)
    assert asked.value.type == "beforeunload"
    expect(line(page, "Oslo")).to_be_visible()


def test_a_group_is_split_by_a_key_and_by_a_button_and_that_is_undone(studio: Callable[..., Page]) -> None:
    page = opened(studio("school"))
    before = lines(page)
    line(page, "France").focus()
    press(page, "Delete")
    expect(line(page, "France")).to_have_count(0)
    press(page, "Control+z")
    expect(line(page, "France")).to_be_visible()
    assert lines(page) == before

    line(page, "France").click()
    page.locator(".tree-tools [data-do=split]").click()
    expect(line(page, "France")).to_have_count(0)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(line(page, "France")).to_be_visible()
    assert lines(page) == before


def test_a_refused_step_keeps_what_was_chosen_and_typed(studio: Callable[..., Page]) -> None:
    page = opened(studio("city"))
    line(page, "Rome").click()
    line(page, "Oslo").click()
    line(page, "Rome").focus()
    press(page, "g")
    page.keyboard.type("France")
    press(page, "Enter")
    expect(page.locator("#builder")).to_contain_text("has a group of this name already")
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_have_count(2)
    expect(line(page, "Rome")).to_be_focused()

    press(page, "g")
    expect(page.locator("#ask-name")).to_have_value("France")
    page.locator("#ask-name").fill("Far")
    press(page, "Enter")
    expect(page.locator("#builder")).to_contain_text("Grouped.")
    assert [line(page, city).get_attribute("data-parent") for city in ("Rome", "Oslo")] == ["Far", "Far"]
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_have_count(0)


def test_what_was_dragged_is_let_go_of_also_where_the_step_is_refused(studio: Callable[..., Page]) -> None:
    page = opened(studio("city"))
    before = lines(page)

    def to_nowhere(route: Route) -> None:
        """The group is there no more when the step arrives."""
        asked = route.request.post_data or ""
        assert "to%22%3A%22Italy%22" in asked
        route.continue_(post_data=asked.replace("to%22%3A%22Italy%22", "to%22%3A%22Nowhere%22"))

    page.route("**/hierarchy/edit/", to_nowhere, times=1)
    line(page, "Oslo").drag_to(line(page, "Milan"))
    expect(page.locator("#builder .notice.bad")).to_be_visible()
    expect(line(page, "Oslo")).to_have_attribute("aria-selected", "true")
    expect(page.locator("[role=treeitem].carried")).to_have_count(0)
    line(page, "Milan").focus()
    press(page, "Control+v")
    expect(page.locator("#announcer")).to_contain_text("Nothing is picked up.")
    assert lines(page) == before
