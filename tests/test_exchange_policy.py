"""The exchange policy against plain enumeration, and its locks."""

import itertools

import numpy as np
import pytest

from advisor.baselines import highest_cards, longest_suit_and_honours
from advisor.exchange_policy import POINTS_UNIT, ExchangePolicy, ValueNet
from advisor.packs import CONTEXTS, held_after_draws, shuffle_packs
from advisor.trick_model import CLASS_OF_HOLDING, CLASSES
from solver.cards import Hand


@pytest.fixture(scope="module")
def policy():
    generator = np.random.default_rng(8)
    shapes = ((CONTEXTS, CLASSES, 32), (CONTEXTS, 8, 32), (32, 16), (16,), (17,))
    return ExchangePolicy(ValueNet(*(generator.normal(0, 0.3, shape).astype(np.float32) for shape in shapes)))


def plain_values(policy, keeps, context):
    """The net by its definition, in numpy."""
    net = policy.net
    keeps = np.array(keeps)
    sums = net.colons[context, keeps >> 52]
    for suit in range(4):
        sums = sums + net.holdings[context, CLASS_OF_HOLDING[keeps >> 13 * suit & 0x1FFF]]
    second = np.maximum(np.maximum(sums, 0) @ net.hidden + net.hidden_bias, 0)
    return (second @ net.output[:16] + net.output[16]) * POINTS_UNIT


def highest_of_each_suit(held, forced=0):
    """Every thirteen of the cards held that has the forced ones and, of each suit, no other card below one thrown."""
    cards = [card for card in range(55) if held >> card & 1]
    for kept in itertools.combinations(cards, 13):
        keep = sum(1 << card for card in kept)
        if forced & ~keep:
            continue
        thrown = [card for card in cards if not keep >> card & 1 and card < 52]
        free = [card for card in kept if not forced >> card & 1 and card < 52]
        if not any(a // 13 == b // 13 and a < b for a in free for b in thrown):
            yield keep


@pytest.mark.parametrize("text", ["AK7.QT2.KJ9.A52.GRL", "AKQJT98.7.65.432.GL", "T98765432.765.432.."])
@pytest.mark.parametrize("forced_text", ["", "D9 :L", "S7 H7"])
def test_keeps_are_all_that_take_the_highest_and_the_best_is_first(policy, text, forced_text):
    held = Hand.parse(text).mask
    forced = (Hand.parse(forced_text).mask if forced_text else 0) & held
    expected = set(highest_of_each_suit(held, forced))
    for context in (0, 3, 5):
        keeps, values = policy.keeps(held, context, forced)
        assert len(keeps) == len(expected)
        assert set(keeps.tolist()) == expected
        plain = plain_values(policy, keeps, context)
        assert np.allclose(values, plain, atol=0.1)
        assert (np.diff(values) <= 0).all()


def test_many_hands_get_what_each_gets_alone(policy):
    held, classes = held_after_draws(shuffle_packs(4, 0, 60, np.array([0, 1, 2])))
    for role in range(2):
        contexts = classes + 3 * role
        kept = policy(held[:, role].copy(), contexts)
        for cards, context, keep in zip(held[:, role], contexts, kept, strict=True):
            assert keep == policy.keeps(int(cards), int(context))[0][0]
            assert int(keep).bit_count() == 13
            assert not keep & ~cards


def test_values_are_those_of_the_keeps(policy):
    held = Hand.parse("AK74.QT2.KJ93.A52.GRL").mask
    keeps, values = policy.keeps(held, 1)
    assert np.allclose(policy.values(keeps, 1), values, atol=0.01)


def test_no_thirteen_left_is_no_keep(policy):
    assert len(policy.keeps(Hand.parse("AKQ.AKQ.AKQ.AKQ.").mask, 0)[0]) == 0


def kept_text(way, text):
    return str(Hand(int(way(np.array([Hand.parse(text).mask]), np.array([0]))[0])))


def test_the_baselines_keep_what_their_names_say():
    text = "AKT987.Q2.KJ2.A543.GR"
    assert kept_text(highest_cards, text) == "AKT987.Q.KJ.A543."
    assert kept_text(longest_suit_and_honours, text) == "AKT987.Q.K.A543.G"
