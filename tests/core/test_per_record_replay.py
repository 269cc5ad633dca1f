"""An attacker who replays a per-record rule: the oracle's figures on small tables, and those of Adult."""

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from riskapp.core.loss import Loss
from riskapp.core.optimum import Question
from riskapp.core.risk import Risk
from riskapp.core.search import per_record_rule
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.exact_frontier import ExactFrontier, exact_frontier
from riskapp.core.search.kinds import Kinds, looked_at
from riskapp.core.search.per_record import candidates
from riskapp.core.search.per_record_rule import BestNode, read_by
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.table.limits import Limits
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.problem import Problem
from riskapp.core.table.replay import Reading
from tests.core.building import drawn, ours
from tests.core.measured import figures
from tests.core.slow_per_record import Slow
from tests.oracle.assessment import same
from tests.oracle.evaluation import measure as their_measure
from tests.oracle.problem import Problem as Theirs
from tests.oracle.problem import Values
from tests.oracle.release import Node, from_nodes, release_record

Choice = Callable[[tuple[int, ...]], Node | None]


def leaf_codes(problem: Problem, values: Values) -> tuple[int, ...]:
    trees = zip(problem.names, problem.hierarchies, strict=True)
    return tuple(int(tree.found_at(0, [values[name]])[0]) for name, tree in trees)


def assert_the_oracle_s(theirs: Theirs, problem: Problem, found: Candidate, choice: Choice) -> None:
    """Every figure, replay included, of the rule that chooses a node by a record's leaf codes."""
    levels = np.stack([np.broadcast_to(level, len(problem)) for level in found.released.levels], axis=1)
    rows = from_nodes(theirs, [problem.chosen(row) for row in levels.tolist()])
    remembered: dict[tuple[int, ...], Node | None] = {}

    def rule(values: Values) -> set[tuple[str | None, ...]]:
        codes = leaf_codes(problem, values)
        if codes not in remembered:
            remembered[codes] = choice(codes)
        return {release_record(theirs, values, remembered[codes]).shown}  # type: ignore[return-value]

    assert found.evaluation.people_replay is not None
    wanted = their_measure(theirs, rows, rule)  # type: ignore[arg-type]
    assert same(figures(found.evaluation), wanted), (figures(found.evaluation), wanted)


def a_question(chance: Random) -> Asked:
    bound = chance.choice([-2.0, 0.0, 0.5, 1.0])
    return chance.choice([Question("least_utility", bound), Question("trade_off", bound**2 / 4), Aggregate(1.0, 1)])


