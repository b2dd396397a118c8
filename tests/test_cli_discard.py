"""`bridgette discard`: the forms that are promised, what it says, what it refuses, how it stops."""

import json
import time

import pytest

from advisor.cli import discard
from solver.cards import Hand
from tests.notation import in_letters

DEALER = ("discard", "--role", "dealer", "--upcard", "HK")
HANDS = ("AK9.QT2.KJ9.A52.G", "--drew", "SQ S7 D3 D2 C9 C8 C4 :L")
OTHER = ("discard", "--role", "nondealer", "--upcard", "D9", "AK942.QT2.KJ97.52.G")
ALL = Hand.parse("AKQ97.QT2.KJ932.A98542.GL")
QUICK = ("--samples", "4")


def answer(run):
    assert run.code == 0 and run.err == ""
    assert run.out.count("\n") == 1
    return json.loads(run.out)


def test_json_has_the_promised_fields(bridgette):
    found = answer(bridgette(*DEALER, *HANDS, *QUICK, "--json"))
    assert (found["role"], found["upcard"], found["held"], found["samples"]) == ("dealer", "HK", 21, 4)
    assert found["unit"] == "points" and found["complete"] and found["seed"] == discard.DEFAULT_SEED
    for each in [found["recommendation"], *found["alternatives"]]:
        keep, throw = Hand.parse(each["keep"]), Hand.parse(" ".join(each["throw"]))
        assert len(keep) == 13 and keep | throw == ALL and not (keep & throw).mask
        assert isinstance(each["score"], float) and each["se"] > 0
        assert each["plan"] in ("NT", "S", "H", "D", "C")
    assert len(found["alternatives"]) == 4
    for each in found["alternatives"]:
        assert each["gap"] == pytest.approx(each["score"] - found["recommendation"]["score"], abs=0.11)
        assert each["tie"] == (abs(each["gap"]) < 2 * each["gap_se"])
    assert "14 of the 33 other unseen cards" in found["assumed"]
    assert found["reason"].startswith("keeps ")


def test_cards_drawn_may_be_told_apart_or_with_the_others(bridgette):
    apart = bridgette(*DEALER, *HANDS, "--seconds", "0", "--json")
    together = bridgette(*DEALER, "AKQ97.QT2.KJ932.A98542.GL", "--seconds", "0", "--json")
    loose = bridgette(*DEALER, *str(" ".join(map(str, ALL))).split(), "--seconds", "0", "--json")
    assert apart == together == loose
    assert answer(apart)["samples"] == 0 and answer(apart)["recommendation"]["se"] is None


def test_same_seed_same_answer_for_any_number_of_threads(bridgette):
    one = bridgette(*OTHER, *QUICK, "--seed", "3", "--threads", "1")
    assert one.code == 0
    assert one == bridgette(*OTHER, *QUICK, "--seed", "3", "--threads", "2")
    assert one != bridgette(*OTHER, *QUICK, "--seed", "4")


def test_what_is_read_at_a_glance(bridgette):
    run = bridgette(*OTHER, *QUICK, "--top", "3")
    lines = run.out.splitlines()
    assert lines[0] == "Non-dealer, ♦9 turned, 15 cards held:"
    labels = [line.split(" ")[0] for line in lines[3:7]]
    assert labels == ["Keep", "Throw", "Plan", "Why"]
    assert " ± " in lines[5] and lines[5].endswith("points")
    rows = [line for line in lines if line.startswith((">", "=", " ")) and " ± " in line]
    assert len(rows) == 3 and rows[0].startswith(">")
    assert any(line.startswith("Assumed of the dealer: any 17 of the 40 unseen cards") for line in lines)
    assert any(line.startswith("4 hands of the opponent; seed 1.") for line in lines)
    assert not in_letters(run.out)


def test_sentences_write_cards_as_the_tables_beside_them_and_json_in_letters(bridgette, monkeypatch):
    shown = bridgette(*DEALER, *HANDS, *QUICK).out
    found = answer(bridgette(*DEALER, *HANDS, *QUICK, "--json"))
    assert "Assumed of the non-dealer: ♥K and any 14 of the 33 other unseen cards" in shown
    assert not in_letters(shown)
    assert found["assumed"].startswith("Assumed of the non-dealer: HK and any 14")
    monkeypatch.setattr("advisor.cli.render.has_suit_symbols", lambda stream: False)
    letters = bridgette(*DEALER, *HANDS, *QUICK).out
    assert found["reason"] in letters and found["assumed"] in letters


def test_wishes(bridgette):
    found = answer(bridgette(*OTHER, "--keep", "C5 C2", "--throw", ":G", "--plan", "H,S", *QUICK, "--json"))
    keep = Hand.parse(found["recommendation"]["keep"])
    assert Hand.parse("C5 C2") <= keep and found["recommendation"]["throw"][-1] == ":G"
    found = answer(bridgette(*OTHER, "--least", "H=3", "--least", "S=5", "--seconds", "0", "--top", "50", "--json"))
    for each in [found["recommendation"], *found["alternatives"]]:
        assert each["keep"].startswith("AK942.QT2.")
    found = answer(bridgette(*OTHER, "--plan", "D", "--jump", "--seconds", "0", "--json"))
    assert found["recommendation"]["plan"] == "D"
    assert len(found["recommendation"]["keep"].split(".")[2]) == 4


