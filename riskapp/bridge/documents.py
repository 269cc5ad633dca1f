"""From a set-up's rows to an assessment that can be frozen: the mapping of an assessment file and what it names."""

import csv
import hashlib
import io
import json
from collections.abc import Container, Iterable, Mapping
from pathlib import PurePath
from typing import Any

from riskapp.core.errors import RiskappError
from riskapp.models import STARTING_LIMITS, Attacker, AttackerKind, Attribute, ColumnRole, ReleaseClass, Setup, Upload
from riskapp.models.upload import UploadState

Mapped = dict[str, Any]


class NotReady(RiskappError):
    """The set-up cannot be assessed yet; the message says what is left to do."""


def frozen(setup: Setup, ends: Mapping[str, Any] | None = None) -> Mapped:
    """The assessment that a set-up describes now, with the small files and the uploads that it names.

    Parameters
    ----------
    ends : the utility when everything and when nothing is released, where a share of it is asked for; None leaves the
        question out, which is how an assessment is rehearsed

    Raises
    ------
    NotReady
        If something is left to be said before anything can be computed.
    """
    names = Names()
    attributes = list(setup.attributes.select_related("setup"))
    silent = {one.column for one in attributes if not one.released}
    assessment = {
        "dataset": _dataset(setup, attributes, names),
        "attributes": {one.column: _attribute(one, names) for one in attributes if one.released},
        "dictionaries": [_dictionary(one, attributes, names) for one in setup.attackers.select_related("upload")],
        "linkage": _linkage(setup, attributes, names),
        "sensitivity": _sensitivity(setup, silent),
        "risk": setup.risk,
        "utility": _utility(setup, silent),
        "search": _search(setup, ends),
    }
    _check(assessment, attributes)
    told = {key: value for key, value in assessment.items() if value not in (None, {}, [])}
    return {"assessment": told, "files": names.files, "tables": names.tables, "lists": names.lists}


def about_attackers(setup: Setup, attackers: Iterable[Attacker], *, loss: bool = False) -> Mapped:
    """The dataset, its columns and these attackers, and nothing that answers about attackers do not rest on.

    Parameters
    ----------
    attackers : as they are or as somebody is about to make them
    loss : whether the model of risk and the harm of a failed identification belong to it

    Raises
    ------
    NotReady
        If something is left to be said before anything can be counted.
    """
    names = Names()
    attributes = list(setup.attributes.select_related("setup"))
    dictionaries = [_dictionary(one, attributes, names) for one in attackers]
    assessment: Mapped = {
        "dataset": {key: told for key, told in _dataset(setup, attributes, names).items() if key != "risk_weight"},
        "attributes": {one.column: _shape(one, names) for one in attributes if one.released},
        "dictionaries": [{key: told for key, told in one.items() if key != "prior"} for one in dictionaries],
    }
    _check(assessment, attributes)
    if loss:
        assessment["risk"] = {key: told for key, told in setup.risk.items() if key == "model"}
        assessment["sensitivity"] = {key: told for key, told in setup.sensitivity.items() if key == "unidentified"}
    told = {key: value for key, value in assessment.items() if value != {}}
    return {"assessment": told, "files": names.files, "tables": names.tables, "lists": names.lists}


def table_of(upload: Upload | None, what: str) -> Mapped:
    """An upload's table as a document names it."""
    found = _checked(upload, what)
    return {"upload": str(found.pk), "sha256": found.sha256, "name": found.name, "table": str(found.table)}


def fingerprint(document: Mapping[str, Any]) -> str:
    """The hash by which a document is known."""
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def limits_of(setup: Setup) -> Mapped:
    """The limits that hold for a project: its own where it has any, else those of its release class."""
    if setup.limits is not None:
        return dict(setup.limits)
    return class_limits().get(setup.release_class, {})


def class_limits() -> dict[str, Mapped]:
    """The organisation's limits for every release class."""
    own = {row.kind: dict(row.limits) for row in ReleaseClass.objects.all()}
    return {**{kind: dict(limits) for kind, limits in STARTING_LIMITS.items()}, **own}


