"""A project to try things on: an invented insurer's members, and a register that an attacker could hold."""

from pathlib import Path

from django.conf import settings

from riskapp import storage
from riskapp.models import Actor, Project, Role
from riskapp.services import projects, uploads

FOLDER = Path(settings.BASE_DIR) / "riskapp" / "samples"
FILES = ["members.csv", "register.csv"]
PURPOSE = (
    "A university wants the members' records for a study of chronic illness. "
    "Everybody in these files is invented; try whatever you like."
)


def load(*, by: Actor) -> Project:
    """Make the sample project; its files are read by the workers like any other upload."""
    project = projects.create(by=by, name="Sample: members for a study", purpose=PURPOSE, role=Role.OFFICER)
    for name in FILES:
        with storage.Incoming() as file:
            file.write((FOLDER / name).read_bytes())
            uploads.add(project, name, file, by=by)
    return project
