"""The exchange: who draws how many cards of the stock, what each then holds, and which thirteen may be kept."""

import itertools
from collections.abc import Iterator
from enum import IntEnum
from math import comb

from solver.cards import HAND_SIZE, Card, Hand, Range
from solver.deal import Deal, Pack, Seat
from solver.errors import Faults, NotationError, quote
from solver.notation import plain
from solver.rules import DEFAULT_RULES, Rules

NONDEALER_DRAWS = 2
DEALER_DRAWS = {Range.LITTLE: 4, Range.ROYAL: 8, Range.GRAND: 12}
"""How many cards the dealer draws, by the range of the upcard (a suit card's or a colon's)."""


class Role(IntEnum):
    """A player's part in a deal: the dealer calls first and exchanges last."""

    DEALER = 0
    NONDEALER = 1

    @property
    def title(self) -> str:
        """In a sentence: dealer or non-dealer."""
        return ("dealer", "non-dealer")[self]

    @property
    def option(self) -> str:
        """As an option's value and in JSON: `dealer` or `nondealer`."""
        return self.name.lower()

    @classmethod
    def of(cls, seat: Seat, dealer: Seat) -> "Role":
        """The part of the player in `seat` when `dealer` deals."""
        return cls.DEALER if seat == dealer else cls.NONDEALER

    @classmethod
    def parse(cls, text: str) -> "Role":
        """Reads `dealer` or `nondealer` in either case, with or without a hyphen.

        Raises:
            NotationError: the text is anything else.
        """
        written = plain(text, "a role").replace("-", "")
        for role in cls:
            if written == role.name:
                return role
        raise NotationError(f"{quote(text)} is not a role; expected dealer or nondealer")


def draw_count(role: Role, upcard: Card) -> int:
    """How many cards a player draws: the non-dealer 2, the dealer 4, 8 or 12 by the upcard."""
    return DEALER_DRAWS[upcard.range] if role == Role.DEALER else NONDEALER_DRAWS


def held_size(role: Role, upcard: Card) -> int:
    """How many cards a player holds after drawing: the non-dealer 15, the dealer 17, 21 or 25."""
    return HAND_SIZE + draw_count(role, upcard)


def drawn(pack: Pack, role: Role, rules: Rules = DEFAULT_RULES) -> tuple[Card, ...]:
    """The cards that a player draws, in order: the non-dealer the first two of the stock, the dealer those after them.

    Under `upcard_drawn` the stock starts with the upcard; otherwise it starts beneath it.
    """
    start = 0 if rules.upcard_drawn else 1
    if role == Role.DEALER:
        start += NONDEALER_DRAWS
    return pack.stock[start : start + draw_count(role, pack.upcard)]


def held(pack: Pack, seat: Seat, rules: Rules = DEFAULT_RULES) -> Hand:
    """What a player holds after drawing: 15, 17, 21 or 25 cards."""
    return pack.hand(seat) | Hand.of(drawn(pack, Role.of(seat, pack.dealer), rules))


def check_held(cards: Hand, role: Role, upcard: Card, rules: Rules = DEFAULT_RULES) -> None:
    """Checks that cards can be what a player holds after drawing.

    Raises:
        RuleError: the number is not what the role and the upcard give, or the upcard is missing from or among the cards
            against the rules. The non-dealer holds it under `upcard_drawn`; nobody else ever does.
    """
    faults = Faults()
    size = held_size(role, upcard)
    if len(cards) != size:
        faults.broken.append(
            f"the {role.title} holds {len(cards)} cards; expected {size}, 13 and {draw_count(role, upcard)} drawn, "
            f"with {upcard} turned"
        )
    draws_upcard = role == Role.NONDEALER and rules.upcard_drawn
    if draws_upcard and upcard not in cards:
        faults.broken.append(f"the upcard {upcard} is not among the {role.title}'s cards; expected there, drawn first")
    if not draws_upcard and upcard in cards:
        where = "drawn by the non-dealer" if rules.upcard_drawn else "set aside"
        faults.broken.append(f"the upcard {upcard} is among the {role.title}'s cards; expected it {where}")
    faults.check()


def check_keep(cards: Hand, keep: Hand) -> None:
    """Checks that a player who holds `cards` after drawing may keep `keep`: any thirteen of them.

    Raises:
        RuleError: not thirteen, or some are not held.
    """
    faults = Faults()
    _check_keep(cards, keep, faults)
    faults.check()


def _check_keep(cards: Hand, keep: Hand, faults: Faults, whose: str = "the hand kept") -> None:
    if len(keep) != HAND_SIZE:
        faults.broken.append(f"{whose} has {len(keep)} cards; expected {HAND_SIZE}")
    faults.broken += [f"{whose} has {card}, which is not held" for card in keep - cards]


def legal_keeps(cards: Hand, must_keep: Hand | None = None, must_throw: Hand | None = None) -> Iterator[Hand]:
    """Every thirteen that may be kept of the cards held, with all of `must_keep` and none of `must_throw`.

    There are 105 of 15 cards, 2,380 of 17, 203,490 of 21 and 5,200,300 of 25 (see `keep_count`).

    Raises:
        RuleError: the wishes cannot be met; all that is wrong is named.
    """
    fixed, free = _wishes(cards, must_keep or Hand(), must_throw or Hand())
    bits = [1 << card.index for card in free]
    return (Hand(fixed.mask | sum(chosen)) for chosen in itertools.combinations(bits, HAND_SIZE - len(fixed)))


def keep_count(cards: Hand, must_keep: Hand | None = None, must_throw: Hand | None = None) -> int:
    """How many hands `legal_keeps` gives.

    Raises:
        RuleError: as `legal_keeps` does.
    """
    fixed, free = _wishes(cards, must_keep or Hand(), must_throw or Hand())
    return comb(len(free), HAND_SIZE - len(fixed))


def _wishes(cards: Hand, must_keep: Hand, must_throw: Hand) -> tuple[Hand, Hand]:
    """The cards that stay whatever else does, and those to choose the rest from."""
    faults = Faults()
    faults.broken += [f"{card} is to be kept but not held" for card in must_keep - cards]
    faults.broken += [f"{card} is to be thrown but not held" for card in must_throw - cards]
    faults.broken += [f"{card} is to be both kept and thrown" for card in must_keep & must_throw]
    if len(must_keep) > HAND_SIZE:
        faults.broken.append(f"{len(must_keep)} cards are to be kept; expected at most {HAND_SIZE}")
    if len(cards - must_throw) < HAND_SIZE:
        faults.broken.append(
            f"without the cards to be thrown {len(cards - must_throw)} are left; expected at least {HAND_SIZE}"
        )
    faults.check()
    return must_keep, cards - must_keep - must_throw


def exchange(pack: Pack, south_keeps: Hand, north_keeps: Hand, rules: Rules = DEFAULT_RULES) -> Deal:
    """The deal that is bid and played, once each player has kept thirteen of what it held.

    Raises:
        RuleError: a hand kept has not thirteen cards, or some that its player did not hold.
    """
    faults = Faults()
    for seat, keep in ((Seat.SOUTH, south_keeps), (Seat.NORTH, north_keeps)):
        _check_keep(held(pack, seat, rules), keep, faults, f"the hand that {seat.title} keeps")
    faults.check()
    return Deal(south_keeps, north_keeps)
