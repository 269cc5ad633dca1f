"""What names of columns mean, in six languages, and what they do not."""

import re

import pytest

from riskapp.engine.profile.suggest.lexicon import LEXICON
from riskapp.engine.profile.suggest.meanings import meanings, plain


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("First Name", "person_name"),
        ("firstName", "person_name"),
        ("FIRSTNAME", "person_name"),
        ("Nachname", "person_name"),
        ("Prénom", "person_name"),
        ("apellidos", "person_name"),
        ("Cognome", "person_name"),
        ("achternaam", "person_name"),
        ("name", "bare_name"),
        ("E-Mail", "email"),
        ("customer_email", "email"),
        ("courriel", "email"),
        ("Telefonnummer", "phone"),
        ("téléphone", "phone"),
        ("tel_2", "phone"),
        ("DOB", "birth_date"),
        ("Geburtsdatum", "birth_date"),
        ("date de naissance", "birth_date"),
        ("fecha_nacimiento", "birth_date"),
        ("data di nascita", "birth_date"),
        ("geboortedatum", "birth_date"),
        ("PLZ", "postcode"),
        ("zip-code", "postcode"),
        ("Código Postal", "postcode"),
        ("Wohnort", "place"),
        ("Município", "place"),
        ("Straße", "address"),
        ("Geschlecht", "sex"),
        ("âge", "age"),
        ("Edad", "age"),
        ("età", "age"),
        ("leeftijd", "age"),
        ("Rechnungsbetrag", "amount"),
        ("Kundennummer", "person"),
        ("Kundennummer", "identifier"),
        ("patientID", "person"),
        ("patientID", "identifier"),
        ("Codice Fiscale", "national_number"),
        ("Staatsangehörigkeit", "trait"),
        ("Bemerkungen", "free_text"),
    ],
)
def test_a_name_has_its_meaning(name: str, meaning: str) -> None:
    assert meaning in meanings(name)


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("page", "age"),
        ("stage", "age"),
        ("average", "age"),
        ("Alternative", "age"),
        ("update", "date"),
        ("candidate", "date"),
        ("product_name", "bare_name"),
        ("filename", "person_name"),
        ("essex", "sex"),
        ("valid", "identifier"),
        ("paid", "identifier"),
        ("hotel", "phone"),
        ("number_of_children", "identifier"),
        ("capacity", "place"),
        ("email", "free_text"),
        ("network", "place"),
        ("reaction_time_ms", "amount"),
    ],
)
def test_a_name_that_only_looks_alike_has_not(name: str, meaning: str) -> None:
    assert meaning not in meanings(name)


def test_the_lexicon_is_written_as_its_head_says() -> None:
    for languages in LEXICON.values():
        for words in languages.values():
            assert all(re.fullmatch(r"[a-z*]+(?:_[a-z*]+)*", word) for word in words.split())
            assert all(plain(word.replace("*", "")) == word.replace("*", "") for word in words.split())


def test_every_meaning_a_page_rests_on_is_told_in_six_languages() -> None:
    for meaning in set(LEXICON) - {"perhaps_place"}:
        assert set(LEXICON[meaning]) == {"en", "de", "fr", "es", "it", "nl"}
