"""`bridgette solve`: deals and positions with both hands open, one or a file of them."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

import typer

from advisor.cli.deal_files import open_deals
from advisor.cli.options import JsonOption, RuleOption, ThreadsOption, read_option
from advisor.cli.output import note, show, write_json
from advisor.cli.progress import with_progress
from advisor.cli.render import STRAINS, counted
from advisor.cli.render_solve import Answer, DealAnswer, PositionAnswer
from solver.cards import HAND_SIZE, Card, Strain, Suit
from solver.deal import Deal, Pack, Seat
from solver.errors import BridgetteError
from solver.play import Position
from solver.rules import Rules

WRONG_INPUT = 2


def command(
    deal: Annotated[
        list[str] | None, typer.Argument(help="S:<South's hand> <North's hand>, or N: with North's hand first.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file", metavar="FILE", help="One deal a line; - is standard input. Blank lines and # are skipped."
        ),
    ] = None,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Tell of a bad line in the file and go on with the next.")
    ] = False,
    strain: Annotated[
        str | None,
        typer.Option("--strain", metavar="STRAINS", help="Only these strains, e.g. NT,S (then without par)."),
    ] = None,
    to_lead: Annotated[
        str | None,
        typer.Option(
            "--to-lead", metavar="S|N", help="Solve the position with this player on lead; needs one --strain."
        ),
    ] = None,
    barred: Annotated[
        str | None, typer.Option("--barred", metavar="C|D|H|S", help="The suit barred to the lead.")
    ] = None,
    led: Annotated[
        str | None,
        typer.Option("--led", metavar="CARD", help="This card was led by --to-lead and the other player is to play."),
    ] = None,
    cards: Annotated[bool, typer.Option("--cards", help="The tricks that each legal card leads to.")] = False,
    line: Annotated[bool, typer.Option("--line", help="One line of best play.")] = False,
    dealer: Annotated[
        str | None, typer.Option("--dealer", metavar="S|N", help="Who deals, for par; as the deal says, else South.")
    ] = None,
    rule: RuleOption = None,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """The tricks of a known deal or ending.

    Whole deals are solved in every strain with either player as declarer and the other on lead. With --to-lead the
    position is solved as it stands.

    \b
    Examples:
      bridgette solve "S:AK4.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43"
      bridgette solve --strain S --to-lead N --barred H --cards --line "S:AK.Q..2.L 3.AK..43"
      bridgette deal --count 20 --seed 7 | bridgette solve --file - --json
    """
    rules = Rules.with_choices(rule or [])
    if to_lead is None:
        position_options = {"--barred": barred, "--led": led, "--cards": cards, "--line": line}
        _refuse(position_options, "without --to-lead; expected --to-lead S or N and one --strain")
        question: Question = DealQuestion(
            strains=_read_strains(strain),
            dealer=None if dealer is None else read_option("--dealer", Seat.parse, dealer),
            rules=rules,
            threads=threads,
        )
    else:
        _refuse({"--dealer": dealer}, "with --to-lead; expected one of them, a position has no par")
        strains = _read_strains(strain)
        if len(strains) != 1:
            raise BridgetteError(f"--to-lead with {len(strains)} strains; expected one, such as --strain NT")
        question = PositionQuestion(
            strain=strains[0],
            to_lead=read_option("--to-lead", Seat.parse, to_lead),
            barred=None if barred is None else read_option("--barred", Suit.parse, barred),
            led=None if led is None else read_option("--led", Card.parse, led),
            with_cards=cards,
            with_line=line,
            rules=rules,
        )
    if file is None:
        _refuse({"--keep-going": keep_going}, "without --file; expected a file whose bad lines to pass over")
        if not deal:
            raise BridgetteError("there is no deal; expected S:<South's hand> <North's hand>, or --file FILE")
        _give(question.answers([question.read(" ".join(deal))]), 1, as_json)
        return
    _refuse({"a deal": deal}, "with --file; expected one of them")
    with open_deals(file, question.read, keep_going=keep_going, rules=rules) as deals:
        _give(question.answers(deals), deals.count, as_json)
        if deals.refused:
            raise typer.Exit(WRONG_INPUT)


class Question(Protocol):
    """What is asked of every deal."""

    def read(self, text: str, dealer: Seat | None = None) -> Any:
        """What to solve, from the text of a deal and its dealer, if that is known otherwise."""

    def answers(self, asked: Iterable[Any]) -> Iterator[Answer]:
        """The answer to each thing read, in order, as they are ready."""


@dataclass(frozen=True, slots=True)
class DealQuestion:
    """Tricks of each declarer in some strains, highest first, and par of whole deals where all are asked for."""

    strains: tuple[Strain, ...]
    dealer: Seat | None
    rules: Rules
    threads: int | None

    def read(self, text: str, dealer: Seat | None = None) -> tuple[Deal, Seat]:
        """The deal to solve, from a deal or a pack as written, and the dealer for par: --dealer's, else its own."""
        deal, own_dealer = _read_deal(text)
        if self.dealer is not None and not self._has_par(deal):
            raise BridgetteError(f"--dealer is for par, which needs hands of {HAND_SIZE} cards and every strain")
        known = [seat for seat in (self.dealer, dealer, own_dealer) if seat is not None]
        return deal, (known or [Seat.SOUTH])[0]

    def answers(self, asked: Iterable[tuple[Deal, Seat]]) -> Iterator[DealAnswer]:
        """What each deal comes to, in order, as they are ready."""
        from solver.double_dummy import iter_tables, table
        from solver.par import par

        dealers: deque[Seat] = deque()

        def deals() -> Iterator[Deal]:
            for deal, dealer in asked:
                dealers.append(dealer)
                yield deal

        if self.strains == STRAINS:
            tables = iter_tables(deals(), self.rules, self.threads)
        else:
            tables = (table(deal, self.rules, self.strains) for deal in deals())
        for solved in tables:
            dealer = dealers.popleft()
            outcome = par(solved.deal, solved.as_array(), dealer, self.rules) if self._has_par(solved.deal) else None
            yield DealAnswer(solved, self.strains, dealer, outcome, self.rules)

    def _has_par(self, deal: Deal) -> bool:
        return deal.size == HAND_SIZE and self.strains == STRAINS


