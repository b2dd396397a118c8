"""The auction solver on games whose answers are known, and its passes against plain recursion."""

import json
from pathlib import Path

import numpy as np
import pytest

from advisor import cfr
from solver.auction_states import (
    CALLER,
    CALLS,
    DEALER,
    OPENING,
    PASS,
    STATES,
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


def solved(tables, freedom, buckets, iterations):
    shape = (2, int(buckets.max()) + 1, cfr.DECISIONS, cfr.CALLS)
    regrets, totals = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
    cfr.iterate(tables, freedom, buckets, POINTS, 0.0, regrets, totals, 0, iterations, 1, 0.01)
    return totals


@pytest.fixture(scope="module")
def open_cards():
    tables, freedom = known_deals(1)
    buckets = one_bucket_each(1)
    return tables, freedom, buckets, solved(tables, freedom, buckets, 120_000)


def test_with_open_cards_the_solution_is_par(open_cards):
    tables, freedom, buckets, policy = open_cards
    found = cfr.renamed_values(tables, freedom, buckets, POINTS, 0.0, policy, 0.15)
    for number, order in enumerate(cfr.PERMUTATIONS):
        values, _ = open_card_values(cfr.permuted(tables[0], order), cfr.permuted(freedom[0], order), POINTS, 0.0)
        assert found[0, number] == pytest.approx(values[OPENING], abs=3)


def test_with_open_cards_nobody_can_do_better_than_par(open_cards):
    tables, freedom, buckets, policy = open_cards
    value = cfr.renamed_values(tables, freedom, buckets, POINTS, 0.0, policy, 0.0).mean()
    for responder, sign in ((0, 1), (1, -1)):
        best, _ = cfr.best_response(tables, freedom, buckets, POINTS, 0.0, policy, responder)
        assert sign * value - 1e-6 <= best <= sign * value + 6


def test_a_response_to_a_player_who_always_passes_takes_the_best_contract():
    tables, freedom = known_deals(4)
    buckets = one_bucket_each(4)
    policy = np.zeros((2, 96, cfr.DECISIONS, cfr.CALLS), dtype=np.float32)
    policy[..., PASS] = 1
    best, _ = cfr.best_response(tables, freedom, buckets, POINTS, 0.0, policy, DEALER)
    expected = []
    for deal in range(4):
        for order in cfr.PERMUTATIONS:
            scores = contract_scores(cfr.permuted(tables[deal], order), POINTS, 0.0)
            legal = legal_calls(OPENING, cfr.permuted(freedom[deal], order)[DEALER])
            expected.append(max(0.0, *(scores[after_call(OPENING, bid)] for bid in np.flatnonzero(legal[:36]))))
    assert best == pytest.approx(np.mean(expected))


def test_the_ranking_of_a_response_makes_what_was_found():
    tables, freedom = known_deals(4)
    buckets = one_bucket_each(4)
    policy = np.zeros((2, 96, cfr.DECISIONS, cfr.CALLS), dtype=np.float32)
    policy[..., PASS] = 1
    game = (tables, freedom, buckets, POINTS, 0.0, policy)
    best, ranking = cfr.best_response(*game, DEALER)
    assert cfr.respond(*game, 0.0, DEALER, ranking, 0.0, 0.0, 1)[0] == pytest.approx(best)
    strided = [cfr.respond(*game, 0.0, DEALER, ranking, 0.0, 0.0, stride)[0] for stride in (4, 24)]
    assert strided != [pytest.approx(best)] * 2


def test_a_cautious_response_leaves_calls_whose_gain_may_be_chance():
    tables, freedom = known_deals(6)
    freedom[:] = 2
    buckets = np.zeros((6, 24, 2), dtype=np.int16)
    policy = np.zeros((2, 1, cfr.DECISIONS, cfr.CALLS), dtype=np.float32)
    policy[..., PASS] = 1
    game = (tables, freedom, buckets, POINTS, 0.0, policy)
    won = [cfr.best_response(*game, DEALER, caution=caution)[0] for caution in (0.0, 1000.0)]
    assert won[0] > won[1] == 0


def test_hidden_hands_in_one_bucket_are_called_alike():
    tables, freedom = known_deals(6)
    freedom[:] = 2
    buckets = np.zeros((6, 24, 2), dtype=np.int16)
    policy = solved(tables, freedom, buckets, 60_000)
    values = cfr.renamed_values(tables, freedom, buckets, POINTS, 0.0, policy, 0.0)
    assert policy.shape[1] == 1
    for responder, sign in ((0, 1), (1, -1)):
        best, _ = cfr.best_response(tables, freedom, buckets, POINTS, 0.0, policy, responder)
        assert best - sign * values.mean() < 40


def plain_value(state, shares, scores):
    """The dealer's points from a state by the definition: the mean over calls."""
    total = 0.0
    for call in np.flatnonzero(shares[state]):
        successor = after_call(state, int(call))
        total += shares[state, call] * (plain_value(successor, shares, scores) if successor >= 0 else scores[state])
    return total


def test_the_backward_pass_is_the_mean_over_all_auctions():
    generator = np.random.default_rng(6)
    tables, freedom = known_deals(3)
    for table, free in zip(tables, freedom, strict=True):
        shares = np.zeros((STATES, CALLS))
        for state in range(STATES):
            legal = np.flatnonzero(legal_calls(state, free[CALLER[state]]))
            chosen = generator.choice(legal, min(2, len(legal)), replace=False)
            shares[state, chosen] = generator.dirichlet(np.ones(len(chosen)))
        values = np.empty(STATES)
        cfr.values_of(shares, table, POINTS, 0.0, values)
        scores = contract_scores(table, POINTS, 0.0)
        for state in (OPENING, 1, 2, 90, 150, 217):
            assert values[state] == pytest.approx(plain_value(state, shares, scores))


def test_shares_fall_on_legal_calls_only_and_else_on_the_pass():
    _, freedom = known_deals(2)
    weights = np.ones(CALLS, dtype=np.float32)
    shares = np.empty(CALLS)
    for state in range(STATES):
        legal = legal_calls(state, freedom[0, CALLER[state]])
        cfr.legal_shares(weights, state, freedom[0, CALLER[state]], shares)
        assert ((shares > 0) == legal).all()
        assert shares.sum() == pytest.approx(1)
        cfr.legal_shares(np.where(legal, np.float32(0), weights), state, freedom[0, CALLER[state]], shares)
        assert shares[PASS] == 1
        assert shares.sum() == 1


def test_purifying_drops_the_small_shares():
    shares = np.array([0.5, 0.3, 0.13, 0.07])
    cfr.purify(shares, 0.15)
    assert np.allclose(shares, np.array([0.5, 0.3, 0.13, 0]) / 0.93)