class Names:
    """The names that files get in an assessment: no two alike, and each file once."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.tables: dict[str, Mapped] = {}
        self.lists: dict[str, Mapped] = {}

    def table(self, upload: Upload | None, what: str) -> str:
        """The name of an upload's table; one that was read by hand-made wishes is exported as it was read."""
        return self._named(self.tables, _checked(upload, what))

    def list(self, upload: Upload, what: str) -> str:
        """The name of an upload whose bytes are read as they came."""
        return self._named(self.lists, _checked(upload, what))

    def hierarchy(self, spec: Mapping[str, Any]) -> Mapped:
        """A hierarchy as an assessment file describes it; its rows go into a file of their own."""
        if "rows" not in spec:
            return dict(spec)
        header = spec.get("header")
        name = f"hierarchies/{len(self.files)}.csv"
        self.files[name] = _text([*([header] if header else []), *spec["rows"]])
        return {"file": name, **({"header": True} if header else {})}

    def _named(self, where: dict[str, Mapped], upload: Upload) -> str:
        for name, known in where.items():
            if known["upload"] == str(upload.pk):
                return name
        name = upload.name if not upload.wishes or where is self.lists else f"{PurePath(upload.name).stem}.parquet"
        while name in self.tables or name in self.lists:
            name = f"again-{name}"
        told: Mapped = {"upload": str(upload.pk), "sha256": upload.sha256, "name": upload.name}
        if where is self.tables:
            told |= {"table": str(upload.table)} | ({"by_hand": True} if upload.wishes else {})
        where[name] = told
        return name


def _checked(upload: Upload | None, what: str) -> Upload:
    if upload is None:
        raise NotReady(f"Choose the file of {what}.")
    if upload.state == UploadState.PURGED:
        raise NotReady(f"The file of {what} was shredded. Choose another.")
    if upload.state != UploadState.READY:
        raise NotReady(f"The file of {what} is not read yet, or could not be. Look at it on the Data page.")
    return upload


def _text(rows: Iterable[list[str]]) -> str:
    written = io.StringIO()
    csv.writer(written, delimiter=";", lineterminator="\n").writerows(rows)
    return written.getvalue()


def _dataset(setup: Setup, attributes: list[Attribute], names: Names) -> Mapped:
    if setup.dataset is None:
        raise NotReady("Choose on the Attributes page which upload is the dataset.")
    found: Mapped = {"file": names.table(setup.dataset, "the dataset")}
    identifier = next((one.column for one in attributes if one.role == ColumnRole.IDENTIFIER), None)
    if identifier is not None:
        found["identifier"] = identifier
    if setup.risk_weight:
        found["risk_weight"] = setup.risk_weight
    if setup.leave_out is not None:
        if identifier is None:
            raise NotReady("People can be left out only if a column says who is who. Make one the identifier.")
        found["leave_out"] = names.list(setup.leave_out, "the people to leave out")
    return found | {"missing": list((setup.dataset.reading or {}).get("missing", ["", "NA"]))}


def _shape(one: Attribute, names: Names) -> Mapped:
    if one.role == ColumnRole.KEPT:
        return {"role": "keep"}
    return {"hierarchy": names.hierarchy(one.hierarchy)} if one.hierarchy is not None else {}


def _attribute(one: Attribute, names: Names) -> Mapped:
    found = _shape(one, names)
    if one.weight != 1:
        found["weight"] = one.weight
    if one.weights:
        found["weights"] = one.weights
    if one.fall:
        found["fall"] = one.fall
    if one.personal is not None:
        found["personal_weight"] = _personal(one, names)
    if one.hurts:
        found["sensitive"] = True
        if one.order:
            found["order"] = one.order
    return found


def _personal(one: Attribute, names: Names) -> Any:
    if isinstance(one.personal, str):
        return one.personal
    upload = Upload.objects.filter(pk=one.personal["upload"], project_id=one.setup_id).first()
    told = f"people's own weights of {one.column}"
    return {"file": names.table(upload, told), "key": one.personal["key"], "column": one.personal["column"]}


