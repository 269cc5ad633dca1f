"""The pages there are. Nothing but what is listed here when the server starts can be asked for."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import normpath
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from riskapp.web.handbook.markdown import Heading, Section, parsed, rendered, sections

DOCS = Path(settings.BASE_DIR) / "docs"
INDEX, GLOSSARY = "README", "glossary"
SHELVES = {"tutorial": "Tutorial", "how-to": "How to …", "reference": "Reference", "explanation": "Explanation"}
PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Page:
    """A page of the handbook, ready to be shown."""

    name: str
    title: str
    html: str
    sections: tuple[Section, ...]

    @property
    def headings(self) -> list[Heading]:
        """What the table of contents lists."""
        return [section.heading for section in self.sections if section.heading.level in (2, 3)]

    @property
    def anchors(self) -> set[str]:
        return {section.heading.anchor for section in self.sections}


@dataclass(frozen=True)
class Shelf:
    """Pages of one kind."""

    title: str
    pages: tuple[Page, ...]


@cache
def files() -> dict[str, Path]:
    """Every page by its name: its path under docs/ without the ending."""
    found = {path.relative_to(DOCS).with_suffix("").as_posix(): path for path in sorted(DOCS.rglob("*.md"))}
    return found | {GLOSSARY: DOCS.parent / "GLOSSARY.md"}


@cache
def pictures() -> dict[str, Path]:
    """Every picture by its path under docs/."""
    return {path.relative_to(DOCS).as_posix(): path for path in DOCS.rglob("*") if path.suffix in PICTURES}


@cache
def page(name: str) -> Page:
    """A page by its name; KeyError if there is none."""
    tokens = parsed(files()[name].read_text(encoding="utf-8"))
    found = sections(tokens)
    title = found[0].heading.words if found else name
    return Page(name, title, rendered(tokens, lambda link: led(name, link)), tuple(found))


def picture(name: str) -> tuple[bytes, str]:
    """The bytes of a picture and what kind it is; KeyError if there is none."""
    path = pictures()[name]
    return path.read_bytes(), PICTURES[path.suffix]


@cache
def shelves() -> tuple[Shelf, ...]:
    """All pages but the decisions, by kind, in the order of their titles; the glossary stands with the reference."""
    found = []
    for folder, title in SHELVES.items():
        names = [name for name in files() if PurePosixPath(name).parts[0] == folder]
        names += [GLOSSARY] if folder == "reference" else []
        found.append(Shelf(title, tuple(sorted(map(page, names), key=lambda one: one.title.lower()))))
    return tuple(found)


def led(name: str, link: str) -> str | None:
    """Where a link of a page leads inside the application; None where it leads to nothing that is shown here."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return link if parts.scheme == "https" else None
    if not parts.path:
        return link
    folder = "." if name == GLOSSARY else str(PurePosixPath("docs", name).parent)
    there = normpath(f"{folder}/{parts.path}")
    anchor = f"#{parts.fragment}" if parts.fragment else ""
    found = GLOSSARY if there == "GLOSSARY.md" else there.removeprefix("docs/").removesuffix(".md")
    if there.endswith(".md") and found in files() and (there.startswith("docs/") or found == GLOSSARY):
        return address(found) + anchor
    if there.startswith("docs/") and there.removeprefix("docs/") in pictures():
        return reverse("help-picture", args=[there.removeprefix("docs/")])
    return None


def address(name: str) -> str:
    return reverse("help") if name == INDEX else reverse("help-page", args=[name])
