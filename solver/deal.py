"""The two players and what they are dealt: two hands, and before the exchange the whole pack with upcard and stock."""

import random
from dataclasses import dataclass
from enum import IntEnum

from solver.cards import HAND_SIZE, PACK, PACK_SIZE, Card, Hand, parse_cards
from solver.errors import BridgetteError, Faults, NotationError, RuleError, check_length, quote
from solver.notation import plain, read_fields

STOCK_SIZE = PACK_SIZE - 2 * HAND_SIZE


class Seat(IntEnum):
    """The two players: South is the user, North the opponent."""

    SOUTH = 0
    NORTH = 1

    @property
    def other(self) -> "Seat":
        """The opponent."""
        return Seat(1 - self)

    @property
    def letter(self) -> str:
        """S or N."""
        return "SN"[self]

    @property
    def title(self) -> str:
        """South or North."""
        return ("South", "North")[self]

    @classmethod
    def parse(cls, text: str) -> "Seat":
        """Reads S or N in either case.

        Raises:
            NotationError: the text is anything else.
        """
        letter = plain(text, "a seat")
        if letter not in ("S", "N"):
            raise NotationError(f"{quote(text)} is not a seat; expected S or N")
        return cls("SN".index(letter))


@dataclass(frozen=True, slots=True)
class Deal:
    """Two hands of the same number of cards, 1 to 13, with no card in both."""

    south: Hand
    north: Hand

    def __post_init__(self) -> None:
        faults = Faults()
        _check_sizes(len(self.south), len(self.north), faults)
        _check_apart(self.south, self.north, faults)
        faults.check()

    @classmethod
    def parse(cls, text: str) -> "Deal":
        """Reads `S:<South's hand> <North's hand>`, or `N:` with North's hand first. Text from a `#` on is a comment.

        Raises:
            NotationError: something cannot be read.
            RuleError: all can be read, but a card is there twice or the hands differ in size.
        """
        check_length(text, "a deal")
        words, first = _split_deal(text.partition("#")[0], text)
        if len(words) != 2:
            raise NotationError(
                f"{quote(text)} has {_counted(len(words), 'hand')}; expected two, as in {_EXPECTED_DEAL}"
            )
        return _read_deal(words, first)

    @classmethod
    def random(cls, seed: int | random.Random, size: int = HAND_SIZE) -> "Deal":
        """Two random hands of `size` cards; the same seed gives the same deal.

        Raises:
            RuleError: the size is not 1 to 13.
        """
        if not 1 <= size <= HAND_SIZE:
            raise RuleError(f"hands of {size} cards; expected 1 to {HAND_SIZE}")
        cards = _generator(seed).sample(PACK, 2 * size)
        return cls(Hand.of(cards[:size]), Hand.of(cards[size:]))

    @property
    def size(self) -> int:
        """How many cards each hand has."""
        return len(self.south)

    def hand(self, seat: Seat) -> Hand:
        """A player's hand."""
        return self.south if seat == Seat.SOUTH else self.north

    def __str__(self) -> str:
        return f"S:{self.south} {self.north}"


