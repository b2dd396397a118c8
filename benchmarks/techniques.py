"""What each technique of the search is worth: turned on one after another, and each turned off alone."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.speed import clock
from benchmarks.verify_switches import ALL_BUT_TABLE, TECHNIQUES, switches
from solver import search
from solver.deal import Deal
from solver.search.memory import TABLE_AT

EVERYTHING = sum(TECHNIQUES.values())

# In the order in which they are turned on.
IN_TURN = (
    "touching-cards",
    "transpositions",
    "suit-symmetry",
    "leader-bound",
    "follower-bound",
    "reply-dominance",
    "lead-order",
)
NAMES = {
    "touching-cards": "touching cards of one kind as one",
    "transpositions": "transposition table",
    "suit-symmetry": "suits sorted in the table",
    "leader-bound": "tricks that the leader cashes",
    "follower-bound": "tricks that the follower cashes",
    "reply-dominance": "the lowest of replies alike, where proven",
    "lead-order": "learned order of leads",
}


class Cost(NamedTuple):
    """What tables cost under one setting: means a table, each from an empty transposition table; and the answers."""

    expanded: float
    probed: float
    milliseconds: float
    tables: NDArray[np.int8]


def cost(deals: list[Deal], switched_off: int, table_bits: int = 17) -> Cost:
    """Solves the deals with those techniques off."""
    memory = search.new_memory(table_bits, False, switched_off)
    tables = np.zeros((len(deals), 2, 5), dtype=np.int8)
    seconds = 0.0
    for row, deal in enumerate(deals):
        memory[TABLE_AT:] = 0
        start = clock()
        search.fill_table(deal.south.mask, deal.north.mask, tables[row], memory)
        seconds += clock() - start
    number = len(deals)
    return Cost(
        int(memory[search.EXPANDED]) / number, int(memory[search.PROBED]) / number, 1000 * seconds / number, tables
    )


def cumulative(deals: list[Deal]) -> dict[str, Cost]:
    """From plain alpha-beta on, each technique turned on in turn; by what was turned on last."""
    costs = {"plain alpha-beta": cost(deals, EVERYTHING)}
    off = EVERYTHING
    for name in IN_TURN:
        off &= ~TECHNIQUES[name]
        costs[f"+ {NAMES[name]}"] = cost(deals, off)
    return costs


def one_off(deals: list[Deal]) -> dict[str, Cost]:
    """All techniques on, then each off alone (but the transposition table), then all of these off."""
    costs = {"everything on": cost(deals, 0)}
    for name in IN_TURN:
        if name != "transpositions":
            costs[f"without: {NAMES[name]}"] = cost(deals, TECHNIQUES[name], table_bits=20)
    costs["without all of these"] = cost(deals, switches(ALL_BUT_TABLE), table_bits=20)
    return costs
