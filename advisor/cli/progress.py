"""Progress of long work, on standard error, where that is a terminal and the answers do not run past on it."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from solver.errors import interruptions

Item = TypeVar("Item")


def with_progress(
    items: Iterable[Item], total: int | None, what: str, *, answers_at_the_end: bool = False
) -> Iterator[Item]:
    """The items as they come, counting them on standard error (`total` None: nobody knows how many).

    Where standard output is a terminal too, answers that appear there as they come show the progress; with
    `answers_at_the_end` there are none to show it.
    """
    if total == 1 or not sys.stderr.isatty() or (sys.stdout.isatty() and not answers_at_the_end):
        with interruptions():
            yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(file=sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(what, total=total)
        with interruptions():
            for item in items:
                progress.advance(task)
                yield item


@contextmanager
def reporting(what: str, total: int) -> Iterator[Callable[[int, int], None] | None]:
    """What to call with (done, total) while long work goes on before its one answer; None where nobody looks."""
    if not total or not sys.stderr.isatty():
        with interruptions():
            yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(file=sys.stderr)
    with interruptions(), Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done, of: progress.update(task, completed=done, total=of)
