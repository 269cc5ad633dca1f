"""A busy house for the benchmark of the pages: 200 projects, one of them with all that a project can have.

Everything is made by the services, as the pages make it; a worker in this process carries out what they queue.
What gathers over the years in the other projects is copied.
"""

import csv
import io
import random
from dataclasses import dataclass
from datetime import date, timedelta

from benchmarks.busy_decisions import Decided, decide
from riskapp import storage
from riskapp.bridge import outcomes
from riskapp.models import (
    Actor,
    Attacker,
    Attribute,
    Membership,
    Project,
    Role,
    Run,
    RunState,
    Setup,
    Template,
    Upload,
    User,
)
from riskapp.services import (
    assessing,
    attackers,
    drifting,
    harm,
    inquiries,
    notices,
    projects,
    rehearsing,
    rules,
    runs,
    setups,
    shelf,
    templates,
    tokens,
    uploads,
)

PROJECTS, UPLOADS, RUNS, NOTICES, SHELVED, TEMPLATES, TOKENS, PEOPLE = 200, 40, 60, 120, 100, 30, 15, 60
FURTHER_COLUMNS = 90
DISTRICTS = [f"district {number:02d}" for number in range(24)]
JOBS = [f"job {number:03d}" for number in range(60)]
HIERARCHIES = {
    "postcode": {"mask": 5},
    "born": {"intervals": {"from": 1920, "widths": [5, 10, 20], "unit": 1}},
    "income": {"intervals": {"from": 0, "widths": [5000, 10000, 30000], "unit": 1000}},
    "job": {"rows": [[job, f"trade {job[4:6]}", f"sector {job[4]}", "*"] for job in JOBS]},
    "visited": {"dates": ["month", "year"]},
    "district": {"rows": [[district, f"region {district[9]}", "*"] for district in DISTRICTS]},
    "score": {"intervals": {"from": 0, "widths": [2, 4, 8, 16, 32], "unit": 1}},
}
"""Heights 5, 4, 4, 3, 3, 2 and 6: a lattice of 50 400 nodes."""
KNOWN = ("postcode", "born", "job", "district")


@dataclass(frozen=True)
class House:
    """Who looks, at what.

    Parameters
    ----------
    officer : a member of every project, and an administrator
    run : a finished run, with 50 400 candidates
    rules : the names of four of them; a worker has looked into the first
    what_if : the key of what an attacker would find who knew more
    next_month : a file that was compared with the set-up and with the first template
    decided : a proposal that waits, and a release that is ready
    """

    officer: User
    project: Project
    run: Run
    rules: list[str]
    what_if: str
    next_month: Upload
    decided: Decided


def build(rows: int) -> House:
    """The house, with so many people in its largest project."""
    officer = User.objects.create(
        email="olga@example.org", name="Olga", may_create_projects=True, is_administrator=True
    )
    by = Actor(officer, "127.0.0.1")
    made = [projects.create(by=by, name=f"Study {number}", purpose="", role=Role.OFFICER) for number in range(PROJECTS)]
    colleague = _crowd(made[0])
    setup = _described(made[0], rows, by)
    what_if = _inquired(setup, by)
    run, best = _assessed(setup, by, Actor(colleague, "127.0.0.1"))
    _furnish(setup, run, by)
    next_month = _drifted(setup, rows, by)
    some = ["0.0.0.0.0.0.0", "1.1.1.1.1.1.1", "2.2.2.2.2.1.3"]
    rules = [best, *(f"full-domain:{node}" for node in some)]
    decided = decide(run, rules, made[1:], _work_off, proposer=Actor(colleague, "127.0.0.1"), officer=by)
    return House(officer, run.project, run, rules, what_if, next_month, decided)


