"""The exchange: who draws how many and which, what may be kept, and the deal that results."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cards import PACK, Card, Hand
from solver.deal import Deal, Pack, Seat
from solver.errors import NotationError, RuleError
from solver.exchange import (
    Role,
    check_held,
    check_keep,
    draw_count,
    drawn,
    exchange,
    held,
    held_size,
    keep_count,
    legal_keeps,
)
from solver.rules import Rules

UPCARD_DRAWN = [Rules(upcard_drawn=True), Rules(upcard_drawn=False)]
packs = st.builds(Pack.shuffled, st.integers(0, 10**6))
rulings = st.sampled_from(UPCARD_DRAWN)


def test_roles():
    assert Role.of(Seat.SOUTH, Seat.SOUTH) is Role.of(Seat.NORTH, Seat.NORTH) is Role.DEALER
    assert Role.of(Seat.SOUTH, Seat.NORTH) is Role.of(Seat.NORTH, Seat.SOUTH) is Role.NONDEALER
    for text in ("nondealer", "NonDealer", "non-dealer"):
        assert Role.parse(text) is Role.NONDEALER
    assert [(role.title, role.option) for role in Role] == [("dealer", "dealer"), ("non-dealer", "nondealer")]
    assert Role.parse(" Dealer ") is Role.DEALER
    with pytest.raises(NotationError, match="expected dealer or nondealer"):
        Role.parse("south")


@pytest.mark.parametrize("upcard", PACK, ids=str)
def test_how_many_are_drawn_by_every_upcard(upcard):
    expected = {"A": 12, "K": 8, "Q": 8, "J": 8, "G": 12, "R": 8}.get(str(upcard)[1], 4)
    assert draw_count(Role.DEALER, upcard) == expected
    assert draw_count(Role.NONDEALER, upcard) == 2
    assert held_size(Role.DEALER, upcard) == 13 + expected
    assert held_size(Role.NONDEALER, upcard) == 15


@given(packs)
def test_who_draws_which_cards(pack):
    """By the law: the non-dealer the first two, then the dealer; without the upcard if that is set aside."""
    dealer_draws = draw_count(Role.DEALER, pack.upcard)
    for rules in UPCARD_DRAWN:
        stock = list(pack.stock) if rules.upcard_drawn else list(pack.stock)[1:]
        assert drawn(pack, Role.NONDEALER, rules) == tuple(stock[:2])
        assert drawn(pack, Role.DEALER, rules) == tuple(stock[2 : 2 + dealer_draws])
        for seat in Seat:
            role = Role.of(seat, pack.dealer)
            assert held(pack, seat, rules) == pack.hand(seat) | Hand.of(drawn(pack, role, rules))
        assert not held(pack, Seat.SOUTH, rules) & held(pack, Seat.NORTH, rules)
        nondealer = held(pack, pack.dealer.other, rules)
        assert (pack.upcard in nondealer) == rules.upcard_drawn
        assert pack.upcard not in held(pack, pack.dealer, rules)
    assert drawn(pack, Role.NONDEALER) == pack.stock[:2]


@given(packs, rulings, st.sampled_from(Seat))
def test_what_a_pack_gives_can_be_held(pack, rules, seat):
    check_held(held(pack, seat, rules), Role.of(seat, pack.dealer), pack.upcard, rules)


def test_what_cannot_be_held_is_refused():
    king = Card.parse("HK")
    without = Hand.of(card for card in PACK if card != king)
    fifteen = Hand.of(without.cards[:15])
    with_king = Hand.of([*without.cards[:14], king])
    twenty_one = Hand.of(without.cards[:21])
    check_held(with_king, Role.NONDEALER, king)
    check_held(fifteen, Role.NONDEALER, king, Rules(upcard_drawn=False))
    for rules in UPCARD_DRAWN:
        check_held(twenty_one, Role.DEALER, king, rules)
    for cards, role, rules, named in [
        (fifteen, Role.NONDEALER, Rules(), ["upcard HK is not among the non-dealer's cards"]),
        (
            with_king,
            Role.NONDEALER,
            Rules(upcard_drawn=False),
            ["upcard HK is among the non-dealer's cards", "set aside"],
        ),
        (fifteen, Role.DEALER, Rules(), ["the dealer holds 15 cards; expected 21, 13 and 8 drawn, with HK turned"]),
        (
            with_king,
            Role.DEALER,
            Rules(),
            ["expected 21", "HK is among the dealer's cards; expected it drawn by the non"],
        ),
        (
            with_king,
            Role.DEALER,
            Rules(upcard_drawn=False),
            ["expected 21", "HK is among the dealer's cards", "set aside"],
        ),
        (twenty_one, Role.NONDEALER, Rules(), ["holds 21 cards; expected 15, 13 and 2 drawn", "HK is not among"]),
    ]:
        with pytest.raises(RuleError) as error:
            check_held(cards, role, king, rules)
        for words in named:
            assert words in str(error.value)


def test_any_thirteen_of_the_cards_held_may_be_kept():
    cards = Hand.of(random.Random(1).sample(PACK, 17))
    expected = {Hand.of(keep) for keep in itertools.combinations(cards.cards, 13)}
    keeps = list(legal_keeps(cards))
    assert len(keeps) == keep_count(cards) == 2380
    assert set(keeps) == expected
    for keep in keeps:
        check_keep(cards, keep)


@pytest.mark.parametrize(("size", "count"), [(13, 1), (15, 105), (17, 2380), (21, 203_490), (25, 5_200_300)])
def test_how_many_keeps_there_are(size, count):
    assert keep_count(Hand.of(PACK[:size])) == count
    if count < 10_000:
        assert sum(1 for _ in legal_keeps(Hand.of(PACK[:size]))) == count


@given(st.randoms(use_true_random=False), st.integers(0, 13), st.integers(0, 2))
def test_wishes_are_kept(rng, must_keep, must_throw):
    cards = rng.sample(PACK, 15)
    stay, go = Hand.of(cards[:must_keep]), Hand.of(cards[15 - must_throw :])
    keeps = list(legal_keeps(Hand.of(cards), stay, go))
    assert keeps == [keep for keep in keeps if stay <= keep and not go & keep]
    assert len(set(keeps)) == len(keeps) == keep_count(Hand.of(cards), stay, go)
    assert set(keeps) == {keep for keep in legal_keeps(Hand.of(cards)) if stay <= keep and not go & keep}


def test_impossible_wishes_are_refused_at_once():
    cards = Hand.parse("AKQJT98765432.AK...")
    for stay, go, named in [
        ("SA HQ", "", ["HQ is to be kept but not held"]),
        ("", "HQ :G", ["HQ is to be thrown but not held", ":G is to be thrown but not held"]),
        ("SA", "SA", ["SA is to be both kept and thrown"]),
        ("SAKQJT98765432 HA", "", ["14 cards are to be kept; expected at most 13"]),
        ("", "SAKQ", ["12 are left; expected at least 13"]),
        ("HQ", "HQ :G SAKQ", ["HQ is to be kept but", "HQ is to be both", ":G is to be thrown but", "12 are left"]),
    ]:
        for ask in (legal_keeps, keep_count):
            with pytest.raises(RuleError) as error:
                ask(cards, Hand.parse(stay or "...."), Hand.parse(go or "...."))
            for words in named:
                assert words in str(error.value)


def test_other_keeps_are_refused():
    cards = Hand.of(PACK[:15])
    with pytest.raises(RuleError, match="has 12 cards; expected 13"):
        check_keep(cards, Hand.of(PACK[:12]))
    with pytest.raises(RuleError) as error:
        check_keep(cards, Hand.of(PACK[3:17]))
    assert len(error.value.faults) == 3
    for words in ("has 14 cards", f"{PACK[15]}, which is not held", f"{PACK[16]}, which is not held"):
        assert words in str(error.value)


@given(packs, rulings, st.randoms(use_true_random=False))
def test_the_exchange_leaves_the_hands_kept(pack, rules, rng):
    south = Hand.of(rng.sample(held(pack, Seat.SOUTH, rules).cards, 13))
    north = Hand.of(rng.sample(held(pack, Seat.NORTH, rules).cards, 13))
    assert exchange(pack, south, north, rules) == Deal(south, north)


def test_an_exchange_names_all_that_is_wrong():
    pack = Pack.shuffled(7)
    undrawn = pack.stock[-1]
    south = Hand.of([*pack.south.cards[1:], undrawn])
    north = Hand.of(pack.north.cards[1:])
    with pytest.raises(RuleError) as error:
        exchange(pack, south, north)
    assert error.value.faults == (
        f"the hand that South keeps has {undrawn}, which is not held",
        "the hand that North keeps has 12 cards; expected 13",
    )
    # What may be held turns on the choice: the upcard goes to the non-dealer or to nobody.
    keeper = pack.dealer.other
    kept = Hand.of([*pack.hand(keeper).cards[1:], pack.upcard])
    keeps = {keeper: kept, pack.dealer: pack.hand(pack.dealer)}
    assert exchange(pack, keeps[Seat.SOUTH], keeps[Seat.NORTH]).hand(keeper) == kept
    with pytest.raises(RuleError, match=f"{pack.upcard}, which is not held"):
        exchange(pack, keeps[Seat.SOUTH], keeps[Seat.NORTH], Rules(upcard_drawn=False))
