"""A house with one of everything that a page can be about, made without a server.

    python -m tests.journey.furnished_house

The folder is RISKAPP_VAR's. What is told are the ids, by the names that addresses have for them, and the tokens of two
invitations: for somebody new, and for somebody who has an account.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.journey import deciding_house
from tests.journey.serving import ROOT, clean_environment


def make(var: Path) -> dict[str, Any]:
    environment = clean_environment(RISKAPP_VAR=str(var), DJANGO_SETTINGS_MODULE="riskapp.settings")
    command = [sys.executable, "-m", __name__]
    made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stderr
    told: dict[str, Any] = json.loads(made.stdout.splitlines()[-1])
    return told


def main() -> dict[str, Any]:
    ids = deciding_house.main(approved=True)

    from riskapp import storage
    from riskapp.models import Actor, Membership, Project, Release, Run, Setup, User
    from riskapp.services import assessing, invitations, remarks, setups, shelf, templates, tokens, uploads
    from tests.app.working import work_off

    by = Actor(User.objects.get(email="olga@example.org"), "127.0.0.1")
    project, empty = Project.objects.get(pk=ids["project"]), Project.objects.get(name="Another project")
    with storage.Incoming() as file:
        file.write(b"id,town,born,sex,ill,new\np1,Town 1,1950,m,flu,x\np2,Town 2,1951,f,cough,y\n")
        second = uploads.add(project, "next-month.csv", file, by=by)
    work_off("read")
    setup = Setup.objects.get(pk=project.pk)
    setups.accept_all(setup, by=by)
    template = templates.save(setup, "Monthly", "The study's file", by=by)
    ages = {"intervals": {"from": 1900, "widths": [5, 10], "unit": 1}}
    shelved = shelf.add("Years", "in fives", ages, by=by, open_to_all=False)
    release = Release.objects.get(project=project)
    remark = remarks.comment(release.proposal, "Tell them of the contract.", by=by)
    again = assessing.repeat(Run.objects.get(pk=ids["run"]), by=by)
    work_off("assess")
    other = User.objects.get(email="otto@example.org")
    newcomer = invitations.invite(project, "new@example.org", "auditor", by=by)
    known = invitations.invite(empty, "rita@example.org", "recipient", by=by)
    return ids | {
        "project_id": str(project.pk),
        "empty": str(empty.pk),
        "upload_id": str(setup.dataset_id),
        "second": str(second.pk),
        "run_id": ids["run"],
        "again": str(again.pk),
        "attribute_id": setup.attributes.get(column="ill").pk,
        "attacker_id": setup.attackers.get().pk,
        "attacker": setup.attackers.get().name,
        "shelved_id": str(shelved.pk),
        "template_id": str(template.pk),
        "column": 1,
        "member_id": Membership.objects.get(project=project, user=other).pk,
        "invitation_id": str(project.invitations.get().pk),
        "person_id": str(other.pk),
        "name": "deactivate",
        "token": "no-such-token",
        "uidb64": "eA",
        "page": "reference/roles",
        "token_id": str(tokens.make("A program", ["read"], 7, by=by)[1].pk),
        "proposal_id": str(release.proposal_id),
        "release_id": str(release.pk),
        "remark_id": remark.pk,
        "picture": "images/profile.png",
        "newcomer": newcomer,
        "known": known,
    }


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(main()))
