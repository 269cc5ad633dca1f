"""A coded table as a Parquet file that other tools read: every column text, missing cells null."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from riskapp.engine.coded import CODES, CodedTable

ROWS = 100_000


def write(table: CodedTable, path: Path) -> None:
    """Write the table, some rows after others, so that it need not fit into memory as text."""
    values = [table.values(column) for column in range(len(table.names))]
    schema = pa.schema([pa.field(name, pa.string()) for name in table.names])
    with pq.ParquetFile(table.folder / CODES) as codes, pq.ParquetWriter(path, schema, compression="zstd") as file:
        for part in codes.iter_batches(batch_size=ROWS, columns=[str(column) for column in range(len(values))]):
            cells = [pc.take(those, part.column(place)).cast(pa.string()) for place, those in enumerate(values)]
            file.write_batch(pa.record_batch(cells, schema=schema))
