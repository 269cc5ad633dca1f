"""An assessment that asks every family and every method, and small ones drawn at random that do."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from riskapp.core.search.candidate import Candidate
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Watch
from riskapp.engine import families
from riskapp.engine.assess import Prepared
from tests.oracle import reading
from tests.oracle.building import build
from tests.oracle.instances import draw, in_words
from tests.oracle.problem import Problem as Theirs
from tests.oracle.problem import Values
from tests.oracle.release import Node, Shown, release_record
from tests.oracle.replay import Rule

MEMBERS = """town,sex,born
a,f,1971
a,f,1972
a,m,1971
b,f,1985
b,m,1986
c,m,1985
c,m,1985
d,f,1971
"""
RULES = ["full-domain", "regional", "per-record", "k-anonymity", "random-k", "mondrian"]
METHODS = ["exhaustive", "btda", "aruba", "branch-and-bound", "genetic", "approximate", "milp"]
LOSSES = ("xiao-tao", "lm")
SPEC: dict[str, Any] = {
    "dataset": {"file": "members.csv"},
    "attributes": {
        "town": {"hierarchy": {"groups": {"north": ["a", "b"], "south": ["c", "d", "nobody lives here"]}}},
        "sex": {},
        "born": {"hierarchy": {"mask": 4}, "weight": 0.5},
    },
    "search": {"rules": RULES, "methods": METHODS, "least_utility": 3, "k": [2, 9], "regions": ["town@1"], "seed": 5},
}


def written(folder: Path, **search: Any) -> Path:
    """The assessment with another search; None takes a key out."""
    (folder / "members.csv").write_text(MEMBERS, encoding="utf-8")
    asked = {key: value for key, value in {**SPEC["search"], **search}.items() if value is not None}
    path = folder / "assessment.yaml"
    path.write_text(yaml.safe_dump({**SPEC, "search": asked}, sort_keys=False), encoding="utf-8")
    return path


def drawn(seed: int, folder: Path, rules: list[str], *, separable: bool = False) -> Path:
    """A random assessment that asks these families, without those that its options leave no room for.

    Separable ones measure means, with a prior for each dictionary, and ask for some utility.
    """
    path = draw(seed, folder)
    text = path.read_text(encoding="utf-8")
    spec = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    if separable:
        spec["risk"] = {**(spec.get("risk") or {}), "over_records": "mean", "over_dictionaries": "bayes"}
        spec["utility"] = {**(spec.get("utility") or {}), "over_records": "mean"}
        spec["search"] = {"least_utility": -0.25 if spec["utility"].get("measure") in LOSSES else 0.5}
    means = [(spec.get(key) or {}).get("over_records", "mean") == "mean" for key in ("risk", "utility")]
    asked = [rule for rule in rules if rule != "regional" or all(means)]
    more = {"rules": asked, "k": [2], "suppression_limit": 0.5, "regions": {"auto": 3}}
    spec["search"] = {**(spec.get("search") or {}), **more}
    path.write_text(json.dumps(in_words(spec)) if path.suffix == ".json" else yaml.safe_dump(spec, sort_keys=False))
    return path


def theirs_of(path: Path) -> Theirs:
    """The same assessment for the oracle, which knows full-domain rules only."""
    spec = dict(reading.assessment(path))
    ours = {"rules", "k", "suppression_limit", "regions"}
    spec["search"] = {key: value for key, value in spec["search"].items() if key not in ours}
    return build(spec, path.parent)


def one_of_each(prepared: Prepared, number: int) -> list[Candidate]:
    """From every block but the full-domain one a rule, with its table."""
    found = []
    for block in families.blocks(prepared.problem, prepared.assessment.search):
        rules = [] if block.name == "full-domain" else block.search(Watch(), None)[0].rules
        if rules:
            wanted = rules[number % len(rules)].id
            candidate = block.search(Watch(), wanted)[1]
            assert candidate is not None
            assert candidate.id == wanted
            found.append(candidate)
    return found


def nodes_of(problem: Problem, found: Candidate) -> list[Node | None]:
    """For each record the levels of the attributes that have a hierarchy; None where it is suppressed."""
    levels = np.stack([np.broadcast_to(level, len(problem)) for level in found.released.levels], axis=1)
    pairs = zip(levels.tolist(), found.released.suppressed.tolist(), strict=True)
    return [None if hidden else problem.chosen(row) for row, hidden in pairs]


def as_theirs(theirs: Theirs, problem: Problem, found: Candidate) -> Rule:
    """The rule for the oracle, which hands over texts and wants texts."""
    ours = found.rule
    assert callable(ours)
    codes = [{text: code for code, text in enumerate(tree.labels[0].to_pylist())} for tree in problem.hierarchies]
    known: dict[tuple[str | None, ...], set[Shown]] = {}

    def rule(values: Values) -> set[Shown]:
        key = tuple(values[name] for name in problem.names)
        if key not in known:
            leaves = [code[text] for code, text in zip(codes, key, strict=True)]
            levels, hidden = ours(np.array([leaves], dtype=np.int32))
            node = None if hidden[0] else problem.chosen(levels[0].tolist())
            known[key] = {release_record(theirs, values, node).shown}
        return known[key]

    return rule
