"""A stranger's first day: from the printed link to the profile of a million rows, in a real browser."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.journey.conftest import NewVar, StartServer
from tests.journey.keyboard import Keys
from tests.journey.serving import Server
from tests.journey.steps import PASSWORD, make_project, set_up, sign_in
from tests.journey.visitor import rows

ROWS = 1_000_000


@pytest.fixture(scope="session")
def million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("million") / "members.csv"
    with path.open("w") as file:
        file.write("member,email,birthdate,sex,postcode,town,income,job,joined,note\n")
        for block in range(0, ROWS, 10_000):
            file.write("".join(line(number) for number in range(block, block + 10_000)))
    return path


def line(number: int) -> str:
    born = f"{1930 + number % 83}-{1 + number % 12:02d}-{1 + number % 28:02d}"
    town = number * 7919 % 1000
    return (
        f"M{number},m{number}@example.org,{born},{'fm'[number % 2]},{10000 + town},town {town},"
        f"{number * 31 % 90000},{number % 300},20{number % 24:02d},{'call back' if number % 5 == 0 else ''}\n"
    )


def test_from_the_printed_link_to_the_profile_of_a_million_rows(
    start_server: StartServer, visit: Callable[..., Page], million: Path, tmp_path: Path
) -> None:
    server = start_server(tmp_path / "var").ready()
    page = visit()
    set_up(page, server.setup_link(), sample=False)
    make_project(page, "Members")

    page.get_by_role("link", name="Members", exact=True).last.click()
    page.get_by_label("E-mail address").fill("bob@example.org")
    page.get_by_label("Officer").check()
    page.get_by_role("button", name="Make the invitation").click()
    invitation = page.get_by_label("The invitation's link").input_value()

    colleague = visit()
    colleague.goto(invitation)
    colleague.get_by_label("Name").fill("Bob Second")
    for field in colleague.locator("input[type=password]").all():
        field.fill(PASSWORD)
    colleague.locator("main form button[type=submit]").click()
    expect(colleague.get_by_role("heading", name="Members")).to_be_visible()

    page.get_by_role("link", name="Data", exact=True).click()
    page.set_input_files("input[type=file]", million)
    page.wait_for_url(re.compile(r"/uploads/[0-9a-f-]{36}/$"), timeout=120_000)
    expect(page.locator("progress").first).to_be_visible()
    expect(page.get_by_role("heading", name="Columns")).to_be_visible(timeout=180_000)
    expect(page.locator(".figures")).to_contain_text("1\u202f000\u202f000")
    expect(page.get_by_role("row", name=re.compile("^email"))).to_contain_text("E-mail address")
    expect(page.locator("[hx-trigger]")).to_have_count(0)

    colleague.get_by_role("link", name="Data", exact=True).click()
    colleague.get_by_role("link", name="members.csv").click()
    colleague.get_by_role("button", name="Look at values of town").click()
    expect(colleague.get_by_role("region", name="Values of town")).to_contain_text("town 0")
    assert rows(server.var, "SELECT count(*) FROM riskapp_auditevent WHERE action = 'values seen'") == [(1,)]
    assert server.stop() == 0


@pytest.fixture(scope="module")
def furnished(new_var: NewVar, browser: Browser) -> Iterator[Server]:
    """A server with the sample project, read, and Ada signed in once."""
    server = Server(new_var("furnished")).ready()
    try:
        page = browser.new_page()
        set_up(page, server.setup_link(), sample=True)
        page.get_by_role("link", name=re.compile("Sample")).click()
        expect(page.locator(".pill.ok")).to_have_count(2, timeout=90_000)
        page.close()
        yield server
    finally:
        server.kill()


def test_everything_can_be_reached_and_pressed_with_the_keyboard(furnished: Server, visit: Callable[..., Page]) -> None:
    page = visit()
    page.goto(f"{furnished.base_url}/sign-in/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    keys = Keys(page)
    keys.write(page.get_by_label("E-mail address"), "ada@example.org")
    keys.write(page.get_by_label("Password"), PASSWORD)
    keys.follow(page.get_by_role("button", name="Sign in"))
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    keys.follow(page.get_by_role("link", name=re.compile("Sample")))
    keys.follow(page.get_by_role("link", name="members.csv"))
    keys.hit(page.get_by_role("button", name="Look at values of sex"))
    expect(page.get_by_role("region", name="Values of sex")).to_be_visible()


def test_a_bad_file_shows_its_line_and_can_be_read_otherwise(
    furnished: Server, visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit()
    sign_in(page, furnished, "ada@example.org")
    make_project(page, "Bad files")
    bad = tmp_path / "ragged.csv"
    bad.write_text("name,town\nAnn,Aldersee\nBob,Cronfeld,7\n")
    page.set_input_files("input[type=file]", bad)
    expect(page.get_by_text(re.compile("Line 3"))).to_be_visible(timeout=60_000)
    page.get_by_label("Lines with too many or too few cells").select_option("leave-out")
    page.get_by_role("button", name="Read the file like this").click()
    expect(page.get_by_role("heading", name="Columns")).to_be_visible(timeout=60_000)
    expect(page.locator(".pill.ok")).to_be_visible()

    page.get_by_role("link", name="Shred").click()
    page.get_by_role("button", name="Shred it").click()
    expect(page.get_by_text("the bytes, the coded table and the profile are gone")).to_be_visible()
    page.get_by_label("Project", exact=True).get_by_role("link", name="Audit").click()
    page.get_by_role("button", name="Verify now").click()
    expect(page.get_by_text("The chain is whole.")).to_be_visible()


def test_a_file_that_is_refused_is_told_before_it_is_sent(
    furnished: Server, visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit()
    sign_in(page, furnished, "ada@example.org")
    make_project(page, "Wrong files")
    wrong = tmp_path / "letter.pdf"
    wrong.write_bytes(b"%PDF-1.7")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/uploads/") else None)
    page.set_input_files("input[type=file]", wrong)
    expect(page.get_by_role("alert")).to_contain_text("Files with this ending are not read here")
    assert sent == []


def test_a_file_chosen_before_the_script_was_there_is_sent_too(
    furnished: Server, visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit()
    sign_in(page, furnished, "ada@example.org")
    make_project(page, "Quick hands")
    early = tmp_path / "early.csv"
    early.write_text("name\nAnn\n")
    held: list[Route] = []
    script = re.compile(r"/upload[^/]*\.js")
    page.route(script, lambda route: held.append(route))
    with page.expect_request(script):
        page.goto(page.url, wait_until="commit")
    page.set_input_files("input[type=file]", early)
    expect(page.locator(".dropzone.is-live")).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_role("heading", name="early.csv")).to_be_visible()


def test_without_scripts_a_file_can_still_be_uploaded(
    furnished: Server, visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit(java_script_enabled=False)
    sign_in(page, furnished, "ada@example.org")
    make_project(page, "Plain")
    plain = tmp_path / "plain.csv"
    plain.write_text("name\nAnn\n")
    page.set_input_files("input[type=file]", plain)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", name="plain.csv")).to_be_visible()
