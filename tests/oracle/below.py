"""θ̂ ≪ θ: one dictionary only adds people to another and coarsens their values."""

from tests.oracle.problem import Attribute, Dictionary, Entry


def coarsens(attributes: dict[str, Attribute], fine: Entry, coarse: Entry) -> bool:
    """Everything the coarse entry knows lies at or above what the fine one knows."""
    for name, cell in coarse.known.items():
        known = fine.known.get(name)
        if known is None or known[0] > cell[0] or attributes[name].hierarchy.above(known, cell[0]) != cell:
            return False
    return True


def first_without_partner(attributes: dict[str, Attribute], smaller: Dictionary, larger: Dictionary) -> int | None:
    """The place of the first entry of θ̂ that breaks θ̂ ≪ θ; None when it holds.

    It holds when every entry of θ̂ can be given an entry of θ of its own that coarsens it.
    """
    partner: dict[int, int] = {}

    def place(fine: int, tried: set[int]) -> bool:
        for coarse, entry in enumerate(larger.entries):
            if coarse not in tried and coarsens(attributes, smaller.entries[fine], entry):
                tried.add(coarse)
                if coarse not in partner or place(partner[coarse], tried):
                    partner[coarse] = fine
                    return True
        return False

    return next((fine for fine in range(len(smaller.entries)) if not place(fine, set())), None)
