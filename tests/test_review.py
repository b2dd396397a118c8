"""Reviews: the trace of a play agrees with the table and with fresh solves; keeps and calls against the advisor's."""

import json
from dataclasses import replace

import pytest

from advisor.review import Loss, as_south, card_reviews, review
from solver.auction import Auction
from solver.deal import Seat
from solver.double_dummy import Solver
from solver.errors import NotationError
from solver.play import replay
from solver.record import Record
from solver.record_text import record_text, records_text
from solver.rules import Rules
from solver.scoring import score
from tests.random_records import random_record


@pytest.mark.parametrize("seed", range(20))
def test_the_trace_agrees_with_the_table_and_with_fresh_solves_at_every_card(seed):
    record = random_record(seed)
    declarer = record.contract.declarer
    cards = card_reviews(record)
    assert [each.card for each in cards] == list(record.played.cards)
    table = Solver(record.rules).table(record.deal, [record.contract.strain], [declarer])
    assert cards[0].best == table.tricks(declarer, record.contract.strain)
    positions = replay(record.opening(), record.played.cards).positions
    won = 0
    for each, before, after in zip(cards, positions, positions[1:], strict=False):
        assert each.seat == before.to_play
        cold = Solver(record.rules)
        assert each.best == won + cold.solve(before).of(declarer)
        if after.led is None:
            won += after.to_lead == declarer
        assert each.tricks == won + Solver(record.rules).solve(after).of(declarer)
        assert each.cost == abs(each.best - each.tricks)
        assert each.cost == (each.best - each.tricks) * (1 if each.seat == declarer else -1)
        points = [score(record.contract, tricks, record.rules).points(each.seat) for tricks in (each.best, each.tricks)]
        assert each.points == points[0] - points[1]
        assert bool(each.better) == bool(each.cost) and each.card not in each.better
        for card in each.better:
            following, winner = before.after(card)
            more = won - (after.led is None and after.to_lead == declarer) + (winner == declarer)
            assert more + cold.solve(following).of(declarer) == each.best
    assert cards[-1].tricks == record.result
    lost = sum(each.cost * (1 if each.seat == declarer else -1) for each in cards)
    assert cards[0].best - lost == record.result


def test_the_costliest_decisions_come_first():
    found = review(random_record(3), samples=0)
    points = [each.points for each in found.costliest]
    assert points == sorted(points, reverse=True)
    assert {each.number for each in found.costliest} == {each.number for each in found.cards if each.points > 0}


@pytest.mark.parametrize(("seed", "points"), [(70, -250), (78, 0)])
def test_a_trick_lost_that_cost_no_points_is_not_among_what_cost_most(bridgette, record_file, seed, points):
    record = random_record(seed)
    first = next(each for each in card_reviews(record) if each.cost)
    assert first.points == points
    only_play = Record(
        deal=record.deal,
        contract=record.contract,
        played=record.played._replace(cards=record.played.cards[: first.number]),
        rules=record.rules,
    )
    path = record_file(record_text(only_play))
    assert json.loads(bridgette("review", path, "--samples", "0", "--json").out)["costliest"] == []
    shown = bridgette("review", path, "--samples", "0").out
    assert "      ^ " in shown and "What cost most" not in shown
    assert "No decision cost points." in shown.splitlines()


def test_keeps_and_calls_against_the_advisor():
    record = random_record(4, Rules())
    found = review(record, samples=30)
    assert [each.seat for each in found.exchanges] == list(Seat)
    assert all(each.kept == record.deal.hand(each.seat) for each in found.exchanges)
    assert [each.call for each in found.calls] == list(record.auction.calls)
    for each in (*found.exchanges, *found.calls):
        assert each.loss.points >= 0 and each.loss.se >= 0
    # Thirteen cards at random lose a lot against a computed keep.
    assert sum(each.loss.points for each in found.exchanges) > 200
    advised = replace(record, deal=None, auction=None, contract=None, played=None, result=None, south_points=None)
    keeps = {each.seat: each.advised for each in found.exchanges}
    thrown = tuple((record.held(seat) - keeps[seat]).cards for seat in Seat)
    again = review(replace(advised, thrown=thrown), samples=30)
    assert all(each.loss == Loss(0.0, 0.0) and each.kept == each.advised for each in again.exchanges)


