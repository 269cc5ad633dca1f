"""A project with a finished run, made by the services alone."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from riskapp import storage
from riskapp.bridge import outcomes
from riskapp.engine.hashes import sha256
from riskapp.models import Actor, Attribute, Project, Run, Setup, Upload
from riskapp.services import assessing, rehearsing, setups
from tests.app.working import work_off

TOWNS = ["Aldersee", "Birkenau", "Cronfeld"]
ROWS = "\n".join(
    f"p{i},{TOWNS[i % 3]},{1950 + (i * i) % 37},{'mf'[i % 2]},{['flu', 'gout', 'flu', 'none'][i % 4]}"
    for i in range(120)
)
PEOPLE = f"id,town,born,sex,illness\n{ROWS}\n"
REGIONS = {"rows": [["Aldersee", "North", "*"], ["Birkenau", "North", "*"], ["Cronfeld", "South", "*"]]}
YEARS = {"intervals": {"from": 1950, "widths": [10, 20], "unit": 1}}
CHANGES: dict[str, dict[str, Any]] = {
    "id": {"role": "identifier"},
    "town": {"role": "generalised", "knowable": True, "hierarchy": {**REGIONS, "header": ["town", "region", "all"]}},
    "born": {"role": "generalised", "knowable": True, "hierarchy": YEARS},
    "sex": {"role": "generalised", "knowable": True, "hierarchy": None},
    "illness": {"role": "kept", "knowable": False, "hurts": True},
}


def finished_run(
    project: Project,
    arrive: Callable[..., Upload],
    by: Actor,
    *,
    release: str = "contract",
    changes: Mapping[str, dict[str, Any]] | None = None,
    **search: Any,
) -> Run:
    """A run of every whole-table rule of 120 people, or of what is asked for.

    Parameters
    ----------
    changes : by column, what is said of it besides
    """
    upload = arrive(PEOPLE, name="visitors.csv")
    work_off("read")
    setup = Setup.objects.get(pk=project.pk)
    setups.set_class(setup, release, None, setup.version, by=by)
    setups.choose_dataset(setup, Upload.objects.get(pk=upload.pk), setup.version, by=by)
    for column, said in CHANGES.items():
        Attribute.objects.filter(setup=setup, column=column).update(**said, **(changes or {}).get(column, {}))
    setups.accept_all(setup, by=by)
    wanted = {"rules": ["full-domain"], **search}
    setups.plan(setup, setup.version, by=by, search=wanted, risk={"over_dictionaries": "worst"}, utility={})
    rehearsing.ask(setup, by=by)
    work_off("rehearse")
    run = assessing.start(setup, by=by)
    work_off("assess")
    run.refresh_from_db()
    assert run.state == "succeeded", run.fault
    return run


def left_unreplayed(run: Run, name: str) -> None:
    """Write into the result that the replay of a rule could not be counted; every line stays where it is."""
    path = storage.outcome_place(run.project_id, run.outcome.folder) / outcomes.RESULT
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if f'"id": "{name}"'.encode() in line)
    rule = json.loads(lines[place].rstrip().removesuffix(b","))
    rule["risk_replay"] = None
    for own in rule["people"].values():
        own["by_replay"] = None
    end = b",\n" if lines[place].endswith(b",\n") else b"\n"
    lines[place] = json.dumps(rule).encode().ljust(len(lines[place]) - len(end)) + end
    path.write_bytes(b"".join(lines))
    run.outcome.summary["files"][outcomes.RESULT]["sha256"] = sha256(path)
    run.outcome.save()
