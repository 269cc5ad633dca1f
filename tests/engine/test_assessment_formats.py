"""The same tables in any format, and the same assessment in YAML or JSON, give the same problem."""

import gzip
import hashlib
import io
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from riskapp.engine.assessment import Built, build, read
from tests.engine.small_assessment import FILES, SPEC, Spec, changed, written

Rows = list[list[str]]
TABLES = ("members.csv", "register.csv", "census.csv", "visits.csv", "personal.csv")
HEADLESS = ("optouts.csv", "weights.csv")


def as_csv(rows: Rows) -> bytes:
    return "".join(",".join(row) + "\n" for row in rows).encode()


def as_tsv(rows: Rows) -> bytes:
    return "".join("\t".join(row) + "\n" for row in rows).encode()


def as_parquet(rows: Rows) -> bytes:
    names, *body = rows
    columns = [[row[place] or None for row in body] for place in range(len(names))]
    into = io.BytesIO()
    pq.write_table(pa.table([pa.array(cells, pa.string()) for cells in columns], names=names), into)
    return into.getvalue()


def as_xlsx(rows: Rows) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    into = io.BytesIO()
    book.save(into)
    return into.getvalue()


def zipped(make: Callable[[Rows], bytes], name: str) -> Callable[[Rows], bytes]:
    def packed(rows: Rows) -> bytes:
        into = io.BytesIO()
        with zipfile.ZipFile(into, "w") as archive:
            archive.writestr(name, make(rows))
        return into.getvalue()

    return packed


FORMATS: dict[str, Callable[[Rows], bytes]] = {
    "tsv": as_tsv,
    "parquet": as_parquet,
    "xlsx": as_xlsx,
    "csv.gz": lambda rows: gzip.compress(as_csv(rows)),
    "parquet.gz": lambda rows: gzip.compress(as_parquet(rows)),
    "zip": zipped(as_csv, "inside.csv"),
}


def spec_of(ending: str) -> Spec:
    """The small assessment with every file in another format."""
    spec = changed("attributes.race.weights", {"file": f"weights.{ending}"})
    spec["dataset"].update(file=f"members.{ending}", leave_out=f"optouts.{ending}")
    spec["attributes"]["city"]["hierarchy"]["file"] = f"city.{ending}"
    spec["attributes"]["zip"]["personal_weight"] = {"file": f"personal.{ending}", "key": "who", "column": "much"}
    spec["dictionaries"][2]["file"] = f"register.{ending}"
    spec["dictionaries"][3]["file"] = f"census.{ending}"
    spec["linkage"]["file"] = f"visits.{ending}"
    return spec


def rewritten(folder: Path, ending: str, make: Callable[[Rows], bytes]) -> None:
    for name in (*TABLES, *HEADLESS, "city.csv"):
        delimiter = ";" if name in ("weights.csv", "city.csv") else ","
        rows = [line.split(delimiter) for line in FILES[name].splitlines()]
        if name in HEADLESS and "parquet" in ending:
            rows = [["first", "second"][: len(rows[0])], *rows]
        (folder / name.replace("csv", ending)).write_bytes(make(rows))


def check_same(one: Built, other: Built) -> None:
    """Two problems are one."""
    assert one.names == other.names
    assert one.rows.tolist() == other.rows.tolist()
    for left, right in zip(one.problem.columns, other.problem.columns, strict=True):
        assert left.column.codes.tolist() == right.column.codes.tolist()
        assert left.column.hierarchy.names == right.column.hierarchy.names
        for level in range(left.column.hierarchy.height + 1):
            assert left.column.hierarchy.labels[level].equals(right.column.hierarchy.labels[level])
            assert left.weights.levels[level].tolist() == right.weights.levels[level].tolist()
        own, others = (np.array([] if side.personal is None else side.personal) for side in (left, right))
        assert np.array_equal(own, others, equal_nan=True)
    for node in (one.problem.lattice.bottom, one.problem.lattice.top):
        assert one.problem.sensitivity.at(node).tolist() == other.problem.sensitivity.at(node).tolist()
    for mine, yours in zip(one.problem.dictionaries, other.problem.dictionaries, strict=True):
        assert (mine.name, mine.everybody, mine.places, mine.prior) == (
            yours.name,
            yours.everybody,
            yours.places,
            yours.prior,
        )
        assert [known.codes.tolist() for known in mine.known] == [known.codes.tolist() for known in yours.known]
    assert one.problem.linkage is not None
    assert other.problem.linkage is not None
    assert one.problem.linkage.added.tolist() == other.problem.linkage.added.tolist()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(read(written(tmp_path_factory.mktemp("plain"), spec_of("csv"))))


