"""How functions are compiled: by numba, and kept in the user's cache folder: the installation may be read-only."""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_directory(name: str) -> Path | None:
    """The folder ``name`` below ``BRIDGETTE_CACHE_DIR``, else below the user's cache folder; None if unwritable.

    Without it each process compiles anew.
    """
    try:
        folder = _root() / name
    except RuntimeError:  # the user has no home
        return None
    return folder if _is_writable(folder) else None


def _root() -> Path:
    if chosen := os.environ.get("BRIDGETTE_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "bridgette"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "bridgette"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bridgette"


_ADVICE = cache_directory("advice")


def compiled(signature: Any = None, folder: Path | None = _ADVICE, **options: Any) -> Callable[[_Function], _Function]:
    """Decorator: ``numba.njit`` with these options, without the interpreter's lock, kept in ``folder`` if there is one.

    Args:
        signature: numba's types of the arguments and result: compiled at once. None: when first called.
        folder: where the compiled function is kept; None keeps it nowhere.
    """

    def decorate(function: _Function) -> _Function:
        settings: Any = config
        before = getattr(config, "CACHE_DIR", "")
        # numba reads its folder when a function is decorated; other users of numba in the process keep theirs.
        settings.CACHE_DIR = str(folder or "")
        try:
            compile_: Any = numba.njit(signature, nogil=True, cache=folder is not None, **options)
            result: _Function = compile_(function)
            return result
        finally:
            settings.CACHE_DIR = before

    return decorate
