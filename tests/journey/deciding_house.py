"""A house in which somebody can propose at once: people in every role and a run that has ended, made without a server.

    python -m tests.journey.deciding_house [approved]

The folder is RISKAPP_VAR's. `approved` goes on to an approved proposal whose building waits for a worker.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.journey.serving import ROOT, clean_environment


def make(var: Path, *words: str) -> dict[str, Any]:
    """Make the house in a folder; the ids of what is in it."""
    environment = clean_environment(RISKAPP_VAR=str(var), DJANGO_SETTINGS_MODULE="riskapp.settings")
    command = [sys.executable, "-m", __name__, *words]
    made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stderr
    told: dict[str, Any] = json.loads(made.stdout.splitlines()[-1])
    return told


def main(approved: bool) -> dict[str, Any]:
    from django.core.management import call_command

    from riskapp import storage
    from riskapp.models import Actor, Membership, Project, Role, Upload, User
    from riskapp.services import projects, uploads
    from tests.app.deciding import way

    call_command("migrate", verbosity=0)

    def person(name: str, **fields: Any) -> User:
        user = User(email=f"{name}@example.org", name=name.title(), **fields)
        user.set_password("correct horse battery")
        user.save()
        return user

    def arrive(text: str) -> Upload:
        with storage.Incoming() as file:
            file.write(text.encode())
            return uploads.add(project, "people.csv", file, by=owner)

    owner = Actor(person("olga", may_create_projects=True, is_administrator=True), "127.0.0.1")
    project = projects.create(by=owner, name="Members for a study", purpose="A study of illness", role=Role.OFFICER)
    other = projects.create(by=owner, name="Another project", purpose="", role=Role.OFFICER)
    Membership.objects.create(project=other, user=person("xaver"), role=Role.RECIPIENT)
    Membership.objects.create(project=project, user=person("anton"), role=Role.AUDITOR)
    project.setup.release_class = "contract"
    project.setup.save()
    made = way(Project.objects.get(pk=project.pk), owner, person, arrive)
    rule = made.rule(least_group=5)
    if approved:
        proposal = made.propose(rule)
        made.answer(proposal)
        made.approve(proposal)
    return {"project": str(project.pk), "run": str(made.run.pk), "rule": rule}


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(main("approved" in sys.argv)))
