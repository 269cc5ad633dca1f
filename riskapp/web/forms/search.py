"""Which rules a run considers, and what is asked of them."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.html import format_html

from riskapp.core.bad_setting import BadSetting

FAMILIES = {
    "full-domain": (
        "Whole-table rules",
        "One level for each column, the same for everybody. Nothing can be learnt from the rule itself.",
    ),
    "regional": (
        "Rules by region",
        "Each region of the table has its own levels, which the release still shows. Recommended: keeps more detail, "
        "and somebody who knows the rule learns nothing by it.",
    ),
    "per-record": (
        "Record by record",
        "Each record has its own levels. The most detail by definition, but somebody who knows the rule can replay "
        "it: both figures are shown.",
    ),
    "k-anonymity": ("k-anonymity", "For each k the whole-table rule with the most detail in which all have k alike."),
    "mondrian": (
        "Mondrian",
        "Splits the table again and again while every part has k people; a well-known way to k-anonymity.",
    ),
    "random-k": ("Random k-anonymity", "Ten k-anonymous rules drawn at random, for comparison."),
}
METHODS = {
    "exhaustive": ("Exhaustive", "All levels of every record. Exact."),
    "btda": ("BTDA", "From the top down by risk. Exact."),
    "aruba": ("ARUBA", "Along the border of what is useful enough. Exact."),
    "branch-and-bound": ("Branch and bound", "Leaves out what cannot be best. Exact."),
    "genetic": ("Genetic", "Bred from good rules. Heuristic: the gap is told."),
    "approximate": ("Approximate", "Rounds a relaxed problem. Heuristic: the gap is told."),
    "milp": ("Integer programming", "For very many columns. Exact, or with its gap."),
    "aggregate": ("Aggregate", "For the aggregate question only. Exact."),
}
QUESTIONS = {
    "": "None: only draw the frontier",
    "least_utility": "The least risk that keeps so much of the detail",
    "most_risk": "The most detail at no more than this risk",
    "trade_off": "The best trade of risk against utility: least risk − λ × utility",
    "aggregate": "For every record the best of λ / risk + utility to the power of κ",
}
MEASURES = {
    "depth": "How deep in its hierarchy each value still is",
    "log-leaves": "Information: by how much a value narrows down what was there",
    "inverse-leaves": "One over the number of values it could have been",
    "lm": "Loss metric, as many tools have it",
    "xiao-tao": "Xiao and Tao's loss",
}


MODELS = {
    "sensitivity": "The chance of being found times the harm",
    "anonymity": "Just the chance of being found; the weights of harm are not used",
    "entropic": "Harm, less by how unsure an attacker stays",
}


FIELDS = {
    "search.rules": "rules",
    "search.seconds": "seconds",
    "search": "question",
    "search.per_record": "per_record",
    "search.methods": "methods",
}
"""The fields in which settings are mended that only the rest of the set-up shows to be wrong."""
TOLD = {
    "rules": "There are too many rules for one of these kinds; the notice above says for which. Leave it out.",
    "seconds": "There are too many whole-table rules to measure each. Say for how many seconds to look, such as 60.",
    "question": "There are too many whole-table rules to measure each. Ask for something that the best can be looked "
    "for by: the least risk, the most detail, or a trade.",
    "per_record": "There are too many whole-table rules to measure each; the best is looked for on average only.",
    "methods": "Only the exhaustive search takes linkage data into account. Tick nothing else, or remove the linkage "
    "data on the Adversary page.",
}
LOOKED_FOR = ("least_utility", "most_risk", "trade_off")
SECONDS, SHARE = 60, 80
"""For how long the best is looked for, and how much of the detail it is to keep, where an officer leaves that to us."""


def filled_in(given: QueryDict, impossible: Sequence[str]) -> dict[str, Any]:
    """What a form holds, without what so many rules make impossible and with what is missing to look for the best.

    Where only its cost is asked for, it stays as it is.
    """
    lists = {"rules", "methods"}
    found: dict[str, Any] = {key: given.getlist(key) if key in lists else given[key] for key in given}
    if given["fill"] == "cost":
        return found
    left = [rule for rule in given.getlist("rules") if rule not in impossible]
    if given["fill"] == "without":
        return found | {"rules": [rule for rule in left if rule != "full-domain"] or ["mondrian"]}
    if given.get("question") not in LOOKED_FOR:
        found |= {"question": "least_utility", "share": SHARE}
    rules = left if "full-domain" in left else ["full-domain", *left]
    return found | {"rules": rules, "seconds": given.get("seconds") or SECONDS, "per_record": False}


def _choices(words: dict[str, tuple[str, str]]) -> list[tuple[str, str]]:
    return [(key, format_html("<b>{}</b> {}", title, told)) for key, (title, told) in words.items()]


class SearchForm(forms.Form):
    name = forms.CharField(max_length=100, required=False, label="Name of the run", help_text="To tell runs apart.")
    rules = forms.MultipleChoiceField(
        choices=_choices(FAMILIES), widget=forms.CheckboxSelectMultiple, label="Rules to consider"
    )
    question = forms.ChoiceField(choices=list(QUESTIONS.items()), required=False, label="What is the best rule?")
    share = forms.FloatField(
        min_value=0, max_value=100, required=False, label="Detail to keep, in %", help_text="Of the unchanged table's."
    )
    least_utility = forms.FloatField(
        required=False, label="Or the least utility itself", help_text="In the measure below, instead of a share."
    )
    most_risk = forms.FloatField(min_value=0, required=False, label="Largest risk")
    trade_off = forms.FloatField(
        min_value=0,
        required=False,
        label="Exchange rate λ",
        help_text="How much one side of the trade counts against the other: try 1, then ten times more or less.",
    )
    kappa = forms.ChoiceField(
        choices=[("0", "0: not at all"), ("1", "1: in proportion"), ("2", "2: more detail counts ever more")],
        required=False,
        label="How utility counts, κ",
        initial="1",
    )
    per_record = forms.BooleanField(
        required=False, label="Hold it for every single record", help_text="Not only on average."
    )
    methods = forms.MultipleChoiceField(
        choices=_choices(METHODS),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Ways to search per record",
    )
    regions = forms.IntegerField(
        min_value=1, max_value=64, required=False, label="Regions at most", help_text="Chosen where they help most."
    )
    splits = forms.CharField(
        required=False,
        max_length=500,
        label="Or the columns that part the regions",
        help_text="Each with its level, apart by commas, such as town@1, sex@0; instead of regions that are chosen.",
    )
    k = forms.CharField(
        required=False,
        label="How many people must look alike, k",
        help_text="One or more whole numbers, such as 5, 11. Left empty it is 5.",
    )
    suppression_limit = forms.FloatField(
        min_value=0, max_value=100, required=False, label="Records that may be withheld, in %"
    )
    measure = forms.ChoiceField(choices=list(MEASURES.items()), required=False, label="What detail is")
    over_dictionaries = forms.ChoiceField(required=False, label="Several attackers")
    model = forms.ChoiceField(choices=list(MODELS.items()), required=False, label="What counts")
    over_records = forms.ChoiceField(
        choices=[("mean", "On average over all records"), ("max", "For the worst record")],
        required=False,
        label="Risk of a table",
    )
    uncovered = forms.ChoiceField(
        choices=[("one", "As found for certain: the careful choice"), ("zero", "As never found")],
        required=False,
        label="Records that fit nobody an attacker knows",
    )
    seconds = forms.FloatField(
        min_value=1,
        required=False,
        label="Seconds at most",
        help_text="For more columns than anybody can try out: the best found by then, with its gap.",
    )
    seed = forms.IntegerField(
        min_value=0,
        required=False,
        label="Seed",
        help_text="Where something is drawn at random, the same number draws the same again.",
    )

    def __init__(self, *args: Any, attackers: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        over: Any = self.fields["over_dictionaries"]
        over.choices = [
            ("worst", "The worst of them counts"),
            ("bayes", "Each counts as likely as I said"),
            *((name, f"Only {name}") for name in attackers),
        ]

    def clean_k(self) -> list[int]:
        words = self.cleaned_data["k"].replace(";", ",").replace(",", " ").split()
        if not all(word.isdecimal() and len(word) < 10 and int(word) >= 2 for word in words):
            raise forms.ValidationError("Give whole numbers from 2 up, apart by commas.")
        return [int(word) for word in words]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        needed = {
            "least_utility": "share",
            "most_risk": "most_risk",
            "trade_off": "trade_off",
            "aggregate": "trade_off",
        }
        field = needed.get(cleaned.get("question", ""))
        answered = [cleaned.get(field) if field else None, cleaned.get("least_utility") if field == "share" else None]
        if field and answered == [None, None] and field not in self.errors:
            self.add_error(field, "This question needs a number.")
        if "per-record" in cleaned.get("rules", []) and cleaned.get("question") and not cleaned.get("methods"):
            self.add_error("methods", "Choose at least one way to search, or leave out per-record rules.")
        return cleaned

    def add_trouble(self, trouble: BadSetting) -> None:
        """What only the rest of the set-up shows to be wrong, told at its field; a time needs a question as well."""
        if trouble.key.startswith("search.regions."):
            return self.add_error("splits", self._parts_nothing(int(trouble.key.rpartition(".")[2])))
        field = FIELDS.get(trouble.key)
        self.add_error(field, TOLD[field] if field else trouble.message)
        if field == "seconds" and self.cleaned_data.get("question") not in LOOKED_FOR:
            self.add_error("question", TOLD["question"])

    def _parts_nothing(self, place: int) -> str:
        return (
            f"“{self._regions()[place]}” cannot part the regions. Name a column that is released with a hierarchy and "
            "one of its levels, such as town@1, or leave this empty: then the regions are chosen."
        )

    def search(self) -> dict[str, Any]:
        """The section `search` of an assessment, with the share of detail in place of a utility."""
        given = self.cleaned_data
        optional = {
            "methods": given["methods"] if "per-record" in given["rules"] else None,
            "regions": self._regions() if "regional" in given["rules"] else None,
            "k": given["k"],
            "suppression_limit": (given["suppression_limit"] or 0) / 100,
            "per_record": given["per_record"],
            "seconds": given["seconds"],
            "seed": given["seed"],
        }
        return {"rules": given["rules"], **self._question(), **{key: told for key, told in optional.items() if told}}

    def _regions(self) -> Any:
        splits = [split.strip() for split in self.cleaned_data["splits"].split(",") if split.strip()]
        return splits or ({"auto": self.cleaned_data["regions"]} if self.cleaned_data["regions"] else None)

    def risk(self) -> dict[str, Any]:
        """The section `risk`; what is as it would be anyway is left out, so that the set-up stays the one checked."""
        return self._unusual(
            {"over_dictionaries": "worst", "model": "sensitivity", "over_records": "mean", "uncovered": "one"}
        )

    def utility(self) -> dict[str, Any]:
        """What of the section `utility` the page asks for, likewise."""
        return self._unusual({"measure": "depth"})

    def _unusual(self, usual: dict[str, str]) -> dict[str, Any]:
        return {key: self.cleaned_data[key] for key, told in usual.items() if self.cleaned_data[key] not in ("", told)}

    def _question(self) -> dict[str, Any]:
        given, asked = self.cleaned_data, self.cleaned_data["question"]
        if asked == "least_utility" and given["share"] is None:
            return {"least_utility": given["least_utility"]}
        if asked == "least_utility":
            return {"least_share": given["share"] / 100}
        if asked == "aggregate":
            return {"aggregate": {"lambda": given["trade_off"], "kappa": int(given["kappa"] or 1)}}
        return {asked: given[asked]} if asked else {}

    @staticmethod
    def shown(search: dict[str, Any], risk: dict[str, Any], utility: dict[str, Any]) -> dict[str, Any]:
        """What the form starts with."""
        found: dict[str, Any] = {
            key: search[key] for key in ("methods", "seconds", "seed", "per_record") if key in search
        }
        found.setdefault("methods", ["exhaustive"])
        found |= {"rules": search.get("rules", ["full-domain", "regional"]), "measure": utility.get("measure", "depth")}
        found |= {"over_dictionaries": "worst"} | {
            key: risk[key] for key in ("over_dictionaries", "model", "over_records", "uncovered") if key in risk
        }
        regions = search.get("regions", {"auto": 8})
        found |= {"splits": ", ".join(regions)} if isinstance(regions, list) else {"regions": regions["auto"]}
        found["k"] = ", ".join(map(str, search.get("k", [])))
        found["suppression_limit"] = 100 * search.get("suppression_limit", 0)
        if "least_share" in search:
            found |= {"question": "least_utility", "share": 100 * search["least_share"]}
        for key in ("least_utility", "most_risk", "trade_off"):
            if key in search:
                found |= {"question": key, key: search[key]}
        if "aggregate" in search:
            told = {"lambda": 1, "kappa": 1, **search["aggregate"]}
            found |= {"question": "aggregate", "trade_off": told["lambda"], "kappa": f"{told['kappa']:g}"}
        return found
