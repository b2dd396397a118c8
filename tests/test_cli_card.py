"""`bridgette card` from the outside."""

import json
import re

import pytest

from tests.notation import in_letters

HAND = "54.AKQT762.AQ.95."
SITUATION = ("--contract", "4H S", "--auction", "1H 2S 4H P", "--played", "CA C5 D4", "--samples", "40")


def test_every_legal_card_best_first(bridgette):
    answer = json.loads(bridgette("card", *SITUATION, HAND, "--json").out)
    assert {each["card"] for each in answer["cards"]} == {"DA", "DQ"}
    assert answer["card"] == answer["cards"][0]["card"] and answer["score"] == answer["cards"][0]["score"]
    assert answer["samples"] == 40 and answer["unit"] == "points" and answer["contract"] == "4H S"
    assert set(answer["cards"][0]) == {
        *("card", "score", "se", "gap", "gap_se", "level"),
        *("tricks", "tricks_se", "made", "made_se"),
    }
    shown = bridgette("card", *SITUATION, HAND).out
    assert "♦A" in shown and "♦Q" in shown and "makes" in shown and "double-dummy" in shown
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_a_card_that_is_behind_is_named_as_in_the_table(bridgette):
    """Against no trump seven spades from the top are to be led, and no other suit."""
    shown = bridgette("card", "--contract", "3NT N", "--samples", "20", "AKQJT98.32.432.2.").out
    assert re.search(r"^Play .*; [♠♥♦♣]\w is \d+ behind$", shown, re.MULTILINE) and not in_letters(shown)


def test_the_hand_may_be_what_is_left(bridgette):
    whole = bridgette("card", *SITUATION, HAND, "--json").out
    assert bridgette("card", *SITUATION, "54.AKQT762.AQ.9.", "--json").out == whole
    assert bridgette("card", *SITUATION, HAND, "--threads", "1", "--json").out == whole
    assert bridgette("card", *SITUATION, HAND, "--seed", "2", "--json").out != whole


def test_nothing_but_hand_and_contract_is_needed(bridgette):
    answer = json.loads(bridgette("card", "--contract", "3NT N", "--samples", "20", HAND, "--json").out)
    assert len(answer["cards"]) == 13


def test_for_winning_the_game(bridgette):
    game = ("--score", "1200", "2200", "--deal", "6")
    answer = json.loads(bridgette("card", *SITUATION, *game, HAND, "--json").out)
    assert answer["unit"] == "chance to win the game" and 0 <= answer["score"] <= 1
    assert "win the game" in bridgette("card", *SITUATION, *game, HAND).out


def test_other_rules_are_named(bridgette):
    rule = ("--rule", "free_colon_discard=true")
    answer = json.loads(bridgette("card", *SITUATION, *rule, HAND, "--json").out)
    assert answer["rules"] == ["free_colon_discard=true"] and "default rules" in answer["rests_on"]


@pytest.mark.parametrize(
    "told",
    [
        # North has played the upcard, so South cannot be the non-dealer that drew it; nobody said that South deals.
        ("--contract", "4H S", "--upcard", "D8", "--played", "D8", HAND),
        # North leads the barred suit and so has thirteen hearts, a hand that no sampled draw has at all.
        ("--contract", "4H S", "--played", "H3 :L H4", "KQJT987654....GRL"),
    ],
)
def test_what_few_sampled_draws_fit_is_answered(bridgette, told):
    assert json.loads(bridgette("card", *told, "--samples", "4", "--json").out)["samples"] > 0


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--contract", "4H", HAND), "--contract: '4H' is not a contract"),
        (("--contract", "4H S", HAND), "after 0 cards it is North's turn"),
        (("--contract", "4H S", "--played", "CA CC", HAND), "--played: 'CC' is not a card"),
        (("--contract", "4H S", "--played", "CA DA CK", HAND), "trick 1: DA by South: expected one of C9 C5"),
        (("--contract", "4H S", "--played", "HA", HAND), "trick 1: HA by North: it is in South's hand"),
        (("--contract", "4H S", "--played", "CA", "54.AKQT762.AQ.9."), "has 12 cards; expected 13"),
        (("--contract", "4H S", "--played", "CA", "--auction", "1H", HAND), "is not over"),
        (("--contract", "4H S", "--played", "CA", "--auction", "1H P", HAND), "leaves another contract"),
        (("--contract", "4H S", "--played", "CA", "--role", "judge", HAND), "--role: 'judge' is not a role"),
        (("--contract", "4H S", "--played", "CA", "--score", "0", "0", HAND), "--score and --deal go together"),
        (
            ("--contract", "4H S", "--played", "CA", "--score", "0", "0", "--deal", "1", HAND),
            "needs --role or --auction",
        ),
        (
            ("--contract", "4H S", "--played", "CA", "--role", "dealer", "--upcard", "HA", HAND),
            "the upcard HA is among",
        ),
        (("--contract", "4H S", "--played", "CA", "--seed", "-1", HAND), "--seed"),
        (("--contract", "4H S", "--played", "CA", "--seed", "9" * 30, HAND), "--seed"),
        (
            ("--contract", "4H S", "--played", "D8", "--threw", "SA CA :G S2 S3 S6 S7 S8 S9 ST SJ SQ", HAND),
            "12 cards are thrown, but every card that, turned, gives so many has been seen",
        ),
        (
            (
                "--contract",
                "4H S",
                "--played",
                ":G",
                "--threw",
                "SA CA S2 S3 S6 S7 S8 S9 ST SJ SQ SK",
                HAND,
                "--rule",
                "upcard_drawn=false",
            ),
            "12 cards are thrown, but every card that, turned, gives so many has been seen",
        ),
        (("--contract", "4H S", "--played", ":G H2 C5 :R", HAND), "no hand of the opponent fits"),
        (("--contract", "4HXX S", "--played", "SA :G SK", "Q.AK87642.AQJ..GR"), "no hand of the opponent fits"),
    ],
)
def test_refused(refused, arguments, fault):
    assert fault in refused("card", *arguments)
