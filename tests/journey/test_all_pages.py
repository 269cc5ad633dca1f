"""Every page that the product can show, and what opens in the pages of an officer's way, asked for faults.

Which pages there are is not written down here: every address is opened, and every template must have been shown. One
that is added and not come by fails the test.
"""

import sqlite3
from base64 import b32decode
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import get_resolver
from django_otp.oath import totp
from playwright.sync_api import Page, expect

from tests.app.test_policy_table import patterns
from tests.journey import furnished_house, sample_way
from tests.journey.conftest import NewVar, StartServer
from tests.journey.serving import Server, wait_until
from tests.journey.steps import PASSWORD, WORK, set_up
from tests.journey.tour import TELLING, Tour
from tests.journey.visitor import rows


@pytest.fixture(scope="module")
def house(new_var: NewVar) -> Iterator[tuple[Server, dict[str, Any]]]:
    var = new_var("house")
    ids = furnished_house.make(var)
    server = Server(var, **TELLING).ready()
    try:
        released = "SELECT count(*) FROM riskapp_release WHERE state = 'ready'"
        wait_until(lambda: rows(var, released) == [(1,)], "the release is built", seconds=WORK / 1000)
        yield server, ids
    finally:
        server.kill()


@pytest.fixture
def empty(start_server: StartServer) -> Server:
    """A server that nobody has set up."""
    return start_server(**TELLING).ready()


def test_no_page_has_a_serious_fault_and_each_leads_to_help(
    empty: Server, house: tuple[Server, dict[str, Any]], visit: Callable[..., Page], tmp_path: Path
) -> None:
    server, ids = house
    tour = Tour(visit, ids)
    setting_up_the_sample(tour, empty)
    olga, rita = tour.enter(server, "olga"), tour.enter(server, "rita")
    with_something_chosen(tour, olga, tmp_path)
    every_address(tour, olga)
    other_people(tour, rita)
    coming_in(tour, server, olga, rita)
    with_a_second_factor(tour, server)
    troubles(tour, server, olga)
    assert tour.whole - tour.seen == set()
    assert tour.album.faults == {}
    assert tour.helpless == {"500.html"}


def setting_up_the_sample(tour: Tour, empty: Server) -> None:
    ada = tour.window()
    tour.at(ada, empty.setup_link())
    set_up(ada, empty.setup_link(), sample=True)
    sample_way.through(tour, ada)


def every_address(tour: Tour, page: Page) -> None:
    """Whatever address answers with a whole page that was not seen is looked at."""
    for pattern in patterns(get_resolver()):
        address = tour.address(str(pattern.name))
        answer = page.request.get(tour.site(page) + address, max_redirects=0)
        whole = "html" in answer.headers.get("content-type", "") and "<html" in answer.text()
        if whole and tour.template(answer.headers) not in tour.seen:
            tour.at(page, address)


def with_something_chosen(tour: Tour, page: Page, folder: Path) -> None:
    """Pages that are about something besides the address, or that a form leads to."""
    ids = tour.ids
    tour.send(page, tour.address("dataset"), upload=ids["second"])
    tour.send(page, tour.address("template-apply"), upload=ids["second"])
    tour.at(page, tour.address("harm", project_id=ids["empty"]))
    tour.at(page, f"{tour.address('compare')}?rule={ids['rule']}&rule=full-domain:0.0.0")
    tour.at(page, f"{tour.address('runs-compare')}?run={ids['run']}&run={ids['again']}")
    tour.at(page, f"{tour.address('rule-attacker')}&record=1&attacker={ids['attacker']}")
    tour.send(page, tour.address("rule-sample"))
    tour.send(page, tour.address("harm-values"))
    tour.send(page, tour.address("upload-values"))
    exported = folder / "assessment.zip"
    exported.write_bytes(page.request.get(tour.site(page) + tour.address("run-export")).body())
    page.goto(tour.site(page) + tour.address("assessment-import"))
    page.set_input_files("input[type=file]", exported)
    with page.expect_navigation():
        page.get_by_role("button", name="Look at it").click()
    tour.look(page)
    several_hierarchies(tour, page, folder)


