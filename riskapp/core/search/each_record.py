"""A search for one record, run for every record of a table: the same answers whatever their order or their number.

What is drawn at random for a record is drawn from a seed of its own, which comes from its codes.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context
from zlib import crc32

from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.looking import Watch
from riskapp.core.search.methods import best
from riskapp.core.search.question import Asked
from riskapp.core.search.record import Record
from riskapp.core.search.record_of import Records
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.problem import Problem

TOGETHER = 64
"""So many records are handed to another process at a time."""

Task = tuple[Record, Options]


def answers(
    problem: Problem,
    method: str,
    question: Asked,
    options: Options,
    *,
    watch: Watch | None = None,
    processes: int = 1,
) -> list[Answer]:
    """The answer for every record by one of the methods.

    Parameters
    ----------
    problem : with one record of each kind
    method, question, options : as `methods.best` has them, for each record
    watch : who is told how far it is
    processes : how many work side by side

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
    told, total, found = watch or Watch(), len(problem), list[Answer]()
    search = _Search(method, question)
    for some in _mapped(search, _batches(_tasks(problem, options)), processes):
        told.tell(len(found), total)
        found.extend(some)
    told.progress(total, total)
    return found


class _Search:
    """What another process is asked to do."""

    def __init__(self, method: str, question: Asked) -> None:
        self.method, self.question = method, question

    def __call__(self, tasks: Sequence[Task]) -> list[Answer]:
        return [best(self.method, record, self.question, options) for record, options in tasks]


def _tasks(problem: Problem, options: Options) -> Iterator[Task]:
    columns = [column.codes for column in problem.records.columns]
    for row, record in enumerate(Records(problem)):
        yield record, replace(options, seed=seed_of([codes[row] for codes in columns], options.seed))


def seed_of(leaves: Sequence[int] | Codes, seed: int) -> int:
    """A seed of its own for every record, the same wherever it stands.

    >>> seed_of([3, 1], 0) == seed_of([3, 1], 0) != seed_of([1, 3], 0)
    True
    """
    return crc32(f"{seed} {' '.join(str(int(leaf)) for leaf in leaves)}".encode())


def _batches(tasks: Iterator[Task]) -> Iterator[list[Task]]:
    while some := list(islice(tasks, TOGETHER)):
        yield some


def _mapped(
    search: Callable[[Sequence[Task]], list[Answer]], batches: Iterator[list[Task]], processes: int
) -> Iterator[list[Answer]]:
    """In their order; no more is prepared than a few batches ahead."""
    if processes == 1:
        yield from map(search, batches)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(search, some) for some in islice(batches, 2 * processes)]
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(search, some) for some in islice(batches, 1)]
