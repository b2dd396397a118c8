"""How fast the solver is here: the time and the positions that tables take.

Times are of the processor, of the thread that solves (where the system tells them finely; else by the clock), so that
other work on the machine disturbs them little. Numbers of positions repeat exactly with one thread, or when every deal
starts with an empty transposition table.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver import search
from solver.cards import Hand, Strain
from solver.deal import Deal, Seat
from solver.double_dummy import TABLE_BITS, Solver, Table
from solver.rules import DEFAULT_RULES, Rules
from solver.search.memory import TABLE_AT

TABLE_BYTES = 16 << TABLE_BITS
"""What the transposition table of one thread takes; it never grows."""

# A clock that ticks more coarsely than a tenth of a quick table is of no use for one table.
clock: Callable[[], float] = (
    time.thread_time if time.get_clock_info("thread_time").resolution < 1e-4 else time.perf_counter
)
"""Seconds of processor time of this thread, where the system tells them finely."""


class Solved(NamedTuple):
    """A table, its milliseconds, the positions looked at (probed) and those of them whose moves were tried."""

    table: Table
    milliseconds: float
    probed: int
    expanded: int


@dataclass(frozen=True, slots=True)
class Spread:
    """How a number is spread over the deals; `p99` is the 99th percentile."""

    mean: float
    median: float
    p99: float
    max: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """The spread of at least one value."""
        return cls(
            float(np.mean(values)), float(np.median(values)), float(np.percentile(values, 99)), float(np.max(values))
        )


def forget(solver: Solver) -> None:
    """Empties the solver's transposition table."""
    solver.memory[TABLE_AT:] = 0


def load_search() -> None:
    """Loads the compiled search, or compiles it, so that the first deal solved does not pay for it."""
    next(solved([Deal(Hand.parse("SA"), Hand.parse("SK"))]))


def solved(
    deals: Sequence[Deal], threads: int = 1, cold: bool = False, rules: Rules = DEFAULT_RULES
) -> Iterator[Solved]:
    """Solves the deals on so many threads and gives them in order with what they took.

    Each thread keeps its transposition table from deal to deal, as whoever solves many deals does; `cold` empties it
    before each (outside the time told).
    """
    of_thread = local()

    def solve(deal: Deal) -> Solved:
        solver: Solver | None = getattr(of_thread, "solver", None)
        if solver is None:
            solver = of_thread.solver = Solver(rules)
        if cold:
            forget(solver)
        tricks: npt.NDArray[np.int8] = np.zeros((len(Seat), len(Strain)), dtype=np.int8)
        probed, expanded, start = solver.probed, solver.expanded, clock()
        search.fill_table(deal.south.mask, deal.north.mask, tricks, solver.memory)
        milliseconds = 1000 * (clock() - start)
        table = Table(deal, tuple(tuple(int(number) for number in row) for row in tricks))
        return Solved(table, milliseconds, solver.probed - probed, solver.expanded - expanded)

    with ThreadPoolExecutor(threads) as pool:
        try:
            yield from pool.map(solve, deals)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