def several_hierarchies(tour: Tour, page: Page, folder: Path) -> None:
    """Files that find no column, and one that cannot be read; one gets its column by hand, and is told at once."""
    files = [folder / "of-nothing.csv", folder / "ill.csv", folder / "neither.csv"]
    for file, text in zip(files, ["yes;*\nno;*\n", "yes;*\nyes;*\n", ""], strict=True):
        file.write_text(text)
    page.goto(tour.site(page) + tour.address("hierarchy-files"))
    page.set_input_files("input[type=file]", files)
    with page.expect_navigation():
        page.get_by_role("button", name="Read the files").click()
    expect(page.get_by_text("0 of 3 files can be saved")).to_be_visible()
    page.get_by_label("Column of ill.csv").select_option("Leave it out")
    page.get_by_label("Column of of-nothing.csv").focus()
    page.get_by_label("Column of of-nothing.csv").select_option("ill")
    expect(page.get_by_text("1 of 3 files can be saved")).to_be_visible()
    expect(page.get_by_label("Column of of-nothing.csv")).to_be_focused()
    tour.look(page, "several-hierarchies")


def other_people(tour: Tour, recipient: Page) -> None:
    tour.at(recipient, tour.address("project"))
    tour.at(recipient, tour.address("release"))


def coming_in(tour: Tour, server: Server, olga: Page, rita: Page) -> None:
    nobody = tour.window()
    for name in ("sign-in", "forgotten", "join", "setup"):
        tour.at(nobody, server.base_url + tour.address(name))
    tour.at(nobody, tour.address("join-link", token=tour.ids["newcomer"]))
    tour.at(nobody, tour.address("join-link", token=tour.ids["known"]))
    tour.at(olga, tour.address("join-link", token=tour.ids["known"]))
    tour.at(rita, tour.address("join-link", token=tour.ids["known"]))
    nobody.goto(server.base_url + tour.address("forgotten"))
    tour.send(nobody, tour.address("forgotten"), email="anton@example.org")
    olga.goto(server.base_url + tour.address("person"))
    tour.send(olga, tour.address("person-reset-link"))
    tour.at(nobody, olga.locator("main input[readonly]").first.input_value())


def with_a_second_factor(tour: Tour, server: Server) -> None:
    page = tour.enter(server, "xaver")
    page.goto(server.base_url + tour.address("second-factor"))
    tour.send(page, tour.address("second-factor-start"), password=PASSWORD)
    secret = page.locator("main code").inner_text().replace(" ", "")
    code = totp(b32decode(secret + "=" * (-len(secret) % 8)))
    tour.send(page, tour.address("second-factor-confirm"), code=f"{code:06}")
    tour.look(tour.enter(server, "xaver"))


def troubles(tour: Tour, server: Server, page: Page) -> None:
    tour.at(page, "/nothing-here/")
    tour.at(tour.enter(server, "anton"), tour.address("project-settings"))
    page.goto(server.base_url + "/projects/")
    tour.send(page, tour.address("notices"), csrfmiddlewaretoken="expired")
    page.goto(server.base_url + "/projects/")
    tour.send(page, tour.address("notices"), **{f"field{place}": "" for place in range(1001)})
    nobody = tour.window()
    for _ in range(settings.AXES_FAILURE_LIMIT):
        nobody.goto(server.base_url + tour.address("sign-in"))
        nobody.get_by_label("E-mail address").fill("otto@example.org")
        nobody.get_by_label("Password").fill("wrong")
        with nobody.expect_navigation():
            nobody.get_by_role("button", name="Sign in").click()
    tour.look(nobody)
    for plane in list(server.var.rglob("plane.json.gz")):
        plane.rename(plane.with_suffix(".away"))
    tour.at(page, tour.address("frontier"))
    with closing(sqlite3.connect(server.var / "riskapp.sqlite3", timeout=30)) as database:
        database.execute("ALTER TABLE riskapp_membership RENAME TO riskapp_away")
    tour.at(page, "/projects/")
