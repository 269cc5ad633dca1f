"""What the page for checking a file finds is what `verify_release` finds: the same manifests, whole and changed."""

import json
import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from riskapp.engine.releasing import sealing
from tests.journey.plane_site import serving
from tests.journey.serving import ROOT

MODULES = ("json", "sha256", "seals")
ODD = ["ä", "\x7f", "\u2028", "𝔘", "\ue000", '"', "\\", "\n", "\x01", ""]


def drawn(draw: random.Random, depth: int = 0) -> Any:
    """Any value that JSON can hold."""
    kind = draw.randrange(8 if depth < 3 else 6)
    if kind == 0:
        return draw.choice([None, True, False])
    if kind == 1:
        return draw.choice([0, -1, 7, 10**15, 10**16, 10**40, -(10**21)])
    if kind in (2, 3):
        number: float = struct.unpack("<d", draw.randbytes(8))[0]
        return number if number - number == 0 else draw.choice([1e-05, 1e16, 0.0001, -0.0, 123456789.5, 1e22, 5e-324])
    if kind in (4, 5):
        return "".join(draw.choice(ODD) for _ in range(3))
    if kind == 6:
        return [drawn(draw, depth + 1) for _ in range(draw.randrange(3))]
    return {draw.choice(ODD) + str(at): drawn(draw, depth + 1) for at in range(draw.randrange(4))}


def manifest(draw: random.Random) -> str:
    hashes = {name: draw.randbytes(4).hex() for name in ("dataset", "assessment", "output")}
    about = {"rule": "full-domain:1", "seed": draw.randrange(9), "software": {"riskapp": "1"}, "figures": drawn(draw)}
    about |= {"sha256": {**hashes, "dictionaries": {"a": "b"}, "others": {}}, "odd": drawn(draw)}
    about |= {"format": draw.choice(sealing.READ)}
    return sealing.sealed(about | ({"approvals": [{"by": "Ada"}]} if draw.random() < 0.7 else {}))


def _set(part: str, value: Any) -> Callable[[str], str]:
    return lambda text: sealing.written({**json.loads(text), part: value})


def _without(part: str) -> Callable[[str], str]:
    return lambda text: sealing.written({name: told for name, told in json.loads(text).items() if name != part})


def _sealed_anew(text: str) -> str:
    """Somebody changes the seed and computes the digests of the parts, but does not know the binding."""
    found = json.loads(text) | {"seed": 77}
    found["digests"]["seed"] = sealing.digest(77)
    return sealing.written(found)


CHANGES: dict[str, Callable[[str], str]] = {
    "nothing": lambda text: text,
    "a part": _set("rule", "full-domain:0"),
    "a part more": _set("extra", [1.0]),
    "a part less": _without("figures"),
    "approvals": _set("approvals", [{"by": "Eve"}]),
    "the seed, sealed anew": _sealed_anew,
    "the binding": _set("binding", "0" * 64),
    "the digest": _set("digest", "0" * 64),
    "what is bound": _set("bound", {"seed": 1}),
    "bound to nothing": _set("bound", None),
    "no hashes": _set("sha256", {"output": "x"}),
    "other spaces": lambda text: json.dumps(json.loads(text), ensure_ascii=False),
    "another end": lambda text: text + "\n",
    "other format": _set("format", 4),
    "no rule": _without("rule"),
    "a rule that is none": _set("rule", 5),
    "a list": lambda text: "[1]",
    "no seals": _without("digests"),
    "digests that are none": _set("digests", []),
    "cut off": lambda text: text[:-5],
    "not a number": lambda text: text.replace('"seed": ', '"seed": NaN, "x": '),
    "too large a number": lambda text: text.replace('"seed": ', '"seed": 1e999, "x": '),
    "half a letter": lambda text: text.replace('"rule": "', '"rule": "\\ud800'),
    "a mark before": lambda text: "\ufeff" + text,
    "twice": lambda text: text.replace('"seed": ', '"rule": "y", "seed": ', 1),
}


def by_python(text: str, file: Path, expected: str | None) -> list[list[str]] | None:
    try:
        return sorted([part, why] for part, why in sealing.broken(text, file, expected))
    except sealing.NoManifest:
        return None


