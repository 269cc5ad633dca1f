"""The plane worked out in the obvious way from RESULT.json, and unpacked byte by byte."""

import base64
import struct
from typing import Any

Rule = dict[str, Any]


def figures(rule: Rule) -> dict[str, float]:
    """What the plane draws of a rule: always the worse of definition and replay, of the worst attacker."""
    both = []
    for own in rule["people"].values():
        both.append(own)
        if own["by_replay"] is not None:
            both.append(own["by_replay"])
    risks = [float(rule["risk"])] + ([] if rule["risk_replay"] is None else [float(rule["risk_replay"])])
    return {
        "risk": max(risks),
        "utility": float(rule["utility"]),
        "share": float(rule["utility_share"]),
        "chance": max(float(own["largest_chance"]) for own in both),
        "found": max(float(own["expected_found"]) for own in both),
        "singled": max(own["singled_out"] for own in both),
        "group": rule["smallest_group"] or 0,
        "within": float(rule["within_limits"]),
        "frontier": float(rule["on_frontier"]),
    }


def unpacked(column: dict[str, Any]) -> list[float]:
    """The numbers of a column."""
    if "table" in column:
        table, raw = [float(value) for value in column["table"]], base64.b64decode(column["codes"])
        wide = len(table) > 256
        codes = [raw[i] + 256 * raw[i + 1] for i in range(0, len(raw), 2)] if wide else list(raw)
        return [table[code] for code in codes]
    raw, size = base64.b64decode(column["floats"]), column["size"]
    pieces = [bytes(4 - size) + raw[i : i + size] for i in range(0, len(raw), size)]
    return [struct.unpack("<f", piece)[0] for piece in pieces]


def flags(text: str, many: int) -> list[bool]:
    raw = base64.b64decode(text)
    return [bool(raw[i // 8] >> (i % 8) & 1) for i in range(many)]


def beaten(one: dict[str, float], other: dict[str, float], measure: str) -> bool:
    """Whether the other is at least as good in both and better in one."""
    as_good = other[measure] <= one[measure] and other["share"] >= one["share"]
    return as_good and (other[measure] < one[measure] or other["share"] > one["share"])


def listed(rules: list[Rule]) -> list[int]:
    """The numbers of the rules that are told in full."""
    own = [figures(rule) for rule in rules]
    nodes = [number for number, rule in enumerate(rules) if rule["family"] == "full-domain"]
    found = {nodes[0], nodes[-1]} | {number for number, rule in enumerate(rules) if rule["family"] != "full-domain"}
    found |= {number for number, rule in enumerate(rules) if rule["on_frontier"]}
    within = [number for number, rule in enumerate(rules) if rule["within_limits"]]
    for measure in ("risk", "chance", "found"):
        found |= {one for one in within if not any(beaten(own[one], own[other], measure) for other in within)}
    return sorted(found)


def besides(rule: dict[str, Any]) -> list[Any]:
    """What the plane tells besides of a rule that is not full-domain: its regions, rows withheld and parts."""
    told = [regions(rule), rule["suppressed"], rule.get("search", {}).get("parts")]
    if told[2]:
        return told
    if told[1]:
        return told[:2]
    return told[:1] if told[0] else []


def regions(rule: dict[str, Any]) -> list[Any] | None:
    """How many regions a rule has, by what, and from which to which levels; nothing where all are alike."""
    patterns = rule.get("search", {}).get("patterns", [])
    by: list[str] = []
    for one in patterns:
        by += [name for name in one["where"] if name not in by]
    if rule["node"] or not by:
        return None
    names = list(patterns[0]["node"])
    finest = [sorted(one["node"][name] for one in patterns)[0] for name in names]
    coarsest = [sorted(one["node"][name] for one in patterns)[-1] for name in names]
    return [len(patterns), sorted(by), finest, coarsest]
