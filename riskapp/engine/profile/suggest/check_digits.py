"""Official numbers with check digits: who made the number made sure that few other numbers look like it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

Check = Callable[[str], bool]


def _weighted(digits: str, weights: list[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def luhn(digits: str) -> bool:
    """Doubling every second digit from the right, the digit sum is a multiple of ten.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def iban(text: str) -> bool:
    """Country and check digits moved to the end, letters as numbers, the remainder by 97 is 1."""
    moved = text[4:] + text[:4]
    return int("".join(str(int(sign, 36)) for sign in moved)) % 97 == 1


def bsn(digits: str) -> bool:
    """Netherlands: weights 9 to 2 and -1, a multiple of 11."""
    return int(digits) > 0 and _weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 == 0


def nhs(digits: str) -> bool:
    """England: weights 10 to 2, the eleventh's complement is the last digit."""
    return (11 - _weighted(digits[:9], list(range(10, 1, -1))) % 11) % 11 == int(digits[9])


def steuer_id(digits: str) -> bool:
    """Germany: ISO 7064 modulo 11, 10."""
    product = 10
    for digit in digits[:10]:
        product = ((product + int(digit)) % 10 or 10) * 2 % 11
    return digits[0] != "0" and (11 - product) % 10 == int(digits[10])


def nir(text: str) -> bool:
    """France: thirteen digits (Corsica has 2A, 2B), then 97 less their remainder by 97."""
    digits = text[:13].replace("2A", "19").replace("2B", "18")
    return digits.isdigit() and 97 - int(digits) % 97 == int(text[13:])


def dni(text: str) -> bool:
    """Spain: the letter belongs to the remainder by 23; X, Y, Z in front stand for 0, 1, 2."""
    digits = text[:-1].translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == text[-1]


_ODD_DIGITS = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
_ODD_LETTERS = [*_ODD_DIGITS, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
_ODD = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", _ODD_DIGITS + _ODD_LETTERS, strict=True))


def codice_fiscale(text: str) -> bool:
    """Italy: odd places by a table, even places by rank, the sum's remainder by 26 is the last letter."""
    odd = sum(_ODD[sign] for sign in text[:15:2])
    even = sum(int(sign) if sign.isdigit() else ord(sign) - 65 for sign in text[1:15:2])
    return chr(65 + (odd + even) % 26) == text[15]


def rijksregister(digits: str) -> bool:
    """Belgium: 97 less the remainder by 97, with a 2 in front for people born since 2000."""
    check = int(digits[9:])
    return check in (97 - int(digits[:9]) % 97, 97 - int("2" + digits[:9]) % 97)


def pesel(digits: str) -> bool:
    """Poland: weights 1, 3, 7, 9 in turn and 1, a multiple of ten; days and months in the first six digits."""
    return _weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 == 0 and 1 <= int(digits[4:6]) <= 31


def ahv(digits: str) -> bool:
    """Switzerland: the article number's check digit."""
    return _weighted(digits, [1, 3] * 6 + [1]) % 10 == 0


def cpf(digits: str) -> bool:
    """Brazil: two check digits by remainder of 11."""
    first = _weighted(digits[:9], list(range(10, 1, -1))) * 10 % 11 % 10
    second = _weighted(digits[:10], list(range(11, 1, -1))) * 10 % 11 % 10
    return len(set(digits)) > 1 and digits[9:] == f"{first}{second}"


def hetu(text: str) -> bool:
    """Finland: the remainder by 31 chooses the last sign."""
    return "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(text[:6] + text[7:10]) % 31] == text[10]


def fodselsnummer(digits: str) -> bool:
    """Norway: two check digits by remainder of 11."""
    first = _weighted(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1])
    second = _weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1])
    return first % 11 == 0 and second % 11 == 0 and int(digits) > 0


def _any(_: str) -> bool:
    return True


@dataclass(frozen=True)
class OfficialNumber:
    """A kind of number: what an officer calls it, the form it has without blanks and signs between, its check."""

    kind: str
    words: str
    form: re.Pattern[str]
    valid: Check
    checked: bool = True

    def count(self, bare: list[str]) -> int:
        """How many of these are such a number."""
        return sum(1 for value in bare if self.form.fullmatch(value) and self.valid(value))


OFFICIAL_NUMBERS = [
    OfficialNumber(kind, words, re.compile(form), check, check is not _any)
    for kind, words, form, check in (
        ("iban", "a bank account number (IBAN)", r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", iban),
        ("card_number", "a payment card number", r"[2-6]\d{12,18}", luhn),
        ("national_number", "a French social security number (NIR)", r"[12]\d{4}(?:\d\d|2[AB])\d{8}", nir),
        ("national_number", "a Spanish identity number (DNI, NIE)", r"[XYZ\d]\d{7}[A-Z]", dni),
        ("national_number", "an Italian tax code", r"[A-Z]{6}\d\d[A-EHLMPR-T]\d\d[A-Z]\d{3}[A-Z]", codice_fiscale),
        ("national_number", "a British National Insurance number", r"[A-CEGHJ-PR-TW-Z][A-NP-Z]\d{6}[A-D]", _any),
        ("national_number", "a Swiss social security number (AHV)", r"756\d{10}", ahv),
        ("national_number", "a Finnish personal identity code", r"[0-3]\d[01]\d{3}[-+A]\d{3}[0-9A-Y]", hetu),
        ("national_number", "a German tax identification number", r"\d{11}", steuer_id),
        ("national_number", "a Polish PESEL number", r"\d{11}", pesel),
        ("national_number", "a Belgian national register number", r"\d{11}", rijksregister),
        ("national_number", "a Norwegian birth number", r"[0-7]\d{10}", fodselsnummer),
        ("national_number", "a Brazilian taxpayer number (CPF)", r"\d{11}", cpf),
        ("national_number", "an English NHS number", r"[1-9]\d{9}", nhs),
        ("national_number", "a Dutch citizen service number (BSN)", r"\d{9}", bsn),
    )
]
# Only with its hyphens does it differ from any other nine digits.
SOCIAL_SECURITY = r"^(?:00[1-9]|0[1-9]\d|[1-578]\d\d|6[0-57-9]\d|66[0-57-9])-(?:0[1-9]|[1-9]\d)-\d{4}$"


def compact(value: str) -> str:
    """A number without the blanks, points, slashes and hyphens people write into it (a Finnish code keeps its own)."""
    bare = re.sub(r"[ ./\u00a0]", "", value.upper())
    return bare if re.fullmatch(r"\d{6}-\d{3}\w", bare) else bare.replace("-", "")


def official_number(values: list[str]) -> tuple[OfficialNumber, int] | None:
    """The kind of official number that most of these values are, and how many: none if under nine in ten are."""
    few = [compact(value) for value in values[:: max(1, len(values) // 20)]]
    hopeful = [official for official in OFFICIAL_NUMBERS if 2 * official.count(few) >= len(few)]
    if not hopeful:
        return None
    bare = [compact(value) for value in values]
    valid, best = max(((official.count(bare), official) for official in hopeful), key=lambda each: each[0])
    return (best, valid) if valid >= 0.9 * len(bare) else None