SCRIPT = """async ([sources, cases, output]) => {
  const addresses = {};
  for (const [name, source] of sources) {
    const linked = source.replace(/from "\\.\\/(\\w+)\\.js"/g, (_, other) => `from "${addresses[other]}"`);
    addresses[name] = URL.createObjectURL(new Blob([linked], {type: "text/javascript"}));
  }
  const { NoManifest, checks } = await import(addresses.seals);
  return cases.map(([text, expected]) => {
    try {
      const found = checks(text, { output, expected: expected ?? "" }).filter((one) => one.why);
      return found.map((one) => [one.part, one.why]);
    } catch (trouble) {
      if (trouble instanceof NoManifest) return null;
      throw trouble;
    }
  });
}"""


def in_browser(browser: Browser, cases: list[tuple[str, str | None]], output: str) -> list[Any]:
    sources = [[name, (ROOT / f"static/js/verify/{name}.js").read_text()] for name in MODULES]
    page = browser.new_page()
    found: list[Any] = page.evaluate(SCRIPT, [sources, cases, output])
    page.close()
    return [None if one is None else sorted([part.replace("told ", ""), why] for part, why in one) for one in found]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "release.csv"
    path.write_bytes(b"town\nA\n" * 1000)
    return path


def test_every_change_is_found_alike_in_the_browser_and_by_the_command(browser: Browser, file: Path) -> None:
    draw, cases, names = random.Random(11), list[tuple[str, str | None]](), list[str]()
    for _ in range(15):
        whole = manifest(draw)
        for name, change in CHANGES.items():
            cases.append((change(whole), draw.choice([None, "0" * 64, json.loads(whole)["digest"].upper()])))
            names.append(name)
    there = in_browser(browser, cases, sealing.sha256(file))
    here = [by_python(text, file, expected) for text, expected in cases]
    different = [(name, one, two) for name, one, two in zip(names, here, there, strict=True) if one != two]
    assert different == []
    assert {name for name, one in zip(names, here, strict=True) if one == [FILE]} == {"nothing"}


FILE = ["file", "its bytes are not those that were released"]


def test_thousands_of_values_have_the_same_digest(browser: Browser, file: Path) -> None:
    draw = random.Random(5)
    about = {"seed": 1, "software": {}, "rule": "x", "values": [drawn(draw) for _ in range(4000)]}
    about["sha256"] = dict.fromkeys(("dataset", "dictionaries", "others", "assessment"), "")
    about["sha256"]["output"] = sealing.sha256(file)
    assert in_browser(browser, [(sealing.sealed(about), None)], sealing.sha256(file)) == [[]]


# The page itself


@pytest.fixture
def page(visit: Callable[..., Page], tmp_path: Path) -> Iterator[Page]:
    with serving(tmp_path) as base:
        window = visit()
        window.goto(f"{base}/verify/")
        yield window
        window.close()


@pytest.fixture
def about(file: Path, tmp_path: Path) -> Path:
    hashes = dict.fromkeys(("dataset", "dictionaries", "others", "assessment"), "")
    parts = {"rule": "full-domain:1", "seed": 1, "software": {}, "sha256": {**hashes, "output": sealing.sha256(file)}}
    parts["approvals"] = [{"by": "Ada", "at": "2026-11-18", "reason": "Enough"}]
    path = tmp_path / "release.manifest.json"
    path.write_text(sealing.sealed(parts), encoding="utf-8")
    return path


def choose(page: Page, *paths: Path) -> None:
    page.get_by_label("Drop the released file and its manifest here").set_input_files(list(paths))


