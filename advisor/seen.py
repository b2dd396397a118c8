"""What a player has seen by its turn to play a card, and what the law says of the opponent's hand then.

A player that did not follow suit has none left, one that led the barred suit has nothing else, and so on. South is the
player whose eyes these are.
"""

from dataclasses import dataclass, field

from advisor.heard import Heard
from advisor.packs import CARDS, DEALER_DRAWS, HAND, NONDEALER_DRAWS, draw_class
from solver.auction import Auction, Contract
from solver.auction_states import after_call, call_index
from solver.cards import Card, Hand, Suit
from solver.deal import Seat
from solver.errors import Faults, RuleError
from solver.exchange import Role
from solver.play import Position, legal_leads, legal_replies, matching_colon, reply_wins, suit_barred_by
from solver.rules import DEFAULT_RULES, Rules

ALL_CARDS = (1 << CARDS) - 1
_SUIT = 0x1FFF
_COLONS = 7 << 52


@dataclass(frozen=True, slots=True)
class Seen:
    """What South has seen by its turn to play.

    Attributes:
        hand: its thirteen cards at the start of the play.
        contract: the contract.
        played: the cards played so far, in order.
        role: its role; None when it is not told.
        upcard: the card turned, if told.
        threw: what it threw, if told.
        auction: the calls, if told.
        rules: the choices in force.

    Raises:
        RuleError: it is not South's turn, or what is told cannot be; all faults are named.
    """

    hand: Hand
    contract: Contract
    played: tuple[Card, ...] = ()
    role: Role | None = None
    upcard: Card | None = None
    threw: Hand = field(default_factory=Hand)
    auction: Auction | None = None
    rules: Rules = DEFAULT_RULES

    def __post_init__(self) -> None:
        object.__setattr__(self, "played", tuple(self.played))
        faults = Faults()
        if len(self.hand) != HAND:
            faults.broken.append(f"the hand {self.hand} has {len(self.hand)} cards; expected {HAND}")
        faults.broken += [f"{card} is both in the hand and thrown" for card in self.hand & self.threw]
        if self.auction is not None:
            if not self.auction.is_over:
                faults.broken.append(f"the auction {self.auction} is not over; expected a pass at its end")
            elif self.auction.contract != self.contract:
                faults.broken.append(f"the auction {self.auction} leaves another contract; expected {self.contract}")
            if self.role is not None and self.auction.dealer != self.dealer_of(self.role):
                faults.broken.append("the auction and the role tell of different dealers; expected the same")
        self._check_draws(faults)
        faults.check()
        play = follow(self)
        if self.upcard is None and self.roles == (Role.DEALER,) and self.threw:
            gone = self.hand | self.threw if self.rules.upcard_drawn else self.hand | self.threw | play.theirs
            if not any(DEALER_DRAWS[draw_class(card.index)] == len(self.threw) for card in Hand(ALL_CARDS) - gone):
                raise RuleError(
                    f"{len(self.threw)} cards are thrown, but every card that, turned, gives so many has been seen "
                    "elsewhere; expected one that may have been turned"
                )

    @staticmethod
    def dealer_of(role: Role) -> Seat:
        """Who deals when South has that role."""
        return Seat.SOUTH if role == Role.DEALER else Seat.NORTH

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that South may have: one, or both when nothing tells."""
        if self.role is not None:
            return (self.role,)
        if self.auction is not None:
            return (Role.of(Seat.SOUTH, self.auction.dealer),)
        if len(self.threw) in (4, 8, 12):
            return (Role.DEALER,)
        if len(self.threw) == NONDEALER_DRAWS:
            return (Role.NONDEALER,)
        return (Role.DEALER, Role.NONDEALER)

    @property
    def draws_upcard(self) -> bool:
        """Whether South is sure to have drawn the upcard."""
        return self.roles == (Role.NONDEALER,) and self.rules.upcard_drawn

    def _check_draws(self, faults: Faults) -> None:
        draws = {
            Role.DEALER: DEALER_DRAWS if self.upcard is None else (DEALER_DRAWS[draw_class(self.upcard.index)],),
            Role.NONDEALER: (NONDEALER_DRAWS,),
        }
        allowed = sorted({number for role in self.roles for number in draws[role]})
        if self.threw and len(self.threw) not in allowed:
            numbers = " or ".join(str(number) for number in allowed)
            faults.broken.append(f"{len(self.threw)} cards are thrown; expected {numbers}")
        elif self.upcard is not None and self.roles == (Role.DEALER,) and self.upcard in self.hand | self.threw:
            faults.broken.append(f"the upcard {self.upcard} is among the dealer's cards; expected it elsewhere")
        elif self.upcard is not None and self.threw and self.draws_upcard and self.upcard not in self.hand | self.threw:
            faults.broken.append(f"the upcard {self.upcard} is not among the cards of the non-dealer, who drew it")
        if self.upcard is not None and not self.rules.upcard_drawn and self.upcard in self.hand | self.threw:
            faults.broken.append(f"the upcard {self.upcard} is among the cards held; it is set aside by these rules")


@dataclass(slots=True)
class PlaySoFar:
    """Where the play stands, as far as South sees it.

    Attributes:
        mine: South's cards left, with the card that it led.
        theirs: the cards that North has played, with the one that it led.
        excluded: cards that North cannot hold any more by the law, as a set; those already seen may be among them.
        to_lead, barred, led: as in `Position`.
        tricks: the tricks won by South and by North.
        colon_chances: for each of North's replies that was not the matching colon: that colon's index, and whether
            North won the trick.
    """

    mine: Hand
    theirs: Hand = field(default_factory=Hand)
    excluded: int = 0
    to_lead: Seat = Seat.SOUTH
    barred: Suit | None = None
    led: Card | None = None
    tricks: list[int] = field(default_factory=lambda: [0, 0])
    colon_chances: list[tuple[int, bool]] = field(default_factory=list)

    @property
    def to_play(self) -> Seat:
        """Whose turn it is."""
        return self.to_lead if self.led is None else self.to_lead.other

    @property
    def north_size(self) -> int:
        """How many cards North holds, the card that it led among them."""
        return HAND - sum(self.tricks)

    def legal(self, rules: Rules) -> Hand:
        """What South may play now."""
        if self.led is None:
            return legal_leads(self.mine, self.barred)
        return legal_replies(self.mine, self.led, rules)

    def position(self, seen: Seen, theirs: Hand) -> Position:
        """The position if North holds those cards, the card that it led among them."""
        return Position(self.mine, theirs, seen.contract.strain, self.to_lead, self.barred, self.led, seen.rules)


def follow(seen: Seen) -> PlaySoFar:
    """Plays the cards seen, checking South's by the law and drawing what North's tell.

    Raises:
        RuleError: a card cannot have been played, or it is not South's turn; all faults that can be told are named.
    """
    play = PlaySoFar(seen.hand, to_lead=seen.contract.declarer.other)
    faults = Faults()
    shown: dict[int, int] = {}
    out = Hand()
    for number, card in enumerate(seen.played):
        where = f"trick {number // 2 + 1}: {card}"
        if play.north_size == 0:
            faults.broken.append(f"{where}: the play is over, {HAND} tricks are complete")
            break
        if card in out:
            faults.broken.append(f"{where}: played before")
            break
        out |= Hand.of([card])
        if play.to_play == Seat.SOUTH:
            legal = play.legal(seen.rules)
            if card not in legal:
                expected = " ".join(str(each) for each in legal)
                faults.broken.append(f"{where} by South: expected one of {expected}")
                break
        elif card in seen.hand | seen.threw:
            owner = "hand" if card in seen.hand else "throw"
            faults.broken.append(f"{where} by North: it is in South's {owner}")
            break
        elif card == seen.upcard and (seen.draws_upcard or not seen.rules.upcard_drawn):
            owner = "South drew it" if seen.rules.upcard_drawn else "it is set aside"
            faults.broken.append(f"{where} by North: it is the upcard and {owner}")
            break
        elif play.excluded >> card.index & 1:
            faults.broken.append(f"{where} by North: what it played in trick {shown[card.index]} rules that out")
            break
        before = play.excluded
        _play(play, card, seen)
        for index in range(CARDS):
            if (play.excluded & ~before) >> index & 1:
                shown[index] = number // 2 + 1
    if not faults and play.north_size == 0:
        faults.broken.append("all the cards are played; expected South to move")
    elif not faults and play.to_play != Seat.SOUTH:
        faults.broken.append(f"after {len(seen.played)} cards it is North's turn; expected South's")
    faults.check()
    return play


def _play(play: PlaySoFar, card: Card, seen: Seen) -> None:
    seat = play.to_play
    if seat == Seat.NORTH:
        play.theirs |= Hand.of([card])
    if play.led is None:
        if seat == Seat.NORTH and play.barred is not None and card.suit == play.barred:
            play.excluded |= ALL_CARDS & ~(_SUIT << 13 * play.barred)
        play.led = card
        return
    led, rules = play.led, seen.rules
    wins = reply_wins(led, card, seen.contract.strain)
    if seat == Seat.NORTH and led.suit is not None and card != matching_colon(led):
        if card.suit != led.suit:
            play.excluded |= _SUIT << 13 * led.suit
            if card.is_colon and not rules.free_colon_discard:
                play.excluded |= ALL_CARDS & ~_COLONS | 1 << matching_colon(led).index
        if matching_colon(led) not in play.theirs:
            play.colon_chances.append((matching_colon(led).index, wins))
    winner = seat if wins else play.to_lead
    play.mine -= Hand.of([led, card])
    play.tricks[winner] += 1
    play.to_lead, play.barred, play.led = winner, suit_barred_by(led, card), None


def heard_calls(seen: Seen) -> Heard:
    """North's calls, each with the state of the auction that it was made in."""
    heard = []
    state = 0
    if seen.auction is None:
        return []
    for number, call in enumerate(seen.auction.calls):
        index = call_index(call)
        if seen.auction.caller(number) == Seat.NORTH:
            heard.append((state, index))
        state = int(after_call(state, index))
    return heard


def remaining(play: PlaySoFar, hand: int) -> Hand:
    """What North, with those thirteen, still holds, the card that it led among them."""
    left = Hand(hand & ~play.theirs.mask)
    if play.led is not None and play.to_lead == Seat.NORTH:
        left |= Hand.of([play.led])
    return left


def whole_hand(cards: Hand, contract: Contract, played: tuple[Card, ...]) -> Hand:
    """South's thirteen at the start, from those or from the ones that it still holds: the ones it played are added."""
    if len(cards) >= HAND:
        return cards
    seat, led, own = contract.declarer.other, None, Hand()
    for card in played:
        if seat == Seat.SOUTH and card not in own:
            own |= Hand.of([card])
        if led is None:
            led, seat = card, seat.other
        else:
            seat = seat if reply_wins(led, card, contract.strain) else seat.other
            led = None
    return cards | own
