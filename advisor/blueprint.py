"""The blueprint auction: how a hand calls, what the calls heard say of a hand, and what a deal is worth when both
call so.

States, calls and roles are those of solver.auction_states, contexts those of advisor.packs. Points are the *dealer's*
unless a name says otherwise. A *strategy* is an array (218, 38): the shares of the calls in each state where the
hand's role is to call.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from advisor.buckets import nearest_few
from advisor.packs import DEALER, DRAW_CLASSES
from advisor.strategies import DECISION_OF_STATE, legal_shares, purify, values_of
from advisor.trick_model import PREDICTIONS, TrickTables, predict_into
from solver.auction_states import (
    CALLER,
    CALLS,
    OPENING,
    STATES,
    after_call,
    contract_scores,
    legal_calls,
    strain_freedom,
)
from solver.compiled import compiled

PURIFY = 0.15
NEIGHBOURS = 7
LIKELIHOOD_FLOOR = 0.003


@compiled()
def _strategy_into(
    hand: int,
    context: int,
    role: int,
    neighbours: int,
    nt_jump_min: int,
    purify_share: float,
    tables: TrickTables,
    centres: NDArray[np.float64],
    policy: NDArray[np.float32],
    strategy: NDArray[np.float64],
) -> None:
    """Fill the rows of `strategy` in which `role` calls."""
    point = np.empty(PREDICTIONS)
    predict_into(hand, context, tables, point)
    found = np.zeros(neighbours, dtype=np.int64)
    weights = np.empty(neighbours)
    nearest_few(point, centres, found, weights)
    freedom = strain_freedom(hand, nt_jump_min)
    mixed = np.empty(CALLS, dtype=np.float32)
    for state in range(STATES):
        if CALLER[state] != role:
            continue
        decision = DECISION_OF_STATE[state]
        mixed[:] = 0
        for k in range(neighbours):
            row = policy[found[k], decision]
            weight = np.float32(weights[k])
            for call in range(CALLS):
                mixed[call] += weight * row[call]
        legal_shares(mixed, state, freedom, strategy[state])
        if purify_share > 0:
            purify(strategy[state], purify_share)


@compiled()
def _deal_values(
    exact: NDArray[np.int8],
    hands: NDArray[np.int64],
    draw_class: int,
    neighbours: NDArray[np.int64],
    nt_jump_min: int,
    purify_share: float,
    points: NDArray[np.float64],
    passed_out: float,
    tables: TrickTables,
    dealer_centres: NDArray[np.float64],
    dealer_policy: NDArray[np.float32],
    other_centres: NDArray[np.float64],
    other_policy: NDArray[np.float32],
) -> NDArray[np.float64]:
    values = np.empty((len(exact), STATES))
    strategy = np.empty((STATES, CALLS))
    for deal in range(len(exact)):
        for role in range(2):
            if deal and hands[deal, role] == hands[deal - 1, role]:
                continue
            _strategy_into(
                hands[deal, role],
                DRAW_CLASSES * role + draw_class,
                role,
                neighbours[role],
                nt_jump_min,
                purify_share,
                tables,
                dealer_centres if role == DEALER else other_centres,
                dealer_policy if role == DEALER else other_policy,
                strategy,
            )
        values_of(strategy, exact[deal], points, passed_out, values[deal])
    return values


@compiled()
def _path_shares(
    hands: NDArray[np.int64],
    context: int,
    role: int,
    nt_jump_min: int,
    purify_share: float,
    tables: TrickTables,
    centres: NDArray[np.float64],
    policy: NDArray[np.float32],
    states: NDArray[np.int64],
    calls: NDArray[np.int64],
    neighbours: int,
) -> NDArray[np.float64]:
    shares = np.empty((len(hands), len(states)))
    strategy = np.empty((STATES, CALLS))
    for row in range(len(hands)):
        _strategy_into(
            hands[row], context, role, neighbours, nt_jump_min, purify_share, tables, centres, policy, strategy
        )
        for k in range(len(states)):
            shares[row, k] = strategy[states[k], calls[k]]
    return shares


class Blueprint:
    """The blueprint's strategies, by context and bucket, with the trick model that finds a hand's bucket.

    `centres[context]` (B, 10) are the buckets in predicted tricks; `policy[context]` (B, 109, 38) the weights of the
    calls in each decision. `points` and `passed_out` are the scores that it was solved for, `nt_jump_min` the rule.
    """

    def __init__(
        self,
        tables: TrickTables,
        centres: Sequence[NDArray[np.float64]],
        policy: Sequence[NDArray[np.float32]],
        points: NDArray[np.float64],
        passed_out: Sequence[float] = (0.0, 0.0, 0.0),
        nt_jump_min: int = 1,
    ) -> None:
        self.tables = tables
        self.centres = list(centres)
        self.policy = list(policy)
        self.points = points
        self.passed_out = tuple(passed_out)
        self.nt_jump_min = nt_jump_min

    def strategy(
        self, hand: int, context: int, neighbours: int = 1, purify_share: float = PURIFY
    ) -> NDArray[np.float64]:
        """The shares of the calls (218, 38) for this very hand; zero in the states where the opponent calls.

        Every call with a share is legal for the hand. With more than one of its nearest buckets the shares are a
        weighted mean of theirs; calls under `purify_share` of the likeliest are dropped.
        """
        strategy = np.zeros((STATES, CALLS))
        _strategy_into(
            hand,
            context,
            context // DRAW_CLASSES,
            neighbours,
            self.nt_jump_min,
            purify_share,
            self.tables,
            self.centres[context],
            self.policy[context],
            strategy,
        )
        return strategy

    def values(
        self,
        exact: NDArray[np.int8],
        hands: NDArray[np.int64],
        draw_class: int,
        neighbours: tuple[int, int] = (1, 1),
        purify_share: float = PURIFY,
        points: NDArray[np.float64] | None = None,
        passed_out: float | None = None,
    ) -> NDArray[np.float64]:
        """The backward pass: what each deal is worth to the dealer from each state when both call by the blueprint.

        `exact` (N, 2, 5) tricks by [deal, declarer's role, strain], `hands` (N, 2) sets of cards by [deal, role], all
        of one draw class; the result is float (N, 218), in points. `neighbours` are the buckets mixed for (dealer,
        non-dealer). `points` (36, 3, 14) and `passed_out` replace the scores, for instance by chances to win the
        game.
        """
        other = draw_class + DRAW_CLASSES
        return _deal_values(
            exact,
            np.ascontiguousarray(hands),
            draw_class,
            np.array(neighbours, dtype=np.int64),
            self.nt_jump_min,
            purify_share,
            self.points if points is None else points,
            self.passed_out[draw_class] if passed_out is None else passed_out,
            self.tables,
            self.centres[draw_class],
            self.policy[draw_class],
            self.centres[other],
            self.policy[other],
        )

    def scores(
        self, exact: NDArray[np.int8], hands: NDArray[np.int64], draw_class: int, neighbours: tuple[int, int] = (1, 1)
    ) -> NDArray[np.float64]:
        """The dealer's expected points of each deal before the first call, (N,); arguments as for `values`.

        With `neighbours=(NEIGHBOURS, NEIGHBOURS)` it is the smoothed value, the one to judge exchanges by.
        """
        return self.values(exact, hands, draw_class, neighbours)[:, OPENING]

    def call_values(
        self,
        values: NDArray[np.float64],
        exact: NDArray[np.int8],
        state: int,
        points: NDArray[np.float64] | None = None,
        passed_out: float = 0.0,
    ) -> NDArray[np.float64]:
        """The dealer's points after each call in one state: (N, 38) from `values` (N, 218) of deals `exact` (N, 2, 5).

        The legality of a call is not looked at here; NaN stands for those that the auction itself does not allow.
        """
        return _call_values(values, exact, state, self.points if points is None else points, passed_out)

    def path_shares(
        self,
        hands: NDArray[np.int64],
        context: int,
        path: Sequence[tuple[int, int]],
        neighbours: int = NEIGHBOURS,
        purify_share: float = 0.0,
    ) -> NDArray[np.float64]:
        """The shares with which hands (N,) in a context would have made their calls on a path of (state, call): (N,
        calls).

        Only that role's own calls are of the path; a call that is illegal for a hand has share 0.
        """
        states = np.array([state for state, _ in path], dtype=np.int64)
        calls = np.array([call for _, call in path], dtype=np.int64)
        return _path_shares(
            hands,
            context,
            context // DRAW_CLASSES,
            self.nt_jump_min,
            purify_share,
            self.tables,
            self.centres[context],
            self.policy[context],
            states,
            calls,
            neighbours,
        )


@compiled()
def _call_values(
    values: NDArray[np.float64], exact: NDArray[np.int8], state: int, points: NDArray[np.float64], passed_out: float
) -> NDArray[np.float64]:
    result = np.full((len(values), CALLS), np.nan)
    everything = np.full(5, 2, dtype=np.int8)
    for deal in range(len(values)):
        scores = contract_scores(exact[deal], points, passed_out)
        allowed = legal_calls(state, everything)
        for call in range(CALLS):
            if allowed[call]:
                successor = after_call(state, call)
                result[deal, call] = values[deal, successor] if successor >= 0 else scores[state]
    return result
