"""The play: legal leads and replies, who wins a trick, which suit it bars, and positions from card to card."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from solver.cards import HAND_SIZE, Card, Hand, Strain, Suit
from solver.deal import Deal, Seat
from solver.errors import Faults, RuleError
from solver.rules import DEFAULT_RULES, Rules


def matching_colon(led: Card) -> Card:
    """The colon of the range of a suit card."""
    return Card.colon(led.range)


def legal_leads(hand: Hand, barred: Suit | None) -> Hand:
    """What may be led from a hand: no card of the barred suit, unless the hand holds nothing else."""
    if barred is None:
        return hand
    return hand - hand.of_suit(barred) or hand


def legal_replies(hand: Hand, led: Card, rules: Rules = DEFAULT_RULES) -> Hand:
    """What may be played second to the card led.

    To a colon any card. To a suit card one of the suit or the matching colon. From a hand void of the suit any
    card, but a colon that does not match only when nothing else is legal, or freely under `free_colon_discard`.
    """
    suit = led.suit
    if suit is None:
        return hand
    matching = hand & Hand.of([matching_colon(led)])
    if hand.count(suit):
        return hand.of_suit(suit) | matching
    if rules.free_colon_discard:
        return hand
    return hand - hand.colons | matching or hand


def reply_wins(led: Card, reply: Card, strain: Strain) -> bool:
    """Whether the card played second wins the trick."""
    if reply.suit is None:
        return False
    if reply.suit == led.suit:
        return reply.index > led.index
    if reply.suit == strain.suit:
        return True
    return led.is_colon and reply.range == led.range


def suit_barred_by(led: Card, reply: Card) -> Suit | None:
    """The suit that may not be led to the next trick: the suit led, if the matching colon was played to it."""
    if led.suit is not None and reply == matching_colon(led):
        return led.suit
    return None


class Step(NamedTuple):
    """What playing a card leads to: the next position, and who won the trick if the card completed it (else None)."""

    position: "Position"
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of the play, before a lead or with a card led.

    Attributes:
        south: South's cards, with the card that South led to the trick under way, if it did.
        north: North's cards, likewise.
        strain: the strain of the contract.
        to_lead: who leads, or led, to the trick under way.
        barred: the suit barred to that lead.
        led: the card led to the trick under way, still among its player's cards; None before the lead.
        rules: the choices in force.

    The hands are equal in size, 0 (after the last trick) to 13, and the card led was a legal lead.
    """

    south: Hand
    north: Hand
    strain: Strain
    to_lead: Seat
    barred: Suit | None = None
    led: Card | None = None
    rules: Rules = DEFAULT_RULES

    def __post_init__(self) -> None:
        faults = Faults()
        if len(self.south) != len(self.north):
            faults.broken.append(
                f"South has {len(self.south)} cards and North {len(self.north)}; expected as many each"
            )
        for seat in Seat:
            if len(self.hand(seat)) > HAND_SIZE:
                faults.broken.append(f"{seat.title} has {len(self.hand(seat))} cards; expected at most {HAND_SIZE}")
        faults.broken += [f"{card} is in both hands" for card in self.south & self.north]
        if self.led is not None:
            fault = _lead_fault(self.hand(self.to_lead), self.led, self.barred)
            if fault:
                faults.broken.append(f"{self.led} led by {self.to_lead.title}: {fault}")
        faults.check()

    @classmethod
    def opening(cls, deal: Deal, strain: Strain, declarer: Seat, rules: Rules = DEFAULT_RULES) -> "Position":
        """The start of the play: the declarer's opponent leads, nothing is barred."""
        return cls(deal.south, deal.north, strain, declarer.other, rules=rules)

    @property
    def to_play(self) -> Seat:
        """Whose card is next."""
        return self.to_lead if self.led is None else self.to_lead.other

    @property
    def size(self) -> int:
        """How many tricks are still to be won, the one under way among them."""
        return len(self.south)

    @property
    def is_over(self) -> bool:
        """Whether all the cards are played."""
        return not self.south

    def hand(self, seat: Seat) -> Hand:
        """A player's cards, with the card that it led to the trick under way."""
        return self.south if seat == Seat.SOUTH else self.north

    def legal(self) -> Hand:
        """The cards that the player to move may play; none when the play is over."""
        hand = self.hand(self.to_play)
        if self.led is None:
            return legal_leads(hand, self.barred)
        return legal_replies(hand, self.led, self.rules)

    def after(self, card: Card) -> Step:
        """The position after the player to move plays a card, and who then won the trick.

        Raises:
            RuleError: the player does not hold the card or may not play it now.
        """
        seat = self.to_play
        if self.led is None:
            fault = _lead_fault(self.hand(seat), card, self.barred)
            if fault:
                raise RuleError(f"{card} led by {seat.title}: {fault}")
            return Step(
                Position(self.south, self.north, self.strain, self.to_lead, self.barred, card, self.rules), None
            )
        fault = _reply_fault(self.hand(seat), self.led, card, self.rules)
        if fault:
            raise RuleError(f"{card} played by {seat.title} to {self.led}: {fault}")
        trick = Hand.of([self.led, card])
        winner = seat if reply_wins(self.led, card, self.strain) else self.to_lead
        barred = suit_barred_by(self.led, card)
        south, north = self.south - trick, self.north - trick
        return Step(Position(south, north, self.strain, winner, barred, None, self.rules), winner)


