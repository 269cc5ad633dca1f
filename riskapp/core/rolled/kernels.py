"""The hot loops that make classes: equal keys put together. How they are merged is in `merging`.

A table of classes is a few arrays side by side: `keys`, sorted and each once; `records` and `people`, how many of each
are in the class (`people` may be None, which means the same as `records`); `sums`, what is added up over the class's
records, a column for each sum, None when records are only counted; `phi`, which depends on attributes that are not
merged any more and so is the same for all of a class, None while there is none. What is None costs nothing: every
combination is compiled by itself.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import numpy as np

from riskapp.core.compiled import compiled

# No kernel calls another in its loop: passing arrays costs more than what it would do.


@compiled
def pack(codes, numbers, shift, keys):
    """Put one attribute's codes, by their new numbers, into its bits of the keys."""
    for i in range(codes.size):
        keys[i] |= np.int64(numbers[codes[i]]) << shift


@compiled
def runs(keys, o_keys, o_counts):
    """Sorted keys each once, and how often they occur."""
    at = -1
    for i in range(keys.size):
        if at >= 0 and o_keys[at] == keys[i]:
            o_counts[at] += 1
        else:
            at += 1
            o_keys[at] = keys[i]
            o_counts[at] = 1
    return at + 1


@compiled
def summed_runs(keys, order, values, o_keys, o_sums):
    """Keys each once in their sorted order, and the sums of some values, one or a row of them for each key."""
    at = -1
    for i in order:
        if at < 0 or o_keys[at] != keys[i]:
            at += 1
            o_keys[at] = keys[i]
            o_sums[at] = values[i]
        else:
            o_sums[at] += values[i]
    return at + 1


@compiled
def beside(keys, kinds, bits):
    """Put the kind of each row below its key."""
    for i in range(keys.size):
        keys[i] = (keys[i] << bits) | kinds[i]


@compiled
def kind_sums(keys, bits, values, o_keys, o_counts, o_sums):
    """Sorted keys, with kinds in their lowest bits, each once: how many rows there are, and the sums by their kinds."""
    mask = (np.int64(1) << bits) - 1
    at = -1
    for i in range(keys.size):
        key = keys[i] >> bits
        if at < 0 or o_keys[at] != key:
            at += 1
            o_keys[at] = key
            o_counts[at] = 0
            o_sums[at] = 0.0
        o_counts[at] += 1
        for m in range(values.shape[1]):
            o_sums[at, m] += values[keys[i] & mask, m]
    return at + 1


@compiled
def union(one, other, o_keys, o_one, o_other):
    """Two sorted lists of keys as one, and for each where its key stands in either; −1 where it does not."""
    i, j, at = 0, 0, 0
    while i < one.size or j < other.size:
        left = i < one.size and (j >= other.size or one[i] <= other[j])
        right = j < other.size and (i >= one.size or other[j] <= one[i])
        o_keys[at] = one[i] if left else other[j]
        o_one[at] = i if left else -1
        o_other[at] = j if right else -1
        i += left
        j += right
        at += 1
    return at


@compiled
def joined(rows, keys, e_rows, e_keys, e_records, o_people):
    """For each class the number of people with the same key in a sorted table beside it, 0 where there is none."""
    j = 0
    for i in range(rows):
        while j < e_rows and e_keys[j] < keys[i]:
            j += 1
        o_people[i] = e_records[j] if j < e_rows and e_keys[j] == keys[i] else 0


@compiled
def placed(values, places, out):
    """Rows at their places, 0 where there is none."""
    for i in range(places.size):
        if places[i] >= 0:
            out[i] = values[places[i]]
        else:
            out[i] = 0


@compiled
def looked_up(rows, keys, shift, mask, table, phi, o_phi):
    """φ with what one attribute adds to it at its level."""
    for i in range(rows):
        added = table[(keys[i] >> shift) & mask]
        if phi is not None:
            added += phi[i]
        o_phi[i] = added