def _dictionary(one: Attacker, attributes: list[Attribute], names: Names) -> Mapped:
    if one.kind == AttackerKind.ITSELF:
        possible = [attribute.column for attribute in attributes if attribute.released and attribute.knowable]
        knows = [column for column in possible if column in one.knows] if one.knows else possible
        return {"self": True, "name": one.name, "knows": knows, "prior": one.prior}
    released = {attribute.column for attribute in attributes if attribute.released}
    match = {column: to for column, to in one.match.items() if attribute_of(to, released) in released}
    found: Mapped = {"name": one.name, "file": names.table(one.upload, f"the attacker “{one.name}”"), "match": match}
    if one.kind == AttackerKind.COUNTS and one.count:
        found["count"] = one.count
    elif one.identity:
        found["identity"] = one.identity
    fuzzy = {column: threshold for column, threshold in one.fuzzy.items() if column in match}
    return found | {"prior": one.prior} | ({"fuzzy": fuzzy} if fuzzy else {})


def attribute_of(target: str, columns: Container[str]) -> str:
    """The attribute in `attribute` or `attribute@level`; a column's own name may have an @ too.

    >>> attribute_of("town@1", ["town"]), attribute_of("town@home", ["town@home"])
    ('town', 'town@home')
    """
    return target if target in columns else target.rpartition("@")[0]


def _linkage(setup: Setup, attributes: list[Attribute], names: Names) -> Mapped | None:
    if not setup.linkage:
        return None
    released = {one.column: one.released for one in attributes}
    matched = setup.linkage["match"].items()
    match = {column: to for column, to in matched if released.get(attribute_of(to, released), True)}
    if not match:
        told = "The linkage data has no column by which it could be joined to what is released."
        raise NotReady(f"{told} Match one on the Adversary page, or remove the linkage data.")
    upload = Upload.objects.filter(pk=setup.linkage["upload"], project_id=setup.project_id).first()
    told = names.table(upload, "the linkage data")
    return {"file": told, "match": match, "adds": setup.linkage.get("adds", {})}


def _sensitivity(setup: Setup, silent: set[str]) -> Mapped:
    """A pair adds its weight while both are disclosed, so with a column that is never released it adds nothing."""
    pairs = [pair for pair in setup.sensitivity.get("pairs", []) if silent.isdisjoint(pair["attributes"])]
    return _told(setup.sensitivity, pairs=pairs)


def _utility(setup: Setup, silent: Container[str]) -> Mapped:
    weights = {column: weight for column, weight in setup.utility.get("weights", {}).items() if column not in silent}
    return _told(setup.utility, weights=weights)


def _told(section: Mapping[str, Any], **instead: Any) -> Mapped:
    """A section of an assessment with something else in its place, which is left out where it is empty."""
    return {key: value for key, value in {**section, **instead}.items() if value or key not in instead}


LOSSES = ("lm", "xiao-tao")


def _search(setup: Setup, ends: Mapping[str, Any] | None) -> Mapped:
    limits = {key: value for key, value in limits_of(setup).items() if value is not None}
    limited = {"limits": limits} if limits else {}
    if ends is None:
        return limited
    asked = {key: value for key, value in setup.search.items() if key != "least_share"}
    if "least_share" in setup.search:
        asked["least_utility"] = utility_of(setup.search["least_share"], ends)
    return {**asked, **limited}


def utility_of(share: float, ends: Mapping[str, Any]) -> float:
    """The utility that is such a share of the unchanged table's; for a loss, of what could be lost."""
    if ends["measure"] in LOSSES:
        return (1 - share) * float(ends["nothing"])
    return share * float(ends["unchanged"])


def _check(assessment: Mapped, attributes: list[Attribute]) -> None:
    if not any(one.role == ColumnRole.GENERALISED for one in attributes):
        raise NotReady("Release at least one column with a hierarchy: without a level to choose there are no rules.")
    for one in assessment["dictionaries"]:
        if not one.get("knows", one.get("match")):
            told = "knows none of the released columns" if "self" in one else "has no column matched to an attribute"
            raise NotReady(f"The attacker “{one['name']}” {told}. Say what they know, or remove them.")
