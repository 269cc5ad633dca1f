"""One record at every node: its utility, Φ and risk, built up attribute by attribute in compiled loops."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import numpy as np

from riskapp.core.compiled import compiled


@compiled
def filled(
    row, before, codes, sizes, weights, weights_at, says, says_at, own, places, amount, both, totals,
    classes, people, taken, projection, choices, amounts, phi, utility, risk, rho, share, rest,
):  # fmt: skip
    """Write Φ, utility and risk of one record at all nodes, and |ρ| at those of the dictionary's lattice.

    `before` is the record that was written last, −1 for none. Where this one says as much at every level, as all do by
    depth that lack no value, utility stays as it is, and True is returned.

    Where Φ is a product, the weights are powers of e already; where only anonymity counts, it is 1. Risks are of a run
    of nodes at a time whose projections are neighbours too.
    """
    alike = before >= 0 and _say_alike(row, before, codes, sizes, says, says_at)
    if not alike:
        _said(row, codes, sizes, says, says_at, utility)
    _harm(row, codes, sizes, weights, weights_at, own, places, amount, both, totals, choices, phi)
    _chances(classes[row], people, taken, choices, amounts, rho, share, rest)
    run = choices[4]
    for start in range(0, phi.size, run):
        first = projection[start]
        harms, risks = phi[start : start + run], risk[start : start + run]
        shares, rests = share[first : first + run], rest[first : first + run]
        for j in range(run):
            harm = harms[j] * shares[j]
            risks[j] = (0.0 if shares[j] == 0.0 else harm) + rests[j]
    return alike


@compiled
def _say_alike(row, before, codes, sizes, says, says_at):
    """Whether two records say as much at every level of every attribute."""
    for k in range(sizes.size):
        size = sizes[k]
        if codes[row, k] == codes[before, k]:
            continue
        one, other = says_at[k] + codes[row, k] * size, says_at[k] + codes[before, k] * size
        for level in range(size):
            if says[one + level] != says[other + level]:
                return False
    return True


@compiled
def _said(row, codes, sizes, says, says_at, utility):
    """Sums are built from the last attribute to the first, so that the long loops go over neighbours."""
    many = 1
    utility[0] = 0.0
    for k in range(sizes.size - 1, -1, -1):
        size = sizes[k]
        say = says_at[k] + codes[row, k] * size
        for level in range(size - 1, -1, -1):
            said = says[say + level]
            # Slices, for places that are sums would be checked for being negative, one by one.
            more = utility[level * many : (level + 1) * many]
            for j in range(many):
                more[j] = utility[j] + said
        many *= size


@compiled
def _harm(row, codes, sizes, weights, weights_at, own, places, amount, both, totals, choices, phi):
    """Φ, in the same way."""
    product = choices[3] == 1
    if choices[0] == 1:
        phi[:] = 1.0
        return
    many, before = 1, own.shape[1]
    phi[0] = 1.0 if product else 0.0
    for k in range(sizes.size - 1, -1, -1):
        size = sizes[k]
        before -= size
        weight = weights_at[k] + codes[row, k] * size
        for level in range(size - 1, -1, -1):
            harm = own[row, before + level] if own.size else weights[weight + level]
            worse = phi[level * many : (level + 1) * many]
            if product:
                for j in range(many):
                    worse[j] = phi[j] * harm
            else:
                for j in range(many):
                    worse[j] = phi[j] + harm
        many *= size
    for m in range(amount.size):
        if codes[row, places[m, 0]] and codes[row, places[m, 1]]:
            for node in range(many):
                if both[m, node]:
                    phi[node] = phi[node] * amount[m] if product else phi[node] + amount[m]
    if totals.size:
        for node in range(many):
            phi[node] = phi[node] / totals[row, 0] * totals[row, 1]
            if choices[2]:
                phi[node] = np.exp(phi[node])


@compiled
def _chances(crowd, people, taken, choices, amounts, rho, share, rest):
    """|ρ| of a class, by what Φ is multiplied for it, and what is added whatever Φ is."""
    model, zero = choices[0], choices[1] == 1
    psi, everybody = amounts[0], amounts[1]
    for p in range(rho.size):
        met = float(people[taken[p], crowd])
        chance = 0.0 if zero and met == 0.0 else 1.0 / max(met, 1.0)
        rho[p] = met
        share[p] = chance
        rest[p] = (1.0 - chance) * psi if model == 0 and chance != 1.0 and psi != 0.0 else 0.0
    if model == 2:
        logarithm = np.log(max(everybody, 2.0))
        for p in range(rho.size):
            if rho[p] > 1.0:
                share[p] = 0.0 if rho[p] == everybody else 1.0 - np.log(rho[p]) / logarithm
