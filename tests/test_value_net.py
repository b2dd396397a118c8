"""The net that values keeps: what it learns of hands alone, and of several keeps of one hand."""

import numpy as np

from advisor.build.deals import Deals, solve_part
from advisor.build.learn import lessons_of, smoothed_scores
from advisor.build.value_net import ALONE, Lessons, holding_features, rows_of_groups, train_net
from advisor.exchange_policy import POINTS_UNIT, ExchangePolicy
from advisor.model import model_for
from advisor.packs import CONTEXTS, DRAW_CLASSES, HAND, count_cards
from advisor.trick_model import CLASS_OF_HOLDING, CLASSES
from solver.rules import Rules


def random_hands(generator, count):
    order = generator.random((count, 55)).argsort(axis=1)[:, :HAND].astype(np.int64)
    return (np.int64(1) << order).sum(axis=1)


def aces(hands):
    return sum(hands >> 13 * suit + 12 & 1 for suit in range(4))


def longest(hands):
    return np.max([[count_cards(hand >> 13 * suit & 0x1FFF) for hand in hands.tolist()] for suit in range(4)], axis=0)


def error_of(net, lessons, truth, level=True):
    policy = ExchangePolicy(net)
    off = np.empty(len(truth))
    for context in range(CONTEXTS):
        rows = lessons.contexts == context
        off[rows] = policy.values(lessons.hands[rows], context) - truth[rows]
    return np.sqrt(((off - (0 if level else off.mean())) ** 2).mean())


def test_a_net_learns_suits_colons_and_contexts_from_single_hands():
    generator = np.random.default_rng(2)
    hands, contexts = random_hands(generator, 20_000), generator.integers(0, CONTEXTS, 20_000)
    truth = 150.0 * aces(hands) + 200 * (longest(hands) > 5) - 100 * (hands >> 54 & 1) + 100 * contexts
    lessons = Lessons(hands, contexts, truth + generator.normal(0, 200, 20_000), np.full(20_000, ALONE))
    assert truth.std() > 220
    assert error_of(train_net(lessons, seed=1), lessons, truth) < 60


def test_luck_shared_by_the_keeps_of_one_hand_does_not_blur_what_tells_them_apart():
    generator = np.random.default_rng(3)
    hands = random_hands(generator, 4_000)
    contexts = np.zeros(len(hands), dtype=np.int64)
    truth = 100.0 * aces(hands)
    luck = np.repeat(generator.normal(0, 2000, 1_000), 4)
    grouped = Lessons(hands, contexts, truth + luck, np.repeat(np.arange(1_000), 4))
    alone = grouped._replace(group=np.full(len(hands), ALONE))
    by_groups, by_single = (error_of(train_net(each, seed=1), each, truth, level=False) for each in (grouped, alone))
    assert by_groups < 0.3 * by_single, (by_groups, by_single)


def test_the_same_seed_gives_the_same_net():
    generator = np.random.default_rng(4)
    lessons = Lessons(
        random_hands(generator, 300), np.zeros(300, dtype=np.int64), np.arange(300.0), np.full(300, ALONE)
    )
    for one, other in zip(train_net(lessons, 5, epochs=2), train_net(lessons, 5, epochs=2), strict=True):
        assert (one == other).all()


def test_groups_are_rows_of_two_or_more():
    groups = rows_of_groups(np.array([7, ALONE, 3, 7, 5, ALONE, 3, 7]))
    assert sorted(map(sorted, groups.tolist())) == [[-1, 2, 6], [0, 3, 7]]
    assert rows_of_groups(np.full(4, ALONE)).shape[0] == 0


def test_features_tell_every_class_and_context_apart():
    features = holding_features()
    assert features.shape[0] == CONTEXTS * CLASSES
    assert len(np.unique(features, axis=0)) == len(features)
    # AK and three small ones in the third context.
    row = features[2 * CLASSES + CLASS_OF_HOLDING[0b1100000000111]]
    assert row[:6].tolist() == [0, 0, 0, 0, 1, 1]
    assert row[6 + 3] == 1
    assert row[14 + 5] == 1
    assert row[-CONTEXTS:].tolist() == [0, 0, 1, 0, 0, 0]


def test_lessons_are_each_hand_whose_opponent_did_not_explore():
    deals = Deals.together([solve_part(9, 0, 18, 0.6, model_for().exchange, Rules())])
    scores = np.empty(len(deals.hands))
    for draw_class in range(DRAW_CLASSES):
        chosen = deals.classes == draw_class
        scores[chosen] = smoothed_scores(deals.of(chosen), model_for().blueprint, draw_class, 1)["scores"]
    lessons = lessons_of(deals, scores)
    single = int((deals.explorer < 0).sum())
    assert len(lessons.hands) == 2 * single + int((deals.explorer >= 0).sum())
    groups = rows_of_groups(lessons.group)
    assert len(groups) == len(np.unique(deals.pack[deals.explorer >= 0]))
    for group in groups:
        rows = group[group >= 0]
        assert len(set(lessons.contexts[rows].tolist())) == 1
        pack = int(lessons.group[rows[0]])
        role = int(lessons.contexts[rows[0]]) // DRAW_CLASSES
        assert sorted(lessons.hands[rows]) == sorted(deals.hands[deals.pack == pack, role])
    # The two hands of a deal in which nobody explored gain what the other loses.
    explorers = [deals.explorer[deals.explorer != 1 - role] for role in range(2)]
    dealers, others = np.split(lessons.points, [len(explorers[0])])
    assert np.allclose(dealers[explorers[0] < 0], -others[explorers[1] < 0])
    assert np.abs(lessons.points).max() > POINTS_UNIT / 10
