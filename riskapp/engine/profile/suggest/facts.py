"""What the rules know about one column, and the words they answer in."""

from dataclasses import dataclass
from functools import cached_property

from riskapp.engine.profile.columns import Measured
from riskapp.engine.profile.figures import Suggestion, Type
from riskapp.engine.profile.look import Found, Look
from riskapp.engine.profile.suggest.meanings import is_called, meanings
from riskapp.engine.profile.words import percent

CERTAIN, LIKELY, POSSIBLE = "certain", "likely", "possible"
CONFIDENCES = (CERTAIN, LIKELY, POSSIBLE)

TITLES = {
    "empty": "Empty column",
    "constant": "Constant column",
    "identifier": "Direct identifier",
    "national_number": "Official number of a person",
    "iban": "Bank account number",
    "card_number": "Payment card number",
    "person_name": "Name of a person",
    "email": "E-mail address",
    "phone": "Phone number",
    "url": "Web address",
    "ip_address": "IP address",
    "address": "Street address",
    "birth_date": "Date of birth",
    "date": "Date",
    "age": "Age",
    "sex": "Sex",
    "postcode": "Postcode",
    "place": "Place",
    "trait": "Known about a person",
    "sensitive": "Hurts if learnt",
    "amount": "Amount",
    "yes_no": "Yes or no",
    "free_text": "Free text",
    "email_in_text": "E-mail addresses inside text",
    "phone_in_text": "Phone numbers inside text",
}
"""Kind of suggestion → what it is called on the page; the order is the one they are shown in."""

NAME_SAYS_SO = "the column's name says so"


@dataclass(frozen=True, eq=False)
class Facts:
    """One column: its name, figures, type and values."""

    name: str
    measured: Measured
    type: Type
    look: Look

    @cached_property
    def says(self) -> frozenset[str]:
        """The meanings met in the column's name."""
        return meanings(self.name)

    def named(self, *any_of: str) -> bool:
        return not self.says.isdisjoint(any_of)

    def called(self, meaning: str) -> bool:
        return is_called(self.name, meaning)

    @property
    def distinct_share(self) -> float:
        """Distinct values as a share of the filled cells."""
        return self.measured.distinct / self.measured.filled if self.measured.filled else 0.0

    def share(self, found: Found) -> float:
        return found.cells / self.look.cells if self.look.cells else 0.0

    def cells_words(self, found: Found) -> str:
        """How much was found: "98 % of the filled cells", or of those looked at where only a sample was."""
        cells = "filled cells" if self.look.all else "filled cells looked at"
        return f"All {cells}" if found.cells == self.look.cells else f"{self.percent(found)} of the {cells}"

    def percent(self, found: Found) -> str:
        return percent(found.cells, self.look.cells)

    @property
    def every(self) -> Found:
        """All that was looked at."""
        return Found(len(self.look.values), self.look.cells)

    def suggest(self, kind: str, confidence: str, reason: str, found: Found | None = None) -> Suggestion:
        """A suggestion resting on what was found; on all cells if nothing is said."""
        found = found or self.every
        reason = reason[0].upper() + reason[1:]
        return Suggestion(kind, TITLES[kind], confidence, reason, found.cells, self.share(found))
