"""Server time of every page of a signed-in officer, in a house with 200 projects and a run of 50 400 candidates.

Run as `python benchmarks/pages.py [people] [requests] [page …]`. The median of 50 requests each, and its ratio to the
simplest answer there is; then the size of the plane that the frontier's page draws. It fails where a page takes longer
than promised by the time of the processor, which others who use the machine do not lengthen, or where the plane is
larger. Where pages are named, only they are looked at.
"""

import gzip
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.addresses import Page, pages

if TYPE_CHECKING:
    from django.test import Client

    from benchmarks.busy_house import House

SIMPLEST = "healthz"
PLANE = "frontier-plane"
AT_MOST_MS = 200
AT_MOST_BYTES = 1_000_000


def main(people: int = 1_000, requests: int = 50, *only: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        house, client = _moved_in(folder, people)
        candidates = house.run.outcome.summary["about"]["nodes"]
        print(f"pages, {candidates:,} candidates, {people:,} people, median of {requests} requests")
        listed = [page for page in pages(house) if not only or page.name in {SIMPLEST, PLANE, *only}]
        _check(client, listed)
        medians = {page: _median(client, page, requests) for page in listed}
        broken = [*_table(medians), *_plane(client, medians)]
    if broken:
        raise SystemExit(f"Above what is promised: {', '.join(broken)}.")


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


@dataclass(frozen=True)
class Spent:
    """What answering took: milliseconds by the clock and of the processor, and the bytes of the answer."""

    clock: float
    processor: float
    size: int


def _check(client: "Client", listed: list[Page]) -> None:
    """Look at every page once, which also fills what is filled once."""
    statuses = {page: _answer(client, page).status_code for page in listed}
    if wrong := [f"{page.address} answers {status}" for page, status in statuses.items() if status != 200]:
        raise SystemExit("\n".join(wrong))


def _answer(client: "Client", page: Page, number: int = 0) -> Any:
    """The answer to a request for the page: one after another sends the next of its forms."""
    headers = {"hx-request": "true"} if page.part else {}
    if page.forms:
        return client.post(page.address, dict(page.forms[number % len(page.forms)]), headers=headers)
    return client.get(page.address, headers=headers)


def _median(client: "Client", page: Page, requests: int) -> Spent:
    spent = [_spent(client, page, number) for number in range(requests)]
    clock, processor = statistics.median(one.clock for one in spent), statistics.median(one.processor for one in spent)
    return Spent(clock, processor, spent[-1].size)


def _spent(client: "Client", page: Page, number: int) -> Spent:
    clock, processor = time.perf_counter(), time.process_time()
    answer = _answer(client, page, number)
    sent = iter(answer.streaming_content) if page.file and answer.streaming else iter([answer.getvalue()])
    size = len(next(sent, b""))
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    answer.close()
    return Spent(clock * 1000, processor * 1000, size)


def _table(medians: dict[Page, Spent]) -> list[str]:
    """The table, printed; the names of the pages that take too long."""
    simplest = next(one.clock for page, one in medians.items() if page.name == SIMPLEST)
    print(f"  {'page':29}{'median':>12}{'processor':>12}{'ratio':>10}{'answer':>12}")
    for page, one in medians.items():
        about = "   its first bytes" if page.file else f"   above {AT_MOST_MS} ms" if one.clock > AT_MOST_MS else ""
        times = f"{one.clock:9.1f} ms{one.processor:9.1f} ms{one.clock / simplest:8.1f} x"
        print(f"  {page.words:29}{times}{one.size / 1000:9.1f} kB{about}")
    slowest = max(medians, key=lambda page: medians[page].processor)
    print(f"  the slowest: {slowest.words}, {medians[slowest].processor:.0f} ms of the processor, at most {AT_MOST_MS}")
    return [page.words for page, one in medians.items() if one.processor > AT_MOST_MS]


def _plane(client: "Client", medians: dict[Page, Spent]) -> list[str]:
    address = next(page.address for page in medians if page.name == PLANE)
    packed = client.get(address).getvalue()
    unpacked = len(gzip.decompress(packed))
    print(f"  the plane's JSON: {unpacked:,} bytes, at most {AT_MOST_BYTES:,}; packed, as it is sent: {len(packed):,}")
    return ["the plane"] if unpacked > AT_MOST_BYTES else []


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *sys.argv[3:])
