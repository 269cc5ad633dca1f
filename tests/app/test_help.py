"""The handbook inside the application."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver, reverse

from riskapp.web import handbook
from riskapp.web.handbook import markdown
from riskapp.web.handbook.here import BY_PAGE, page_about
from riskapp.web.handbook.pages import files, led, pictures
from tests.app.test_policy_table import patterns

pytestmark = pytest.mark.django_db

ROOT = Path(settings.BASE_DIR)
TAG = re.compile(r"""\{%\s*url\s+['"]help-page['"]\s+(?:page=)?['"]([^'"]+)['"]\s*(?:as \w+\s*)?%\}(?:#([\w-]+))?""")
CALL = re.compile(r"""reverse\(\s*"help-page",\s*args=\["([^"]+)"\]\s*\)""")
INSIDE = re.compile(r'href="/help/([^"#]*)(?:#([^"]*))?"')


def named() -> list[tuple[str, str, str]]:
    """Every link to a page of the handbook in a template or in the code: where, which page, which anchor."""
    found = []
    for path in [*ROOT.glob("templates/**/*.html"), *ROOT.glob("riskapp/**/*.py")]:
        text = path.read_text(encoding="utf-8")
        found += [(path.name, page, anchor) for page, anchor in TAG.findall(text)]
        found += [(path.name, page, "") for page in CALL.findall(text)]
    return found


def test_every_help_link_of_a_page_leads_to_a_page_and_an_anchor_that_exist() -> None:
    assert named()
    lost = [f"{where}: {page}" for where, page, _ in named() if page not in files()]
    assert lost == []
    unanchored = [
        f"{where}: {page}#{anchor}"
        for where, page, anchor in named()
        if anchor and anchor not in handbook.page(page).anchors
    ]
    assert unanchored == []


def test_every_page_of_the_product_has_a_page_of_the_handbook_about_it() -> None:
    assert [page for page in BY_PAGE if page not in files()] == []
    names = {pattern.name or "" for pattern in patterns(get_resolver())}
    assert [name for names_of in BY_PAGE.values() for name in names_of if name not in names] == []
    no_pages = {"healthz", "readyz", "home", "sign-out", "token-withdraw", "invitation-withdraw", "sample-progress"}
    assert {name for name in names if not page_about(name)} == {"help", "help-page", "help-picture"} | no_pages


@pytest.mark.parametrize("name", files())
def test_links_between_pages_lead_to_pages_and_anchors_that_exist(name: str) -> None:
    for target, anchor in INSIDE.findall(handbook.page(name).html):
        if target.startswith("pictures/"):
            assert target.removeprefix("pictures/") in pictures()
            continue
        there = handbook.page(target.rstrip("/") or "README")
        assert not anchor or anchor in there.anchors, f"{name} → {target}#{anchor}"


@pytest.mark.parametrize("name", files())
def test_every_page_is_shown_without_inline_style_or_script(client: Client, name: str) -> None:
    answer = client.get(reverse("help-page", args=[name]), follow=True)
    assert answer.status_code == 200
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|<[a-z][^>]*\sstyle\s*=", answer.content.decode())


def test_raw_html_in_a_page_is_shown_as_text() -> None:
    shown = markdown.rendered(markdown.parsed("Hello <script>alert(1)</script> <b>x</b>"), lambda link: link)
    assert "<script" not in shown
    assert "<b>" not in shown


@pytest.mark.parametrize("link", ["javascript:alert(1)", "../../manage.py", "../../../etc/passwd", "http://a.example"])
def test_a_link_to_what_is_not_shown_here_is_only_words(link: str) -> None:
    shown = markdown.rendered(markdown.parsed(f"Look [there]({link})."), lambda one: led("reference/roles", one))
    assert "<a" not in shown
    assert "there" in shown


@pytest.mark.parametrize("name", ["../manage", "reference/../../settings", "no/such", "..%2fmanage", "images/profile"])
def test_nothing_but_the_pages_can_be_asked_for(client: Client, name: str) -> None:
    assert client.get(f"/help/{name}/").status_code == 404


@pytest.mark.parametrize("name", ["../manage.py", "reference/roles.md", "no.png"])
def test_nothing_but_the_pictures_can_be_asked_for(client: Client, name: str) -> None:
    assert client.get(f"/help/pictures/{name}").status_code == 404


def test_a_picture_of_a_page_is_served(client: Client) -> None:
    name = next(iter(pictures()))
    answer = client.get(reverse("help-picture", args=[name]))
    assert answer.content == (ROOT / "docs" / name).read_bytes()
    assert answer["Content-Type"].startswith("image/")


def test_a_page_has_a_table_of_contents_with_its_headings(client: Client) -> None:
    shown = client.get(reverse("help-page", args=["reference/audit"])).content.decode()
    assert '<a href="#what-keeps-it">What keeps it</a>' in shown
    assert 'id="what-keeps-it"' in shown


def test_a_search_finds_titles_before_text_and_marks_the_words(client: Client) -> None:
    hits = handbook.search("audit trail")
    assert hits[0].page.name == "reference/audit"
    assert {piece.lower() for hit in hits for piece in hit.pieces[1::2]} <= {"audit", "trail"}
    shown = client.get(reverse("help"), {"q": "audit trail"}).content.decode()
    assert "<mark>audit</mark>" in shown


def test_a_search_needs_every_word_and_says_so_when_nothing_is_found(client: Client) -> None:
    assert handbook.search("audit flumadiddle") == []
    assert "every word must occur" in client.get(reverse("help"), {"q": "flumadiddle"}).content.decode()


def test_what_somebody_searches_for_is_never_taken_for_html(client: Client) -> None:
    shown = client.get(reverse("help"), {"q": "<script>alert(1)</script>"}).content.decode()
    assert "<script>alert" not in shown


def test_the_image_has_the_pages() -> None:
    docker, ignored = (ROOT / "Dockerfile").read_text(), (ROOT / ".dockerignore").read_text()
    assert "COPY docs docs" in docker
    assert "COPY GLOSSARY.md" in docker
    assert {"!docs", "!GLOSSARY.md"} <= set(ignored.split())
