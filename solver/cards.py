"""The pack of 55: suits, strains, ranks, ranges, cards and hands, and how they are written and read.

A card is a number, its `index`: 13 * suit + (rank - 2) for the 52 suit cards, then 52 `:L`, 53 `:R`, 54 `:G`.
A hand is a set of cards kept as a 55-bit mask whose bit i is the card of index i.
"""

import operator
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from solver.errors import Faults, NotationError, RuleError, check_length, quote

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
        return "CDHS"[self]

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
        if len(letter) != 1 or letter not in "CDHS":
            raise NotationError(f"{quote(text)} is not a suit; expected C, D, H or S")
        return cls("CDHS".index(letter))


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
        return "LRG"[self]


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


RANK_LETTERS = "23456789TJQKA"
STRAINS_BY_TEXT = {strain.letter: strain for strain in Strain} | {"N": Strain.NOTRUMP}

_SUITS: tuple[Suit | None, ...] = tuple(suit for suit in Suit for _ in Rank) + (None,) * 3
_RANKS: tuple[Rank | None, ...] = tuple(Rank) * 4 + (None,) * 3
_RANGES: tuple[Range, ...] = tuple(rank.range for rank in Rank) * 4 + tuple(Range)
_LETTERS: tuple[str, ...] = tuple(s.letter + r.letter for s in Suit for r in Rank) + tuple(
    f":{r.letter}" for r in Range
)

# Outline suits count as the filled ones; the two variation selectors (text or emoji style) say nothing.
_SYMBOLS = str.maketrans(
    {"♣": "C", "♧": "C", "♦": "D", "♢": "D", "♥": "H", "♡": "H", "♠": "S", "♤": "S", "\ufe0e": "", "\ufe0f": ""}
)


def plain(text: str, what: str) -> str:
    """The text with suit symbols as letters, in capitals, stripped; what is not ASCII after that stays as it is.

    Raises:
        NotationError: the text is too long to be `what`.
    """
    check_length(text, what)
    if not text.isascii():
        text = text.translate(_SYMBOLS)
        # Other alphabets' capitals can be ASCII letters (ß is SS), so such a text keeps its case and is refused.
        if not text.isascii():
            return text.strip()
    return text.strip().upper()


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
        card = _CARDS_BY_TEXT.get(plain(text, "a card"))
        if card is None:
            raise NotationError(f"{quote(text)} is not a card; expected one like SA, HT, D7, :G")
        return card

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
        return _LETTERS[self.index]

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

_CARDS_BY_TEXT: dict[str, Card] = {str(card): card for card in PACK}
for _suit in Suit:
    for _rank in Rank:
        for _text in (_rank.letter, "10") if _rank is Rank.TEN else (_rank.letter,):
            _CARDS_BY_TEXT[_suit.letter + _text] = _CARDS_BY_TEXT[_text + _suit.letter] = Card(_suit, _rank)

_RANK_BITS = {letter: 1 << place for place, letter in enumerate(RANK_LETTERS)}
_COLON_BITS = {colon.letter: 1 << colon for colon in Range}
_EXPECTED_RANKS = "expected ranks A K Q J T (or 10) 9 8 7 6 5 4 3 2"
_EXPECTED_COLONS = "expected colons G R L"
_EXPECTED_HAND = "expected spades.hearts.diamonds.clubs.colons, as in AK4.QT2.KJ9.A52.G ('....' holds nothing)"

# The fields of a written hand in order: its name, where its bits start, the bit of each letter, what was expected.
_FIELDS: tuple[tuple[str, int, dict[str, int], str], ...] = (
    ("spades", 39, _RANK_BITS, _EXPECTED_RANKS),
    ("hearts", 26, _RANK_BITS, _EXPECTED_RANKS),
    ("diamonds", 13, _RANK_BITS, _EXPECTED_RANKS),
    ("clubs", 0, _RANK_BITS, _EXPECTED_RANKS),
    ("colons", 52, _COLON_BITS, _EXPECTED_COLONS),
)
_RUN = re.compile("[SHDC](?:10|[2-9TJQKA])+|:[GRL]+")
_RUNS = re.compile(f"(?:{_RUN.pattern})+")
_FIELDS_BY_START = {"S": _FIELDS[0], "H": _FIELDS[1], "D": _FIELDS[2], "C": _FIELDS[3], ":": _FIELDS[4]}

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
            for card in read_loose(text, "a hand", faults):
                mask |= 1 << card.index
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
        suits = (_suit_text(self.mask >> start & _PATTERN_MASK) for _, start, _, _ in _FIELDS[:4])
        return ".".join(suits) + "." + _COLON_TEXTS[self.mask >> 52]

    def __repr__(self) -> str:
        return f"Hand.parse({str(self)!r})"


