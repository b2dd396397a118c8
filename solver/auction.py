"""The auction: calls, the legal ones for a hand, when it ends, and the contract that it leaves."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from solver.cards import STRAINS_BY_TEXT, Hand, Strain, Suit
from solver.deal import Deal, Seat
from solver.errors import Faults, NotationError, RuleError, UndecidedError, check_length, quote
from solver.notation import plain
from solver.rules import DEFAULT_RULES, Rules

HIGHEST_LEVEL = 7
BID_COUNT = 36
SUIT_MIN = 2
"""Cards of a suit that a bid in it needs."""
SUIT_JUMP_MIN = 4
"""Cards of a suit that a jump in it needs."""


@dataclass(frozen=True, slots=True, order=True, init=False, repr=False)
class Bid:
    """A bid, `Bid(4, Strain.HEARTS)`: its bidder undertakes to win 6 + level tricks. Bids are ordered by `index`.

    The index is 5 * level + strain - 4: 0 is 0NT, 1 is 1C, 35 is 7NT.
    """

    index: int

    def __init__(self, level: int, strain: Strain) -> None:
        if not 0 <= level <= HIGHEST_LEVEL or (level == 0 and strain != Strain.NOTRUMP):
            raise RuleError(f"there is no bid {level}{Strain(strain).letter}; expected 0NT or 1C to 7NT")
        object.__setattr__(self, "index", 5 * level + strain - 4)

    @classmethod
    def from_index(cls, index: int) -> "Bid":
        """The bid with this index.

        Raises:
            RuleError: the index is not 0 to 35.
        """
        if not 0 <= index < BID_COUNT:
            raise RuleError(f"there is no bid of index {index}; expected 0 to {BID_COUNT - 1}")
        level, strain = divmod(index + 4, 5)
        return cls(level, Strain(strain))

    @classmethod
    def parse(cls, text: str) -> "Bid":
        """Reads a bid: `4H`, `4♥`, `3nt`, `3N`.

        Raises:
            NotationError: the text is not a level and a strain.
            RuleError: it is both, but there is no such bid (`0S`).
        """
        match = _BID.fullmatch(plain(text, "a bid"))
        if match is None:
            raise NotationError(f"{quote(text)} is not a bid; expected 0NT or 1C to 7NT")
        return cls(int(match[1]), STRAINS_BY_TEXT[match[2]])

    @property
    def level(self) -> int:
        """How many tricks above six are undertaken, 0 to 7."""
        return (self.index + 4) // 5

    @property
    def strain(self) -> Strain:
        """The trump suit, or no trump."""
        return Strain((self.index + 4) % 5)

    @property
    def tricks(self) -> int:
        """How many tricks are undertaken, 6 to 13."""
        return 6 + self.level

    def __str__(self) -> str:
        return f"{self.level}{self.strain.letter}"

    def __repr__(self) -> str:
        return f"Bid.parse({str(self)!r})"


_STRAIN_PATTERN = "([0-7])(NT?|[CDHS])"
_BID = re.compile(_STRAIN_PATTERN)
_CONTRACT = re.compile(rf"{_STRAIN_PATTERN}\s*(X{{0,2}})\s+([SN])")


class OtherCall(Enum):
    """The calls that are not bids."""

    PASS = "P"
    DOUBLE = "X"
    REDOUBLE = "XX"

    def __str__(self) -> str:
        return self.value


PASS = OtherCall.PASS
DOUBLE = OtherCall.DOUBLE
REDOUBLE = OtherCall.REDOUBLE

Call: TypeAlias = Bid | OtherCall

_OTHER_CALLS = {
    **{call.value: call for call in OtherCall},
    "PASS": PASS,
    "DBL": DOUBLE,
    "DOUBLE": DOUBLE,
    "RDBL": REDOUBLE,
    "REDOUBLE": REDOUBLE,
}


def parse_call(text: str) -> Call:
    """Reads a call: a bid, `P` or `pass`, `X` or `double`, `XX` or `redouble`.

    Raises:
        NotationError: the text is no call.
        RuleError: it is a level and a strain, but there is no such bid.
    """
    written = plain(text, "a call")
    call = _OTHER_CALLS.get(written)
    if call is not None:
        return call
    if not _BID.fullmatch(written):
        raise NotationError(f"{quote(text)} is not a call; expected P, X, XX, 0NT or 1C to 7NT")
    return Bid.parse(text)


@dataclass(frozen=True, slots=True)
class Contract:
    """What the declarer is to make: the last bid, and 0, 1 or 2 for not doubled, doubled, redoubled."""

    bid: Bid
    doubled: int
    declarer: Seat

    def __post_init__(self) -> None:
        if self.doubled not in (0, 1, 2):
            raise RuleError(f"doubled is {self.doubled!r}; expected 0, 1 (doubled) or 2 (redoubled)")

    @classmethod
    def parse(cls, text: str) -> "Contract":
        """Reads a contract: `4HX S` is four hearts, doubled, by South.

        Raises:
            NotationError: the text is anything else, `passed out` (see `parse_contract`) included.
            RuleError: there is no such bid (`0S N`).
        """
        match = _CONTRACT.fullmatch(plain(text, "a contract"))
        if match is None:
            raise NotationError(
                f"{quote(text)} is not a contract; expected a bid, X or XX if doubled, and S or N: 4HX S"
            )
        return cls(Bid(int(match[1]), STRAINS_BY_TEXT[match[2]]), len(match[3]), Seat.parse(match[4]))

    @property
    def level(self) -> int:
        """The level of the bid."""
        return self.bid.level

    @property
    def strain(self) -> Strain:
        """The strain of the bid."""
        return self.bid.strain

    def __str__(self) -> str:
        return f"{self.bid}{'X' * self.doubled} {self.declarer.letter}"


PASSED_OUT = "passed out"


def parse_contract(text: str) -> Contract | None:
    """Reads what an auction left: a contract, or `passed out`, which is None.

    Raises:
        NotationError, RuleError: as `Contract.parse` does.
    """
    if plain(text, "a contract").split() == PASSED_OUT.upper().split():
        return None
    return Contract.parse(text)


def contract_text(contract: Contract | None) -> str:
    """A contract as written; None is `passed out`."""
    return PASSED_OUT if contract is None else str(contract)


def is_jump(bid: Bid, over: Bid | None) -> bool:
    """Whether a bid is a level or more above the lowest in its strain that the last bid (None: no bid yet) allows."""
    lowest_index = 0 if over is None else over.index + 1
    return bid.index - 5 >= lowest_index


def may_bid(hand: Hand, bid: Bid, over: Bid | None = None, rules: Rules = DEFAULT_RULES) -> bool:
    """Whether a hand may make a bid over the last one (None: no bid yet): higher, and with the cards that it needs."""
    return (over is None or bid > over) and _hand_fault(hand, bid, over, rules) is None


def _hand_fault(hand: Hand, bid: Bid, over: Bid | None, rules: Rules) -> str | None:
    """What the hand lacks for a bid that the auction allows."""
    jump = is_jump(bid, over)
    what = f"a jump to {bid}" if jump else f"{bid}"
    suit = bid.strain.suit
    if suit is None:
        needed = max(1, rules.nt_jump_min) if jump else 1
        short = [each.name.lower() for each in reversed(Suit) if hand.count(each) < needed]
        if short:
            return f"{what} needs {needed} of each suit and the hand {hand} has fewer {' and '.join(short)}"
        return None
    needed = SUIT_JUMP_MIN if jump else SUIT_MIN
    if hand.count(suit) < needed:
        return f"{what} needs {needed} {suit.name.lower()} and the hand {hand} has {hand.count(suit)}"
    return None


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls so far, the dealer's first; lawful but for what the hands allow, which `check_hands` sees to."""

    dealer: Seat
    calls: tuple[Call, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "calls", tuple(self.calls))
        faults = Faults()
        standing = _Standing()
        for number, call in enumerate(self.calls, 1):
            fault = standing.fault(call)
            if fault is not None:
                faults.broken.append(f"call {number}, {call} by {self.caller(number - 1).title}: {fault}")
            standing.make(call if fault is None else None)
        faults.check()

    @classmethod
    def parse(cls, text: str, dealer: Seat) -> "Auction":
        """Reads calls with spaces or commas between, the dealer's first: `1D P` or `P 1S X XX P`; no text is no call.

        Raises:
            NotationError: a word is no call.
            RuleError: all are calls, but one is out of order.
        """
        check_length(text, "an auction")
        faults = Faults()
        calls: list[Call] = []
        for number, word in enumerate(text.replace(",", " ").split(), 1):
            try:
                calls.append(parse_call(word))
            except NotationError as error:
                faults.unreadable.append(f"call {number}: {error}")
            except RuleError as error:
                faults.broken.append(f"call {number}: {error}")
        faults.check()
        return cls(dealer, tuple(calls))

    def caller(self, number: int) -> Seat:
        """Who makes the call with this number, the first being 0."""
        return self.dealer if number % 2 == 0 else self.dealer.other

    @property
    def to_call(self) -> Seat:
        """Whose turn it is.

        Raises:
            UndecidedError: the auction is over.
        """
        if self.is_over:
            raise UndecidedError(f"nobody is to call: the auction {self} is over")
        return self.caller(len(self.calls))

    @property
    def last_bid(self) -> Bid | None:
        """The last bid, None while there is none."""
        return next((call for call in reversed(self.calls) if isinstance(call, Bid)), None)

    @property
    def doubled(self) -> int:
        """0, 1 or 2: the last bid is not doubled, doubled or redoubled."""
        return self._standing().doubled

    @property
    def is_over(self) -> bool:
        """Whether the auction has ended: by a pass after a bid, a double or a redouble, or by two opening passes."""
        return self._standing().is_over

    @property
    def contract(self) -> Contract | None:
        """The contract that the auction left; None if the deal was passed out.

        Raises:
            UndecidedError: the auction is not over.
        """
        standing = self._standing()
        if not standing.is_over:
            raise UndecidedError(f"there is no contract yet: the auction {str(self) or '(no call)'} is not over")
        if standing.last_bid is None:
            return None
        return Contract(standing.last_bid, standing.doubled, self.caller(standing.bidder))

    def legal_calls(self, hand: Hand | None = None, rules: Rules = DEFAULT_RULES) -> tuple[Call, ...]:
        """The calls open to the player whose turn it is: pass, double or redouble, then bids from the lowest.

        With the player's hand only the bids that it allows, without one all that the auction allows. None when the
        auction is over.
        """
        standing = self._standing()
        calls = [call for call in OtherCall if standing.fault(call) is None]
        bids = [bid for bid in BIDS if standing.fault(bid) is None]
        if hand is not None:
            bids = [bid for bid in bids if _hand_fault(hand, bid, standing.last_bid, rules) is None]
        return (*calls, *bids)

    def after(self, call: Call) -> "Auction":
        """The auction with one more call.

        Raises:
            RuleError: the auction does not allow the call.
        """
        return Auction(self.dealer, (*self.calls, call))

    def check_hands(self, deal: Deal, rules: Rules = DEFAULT_RULES) -> None:
        """Checks that each bid was open to its bidder's hand.

        Raises:
            RuleError: some bids were not; all are named.
        """
        faults = Faults()
        last_bid = None
        for number, call in enumerate(self.calls):
            if isinstance(call, Bid):
                seat = self.caller(number)
                fault = _hand_fault(deal.hand(seat), call, last_bid, rules)
                if fault is not None:
                    faults.broken.append(f"call {number + 1}, {call} by {seat.title}: {fault}")
                last_bid = call
        faults.check()

    def _standing(self) -> "_Standing":
        standing = _Standing()
        for call in self.calls:
            standing.make(call)
        return standing

    def __str__(self) -> str:
        return " ".join(str(call) for call in self.calls)


