"""The search agrees with plain minimax on random positions: value, every card, targets, a card led.

``BRIDGETTE_ORACLE_POSITIONS`` sets how many positions the Python oracle is asked about (10,000 if it is not set, the
larger the hands the fewer); the compiled oracle, checked here against the other, is asked about six times as many.
A long run: ``BRIDGETTE_ORACLE_POSITIONS=200000 pytest tests/test_search_oracle.py``; for millions see verify.py.
"""

import os
import random

import pytest

from solver import search
from solver.cards import Card, Hand, Strain, Suit
from solver.deal import Seat
from solver.double_dummy import at_least, card_values, solve
from solver.play import Position
from solver.rules import Rules
from tests.compiled_oracle import oracle_value
from tests.oracle import Oracle, legal_leads, read_hand
from tests.positions import random_positions
from tests.skewed import skewed_positions
from tests.verify import check_positions

POSITIONS = int(os.environ.get("BRIDGETTE_ORACLE_POSITIONS", "10000"))
SHARES = {1: 0.2, 2: 0.35, 3: 0.3, 4: 0.12, 5: 0.03}
"""The share of the positions by cards a hand: one of 5 cards takes the oracle as long as thirty of 3."""


def position_of(random_position, leader=Seat.SOUTH):
    hands = Hand.parse(random_position.leader_hand), Hand.parse(random_position.follower_hand)
    south, north = hands if leader == Seat.SOUTH else reversed(hands)
    barred = None if random_position.barred is None else Suit.parse(random_position.barred)
    rules = Rules(free_colon_discard=random_position.free_colon_discard)
    return Position(south, north, Strain.parse(random_position.strain), leader, barred, None, rules)


@pytest.mark.parametrize("cards", SHARES)
def test_values_and_cards_of_random_positions(cards):
    rng = random.Random(cards)
    for number, given in enumerate(random_positions(cards, int(POSITIONS * SHARES[cards]), cards, cards)):
        oracle = Oracle(given.strain, given.free_colon_discard)
        leader, follower = read_hand(given.leader_hand), read_hand(given.follower_hand)
        expected = oracle.lead_values(leader, follower, given.barred)
        tricks = max(expected.values())
        seat = Seat(number % 2)
        position = position_of(given, seat)
        assert solve(position).of(seat) == tricks, given
        assert {str(value.card): value.tricks for value in card_values(position)} == expected, given
        assert at_least(position, seat, tricks) and not at_least(position, seat, tricks + 1), given
        led = rng.choice(legal_leads(leader, given.barred))
        under_way = position.after(Card.parse(led)).position
        replies = oracle.reply_values(leader, follower, led)
        assert {str(value.card): value.tricks for value in card_values(under_way)} == replies, (given, led)
        assert solve(under_way).of(seat) == expected[led], (given, led)
        for target in range(cards + 2):
            assert at_least(under_way, seat, target) == (expected[led] >= target), (given, led, target)
            assert at_least(under_way, seat.other, target) == (cards - expected[led] >= target), (given, led, target)


def test_the_compiled_oracle_is_the_oracle():
    for given in random_positions(77, max(POSITIONS // 10, 100), 1, 4):
        barred = -1 if given.barred is None else Suit.parse(given.barred)
        leader, follower = Hand.parse(given.leader_hand), Hand.parse(given.follower_hand)
        strain = Strain.parse(given.strain)
        compiled = oracle_value(leader.mask, follower.mask, len(leader), barred, strain, given.free_colon_discard)
        oracle = Oracle(given.strain, given.free_colon_discard)
        hands = read_hand(given.leader_hand), read_hand(given.follower_hand)
        assert compiled == oracle.tricks(*hands, given.barred), given


@pytest.mark.parametrize("free_colon_discard", [False, True])
@pytest.mark.parametrize(("cards", "share"), [(4, 2), (5, 1), (6, 0.15), (7, 0.01)])
def test_against_the_compiled_oracle(cards, share, free_colon_discard):
    complaints = check_positions(100 + cards, cards, int(POSITIONS * share), free_colon_discard, by_oracle=True)
    assert not complaints, "\n".join(complaints[:20])


@pytest.mark.parametrize("cards", [6, 7, 8])
def test_no_guess_and_no_past_changes_a_value(cards):
    """Any first guess, and a table full of other positions or of another strain's, leads to the same number."""
    warm = search.new_memory(10)
    for leader, follower, barred, strain in skewed_positions(cards, cards, 300).tolist():
        cold = search.new_memory(10)
        value = search.position_value(leader, follower, barred, strain, 0, cold)
        for guess in (-3, cards, cards + 5, value):
            assert search.position_value(leader, follower, barred, strain, guess, warm) == value
