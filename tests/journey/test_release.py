"""From a proposal to a file that is checked, changed and revoked, in real browsers with the real worker."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.journey.album import Album
from tests.journey.conftest import NewVar
from tests.journey.deciding_house import make
from tests.journey.keyboard import Keys
from tests.journey.serving import Server, manage
from tests.journey.steps import sign_in
from tests.journey.visitor import rows

WORK = 240_000  # milliseconds that a worker may take on a machine that is busy with other tests
Visit = Callable[..., Page]
Enter = Callable[[str], Page]


@pytest.fixture(scope="module")
def house(new_var: NewVar) -> Iterator[tuple[Server, dict[str, str]]]:
    """A server over a house with a finished run."""
    var = new_var("house")
    told = make(var)
    server = Server(var).ready()
    try:
        yield server, told
    finally:
        server.kill()


@pytest.fixture
def enter(house: tuple[Server, dict[str, str]], visit: Visit) -> Enter:
    """Somebody signs in, in a window of their own."""

    def open_window(name: str) -> Page:
        page = visit()
        sign_in(page, house[0], f"{name}@example.org")
        expect(page.get_by_role("heading", name="Projects")).to_be_visible()
        return page

    return open_window


def audited(server: Server, action: str) -> list[tuple[str, str]]:
    """Who did such a thing, and the details."""
    return rows(server.var, "SELECT actor, details FROM riskapp_auditevent WHERE action = ? ORDER BY number", action)  # type: ignore[return-value]


# Steps


def propose(keys: Keys) -> None:
    page = keys.page
    keys.write(page.get_by_label("What the recipient wants it for"), "A study of illness in small towns")
    keys.write(page.get_by_label("Who receives it"), "University of Aldersee")
    keys.tick(page.get_by_label("Rita"))
    keys.write(page.get_by_label("Why this rule"), "Year and sex stay; towns would give people away.")
    keys.write(page.get_by_label("Legal basis"), "GDPR Art. 89, research agreement 12/2026")
    keys.write(page.get_by_label("Reference of the impact assessment"), "DPIA 2026-7")
    keys.follow(page.get_by_role("button", name="Propose it"))
    expect(page.get_by_text("Proposed. Another officer decides; you can follow it here.")).to_be_visible()


def answer_warnings(keys: Keys) -> int:
    """Answer every warning; how many there were."""
    warnings = keys.page.locator("#warnings article")
    expect(warnings.first).to_be_visible(timeout=WORK)
    for place in range(warnings.count()):
        one = warnings.nth(place)
        keys.write(one.get_by_label("Why it is acceptable"), "Known; the contract forbids to look for people.")
        keys.follow(one.get_by_role("button", name="Keep the answer"))
        expect(one.locator("blockquote")).to_be_visible()
    return warnings.count()


def advise(keys: Keys) -> None:
    page = keys.page
    keys.hit(page.get_by_text("Record advice"))
    keys.write(page.get_by_label("Whose advice"), "Dora, data protection officer")
    keys.write(page.get_by_label("What was advised"), "Have the contract signed first.")
    keys.follow(page.get_by_role("button", name="Keep the advice"))
    expect(page.get_by_text("Have the contract signed first.")).to_be_visible()


def follow_advice(keys: Keys) -> None:
    page = keys.page
    keys.tick(page.get_by_label("Yes", exact=True))
    keys.write(page.get_by_label("Why", exact=True).first, "It was signed on 3 November.")
    keys.follow(page.get_by_role("button", name="Keep", exact=True))
    expect(page.get_by_text("Followed.")).to_be_visible()


def decide(keys: Keys, how: str, why: str) -> None:
    keys.write(keys.page.locator("#id_decide-reason"), why)
    keys.follow(keys.page.get_by_role("button", name=how))


def withdraw(keys: Keys) -> None:
    page = keys.page
    keys.hit(page.get_by_text("Withdraw it"))
    keys.write(page.locator("#id_withdraw-reason"), "The study changed.")
    keys.follow(page.get_by_role("button", name="Withdraw the proposal"))
    expect(page.get_by_text("Withdrawn by Stella")).to_be_visible()


def download(keys: Keys, folder: Path) -> tuple[Path, Path]:
    """The file and its manifest, as a recipient saves them."""
    page = keys.page
    ways = (page.get_by_role("button", name=re.compile("^Download")), page.get_by_role("link", name="Manifest"))
    file, manifest = (keys.fetch(way, folder) for way in ways)
    return file, manifest


def changed(file: Path) -> Path:
    """The same file with one bit of one byte changed."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    other = file.with_name(f"changed-{file.name}")
    other.write_bytes(content)
    return other


