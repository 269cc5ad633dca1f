"""What programs can ask for, under /api/v1/: the officer's way, with the policies and services of the pages."""

from django.conf import settings
from ninja import NinjaAPI

from riskapp.web.api import (
    attackers,
    attributes,
    projects,
    proposals,
    releases,
    results,
    runs,
    setups,
    troubles,
    uploads,
)
from riskapp.web.api.door import Pace

api = NinjaAPI(
    title="riskapp",
    version=settings.VERSION,
    description="From a dataset to a release, for programs: the same steps, checks and words as on the pages.",
    urls_namespace="api",
    docs_url=None,
    throttle=[Pace()],
)
troubles.tell(api)
for tag, router in {
    "Projects": projects.router,
    "Uploads": uploads.router,
    "Set-up": setups.router,
    "Attributes": attributes.router,
    "Attackers": attackers.router,
    "Runs": runs.router,
    "Results": results.router,
    "Proposals": proposals.router,
    "Releases": releases.router,
}.items():
    api.add_router("", router, tags=[tag])