@dataclass(frozen=True, slots=True)
class Pack:
    """A deal before the exchange: the dealer, two hands of 13 and the stock of 29, whose first card is the upcard."""

    dealer: Seat
    south: Hand
    north: Hand
    stock: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "stock", tuple(self.stock))
        faults = Faults()
        for seat in Seat:
            if len(self.hand(seat)) != HAND_SIZE:
                faults.broken.append(f"{seat.title} has {_counted(len(self.hand(seat)), 'card')}; expected {HAND_SIZE}")
        if len(self.stock) != STOCK_SIZE:
            faults.broken.append(f"the stock has {_counted(len(self.stock), 'card')}; expected {STOCK_SIZE}")
        _check_apart(self.south, self.north, faults)
        seen: set[Card] = set()
        for card in self.stock:
            if card in seen:
                faults.broken.append(f"{card} is in the stock twice")
            elif card in self.south or card in self.north:
                faults.broken.append(f"{card} is in a hand and in the stock")
            seen.add(card)
        faults.check()

    @classmethod
    def shuffled(cls, seed: int | random.Random, dealer: Seat | None = None) -> "Pack":
        """A random pack; the dealer is drawn too unless given. The same seed gives the same pack."""
        generator = _generator(seed)
        cards = generator.sample(PACK, PACK_SIZE)
        drawn = Seat(generator.randrange(2))
        south, north, stock = cards[:HAND_SIZE], cards[HAND_SIZE : 2 * HAND_SIZE], cards[2 * HAND_SIZE :]
        return cls(drawn if dealer is None else dealer, Hand.of(south), Hand.of(north), tuple(stock))

    @classmethod
    def parse(cls, text: str) -> "Pack":
        """Reads `S:<South's hand> <North's hand> dealer N stock D9 C3 …`, the stock in order from the upcard.

        Raises:
            NotationError: something cannot be read.
            RuleError: all can be read, but it is not a whole pack.
        """
        check_length(text, "a pack")
        words, first = _split_deal(text.partition("#")[0], text)
        if len(words) < 5 or words[2].lower() != "dealer" or words[4].lower() != "stock":
            raise NotationError(f"{quote(text)} is not a pack; expected {_EXPECTED_DEAL} dealer N stock D9 C3 …")
        faults = Faults()
        hands = _read_fieldss(words[:2], first, faults)
        dealer = Seat.SOUTH
        stock: tuple[Card, ...] = ()
        try:
            dealer = Seat.parse(words[3])
        except BridgetteError as error:
            faults.unreadable.append(f"dealer: {error}")
        try:
            stock = parse_cards(" ".join(words[5:]))
        except NotationError as error:
            faults.unreadable += [f"stock: {fault}" for fault in error.faults]
        except RuleError as error:
            faults.broken += [f"stock: {fault}" for fault in error.faults]
        faults.check()
        return cls(dealer, Hand(hands[0][0]), Hand(hands[1][0]), stock)

    @property
    def upcard(self) -> Card:
        """The top card of the stock, turned."""
        return self.stock[0]

    @property
    def deal(self) -> Deal:
        """The two hands as dealt, before the exchange."""
        return Deal(self.south, self.north)

    def hand(self, seat: Seat) -> Hand:
        """The thirteen cards dealt to a player."""
        return self.south if seat == Seat.SOUTH else self.north

    def __str__(self) -> str:
        stock = " ".join(str(card) for card in self.stock)
        return f"S:{self.south} {self.north} dealer {self.dealer.letter} stock {stock}"


_EXPECTED_DEAL = "S:<South's hand> <North's hand>"


def _split_deal(text: str, whole: str) -> tuple[list[str], Seat]:
    """The words after `S:` or `N:`, and whose hand comes first."""
    start = text.lstrip()
    if start[:2] not in ("S:", "N:", "s:", "n:"):
        raise NotationError(f"{quote(whole)} is not a deal; expected {_EXPECTED_DEAL}, or N: with North's hand first")
    return start[2:].split(), Seat("SN".index(start[0].upper()))


def _read_deal(words: list[str], first: Seat) -> Deal:
    faults = Faults()
    (south, south_size), (north, north_size) = _read_fieldss(words, first, faults)
    if faults:
        # The value will not be built, so what its own check would have said is said here.
        if south_size is not None and north_size is not None:
            _check_sizes(south_size, north_size, faults)
        _check_apart(Hand(south), Hand(north), faults)
        faults.check()
    return Deal(Hand(south), Hand(north))


def _read_fieldss(words: list[str], first: Seat, faults: Faults) -> list[tuple[int, int | None]]:
    """South's and North's mask and size, from two words of which the first is `first`'s hand."""
    hands: list[tuple[int, int | None]] = []
    for seat in Seat:
        own = Faults()
        hands.append(read_fields(words[seat ^ first], own))
        faults.add(own, f"{seat.title}'s hand")
    return hands


def _check_sizes(south: int, north: int, faults: Faults) -> None:
    if south != north:
        faults.broken.append(f"South has {_counted(south, 'card')} and North {north}; expected as many each")
    if south == north == 0:
        faults.broken.append(f"the hands are empty; expected 1 to {HAND_SIZE} cards each")
    for seat, size in ((Seat.SOUTH, south), (Seat.NORTH, north)):
        if size > HAND_SIZE:
            faults.broken.append(f"{seat.title} has {size} cards; expected at most {HAND_SIZE}")


def _check_apart(south: Hand, north: Hand, faults: Faults) -> None:
    faults.broken += [f"{card} is in both hands" for card in south & north]


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _generator(seed: int | random.Random) -> random.Random:
    return seed if isinstance(seed, random.Random) else random.Random(seed)
