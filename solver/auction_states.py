"""The auction as 218 states: all that decides what may still be called, and what a pass would leave.

Layout. State 0 is the opening, state 1 the opening after a pass, and state 2 + 6 * bid + 3 * bidder + doubled the one
in which `bid` (0 = 0NT ... 35 = 7NT) is the last bid, by `bidder` (role 0 the dealer, 1 the non-dealer), and
`doubled` is 0 plain, 1 doubled or 2 redoubled. Which calls led there makes no difference to what may follow, so these
states carry exact backward induction as well as any strategy that does not look further back.

A call is 0..35 a bid by its index, 36 a pass, 37 a double or, where the own bid stands doubled, a redouble. A pass in
state 2 and above ends the auction in the very contract that the state names; in state 1 it passes the deal out.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver import auction
from solver.auction import Auction, Bid, Call, Contract
from solver.compiled import compiled
from solver.deal import Seat
from solver.errors import RuleError
from solver.rules import Rules
from solver.scoring import score

BIDS = 36
PASS = 36
DOUBLE = 37
CALLS = 38
STATES = 218
OPENING = 0
OPENING_AFTER_PASS = 1

DEALER, NONDEALER = 0, 1

# What a hand may bid in a strain: nothing, only the lowest level open to it, or any level.
CANNOT_BID, WITHOUT_JUMP, FREELY = 0, 1, 2


def _layout() -> tuple[NDArray[np.int64], ...]:
    last_bid = np.full(STATES, -1, dtype=np.int64)
    bidder = np.full(STATES, -1, dtype=np.int64)
    doubled = np.zeros(STATES, dtype=np.int64)
    caller = np.array([DEALER, NONDEALER] + [0] * (STATES - 2), dtype=np.int64)
    for state in range(2, STATES):
        bid, rest = divmod(state - 2, 6)
        last_bid[state], bidder[state], doubled[state] = bid, rest // 3, rest % 3
        # A doubled bid is its bidder's turn; a plain or redoubled one is the other's.
        caller[state] = rest // 3 if rest % 3 == 1 else 1 - rest // 3
    return last_bid, bidder, doubled, caller


LAST_BID, BIDDER, DOUBLED, CALLER = _layout()
STRAIN = (np.arange(BIDS, dtype=np.int64) + 4) % 5


@compiled(inline="always")
def after_bid(bid: int, bidder: int) -> int:
    """The state in which `bid` has just been made by role `bidder`."""
    return 2 + 6 * bid + 3 * bidder


@compiled()
def strain_freedom(hand: int, nt_jump_min: int) -> NDArray[np.int8]:
    """What a hand (a set of cards) may bid in each strain, clubs to no trump: CANNOT_BID, WITHOUT_JUMP or FREELY."""
    freedom = np.zeros(5, dtype=np.int8)
    shortest = 13
    for suit in range(4):
        cards = (hand >> (13 * suit)) & 0x1FFF
        length = 0
        while cards:
            cards &= cards - 1
            length += 1
        freedom[suit] = 2 if length >= 4 else (1 if length >= 2 else 0)
        shortest = min(shortest, length)
    freedom[4] = 0 if shortest < 1 else (2 if shortest >= nt_jump_min else 1)
    return freedom


@compiled()
def may_bid(freedom: NDArray[np.int8], bid: int, last_bid: int) -> bool:
    """Whether a hand of that freedom may make `bid` over `last_bid` (-1: no bid yet).

    A jump is a bid whose strain could have been bid one level lower: five places down is still above the last bid.
    """
    return bid > last_bid and freedom[(bid + 4) % 5] >= (2 if bid - 5 > last_bid else 1)


@compiled()
def legal_calls(state: int, freedom: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Which of the 38 calls the state's caller may make, holding a hand of that freedom."""
    legal = np.zeros(CALLS, dtype=np.bool_)
    legal[PASS] = True
    legal[DOUBLE] = state >= 2 and DOUBLED[state] < 2
    for bid in range(LAST_BID[state] + 1, BIDS):
        legal[bid] = may_bid(freedom, bid, LAST_BID[state])
    return legal


@compiled()
def after_call(state: int, call: int) -> int:
    """The state that a call leads to; -1 where a pass ends the auction."""
    if call < BIDS:
        return after_bid(call, CALLER[state])
    if call == DOUBLE:
        return state + 1
    return OPENING_AFTER_PASS if state == OPENING else -1


@lru_cache(maxsize=16)
def declarer_points(rules: Rules) -> NDArray[np.float64]:
    """Points of the declarer by [bid, doubled, tricks taken], shape (36, 3, 14); negative when the opponent scores."""
    points = np.empty((BIDS, 3, 14))
    for bid in range(BIDS):
        for doubled in range(3):
            contract = Contract(Bid.from_index(bid), doubled, Seat.SOUTH)
            for tricks in range(14):
                points[bid, doubled, tricks] = score(contract, tricks, rules).declarer_points
    points.flags.writeable = False
    return points


@compiled()
def contract_scores(tricks: NDArray[np.int8], points: NDArray[np.float64], passed_out: float) -> NDArray[np.float64]:
    """What a pass in each state would score for the dealer, if it ends the auction there: float (218,).

    `tricks` is [role of the declarer, strain], `points` from `declarer_points`. Entry 1 is a deal passed out; entry 0,
    where a pass ends nothing, repeats it.
    """
    scores = np.empty(STATES)
    scores[0] = passed_out
    scores[1] = passed_out
    for bid in range(BIDS):
        strain = (bid + 4) % 5
        for bidder in range(2):
            sign = 1.0 if bidder == DEALER else -1.0
            for doubled in range(3):
                scores[2 + 6 * bid + 3 * bidder + doubled] = sign * points[bid, doubled, tricks[bidder, strain]]
    return scores


def call_index(call: Call) -> int:
    """The number of a call, 0..37."""
    if isinstance(call, Bid):
        return call.index
    return PASS if call is auction.PASS else DOUBLE


def call_of(state: int, index: int) -> Call:
    """The call with that number in a state."""
    if index < BIDS:
        return Bid.from_index(index)
    if index == PASS:
        return auction.PASS
    return auction.REDOUBLE if DOUBLED[state] else auction.DOUBLE


def state_of(calls: Auction) -> int:
    """The state of an auction.

    Raises:
        RuleError: the auction is over.
    """
    if calls.is_over:
        raise RuleError(f"the auction {calls} is over; expected one that is still open")
    state = OPENING
    for call in calls.calls:
        state = int(after_call(state, call_index(call)))
    return state


def contract_of(state: int, dealer: Seat) -> Contract | None:
    """The contract that a pass leaves in a state (None: passed out)."""
    if state < 2:
        return None
    declarer = dealer if BIDDER[state] == DEALER else dealer.other
    return Contract(Bid.from_index(int(LAST_BID[state])), int(DOUBLED[state]), declarer)
