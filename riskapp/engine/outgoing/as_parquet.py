"""A released table as Parquet: every column text, missing cells null."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from riskapp.engine.outgoing.shown import Shown


def write_parquet(shown: Shown, path: Path) -> None:
    """Write the table."""
    schema = pa.schema([pa.field(name, pa.string()) for name in shown.names])
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        for columns in shown.in_parts():
            file.write_batch(pa.record_batch([column.cast(pa.string()) for column in columns], schema=schema))
