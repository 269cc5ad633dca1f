"""The sample's set-up: what an officer would say about the invented members, said at once."""

from typing import Any

from riskapp.engine.reporting import Report
from riskapp.models import Actor, ColumnRole, Run, Setup, Upload
from riskapp.services import attackers, harm, rehearsing, setups

REGIONS = {
    "Northmark": ["Aldersee", "Birkenau am Moor", "Cronfeld"],
    "Eastland": ["Dunkirchen", "Eibenstadt", "Farnhausen"],
    "Southmark": ["Grünwerder", "Hohenlinde", "Isenbruck"],
    "Westmark": ["Jorkshaven", "Kaltenbach", "Lorchdorf"],
}
WORK = {
    "with people": ["nurse", "teacher", "cook"],
    "in an office": ["clerk", "engineer"],
    "with their hands": ["farmer", "driver", "carpenter", "baker", "electrician"],
    "not at work": ["pensioner", "student"],
}
KNOWN = {"role": ColumnRole.GENERALISED, "knowable": True}
COLUMNS: dict[str, dict[str, Any]] = {
    "member_id": {"role": ColumnRole.IDENTIFIER},
    "email": {"role": ColumnRole.DROPPED},
    "birthdate": KNOWN | {"hierarchy": {"dates": ["month", "year"]}},
    "sex": KNOWN | {"hierarchy": None},
    "postcode": KNOWN | {"hierarchy": {"mask": 5}},
    "town": KNOWN | {"hierarchy": {"groups": REGIONS}},
    "occupation": KNOWN | {"hierarchy": {"groups": WORK}},
    "income": {"role": ColumnRole.KEPT, "knowable": False, "hurts": False, "weight": 3},
    "diagnosis": {"role": ColumnRole.KEPT, "knowable": False, "hurts": True, "weight": 10},
    "note": {"role": ColumnRole.DROPPED},
}
MATCH = {"sex": "sex", "born": "birthdate@year", "town": "town", "occupation": "occupation"}
SEARCH: dict[str, Any] = {
    "rules": ["full-domain", "regional", "k-anonymity"],
    "regions": {"auto": 4},
    "k": [5, 11],
    "least_share": 0.5,
}


def set_up(setup: Setup, dataset: Upload, register: Upload, *, by: Actor) -> None:
    """Describe the sample as an officer would, page after page."""
    setups.set_class(setup, "contract", None, setup.version, by=by)
    setups.choose_dataset(setup, dataset, setup.version, by=by)
    for attribute in setup.attributes.select_related("setup__project"):
        setups.describe(attribute, attribute.version, by=by, **COLUMNS[attribute.column])
    source = {"source": "Made up with the sample", "licence": "None needed: nobody in it exists"}
    attackers.add(setup, "register", "register", by=by, upload=register, match=MATCH, **source)
    harm.describe(setup, setup.version, by=by, sensitivity={"family": "linear"})
    risk, utility = {"over_dictionaries": "worst"}, {"measure": "depth"}
    setups.plan(setup, setup.version, by=by, search=SEARCH, risk=risk, utility=utility)


# The work. All of it happens when the run ends: either everything is said, or nothing and the run is tried again.


def claimed(run: Run, by: Actor) -> None:
    """Nothing else changes when a worker takes the run."""


def compute(run: Run, report: Report) -> None:
    report(1, 1, "describing the columns")


def succeeded(run: Run, result: None, by: Actor) -> None:
    asked = Actor(run.started_by)
    dataset, register = (Upload.objects.get(pk=name, project_id=run.project_id) for name in run.parameters["uses"])
    setup = Setup.objects.select_related("project").get(pk=run.project_id)
    set_up(setup, dataset, register, by=asked)
    rehearsing.ask(setup, by=asked)


def given_up(run: Run, fault: dict[str, Any], by: Actor) -> None:
    """The run itself carries the fault."""


def let_go(run: Run, by: Actor) -> None:
    """Nothing else changes when the run is cancelled or waits again."""
