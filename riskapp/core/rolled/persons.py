"""Counting where people have several rows, in the dataset, in the dictionary, or in both.

Who it is stands in the lowest bits of the keys, which are never raised: so a person has one class in a group however
many rows stand behind it, and the classes of a group stand side by side.
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from riskapp.core.compiled import compiled
from riskapp.core.extended import Numbers as Floats
from riskapp.core.rolled.classes import Classes
from riskapp.core.rolled.counting import Counted, Told
from riskapp.core.rolled.fields import Field
from riskapp.core.rolled.forecast import TRIED, Forecast, forecast, tried
from riskapp.core.rolled.summing import (
    ABOVE,
    CHANCE,
    CLASSES,
    FEWEST,
    FIGURES,
    FOUND,
    HARM,
    LEAST,
    MOST,
    REST,
    SINGLED,
    SMALLEST,
    UNCOVERED,
)
from riskapp.core.rolled.walk import Felt, Walk
from riskapp.core.table.lattice import Node
from riskapp.core.watching import Stop


@dataclass(frozen=True, eq=False)
class PersonCounting:
    """A walk that counts people; see `Counting`, whose figures it gives.

    Parameters
    ----------
    fields : the attributes, and in the lowest bits the person
    table : the classes at the lowest levels; those beside it are the dictionary's, None when it is the dataset itself
    felt : what the fields add to φ
    persons : how many people the dataset has; 0 when every record is somebody else's, and its persons are all 0
    named : whether the dictionary's entries say who they are; otherwise each stands for as many as it counts
    """

    fields: Sequence[Field]
    table: Classes
    felt: Felt
    persons: int = 0
    named: bool = True
    everybody: int = 1
    scale: float = 1.0
    entropic: bool = False
    zero: bool = False
    exponential: bool = False
    above: float = 1.0
    weighted: bool = False

    def run(self, told: Told, stop: Stop, threads: int = 2) -> Counted:
        """Count at every node."""
        shape = [field.steps + 1 for field in self.fields]
        figures = np.zeros((prod(shape), FIGURES + self.table.terms))
        strides = [prod(shape[place + 1 :]) for place in range(len(shape))]

        def visit(steps: Node, found: Classes, last: Floats | None) -> None:
            row = sum(step * stride for step, stride in zip(steps, strides, strict=True))
            self._figures(found, figures[row])
            told(found.size)

        Walk(self.fields, self.felt, visit, stop, threads).run(self.table)
        return Counted(self.fields[:-1], figures)

    def forecast(self, threads: int = 2) -> Forecast:
        """What counting will cost."""
        part = self.table.cut(min(self.table.rows, TRIED)).along(self.table.beside)
        part = part.with_phi(np.zeros(part.rows))
        looking = tried(lambda: self._figures(part, np.zeros(FIGURES + self.table.terms)))
        return forecast(self.fields, self.table, looking / max(1, part.rows), threads)

    def _figures(self, found: Classes, out: Floats) -> None:
        beside = found.beside
        fewest = np.full(self.persons, np.inf)
        alone = np.zeros(self.persons, np.uint8)
        person_figures(
            found.rows, found.keys, found.records, found.sums, found.phi, self.fields[-1].mask.bit_length(),
            0 if beside is None else beside.rows,
            found.keys if beside is None else beside.keys, found.records if beside is None else beside.records,
            beside is None, self.named, self.weighted, self.scale, self.entropic, float(self.everybody), self.zero,
            self.above, self.exponential, fewest, alone, out,
        )  # fmt: skip


@compiled
def person_figures(
    rows, keys, records, sums, phi, bits, e_rows, e_keys, e_records,
    itself, named, weighted, scale, entropic, everybody, zero, above, exponential, fewest_of, alone, out,
):  # fmt: skip
    """Sum up the groups of a node as `summing.figures` does, and find the smallest |ρ| of every person."""
    found = chances = rests = harms = singled = uncovered = many = 0.0
    fewest = smallest = least = np.inf
    most = -np.inf
    groups = 0
    out[FIGURES:] = 0.0
    mask = (np.int64(1) << bits) - 1
    logarithm = np.log(max(everybody, 2.0))
    start, other = 0, 0
    while start < rows:
        group = keys[start] >> bits
        end = start + 1
        while end < rows and keys[end] >> bits == group:
            end += 1
        rho = 0.0
        if itself:
            rho = float(end - start) if fewest_of.size else float(records[start])
        else:
            while other < e_rows and e_keys[other] >> bits < group:
                other += 1
            while other < e_rows and e_keys[other] >> bits == group:
                rho += 1.0 if named else float(e_records[other])
                other += 1
        groups += 1
        g = 1.0 / max(rho, 1.0)
        if zero and rho == 0.0:
            g = 0.0
        near = max(rho, 1.0) < above and g > 0.0
        if rho > 0.0:
            fewest = min(fewest, rho)
        elif not zero:
            fewest = min(fewest, 1.0)
        if entropic and rho > 1.0:
            g = 0.0 if rho == everybody else 1.0 - np.log(rho) / logarithm
        smallest = min(smallest, float(end - start) if fewest_of.size else float(records[start]))
        for i in range(start, end):
            n = float(records[i])
            weight = n * scale
            if sums is not None and weighted:
                weight = sums[i, 0] * scale
            share = weight * g
            chances += share
            rests += weight * (1.0 - g)
            harm = 0.0
            if phi is not None:
                harm += phi[i]
            least = min(least, harm)
            most = max(most, harm)
            if exponential:
                harm = np.exp(harm)
            harms += share * harm if share != 0.0 and harm != 0.0 else 0.0
            if sums is not None and g != 0.0:
                for m in range(sums.shape[1]):
                    value = g * sums[i, m]
                    out[FIGURES + m] += value * harm if exponential and value != 0.0 else value
            if fewest_of.size == 0:
                found += n / rho if rho > 0.0 else 0.0
                singled += n if rho == 1.0 else 0.0
                uncovered += n if rho == 0.0 else 0.0
                many += n if near else 0.0
            elif rho > 0.0:
                fewest_of[keys[i] & mask] = min(fewest_of[keys[i] & mask], rho)
            else:
                alone[keys[i] & mask] = 1
        start = end
    for person in range(fewest_of.size):
        rho = fewest_of[person]
        found += 1.0 / rho
        singled += rho == 1.0
        uncovered += rho == np.inf
        if alone[person] and not zero:
            rho = 1.0
        many += rho < above
    out[FOUND], out[SINGLED], out[UNCOVERED], out[FEWEST], out[ABOVE] = found, singled, uncovered, fewest, many
    out[SMALLEST], out[CHANCE], out[REST], out[HARM] = smallest, chances, rests, harms
    out[LEAST], out[MOST], out[CLASSES] = least, most, groups
