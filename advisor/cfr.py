"""Solving the auction as a two-player zero-sum game: counterfactual regret over merged states and buckets of hands.

One draw class at a time, for the upcard is public. A *decision* is a bucket of the caller's hands and one of its 109
states: decision 0 is the opening (of the dealer) or the opening after a pass (of the non-dealer), 1 + 3 * bid +
doubled the rest. A deal offers 24 games, one a permutation of its suits, which costs nothing. Points are the dealer's
unless said otherwise.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from advisor.packs import STEP, random_below, random_bits, random_stream
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


@compiled()
def iterate(
    tables: NDArray[np.int8],
    freedom: NDArray[np.int8],
    buckets: NDArray[np.int16],
    points: NDArray[np.float64],
    passed_out: float,
    regrets: NDArray[np.float32],
    totals: NDArray[np.float32],
    first: int,
    count: int,
    seed: int,
    off_path: float,
) -> None:
    """Iterations number first .. first + count - 1 of external sampling, regret matching and linear averages.

    `tables` (N, 2, 5) tricks and `freedom` (N, 2, 5) by [deal, role, strain]; `buckets` (N, 24, 2) by [deal,
    permutation, role]; `regrets` and `totals` (2, buckets, 109, 38) by role. Each iteration deals once and moves one
    role, the traverser, which tries every legal call while the other's calls are sampled, one a state. As the states
    are merged an iteration is one pass up over the states that can be reached and one pass back. `totals` adds up the
    strategies, weighted by the iteration: the opponent's where its own sampled calls lead, as the method asks, and
    the traverser's everywhere at the small weight `off_path`, so that decisions which it avoids hold something
    sensible too. Regrets may fall below zero: clipped there (regret matching +), sampling noise alone keeps calls alive
    that are a little worse, which cost 17 points a deal against this after as many iterations, both purified.
    """
    reached = np.empty(STATES, dtype=np.bool_)
    shares = np.empty((STATES, CALLS))
    legal = np.empty((STATES, CALLS), dtype=np.int64)
    counts = np.empty(STATES, dtype=np.int64)
    sampled = np.empty(STATES, dtype=np.int64)
    values = np.empty(STATES)
    outcome = np.empty(CALLS)
    for iteration in range(first, first + count):
        state_bits = random_stream(seed, iteration)
        state_bits += STEP
        deal = random_below(state_bits, len(tables))
        state_bits += STEP
        renaming = random_below(state_bits, len(PERMUTATIONS))
        traverser = iteration & 1
        order = PERMUTATIONS[renaming]
        tricks = permuted(tables[deal], order)
        may = permuted(freedom[deal], order)
        sign = 1.0 if traverser == DEALER else -1.0
        reached[:] = False
        reached[OPENING] = True
        for state in range(STATES):
            if not reached[state]:
                continue
            caller = CALLER[state]
            bucket = buckets[deal, renaming, caller]
            decision = DECISION_OF_STATE[state]
            known = regrets[caller, bucket, decision]
            options = _legal_list(state, may[caller], legal[state])
            counts[state] = options
            total = 0.0
            for k in range(options):
                total += max(np.float32(0), known[legal[state, k]])
            weight = (iteration + 1.0) * (off_path if caller == traverser else 1.0)
            added = totals[caller, bucket, decision]
            for k in range(options):
                shares[state, k] = max(np.float32(0), known[legal[state, k]]) / total if total > 0 else 1.0 / options
                added[legal[state, k]] += np.float32(weight * shares[state, k])
            if caller == traverser:
                for k in range(options):
                    successor = after_call(state, legal[state, k])
                    if successor >= 0:
                        reached[successor] = True
            else:
                state_bits += STEP
                pick = np.float64(random_bits(state_bits) >> np.uint64(11)) / 9007199254740992.0
                chosen = options - 1
                for k in range(options):
                    pick -= shares[state, k]
                    if pick < 0:
                        chosen = k
                        break
                sampled[state] = legal[state, chosen]
                successor = after_call(state, sampled[state])
                if successor >= 0:
                    reached[successor] = True
        for state in range(STATES - 1, -1, -1):
            if not reached[state]:
                continue
            caller = CALLER[state]
            if caller != traverser:
                successor = after_call(state, sampled[state])
                values[state] = (
                    values[successor] if successor >= 0 else sign * pass_score(state, tricks, points, passed_out)
                )
                continue
            mean = 0.0
            for k in range(counts[state]):
                successor = after_call(state, legal[state, k])
                outcome[k] = (
                    values[successor] if successor >= 0 else sign * pass_score(state, tricks, points, passed_out)
                )
                mean += shares[state, k] * outcome[k]
            values[state] = mean
            bucket = buckets[deal, renaming, caller]
            known = regrets[caller, bucket, DECISION_OF_STATE[state]]
            for k in range(counts[state]):
                call = legal[state, k]
                known[call] += np.float32(outcome[k] - mean)


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
