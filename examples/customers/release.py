"""Release one rule of the customers from beginning to end: file, figures, attack, manifest, codebook and report.

Run it in the folder of the code with a folder for what it makes:
  python -m examples.customers.release FOLDER
"""

import json
import sys
from datetime import date
from pathlib import Path

from riskapp.engine.assess import evaluate, prepare
from riskapp.engine.hashes import sha256
from riskapp.engine.outgoing import origin
from riskapp.engine.releasing.analysed import analysed, told_outside
from riskapp.engine.releasing.analyses import Analysis
from riskapp.engine.releasing.attack.attack import attacked
from riskapp.engine.releasing.attack.footprint import footprint
from riskapp.engine.releasing.building import build, sheet
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.codebook import codebook, codebook_html
from riskapp.engine.releasing.evidence import evidence
from riskapp.engine.releasing.manifest import manifest
from riskapp.engine.releasing.measured import check, measured, ruling_in
from riskapp.engine.releasing.report import report
from riskapp.engine.releasing.warnings import Circumstances, warnings
from riskapp.engine.ruling import Ruling, details

ASSESSMENT = Path(__file__).parent / "assessment-release.yaml"
RULE = "regional:auto:8"
CHOICES = Choices(seed=1, defuse=True, analysts=True, details=True)
APPROVALS = [
    {
        "by": "Ada Officer",
        "decision": "approved",
        "at": "2026-11-17T10:12:00+00:00",
        "reason": "Nobody stands out.",
    },
    {"by": "Ben Officer", "decision": "approved", "at": "2026-11-17T15:40:00+00:00", "reason": "Within the limits."},
]
MORE = {
    "title": "Customers by town and age",
    "project": "Customers (synthetic)",
    "made": "2026-11-18T01:00:00+00:00",
    "release": {
        "recipient": "Institute for Regional Studies",
        "purpose": "How old people are in the towns of the region",
        "reason": "The least risk that keeps the towns apart",
        "class": "Under contract",
        "legal_basis": "Art. 6(1)(f) GDPR, legitimate interest in research",
        "dpia": "DPIA 2026-04",
        "expires": "2027-11-18",
    },
    "advice": [
        {
            "by": "Data protection officer",
            "advice": "Leave work out",
            "followed": True,
            "why": "It is not needed.",
        }
    ],
}
ANSWERS = {"chosen-after-looking": "It is the best of the family that gains nothing by a replay."}


def main(folder: Path) -> None:
    """Make everything in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    prepared = prepare(ASSESSMENT)
    result = evaluate(prepared)
    rules = result.mapping()["rules"]
    listed = next(rule for rule in rules if rule["id"] == RULE)
    approved = Ruling.of(prepared, RULE)
    file = build(prepared, approved.found, folder / "release.csv", CHOICES)
    figures = measured(prepared, RULE, folder / "release.csv", CHOICES)
    check(figures, details(prepared, approved))
    check(figures, listed)
    found = ruling_in(prepared, RULE, folder / "release.csv", CHOICES)
    earlier = footprint(Ruling.of(prepared, "full-domain:0.2.1"), "spring", b"key")
    attack = attacked(found, earlier=[earlier], own=footprint(found, "autumn", b"key"))
    book = codebook(sheet(prepared, found.found, CHOICES), "release.csv", RULE)
    (folder / "codebook.json").write_text(json.dumps(book, indent=1), encoding="utf-8")
    (folder / "codebook.html").write_text(codebook_html(book), encoding="utf-8")
    given = origin(prepared, versions={"riskapp": "0.1.0"})
    beside = {name: sha256(folder / name) for name in ("codebook.json", "codebook.html")}
    about = manifest(
        found, file, given, figures=figures, attack=attack, approvals=APPROVALS, release=MORE["release"], beside=beside
    )
    (folder / "release.csv.manifest.json").write_text(about, encoding="utf-8")
    circumstances = Circumstances(
        considered=len(rules),
        data_until=date(2026, 10, 1),
        dictionaries_from={"register": date(2026, 6, 30)},
        intersection=attack["intersection"],
    )
    every = warnings(found, circumstances)
    warned = [{**one, "answer": ANSWERS.get(one["name"], "Accepted under contract.")} for one in every]
    asked = [
        Analysis("Records by town", "counts", ("town",)),
        Analysis("Records by town and decade", "counts", ("town", "born")),
    ]
    more = {
        **MORE,
        "warnings": warned,
        "assumptions": list(result.conditions),
        "analyses": [told_outside(one) for one in analysed(prepared, found.released, asked)],
    }
    told = evidence(found, figures, about, listed=listed, frontier=rules, more=more)
    (folder / "report.html").write_text(report(told), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
