"""`bridgette review`: played deals looked at again, decision by decision."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from advisor.cli.deal_files import file_name, read_record_text
from advisor.cli.options import JsonOption, SeedOption, ThreadsOption
from advisor.cli.output import note, show, write_json
from advisor.cli.render import counted
from solver.errors import BridgetteError
from solver.record import Record
from solver.record_text import read_records


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Records of played deals; - is standard input.")],
    samples: Annotated[
        int,
        typer.Option(
            "--samples",
            metavar="N",
            min=0,
            help="Hands of the opponent to judge each keep and call on; 0 looks at the cards only.",
        ),
    ] = 100,
    seed: SeedOption = None,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """What each decision of a played deal cost.

    Every card against best play with all cards open, trick by trick; the exchange and each call against the advisor's;
    the costliest decisions first.

    \b
    Example:
      bridgette review docs/deal.pbn --samples 0
    """
    records = read_records_of(file)
    from advisor.bidding import DEFAULT_SEED
    from advisor.cli.render_review import ReviewAnswer
    from advisor.review import nothing_to_review, review

    missing = [nothing_to_review(record, samples) for record in records]
    done = 0
    try:
        for number, record in enumerate(records, 1):
            # A game that was stopped, or a deal passed out in it, does not stand in the way of the deals played.
            if missing[number - 1] is not None and None in missing:
                note(f"{file_name(file)}, record {number}: {missing[number - 1]}; passed over.")
                continue
            with _told() as tell:
                try:
                    found = review(
                        record,
                        samples=samples,
                        seed=DEFAULT_SEED if seed is None else seed,
                        threads=threads,
                        progress=tell,
                    )
                except BridgetteError as error:
                    raise type(error)(f"{file_name(file)}, record {number}: {error}") from None
            answer = ReviewAnswer(found, number, samples)
            if as_json:
                write_json(answer.json())
            else:
                show([[], *answer.lines()] if done else answer.lines(), wrap=True)
            done += 1
    except KeyboardInterrupt:
        note(f"Interrupted after {counted(done, 'deal')}.")
        raise


def read_records_of(file: str) -> tuple[Record, ...]:
    """The records of a file, its name before what is wrong with it."""
    text = read_record_text(file)
    try:
        return read_records(text)
    except BridgetteError as error:
        raise type(error)(*(f"{file_name(file)}, {fault}" for fault in error.faults)) from None


@contextmanager
def _told() -> Iterator[Callable[[str], None]]:
    """What is being judged, on a terminal's standard error."""
    if not sys.stderr.isatty():
        yield lambda what: None
        return
    from rich.console import Console

    with Console(file=sys.stderr).status("Reviewing") as status:
        yield lambda what: status.update(f"Reviewing {what}")
