"""How functions are compiled: by numba, and kept in the user's cache folder: the installation may be read-only."""

import functools
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config
from numba.core import event as numba_event

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


# Functions that are compiled when they are first called.
_LAZY: set[Any] = set()


class _Compilations(numba_event.Listener):
    """When numba compiled anything in this process; what is read from the disk is not compiled.

    Functions that are compiled when they are first called, in the middle of something else, are told of on a terminal.
    """

    def __init__(self) -> None:
        self.spans: list[tuple[float, float]] = []
        self._depth = 0
        self._began = 0.0
        self._is_told = False

    def on_start(self, event: Any) -> None:
        if not self._depth:
            self._began = time.monotonic()
        self._depth += 1
        if not self._is_told and event.data["dispatcher"].py_func in _LAZY and sys.stderr.isatty():
            self._is_told = True
            often = "once for this installation" if _ADVICE else "each time, as the cache folder cannot be written"
            print(f"Compiling the advice, {often}: up to a minute ...", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if not self._depth:
            self.spans.append((self._began, time.monotonic()))


_COMPILATIONS = _Compilations()
numba_event.register("numba:compile", _COMPILATIONS)  # type: ignore[no-untyped-call]


def seconds_compiling(since: float) -> float:
    """For how many seconds this process has compiled since a moment of `time.monotonic`."""
    return sum(max(0.0, ended - max(began, since)) for began, ended in _COMPILATIONS.spans)


def _compile_declared(compile_: Callable[[Any], Any], signature: Any, _: Any) -> Any:
    return compile_(signature)


def compiled(signature: Any = None, folder: Path | None = _ADVICE, **options: Any) -> Callable[[_Function], _Function]:
    """Decorator: ``numba.njit`` with these options, without the interpreter's lock, kept in ``folder`` if there is one.

    Args:
        signature: numba's types of the arguments and result; None: those of each call. Either way it is compiled, or
            read from the folder, when first called or when a caller is compiled: a helper that is part of a kept
            caller costs nothing to import.
        folder: where the compiled function is kept; None keeps it nowhere.
    """

    def decorate(function: _Function) -> _Function:
        if signature is None:
            _LAZY.add(function)
        settings: Any = config
        before = getattr(config, "CACHE_DIR", "")
        # numba reads its folder when a function is decorated; other users of numba in the process keep theirs.
        settings.CACHE_DIR = str(folder or "")
        try:
            compile_: Any = numba.njit(nogil=True, cache=folder is not None, **options)
            result = compile_(function)
            if signature is not None and not settings.DISABLE_JIT:
                # Whatever types are asked for, these are compiled, and numba converts to them.
                result.compile = functools.partial(_compile_declared, result.compile, signature)
            return cast(_Function, result)
        finally:
            settings.CACHE_DIR = before

    return decorate
