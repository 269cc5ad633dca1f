"""What programs can ask for, under /api/v1/: the officer's way, with the policies and services of the pages."""

from django.conf import settings
from ninja import NinjaAPI

from riskapp.web.api import (
    attackers,
    attributes,
    carrying,
    examples,
    hierarchies,
    inquiries,
    projects,
    proposals,
    releases,
    results,
    rules,
    runs,
    setups,
    shelf,
    templates,
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
for tag, routers in {
    "Projects": [projects.router],
    "Uploads": [uploads.router],
    "Set-up": [setups.router, examples.router, carrying.router],
    "Attributes": [attributes.router, hierarchies.router],
    "Attackers": [inquiries.router, attackers.router],
    "Shelf and templates": [shelf.router, templates.router],
    "Runs": [runs.router],
    "Results": [results.router, rules.router],
    "Proposals": [proposals.router],
    "Releases": [releases.router],
}.items():
    for router in routers:
        api.add_router("", router, tags=[tag])
