"""k-anonymity by anjana, timed in its own environment: `python by_anjana.py FOLDER K PERCENT`.

FOLDER holds `table.csv` and, for each of its columns, `COLUMN.levels.csv` with a row for each leaf. The answer is a
line of JSON: the seconds, the level of each column, how many records are left out, and k as pycanon counts it in the
table that came out.
"""

import json
import sys
import time
from pathlib import Path

import pandas as pd
from anjana.anonymity._k_anonymity import k_anonymity_inner
from pycanon.anonymity import k_anonymity


def main(folder: Path, k: int, percent: float) -> None:
    table = pd.read_csv(folder / "table.csv", dtype=str, keep_default_na=False)
    columns = list(table.columns)
    levels = {name: _levels(folder / f"{name}.levels.csv") for name in columns}
    start = time.perf_counter()
    released, hidden, chosen = k_anonymity_inner(table, [], columns, k, percent, levels)
    seconds = time.perf_counter() - start
    found = {name: int(level) for name, level in chosen.items()}
    reached = int(k_anonymity(released[columns], columns))
    print(json.dumps({"seconds": seconds, "levels": found, "suppressed": int(hidden), "k": reached}))


def _levels(path: Path) -> dict[int, "pd.Series[str]"]:
    rows = pd.read_csv(path, dtype=str, header=None, keep_default_na=False)
    return {level: rows[level] for level in rows.columns}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
