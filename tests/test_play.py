"""The play: every known answer, the law as the oracle states it, and random whole games played to the end."""

import json
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cards import PACK, Card, Hand, Strain, Suit, parse_cards
from solver.deal import Deal, Seat
from solver.errors import RuleError
from solver.play import (
    Position,
    legal_leads,
    legal_replies,
    matching_colon,
    replay,
    reply_wins,
    suit_barred_by,
)
from solver.rules import Rules
from tests import oracle
from tests.positions import random_positions

RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "legal_play.jsonl").open()]


def records(kind):
    return [pytest.param(record, id=record["note"]) for record in RECORDS if record["kind"] == kind]


def texts(cards):
    return {str(card) for card in cards}


def suit_of(text):
    return None if text is None else Suit.parse(text)


def letter(suit):
    return None if suit is None else suit.letter


def filled_up(hand, taken, size):
    """An opponent's hand of `size` cards for a hand."""
    return Hand.of([card for card in PACK if card not in hand and card not in taken][:size])


@pytest.mark.parametrize("record", records("leads"))
def test_known_leads(record):
    hand, barred = Hand.parse(record["hand"]), suit_of(record["barred"])
    assert texts(legal_leads(hand, barred)) == set(record["legal"])
    position = Position(filled_up(hand, (), len(hand)), hand, Strain.HEARTS, Seat.NORTH, barred)
    assert texts(position.legal()) == set(record["legal"])


@pytest.mark.parametrize("record", records("replies"))
def test_known_replies(record):
    hand, led = Hand.parse(record["hand"]), Card.parse(record["led"])
    rules = Rules(free_colon_discard=record["free_colon_discard"])
    assert texts(legal_replies(hand, led, rules)) == set(record["legal"])
    leader = filled_up(hand, [led], len(hand) - 1) | Hand.of([led])
    position = Position(leader, hand, Strain.HEARTS, Seat.SOUTH, led=led, rules=rules)
    assert position.to_play is Seat.NORTH
    assert texts(position.legal()) == set(record["legal"])


@pytest.mark.parametrize("record", records("trick"))
def test_known_tricks(record):
    led, reply, strain = Card.parse(record["led"]), Card.parse(record["reply"]), Strain.parse(record["strain"])
    assert reply_wins(led, reply, strain) == record["winner"]
    assert letter(suit_barred_by(led, reply)) == record["barred_next"]
    for leader in Seat:
        hands = {leader: Hand.of([led]), leader.other: Hand.of([reply])}
        start = Position(hands[Seat.SOUTH], hands[Seat.NORTH], strain, leader)
        position, winner = start.after(led)
        assert winner is None
        position, winner = position.after(reply)
        assert winner is (leader.other if record["winner"] else leader)
        assert (position.to_lead, letter(position.barred), position.led) == (winner, record["barred_next"], None)
        assert position.is_over


@pytest.mark.parametrize("led", PACK, ids=str)
def test_every_trick_of_two_cards(led):
    for reply in PACK:
        if reply == led:
            continue
        assert letter(suit_barred_by(led, reply)) == oracle.bars(str(led), str(reply))
        for strain in Strain:
            assert reply_wins(led, reply, strain) != oracle.leader_wins(str(led), str(reply), strain.letter)


@given(st.sets(st.sampled_from(PACK), min_size=1), st.sampled_from([None, *Suit]))
def test_leads_from_any_hand(cards, barred):
    expected = oracle.legal_leads(frozenset(texts(cards)), letter(barred))
    assert texts(legal_leads(Hand.of(cards), barred)) == set(expected)


@given(st.sets(st.sampled_from(PACK), min_size=1, max_size=8), st.sampled_from(PACK), st.booleans())
def test_replies_from_any_hand(cards, led, free):
    expected = oracle.legal_replies(frozenset(texts(cards)), str(led), free)
    assert texts(legal_replies(Hand.of(cards), led, Rules(free_colon_discard=free))) == set(expected)


def test_replies_are_by_the_default_rules_unless_told():
    assert texts(legal_replies(Hand.parse("..AK..L"), Card.parse("SA"))) == {"DA", "DK"}


def test_the_matching_colon():
    for card in PACK[:52]:
        assert str(matching_colon(card)) == ":" + oracle.RANGE_OF_RANK[str(card)[1]]


def starts(rng, rules):
    """Whole random deals about to be played, and endings rich in colons, some with a suit barred to the lead."""
    for _ in range(100):
        yield Position.opening(Deal.random(rng), rng.choice(list(Strain)), rng.choice(list(Seat)), rules)
    for drawn in random_positions(rng.randrange(10**6), 200, 1, 8):
        hands = [Hand.parse(drawn.leader_hand), Hand.parse(drawn.follower_hand)]
        leader = rng.choice(list(Seat))
        south, north = hands if leader is Seat.SOUTH else reversed(hands)
        yield Position(south, north, Strain.parse(drawn.strain), leader, suit_of(drawn.barred), rules=rules)


