"""`bridgette play`: a person against the advisor, deal by deal, with hints, undo, and a record that misses nothing."""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.deal_files import read_record_text
from advisor.cli.options import JsonOption, RuleOption
from advisor.cli.output import show, write_json
from advisor.cli.play_screen import YOU, Screen, leave
from advisor.cli.render import counted
from solver.auction import Call, parse_call
from solver.cards import Card, Hand
from solver.deal import Seat
from solver.errors import BridgetteError, interruptions
from solver.rules import Rules

if TYPE_CHECKING:
    from advisor.game_in_play import GameInPlay
    from advisor.players import Player
    from solver.record import Record


def command(
    opponent: Annotated[
        str | None,
        typer.Option("--opponent", metavar="NAME", help="advisor (unless given), blueprint, greedy or random."),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option("--record", metavar="FILE", help="Where the record is written (bridgette-SEED.pbn unless given)."),
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="FILE", help="Go on with the game in this record.")
    ] = None,
    both_hands: Annotated[
        bool, typer.Option("--open", help="Show both hands; hints are then the tricks by best play.")
    ] = False,
    samples: Annotated[
        int | None,
        typer.Option("--samples", metavar="N", min=2, help="Hands that the advisor solves for each decision."),
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="SEED", help="A number or word: the same one, the same cards.")
    ] = None,
    rule: RuleOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a game against the advisor.

    Six deals, you being South. Type ? for what can be typed. The game is saved after every decision.

    \b
    Examples:
      bridgette play --seed 7
      bridgette play --resume bridgette-7.pbn
    """
    from advisor.game_in_play import GameInPlay, check_can_be_written
    from advisor.players import player_named

    screen = Screen(as_json, both_hands)
    if resume is not None:
        given = {"--record": record, "--seed": seed, "--opponent": opponent, "--rule": rule}
        named = [option for option, value in given.items() if value not in (None, [])]
        if named:
            raise BridgetteError(f"{', '.join(named)} with --resume; expected none, the record tells")
        path = Path(resume)
        text = read_record_text(resume)
        try:
            game = GameInPlay.read(text)
        except BridgetteError as error:
            raise type(error)(f"{resume}: {error}") from None
    else:
        if seed is None:
            seed = str(secrets.randbelow(1_000_000))
        if not seed.isprintable() or not 0 < len(seed) <= 40 or "/" in seed:
            raise BridgetteError(f"--seed: {seed[:40]!r}; expected a number or a word of at most 40 characters")
        path = Path(f"bridgette-{seed}.pbn" if record is None else record)
        check_can_be_written(path)
        if path.exists() and path.stat().st_size:
            raise BridgetteError(f"{path} is there already; expected --resume {path}, or another --record")
        name = "advisor" if opponent is None else opponent
        game = GameInPlay.begin(seed, ("you", name), Rules.with_choices(rule or []))
    north = player_named(game.names[1], samples)
    table = Table(game, path, north, screen, samples)
    table.save()
    screen.start(game, str(path), resume is not None)
    try:
        with interruptions():
            table.run()
    except KeyboardInterrupt:
        leave(str(path))
        raise


class _Left(Exception):
    """The person has left the table."""


class Table:
    """The person's game against a player: asks, plays North, writes the record after each decision."""

    def __init__(self, game: "GameInPlay", path: Path, north: "Player", screen: Screen, samples: int | None) -> None:
        self.game = game
        self.path = path
        self.north = north
        self.screen = screen
        self.samples = samples
        self.copies: list[Path] = []

    def run(self) -> None:
        """Plays until the game is over or the person leaves."""
        from advisor.deal_in_play import turn

        try:
            self.screen.deal(self.game)
            while True:
                now = turn(self.game.current)
                if now is None:
                    if not self._between_deals():
                        return
                elif now.seat == YOU:
                    self._ask()
                else:
                    self._play_north()
        except _Left:
            leave(str(self.path))

    def save(self) -> None:
        """Writes the record, whole or not at all.

        Raises:
            BridgetteError: it cannot be written.
        """
        from advisor.game_in_play import write_whole

        for path in (self.path, *self.copies):
            write_whole(path, self.game.text())

    def _set(self, record: "Record") -> None:
        self.game = self.game.with_current(record)
        self.save()

    def _play_north(self) -> None:
        from advisor.players import decide

        record = self.game.current
        with self.screen.thinking("North"):
            value = decide(self.north, record, YOU.other, self.game.standing(YOU.other))
        self._made(value)

    def _made(self, value: Hand | Call | Card) -> None:
        """Takes in a decision of the player whose turn it is.

        Raises:
            RuleError: it is not allowed; the message says by which rule.
        """
        from advisor.deal_in_play import decided, position_of, tricks_won, turn

        before = self.game.current
        now = turn(before)
        assert now is not None
        record = decided(before, value)
        self._set(record)
        self.screen.moved(now.seat, now.decision.value, value, record)
        if (
            before.auction is not None
            and before.played is None
            and record.auction is not None
            and record.auction.is_over
        ):
            self.screen.contract(record)
        position = position_of(record)
        if isinstance(value, Card) and position is not None and position.led is None:
            self.screen.trick(_last_winner(record), tricks_won(record), position.barred)

    def _ask(self) -> None:
        """Asks the person until a decision is made."""
        self._show_turn()
        prompt = self._prompt()
        while True:
            typed = self.screen.prompt(prompt)
            if typed is None:
                raise _Left
            if not typed:
                continue
            try:
                if self._command(typed):
                    return
            except BridgetteError as error:
                self.screen.refused(str(error))

    def _prompt(self) -> str:
        from advisor.deal_in_play import turn

        now = turn(self.game.current)
        assert now is not None
        return now.decision.value.capitalize()

    def _show_turn(self) -> None:
        from advisor.deal_in_play import Decision, hand_of, turn

        record = self.game.current
        now = turn(record)
        assert now is not None
        if now.decision == Decision.KEEP:
            self.screen.exchange(record, record.drawn[YOU] or (), record.held(YOU) or Hand())
        elif now.decision == Decision.CALL:
            self.screen.auction(record, hand_of(record, YOU))
        else:
            self.screen.play(record)

    def _command(self, typed: str) -> bool:
        """Does what was typed; whether the question is answered."""
        word, _, rest = typed.partition(" ")
        known: dict[str, Callable[[str], bool]] = {
            "?": self._help,
            "help": self._help,
            "hint": self._hint,
            "show": self._show,
            "undo": self._undo,
            "table": self._table,
            "save": self._save_copy,
            "quit": self._quit,
            "exit": self._quit,
        }
        action = known.get(word.lower())
        if action is not None:
            return action(rest.strip())
        self._made(self._decision(typed))
        return True

    def _decision(self, typed: str) -> Hand | Call | Card:
        """The keep, call or card that was typed."""
        from advisor.deal_in_play import Decision, turn

        now = turn(self.game.current)
        assert now is not None
        if now.decision == Decision.CALL:
            return parse_call(typed)
        if now.decision == Decision.CARD:
            return Card.parse(typed)
        holding = self.game.current.held(YOU) or Hand()
        word, _, rest = typed.partition(" ")
        if word.lower() not in ("keep", "throw"):
            raise BridgetteError(f"{typed!r} is not understood; expected throw CARDS or keep CARDS")
        cards = Hand.parse(rest) if rest.strip() else Hand()
        if word.lower() == "keep":
            return cards
        missing = cards - holding
        if missing.mask:
            raise BridgetteError(f"{' '.join(map(str, missing))} is not held")
        if len(cards) != len(holding) - 13:
            raise BridgetteError(f"{counted(len(cards), 'card')} to throw; expected {len(holding) - 13}")
        return holding - cards

    def _help(self, rest: str) -> bool:
        self.screen.help()
        return False

    def _hint(self, rest: str) -> bool:
        from advisor.cli.play_hints import hint

        with self.screen.thinking("The advisor"):
            answer = hint(self.game, self.screen.both_hands, self.samples)
        if self.screen.as_json:
            write_json({"event": "hint", **answer.json()})
        else:
            show(answer.lines(), wrap=True)
        return False

    def _show(self, rest: str) -> bool:
        self.screen.both_hands = not self.screen.both_hands
        self._show_turn()
        return False

    def _table(self, rest: str) -> bool:
        self._show_turn()
        return False

    def _undo(self, rest: str) -> bool:
        from advisor.deal_in_play import taken_back, turn

        record = taken_back(self.game.current)
        while record is not None and (now := turn(record)) is not None and now.seat != YOU:
            record = taken_back(record)
        if record is None:
            raise BridgetteError("there is nothing of yours to take back in this deal")
        self._set(record)
        self.screen.told("Taken back.")
        return True

    def _save_copy(self, rest: str) -> bool:
        if not rest:
            self.screen.told(f"The record is in {self.path}.")
            return False
        self.copies = [Path(rest)]
        try:
            self.save()
        finally:
            self.copies = []
        self.screen.told(f"Written to {rest} as it stands.")
        return False

    def _quit(self, rest: str) -> bool:
        raise _Left

    def _between_deals(self) -> bool:
        """After a deal: on to the next, or back; whether the game goes on."""
        self.screen.deal_over(self.game)
        if self.game.is_over:
            self.screen.game_over(self.game, str(self.path))
            return False
        self.screen.before_next()
        while True:
            typed = self.screen.prompt("Next deal (Enter)")
            if typed is None:
                raise _Left
            try:
                if not typed or typed.lower() == "next":
                    self.game = self.game.next_deal()
                    self.save()
                    self.screen.deal(self.game)
                    return True
                if typed.split()[0].lower() not in ("?", "help", "undo", "save", "quit", "exit"):
                    raise BridgetteError(f"{typed!r}: the deal is over; expected Enter for the next one, undo or quit")
                if self._command(typed):
                    return True
            except BridgetteError as error:
                self.screen.refused(str(error))


def _last_winner(record: "Record") -> Seat:
    from solver.play import replay

    start = record.opening()
    assert start is not None and record.played is not None
    return replay(start, record.played.cards).tricks[-1].winner
