"""A setting of an assessment that cannot be, named by its key."""

from riskapp.core.errors import RiskappError


class BadSetting(RiskappError):
    """A value of the assessment file that is impossible: which key, what is wrong and what to do.

    >>> print(BadSetting("sensitivity.family", "Choose linear or multiplicative."))
    sensitivity.family: Choose linear or multiplicative.
    """

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key
        self.message = message

    def __reduce__(self) -> tuple[type["BadSetting"], tuple[str, str]]:
        """It may come from another process."""
        return type(self), (self.key, self.message)


def check_choice(key: str, chosen: str, known: tuple[str, ...]) -> None:
    """Raise `BadSetting` unless the choice is among those known.

    >>> check_choice("risk.uncovered", "one", ("one", "zero"))
    """
    if chosen not in known:
        raise BadSetting(key, f"There is no such choice. Known are {', '.join(known)}.")


def check_amount(key: str, amount: float, *, finite: bool = False) -> None:
    """Raise `BadSetting` unless the number is 0 or more; ∞ may be forbidden too.

    >>> check_amount("sensitivity.unidentified", float("inf"))
    """
    if not amount >= 0:
        raise BadSetting(key, "Give a number that is not below 0.")
    if finite and amount == float("inf"):
        raise BadSetting(key, "Give a number that is not infinite.")
