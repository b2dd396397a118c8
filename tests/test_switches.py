"""Each technique of the search can be turned off, and changes no answer: on whole deals, on endings, with any table."""

import json
import os
import random
from pathlib import Path

import numpy as np
import pytest

from solver import search
from solver.cards import Hand, Strain, Suit
from solver.deal import Deal, Seat
from solver.double_dummy import Solver
from solver.play import Position
from solver.rules import Rules
from solver.search import memory
from tests.skewed import BARRED, FOLLOWER, LEADER, STRAIN, skewed_positions
from tests.verify import PLAIN, check_deals

DATA = Path(__file__).parent / "data"

TRAPS = int(os.environ.get("BRIDGETTE_TRAP_POSITIONS", "4000"))
"""How many positions like the traps are looked at."""

TECHNIQUES = {
    "transposition table": memory.TRANSPOSITIONS,
    "leader's bound": memory.LEADER_BOUND,
    "follower's bound": memory.FOLLOWER_BOUND,
    "touching cards as one": memory.TOUCHING_CARDS,
    "reply dominance": memory.REPLY_DOMINANCE,
    "order of leads": memory.LEAD_ORDER,
    "symmetry of suits": memory.SUIT_SYMMETRY,
}
EVERY_TECHNIQUE = sum(TECHNIQUES.values())


def deals_by_colons(seed, count):
    """`count` random deals for each number of colons in the two hands, 0 to 3."""
    rng = random.Random(seed)
    found = {colons: [] for colons in range(4)}
    while any(len(deals) < count for deals in found.values()):
        deal = Deal.random(rng)
        of_colons = found[len((deal.south | deal.north).colons)]
        if len(of_colons) < count:
            of_colons.append(deal)
    return found


def test_every_switch_is_tested():
    """The switches stand together in memory.py, from the first one on."""
    names = [name for name in vars(memory) if name.isupper()]
    switches = {name: vars(memory)[name] for name in names[names.index("TRANSPOSITIONS") :]}
    assert set(switches.values()) == {*TECHNIQUES.values(), memory.DOMINANCE_GUARD}, switches
    assert sorted(switches.values()) == [1 << bit for bit in range(len(switches))]


@pytest.mark.parametrize("technique", [name for name in TECHNIQUES if name != "transposition table"])
def test_whole_deals_without_a_technique(technique):
    for deals in deals_by_colons(seed=1, count=2).values():
        for deal in deals:
            without = Solver(table_bits=18, switched_off=TECHNIQUES[technique])
            assert without.table(deal) == Solver().table(deal), deal


@pytest.mark.parametrize("free_colon_discard", [False, True])
def test_whole_deals_with_a_small_table_and_without_bounds_and_dominance(free_colon_discard):
    deals = [deal for of_colons in deals_by_colons(seed=2, count=10).values() for deal in of_colons]
    souths, norths = (np.array([deal.hand(seat).mask for deal in deals]) for seat in Seat)
    complaints = check_deals(souths, norths, free_colon_discard)
    assert not complaints, "\n".join(complaints)


def values(positions, rules, switched_off=0, table_bits=12):
    solver = search.new_memory(table_bits, rules.free_colon_discard, switched_off)
    return [
        search.position_value(row[LEADER], row[FOLLOWER], row[BARRED], row[STRAIN], 2, solver)
        for row in positions.tolist()
    ]


@pytest.mark.parametrize("free_colon_discard", [False, True])
@pytest.mark.parametrize(("cards", "count"), [(3, 400), (5, 400), (7, 100)])
def test_endings_without_each_pair_of_techniques(cards, count, free_colon_discard):
    rules = Rules(free_colon_discard=free_colon_discard)
    positions = skewed_positions(cards, cards, count)
    expected = values(positions, rules)
    for one in TECHNIQUES.values():
        for other in TECHNIQUES.values():
            assert values(positions, rules, one | other) == expected
    plain = EVERY_TECHNIQUE if cards < 7 else EVERY_TECHNIQUE & ~memory.TRANSPOSITIONS
    assert values(positions, rules, plain) == expected


@pytest.mark.parametrize("free_colon_discard", [False, True])
def test_endings_with_a_table_too_small(free_colon_discard):
    """256 slots for thousands of positions: nothing is answered from another position's slot."""
    rules = Rules(free_colon_discard=free_colon_discard)
    for cards, count in ((4, 2000), (8, 300), (10, 60)):
        positions = skewed_positions(cards, cards, count)
        assert values(positions, rules, table_bits=8) == values(positions, rules, table_bits=18)


def test_cold_is_warm():
    positions = skewed_positions(6, 8, 300)
    warm = values(positions, Rules())
    cold = [values(positions[row : row + 1], Rules())[0] for row in range(len(positions))]
    assert warm == cold == values(positions[::-1], Rules())[::-1]


