"""The subcommands put together, and what an error ends in.

The modules named here are imported at every start, so none of them imports numba, numpy, ortools or rich at its top: a
subcommand imports what it needs when it runs.
"""

from collections.abc import Sequence
from typing import Annotated

import typer

from advisor.cli import bench, bid, card, deal, discard, play, review, score, simulate, solve
from advisor.cli.output import complain, drop_output, stand_in_for_closed_streams
from solver.errors import BridgetteError

NOT_WRITTEN = 1
WRONG_INPUT = 2

app = typer.Typer(
    name="bridgette",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("solve")(solve.command)
app.command("card")(card.command)
app.command("review")(review.command)
app.command("play")(play.command)
app.command("simulate")(simulate.command)
app.command("score")(score.command)
app.command("deal")(deal.command)
app.command("discard")(discard.command)
app.command("bid")(bid.command)
app.command("bench")(bench.command)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"bridgette {version('bridgette')}")
        raise typer.Exit


@app.callback()
def bridgette(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Bridgette, bridge for two: exact answers, advice, games against the advisor, reviews, deals and scores.

    Each subcommand has its own --help, with an example that works as printed.
    """


def run(arguments: Sequence[str], started: float) -> int:
    """Run the command line; its exit code: 0 done, 1 not written, 2 wrong input. What Ctrl-C does is the caller's.

    `started` is when the program began, by `time.monotonic`: a subcommand finds it as `typer.Context.obj`.
    """
    stand_in_for_closed_streams()
    try:
        code: int = typer.main.get_command(app).main(
            args=list(arguments) or ["--help"], prog_name="bridgette", standalone_mode=False, obj=started
        )
    except BridgetteError as error:
        complain(str(error))
        code = WRONG_INPUT
    except typer.TyperException as error:
        complain(f"{error.format_message()} (bridgette --help tells the usage)")
        code = WRONG_INPUT
    except OSError as error:
        complain(f"{error.filename or 'standard output'}: {(error.strerror or str(error)).lower()}")
        drop_output()
        code = NOT_WRITTEN
    return code
