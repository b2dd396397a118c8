"""The transposition table: positions in canonical form with the tricks proven so far.

A slot is two integers that hold the whole position (nothing is left to a hash) and, in the first one's top bits, the
least and the most tricks that the leader can take. Canonical form: suits other than trumps are sorted (any relabelling
of suits that keeps trumps gives the same game), and the strain is named only while trumps are left, so one table serves
all strains, both leaders and every later deal.
    first   two suits of 23 bits each; 4 bits least; 4 bits most
    second  two suits of 23 bits each (trumps last when there are any); owners of live colons 6 bits; dead colons 4
    bits;
            1 when trumps are left; 1 for free_colon_discard
    a suit  pattern 14 bits; its marks 4 + 2 + 1 + 1 bits; 1 when barred
How many cards are left follows from the patterns and colons.
"""

from numba import int64, types

from solver.search.compiled import MEMORY, kernel
from solver.search.layout import BARRED, NOTRUMP, OWNERS
from solver.search.memory import FREE_DISCARD, SLOT_MASK, STORED, SUIT_SYMMETRY, SWITCHED_OFF, TABLE_AT

SUIT_BITS = 23
LEAST = 46
MOST = 50
POSITION_MASK = (1 << LEAST) - 1


@kernel(int64(int64, int64, int64))
def described(cards, marks, suit):
    """All that is known of a suit, 23 bits."""
    return (
        (cards >> (16 * suit) & 0x3FFF)
        | (marks >> (4 * suit) & 15) << 14
        | (marks >> (16 + 2 * suit) & 3) << 18
        | (marks >> (24 + suit) & 1) << 20
        | (marks >> (28 + suit) & 1) << 21
        | int64((marks >> BARRED & 7) == suit + 1) << 22
    )


@kernel(types.UniTuple(int64, 2)(int64, int64, int64, MEMORY))
def canonical(cards, marks, trump, memory):
    """The position's two integers, without bounds."""
    a = described(cards, marks, 0)
    b = described(cards, marks, 1)
    c = described(cards, marks, 2)
    d = described(cards, marks, 3)
    trumps_left = int64(0)
    if trump < NOTRUMP and cards >> (16 * trump) & 0x3FFF != 1:
        trumps_left = int64(1)
        if trump == 0:
            a, d = d, a
        elif trump == 1:
            b, d = d, b
        elif trump == 2:
            c, d = d, c
    if memory[SWITCHED_OFF] & SUIT_SYMMETRY == 0:
        a, b = min(a, b), max(a, b)
        b, c = min(b, c), max(b, c)
        a, b = min(a, b), max(a, b)
        if trumps_left == 0:
            c, d = min(c, d), max(c, d)
            b, c = min(b, c), max(b, c)
            a, b = min(a, b), max(a, b)
    elif trumps_left:
        # the trump stands last: say which it is by where the others stand
        trumps_left = trump + 1
    first = a | b << SUIT_BITS
    second = c | d << SUIT_BITS | (marks >> OWNERS & 0x3FF) << 46 | trumps_left << 56 | memory[FREE_DISCARD] << 60
    return first, second


@kernel(int64(int64, int64, MEMORY))
def slot_of(first, second, memory):
    """Where in memory the first slot of the position's pair lies."""
    mixed = (first ^ (second << 21 | (second >> 43 & 0x1FFFFF))) * -7046029254386353131
    mixed ^= mixed >> 32 & 0xFFFFFFFF
    mixed *= -4265267296055464877
    return TABLE_AT + ((mixed >> 40 & 0xFFFFFF) & memory[SLOT_MASK]) * 2


@kernel(int64(int64, int64, int64, int64, int64, int64, int64, MEMORY))
def store(first, second, slot, least, most, target, result, memory):
    """Keep that the leader can (``result`` 1) or cannot take ``target``, with the bounds known before; returns 0.

    Of its pair of slots the position keeps its own, else takes the first, whose position moves to the second: of two
    others the older is forgotten, so that a table full of earlier deals serves the next one whole.
    """
    if result:
        least = max(least, target)
    else:
        most = min(most, target - 1)
    place = slot
    other = slot ^ 2
    if memory[other] & POSITION_MASK == first and memory[other + 1] == second:
        place = other
    elif memory[place] & POSITION_MASK != first or memory[place + 1] != second:
        if memory[place] == 0:
            memory[STORED] += 1
        else:
            if memory[other] == 0:
                memory[STORED] += 1
            memory[other] = memory[place]
            memory[other + 1] = memory[place + 1]
    if memory[place] & POSITION_MASK == first and memory[place + 1] == second:
        least = max(least, memory[place] >> LEAST & 15)
        most = min(most, memory[place] >> MOST & 15)
    memory[place] = first | least << LEAST | most << MOST
    memory[place + 1] = second
    return 0