@dataclass(frozen=True, slots=True)
class PositionQuestion:
    """Tricks from a position as it stands, with the value of each card and a line of play if wanted."""

    strain: Strain
    to_lead: Seat
    barred: Suit | None
    led: Card | None
    with_cards: bool
    with_line: bool
    rules: Rules

    def read(self, text: str, dealer: Seat | None = None) -> Position:
        """The position to solve, from its hands as written; who dealt does not matter."""
        deal, _ = _read_deal(text)
        return Position(deal.south, deal.north, self.strain, self.to_lead, self.barred, self.led, self.rules)

    def answers(self, positions: Iterable[Position]) -> Iterator[PositionAnswer]:
        """What each position comes to, in order, as they are ready."""
        from solver.double_dummy import best_line, card_values, solve

        for position in positions:
            yield PositionAnswer(
                position,
                solve(position),
                card_values(position) if self.with_cards else None,
                best_line(position) if self.with_line else None,
            )


def _read_strains(text: str | None) -> tuple[Strain, ...]:
    """The strains named, highest first; all of them by default."""
    if text is None:
        return STRAINS
    named = [read_option("--strain", Strain.parse, part) for part in text.split(",")]
    return tuple(strain for strain in STRAINS if strain in named)


def _read_deal(text: str) -> tuple[Deal, Seat | None]:
    """A deal, or the two hands of a pack before the exchange with its dealer."""
    if " dealer " not in text.lower():
        return Deal.parse(text), None
    pack = Pack.parse(text)
    return pack.deal, pack.dealer


def _refuse(options: Mapping[str, object], reason: str) -> None:
    """Refuses, with the reason, those of the options that are given."""
    given = [option for option, value in options.items() if value not in (None, False, [])]
    if given:
        raise BridgetteError(f"{', '.join(given)} {reason}")


def _give(answers: Iterator[Answer], count: int | None, as_json: bool) -> None:
    """Gives each answer as it comes; what was given before an interruption stands."""
    given = 0
    try:
        for answer in with_progress(answers, count, "Deals"):
            if as_json:
                write_json(answer.json())
            else:
                show([[], *answer.lines()] if given else answer.lines())
            given += 1
    except KeyboardInterrupt:
        note(f"Interrupted after {counted(given, 'answer')}.")
        raise
