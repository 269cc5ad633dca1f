"""Whether what a set-up says can be: read as an assessment file is read, without looking into any table."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from riskapp.bridge import documents
from riskapp.core.bad_setting import BadSetting
from riskapp.engine.assessment import read
from riskapp.models import Setup

# A share of the detail becomes some utility; which one does not matter for whether it can be asked for.
SOME_ENDS = {"measure": "depth", "unchanged": 1.0, "nothing": 0.0}


def check(setup: Setup, *parts: str) -> None:
    """Raise `BadSetting` if one of these parts of the set-up, named by their keys, is impossible.

    While something is still left to be said, or another part is wrong, nobody can tell.
    """
    try:
        document = documents.frozen(setup, SOME_ENDS)
    except documents.NotReady:
        return
    with TemporaryDirectory(prefix="riskapp-") as folder:
        path = Path(folder) / "assessment.json"
        path.write_text(json.dumps(document["assessment"]), encoding="utf-8")
        try:
            read(path)
        except BadSetting as trouble:
            if any(f"{trouble.key}.".startswith(f"{part}.") for part in parts):
                raise
