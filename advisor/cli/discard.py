"""`bridgette discard`: which thirteen to keep of the cards held after drawing."""

from typing import Annotated

import typer

from advisor.cli.options import (
    DealOption,
    JsonOption,
    RoleOption,
    RuleOption,
    ScoreOption,
    SeedOption,
    ThreadsOption,
    read_option,
    read_standing,
)
from advisor.cli.output import note, show, write_json
from advisor.cli.progress import reporting
from advisor.cli.render import counted
from advisor.cli.render_discard import DiscardAnswer
from solver.cards import Card, Hand, Strain, Suit
from solver.errors import BridgetteError, NotationError, RuleError
from solver.exchange import Role, check_held
from solver.rules import Rules

DEFAULT_SEED = 1
MOST_SECONDS = 1_000_000


def command(
    context: typer.Context,
    cards: Annotated[
        list[str],
        typer.Argument(help="The thirteen dealt, or all held: spades.hearts.diamonds.clubs.colons, or SA ... :G."),
    ],
    role: RoleOption,
    upcard: Annotated[str, typer.Option("--upcard", metavar="CARD", help="The card turned.")],
    drew: Annotated[
        str | None, typer.Option("--drew", metavar="CARDS", help="The cards drawn, if not among the others.")
    ] = None,
    keep: Annotated[str | None, typer.Option("--keep", metavar="CARDS", help="Cards that must stay.")] = None,
    throw: Annotated[str | None, typer.Option("--throw", metavar="CARDS", help="Cards that must go.")] = None,
    plan: Annotated[
        str | None,
        typer.Option("--plan", metavar="STRAINS", help="Strains to keep open to bid, one or two, e.g. S or S,NT."),
    ] = None,
    jump: Annotated[
        bool, typer.Option("--jump", help="With --plan: keep the four cards that a jump in the suit needs.")
    ] = False,
    least: Annotated[
        list[str] | None,
        typer.Option("--least", metavar="SUIT=N", help="Keep at least N cards of a suit. May be given several times."),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option("--samples", metavar="N", min=0, help="Hands of the opponent to solve, however long it takes."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="T",
            min=0,
            max=MOST_SECONDS,
            help="Take at most about so long (3 to 5 unless given); 0: at once.",
        ),
    ] = None,
    top: Annotated[int, typer.Option("--top", metavar="K", min=1, help="How many keeps to show.")] = 5,
    score: ScoreOption = None,
    deal: DealOption = None,
    seed: SeedOption = None,
    rule: RuleOption = None,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Which thirteen to keep.

    The keep with the best expected score, and the next best. The opponent's hands are sampled from what you know, and
    the best keeps are solved exactly against all of them.

    \b
    Examples:
      bridgette discard --role dealer --upcard HK "AK9.QT2.KJ9.A52.G" --drew "SQ S7 D3 D2 C9 C8 C4 :L"
      bridgette discard --role nondealer --upcard D9 --seconds 0 "AK942.QT2.KJ97.52.G"
    """
    rules = Rules.with_choices(rule or [])
    own_role = read_option("--role", Role.parse, role)
    turned = read_option("--upcard", Card.parse, upcard)
    held = _read_cards(cards, drew, own_role, turned, rules)
    check_held(held, own_role, turned, rules)
    must_keep, must_throw = (
        Hand() if text is None else read_option(option, Hand.parse, text)
        for option, text in (("--keep", keep), ("--throw", throw))
    )
    if jump and plan is None:
        raise BridgetteError("--jump without --plan; expected the strains to jump in, e.g. --plan S")
    if samples is not None and seconds is not None:
        raise BridgetteError("--samples and --seconds are both given; expected one of them")
    plans = () if plan is None else read_option("--plan", _read_plans, plan)
    lengths = tuple(read_option("--least", _read_length, text) for text in least or [])
    standing = read_standing(score, deal)

    from advisor.discard import advise
    from advisor.halving import DEFAULT_SECONDS, Schedule
    from advisor.keep_model import Wishes
    from advisor.worlds import Known

    schedule = (
        Schedule.of_samples(samples, len(held))
        if samples is not None
        else Schedule.of_time(DEFAULT_SECONDS[len(held)] if seconds is None else seconds, len(held))
    )
    if threads is not None and seconds is None:
        schedule = Schedule(schedule.rounds)  # the promise of time is for all cores, that of one answer for any number
    with reporting("Deals solved", schedule.deals) as progress:
        advice = advise(
            Known(own_role, held, turned, rules),
            wishes=Wishes(must_keep, must_throw, plans, jump, lengths),
            schedule=schedule,
            standing=standing,
            seed=DEFAULT_SEED if seed is None else seed,
            threads=threads,
            progress=progress,
            started=context.obj,
        )
    answer = DiscardAnswer(advice, top, DEFAULT_SEED if seed is None else seed)
    if as_json:
        write_json(answer.json())
    else:
        show(answer.lines(), wrap=True)
    if advice.interrupted:
        note(f"Interrupted after {counted(advice.samples, 'hand')} of the opponent.")
        raise KeyboardInterrupt


def _read_cards(cards: list[str], drew: str | None, role: Role, upcard: Card, rules: Rules) -> Hand:
    """All the cards held, from those dealt and drawn or from all as one.

    Raises:
        BridgetteError: something cannot be read, a card is both dealt and drawn, or an upcard that is drawn was dealt.
    """
    dealt = read_option("the cards", Hand.parse, " ".join(cards))
    if drew is None:
        return dealt
    drawn = read_option("--drew", Hand.parse, drew)
    twice = dealt & drawn
    if twice.mask:
        raise RuleError(f"--drew: {' '.join(map(str, twice))} among the other cards too; expected each card once")
    if upcard in dealt and role == Role.NONDEALER and rules.upcard_drawn:
        raise RuleError(f"--drew: the upcard {upcard} is among the cards dealt; expected it among those drawn")
    return dealt | drawn


def _read_plans(text: str) -> tuple[Strain, ...]:
    plans = tuple(dict.fromkeys(Strain.parse(part) for part in text.split(",")))
    if len(plans) > 2:
        raise BridgetteError(f"{len(plans)} strains; expected one or two")
    return plans


def _read_length(text: str) -> tuple[Suit, int]:
    suit, equals, number = text.partition("=")
    if not equals or not (number.isascii() and number.isdecimal()) or len(number) > 2:
        raise NotationError(f"{text!r}: expected a suit and a number, as in S=4")
    return Suit.parse(suit), int(number)