def test_one_table_serves_every_strain_and_both_settings_of_the_rule():
    """Positions that differ only in strain or in `free_colon_discard` do not answer for each other."""
    default, free = search.new_memory(16), search.new_memory(16, True)
    shared = search.new_memory(16)
    for leader, follower, barred, _ in skewed_positions(11, 6, 200).tolist():
        for strain in Strain:
            expected = [search.position_value(leader, follower, barred, strain, 3, each) for each in (default, free)]
            answers = []
            for setting in (0, 1):
                shared[memory.FREE_DISCARD] = setting
                answers.append(search.position_value(leader, follower, barred, strain, 3, shared))
            assert answers == expected


def traps():
    for line in (DATA / "play_traps.jsonl").read_text().splitlines():
        record = json.loads(line)
        barred = None if record["barred"] is None else Suit.parse(record["barred"])
        rules = Rules(free_colon_discard=record["free_colon_discard"])
        hands = Hand.parse(record["leader_hand"]), Hand.parse(record["follower_hand"])
        yield Position(*hands, Strain.parse(record["strain"]), Seat.SOUTH, barred, None, rules), record["tricks"]


def test_reply_dominance_without_its_guard_is_wrong():
    """The traps are there for it: without the guard some come out wrong, with it none, nor without the dominance."""
    wrong = dict.fromkeys((0, memory.DOMINANCE_GUARD, memory.REPLY_DOMINANCE), 0)
    for position, tricks in traps():
        for switched_off in wrong:
            wrong[switched_off] += Solver(position.rules, switched_off=switched_off).solve(position).south != tricks
    assert wrong[0] == wrong[memory.REPLY_DOMINANCE] == 0
    assert wrong[memory.DOMINANCE_GUARD] > 20


def changed(rng, south, north):
    """The hands with one to four changes: a card for one near it, two exchanged, a card more or less in each."""
    hands = [south.mask, north.mask]
    for _ in range(rng.randint(1, 4)):
        cards = [[card for card in range(55) if hand >> card & 1] for hand in hands]
        others = [card for card in range(55) if not (hands[0] | hands[1]) >> card & 1]
        change = rng.random()
        if change < 0.35:
            seat = rng.randrange(2)
            card = rng.choice(cards[seat])
            near = [other for other in others if other // 13 == card // 13 and abs(other - card) <= 3]
            hands[seat] ^= 1 << card | 1 << rng.choice(near or others)
        elif change < 0.6:
            swapped = 1 << rng.choice(cards[0]) | 1 << rng.choice(cards[1])
            hands = [hand ^ swapped for hand in hands]
        elif change < 0.8 and len(cards[0]) < 13:
            hands = [hand | 1 << card for hand, card in zip(hands, rng.sample(others, 2), strict=True)]
        elif len(cards[0]) > 3:
            hands = [hand ^ 1 << rng.choice(held) for hand, held in zip(hands, cards, strict=True)]
    return hands


def test_about_the_traps():
    """Positions a few cards from the traps: what breaks the dominance is at hand far more often than by chance."""
    rng = random.Random(12)
    start = list(traps())
    everything = [search.new_memory(17, free) for free in (False, True)]
    plain = [search.new_memory(18, free, PLAIN) for free in (False, True)]
    unguarded = search.new_memory(17, False, memory.DOMINANCE_GUARD)
    wrong_unguarded = 0
    for _ in range(TRAPS):
        position, _ = rng.choice(start)
        hands = changed(rng, position.south, position.north)
        rng.shuffle(hands)
        barred = rng.randrange(4) if rng.random() < 0.2 else -1
        strain = rng.choice([position.strain, rng.randrange(5)])
        free = rng.random() < 0.3
        asked = (*hands, barred, strain, 4)
        tricks = search.position_value(*asked, plain[free])
        assert search.position_value(*asked, everything[free]) == tricks, (*map(Hand, hands), barred, strain, free)
        wrong_unguarded += not free and search.position_value(*asked, unguarded) != tricks
    assert wrong_unguarded > TRAPS / 1000


def test_techniques_save_work():
    """Without any of them the search looks at more positions: they are on when not turned off."""
    deals = deals_by_colons(seed=5, count=3)

    def probed(switched_off):
        solver = Solver(table_bits=18, switched_off=switched_off)
        for deal in (*deals[0], *deals[1], *deals[2]):
            solver.table(deal)
        return solver.probed

    def probed_in_endings(switched_off):
        solver = search.new_memory(12, False, switched_off)
        for leader, follower, barred, strain in skewed_positions(1, 7, 100).tolist():
            search.position_value(leader, follower, barred, strain, 3, solver)
        return int(solver[search.PROBED])

    everything = probed(0)
    ratios = {name: probed(off) / everything for name, off in TECHNIQUES.items() if off != memory.TRANSPOSITIONS}
    ratios["transposition table"] = probed_in_endings(memory.TRANSPOSITIONS) / probed_in_endings(0)
    assert all(ratio > 1.02 for ratio in ratios.values()), ratios
    assert probed(PLAIN) > 1.5 * everything
