"""Best play with all cards open: tables, positions, card values, lines of play, targets, and many deals at once.

Every number of tricks is exact, for best play by both players who see both hands, and says whose it is.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from threading import local
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver import search
from solver.cards import Card, Strain
from solver.deal import Deal, Seat
from solver.errors import BridgetteError
from solver.play import Position
from solver.rules import DEFAULT_RULES, Rules

TABLE_BITS = 17
"""The transposition table has ``2 ** TABLE_BITS`` slots of 16 bytes: 2 MB a thread, and it never grows."""

_CHUNK = 2  # small, so that no thread waits long for another at the end
_SEATS_AND_STRAINS = tuple((seat, strain) for seat in Seat for strain in reversed(Strain))


@dataclass(frozen=True, slots=True)
class Table:
    """The tricks of a whole deal.

    Attributes:
        deal: the deal.
        rows: ``rows[declarer][strain]``, the tricks that the declarer takes when the other player leads; None where not
        asked for.
    """

    deal: Deal
    rows: tuple[tuple[int | None, ...], ...]

    def tricks(self, declarer: Seat, strain: Strain) -> int:
        """Tricks that ``declarer`` takes in ``strain`` when the other player leads.

        Raises:
            KeyError: this table was made without that strain or declarer.
        """
        tricks = self.rows[declarer][strain]
        if tricks is None:
            raise KeyError(f"{strain.letter} by {declarer.title} is not in this table")
        return tricks

    def as_array(self) -> npt.NDArray[np.int8]:
        """The tricks as an array of shape (2, 5), by declarer and strain; -1 where not asked for."""
        return np.array([[-1 if tricks is None else tricks for tricks in row] for row in self.rows], dtype=np.int8)


class Tricks(NamedTuple):
    """How the tricks still to be won are divided."""

    south: int
    north: int

    def of(self, seat: Seat) -> int:
        """The tricks of one player."""
        return self.south if seat == Seat.SOUTH else self.north


class CardValue(NamedTuple):
    """A legal card and what it leads to: ``tricks`` of those still to be won, for the player who plays it."""

    card: Card
    tricks: int


class Solver:
    """A search with its own transposition table, which stays warm from one question to the next.

    Answers do not depend on what was asked before. One thread at a time may use it; threads each make their own.

    Args:
        table_bits: the table has ``2 ** table_bits`` slots of 16 bytes, 8 to 24.
        switched_off: techniques to turn off (constants of ``solver.search.memory``), to measure or test them.
    """

    def __init__(self, rules: Rules = DEFAULT_RULES, *, table_bits: int = TABLE_BITS, switched_off: int = 0) -> None:
        if not 8 <= table_bits <= 24:
            raise ValueError(f"table_bits {table_bits}: expected 8 to 24")
        self.rules = rules
        self.memory: npt.NDArray[np.int64] = search.new_memory(table_bits, rules.free_colon_discard, switched_off)

    @property
    def probed(self) -> int:
        """Positions looked at so far."""
        return int(self.memory[search.PROBED])

    @property
    def expanded(self) -> int:
        """Positions so far whose moves had to be tried."""
        return int(self.memory[search.EXPANDED])

    def table(
        self, deal: Deal, strains: Iterable[Strain] = tuple(Strain), declarers: Iterable[Seat] = tuple(Seat)
    ) -> Table:
        """The tricks in each of the strains with each of the declarers (all ten by default)."""
        strains, declarers = set(strains), set(declarers)
        rows: list[list[int | None]] = [[None] * len(Strain) for _ in Seat]
        guess = dict.fromkeys(Seat, deal.size // 2)
        for declarer, strain in _SEATS_AND_STRAINS:
            if strain in strains and declarer in declarers:
                leader = deal.hand(declarer.other).mask
                guess[declarer] = search.position_value(
                    leader, deal.hand(declarer).mask, -1, strain, guess[declarer], self.memory
                )
                rows[declarer][strain] = deal.size - guess[declarer]
        return Table(deal, tuple(tuple(row) for row in rows))

    def solve(self, position: Position) -> Tricks:
        """How the tricks still to be won are divided by best play."""
        if position.is_over:
            return Tricks(0, 0)
        if position.led is not None:
            best = max(value.tricks for value in self.card_values(position))
        else:
            best = self._lead(position)
        return _divided(position, position.to_play, best)

    def at_least(self, position: Position, seat: Seat, tricks: int) -> bool:
        """Whether ``seat`` can take at least ``tricks`` of the tricks still to be won. Cheaper than ``solve``."""
        if position.led is not None:
            on_move = position.to_play
            target = tricks if seat == on_move else position.size - tricks + 1
            reached = any(self._reply_takes(position, card, target) for card in position.legal())
            return reached == (seat == on_move)
        leader = position.to_lead
        target = tricks if seat == leader else position.size - tricks + 1
        return self._lead_takes(position, target) == (seat == leader)

    def card_values(self, position: Position) -> tuple[CardValue, ...]:
        """Every legal card of the player to move with the tricks that it leads to for that player; best first.

        Cards alike in value stand in the order of the hand: spades to clubs from the top, then colons.
        """
        if position.is_over:
            return ()
        if position.led is None:
            best = self._lead(position)
            hand, other = position.hand(position.to_lead), position.hand(position.to_lead.other)
            barred = -1 if position.barred is None else position.barred
            values = [
                CardValue(
                    card,
                    search.lead_value(hand.mask, other.mask, barred, position.strain, card.index, best, self.memory),
                )
                for card in position.legal()
            ]
        else:
            values = [CardValue(card, self._reply_value(position, card)) for card in position.legal()]
        return tuple(sorted(values, key=lambda value: -value.tricks))

    def best_line(self, position: Position) -> tuple[Card, ...]:
        """One line of best play to the end, the same each time: of the best cards each player plays a lowest one.

        (The leader of a trick the highest of equals that touch.)
        """
        line: list[Card] = []
        while not position.is_over:
            values = self.card_values(position)
            best = [value.card for value in values if value.tricks == values[0].tricks]
            card = _plainest(best, position)
            line.append(card)
            position = position.after(card).position
        return tuple(line)

    def _lead(self, position: Position) -> int:
        """Tricks of the player on lead, no card led yet."""
        hand, other = position.hand(position.to_lead), position.hand(position.to_lead.other)
        barred = -1 if position.barred is None else position.barred
        guess = position.size // 2
        return int(search.position_value(hand.mask, other.mask, barred, position.strain, guess, self.memory))

    def _lead_takes(self, position: Position, target: int) -> bool:
        """Whether the player on lead takes at least ``target`` tricks, no card led yet."""
        hand, other = position.hand(position.to_lead), position.hand(position.to_lead.other)
        barred = -1 if position.barred is None else position.barred
        return bool(search.position_takes(hand.mask, other.mask, barred, position.strain, target, self.memory))

    def _reply_value(self, position: Position, card: Card) -> int:
        """Tricks of the player second to play when it plays ``card``."""
        following, winner = position.after(card)
        if winner == position.to_play:
            return 1 + (self._lead(following) if not following.is_over else 0)
        return following.size - (self._lead(following) if not following.is_over else 0)

    def _reply_takes(self, position: Position, card: Card, target: int) -> bool:
        """Whether the player second to play takes at least ``target`` tricks when it plays ``card``."""
        following, winner = position.after(card)
        if winner == position.to_play:
            return self._lead_takes(following, target - 1)
        return not self._lead_takes(following, following.size - target + 1)


def _divided(position: Position, seat: Seat, tricks: int) -> Tricks:
    rest = position.size - tricks
    return Tricks(tricks, rest) if seat == Seat.SOUTH else Tricks(rest, tricks)


def _plainest(best: list[Card], position: Position) -> Card:
    """Of equally good cards the one that a line of play shows: a suit card before a colon, low before high."""

    def cost(card: Card) -> tuple[bool, int, int]:
        return card.is_colon, 0 if card.rank is None else card.rank, -card.index

    return min(best, key=cost)


_of_thread = local()


def _solver(rules: Rules) -> Solver:
    """This thread's warm solver for these rules (only ``free_colon_discard`` bears on the play)."""
    name = f"free_{rules.free_colon_discard}"
    solver: Solver | None = getattr(_of_thread, name, None)
    if solver is None:
        solver = Solver(rules)
        setattr(_of_thread, name, solver)
    return solver