def _crowd(project: Project) -> User:
    """Everybody else of the organisation, half of them in the project; one of them, an officer."""
    crowd = [
        User.objects.create(email=f"person{number}@example.org", name=f"Person {number}") for number in range(PEOPLE)
    ]
    for number, person in enumerate(crowd[: PEOPLE // 2]):
        role = Role.RECIPIENT if number % 2 else Role.OFFICER
        Membership.objects.create(project=project, user=person, role=role)
    return crowd[0]


# The set-up


def _described(project: Project, rows: int, by: Actor) -> Setup:
    dataset = _arrive(project, "people.csv", _people(rows), by)
    register = _arrive(project, "register.csv", _register(rows), by)
    for number in range(UPLOADS):
        _arrive(project, f"list-{number}.csv", f"name,town\nAnn,Aldersee\nBob,Cronfeld\nCid,Town {number}\n", by)
    _work_off()
    setup = Setup.objects.get(pk=project.pk)
    setups.set_class(setup, "contract", None, setup.version, by=by)
    setups.choose_dataset(setup, Upload.objects.get(pk=dataset.pk), setup.version, by=by)
    for one in setup.attributes.all():
        _describe(one)
    setups.accept_all(setup, by=by)
    _attack(setup, Upload.objects.get(pk=register.pk), by)
    harm.describe(setup, setup.version, by=by, sensitivity={})
    return setup


def _describe(one: Attribute) -> None:
    changes = {"role": "dropped", "knowable": False}
    if one.column == "id":
        changes = {"role": "identifier"}
    elif one.column in HIERARCHIES:
        changes = {"role": "generalised", "knowable": True, "hurts": False, "hierarchy": HIERARCHIES[one.column]}
    elif one.column == "illness":
        changes = {"role": "kept", "knowable": False, "hurts": True}
    Attribute.objects.filter(pk=one.pk).update(**changes)


def _attack(setup: Setup, register: Upload, by: Actor) -> None:
    match = {name: name for name in KNOWN}
    attackers.add(setup, "register", "broker", by=by, upload=register, identity="name", match=match)
    attackers.add(setup, "self", "colleague", by=by, knows=list(KNOWN))


def _inquired(setup: Setup, by: Actor) -> str:
    """Everything that the attackers' pages can show, and the key of the what-if."""
    broker = Attacker.objects.select_related("setup__project", "upload").get(setup=setup, name="broker")
    colleague = Attacker.objects.select_related("setup__project").get(setup=setup, name="colleague")
    job = setup.attributes.get(column="job")
    more = inquiries.about_more(colleague, inquiries.could_also_know(colleague, None)[:1])
    for question in (
        *(inquiries.about_coverage(one) for one in (broker, colleague)),
        inquiries.about_matching(setup, broker.upload, "the attacker"),
        inquiries.about_likeness(broker, "job", job, "0"),
        inquiries.about_bounds(setup),
    ):
        inquiries.ask(setup.project, question, by=by)
    what_if = inquiries.ask(setup.project, more, by=by).key
    _work_off()
    return what_if


def _assessed(setup: Setup, by: Actor, starter: Actor) -> tuple[Run, str]:
    """A finished run, and its best rule, with all that its page can show."""
    search = {"rules": ["full-domain"], "least_share": 0.4}
    setups.plan(setup, setup.version, by=by, search=search, risk={"over_dictionaries": "worst"}, utility={})
    rehearsing.ask(setup, by=by)
    harm.ask_examples(setup, by=by)
    _work_off()
    run = assessing.start(setup, by=starter, name="The whole lattice")
    _work_off()
    run = Run.objects.select_related("outcome", "project__setup").get(pk=run.pk)
    best = run.outcome.summary["best"]
    rules.detail(run.outcome, best).ask(by=by)
    rules.stability(run.outcome, outcomes.rules(run.outcome, [best])[best]).ask(by=by)
    rules.attacker(run.outcome, best, 1, "broker").ask(by=by)
    _work_off()
    return run, best


def _arrive(project: Project, name: str, text: str, by: Actor) -> Upload:
    with storage.Incoming() as file:
        file.write(text.encode())
        return uploads.add(project, name, file, by=by)


def _work_off() -> None:
    """Carry out every queued run, as a worker does."""
    while waiting := Run.objects.filter(state=RunState.QUEUED).order_by("created_at").first():
        token = runs.claim(waiting.pk)
        assert token is not None, "nobody else is here"
        runs.compute(waiting.pk, token)
        waiting.refresh_from_db()
        if waiting.state != RunState.SUCCEEDED:
            raise SystemExit(f"{waiting.kind}: {waiting.fault}")


# What gathers over the years


def _furnish(setup: Setup, run: Run, by: Actor) -> None:
    for _ in range(RUNS):
        runs.cancel(assessing.repeat(run, by=Actor(run.started_by)), by=by)
    for _ in range(NOTICES):
        notices.tell(run, RunState.SUCCEEDED)
    for number in range(SHELVED):
        shelf.add(f"districts {number}", "As the survey has them", HIERARCHIES["district"], by=by, open_to_all=True)
    for number in range(TEMPLATES):
        templates.save(setup, f"Survey {number}", "", by=by)
    for number in range(TOKENS):
        tokens.make(f"script {number}", ["read"], 30, by=by)


def _drifted(setup: Setup, rows: int, by: Actor) -> Upload:
    """The next file: further columns are called otherwise, and some districts are new."""
    text = _people(rows).replace("answer ", "reply ").replace("district 0", "borough ")
    upload = _arrive(setup.project, "next-month.csv", text, by)
    _work_off()
    upload.refresh_from_db()
    template = Template.objects.first()
    assert template
    for question in (drifting.from_template(template, upload), drifting.from_setup(setup, upload)):
        drifting.ask(setup, question, by=by)
    _work_off()
    return upload


# Files


def _people(rows: int) -> str:
    """People with seven columns that can be made coarser, one that hurts, and many that nobody needs."""
    draw = random.Random(1)
    further = [f"answer {number}" for number in range(FURTHER_COLUMNS)]
    people = [[f"p{number}", *_person(draw), *(draw.choice("abc") for _ in further)] for number in range(rows)]
    return _csv(["id", *HIERARCHIES, "illness", *further], people)


def _person(draw: random.Random) -> list[object]:
    visited = date(2019, 1, 1) + timedelta(days=draw.randrange(700))
    place = [f"{50_000 + draw.randrange(300) * 37}", draw.randrange(1925, 2005), draw.randrange(90) * 1000]
    return [
        *place,
        draw.choice(JOBS),
        visited,
        draw.choice(DISTRICTS),
        draw.randrange(100),
        draw.choice(["flu", "gout"]),
    ]


def _register(rows: int) -> str:
    draw = random.Random(2)
    drawn = (dict(zip(HIERARCHIES, _person(draw), strict=False)) for _ in range(rows))
    return _csv(["name", *KNOWN], [[f"n{number}", *(one[name] for name in KNOWN)] for number, one in enumerate(drawn)])


def _csv(header: list[str], rows: list[list[object]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return file.getvalue()
