"""The assessment file as maps, lists and words, each word exactly as it was written.

YAML's own idea of what a word means (`no` is false, `010` is eight, a date is an object) is left out here: whoever asks
for a value knows whether a text, a number or a yes is meant. Of a word only one thing more is kept: whether it stood
without quotes.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Unreadable

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | Plain | str"

LARGEST = 8 << 20
DEEPEST = 100
# The fast parser is there where PyYAML was built with it; both read the same language.
LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True)
class Plain:
    """A word without quotes: in JSON a number, true, false or null."""

    text: str


class Doubled(dict[str, Any]):
    """A map of a JSON file in which a key stands twice."""


def parsed(path: Path) -> Tree:
    """What stands in an assessment file: JSON if its name ends in .json, else YAML.

    Raises
    ------
    Unreadable
        If there is no such file, if it cannot be read, is too large, or is not written as YAML or JSON; the line is
        told where there is one, and nothing of the text.
    BadSetting
        If a key of a JSON file stands twice.
    """
    text = _text(path)
    return _from_json(text) if path.suffix.lower() == ".json" else _from_yaml(text)


def _text(path: Path) -> str:
    if path.is_dir():
        raise _refused("folder", "The assessment is a folder. Name the file in it.")
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise _refused("no-file", "There is no such assessment file. Look at its name.") from None
    except (OSError, ValueError):
        raise _refused("no-access", "The assessment file may not be read. Look at its permissions.") from None
    if len(content) > LARGEST:
        told = f"The assessment file is larger than {LARGEST >> 20} MB. Put hierarchies and weights into files."
        raise _refused("too-large", told)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused("encoding", "This is not UTF-8. Save the file as UTF-8.", _line(content, error.start)) from None


def _line(content: bytes, position: int) -> int:
    return content.count(b"\n", 0, position) + 1


def _refused(code: str, message: str, line: int | None = None) -> Unreadable:
    told = message if line is None else f"Line {line} of the assessment: {message}"
    return Unreadable(f"assessment-{code}", told, advice="Mend the assessment file.", line=line)


# YAML


def _from_yaml(text: str) -> Tree:
    growing = _Growing()
    try:
        for event in yaml.parse(text, Loader=LOADER):
            growing.take(event)
    except yaml.YAMLError as error:
        told = "This is not YAML. Look at the indents, colons and quotes."
        raise _refused("yaml", told, _marked(error, text)) from None
    if not growing.roots:
        raise _refused("empty", "There is nothing in the assessment file.")
    return growing.roots[0]


def _marked(error: yaml.YAMLError, text: str) -> int | None:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        return int(mark.line) + 1
    position = getattr(error, "position", None)
    return None if position is None else text.count("\n", 0, position) + 1


class _Growing:
    """The tree, event by event: no event calls for another, so no file is nested too deeply to be refused."""

    def __init__(self) -> None:
        self.roots: list[Tree] = []
        self._open: list[dict[str, Tree] | list[Tree]] = [self.roots]
        self._keys: list[str | None] = [None]

    def take(self, event: yaml.Event) -> None:
        """Take the next event of the parser."""
        assert event.start_mark is not None
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise _refused("alias", "An alias is used here. Write the value out.", line)
        if isinstance(event, yaml.DocumentStartEvent) and self.roots:
            raise _refused("documents", "A second document begins here. Keep one.", line)
        if isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
            self._keys.pop()
        elif isinstance(event, yaml.CollectionStartEvent | yaml.ScalarEvent):
            if event.tag is not None:
                raise _refused("tag", "A tag stands here. Leave it out.", line)
            self._put(event, line)

    def _put(self, event: yaml.CollectionStartEvent | yaml.ScalarEvent, line: int) -> None:
        """Put a value or a key where it belongs; in a map a key waits for its value."""
        around, key = self._open[-1], self._keys[-1]
        if isinstance(around, dict) and key is None:
            self._keys[-1] = _key(event, around, line)
            return
        value: Tree = _word(event) if isinstance(event, yaml.ScalarEvent) else _started(event)
        if isinstance(around, list):
            around.append(value)
        elif key is not None:
            around[key], self._keys[-1] = value, None
        if isinstance(value, dict | list):
            self._open.append(value)
            self._keys.append(None)
        if len(self._open) > DEEPEST:
            raise _refused("too-deep", "The assessment is nested too deeply. Make it shallower.", line)


def _key(event: yaml.Event, around: dict[str, Tree], line: int) -> str:
    if not isinstance(event, yaml.ScalarEvent):
        raise _refused("key", "A key is neither a word nor a number. Write one.", line)
    word: str = event.value
    if word in around:
        raise _refused("doubled", "The key stands twice in its map. Leave one out.", line)
    return word


def _word(event: yaml.ScalarEvent) -> Tree:
    return event.value if event.style else Plain(event.value)


def _started(event: yaml.CollectionStartEvent) -> dict[str, Tree] | list[Tree]:
    return {} if isinstance(event, yaml.MappingStartEvent) else []


# JSON


def _from_json(text: str) -> Tree:
    try:
        loaded = json.loads(text, object_pairs_hook=_object, parse_float=Plain, parse_int=Plain, parse_constant=Plain)
    except json.JSONDecodeError as error:
        raise _refused("json", "This is not JSON. Look at the commas, quotes and brackets.", error.lineno) from None
    except RecursionError:
        raise _too_deep() from None
    return _checked(loaded, (), 1)


def _too_deep() -> Unreadable:
    return _refused("too-deep", "The assessment is nested too deeply. Make it shallower.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Doubled(found)


def _checked(value: Any, path: tuple[str, ...], depth: int) -> Tree:
    """A branch without doubled keys, with true, false and null as words."""
    if depth > DEEPEST:
        raise _too_deep()
    if isinstance(value, Doubled):
        raise BadSetting(".".join(path) or "assessment", "A key stands twice in this map. Leave one out.")
    if isinstance(value, dict):
        for key in value:
            _check_whole(key, path)
        # What stands below these are labels, which are values of the data.
        told = not path or path[-1] not in ("groups", "weights")
        return {key: _checked(inner, (*path, key) if told else path, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_checked(inner, (*path, str(place)), depth + 1) for place, inner in enumerate(value)]
    if isinstance(value, str):
        _check_whole(value, path)
    return value if isinstance(value, str | Plain) else Plain(json.dumps(value))


def _check_whole(word: str, path: tuple[str, ...]) -> None:
    """JSON can write half of a sign, which no file can hold."""
    if any("\ud800" <= sign <= "\udfff" for sign in word):
        raise BadSetting(".".join(path) or "assessment", "A text holds half of a sign (\\ud800 to \\udfff). Mend it.")
