"""All ways to ask agree, at every card of whole deals: table, value, cards, targets, line; warm or cold; threads."""

import itertools
import random

import numpy as np
import pytest

from solver.cards import Hand, Strain
from solver.deal import Deal, Seat
from solver.double_dummy import (
    Solver,
    at_least,
    best_line,
    card_values,
    iter_tables,
    solve,
    solve_tables,
    table,
)
from solver.errors import BridgetteError
from solver.play import Position, replay
from solver.rules import Rules


def deals_by_colons(seed, count):
    """`count` random deals for each number of colons in the two hands, 0 to 3."""
    rng = random.Random(seed)
    found = {colons: [] for colons in range(4)}
    while any(len(deals) < count for deals in found.values()):
        deal = Deal.random(rng)
        of_colons = found[len((deal.south | deal.north).colons)]
        if len(of_colons) < count:
            of_colons.append(deal)
    return list(itertools.chain(*found.values()))


def check_agreement(position, cold):
    """Every entry point gives the same account of the position; returns what it comes to."""
    tricks = solve(position)
    assert tricks.south + tricks.north == position.size
    assert cold.solve(position) == tricks, position
    seat = position.to_play
    values = card_values(position)
    assert [value.tricks for value in values] == sorted((value.tricks for value in values), reverse=True)
    assert {value.card for value in values} == set(position.legal()), position
    assert values[0].tricks == tricks.of(seat), position
    assert cold.card_values(position) == values
    for card, worth in values:
        following, winner = position.after(card)
        assert solve(following).of(seat) + (winner == seat) == worth, (position, card)
    for each in Seat:
        for target in range(position.size + 2):
            assert at_least(position, each, target) == (tricks.of(each) >= target), (position, each, target)
    if position.led is None and position.barred is None:
        declarer = position.to_lead.other
        solved = table(Deal(position.south, position.north), position.rules, [position.strain], [declarer])
        assert solved.tricks(declarer, position.strain) == tricks.of(declarer), position
    return tricks


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("free_colon_discard", [False, True])
def test_agreement_at_every_card(number, free_colon_discard):
    """Along the line of best play, and along random play with a best card now and then."""
    rules = Rules(free_colon_discard=free_colon_discard)
    rng = random.Random(number)
    deal = deals_by_colons(seed=3, count=2)[number]
    strain, declarer = rng.choice(list(Strain)), rng.choice(list(Seat))
    position = Position.opening(deal, strain, declarer, rules)
    cold = Solver(rules, table_bits=12)
    promised = table(deal, rules).tricks(declarer, strain)
    line = best_line(position)
    assert line == best_line(position) == Solver(rules).best_line(position)
    played = replay(position, line)
    assert played.tricks_won(declarer) == promised
    for before, after in itertools.pairwise(played.positions):
        tricks = check_agreement(before, cold)
        won = sum(trick.winner == declarer for trick in replay(position, line[: played.positions.index(before)]).tricks)
        assert won + tricks.of(declarer) == promised
        assert after.size <= before.size
    while not position.is_over:
        check_agreement(position, cold)
        rest = best_line(position)
        assert replay(position, rest).end.is_over
        card = rng.choice([rest[0], rng.choice(position.legal().cards)])
        position = position.after(card).position


def test_a_play_that_is_over():
    over = Position(Hand.parse("...."), Hand.parse("...."), Strain.SPADES, Seat.SOUTH)
    assert solve(over) == (0, 0)
    assert card_values(over) == () and best_line(over) == ()
    assert at_least(over, Seat.SOUTH, 0) and not at_least(over, Seat.SOUTH, 1)


def test_cards_of_one_trick():
    for led in (False, True):
        position = Position(Hand.parse("A...."), Hand.parse("....G"), Strain.NOTRUMP, Seat.SOUTH)
        if led:
            position = position.after(position.south.cards[0]).position
        assert solve(position) == (1, 0)
        assert card_values(position)[0].tricks == (0 if led else 1)


