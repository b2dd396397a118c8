"""The search's bounds hold: the game of runs and matching colons played out whole, and random positions."""

import itertools

import numpy as np
import pytest
from numba import boolean, int64, njit, void
from numba import int8 as int8_type

from solver.search.bounds import uninterrupted
from tests.verify import check_positions

# The game: a player on lead has up to four runs of winners (suits) and some dead colons, which win too. The opponent
# holds matching colons: each may be played once to a winner of a suit that it can match; it loses, and bars that suit
# for the next lead. The player is stopped when it may lead no winner. `uninterrupted` claims a least that it cashes.

CARDS = 13
SUITS = 4
COLONS = 3


@njit(void(int64[::1], int64, int8_type[:, :, :, :, :, :, ::1]), cache=True)
def play_out(matched_by, colons, cashed):
    """Fill ``cashed[dead, a, b, c, d, colons held, barred + 1]`` for all runs a to d, up to 13 winners in them.

    ``matched_by[suit]``: the colons that can match the suit, as bits; ``colons``: those that the opponent began with.
    """
    run = np.zeros(SUITS, dtype=np.int64)
    for dead in range(COLONS + 1):
        for a in range(CARDS + 1):
            for b in range(CARDS + 1 - a):
                for c in range(CARDS + 1 - a - b):
                    for d in range(CARDS + 1 - a - b - c):
                        run[0], run[1], run[2], run[3] = a, b, c, d
                        for held in range(colons + 1):
                            if held & ~colons:
                                continue
                            for barred in range(-1, SUITS):
                                best = 0
                                if dead:
                                    best = 1 + cashed[dead - 1, a, b, c, d, held, 0]
                                for suit in range(SUITS):
                                    if run[suit] == 0 or suit == barred:
                                        continue
                                    run[suit] -= 1
                                    rest = cashed[dead, run[0], run[1], run[2], run[3]]
                                    run[suit] += 1
                                    least = 1 + rest[held, 0]
                                    for colon in range(COLONS):
                                        if held & matched_by[suit] & 1 << colon:
                                            least = min(least, 1 + rest[held ^ 1 << colon, suit + 1])
                                    best = max(best, least)
                                cashed[dead, a, b, c, d, held, barred + 1] = best


@njit(int64(int64[::1], int64, boolean, int8_type[:, :, :, :, :, :, ::1]), cache=True)
def claims_that_fail(matched_by, colons, later, cashed):
    """How often the claim is more than the game gives; suit 0 being a longest run.

    ``later``: the player gets in later by beating a card, of a suit of the opponent's choice, perhaps with a winner.
    """
    met = int64(0)
    number = int64(0)
    for colon in range(COLONS):
        met += matched_by[0] >> colon & 1
        number += colons >> colon & 1
    run = np.zeros(SUITS, dtype=np.int64)
    failed = int64(0)
    for dead in range(COLONS + 1 - number):
        for a in range(CARDS + 1 - dead):
            for b in range(min(a, CARDS - dead - a) + 1):
                for c in range(min(a, CARDS - dead - a - b) + 1):
                    for d in range(min(a, CARDS - dead - a - b - c) + 1):
                        total = dead + a + b + c + d
                        breakers = total - a
                        if later:
                            run[0], run[1], run[2], run[3] = a, b, c, d
                            least = int64(cashed[dead, a, b, c, d, colons, 0])
                            for suit in range(SUITS):
                                if run[suit]:
                                    run[suit] -= 1
                                    rest = cashed[dead, run[0], run[1], run[2], run[3]]
                                    run[suit] += 1
                                    least = min(least, 1 + int64(rest[colons, 0]))
                            claim = total
                            if a and met:
                                claim = max(uninterrupted(total, True, breakers, met), 1)
                            failed += claim > least
                            continue
                        for barred in range(-1, SUITS):
                            claim = total
                            if a and (met or barred == 0):
                                claim = uninterrupted(total, barred == 0, breakers, met)
                            if barred <= 0 or (b, c, d)[barred - 1]:
                                failed += claim > cashed[dead, a, b, c, d, colons, barred + 1]
    return failed


def every_way_to_match(colons):
    """Which of the opponent's colons match each of the four suits: all ways but for the names of suits 1 to 3."""
    sets = [held for held in range(1 << COLONS) if held & ~colons == 0]
    for first in sets:
        for others in itertools.combinations_with_replacement(sets, SUITS - 1):
            yield np.array([first, *others], dtype=np.int64)


@pytest.mark.parametrize("colons", [0b000, 0b001, 0b011, 0b111])
def test_what_matching_colons_cost_by_barring_suits_is_never_more_than_claimed(colons):
    cashed = np.zeros((COLONS + 1, *[CARDS + 1] * SUITS, 1 << COLONS, SUITS + 1), dtype=np.int8)
    for matched_by in every_way_to_match(colons):
        play_out(matched_by, colons, cashed)
        assert claims_that_fail(matched_by, colons, False, cashed) == 0, matched_by
        assert claims_that_fail(matched_by, colons, True, cashed) == 0, matched_by


EXACT = [
    # total, longest barred, breakers, colons that match the longest: cashed
    ((5, False, 2, 2), 5),
    ((9, False, 2, 3), 5),
    ((9, True, 3, 2), 9),
    ((9, True, 2, 2), 4),
    ((3, True, 0, 0), 0),
    ((3, False, 0, 1), 1),
]


@pytest.mark.parametrize(("runs", "cashed"), EXACT)
def test_runs_cashed(runs, cashed):
    assert uninterrupted(*runs) == cashed


@pytest.mark.parametrize("free_colon_discard", [False, True])
@pytest.mark.parametrize(
    ("cards", "positions", "by_oracle"),
    [
        (1, 5_000, True),
        (2, 20_000, True),
        (3, 40_000, True),
        (4, 40_000, True),
        (5, 15_000, True),
        (6, 2_000, True),
        (7, 1_500, False),
        (8, 800, False),
        (9, 300, False),
    ],
)
def test_bounds_and_search_on_skewed_positions(cards, positions, by_oracle, free_colon_discard):
    complaints = check_positions(cards, cards, positions, free_colon_discard, by_oracle)
    assert not complaints, "\n".join(complaints[:20])
