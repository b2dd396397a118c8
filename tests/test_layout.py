"""How the search writes a position: played card by card, it comes to the same as the hands written anew."""

import random

import pytest
from numba import njit

from solver import search
from solver.cards import Card, Hand, Strain, Suit
from solver.deal import Seat
from solver.play import Position, reply_wins, suit_barred_by
from solver.rules import Rules
from solver.search import alpha_beta
from solver.search.alpha_beta import (
    BARS,
    COLON,
    DEAD_COLON,
    INDEX,
    POSITION,
    WINS,
)
from solver.search.layout import (
    BARRED,
    COUNT_MINE,
    LENGTH,
    OWNERS,
    SURE_HIS,
    SURE_MINE,
    TOP_HIS,
    TOP_MINE,
    pattern_table,
    written,
)
from solver.search.memory import REPLY_DOMINANCE, TOUCHING_CARDS
from solver.search.moves import turned_cards, turned_marks
from tests.skewed import skewed_positions

EVERY_CARD = TOUCHING_CARDS | REPLY_DOMINANCE
SPACE = 64  # where the moves may be written in a memory


# The kernel's inner functions take the bare address of a memory, which only compiled code can hand on.
@njit
def after_lead(cards, marks, lead, memory):
    return alpha_beta.after_lead(cards, marks, lead, memory.ctypes)


@njit
def after_reply(cards, marks, lead, reply, memory):
    return alpha_beta.after_reply(cards, marks, lead, reply, memory.ctypes)


@njit
def generate_leads(cards, marks, at, memory):
    return alpha_beta.generate_leads(cards, marks, at, memory.ctypes)


@njit
def generate_replies(cards, marks_before, marks, lead, left, trump, at, memory):
    return alpha_beta.generate_replies(cards, marks_before, marks, lead, left, trump, at, memory.ctypes)


def write(mine: Hand, his: Hand, barred: Suit | None = None) -> tuple[int, int]:
    return written(mine.mask, his.mask, -1 if barred is None else barred)


def move_of(card: Card, holder: Hand, other: Hand, marks: int) -> int:
    """The search's move for a card that a player holds, without what the reply does."""
    if card.suit is None:
        alive = marks >> (OWNERS + 2 * card.range) & 3
        return COLON + card.range if alive else DEAD_COLON
    below = [each for each in holder | other if each.suit == card.suit and each.index < card.index]
    index = sum(each in holder for each in below)
    return card.suit | len(below) << POSITION | index << INDEX


def positions(cards, count, seed, rules):
    for leader, follower, barred, strain in skewed_positions(seed, cards, count).tolist():
        bar = None if barred < 0 else Suit(barred)
        yield Position(Hand(leader), Hand(follower), Strain(strain), Seat.SOUTH, bar, None, rules)


@pytest.mark.parametrize("cards", [1, 2, 4, 7, 13])
@pytest.mark.parametrize("free_colon_discard", [False, True])
def test_playing_a_trick_comes_to_the_hands_written_anew(cards, free_colon_discard):
    rng = random.Random(cards)
    rules = Rules(free_colon_discard=free_colon_discard)
    memory = search.new_memory(8, free_colon_discard)
    for start in positions(cards, 400, seed=cards, rules=rules):
        position = start
        mine, his = position.hand(position.to_lead), position.hand(position.to_lead.other)
        state = write(mine, his, position.barred)
        while not position.is_over:
            mine, his = position.hand(position.to_lead), position.hand(position.to_lead.other)
            lead_of_trick = position.to_lead
            led = rng.choice(position.legal().cards)
            lead = move_of(led, mine, his, state[1])
            position = position.after(led).position
            reply_card = rng.choice(position.legal().cards)
            state = after_lead(*state, lead, memory)
            if not led.is_colon:
                assert state == write(mine - Hand.of([led]), his), (start, led)
            bars = suit_barred_by(led, reply_card) is not None
            # the marks before the lead tell whether a colon that matches it was alive
            marks = write(mine, his)[1]
            reply = move_of(reply_card, his, mine - Hand.of([led]), marks) | (BARS if bars else 0)
            state = after_reply(*state, lead, reply, memory)
            position, winner = position.after(reply_card)
            if winner != lead_of_trick:
                state = turned_cards(state[0]), turned_marks(state[1])
            mine, his = position.hand(position.to_lead), position.hand(position.to_lead.other)
            assert state == write(mine, his, position.barred), (start, led, reply_card)


@pytest.mark.parametrize("cards", [1, 3, 6, 13])
def test_the_other_player_sees_the_same_cards(cards):
    for position in positions(cards, 500, seed=9, rules=Rules()):
        south, north = position.south, position.north
        ours, marks = write(south, north)
        assert (turned_cards(ours), turned_marks(marks)) == write(north, south)


