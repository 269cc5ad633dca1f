"""Server time of every page of a signed-in officer, in a house with 200 projects and a run of 50 400 candidates.

Run as `python benchmarks/pages.py [people] [requests]`. The median of 50 requests each, and its ratio to the simplest
answer there is; then the size of the plane that the frontier's page draws. Where others use the machine too, the
time of the processor says what a page costs.
"""

import gzip
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[1]))

if TYPE_CHECKING:
    from django.test import Client

    from benchmarks.busy_house import House

SIMPLEST = "healthz"
AT_MOST_MS = 200
AT_MOST_BYTES = 1_000_000


def main(people: int = 1_000, requests: int = 50) -> None:
    with tempfile.TemporaryDirectory() as folder:
        house, client = _moved_in(folder, people)
        print(f"pages, {house.run.outcome.summary['about']['nodes']:,} candidates, median of {requests} requests")
        medians = {name: _median(client, address, requests) for name, address in pages(house)}
        _table(medians)
        _plane(client, dict(pages(house))["frontier-plane"])


def _moved_in(folder: str, people: int) -> tuple["House", "Client"]:
    """A house of its own in the folder, whatever the environment names, and the officer's browser."""
    for name in [name for name in os.environ if name.startswith("RISKAPP_") or name in {"DATABASE_URL", "REDIS_URL"}]:
        del os.environ[name]
    # The ids of runs go nowhere: the house is built by this process alone.
    os.environ |= {"RISKAPP_VAR": folder, "REDIS_URL": "memory://", "DJANGO_SETTINGS_MODULE": "riskapp.settings"}
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client

    from benchmarks.busy_house import build

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    start = time.perf_counter()
    house = build(people)
    print(f"built in {time.perf_counter() - start:.0f} s")
    client = Client(SERVER_NAME="127.0.0.1", headers={"accept-encoding": "gzip"})
    client.force_login(house.officer, backend="django.contrib.auth.backends.ModelBackend")
    return house, client


def pages(house: "House") -> Iterator[tuple[str, str]]:
    """Every page, by its name, with its address in the house."""
    from django.urls import reverse

    project, run, upload = house.project, house.run, house.project.setup.dataset_id
    attribute, attacker = project.setup.attributes.get(column="job"), project.setup.attackers.get(name="broker")
    for name in (SIMPLEST, *SITE):
        yield name, reverse(name)
    yield "help-page", reverse("help-page", args=["reference/limits"])
    for name in OF_PROJECT:
        yield name, reverse(name, args=[project.pk])
    yield "upload", reverse("upload", args=[project.pk, upload])
    yield "attribute", reverse("attribute", args=[project.pk, attribute.pk])
    yield "hierarchy", reverse("hierarchy", args=[project.pk, attribute.pk])
    yield "attacker", reverse("attacker", args=[project.pk, attacker.pk])
    for name in OF_RUN:
        yield name, reverse(name, args=[project.pk, run.pk])
    for name, some in OF_RULES.items():
        asked = urlencode([("rule", rule) for rule in house.rules[:some]])
        yield name, f"{reverse(name, args=[project.pk, run.pk])}?{asked}"


SITE = (
    *("projects", "project-new", "notices", "notices-badge", "tokens", "shelf", "account", "second-factor"),
    *("help", "api", "people", "classes", "site-audit"),
)
OF_PROJECT = (
    *("project", "project-settings", "members", "release-class", "attributes", "attackers"),
    *("linkage", "harm", "templates", "assessment-import", "runs", "rehearsal", "project-audit"),
)
OF_RUN = ("run", "run-row", "run-export", "frontier", "frontier-plane")
OF_RULES = {"rule": 1, "rule-detail": 1, "rule-stability": 1, "compare": 4}


@dataclass(frozen=True)
class Spent:
    """What answering took: milliseconds by the clock and of the processor, and the bytes of the answer."""

    clock: float
    processor: float
    size: int


def _median(client: "Client", address: str, requests: int) -> Spent:
    """The first request, which fills what is filled once, is not counted."""
    spent = [_spent(client, address) for _ in range(requests + 1)][1:]
    clock, processor = statistics.median(one.clock for one in spent), statistics.median(one.processor for one in spent)
    return Spent(clock, processor, spent[-1].size)


def _spent(client: "Client", address: str) -> Spent:
    clock, processor = time.perf_counter(), time.process_time()
    answer = client.get(address)
    size = len(answer.getvalue())
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    if answer.status_code != 200:
        raise SystemExit(f"{address} answers {answer.status_code}.")
    return Spent(clock * 1000, processor * 1000, size)


def _table(medians: dict[str, Spent]) -> None:
    simplest = medians[SIMPLEST].clock
    print(f"  {'page':20}{'median':>12}{'processor':>12}{'ratio':>10}{'answer':>12}")
    for name, one in medians.items():
        mark = f"   above {AT_MOST_MS} ms" if one.clock > AT_MOST_MS else ""
        times = f"{one.clock:9.1f} ms{one.processor:9.1f} ms{one.clock / simplest:8.1f} x"
        print(f"  {name:20}{times}{one.size / 1000:9.1f} kB{mark}")


def _plane(client: "Client", address: str) -> None:
    packed = client.get(address).getvalue()
    unpacked = len(gzip.decompress(packed))
    print(f"  the plane's JSON: {unpacked:,} bytes, at most {AT_MOST_BYTES:,}; packed, as it is sent: {len(packed):,}")
    if unpacked > AT_MOST_BYTES:
        raise SystemExit("The plane is too large.")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
