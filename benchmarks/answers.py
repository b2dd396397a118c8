"""The deals that the benchmark runs on and their tables, stored: every answer of a run is compared with them.

    python -m benchmarks.answers

writes data/answers.npz anew. The tables stored are found with the bounds and the reply dominance off, so they do not
rest on what the benchmark measures. The deals are stored too: the set stays the same when the exchange policy changes.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.deal_sets import Kind, deals_of, hard_deals
from benchmarks.verify_switches import switches
from solver import search
from solver.cards import Hand
from solver.deal import Deal
from solver.double_dummy import Table

STORED = Path(__file__).parent / "data" / "answers.npz"
PER_SET = 200
SEED = 10_000

# The sets by name: kind and colons of the two hands (None: as they come).
SETS = {
    **{f"random, {'1 colon' if colons == 1 else f'{colons} colons'}": (Kind.RANDOM, colons) for colons in range(4)},
    "exchanged": (Kind.EXCHANGED, None),
}
HARD = "hard"


class DealSet(NamedTuple):
    """Deals with what is right for them: `tables` (N, 2, 5), by declarer and strain."""

    name: str
    deals: list[Deal]
    tables: NDArray[np.int8]

    def wrong(self, tables: list[Table]) -> int:
        """How many of the tables of the first deals differ from the stored ones."""
        return sum(
            bool((table.as_array() != right).any())
            for table, right in zip(tables, self.tables[: len(tables)], strict=True)
        )


def stored_sets() -> list[DealSet]:
    """All the sets: random deals by colons, exchanged ones, the hardest."""
    with np.load(STORED) as stored:
        sets = [
            DealSet(
                name,
                [Deal(Hand(int(south)), Hand(int(north))) for south, north in stored[f"hands {name}"]],
                stored[f"tables {name}"],
            )
            for name in SETS
        ]
    hard = hard_deals()
    return [*sets, DealSet(HARD, list(hard), np.array(list(hard.values()), dtype=np.int8))]


def main() -> int:
    arrays: dict[str, NDArray[np.int64] | NDArray[np.int8]] = {}
    for name, (kind, colons) in SETS.items():
        deals = deals_of(kind, PER_SET, colons, SEED)
        hands = np.array([(deal.south.mask, deal.north.mask) for deal in deals], dtype=np.int64)
        tables = np.zeros((len(deals), 2, 5), dtype=np.int8)
        memory = search.new_memory(20, False, switches("leader-bound,follower-bound,reply-dominance"))
        search.fill_tables(hands[:, 0].copy(), hands[:, 1].copy(), tables, memory)
        arrays |= {f"hands {name}": hands, f"tables {name}": tables}
        print(f"{name}: {len(deals)} deals", file=sys.stderr, flush=True)
    np.savez_compressed(STORED, **arrays)  # type: ignore[arg-type]
    print(f"written: {STORED}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
