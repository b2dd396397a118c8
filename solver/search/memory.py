"""The one block of 64-bit integers that a search works in: counters, switches, moves by depth, tables.

One block a thread; nothing is allocated while searching. Places in it:

    0            positions probed            3   1 under the rule ``free_colon_discard``
    1            positions expanded          4   slots of the transposition table less 1
    2            switches turned off         5   positions stored
    6            where to count leads for learning their order, 0 for not at all
    64 ...       moves by cards left: 16 leads, their classes, their orders and costs (to 32 places), 32 replies
    2048 ...     the table by suit pattern (layout.py)
    18432 ...    the order of leads (lead_order.py)
    49152 ...    the transposition table (transposition.py), two integers a slot
"""

from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np

from solver.search.layout import PATTERNS, pattern_table

PROBED, EXPANDED, SWITCHED_OFF, FREE_DISCARD, SLOT_MASK, STORED, LEARN_AT = 0, 1, 2, 3, 4, 5, 6
MOVES_AT = 64
MOVES_PER_DEPTH = 96
PATTERNS_AT = 2048
ORDER_AT = PATTERNS_AT + PATTERNS
TABLE_AT = 49152

# What can be turned off, one bit each, to show that it changes no answer (and what it is worth).
TRANSPOSITIONS = 1
LEADER_BOUND = 2
FOLLOWER_BOUND = 4
TOUCHING_CARDS = 8
REPLY_DOMINANCE = 16
LEAD_ORDER = 32
SUIT_SYMMETRY = 64
DOMINANCE_GUARD = 128


def new_memory(table_bits=17, free_colon_discard=False, switched_off=0):
    """A fresh block with an empty transposition table of ``2 ** table_bits`` slots (16 bytes each)."""
    memory = np.zeros(TABLE_AT + (2 << table_bits), dtype=np.int64)
    memory[SWITCHED_OFF] = switched_off
    memory[FREE_DISCARD] = int(free_colon_discard)
    memory[SLOT_MASK] = (1 << table_bits) - 1
    memory[PATTERNS_AT : PATTERNS_AT + PATTERNS] = pattern_table()
    order = lead_order()
    memory[ORDER_AT : ORDER_AT + len(order)] = order
    return memory


@lru_cache(maxsize=1)
def lead_order():
    """The figures by class of leads that order them (see lead_order.py); higher is earlier."""
    with as_file(files(__package__) / "lead_order.npy") as path:
        return np.load(path).astype(np.int64)
