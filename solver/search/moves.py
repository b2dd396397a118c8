"""What happens to a position when a card leaves it, and which cards of a suit are alike."""

from numba import int64

from solver.search.compiled import kernel
from solver.search.layout import (
    DEAD_HIS,
    DEAD_MINE,
    GRAND,
    GRAND_FIELDS,
    LITTLE,
    LITTLE_FIELDS,
    MINE,
    OWNERS,
    ROYAL,
    ROYAL_FIELDS,
)

# Kinds of a card by the live colon of the other hand that matches it.
UNMARKED = 3


@kernel(int64(int64, int64, int64))
def without(cards, suit, position):
    """``cards`` less the card at ``position`` of ``suit``: those above it move down."""
    shift = 16 * suit
    pattern = (cards >> shift) & 0xFFFF
    low = pattern & ((int64(1) << position) - 1)
    return cards ^ ((pattern ^ (low | (pattern >> (position + 1)) << position)) << shift)


@kernel(int64(int64, int64, int64, int64, int64))
def kind_of(marks, suit, index, count, owner):
    """LITTLE, ROYAL or GRAND where a live colon of the other hand matches the card, else UNMARKED.

    The card: the ``index``-th from below of the ``count`` cards of ``suit`` in the hand of ``owner``.
    """
    owners = (marks >> OWNERS) & 63
    if owners == 0:
        return UNMARKED
    other = 3 - owner
    if owners & 3 == other and index < (marks >> (4 * suit)) & 15:
        return LITTLE
    if (owners >> 2) & 3 == other:
        faces = (marks >> (16 + 2 * suit)) & 3
        if faces:
            below_ace = count - ((marks >> (24 + suit)) & 1)
            if below_ace - faces <= index < below_ace:
                return ROYAL
    if (owners >> 4) & 3 == other and index == count - 1 and (marks >> (28 + suit)) & 1:
        return GRAND
    return UNMARKED


@kernel(int64(int64, int64))
def bury(marks, colon):
    """``marks`` with the live ``colon`` turned into a dead one of its owner."""
    owner = (marks >> (OWNERS + 2 * colon)) & 3
    dead = DEAD_MINE if owner == MINE else DEAD_HIS
    return (marks & ~(int64(3) << (OWNERS + 2 * colon))) + (int64(1) << dead)


@kernel(int64(int64, int64, int64, int64, int64))
def unmarked(marks, suit, index, count, owner):
    """``marks`` after the card leaves (named as in ``kind_of``): its mark goes, and a colon with no card left to meet
    dies.
    """
    owners = (marks >> OWNERS) & 63
    if owners == 0:
        return marks
    other = 3 - owner
    if owners & 3 == other and index < (marks >> (4 * suit)) & 15:
        marks -= int64(1) << (4 * suit)
        if marks & LITTLE_FIELDS == 0:
            marks = bury(marks, LITTLE)
        return marks
    if (owners >> 2) & 3 == other:
        faces = (marks >> (16 + 2 * suit)) & 3
        if faces:
            ace = (marks >> (24 + suit)) & 1
            if index >= count - ace:
                marks -= int64(1) << (24 + suit)
            elif index >= count - ace - faces:
                marks -= int64(1) << (16 + 2 * suit)
                if faces == 1:
                    marks &= ~(int64(1) << (24 + suit))
                    if marks & ROYAL_FIELDS == 0:
                        marks = bury(marks, ROYAL)
                return marks
    if (owners >> 4) & 3 == other and index == count - 1 and (marks >> (28 + suit)) & 1:
        marks &= ~(int64(1) << (28 + suit))
        if marks & GRAND_FIELDS == 0:
            marks = bury(marks, GRAND)
    return marks


@kernel(int64(int64, int64))
def without_colon(marks, colon):
    """``marks`` after the live ``colon`` is played: what it could meet is forgotten."""
    marks &= ~(int64(3) << (OWNERS + 2 * colon))
    if colon == LITTLE:
        return marks & ~int64(LITTLE_FIELDS)
    if colon == ROYAL:
        return marks & ~int64(ROYAL_FIELDS | 0xF << 24)
    return marks & ~int64(GRAND_FIELDS)


@kernel(int64(int64))
def turned_cards(cards):
    """``cards`` seen by the other player: every owner's bit changed."""
    below = cards >> 1 & 0x7FFF7FFF7FFF7FFF
    below |= below >> 1 & 0x7FFF7FFF7FFF7FFF
    below |= below >> 2 & 0x3FFF3FFF3FFF3FFF
    below |= below >> 4 & 0x0FFF0FFF0FFF0FFF
    below |= below >> 8 & 0x00FF00FF00FF00FF
    return cards ^ below


@kernel(int64(int64))
def turned_marks(marks):
    """``marks`` seen by the other player: owners and dead colons exchanged, nothing barred."""
    owners = marks >> OWNERS & 63
    owners = (owners & 21) << 1 | (owners >> 1 & 21)
    dead = marks >> DEAD_MINE & 15
    dead = (dead & 3) << 2 | dead >> 2
    return marks & 0xFFFFFFFF | owners << OWNERS | dead << DEAD_MINE
