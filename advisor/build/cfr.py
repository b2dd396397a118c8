"""Solving the auction as a two-player zero-sum game: counterfactual regret over merged states and buckets of hands.

One draw class at a time, for the upcard is public. The abstract game deals a pair of buckets; what a contract then
scores is the mean over the deals of that pair, under all renamings of their suits. Bids that a hand may not make do not
come with its bucket: in each sweep a bucket's bids are those of one of its hands, drawn anew.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.packs import STEP, random_below, random_stream
from advisor.strategies import DECISION_OF_STATE, DECISIONS, PERMUTATIONS, pass_score, permuted
from solver.auction_states import CALLER, CALLS, FREELY, LAST_BID, OPENING, PASS, STATES, after_call, legal_calls
from solver.compiled import compiled

# How often a player is taken to stray from the own strategy, to any legal call: so decisions that it avoids are learned
# too. It is the caller's own straying that must be frequent; the opponent's only has to be there.
_OWN_STRAYING = np.float32(0.1)
_OTHERS_STRAYING = np.float32(0.005)
_OFF_PATH = np.float32(0.01)  # what a strategy counts in the averages where it does not lead
_NEWEST = 0.05  # share of the newest sweep in `_Side.values`
# Each role's state of a decision, (2, 109).
_STATES_OF_ROLE = np.array(
    [[np.flatnonzero((role == CALLER) & (d == DECISION_OF_STATE))[0] for d in range(DECISIONS)] for role in range(2)]
)

# Where a call leads from a state, (218, 38): -1 to the auction's end, _NEVER where it is illegal whatever the hand.
_NEVER = -2
_SUCCESSOR = np.array(
    [
        [after_call(state, call) if possible[call] else _NEVER for call in range(CALLS)]
        for state in range(STATES)
        for possible in [legal_calls(state, np.full(5, FREELY, dtype=np.int8))]
    ]
)


class _Side(NamedTuple):
    """What one role has learned, all (buckets, 109, 38): cumulated regrets, how calls have fared of late, the sum of
    all strategies, and the strategy of this sweep with the calls that are legal in it."""

    regrets: NDArray[np.float32]
    values: NDArray[np.float32]
    totals: NDArray[np.float32]
    shares: NDArray[np.float32]
    legal: NDArray[np.bool_]

    @classmethod
    def new(cls, buckets: int) -> "_Side":
        shape = (buckets, DECISIONS, CALLS)
        regrets, values, totals, shares = (np.zeros(shape, dtype=np.float32) for _ in range(4))
        return cls(regrets, values, totals, shares, np.zeros(shape, dtype=np.bool_))


def solve(
    tables: NDArray[np.int8],
    freedom: NDArray[np.int8],
    buckets: NDArray[np.int16],
    count: int,
    points: NDArray[np.float64],
    passed_out: float,
    sweeps: int,
    seed: int,
) -> NDArray[np.float32]:
    """Both roles' average strategies (2, count, 109, 38) after so many sweeps; each decision's sum to 1.

    `tables` (N, 2, 5) tricks and `freedom` (N, 2, 5) by [deal, role, strain]; `buckets` (N, 24, 2), below `count`, by
    [deal, permutation, role]. A sweep moves one role and then the other, by regret matching + (Tammelin, 2014), with
    averages weighted by the sweep.
    """
    dealers = pair_scores(tables, buckets, count, points, passed_out)
    scores = (dealers, np.ascontiguousarray(-dealers.transpose(2, 1, 0)))
    sides = (_Side.new(count), _Side.new(count))
    hands = [_hands_of(buckets[:, :, role], count) for role in range(2)]
    for sweep in range(sweeps):
        for role in range(2):
            for each in range(2):
                _draw_legal(freedom, *hands[each], each, seed, 4 * sweep + 2 * role + each, sides[each].legal)
                _match_regrets(sides[each])
            other = sides[1 - role]
            _learn(
                role,
                scores[role],
                sides[role],
                _straying(sides[role], _OWN_STRAYING),
                np.ascontiguousarray(other.shares.transpose(1, 2, 0)),
                np.ascontiguousarray(_straying(other, _OTHERS_STRAYING).transpose(1, 2, 0)),
                max(_NEWEST, 1 / (sweep + 1)),
            )
            _add_to_totals(1 - role, other, sweep + 1.0)
    policy = np.stack([side.totals for side in sides])
    sums = policy.sum(axis=-1, keepdims=True)
    policy /= np.where(sums > 0, sums, 1)
    return policy


@compiled()
def pair_scores(
    tables: NDArray[np.int8], buckets: NDArray[np.int16], count: int, points: NDArray[np.float64], passed_out: float
) -> NDArray[np.float32]:
    """What a pass in each state scores for the dealer, by [dealer's bucket, state, non-dealer's]: (count, 218, count).

    Each pair's mean times the chance of the pair, so that sums over pairs are points a deal.
    """
    scores = np.zeros((count, STATES, count), dtype=np.float32)
    share = 1.0 / (len(tables) * len(PERMUTATIONS))
    for deal in range(len(tables)):
        for renaming in range(len(PERMUTATIONS)):
            tricks = permuted(tables[deal], PERMUTATIONS[renaming])
            dealer, other = buckets[deal, renaming]
            for state in range(1, STATES):
                scores[dealer, state, other] += np.float32(share * pass_score(state, tricks, points, passed_out))
    return scores


def _hands_of(buckets: NDArray[np.int16], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The hands (deal * 24 + permutation) of each bucket, one bucket after the other, and where each begins."""
    flat = buckets.ravel()
    order = np.argsort(flat, kind="stable")
    return order, np.searchsorted(flat[order], np.arange(count + 1))


