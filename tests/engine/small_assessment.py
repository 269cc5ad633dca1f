"""A small assessment that uses every section, for tests that change one thing in it."""

import copy
import json
from pathlib import Path
from typing import Any

import yaml

Spec = dict[str, Any]
Files = dict[str, str]

FILES: Files = {
    "members.csv": (
        "member,city,race,born,income,zip,sex,note,illness,w,pw\n"
        "Zoe,Xanadu,Klingon,1975-05-10,52,47906,Qf,Walks,Mildly,1,0.5\n"
        "Yan,Ithaca,Vulcan,1976-02-29,7,47901,Qm,Sails,Gravely,2,\n"
        "Zoe,Xanadu,NA,1976-03-01,,47906,Qf,Walks,Healthy,1,inf\n"
        "Wim,Utopia,Romulan,1975-05-11,19,10115,Qm,,Mildly,0.5,2\n"
    ),
    "city.csv": "town;land;part\nXanadu;Mongolia;East\nIthaca;Greece;West\nUtopia;Nowhere;West\n",
    "register.csv": "name,town,year,kind\nAnn,Xanadu,1975,Klingon\nBob,Ithaka,1976,Vulcan\nAnn,,1975,Romulan\n",
    "census.csv": "place,many\nMongolia,120\nGreece,0\n",
    "visits.csv": "town,ward\nXanadu,Ward1\nUtopia,\n",
    "optouts.csv": "Wim\nUnknown\n",
    "weights.csv": "Klingon;2\nVulcan;.5\n",
    "personal.csv": "who,much\nZoe,3\nYan,0.25\n",
}

SPEC: Spec = {
    "dataset": {"file": "members.csv", "identifier": "member", "risk_weight": "w", "leave_out": "optouts.csv"},
    "attributes": {
        "city": {"hierarchy": {"file": "city.csv", "header": True}, "weight": 0.3, "fall": "harmonic"},
        "race": {
            "hierarchy": {"groups": {"Far": ["Klingon", "Romulan"], "Near": ["Vulcan"]}},
            "weights": {"Klingon": 2},
        },
        "born": {"hierarchy": {"dates": ["month", "year"]}, "weight": 0.5},
        "income": {"hierarchy": {"intervals": {"from": 0, "widths": [5, 20, 80], "unit": 1}}, "personal_weight": "pw"},
        "zip": {"hierarchy": {"mask": 5, "from": "right"}},
        "sex": {},
        "note": {"role": "keep", "weight": 0.2},
        "illness": {"role": "keep", "sensitive": True, "order": ["Healthy", "Mildly", "Gravely"]},
    },
    "dictionaries": [
        "self",
        {"self": True, "name": "neighbour", "knows": ["city", "born"], "prior": 2},
        {
            "name": "register",
            "file": "register.csv",
            "match": {"town": "city", "year": "born@year", "kind": "race"},
            "identity": "name",
            "prior": 0.6,
            "fuzzy": {"town": 0.8},
        },
        {"name": "census", "file": "census.csv", "match": {"place": "city@land"}, "count": "many"},
    ],
    "linkage": {"file": "visits.csv", "match": {"town": "city"}, "adds": {"ward": 0.4}},
    "sensitivity": {
        "family": "linear",
        "fall": "step",
        "pairs": [{"attributes": ["city", "income"], "weight": 0.2}],
        "person_total": {"cap": 1.0},
        "unidentified": 0,
    },
    "risk": {"model": "sensitivity", "over_records": "mean", "over_dictionaries": "register", "uncovered": "one"},
    "utility": {"measure": "depth", "over_records": "mean", "weights": {"city": 2}},
    "search": {
        "rules": ["full-domain"],
        "methods": ["exhaustive"],
        "least_utility": 7,
        "per_record": False,
        "limits": {"largest_chance": 0.9, "smallest_group": 2, "share_above": {"chance": 0.5, "share": 0.1}},
        "require": {"l": {"entropy": 2, "recursive": [2, 2]}, "t": 0.3},
        "k": [5],
        "suppression_limit": 0,
        "approximate": {"epsilon": 0.1, "sigma1": 0.5, "sigma2": 2},
        "seconds": 10,
        "seed": 0,
    },
}


def written(folder: Path, spec: Spec | str, *, files: Files | None = None, name: str = "assessment.yaml") -> Path:
    """The assessment and its files in a folder; the spec may be the text of the file."""
    for file, content in {**FILES, **(files or {})}.items():
        (folder / file).write_text(content, encoding="utf-8")
    if isinstance(spec, dict):
        spec = json.dumps(spec) if name.endswith(".json") else yaml.safe_dump(spec, sort_keys=False)
    path = folder / name
    path.write_text(spec, encoding="utf-8")
    return path


def changed(path: str, value: Any) -> Spec:
    """The assessment with another value at a path such as `dictionaries.2.match`; None takes the key out."""
    spec = copy.deepcopy(SPEC)
    *way, last = path.split(".")
    place: Any = spec
    for part in way:
        place = place[int(part)] if isinstance(place, list) else place[part]
    key = int(last) if isinstance(place, list) else last
    if value is None:
        del place[key]
    else:
        place[key] = value
    return spec


def cells() -> set[str]:
    """Everything that stands in the files and is long enough to be told from an ordinary word."""
    found = {cell for content in FILES.values() for line in content.split("\n")[1:] for cell in line.split(",")}
    found |= set(FILES["city.csv"].replace("\n", ";").split(";")) - {"town", "land", "part"}
    return {cell for cell in found if len(cell) > 3 and ";" not in cell}
