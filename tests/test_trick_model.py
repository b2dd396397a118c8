"""The trick model: it finds a planted sum over suits, treats suits alike, and its chances add up."""

import numpy as np
import pytest

from advisor.baselines import greedy_strategy
from advisor.packs import CONTEXTS, renamed, shuffle_packs
from advisor.strategies import PERMUTATIONS, permuted_predictions
from advisor.trick_model import (
    CLASS_OF_HOLDING,
    CLASSES,
    calibration,
    chance_at_least,
    expected_score,
    fit,
    measure,
    own_tricks,
    predict,
    spread,
    trick_chances,
)
from solver.auction import Bid, Contract
from solver.auction_states import DOUBLE, PASS, declarer_points, legal_calls, strain_freedom
from solver.deal import Seat
from solver.rules import Rules
from solver.scoring import score


def random_hands(count, seed=1):
    packs = shuffle_packs(seed, 0, count, np.zeros(0, dtype=np.int64)).astype(np.int64)
    return (np.int64(1) << packs[:, :13]).sum(axis=1)


def planted(hands, contexts, noise=0.0):
    """Tricks that are a sum over suits: honours, trump length, a colon; and the context."""
    bits = (hands[:, None] >> np.arange(55) & 1).astype(float)
    honours = bits[:, :52].reshape(-1, 4, 13) @ np.array([0] * 9 + [0.2, 0.4, 0.7, 0.9])
    length = bits[:, :52].reshape(-1, 4, 13).sum(axis=2)
    tricks = np.empty((len(hands), 10))
    base = honours.sum(axis=1) + 0.5 * bits[:, 54] + 0.2 * contexts
    tricks[:, :4] = base[:, None] + 0.6 * length
    tricks[:, 4] = base + 1
    tricks[:, 5:] = 0.5 * base[:, None]
    return tricks + noise * np.random.default_rng(3).normal(size=tricks.shape)


@pytest.fixture(scope="module")
def fitted():
    hands = random_hands(3600)
    contexts = np.arange(3600) % CONTEXTS
    return fit(hands, contexts, planted(hands, contexts, noise=1.0))


def test_a_planted_sum_is_found_again_on_new_hands(fitted):
    hands = random_hands(2000, seed=9)
    contexts = np.arange(2000) % CONTEXTS
    truth = planted(hands, contexts)
    found = predict(hands, contexts, fitted)
    assert np.sqrt(((found - truth) ** 2).mean()) < 0.3
    for context in range(CONTEXTS):
        assert np.allclose(spread(context, fitted), 1.0, atol=0.12)


def test_renaming_suits_renames_predictions(fitted):
    hands = random_hands(50, seed=4)
    contexts = np.full(50, 2)
    before = predict(hands, contexts, fitted)
    for order in PERMUTATIONS:
        plain = hands >> 52 << 52
        for suit in range(4):
            plain |= (hands >> 13 * suit & 0x1FFF) << 13 * order[suit]
        assert (renamed(np.stack([hands, hands], axis=1), order)[:, 1] == plain).all()
        assert np.allclose(predict(plain, contexts, fitted), permuted_predictions(before, order))


def test_holdings_of_one_class_differ_in_small_cards_only():
    assert CLASS_OF_HOLDING.max() == CLASSES - 1
    assert CLASS_OF_HOLDING[0b1000000000011] == CLASS_OF_HOLDING[0b1000001000001]
    assert CLASS_OF_HOLDING[0b1000000000011] != CLASS_OF_HOLDING[0b1000010000001]
    assert CLASS_OF_HOLDING[0b1000000000011] != CLASS_OF_HOLDING[0b0100000000011]


def test_own_tricks_are_the_declarers_or_what_it_leaves():
    table = np.array([[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]], dtype=np.int8)
    assert own_tricks(table, 0).tolist() == [[1, 2, 3, 4, 5, 7, 6, 5, 4, 3]]
    assert own_tricks(table, 1).tolist() == [[6, 7, 8, 9, 10, 12, 11, 10, 9, 8]]


def test_chances_fall_with_the_target_and_are_even_at_the_mean():
    assert chance_at_least(8, 7.5, 1.6) == pytest.approx(0.5)
    chances = [chance_at_least(tricks, 8.2, 1.6) for tricks in range(15)]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances[1:]) == pytest.approx(8.2, abs=0.01)
    exactly = trick_chances(8.2, 1.6)
    assert exactly.sum() == pytest.approx(1)
    assert exactly[9:].sum() == pytest.approx(chances[9])


def test_the_expected_score_is_the_mean_over_tricks():
    points = declarer_points(Rules())
    chances = trick_chances(9.6, 1.5)
    bid = Bid.parse("4H").index
    expected = sum(
        chance * score(Contract(Bid.from_index(bid), 1, Seat.SOUTH), tricks, Rules()).declarer_points
        for tricks, chance in enumerate(chances)
    )
    assert expected_score(bid, 1, chances, points) == pytest.approx(expected)


def test_the_greedy_call_is_the_best_contract_that_is_legal(fitted):
    points = declarer_points(Rules())
    for hand in random_hands(20, seed=6):
        tricks = predict(np.array([hand]), np.array([1]), fitted)[0]
        deviation = spread(1, fitted)
        freedom = strain_freedom(hand, 1)
        scores = {PASS: 0.0}
        for bid in np.flatnonzero(legal_calls(0, freedom)[:36]):
            strain = (bid + 4) % 5
            scores[int(bid)] = expected_score(int(bid), 0, trick_chances(tricks[strain], deviation[strain]), points)
        strategy = greedy_strategy(int(hand), 1, 0.0, fitted, points, 1)
        assert strategy[0].argmax() == max(scores, key=lambda call: scores[call])
        assert strategy[0].sum() == 1


def test_an_inferring_bidder_doubles_less(fitted):
    points = declarer_points(Rules())
    hands = random_hands(60, seed=7)
    doubles = [
        sum(greedy_strategy(int(hand), 4, inference, fitted, points, 1)[:, DOUBLE].sum() for hand in hands)
        for inference in (0.0, 1.0)
    ]
    assert doubles[0] > doubles[1] > 0


def test_calibration_of_true_normals_is_a_diagonal():
    generator = np.random.default_rng(5)
    mean = generator.normal(8, 2, size=(4000, 10))
    deviation = np.full_like(mean, 1.5)
    actual = np.rint(mean + 1.5 * generator.normal(size=mean.shape)).astype(np.int64)
    for said, share, cases in calibration(mean, deviation, actual):
        assert abs(said - share) < 4 * (0.25 / cases) ** 0.5 + 0.01
    assert measure(mean, actual).rmse == pytest.approx(1.53, abs=0.02)
