"""`bridgette bid`: the promised JSON, the table, every record of legal calls, refusals, interruption."""

import json
import re
from itertools import islice
from pathlib import Path

import pytest

from advisor import auction_worlds
from advisor.bidding import FEWEST_WORLDS
from advisor.cli.bid import FEWEST_SAMPLES
from solver.auction import Auction
from solver.deal import Seat
from solver.double_dummy import Table
from tests.notation import in_letters

RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "auctions.jsonl").open()]
OPEN = [record for record in RECORDS if not Auction.parse(" ".join(record["auction"]), Seat.SOUTH).is_over]
FINISHED = [record for record in RECORDS if record not in OPEN]
EXAMPLE = ("--role", "nondealer", "--upcard", "D9", "--auction", "1D", "--threw", "D2 C3", "AKQ94.QT2.KJ9.5.G")
OPENING = ("--role", "dealer", "--upcard", "C7", "AKQ94.QT2.KJ9.54.")


@pytest.fixture
def nothing_is_solved(monkeypatch):
    """Every table is six tricks all over: for what does not depend on tricks."""
    tricks = ((6,) * 5,) * 2
    monkeypatch.setattr(auction_worlds, "iter_tables", lambda deals, *_: (Table(deal, tricks) for deal in deals))


@pytest.fixture
def advice(bridgette):
    """`advice(...)`: the JSON object of a quick run."""

    def run(*arguments):
        result = bridgette("bid", "--samples", "20", "--json", *arguments)
        assert result.code == 0, result
        assert result.err == "" and result.out.count("\n") == 1
        return json.loads(result.out)

    return run


def role_to_call(record):
    return "nondealer" if len(record["auction"]) % 2 else "dealer"


def options_of(record):
    return (
        *("--role", role_to_call(record), "--auction", " ".join(record["auction"])),
        *("--rule", f"nt_jump_min={record['nt_jump_min']}", record["hand"]),
    )


def test_exactly_the_legal_calls_are_listed(bridgette, nothing_is_solved):
    assert len(OPEN) > 300
    for record in OPEN:
        result = bridgette("bid", "--samples", "10", "--json", *options_of(record))
        assert result.code == 0, (record, result.err)
        listed = [each["call"] for each in json.loads(result.out)["calls"]]
        assert sorted(listed) == sorted(record["legal"]), record


def test_finished_auctions_are_refused(refused):
    assert len(FINISHED) > 10
    for record in FINISHED:
        assert "is over" in refused("bid", *options_of(record))


def test_json_as_promised(advice):
    answer = advice(*EXAMPLE)
    assert set(answer) >= {"call", "score", "se", "calls", "tricks", "samples"}
    assert answer["samples"] == 20 and answer["seed"] == 1 and answer["unit"] == "points"
    scores = [each["score"] for each in answer["calls"]]
    assert scores == sorted(scores, reverse=True)
    recommended = next(each for each in answer["calls"] if each["call"] == answer["call"])
    assert (recommended["score"], recommended["se"]) == (answer["score"], answer["se"])
    for each in answer["calls"]:
        if each["call"] in ("P", "X", "XX"):
            assert each["made"] is None
        else:
            level, strain = int(each["call"][0]), each["call"][1:]
            assert each["made"] == pytest.approx(sum(answer["tricks"][strain][6 + level :]), abs=2e-3)
        assert sum(each["replies"].values()) == pytest.approx(0 if each["call"] == "P" else 1, abs=2e-3)
        assert each["gap"] <= 0 and each["se"] >= 0 and each["gap_se"] >= 0
    assert sum(each["blueprint"] for each in answer["calls"]) == pytest.approx(1, abs=2e-3)
    assert list(answer["tricks"]) == ["NT", "S", "H", "D", "C"]
    for chances in (*answer["tricks"].values(), *answer["opponent"].values()):
        assert len(chances) == 14 and sum(chances) == pytest.approx(1, abs=2e-3)
    assert 0 < answer["effective"] <= 20 and answer["candidates"] >= answer["candidates_left"] > 0
    assert "rests_on" not in answer and "rules" not in answer