@compiled()
def _draw_legal(
    freedom: NDArray[np.int8],
    hands: NDArray[np.int64],
    starts: NDArray[np.int64],
    role: int,
    seed: int,
    stream: int,
    legal: NDArray[np.bool_],
) -> None:
    """Fill `legal` (buckets, 109, 38) with what one hand of each bucket may call, drawn from that random stream."""
    state_bits = random_stream(seed, stream)
    for bucket in range(len(legal)):
        size = starts[bucket + 1] - starts[bucket]
        if size == 0:
            legal[bucket, :, PASS] = True
            continue
        state_bits += STEP
        deal, renaming = divmod(hands[starts[bucket] + random_below(state_bits, size)], len(PERMUTATIONS))
        may = permuted(freedom[deal], PERMUTATIONS[renaming])[role]
        for decision in range(DECISIONS):
            legal[bucket, decision] = legal_calls(_STATES_OF_ROLE[role, decision], may)


@compiled()
def _match_regrets(side: _Side) -> None:
    """The strategy of this sweep: shares as the regrets above 0 of the legal calls.

    Where there are none, as when a bucket's usual calls are illegal for this hand, it is the legal one that fared best.
    """
    regrets, values, _, shares, legal = side
    for bucket in range(len(regrets)):
        for decision in range(DECISIONS):
            known, row = regrets[bucket, decision], shares[bucket, decision]
            total = np.float32(0)
            best = PASS
            for call in range(CALLS):
                row[call] = known[call] if legal[bucket, decision, call] else np.float32(0)
                total += row[call]
                if legal[bucket, decision, call] and values[bucket, decision, call] > values[bucket, decision, best]:
                    best = call
            if total > 0:
                row /= total
            else:
                row[best] = 1.0


def _straying(side: _Side, chance: np.float32) -> NDArray[np.float32]:
    """The strategy of a player who makes any legal call instead with that chance."""
    calls = side.legal.sum(axis=-1, keepdims=True, dtype=np.float32)
    strayed: NDArray[np.float32] = (1 - chance) * side.shares + chance * side.legal / calls
    return strayed


@compiled()
def _own_reach(role: int, shares: NDArray[np.float32], reach: NDArray[np.float32]) -> None:
    """Fill `reach` (218,) with the chance that a bucket's own calls lead to a state when the opponent's all may.

    States are merged: it may be reached in several ways, which are taken as independent of each other.
    """
    reach[:] = 0
    reach[OPENING] = 1
    for state in range(STATES):
        if reach[state] <= 0:
            continue
        decision = DECISION_OF_STATE[state]
        for call in range(LAST_BID[state] + 1, CALLS):
            successor = _SUCCESSOR[state, call]
            if successor < 0:
                continue
            if CALLER[state] == role:
                reach[successor] += (1 - reach[successor]) * reach[state] * shares[decision, call]
            else:
                reach[successor] = max(reach[successor], reach[state])


