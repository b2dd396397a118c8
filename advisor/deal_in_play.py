"""A deal under way as a record: whose turn it is, each decision added or taken back, lawful at every step."""

from dataclasses import dataclass, replace
from enum import Enum

from solver.auction import SUIT_JUMP_MIN, SUIT_MIN, Auction, Bid, Call, may_bid
from solver.cards import Card, Hand
from solver.deal import Deal, Seat
from solver.errors import BridgetteError, RuleError
from solver.exchange import check_keep
from solver.play import Position, replay
from solver.record import Played, Record


class Decision(Enum):
    """What a player has to decide."""

    KEEP = "keep"
    CALL = "call"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class Turn:
    """Who has to decide what."""

    seat: Seat
    decision: Decision


def turn(record: Record) -> Turn | None:
    """Whose turn it is in a deal under way; None when the deal is over."""
    dealer = _dealer(record)
    if record.deal is None:
        seat = dealer.other if record.thrown[dealer.other] is None else dealer
        return Turn(seat, Decision.KEEP)
    auction = record.auction or Auction(dealer)
    if not auction.is_over:
        return Turn(auction.to_call, Decision.CALL)
    position = position_of(record)
    if position is None or position.is_over:
        return None
    return Turn(position.to_play, Decision.CARD)


def position_of(record: Record) -> Position | None:
    """Where the play stands; None before it and in a deal passed out."""
    start = record.opening()
    if start is None:
        return None
    cards = () if record.played is None else record.played.cards
    return replay(start, cards).end


def tricks_won(record: Record) -> dict[Seat, int]:
    """The tricks that each player has won so far."""
    start = record.opening()
    if start is None or record.played is None:
        return dict.fromkeys(Seat, 0)
    played = replay(start, record.played.cards)
    return {seat: played.tricks_won(seat) for seat in Seat}


def keeping(record: Record, keep: Hand) -> Record:
    """The record after the player whose turn it is keeps thirteen cards.

    Raises:
        RuleError: not thirteen of the cards held.
    """
    seat = _expect(record, Decision.KEEP)
    holding = record.held(seat) or Hand()
    check_keep(holding, keep)
    thrown = list(record.thrown)
    thrown[seat] = (holding - keep).cards
    record = replace(record, thrown=(thrown[0], thrown[1])).completed()
    if record.deal is not None:
        record = replace(record, auction=Auction(_dealer(record)))
    return record


def calling(record: Record, call: Call) -> Record:
    """The record after the player whose turn it is calls.

    Raises:
        RuleError: the auction or the hand does not allow it; the message says by which rule.
    """
    seat = _expect(record, Decision.CALL)
    auction = record.auction or Auction(_dealer(record))
    try:
        following = auction.after(call)
    except RuleError as error:
        raise RuleError(f"{call}: {str(error).partition(': ')[2]}") from None
    if isinstance(call, Bid) and record.deal is not None:
        hand = record.deal.hand(seat)
        if not may_bid(hand, call, auction.last_bid, record.rules):
            raise RuleError(_bid_rule(call, hand, auction, record))
    record = replace(record, auction=following).completed()
    if record.contract is not None:
        record = replace(record, played=Played(record.contract.declarer.other))
    return record


def playing(record: Record, card: Card) -> Record:
    """The record after the player whose turn it is plays a card.

    Raises:
        RuleError: the card is not held or may not be played now; the message says by which rule.
    """
    _expect(record, Decision.CARD)
    position = position_of(record)
    assert position is not None and record.played is not None
    if card not in position.legal():
        raise RuleError(_card_rule(position, card))
    return replace(record, played=Played(record.played.leader, (*record.played.cards, card))).completed()


def decided(record: Record, value: Hand | Call | Card) -> Record:
    """The record after the player whose turn it is keeps, calls or plays.

    Raises:
        RuleError: it is not the time for that, or a rule forbids it.
    """
    if isinstance(value, Hand):
        return keeping(record, value)
    if isinstance(value, Card):
        return playing(record, value)
    return calling(record, value)


