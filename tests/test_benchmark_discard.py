"""The measurement of the exchange: situations, rivals added later, the best of all keeps."""

import json

import pytest

from benchmarks import discard
from benchmarks.discard import SEED, best_of_all, kept_by, measure, read_rows, situation
from solver.cards import Hand
from solver.exchange import legal_keeps


@pytest.fixture
def keeps_longest(monkeypatch):
    """An advisor that keeps what longest suit and honours does, at once."""
    monkeypatch.setattr(discard, "advised", lambda known: (kept_by("longest", known), 0.0))


def test_a_rival_added_later_is_judged_like_the_others(keeps_longest):
    blank = {"size": 17, "number": 3}
    together = measure(blank, ["advisor", "policy", "highest"], SEED, 6, 6)
    first = measure(blank, ["advisor", "policy"], SEED, 6, 6)
    assert set(first["keeps"]) == {"advisor", "policy"}
    assert measure(first, ["advisor", "policy", "highest"], SEED, 6, 6) == together
    assert len(set(map(str, together["values"].values()))) == len(set(together["keeps"].values())) > 1


def test_what_all_keep_is_not_judged_until_a_rival_keeps_something_else(keeps_longest):
    alone = measure({"size": 15, "number": 0}, ["advisor", "longest"], SEED, 6, 6)
    assert alone["values"] == {}
    assert set(measure(alone, ["advisor", "longest", "highest"], SEED, 6, 6)["values"]) == set(alone["keeps"]) | {
        "highest"
    }


def test_the_last_line_of_a_situation_counts(tmp_path):
    file = tmp_path / "rows.jsonl"
    assert read_rows(file) == {}
    rows = [{"size": 15, "number": 1, "at": at} for at in range(2)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read_rows(file) == {(15, 1): rows[1]}


def test_the_best_of_all_keeps_is_one_of_them():
    known = situation(15, 2, SEED)
    assert Hand(best_of_all(known, 2, 7)) in legal_keeps(known.cards)