@compiled(fastmath=True)
def _learn(
    role: int,
    scores: NDArray[np.float32],
    side: _Side,
    straying: NDArray[np.float32],
    others: NDArray[np.float32],
    others_straying: NDArray[np.float32],
    newest: float,
) -> None:
    """Add the regrets of a role's calls against the opponent's strategy.

    `scores` (own buckets, 218, opponent's) are the role's; `others` and `others_straying` are (109, 38, buckets).

    What a call makes is a mean over the opponent's buckets, weighed by the chance that both players' calls lead to the
    state, over the chance of the own ones. In states that remember all own calls that is the opponent's chance alone,
    as the method asks. Here they are merged, and it matters which ways to a state the own strategy takes: with all of
    them counted alike, as if all own calls were made, a response won 50 to 60 points a deal with aces turned, not 15.
    """
    regrets, values, _, shares, legal = side
    width = scores.shape[2]
    reach = np.empty((STATES, width), dtype=np.float32)
    worth = np.empty((STATES, width), dtype=np.float32)
    own = np.empty(STATES, dtype=np.float32)
    for bucket in range(len(scores)):
        _own_reach(role, straying[bucket], own)
        reach[:] = 0
        reach[OPENING] = 1
        for state in range(STATES):
            decision = DECISION_OF_STATE[state]
            here = reach[state]
            for call in range(LAST_BID[state] + 1, CALLS):
                successor = _SUCCESSOR[state, call]
                if successor < 0:
                    continue
                there = reach[successor]
                if CALLER[state] == role:
                    chance = straying[bucket, decision, call]
                    if chance > 0:
                        for k in range(width):
                            there[k] += chance * here[k]
                else:
                    chances = others_straying[decision, call]
                    for k in range(width):
                        there[k] += chances[k] * here[k]
        for state in range(STATES - 1, -1, -1):
            decision = DECISION_OF_STATE[state]
            here = worth[state]
            here[:] = 0
            for call in range(LAST_BID[state] + 1, CALLS):
                successor = _SUCCESSOR[state, call]
                if successor == _NEVER:
                    continue
                there = worth[successor] if successor >= 0 else scores[bucket, state]
                if CALLER[state] == role:
                    share = shares[bucket, decision, call]
                    if share > 0:
                        for k in range(width):
                            here[k] += share * there[k]
                else:
                    chances = others[decision, call]
                    for k in range(width):
                        here[k] += chances[k] * there[k]
            if CALLER[state] != role or own[state] <= 0:
                continue
            weights = reach[state]
            mean = np.float32(0)
            for k in range(width):
                mean += weights[k] * here[k]
            for call in range(LAST_BID[state] + 1, CALLS):
                if not legal[bucket, decision, call]:
                    continue
                successor = _SUCCESSOR[state, call]
                there = worth[successor] if successor >= 0 else scores[bucket, state]
                made = np.float32(0)
                for k in range(width):
                    made += weights[k] * there[k]
                regret = regrets[bucket, decision, call] + (made - mean) / own[state]
                regrets[bucket, decision, call] = max(regret, np.float32(0))
                value = values[bucket, decision, call]
                values[bucket, decision, call] += np.float32(newest) * (made / own[state] - value)


@compiled()
def _add_to_totals(role: int, side: _Side, weight: float) -> None:
    """Add the strategy of this sweep to the totals, by its own chance to get to each decision."""
    own = np.empty(STATES, dtype=np.float32)
    for bucket in range(len(side.shares)):
        _own_reach(role, side.shares[bucket], own)
        for decision in range(DECISIONS):
            chance = own[_STATES_OF_ROLE[role, decision]] + _OFF_PATH
            for call in range(CALLS):
                side.totals[bucket, decision, call] += np.float32(weight) * chance * side.shares[bucket, decision, call]
