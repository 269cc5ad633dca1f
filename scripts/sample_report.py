"""Makes docs/examples: the sample project carried through to a release, with its report and its codebook.

    python scripts/sample_report.py [FOLDER]

Everything is done by the product's own services in a house of its own, which is removed afterwards.
"""

import os
import sys
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "examples"
PARTS = {"report.html": "sample-report.html", "codebook.html": "sample-codebook.html"}
UNTIL = date(2099, 12, 31)


def main(folder: Path) -> None:
    sys.path.insert(0, str(ROOT))
    with TemporaryDirectory() as house:
        os.environ |= {"RISKAPP_VAR": house, "DJANGO_SETTINGS_MODULE": "riskapp.settings"}
        import django

        django.setup()
        made = _released()
        folder.mkdir(parents=True, exist_ok=True)
        for name, kept in PARTS.items():
            (folder / kept).write_bytes((made / name).read_bytes())


def _released() -> Path:
    """The folder of the sample's release."""
    from django.core.management import call_command

    from riskapp import storage
    from riskapp.models import Actor, Membership, Project, Release, Role, Run
    from riskapp.services import deciding, proposals, samples

    call_command("migrate", verbosity=0)
    steward, officer = _person("Stella Steward"), _person("Oscar Officer")
    recipient = _person("Rita Researcher")
    project: Project = samples.load(by=Actor(steward))
    Membership.objects.create(project=project, user=officer, role=Role.OFFICER)
    Membership.objects.create(project=project, user=recipient, role=Role.RECIPIENT)
    while _work() or not project.runs.filter(kind="assess").exists():
        samples.go_on(project)
    run = Run.objects.get(project=project, kind="assess")
    proposal = proposals.propose(run, _best(run), _wish(recipient), by=Actor(steward))
    _work()
    _answer(proposal, Actor(steward))
    reason = "The figures keep the limits, the university has signed the contract, and every warning has an answer."
    seen = deciding.basis(proposal)
    deciding.decide(proposal, approves=True, reason=reason, by=Actor(officer), seen=seen)
    _work()
    release = Release.objects.get()
    assert release.folder is not None, release.fault
    return storage.release_place(project.pk, release.folder)


def _person(name: str) -> Any:
    from riskapp.models import User

    user = User(email=f"{name.split()[0].lower()}@example.org", name=name, may_create_projects=True)
    user.set_unusable_password()
    user.save()
    return user


def _work() -> int:
    """Carry out what is queued, as a worker would; how many runs that were."""
    from riskapp.models import Run, RunState
    from riskapp.services import runs

    done = 0
    while (run := Run.objects.filter(state=RunState.QUEUED).order_by("created_at").first()) is not None:
        claim = runs.claim(run.pk)
        assert claim is not None
        runs.compute(run.pk, claim)
        run.refresh_from_db()
        assert run.state == RunState.SUCCEEDED, run.fault
        done += 1
    return done


def _best(run: Any) -> str:
    """The rule of the frontier that keeps the most detail within the limits of the release class."""
    from riskapp import bridge

    kept = [bridge.evidence(run, rule) for rule in run.outcome.summary["frontier"]]
    return str(max((one for one in kept if not one["broken"]), key=lambda one: one["listed"]["utility"])["rule"])


def _wish(recipient: Any) -> Any:
    from riskapp.services.proposals import Wish

    return Wish(
        purpose="A study of chronic illness by region and age",
        recipient="University of Aldersee, Department of Public Health",
        reason="Of the rules within the limits it keeps the most detail of place and age, which the study needs.",
        expires_on=UNTIL,
        recipients=[recipient],
        legal_basis="GDPR Art. 6(1)(e) with Art. 89; research agreement 12/2026",
        dpia="DPIA 2026-07, section 4",
        options={"format": "csv", "defuse": True, "analyses": ANALYSES},
    )


ANALYSES = [
    {"name": "Members by postcode", "kind": "counts", "columns": ["postcode"], "of": None},
    {"name": "Income by town", "kind": "mean", "columns": ["town"], "of": "income"},
]
ANSWERS = {
    "skewed": "Three people in one group; the university does not learn who is in it, and the contract forbids to ask.",
    "chosen": "The question was fixed in the study's plan: the most detail of place within the limits under contract.",
    "derived": "The hierarchy is the official one: its groups were there before the data.",
}
ELSE = "Known and accepted: the recipient works under contract and may not look for anybody."


def _answer(proposal: Any, by: Any) -> None:
    from riskapp.services import remarks, warnings

    found = warnings.of(proposal).figures
    assert found is not None
    for one in found["warnings"]:
        words = next((words for start, words in ANSWERS.items() if one["key"].startswith(start)), ELSE)
        remarks.answer_warning(proposal, one["key"], words, by=by)
    advice = "Release it only under the signed contract, and for no longer than the study runs."
    given = remarks.advise(proposal, advice, "Dora Dahl, data protection officer", by=by)
    remarks.answer_advice(given, followed=True, why="The contract is signed and names the last day.", by=by)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
