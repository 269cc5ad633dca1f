"""Markdown into HTML that our pages may hold: no raw HTML, no inline style, links that lead where the page is shown."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin

Where = Callable[[str], str | None]
ALIGNED = re.compile(r"text-align:\s*(right|center)")


@dataclass(frozen=True)
class Heading:
    """A heading of a page: its level, its words and the anchor by which links find it."""

    level: int
    words: str
    anchor: str


@dataclass(frozen=True)
class Section:
    """A heading with the plain text below it, down to the next heading."""

    heading: Heading
    text: str


class Renderer(RendererHTML):
    """Tables scroll by themselves on a narrow screen, and cells are aligned by a class."""

    def table_open(self, *_: Any) -> str:
        return '<div class="table-scroll" role="region" aria-label="Table" tabindex="0"><table class="table">\n'

    def table_close(self, *_: Any) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: list[Token], place: int, *_: Any) -> str:
        return _cell(tokens[place], "th", ' scope="col"')

    def td_open(self, tokens: list[Token], place: int, *_: Any) -> str:
        return _cell(tokens[place], "td", "")

    def fence(self, tokens: Any, place: int, options: Any, env: Any) -> str:
        """Code can be wider than the page: it scrolls, also by keyboard."""
        shown = super().fence(tokens, place, options, env)
        return shown.replace("<pre>", '<pre tabindex="0" role="region" aria-label="Code">', 1)


def _cell(token: Token, tag: str, more: str) -> str:
    right = ALIGNED.search(str(token.attrGet("style") or ""))
    return f"<{tag}{more}{' class=num' if right else ''}>"


READER = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer).enable("table")
READER.use(anchors_plugin, max_level=4)


def parsed(text: str) -> list[Token]:
    return READER.parse(text)


def rendered(tokens: list[Token], where: Where) -> str:
    """The HTML of a page. `where` says where a link or a picture is found; what it does not know is shown as words."""
    for token in tokens:
        if token.children:
            token.children = _led(token.children, where)
    return str(READER.renderer.render(tokens, READER.options, {}))


def _led(tokens: list[Token], where: Where) -> list[Token]:
    kept, without = [], 0
    for token in tokens:
        if token.type == "link_close" and without:
            without -= 1
            continue
        if token.type in ("link_open", "image"):
            key = "href" if token.type == "link_open" else "src"
            there = where(str(token.attrGet(key)))
            if there is None and token.type == "link_open":
                without += 1
                continue
            token.attrSet(key, there or "")
        kept.append(token)
    return kept


def sections(tokens: list[Token]) -> list[Section]:
    """What stands under each heading, as plain text."""
    found: list[tuple[Heading, list[str]]] = []
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and after is not None:
            heading = Heading(int(token.tag[1]), _words(after), str(token.attrGet("id") or ""))
            found.append((heading, []))
        elif found and token.type in ("inline", "fence", "code_block") and token.map is not None:
            found[-1][1].append(_words(token))
    return [Section(heading, " ".join(texts[1:])) for heading, texts in found]


def _words(token: Token) -> str:
    children = token.children if token.type == "inline" else None
    if children is None:
        return token.content
    return "".join(" " if child.type == "softbreak" else child.content for child in children)