DROP = """([target, files]) => {
  const given = new DataTransfer();
  for (const [name, text] of files) given.items.add(new File([text], name));
  const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: given });
  document.querySelector(target).dispatchEvent(event);
}"""


def drop(page: Page, *files: Path) -> None:
    page.evaluate(DROP, ["[data-verify]", [[file.name, file.read_text()] for file in files]])


def rule_page(server: Server, ids: dict[str, str]) -> str:
    return f"{server.base_url}/projects/{ids['project']}/runs/{ids['run']}/rule/?{urlencode({'rule': ids['rule']})}"


# The journey


def test_a_proposal_is_withdrawn_and_made_again_and_rejected_by_keyboard_alone(
    house: tuple[Server, dict[str, str]], enter: Enter
) -> None:
    (server, ids), album = house, Album()
    steward, officer = Keys(enter("stella")), Keys(enter("oscar"))
    page = steward.page
    page.goto(rule_page(server, ids))
    steward.follow(page.get_by_role("link", name="Propose this rule"))
    propose(steward)
    withdraw(steward)
    album.look(page, "proposal-withdrawn")
    steward.follow(page.get_by_role("link", name="Propose it again"))
    steward.follow(page.get_by_role("button", name="Propose it"))
    expect(page.get_by_text("Proposed. Another officer decides; you can follow it here.")).to_be_visible()
    officer.page.goto(page.url)
    decide(officer, "Reject", "The contract is not signed.")
    expect(officer.page.get_by_text("The contract is not signed.")).to_be_visible()
    album.look(officer.page, "proposal-rejected")
    assert album.faults == {}