_COLON_TEXTS = ("", "L", "R", "RL", "G", "GL", "GR", "GRL")


def _suit_text(pattern: int) -> str:
    letters = []
    while pattern:
        top = pattern.bit_length() - 1
        letters.append(RANK_LETTERS[top])
        pattern -= 1 << top
    return "".join(letters)


def read_fields(text: str, faults: Faults) -> tuple[int, int | None]:
    """The mask of a hand written in fields and how many cards it seems to have, adding what is wrong to `faults`.

    The count takes each unreadable letter for a card, and a card written twice for one; None where there is no count.
    """
    written = plain(text, "a hand")
    fields = written.split(".")
    if not written:
        faults.unreadable.append(f"{quote(text)} is no hand; {_EXPECTED_HAND}")
        return 0, None
    if not 4 <= len(fields) <= 5:
        faults.unreadable.append(f"{quote(text)} has {len(fields)} of the fields of a hand; {_EXPECTED_HAND}")
        return 0, None
    mask = 0
    unknown = 0
    for place, (letters, (name, start, bits, expected)) in enumerate(zip(fields, _FIELDS, strict=False)):
        if not letters or letters == "-":
            continue
        pattern, strange, twice = _read_field(letters[1:] if start == 52 and letters[0] == ":" else letters, bits)
        if strange:
            unknown += len(strange)
            listed = " ".join(repr(character) for character in dict.fromkeys(strange))
            faults.unreadable.append(f"{name} {quote(text.split('.')[place])}: {listed} cannot be read; {expected}")
        for letter in dict.fromkeys(twice):
            card = PACK[start + bits[letter].bit_length() - 1]
            faults.broken.append(f"{card} is written twice")
        mask |= pattern << start
    return mask, mask.bit_count() + unknown


def _read_field(letters: str, bits: dict[str, int]) -> tuple[int, list[str], list[str]]:
    """The bits of one field's letters, the characters that cannot be read, and the letters that come twice."""
    if "10" in letters:
        letters = letters.replace("10", "T")
    pattern = 0
    strange = []
    twice = []
    for letter in letters:
        bit = bits.get(letter)
        if bit is None:
            strange.append(letter)
        elif pattern & bit:
            twice.append(letter)
        else:
            pattern |= bit
    return pattern, strange, twice


def parse_cards(text: str) -> tuple[Card, ...]:
    """Reads loose cards in the order written, spaces or commas between: `SA HK :G`, also `SAK4 HT2 :GL`; none is ().

    Raises:
        NotationError: something is not a card.
        RuleError: all can be read, but a card is written twice.
    """
    faults = Faults()
    cards = read_loose(text, "a list of cards", faults)
    faults.check()
    return tuple(cards)


def read_loose(text: str, what: str, faults: Faults) -> list[Card]:
    """The cards of a list in the order written, each once, adding what is wrong with the text to `faults`."""
    check_length(text, what)
    cards: dict[Card, None] = {}
    for word in text.replace(",", " ").split():
        found = _read_run(plain(word, what))
        if not found:
            faults.unreadable.append(f"{quote(word)} is not a card; expected one like SA, HT, D7, :G")
        for card in found:
            if card in cards:
                faults.broken.append(f"{card} is written twice")
            cards[card] = None
    return list(cards)


def _read_run(word: str) -> list[Card]:
    """The cards of a word: one card, or suits (or the colons) each with its cards, as in `SAK4H2:GL`; else none."""
    card = _CARDS_BY_TEXT.get(word)
    if card is not None:
        return [card]
    if not _RUNS.fullmatch(word):
        return []
    cards = []
    for run in _RUN.findall(word):
        _, start, bits, _ = _FIELDS_BY_START[run[0]]
        cards += [PACK[start + bits[letter].bit_length() - 1] for letter in run[1:].replace("10", "T")]
    return cards
