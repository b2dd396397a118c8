"""The pack of 55: suits, strains, ranks, ranges, cards and hands.

A card is a number, its `index`: 13 * suit + (rank - 2) for the 52 suit cards, then 52 `:L`, 53 `:R`, 54 `:G`.
A hand is a set of cards kept as a 55-bit mask whose bit i is the card of index i.
"""

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from solver.errors import Faults, NotationError, RuleError, quote
from solver.notation import (
    CARD_TEXTS,
    COLON_LETTERS,
    EXPECTED_CARD,
    RANK_LETTERS,
    SUIT_LETTERS,
    hand_text,
    plain,
    read_card,
    read_fields,
    read_loose,
)

PACK_SIZE = 55
HAND_SIZE = 13


class Suit(IntEnum):
    """The four suits, lowest first."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """C, D, H or S."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """♣, ♦, ♥ or ♠."""
        return "♣♦♥♠"[self]

    @property
    def strain(self) -> "Strain":
        """The strain in which this suit is trumps."""
        return Strain(self)

    @classmethod
    def parse(cls, text: str) -> "Suit":
        """Reads a suit's letter in either case, or its symbol.

        Raises:
            NotationError: the text is anything else.
        """
        letter = plain(text, "a suit")
        if len(letter) != 1 or letter not in SUIT_LETTERS:
            raise NotationError(f"{quote(text)} is not a suit; expected C, D, H or S")
        return cls(SUIT_LETTERS.index(letter))


class Strain(IntEnum):
    """The five strains of a bid, lowest first; the first four have the numbers of their suits."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NOTRUMP = 4

    @property
    def letter(self) -> str:
        """C, D, H, S or NT."""
        return ("C", "D", "H", "S", "NT")[self]

    @property
    def symbol(self) -> str:
        """♣, ♦, ♥, ♠ or NT."""
        return ("♣", "♦", "♥", "♠", "NT")[self]

    @property
    def suit(self) -> Suit | None:
        """The trump suit, or None at no trump."""
        return None if self is Strain.NOTRUMP else Suit(self)

    @classmethod
    def parse(cls, text: str) -> "Strain":
        """Reads NT (or N), or a suit's letter in either case, or its symbol.

        Raises:
            NotationError: the text is anything else.
        """
        strain = STRAINS_BY_TEXT.get(plain(text, "a strain"))
        if strain is None:
            raise NotationError(f"{quote(text)} is not a strain; expected C, D, H, S or NT")
        return strain


class Range(IntEnum):
    """The three ranges of ranks, each with its colon: number cards 10 to 2, face cards J Q K, aces."""

    LITTLE = 0
    ROYAL = 1
    GRAND = 2

    @property
    def letter(self) -> str:
        """L, R or G."""
        return COLON_LETTERS[self]


class Rank(IntEnum):
    """The thirteen ranks, ace high."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """2 to 9, T, J, Q, K or A."""
        return RANK_LETTERS[self - 2]

    @property
    def range(self) -> Range:
        """The range that the rank belongs to."""
        if self is Rank.ACE:
            return Range.GRAND
        return Range.ROYAL if self >= Rank.JACK else Range.LITTLE


STRAINS_BY_TEXT = {strain.letter: strain for strain in Strain} | {"N": Strain.NOTRUMP}

_SUITS: tuple[Suit | None, ...] = tuple(suit for suit in Suit for _ in Rank) + (None,) * 3
_RANKS: tuple[Rank | None, ...] = tuple(Rank) * 4 + (None,) * 3
_RANGES: tuple[Range, ...] = tuple(rank.range for rank in Rank) * 4 + tuple(Range)


@dataclass(frozen=True, slots=True, order=True, init=False, repr=False)
class Card:
    """One card: `Card(Suit.SPADES, Rank.ACE)` or `Card.colon(Range.GRAND)`. Cards are ordered by `index`."""

    index: int

    def __init__(self, suit: Suit, rank: Rank) -> None:
        if suit not in _SUIT_VALUES or rank not in _RANK_VALUES:
            raise RuleError(f"there is no card of suit {suit!r} and rank {rank!r}")
        object.__setattr__(self, "index", 13 * suit + rank - 2)

    @classmethod
    def colon(cls, range: Range) -> "Card":
        """The colon of a range."""
        return cls.from_index(52 + Range(range))

    @classmethod
    def from_index(cls, index: int) -> "Card":
        """The card with this index.

        Raises:
            RuleError: the index is not 0 to 54.
        """
        if not 0 <= index < PACK_SIZE:
            raise RuleError(f"there is no card of index {index}; expected 0 to {PACK_SIZE - 1}")
        return PACK[index]

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Reads a card: `SA`, `AS`, `h10`, `♠A`, `:G`.

        Raises:
            NotationError: the text is anything else.
        """
        index = read_card(text)
        if index is None:
            raise NotationError(f"{quote(text)} is not a card; {EXPECTED_CARD}")
        return PACK[index]

    @property
    def suit(self) -> Suit | None:
        """The card's suit; None for a colon."""
        return _SUITS[self.index]

    @property
    def rank(self) -> Rank | None:
        """The card's rank; None for a colon."""
        return _RANKS[self.index]

    @property
    def range(self) -> Range:
        """The range that a suit card's rank belongs to, or the range of a colon."""
        return _RANGES[self.index]

    @property
    def is_colon(self) -> bool:
        """Whether the card is one of the three colons."""
        return self.index >= 52

    def __str__(self) -> str:
        return CARD_TEXTS[self.index]

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"