def _lead_fault(hand: Hand, card: Card, barred: Suit | None) -> str | None:
    if card not in hand:
        return f"not in the hand {hand}"
    if card not in legal_leads(hand, barred):
        return f"that suit is barred; expected one of {_listed(legal_leads(hand, barred))}"
    return None


def _reply_fault(hand: Hand, led: Card, card: Card, rules: Rules) -> str | None:
    if card not in hand:
        return f"not in the hand {hand}"
    legal = legal_replies(hand, led, rules)
    if card not in legal:
        return f"expected one of {_listed(legal)}"
    return None


def _listed(cards: Hand) -> str:
    return " ".join(str(card) for card in cards)


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick played out.

    Attributes:
        leader: who led.
        led: the card led.
        reply: the card played second.
        winner: who won it.
        bars: the suit that the winner might not lead next.
    """

    leader: Seat
    led: Card
    reply: Card
    winner: Seat
    bars: Suit | None

    def __str__(self) -> str:
        barred = "" if self.bars is None else f", {self.bars.name.lower()} barred"
        other = self.leader.other
        return f"{self.leader.letter} {self.led}, {other.letter} {self.reply}: {self.winner.letter} wins{barred}"


@dataclass(frozen=True, slots=True)
class Replay:
    """A position and the cards played from it, in order.

    Attributes:
        start: the position before the first card.
        positions: the positions before each card and after the last, one more than there are cards.
        tricks: the tricks completed.
    """

    start: Position
    positions: tuple[Position, ...]
    tricks: tuple[Trick, ...]

    @property
    def end(self) -> Position:
        """The position after the last card."""
        return self.positions[-1]

    def tricks_won(self, seat: Seat) -> int:
        """How many of the completed tricks a player has won."""
        return sum(trick.winner == seat for trick in self.tricks)


def replay(start: Position, cards: Iterable[Card]) -> Replay:
    """Plays cards one after the other from a position, checking each.

    Raises:
        RuleError: a card is nobody's, comes twice, is played out of turn or against the law; the message says which.
    """
    cards = tuple(cards)
    _check_held(start, cards)
    position = start
    positions = [start]
    tricks: list[Trick] = []
    for number, card in enumerate(cards, 1):
        if position.is_over:
            raise RuleError(f"card {number}, {card}: the play is over, {start.size} tricks are complete")
        try:
            following, winner = position.after(card)
        except RuleError as error:
            raise RuleError(f"card {number}, trick {len(tricks) + 1}: {error}") from None
        if winner is not None and position.led is not None:
            tricks.append(Trick(position.to_lead, position.led, card, winner, following.barred))
        position = following
        positions.append(position)
    return Replay(start, tuple(positions), tuple(tricks))


def _check_held(start: Position, cards: tuple[Card, ...]) -> None:
    faults = Faults()
    unplayed = start.south | start.north
    if start.led is not None:
        unplayed -= Hand.of([start.led])
    held = unplayed
    for number, card in enumerate(cards, 1):
        if card not in held:
            faults.broken.append(f"card {number}, {card}: in neither hand")
        elif card not in unplayed:
            faults.broken.append(f"card {number}, {card}: played before")
        else:
            unplayed -= Hand.of([card])
    faults.check()
