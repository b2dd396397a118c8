"""Worlds against what a player knows: no known card turns up, the right number is drawn, the rest is equally likely."""

import itertools

import numpy as np
import pytest

from advisor.packs import sample_sets
from advisor.worlds import EVERY_CARD, Known, sample_worlds
from solver.cards import Card, Hand
from solver.deal import Pack, Seat
from solver.errors import RuleError
from solver.exchange import Role, held, held_size
from solver.rules import Rules

DRAWN, ASIDE = Rules(), Rules(upcard_drawn=False)


def thirteen(kept):
    return [int(cards).bit_count() == 13 for cards in kept]


class Remembering:
    """Keeps the thirteen lowest card numbers and remembers what it was given."""

    def __call__(self, cards, contexts):
        self.cards, self.contexts = cards, contexts
        return np.array([sum(1 << card for card in [c for c in range(55) if mask >> c & 1][:13]) for mask in cards])


def situation(role, rules, seed):
    pack = Pack.shuffled(seed)
    seat = next(seat for seat in Seat if Role.of(seat, pack.dealer) == role)
    return Known(role, held(pack, seat, rules), pack.upcard, rules)


@pytest.mark.parametrize("rules", [DRAWN, ASIDE])
@pytest.mark.parametrize("role", list(Role))
def test_no_known_card_turns_up_and_the_right_number_is_drawn(role, rules):
    for seed in range(40):
        known = situation(role, rules, seed)
        way = Remembering()
        worlds = sample_worlds(known, way, seed, 60)
        other = Role(1 - role)
        assert (worlds.held == way.cards).all()
        assert {int(cards).bit_count() for cards in worlds.held} == {held_size(other, known.upcard)}
        assert all(thirteen(worlds.hands))
        assert not (worlds.hands & ~worlds.held).any()
        assert not (worlds.held & known.cards.mask).any()
        with_upcard = {bool(cards >> known.upcard.index & 1) for cards in worlds.held}
        assert with_upcard == {role == Role.DEALER and rules.upcard_drawn}
        assert set(worlds.classes) == {known.draw_class} == {int(known.upcard.range)}
        assert set(way.contexts) == {3 * other + known.draw_class}


@pytest.mark.parametrize("rules", [DRAWN, ASIDE])
@pytest.mark.parametrize("role", list(Role))
def test_who_keeps_the_first_thirteen_has_every_unseen_card_equally_often(role, rules):
    count, seed = 40_000, 5
    known = situation(role, rules, 3)
    unseen = EVERY_CARD & ~known.cards.mask & ~(1 << known.upcard.index)
    # The cards dealt: the same streams, thirteen cards long.
    dealt = sample_sets(unseen, 0, 13, seed, 0, count)

    def first_thirteen(cards, contexts):
        assert not (dealt & ~cards).any()
        return dealt

    worlds = sample_worlds(known, first_thirteen, seed, count)
    total = unseen.bit_count()
    share = 13 / total
    error = np.sqrt(share * (1 - share) / count)
    for card in range(55):
        found = (worlds.hands >> card & 1).mean()
        if unseen >> card & 1:
            assert abs(found - share) < 5 * error, card
        else:
            assert found == 0, card
    # What was drawn besides is as evenly spread.
    drawn = worlds.held & ~worlds.hands & ~(1 << known.upcard.index)
    number = int(drawn[0]).bit_count()
    for card in range(55):
        if unseen >> card & 1:
            assert abs((drawn >> card & 1).mean() - number / total) < 5 * error + 0.01, card


def test_pairs_of_cards_are_independent_but_for_their_number():
    known = situation(Role.NONDEALER, DRAWN, 11)
    worlds = sample_worlds(known, Remembering(), 2, 40_000)
    unseen = [card for card in range(55) if not known.cards.mask >> card & 1]
    size, total = int(worlds.held[0]).bit_count(), len(unseen)
    both = size * (size - 1) / (total * (total - 1))
    for a, b in itertools.pairwise(unseen):
        found = (worlds.held >> a & worlds.held >> b & 1).mean()
        assert abs(found - both) < 5 * np.sqrt(both / 40_000)


def test_a_world_is_the_same_whatever_the_number_asked_for():
    known = situation(Role.DEALER, DRAWN, 1)
    whole = sample_worlds(known, Remembering(), 9, 50)
    part = sample_worlds(known, Remembering(), 9, 20, first=30)
    assert (whole.hands[30:] == part.hands).all()
    assert (whole.hands != sample_worlds(known, Remembering(), 10, 50).hands).any()


@pytest.mark.parametrize("kept", map(Hand.parse, ["AK942.QT2.KJ9.5.G", "KQJ.KQJ.KQJ.KQJ.G"]), ids=str)
def test_upcard_not_told_is_sampled_from_where_it_may_be(kept):
    worlds = sample_worlds(Known(Role.NONDEALER, kept), Remembering(), 3, 3000)
    # One of fifteen cards: one of the thirteen kept, or one of two not told.
    unseen = [card for card in range(55) if not kept.mask >> card & 1]
    for kind in range(3):
        own = sum(int(card.range) == kind for card in kept)
        other = sum(int(Card.from_index(card).range) == kind for card in unseen) / len(unseen)
        share = (own + 2 * other) / 15
        assert abs((worlds.classes == kind).mean() - share) < 5 * np.sqrt(share * (1 - share) / 3000)
    sizes = np.array([int(cards).bit_count() for cards in worlds.held])
    assert (sizes == np.array([17, 21, 25])[worlds.classes]).all()
    assert not (worlds.held & kept.mask).any()


def test_a_dealer_who_tells_its_throws_has_told_the_draws():
    cards = Hand.parse("AK942.QT2.KJ97.52.G") | Hand.parse("S3 S5")
    known = Known(Role.DEALER, cards)
    assert known.draw_class == 0
    worlds = sample_worlds(known, Remembering(), 3, 200)
    assert set(worlds.classes) == {0}
    assert not (worlds.held & cards.mask).any()
    assert Known(Role.DEALER, Hand.parse("AK942.QT2.KJ9.5.G")).draw_class is None


@pytest.mark.parametrize(
    ("role", "cards", "upcard", "rules", "complaint"),
    [
        (Role.DEALER, "AK942.QT2.KJ9.5.G H3", None, DRAWN, "14 cards"),
        (Role.DEALER, "AK942.QT2.KJ97.532.G", "HK", DRAWN, "expected 13 or 21"),
        (Role.DEALER, "AK942.QT2.KJ97.5432.G", "S9", DRAWN, "S9 is among the dealer's"),
        (Role.NONDEALER, "AK942.QT2.KJ97.52.G", "D8", DRAWN, "D8 is not among"),
        (Role.NONDEALER, "AK942.QT2.KJ97.52.G", "D9", ASIDE, "set aside"),
    ],
)
def test_what_cannot_be_known_is_refused(role, cards, upcard, rules, complaint):
    fields, *more = cards.split()
    hand = Hand.parse(fields) | Hand.parse(" ".join(more) or "....")
    with pytest.raises(RuleError, match=complaint.replace("(", ".")):
        Known(role, hand, None if upcard is None else Card.parse(upcard), rules)