def test_score_of_the_game(bridgette):
    found = answer(bridgette(*OTHER, *QUICK, "--score", "400", "1000", "--deal", "6", "--json"))
    assert found["unit"] == "chance to win the game" and 0 <= found["recommendation"]["score"] <= 1
    run = bridgette(*OTHER, *QUICK, "--score", "400", "1000", "--deal", "6")
    assert "chance to win the game" in run.out and "%" in run.out


def test_other_rules_say_what_the_advice_rests_on(bridgette):
    run = bridgette(*OTHER, "--seconds", "0", "--rule", "free_colon_discard=true")
    assert "Rules: free_colon_discard=true" in run.out and "computed for the default rules" in run.out
    aside = answer(
        bridgette("discard", "--role", "nondealer", "--upcard", "D8", OTHER[-1], "--seconds", "0", "--json",
                  "--rule", "upcard_drawn=false")
    )  # fmt: skip
    assert aside["rules"] == ["upcard_drawn=false"] and "39 unseen cards besides D8" in aside["assumed"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((*DEALER, "AK9.QT2.KJ9.A52.G"), "holds 13 cards; expected 21"),
        ((*DEALER, *HANDS[:2], "SA SQ"), "--drew: SA among the other cards too"),
        ((*DEALER[:3], "--upcard", "SA", *HANDS), "expected 25"),
        ((*OTHER[:4], "D8", OTHER[-1]), "the upcard D8 is not among"),
        ((*OTHER[:5], "AK9.QT2.KJ9.A52.G", "--drew", "S3 H3"), "--drew: the upcard D9 is among the cards dealt"),
        ((*OTHER, "--seed", "-1"), "--seed"),
        ((*OTHER, "--seed", "9" * 30), "--seed"),
        ((*OTHER, "--keep", "SQ"), "SQ is to be kept but not held"),
        ((*OTHER, "--keep", "SA", "--throw", "SA"), "both kept and thrown"),
        ((*OTHER, "--throw", "HQ HT", "--plan", "H"), "no keep of 13 has both"),
        ((*OTHER, "--plan", "S,H,D"), "3 strains; expected one or two"),
        ((*OTHER, "--plan", "X"), "--plan: 'X' is not a strain"),
        ((*OTHER, "--jump"), "--jump without --plan"),
        ((*OTHER, "--least", "S"), "--least: 'S'"),
        ((*OTHER, "--least", "S=14"), "at least 14 spades"),
        ((*OTHER, "--samples", "5", "--seconds", "1"), "--samples and --seconds"),
        ((*OTHER, "--seconds", "-1"), "--seconds"),
        ((*OTHER, "--seconds", "inf"), "--seconds"),
        ((*OTHER, "--seconds", "1e308"), "--seconds"),
        ((*OTHER, "--top", "0"), "--top"),
        ((*OTHER, "--score", "100", "0"), "--score and --deal go together"),
        ((*OTHER, "--score", "100", "0", "--deal", "1"), "before deal 1"),
        (("discard", "--upcard", "D9", OTHER[-1]), "--role"),
        (("discard", "--role", "nondealer", OTHER[-1]), "--upcard"),
        (("discard", "--role", "north", "--upcard", "D9", OTHER[-1]), "--role: 'north' is not a role"),
        (("discard", "--role", "dealer", "--upcard", "D1", OTHER[-1]), "--upcard: 'D1' is not a card"),
    ],
)
def test_what_is_refused(refused, arguments, complaint):
    assert complaint in refused(*arguments)


def test_the_time_counts_from_the_start_of_the_program(bridgette, monkeypatch):
    from advisor import discard

    told = []
    real = discard.advise

    def advise(known, **choices):
        told.append(choices["started"])
        return real(known, **choices)

    monkeypatch.setattr(discard, "advise", advise)
    before = time.monotonic()
    assert bridgette(*OTHER, "--seconds", "0").code == 0
    assert before <= told[0] <= time.monotonic()


def test_interruption_gives_what_there_is_and_says_so(bridgette, monkeypatch):
    from advisor import discard
    from advisor.discard import POLICY_KEEPS
    from advisor.halving import _BATCH
    from advisor.judging import Judge

    real = Judge.meet

    def meet(judge, chosen, first, worlds):
        if first:
            raise KeyboardInterrupt
        return real(judge, chosen, first, worlds)

    monkeypatch.setattr(Judge, "meet", meet)
    monkeypatch.setattr(discard, "_meet_until", lambda *_: None)  # how far that comes depends on the machine
    run = bridgette(*OTHER, "--samples", "40", "--json")
    assert run.code == 130
    found = json.loads(run.out)
    assert not found["complete"] and found["samples"] == _BATCH // POLICY_KEEPS
    assert run.err == f"Interrupted after {_BATCH // POLICY_KEEPS} hands of the opponent.\n"
