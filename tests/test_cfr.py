"""The auction solver, and responses to what it finds, on games whose answers are known."""

import json
from pathlib import Path

import numpy as np
import pytest

from advisor.build import cfr
from advisor.build.responses import best_response, respond
from advisor.strategies import DECISION_OF_STATE, DECISIONS, PERMUTATIONS, pass_score, permuted, renamed_values
from solver.auction_states import (
    CALLS,
    DEALER,
    OPENING,
    PASS,
    STATES,
    after_bid,
    after_call,
    contract_scores,
    declarer_points,
    legal_calls,
    strain_freedom,
)
from solver.cards import Strain
from solver.deal import Deal, Seat
from solver.par import open_card_values
from solver.rules import Rules

DATA = Path(__file__).parent / "data"
POINTS = declarer_points(Rules())


def known_deals(count):
    records = [json.loads(line) for line in (DATA / "tables.jsonl").read_text().splitlines()[:count]]
    tables = [[[r["tricks"][seat.letter][strain.letter] for strain in Strain] for seat in Seat] for r in records]
    hands = [[deal.south.mask, deal.north.mask] for deal in (Deal.parse(r["deal"]) for r in records)]
    freedom = [[strain_freedom(hand, 1) for hand in pair] for pair in hands]
    return np.array(tables, dtype=np.int8), np.array(freedom, dtype=np.int8)


def one_bucket_each(count):
    """Buckets so fine that both players see all: the open-card auction."""
    return np.arange(count * 24, dtype=np.int16).reshape(count, 24, 1).repeat(2, axis=2)


def solved(tables, freedom, buckets, sweeps):
    return cfr.solve(tables, freedom, buckets, int(buckets.max()) + 1, POINTS, 0.0, sweeps, 1)


@pytest.fixture(scope="module")
def open_cards():
    tables, freedom = known_deals(1)
    buckets = one_bucket_each(1)
    return tables, freedom, buckets, solved(tables, freedom, buckets, 300)


def test_with_open_cards_the_solution_is_par(open_cards):
    tables, freedom, buckets, policy = open_cards
    found = renamed_values(tables, freedom, buckets, POINTS, 0.0, policy, 0.15)
    for number, order in enumerate(PERMUTATIONS):
        values, _ = open_card_values(permuted(tables[0], order), permuted(freedom[0], order), POINTS, 0.0)
        assert found[0, number] == pytest.approx(values[OPENING], abs=3)


def test_with_open_cards_nobody_can_do_better_than_par(open_cards):
    tables, freedom, buckets, policy = open_cards
    value = renamed_values(tables, freedom, buckets, POINTS, 0.0, policy, 0.0).mean()
    for responder, sign in ((0, 1), (1, -1)):
        best, _ = best_response(tables, freedom, buckets, POINTS, 0.0, policy, responder)
        assert sign * value - 1e-6 <= best <= sign * value + 6


def test_a_response_to_a_player_who_always_passes_takes_the_best_contract():
    tables, freedom = known_deals(4)
    buckets = one_bucket_each(4)
    policy = np.zeros((2, 96, DECISIONS, CALLS), dtype=np.float32)
    policy[..., PASS] = 1
    best, _ = best_response(tables, freedom, buckets, POINTS, 0.0, policy, DEALER)
    expected = []
    for deal in range(4):
        for order in PERMUTATIONS:
            scores = contract_scores(permuted(tables[deal], order), POINTS, 0.0)
            legal = legal_calls(OPENING, permuted(freedom[deal], order)[DEALER])
            expected.append(max(0.0, *(scores[after_call(OPENING, bid)] for bid in np.flatnonzero(legal[:36]))))
    assert best == pytest.approx(np.mean(expected))


def test_the_ranking_of_a_response_makes_what_was_found():
    tables, freedom = known_deals(4)
    buckets = one_bucket_each(4)
    policy = np.zeros((2, 96, DECISIONS, CALLS), dtype=np.float32)
    policy[..., PASS] = 1
    game = (tables, freedom, buckets, POINTS, 0.0, policy)
    best, ranking = best_response(*game, DEALER)
    assert respond(*game, 0.0, DEALER, ranking, 0.0, 0.0, 1)[0] == pytest.approx(best)
    strided = [respond(*game, 0.0, DEALER, ranking, 0.0, 0.0, stride)[0] for stride in (4, 24)]
    assert strided != [pytest.approx(best)] * 2


def test_a_cautious_response_leaves_calls_whose_gain_may_be_chance():
    tables, freedom = known_deals(6)
    freedom[:] = 2
    buckets = np.zeros((6, 24, 2), dtype=np.int16)
    policy = np.zeros((2, 1, DECISIONS, CALLS), dtype=np.float32)
    policy[..., PASS] = 1
    game = (tables, freedom, buckets, POINTS, 0.0, policy)
    won = [best_response(*game, DEALER, caution=caution)[0] for caution in (0.0, 1000.0)]
    assert won[0] > won[1] == 0


