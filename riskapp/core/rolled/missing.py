"""Missing values: who is consistent when a record or an entry does not say everything.

What is missing on either side is consistent with everything. So a record that knows the attributes R may be any entry
that knows E and agrees in R ∩ E: for every pair of such patterns the entries are counted by what they share, and the
records look themselves up. Where nothing is missing a class's own people are the answer.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import numpy as np

from riskapp.core.compiled import compiled

MOST_FIELDS = 12
"""Patterns of more attributes than these are too many to be told apart by a table."""
_MULTIPLIER = 0x9E3779B97F4A7C15


@compiled
def consistent(rows, keys, records, people, fields, o_people):
    """The number of people consistent with each class that has records.

    Parameters
    ----------
    fields : the bits of every attribute that is below its top
    """
    several = 1 << fields.size
    pattern = np.empty(rows, np.int64)
    ends = np.zeros(several + 1, np.int64)
    for i in range(rows):
        own = 0
        for j in range(fields.size):
            if keys[i] & fields[j]:
                own |= 1 << j
        pattern[i] = own
        ends[own + 1] += 1
        o_people[i] = 0
    for own in range(several):
        ends[own + 1] += ends[own]
    order = np.empty(rows, np.int64)
    filled = ends[:-1].copy()
    for i in range(rows):
        order[filled[pattern[i]]] = i
        filled[pattern[i]] += 1
    for known in range(several):
        if ends[known] == ends[known + 1]:
            continue
        for shared in range(known + 1):
            if shared & known != shared:
                continue
            _count(shared, known, keys, records, people, fields, ends, order, o_people)


@compiled
def _count(shared, known, keys, records, people, fields, ends, order, o_people):
    """Add, for entries that know `known`, those that agree with each record knowing just `shared` of that."""
    several = ends.size - 1
    asked = False
    for own in range(several):
        asked = asked or (own & known == shared and ends[own] < ends[own + 1])
    if not asked:
        return
    mask = np.int64(0)
    for j in range(fields.size):
        if shared >> j & 1:
            mask |= fields[j]
    bits = 1
    while (1 << bits) < 2 * (ends[known + 1] - ends[known]):
        bits += 1
    room = np.full(1 << bits, -1, np.int64)
    sums = np.zeros(1 << bits, np.int64)
    low, shift = (1 << bits) - 1, np.uint64(64 - bits)
    for place in range(ends[known], ends[known + 1]):
        i = order[place]
        number = np.int64(records[i]) if people is None else np.int64(people[i])
        if number == 0:
            continue
        key = keys[i] & mask
        at = np.int64((np.uint64(key) * np.uint64(_MULTIPLIER)) >> shift)
        while room[at] != key and room[at] != -1:
            at = (at + 1) & low
        room[at] = key
        sums[at] += number
    for own in range(several):
        if own & known != shared:
            continue
        for place in range(ends[own], ends[own + 1]):
            i = order[place]
            if records[i] == 0:
                continue
            key = keys[i] & mask
            at = np.int64((np.uint64(key) * np.uint64(_MULTIPLIER)) >> shift)
            while room[at] != key and room[at] != -1:
                at = (at + 1) & low
            if room[at] == key:
                o_people[i] += sums[at]
