"""How cards and hands are written: text to card indexes and sets of cards as bits, and back.

A card's index is 13 * suit + (rank - 2) with clubs 0 and spades 3, then 52 `:L`, 53 `:R`, 54 `:G`; bit i of a set
is the card of index i.
"""

import re

from solver.errors import Faults, check_length, quote

RANK_LETTERS = "23456789TJQKA"
SUIT_LETTERS = "CDHS"
COLON_LETTERS = "LRG"

CARD_TEXTS: tuple[str, ...] = (
    *(suit + rank for suit in SUIT_LETTERS for rank in RANK_LETTERS),
    *(":" + colon for colon in COLON_LETTERS),
)
"""Every card as written, by index."""

_INDEXES = {text: index for index, text in enumerate(CARD_TEXTS)}
for _index, _text in enumerate(CARD_TEXTS[:52]):
    _suit, _rank = _text[0], _text[1]
    _INDEXES[_rank + _suit] = _index
    if _rank == "T":
        _INDEXES["10" + _suit] = _INDEXES[_suit + "10"] = _index

_RANK_BITS = {letter: 1 << place for place, letter in enumerate(RANK_LETTERS)}
_COLON_BITS = {letter: 1 << place for place, letter in enumerate(COLON_LETTERS)}
_EXPECTED_RANKS = "expected ranks A K Q J T (or 10) 9 8 7 6 5 4 3 2"
_EXPECTED_COLONS = "expected colons G R L"
_EXPECTED_HAND = "expected spades.hearts.diamonds.clubs.colons, as in AK4.QT2.KJ9.A52.G ('....' holds nothing)"
EXPECTED_CARD = "expected one like SA, HT, D7, :G"

# The fields of a written hand in order: its name, where its bits start, the bit of each letter, what was expected.
_FIELDS: tuple[tuple[str, int, dict[str, int], str], ...] = (
    ("spades", 39, _RANK_BITS, _EXPECTED_RANKS),
    ("hearts", 26, _RANK_BITS, _EXPECTED_RANKS),
    ("diamonds", 13, _RANK_BITS, _EXPECTED_RANKS),
    ("clubs", 0, _RANK_BITS, _EXPECTED_RANKS),
    ("colons", 52, _COLON_BITS, _EXPECTED_COLONS),
)
_FIRST_COLON = 52
_PATTERN_MASK = (1 << 13) - 1
_COLON_TEXTS = ("", "L", "R", "RL", "G", "GL", "GR", "GRL")

_RUN = re.compile("[SHDC](?:10|[2-9TJQKA])+|:[GRL]+")
_RUNS = re.compile(f"(?:{_RUN.pattern})+")

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


def read_card(text: str) -> int | None:
    """The index of a written card (`SA`, `as`, `h10`, `♠A`, `:G`); None if it is no card."""
    return _INDEXES.get(plain(text, "a card"))


def read_fields(text: str, faults: Faults) -> tuple[int, int | None]:
    """The set of cards of a hand written in fields and how many there seem to be, adding what is wrong to `faults`.

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
    cards = 0
    unknown = 0
    for place, (letters, (name, start, bits, expected)) in enumerate(zip(fields, _FIELDS, strict=False)):
        if not letters or letters == "-":
            continue
        pattern, strange, twice = _read_field(letters[1:] if place == 4 and letters[0] == ":" else letters, bits)
        if strange:
            unknown += len(strange)
            listed = " ".join(repr(character) for character in dict.fromkeys(strange))
            faults.unreadable.append(f"{name} {quote(text.split('.')[place])}: {listed} cannot be read; {expected}")
        for letter in dict.fromkeys(twice):
            faults.broken.append(f"{CARD_TEXTS[start + bits[letter].bit_length() - 1]} is written twice")
        cards |= pattern << start
    return cards, cards.bit_count() + unknown


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


def read_loose(text: str, what: str, faults: Faults) -> list[int]:
    """The indexes of loose cards in the order written, each once, adding what is wrong with the text to `faults`.

    Raises:
        NotationError: the text is too long to be `what`.
    """
    check_length(text, what)
    indexes: dict[int, None] = {}
    for word in text.replace(",", " ").split():
        found = _read_run(plain(word, what))
        if not found:
            faults.unreadable.append(f"{quote(word)} is not a card; {EXPECTED_CARD}")
        for index in found:
            if index in indexes:
                faults.broken.append(f"{CARD_TEXTS[index]} is written twice")
            indexes[index] = None
    return list(indexes)


def _read_run(word: str) -> list[int]:
    """The indexes of the cards of a word: one card, or suits (or the colons) each with its cards, as in `SAK4H2:GL`."""
    index = _INDEXES.get(word)
    if index is not None:
        return [index]
    if not _RUNS.fullmatch(word):
        return []
    return [_INDEXES[run[0] + letter] for run in _RUN.findall(word) for letter in run[1:].replace("10", "T")]


def hand_text(cards: int) -> str:
    """A set of cards as written, all five fields, ranks from the highest."""
    suits = (_suit_text(cards >> start & _PATTERN_MASK) for _, start, _, _ in _FIELDS[:4])
    return ".".join(suits) + "." + _COLON_TEXTS[cards >> _FIRST_COLON]


def _suit_text(pattern: int) -> str:
    letters = []
    while pattern:
        top = pattern.bit_length() - 1
        letters.append(RANK_LETTERS[top])
        pattern -= 1 << top
    return "".join(letters)
