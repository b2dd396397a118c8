"""Options that several subcommands share, and reading an option's text with an error that names the option."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from advisor.seeds import MOST_SEED
from solver.errors import BridgetteError

if TYPE_CHECKING:
    from advisor.match import Standing

Value = TypeVar("Value")

# Far more than help; each has a table of its own, and thousands would take all the memory there is.
MOST_THREADS = 256

RuleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        help="Play by another reading of the rules, e.g. free_colon_discard=true. May be given several times.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="One JSON object a line on standard output, nothing else there.")
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        max=MOST_SEED,
        help="Start of the random numbers: the same seed, the same output.",
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        min=1,
        max=MOST_THREADS,
        help="Threads to use (all cores unless given); the answer is the same for any number, however long it takes.",
    ),
]
RoleOption = Annotated[str, typer.Option("--role", metavar="ROLE", help="Your part: dealer or nondealer.")]
UpcardOption = Annotated[
    str | None, typer.Option("--upcard", metavar="CARD", help="The card turned. The advice is better with it.")
]
ThrewOption = Annotated[
    str | None, typer.Option("--threw", metavar="CARDS", help="What you discarded. The advice is better with it.")
]
ScoreOption = Annotated[
    tuple[int, int] | None,
    typer.Option(
        "--score", metavar="MINE THEIRS", help="The game's score before this deal; needs --deal. Advises to win it."
    ),
]
DealOption = Annotated[
    int | None, typer.Option("--deal", metavar="K", help="The number of this deal in the game, 1 to 6.")
]


def read_option(option: str, parse: Callable[[str], Value], text: str) -> Value:
    """The value that `parse` makes of an option's text; its error names the option."""
    try:
        return parse(text)
    except BridgetteError as error:
        raise BridgetteError(f"{option}: {error}") from None


def read_standing(score: tuple[int, int] | None, deal: int | None) -> "Standing | None":
    """The game's standing before a deal, from --score and --deal; None without them."""
    if score is None and deal is None:
        return None
    if score is None or deal is None:
        raise BridgetteError("--score and --deal go together; expected both or neither: --score 1200 2200 --deal 6")
    from advisor.match import Standing

    return Standing(score[0], score[1], deal)
