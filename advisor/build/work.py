"""Work that survives a kill: results on disk, written whole or not at all, and tasks spread over cores or a cluster."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from advisor.model import write_arrays
from solver.errors import BridgetteError

Arrays = dict[str, NDArray[Any]]


class Workplace:
    """A folder of results, made for one description of the settings; what is there already is not made again."""

    def __init__(self, folder: Path, settings: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        note = folder / "settings.txt"
        if note.exists():
            if note.read_text() != settings:
                raise BridgetteError(f"{note} describes other settings; expected the same as now, or an empty folder")
            return
        partial = note.with_suffix(".partial")
        partial.write_text(settings)
        partial.replace(note)

    def path(self, name: str) -> Path:
        """Where the result of that name is kept."""
        return self.folder / f"{name}.npz"

    def read(self, name: str) -> Arrays | None:
        """A result, None when it has not been made."""
        path = self.path(name)
        if not path.exists():
            return None
        with np.load(path) as stored:
            return {key: stored[key] for key in stored.files}

    def result(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """A result, made and written if it is not there yet."""
        found = self.read(name)
        if found is None:
            found = make()
            write_arrays(self.path(name), found)
        return found

    def results(
        self, tasks: Sequence[tuple[str, Callable[..., Arrays], tuple[Any, ...]]], pool: "Pool"
    ) -> list[Arrays]:
        """The results of many tasks (name, function, arguments); the pool makes those missing, written as they come."""
        missing = [task for task in tasks if not self.path(task[0]).exists()]
        for name, arrays in pool.run(missing, f"{len(tasks) - len(missing)} of {len(tasks)} parts were there"):
            write_arrays(self.path(name), arrays)
        return [found for name, _, _ in tasks if (found := self.read(name)) is not None]


def _named(name: str, function: Callable[..., Arrays], arguments: tuple[Any, ...]) -> tuple[str, Arrays]:
    return name, function(*arguments)


class Pool:
    """Where tasks run: `jobs` processes here, or the workers of a dask cluster."""

    def __init__(self, jobs: int = -1, backend: str = "loky") -> None:
        self.jobs = jobs
        self.backend = backend

    def run(
        self, tasks: Sequence[tuple[str, Callable[..., Arrays], tuple[Any, ...]]], note: str = ""
    ) -> Iterator[tuple[str, Arrays]]:
        """Names and results of the tasks (name, function, arguments) in the order in which they are done."""
        if not tasks:
            return
        with joblib.parallel_config(backend=self.backend, n_jobs=self.jobs):
            done = joblib.Parallel(return_as="generator_unordered", pre_dispatch="2*n_jobs")(
                joblib.delayed(_named)(*task) for task in tasks
            )
            yield from progress(done, len(tasks), tasks[0][0].rpartition("-")[0], note)


@contextmanager
def cluster(backend: str, address: str | None, jobs: int) -> Iterator[None]:
    """For the dask backend a client of the cluster at `address`, or of one started here; nothing for the others."""
    if backend != "dask":
        yield
        return
    from distributed import Client, LocalCluster

    if address is not None:
        with Client(address):
            yield
        return
    workers = jobs if jobs > 0 else joblib.cpu_count()
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as started,
        Client(started),
    ):
        yield


def progress(items: Iterable[Any], total: int, what: str, note: str = "") -> Iterator[Any]:
    """The items as they come, with a line on standard error about every ten seconds and at the end."""
    start = last = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        now = time.monotonic()
        if number == total or now - last > 10:
            last = now
            left = (now - start) / number * (total - number)
            say(f"  {what}: {number} of {total} done in {now - start:.0f} s, {left:.0f} s to go{note and f' ({note})'}")


def say(text: str) -> None:
    """One line on standard error."""
    print(text, file=sys.stderr, flush=True)
