"""All figures of one released table."""

from typing import Any

from tests.oracle.groups import smallest_group
from tests.oracle.inference import inference
from tests.oracle.limits import broken, sensitive
from tests.oracle.people import people
from tests.oracle.problem import Problem
from tests.oracle.release import Released, full_domain
from tests.oracle.replay import Rule, by_replay
from tests.oracle.risk import Count, by_definition, over_dictionaries, risk_by_dictionary
from tests.oracle.utility import utility, utility_share


def evaluate(problem: Problem, rows: list[Released], count: Count, replay: Count) -> dict[str, Any]:
    """The figures of a release, by the definition and by replay."""
    risks = risk_by_dictionary(problem, rows, count)
    value = utility(problem, rows)
    unchanged = utility(problem, full_domain(problem, (0,) * len(problem.generalised())))
    return {
        "risk": over_dictionaries(problem, risks),
        "risk_replay": over_dictionaries(problem, risk_by_dictionary(problem, rows, replay)),
        "risk_by_dictionary": risks,
        "utility": value,
        "utility_share": utility_share(problem, value, unchanged),
        "smallest_group": smallest_group(problem, rows),
        "suppressed": sum(row.suppressed for row in rows),
        "people": {
            dictionary.name: {
                **people(problem, dictionary, rows, count),
                "by_replay": people(problem, dictionary, rows, replay),
            }
            for dictionary in problem.dictionaries
        },
        "inference": {one.name: inference(problem, rows, one.name) for one in sensitive(problem)},
        "within_limits": not broken(problem, rows, [count, replay]),
    }


def measure(problem: Problem, rows: list[Released], rule: Rule) -> dict[str, Any]:
    """The figures of a released table of any origin, with the rule that made it."""
    return evaluate(problem, rows, by_definition(problem), by_replay(problem, rule))
