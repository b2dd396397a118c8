"""In which order leads are tried: those first whose like succeeded most often for the positions spent on them.

The figures (``lead_order.npy``, one byte a class of leads, on a logarithmic scale) were learned from other deals by
benchmarks/learn_lead_order.py. They change how long a search takes, never its answer.
"""

from numba import int64

from solver.search.compiled import MEMORY, kernel
from solver.search.layout import BARRED, COUNT_MINE, GRAND, LITTLE, MINE, NOTRUMP, OWNERS, ROYAL
from solver.search.memory import LEARN_AT, PATTERNS_AT
from solver.search.moves import UNMARKED, kind_of

SUIT_FEATURES = (4, 5, 2, 5, 4, 4, 4, 2)
COLON_FEATURES = (4, 4, 4, 4, 3, 2)
FIRST_OF_COLONS = 25600
FEATURES = FIRST_OF_COLONS + 1536


@kernel(int64(int64, int64, int64, int64, int64, int64, int64, MEMORY))
def features_of(cards, marks, lead, left, trump, needed, spare, memory):
    """The number of the lead's class, 0 to FEATURES - 1, by what SUIT_FEATURES and COLON_FEATURES count.

    A suit card: trumps (none left; a trump; he has some; only I have); strength (he is void; beaten by none; by none,
    and I have at least as many from here down as he has; by one; by more); my lowest or not; my length less his; my
    length; needed; spare; whether a colon can match it. A colon: which; how many cards beat it; needed; spare; trumps
    (none, mine, his); a suit barred or not. ``needed``: tricks wanted beyond those surely cashed; ``spare``: tricks
    that may still be lost.
    """
    needed = min(max(needed, 1), 4) - 1
    spare = min(spare, 3)
    suit = lead & 7
    trumps_mine = int64(0)
    trumps_his = int64(0)
    if trump < NOTRUMP:
        info = memory[PATTERNS_AT + (cards >> (16 * trump) & 0xFFFF)]
        trumps_mine = info >> COUNT_MINE & 15
        trumps_his = (info & 15) - trumps_mine
    if suit >= 4:
        colon = suit - 4
        state = int64(2)
        if trumps_his == 0:
            state = int64(0) if trumps_mine == 0 else int64(1)
        beaten_by = int64(0)
        for other_suit in range(4):
            if colon == LITTLE:
                beaten_by += marks >> (4 * other_suit) & 15
            elif colon == ROYAL:
                beaten_by += marks >> (16 + 2 * other_suit) & 3
            elif colon == GRAND:
                beaten_by += marks >> (28 + other_suit) & 1
        code = colon * 4 + min(beaten_by, 3)
        code = (code * 4 + needed) * 4 + spare
        return FIRST_OF_COLONS + (code * 3 + state) * 2 + int64(marks >> BARRED & 7 > 0)
    pattern = cards >> (16 * suit) & 0xFFFF
    info = memory[PATTERNS_AT + pattern]
    length = info & 15
    mine = info >> COUNT_MINE & 15
    his = length - mine
    position = lead >> 3 & 15
    index = lead >> 7 & 15
    if suit == trump:
        trump_state = int64(1)
    elif trumps_his:
        trump_state = int64(2)
    elif trumps_mine:
        trump_state = int64(3)
    else:
        trump_state = int64(0)
    above = (length - 1 - position) - (mine - 1 - index)
    if his == 0:
        strength = int64(0)
    elif above == 0:
        strength = int64(1)
        if mine - index >= his:
            strength = int64(2)
    elif above == 1:
        strength = int64(3)
    else:
        strength = int64(4)
    lowest = int64(index == 0)
    difference = min(max(mine - his, -2), 2) + 2
    own_length = min(mine, 4) - 1
    met = int64(0)
    if marks >> OWNERS & 63 and kind_of(marks, suit, index, mine, MINE) != UNMARKED:
        met = int64(1)
    code = trump_state * 5 + strength
    code = code * 2 + lowest
    code = code * 5 + difference
    code = code * 4 + own_length
    code = code * 4 + needed
    code = code * 4 + spare
    return code * 2 + met


@kernel(int64(int64, int64, int64, MEMORY))
def learn(features_at, costs_at, successful, memory):
    """Count the leads tried where the last of them succeeded: tries, successes, positions expanded for them.

    Only benchmarks/learn_lead_order.py asks for it; the counts lie at ``memory[LEARN_AT]``, three a class of leads.
    """
    for place in range(successful + 1):
        at = memory[LEARN_AT] + 3 * memory[features_at + place]
        memory[at] += 1
        memory[at + 1] += int64(place == successful)
        memory[at + 2] += 1 + memory[costs_at + place]
    return 0
