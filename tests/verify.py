"""A long run of what the tests do in short: ``python -m tests.verify --seconds 600`` prints all disagreements.

By size of hand: up to --oracle cards (7) the search against the compiled oracle; larger ones against itself with every
bound and dominance off; and both bounds against the value. Whole deals (13): tables with everything on against a small
table, and against bounds and dominance off.
"""

import argparse
import sys
import time

import numpy as np
from numba import int64, njit

from solver import search
from solver.cards import Hand, Strain, Suit
from solver.search.bounds import cashed, leader_at_most
from solver.search.layout import HIS, MINE, written
from solver.search.memory import FOLLOWER_BOUND, LEADER_BOUND, REPLY_DOMINANCE
from tests.compiled_oracle import oracle_value
from tests.skewed import BARRED, FOLLOWER, LEADER, STRAIN, skewed_positions

PLAIN = LEADER_BOUND | FOLLOWER_BOUND | REPLY_DOMINANCE
WRONG_VALUE, WRONG_LEAST, WRONG_MOST, WRONG_LATER = 1, 2, 4, 8
FAULTS = {
    WRONG_VALUE: "wrong value",
    WRONG_LEAST: "cashed more than the value",
    WRONG_MOST: "at most less than the value",
    WRONG_LATER: "cashed once in more than the value",
}


@njit(int64(int64[:, ::1], int64, int64, int64, int64[::1], int64[::1], int64[:, ::1]))
def compare(positions, left, free_colon_discard, by_oracle, memory, plain_memory, results):
    """Check each position; returns how many fail.

    A row of ``results``: its faults, value by the search, right value, and both bounds, least and most.
    """
    failed = 0
    for row in range(len(positions)):
        leader = positions[row, LEADER]
        follower = positions[row, FOLLOWER]
        barred = positions[row, BARRED]
        strain = positions[row, STRAIN]
        value = search.position_value(leader, follower, barred, strain, left // 2, memory)
        if by_oracle:
            right = oracle_value(leader, follower, left, barred, strain, free_colon_discard)
        else:
            right = search.position_value(leader, follower, barred, strain, value, plain_memory)
        cards, marks = written(leader, follower, barred)
        least = cashed(cards, marks, strain, MINE, memory.ctypes) & 0xFFFF
        most = leader_at_most(cards, marks, strain, left, left, memory.ctypes)
        faults = 0
        if value != right:
            faults |= WRONG_VALUE
        if least > right:
            faults |= WRONG_LEAST
        if most < right:
            faults |= WRONG_MOST
        if barred < 0:
            # what the follower of the position with the hands exchanged cashes when it gets in, nothing barred
            cards, marks = written(follower, leader, barred)
            if cashed(cards, marks, strain, HIS, memory.ctypes) & 0xFFFF > right:
                faults |= WRONG_LATER
        results[row, 0] = faults
        results[row, 1] = value
        results[row, 2] = right
        results[row, 3] = least
        results[row, 4] = most
        failed += faults > 0
    return failed


def described(position: np.ndarray) -> str:
    """A position in the notation of the command line."""
    leader, follower, barred, strain = (int(number) for number in position)
    bar = "" if barred < 0 else f" --barred {Suit(barred).letter}"
    return f'--strain {Strain(strain).letter} --to-lead S{bar} "S:{Hand(leader)} {Hand(follower)}"'


def check_positions(seed: int, left: int, count: int, free_colon_discard: bool, by_oracle: bool) -> list[str]:
    """A line for each of ``count`` random positions where search, bounds and the right value disagree."""
    positions = skewed_positions(seed, left, count)
    results = np.zeros((count, 5), dtype=np.int64)
    memory = search.new_memory(17, free_colon_discard)
    plain_memory = search.new_memory(17, free_colon_discard, PLAIN)
    compare(positions, left, int(free_colon_discard), int(by_oracle), memory, plain_memory, results)
    complaints = []
    for row in np.flatnonzero(results[:, 0]):
        faults, value, right, least, most = (int(number) for number in results[row])
        names = ", ".join(name for bit, name in FAULTS.items() if faults & bit)
        complaints.append(
            f"{names}: {described(positions[row])} free_colon_discard={free_colon_discard}: "
            f"search {value}, right {right}, bounds {least} to {most}"
        )
    return complaints


def check_deals(souths: np.ndarray, norths: np.ndarray, free_colon_discard: bool) -> list[str]:
    """A line for each deal whose table is another with a small table, or with bounds and dominance off."""
    settings = {"the small table": (10, 0), "bounds and dominance off": (20, PLAIN)}
    tables = np.zeros((len(souths), 2, 5), dtype=np.int8)
    search.fill_tables(souths, norths, tables, search.new_memory(17, free_colon_discard))
    complaints = []
    for name, (table_bits, switched_off) in settings.items():
        others = np.zeros_like(tables)
        search.fill_tables(souths, norths, others, search.new_memory(table_bits, free_colon_discard, switched_off))
        complaints += [
            f"tables differ: S:{Hand(int(souths[row]))} {Hand(int(norths[row]))} "
            f"free_colon_discard={free_colon_discard}: {tables[row].tolist()}; with {name} {others[row].tolist()}"
            for row in np.flatnonzero((tables != others).any(axis=(1, 2)))
        ]
    return complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="stop after about so long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", default="2 3 4 5 6 7 8 9 13", help="cards a hand, taken in turn")
    parser.add_argument("--oracle", type=int, default=7, help="the largest size for which the oracle is asked")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split()]
    done = dict.fromkeys(sizes, 0)
    count = dict.fromkeys(sizes, 20)
    failures = 0
    seed = options.seed * 1_000_003
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        for size in sizes:
            seed += 1
            start = time.monotonic()
            if size == 13:
                positions = skewed_positions(seed, size, count[size])
                hands = (np.ascontiguousarray(positions[:, column]) for column in (LEADER, FOLLOWER))
                complaints = check_deals(*hands, seed % 4 == 0)
            else:
                complaints = check_positions(seed, size, count[size], seed % 2 == 0, size <= options.oracle)
            took = time.monotonic() - start
            done[size] += count[size]
            count[size] = min(max(20, int(count[size] * min(4, 2 / took))), 200_000)
            failures += len(complaints)
            for complaint in complaints:
                print(complaint, flush=True)
    print("checked", ", ".join(f"{number} of {size} cards" for size, number in done.items()), f"- {failures} wrong")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
