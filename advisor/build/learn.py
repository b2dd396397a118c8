"""From solved deals to strategies: trick model, buckets, blueprint by draw class, value net."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor import strategies, trick_model
from advisor.blueprint import NEIGHBOURS, PURIFY, Blueprint
from advisor.buckets import k_means, nearest
from advisor.build import cfr, responses
from advisor.build.deals import CLASS_CHANCES, NOBODY, Deals
from advisor.build.value_net import ALONE, Lessons
from advisor.build.work import Arrays
from advisor.packs import DRAW_CLASSES, renamed
from advisor.strategies import PERMUTATIONS, permuted_predictions
from advisor.trick_model import TrickTables
from solver.auction_states import declarer_points, strain_freedom
from solver.rules import Rules

_BUCKET_SAMPLE = 60_000
_NET_RENAMINGS = 8
_CAUTION = 1.0  # standard errors that a response asks of a gain
_RESPONSE_STRIDE = 4


@dataclass(frozen=True, slots=True)
class Game:
    """The abstract game of one draw class: tables, what may be bid, buckets, see `cfr.solve`."""

    tables: NDArray[np.int8]
    freedom: NDArray[np.int8]
    buckets: NDArray[np.int16]


def fit_tricks(deals: Deals) -> TrickTables:
    """The trick model of hands whose opponents exchanged by their policy."""
    hands, contexts, tricks = trick_rows(deals)
    return trick_model.fit(hands, contexts, tricks)


def trick_rows(deals: Deals) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Hands (M,), contexts (M,) and own tricks (M, 10) of both roles, where the other role did not explore."""
    rows = [deals.of(deals.explorer != 1 - role) for role in range(2)]
    return (
        np.concatenate([part.hands[:, role] for role, part in enumerate(rows)]),
        np.concatenate([part.classes + DRAW_CLASSES * role for role, part in enumerate(rows)]),
        np.concatenate([trick_model.own_tricks(part.tables, role) for role, part in enumerate(rows)]),
    )


def find_buckets(deals: Deals, tricks: TrickTables, context: int, count: int, seed: int) -> NDArray[np.float64]:
    """The centres (count, 10) of the buckets of one context, from its hands under all renamings of the suits."""
    role, draw_class = divmod(context, DRAW_CLASSES)
    hands = deals.hands[deals.classes == draw_class, role]
    predicted = trick_model.predict(hands, np.full(len(hands), context), tricks)
    points = np.concatenate([permuted_predictions(predicted, order) for order in PERMUTATIONS])
    sample = np.random.default_rng((seed, context)).permutation(len(points))[:_BUCKET_SAMPLE]
    return k_means(points[sample], count, seed)


def abstract_game(
    deals: Deals, draw_class: int, tricks: TrickTables, centres: list[NDArray[np.float64]], rules: Rules
) -> Game:
    """The deals of a draw class as an abstract game."""
    chosen = deals.of(deals.classes == draw_class)
    buckets = np.empty((len(chosen.hands), len(PERMUTATIONS), 2), dtype=np.int16)
    for role in range(2):
        context = draw_class + DRAW_CLASSES * role
        predicted = trick_model.predict(chosen.hands[:, role].copy(), np.full(len(chosen.hands), context), tricks)
        for number, order in enumerate(PERMUTATIONS):
            buckets[:, number, role] = nearest(permuted_predictions(predicted, order), centres[context])
    freedom = np.array(
        [[strain_freedom(hand, rules.nt_jump_min) for hand in pair] for pair in chosen.hands], dtype=np.int8
    ).reshape(-1, 2, 5)
    return Game(chosen.tables, freedom, buckets)


def solve_auction(game: Game, buckets: int, sweeps: int, seed: int, rules: Rules, passed_out: float) -> Arrays:
    """The average strategies of both roles after so many sweeps, and what they make against each other.

    `policy` (2, buckets, 109, 38) sums to 1 over the calls; `values` (2,) is the dealer's points a deal, as the
    strategies are and purified.
    """
    points = declarer_points(rules)
    policy = cfr.solve(game.tables, game.freedom, game.buckets, buckets, points, passed_out, sweeps, seed)
    values = [
        strategies.renamed_values(game.tables, game.freedom, game.buckets, points, passed_out, policy, share).mean()
        for share in (0.0, PURIFY)
    ]
    return {"policy": policy, "values": np.array(values)}