# Instances in which every record has a node; in every third replaying tells something.
@pytest.mark.parametrize("seed", [301, 303, 307, 309, 312, 313, 317, 321, 323, 324, 329, 330])
def test_the_best_node_of_each_record_replayed_has_the_oracle_s_figures(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem = ours(theirs)
    question = a_question(Random(seed))

    def choice(codes: tuple[int, ...]) -> Node | None:
        at = Slow(looked_at(problem, np.array([codes], dtype=np.int32))).best(0, question)
        return None if at is None else problem.chosen(at.node)

    (found,) = candidates(problem, ["exhaustive"], question)
    assert isinstance(found, Candidate)
    assert_the_oracle_s(theirs, problem, found, choice)


@pytest.mark.parametrize("seed", [351, 362, 364, 370, 371, 373, 381, 427, 442, 459])
def test_a_breakpoint_of_the_frontier_replayed_has_the_oracle_s_figures(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem = ours(theirs)
    frontier = exact_frontier(problem)
    assert isinstance(frontier, ExactFrontier)
    steps = Random(seed).randrange(len(frontier))
    price = frontier.rule(steps).price

    def choice(codes: tuple[int, ...]) -> Node | None:
        """The best by r − λu at a price just above or just below that of the last step."""
        slow = Slow(looked_at(problem, np.array([codes], dtype=np.int32)))
        points = slow.points(0)
        if not points:
            return None
        if price is None:
            return problem.chosen(min(points, key=lambda at: (at.risk, -at.utility, at.text)).node)
        near = price * (1 + 1e-9 if codes <= frontier.rule(steps).last else 1 - 1e-9)
        return problem.chosen(min(points, key=lambda at: (at.risk - near * at.utility, at.text)).node)

    assert_the_oracle_s(theirs, problem, frontier.candidate(steps), choice)


RACES = ["White", "White", "Chinese", "Japanese", "Japanese"]
TREE = {"race": {"groups": {"European": ["White"], "Asian": ["Chinese", "Japanese"]}}}


def test_the_rare_one_hidden_among_others_is_found_by_replay() -> None:
    problem = plain({"race": RACES}, hierarchies=TREE)
    (found,) = candidates(problem, ["exhaustive"], Question("least_utility", 1))
    assert isinstance(found, Candidate)
    assert found.evaluation.people["self"].singled_out == 0
    assert found.evaluation.people_replay is not None
    assert found.evaluation.risk_replay is not None
    assert found.evaluation.risk_replay >= found.evaluation.risk


@pytest.mark.parametrize("method", ["btda", "genetic", "milp"])
def test_a_replayed_search_is_the_search_itself(method: str) -> None:
    problem, question = plain({"race": RACES}, hierarchies=TREE), Question("least_utility", 1)
    (found,) = candidates(problem, [method], question)
    assert isinstance(found, Candidate)
    kinds = Kinds.of(problem)
    levels, hidden = BestNode(problem, method, question)(kinds.leaves)
    assert not hidden.any()
    assert np.array_equal(levels[kinds.kind][:, 0], found.released.levels[0])


def with_a_stranger(over: str = "register") -> Problem:
    """Everybody in the table is in the register; the attacker's own list has somebody else.

    Nobody is no risk, so that the risk of such a person against the register rises under generalisation.
    """
    tree = {"race": {"groups": {"European": ["White"], "Asian": ["Chinese", "Japanese", "Indian"]}}}
    held = {"register": {"race": RACES}, "list": {"race": ["Indian", *RACES[1:4]]}}
    risk = Risk(over_dictionaries=over)
    return plain({"race": RACES}, hierarchies=tree, dictionaries=held, loss=Loss(uncovered="zero"), risk=risk)


@pytest.mark.parametrize("few", [0, 20_000_000])
@pytest.mark.parametrize("method", ["btda", "aruba"])
def test_where_an_attacker_comes_to_somebody_a_method_is_not_made_for_the_best_node_is_found_all_the_same(
    method: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(per_record_rule, "MOST_NODES", few)
    problem, question = with_a_stranger(), Question("least_utility", 1)
    wanted, found = candidates(problem, ["exhaustive", method], question)
    assert isinstance(wanted, Candidate)
    assert isinstance(found, Candidate)
    assert found.evaluation == wanted.evaluation
    indian = np.array([[problem.hierarchies[0].labels[0].to_pylist().index("Indian")]], dtype=np.int32)
    levels, hidden = BestNode(problem, method, question)(indian)
    assert (levels.tolist(), hidden.tolist()) == ([[0]], [False])


@pytest.mark.parametrize("over", ["register", "list"])
def test_of_a_heuristic_it_is_not_known_what_it_would_do_with_such_a_person(over: str) -> None:
    """Nor where the register only limits the chance, which rises in the same way."""
    problem, question = with_a_stranger(over), Question("most_risk", 1)
    problem = replace(problem, limits=Limits(largest_chance=None if over == "register" else 1.0))
    (found,) = candidates(problem, ["genetic"], question)
    assert isinstance(found, Candidate)
    every = np.arange(1, 5, dtype=np.int32)[:, None]
    hidden = BestNode(problem, "genetic", question)(every)[1]
    assert [problem.hierarchies[0].labels[0][int(code)].as_py() for code in every[hidden][:, 0]] == ["Indian"]


def test_a_record_for_which_no_node_will_do_is_suppressed_in_a_replay() -> None:
    problem = plain({"race": [*RACES, None]}, hierarchies=TREE)
    levels, hidden = BestNode(problem, "exhaustive", Question("least_utility", 1))(np.array([[0], [1]], dtype=np.int32))
    assert hidden.tolist() == [True, False]
    assert levels.shape == (2, 1)


def test_a_kept_column_that_is_only_a_fixed_weight_need_not_be_guessed() -> None:
    table = {"race": RACES, "note": ["a", "b", "c", "d", "e"], "ill": ["x", "y", "x", "y", "x"]}
    problem = plain(table, hierarchies=TREE, keep=["note", "ill"], dictionaries={"self": ["race", "ill"]})
    assert read_by(problem) == {0, 2}
    (found,) = candidates(problem, ["exhaustive"], Question("least_utility", 1))
    assert isinstance(found, Candidate)
    assert isinstance(found.rule, Reading)
    holes = plain({**table, "note": ["a", None, "c", "d", "e"]}, hierarchies=TREE, keep=["note", "ill"])
    assert read_by(holes) == {0, 1}


def test_adult_by_definition_and_replayed() -> None:
    path = Path(__file__).parents[2] / "examples" / "adult" / "replay.py"
    spec = importlib.util.spec_from_file_location("adult_replay_example", path)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, spec.name, example)
        spec.loader.exec_module(example)
    problem, question = example.adult(), Question("least_utility", 6.6)
    (found,) = candidates(problem, ["exhaustive"], question)
    assert isinstance(found, Candidate)
    defined, replayed = found.evaluation.people["self"], found.evaluation.people_replay
    assert replayed is not None
    assert (round(defined.expected_found), defined.singled_out) == (42, 0)
    assert (round(replayed["self"].expected_found), replayed["self"].singled_out) == (631, 198)
    frontier = exact_frontier(problem)
    assert isinstance(frontier, ExactFrontier)
    assert np.interp(found.evaluation.utility, frontier.utilities, frontier.risks) <= found.evaluation.risk
