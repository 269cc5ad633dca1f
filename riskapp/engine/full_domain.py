"""Full-domain rules: every node of the lattice, or the best that a time allows where there are too many of them.

Nodes are too many when they cannot be listed, or when measuring them would take longer than `search.seconds`. Then the
question is answered by a search that may be stopped at any moment; beside its answer stand both ends of the lattice,
the answer's neighbours, and the best that are known over the whole range.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.evaluation import Evaluation
from riskapp.core.measure import Measuring
from riskapp.core.optimum import Best, Rules, optimum
from riskapp.core.rolled.forecast import Forecast
from riskapp.core.search import anytime, full_domain
from riskapp.core.search.anytime import NoneFound
from riskapp.core.search.anytime_beside import Beside
from riskapp.core.search.candidate import Candidate, Tag
from riskapp.core.search.log import Log, NoLog
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.watching import Watch
from riskapp.engine import memory
from riskapp.engine.answers import Answers, EveryNode, Measured, at_node, none_found
from riskapp.engine.assessment.settings import SearchKey
from riskapp.engine.rule_ids import FULL_DOMAIN, ends, full_domain_id, node_of

MOST_NODES = 1_000_000
"""A rule that is listed takes about a kilobyte of memory, and as much of the result."""
ROW_BYTES = 600
"""About what a record costs while nodes are searched."""
TOO_MANY = "there are too many to measure each"
MORE = "Others may be better than those on the frontier."
TOO_LONG = "search.seconds were not enough to measure each"

Found = tuple[Answers, Candidate | None]


def check(problem: Problem, search: SearchKey) -> None:
    """Raise `BadSetting` where there are too many rules to list and no way to look for the best of them."""
    check_size(problem.lattice.size, search, problem.utility.over_records)


def check_size(size: int, search: SearchKey, over_records: str) -> None:
    """The same for so many rules, whose utility is summed up over records in this way."""
    if size <= MOST_NODES:
        return
    told = f"There are {many(size)} full-domain rules. At most {MOST_NODES} can be listed."
    if search.seconds is None:
        raise BadSetting("search.seconds", f"{told} Say how long to look for the best, or leave levels out.")
    if search.question is None:
        asked = "least_utility, most_risk or trade_off"
        raise BadSetting("search", f"{told} Ask for {asked}, so that the best can be looked for.")
    if search.per_record:
        raise BadSetting("search.per_record", f"{told} The best is looked for by the mean only. Choose false.")
    if over_records != "mean":
        raise BadSetting("utility.over_records", f"{told} The best is looked for by the mean only. Choose mean.")


def many(size: int) -> str:
    """How many nodes there are, in digits that can be read."""
    return str(size) if size < 10**15 else f"more than 10^{len(str(size)) - 1}"


def searched(
    problem: Problem,
    search: SearchKey,
    watch: Watch,
    wanted: str | None,
    *,
    most: int = MOST_NODES,
    log: Log[Evaluation] | None = None,
) -> Found:
    """Every rule, or some of them.

    Parameters
    ----------
    problem, search : whose rules, and what is asked of them
    watch : who is told how far it is
    wanted : the name of a rule that is to be released
    most : above so many nodes they are not measured one by one
    log : as `full_domain.evaluate` of the core takes it
    """
    if problem.lattice.size > most:
        return _some(problem, search, watch, wanted, TOO_MANY)
    try:
        found = _every_node(problem, search, watch, log)
    except _TimeIsOver:
        return _some(problem, search, watch, wanted, TOO_LONG)
    return Answers(EveryNode(problem, found)), _node_wanted(problem, found, wanted)


def both_ends(problem: Problem, watch: Watch, wanted: str | None) -> Found:
    """The table as it is, and nothing of it."""
    both = _measured(problem, ends(problem))
    return Answers.of(both, problem), next((one for one in both if one.id == wanted), None)


def _measured(problem: Problem, nodes: Sequence[Node]) -> list[Candidate]:
    measuring = Measuring(problem)
    return [at_node(problem, node, measuring.of(Released.at(problem.records, node))) for node in nodes]


def _every_node(problem: Problem, search: SearchKey, watch: Watch, log: Log[Evaluation] | None) -> Sequence[Evaluation]:
    """The figures of every node, with those of single records that the question needs."""
    asked, deadline = search.question.kind if search.question and search.per_record else "", _Deadline(search, watch)
    try:
        return full_domain.evaluate(
            problem,
            progress=watch.progress,
            stop=deadline.stop,
            foreseen=deadline.foreseen,
            worst_risk=asked == "most_risk",
            worst_utility=asked == "least_utility",
            log=_Heard(log or NoLog[Evaluation](), search, watch),
        )
    except Stopped:
        if watch.stop():
            raise
        raise _TimeIsOver from None


@dataclass
class _Heard:
    """A log from which it is heard of every new best, where nodes are measured one by one."""

    log: Log[Evaluation]
    search: SearchKey
    watch: Watch
    best: Evaluation | None = None

    def taken(self, most: int) -> list[Evaluation]:
        found = self.log.taken(most)
        self._compare(found)
        return found

    def keep(self, found: Sequence[Evaluation]) -> None:
        self.log.keep(found)
        self._compare(found)

    def _compare(self, found: Sequence[Evaluation]) -> None:
        every = [*([] if self.best is None else [self.best]), *found]
        if self.search.question is None or not every:
            return
        chosen = optimum(Rules.of(every, each=self.search.per_record), self.search.question)
        if isinstance(chosen, Best) and every[chosen.place] is not self.best:
            self.best = every[chosen.place]
            self.watch.better(self.best.risk_that_counts, self.best.utility)


class _TimeIsOver(Exception):
    """Not every node can be measured in the time."""


class _Deadline:
    """When measuring every node ends; work that is foreseen to take longer is not begun."""

    def __init__(self, search: SearchKey, watch: Watch) -> None:
        self.seconds, self.watch, self.end = search.seconds, watch, float("inf")

    def foreseen(self, forecast: Forecast) -> None:
        memory.check(forecast.bytes, "dataset.file")
        if self.seconds is not None:
            if forecast.seconds > self.seconds:
                raise _TimeIsOver
            self.end = time.monotonic() + self.seconds

    def stop(self) -> bool:
        return self.watch.stop() or time.monotonic() > self.end


def _node_wanted(problem: Problem, found: Sequence[Evaluation], wanted: str | None) -> Candidate | None:
    """The rule of this name with its table."""
    if wanted is None or wanted.partition(":")[0] != FULL_DOMAIN:
        return None
    node = node_of(wanted, problem)
    return at_node(problem, node, found[problem.lattice.number(node)])


def _some(problem: Problem, search: SearchKey, watch: Watch, wanted: str | None, why: str) -> Found:
    """Both ends, the rule that is wanted, the best that is found and what stands beside it, as the lattice has them.

    The search begins with those that are listed anyway, so that none of them is better than its answer.
    """
    also = [] if wanted is None else [node_of(wanted, problem)]
    found = _best(problem, search, watch, also)
    rules = {one.node: one for one in ([] if found is None else [_beside(problem, one) for one in found.beside])}
    asked = [] if found is None else [_answer(found.answer)]
    named = _measured(problem, [*ends(problem), *(also if found is None else ())])
    rules |= {one.node: Measured.of(one) for one in [*named, *asked]}
    listed = [rules[node] for node in sorted(filter(None, rules), key=problem.lattice.number)]
    missing = []
    if found is not None and isinstance(found.answer, NoneFound) and not found.answer.proved:
        missing = [none_found(found.answer, problem)]
    note = f"Only {len(listed)} of {problem.lattice.size} full-domain rules are listed: {why}. {MORE}"
    return Answers(listed, missing, notes=[note]), next(
        (_table(problem, one) for one in listed if one.id == wanted), None
    )


def _table(problem: Problem, one: Measured) -> Candidate:
    return replace(at_node(problem, one.node or (), one.evaluation), number=one.number, told=one.told)


def _beside(problem: Problem, one: Beside) -> Measured:
    name = full_domain_id(problem.chosen(one.node))
    return Measured(name, FULL_DOMAIN, one.evaluation, one.node, one.number, told={"gap": one.number.gap or 0.0})


def _best(problem: Problem, search: SearchKey, watch: Watch, also: Sequence[Node]) -> anytime.Found | None:
    """What can be found in the time; None without one, or where the question is not about means."""
    if search.seconds is None or search.question is None or search.per_record:
        return None
    if problem.utility.over_records != "mean":
        return None
    memory.check(len(problem) * ROW_BYTES, "dataset.file")
    return anytime.listed(
        problem,
        search.question,
        seconds=search.seconds,
        seed=search.seed,
        first=ends(problem),
        also=also,
        progress=watch.progress,
        better=watch.better,
        stop=watch.stop,
    )


def _answer(found: Candidate | NoneFound) -> Candidate:
    """The answer of the search, or what comes nearest to one."""
    if not isinstance(found, NoneFound):
        return found
    return replace(found.nearest, number=Tag()) if found.proved else found.nearest