def table(
    deal: Deal,
    rules: Rules = DEFAULT_RULES,
    strains: Iterable[Strain] = tuple(Strain),
    declarers: Iterable[Seat] = tuple(Seat),
) -> Table:
    """The double-dummy table of a deal: what each declarer takes in each strain when the other leads."""
    return _solver(rules).table(deal, strains, declarers)


def solve(position: Position) -> Tricks:
    """How the tricks still to be won from a position are divided by best play."""
    return _solver(position.rules).solve(position)


def at_least(position: Position, seat: Seat, tricks: int) -> bool:
    """Whether ``seat`` can take at least ``tricks`` of the tricks still to be won."""
    return _solver(position.rules).at_least(position, seat, tricks)


def card_values(position: Position) -> tuple[CardValue, ...]:
    """Every legal card of the player to move with the tricks that it leads to for that player; best first."""
    return _solver(position.rules).card_values(position)


def best_line(position: Position) -> tuple[Card, ...]:
    """One line of best play from a position to the end, the same each time."""
    return _solver(position.rules).best_line(position)


def iter_tables(deals: Iterable[Deal], rules: Rules = DEFAULT_RULES, threads: int | None = None) -> Iterator[Table]:
    """The tables of any number of deals, in order, as they are ready; reads ahead no more than the threads need.

    Args:
        deals: the deals; may be endless.
        rules: the choices in force.
        threads: how many to use; all cores by default. The answers do not depend on it.
    """
    for chunk, tricks in _in_chunks(iter(deals), rules, _threads(threads)):
        for deal, of_deal in zip(chunk, tricks, strict=True):
            yield Table(deal, tuple(tuple(int(number) for number in row) for row in of_deal))


