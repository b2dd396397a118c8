"""`bridgette solve --file x.pbn`: the deals of records."""

import json

import pytest

from solver.record_text import records_text
from solver.rules import Rules
from tests.random_records import random_record


@pytest.fixture
def record_file(tmp_path):
    def write(text):
        path = tmp_path / "deals.pbn"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_the_deals_of_records_are_solved_as_if_typed(bridgette, record_file):
    records = [random_record(seed, Rules()) for seed in range(3)]
    path = record_file(records_text(records))
    solved = [json.loads(line) for line in bridgette("solve", "--json", "--file", path).out.splitlines()]
    assert [answer["deal"] for answer in solved] == [str(record.deal) for record in records]
    assert solved[1] == json.loads(bridgette("solve", "--json", str(records[1].deal)).out)


def test_before_the_exchange_where_no_more_is_told(bridgette, record_file):
    record = random_record(1, Rules())
    path = record_file(f'[Dealt "{record.dealt}"]\n')
    answer = json.loads(bridgette("solve", "--json", "--strain", "NT", "--file", path).out)
    assert answer["deal"] == str(record.dealt)


def test_a_bad_record_refuses_the_file_with_file_and_line(refused, record_file):
    path = record_file(records_text([random_record(1, Rules())]) + '\n[Deal "S:A.... A...."]\n')
    line = len(records_text([random_record(1, Rules())]).split("\n")) + 1
    assert f"{path}, line {line}: [Deal]: SA is in both hands" in refused("solve", "--file", path)
    assert "record 2 has no [Deal]" in refused(
        "solve", "--file", record_file('[Deal "S:AKQJT98765432.... .AKQJT98765432..."]\n\n[Dealer "S"]')
    )
    assert "there is no record in it" in refused("solve", "--file", record_file("\n"))


def test_with_keep_going_the_rest_is_solved(bridgette, record_file):
    path = record_file('[Deal "S:A.... A...."]\n\n' + records_text([random_record(1, Rules())]))
    result = bridgette("solve", "--strain", "S", "--keep-going", "--json", "--file", path)
    assert result.code == 2 and "line 1: [Deal]: SA is in both hands" in result.err
    assert len(result.out.splitlines()) == 1


def test_a_deal_played_by_other_rules_wants_them_named(bridgette, refused, record_file):
    path = record_file(records_text([random_record(1, Rules(free_colon_discard=True))]))
    assert "--rule free_colon_discard=true" in refused("solve", "--file", path)
    assert bridgette("solve", "--strain", "S", "--rule", "free_colon_discard=true", "--file", path).code == 0