def test_the_same_seed_gives_the_same_output_for_any_number_of_threads(bridgette):
    runs = [
        bridgette("bid", "--samples", "20", *more, *OPENING).out
        for more in (("--threads", "1"), ("--threads", "2"), ("--seed", "1"), ("--seed", "2"))
    ]
    assert runs[0] == runs[1] == runs[2] != runs[3]


def test_table_to_read(bridgette, advice):
    text = bridgette("bid", "--samples", "20", *EXAMPLE).out
    answer = advice(*EXAMPLE)
    letters = text.replace("♠", "S").replace("♥", "H").replace("♦", "D").replace("♣", "C")
    rows = re.findall(r"^([> ])([= ])(\d?\w+) +([+-]?\d+) ± ", letters, re.MULTILINE)
    assert [row[2] for row in rows] == [each["call"] for each in answer["calls"]]
    assert [row[2] for row in rows if row[0] == ">"] == [answer["call"]]
    assert [row[1] == "=" for row in rows[1:]] == [each["level"] for each in answer["calls"][1:]]
    assert [float(row[3]) for row in rows] == [pytest.approx(each["score"], abs=0.51) for each in answer["calls"]]
    assert answer["reason"] in letters and f"Call {answer['call']}: " in letters
    assert re.search(rf"After {answer['call']} North is expected to call: ", letters)
    assert "20 hands of the opponent solved" in text and "double-dummy" in text and "seed 1" in text
    assert text == "\n".join(line.rstrip() for line in text.split("\n"))
    assert not in_letters(text)


def test_letters_where_symbols_do_not_show(bridgette, monkeypatch):
    import advisor.cli.render as render

    monkeypatch.setattr(render, "has_suit_symbols", lambda stream: False)
    text = bridgette("bid", "--samples", "10", *OPENING).out
    assert text.replace("±", "+").isascii()


def test_reason_says_what_the_opponent_is_expected_to_hold(advice):
    answer = advice("--role", "dealer", "--upcard", "C7", "--auction", "P 3H", "AKQ94.T2.KJ93.54.")
    words = re.search(r"expected to hold (\w+) or more (\w+)", answer["reason"])
    assert words is not None
    suit = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}[words[2]]
    number = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"].index(words[1])
    assert sum(answer["opponent"][suit][number:]) >= 0.499
    assert "makes in" in answer["reason"]


@pytest.mark.parametrize(
    "choice", ["upcard_drawn=false", "nt_jump_min=3", "redeal_passed_out=true", "free_colon_discard=true"]
)
def test_other_rules_say_what_the_advice_rests_on(bridgette, advice, choice):
    answer = advice("--rule", choice, *OPENING)
    assert answer["rules"] == [choice]
    assert "rests on strategies computed for the default rules" in answer["rests_on"]
    text = bridgette("bid", "--samples", "10", "--rule", choice, *OPENING).out
    assert answer["rests_on"] in text and f"Rules: {choice}" in text


def test_the_game_s_score(bridgette, advice):
    hand = OPENING
    ahead = advice("--score", "1000", "0", "--deal", "6", "--samples", "100", *hand)
    behind = advice("--score", "0", "1000", "--deal", "6", "--samples", "100", *hand)
    points = advice("--samples", "100", *hand)
    assert ahead["unit"] == behind["unit"] == "chance to win the game"
    assert ahead["call"] != behind["call"]
    assert ahead["for_points"] == behind["for_points"] == points["call"]
    assert "Ahead by 1,000 with no deal to come" in ahead["game"]
    assert "Behind by 1,000 with no deal to come" in behind["game"]
    assert "only a score of more than 1,000 wins" in behind["game"]
    text = bridgette("bid", "--score", "0", "1000", "--deal", "6", "--samples", "20", *hand).out
    assert "only a score of more than 1,000 wins" in text and "win the game" in text
    assert behind["game"].endswith(f"For points alone: {points['call']}.") and not in_letters(text)


