"""What programs send, as it is read: signs that no database can keep are refused wherever they stand."""

import re
from typing import Any

from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from ninja.errors import HttpError
from ninja.parser import Parser

UNKEPT = re.compile("[\x00\ud800-\udfff]")
"""The sign of number 0, and halves of signs: JSON can write both."""


def can_be_kept(said: Any) -> bool:
    """Whether every text in it can be kept.

    >>> can_be_kept({"name": ["Ann", 5, None]}), can_be_kept([{"A\\ud800": 1}]), can_be_kept("a\\0b")
    (True, False, False)
    """
    if isinstance(said, dict):
        return all(can_be_kept(key) and can_be_kept(value) for key, value in said.items())
    if isinstance(said, list):
        return all(can_be_kept(value) for value in said)
    return not (isinstance(said, str) and UNKEPT.search(said))


class Careful(Parser):
    """Reads JSON and addresses as programs send them."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        return _checked(super().parse_body(request))

    def parse_querydict(
        self, data: MultiValueDict[str, Any], list_fields: list[str], request: HttpRequest
    ) -> dict[str, Any]:
        return _checked(super().parse_querydict(data, list_fields, request))


def _checked(said: dict[str, Any]) -> dict[str, Any]:
    if not can_be_kept(said):
        raise HttpError(400, "A text holds a sign that cannot be kept.")
    return said
