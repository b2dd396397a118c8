"""What `bridgette solve` answers, as JSON and as lines to read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol

from advisor.cli.output import Line
from advisor.cli.render import (
    Piece,
    card_piece,
    contract_pieces,
    counted,
    deal_lines,
    points_text,
    rules_json,
    rules_lines,
    spaced,
    strain_piece,
)
from solver.auction import contract_text
from solver.cards import Card, Strain
from solver.deal import Deal, Seat
from solver.play import Position, replay
from solver.rules import Rules

if TYPE_CHECKING:
    from solver.double_dummy import CardValue, Table, Tricks
    from solver.par import Par


class Answer(Protocol):
    """What any solve comes to."""

    def json(self) -> dict[str, Any]:
        """The JSON object."""

    def lines(self) -> Iterator[Line]:
        """What a person reads."""


@dataclass(frozen=True, slots=True)
class DealAnswer:
    """A deal solved in some strains, highest first, with either declarer; par, if known, with `dealer` dealing."""

    table: "Table"
    strains: Sequence[Strain]
    dealer: Seat
    par: "Par | None"
    rules: Rules

    def json(self) -> dict[str, Any]:
        """The JSON object of a whole solve."""
        answer: dict[str, Any] = {
            "deal": str(self.table.deal),
            "tricks": {
                seat.letter: {strain.letter: self.table.tricks(seat, strain) for strain in self.strains}
                for seat in Seat
            },
        }
        if self.par is not None:
            answer["par"] = {
                "contract": contract_text(self.par.contract),
                "score": {seat.letter: self.par.score[seat] for seat in Seat},
            }
        return answer | rules_json(self.rules)

    def lines(self) -> Iterator[Line]:
        """Both hands, the table with a column a strain and a row a declarer, and par."""
        yield from deal_lines(self.table.deal)
        yield from rules_lines(self.rules)
        yield []
        yield [f"Tricks of the declarer, out of {self.table.deal.size}, when the other player leads:"]
        yield [" " * 7, *(strain_piece(strain, 5) for strain in self.strains)]
        for seat in Seat:
            tricks = (self.table.tricks(seat, strain) for strain in self.strains)
            yield [(f"{seat.title:<7}", "bold"), "".join(f"{number:>5}" for number in tricks)]
        if self.par is not None:
            scores = ", ".join(f"{seat.title} {points_text(self.par.score[seat])}" for seat in Seat)
            yield []
            yield [f"Par, {self.dealer.title} dealing: ", *contract_pieces(self.par.contract), f" ({scores})"]


@dataclass(frozen=True, slots=True)
class PositionAnswer:
    """A position solved: each player's tricks, and what was asked for besides.

    `cards` are the legal cards of the player to move with that player's tricks, best first; `line` is one line of best
    play to the end.
    """

    position: Position
    tricks: "Tricks"
    cards: Sequence["CardValue"] | None = None
    line: Sequence[Card] | None = None

    def json(self) -> dict[str, Any]:
        """The JSON object of a position."""
        position = self.position
        answer: dict[str, Any] = {
            "deal": str(Deal(position.south, position.north)),
            "strain": position.strain.letter,
            "to_lead": position.to_lead.letter,
            "barred": None if position.barred is None else position.barred.letter,
            "led": None if position.led is None else str(position.led),
            "tricks": {seat.letter: self.tricks.of(seat) for seat in Seat},
        }
        if self.cards is not None:
            answer["cards"] = [{"card": str(card), "tricks": tricks} for card, tricks in self.cards]
        if self.line is not None:
            answer["line"] = [str(card) for card in self.line]
        return answer | rules_json(position.rules)

    def lines(self) -> Iterator[Line]:
        """Both hands, what is to be played, the tricks, the cards from best to worst, and the line trick by trick."""
        position = self.position
        yield from deal_lines(Deal(position.south, position.north))
        yield from rules_lines(position.rules)
        yield []
        yield self._situation()
        yield [(", ".join(f"{seat.title} takes {counted(self.tricks.of(seat), 'trick')}" for seat in Seat), "bold")]
        if self.cards is not None:
            yield []
            yield [f"Each card, with the tricks that {position.to_play.title} then takes:"]
            for tricks, group in groupby(self.cards, key=lambda value: value.tricks):
                yield [f"{tricks:>4}  ", *spaced([card_piece(value.card) for value in group])]
        if self.line is not None:
            yield []
            yield ["One line of best play:"]
            yield from self._line_lines()

    def _situation(self) -> Line:
        position = self.position
        pieces: list[Piece] = [
            "No trump" if position.strain.suit is None else "Trumps ",
            *([] if position.strain.suit is None else [strain_piece(position.strain)]),
        ]
        if position.led is None:
            pieces.append(f", {position.to_lead.title} to lead")
        else:
            pieces += [
                f", {position.to_lead.title} led ",
                card_piece(position.led),
                f" and {position.to_play.title} is to play",
            ]
        if position.barred is not None and position.led is None:
            pieces += [", barred ", strain_piece(position.barred.strain)]
        return pieces

    def _line_lines(self) -> Iterator[Line]:
        for number, trick in enumerate(replay(self.position, self.line or ()).tricks, 1):
            pieces: list[Piece] = [f"{number:>4}  {trick.leader.title} ", card_piece(trick.led)]
            pieces += [f"  {trick.leader.other.title} ", card_piece(trick.reply), f"  {trick.winner.title} wins"]
            if trick.bars is not None:
                pieces += [", ", strain_piece(trick.bars.strain), " barred"]
            yield pieces