def exploit(game: Game, unseen: Game, solved: Arrays, rules: Rules, passed_out: float) -> Arrays:
    """What responses to the purified strategies win over their value: `exploited` (2, 2) by [deals, responder].

    In points a deal for the responder (role 0 the dealer), found inside the abstraction on the deals that the
    strategies were computed from, see `responses.best_response`. Row 0 is what it wins on these very deals, some of it
    by learning them by heart; row 1 what it wins on deals `unseen` by both, a lower bound of the best response.
    """
    points, policy = declarer_points(rules), solved["policy"]
    learned_value = solved["values"][1]
    unseen_value = strategies.renamed_values(
        unseen.tables, unseen.freedom, unseen.buckets, points, passed_out, policy, PURIFY
    ).mean()
    exploited = np.empty((2, 2))
    for responder, sign in ((0, 1.0), (1, -1.0)):
        won, ranking = responses.best_response(
            game.tables,
            game.freedom,
            game.buckets,
            points,
            passed_out,
            policy,
            responder,
            PURIFY,
            _CAUTION,
            _RESPONSE_STRIDE,
        )
        exploited[0, responder] = won - sign * learned_value
        won, _ = responses.respond(
            unseen.tables,
            unseen.freedom,
            unseen.buckets,
            points,
            passed_out,
            policy,
            PURIFY,
            responder,
            ranking,
            0.0,
            0.0,
            1,
        )
        exploited[1, responder] = won - sign * unseen_value
    return {"exploited": exploited}


def blueprint(
    tricks: TrickTables,
    centres: list[NDArray[np.float64]],
    solved: list[Arrays],
    rules: Rules,
    passed_out: float,
) -> Blueprint:
    """The strategies of all draw classes together."""
    policy = [solved[draw_class]["policy"][role] for role in range(2) for draw_class in range(DRAW_CLASSES)]
    return Blueprint(tricks, centres, policy, declarer_points(rules), [passed_out] * DRAW_CLASSES, rules.nt_jump_min)


def smoothed_scores(deals: Deals, auction: Blueprint, draw_class: int, seed: int) -> Arrays:
    """What the blueprint makes of the deals of one draw class: `scores` (N,), the dealer's points.

    They are smoothed over near buckets and a few renamings of the suits: the same keeps come out best on average, with
    less noise to learn from.
    """
    generator = np.random.default_rng((seed, draw_class))
    scores = np.zeros(len(deals.hands))
    for number in generator.permutation(len(PERMUTATIONS))[:_NET_RENAMINGS]:
        order = PERMUTATIONS[number]
        tables = np.empty_like(deals.tables)
        tables[:, :, order] = deals.tables
        scores += auction.scores(tables, renamed(deals.hands, order), draw_class, (NEIGHBOURS, NEIGHBOURS))
    return {"scores": scores / _NET_RENAMINGS}


def lessons_of(deals: Deals, scores: NDArray[np.float64]) -> Lessons:
    """What each role's hand came to where the other role did not explore, from the dealer's points of each deal."""
    parts = []
    for role, sign in ((0, 1.0), (1, -1.0)):
        usable = deals.explorer != 1 - role
        explored = np.isin(deals.pack, deals.pack[deals.explorer == role])
        group = np.where(explored, deals.pack, ALONE)
        parts.append(
            Lessons(
                deals.hands[usable, role],
                deals.classes[usable] + DRAW_CLASSES * role,
                sign * scores[usable],
                group[usable],
            )
        )
    return Lessons(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def on_policy(deals: Deals) -> Deals:
    """The deals in which nobody explored."""
    return deals.of(deals.explorer == NOBODY)


def dealers_value(solved: list[Arrays]) -> float:
    """The dealer's points a deal before the upcard is known, both purified."""
    return float(CLASS_CHANCES @ [float(each["values"][1]) for each in solved])