def test_part_of_a_table():
    deal = deals_by_colons(seed=4, count=1)[3]
    whole = table(deal)
    for seat, strain in itertools.product(Seat, Strain):
        part = table(deal, strains=[strain], declarers=[seat])
        assert part.tricks(seat, strain) == whole.tricks(seat, strain)
        with pytest.raises(KeyError, match=f"{seat.other.title}"):
            part.tricks(seat.other, strain)
        expected = np.full((2, 5), -1)
        expected[seat, strain] = whole.tricks(seat, strain)
        assert (part.as_array() == expected).all()


@pytest.mark.parametrize("free_colon_discard", [False, True])
def test_many_deals_one_by_one_and_over_threads(free_colon_discard):
    rules = Rules(free_colon_discard=free_colon_discard)
    deals = deals_by_colons(seed=5, count=6)
    one_by_one = [Solver(rules).table(deal) for deal in deals]
    for threads in (1, 2, 3, None):
        assert list(iter_tables(deals, rules, threads)) == one_by_one
    souths = np.array([deal.south.mask for deal in deals])
    norths = np.array([deal.north.mask for deal in deals])
    done = []
    for threads in (1, 2):
        tricks = solve_tables(
            souths, norths, free_colon_discard=free_colon_discard, threads=threads, progress=done.append
        )
        assert tricks.shape == (len(deals), 2, 5) and tricks.dtype == np.int8
        assert (tricks == [solved.as_array() for solved in one_by_one]).all()
    assert done == [*range(2, 26, 2)] * 2
    assert solve_tables(souths[:0], norths[:0]).shape == (0, 2, 5)


def test_tables_of_arrays_that_do_not_fit_are_refused():
    hands = np.array([7, 56])
    for souths, norths, message in (
        (hands, hands[:1], "2 hands of South and 1 of North"),
        (hands[:, None], hands, "shape"),
        (hands * 1.5, hands, "whole numbers"),
    ):
        with pytest.raises(BridgetteError, match=message):
            solve_tables(souths, norths)
    with pytest.raises(BridgetteError, match="0 threads; expected at least 1"):
        solve_tables(hands[:1], hands[1:], threads=0)


def test_endless_deals_are_read_only_as_they_are_needed():
    """The tables come in order while the deals have no end; few are read ahead, and none after the reader stops."""
    taken = 0

    def endings():
        nonlocal taken
        rng = random.Random(6)
        while True:
            taken += 1
            yield Deal.random(rng, size=4)

    tables = iter_tables(endings(), threads=2)
    assert taken == 0
    rng = random.Random(6)
    for _ in range(100):
        deal = Deal.random(rng, size=4)
        assert next(tables) == table(deal)
    assert 100 <= taken < 300
    tables.close()
    taken_then = taken
    assert list(tables) == [] and taken == taken_then


def test_a_fault_in_the_source_of_deals_comes_through():
    def deals():
        yield from [Deal.random(1), Deal.random(2)]
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        list(iter_tables(deals(), threads=2))


def test_threads_and_table_sizes_are_checked():
    with pytest.raises(ValueError, match="0 threads"):
        list(iter_tables([Deal.random(1)], threads=0))
    with pytest.raises(ValueError, match="table_bits 30"):
        Solver(table_bits=30)


def test_a_thousand_tables_stay_within_the_memory_stated():
    solver = Solver(table_bits=10)
    memory = solver.memory
    size = memory.nbytes
    beyond = memory.copy()
    rng = random.Random(7)
    for _ in range(1000):
        solver.table(Deal.random(rng, size=6))
    assert solver.memory is memory and memory.nbytes == size
    assert size - Solver(table_bits=8).memory.nbytes == (2**10 - 2**8) * 16
    assert solver.probed > solver.expanded > 1000
    assert not (memory == beyond).all()


def test_what_was_asked_before_does_not_matter():
    """A solver warm from other deals, strains and positions answers like one that is cold, in any order of asking."""
    deals = deals_by_colons(seed=8, count=3)
    warm = Solver(table_bits=12)
    expected = [Solver().table(deal).rows for deal in deals]
    assert [warm.table(deal).rows for deal in deals] == expected
    assert [warm.table(deal).rows for deal in reversed(deals)] == expected[::-1]


def test_a_question_asked_again_is_looked_up():
    solver = Solver()
    deal = deals_by_colons(seed=9, count=1)[1]
    solver.table(deal)
    first = solver.expanded
    solver.table(deal)
    assert first > 100 and solver.expanded - first < first / 20
