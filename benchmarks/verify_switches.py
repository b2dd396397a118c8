"""Solves random whole deals under two settings of the search and prints every table that is not the same.

    python -m benchmarks.verify_switches
    python -m benchmarks.verify_switches --deals 2000 --one-bits 10 --other-off none --other-bits 20

The techniques and the size of the table may change how many positions are searched, never an answer. By default one
setting has every technique on, the other has every one off that can be (all but the transposition table).
"""

import argparse
import hashlib
import random
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver import search
from solver.deal import Deal
from solver.search import memory as places

TECHNIQUES = {
    "transpositions": places.TRANSPOSITIONS,
    "leader-bound": places.LEADER_BOUND,
    "follower-bound": places.FOLLOWER_BOUND,
    "touching-cards": places.TOUCHING_CARDS,
    "reply-dominance": places.REPLY_DOMINANCE,
    "lead-order": places.LEAD_ORDER,
    "suit-symmetry": places.SUIT_SYMMETRY,
}
ALL_BUT_TABLE = ",".join(name for name in TECHNIQUES if name != "transpositions")

_BLOCK = 100


class Compared(NamedTuple):
    """A block of deals under two settings.

    `tables` (2, N, 2, 5) by setting; `expanded` and `seconds` of processor time, by setting, for the whole block.
    """

    deals: list[Deal]
    tables: NDArray[np.int8]
    expanded: tuple[int, int]
    seconds: tuple[float, float]

    def differences(self) -> list[str]:
        """A line for each deal whose two tables differ."""
        rows = np.flatnonzero((self.tables[0] != self.tables[1]).any(axis=(1, 2)))
        return [f"{self.deals[row]}: {self.tables[0, row].tolist()} and {self.tables[1, row].tolist()}" for row in rows]


def switches(names: str) -> int:
    """The bits of the techniques named, separated by commas; "none" for none.

    Raises:
        ValueError: a name is none of TECHNIQUES.
    """
    bits = 0
    for name in () if names == "none" else names.split(","):
        if name not in TECHNIQUES:
            raise ValueError(f"{name!r} is not a technique; expected some of {', '.join(TECHNIQUES)}, or none")
        bits |= TECHNIQUES[name]
    return bits


def compared(
    deals: Iterator[Deal], one: NDArray[np.int64], other: NDArray[np.int64], block: int = _BLOCK
) -> Iterator[Compared]:
    """The deals in blocks, each solved with both memories (of `search.new_memory`)."""
    while part := list(islice(deals, block)):
        souths = np.array([deal.south.mask for deal in part], dtype=np.int64)
        norths = np.array([deal.north.mask for deal in part], dtype=np.int64)
        tables = np.zeros((2, len(part), 2, 5), dtype=np.int8)
        expanded, seconds = [0, 0], [0.0, 0.0]
        for setting, memory in enumerate((one, other)):
            before, start = int(memory[search.EXPANDED]), time.thread_time()
            search.fill_tables(souths, norths, tables[setting], memory)
            seconds[setting] = time.thread_time() - start
            expanded[setting] = int(memory[search.EXPANDED]) - before
        yield Compared(part, tables, (expanded[0], expanded[1]), (seconds[0], seconds[1]))


def kernel_digest() -> str:
    """Twelve digits that tell this version of the search from any other."""
    digest = hashlib.sha256()
    for path in sorted(Path(search.__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=20_000)
    parser.add_argument("--one-off", default="none", help="techniques turned off in the one setting, by commas")
    parser.add_argument("--other-off", default=ALL_BUT_TABLE, help="techniques turned off in the other")
    parser.add_argument("--one-bits", type=int, default=17, help="the one table has 2 ** BITS slots")
    parser.add_argument("--other-bits", type=int, default=20)
    parser.add_argument("--free-colon-discard", action="store_true", help="the rule of that name")
    options = parser.parse_args()
    try:
        one_off, other_off = switches(options.one_off), switches(options.other_off)
    except ValueError as error:
        parser.error(str(error))
    generator = random.Random(options.seed)
    deals = (Deal.random(generator) for _ in range(options.deals))
    one = search.new_memory(options.one_bits, options.free_colon_discard, one_off)
    other = search.new_memory(options.other_bits, options.free_colon_discard, other_off)
    done = wrong = 0
    seconds = np.zeros(2)
    said = start = time.monotonic()
    for part in compared(deals, one, other):
        done += len(part.deals)
        seconds += part.seconds
        for line in part.differences():
            wrong += 1
            print(line, flush=True)
        if time.monotonic() - said > 10 or done == options.deals:
            said = time.monotonic()
            left = (said - start) / done * (options.deals - done)
            print(f"{done} of {options.deals} deals, {wrong} differ, {left:.0f} s to go", file=sys.stderr, flush=True)
    for name, off, bits, memory, taken in (
        ("one setting", options.one_off, options.one_bits, one, seconds[0]),
        ("the other", options.other_off, options.other_bits, other, seconds[1]),
    ):
        print(
            f"{name}: off {off}; 2^{bits} slots; {memory[search.EXPANDED] / done:.0f} positions expanded and "
            f"{1000 * taken / done:.1f} ms of processor time a table"
        )
    print(f"{done} deals of seed {options.seed}, {10 * done} results, {wrong} tables differ; search {kernel_digest()}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