def solve_tables(
    souths: npt.NDArray[np.int64],
    norths: npt.NDArray[np.int64],
    *,
    free_colon_discard: bool = False,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> npt.NDArray[np.int8]:
    """The tables of many deals given as masks.

    Args:
        souths: shape (N,), South's hands (``Hand.mask``).
        norths: shape (N,), North's hands, each of the same size as South's and apart from it, which is not checked.
        free_colon_discard: the rule of that name.
        threads: how many to use; all cores by default.
        progress: called with the number of deals done so far, from time to time.

    Returns:
        Shape (N, 2, 5): tricks that the declarer (0 South, 1 North) takes in each strain (clubs to no trump) when the
        other leads.

    Raises:
        BridgetteError: the arrays are not of whole numbers, not of one dimension or not equally long, or threads < 1.
    """
    souths, norths = _sets(souths, "souths"), _sets(norths, "norths")
    if len(souths) != len(norths):
        raise BridgetteError(f"{len(souths)} hands of South and {len(norths)} of North; expected as many each")
    tricks = np.zeros((len(souths), 2, 5), dtype=np.int8)
    rules = Rules(free_colon_discard=free_colon_discard)

    def fill(start: int) -> int:
        part = slice(start, start + _CHUNK)
        search.fill_tables(souths[part], norths[part], tricks[part], _solver(rules).memory)
        return min(start + _CHUNK, len(souths)) - start

    done = 0
    with ThreadPoolExecutor(_threads(threads)) as pool:
        try:
            for number in pool.map(fill, range(0, len(souths), _CHUNK)):
                done += number
                if progress is not None:
                    progress(done)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return tricks


def _sets(hands: npt.ArrayLike, what: str) -> npt.NDArray[np.int64]:
    array = np.asarray(hands)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise BridgetteError(f"{what} has shape {array.shape} of {array.dtype}; expected shape (N,) of whole numbers")
    return np.ascontiguousarray(array, dtype=np.int64)


def _threads(threads: int | None) -> int:
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise BridgetteError(f"{threads} threads; expected at least 1")
    return threads


def _in_chunks(deals: Iterator[Deal], rules: Rules, threads: int) -> Iterator[tuple[list[Deal], npt.NDArray[np.int8]]]:
    """Chunks of deals with their tricks (n, 2, 5), in order; at most two chunks a thread are under way."""

    def fill(chunk: list[Deal]) -> npt.NDArray[np.int8]:
        tricks = np.zeros((len(chunk), 2, 5), dtype=np.int8)
        souths = np.array([deal.south.mask for deal in chunk], dtype=np.int64)
        norths = np.array([deal.north.mask for deal in chunk], dtype=np.int64)
        search.fill_tables(souths, norths, tricks, _solver(rules).memory)
        return tricks

    waiting: deque[tuple[list[Deal], Future[npt.NDArray[np.int8]]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                while len(waiting) < 2 * threads and (chunk := list(islice(deals, _CHUNK))):
                    waiting.append((chunk, pool.submit(fill, chunk)))
                if not waiting:
                    return
                chunk, future = waiting.popleft()
                yield chunk, future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