@pytest.mark.parametrize("free", [False, True])
def test_random_whole_games(free):
    """As many tricks as cards, every card played once, and at each card the law as the oracle states it."""
    rng = random.Random(11)
    rules = Rules(free_colon_discard=free)
    bars_seen = forced_bars_seen = 0
    for start in starts(rng, rules):
        position, size, strain = start, start.size, start.strain
        hands = {seat: frozenset(texts(start.hand(seat))) for seat in Seat}
        leader, barred, led, played, winners = start.to_lead, letter(start.barred), None, [], []
        while not position.is_over:
            seat = leader if led is None else leader.other
            assert (position.to_play, position.to_lead, letter(position.barred)) == (seat, leader, barred)
            if led is None:
                legal = oracle.legal_leads(hands[seat], barred)
                bars_seen += len(legal) < len(hands[seat])
                forced_bars_seen += barred is not None and {card[0] for card in hands[seat]} == {barred}
            else:
                legal = oracle.legal_replies(hands[seat], led, free)
            assert texts(position.legal()) == set(legal)
            colons = [card for card in legal if card[0] == ":"]
            card = rng.choice(colons if led is not None and colons and rng.random() < 0.8 else legal)
            played.append(Card.parse(card))
            position, winner = position.after(played[-1])
            assert all(
                texts(position.hand(s)) == hands[s] - ({led, card} if winner is not None else set()) for s in Seat
            )
            if led is None:
                assert winner is None
                led = card
                continue
            won = leader if oracle.leader_wins(led, card, strain.letter) else leader.other
            assert winner is won
            winners.append(won)
            hands = {s: hands[s] - {led, card} for s in Seat}
            leader, barred, led = won, oracle.bars(led, card), None
        assert Hand.of(played) == start.south | start.north
        assert len(winners) == size
        record = replay(start, played)
        assert [trick.winner for trick in record.tricks] == winners
        assert record.tricks_won(Seat.SOUTH) + record.tricks_won(Seat.NORTH) == size
        assert record.tricks_won(Seat.NORTH) == winners.count(Seat.NORTH)
        assert record.end == position and record.positions[0] == start and len(record.positions) == len(played) + 1
        assert position.legal() == Hand()
    assert bars_seen > 50
    assert forced_bars_seen > 0


def test_a_whole_deal_starts_with_the_declarers_opponent():
    deal = Deal.random(1)
    for declarer in Seat:
        start = Position.opening(deal, Strain.HEARTS, declarer)
        assert (start.to_lead, start.to_play, start.barred, start.led) == (declarer.other, declarer.other, None, None)
        assert (start.south, start.north, start.strain, start.size) == (deal.south, deal.north, Strain.HEARTS, 13)
        assert start.legal() == deal.hand(declarer.other)


def test_a_position_under_way_replays_from_the_reply():
    start = Position(
        Hand.parse("AK...."), Hand.parse("32...."), Strain.NOTRUMP, Seat.SOUTH, led=Card.parse("SA"), rules=Rules()
    )
    record = replay(start, parse_cards("S2 SK S3"))
    assert [str(trick) for trick in record.tricks] == ["S SA, N S2: S wins", "S SK, N S3: S wins"]
    assert record.end.is_over


def test_a_trick_is_written_with_what_it_bars():
    start = Position(Hand.parse("A.K..."), Hand.parse(".2...G"), Strain.NOTRUMP, Seat.SOUTH)
    record = replay(start, parse_cards("SA :G HK H2"))
    assert [str(trick) for trick in record.tricks] == ["S SA, N :G: S wins, spades barred", "S HK, N H2: S wins"]
    assert record.tricks[0].bars is Suit.SPADES


def test_a_position_with_the_card_led_keeps_it_in_its_players_hand():
    start = Position(Hand.parse("AK...."), Hand.parse("32...."), Strain.NOTRUMP, Seat.SOUTH)
    position, _ = start.after(Card.parse("SK"))
    assert position == Position(
        start.south, start.north, start.strain, start.to_lead, led=Card.parse("SK"), rules=start.rules
    )
    assert position.size == 2
    assert pickle.loads(pickle.dumps(position)) == position


@pytest.mark.parametrize(
    ("south", "north", "barred", "led", "named"),
    [
        ("AK....", "Q....", None, None, ["South has 2 cards and North 1; expected as many each"]),
        ("AK....", "KQ....", None, None, ["SK is in both hands"]),
        ("AK....", "AK32....", None, None, ["South has 2 cards and North 4", "SA is in both", "SK is in both"]),
        ("AK....", "32....", None, "S3", ["S3 led by South: not in the hand AK...."]),
        ("AK....", "32....", None, "HA", ["HA led by South: not in the hand"]),
        ("A.K...", "32....", "S", "SA", ["SA led by South: that suit is barred; expected one of HK"]),
        ("AK....", "3....", "S", "H2", ["South has 2 cards and North 1", "H2 led by South"]),
        (
            "AKQJT98765432.A...",
            ".KQJT98765432.AK..",
            None,
            None,
            ["South has 14 cards; expected at most 13", "North has 14 cards"],
        ),
    ],
)
def test_all_that_is_wrong_with_a_position_is_named_at_once(south, north, barred, led, named):
    card = None if led is None else Card.parse(led)
    with pytest.raises(RuleError) as error:
        Position(Hand.parse(south), Hand.parse(north), Strain.SPADES, Seat.SOUTH, suit_of(barred), card)
    assert len(error.value.faults) == len(named)
    for fault, words in zip(error.value.faults, named, strict=True):
        assert words in fault


