"""The benchmark's own parts: what is stored, what is compared, and that a wrong answer is seen."""

import itertools
import random
import re

import numpy as np
import pytest

from benchmarks import answers, card_play, run, techniques
from benchmarks.verify_switches import ALL_BUT_TABLE, TECHNIQUES, compared, main, switches
from solver import search
from solver.deal import Deal
from solver.double_dummy import Solver
from tests.random_records import random_record


def few_deals(count, seed=1):
    generator = random.Random(seed)
    return [Deal.random(generator) for _ in range(count)]


@pytest.fixture
def few_sets(monkeypatch):
    """Only the first two deals of each set but the hard one."""
    sets = [
        each._replace(deals=each.deals[:2], tables=each.tables[:2])
        for each in answers.stored_sets()
        if each.name != answers.HARD
    ]
    monkeypatch.setattr(run, "stored_sets", lambda: sets)
    return sets


def test_stored_answers_are_right():
    solver = Solver()
    for each in answers.stored_sets():
        assert len(set(each.deals)) == len(each.deals) == len(each.tables) >= 100
        tables = [solver.table(deal) for deal in each.deals[:2]]
        assert each.wrong(tables) == 0
        assert each._replace(tables=each.tables + 1).wrong(tables) == 2


def test_run_writes_its_tables(few_sets, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(
        "sys.argv", ["run", "--share", "0.05", "--output", str(tmp_path / "out.md"), "tables", "questions"]
    )
    assert run.main() == 0
    text = (tmp_path / "out.md").read_text()
    assert "## Tables" in text and "## Questions" in text and "## Threads" not in text
    for each in few_sets:
        assert text.count(f"| {each.name} |") == 2
    assert text.count(", 0 wrong.") == 2


@pytest.mark.parametrize("part", ["tables", "questions", "techniques", "threads"])
def test_run_sees_a_wrong_answer(few_sets, part):
    few_sets[2].tables[0] = 13 - few_sets[2].tables[0]
    report = run.Report()
    parts = {"tables": run.tables, "questions": run.questions, "threads": run.threads}
    parts["techniques"] = run.each_technique
    parts[part](report, few_sets, run.scaled(0.05)._replace(small=1, whole=1))
    assert report.wrong > 0


def test_techniques_in_turn_take_fewer_positions():
    generator = random.Random(3)
    costs = techniques.cumulative([Deal.random(generator, 6) for _ in range(5)])
    assert len(costs) == len(TECHNIQUES) + 1
    expanded = [cost.expanded for cost in costs.values()]
    assert expanded[0] > 10 * expanded[-1]
    assert all((cost.tables == costs["plain alpha-beta"].tables).all() for cost in costs.values())


def test_compared_sees_every_difference():
    """Two readings of the rules give some deals different tables, the same reading none."""
    deals = few_deals(30)
    usual, free, again = search.new_memory(), search.new_memory(17, True), search.new_memory()
    different = [part.differences() for part in compared(iter(deals), usual, free, block=7)]
    assert len(different) == 5
    lines = list(itertools.chain(*different))
    expected = []
    for deal in deals:
        tables = np.zeros((2, 2, 5), dtype=np.int8)
        for table, memory in zip(tables, (usual, free), strict=True):
            search.fill_table(deal.south.mask, deal.north.mask, table, memory)
        if (tables[0] != tables[1]).any():
            expected.append(f"{deal}: {tables[0].tolist()} and {tables[1].tolist()}")
    assert expected and lines == expected
    assert not any(part.differences() for part in compared(iter(deals), usual, again))


def test_verify_switches(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["verify_switches", "--deals", "6", "--one-bits", "10"])
    assert main() == 0
    assert "6 deals of seed 20000, 60 results, 0 tables differ" in capsys.readouterr().out


@pytest.mark.filterwarnings("error")
def test_card_play_of_one_deal_prints_no_error(capsys):
    """One deal tells nothing of the spread; of two deals there is an error."""
    card_play.main(["--deals", "1", "--samples", "2", "--against", "greedy"])
    out = capsys.readouterr().out
    assert re.fullmatch(r"advisor less greedy: [+-]\d+ points a deal, 1 deals\nthinking, .*\n", out)
    assert card_play.figure([2.0]) == (2.0, None) and card_play.figure([1.0, 3.0]) == (2.0, 1.0)


@pytest.mark.filterwarnings("error")
def test_card_play_of_deals_passed_out(capsys, monkeypatch):
    monkeypatch.setattr(card_play, "bid_record", lambda seed: random_record(seed, passed_out=True))
    card_play.main(["--deals", "2"])
    assert capsys.readouterr().out == "2 deals, all passed out: nothing was played\n"


def test_switches_by_name():
    assert switches("none") == 0
    assert switches(ALL_BUT_TABLE) | TECHNIQUES["transpositions"] == sum(TECHNIQUES.values())
    with pytest.raises(ValueError, match="'bounds' is not a technique"):
        switches("leader-bound,bounds")
