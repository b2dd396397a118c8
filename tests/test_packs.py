"""Packs in bulk: fairly shuffled, drawn as the rules say, and the same whatever the batch."""

import numpy as np
import pytest

from advisor.packs import (
    DEALER,
    NONDEALER,
    UPCARD_PLACE,
    draw_class,
    exchange,
    held_after_draws,
    sample_sets,
    shuffle_packs,
)
from solver.cards import Card, Hand
from solver.deal import Pack, Seat
from solver.exchange import held
from solver.rules import Rules

ANY = np.zeros(0, dtype=np.int64)


def test_every_pack_is_a_pack_and_every_place_sees_every_card():
    packs = shuffle_packs(1, 0, 20_000, ANY)
    assert (np.sort(packs, axis=1) == np.arange(55)).all()
    for place in (0, UPCARD_PLACE, 54):
        seen = np.bincount(packs[:, place], minlength=55)
        assert abs(seen - 20_000 / 55).max() < 5 * (20_000 / 55) ** 0.5


def test_a_pack_does_not_depend_on_its_batch():
    together = shuffle_packs(5, 0, 40, ANY)
    assert (shuffle_packs(5, 13, 20, ANY) == together[13:33]).all()
    assert (shuffle_packs(6, 0, 40, ANY) != together).any()


def test_wished_classes_come_in_turn_and_else_by_chance():
    packs = shuffle_packs(2, 3, 30, np.array([0, 1, 2]))
    assert held_after_draws(packs)[1].tolist() == [0, 1, 2] * 10
    shares = np.bincount(held_after_draws(shuffle_packs(2, 0, 20_000, ANY))[1]) / 20_000
    assert np.allclose(shares, np.array([37, 13, 5]) / 55, atol=0.015)


def test_the_class_of_each_upcard():
    for index in range(55):
        assert draw_class(index) == int(Card.from_index(index).range)


@pytest.mark.parametrize("upcard_drawn", [True, False])
def test_both_hold_what_the_rules_let_them_draw(upcard_drawn):
    packs = shuffle_packs(3, 0, 60, np.array([0, 1, 2]))
    sets, classes = held_after_draws(packs, upcard_drawn)
    for row, pack in enumerate(packs):
        cards = [Card.from_index(int(index)) for index in pack]
        friendly = Pack(Seat.SOUTH, Hand.of(cards[:13]), Hand.of(cards[13:26]), tuple(cards[26:]))
        rules = Rules(upcard_drawn=upcard_drawn)
        assert held(friendly, Seat.SOUTH, rules).mask == sets[row, DEALER]
        assert held(friendly, Seat.NORTH, rules).mask == sets[row, NONDEALER]
        assert int(sets[row, DEALER]).bit_count() == 17 + 4 * classes[row]


def test_each_role_exchanges_in_its_own_way_and_context():
    asked = {}

    def way(role):
        def keep(sets, contexts):
            asked[role] = contexts.tolist()
            return sets & (1 << 40) - 1 if role == DEALER else sets

        return keep

    sets, classes = held_after_draws(shuffle_packs(3, 0, 3, np.array([0, 1, 2])))
    kept = exchange(sets, classes, way(DEALER), way(NONDEALER))
    assert asked == {DEALER: [0, 1, 2], NONDEALER: [3, 4, 5]}
    assert (kept[:, NONDEALER] == sets[:, NONDEALER]).all()
    assert (kept[:, DEALER] == sets[:, DEALER] & (1 << 40) - 1).all()


def test_sampled_sets_hold_what_is_certain_and_only_what_is_unseen():
    known = Hand.parse("AKQ.JT9.432.5432.").mask
    everything = (1 << 55) - 1
    unseen = everything & ~known
    certain = 1 << 54
    sets = sample_sets(unseen, certain, 15, 7, 0, 20_000)
    assert all(int(cards).bit_count() == 15 for cards in sets)
    assert not (sets & known).any()
    assert (sets & certain).all()
    share = [(sets >> card & 1).mean() for card in range(54) if unseen >> card & 1]
    assert np.allclose(share, 14 / 41, atol=0.02)
    assert (sample_sets(unseen, certain, 15, 7, 100, 50) == sets[100:150]).all()