def test_the_page_tells_the_verdict_part_by_part_and_sends_nothing(page: Page, file: Path, about: Path) -> None:
    page.wait_for_load_state("networkidle")
    sent = list[str]()
    page.on("request", lambda request: sent.append(request.url))
    choose(page, about)
    expect(page.get_by_text("The manifest is whole, the file is missing.")).to_be_visible()
    choose(page, file)
    expect(page.get_by_text("This is the approved file.")).to_be_visible()
    expect(page.locator("[data-check=binding]")).to_contain_text("as it was")
    page.get_by_label("Digest of the manifest").fill("0" * 64)
    expect(page.get_by_role("row", name="the digest that you were told")).to_contain_text("not the one that was told")
    page.get_by_label("Digest of the manifest").fill(json.loads(about.read_text())["digest"])
    expect(page.get_by_text("This is the approved file.")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    assert [address for address in sent if "/static/img/favicon" not in address] == []  # that of the tab may come late


def test_a_changed_byte_of_the_file_or_the_manifest_is_told(page: Page, file: Path, about: Path) -> None:
    whole = about.read_text()
    file.write_bytes(file.read_bytes().replace(b"A", b"B", 1))
    choose(page, file, about)
    expect(page.get_by_text("This is not the approved file.")).to_be_visible()
    expect(page.locator("[data-check=file]")).to_contain_text("not those that were released")
    about.write_text(whole.replace("full-domain:1", "full-domain:0"))
    choose(page, about)
    expect(page.locator("[data-check=rule]")).to_contain_text("it was changed")
    about.write_text("{}")
    choose(page, about)
    expect(page.get_by_text("This is no manifest of a release.")).to_be_visible()


def test_the_verdict_names_the_file_that_was_checked_where_several_are_given(
    page: Page, file: Path, about: Path, tmp_path: Path
) -> None:
    other = tmp_path / "release-of-others.csv"
    other.write_text("town\nB\n")
    choose(page, file, other, about)
    expect(page.get_by_text(f"Checked: {other.name} by {about.name}.")).to_be_visible()


def test_a_codebook_is_checked_where_it_is_given(page: Page, file: Path, about: Path, tmp_path: Path) -> None:
    book, told = tmp_path / "release.codebook.json", json.loads(about.read_text())
    book.write_text("{}")
    parts = {part: value for part, value in told.items() if part not in sealing.SEALS}
    parts["sha256"] = {**told["sha256"], "beside": {"codebook.json": sealing.sha256(book)}}
    choose(page, book)
    expect(page.get_by_text("There is no manifest among these files.")).to_be_visible()
    about.write_text(sealing.sealed(parts))
    choose(page, book, file, about)
    expect(page.get_by_text("This is the approved file.")).to_be_visible()
    expect(page.locator("[data-check='codebook.json']")).to_contain_text("as it was")
    book.write_text("{ }")
    choose(page, book)
    expect(page.get_by_text("The codebook was changed.")).to_be_visible()
    expect(page.locator("[data-check='codebook.json']")).to_contain_text("not those that were released")
    about.write_text(sealing.sealed({**parts, "sha256": told["sha256"]}))
    choose(page, about, book)
    expect(page.locator("[data-check='codebook.json']")).to_contain_text("the manifest does not tell of it")


@pytest.mark.parametrize("approvals", [None, [], [{"by": ""}], [{"by": "Ada", "decision": "rejected"}]])
def test_what_nobody_approved_is_not_called_approved(page: Page, file: Path, about: Path, approvals: Any) -> None:
    told = json.loads(about.read_text())
    parts = {part: told[part] for part in ("rule", "seed", "software", "sha256")}
    about.write_text(sealing.sealed(parts | ({} if approvals is None else {"approvals": approvals})))
    choose(page, file, about)
    expect(page.get_by_text("Nobody approved this.")).to_be_visible()
    expect(page.locator("[data-part=answer]")).to_contain_text(json.loads(about.read_text())["digest"])
    expect(page.get_by_text("This is the approved file.")).to_have_count(0)


def test_a_manifest_without_a_rule_is_told_to_be_none(page: Page, file: Path, about: Path) -> None:
    told = json.loads(about.read_text())
    about.write_text(sealing.sealed({part: told[part] for part in ("seed", "software", "sha256", "approvals")}))
    choose(page, file, about)
    expect(page.get_by_text("This is no manifest of a release.")).to_be_visible()


def test_files_are_dropped_on_the_page_and_a_large_one_shows_how_far_it_is(page: Page, about: Path) -> None:
    page.evaluate(
        """(text) => {
          const bar = document.querySelector("[data-part=progress]");
          window.seen = [];
          new MutationObserver(() => window.seen.push(document.querySelector("[data-part=bar]").value))
            .observe(bar, { attributes: true, childList: true, subtree: true, characterData: true });
          const dropped = new DataTransfer();
          dropped.items.add(new File([new Uint8Array(24 << 20)], "big.csv"));
          dropped.items.add(new File([text], "big.manifest.json"));
          const over = { bubbles: true, cancelable: true, dataTransfer: dropped };
          document.querySelector("[data-verify]").dispatchEvent(new DragEvent("drop", over));
        }""",
        about.read_text(),
    )
    expect(page.get_by_text("This is not the approved file.")).to_be_visible()
    assert any(0 < value < 1 for value in page.evaluate("window.seen"))
    expect(page.locator("[data-part=progress]")).to_be_hidden()
