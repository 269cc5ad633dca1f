"""A house in which somebody can propose at once: people in every role and a run that has ended, made without a server.

    python -m tests.journey.deciding_house [studies]

The folder is RISKAPP_VAR's. There can be more: so many studies, in each of which a proposal waits for one vote.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.journey.serving import ROOT, clean_environment
from tests.journey.visitor import session_of


def make(var: Path, *, studies: int = 0) -> dict[str, Any]:
    """Make the house in a folder; the ids of what is in it."""
    environment = clean_environment(RISKAPP_VAR=str(var), DJANGO_SETTINGS_MODULE="riskapp.settings")
    command = [sys.executable, "-m", __name__, str(studies)]
    made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stderr
    told: dict[str, Any] = json.loads(made.stdout.splitlines()[-1])
    return told


def main(*, approved: bool = False, studies: int = 0) -> dict[str, Any]:
    """The house; the first proposal can be approved, so that its building waits for a worker."""
    from django.core.management import call_command

    from riskapp import storage
    from riskapp.models import Actor, Membership, Project, Role, Upload, User
    from riskapp.services import deciding, projects, uploads
    from tests.app.deciding import Way, way

    call_command("migrate", verbosity=0)
    people: dict[str, User] = {}

    def person(name: str, **fields: Any) -> User:
        if name not in people:
            people[name] = User(email=f"{name}@example.org", name=name.title(), **fields)
            people[name].set_password("correct horse battery")
            people[name].save()
        return people[name]

    def begin(name: str) -> Way:
        project = projects.create(by=owner, name=name, purpose="A study of illness", role=Role.OFFICER)
        project.setup.release_class = "contract"
        project.setup.save()

        def arrive(text: str) -> Upload:
            with storage.Incoming() as file:
                file.write(text.encode())
                return uploads.add(project, "people.csv", file, by=owner)

        return way(Project.objects.get(pk=project.pk), owner, person, arrive)

    def propose(made: Way) -> Any:
        proposal = made.propose(made.rule(least_group=5))
        made.answer(proposal)
        return proposal

    owner = Actor(person("olga", may_create_projects=True, is_administrator=True), "127.0.0.1")
    other = projects.create(by=owner, name="Another project", purpose="", role=Role.OFFICER)
    Membership.objects.create(project=other, user=person("xaver"), role=Role.RECIPIENT)
    made = begin("Members for a study")
    Membership.objects.create(project=made.project, user=person("anton"), role=Role.AUDITOR)
    if approved:
        made.approve(propose(made))
    waiting = [propose(begin(f"Study {place}")) for place in range(studies)]
    return {
        "project": str(made.project.pk),
        "run": str(made.run.pk),
        "rule": made.rule(least_group=5),
        "officer": session_of(people["oscar"]),
        "waiting": [
            {"project": str(one.project_id), "proposal": str(one.pk), "seen": deciding.basis(one)} for one in waiting
        ],
    }


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(main(studies=int(sys.argv[1]) if len(sys.argv) > 1 else 0)))
