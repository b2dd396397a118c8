"""Every record of known answers, through every way to ask: the API's entry points, and the command line."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from solver.cards import Hand, Strain, Suit
from solver.deal import Deal, Seat
from solver.double_dummy import at_least, best_line, card_values, iter_tables, solve, table
from solver.play import Position, replay
from solver.rules import Rules

DATA = Path(__file__).parent / "data"
PLAY = ["play_small", "play_traps", "play_large", "play_full"]


def records(name):
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]


def position_of(record, leader=Seat.SOUTH):
    """The record's position with one or the other player on lead."""
    hands = Hand.parse(record["leader_hand"]), Hand.parse(record["follower_hand"])
    south, north = hands if leader == Seat.SOUTH else reversed(hands)
    barred = None if record["barred"] is None else Suit.parse(record["barred"])
    rules = Rules(free_colon_discard=record["free_colon_discard"])
    return Position(south, north, Strain.parse(record["strain"]), leader, barred, None, rules)


def test_the_records_are_all_there():
    assert {name: len(records(name)) for name in [*PLAY, "tables"]} == {
        "play_small": 1779,
        "play_traps": 164,
        "play_large": 38,
        "play_full": 5,
        "tables": 300,
    }


@pytest.mark.parametrize("name", PLAY)
def test_positions(name):
    for record in records(name):
        for leader in Seat:
            position, tricks = position_of(record, leader), record["tricks"]
            assert solve(position).of(leader) == tricks, record
            assert solve(position).of(leader.other) == position.size - tricks, record
            for target in range(-1, position.size + 2):
                assert at_least(position, leader, target) == (tricks >= target), (record, target)
                assert at_least(position, leader.other, target) == (position.size - tricks >= target), (record, target)
            if record["barred"] is None:
                solved = table(Deal(position.south, position.north), position.rules, [position.strain])
                assert solved.tricks(leader.other, position.strain) == position.size - tricks, record


@pytest.mark.parametrize("name", PLAY)
def test_cards_and_lines_of_positions(name):
    for record in records(name):
        position = position_of(record)
        values = card_values(position)
        assert {value.card for value in values} == set(position.legal()), record
        assert values[0].tricks == record["tricks"] == max(value.tricks for value in values), record
        played = replay(position, best_line(position))
        assert played.end.is_over, record
        assert played.tricks_won(Seat.SOUTH) == record["tricks"], record


@pytest.mark.parametrize("name", PLAY)
def test_positions_by_command_line(name, bridgette):
    """All records that share a strain, a bar and the rule go through one run, as lines of a file."""
    together = defaultdict(list)
    for record in records(name):
        together[record["strain"], record["barred"], record["free_colon_discard"]].append(record)
    for (strain, barred, free_colon_discard), group in together.items():
        options = ["--strain", strain, "--to-lead", "S", "--cards", "--line", "--json"]
        if barred is not None:
            options += ["--barred", barred]
        if free_colon_discard:
            options += ["--rule", "free_colon_discard=true"]
        lines = "".join(f"S:{record['leader_hand']} {record['follower_hand']}\n" for record in group)
        result = bridgette("solve", "--file", "-", *options, stdin=lines)
        assert result.code == 0 and result.err == ""
        answers = [json.loads(line) for line in result.out.splitlines()]
        for record, answer in zip(group, answers, strict=True):
            position = position_of(record)
            size, tricks = position.size, record["tricks"]
            assert answer["deal"] == f"S:{record['leader_hand']} {record['follower_hand']}"
            assert (answer["strain"], answer["to_lead"], answer["barred"], answer["led"]) == (strain, "S", barred, None)
            assert answer["tricks"] == {"S": tricks, "N": size - tricks}, record
            assert answer["cards"][0]["tricks"] == tricks, record
            assert {value["card"] for value in answer["cards"]} == {str(card) for card in position.legal()}, record
            assert answer["line"] == [str(card) for card in best_line(position)], record


@pytest.mark.parametrize(
    "record", records("play_traps")[::12] + records("play_full"), ids=lambda record: record["strain"]
)
def test_one_position_by_command_line(record, bridgette):
    options = ["--strain", record["strain"], "--to-lead", "N", "--json"]
    if record["barred"] is not None:
        options += ["--barred", record["barred"]]
    if record["free_colon_discard"]:
        options += ["--rule", "free_colon_discard=true"]
    result = bridgette("solve", *options, f"N:{record['leader_hand']} {record['follower_hand']}")
    assert json.loads(result.out)["tricks"]["N"] == record["tricks"]


def rows_of(record):
    """The record's tricks as the API gives them: by declarer and strain, clubs first."""
    return tuple(tuple(record["tricks"][seat.letter][strain.letter] for strain in Strain) for seat in Seat)


def test_tables():
    known = records("tables")
    deals = [Deal.parse(record["deal"]) for record in known]
    for record, deal, solved in zip(known, deals, iter_tables(deals), strict=True):
        assert solved.deal == deal
        assert solved.rows == rows_of(record), record


@pytest.mark.parametrize("start", range(10))
def test_tables_by_the_other_entry_points(start):
    """Whole deals one by one: the table, a part of it, the position after the auction, its cards, targets and line."""
    for number, record in enumerate(records("tables")[start::10]):
        deal, rows = Deal.parse(record["deal"]), rows_of(record)
        assert table(deal).rows == rows, record
        declarer, strain = Seat(number % 2), Strain(number % 5)
        tricks = rows[declarer][strain]
        part = table(deal, strains=[strain], declarers=[declarer])
        assert part.tricks(declarer, strain) == tricks
        assert sum(each is not None for row in part.rows for each in row) == 1
        position = Position.opening(deal, strain, declarer)
        assert solve(position).of(declarer) == tricks, record
        assert at_least(position, declarer, tricks) and not at_least(position, declarer, tricks + 1), record
        assert card_values(position)[0].tricks == 13 - tricks, record
        if number % 3 == 0:
            played = replay(position, best_line(position))
            assert len(played.tricks) == 13 and played.tricks_won(declarer) == tricks, record


def test_tables_by_command_line(bridgette):
    known = records("tables")
    lines = "".join(record["deal"] + "\n" for record in known)
    result = bridgette("solve", "--file", "-", "--json", stdin=lines)
    assert result.code == 0
    answers = [json.loads(line) for line in result.out.splitlines()]
    for record, answer in zip(known, answers, strict=True):
        assert answer["deal"] == record["deal"]
        assert answer["tricks"] == record["tricks"], record
        assert answer["par"]["score"]["S"] == -answer["par"]["score"]["N"]
