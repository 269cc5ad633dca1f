"""How much a file may ask of the machine."""

from dataclasses import dataclass

MB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Bounds on what is read, and on the memory it is read in; the defaults suit a worker with 1.5 GB."""

    max_unpacked_bytes: int = 8 << 30
    max_ratio: int = 250
    ratio_from_bytes: int = 64 * MB  # below this size a high ratio harms nobody
    max_members: int = 10_000  # of an .xlsx file
    max_columns: int = 2_000
    max_rows: int = 2**31 - 2  # a code is an int32
    max_line_bytes: int = 4 * MB
    max_name_length: int = 1_000
    max_excel_bytes: int = 1 << 30
    max_sheet_cells: int = 20_000_000  # a sheet is held in memory as a whole
    block_bytes: int = 4 * MB  # parsed at once; raised to hold one longest line
    window_bytes: int = 64 * MB  # coded at once, while as much again is being parsed
    first_window_bytes: int = 128 * MB  # nothing else is in memory then
    column_bytes: int = 24 * MB  # a longer value list goes to disk
    values_bytes: int = 160 * MB  # all value lists in memory together
    part_bytes: int = 24 * MB  # a part of a value list on disk, joined at once
    threads: int = 2
    report_seconds: float = 0.2

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative.")
