"""The points of a deal: every cell of the law's tables, every known score, and sums that add up."""

import json
import pickle
from pathlib import Path

import pytest

from solver.auction import BIDS, Bid, Contract
from solver.deal import Seat
from solver.errors import RuleError
from solver.rules import Rules
from solver.scoring import score

RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "scores.jsonl").open()]

MADE = {
    150: "0NT 1C 1D 1H 1S",
    250: "1NT 2NT 2C 2D 2H 2S 3C 3D 3H 3S 4C 4D",
    750: "3NT 4NT 4H 4S 5C 5D 5H 5S",
    1500: "5NT 6C 6D 6H 6S",
    2200: "6NT 7C 7D 7H 7S",
    2500: "7NT",
}
DEFEATED = [
    (1, 100, 200, 300),
    (2, 200, 500, 700),
    (3, 300, 800, 1100),
    (4, 400, 1100, 1500),
    (5, 700, 2000, 2700),
    (6, 1000, 3000, 4000),
    (7, 1000, 3000, 4000),
]


def points(contract, tricks, **choices):
    return score(Contract.parse(contract), tricks, Rules(**choices)).declarer_points


@pytest.mark.parametrize(("bid", "made"), [(bid, made) for made, bids in MADE.items() for bid in bids.split()])
def test_each_bid_made(bid, made):
    needed = 6 + int(bid[0])
    exactly = 250 if int(bid[0]) <= 5 else 100 if int(bid[0]) == 6 else 0
    for tricks in range(needed, 14):
        expected = made + {0: exactly, 3: 350}.get(tricks - needed, 0)
        assert points(f"{bid} S", tricks) == expected
        assert points(f"{bid}X S", tricks) == 2 * (expected + 400)
        assert points(f"{bid}XX S", tricks) == 4 * (expected + 1000)
        assert points(f"{bid} S", tricks, insult_multiplied=False) == expected
        assert points(f"{bid}X S", tricks, insult_multiplied=False) == 2 * expected + 400
        assert points(f"{bid}XX S", tricks, insult_multiplied=False) == 4 * expected + 1000


def test_each_bid_is_in_the_table_once():
    assert sorted(" ".join(MADE.values()).split()) == sorted(str(bid) for bid in BIDS)


@pytest.mark.parametrize(("short", "plain", "doubled", "redoubled"), DEFEATED)
@pytest.mark.parametrize("bid", [str(bid) for bid in BIDS])
@pytest.mark.parametrize("insult_multiplied", [True, False])
def test_each_defeat(bid, short, plain, doubled, redoubled, insult_multiplied):
    tricks = 6 + int(bid[0]) - short
    if tricks >= 0:
        assert points(f"{bid} S", tricks, insult_multiplied=insult_multiplied) == -plain
        assert points(f"{bid}X S", tricks, insult_multiplied=insult_multiplied) == -doubled
        assert points(f"{bid}XX S", tricks, insult_multiplied=insult_multiplied) == -redoubled


@pytest.mark.parametrize("tricks", range(6))
def test_more_than_seven_short_scores_as_seven(tricks):
    assert [points(f"7S{x} N", tricks) for x in ("", "X", "XX")] == [-1000, -3000, -4000]


def test_every_known_score():
    assert len(RECORDS) == 36 * 3 * 14 * 2
    for record in RECORDS:
        for declarer in Seat:
            contract = Contract(Bid.parse(record["bid"]), record["doubled"], declarer)
            result = score(contract, record["tricks"], Rules(insult_multiplied=record["insult_multiplied"]))
            assert result.declarer_points == record["points"], record
            assert result.points(declarer) == record["points"]
            assert result.points(declarer.other) == -record["points"]
            assert sum(item.points for item in result.items) == record["points"]
            assert all(item.points for item in result.items)
            assert (result.contract, result.tricks) == (contract, record["tricks"])


@pytest.mark.parametrize(
    ("contract", "tricks", "insult_multiplied", "items"),
    [
        ("4H S", 11, True, [("4H made", 750)]),
        ("4H S", 10, True, [("4H made", 750), ("exactly the tricks bid", 250)]),
        ("4H S", 13, True, [("4H made", 750), ("exactly three tricks over", 350)]),
        ("7NT S", 13, True, [("7NT made", 2500)]),
        (
            "4HX S",
            10,
            True,
            [
                ("4H made", 750),
                ("exactly the tricks bid", 250),
                ("made, doubled", 400),
                ("doubled: the same again", 1400),
            ],
        ),
        (
            "4HXX S",
            13,
            False,
            [
                ("4H made", 750),
                ("exactly three tricks over", 350),
                ("redoubled: three times the same again", 3300),
                ("made, redoubled", 1000),
            ],
        ),
        ("4H S", 9, True, [("1 short", -100)]),
        ("4HX S", 9, True, [("1 short, doubled", -200)]),
        ("7SXX S", 0, True, [("13 short, redoubled", -4000)]),
    ],
)
def test_the_sum_item_by_item(contract, tricks, insult_multiplied, items):
    assert list(score(Contract.parse(contract), tricks, Rules(insult_multiplied=insult_multiplied)).items) == items


def test_passed_out_nobody_scores():
    result = score(None)
    assert (result.declarer_points, result.items, result.tricks, str(result)) == (0, (), None, "passed out")
    assert [result.points(seat) for seat in Seat] == [0, 0]
    with pytest.raises(RuleError, match="6 tricks in a deal passed out"):
        score(None, 6)


@pytest.mark.parametrize("tricks", [None, -1, 14])
def test_tricks_are_0_to_13(tricks):
    with pytest.raises(RuleError, match=f"the declarer's tricks are {tricks}; expected 0 to 13"):
        score(Contract.parse("4H S"), tricks)


def test_a_score_as_text():
    result = score(Contract.parse("4HX N"), 9)
    assert str(result) == "4HX N, 9 tricks: -200 for North"
    assert pickle.loads(pickle.dumps(result)) == result
