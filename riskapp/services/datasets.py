"""Another dataset for a project that is described already."""

from collections.abc import Mapping

from riskapp.models import Actor, Setup, Upload
from riskapp.services import copying, drifting
from riskapp.services.states import Overtaken


def replace(setup: Setup, upload: Upload, renamed: Mapping[str, str], seen: int, *, by: Actor) -> None:
    """Put another file in the dataset's place, after it has been compared: what was said is carried over."""
    if upload.project_id != setup.project_id:
        raise Overtaken("This upload is not one of the project.")
    drift = drifting.known(setup.project, drifting.from_setup(setup, upload))
    names = drifting.check_renamed(drift, renamed)
    document = copying.onto(
        copying.copied(setup),
        upload,
        renamed=names,
        doubtful=drifting.doubtful(drift, names),
        as_suggested={fact["column"] for fact in drift.new},
    )
    told = {"upload": str(upload.pk)}
    copying.write(setup, document, seen, by=by, action="dataset chosen", details=told)
