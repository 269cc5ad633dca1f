"""The reference page about files says what the code does."""

import re
from pathlib import Path

from riskapp.engine.reading import ENCODINGS, ENDINGS, FAULTS, PACKED, Limits
from riskapp.engine.reading.faults import counted, size

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "files.md"


def test_every_fault_is_on_the_page_with_its_way_out_and_no_other() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(rows) == set(FAULTS)
    for code, fault in FAULTS.items():
        assert rows[code] == f"{shown(fault.reason)} | {shown(fault.advice)}"


def shown(sentence: str) -> str:
    """A sentence as the page shows it, an ellipsis where a number or a name goes."""
    return re.sub(r"\{more\}", "", re.sub(r"\{(?!more)\w+\}", "…", sentence))


def test_every_limit_type_and_encoding_is_on_the_page() -> None:
    page, limits = PAGE.read_text(encoding="utf-8"), Limits()
    for ending in (*ENDINGS, *PACKED):
        assert f"`.{ending}`" in page
    for encoding in ENCODINGS:
        assert f"`{encoding}`" in page
    for shown_limit in (
        size(limits.max_unpacked_bytes),
        f"{limits.max_ratio} times",
        size(limits.ratio_from_bytes),
        counted(limits.max_columns),
        counted(limits.max_rows),
        size(limits.max_line_bytes),
        counted(limits.max_name_length),
        size(limits.max_excel_bytes),
        counted(limits.max_sheet_cells),
        counted(limits.max_members),
    ):
        assert f"| {shown_limit} |" in page
