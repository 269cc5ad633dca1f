"""Going through partial nodes, attribute after attribute, without those that are known to be no better than a target.

A *partial node* has levels for the first attributes and says nothing of the others. Whatever they become, |ρ| is at
most what it is there, and Φ is at least what those levels weigh and what the utility of the others costs. So there is a
chance from which on no node that it may become is better. It holds for two attributes by themselves too, which tells
early how fine each attribute may still be.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riskapp.core.compiled import compiled
from riskapp.core.extended import Numbers

Small = npt.NDArray[np.int32]
Whole = npt.NDArray[np.int64]
AGAIN, THROUGH, WHOLE_NODE = 0, 1, 2
"""Why a walk pauses: it has worked enough, there is nothing left, or it stands at a node that may be better."""
DEPTH, STAMP = 0, 1


class Ground(NamedTuple):
    """What is walked over: it does not change.

    Attributes
    ----------
    leaves : for every attribute the leaf of each row
    ancestors, starts, groups : what a leaf becomes at a level begins at a start; how many there are
    heights : of the attributes
    people, weights : of each row
    each : what every class adds to the mean chance where that is the same for all; else 0
    phi, said : what every attribute weighs at least at a level, and its utility above that of its top
    saying, costing, corners : for the attributes from one on, what so much utility costs at least: a line's corners
    """

    leaves: Small
    ancestors: Small
    starts: Whole
    groups: Whole
    heights: Whole
    people: Whole
    weights: Numbers
    each: float
    phi: Numbers
    said: Numbers
    saying: Numbers
    costing: Numbers
    corners: Whole


class Aim(NamedTuple):
    """What is shown of every node: that it says less than is needed, or that its risk − price · utility is not below.

    Attributes
    ----------
    target : for the risk by the dictionary that is counted, less what the utility is worth
    need : the least utility of interest, above that of the top
    price : of a unit of utility, 0 where only the risk matters
    """

    target: float
    need: float
    price: float


class Way(NamedTuple):
    """Where a walk stands; by the number of attributes that have a level.

    Attributes
    ----------
    place : that number, and what tells entries of the table from older ones
    level : the next level to try
    owner : where the classes of the rows are
    kinds, chance : how many classes there are, and the mean chance
    phi, said : of the levels so far
    fine : how fine every attribute may be
    classes : of the rows; the last two are scratch
    pairs : the mean chance with two attributes alone, below 0 where it was not counted
    table, people, weights : scratch
    """

    place: Whole
    level: Whole
    owner: Whole
    kinds: Whole
    chance: Numbers
    phi: Numbers
    said: Numbers
    fine: Whole
    classes: Small
    pairs: Numbers
    table: Whole
    people: Whole
    weights: Numbers


@compiled
def refined(ground, way, source, kinds, attribute, level, out, enough):
    """Part so many classes by an attribute at a level; how many there are then, and the mean chance.

    Where the table has no room, (0, 0): nothing is known. Once the chance is certainly `enough` it may stop.
    """
    groups, ancestors = ground.groups[attribute, level], ground.starts[attribute, level]
    before, after, leaves = way.classes[source], way.classes[out], ground.leaves[attribute]
    if kinds * groups > way.table.size:
        return 0, 0.0
    way.place[STAMP] += before.size
    stamp, found = way.place[STAMP], 0
    if ground.each > 0:
        for i in range(before.size):
            slot = before[i] * groups + ground.ancestors[ancestors + leaves[i]]
            kind = way.table[slot] - stamp
            if kind < 0:
                kind = found
                found += 1
                way.table[slot] = stamp + kind
                if found * ground.each >= enough:
                    break
            after[i] = kind
        return found, found * ground.each
    for i in range(before.size):
        slot = before[i] * groups + ground.ancestors[ancestors + leaves[i]]
        kind = way.table[slot] - stamp
        if kind < 0:
            kind = found
            found += 1
            way.table[slot] = stamp + kind
            way.people[kind] = 0
            way.weights[kind] = 0.0
        after[i] = kind
        way.people[kind] += ground.people[i]
        way.weights[kind] += ground.weights[i]
    chance = 0.0
    for kind in range(found):
        chance += way.weights[kind] / max(way.people[kind], 1)
    return found, chance


@compiled
def costs(ground, attribute, need):
    """What so much utility from the attributes from this one on weighs at least."""
    says, least, corners = ground.saying[attribute], ground.costing[attribute], ground.corners[attribute]
    if need <= says[0]:
        return least[0]
    for at in range(1, corners):
        if need <= says[at]:
            return least[at - 1] + (least[at] - least[at - 1]) * (need - says[at - 1]) / (says[at] - says[at - 1])
    return least[corners - 1]


@compiled
def _chance(phi, worth):
    """The chance from which on the risk is not below this."""
    if worth <= 0:
        return 0.0
    return worth / phi if phi > 0 else np.inf


@compiled
def enough(ground, aim, attribute, phi, said):
    """The chance from which on no node is better that has so much Φ and utility before this attribute.

    With a price it is the largest over what the others may say: in between corners it is no larger than at one of them.
    """
    if aim.price == 0:
        return _chance(phi + costs(ground, attribute, aim.need - said), aim.target)
    most = 0.0
    for at in range(ground.corners[attribute]):
        worth = aim.target + aim.price * (said + ground.saying[attribute, at])
        most = max(most, _chance(phi + ground.costing[attribute, at], worth))
    return most


@compiled
def _finer(ground, way, depth, level, most):
    """How fine the attributes after this one may be, with it at this level, for a chance that is less than the most.

    Returns how many chances were counted for it.
    """
    many, counted, kinds = ground.heights.size, 0, -1
    scratch = many + 1
    for other in range(depth + 1, many):
        fine = way.fine[depth, other]
        while level < ground.heights[depth] and fine < ground.heights[other]:
            if way.pairs[depth, level, other, fine] < 0:
                if kinds < 0:
                    kinds = refined(ground, way, 0, way.kinds[0], depth, level, scratch, np.inf)[0]
                    counted += 1
                chance = 0.0
                if kinds:
                    chance = refined(ground, way, scratch, kinds, other, fine, scratch + 1, np.inf)[1]
                    counted += 1
                way.pairs[depth, level, other, fine] = chance
            if way.pairs[depth, level, other, fine] < most:
                break
            fine += 1
        way.fine[depth + 1, other] = fine
    return counted


@compiled
def _possible(ground, need, depth, said, fine):
    """Whether utility enough can come from the attributes after this one, as fine as they may be."""
    for other in range(depth + 1, ground.heights.size):
        said += ground.said[other, fine[other]]
    return said >= need


@compiled
def walked(ground, way, aim, pause):
    """Go on until so many chances were counted; why it pauses."""
    many, spent = ground.heights.size, 0
    while way.place[DEPTH] >= 0:
        depth = way.place[DEPTH]
        if depth == many:
            return WHOLE_NODE
        if spent >= pause:
            return AGAIN
        level = way.level[depth]
        if level > ground.heights[depth]:
            step_back(way)
            continue
        phi, said = way.phi[depth] + ground.phi[depth, level], way.said[depth] + ground.said[depth, level]
        if not _possible(ground, aim.need, depth, said, way.fine[depth]):
            step_back(way)
            continue
        way.level[depth] = level + 1
        most = enough(ground, aim, depth + 1, phi, said)
        if way.chance[depth] >= most:
            continue
        owner, kinds, chance = way.owner[depth], way.kinds[depth], way.chance[depth]
        if level < ground.heights[depth] and ground.groups[depth, level] > 1:
            found, higher = refined(ground, way, owner, kinds, depth, level, depth + 1, most)
            spent += 1
            if found:
                owner, kinds, chance = depth + 1, found, max(chance, higher)
            if chance >= most:
                continue
        spent += _finer(ground, way, depth, level, most)
        if not _possible(ground, aim.need, depth, said, way.fine[depth + 1]):
            continue
        way.owner[depth + 1], way.kinds[depth + 1], way.chance[depth + 1] = owner, kinds, chance
        way.phi[depth + 1], way.said[depth + 1] = phi, said
        way.place[DEPTH] = depth + 1
        if depth + 1 < many:
            way.level[depth + 1] = way.fine[depth + 1, depth + 1]
    return THROUGH


@compiled
def step_back(way):
    """Leave a partial node; its attribute's next level is next."""
    way.place[DEPTH] -= 1
