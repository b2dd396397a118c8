"""Deals and games under way: whose turn it is, decisions added and taken back, what is refused and by which rule."""

import os
import stat
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from advisor.deal_in_play import (
    Decision,
    Turn,
    calling,
    deal_open,
    decided,
    hand_of,
    keeping,
    kept_by,
    playing,
    position_of,
    taken_back,
    tricks_won,
    turn,
)
from advisor.game_in_play import GameInPlay, write_whole
from advisor.players import decide, player_named
from solver.auction import PASS, Auction, parse_call
from solver.cards import Card, Hand
from solver.deal import Deal, Seat
from solver.errors import BridgetteError, RuleError
from solver.exchange import Role
from solver.record import Played, Record
from solver.record_text import read_records, record_text
from solver.rules import Rules
from tests.random_records import OTHER_RULES, random_record


def decisions(record):
    """The decisions of a whole record in the order in which they were made."""
    dealer = record.dealer
    yield from (record.deal.hand(seat) for seat in (dealer.other, dealer))
    yield from record.auction.calls
    yield from () if record.played is None else record.played.cards


@pytest.mark.parametrize("seed", range(8))
def test_a_deal_step_by_step_and_back(seed):
    whole = random_record(seed, passed_out=seed == 7)
    record = Record.of_pack(whole.pack, whole.rules)
    states = [record]
    for value in decisions(whole):
        now = turn(record)
        assert now is not None
        if now.decision == Decision.KEEP:
            assert now.seat == (whole.dealer.other if len(states) == 1 else whole.dealer)
        record = decided(record, value)
        states.append(record)
        # What is on disk after every decision is all there is.
        assert read_records(record_text(record)) == (record,)
    assert turn(record) is None
    assert record == whole
    for before in reversed(states[:-1]):
        record = taken_back(record)
        assert record == before
    assert taken_back(record) is None


def test_hands_as_they_are_now():
    whole = random_record(3, Rules())
    record = Record.of_pack(whole.pack, whole.rules)
    non_dealer = whole.dealer.other
    assert len(hand_of(record, non_dealer)) == 15 and kept_by(record, non_dealer) is None
    assert deal_open(record) is None
    record = keeping(record, whole.deal.hand(non_dealer))
    assert hand_of(record, non_dealer) == kept_by(record, non_dealer) == whole.deal.hand(non_dealer)
    record = keeping(record, whole.deal.hand(whole.dealer))
    assert deal_open(record) == whole.deal
    cards = whole.played.cards[:5]
    record = replace(whole, played=Played(whole.played.leader, cards), result=None, south_points=None)
    assert (hand_of(record, Seat.SOUTH) | hand_of(record, Seat.NORTH)) == (
        (whole.deal.south | whole.deal.north) - Hand.of(cards)
    )
    assert sum(tricks_won(record).values()) == 2 and position_of(record).led == cards[4]


HANDS = Deal.parse("S:AKQ2.AKQ.K32.QJT. JT98.JT9.QJT.K2.R")
RECORD = Record(dealer=Seat.SOUTH, deal=HANDS, auction=Auction(Seat.SOUTH))


@pytest.mark.parametrize(
    ("calls", "call", "rule"),
    [
        ("1S", "1C", "1C: too low; expected more than 1S"),
        ("", "X", "X: no bid of the opponent's to double"),
        ("1S 2C", "XX", "XX: no double of the own bid to redouble"),
        ("", "2H", "a jump to 2H needs 4 hearts"),
        ("1C", "2D", "a jump 4"),
    ],
)
def test_an_illegal_call_is_refused_with_its_rule(calls, call, rule):
    record = replace(RECORD, auction=Auction.parse(calls, Seat.SOUTH))
    with pytest.raises(RuleError) as refused:
        calling(record, parse_call(call))
    assert rule in str(refused.value)


def test_a_bid_without_the_cards_is_refused_with_its_rule():
    deal = Deal.parse("S:AKQ2.AKQ.K5432.Q. JT98.JT9.QJT.K2.R")
    record = replace(RECORD, deal=deal)
    with pytest.raises(RuleError, match=r"1C needs 2 clubs .*a suit bid needs 2 cards of it, a jump 4"):
        calling(record, parse_call("1C"))
    with pytest.raises(RuleError, match="no trump needs a card of each suit"):
        calling(replace(record, deal=Deal.parse("S:AKQ2.AKQ.K65432.. JT98.JT9.QJT.K2.R")), parse_call("1NT"))


@pytest.mark.parametrize(
    ("played", "card", "rule"),
    [
        ("", "SA", "SA is not in the hand"),
        ("SJ", "HA", "you hold spades and must follow suit, or play the colon of the range of SJ"),
        ("SJ SA SK :R", "S2", "spades may not be led to this trick, a matching colon was just played"),
        ("SJ SA SK :R HA H9 C2 S9", "", ""),
    ],
)
def test_an_illegal_card_is_refused_with_its_rule(played, card, rule):
    record = calling(calling(RECORD, parse_call("1S")), PASS)
    for each in [Card.parse(word) for word in played.split()][: 4 if card else 3]:
        record = playing(record, each)
    with pytest.raises(RuleError) as refused:
        playing(record, Card.parse(card or "C9"))
    assert rule in str(refused.value)


