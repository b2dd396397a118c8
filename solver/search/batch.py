"""From hands to tricks: one position, a position's whole value, a table of ten results, many tables."""

from numba import int8, int64, void

from solver.search.alpha_beta import COLON, DEAD_COLON, INDEX, POSITION, can_take, lead_takes
from solver.search.compiled import kernel
from solver.search.layout import OWNERS, written


@kernel(int64(int64, int64, int64, int64, int64, int64, int64[::1]))
def value_between(cards, marks, left, trump, least, most, memory):
    """Tricks that the leader takes of ``left``, known to lie between ``least`` and ``most``, by halving."""
    while least < most:
        middle = (least + most + 1) // 2
        if can_take(cards, marks, left, trump, middle, memory.ctypes):
            least = middle
        else:
            most = middle - 1
    return least


@kernel(int64(int64, int64, int64, int64, int64, int64[::1]))
def value_near(cards, marks, left, trump, guess, memory):
    """Tricks that the leader takes of ``left``, found by steps from ``guess``."""
    value = min(max(guess, 0), left)
    if can_take(cards, marks, left, trump, value, memory.ctypes):
        while value < left and can_take(cards, marks, left, trump, value + 1, memory.ctypes):
            value += 1
        return value
    value -= 1
    while value > 0 and can_take(cards, marks, left, trump, value, memory.ctypes) == 0:
        value -= 1
    return value


@kernel(int64(int64))
def size_of(hand):
    number = int64(0)
    while hand:
        hand &= hand - 1
        number += 1
    return number


@kernel(void(int64, int64, int8[:, ::1], int64[::1]))
def fill_table(south, north, tricks, memory):
    """Write ``tricks[declarer, strain]`` (declarer 0 South, 1 North) for the two hands of equal size."""
    left = size_of(south)
    for leader in range(2):
        if leader == 0:
            cards, marks = written(south, north, -1)
        else:
            cards, marks = written(north, south, -1)
        guess = int64(left // 2)
        for strain in range(4, -1, -1):
            guess = value_near(cards, marks, left, strain, guess, memory)
            tricks[1 - leader, strain] = left - guess


@kernel(void(int64[::1], int64[::1], int8[:, :, ::1], int64[::1]))
def fill_tables(souths, norths, tricks, memory):
    """``fill_table`` for each pair of hands, with one memory."""
    for deal in range(len(souths)):
        fill_table(souths[deal], norths[deal], tricks[deal], memory)


@kernel(int64(int64, int64, int64, int64, int64, int64[::1]))
def position_value(leader, follower, barred, strain, guess, memory):
    """Tricks that the player on lead takes, given both hands as masks, the barred suit or -1, and a guess that only
    saves time.
    """
    cards, marks = written(leader, follower, barred)
    return value_near(cards, marks, size_of(leader), strain, guess, memory)


@kernel(int64(int64, int64, int64, int64, int64, int64[::1]))
def position_takes(leader, follower, barred, strain, target, memory):
    """1 if the player on lead takes at least ``target`` tricks."""
    cards, marks = written(leader, follower, barred)
    return can_take(cards, marks, size_of(leader), strain, target, memory.ctypes)


@kernel(int64(int64, int64, int64, int64, int64, int64, int64[::1]))
def lead_value(leader, follower, barred, strain, card, most, memory):
    """Tricks that the player on lead takes after leading ``card`` (index 0 to 54, a legal lead), known to be at most
    ``most``.
    """
    cards, marks = written(leader, follower, barred)
    left = size_of(leader)
    if card >= 52:
        colon = card - 52
        lead = int64(DEAD_COLON)
        if marks >> (OWNERS + 2 * colon) & 3:
            lead = COLON + colon
    else:
        suit = card // 13
        in_suit = int64(8191) << (13 * suit)
        below = (int64(1) << card) - 1 & in_suit
        index = size_of(leader & below)
        lead = suit | (index + size_of(follower & below)) << POSITION | index << INDEX
    while most > 0 and lead_takes(cards, marks, left, strain, lead, most, memory.ctypes) == 0:
        most -= 1
    return most
