"""The kernel's compilation: a cache on disk that belongs to just this version of its sources."""

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from solver.compiled import cache_directory, compiled

MEMORY = numba.types.CPointer(numba.int64)
"""How kernel functions hand on the memory block: in the recursion an address is cheaper than an array's seven parts."""


def _source_digest() -> str:
    """A digest of all the kernel's sources: numba itself notices a change only in the file of the function kept."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


CACHE_DIRECTORY = cache_directory(f"kernel-{_source_digest()}")


def is_compiled() -> bool:
    """Whether this version of the kernel lies compiled on disk (if not, the first search takes the time of it)."""
    return CACHE_DIRECTORY is not None and any(CACHE_DIRECTORY.rglob("*.nbc"))


def kernel(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: compile a function of the kernel for these types."""
    return compiled(signature, CACHE_DIRECTORY)
