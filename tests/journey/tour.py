"""A tour of the pages: several windows, and what each of them shows, as the server itself tells it."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.urls import get_resolver, reverse
from playwright.sync_api import Page, Response, expect

from tests.journey.album import Album
from tests.journey.serving import PATCHING, Server
from tests.journey.steps import WORK, sign_in

TOLD_IN = "X-Rendered"
TELLING = {"PYTHONPATH": str(PATCHING), "TOLD_IN": TOLD_IN}
TEMPLATES = Path(settings.BASE_DIR) / "templates"
EXTENDED = re.compile(r'\{% extends "([^"]+)"')
SEND = """([address, fields]) => {
  const form = document.createElement("form");
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
  Object.assign(form, { method: "post", action: address, hidden: true });
  for (const [name, value] of Object.entries({ csrfmiddlewaretoken: token, ...fields }))
    form.append(Object.assign(document.createElement("input"), { name, value }));
  document.body.append(form);
  form.submit();
}"""


def whole_pages() -> set[str]:
    """The templates of whole pages: those that extend another, or stand alone, and that no other extends."""
    texts = {str(path.relative_to(TEMPLATES)): path.read_text() for path in TEMPLATES.rglob("*.html")}
    layouts = {found[1] for text in texts.values() if (found := EXTENDED.search(text))}
    return {name for name, text in texts.items() if EXTENDED.search(text) or "<html" in text} - layouts


class Tour:
    """Goes everywhere, in several windows, and looks at every page once."""

    def __init__(self, visit: Callable[..., Page], ids: dict[str, Any]) -> None:
        self.visit, self.ids = visit, ids
        self.album, self.seen, self.helpless = Album(), set[str](), set[str]()
        self.whole = whole_pages()
        self._shown: dict[Page, str | None] = {}

    def window(self) -> Page:
        page = self.visit()
        page.on("response", partial(self._hear, page))
        return page

    def _hear(self, page: Page, answer: Response) -> None:
        """What the window's own address was answered with; what loads itself into the page is not asked."""
        if answer.request.is_navigation_request() and answer.frame == page.main_frame:
            self._shown[page] = self.template(answer.headers)

    def template(self, headers: dict[str, str]) -> str | None:
        """The template of the whole page that was rendered for an answer; the last, if one was put in another's place.

        There is none for a file that is shown as it was built.
        """
        told = [name for name in headers.get(TOLD_IN.lower(), "").split() if name in self.whole]
        return told[-1] if told else None

    def enter(self, server: Server, name: str) -> Page:
        page = self.window()
        sign_in(page, server, f"{name}@example.org")
        page.wait_for_url(re.compile("/(projects|sign-in/code)/$"))
        return page

    def address(self, name: str, **others: Any) -> str:
        """Where something of the house is, by the name of the address."""
        ways = [way for ways, *_ in get_resolver().reverse_dict.getlist(name) for way in ways]
        wanted = {parameter for _, parameters in ways for parameter in parameters}
        query = f"?rule={self.ids['rule']}" if name.partition("-")[0] in ("rule", "propose") else ""
        return reverse(name, kwargs={parameter: (self.ids | others)[parameter] for parameter in wanted}) + query

    def at(self, page: Page, address: str) -> None:
        page.goto(address if address.startswith("http") else self.site(page) + address)
        self.look(page)

    def send(self, page: Page, address: str, **fields: str) -> None:
        """Do what a form does without scripts, and look at the answer."""
        with page.expect_navigation():
            page.evaluate(SEND, [address, fields])
        self.look(page)

    def look(self, page: Page, opened: str = "") -> None:
        """Look at the page unless it was seen; with something opened in it, which is named, in any case."""
        page.wait_for_load_state()
        expect(page.locator("[hx-trigger='load'], [hx-trigger='every 1s'], .htmx-request")).to_have_count(
            0, timeout=WORK
        )
        template = self._shown[page]
        if template is None:  # a release's report: no script runs there, so it cannot be asked
            return
        if template in self.seen and not opened:
            return
        if not opened:
            self.seen.add(template)
        self.album.look(page, opened or template.removesuffix(".html").replace("/", "-"))
        if not page.locator("a[href^='/help/']").count():
            self.helpless.add(template)

    def site(self, page: Page) -> str:
        return re.match(r"https?://[^/]+", page.url)[0]  # type: ignore[index]
