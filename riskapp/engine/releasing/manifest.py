"""The manifest of an approved release: which rule, from what, for whom, with which figures, built and attacked how."""

from collections.abc import Mapping, Sequence
from typing import Any

from riskapp.core.search.candidate import level_shares
from riskapp.engine.outgoing.manifest import node_of, software
from riskapp.engine.outgoing.origin import Origin
from riskapp.engine.releasing.building import BuiltFile
from riskapp.engine.releasing.sealing import sealed
from riskapp.engine.ruling import Ruling


def manifest(
    found: Ruling,
    built: BuiltFile,
    origin: Origin,
    *,
    figures: Mapping[str, Any],
    groups: Mapping[str, Any] | None = None,
    losses: Mapping[str, Any] | None = None,
    attack: Mapping[str, Any] | None = None,
    analyses: Sequence[Mapping[str, Any]] = (),
    approvals: Sequence[Mapping[str, Any]] = (),
    release: Mapping[str, Any] | None = None,
    decided_on: Mapping[str, Any] | None = None,
    beside: Mapping[str, str] | None = None,
) -> str:
    """The text of the manifest, sealed; the same release has the same text.

    Parameters
    ----------
    found : the rule with the table of the file
    built : the file
    origin : what it was made from
    figures, groups, losses : measured from the file; k, l and t are among the groups', losses are by dictionary
    attack : what attackers got out of it
    analyses : as `told_outside` tells them
    approvals : who approved it, when and why
    release : purpose, recipient, terms and the like
    decided_on : what the decision rests on beside the figures: limits, tags, warnings with their answers and the like
    beside : the SHA-256 of what goes with the file, such as its codebook
    """
    return sealed(
        {
            "rule": found.found.id,
            "node": node_of(found.problem, found.found),
            "levels": level_shares(found.released, found.problem.names),
            "parameters": origin.parameters,
            "sha256": {**origin.sha256, "output": built.sha256, "beside": dict(beside or {})},
            "file": built.told(),
            "figures": figures,
            "groups": groups,
            "losses": losses,
            "attack": attack,
            "analyses": list(analyses),
            **dict(decided_on or {}),
            "release": dict(release or {}),
            "approvals": list(approvals),
            "seed": built.choices.seed_sha256,
            "order": "kept" if built.choices.keep_order else "shuffled",
            "software": software(origin.versions),
        }
    )