@pytest.mark.parametrize("ending", FORMATS)
def test_every_file_in_another_format_gives_the_same_problem(tmp_path: Path, plain: Built, ending: str) -> None:
    rewritten(tmp_path, ending, FORMATS[ending])
    check_same(plain, build(read(written(tmp_path, spec_of(ending)))))


def test_json_gives_the_same_problem_as_yaml(tmp_path: Path) -> None:
    yaml = read(written(tmp_path, SPEC))
    json = read(written(tmp_path, SPEC, name="assessment.json"))
    assert yaml == json
    check_same(build(yaml), build(json))


@pytest.mark.parametrize("ending", ["csv", *FORMATS])
def test_a_dictionary_may_have_a_header_and_nobody_in_it(tmp_path: Path, ending: str) -> None:
    make = FORMATS.get(ending, as_csv)
    name = f"nobody.{ending}"
    (tmp_path / name).write_bytes(make([["name", "town", "year", "kind"]]))
    spec = {
        "dataset": {"file": "members.csv"},
        "attributes": {"city": {}, "race": {}},
        "dictionaries": [{"file": name, "match": {"town": "city"}, "identity": "name"}],
    }
    register = build(read(written(tmp_path, spec))).problem.dictionaries[0]
    assert (len(register), register.everybody) == (0, 0)


def test_what_is_built_tells_where_it_came_from(tmp_path: Path) -> None:
    built = build(read(written(tmp_path, SPEC)))
    assert (built.records, built.people, built.left_out, built.rows.tolist()) == (3, 2, 1, [0, 1, 2])
    assert built.sha256 == hashlib.sha256(FILES["members.csv"].encode()).hexdigest()
    assert built.names == tuple(SPEC["attributes"])
    assert list(built.hierarchies) == list(built.columns) == list(built.names)
    assert built.columns["city"].shown(0).to_pylist() == ["Xanadu", "Ithaca", "Xanadu"]
    assert "member" not in built.columns


def test_the_coded_tables_are_gone_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    build(read(written(tmp_path, SPEC)))
    assert list(scratch.iterdir()) == []
    with pytest.raises(Exception, match=r"^dictionaries\.2\.file: "):
        build(read(written(tmp_path, changed("dictionaries.2.file", "nowhere.csv"))))
    assert list(scratch.iterdir()) == []


def test_reading_can_be_watched_and_stopped(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, total: int, words: str) -> None:
        raise Enough

    with pytest.raises(Enough):
        build(read(written(tmp_path, SPEC)), report=stop)


def test_a_row_that_does_not_say_who_it_is_is_a_person_of_its_own(tmp_path: Path) -> None:
    files = {
        "members.csv": "member,city\nZoe,Xanadu\n,Ithaca\nZoe,Utopia\nNA,Ithaca\n",
        "register.csv": "name,town\n,Xanadu\nAnn,Xanadu\nNA,Ithaca\nAnn,Ithaca\n",
    }
    spec = {
        "dataset": {"file": "members.csv", "identifier": "member"},
        "attributes": {"city": {}},
        "dictionaries": ["self", {"file": "register.csv", "match": {"town": "city"}, "identity": "name"}],
    }
    built = build(read(written(tmp_path, spec, files=files)))
    assert built.people == 3
    assert [dictionary.everybody for dictionary in built.problem.dictionaries] == [3, 3]


