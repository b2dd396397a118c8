"""How much the strategies can be exploited: the best response to them that is found inside the abstraction."""

import numpy as np
from numpy.typing import NDArray

from advisor.strategies import (
    DECISION_OF_STATE,
    DECISIONS,
    PERMUTATIONS,
    legal_shares,
    pass_score,
    permuted,
    purify,
)
from solver.auction_states import (
    BIDS,
    CALLER,
    CALLS,
    DEALER,
    DOUBLE,
    DOUBLED,
    LAST_BID,
    OPENING,
    PASS,
    STATES,
    after_call,
    may_bid,
)
from solver.compiled import compiled


@compiled()
def _legal_list(state: int, freedom: NDArray[np.int8], calls: NDArray[np.int64]) -> int:
    """Fill `calls` with the legal calls of a state; how many there are."""
    calls[0] = PASS
    count = 1
    if state >= 2 and DOUBLED[state] < 2:
        calls[1] = DOUBLE
        count = 2
    last_bid = LAST_BID[state]
    for bid in range(last_bid + 1, BIDS):
        if may_bid(freedom, bid, last_bid):
            calls[count] = bid
            count += 1
    return count


@compiled(inline="always")
def _ranked_first(ranks: NDArray[np.floating], calls: NDArray[np.int64], count: int) -> int:
    """Of the first `count` calls the one ranked highest, of equals the first."""
    place = 0
    for k in range(1, count):
        if ranks[calls[k]] > ranks[calls[place]]:
            place = k
    return int(calls[place])


@compiled()
def respond(
    tables: NDArray[np.int8],
    freedom: NDArray[np.int8],
    buckets: NDArray[np.int16],
    points: NDArray[np.float64],
    passed_out: float,
    policy: NDArray[np.float32],
    purify_share: float,
    responder: int,
    ranking: NDArray[np.float64],
    exploring: float,
    caution: float,
    stride: int,
) -> tuple[float, NDArray[np.float64]]:
    """One step of policy iteration towards the best response of a role to `policy` inside the abstraction.

    `ranking` (buckets, 109, 38) is how the responder ranks its calls now: it makes the legal one ranked first. Comes
    back: its points a deal with that, and the new ranking: how many points more than the policy's likeliest call each
    call makes on average, less `caution` standard errors of that. Averages weigh by the chance that the opponent, and
    the responder straying with chance `exploring`, get there. Of each deal every `stride`th of the 24 renamings of its
    suits is taken, in turn another set of them.
    """
    shares = np.empty((STATES, CALLS))
    values = np.empty(STATES)
    reach = np.empty(STATES)
    best = np.empty(STATES, dtype=np.int64)
    calls = np.empty(CALLS, dtype=np.int64)
    outcome = np.empty(CALLS)
    gains = np.zeros(ranking.shape)
    squares = np.zeros(ranking.shape)
    weights = np.zeros(ranking.shape)
    sign = 1.0 if responder == DEALER else -1.0
    total = 0.0
    games = 0
    for deal in range(len(tables)):
        for renaming in range(deal % stride, len(PERMUTATIONS), stride):
            games += 1
            order = PERMUTATIONS[renaming]
            tricks = permuted(tables[deal], order)
            may = permuted(freedom[deal], order)
            bucket = buckets[deal, renaming, responder]
            for state in range(STATES):
                caller = CALLER[state]
                if caller != responder:
                    legal_shares(
                        policy[caller, buckets[deal, renaming, caller], DECISION_OF_STATE[state]],
                        state,
                        may[caller],
                        shares[state],
                    )
                    if purify_share > 0:
                        purify(shares[state], purify_share)
            reach[:] = 0.0
            reach[OPENING] = 1.0
            for state in range(STATES):
                if reach[state] <= 0:
                    continue
                if CALLER[state] != responder:
                    for call in range(LAST_BID[state] + 1, CALLS):
                        if shares[state, call] > 0:
                            successor = after_call(state, call)
                            if successor >= 0:
                                reach[successor] += reach[state] * shares[state, call]
                    continue
                count = _legal_list(state, may[responder], calls)
                ranks = ranking[bucket, DECISION_OF_STATE[state]]
                choice = _ranked_first(ranks, calls, count)
                best[state] = choice
                for k in range(count):
                    successor = after_call(state, calls[k])
                    if successor >= 0:
                        chance = exploring / count + (1.0 - exploring if calls[k] == choice else 0.0)
                        reach[successor] += reach[state] * chance
            for state in range(STATES - 1, -1, -1):
                if reach[state] <= 0:
                    continue
                if CALLER[state] != responder:
                    mean = 0.0
                    for call in range(LAST_BID[state] + 1, CALLS):
                        if shares[state, call] > 0:
                            successor = after_call(state, call)
                            mean += shares[state, call] * (
                                values[successor]
                                if successor >= 0
                                else sign * pass_score(state, tricks, points, passed_out)
                            )
                    values[state] = mean
                    continue
                decision = DECISION_OF_STATE[state]
                count = _legal_list(state, may[responder], calls)
                usual = _ranked_first(policy[responder, bucket, decision], calls, count)
                for k in range(count):
                    successor = after_call(state, calls[k])
                    outcome[calls[k]] = (
                        values[successor] if successor >= 0 else sign * pass_score(state, tricks, points, passed_out)
                    )
                values[state] = outcome[best[state]]
                for k in range(count):
                    gain = outcome[calls[k]] - outcome[usual]
                    gains[bucket, decision, calls[k]] += reach[state] * gain
                    squares[bucket, decision, calls[k]] += (reach[state] * gain) ** 2
                    weights[bucket, decision, calls[k]] += reach[state]
            total += values[OPENING]
    for bucket in range(ranking.shape[0]):
        for decision in range(DECISIONS):
            for call in range(CALLS):
                weight = weights[bucket, decision, call]
                if weight > 0:
                    error = np.sqrt(squares[bucket, decision, call]) / weight
                    gains[bucket, decision, call] = gains[bucket, decision, call] / weight - caution * error
                else:
                    gains[bucket, decision, call] = -1e9
    return total / games, gains


def best_response(
    tables: NDArray[np.int8],
    freedom: NDArray[np.int8],
    buckets: NDArray[np.int16],
    points: NDArray[np.float64],
    passed_out: float,
    policy: NDArray[np.float32],
    responder: int,
    purify_share: float = 0.0,
    caution: float = 0.0,
    stride: int = 1,
    sweeps: int = 8,
) -> tuple[float, NDArray[np.float64]]:
    """The most points a deal that was found for `responder` against `policy`, both seeing buckets and states only; and
    the ranking of calls (buckets, 109, 38) that makes them, see `respond`.

    Policy iteration from the policy itself, with the straying falling to nothing; the best of the sweeps, which end
    when one gains less than a point. A response found is a lower bound of the best one on these very deals. With few
    deals it learns them by heart: what it wins on others is for `respond` with its ranking to say, and some `caution`
    makes that more.
    """
    ranking = policy[responder].astype(np.float64)
    best, best_ranking = -np.inf, ranking
    for sweep in range(sweeps + 1):
        exploring = 0.3 * 0.6**sweep
        value, improved = respond(
            tables,
            freedom,
            buckets,
            points,
            passed_out,
            policy,
            purify_share,
            responder,
            ranking,
            exploring,
            caution,
            stride,
        )
        enough = sweep > 1 and value < best + 1.0
        if value > best:
            best, best_ranking = value, ranking
        if enough:
            break
        ranking = improved
    return best, best_ranking
