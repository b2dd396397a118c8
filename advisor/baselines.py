"""Simple ways to exchange and to bid, to measure the computed ones against and to start the computing from."""

import numpy as np
from numpy.typing import NDArray

from advisor.packs import HAND, count_cards
from advisor.trick_model import TrickTables, expected_score, predict_into, trick_chances
from solver.auction_states import (
    BIDDER,
    BIDS,
    CALLER,
    CALLS,
    DOUBLE,
    DOUBLED,
    LAST_BID,
    PASS,
    STATES,
    may_bid,
    strain_freedom,
)
from solver.compiled import compiled


@compiled()
def highest_cards(held: NDArray[np.int64], contexts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Keep the thirteen highest cards of each held set (N,); a colon only when nothing else is left."""
    kept = np.zeros(len(held), dtype=np.int64)
    for row in range(len(held)):
        room = HAND
        for rank in range(12, -1, -1):
            for suit in range(3, -1, -1):
                card = np.int64(1) << (13 * suit + rank)
                if room and held[row] & card:
                    kept[row] |= card
                    room -= 1
        for colon in range(54, 51, -1):
            if room and held[row] >> colon & 1:
                kept[row] |= np.int64(1) << colon
                room -= 1
    return kept


@compiled()
def longest_suit_and_honours(held: NDArray[np.int64], contexts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Keep the longest suit (of equals the one of higher cards), aces, kings and queens, :G, then the next longest
    suits.

    What there is no room for goes from the low end; the other colons go unless nothing else is left. `held` is (N,).
    """
    kept = np.zeros(len(held), dtype=np.int64)
    order = np.empty(55, dtype=np.int64)
    for row in range(len(held)):
        suits = np.arange(4)
        strength = np.empty(4)
        for suit in range(4):
            cards = (held[row] >> (13 * suit)) & 0x1FFF
            strength[suit] = count_cards(cards) + cards / 8192.0
        suits = np.argsort(-strength)
        count = 0
        for rank in range(12, -1, -1):
            order[count] = 13 * suits[0] + rank
            count += 1
        for rank in range(12, 9, -1):
            for place in range(1, 4):
                order[count] = 13 * suits[place] + rank
                count += 1
        order[count] = 54
        count += 1
        for place in range(1, 4):
            for rank in range(9, -1, -1):
                order[count] = 13 * suits[place] + rank
                count += 1
        order[count], order[count + 1] = 53, 52
        room = HAND
        for place in range(55):
            card = np.int64(1) << order[place]
            if room and held[row] & card:
                kept[row] |= card
                room -= 1
    return kept


@compiled()
def greedy_strategy(
    hand: int,
    context: int,
    inference: float,
    tables: TrickTables,
    points: NDArray[np.float64],
    nt_jump_min: int,
    passed_out: float = 0.0,
) -> NDArray[np.float64]:
    """The greedy bidder's strategy (218, 38): the call that scores most if the auction were to end with it.

    Chances of tricks are the trick model's; an opponent who bids is given `inference` tricks more than that. `points`
    is (36, 3, 14) of the declarer, see `solver.auction_states.declarer_points`.
    """
    role = context // 3
    tricks = np.empty(10)
    predict_into(hand, context, tables, tricks)
    own = np.empty((BIDS, 3))
    theirs = np.empty((BIDS, 3))
    for strain in range(5):
        kind = 1 if strain == 4 else 0
        declaring = trick_chances(tricks[strain], tables.spread[context, 0, kind])
        defending = trick_chances(13.0 - tricks[5 + strain] + inference, tables.spread[context, 1, kind])
        for bid in range((strain + 1) % 5, BIDS, 5):
            for doubled in range(3):
                own[bid, doubled] = expected_score(bid, doubled, declaring, points)
                theirs[bid, doubled] = -expected_score(bid, doubled, defending, points)
    freedom = strain_freedom(hand, nt_jump_min)
    strategy = np.zeros((STATES, CALLS))
    sign = 1.0 if role == 0 else -1.0
    for state in range(STATES):
        if CALLER[state] != role:
            continue
        best = sign * passed_out
        call = PASS
        last_bid = LAST_BID[state]
        if last_bid >= 0:
            standing = own if BIDDER[state] == role else theirs
            best = standing[last_bid, DOUBLED[state]]
            if DOUBLED[state] < 2 and standing[last_bid, DOUBLED[state] + 1] > best:
                best = standing[last_bid, DOUBLED[state] + 1]
                call = DOUBLE
        for bid in range(last_bid + 1, BIDS):
            if own[bid, 0] > best and may_bid(freedom, bid, last_bid):
                best = own[bid, 0]
                call = bid
        strategy[state, call] = 1.0
    return strategy
