"""Progress of long work, on standard error and only where that is a terminal."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def with_progress(items: Iterable[Item], total: int | None, what: str) -> Iterator[Item]:
    """The items as they come, counting them on a terminal's standard error (`total` None: nobody knows how many)."""
    if total == 1 or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(file=sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=sys.stdout.isatty()) as progress:
        task = progress.add_task(what, total=total)
        for item in items:
            progress.advance(task)
            yield item
