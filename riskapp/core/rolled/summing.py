"""The hot loops that sum up a node: its figures, from its classes as `kernels` has them."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import numpy as np

from riskapp.core.compiled import compiled, compiled_in_any_order

FOUND, SINGLED, UNCOVERED, FEWEST, ABOVE, SMALLEST, CHANCE, REST, HARM, LEAST, MOST, CLASSES = range(12)
"""What `figures` writes, in this order; the sums with the chances come after, those of the records' weights too."""
FIGURES = 12


@compiled
def figures(
    rows, keys, records, people, sums, phi,
    last, mask, weighted, scale, entropic, everybody, zero, above, exponential, out,
):  # fmt: skip
    """Sum up the classes of a node.

    Parameters
    ----------
    last : what the attribute in the lowest bits adds to φ at its level, by code; None when φ is complete
    weighted : whether the first of the sums are the records' weights
    scale : what a weight of 1 counts
    entropic : whether g, what a loss is per Φ, is 1 − ln|ρ|/ln|θ| instead of 1/|ρ|
    zero : whether g is 0 where nobody fits, instead of 1
    above : people are counted who are one of fewer than so many
    exponential : whether Φ is e to the power of φ
    """
    found = chances = rests = harms = singled = uncovered = many = 0.0
    fewest = smallest = least = np.inf
    most = -np.inf
    classes = 0
    out[FIGURES:] = 0.0
    logarithm = np.log(max(everybody, 2.0))
    for i in range(rows):
        n = float(records[i])
        if n == 0.0:
            continue
        rho = n if people is None else float(people[i])
        classes += 1
        smallest = min(smallest, n)
        g = 1.0 / max(rho, 1.0)
        met = n if rho > 0.0 else 0.0
        found += met * g
        uncovered += n - met
        fewest = min(fewest, rho if rho > 0.0 else np.inf)
        singled += n if rho == 1.0 else 0.0
        if zero:
            g = g if rho > 0.0 else 0.0
        many += n if max(rho, 1.0) < above and g > 0.0 else 0.0
        if entropic and rho > 1.0:
            g = 0.0 if rho == everybody else 1.0 - np.log(rho) / logarithm
        weight = n * scale
        if sums is not None and weighted:
            weight = sums[i, 0] * scale
        share = weight * g
        chances += share
        rests += weight * (1.0 - g)
        harm = 0.0
        if phi is not None:
            harm += phi[i]
        if last is not None:
            harm += last[keys[i] & mask]
        least = min(least, harm)
        most = max(most, harm)
        if exponential:
            harm = np.exp(harm)
        harms += share * harm if share != 0.0 and harm != 0.0 else 0.0
        if sums is not None and g != 0.0:
            for m in range(sums.shape[1]):
                value = g * sums[i, m]
                out[FIGURES + m] += value * harm if exponential and value != 0.0 else value
    out[FOUND], out[SINGLED], out[UNCOVERED], out[FEWEST], out[ABOVE] = found, singled, uncovered, fewest, many
    out[SMALLEST], out[CHANCE], out[REST], out[HARM], out[LEAST], out[MOST] = (
        smallest,
        chances,
        rests,
        harms,
        least,
        most,
    )
    out[CLASSES] = classes


@compiled_in_any_order
def figures_alone(rows, keys, records, phi, last, mask, scale, above, out):
    """The same when the people are the records, nothing is missing and every record weighs 1: then |ρ| is the class.

    Every class is found once, and its share of the losses is its φ. The sums may be taken in any order.
    """
    many = singled = rest = 0
    smallest = 2**62
    for i in range(rows):
        n = int(records[i])
        smallest = min(smallest, n)
        singled += n == 1
        many += n if n < above else 0
        rest += n - 1
    harms, least, most = 0.0, np.inf, -np.inf
    for i in range(rows):
        harm = 0.0
        if phi is not None:
            harm += phi[i]
        if last is not None:
            harm += last[keys[i] & mask]
        harms += harm
        least = min(least, harm)
        most = max(most, harm)
    out[FOUND], out[SINGLED], out[UNCOVERED], out[FEWEST], out[ABOVE] = rows, singled, 0.0, smallest, many
    out[SMALLEST], out[CHANCE], out[REST], out[HARM] = smallest, rows * scale, rest * scale, harms * scale
    out[LEAST], out[MOST], out[CLASSES] = least, most, rows
