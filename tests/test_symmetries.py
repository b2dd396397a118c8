"""The same game under other names has the same value: suits relabelled, seats swapped, cards of equal worth exchanged.

Each side of a comparison is asked of a solver that has seen nothing: positions that are one in the table would agree.
"""

import itertools
import random

import pytest

from solver.cards import Card, Hand, Rank, Strain, Suit
from solver.deal import Deal, Seat
from solver.double_dummy import Solver
from solver.play import Position
from solver.rules import Rules
from tests.skewed import skewed_positions


def relabelled(hand, to):
    """The hand with suit `s` turned into `to[s]`."""
    return Hand.of(card if card.suit is None else Card(Suit(to[card.suit]), card.rank) for card in hand)


def relabelled_strain(strain, to):
    return strain if strain.suit is None else Suit(to[strain.suit]).strain


def solve(position):
    return Solver(position.rules, table_bits=10).solve(position)


def card_values(position):
    return Solver(position.rules, table_bits=10).card_values(position)


def table_rows(deal):
    return Solver().table(deal).rows


def whole_deals(seed, count):
    rng = random.Random(seed)
    return [Deal.random(rng) for _ in range(count)]


def endings(seed, cards, count):
    for leader, follower, barred, strain in skewed_positions(seed, cards, count).tolist():
        rules = Rules(free_colon_discard=bool(leader & 1))
        bar = None if barred < 0 else Suit(barred)
        yield Position(Hand(leader), Hand(follower), Strain(strain), Seat.SOUTH, bar, None, rules)


def test_suits_relabelled_in_whole_deals():
    for deal in whole_deals(seed=1, count=4):
        rows = table_rows(deal)
        for to in itertools.permutations(range(4)):
            other = table_rows(Deal(relabelled(deal.south, to), relabelled(deal.north, to)))
            for seat, strain in itertools.product(Seat, Strain):
                assert other[seat][relabelled_strain(strain, to)] == rows[seat][strain], (deal, to)


@pytest.mark.parametrize("cards", [3, 5, 8])
def test_suits_relabelled_in_endings(cards):
    for position in endings(cards, cards, 40):
        tricks = solve(position)
        for to in itertools.permutations(range(4)):
            other = Position(
                relabelled(position.south, to),
                relabelled(position.north, to),
                relabelled_strain(position.strain, to),
                position.to_lead,
                None if position.barred is None else Suit(to[position.barred]),
                None,
                position.rules,
            )
            assert solve(other) == tricks, (position, to)


def test_seats_swapped_in_whole_deals():
    for deal in whole_deals(seed=2, count=40):
        assert table_rows(deal) == table_rows(Deal(deal.north, deal.south))[::-1], deal


@pytest.mark.parametrize("cards", [2, 5, 9])
def test_seats_swapped_in_endings(cards):
    for position in endings(cards + 10, cards, 150):
        swapped = Position(
            position.north, position.south, position.strain, Seat.NORTH, position.barred, None, position.rules
        )
        assert solve(position) == solve(swapped)[::-1], position
        assert card_values(position) == card_values(swapped), position


def same_worth(rng, position):
    """The position with each card moved to another rank that is worth the same: same order in the suit, same range.

    A range matters where its colon is in one of the hands; only then is it kept.
    """
    held = position.south | position.north
    colons = {colon.range for colon in held.colons}
    renamed = {}
    for suit in Suit:
        cards = sorted(held.of_suit(suit), key=lambda card: card.rank)
        ways = [
            ranks
            for ranks in itertools.combinations(sorted(Rank), len(cards))
            if all(
                (card.rank.range == rank.range) or not {card.rank.range, rank.range} & colons
                for card, rank in zip(cards, ranks, strict=True)
            )
        ]
        ranks = rng.choice(ways)
        renamed |= {card: Card(suit, rank) for card, rank in zip(cards, ranks, strict=True)}

    def rename(hand):
        return Hand.of(renamed.get(card, card) for card in hand)

    return Position(
        rename(position.south),
        rename(position.north),
        position.strain,
        position.to_lead,
        position.barred,
        None,
        position.rules,
    )


@pytest.mark.parametrize("cards", [2, 4, 6, 9])
def test_cards_of_equal_worth_exchanged(cards):
    rng = random.Random(cards)
    changed = 0
    for position in endings(cards + 20, cards, 100):
        other = same_worth(rng, position)
        changed += other != position
        assert solve(other) == solve(position), (position, other)
        values = [value.tricks for value in card_values(position)]
        assert [value.tricks for value in card_values(other)] == values, (position, other)
    assert changed > 60


def test_neighbours_in_one_range_are_worth_the_same():
    """Two touching cards of one hand and range (no card of the other hand between them) lead to the same tricks."""
    pairs = 0
    for position in endings(31, 7, 150):
        values = {value.card: value.tricks for value in card_values(position)}
        for card, higher in itertools.combinations(sorted(card for card in values if card.suit is not None), 2):
            between = [
                each
                for each in position.north
                if each.suit == card.suit == higher.suit and card.index < each.index < higher.index
            ]
            if card.suit == higher.suit and card.range == higher.range and not between:
                assert values[card] == values[higher], (position, card, higher)
                pairs += 1
    assert pairs > 100
