"""What solved deals come to when the auction is open-card or by given strategies, for any stakes.

Values are the *dealer's*, in the unit of the stakes. States, calls and roles are those of solver.auction_states.
"""

import numpy as np
from numpy.typing import NDArray

from advisor.match import Stakes
from solver.auction_states import (
    BIDDER,
    BIDS,
    CALLER,
    CALLS,
    DEALER,
    DOUBLED,
    LAST_BID,
    OPENING,
    PASS,
    STATES,
    STRAIN,
    after_bid,
    after_call,
    may_bid,
    strain_freedom,
)
from solver.compiled import compiled


@compiled()
def ending_scores(
    tricks: NDArray[np.int8], contracts: NDArray[np.float64], passed_out: float, scores: NDArray[np.float64]
) -> None:
    """Write into `scores` (218,) what a pass in each state is worth if it ends the auction there.

    `tricks` (2, 5) is by [declarer's role, strain], `contracts` (2, 36, 3, 14) as in `Stakes`.
    """
    scores[0] = passed_out
    scores[1] = passed_out
    for state in range(2, STATES):
        bid, bidder = LAST_BID[state], BIDDER[state]
        scores[state] = contracts[bidder, bid, DOUBLED[state], tricks[bidder, STRAIN[bid]]]


@compiled()
def open_card_value(scores: NDArray[np.float64], freedom: NDArray[np.int8], values: NDArray[np.float64]) -> float:
    """Par: the value when both see all and call for the best, from `scores` (218,) and `freedom` (2, 5) by role.

    `values` (218,) is for the states' values.
    """
    for state in range(STATES - 1, -1, -1):
        caller = CALLER[state]
        sign = 1.0 if caller == DEALER else -1.0
        best = sign * (values[1] if state == OPENING else scores[state])
        if state >= 2 and DOUBLED[state] < 2:
            best = max(best, sign * values[state + 1])
        last_bid = LAST_BID[state]
        for bid in range(last_bid + 1, BIDS):
            value = sign * values[after_bid(bid, caller)]
            if value > best and may_bid(freedom[caller], bid, last_bid):
                best = value
        values[state] = sign * best
    opening: float = values[OPENING]
    return opening


@compiled()
def values_by_strategy(
    strategies: NDArray[np.float64], scores: NDArray[np.float64], values: NDArray[np.float64]
) -> None:
    """The backward pass: write into `values` (218,) the value of each state when the calls are made with the shares
    `strategies` (218, 38), the rows of both roles' together.
    """
    for state in range(STATES - 1, -1, -1):
        row = strategies[state]
        total = row[PASS] * (values[1] if state == OPENING else scores[state])
        for call in range(LAST_BID[state] + 1, CALLS):
            if call != PASS and row[call] > 0:
                total += row[call] * values[after_call(state, call)]
        values[state] = total


@compiled()
def _par_values(
    tricks: NDArray[np.int8],
    hands: NDArray[np.int64],
    nt_jump_min: int,
    contracts: NDArray[np.float64],
    passed_out: float,
) -> NDArray[np.float64]:
    found = np.empty(len(tricks))
    scores, values = np.empty(STATES), np.empty(STATES)
    freedom = np.empty((2, 5), dtype=np.int8)
    for deal in range(len(tricks)):
        for role in range(2):
            freedom[role] = strain_freedom(hands[deal, role], nt_jump_min)
        ending_scores(tricks[deal], contracts, passed_out, scores)
        found[deal] = open_card_value(scores, freedom, values)
    return found


def par_values(
    tricks: NDArray[np.int8], hands: NDArray[np.int64], nt_jump_min: int, stakes: Stakes
) -> NDArray[np.float64]:
    """Par of N deals for their dealer, (N,): `tricks` (N, 2, 5) by [deal, declarer's role, strain], `hands` (N, 2) by
    [deal, role].
    """
    return _par_values(tricks, np.ascontiguousarray(hands), nt_jump_min, stakes.contracts, stakes.passed_out)


@compiled()
def _all_state_values(
    tricks: NDArray[np.int8],
    strategies: NDArray[np.float64],
    contracts: NDArray[np.float64],
    passed_out: float,
) -> NDArray[np.float64]:
    found = np.empty((len(tricks), STATES))
    scores = np.empty(STATES)
    for deal in range(len(tricks)):
        ending_scores(tricks[deal], contracts, passed_out, scores)
        values_by_strategy(strategies[deal], scores, found[deal])
    return found


def state_values(tricks: NDArray[np.int8], strategies: NDArray[np.float64], stakes: Stakes) -> NDArray[np.float64]:
    """The value of every state of N deals for their dealer, (N, 218): `tricks` (N, 2, 5) by [deal, declarer's role,
    strain], `strategies` (N, 218, 38) the shares of the calls of both roles (the sum of two `Blueprint.strategy`).
    """
    return _all_state_values(tricks, strategies, stakes.contracts, stakes.passed_out)


@compiled()
def add_endings(strategies: NDArray[np.float64], tricks: NDArray[np.int8], shares: NDArray[np.float64]) -> float:
    """Add to `shares` (2, 36, 3, 14) the chances with which a deal ends in each contract and number of tricks.

    `strategies` (218, 38) are the shares of the calls of both roles, `tricks` (2, 5) by [declarer's role, strain]; the
    layout of `shares` is that of `Stakes`. Comes back: the chance that it is passed out.
    """
    reach = np.zeros(STATES)
    reach[OPENING] = 1.0
    passed_out = 0.0
    for state in range(STATES):
        if reach[state] <= 0:
            continue
        for call in range(LAST_BID[state] + 1, CALLS):
            share = reach[state] * strategies[state, call]
            if share <= 0:
                continue
            successor = after_call(state, call)
            if successor >= 0:
                reach[successor] += share
            elif state < 2:
                passed_out += share
            else:
                bid, bidder = LAST_BID[state], BIDDER[state]
                shares[bidder, bid, DOUBLED[state], tricks[bidder, STRAIN[bid]]] += share
    return passed_out
