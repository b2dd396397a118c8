"""What strategies for the auction's merged states come to, and how a strategy falls on the calls that are legal.

A *decision* is a bucket of the caller's hands and one of its 109 states: decision 0 is the opening (of the dealer) or
the opening after a pass (of the non-dealer), 1 + 3 * bid + doubled the rest. A deal offers 24 games, one a permutation
of its suits, which costs nothing. Points are the dealer's unless said otherwise.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from solver.auction_states import (
    BIDS,
    CALLER,
    CALLS,
    DOUBLED,
    LAST_BID,
    OPENING,
    PASS,
    STATES,
    after_call,
    may_bid,
)
from solver.compiled import compiled

DECISIONS = 109
# Each row: the new place of clubs, diamonds, hearts, spades, no trump. The first changes nothing.
PERMUTATIONS = np.array([[*order, 4] for order in permutations(range(4))], dtype=np.int64)
DECISION_OF_STATE = np.where(LAST_BID < 0, 0, 1 + 3 * LAST_BID + DOUBLED)


@compiled()
def permuted(by_strain: NDArray[np.int8], order: NDArray[np.int64]) -> NDArray[np.int8]:
    """The same table (2, 5) by [role, strain] with the suits renamed."""
    result = np.empty_like(by_strain)
    for role in range(2):
        for strain in range(5):
            result[role, order[strain]] = by_strain[role, strain]
    return result


def permuted_predictions(predictions: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Ten predictions a hand (N, 10) with the suits renamed."""
    result = np.empty_like(predictions)
    result[:, order] = predictions[:, :5]
    result[:, order + 5] = predictions[:, 5:]
    return result


@compiled(inline="always")
def pass_score(state: int, tricks: NDArray[np.int8], points: NDArray[np.float64], passed_out: float) -> float:
    """What the auction, ended by a pass in a state, scores for the dealer."""
    if state < 2:
        return passed_out
    bid, rest = (state - 2) // 6, (state - 2) % 6
    score: float = points[bid, rest % 3, tricks[rest // 3, (bid + 4) % 5]]
    return score if rest < 3 else -score


@compiled()
def legal_shares(
    weights: NDArray[np.float32], state: int, freedom: NDArray[np.int8], shares: NDArray[np.float64]
) -> None:
    """Fill `shares` (38,) with the weights of the legal calls, scaled to sum to 1; a pass where all are 0."""
    shares[:] = 0.0
    total = 0.0
    last_bid = LAST_BID[state]
    for call in range(last_bid + 1, CALLS):
        if weights[call] <= 0:
            continue
        if call < BIDS:
            legal = may_bid(freedom, call, last_bid)
        else:
            legal = call == PASS or (state >= 2 and DOUBLED[state] < 2)
        if legal:
            shares[call] = weights[call]
            total += weights[call]
    if total > 0:
        for call in range(last_bid + 1, CALLS):
            shares[call] /= total
    else:
        shares[PASS] = 1.0


@compiled()
def purify(weights: NDArray[np.float64], share: float) -> None:
    """Drop, in place, the calls whose weight is under that share of the likeliest's."""
    floor = share * weights.max()
    for call in range(len(weights)):
        if weights[call] < floor:
            weights[call] = 0.0
    weights /= weights.sum()


@compiled()
def _strategies(
    policy: NDArray[np.float32],
    renaming_buckets: NDArray[np.int16],
    freedom: NDArray[np.int8],
    purify_share: float,
    shares: NDArray[np.float64],
) -> None:
    """Both roles' shares of the calls in all 218 states, for one deal."""
    for state in range(STATES):
        caller = CALLER[state]
        legal_shares(
            policy[caller, renaming_buckets[caller], DECISION_OF_STATE[state]], state, freedom[caller], shares[state]
        )
        if purify_share > 0:
            purify(shares[state], purify_share)


@compiled()
def values_of(
    shares: NDArray[np.float64],
    tricks: NDArray[np.int8],
    points: NDArray[np.float64],
    passed_out: float,
    values: NDArray[np.float64],
) -> None:
    """The backward pass: the dealer's points from each state, into `values` (218,), for calls as `shares` (218, 38)."""
    for state in range(STATES - 1, -1, -1):
        row = shares[state]
        total = 0.0
        for call in range(LAST_BID[state] + 1, CALLS):
            if row[call] > 0:
                successor = after_call(state, call)
                outcome = values[successor] if successor >= 0 else pass_score(state, tricks, points, passed_out)
                total += row[call] * outcome
        values[state] = total


@compiled()
def renamed_values(
    tables: NDArray[np.int8],
    freedom: NDArray[np.int8],
    buckets: NDArray[np.int16],
    points: NDArray[np.float64],
    passed_out: float,
    policy: NDArray[np.float32],
    purify_share: float,
) -> NDArray[np.float64]:
    """The dealer's points of each deal under each suit permutation, both playing `policy`: float (N, 24)."""
    results = np.empty((len(tables), len(PERMUTATIONS)))
    shares = np.empty((STATES, CALLS))
    values = np.empty(STATES)
    for deal in range(len(tables)):
        for renaming in range(len(PERMUTATIONS)):
            order = PERMUTATIONS[renaming]
            _strategies(policy, buckets[deal, renaming], permuted(freedom[deal], order), purify_share, shares)
            values_of(shares, permuted(tables[deal], order), points, passed_out, values)
            results[deal, renaming] = values[OPENING]
    return results