@pytest.mark.parametrize("cards", [1, 2, 4, 7, 13])
@pytest.mark.parametrize("free_colon_discard", [False, True])
def test_the_search_tries_the_legal_cards_and_knows_what_they_do(cards, free_colon_discard):
    rules = Rules(free_colon_discard=free_colon_discard)
    memory = search.new_memory(8, free_colon_discard, EVERY_CARD)
    for position in positions(cards, 150, seed=cards + 20, rules=rules):
        mine, his = position.south, position.north
        state = write(mine, his, position.barred)
        if position.legal().mask & (8191 << (13 * (position.barred or 0))) and position.barred is not None:
            state = write(mine, his)  # a bar that forbids nothing is taken away before
        leads = [int(memory[SPACE + place]) for place in range(generate_leads(*state, SPACE, memory))]
        legal = {move_of(card, mine, his, state[1]): card for card in position.legal()}
        assert sorted(leads) == sorted(legal), position
        for lead, led in legal.items():
            led_state = after_lead(*state, lead, memory)
            number = generate_replies(
                led_state[0], state[1], led_state[1], lead, cards, position.strain, SPACE + 32, memory
            )
            replies = [int(memory[SPACE + 32 + place]) for place in range(number)]
            expected = set()
            for card in position.after(led).position.legal():
                move = move_of(card, his, mine - Hand.of([led]), state[1])
                if reply_wins(led, card, position.strain):
                    move |= WINS
                if suit_barred_by(led, card) is not None:
                    move |= BARS
                expected.add(move)
            assert sorted(replies) == sorted(expected), (position, led)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # ranks that are gone from both hands leave no trace
        (("A4...A.", "32...7."), ("Q5...4.", "42...2.")),
        # no colon: ranges are forgotten
        (("AK....", "QJ...."), ("54....", "32....")),
        # a colon with no card of its range in the other hand is dead, and dead colons are alike
        (("A....G", "K2...."), ("A....L", "KQ....")),
        # the range of a card counts only where the other hand has its colon
        (("A2....", "K....G"), ("AJ....", "Q....G")),
    ],
)
def test_positions_that_are_one(one, other):
    assert write(*map(Hand.parse, one)) == write(*map(Hand.parse, other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("A....", "K...."), ("K....", "A....")),
        (("A2....", "K....G"), ("K2....", "Q....G")),
        (("32....", "4....L"), ("J2....", "Q....L")),
        (("AK....", "Q....R"), ("AQ....", "K....G")),
        (("2....G", "A....L"), ("2....L", "A....G")),
        (("A....G", "K2...."), ("AQ....", "K2....")),
    ],
)
def test_positions_that_are_not_one(one, other):
    assert write(*map(Hand.parse, one)) != write(*map(Hand.parse, other))


def test_a_bar_is_part_of_the_position():
    hands = Hand.parse("A2.K..."), Hand.parse("K3.4...")
    states = [write(*hands, barred) for barred in (None, *Suit)]
    assert len(set(states)) == 5
    assert [state[1] >> BARRED & 7 for state in states] == [0, 1, 2, 3, 4]


def largest_matching(cards: list[bool], player: bool) -> int:
    """How many of the player's cards (from low to high, whose) pair off with a higher card of the other's each."""
    mine = [place for place, holder in enumerate(cards) if holder == player]
    his = [place for place, holder in enumerate(cards) if holder != player]
    partner: dict[int, int] = {}

    def pair(card: int, seen: set[int]) -> bool:
        for higher in his:
            if higher > card and higher not in seen:
                seen.add(higher)
                if higher not in partner or pair(partner[higher], seen):
                    partner[higher] = card
                    return True
        return False

    return sum(pair(card, set()) for card in mine)


def test_table_by_suit_pattern():
    table = pattern_table()
    for length in range(10):
        for owners in range(1 << length):
            cards = [bool(owners >> place & 1) for place in range(length)]
            info = int(table[owners | 1 << length])
            top_mine = next((place for place, mine in enumerate(reversed(cards)) if not mine), length)
            top_his = next((place for place, mine in enumerate(reversed(cards)) if mine), length)
            expected = {
                LENGTH: length,
                COUNT_MINE: sum(cards),
                TOP_MINE: top_mine,
                TOP_HIS: top_his,
                SURE_MINE: sum(cards) - largest_matching(cards, True),
                SURE_HIS: length - sum(cards) - largest_matching(cards, False),
            }
            assert {field: info >> field & 15 for field in expected} == expected, cards
