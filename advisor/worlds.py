"""Worlds: what the opponent may hold, sampled from all that a player knows before the first call.

A player knows the cards that it holds or has held, its role, the upcard and who drew it, and how many each draws; of
the rest every card is equally likely to be the opponent's. The opponent then keeps thirteen by a policy. World number
i of a seed is the same whatever the number of worlds asked for.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.packs import (
    CARDS,
    DEALER_DRAWS,
    DRAW_CLASSES,
    HAND,
    NONDEALER_DRAWS,
    Exchange,
    draw_class,
    sample_sets,
)
from solver.cards import Card, Hand
from solver.errors import Faults
from solver.exchange import Role
from solver.rules import DEFAULT_RULES, Rules

EVERY_CARD = (1 << CARDS) - 1
_UPCARDS = 0x5EED  # sets the streams of the unknown upcards apart from those of the hands


@dataclass(frozen=True, slots=True)
class Known:
    """What a player knows of the deal, apart from the auction.

    Attributes:
        role: the player's own.
        cards: all that it holds or has held: 15 to 25 cards, or 13 when what it threw is not told.
        upcard: the card turned; None when it is not told.
        rules: `upcard_drawn` bears on who holds the upcard.
    """

    role: Role
    cards: Hand
    upcard: Card | None = None
    rules: Rules = DEFAULT_RULES

    def __post_init__(self) -> None:
        faults = Faults()
        draws = [NONDEALER_DRAWS] if self.role == Role.NONDEALER else list(DEALER_DRAWS)
        if self.role == Role.DEALER and self.upcard is not None:
            draws = [DEALER_DRAWS[draw_class(self.upcard.index)]]
        sizes = [HAND, *(HAND + number for number in draws)]
        if len(self.cards) not in sizes:
            faults.broken.append(
                f"{len(self.cards)} cards are known to have been the {self.role.title}'s, "
                f"{len(self.cards) - HAND} of them thrown or drawn; expected {' or '.join(map(str, sizes))}"
            )
        elif self.upcard is not None:
            draws_upcard = self.role == Role.NONDEALER and self.rules.upcard_drawn
            if self.upcard in self.cards and not draws_upcard:
                where = "the non-dealer's" if self.rules.upcard_drawn else "set aside"
                faults.broken.append(f"the upcard {self.upcard} is among the {self.role.title}'s cards; it is {where}")
            if draws_upcard and len(self.cards) > HAND and self.upcard not in self.cards:
                faults.broken.append(f"the upcard {self.upcard} is not among the cards of the non-dealer, who drew it")
        elif self.draw_class is not None and not _of_class(EVERY_CARD & ~self.cards.mask, self.draw_class):
            faults.broken.append(
                f"the {self.role.title} drew {len(self.cards) - HAND} cards but has held every card that, turned, "
                "gives so many; expected one of them elsewhere"
            )
        faults.check()

    @property
    def draw_class(self) -> int | None:
        """0, 1 or 2 for a dealer who draws 4, 8 or 12 cards; None when that does not follow from what is known."""
        if self.upcard is not None:
            return int(draw_class(self.upcard.index))
        if self.role == Role.DEALER and len(self.cards) > HAND:
            return DEALER_DRAWS.index(len(self.cards) - HAND)
        return None

    @property
    def context(self) -> int | None:
        """The player's own context, 0 to 5; None when the draw class is not known."""
        known = self.draw_class
        return None if known is None else DRAW_CLASSES * self.role + known


class Worlds(NamedTuple):
    """N things that the opponent may hold: `hands` (N,) the thirteen kept, `held` (N,) the 15 to 25 it chose them from,
    both as sets of cards, and `classes` (N,) the draw class of each (all one where it is known).
    """

    hands: NDArray[np.int64]
    held: NDArray[np.int64]
    classes: NDArray[np.int64]


def sample_worlds(known: Known, exchange: Exchange, seed: int, count: int, first: int = 0) -> Worlds:
    """Worlds number first .. first + count - 1 of a seed, the opponent exchanging in the way given.

    An upcard that is not told is sampled too, from where it may be.
    """
    upcards, mine = _upcards(known, seed, first, count)
    other = Role.NONDEALER if known.role == Role.DEALER else Role.DEALER
    if known.upcard is not None:
        certain, unseen, size, kind = _possible(known, known.cards.mask, known.upcard.index)
        held = sample_sets(unseen, certain, size, seed, first, count)
        classes = np.full(count, kind)
    else:
        held = np.empty(count, dtype=np.int64)
        classes = np.empty(count, dtype=np.int64)
        for row in range(count):
            certain, unseen, size, classes[row] = _possible(known, int(mine[row]), int(upcards[row]))
            held[row] = sample_sets(unseen, certain, size, seed, first + row, 1)[0]
    return Worlds(exchange(held, classes + DRAW_CLASSES * int(other)), held, classes)


def _possible(known: Known, mine: int, upcard: int) -> tuple[int, int, int, int]:
    """What the opponent is sure to have held and what it may have, as sets of cards; how many; the draw class."""
    kind = int(draw_class(upcard))
    bit = 1 << upcard
    unseen = EVERY_CARD & ~mine & ~bit
    if known.role == Role.NONDEALER:
        return 0, unseen, HAND + DEALER_DRAWS[kind], kind
    return (bit if known.rules.upcard_drawn else 0), unseen, HAND + NONDEALER_DRAWS, kind


def _upcards(known: Known, seed: int, first: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each world an upcard, and the player's own cards with those that it must have held besides.

    A non-dealer who drew the upcard holds it as one of fifteen, each as likely; where the two thrown are not told it
    is one of them in two cases of fifteen. Otherwise it is any unseen card of a class that the known draws allow.
    """
    mine = np.full(count, known.cards.mask)
    if known.upcard is not None:
        return np.full(count, known.upcard.index), mine
    upcards = np.empty(count, dtype=np.int64)
    own = np.array([card.index for card in known.cards])
    unseen, kind = EVERY_CARD & ~known.cards.mask, known.draw_class
    other = np.array(_members(unseen) if kind is None else _of_class(unseen, kind))
    for row in range(count):
        generator = np.random.default_rng((seed, _UPCARDS, first + row))
        if known.role == Role.NONDEALER and known.rules.upcard_drawn:
            place = int(generator.integers(HAND + NONDEALER_DRAWS))
            upcards[row] = own[place] if place < len(own) else generator.choice(other)
        else:
            upcards[row] = generator.choice(other)
        if known.role == Role.NONDEALER and known.rules.upcard_drawn:
            mine[row] |= 1 << upcards[row]
    return upcards, mine


def _members(cards: int) -> list[int]:
    return [card for card in range(CARDS) if cards >> card & 1]


def _of_class(cards: int, kind: int) -> list[int]:
    """The cards that, turned, are of that draw class."""
    return [card for card in _members(cards) if draw_class(card) == kind]