def hidden_hands(count, buckets):
    """Deals whose hands are told apart only by a few buckets: by what a player's best strain takes."""
    tables, freedom = known_deals(count)
    best = np.stack([tables[:, 0].max(axis=1), (13 - tables[:, 0]).max(axis=1) + tables[:, 1].max(axis=1)], axis=1)
    ranks = np.argsort(np.argsort(best, axis=0, kind="stable"), axis=0) * buckets // count
    return tables, freedom, np.repeat(ranks[:, None].astype(np.int16), len(PERMUTATIONS), axis=1)


def test_pairs_of_buckets_score_the_mean_of_their_deals():
    tables, _, buckets = hidden_hands(8, 3)
    found = cfr.pair_scores(tables, buckets, 3, POINTS, 50.0)
    assert found.shape == (3, STATES, 3)
    games = len(tables) * len(PERMUTATIONS)
    for state in range(1, STATES, 7):
        expected = np.zeros((3, 3))
        for deal, table in enumerate(tables):
            for number, order in enumerate(PERMUTATIONS):
                pair = tuple(buckets[deal, number])
                expected[pair] += pass_score(state, permuted(table, order), POINTS, 50.0) / games
        assert np.allclose(found[:, state], expected, rtol=1e-4, atol=1e-3)
    assert found[:, 1].sum() == pytest.approx(50)


def test_with_hidden_hands_a_response_wins_little():
    tables, freedom, buckets = hidden_hands(40, 8)
    freedom[:] = 2
    policy = solved(tables, freedom, buckets, 1000)
    value = renamed_values(tables, freedom, buckets, POINTS, 0.0, policy, 0.0).mean()
    for responder, sign in ((0, 1), (1, -1)):
        best, _ = best_response(tables, freedom, buckets, POINTS, 0.0, policy, responder)
        assert best - sign * value < 20


def test_a_hand_that_may_not_make_its_buckets_calls_makes_the_legal_one_that_fared_best():
    side = cfr._Side.new(1)
    side.legal[:] = True
    side.regrets[0, 5, [3, 7]] = 2, 6
    side.values[0, 5] = -20
    side.values[0, 5, [3, 7, 9, 11]] = 50, 60, -5, -2
    side.values[0, 5, PASS] = -10
    cfr._match_regrets(side)
    assert side.shares[0, 5, [3, 7]].tolist() == [0.25, 0.75]
    side.legal[0, 5, [3, 7]] = False
    cfr._match_regrets(side)
    assert side.shares[0, 5, 11] == 1
    side.legal[0, 5] = np.arange(CALLS) == PASS
    cfr._match_regrets(side)
    assert side.shares[0, 5, PASS] == 1
    assert (side.shares.sum(axis=-1) == 1).all()


def test_a_bucket_may_bid_what_one_of_its_hands_may():
    _, freedom = known_deals(3)
    buckets = np.array([0, 0, 2], dtype=np.int16).repeat(24).reshape(3, 24, 1).repeat(2, axis=2)
    hands = cfr._hands_of(buckets[:, :, DEALER], 3)
    legal = np.zeros((3, DECISIONS, CALLS), dtype=np.bool_)
    may = [
        {
            legal_calls(OPENING, permuted(freedom[deal], order)[DEALER]).tobytes()
            for deal in deals
            for order in PERMUTATIONS
        }
        for deals in ((0, 1), (), (2,))
    ]
    drawn = [set(), set(), set()]
    for stream in range(400):
        cfr._draw_legal(freedom, *hands, DEALER, 1, stream, legal)
        for bucket in (0, 2):
            drawn[bucket].add(legal[bucket, 0].tobytes())
        assert legal[1].sum() == DECISIONS
        assert legal[1, :, PASS].all()
    assert [drawn[0], drawn[2]] == [may[0], may[2]]


def test_a_strategy_counts_in_the_averages_by_its_own_chance_to_get_there():
    side = cfr._Side.new(1)
    side.shares[0, :, PASS] = 1
    side.shares[0, 0, [0, 7, PASS]] = 0.25, 0.15, 0.6
    reach = np.empty(STATES, dtype=np.float32)
    cfr._own_reach(DEALER, side.shares[0], reach)
    own, others = ({bid: after_bid(bid, role) for bid in range(36)} for role in range(2))
    assert reach[[OPENING, 1, own[0], own[7], own[1]]] == pytest.approx([1, 0.6, 0.25, 0.15, 0])
    # The opponent's calls all may be made, after any of ours: where there are several ways the likeliest counts.
    assert reach[[others[3], others[35], own[7] + 1]] == pytest.approx([0.6, 0.6, 0.15])
    # Doubled it is our turn, and we never redouble.
    assert reach[[own[7] + 2, others[3] + 1]] == pytest.approx([0, 0])
    cfr._add_to_totals(DEALER, side, 2.0)
    assert side.totals[0, 0, [0, 7, PASS]] == pytest.approx(2 * 1.01 * np.array([0.25, 0.15, 0.6]))
    decisions = DECISION_OF_STATE[[others[3], own[7] + 1, own[9] + 1]]
    assert side.totals[0, decisions, PASS] == pytest.approx(2 * np.array([0.61, 0.16, 0.01]))