def test_a_colon_that_does_not_match_is_refused_with_its_rule():
    deal = Deal.parse("S:AKQ2.AKQ.K65.QJT. JT98.JT9.QJ432..R")
    record = calling(calling(replace(RECORD, deal=deal), parse_call("1S")), PASS)
    for word in ("SJ", "SA", "CT"):
        record = playing(record, Card.parse(word))
    with pytest.raises(RuleError, match=":R: a colon that does not match CT may be thrown only when nothing else is"):
        playing(record, Card.parse(":R"))


def test_the_wrong_kind_of_decision_is_refused():
    record = Record.of_pack(random_record(1).pack)
    with pytest.raises(RuleError, match="expected thirteen cards to keep"):
        decided(record, PASS)
    with pytest.raises(RuleError, match="expected thirteen cards to keep"):
        decided(record, Card.parse("SA"))
    with pytest.raises(RuleError, match="has 12 cards; expected 13"):
        keeping(record, Hand.of(record.held(turn(record).seat).cards[:12]))
    with pytest.raises(RuleError, match="the deal is over"):
        decided(random_record(1), PASS)


def played_out(seed, names=("random", "random"), rules=None):
    rules = rules or Rules()
    game = GameInPlay.begin(seed, names, rules)
    players = [player_named(name, seed=place) for place, name in enumerate(names)]
    while not (turn(game.current) is None and game.is_over):
        now = turn(game.current)
        if now is None:
            game = game.next_deal()
        else:
            value = decide(players[now.seat], game.current, now.seat, game.standing(now.seat))
            game = game.with_current(decided(game.current, value))
    return game


@pytest.mark.parametrize("rules", [Rules(), OTHER_RULES, Rules(redeal_passed_out=True)])
def test_whole_games(rules):
    for seed in range(3):
        game = played_out(str(seed), rules=rules)
        assert GameInPlay.read(game.text()) == game
        assert game.game.counted >= 6 and game.game.winner in Seat
        dealers = [record.dealer for record in game.records]
        if not rules.redeal_passed_out:
            assert all(first != second for first, second in pairwise(dealers))
        assert game.standing(Seat.SOUTH).mine == sum(max(0, record.south_points) for record in game.records[:-1])


def test_the_same_seed_deals_the_same_packs_whoever_plays():
    first, second = GameInPlay.begin("x", ("a", "b")), GameInPlay.begin("x", ("b", "a"))
    assert first.current.pack == second.current.pack
    assert GameInPlay.begin("y", ("a", "b")).current.pack != first.current.pack


def test_a_tie_after_six_deals_is_broken_by_a_seventh():
    game = GameInPlay.begin("tie", ("a", "b"))
    for _ in range(6):
        record = game.current
        for seat in (record.dealer.other, record.dealer):
            record = keeping(record, Hand.of(record.held(seat).cards[:13]))
        game = game.with_current(calling(calling(record, PASS), PASS))
        assert not game.is_over
        game = game.next_deal()
    assert game.title() == "Deal 7, to break the tie"
    assert game.current.dealer == game.records[0].dealer


def test_what_is_no_game_is_refused():
    game = played_out("3")
    text = game.text()
    with pytest.raises(BridgetteError, match="of another game"):
        GameInPlay.read(text.replace('[Seed "3"]', '[Seed "4"]', 1))
    with pytest.raises(BridgetteError, match=r"no \[Seed\]"):
        GameInPlay.read('[Dealer "S"]')
    with pytest.raises(BridgetteError, match="is not played to its end"):
        first = record_text(Record.of_pack(game.records[0].pack, other=game.records[0].other))
        GameInPlay.read(first + "\n" + text)
    with pytest.raises(BridgetteError, match="that decided the game"):
        GameInPlay.read(text + "\n" + record_text(game.records[0]))


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "game.pbn"
    write_whole(path, "old")

    def fails(source, target):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", fails)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, "new and longer")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_takes_no_file_is_refused_and_stays(tmp_path):
    pipe, link, target = tmp_path / "pipe", tmp_path / "link", tmp_path / "target"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, tmp_path / "nowhere" / "game.pbn", Path("."), Path("a\0b"), tmp_path / ("x" * 5000)):
        with pytest.raises(BridgetteError, match="expected a file to write"):
            write_whole(path, "text")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink() and target.read_text() == "new"


@pytest.mark.parametrize("name", ["advisor", "blueprint", "greedy", "random"])
def test_players_play_a_deal_within_the_law(name):
    record = Record.of_pack(random_record(2, Rules()).pack)
    player = player_named(name, samples=4)
    while (now := turn(record)) is not None:
        record = decided(record, decide(player, record, now.seat))
    assert record.result is not None or record.passed_out


def test_turns_are_told_by_seat_and_role():
    record = Record.of_pack(random_record(1).pack)
    assert turn(record) == Turn(record.dealer.other, Decision.KEEP)
    assert Role.of(turn(record).seat, record.dealer) == Role.NONDEALER


def test_unknown_players_are_refused():
    with pytest.raises(BridgetteError, match="'nobody' is not a player; expected one of advisor"):
        player_named("nobody")
