"""The report in docs/examples is what the product writes today about the sample, but for what is new every time."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journey.serving import ROOT, clean_environment

EXAMPLES = ROOT / "docs" / "examples"
ANEW = {
    r"\b[0-9a-f]{64}\b": "DIGEST",
    r"release-[0-9a-f]{8}": "FILE",
    r"\d{4}-\d\d-\d\d( \d\d:\d\d UTC)?": "DAY",
    r"(?<=</dt><dd>)\d+\.\d+\.\d+(?=</dd>)": "VERSION",
}


def without_what_is_new(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    for pattern, word in ANEW.items():
        text = re.sub(pattern, word, text)
    return text


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    command = [sys.executable, "scripts/sample_report.py", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=clean_environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("name", ["sample-report.html", "sample-codebook.html"])
def test_the_example_is_what_the_product_writes(made: Path, name: str) -> None:
    assert without_what_is_new(made / name) == without_what_is_new(EXAMPLES / name), "run scripts/sample_report.py"


def test_the_report_answers_what_an_authority_asks() -> None:
    text = (EXAMPLES / "sample-report.html").read_text(encoding="utf-8")
    heads = re.findall(r"<h[23]>(.*?)</h[23]>", text)
    asked = {"The limits of its release class", "Figures, measured from the file", "What the figures rest on"}
    asked |= {"Singling out", "Linkability", "Inference", "What attackers are taken to know"}
    asked |= {"The file, attacked once", "Warnings and answers", "Approvals and advice", "Proof", "Parameters"}
    assert asked <= set(heads)
    terms = set(re.findall(r"<dt>(.*?)</dt>", text))
    assert {"Legal basis", "Impact assessment", "Recipient", "Purpose", "Proposed by", "Released file"} <= terms
