"""A blueprint in use: calls legal for the very hand, likelihoods, values of calls; and the file of a model."""

import numpy as np
import pytest

from advisor.blueprint import Blueprint
from advisor.buckets import k_means, nearest, nearest_few
from advisor.exchange_policy import ExchangePolicy, ValueNet
from advisor.model import Model, file_name, load, save
from advisor.packs import CONTEXTS, DRAW_CLASSES, shuffle_packs
from advisor.strategies import DECISION_OF_STATE, DECISIONS
from advisor.trick_model import CLASSES, TrickTables, predict
from solver.auction_states import (
    CALLER,
    CALLS,
    DOUBLE,
    OPENING,
    PASS,
    STATES,
    after_call,
    contract_scores,
    declarer_points,
    legal_calls,
    strain_freedom,
)
from solver.rules import Rules

BUCKETS = (9, 8, 7, 9, 8, 7)


@pytest.fixture(scope="module")
def model():
    generator = np.random.default_rng(3)
    tables = TrickTables(
        generator.normal(2, 1, (CONTEXTS, 2, CLASSES)).round(3),
        generator.normal(1, 1, (CONTEXTS, 2, CLASSES)).round(3),
        generator.normal(1, 1, (CONTEXTS, 2, CLASSES)).round(3),
        generator.normal(0, 1, (CONTEXTS, 2, 2, 8)).round(3),
        generator.uniform(1, 2, (CONTEXTS, 2, 2)).round(3),
    )
    shapes = ((CONTEXTS, CLASSES, 32), (CONTEXTS, 8, 32), (32, 16), (16,), (17,))
    net = ValueNet(*(generator.normal(0, 0.3, shape).astype(np.float32) for shape in shapes))
    centres = [generator.normal(6, 2, (count, 10)).astype(np.float32).astype(np.float64) for count in BUCKETS]
    policy = [generator.dirichlet(np.full(CALLS, 0.2), (count, DECISIONS)).astype(np.float32) for count in BUCKETS]
    rules = Rules()
    blueprint = Blueprint(tables, centres, policy, declarer_points(rules), (1.0, 2.0, 3.0), rules.nt_jump_min)
    return Model(tables, ExchangePolicy(net), blueprint, rules)


@pytest.fixture(scope="module")
def hands():
    packs = shuffle_packs(11, 0, 200, np.zeros(0, dtype=np.int64)).astype(np.int64)
    return np.stack([(np.int64(1) << packs[:, first : first + 13]).sum(axis=1) for first in (0, 13)], axis=1)


@pytest.mark.parametrize("neighbours", [1, 7])
def test_every_call_made_is_legal_for_the_very_hand(model, hands, neighbours):
    for number, hand in enumerate(hands[:60].ravel()):
        context = number % CONTEXTS
        strategy = model.blueprint.strategy(int(hand), context, neighbours)
        freedom = strain_freedom(hand, 1)
        for state in range(STATES):
            if CALLER[state] == context // DRAW_CLASSES:
                assert strategy[state].sum() == pytest.approx(1)
                assert not strategy[state][~legal_calls(state, freedom)].any()
            else:
                assert not strategy[state].any()


def test_a_strategy_is_its_buckets_purified(model, hands):
    for hand in hands[:10, 0]:
        point = predict(np.array([hand]), np.array([4]), model.tricks)
        bucket = nearest(point, model.blueprint.centres[4])[0]
        state = 2 + 6 * 5
        weights = model.blueprint.policy[4][bucket, DECISION_OF_STATE[state]] * legal_calls(
            state, strain_freedom(hand, 1)
        )
        weights = np.where(weights < 0.15 * weights.max(), 0, weights)
        found = model.blueprint.strategy(int(hand), 4)[state]
        assert np.allclose(found, weights / weights.sum(), atol=1e-6)