_SUIT_VALUES = frozenset(Suit)
_RANK_VALUES = frozenset(Rank)


def _card(index: int) -> Card:
    card = object.__new__(Card)
    object.__setattr__(card, "index", index)
    return card


PACK: tuple[Card, ...] = tuple(_card(index) for index in range(PACK_SIZE))
"""All 55 cards, by index."""

_PATTERN_MASK = (1 << 13) - 1
_ORDER = (*range(51, -1, -1), 54, 53, 52)


@dataclass(frozen=True, slots=True, repr=False)
class Hand:
    """A set of cards. Iteration goes through spades from the top, hearts, diamonds, clubs, then `:G :R :L`."""

    mask: int = 0

    def __post_init__(self) -> None:
        mask = operator.index(self.mask)
        if not 0 <= mask < 1 << PACK_SIZE:
            raise RuleError(f"{mask} is not a set of the pack's {PACK_SIZE} cards; expected 0 to 2**{PACK_SIZE} - 1")
        object.__setattr__(self, "mask", mask)

    @classmethod
    def of(cls, cards: Iterable[Card]) -> "Hand":
        """The hand of these cards.

        Raises:
            RuleError: a card comes twice.
        """
        mask = 0
        faults = Faults()
        for card in cards:
            if mask >> card.index & 1:
                faults.broken.append(f"{card} is there twice")
            mask |= 1 << card.index
        faults.check()
        return cls(mask)

    @classmethod
    def parse(cls, text: str) -> "Hand":
        """Reads `AK4.QT2.KJ9.A52.G` (spades.hearts.diamonds.clubs.colons) or loose cards, `SA HK :G` or `SAK HT2 :GL`.

        The colons' field may be left out when empty; ranks may come in any order, in either case, `10` for T.

        Raises:
            NotationError: something cannot be read, or there is no text (the hand of no cards is `....`).
            RuleError: all can be read, but a card is written twice.
        """
        faults = Faults()
        if "." in text or not text.strip():
            mask, _ = read_fields(text, faults)
        else:
            mask = 0
            for index in read_loose(text, "a hand", faults):
                mask |= 1 << index
        faults.check()
        return cls(mask)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in the order of iteration."""
        return tuple(self)

    @property
    def colons(self) -> "Hand":
        """The colons held."""
        return Hand(self.mask >> 52 << 52)

    def of_suit(self, suit: Suit) -> "Hand":
        """The cards held of a suit."""
        return Hand(self.mask & _PATTERN_MASK << 13 * suit)

    def count(self, suit: Suit) -> int:
        """How many cards of a suit are held."""
        return (self.mask >> 13 * suit & _PATTERN_MASK).bit_count()

    def __contains__(self, card: Card) -> bool:
        return bool(self.mask >> card.index & 1)

    def __iter__(self) -> Iterator[Card]:
        mask = self.mask
        return (PACK[index] for index in _ORDER if mask >> index & 1)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __or__(self, other: Self) -> "Hand":
        return Hand(self.mask | other.mask)

    def __and__(self, other: Self) -> "Hand":
        return Hand(self.mask & other.mask)

    def __sub__(self, other: Self) -> "Hand":
        return Hand(self.mask & ~other.mask)

    def __le__(self, other: Self) -> bool:
        """Whether every card is in the other hand too."""
        return not self.mask & ~other.mask

    def __str__(self) -> str:
        return hand_text(self.mask)

    def __repr__(self) -> str:
        return f"Hand.parse({str(self)!r})"


def parse_cards(text: str) -> tuple[Card, ...]:
    """Reads loose cards in the order written, spaces or commas between: `SA HK :G`, also `SAK4 HT2 :GL`; none is ().

    Raises:
        NotationError: something is not a card.
        RuleError: all can be read, but a card is written twice.
    """
    faults = Faults()
    indexes = read_loose(text, "a list of cards", faults)
    faults.check()
    return tuple(PACK[index] for index in indexes)
