"""Looks among tens of thousands of deals for the hundred that take the most positions; stores them with their tables.

    python -m benchmarks.find_hard

Random deals as they come and deals after the exchange, each searched with an empty transposition table. Every table
stored is found twice: by the search as it is and with its bounds and its reply dominance off. Written is the package
data that `bridgette bench --kind hard` and the tests read.
"""

import argparse
import heapq
import json
import random
import sys
import time
from collections.abc import Iterator
from itertools import islice

from advisor.deal_sets import HARD_DEALS, colons_of
from advisor.exchanged import exchanged_deals
from advisor.speed import Solved, solved
from benchmarks.verify_switches import kernel_digest, switches
from solver.cards import Strain
from solver.deal import Deal, Seat
from solver.double_dummy import Solver, Table

_BLOCK = 200
_STRAINS = sorted(Strain, reverse=True)


def hardest(deals: Iterator[Deal], count: int, keep: int, what: str) -> list[Solved]:
    """The `keep` of the first `count` deals that expand the most positions, hardest first."""
    worst: list[tuple[int, int, Solved]] = []
    start = said = time.monotonic()
    for done in range(0, count, _BLOCK):
        for number, answer in enumerate(solved(list(islice(deals, min(_BLOCK, count - done))), cold=True), done):
            heapq.heappush(worst, (answer.expanded, -number, answer))
            if len(worst) > keep:
                heapq.heappop(worst)
        if time.monotonic() - said > 20:
            said = time.monotonic()
            print(f"{what}: {done} of {count}, {said - start:.0f} s", file=sys.stderr, flush=True)
    return [answer for _, _, answer in sorted(worst, reverse=True)]


def record(answer: Solved) -> dict[str, object]:
    """What is stored of a deal."""
    table = answer.table
    tricks = {seat.letter: {strain.letter: table.tricks(seat, strain) for strain in _STRAINS} for seat in Seat}
    return {"deal": str(table.deal), "tricks": tricks}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, default=12_000, help="random deals to look among")
    parser.add_argument("--exchanged", type=int, default=12_000, help="deals after the exchange to look among")
    parser.add_argument("--keep", type=int, default=100)
    parser.add_argument("--seed", type=int, default=30_000)
    options = parser.parse_args()

    generator = random.Random(options.seed)
    random_deals = (Deal.random(generator) for _ in iter(int, 1))
    exchanged = (exchange.deal for exchange in exchanged_deals(random.Random(options.seed)))
    found = [
        *hardest(random_deals, options.random, options.keep, "random"),
        *hardest(exchanged, options.exchanged, options.keep, "exchanged"),
    ]
    found = sorted(found, key=lambda answer: -answer.expanded)[: options.keep]

    off = switches("leader-bound,follower-bound,reply-dominance")
    wrong: list[Table] = []
    for number, answer in enumerate(found):
        if Solver(table_bits=20, switched_off=off).table(answer.table.deal) != answer.table:
            wrong.append(answer.table)
            print(f"tables differ: {answer.table.deal}", flush=True)
        if number % 10 == 9:
            print(f"checked {number + 1} of {len(found)}", file=sys.stderr, flush=True)
    if wrong:
        return 1
    lines = ",\n".join(json.dumps(record(answer)) for answer in found)
    HARD_DEALS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    by_colons = [sum(colons_of(answer.table.deal) == colons for answer in found) for colons in range(4)]
    print(
        f"{len(found)} of {options.random} random and {options.exchanged} exchanged deals: {found[0].expanded} to "
        f"{found[-1].expanded} positions expanded; {by_colons} with 0 to 3 colons; search {kernel_digest()}"
    )
    print(f"written: {HARD_DEALS}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
