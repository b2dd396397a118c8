"""`bridgette bid`: what to call, with every legal call's expected score."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.options import (
    DealOption,
    JsonOption,
    RoleOption,
    RuleOption,
    ScoreOption,
    SeedOption,
    ThreadsOption,
    ThrewOption,
    UpcardOption,
    read_option,
    read_standing,
)
from advisor.cli.output import note, show, write_json
from advisor.cli.progress import with_progress
from advisor.cli.render import counted
from advisor.cli.render_bid import BidAnswer
from solver.auction import Auction
from solver.cards import Card, Hand
from solver.deal import Seat
from solver.errors import RuleError
from solver.exchange import Role
from solver.rules import Rules

if TYPE_CHECKING:
    from advisor.bidding import BiddingSession

FEWEST_SAMPLES = 10
DEFAULT_SECONDS = 3.0
_END_SECONDS = 0.9  # of these, kept free: the start of the interpreter before, the answer after
DEFAULT_SEED = 1


def command(
    hand: Annotated[
        list[str], typer.Argument(help="Your thirteen cards: spades.hearts.diamonds.clubs.colons, or SA HK ... :G.")
    ],
    role: RoleOption,
    auction: Annotated[
        str, typer.Option("--auction", metavar="CALLS", help='The calls so far, the dealer\'s first: "1D P 1S X".')
    ] = "",
    upcard: UpcardOption = None,
    threw: ThrewOption = None,
    score: ScoreOption = None,
    deal: DealOption = None,
    samples: Annotated[
        int | None,
        typer.Option(
            "--samples",
            metavar="N",
            min=FEWEST_SAMPLES,
            help="Hands of the opponent to solve (70 to 200 unless given, fewer with colons).",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="T", min=0, help="Go on for about so long. What comes out depends on speed."),
    ] = None,
    seed: SeedOption = None,
    rule: RuleOption = None,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """What to call with a hand.

    Every legal call with its expected score: points of this deal, yours less the opponent's. The opponent's hand is
    sampled from what you know and what was called, and each sample is solved exactly.

    \b
    Examples:
      bridgette bid --role nondealer --upcard D9 --auction "1D" --threw "D2 C3" "AKQ94.QT2.KJ9.5.G"
      bridgette bid --role dealer --score 1200 2200 --deal 6 "AKQ94.QT2.KJ9.54."
    """
    started = time.monotonic()
    rules = Rules.with_choices(rule or [])
    own_role = read_option("--role", Role.parse, role)
    held = read_option("the hand", Hand.parse, " ".join(hand))
    dealer = Seat.SOUTH if own_role == Role.DEALER else Seat.NORTH
    calls = read_option("--auction", lambda text: Auction.parse(text, dealer), auction)
    if own_role == Role.NONDEALER and not calls.calls:
        raise RuleError("--auction has no call; expected the dealer's at least, who calls before the non-dealer")
    turned = None if upcard is None else read_option("--upcard", Card.parse, upcard)
    discarded = None if threw is None else read_option("--threw", Hand.parse, threw)
    standing = read_standing(score, deal)
    from advisor.bidding import BiddingSession
    from solver.compiled import seconds_compiling

    session = BiddingSession(
        held, own_role, turned, discarded, rules, seed=DEFAULT_SEED if seed is None else seed, threads=threads
    )
    session.check(calls)
    if samples is None and seconds is None:
        samples = session.default_samples
        if threads is None:
            passed = time.monotonic() - started - seconds_compiling(started)
            seconds = max(0.0, DEFAULT_SECONDS - _END_SECONDS - passed)
    interrupted = _study(session, calls, samples, seconds)
    advice = session.advice(calls)
    out_of_time = session.out_of_time and samples is not None and advice.samples < samples
    for_game = None if standing is None else session.advice(calls, standing)
    answer = BidAnswer(session, calls, advice, standing, for_game, out_of_time, interrupted)
    if as_json:
        write_json(answer.json())
    else:
        show(answer.lines(), wrap=True)
    if interrupted:
        raise KeyboardInterrupt


def _study(session: "BiddingSession", auction: Auction, samples: int | None, seconds: float | None) -> bool:
    """Samples and solves; whether it was interrupted, with enough to show."""
    solved = 0
    try:
        worlds = session.study(auction, samples, seconds)
        for number in with_progress(worlds, samples, "Hands of the opponent", answers_at_the_end=True):
            solved = number
    except KeyboardInterrupt:
        if solved < FEWEST_SAMPLES:
            raise
        note(f"Interrupted after {counted(solved, 'hand')} of the opponent.")
        return True
    return False
