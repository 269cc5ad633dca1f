"""Manifests: what is bound is told, any changed byte is found, and the part that was changed is named."""

import hashlib
import io
import json
import random
from pathlib import Path

import pytest
from django.core.management import call_command

from riskapp.engine.assess import prepare
from riskapp.engine.hashes import sha256
from riskapp.engine.outgoing import origin
from riskapp.engine.releasing import sealing
from riskapp.engine.releasing.attack.attack import attacked
from riskapp.engine.releasing.building import build
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.manifest import manifest
from riskapp.engine.releasing.measured import measured, ruling_in
from riskapp.engine.ruling import Ruling
from tests.engine.assessing import here
from tests.engine.every_family import written

RULE = "full-domain:1.0.2"
APPROVALS = [{"by": "Ada", "at": "2026-11-18", "reason": "Enough"}]


def released(folder: Path) -> tuple[Path, Path]:
    """A released file and its manifest."""
    path, to = written(folder), folder / "a.csv"
    prepared, choices = prepare(path), Choices(seed=4)
    file = build(prepared, Ruling.of(prepared, RULE).found, to, choices)
    found = ruling_in(prepared, RULE, to, choices)
    figures = measured(prepared, RULE, to, choices)
    text = manifest(
        found,
        file,
        origin(prepared, versions={"riskapp": "0.1.0"}),
        figures=figures,
        attack=attacked(found),
        approvals=APPROVALS,
        release={"purpose": "Research", "recipient": "Ümläut e. V."},
    )
    (folder / "a.json").write_text(text, encoding="utf-8")
    return to, folder / "a.json"


def verified(*words: object) -> tuple[int, str, str]:
    out, err, code = io.StringIO(), io.StringIO(), 0
    try:
        call_command("verify_release", *map(str, words), stdout=out, stderr=err, no_color=True)
    except SystemExit as end:
        code = int(str(end.code))
    return code, out.getvalue(), err.getvalue()


def test_a_release_as_it_was_built_passes(tmp_path: Path) -> None:
    file, about = released(tmp_path)
    code, out, err = verified(file, about)
    assert (code, err) == (0, "")
    told = json.loads(about.read_text())
    assert told["binding"] in out
    assert verified(file, about, "--digest", told["digest"])[0] == 0


def test_the_same_release_has_the_same_manifest(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    one = released(tmp_path / "one")[1].read_bytes()
    assert released(tmp_path / "one")[1].read_bytes() == one


def test_the_approval_is_bound_to_all_that_decided_the_file(tmp_path: Path) -> None:
    file, about = released(tmp_path)
    told = json.loads(about.read_text())
    assert told["bound"] == {
        "dataset": sha256(tmp_path / "members.csv"),
        "dictionaries": {},
        "others": {},
        "assessment": sha256(tmp_path / "assessment.yaml"),
        "output": sha256(file),
        "rule": RULE,
        "seed": hashlib.sha256(b"4").hexdigest(),
        "code": told["software"],
        "approvals": sealing.digest(APPROVALS),
    }
    assert told["binding"] == sealing.digest(told["bound"])


def test_any_changed_byte_of_the_file_is_found(tmp_path: Path) -> None:
    file, about = released(tmp_path)
    whole, chance = file.read_bytes(), random.Random(1)
    for place in chance.sample(range(len(whole)), 20):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        code, _, err = verified(file, about)
        assert (code, err.startswith("file: ")) == (3, True)


def test_any_changed_byte_of_the_manifest_is_found(tmp_path: Path) -> None:
    file, about = released(tmp_path)
    whole, chance = about.read_bytes(), random.Random(2)
    for place in chance.sample(range(len(whole)), 300):
        about.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert verified(file, about)[0] in (2, 3), place


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("figures", lambda told: told["figures"]["figures"].update(risk=0.0)),
        ("approvals", lambda told: told["approvals"][0].update(by="Eve")),
        ("seed", lambda told: told.update(seed=5)),
        ("software", lambda told: told["software"].update(riskapp="9")),
        ("sha256", lambda told: told["sha256"].update(dataset="0" * 64)),
        ("release", lambda told: told["release"].update(recipient="Somebody else")),
        ("parameters", lambda told: told["parameters"].update(risk={"model": "anonymity"})),
        ("more", lambda told: told.update(more="added")),
        ("attack", lambda told: told.pop("attack")),
        ("bound.seed", lambda told: told["bound"].update(seed=9)),
        ("binding", lambda told: told.update(binding="0" * 64)),
        ("digest", lambda told: told.update(digest="0" * 64)),
    ],
)
def test_the_part_that_was_changed_is_named(tmp_path: Path, part: str, change: object) -> None:
    file, about = released(tmp_path)
    told = json.loads(about.read_text())
    change(told)
    about.write_text(sealing.written(told))
    code, _, err = verified(file, about)
    assert code == 3
    assert any(line.startswith(f"{part}: ") for line in err.splitlines())


