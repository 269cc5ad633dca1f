"""Small coded tables for tests about attackers."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from riskapp.engine import coded
from riskapp.engine.coded import CodedTable

Columns = Mapping[str, Sequence[str | None]]


@contextmanager
def tables(*several: Columns) -> Iterator[list[CodedTable]]:
    """Coded tables with these columns, as long as they are in use."""
    with TemporaryDirectory() as folder:
        yield [
            coded.write(Path(folder) / str(place), list(columns), list(columns.values()))
            for place, columns in enumerate(several)
        ]
