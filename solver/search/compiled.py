"""How the kernel is compiled: by numba, with a cache on disk that belongs to just this version of the sources."""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config

MEMORY = numba.types.CPointer(numba.int64)
"""How kernel functions hand on the memory block: a bare address is cheaper in the recursion than numba's array of
seven parts.
"""


def _source_digest() -> str:
    """A digest of every source file of the kernel: numba itself notices a change only in the file of the function
    cached.
    """
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_directory() -> Path | None:
    """Where the compiled kernel is kept: below ``BRIDGETTE_CACHE_DIR``, else the user's cache folder; else None.

    It never lies beside the sources, so that a read-only installation works. Without any writable folder the kernel is
    compiled anew by each process.
    """
    chosen = os.environ.get("BRIDGETTE_CACHE_DIR")
    if chosen:
        roots = [Path(chosen)]
    elif sys.platform == "win32":
        roots = [Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "bridgette"]
    elif sys.platform == "darwin":
        roots = [Path.home() / "Library" / "Caches" / "bridgette"]
    else:
        roots = [Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bridgette"]
    for root in roots:
        folder = root / f"kernel-{_source_digest()}"
        if _is_writable(folder):
            return folder
    return None


CACHE_DIRECTORY = cache_directory()


def is_compiled() -> bool:
    """Whether this version of the kernel lies compiled on disk (if not, the first search takes the time of compiling
    it).
    """
    return CACHE_DIRECTORY is not None and any(CACHE_DIRECTORY.rglob("*.nbc"))


def kernel(signature: Any = None) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: compile with numba, without the interpreter's lock, cached in ``CACHE_DIRECTORY``."""

    def decorate(function: Callable[..., Any]) -> Any:
        options = {"nogil": True, "cache": CACHE_DIRECTORY is not None}
        before = config.CACHE_DIR
        # numba reads the folder when the function is decorated; other users of numba in the process keep theirs.
        config.CACHE_DIR = str(CACHE_DIRECTORY or "")
        try:
            return numba.njit(signature, **options)(function) if signature else numba.njit(**options)(function)
        finally:
            config.CACHE_DIR = before

    return decorate