def test_values_of_many_deals_are_those_of_each_deals_strategies(model, hands):
    generator = np.random.default_rng(1)
    exact = generator.integers(3, 11, (20, 2, 5)).astype(np.int8)
    pairs = hands[:20].copy()
    pairs[10:, 0] = pairs[10, 0]  # one hand against many, as in advice
    values = model.blueprint.values(exact, pairs, 1, (7, 1))
    assert np.allclose(model.blueprint.scores(exact, pairs, 1, (7, 1)), values[:, OPENING])
    for deal in range(20):
        strategy = model.blueprint.strategy(int(pairs[deal, 0]), 1, 7) + model.blueprint.strategy(
            int(pairs[deal, 1]), 4
        )
        for state in (0, 1, 40, 41, 217):
            calls = model.blueprint.call_values(values[deal : deal + 1], exact[deal : deal + 1], state, passed_out=2.0)
            assert values[deal, state] == pytest.approx(np.nansum(strategy[state] * calls[0]))


def test_the_value_of_a_pass_is_the_contract_that_it_leaves(model):
    exact = np.full((1, 2, 5), 9, dtype=np.int8)
    values = np.arange(STATES, dtype=np.float64)[None]
    scores = contract_scores(exact[0], model.blueprint.points, 7.0)
    for state in (1, 2, 3, 4, 100):
        found = model.blueprint.call_values(values, exact, state, passed_out=7.0)[0]
        assert found[PASS] == scores[state]
        assert np.isnan(found[DOUBLE]) == (not legal_calls(state, np.zeros(5, dtype=np.int8))[DOUBLE])
        for call in np.flatnonzero(~np.isnan(found)):
            if call != PASS:
                assert found[call] == after_call(state, int(call))
    assert model.blueprint.call_values(values, exact, OPENING)[0, PASS] == 1


def test_shares_along_a_path_are_the_strategys(model, hands):
    path = [(OPENING, 7), (2 + 6 * 12 + 3, DOUBLE)]
    shares = model.blueprint.path_shares(hands[:30, 0], 2, path)
    for hand, row in zip(hands[:30, 0], shares, strict=True):
        strategy = model.blueprint.strategy(int(hand), 2, 7, purify_share=0)
        assert np.allclose(row, [strategy[state, call] for state, call in path])


def test_near_buckets_weigh_more():
    centres = np.array([[0.0, 0], [3, 0], [1, 0], [9, 9]])
    found, weights = np.zeros(3, dtype=np.int64), np.empty(3)
    nearest_few(np.array([0.2, 0.0]), centres, found, weights)
    assert found.tolist() == [0, 2, 1]
    assert (np.diff(weights) < 0).all()
    assert weights.sum() == pytest.approx(1)


def test_k_means_finds_planted_clusters():
    generator = np.random.default_rng(0)
    truth = np.array([[0.0, 0], [10, 0], [0, 10]])
    points = np.concatenate([centre + generator.normal(0, 0.5, (200, 2)) for centre in truth])
    found = k_means(points, 3, seed=4)
    assert np.allclose(sorted(found.round().tolist()), sorted(truth.tolist()))


def test_a_model_reads_back_as_it_was_written(model, hands, tmp_path):
    path = tmp_path / file_name(Rules())
    save(model, path)
    assert [file.name for file in tmp_path.iterdir()] == ["default.npz"]
    again = load(path)
    assert again.built_for == model.built_for
    assert again.blueprint.passed_out == (1.0, 2.0, 3.0)
    for old, new in zip(model.tricks, again.tricks, strict=True):
        assert np.allclose(old, new, atol=1e-9)
    for old, new in zip(model.exchange.net, again.exchange.net, strict=True):
        assert np.allclose(old, new, rtol=0, atol=2.0**-13)
    for written, read in zip(model.blueprint.centres, again.blueprint.centres, strict=True):
        assert (written == read).all()
    for old, new in zip(model.blueprint.policy, again.blueprint.policy, strict=True):
        old, new = (weights / weights.max(axis=-1, keepdims=True) for weights in (old, new))
        assert np.abs(old - new).max() < 0.0101


def test_other_rules_change_scores_and_legality_only(model):
    rules = Rules(nt_jump_min=3, insult_multiplied=False)
    other = model.for_rules(rules)
    assert other.built_for == Rules()
    assert other.blueprint.nt_jump_min == 3
    assert (other.blueprint.points == declarer_points(rules)).all()
    assert other.exchange is model.exchange
    assert file_name(rules) == "nt_jump_min-3+insult_multiplied-false.npz"
