"""The families of rules that an assessment asks for, as blocks of work, one after the other.

A block is what is searched, kept and told in one piece: a family, one of its methods, or one k. Whatever it is, it
yields candidates, or why there is none.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from riskapp.core.search import (
    exact_frontier,
    k_anonymity,
    mondrian,
    per_record,
    random_k,
    regional,
)
from riskapp.core.search.all_at_once import Parts
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.exact_frontier import ExactFrontier
from riskapp.core.search.log import Log, NoLog
from riskapp.core.search.per_record_told import within_limits
from riskapp.core.search.question import Asked
from riskapp.core.search.unmet import NotMet, Unmet
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Watch
from riskapp.engine import full_domain
from riskapp.engine.answers import Answers, Measured, missed
from riskapp.engine.assessment.settings import SearchKey
from riskapp.engine.possible import options_of, question_of
from riskapp.engine.rule_ids import FULL_DOMAIN, no_such_rule, regions_of
from riskapp.engine.unfinished import ANSWERS, EVALUATIONS, FIGURES, Form

THREADS = 2
Found = Candidate | Unmet | NotMet
ForK = Callable[..., Iterator[Candidate | Unmet]]
NO_QUESTION = (
    "No rule was chosen record by record: nothing is asked, such as how much detail to keep, so nothing says which "
    "levels are best for a record."
)


@dataclass(frozen=True, eq=False)
class Labour:
    """How searches that take records or nodes one by one are run.

    Attributes
    ----------
    processes : how many may work side by side
    log : for a block by its name and what it finds, what is known of it, and who keeps what is found
    """

    processes: int = 1
    log: Callable[[str, Form[Any]], Log[Any]] = lambda block, form: NoLog[Any]()


class Search(Protocol):
    """What a block does: it is told who watches, and which rule is wanted with its table."""

    def __call__(self, watch: Watch, wanted: str | None, /) -> tuple[Answers, Candidate | None]: ...


@dataclass(frozen=True, eq=False)
class Block:
    """A piece of work.

    Attributes
    ----------
    name : tells it from the others
    family : of its rules, as ids begin
    words : for whoever watches
    search : finds the rules
    """

    name: str
    family: str
    words: str
    search: Search

    def holds(self, wanted: str | None) -> bool:
        """Whether a rule of this name would come out of this block."""
        if wanted is None or wanted.partition(":")[0] != self.family:
            return False
        return self.family not in ("per-record", "mondrian") or wanted == self.name


Blocks = Callable[[Problem, SearchKey, Labour], Iterator[Block]]


def blocks(problem: Problem, search: SearchKey, labour: Labour | None = None) -> list[Block]:
    """What is to be searched, in the order of the assessment; the ends of the lattice are always measured."""
    found = [block for family in search.rules for block in _BLOCKS[family](problem, search, labour or Labour())]
    if FULL_DOMAIN in search.rules:
        return found
    return [Block("ends", FULL_DOMAIN, "both ends", partial(full_domain.both_ends, problem)), *found]


def _full_domain(problem: Problem, search: SearchKey, labour: Labour) -> Iterator[Block]:
    def found(watch: Watch, wanted: str | None) -> tuple[Answers, Candidate | None]:
        return full_domain.searched(problem, search, watch, wanted, log=labour.log(FULL_DOMAIN, EVALUATIONS))

    yield Block(FULL_DOMAIN, FULL_DOMAIN, FULL_DOMAIN, found)


def _regional(problem: Problem, search: SearchKey, labour: Labour) -> Iterator[Block]:
    def candidates(watch: Watch) -> Iterator[Found]:
        return regional.candidates(
            problem,
            regions_of(search.regions),
            search.question,
            per_record=search.per_record,
            progress=watch.progress,
            stop=watch.stop,
        )

    yield Block("regional", "regional", "regional", partial(_listed, problem, candidates))


def _per_record(problem: Problem, search: SearchKey, labour: Labour) -> Iterator[Block]:
    asked = question_of(search)
    for method in search.methods:
        if asked is None:
            break
        candidates = partial(_by_method, problem, search, asked, method, labour)
        name = f"per-record:{method}"
        yield Block(name, "per-record", f"per-record by {method}", partial(_listed, problem, candidates))
    yield Block("exact", "exact", "exact frontier", partial(_exact, problem, search))


def _by_method(
    problem: Problem, search: SearchKey, asked: Asked, method: str, labour: Labour, watch: Watch
) -> Iterator[Found]:
    log = labour.log(f"per-record:{method}", ANSWERS)
    settings = per_record.Settings(options_of(search), THREADS, labour.processes, watch, log)
    return per_record.candidates(problem, [method], asked, settings)


def _k_anonymity(problem: Problem, search: SearchKey, labour: Labour) -> Iterator[Block]:
    yield _for_k(problem, search, "k-anonymity", partial(_logged, labour, "k-anonymity", k_anonymity.candidates))


def _random_k(problem: Problem, search: SearchKey, labour: Labour) -> Iterator[Block]:
    yield _for_k(problem, search, "random-k", partial(_logged, labour, "random-k", random_k.candidates))


def _logged(labour: Labour, name: str, family: ForK, *asked: Any, **watched: Any) -> Iterator[Candidate | Unmet]:
    return family(*asked, **watched, log=labour.log(name, FIGURES))


def _mondrian(problem: Problem, search: SearchKey, labour: Labour) -> Iterator[Block]:
    for k in search.k:
        yield _for_k(problem, search, f"mondrian:{k}", mondrian.candidates, [k])


def _for_k(problem: Problem, search: SearchKey, name: str, family: ForK, k: Sequence[int] | None = None) -> Block:
    def candidates(watch: Watch) -> Iterator[Found]:
        return family(
            problem, k or search.k, search.suppression_limit, search.seed, progress=watch.progress, stop=watch.stop
        )

    return Block(name, name.partition(":")[0], name, partial(_listed, problem, candidates))


_BLOCKS: dict[str, Blocks] = {
    FULL_DOMAIN: _full_domain,
    "regional": _regional,
    "per-record": _per_record,
    "k-anonymity": _k_anonymity,
    "random-k": _random_k,
    "mondrian": _mondrian,
}


def _listed(
    problem: Problem, candidates: Callable[[Watch], Iterator[Found]], watch: Watch, wanted: str | None
) -> tuple[Answers, Candidate | None]:
    """The candidates without their tables, but for the one that is wanted."""
    rules, missing, kept = list[Measured](), list[Mapping[str, Any]](), None
    for found in candidates(watch):
        if not isinstance(found, Candidate):
            missing.append(missed(found, problem))
            continue
        rules.append(Measured.of(found))
        kept = found if found.id == wanted else kept
    return Answers(rules, missing), kept


def _exact(problem: Problem, search: SearchKey, watch: Watch, wanted: str | None) -> tuple[Answers, Candidate | None]:
    """The exact frontier, and the point of it that answers a question about means."""
    missing = [] if question_of(search) else [{"family": "per-record", "id": None, "why": NO_QUESTION, "nearest": None}]
    frontier = exact_frontier.exact_frontier(problem, Parts(watch, THREADS))
    if isinstance(frontier, str):
        return Answers(not_found=missing, reason=frontier), None
    points = [
        {"id": f"exact:{place}", "utility": float(frontier.utilities[place]), "risk": float(frontier.risks[place])}
        for place in frontier.listed()
    ]
    found = _on_frontier(frontier, search)
    answer = Answers.of([] if found is None else [found], problem)
    answers = Answers(answer.rules, [*missing, *answer.not_found], points, "")
    return answers, _point(frontier, found, wanted)


def _on_frontier(frontier: ExactFrontier, search: SearchKey) -> Candidate | NotMet | None:
    if search.question is None or search.per_record:
        return None
    found = frontier.answer(search.question)
    if isinstance(found, NotMet):
        return found
    rule = frontier.candidate(found)
    return replace(rule, told={**rule.told, **within_limits(search.question, rule.evaluation, found.gap)})


def _point(frontier: ExactFrontier, found: Candidate | NotMet | None, wanted: str | None) -> Candidate | None:
    family, _, number = (wanted or "").partition(":")
    if family != "exact":
        return None
    if isinstance(found, Candidate) and found.id == wanted:
        return found
    if int(number) >= len(frontier):
        raise no_such_rule()
    return frontier.candidate(int(number))
