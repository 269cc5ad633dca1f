"""What can only be asked together with something else."""

from riskapp.core.bad_setting import BadSetting
from riskapp.engine.assessment.settings import SearchKey

ALONE = (
    "It is asked of each record, so it goes with per-record rules. Name per-record among search.rules, "
    "or ask least_utility, most_risk or trade_off."
)


def refuse_what_does_not_go_together(search: SearchKey) -> None:
    """Raise `BadSetting` for a question that none of the families answers."""
    if search.aggregate is not None and "per-record" not in search.rules:
        raise BadSetting("search.aggregate", ALONE)