def test_the_left_out_may_be_named_in_any_column_or_be_nobody(tmp_path: Path) -> None:
    records = []
    for content in ("", "\n", "member\nZoe\n", "why,member\nasked,Zoe\nWim,Yan\n", "Zoe,Wim\n"):
        records.append(build(read(written(tmp_path, SPEC, files={"optouts.csv": content}))).rows.tolist())
    assert records == [[0, 1, 2, 3], [0, 1, 2, 3], [1, 3], [3], [1, 3]]


def test_values_of_those_left_out_are_not_in_the_domain(tmp_path: Path) -> None:
    spec = {
        "dataset": {"file": "members.csv", "identifier": "member", "leave_out": "optouts.csv"},
        "attributes": {"city": {}, "born": {"hierarchy": {"dates": ["year"]}}},
    }
    built = build(read(written(tmp_path, spec, files={"optouts.csv": "Zoe\n"})))
    assert built.hierarchies["city"].labels[0].to_pylist() == [None, "Ithaca", "Utopia"]


def test_harmonic_weights_count_in_the_domain_whether_their_values_occur_or_not(tmp_path: Path) -> None:
    attributes = {
        "born": {
            "hierarchy": {"dates": ["year"]},
            "fall": "harmonic",
            "weights": {"1975-05-10": 2, "1975-12-31": 0.5, "1999-01-01": 7},
        },
        "income": {
            "hierarchy": {"intervals": {"widths": [5, 20]}},
            "fall": "harmonic",
            "weights": {"52.5": 9, "53": 4, "54.0": 2, "900": 3},
        },
    }
    built = build(read(written(tmp_path, {"dataset": {"file": "members.csv"}, "attributes": attributes})))
    born, income = built.problem.columns
    assert (born.weights.hierarchy.leaves, income.weights.hierarchy.leaves) == (365 + 366, 60)
    assert born.at(1)[0] == pytest.approx(1 / (363 + 1 / 2 + 1 / 0.5))
    assert income.at(1)[0] == pytest.approx(1 / (3 + 1 / 4 + 1 / 2))


def test_a_misspelt_value_is_a_leaf_of_a_mask_and_at_a_coarser_level_only_labels_count(tmp_path: Path) -> None:
    files = {"register.csv": "town,code,coarse\nXanadoo,4790,4790*\nIthaca,47906,4791\n,,999**\n"}
    match = {"town": "city", "code": "zip"}
    one = {"name": "a", "file": "register.csv", "match": match, "fuzzy": {"town": 0.8, "code": 0.9}}
    other = {"name": "b", "file": "register.csv", "match": {"coarse": "zip@1"}, "fuzzy": {"coarse": 0.8}}
    spec = {
        "dataset": {"file": "members.csv"},
        "attributes": {"city": {}, "zip": {"hierarchy": {"mask": 5}}},
        "dictionaries": [one, other],
    }
    built = build(read(written(tmp_path, spec, files=files)))
    city, code = built.hierarchies["city"], built.hierarchies["zip"]
    assert city.labels[0].to_pylist() == [None, "Xanadu", "Ithaca", "Utopia", "Xanadoo"]
    assert (code.leaves, code.labels[1].to_pylist()) == (4, [None, "4790*", "1011*", "479*", "999**"])
    likenesses = [known.alike for dictionary in built.problem.dictionaries for known in dictionary.known]
    assert all(alike is not None for alike in likenesses)


def test_one_file_may_be_dataset_dictionary_and_linkage_data(tmp_path: Path) -> None:
    spec = {
        "dataset": {"file": "members.csv", "identifier": "member"},
        "attributes": {"city": {"hierarchy": {"file": "city.csv", "header": True}}, "sex": {}},
        "dictionaries": [{"file": "members.csv", "match": {"city": "city"}, "identity": "member"}],
        "linkage": {"file": "members.csv", "match": {"sex": "sex"}, "adds": {"income": 1}},
    }
    problem = build(read(written(tmp_path, spec))).problem
    assert (problem.dictionaries[0].name, problem.dictionaries[0].everybody) == ("members", 3)
    assert problem.linkage is not None
    assert problem.linkage.added.tolist() == [1, 1, 0, 1]
