"""The exact search, compiled by numba: masks of hands in, tricks out. See layout.py for how a position is written."""

import sys

from solver.search.compiled import CACHE_DIRECTORY, is_compiled

if not is_compiled() and sys.stderr.isatty():
    _how_often = (
        "each time, as the cache folder cannot be written (BRIDGETTE_CACHE_DIR names another)"
        if CACHE_DIRECTORY is None
        else "once for this installation"
    )
    print(f"Compiling the search, {_how_often}: about 15 seconds ...", file=sys.stderr, flush=True)

from solver.search.batch import fill_table, fill_tables, lead_value, position_takes, position_value
from solver.search.memory import EXPANDED, PROBED, new_memory

__all__ = [
    "CACHE_DIRECTORY",
    "EXPANDED",
    "PROBED",
    "fill_table",
    "fill_tables",
    "is_compiled",
    "lead_value",
    "new_memory",
    "position_takes",
    "position_value",
]
