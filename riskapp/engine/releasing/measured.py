"""Measuring a release again from its file: `python -m riskapp.engine.releasing.measured FILE ASSESSMENT --rule ID`.

A fresh process gets the file, the assessment and what that names. The rule's name says what an attacker replays; every
cell comes from the file. The dataset is read too, as the attacker who knows it and for what people's records weigh.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from riskapp.core.errors import RiskappError
from riskapp.core.table.replay import TableRule
from riskapp.engine.assess import Prepared, prepare
from riskapp.engine.atomic import replaced
from riskapp.engine.plain_json import in_words
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.differing import FiguresDiffer, differing
from riskapp.engine.releasing.reading import released_in
from riskapp.engine.ruling import Named, Ruling, details, ruling

FROZEN = ("groups", "attackers")
"""What is measured before the decision beside the figures that RESULT.json lists: l, t and the losses among it."""
SAME, BUG, MENDABLE, DIFFERS = 0, 1, 2, 3


def ruling_in(prepared: Prepared, rule: Named, path: Path, choices: Choices) -> Ruling:
    """The rule, by its name or at hand, with the table that a file holds in the place of its own.

    Raises
    ------
    BadSetting
        If there is no such rule.
    Unreadable
        If the file does not hold a table of these records.
    """
    named = ruling(prepared, rule)
    attributes = list(prepared.assessment.attributes.values())
    table = released_in(path, attributes, named.released, choices)
    # A rule that is known by its table alone is known by the table that leaves.
    known = TableRule(table) if isinstance(named.found.rule, TableRule) else named.found.rule
    evaluation = named.measuring.of(table, known)
    return Ruling(prepared, replace(named.found, released=table, rule=known, evaluation=evaluation), named.measuring)


def measured(prepared: Prepared, rule: str, path: Path, choices: Choices) -> dict[str, Any]:
    """Every figure of a released file, as `ruling.details` tells those of a rule."""
    return details(prepared, ruling_in(prepared, rule, path, choices))


def check(found: Mapping[str, Any], approved: Mapping[str, Any]) -> None:
    """Let nothing leave whose figures are not the approved ones.

    Parameters
    ----------
    found : from `measured`
    approved : the same at the time of the approval or some parts of it, or a rule as RESULT.json lists it

    Raises
    ------
    FiguresDiffer
        It says which.
    """
    if {"figures", *FROZEN} & set(approved):
        names = list(differing(approved, found))
    else:
        own = {key: value for key, value in approved.items() if key in found["figures"]}
        names = list(differing(own, found["figures"])) or ([] if own else ["figures"])
    if names:
        raise FiguresDiffer(names)


def main(words: Sequence[str] | None = None) -> int:
    """What the command line asks for; the code that it ends with."""
    asked = _parser().parse_args(words)
    choices = Choices(asked.keep_order, asked.seed, asked.defused, asked.analysts, asked.details)
    try:
        found = measured(prepare(asked.assessment), asked.rule, asked.file, choices)
        text = json.dumps(in_words(found), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
        if asked.out is None:
            sys.stdout.write(text)
        else:
            with replaced(asked.out) as fresh:
                fresh.write_text(text, encoding="utf-8")
        if asked.approved is not None:
            check(found, json.loads(asked.approved.read_text(encoding="utf-8")))
    except FiguresDiffer as trouble:
        sys.stderr.write(f"{trouble}\n")
        return DIFFERS
    except RiskappError as trouble:
        sys.stderr.write(f"{' '.join(str(trouble).split())}\n")
        return MENDABLE
    except Exception as trouble:  # its words may quote data; its kind does not
        sys.stderr.write(f"Something went wrong that we did not foresee ({type(trouble).__name__}).\n")
        return BUG
    return SAME


def _seed(word: str) -> int:
    return int(sys.stdin.readline() if word == "-" else word)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure a release again from its file.")
    parser.add_argument("file", type=Path, help="the released table, .csv or .parquet")
    parser.add_argument("assessment", type=Path, help="the assessment, YAML or JSON")
    parser.add_argument("--rule", required=True, help="the name of the rule, which an attacker may know too")
    parser.add_argument("--seed", type=_seed, default=0, help="that shuffled the rows; - reads it from the input")
    for name, told in {
        "keep-order": "the rows are in the order of the dataset",
        "defused": "formulas in cells were made harmless",
        "analysts": "types were kept, and a column says which rows are suppressed",
        "details": "from, to and level stand beside the labels",
    }.items():
        parser.add_argument(f"--{name}", action="store_true", help=told)
    parser.add_argument("--approved", type=Path, help="the approved figures, as JSON; others end with code 3")
    parser.add_argument("--out", type=Path, help="where to write the figures; else they are printed")
    return parser


if __name__ == "__main__":
    sys.exit(main())
