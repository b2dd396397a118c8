"""Many packs at once: shuffled, dealt, drawn and exchanged, each from a random stream of its own.

Everything here goes by role (0 the dealer, 1 the non-dealer) and by draw class: 0, 1, 2 for a dealer who draws 4, 8
or 12. A *context* is 3 * role + draw class. Hands and other sets of cards are bits of an int64, one a card by its
index. A pack is 55 card indices in the order 13 of the dealer, 13 of the non-dealer, the stock with the upcard on
top.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.compiled import compiled

CARDS = 55
HAND = 13
UPCARD_PLACE = 2 * HAND
DEALER, NONDEALER = 0, 1
DRAW_CLASSES = 3
CONTEXTS = 2 * DRAW_CLASSES
DEALER_DRAWS = (4, 8, 12)
NONDEALER_DRAWS = 2
CLASS_NAMES = ("number card", "face card", "ace")


def context_of(role: int, draw_class: int) -> int:
    """The context of a role and a draw class."""
    return DRAW_CLASSES * role + draw_class


class Exchange(Protocol):
    """A way to exchange: which thirteen of the cards held stay, for many hands at once."""

    def __call__(self, held: NDArray[np.int64], contexts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The kept sets (N,) for held sets (N,) of 15 to 25 cards in contexts (N,)."""
        ...


@compiled(inline="always")
def random_stream(seed: int, index: int) -> np.uint64:
    """The start of the random stream number `index` of a seed; streams of different numbers are unrelated."""
    state = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(0x2545F4914F6CDD1D)
    state ^= state >> np.uint64(29)
    state = (state + np.uint64(index)) * np.uint64(0x9E3779B97F4A7C15)
    return state ^ (state >> np.uint64(32))


@compiled(inline="always")
def random_bits(state: np.uint64) -> np.uint64:
    """Sixty-four mixed bits of a stream's state (splitmix64); the caller steps the state by `STEP`."""
    bits = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


STEP = np.uint64(0x9E3779B97F4A7C15)


@compiled(inline="always")
def random_below(state: np.uint64, bound: int) -> np.int64:
    """A number 0 .. bound - 1 from a stream's state, each equally likely to within 2^-32 of itself."""
    return np.int64(((random_bits(state) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@compiled()
def draw_class(card: int) -> int:
    """The draw class of an upcard by its index: 0 number card or Little Colon, 1 face card or Royal, 2 ace or Grand."""
    if card >= 52:
        return card - 52
    rank = card % 13
    return 2 if rank == 12 else (1 if rank >= 9 else 0)


@compiled()
def shuffle_packs(seed: int, first: int, count: int, classes: NDArray[np.int64]) -> NDArray[np.int8]:
    """Packs number first .. first + count - 1 of a seed, shape (count, 55).

    With `classes` empty the packs are uniformly shuffled; else pack i has an upcard of class classes[i % len(classes)]
    and is uniform given that: a card of the class is picked and changes places with the shuffled upcard.
    """
    packs = np.empty((count, CARDS), dtype=np.int8)
    for row in range(count):
        state = random_stream(seed, first + row)
        pack = packs[row]
        for place in range(CARDS):
            pack[place] = place
        for place in range(CARDS - 1, 0, -1):
            state += STEP
            other = random_below(state, place + 1)
            pack[place], pack[other] = pack[other], pack[place]
        if len(classes):
            wanted = classes[(first + row) % len(classes)]
            while True:
                state += STEP
                card = int(random_below(state, CARDS))
                if draw_class(card) == wanted:
                    break
            for place in range(CARDS):
                if pack[place] == card:
                    pack[place], pack[UPCARD_PLACE] = pack[UPCARD_PLACE], pack[place]
                    break
    return packs


@compiled()
def _held(packs: NDArray[np.int8], upcard_drawn: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    held = np.zeros((len(packs), 2), dtype=np.int64)
    classes = np.empty(len(packs), dtype=np.int64)
    for row in range(len(packs)):
        pack = packs[row]
        classes[row] = draw_class(pack[UPCARD_PLACE])
        first = UPCARD_PLACE + (0 if upcard_drawn else 1)
        drawn = first + NONDEALER_DRAWS + 4 * (classes[row] + 1)
        for place in range(HAND):
            held[row, DEALER] |= np.int64(1) << pack[place]
            held[row, NONDEALER] |= np.int64(1) << pack[HAND + place]
        for place in range(first, drawn):
            held[row, NONDEALER if place < first + NONDEALER_DRAWS else DEALER] |= np.int64(1) << pack[place]
    return held, classes


def held_after_draws(packs: NDArray[np.int8], upcard_drawn: bool = True) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What both hold before they discard, (N, 2) sets of cards by [pack, role], and the packs' draw classes (N,)."""
    held, classes = _held(packs, upcard_drawn)
    return held, classes


def exchange(
    held: NDArray[np.int64], classes: NDArray[np.int64], dealer: Exchange, nondealer: Exchange
) -> NDArray[np.int64]:
    """The thirteen that each role keeps, (N, 2) by [pack, role], each exchanging in its own way."""
    kept = np.empty_like(held)
    kept[:, DEALER] = dealer(np.ascontiguousarray(held[:, DEALER]), classes)
    kept[:, NONDEALER] = nondealer(np.ascontiguousarray(held[:, NONDEALER]), classes + DRAW_CLASSES)
    return kept


@compiled()
def renamed(sets: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sets of cards (N, 2) with the suits renamed: suit s becomes suit order[s]."""
    result = np.empty_like(sets)
    for row in range(len(sets)):
        for role in range(2):
            cards = sets[row, role]
            moved = (cards >> 52) << 52
            for suit in range(4):
                moved |= ((cards >> (13 * suit)) & 0x1FFF) << (13 * order[suit])
            result[row, role] = moved
    return result


@compiled()
def sample_sets(unseen: int, certain: int, size: int, seed: int, first: int, count: int) -> NDArray[np.int64]:
    """Random sets of `size` cards, numbers first .. first + count - 1 of a seed: `certain` and the rest from `unseen`.

    Both are sets of cards; every choice of the others is equally likely. It is what an opponent may hold before it
    discards: `unseen` all cards not known to be elsewhere, `certain` those that it is known to have drawn.
    """
    pool = np.empty(CARDS, dtype=np.int64)
    total = 0
    fixed = 0
    for card in range(CARDS):
        if (certain >> card) & 1:
            fixed += 1
        elif (unseen >> card) & 1:
            pool[total] = card
            total += 1
    sets = np.empty(count, dtype=np.int64)
    cards = np.empty(CARDS, dtype=np.int64)
    for row in range(count):
        state = random_stream(seed, first + row)
        cards[:total] = pool[:total]
        chosen = np.int64(certain)
        for place in range(size - fixed):
            state += STEP
            other = place + random_below(state, total - place)
            cards[place], cards[other] = cards[other], cards[place]
            chosen |= np.int64(1) << cards[place]
        sets[row] = chosen
    return sets


@compiled(inline="always")
def count_cards(cards: int) -> int:
    """How many cards a set has."""
    count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count
