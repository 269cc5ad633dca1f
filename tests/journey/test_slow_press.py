"""A page that is asked for again every second, and somebody whose finger stays on a button for longer than that."""

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.journey.serving import Server
from tests.journey.steps import make_project, set_up, step

Visit = Callable[..., Page]


def test_a_press_that_outlasts_an_answer_is_not_lost(server: Server, visit: Visit, tmp_path: Path) -> None:
    page, worker = visit(), server.pid("worker")
    assert worker is not None
    set_up(page, server.setup_link(), sample=False)
    make_project(page, "Slow")
    table = tmp_path / "people.csv"
    table.write_text("town,born\n" + "Aldersee,1950\n" * 50)
    os.kill(worker, signal.SIGSTOP)
    try:
        step(page, "Data")
        page.set_input_files("input[type=file]", table)
        page.wait_for_url(re.compile("/uploads/[^/]+/$"))  # its own page opens, with all its scripts
        cancel = page.get_by_role("button", name="Cancel the reading")
        expect(cancel).to_be_visible()
        place = cancel.bounding_box()
        assert place is not None
        page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        page.mouse.down()
        for _ in range(2):
            with page.expect_response(lambda answer: answer.request.headers.get("hx-request") == "true"):
                pass  # the page was answered, and must not have taken the button away
        page.mouse.up()
        expect(page.get_by_text("Cancelled.", exact=True)).to_be_visible()
    finally:
        os.kill(worker, signal.SIGCONT)
