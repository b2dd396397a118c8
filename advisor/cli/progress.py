"""Progress of long work, on standard error, where that is a terminal and the answers do not run past on it."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def with_progress(
    items: Iterable[Item], total: int | None, what: str, *, answers_at_the_end: bool = False
) -> Iterator[Item]:
    """The items as they come, counting them on standard error (`total` None: nobody knows how many).

    Where standard output is a terminal too, answers that appear there as they come show the progress; with
    `answers_at_the_end` there are none to show it.
    """
    if total == 1 or not sys.stderr.isatty() or (sys.stdout.isatty() and not answers_at_the_end):
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(file=sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(what, total=total)
        for item in items:
            progress.advance(task)
            yield item
