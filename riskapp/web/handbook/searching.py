"""Looking for words in the handbook."""

from collections.abc import Iterator
from dataclasses import dataclass

from riskapp.web.handbook.markdown import Section
from riskapp.web.handbook.pages import INDEX, Page, address, files, page

MOST = 30
AROUND = 90
TITLE, HEADING, TEXT = 0, 1, 2


@dataclass(frozen=True)
class Hit:
    """A section in which all words were found: where it is, and the text around the first of them in pieces.

    `pieces` alternate: text before, a word that was looked for, text between, the next word, and so on.
    """

    page: Page
    section: Section
    rank: int
    pieces: tuple[str, ...]

    @property
    def url(self) -> str:
        anchor = f"#{self.section.heading.anchor}" if self.section.heading.level > 1 else ""
        return address(self.page.name) + anchor


def search(asked: str) -> list[Hit]:
    """The sections that hold every word asked for; those with the words in a title come first."""
    words = [word for word in asked.lower().split() if word]
    if not words:
        return []
    hits = [hit for name in files() if name != INDEX for hit in _hits(page(name), words)]
    return sorted(hits, key=lambda hit: (hit.rank, hit.page.name.startswith("adr/")))[:MOST]


def _hits(one: Page, words: list[str]) -> Iterator[Hit]:
    for section in one.sections:
        title, heading = one.title.lower(), section.heading.words.lower()
        held = f"{title} {heading} {section.text.lower()}"
        own = f"{heading} {section.text.lower()}"
        if all(word in held for word in words) and any(word in own for word in words):
            yield Hit(one, section, _rank(heading, section.heading.level, words), _pieces(section.text, words))


def _rank(heading: str, level: int, words: list[str]) -> int:
    if not all(word in heading for word in words):
        return TEXT
    return TITLE if level == 1 else HEADING


def _pieces(text: str, words: list[str]) -> tuple[str, ...]:
    lower = text.lower()
    places = [place for word in words if (place := lower.find(word)) >= 0]
    start = max(0, min(places, default=0) - AROUND)
    shown = text[start : start + 3 * AROUND]
    return tuple(_marked(("…" if start else "") + shown + ("…" if start + len(shown) < len(text) else ""), words))


def _marked(text: str, words: list[str]) -> Iterator[str]:
    """The text cut before and after each word that was looked for."""
    lower, begin = text.lower(), 0
    while True:
        found = [(place, -len(word), word) for word in words if (place := lower.find(word, begin)) >= 0]
        if not found:
            yield text[begin:]
            return
        place, _, word = min(found)
        yield text[begin:place]
        yield text[place : place + len(word)]
        begin = place + len(word)
