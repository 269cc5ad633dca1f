"""All attacks on one release: linking with each dictionary, one to one, and what groups betray."""

from collections.abc import Sequence
from typing import Any

from riskapp.core.errors import Stopped
from riskapp.core.watching import Stop
from riskapp.engine.assessment.tables import NOTHING_KNOWN, Known
from riskapp.engine.plain_json import in_words
from riskapp.engine.releasing.attack.footprint import Footprint
from riskapp.engine.releasing.attack.inferring import inferred
from riskapp.engine.releasing.attack.intersection import intersected
from riskapp.engine.releasing.attack.linking import linked
from riskapp.engine.releasing.attack.one_to_one import one_to_one
from riskapp.engine.releasing.attack.truth import truths
from riskapp.engine.ruling import Ruling


def attacked(
    found: Ruling,
    *,
    earlier: Sequence[Footprint] = (),
    own: Footprint | None = None,
    seed: int = 0,
    known: Known = NOTHING_KNOWN,
    stop: Stop | None = None,
) -> dict[str, Any]:
    """What attackers get out of a release, as JSON can hold it; no value of the data is in it.

    Parameters
    ----------
    found : the rule with the table of the built file, from `measured.ruling_in`
    earlier, own : the footprints of earlier releases and of this one, for the intersection attack
    seed : decides between equally likely assignments
    known : files that were read before
    stop : is asked whether to go on

    Raises
    ------
    Stopped
        If `stop` said so.
    """
    truth, dictionaries = truths(found.prepared, known), {}
    for dictionary in found.problem.dictionaries:
        if stop is not None and stop():
            raise Stopped
        told = linked(found, dictionary, truth[dictionary.name])
        told["one_to_one"] = one_to_one(found, dictionary, truth[dictionary.name], seed)
        dictionaries[dictionary.name] = told
    together = intersected([*earlier, own]) if own is not None and earlier else None
    words: dict[str, Any] = in_words(
        {
            "people": found.problem.persons,
            "dictionaries": dictionaries,
            "sensitive": inferred(found),
            "intersection": together,
        }
    )
    return words
