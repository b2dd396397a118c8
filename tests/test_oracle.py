"""The oracle itself agrees with known answers made by others; the random positions are what they claim to be."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.oracle import (
    Oracle,
    bars,
    leader_wins,
    legal_leads,
    legal_replies,
    oracle_tricks,
    oracle_tricks_led,
    read_hand,
    write_hand,
)
from tests.positions import random_positions

DATA = Path(__file__).parent / "data"


def records(name):
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def test_agrees_with_known_answers_of_up_to_five_cards():
    checked = 0
    for record in records("play_small.jsonl"):
        if len(read_hand(record["leader_hand"])) > 5:
            continue
        tricks = record.pop("tricks")
        assert oracle_tricks(**record) == tricks, record
        checked += 1
    assert checked > 1000


def test_legal_play_and_winners_agree_with_known_answers():
    for record in records("legal_play.jsonl"):
        match record["kind"]:
            case "leads":
                assert set(legal_leads(read_hand(record["hand"]), record["barred"])) == set(record["legal"]), record
            case "replies":
                replies = legal_replies(read_hand(record["hand"]), record["led"], record["free_colon_discard"])
                assert set(replies) == set(record["legal"]), record
            case "trick":
                led, reply = record["led"], record["reply"]
                assert leader_wins(led, reply, record["strain"]) == (record["winner"] == 0), record
                assert bars(led, reply) == record["barred_next"], record
            case kind:
                pytest.fail(f"unknown kind of record: {kind}")


def test_hands_round_trip():
    for text in ("AK4.QT2.KJ9.A52.G", "....GRL", "..AK.2.", "AKQJT98765432...."):
        assert write_hand(read_hand(text)) == text


def test_trick_under_way_is_the_lead_worth():
    for position in random_positions(seed=5, count=40, largest=3):
        oracle = Oracle(position.strain, position.free_colon_discard)
        leader, follower = read_hand(position.leader_hand), read_hand(position.follower_hand)
        values = oracle.lead_values(leader, follower, position.barred)
        for led, tricks in values.items():
            assert tricks == oracle_tricks_led(
                position.leader_hand, position.follower_hand, position.strain, led, position.free_colon_discard
            )
        assert max(values.values()) == oracle.tricks(leader, follower, position.barred)


def test_random_positions_repeat_and_cover_what_they_should():
    positions = list(random_positions(seed=1, count=2000))
    assert positions == list(random_positions(seed=1, count=2000))
    assert positions != list(random_positions(seed=2, count=2000))
    seen: Counter[str] = Counter()
    for position in positions:
        leader, follower = read_hand(position.leader_hand), read_hand(position.follower_hand)
        assert len(leader) == len(follower) and not leader & follower
        seen[f"{len(leader)} cards"] += 1
        seen[f"strain {position.strain}"] += 1
        seen["barred"] += position.barred is not None
        seen["free colon discard"] += position.free_colon_discard
        seen["colon"] += any(card[0] == ":" for card in leader | follower)
        seen["one suit"] += len({card[0] for card in leader | follower} - {":"}) == 1
        seen["nothing but colons"] += all(card[0] == ":" for card in leader)
        seen["bar binds"] += position.barred is not None and len(legal_leads(leader, position.barred)) < len(leader)
        seen["colon may match"] += any(
            reply[0] == ":" for led in leader if led[0] != ":" for reply in legal_replies(follower, led, False)
        )
    for what in ("1 cards", "5 cards", "strain NT", "strain S", "strain C", "barred", "free colon discard", "one suit"):
        assert seen[what] > 100, (what, seen)
    assert seen["colon"] > 1400 and seen["bar binds"] > 200 and seen["colon may match"] > 400
    assert seen["nothing but colons"] > 20


@pytest.mark.parametrize(
    ("leader_hand", "follower_hand", "strain", "barred", "tricks"),
    [
        ("A....", "2....", "NT", None, 1),
        ("A....", "...2.", "C", None, 0),
        ("A....", "....G", "NT", None, 1),  # a colon played second loses
        ("....G", "A....", "NT", None, 0),  # a colon led loses to a card of its range
        ("....G", "K....", "NT", None, 1),
        ("....G", "K....", "S", None, 0),  # and to a trump
        ("....G", "....R", "NT", None, 1),
        ("AK....", "2....G", "NT", None, 2),  # ace met by its colon: spades are all that is left, so led again
        ("A.2...", "2.3...", "NT", "S", 1),  # hearts must be led first
    ],
)
def test_by_hand(leader_hand, follower_hand, strain, barred, tricks):
    assert oracle_tricks(leader_hand, follower_hand, strain, barred) == tricks