BIDS: tuple[Bid, ...] = tuple(Bid.from_index(index) for index in range(BID_COUNT))
"""All 36 bids, from the lowest."""


@dataclass(slots=True)
class _Standing:
    """What decides the next calls: how many were made, the last bid and which call it was, its doubling, the end."""

    made: int = 0
    last_bid: Bid | None = None
    bidder: int = 0
    doubled: int = 0
    is_over: bool = False

    def fault(self, call: Call) -> str | None:
        """Why the auction does not allow a call; None if it does."""
        if self.is_over:
            return "the auction is over"
        if isinstance(call, Bid):
            if self.last_bid is not None and call <= self.last_bid:
                return f"too low; expected more than {self.last_bid}"
            return None
        if call is PASS:
            return None
        own = self.last_bid is not None and (self.made - self.bidder) % 2 == 0
        if call is DOUBLE and (self.last_bid is None or own or self.doubled):
            return "no bid of the opponent's to double"
        if call is REDOUBLE and not (own and self.doubled == 1):
            return "no double of the own bid to redouble"
        return None

    def make(self, call: Call | None) -> None:
        """Takes in the next call; None stands for an unlawful one, which only passes the turn."""
        if isinstance(call, Bid):
            self.last_bid, self.bidder, self.doubled = call, self.made, 0
        elif call is PASS:
            self.is_over = self.last_bid is not None or self.made == 1
        elif call is not None:
            self.doubled = 1 if call is DOUBLE else 2
        self.made += 1