def test_seconds(bridgette):
    answer = json.loads(bridgette("bid", "--seconds", "0", "--json", *OPENING).out)
    assert 0 < answer["samples"] < 100 and answer["complete"]


def test_the_time_may_end_samples_asked_for(bridgette, nothing_is_solved):
    answer = json.loads(bridgette("bid", "--samples", "60", "--seconds", "0", "--json", *OPENING).out)
    assert (answer["samples"], answer["complete"]) == (FEWEST_WORLDS, False)


def test_with_threads_given_no_clock_ends_it(bridgette, monkeypatch, nothing_is_solved):
    monkeypatch.setattr("advisor.cli.bid.DEFAULT_SECONDS", 0.0)
    answers = [bridgette("bid", "--json", "--threads", threads, *OPENING).out for threads in ("1", "2")]
    assert answers[0] == answers[1] and json.loads(answers[0])["complete"]


def test_by_default_the_time_ends_it_and_the_answer_says_so(bridgette, monkeypatch, nothing_is_solved):
    whole = json.loads(bridgette("bid", "--json", *OPENING).out)
    assert (whole["samples"], whole["complete"]) == (200, True)
    monkeypatch.setattr("advisor.cli.bid.DEFAULT_SECONDS", 0.0)
    hurried = json.loads(bridgette("bid", "--json", *OPENING).out)
    assert (hurried["samples"], hurried["complete"]) == (FEWEST_WORLDS, False)
    assert f"{FEWEST_WORLDS} hands of the opponent solved, the time allowed, worth" in bridgette("bid", *OPENING).out
    asked_for = json.loads(bridgette("bid", "--json", "--samples", "60", *OPENING).out)
    assert (asked_for["samples"], asked_for["complete"]) == (60, True)


def test_compiling_takes_none_of_the_time(bridgette, monkeypatch, nothing_is_solved):
    monkeypatch.setattr("advisor.cli.bid.DEFAULT_SECONDS", 0.0)
    monkeypatch.setattr("solver.compiled.seconds_compiling", lambda since: 3600.0)
    assert json.loads(bridgette("bid", "--json", *OPENING).out)["complete"]


def interrupted_after(hands, monkeypatch):
    original = auction_worlds.iter_tables

    def impatient(*arguments):
        yield from islice(original(*arguments), hands)
        raise KeyboardInterrupt

    monkeypatch.setattr(auction_worlds, "iter_tables", impatient)


def test_interrupted_gives_what_there_is(bridgette, monkeypatch):
    interrupted_after(13, monkeypatch)
    result = bridgette("bid", "--json", *OPENING)
    assert result.code == 130
    answer = json.loads(result.out)
    assert answer["samples"] == 13 and not answer["complete"]
    assert "Interrupted after 13 hands" in result.err


