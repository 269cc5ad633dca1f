"""What can be asked for but is not computed yet."""

from riskapp.core.bad_setting import BadSetting
from riskapp.engine.assessment.settings import SearchKey

LATER = "This is not available yet. Leave it out, or choose {now}."


def refuse_what_is_not_available(search: SearchKey) -> None:
    """Raise `BadSetting` for rules other than full-domain, and for what only they need."""
    for place, rule in enumerate(search.rules):
        if rule != "full-domain":
            raise BadSetting(f"search.rules.{place}", LATER.format(now="full-domain"))
    for place, method in enumerate(search.methods):
        if method != "exhaustive":
            raise BadSetting(f"search.methods.{place}", LATER.format(now="exhaustive"))
    if search.aggregate is not None:
        raise BadSetting("search.aggregate", LATER.format(now="least_utility, most_risk or trade_off"))
    if search.regions is not None:
        raise BadSetting("search.regions", LATER.format(now="full-domain rules"))
