"""A game under way: its deals as records, dealt from one seed, so that the file of records is all there is to save."""

import errno
import os
import random
import stat
from dataclasses import dataclass, replace
from pathlib import Path

from advisor.deal_in_play import turn
from advisor.match import Standing
from solver.deal import Pack, Seat
from solver.errors import BridgetteError, NotationError, RuleError
from solver.game import DEALS, Game
from solver.record import Record
from solver.record_text import read_records, records_text
from solver.rules import DEFAULT_RULES, Rules

EVENT = "A game of Bridgette"


@dataclass(frozen=True, slots=True)
class GameInPlay:
    """The deals of a game in order; all but the last are over.

    Attributes:
        seed: what the packs and the first dealer come from.
        names: who plays South and North.
        records: the deals, at least one.
    """

    seed: str
    names: tuple[str, str]
    records: tuple[Record, ...]

    @classmethod
    def begin(cls, seed: str, names: tuple[str, str], rules: Rules = DEFAULT_RULES) -> "GameInPlay":
        """A game with its first deal dealt; the same seed gives the same packs, whoever plays."""
        first_dealer = Game.begin(random.Random(f"bridgette {seed}")).first_dealer
        return cls(seed, names, (_dealt(seed, names, 1, first_dealer, rules),))

    @classmethod
    def read(cls, text: str) -> "GameInPlay":
        """A game from its records.

        Raises:
            BridgetteError: they cannot be read or are not the deals of one game, in order.
        """
        records = read_records(text)
        first = records[0]
        seed, names = first.tag("Seed"), (first.tag("South"), first.tag("North"))
        if seed is None or names[0] is None or names[1] is None:
            raise NotationError("record 1 has no [Seed], [South] and [North]; expected the record of a game begun here")
        for number, record in enumerate(records, 1):
            if record.pack is None:
                raise NotationError(f"record {number} has no [Dealer], [Dealt] and [Stock]; expected all")
            if (record.tag("Seed"), record.tag("South"), record.tag("North"), record.rules) != (
                seed,
                *names,
                first.rules,
            ):
                raise RuleError(f"record {number} is of another game than record 1; expected one game in a file")
            if number < len(records) and turn(record) is not None:
                raise RuleError(f"record {number} is not played to its end, but another follows; expected the last so")
        game = cls(seed, (names[0], names[1]), tuple(record.completed() for record in records))
        if len(records) > 1 and replace(game, records=game.records[:-1]).is_over:
            raise RuleError(f"record {len(records)} comes after the deal that decided the game; expected no more")
        return game

    @property
    def rules(self) -> Rules:
        """The choices in force."""
        return self.records[0].rules

    @property
    def current(self) -> Record:
        """The last deal."""
        return self.records[-1]

    @property
    def game(self) -> Game:
        """The score of the deals that are over."""
        scores = tuple(record.score for record in self.records)
        dealer = self.records[0].dealer
        assert dealer is not None
        return Game(dealer, tuple(score for score in scores if score is not None), self.rules)

    @property
    def is_over(self) -> bool:
        """Whether the game is decided."""
        return self.game.is_over

    def standing(self, seat: Seat) -> Standing:
        """The score before the current deal as a player tells it."""
        before = GameInPlay(self.seed, self.names, self.records[:-1]).game if len(self.records) > 1 else None
        if before is None:
            return Standing(0, 0, 1)
        return Standing(before.total(seat), before.total(seat.other), before.counted + 1)

    def with_current(self, record: Record) -> "GameInPlay":
        """The game with the last deal as it stands now."""
        return replace(self, records=(*self.records[:-1], record))

    def next_deal(self) -> "GameInPlay":
        """The game with one more deal dealt.

        Raises:
            RuleError: the last deal or the game is not such that another follows.
        """
        if turn(self.current) is not None or self.is_over:
            raise RuleError("no deal is to be dealt now; expected the last one over and the game undecided")
        number = len(self.records) + 1
        record = _dealt(self.seed, self.names, number, self.game.dealer, self.rules)
        return replace(self, records=(*self.records, record))

    def title(self) -> str:
        """Which deal it is: `Deal 3 of 6`, or beyond six `Deal 7, to break the tie`."""
        number = self.standing(Seat.SOUTH).deal
        return f"Deal {number} of {DEALS}" if number <= DEALS else f"Deal {number}, to break the tie"

    def text(self) -> str:
        """The records as written."""
        return records_text(self.records)


def _dealt(seed: str, names: tuple[str, str], number: int, dealer: Seat, rules: Rules) -> Record:
    pack = Pack.shuffled(random.Random(f"bridgette {seed} {number}"), dealer)
    tags = (("Event", EVENT), ("Board", str(number)), ("Seed", seed), ("South", names[0]), ("North", names[1]))
    return Record.of_pack(pack, rules, tags)


def write_whole(path: Path, text: str) -> None:
    """Writes a file so that a kill at any moment leaves the old text or the new one, whole; through a link to it too.

    Raises:
        BridgetteError: it cannot be written; what was there stays.
    """
    check_can_be_written(path)
    path = Path(os.path.realpath(path))
    partial = path.with_name(path.name + ".partial")
    try:
        try:
            with partial.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _not_written(path, error) from None


def check_can_be_written(path: Path) -> None:
    """Checks that a file is there or can be made; a device or a pipe is none, for a new file takes the old one's place.

    Raises:
        BridgetteError: it is not so.
    """
    try:
        folder = Path(os.path.realpath(path)).parent
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "is a directory" if path.is_dir() else "is not an ordinary file")
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        raise _not_written(path, error) from None


def _not_written(path: Path, error: OSError | ValueError) -> BridgetteError:
    reason = getattr(error, "strerror", None) or str(error)
    return BridgetteError(f"{path}: {reason.lower()}; expected a file to write")
