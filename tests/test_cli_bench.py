"""`bridgette bench` and the deals that it measures on."""

import json

import numpy as np
import pytest

from advisor.deal_sets import Kind, colons_of, deals_of, hard_deals
from advisor.speed import solved
from solver import search
from solver.double_dummy import Solver
from solver.exchange import held
from solver.rules import Rules

# Positions expanded a table, from a cold start: what a limit study of this search reached, by colons.
STUDY_EXPANDED = (3400, 9500, 20800, 36500)


def measured(bridgette, *arguments):
    result = bridgette("bench", "--json", *arguments)
    assert (result.code, result.err) == (0, ""), result
    return json.loads(result.out)


def test_json(bridgette):
    answer = measured(bridgette, "--deals", "5", "--colons", "1")
    spreads = [answer.pop("ms_per_table"), *answer.pop("nodes_per_table").values()]
    for spread in spreads:
        assert list(spread) == ["mean", "median", "p99", "max"]
        assert 0 < spread["median"] <= spread["p99"] <= spread["max"]
        assert spread["mean"] <= spread["max"]
    assert answer.pop("tables_per_second") > 0
    assert answer.pop("compile_s") >= 0
    assert answer == {
        "deals": 5,
        "colons": 1,
        "threads": 1,
        "kind": "random",
        "seed": 1,
        "cold": False,
        "table_bytes": 2 * 2**20,
    }


def test_nodes_are_those_of_the_search(bridgette):
    nodes = measured(bridgette, "--deals", "3", "--colons", "0", "--seed", "4", "--cold")["nodes_per_table"]
    probed, expanded = [], []
    for deal in deals_of(Kind.RANDOM, 3, 0, seed=4):
        memory = search.new_memory()
        search.fill_table(deal.south.mask, deal.north.mask, np.zeros((2, 5), dtype=np.int8), memory)
        probed.append(memory[search.PROBED])
        expanded.append(memory[search.EXPANDED])
    assert nodes["probed"]["max"] == max(probed) and nodes["expanded"]["max"] == max(expanded)
    assert nodes["expanded"]["mean"] == pytest.approx(sum(expanded) / 3, abs=0.1)
    assert nodes["probed"]["median"] == sorted(probed)[1]


def test_nodes_repeat(bridgette):
    """Always with one thread; from a cold start with two."""
    warm = [measured(bridgette, "--deals", "6")["nodes_per_table"] for _ in range(2)]
    cold = [measured(bridgette, "--deals", "6", "--cold", "--threads", str(n))["nodes_per_table"] for n in (1, 2, 2)]
    assert warm[0] == warm[1]
    assert cold[0] == cold[1] == cold[2]
    assert warm[0]["expanded"]["mean"] < cold[0]["expanded"]["mean"]
    assert warm[0] != measured(bridgette, "--deals", "6", "--seed", "2")["nodes_per_table"]


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_as_text(bridgette, kind):
    result = bridgette("bench", "--kind", kind, "--deals", "2", "--threads", "2")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"2 {kind} deals")
    for what in ("milliseconds", "positions expanded", "positions probed", "tables a second", "2 MB"):
        assert what in result.out
    assert ("2 of 2 tables as stored" in result.out) == (kind == Kind.HARD)


def test_changed_rules_are_named(bridgette):
    free = measured(bridgette, "--deals", "2", "--kind", "hard", "--rule", "free_colon_discard=true")
    assert free["rules"] == ["free_colon_discard=true"]
    assert "wrong_tables" not in free
    usual = measured(bridgette, "--deals", "2", "--kind", "hard")
    assert usual["wrong_tables"] == 0
    assert usual["nodes_per_table"] != free["nodes_per_table"]
    text = bridgette("bench", "--deals", "1", "--rule", "free_colon_discard=true").out
    assert text.startswith("Rules: free_colon_discard=true\n")


def test_a_wrong_table_is_told(bridgette, monkeypatch):
    wrong = dict.fromkeys(hard_deals(), ((0,) * 5, (0,) * 5))
    monkeypatch.setattr("advisor.cli.bench.hard_deals", lambda: wrong)
    assert measured(bridgette, "--deals", "2", "--kind", "hard")["wrong_tables"] == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--deals", "0"], "--deals"),
        (["--colons", "4"], "--colons"),
        (["--kind", "easy"], "'random', 'exchanged', 'hard'"),
        (["--threads", "0"], "--threads"),
        (["--seed", "-1"], "--seed"),
        (["--kind", "hard", "--deals", "101"], "101 hard deals; expected at most 100"),
        (["--kind", "hard", "--colons", "3", "--deals", "101"], "101 hard deals with 3 colons; expected at most"),
        (["--rule", "colons=free"], "'colons' does not exist"),
    ],
)
def test_refused(refused, arguments, complaint):
    assert complaint in refused("bench", *arguments)