def test_the_same_whatever_the_threads():
    record = random_record(5, Rules())
    assert review(record, samples=20, threads=1) == review(record, samples=20, threads=2)


def test_parts_may_be_missing():
    record = random_record(6, Rules())
    only_play = Record(deal=record.deal, contract=record.contract, played=record.played)
    found = review(only_play, samples=10)
    assert found.cards and not found.exchanges and not found.calls
    cut = replace(only_play, played=record.played._replace(cards=record.played.cards[:7]))
    assert review(cut, samples=10).cards == found.cards[:7]
    for missing in (Record(dealer=Seat.SOUTH), Record(deal=record.deal), replace(only_play, deal=None)):
        with pytest.raises(NotationError, match="there is nothing to review"):
            review(missing, samples=10)


def test_a_player_is_south_to_itself():
    auction = Auction.parse("1C X P", Seat.NORTH)
    assert as_south(auction, Seat.SOUTH) == auction
    assert as_south(auction, Seat.NORTH).dealer == Seat.SOUTH


@pytest.fixture
def record_file(tmp_path):
    def write(text):
        path = tmp_path / "deals.pbn"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_the_command(bridgette, record_file):
    records = [random_record(1, Rules()), random_record(2)]
    path = record_file(records_text(records))
    answers = [json.loads(line) for line in bridgette("review", path, "--samples", "0", "--json").out.splitlines()]
    assert [answer["number"] for answer in answers] == [1, 2]
    assert [len(answer["cards"]) for answer in answers] == [26, 26]
    assert answers[0]["deal"] == str(records[0].deal) and answers[0]["result"] == records[0].result
    assert "double dummy" in answers[0]["notes"][0] and "hidden" in answers[0]["notes"][0]
    shown = bridgette("review", path, "--samples", "0").out
    assert "What cost most" in shown and "double dummy" in shown and "hidden" in shown
    assert max(len(line) for line in shown.splitlines()) <= 100
    assert bridgette("review", "-", "--samples", "0", "--json", stdin=record_text(records[0])).out == (
        json.dumps(answers[0]) + "\n"
    )


def test_the_command_with_keeps_and_calls(bridgette, record_file):
    path = record_file(record_text(random_record(4, Rules())))
    answer = json.loads(bridgette("review", path, "--samples", "20", "--json").out)
    assert len(answer["exchange"]) == 2 and answer["calls"] and answer["samples"] == 20
    shown = bridgette("review", path, "--samples", "20").out
    assert "Exchange" in shown and "Auction" in shown and "points lost" in shown


@pytest.mark.parametrize("samples", ["0", "2"])
def test_a_record_with_nothing_to_review_is_passed_over_where_others_have(bridgette, record_file, samples):
    begun = '[Dealer "S"]\n[Upcard "D2"]\n'
    path = record_file(f"{begun}\n{record_text(random_record(1, Rules()))}\n{begun}")
    result = bridgette("review", path, "--samples", samples, "--json")
    assert result.code == 0
    assert [json.loads(line)["number"] for line in result.out.splitlines()] == [2]
    assert [line.split(": ")[1] for line in result.err.splitlines()] == [
        "there is nothing to review; expected [Deal] with [Contract] and [Play]"
        + (", with [Auction], or with what was drawn and thrown" if samples != "0" else "")
        + "; passed over."
    ] * 2


def test_refused(refused, record_file):
    good = record_text(random_record(1, Rules()))
    lines = len(good.split("\n"))
    assert f"line {lines + 1}: [Dealer]: 'E' is not a seat" in refused("review", record_file(f'{good}\n[Dealer "E"]\n'))
    assert "record 1: there is nothing to review" in refused("review", record_file('[Dealer "S"]\n'))
    assert "no such file" in refused("review", "nowhere.pbn")
    assert refused("review", "-").startswith("bridgette: standard input, there is no record in it")