def test_interrupted_before_enough_is_solved_to_say_how_sure_it_is(bridgette, monkeypatch):
    interrupted_after(FEWEST_SAMPLES - 1, monkeypatch)
    result = bridgette("bid", *OPENING)
    assert (result.code, result.out) == (130, "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["AKQ94.QT2.KJ9.54."], "--role"),
        (["--role", "dealer"], "hand"),
        (["--role", "player", "AKQ94.QT2.KJ9.54."], "--role: 'player' is not a role"),
        (["--role", "dealer", "AKQ94.QT2.KJ9.5Z."], "the hand: "),
        (["--role", "dealer", "AKQ94.QT2.KJ9.5."], "has 12 cards; expected 13"),
        (["--role", "dealer", "--upcard", "Z9", "AKQ94.QT2.KJ9.54."], "--upcard: 'Z9' is not a card"),
        (["--role", "dealer", "--upcard", "C5", "AKQ94.QT2.KJ9.54."], "the upcard C5 is among"),
        (["--role", "nondealer", "--auction", "1D", "--upcard", "C7", "--threw", "C2 C3", "AKQ94.QT2.KJ9.54."], "C7"),
        (["--role", "dealer", "--threw", "C2 C3", "AKQ94.QT2.KJ9.54."], "15 cards"),
        (["--role", "dealer", "--threw", "C4 C3", "AKQ94.QT2.KJ9.54."], "C4 is both"),
        (["--role", "dealer", "--threw", "C2 C2", "AKQ94.QT2.KJ9.54."], "--threw: "),
        (["--role", "dealer", "--auction", "1S 1D", "AKQ94.QT2.KJ9.54."], "--auction: call 2, 1D by North: too low"),
        (["--role", "dealer", "--auction", "X", "AKQ94.QT2.KJ9.54."], "no bid of the opponent's to double"),
        (["--role", "dealer", "--auction", "1S 8D", "AKQ94.QT2.KJ9.54."], "--auction: call 2"),
        (["--role", "dealer", "--auction", "1S P", "AKQ94.QT2.KJ9.54."], "is over"),
        (["--role", "dealer", "--auction", "P P", "AKQ94.QT2.KJ9.54."], "is over"),
        (["--role", "dealer", "--auction", "1S", "AKQ94.QT2.KJ9.54."], "the dealer is not to call after 1S"),
        (["--role", "nondealer", "AKQ94.QT2.KJ9.54."], "--auction has no call; expected the dealer's at least"),
        (["--role", "dealer", "--auction", "2C 2D", "AKQ94.QT2.KJ9.54."], "call 1, 2C by you"),
        (["--role", "dealer", "--auction", "1S 4S", "AKQJT98765.2.3.4."], "call 2, 4S by the opponent: it shows 4"),
        (["--role", "dealer", "--score", "100", "200", "AKQ94.QT2.KJ9.54."], "--deal"),
        (["--role", "dealer", "--deal", "3", "AKQ94.QT2.KJ9.54."], "--score"),
        (["--role", "dealer", "--score", "-100", "200", "--deal", "3", "AKQ94.QT2.KJ9.54."], "-100 to 200"),
        (["--role", "dealer", "--score", "1", "200", "--deal", "0", "AKQ94.QT2.KJ9.54."], "deal's number is 0"),
        (["--role", "dealer", "--score", "1", "x", "--deal", "3", "AKQ94.QT2.KJ9.54."], "--score"),
        (["--role", "dealer", "--samples", "0", "AKQ94.QT2.KJ9.54."], "--samples"),
        (["--role", "dealer", "--seed", "-1", "AKQ94.QT2.KJ9.54."], "--seed"),
        (["--role", "dealer", "--seed", "9" * 30, "AKQ94.QT2.KJ9.54."], "--seed"),
        (
            ["--role", "dealer", "--threw", "HA DA CA :G S2 S3 S5 S6 S7 S8 ST SJ", "AKQ94.QT2.KJ9.54."],
            "the dealer drew 12 cards but has held every card that, turned, gives so many",
        ),
        (["--role", "dealer", "--seconds", "-1", "AKQ94.QT2.KJ9.54."], "--seconds"),
        (["--role", "dealer", "--rule", "bogus=1", "AKQ94.QT2.KJ9.54."], "bogus"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(refused, arguments, complaint):
    assert complaint in refused("bid", *arguments)


def test_progress_on_a_terminal():
    from tests.test_cli_terminal import in_terminal

    shown = in_terminal("bridgette bid --samples 20 " + " ".join(OPENING))
    assert "Hands of the opponent" in shown and "20/20" in shown
    assert "hands of the opponent solved" in shown
    assert "20/20" not in in_terminal("bridgette bid --samples 20 " + " ".join(OPENING) + " 2>/dev/null")