def test_an_interruption_gives_what_there_is(bridgette, monkeypatch):
    def interrupted(*arguments):
        yield from list(solved(*arguments))[:2]
        raise KeyboardInterrupt

    monkeypatch.setattr("advisor.speed.solved", interrupted)
    result = bridgette("bench", "--deals", "5", "--json")
    assert (result.code, result.err) == (130, "Interrupted after 2 tables.\n")
    assert json.loads(result.out)["deals"] == 2


@pytest.mark.parametrize("kind", [Kind.RANDOM, Kind.EXCHANGED])
def test_deals_are_those_of_the_deal_command(bridgette, kind):
    options = ["--exchanged"] if kind == Kind.EXCHANGED else []
    dealt = bridgette("deal", "--count", "30", "--seed", "5", *options).out.splitlines()
    assert [str(deal) for deal in deals_of(kind, 30, None, seed=5)] == dealt
    with_two = [str(deal) for deal in deals_of(kind, 2, 2, seed=5)]
    assert with_two == [text for text in dealt if sum(text.count(colon) for colon in "GRL") == 2][:2]


def test_hard_deals():
    deals = deals_of(Kind.HARD, 100, None, seed=1)
    assert len(set(deals)) == len(hard_deals()) == 100
    assert all(deal.size == 13 for deal in deals)
    for colons in range(4):
        some = [deal for deal in deals if colons_of(deal) == colons]
        assert deals_of(Kind.HARD, len(some), colons, seed=2) == some


def test_the_hardest_tables():
    """(All hundred are checked by `bridgette bench --kind hard`.)"""
    solver = Solver()
    for deal, rows in list(hard_deals().items())[::20]:
        assert solver.table(deal).rows == rows, deal


@pytest.mark.parametrize("colons", range(4))
def test_positions_expanded_stay_near_the_limit_study(colons):
    answers = solved(deals_of(Kind.RANDOM, 60, colons, seed=3), cold=True)
    assert np.mean([answer.expanded for answer in answers]) < 1.15 * STUDY_EXPANDED[colons]


def test_deal_exchanged(bridgette):
    from solver.cards import Card, Hand
    from solver.deal import Deal, Pack, Seat

    packs = [Pack.parse(line) for line in bridgette("deal", "--pack", "--count", "70", "--seed", "7").out.splitlines()]
    result = bridgette("deal", "--exchanged", "--count", "70", "--seed", "7", "--json")
    answers = [json.loads(line) for line in result.out.splitlines()]
    for pack, answer in zip(packs, answers, strict=True):
        assert (answer["dealer"], answer["upcard"]) == (pack.dealer.letter, str(pack.upcard))
        for seat in Seat:
            threw = Hand.of(Card.parse(card) for card in answer["threw"][seat.letter])
            kept = Deal.parse(answer["deal"]).hand(seat)
            assert kept | threw == held(pack, seat) and len(kept) == 13 and not (kept & threw)
    assert "rules" not in answers[0]
    few = bridgette("deal", "--exchanged", "--count", "2", "--seed", "7").out
    assert few == f"{answers[0]['deal']}\n{answers[1]['deal']}\n"


def test_deal_exchanged_by_other_rules(bridgette, refused):
    from solver.deal import Deal, Pack, Seat

    pack = Pack.parse(bridgette("deal", "--pack", "--seed", "7").out)
    rules = Rules(upcard_drawn=False)
    result = bridgette("deal", "--exchanged", "--seed", "7", "--rule", "upcard_drawn=false", "--json")
    answer = json.loads(result.out)
    assert answer["rules"] == ["upcard_drawn=false"]
    deal = Deal.parse(answer["deal"])
    for seat in Seat:
        assert deal.hand(seat) & held(pack, seat, rules) == deal.hand(seat)
        assert pack.upcard not in deal.hand(seat)
    assert "--pack and --exchanged" in refused("deal", "--pack", "--exchanged")
