"""What `bridgette play` shows and says: the table before each decision, moves as they are made, scores, hints.

On `--json` the same as one object a line. The person is South.
"""

import io
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from advisor.cli.output import Line, note, show, write_json
from advisor.cli.render import (
    Piece,
    call_pieces,
    card_piece,
    contract_pieces,
    counted,
    hand_pieces,
    item_line,
    points_text,
    spaced,
    strain_piece,
)
from solver.auction import Call, contract_text
from solver.cards import Card, Hand
from solver.deal import Seat
from solver.exchange import Role, draw_count

if TYPE_CHECKING:
    from advisor.game_in_play import GameInPlay
    from solver.record import Record

YOU = Seat.SOUTH

COMMANDS = (
    ("keep CARDS", "at the exchange: the thirteen to keep"),
    ("throw CARDS", "at the exchange: those to throw"),
    ("4H, P, X, XX", "at the auction: a call"),
    ("SA, HT, :G", "at the play: a card"),
    ("hint", "the advisor's table; with both hands shown, best play"),
    ("show", "show both hands, or hide North's again"),
    ("undo", "take back your last decision and what came after it"),
    ("table", "the table again"),
    ("save FILE", "write the record to another file too"),
    ("quit", "leave; the game can be taken up again"),
)


@dataclass(slots=True)
class Screen:
    """Where the talk goes: lines to read, or JSON.

    Attributes:
        as_json: one JSON object a line instead of lines to read.
        both_hands: North's cards are shown too.
    """

    as_json: bool = False
    both_hands: bool = False

    def __post_init__(self) -> None:
        # What is typed in another encoding is not understood, like any other slip; it does not end the game.
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="backslashreplace")

    def say(self, event: str, lines: list[Line], **values: Any) -> None:
        """Something that happened: its lines, or the object of that event."""
        if self.as_json:
            write_json({"event": event, **values})
        else:
            show(lines, wrap=True)

    @contextmanager
    def thinking(self, who: str) -> Iterator[None]:
        """While a player thinks, a word on a terminal's standard error."""
        if not sys.stderr.isatty():
            yield
            return
        from rich.console import Console

        with Console(file=sys.stderr).status(f"{who} is thinking"):
            yield

    def start(self, game: "GameInPlay", path: str, resumed: bool) -> None:
        """Who plays, and where the record is."""
        what = "taken up again" if resumed else "begins"
        self.say(
            "start",
            [
                [("Bridgette", "bold"), f": the game {what}, you are South against {game.names[1]}."],
                [f"The record is written to {path} as you play. Type ? for help."],
            ],
            seed=game.seed,
            record=path,
            resumed=resumed,
            opponent=game.names[1],
            rules=list(game.rules.changed),
        )

    def deal(self, game: "GameInPlay") -> None:
        """A deal about to be played."""
        record, totals = game.current, game.game
        assert record.dealer is not None and record.upcard is not None
        draws = {seat: draw_count(Role.of(seat, record.dealer), record.upcard) for seat in Seat}
        score = f"South {totals.total(Seat.SOUTH)}, North {totals.total(Seat.NORTH)}"
        self.say(
            "deal",
            [
                [],
                [(game.title(), "bold"), f"   {score}   {record.dealer.title} deals"],
                [
                    "Upcard ",
                    card_piece(record.upcard),
                    f": {record.dealer.title} draws {draws[record.dealer]}, "
                    f"{record.dealer.other.title} {draws[record.dealer.other]}",
                ],
            ],
            title=game.title(),
            dealer=record.dealer.letter,
            upcard=str(record.upcard),
            totals={seat.letter: totals.total(seat) for seat in Seat},
        )

    def exchange(self, record: "Record", draws: tuple[Card, ...], holding: Hand) -> None:
        """What South has drawn and holds."""
        lines: list[Line] = [["You draw ", *spaced([card_piece(card) for card in draws])]]
        lines.append([f"You hold {len(holding)}  ", *hand_pieces(holding)])
        lines += self._north(record)
        throws = len(holding) - 13
        lines.append([f"Throw {throws} of them: throw CARDS, or keep CARDS."])
        self.say(
            "turn",
            lines,
            decision="keep",
            drew=[str(card) for card in draws],
            held=str(holding),
            throw=throws,
            **self._north_json(record),
        )

    def auction(self, record: "Record", hand: Hand) -> None:
        """The calls so far and South's hand."""
        auction = record.auction
        assert auction is not None
        legal = auction.legal_calls(hand, record.rules)
        calls: list[Piece] = ["Calls: "]
        for number, call in enumerate(auction.calls):
            calls += ["  " if number else "", f"{auction.caller(number).letter} ", *call_pieces(call)]
        if not auction.calls:
            calls.append("none yet, you open")
        lines: list[Line] = [["Your hand  ", *hand_pieces(hand)], *self._north(record), calls]
        self.say(
            "turn",
            lines,
            decision="call",
            hand=str(hand),
            auction=[str(call) for call in auction.calls],
            legal=[str(call) for call in legal],
            **self._north_json(record),
        )

    def play(self, record: "Record") -> None:
        """The trick under way and South's hand."""
        from advisor.deal_in_play import hand_of, position_of, tricks_won

        position = position_of(record)
        assert position is not None
        won = tricks_won(record)
        number = 14 - position.size
        pieces: list[Piece] = [
            f"Trick {number}  ",
            *contract_pieces(record.contract),
            f"  tricks: you {won[YOU]}, North {won[YOU.other]}",
        ]
        if position.led is not None:
            pieces += ["   North led ", card_piece(position.led)]
        else:
            pieces.append("   you lead")
            if position.barred is not None:
                pieces += [", barred ", strain_piece(position.barred.strain)]
        hand = hand_of(record, YOU)
        self.say(
            "turn",
            [pieces, ["Your hand  ", *hand_pieces(hand)], *self._north(record)],
            decision="card",
            contract=str(record.contract),
            hand=str(hand),
            trick=number,
            led=None if position.led is None else str(position.led),
            barred=None if position.barred is None else position.barred.letter,
            tricks={seat.letter: won[seat] for seat in Seat},
            legal=[str(card) for card in position.legal()],
            **self._north_json(record),
        )

    def _north(self, record: "Record") -> list[Line]:
        from advisor.deal_in_play import hand_of

        if not self.both_hands:
            return []
        return [["North      ", *hand_pieces(hand_of(record, YOU.other))]]

    def _north_json(self, record: "Record") -> dict[str, str]:
        from advisor.deal_in_play import hand_of

        return {"north": str(hand_of(record, YOU.other))} if self.both_hands else {}

    def moved(self, seat: Seat, what: str, value: Hand | Call | Card, record: "Record") -> None:
        """A decision made; North's keep only as a number of cards."""
        name = "You" if seat == YOU else "North"
        ending = "" if seat == YOU else "s"
        if isinstance(value, Hand):
            thrown = record.thrown[seat] or ()
            shown = [str(card) for card in thrown] if seat == YOU or self.both_hands else None
            pieces: list[Piece] = [f"{name} throw{ending} {counted(len(thrown), 'card')}"]
            if shown is not None:
                pieces += [": ", *spaced([card_piece(card) for card in thrown])]
            self.say("move", [pieces], by=seat.letter, decision=what, threw=shown, count=len(thrown))
        elif isinstance(value, Card):
            self.say(
                "move", [[f"{name} play{ending} ", card_piece(value)]], by=seat.letter, decision=what, card=str(value)
            )
        else:
            self.say(
                "move", [[f"{name} call{ending} ", *call_pieces(value)]], by=seat.letter, decision=what, call=str(value)
            )

    def contract(self, record: "Record") -> None:
        """The contract that the auction has left."""
        if record.contract is None:
            self.say("contract", [["The deal is passed out."]], contract=contract_text(None))
            return
        leader = "You lead" if record.contract.declarer.other == YOU else "North leads"
        self.say(
            "contract",
            [[("Contract ", "bold"), *contract_pieces(record.contract), f". {leader}."], []],
            contract=str(record.contract),
        )

    def trick(self, winner: Seat, won: dict[Seat, int], barred: Any) -> None:
        """A trick completed."""
        pieces: list[Piece] = ["You win the trick" if winner == YOU else "North wins the trick"]
        if barred is not None:
            pieces += [", barred ", strain_piece(barred.strain)]
        self.say(
            "trick",
            [[*pieces, "."], []],
            winner=winner.letter,
            tricks={seat.letter: won[seat] for seat in Seat},
            barred=None if barred is None else barred.letter,
        )

    def deal_over(self, game: "GameInPlay") -> None:
        """The score of a deal, both hands, the totals."""
        record, totals = game.current, game.game
        total = record.score
        assert total is not None
        lines: list[Line] = [[]]
        headline = contract_pieces(record.contract)
        if record.result is not None:
            headline.append(f", {counted(record.result, 'trick')}")
        lines.append([("The deal is over: ", "bold"), *headline])
        lines += [item_line(item, record.contract) for item in total.items]
        lines.append([f"This deal: South {points_text(total.points(YOU))}, North {points_text(-total.points(YOU))}"])
        if record.deal is not None:
            lines += [[f"{seat.title} had  ", *hand_pieces(record.deal.hand(seat))] for seat in Seat]
        lines.append([f"The game: South {totals.total(Seat.SOUTH)}, North {totals.total(Seat.NORTH)}"])
        self.say(
            "deal_over",
            lines,
            contract=contract_text(record.contract),
            tricks=record.result,
            score={seat.letter: total.points(seat) for seat in Seat},
            deal=str(record.deal),
            totals={seat.letter: totals.total(seat) for seat in Seat},
        )

    def before_next(self) -> None:
        """That a line is waited for between two deals: for those who read JSON and see no prompt."""
        self.say("turn", [], decision="next")

    def game_over(self, game: "GameInPlay", path: str) -> None:
        """Who has won."""
        totals = game.game
        winner = "You have won" if totals.winner == YOU else "North has won"
        points = f"South {totals.total(Seat.SOUTH)}, North {totals.total(Seat.NORTH)}"
        self.say(
            "game_over",
            [[(f"{winner} the game: {points}.", "bold")], [f"What each decision cost: bridgette review {path}"]],
            winner=totals.winner.letter,
            totals={seat.letter: totals.total(seat) for seat in Seat},
            record=path,
        )

    def refused(self, why: str) -> None:
        """Why something cannot be done."""
        self.say("refused", [[("No: ", "bold"), why]], why=why)

    def told(self, what: str) -> None:
        """A remark."""
        self.say("note", [[what]], note=what)

    def help(self) -> None:
        """The commands."""
        width = max(len(command) for command, _ in COMMANDS)
        lines: list[Line] = [[f"  {command:<{width}}  {what}"] for command, what in COMMANDS]
        self.say("help", lines, commands=dict(COMMANDS))

    def prompt(self, what: str) -> str | None:
        """A line typed after a prompt; None at the end of the input."""
        if self.as_json:
            line = sys.stdin.readline()
            return line.strip() if line else None
        if sys.stdin.isatty() and sys.stdout.isatty():
            try:
                return input(f"{what}> ").strip()
            except EOFError:
                print()
                return None
            except KeyboardInterrupt:
                print()
                raise
        line = sys.stdin.readline()
        if not line:
            return None
        # Typed into a pipe, it would not be seen in what is printed.
        show([[f"{what}> {line.strip()}"]])
        return line.strip()


def leave(path: str) -> None:
    """Says how to go on with the game, the command on a line of its own, so that it can be copied."""
    note("Saved. Go on with:")
    note(f"  bridgette play --resume {shlex.quote(path)}")
