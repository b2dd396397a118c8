"""The opponent's possible hands in an auction: drawn, weighed by the calls heard, picked by weight, solved, and kept.

Drawing is cheap and solving is not: thousands of candidates are drawn and weighed before a few hundred are solved.
What is drawn and solved for one call serves the next.
"""

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.heard import Heard, cards_shown, fitted_worlds, likelihoods
from advisor.model import Model
from advisor.packs import DRAW_CLASSES
from advisor.picking import effective_number, order_of, priorities, shares_of
from advisor.worlds import Known, Worlds, sample_worlds
from solver.cards import Hand
from solver.deal import Deal
from solver.double_dummy import iter_tables
from solver.exchange import Role

_CANDIDATES = 4_000  # drawn at first
_MOST_CANDIDATES = 16_000
_DRAWN_A_SAMPLE = 20  # no more than this for each world to solve at first, and four times as many in all
_EFFECTIVE_A_SAMPLE = 3  # candidates wanted for each world to solve, by their effective number
_PART = 500  # candidates drawn at a time
_TOO_FEW = 20  # effective candidates; with fewer, worlds are made to fit the calls heard


class Solved(NamedTuple):
    """The N worlds that count for an auction.

    `hands` (N,) of the opponent, `classes` (N,) the draw classes, `tables` (N, 2, 5) tricks by [world, declarer's
    role, strain], `shares` (N,) what each counts for, summing to 1. They were picked from `candidates`, whose effective
    number by the calls heard is `left` and of which `fitted` had to be made to fit these.
    """

    hands: NDArray[np.int64]
    classes: NDArray[np.int64]
    tables: NDArray[np.int8]
    shares: NDArray[np.float64]
    candidates: int
    left: float
    fitted: int


class AuctionWorlds:
    """The worlds of one player's auction in one deal; the same for any number of threads."""

    def __init__(self, known: Known, hand: Hand, model: Model, seed: int, threads: int | None) -> None:
        self._known = known
        self._hand = hand
        self._model = model
        self._seed = seed
        self._threads = threads
        self._drawn = Worlds(*(np.zeros(0, dtype=np.int64) for _ in Worlds._fields))
        self._fitted: dict[tuple[int, int, int, int], Worlds] = {}
        self._tables: dict[int, NDArray[np.int8]] = {}

    def solve(self, heard: Heard, wanted: int, *, beyond: bool = False) -> Generator[int, None, None]:
        """Draws and solves for the opponent's calls heard, yielding 1, 2, ... as worlds are solved and count.

        It ends when as many count as are wanted, or with `beyond` when there are no more candidates.
        """
        self._draw(heard, wanted)
        worlds, weights, _ = self._weighed(heard)
        order = order_of(priorities(weights, self._seed))
        if not beyond:
            order = order[:wanted]
        hands = worlds.hands[order].tolist()
        with closing(self._new_tables(hands)) as tables:
            for number, hand in enumerate(hands, 1):
                if hand not in self._tables:
                    self._tables[hand] = next(tables)
                yield number

    def solved(self, heard: Heard, most: int | None = None) -> Solved:
        """The first worlds by priority, as far as all of them are solved, `most` if told so.

        Raises:
            ValueError: there are none.
        """
        worlds, weights, fitted = self._weighed(heard)
        priority = priorities(weights, self._seed)
        order = order_of(priority)
        taken = 0
        while taken < len(order) and taken != most and int(worlds.hands[order[taken]]) in self._tables:
            taken += 1
        if not taken:
            raise ValueError("nothing is solved for this auction; expected it to be studied first")
        chosen = order[:taken]
        hands = worlds.hands[chosen]
        return Solved(
            hands,
            worlds.classes[chosen],
            np.stack([self._tables[hand] for hand in hands.tolist()]),
            shares_of(weights, priority, order, taken),
            len(worlds.hands),
            effective_number(weights),
            fitted,
        )

    def _draw(self, heard: Heard, wanted: int) -> None:
        """Draws candidates: a number to begin with, more while the calls heard leave too few of them."""
        at_first = min(_CANDIDATES, _DRAWN_A_SAMPLE * wanted)
        most = min(_MOST_CANDIDATES, 4 * at_first)
        while (first := len(self._drawn.hands)) < most:
            left = effective_number(self._weights(self._drawn, heard))
            if first >= at_first and left >= _EFFECTIVE_A_SAMPLE * wanted:
                break
            self._drawn = _joined([self._drawn, *self._sampled(first, min(at_first, most - first))])
        shown = cards_shown(heard, self._known.rules.nt_jump_min)
        if effective_number(self._weights(self._drawn, heard)) < _TOO_FEW and shown not in self._fitted:
            self._fitted[shown] = fitted_worlds(self._known, shown, self._model.exchange, self._seed, wanted)

    def _sampled(self, first: int, count: int) -> Iterator[Worlds]:
        """Worlds number first .. first + count - 1, in parts."""

        def part(start: int) -> Worlds:
            here = min(_PART, first + count - start)
            return sample_worlds(self._known, self._model.exchange, self._seed, here, start)

        with ThreadPoolExecutor(self._threads) as pool:
            yield from pool.map(part, range(first, first + count, _PART))

    def _weighed(self, heard: Heard) -> tuple[Worlds, NDArray[np.float64], int]:
        """The candidates with their weights, and how many of them were made to fit the calls heard."""
        fitted = self._fitted.get(cards_shown(heard, self._known.rules.nt_jump_min))
        worlds = self._drawn if fitted is None else _joined([self._drawn, fitted])
        return worlds, self._weights(worlds, heard), 0 if fitted is None else len(fitted.hands)

    def _weights(self, worlds: Worlds, heard: Heard) -> NDArray[np.float64]:
        weights = np.ones(len(worlds.hands))
        if heard:
            for kind in np.unique(worlds.classes):
                chosen = worlds.classes == kind
                context = int(kind) + DRAW_CLASSES * (1 - self._known.role)
                weights[chosen] = likelihoods(self._model.blueprint, worlds.hands[chosen], context, heard)
        return weights

    def _new_tables(self, hands: Iterable[int]) -> Generator[NDArray[np.int8], None, None]:
        """The tables of those that are not solved yet, each once, in order."""
        mine, is_dealer = self._hand, self._known.role == Role.DEALER
        new = (Hand(hand) for hand in dict.fromkeys(hands) if hand not in self._tables)
        # The dealer as South: a table's first axis is then the declarer's role.
        deals = (Deal(mine, theirs) if is_dealer else Deal(theirs, mine) for theirs in new)
        for table in iter_tables(deals, self._known.rules, self._threads):
            yield table.as_array()


def _joined(parts: list[Worlds]) -> Worlds:
    return Worlds(*(np.concatenate(column) for column in zip(*parts, strict=True)))
