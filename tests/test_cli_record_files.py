"""`bridgette solve --file x.pbn`: the deals of records."""

import json

import pytest

from solver.cards import Card
from solver.deal import Deal
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


def test_par_is_that_of_the_dealer_told_by_the_record_or_the_pack(bridgette, record_file):
    hands = "S:AQT2.8.95.AJ752.R 76.A95.QJ8.KQT43."
    by_dealer = {seat: _par(bridgette("solve", "--json", "--dealer", seat, hands)) for seat in "SN"}
    assert by_dealer == {"S": "1NTX S", "N": "1NT N"}
    for seat in "SN":
        path = record_file(f'[Deal "{hands}"]\n[Dealer "{seat}"]\n')
        assert _par(bridgette("solve", "--json", "--file", path)) == by_dealer[seat]
        assert _par(bridgette("solve", "--json", "--dealer", "S", "--file", path)) == by_dealer["S"]
        used = set(Deal.parse(hands).south) | set(Deal.parse(hands).north)
        stock = " ".join(str(Card.from_index(index)) for index in range(55) if Card.from_index(index) not in used)
        assert _par(bridgette("solve", "--json", f"{hands} dealer {seat} stock {stock}")) == by_dealer[seat]


def _par(result):
    return json.loads(result.out)["par"]["contract"]


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
