"""A search for one record, run for every record of a table: the same answers whatever their order or their number.

What is drawn at random for a record is drawn from a seed of its own, which comes from its codes. So it does not matter
which process solves it, nor whether some were solved at an earlier start.
"""

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from zlib import crc32

from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.log import Log, NoLog
from riskapp.core.search.methods import best
from riskapp.core.search.question import Asked
from riskapp.core.search.record_of import Records
from riskapp.core.search.side_by_side import shared_out
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Watch

ALONE = 1.0
"""So many seconds are worked before it is asked whether others would help."""
WORTH = 6.0
"""They are started when what is left would take one process longer than this: they need a few seconds to begin."""
PART = 0.5
"""About so many seconds they work on what they are handed at a time."""
MOST_TOGETHER = 1024


@dataclass(frozen=True, eq=False)
class Running:
    """How records are searched one by one; nothing of it changes what is found.

    Attributes
    ----------
    watch : who is told how far it is
    processes : how many work side by side, once that is worth it
    log : what is known from an earlier start, and who keeps what is found
    """

    watch: Watch = field(default_factory=Watch)
    processes: int = 1
    log: Log[Answer] = field(default_factory=NoLog[Answer])


def answers(
    problem: Problem,
    method: str,
    question: Asked,
    options: Options,
    running: Running | None = None,
    *,
    places: Sequence[int] | None = None,
) -> list[Answer]:
    """The answer for every record by one of the methods.

    Parameters
    ----------
    problem : with one record of each kind
    method, question, options : as `methods.best` has them, for each record
    running : who watches, how many work, and what is known
    places : the attributes that the search looks at, where there are others: only they decide what is drawn

    Raises
    ------
    BadSetting
        If the method does not fit the problem or the question.
    Stopped
        If the watch says so.

    Examples
    --------
    >>> from riskapp.core.optimum import Question
    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> [found.node for found in answers(asked, "btda", Question("least_utility", 2), Options())]
    [(1,), (1,), (0,)]
    """
    running, total = running or Running(), len(problem)
    search = _Search(problem, method, question, options, range(len(problem.columns)) if places is None else places)
    found = running.log.taken(total)
    running.watch.tell(len(found), total)
    with closing(_solved(search, range(len(found), total), running)) as solved:
        for some in solved:
            found.extend(some)
            running.log.keep(some)
            running.watch.tell(len(found), total)
    return found


@dataclass(frozen=True, eq=False)
class _Search:
    """What is done with some rows, here or in another process."""

    problem: Problem
    method: str
    question: Asked
    options: Options
    places: Sequence[int]

    @cached_property
    def _records(self) -> Records:
        return Records(self.problem)

    def __call__(self, rows: range) -> list[Answer]:
        return [best(self.method, self._records[row], self.question, self._options(row)) for row in rows]

    def _options(self, row: int) -> Options:
        columns = self.problem.records.columns
        return replace(
            self.options, seed=seed_of([columns[place].codes[row] for place in self.places], self.options.seed)
        )

    def afresh(self) -> "_Search":
        """Without what was made on the way, to be sent to another process."""
        return replace(self)


def seed_of(leaves: Sequence[int] | Codes, seed: int) -> int:
    """A seed of its own for every record, the same wherever it stands.

    >>> seed_of([3, 1], 0) == seed_of([3, 1], 0) != seed_of([1, 3], 0)
    True
    """
    return crc32(f"{seed} {' '.join(str(int(leaf)) for leaf in leaves)}".encode())


def _solved(search: _Search, rows: range, running: Running) -> Generator[list[Answer]]:
    """In their order: one by one, and when much is left, by several processes."""
    begun = time.monotonic()
    for done, row in enumerate(rows, start=1):
        yield search(range(row, row + 1))
        passed = time.monotonic() - begun
        left = rows[done:]
        if running.processes > 1 and left and passed >= ALONE and passed / done * len(left) >= WORTH:
            together = max(1, min(MOST_TOGETHER, int(PART * done / max(passed, 1e-9))))
            yield from shared_out(search.afresh(), _parts(left, together), running.processes, running.watch.stop)
            return


def _parts(rows: range, size: int) -> Iterator[range]:
    for start in range(rows.start, rows.stop, size):
        yield range(start, min(start + size, rows.stop))
