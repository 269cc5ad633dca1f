"""Inquiries about attackers: each a question that is answered once, and what is known of the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from riskapp.bridge import adversaries, documents
from riskapp.bridge.documents import NotReady
from riskapp.models import Actor, Attacker, AttackerKind, Attribute, Finding, Project, Run, Setup, Upload
from riskapp.services import findings, freezing

MATCHING, LIKENESS, COVERAGE, WHAT_IF, COMPARE = "matching", "likeness", "coverage", "what-if", "compare"
MOST_COMPARED = 6
"""Every two attackers are compared, so with more the page would drown in pairs."""


@dataclass(frozen=True)
class Inquiry:
    """A question and what is known: figures, or the run that finds them, or why nothing can be found yet."""

    kind: str
    key: str = ""
    figures: dict[str, Any] | None = None
    run: Run | None = None
    obstacle: str = ""

    @property
    def busy(self) -> bool:
        return self.figures is None and self.run is not None and not self.run.is_over

    @property
    def failed(self) -> bool:
        return self.figures is None and self.run is not None and self.run.state == "failed"

    @property
    def unasked(self) -> bool:
        """Whether nobody has asked yet, or the one who asked called it off."""
        return not self.obstacle and self.figures is None and not self.busy and not self.failed

    @property
    def superseded(self) -> bool:
        """Whether a newer draft took the place of this one before it was answered."""
        return self.unasked and self.run is not None and (self.run.fault or {}).get("code") == "superseded"


@dataclass(frozen=True)
class Question:
    """What is asked, and the uploads that the answer rests on."""

    kind: str
    parameters: dict[str, Any]
    uses: list[str]
    document: dict[str, Any] | None = None


def known(project: Project, kind: str, key: str) -> Inquiry:
    """What is known of a question by its key."""
    found = Finding.objects.filter(project=project, kind=kind, key=key).first()
    run = None if found else project.runs.filter(kind=kind, key=key).order_by("-created_at").first()
    return Inquiry(kind, key, found.figures if found else None, run)


def of(project: Project, question: Question) -> Inquiry:
    return known(project, question.kind, findings.key(question.parameters))


def ask(project: Project, question: Question, *, by: Actor, draft: str = "") -> Inquiry:
    """Have a question answered, unless it is or is about to be; `draft` is what it is a draft of, if it is one."""
    if question.document is not None:
        freezing.keep(question.document)
    findings.ask(project, question.kind, question.parameters, question.uses, by=by, draft=draft)
    return of(project, question)


# The questions; each raises NotReady where something is left to say


def about_matching(setup: Setup, table: Upload | None, what: str) -> Question:
    """Which attributes the columns of a table hold."""
    asked = adversaries.matching_question(setup, table, what)
    return Question(MATCHING, asked, [asked["dataset"]["upload"], asked["register"]["upload"]])


def about_likeness(attacker: Attacker, column: str, attribute: Attribute, level: str) -> Question:
    """How many values of a column would be matched by likeness."""
    asked = adversaries.likeness_question(attacker.setup, attacker.upload, column, attribute, level)
    return Question(LIKENESS, asked, [asked["dataset"]["upload"], asked["register"]["upload"]])


def about_coverage(attacker: Attacker) -> Question:
    """How many records fit how many people of the attacker's table, saved or not."""
    return _about(COVERAGE, attacker.setup, [attacker], attacker=attacker.name)


def about_more(attacker: Attacker, more: Sequence[Mapping[str, str]]) -> Question:
    """What the attacker would find who also knew one of these columns."""
    return _about(WHAT_IF, attacker.setup, [attacker], attacker=attacker.name, more=[dict(one) for one in more])


def about_bounds(setup: Setup) -> Question:
    """Whether the figures of one attacker bound those of another."""
    attackers = list(setup.attackers.select_related("upload"))
    if len(attackers) < 2:
        raise NotReady("There is only one attacker.")
    if len(attackers) > MOST_COMPARED:
        raise NotReady(f"More than {MOST_COMPARED} attackers are not compared with one another.")
    return _about(COMPARE, setup, attackers, loss=True)


def _about(kind: str, setup: Setup, attackers: list[Attacker], *, loss: bool = False, **more: Any) -> Question:
    for one in attackers:
        if one.kind == AttackerKind.COUNTS and not one.count:
            raise NotReady(f"Say which column of the attacker “{one.name}” counts the people.")
    document = documents.about_attackers(setup, attackers, loss=loss)
    uses = sorted({about["upload"] for part in ("tables", "lists") for about in document[part].values()})
    return Question(kind, {"assessment": documents.fingerprint(document), **more}, uses, document)


# What there is to ask


def could_also_know(attacker: Attacker, suggested: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """The columns that an attacker does not know yet and could: of the dataset, or of their own table."""
    released = {one.column: one for one in attacker.setup.attributes.all() if one.released}
    if attacker.kind == AttackerKind.ITSELF:
        known = attacker.knows or [name for name, one in released.items() if one.knowable]
        return [_itself(name) for name in released if name not in known]
    matched = {documents.attribute_of(to, released) for to in attacker.match.values()}
    taken = {*attacker.match, attacker.identity, attacker.count}
    guesses = [guess for column in (suggested or {}).get("columns", []) for guess in _guesses(column, taken)]
    return [_more(guess) for guess in guesses if guess["attribute"] in released and guess["attribute"] not in matched]


def _guesses(column: Mapping[str, Any], taken: set[str]) -> list[Mapping[str, Any]]:
    if column["name"] in taken:
        return []
    return [*([column["suggested"]] if column["suggested"] else []), *column["others"]]


def _itself(name: str) -> dict[str, str]:
    return {"column": name, "attribute": name, "level": "0", "likeness": ""}


def _more(guess: Mapping[str, Any]) -> dict[str, str]:
    _, found, level = str(guess["match"]).removeprefix(str(guess["attribute"])).partition("@")
    told = {"column": guess["column"], "attribute": guess["attribute"], "level": level if found else "0"}
    return told | {"likeness": guess.get("likeness", "")}
