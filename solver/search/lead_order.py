"""In which order leads are tried: by how often a lead with the same plain features succeeded per node spent, learned from other deals."""

from numba import int64

from solver.search.compiled import kernel
from solver.search.layout import BARRED, COUNT_MINE, MINE, NOTRUMP, OWNERS
from solver.search.memory import PATTERNS_AT
from solver.search.moves import UNMARKED, kind_of

FEATURES = 4 * 5 * 2 * 5 * 4 * 4 * 4 * 2 + 4 * 4 * 4 * 3 * 2


@kernel(int64(int64, int64, int64, int64, int64, int64, int64, int64[::1]))
def features_of(cards, marks, lead, left, trump, needed, spare, memory):
    """The number of the lead's class, 0 to FEATURES - 1.

    ``needed``: tricks wanted beyond those surely cashed; ``spare``: tricks that may still be lost.
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
        barred = int64(marks >> BARRED & 7 > 0)
        return 25600 + (((colon * 4 + needed) * 4 + spare) * 3 + state) * 2 + barred
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