def taken_back(record: Record) -> Record | None:
    """The record without its last decision; None when there is none to take back."""
    dealer = _dealer(record)
    record = replace(record, result=None, south_points=None)
    if record.played is not None and record.played.cards:
        return replace(record, played=Played(record.played.leader, record.played.cards[:-1]))
    if record.auction is not None and record.auction.calls:
        auction = Auction(record.auction.dealer, record.auction.calls[:-1])
        return replace(record, auction=auction, contract=None, passed_out=False, played=None)
    thrown = list(record.thrown)
    last = next((seat for seat in (dealer, dealer.other) if thrown[seat] is not None), None)
    if last is None:
        return None
    thrown[last] = None
    return replace(record, thrown=(thrown[0], thrown[1]), deal=None, auction=None)


def hand_of(record: Record, seat: Seat) -> Hand:
    """What a player holds now: the cards dealt and drawn, those kept, or those not yet played."""
    position = position_of(record)
    if position is not None:
        cards = position.hand(seat)
        return cards - Hand.of([position.led]) if position.led is not None and position.to_lead == seat else cards
    kept = kept_by(record, seat)
    if kept is not None:
        return kept
    return record.held(seat) or Hand()


def kept_by(record: Record, seat: Seat) -> Hand | None:
    """The thirteen that a player has kept; None before its exchange."""
    if record.deal is not None:
        return record.deal.hand(seat)
    thrown, holding = record.thrown[seat], record.held(seat)
    return None if thrown is None or holding is None else holding - Hand.of(thrown)


def deal_open(record: Record) -> Deal | None:
    """Both hands as they are now, if each has cards."""
    hands = [hand_of(record, seat) for seat in Seat]
    return Deal(hands[0], hands[1]) if len(hands[0]) == len(hands[1]) and hands[0] else None


def _dealer(record: Record) -> Seat:
    if record.dealer is None:
        raise RuleError("the record has no [Dealer]; expected one, to go on with the deal")
    return record.dealer


def _expect(record: Record, decision: Decision) -> Seat:
    now = turn(record)
    if now is None:
        raise RuleError("the deal is over; nobody is to move")
    if now.decision != decision:
        expected = {Decision.KEEP: "thirteen cards to keep", Decision.CALL: "a call", Decision.CARD: "a card"}
        raise RuleError(f"it is not the time for that; expected {expected[now.decision]}")
    return now.seat


def _bid_rule(bid: Bid, hand: Hand, auction: Auction, record: Record) -> str:
    """The rule that forbids a bid to a hand."""
    try:
        Auction(auction.dealer, (*auction.calls, bid)).check_hands(record.deal or Deal(hand, hand), record.rules)
    except BridgetteError as error:
        what = next(fault.partition(": ")[2] for fault in reversed(error.faults))
        if bid.strain.suit is None:
            return f"{bid}: {what} (no trump needs a card of each suit)"
        return f"{bid}: {what} (a suit bid needs {SUIT_MIN} cards of it, a jump {SUIT_JUMP_MIN})"
    return f"{bid}: not allowed to this hand"


def _card_rule(position: Position, card: Card) -> str:
    """The rule that forbids a card to the player to move."""
    hand = position.hand(position.to_play)
    legal = " ".join(str(each) for each in position.legal())
    if card not in hand:
        return f"{card} is not in the hand"
    led = position.led
    if led is None:
        assert position.barred is not None
        return (
            f"{card}: {position.barred.name.lower()} may not be led to this trick, a matching colon was just played to "
            f"it; expected one of {legal}"
        )
    assert led.suit is not None
    suit = led.suit.name.lower()
    if hand.count(led.suit):
        return (
            f"{card}: you hold {suit} and must follow suit, or play the colon of the range of {led}; expected {legal}"
        )
    return f"{card}: a colon that does not match {led} may be thrown only when nothing else is left; expected {legal}"
