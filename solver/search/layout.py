"""How a position is written in two 64-bit integers, and the tables by suit pattern.

The player on lead is always "mine"; the other, the follower, is "his".

``cards``: four fields of 16 bits, one a suit (clubs lowest), each a *pattern*: the cards of the suit still in the two
hands from low to high, one bit each (1: mine), and a 1 above the highest (the sentinel). Cards gone from both hands
leave no trace, so positions that differ only in them are one.

``marks``: what the colons and the barred suit add.
    bits  0-15  by suit, 4 bits: how many cards of the suit, counted from the owner's lowest, the other player's live :L
    can match bits 16-23  by suit, 2 bits: how many face cards the other player's live :R can match bits 24-27  by suit,
    1 bit: an ace lies above those face cards in the same hand (only where there are any) bits 28-31  by suit, 1 bit:
    the top card of a hand is an ace that the other player's live :G can match bits 32-37  who holds the live :L, :R,
    :G: 2 bits each, 0 nobody, 1 me, 2 him bits 38-41  dead colons of mine and of his, 2 bits each bits 42-44  barred
    suit + 1 for my lead, 0 when none
A colon is *live* while a card of its range is in the other hand; a card is marked only where the other player's live
colon can meet it. That is all a range can ever do: a colon matches only what the other leads, and when led it is beaten
in its range only by the other hand. So a colon without such a card is *dead* for good, dead colons are alike, and all
other ranges are forgotten. Marks stay the same when the players change roles (they go with the colon's owner), only the
owners are exchanged.
"""

import numpy as np
from numba import int64
from numba.types import UniTuple

from solver.search.compiled import kernel

LITTLE, ROYAL, GRAND = 0, 1, 2
NOTRUMP = 4
MINE, HIS = 1, 2

LITTLE_FIELDS = 0xFFFF
ROYAL_FIELDS = 0xFF << 16
GRAND_FIELDS = 0xF << 28
OWNERS = 32
DEAD_MINE = 38
DEAD_HIS = 40
BARRED = 42
BARRED_FIELD = 7 << BARRED

PATTERNS = 1 << 14

# Fields of 4 bits of the table by pattern.
LENGTH, COUNT_MINE, TOP_MINE, TOP_HIS, SURE_MINE, SURE_HIS = 0, 4, 8, 12, 16, 20


@kernel(int64[:]())
def pattern_table():
    """For every pattern: length, my cards, my and his top run, my and his sure winners were it trumps; 4 bits each.

    Sure winners: a player's cards less the largest matching of them with the other's higher ones. Every card is played,
    and a trump loses its trick only to a higher trump in that very trick, so no play of either side can take one of
    these tricks away.
    """
    table = np.zeros(PATTERNS, dtype=np.int64)
    for pattern in range(1, PATTERNS):
        length = 0
        while pattern >> (length + 1):
            length += 1
        count_mine = 0
        beaten_mine = 0
        beaten_his = 0
        spare_mine = 0
        spare_his = 0
        top_mine = 0
        top_his = 0
        for position in range(length - 1, -1, -1):
            if (pattern >> position) & 1:
                if count_mine + 1 == length - position:
                    top_mine += 1
                count_mine += 1
                spare_mine += 1
                if spare_his:
                    spare_his -= 1
                    beaten_mine += 1
            else:
                if count_mine == 0:
                    top_his += 1
                spare_his += 1
                if spare_mine:
                    spare_mine -= 1
                    beaten_his += 1
        table[pattern] = (
            length << LENGTH
            | count_mine << COUNT_MINE
            | top_mine << TOP_MINE
            | top_his << TOP_HIS
            | (count_mine - beaten_mine) << SURE_MINE
            | (length - count_mine - beaten_his) << SURE_HIS
        )
    return table


@kernel(UniTuple(int64, 2)(int64, int64, int64))
def written(leader, follower, barred):
    """``cards`` and ``marks`` of two hands of equal size.

    A hand is a mask of 55 bits: 13 a suit from clubs, deuce lowest, then :L :R :G.

    ``barred``: the suit that may not be led now, or -1.
    """
    cards = int64(0)
    marks = int64(0)
    owners = int64(0)
    for colon in range(3):
        if leader >> (52 + colon) & 1:
            owners |= int64(MINE) << (2 * colon)
        elif follower >> (52 + colon) & 1:
            owners |= int64(HIS) << (2 * colon)
    for suit in range(4):
        pattern = int64(0)
        length = int64(0)
        faces = int64(0)
        for rank in range(13):
            bit = 13 * suit + rank
            holder = int64(0)
            if leader >> bit & 1:
                holder = int64(MINE)
                pattern |= int64(1) << length
            elif follower >> bit & 1:
                holder = int64(HIS)
            else:
                continue
            length += 1
            other = 3 - holder
            if rank < 9:
                if owners & 3 == other:
                    marks += int64(1) << (4 * suit)
            elif rank < 12:
                if owners >> 2 & 3 == other:
                    marks += int64(1) << (16 + 2 * suit)
                    faces += 1
            else:
                if owners >> 2 & 3 == other and faces:
                    marks |= int64(1) << (24 + suit)
                if owners >> 4 & 3 == other:
                    marks |= int64(1) << (28 + suit)
        pattern |= int64(1) << length
        cards |= pattern << (16 * suit)
    for colon in range(3):
        owner = owners >> (2 * colon) & 3
        if owner:
            if colon == LITTLE:
                met = marks & LITTLE_FIELDS
            elif colon == ROYAL:
                met = marks & ROYAL_FIELDS
            else:
                met = marks & GRAND_FIELDS
            if met:
                marks |= owner << (OWNERS + 2 * colon)
            else:
                marks += int64(1) << (DEAD_MINE if owner == MINE else DEAD_HIS)
    return cards, marks | (barred + 1) << BARRED