def test_a_manifest_sealed_anew_is_known_by_its_digest(tmp_path: Path) -> None:
    file, about = released(tmp_path)
    told = json.loads(about.read_text())
    digest = told["digest"]
    parts = {part: value for part, value in told.items() if part not in (*sealing.SEALS, "format")}
    parts["approvals"] = [{**APPROVALS[0], "by": "Eve"}]
    about.write_text(sealing.sealed(parts))
    assert verified(file, about)[0] == 0
    code, _, err = verified(file, about, "--digest", digest)
    assert (code, err.strip()) == (3, "digest: it is not the one that was told.")


def test_spaces_put_into_the_manifest_are_found(tmp_path: Path) -> None:
    file, about = released(tmp_path)
    about.write_text(about.read_text() + " ")
    assert verified(file, about)[2].startswith("manifest: ")


def test_a_manifest_that_was_sealed_in_the_format_before_still_passes(tmp_path: Path) -> None:
    file, about = released(tmp_path)
    told = json.loads(about.read_text())
    newer = (*sealing.SEALS, "groups", "losses")
    about.write_text(sealing.sealed({part: value for part, value in told.items() if part not in newer} | {"format": 2}))
    assert json.loads(about.read_text())["format"] == 2
    assert verified(file, about)[0] == 0
    about.write_text(
        sealing.sealed({"format": 4, **{part: told[part] for part in ("rule", "sha256", "seed", "software")}})
    )
    assert verified(file, about)[0] == 2


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"format": 2}', "\\xff"])
def test_what_is_no_manifest_ends_with_code_2(tmp_path: Path, text: str) -> None:
    file, about = released(tmp_path)
    about.write_bytes(text.encode("latin-1"))
    assert verified(file, about)[0] == 2
    about.write_bytes(b"\xff\xfe")
    assert verified(file, about)[0] == 2
    assert verified(file, tmp_path / "none.json")[0] == 2


def test_what_assess_releases_passes_where_no_approval_is_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path)
    here(path, "--out", tmp_path / "r.json", "--release", RULE, "--to", tmp_path / "b.parquet")
    files = tmp_path / "b.parquet", tmp_path / "b.parquet.manifest.json"
    code, out, _ = verified(*files, "--unapproved")
    assert code == 0
    assert "Nobody approved it." in out
    code, out, err = verified(*files)
    assert (code, out) == (4, "")
    assert err.startswith("The manifest tells of no approval")


@pytest.mark.parametrize("approvals", [None, [], [{}], "Ada", [{**APPROVALS[0], "decision": "rejected"}]])
def test_a_manifest_without_an_approval_does_not_pass(tmp_path: Path, approvals: object) -> None:
    file, about = released(tmp_path)
    told = json.loads(about.read_text())
    parts = {part: value for part, value in told.items() if part not in (*sealing.SEALS, "approvals")}
    about.write_text(sealing.sealed(parts | ({} if approvals is None else {"approvals": approvals})))
    assert sealing.broken(about.read_text(), file) == []
    assert verified(file, about)[0] == 4


@pytest.mark.parametrize("rule", [None, 5])
def test_a_manifest_without_a_rule_is_none_and_says_so(tmp_path: Path, rule: object) -> None:
    file, about = released(tmp_path)
    told = json.loads(about.read_text())
    parts = {part: value for part, value in told.items() if part not in (*sealing.SEALS, "rule")}
    about.write_text(sealing.sealed(parts | ({} if rule is None else {"rule": rule})))
    code, out, err = verified(file, about)
    assert (code, out, err.strip()) == (2, "", "a.json: This is no manifest of a release.")


def test_without_a_digest_from_elsewhere_it_is_said_that_it_is_still_to_be_compared(tmp_path: Path) -> None:
    file, about = released(tmp_path)
    assert "compare its digest with the one that the register of releases tells" in verified(file, about)[1]
    digest = json.loads(about.read_text())["digest"]
    assert "compare" not in verified(file, about, "--digest", digest)[1]


def test_a_codebook_is_checked_where_it_is_given(tmp_path: Path) -> None:
    file, about = released(tmp_path)
    book, other = tmp_path / "a.codebook.json", tmp_path / "notes.txt"
    for path in (book, other):
        path.write_text("{}")
    told = json.loads(about.read_text())
    parts = {part: value for part, value in told.items() if part not in sealing.SEALS}
    parts["sha256"] = {**told["sha256"], "beside": {"codebook.json": sha256(book)}}
    about.write_text(sealing.sealed(parts))
    code, out, _ = verified(file, about, book)
    assert code == 0
    assert "a.codebook.json is as it was released." in out
    assert verified(file, about, other)[::2] == (3, "notes.txt: the manifest does not tell of it.\n")
    book.write_text("{ }")
    assert verified(file, about, book)[::2] == (3, "codebook.json: its bytes are not those that were released.\n")
    assert verified(file, about)[0] == 0