def test_a_barred_suit_may_be_led_when_there_is_nothing_else():
    position = Position(Hand.parse("AK...."), Hand.parse("32...."), Strain.SPADES, Seat.SOUTH, Suit.SPADES)
    assert texts(position.legal()) == {"SA", "SK"}
    led = Position(position.south, position.north, position.strain, Seat.SOUTH, Suit.SPADES, Card.parse("SA"))
    assert position.after(Card.parse("SA")).position == led


@pytest.mark.parametrize(
    ("position", "card", "message"),
    [
        (("A.K...", "2.3...", None, None), "S2", r"S2 led by South: not in the hand A\.K\.\.\."),
        (("A.K...", "2.3...", "S", None), "SA", "SA led by South: that suit is barred; expected one of HK"),
        (("A.K...", "2.3...", None, "SA"), "H3", "H3 played by North to SA: expected one of S2"),
        (("A.K...", "2....G", None, "SA"), "HK", "HK played by North to SA: not in the hand"),
        (("A.K...", ".3...L", None, "SA"), ":L", "expected one of H3"),
        (("A.K...", "2....L", None, "SA"), ":L", "expected one of S2"),
        (("A.K..2.", "2....GL", None, "SA"), ":L", "expected one of S2 :G"),
    ],
)
def test_an_unlawful_card_is_refused_with_what_was_expected(position, card, message):
    south, north, barred, led = position
    start = Position(
        Hand.parse(south),
        Hand.parse(north),
        Strain.SPADES,
        Seat.SOUTH,
        suit_of(barred),
        None if led is None else Card.parse(led),
    )
    with pytest.raises(RuleError, match=message):
        start.after(Card.parse(card))


def test_every_unlawful_card_is_refused():
    for random_one in random_positions(3, 60):
        leader, follower = Hand.parse(random_one.leader_hand), Hand.parse(random_one.follower_hand)
        rules = Rules(free_colon_discard=random_one.free_colon_discard)
        strain = Strain.parse(random_one.strain)
        position = Position(leader, follower, strain, Seat.SOUTH, suit_of(random_one.barred), rules=rules)
        for start in (position, position.after(position.legal().cards[0]).position):
            for card in PACK:
                if card in start.legal():
                    start.after(card)
                else:
                    with pytest.raises(RuleError, match=str(card)):
                        start.after(card)


def test_nothing_may_be_played_after_the_end():
    end = Position(Hand(), Hand(), Strain.SPADES, Seat.SOUTH)
    assert end.is_over
    with pytest.raises(RuleError, match="SA led by South: not in the hand"):
        end.after(Card.parse("SA"))


@pytest.mark.parametrize(
    ("cards", "named"),
    [
        ("S2", ["card 1, trick 1: S2 led by South: not in the hand"]),
        ("SA H3", ["card 2, trick 1: H3 played by North to SA: expected one of S2"]),
        ("SA S2 H3", ["card 3, trick 2: H3 led by South: not in the hand"]),
        ("SA D2 HK :G", ["card 2, D2: in neither hand", "card 4, :G: in neither hand"]),
    ],
)
def test_a_replay_names_the_card_and_the_trick(cards, named):
    start = Position(Hand.parse("A.K..."), Hand.parse("2.3..."), Strain.SPADES, Seat.SOUTH)
    with pytest.raises(RuleError) as error:
        replay(start, parse_cards(cards))
    assert len(error.value.faults) == len(named)
    for fault, words in zip(error.value.faults, named, strict=True):
        assert words in fault


def test_a_replay_refuses_a_card_twice():
    start = Position(Hand.parse("A.K..."), Hand.parse("2.3..."), Strain.SPADES, Seat.SOUTH)
    ace, two = parse_cards("SA S2")
    with pytest.raises(RuleError) as error:
        replay(start, [ace, two, ace, two])
    assert error.value.faults == ("card 3, SA: played before", "card 4, S2: played before")
    led = start.after(ace).position
    with pytest.raises(RuleError, match="card 1, SA: in neither hand"):
        replay(led, [ace])


def test_a_replay_may_stop_anywhere():
    start = Position(Hand.parse("A.K..."), Hand.parse("2.3..."), Strain.SPADES, Seat.SOUTH)
    assert replay(start, ()).end == start
    record = replay(start, parse_cards("SA S2 HK"))
    assert record.end.led == Card.parse("HK")
    assert len(record.tricks) == record.tricks_won(Seat.SOUTH) == 1
