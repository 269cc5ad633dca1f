"""Beginnings that a spreadsheet takes for a formula, made harmless by an apostrophe, and made as they were again.

A spreadsheet computes what begins with = + - or @, and some look behind a tab, a line's end or NUL for that. One that
parts the cells by another sign may begin anew after a semicolon, a tab or a line's end inside the text, and does not
count quotation marks there. Each such beginning gets one apostrophe more than it has. Because apostrophes that stand
there already are counted, what was done can be undone without knowing the text.
"""

import re

BEGINS = "=+\\-@\t\r\n\0＝＋－＠"
DANGER = rf"(?:^|[;\t\r\n])[ \"]*'*[{BEGINS}]"
MORE = re.compile(rf"(?:^|(?<=[;\t\r\n]))([ \"]*'*)(?=[{BEGINS}])")
LESS = re.compile(rf"(?:^|(?<=[;\t\r\n]))([ \"]*'*)'(?=[{BEGINS}])")


def defused(text: str) -> str:
    """The text with every such beginning made harmless.

    >>> defused("=1+1"), defused("a;@b"), defused("'=x"), defused("a-b")
    ("'=1+1", "a;'@b", "''=x", 'a-b')
    >>> print(defused('a;"=1&"'))
    a;"'=1&"
    """
    return MORE.sub(r"\1'", text)


def fused(text: str) -> str:
    """The text as it was before `defused`.

    >>> fused("'=1+1"), fused("a;'@b"), fused("''=x"), fused("it's")
    ('=1+1', 'a;@b', "'=x", "it's")
    """
    return LESS.sub(r"\1", text)
