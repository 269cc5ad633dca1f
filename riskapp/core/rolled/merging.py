"""The hot loops that merge classes when one attribute becomes coarser; `kernels` says what the arrays hold.

Every merge writes to arrays it is given and returns how many classes there are. The output may be the input itself:
no class is written before it has been read.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import numpy as np

from riskapp.core.compiled import compiled

DE_BRUIJN = 0x03F79D71B4CB0A89
_TRAILING = np.zeros(64, dtype=np.int64)
for _place in range(64):
    _TRAILING[((1 << _place) * DE_BRUIJN & (1 << 64) - 1) >> 58] = _place

# No kernel calls another in its loop: passing arrays costs more than what it would do.


@compiled
def merge_neighbours(
    rows, keys, records, people, sums, phi, parents, shift, mask, o_keys, o_records, o_people, o_sums, o_phi
):
    """Raise an attribute that has nothing in the bits below it: what becomes equal stands side by side already.

    Whether a class goes on or a new one begins cannot be predicted, so nothing depends on it but what is written.
    """
    if rows == 0:
        return 0
    field = mask << shift
    before = (keys[0] & ~field) | (np.int64(parents[(keys[0] >> shift) & mask]) << shift)
    number = records[0]
    crowd = number if people is None else people[0]
    felt = 0.0 if phi is None else phi[0]
    if sums is not None:
        o_sums[0] = sums[0]
    at = 0
    for i in range(1, rows):
        key = (keys[i] & ~field) | (np.int64(parents[(keys[i] >> shift) & mask]) << shift)
        new = key != before
        o_keys[at] = before
        o_records[at] = number
        number = records[i] + (0 if new else number)
        if people is not None:
            o_people[at] = crowd
            crowd = people[i] + (0 if new else crowd)
        if phi is not None:
            o_phi[at] = felt
            felt = phi[i]
        at += new
        if sums is not None:
            for m in range(sums.shape[1]):
                o_sums[at, m] = sums[i, m] + (0.0 if new else o_sums[at, m])
        before = key
    o_keys[at] = before
    o_records[at] = number
    if people is not None:
        o_people[at] = crowd
    if phi is not None:
        o_phi[at] = felt
    return at + 1


@compiled
def merge_blocks(
    rows, keys, records, people, sums, phi, parents, shift, mask, o_keys, o_records, o_people, o_sums, o_phi,
    s_records, s_people, s_sums, fine, coarse,
):  # fmt: skip
    """Raise an attribute with others in the bits below it.

    The classes that share the bits above and the attribute's new code are a block: some runs, each sorted by the bits
    below. They are added up in a scratch table with a place for every combination of those bits, marked in two layers
    of bitmaps, and written out in the order of the marks. The scratch is clean again afterwards.
    """
    below = (np.int64(1) << shift) - 1
    one, magic, top_six = np.uint64(1), np.uint64(DE_BRUIJN), np.uint64(58)
    at = 0
    start = 0
    while start < rows:
        old = keys[start] >> shift
        high = (old & ~mask) | np.int64(parents[old & mask])
        end = start + 1
        several = False
        while end < rows:
            other = keys[end] >> shift
            if other != old:
                if ((other & ~mask) | np.int64(parents[other & mask])) != high:
                    break
                several = True
                old = other
            end += 1
        felt = 0.0 if phi is None else phi[start]
        if not several:
            for i in range(start, end):
                o_keys[at] = (high << shift) | (keys[i] & below)
                o_records[at] = records[i]
                if people is not None:
                    o_people[at] = people[i]
                if sums is not None:
                    for m in range(sums.shape[1]):
                        o_sums[at, m] = sums[i, m]
                if phi is not None:
                    o_phi[at] = felt
                at += 1
            start = end
            continue
        low, last = coarse.size, -1
        for i in range(start, end):
            suffix = keys[i] & below
            s_records[suffix] += records[i]
            if people is not None:
                s_people[suffix] += people[i]
            if sums is not None:
                for m in range(sums.shape[1]):
                    s_sums[suffix, m] += sums[i, m]
            word = suffix >> 6
            fine[word] |= one << np.uint64(suffix & 63)
            coarse[word >> 6] |= one << np.uint64(word & 63)
            low = min(low, word >> 6)
            last = max(last, word >> 6)
        for block in range(low, last + 1):
            words = coarse[block]
            coarse[block] = 0
            while words:
                least = words & (~words + one)
                words ^= least
                word = (block << 6) + _TRAILING[(least * magic) >> top_six]
                marks = fine[word]
                fine[word] = 0
                while marks:
                    mark = marks & (~marks + one)
                    marks ^= mark
                    suffix = (word << 6) + _TRAILING[(mark * magic) >> top_six]
                    o_keys[at] = (high << shift) | suffix
                    o_records[at] = s_records[suffix]
                    s_records[suffix] = 0
                    if people is not None:
                        o_people[at] = s_people[suffix]
                        s_people[suffix] = 0
                    if sums is not None:
                        for m in range(sums.shape[1]):
                            o_sums[at, m] = s_sums[suffix, m]
                            s_sums[suffix, m] = 0.0
                    if phi is not None:
                        o_phi[at] = felt
                    at += 1
        start = end
    return at


@compiled
def merge_sorted(order, keys, records, people, sums, phi, o_keys, o_records, o_people, o_sums, o_phi):
    """Merge classes whose keys have changed already, visited in the order of their new keys; never in place."""
    before = np.int64(-1)
    at = -1
    for i in order:
        if keys[i] != before:
            at += 1
            before = keys[i]
            o_keys[at] = before
            o_records[at] = 0
            if people is not None:
                o_people[at] = 0
            if sums is not None:
                o_sums[at] = 0.0
            if phi is not None:
                o_phi[at] = phi[i]
        o_records[at] += records[i]
        if people is not None:
            o_people[at] += people[i]
        if sums is not None:
            for m in range(sums.shape[1]):
                o_sums[at, m] += sums[i, m]
    return at + 1


@compiled
def merging_order(rows, keys, parents, shift, mask, o_keys, order, spare):
    """The keys with one attribute a level higher, and the order that sorts them.

    Classes that share the bits above and the attribute's new code are a block, which consists of a sorted run for each
    old code: two and two the runs are merged until one is left.
    """
    field = mask << shift
    below = (np.int64(1) << shift) - 1
    bounds = np.empty(mask + 3, np.int64)
    start = 0
    while start < rows:
        old = keys[start] >> shift
        high = (old & ~mask) | np.int64(parents[old & mask])
        runs = 1
        bounds[0] = start
        end = start
        while end < rows:
            other = keys[end] >> shift
            if other != old:
                if ((other & ~mask) | np.int64(parents[other & mask])) != high:
                    break
                bounds[runs] = end
                runs += 1
                old = other
            o_keys[end] = (keys[end] & ~field) | ((high & mask) << shift)
            order[end] = end
            end += 1
        bounds[runs] = end
        while runs > 1:
            merged = 0
            for run in range(0, runs, 2):
                left, middle = bounds[run], bounds[run + 1]
                last = bounds[min(run + 2, runs)]
                i, j = left, middle
                for at in range(left, last):
                    first = j >= last or (i < middle and keys[order[i]] & below <= keys[order[j]] & below)
                    spare[at] = order[i] if first else order[j]
                    i += first
                    j += not first
                bounds[merged] = left
                merged += 1
            bounds[merged] = end
            runs = merged
            order[start:end] = spare[start:end]
        start = end
