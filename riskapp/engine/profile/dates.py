"""Forms of dates: regular expressions that know how long a month is (29 February is let through in every year)."""

import itertools

YEAR = r"(?:1[5-9]\d\d|2[01]\d\d|9999)"
TIME = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?"
MONTH = "name of the month"

MONTHS = """
jan january januar janvier enero gennaio januari ene gen janv
feb february februar février fevrier febrero febbraio februari fév fev févr
mar march märz maerz mars marzo maart mär mrt mrz
apr april avril abril aprile avr abr
may mai mayo maggio mei mag
jun june juni juin junio giugno giu
jul july juli juillet julio luglio juil lug
aug august août aout agosto augustus ago
sep sept september septembre septiembre settembre set
oct october oktober octobre octubre ottobre okt ott
nov november novembre noviembre
dec december dezember décembre decembre diciembre dicembre dez déc dic
"""
MONTH_WORD = r"(?i:" + "|".join(sorted(MONTHS.split(), key=len, reverse=True)) + r")\.?"


def _day_and_month(order: str, between: str, padded: bool) -> str:
    """Day and month as numbers, in the order "DM" or "MD", a day no month has left out."""
    zero = "0" if padded else "0?"
    ways = [
        (rf"(?:{zero}[1-9]|[12]\d)", rf"(?:{zero}[1-9]|1[0-2])"),
        ("30", rf"(?:{zero}[13-9]|1[0-2])"),
        ("31", rf"(?:{zero}[13578]|1[02])"),
    ]
    joined = (between.join((day, month) if order == "DM" else (month, day)) for day, month in ways)
    return "(?:" + "|".join(joined) + ")"


def _year_first(between: str) -> str:
    return YEAR + between + _day_and_month("MD", between, padded=True)


def _forms() -> dict[str, str]:
    forms = {f"YYYY{sign}MM{sign}DD": _year_first(f"[{sign}]") for sign in "-/."}
    forms["YYYYMMDD"] = r"(?:19|20)\d\d" + _day_and_month("MD", "", padded=True)
    for (order, words), sign in itertools.product((("DM", "DD{0}MM{0}"), ("MD", "MM{0}DD{0}")), "./-"):
        short = _day_and_month(order, f"[{sign}]", padded=False) + f"[{sign}]"
        forms[words.format(sign) + "YYYY"] = short + YEAR
        forms[words.format(sign) + "YY"] = short + r"\d\d"
    day = r"(?:0?[1-9]|[12]\d|3[01])"
    forms[f"day, {MONTH}, year"] = rf"{day}(?:\.|st|nd|rd|th)?[ -]?(?:de )?{MONTH_WORD}[ -]?(?:de )?(?:{YEAR}|\d\d)"
    forms[f"{MONTH}, day, year"] = rf"{MONTH_WORD} {day}(?:st|nd|rd|th)?,? {YEAR}"
    forms["YYYY-MM"] = YEAR + r"-(?:0[1-9]|1[0-2])"
    forms["MM/YYYY"] = r"(?:0?[1-9]|1[0-2])[/.]" + YEAR
    return forms


DATES = _forms()
"""Format in words → regular expression without anchors."""

# A time may follow a whole date, not a month or a run of digits.
TIMES = {f"{words}, time": f"{form}(?:T|,? ){TIME}" for words, form in DATES.items() if "DD" in words or "day" in words}
"""The same for date and time."""