def test_from_a_proposal_to_a_checked_file_and_its_end_by_keyboard_alone(
    house: tuple[Server, dict[str, str]], enter: Enter, visit: Visit, tmp_path: Path
) -> None:
    (server, ids), album = house, Album()
    project = f"{server.base_url}/projects/{ids['project']}"
    keys = {name: Keys(enter(name)) for name in ("stella", "oscar", "rita", "olga")}
    steward, officer, recipient, owner = (one.page for one in keys.values())

    steward.goto(rule_page(server, ids))
    keys["stella"].follow(steward.get_by_role("link", name="Propose this rule"))
    album.look(steward, "propose")
    propose(keys["stella"])
    assert answer_warnings(keys["stella"]) >= 1
    expect(steward.get_by_text("An officer who did not propose it must decide.")).to_be_visible()
    expect(steward.get_by_text("Only officers of this project decide.")).to_be_visible()
    expect(steward.get_by_role("button", name="Approve")).to_have_count(0)
    album.look(steward, "proposal-own")

    officer.goto(steward.url)
    expect(officer.get_by_text("Known; the contract forbids to look for people.").first).to_be_visible()
    advise(keys["oscar"])
    album.look(officer, "proposal-pending")
    decide(keys["oscar"], "Approve", "Good.")
    expect(officer.get_by_text("There is advice without an answer.")).to_be_visible()
    follow_advice(keys["oscar"])
    decide(keys["oscar"], "Approve", "The figures convince me; the contract is signed.")
    expect(officer.get_by_text("Your decision is kept. The proposal is approved.")).to_be_visible()
    album.look(officer, "proposal-approved")

    recipient.goto(project)
    album.look(recipient, "recipient-project")
    keys["oscar"].follow(officer.get_by_role("link", name="The release", exact=True))
    ready = officer.get_by_text("It is ready: look at it").or_(officer.get_by_text("Attacked once"))
    expect(ready).to_be_visible(timeout=WORK)
    officer.reload()
    expect(officer.get_by_role("heading", name="Measured again, from the file itself")).to_be_visible()
    album.look(officer, "release-officer")

    recipient.goto(project)
    keys["rita"].follow(recipient.get_by_role("link", name="A study of illness in small towns"))
    album.look(recipient, "release-terms")
    keys["rita"].tick(recipient.get_by_label("I accept these terms."))
    keys["rita"].follow(recipient.get_by_role("button", name="Accept"))
    expect(recipient.get_by_text("You can download it until")).to_be_visible()
    album.look(recipient, "release-recipient")
    file, manifest = download(keys["rita"], tmp_path)
    other = changed(file)

    good, bad = (manage("verify_release", str(one), str(manifest)) for one in (file, other))
    assert good.returncode == 0, good.stderr
    assert "The manifest is whole." in good.stdout
    assert (bad.returncode, bad.stdout) == (3, "")

    anybody = visit()
    anybody.goto(f"{server.base_url}/verify/")
    anybody.set_input_files("#verify-files", [file, manifest])
    expect(anybody.get_by_text("This is the approved file.")).to_be_visible()
    album.look(anybody, "verify-good")
    drop(anybody, other, manifest)
    expect(anybody.get_by_text("This is not the approved file.")).to_be_visible()
    album.look(anybody, "verify-bad")

    officer.goto(f"{server.base_url}/register/")
    expect(officer.get_by_role("row", name=re.compile("University of Aldersee")).last).to_be_visible()
    album.look(officer, "register")
    officer.goto(f"{project}/releases/")
    album.look(officer, "releases")
    keys["oscar"].follow(officer.get_by_role("link", name="For University of Aldersee"))
    keys["oscar"].hit(officer.get_by_text("Revoke this release"))
    keys["oscar"].write(officer.get_by_label("Why it is revoked"), "The contract was ended.")
    keys["oscar"].follow(officer.get_by_role("button", name="Revoke it"))
    expect(officer.get_by_text("Revoked. Nobody can download it any more.")).to_be_visible()
    album.look(officer, "release-revoked")

    keys["rita"].follow(recipient.get_by_role("button", name=re.compile("^Download")))
    expect(recipient.get_by_text("This release is revoked.")).to_be_visible()
    recipient.goto(project)
    expect(recipient.get_by_text("Nothing has been released to you")).to_be_visible()
    recipient.goto(officer.url)
    expect(recipient.get_by_text("The contract was ended.")).to_be_visible()
    expect(recipient.get_by_role("button", name=re.compile("^Download"))).to_have_count(0)
    album.look(recipient, "release-recipient-revoked")
    owner.goto(officer.url)
    keys["olga"].follow(owner.get_by_role("link", name="Shred the file"))
    keys["olga"].follow(owner.get_by_role("button", name="Shred it"))
    expect(owner.get_by_role("link", name="Shred the file")).to_have_count(0)
    album.look(owner, "release-shredded")

    officer.goto(f"{project}/audit/")
    album.look(officer, "audit")
    assert [name for name, _ in audited(server, "release downloaded")] == ["rita@example.org"]
    assert json.loads(audited(server, "release downloaded")[0][1])["sha256"]
    assert "whole" in manage("verify_audit", RISKAPP_VAR=str(server.var)).stdout
    assert album.faults == {}


def test_the_pages_around_decisions(house: tuple[Server, dict[str, str]], enter: Enter) -> None:
    (server, ids), album = house, Album()
    project = f"{server.base_url}/projects/{ids['project']}"
    owner, auditor = enter("olga"), enter("anton")
    owner.goto(f"{project}/decisions/")
    album.look(owner, "decisions")
    for page, name in ((owner, "proposals"), (auditor, "releases"), (auditor, "audit")):
        page.goto(f"{project}/{name}/")
        album.look(page, f"{name}-{'owner' if page is owner else 'auditor'}")
    auditor.goto(f"{server.base_url}/register/")
    album.look(auditor, "register-auditor")
    assert album.faults == {}
