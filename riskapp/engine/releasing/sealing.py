"""Sealing a manifest: a digest of each of its parts, of all of them, and of what the approval is bound to.

The *binding* is the digest of the hashes of dataset, dictionaries, assessment and output, the seed, the versions of the
code and the approvals. Digests show that something was changed by accident, or by somebody who did not change them too;
whoever wants more compares the digest with the one that the register or the report tells.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from riskapp.engine.hashes import sha256
from riskapp.engine.plain_json import in_words

FORMAT = 3
READ = (2, FORMAT)
"""Manifests that were sealed before stay valid."""
SEALS = ("bound", "binding", "digests", "digest")


class Broken(NamedTuple):
    """A part that is not what was sealed, and why."""

    part: str
    why: str


def sealed(about: Mapping[str, Any]) -> str:
    """The text of a manifest with its seals; the same parts give the same text.

    Parameters
    ----------
    about : the parts; `sha256`, `seed` and `software` must be among them
    """
    parts = in_words({"format": FORMAT, **about})
    bound = _bound(parts)
    digests = {part: digest(value) for part, value in parts.items()}
    seals = {"bound": bound, "binding": digest(bound), "digests": digests}
    return written({**parts, **seals, "digest": digest({"bound": bound, "digests": digests})})


def written(manifest: Mapping[str, Any]) -> str:
    """A manifest as it stands in its file."""
    return json.dumps(manifest, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def digest(value: object) -> str:
    """The SHA-256 of a value as JSON without spaces, keys in the order of their letters.

    >>> digest({"b": 1, "a": 2}) == digest({"a": 2, "b": 1}), len(digest(None))
    (True, 64)
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _bound(parts: Mapping[str, Any]) -> dict[str, Any]:
    hashes = parts["sha256"]
    return {
        "dataset": hashes["dataset"],
        "dictionaries": hashes["dictionaries"],
        "others": hashes["others"],
        "assessment": hashes["assessment"],
        "output": hashes["output"],
        "rule": parts.get("rule"),
        "seed": parts["seed"],
        "code": parts["software"],
        "approvals": digest(parts.get("approvals", [])),
    }


class NoManifest(Exception):
    """The text is no manifest of ours."""


def read(text: str) -> dict[str, Any]:
    """The manifest in a text.

    Raises
    ------
    NoManifest
        If there is none in it.
    """
    try:
        found = json.loads(text)
        digest(found)
    except (ValueError, RecursionError):  # no JSON, or numbers and letters that have no digest
        raise NoManifest from None
    if not isinstance(found, dict) or not {"format", "rule", "sha256", "seed", "software", *SEALS} <= set(found):
        raise NoManifest
    if not isinstance(found["rule"], str):
        raise NoManifest
    if found["format"] not in READ or not isinstance(found["digests"], dict) or not isinstance(found["sha256"], dict):
        raise NoManifest
    return found


def broken(
    text: str, file: Path | None = None, expected: str | None = None, beside: Sequence[Path] = ()
) -> list[Broken]:
    """Everything that is not as it was sealed; nothing when all is whole.

    Parameters
    ----------
    text : of the manifest
    file : the released file
    expected : the digest that somebody else told
    beside : what came with the file, such as its codebook; each is known by what its name ends in

    Raises
    ------
    NoManifest
        If the text is no manifest.
    """
    manifest = read(text)
    parts = {part: value for part, value in manifest.items() if part not in SEALS}
    found = [*_parts(parts, manifest["digests"]), *_seals(manifest, parts)]
    if not found and written(manifest) != text:
        found.append(Broken("manifest", "its text is not written as it was"))
    if file is not None and sha256(file) != manifest["sha256"].get("output"):
        found.append(Broken("file", "its bytes are not those that were released"))
    found += [one for path in beside for one in _beside(path, manifest["sha256"].get("beside"))]
    if expected is not None and expected.strip().lower() != manifest["digest"]:
        found.append(Broken("digest", "it is not the one that was told"))
    return found


def _beside(path: Path, hashes: object) -> Iterator[Broken]:
    """What is wrong with a file that came with the released one."""
    told = hashes if isinstance(hashes, dict) else {}
    name = next((one for one in told if path.name.lower().endswith(one)), None)
    if name is None:
        yield Broken(path.name, "the manifest does not tell of it")
    elif sha256(path) != told[name]:
        yield Broken(name, "its bytes are not those that were released")


def approved(manifest: Mapping[str, Any]) -> bool:
    """Whether a manifest tells who approved the release; what was written without a decision tells nobody.

    >>> approved({"approvals": [{"by": "Ada", "at": "2026-11-18"}]})
    True
    >>> approved({}), approved({"approvals": []}), approved({"approvals": [{"by": ""}]}), approved({"approvals": "Ada"})
    (False, False, False, False)
    >>> approved({"approvals": [{"by": "Ada"}, {"by": "Ben", "decision": "rejected"}]})
    False
    """
    told = manifest.get("approvals")
    return isinstance(told, list) and bool(told) and all(_approval(one) for one in told)


def _approval(told: object) -> bool:
    if not isinstance(told, dict) or told.get("decision", "approved") != "approved":
        return False
    return isinstance(told.get("by"), str) and bool(told["by"])


def _parts(parts: Mapping[str, Any], digests: Mapping[str, str]) -> list[Broken]:
    changed = [part for part in parts if part in digests and digest(parts[part]) != digests[part]]
    added = [part for part in parts if part not in digests]
    gone = [part for part in digests if part not in parts]
    return [
        *(Broken(part, "it was changed") for part in changed),
        *(Broken(part, "it was added") for part in added),
        *(Broken(part, "it is missing") for part in gone),
    ]


def _seals(manifest: Mapping[str, Any], parts: Mapping[str, Any]) -> list[Broken]:
    found = []
    try:
        own = _bound(parts)
    except (KeyError, TypeError, AttributeError):
        own = {}
    bound = manifest["bound"] if isinstance(manifest["bound"], dict) else {}
    for name in {**own, **bound}:
        if own.get(name) != bound.get(name):
            found.append(Broken(f"bound.{name}", "the approval was bound to another one"))
    if digest(manifest["bound"]) != manifest["binding"]:
        found.append(Broken("binding", "it is not the digest of what the approval is bound to"))
    if digest({"bound": manifest["bound"], "digests": manifest["digests"]}) != manifest["digest"]:
        found.append(Broken("digest", "it is not the digest of the parts"))
    return found
