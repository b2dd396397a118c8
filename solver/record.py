"""A deal from start to finish as far as it is known: dealt, exchanged, called, played, scored."""

import re
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from solver.auction import Auction, Contract
from solver.cards import HAND_SIZE, Card, Hand
from solver.deal import Deal, Pack, Seat
from solver.errors import RuleError, quote
from solver.exchange import Role, drawn
from solver.play import Position, replay
from solver.record_faults import OWN_TAGS, Place, RecordError, faults_of
from solver.rules import DEFAULT_RULES, Rules
from solver.scoring import Score, score

_NOT_IN_COMMENT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark at a place of a record; its text may have several lines, but then no closing brace."""

    place: Place
    text: str

    def __post_init__(self) -> None:
        text = re.sub(r"\r\n?", "\n", self.text).strip()
        object.__setattr__(self, "place", Place(*self.place))
        object.__setattr__(self, "text", text)
        if _NOT_IN_COMMENT.search(text):
            raise RuleError(f"the comment {quote(text)} has a control character; expected text")
        if "\n" in text and "}" in text:
            raise RuleError(f"the comment {quote(text)} of several lines has a '}}'; expected none")


class Played(NamedTuple):
    """Who led to the first trick, and the cards in the order in which they were played."""

    leader: Seat
    cards: tuple[Card, ...] = ()


CardsBySeat: TypeAlias = tuple[tuple[Card, ...] | None, tuple[Card, ...] | None]
"""South's cards and North's, each None where not known."""


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a deal; None where a part is not told. The parts agree with each other and with the rules.

    Attributes:
        dealer: who dealt.
        rules: the choices in force.
        dealt: the hands before the exchange.
        upcard: the card turned.
        stock: the 29 cards of the stock, the upcard first.
        drawn: the cards that South and North drew, in order.
        thrown: the cards that South and North threw.
        deal: the hands after the exchange.
        auction: the calls so far.
        contract: the contract; None also for a deal passed out.
        passed_out: the deal is known to have been passed out.
        played: the cards played so far.
        result: the declarer's tricks; they may be told without the play (a claim).
        south_points: South's points less North's.
        other: tags without a meaning here, name and value, in their order.
        comments: the remarks, in the order in which they are written.
    """

    dealer: Seat | None = None
    rules: Rules = DEFAULT_RULES
    dealt: Deal | None = None
    upcard: Card | None = None
    stock: tuple[Card, ...] | None = None
    drawn: CardsBySeat = (None, None)
    thrown: CardsBySeat = (None, None)
    deal: Deal | None = None
    auction: Auction | None = None
    contract: Contract | None = None
    passed_out: bool = False
    played: Played | None = None
    result: int | None = None
    south_points: int | None = None
    other: tuple[tuple[str, str], ...] = ()
    comments: tuple[Comment, ...] = ()

    def __post_init__(self) -> None:
        faults = faults_of(self)
        if faults:
            raise RecordError(faults)
        order = {tag: place for place, tag in enumerate(("", *self.tags()))}
        comments = sorted(self.comments, key=lambda comment: (order[comment.place.tag], comment.place.word))
        object.__setattr__(self, "comments", tuple(comments))

    @classmethod
    def of_pack(cls, pack: Pack, rules: Rules = DEFAULT_RULES, other: tuple[tuple[str, str], ...] = ()) -> "Record":
        """The record of a deal about to be played."""
        return cls(pack.dealer, rules, pack.deal, pack.upcard, pack.stock, other=other).completed()

    def tags(self) -> tuple[str, ...]:
        """The names of the tags that the record has, in the order in which they are written."""
        known = {
            "Dealer": self.dealer is not None,
            "Rules": bool(self.rules.changed),
            "Dealt": self.dealt is not None,
            "Upcard": self.upcard is not None,
            "Stock": self.stock is not None,
            "DrawnS": self.drawn[0] is not None,
            "DrawnN": self.drawn[1] is not None,
            "ThrownS": self.thrown[0] is not None,
            "ThrownN": self.thrown[1] is not None,
            "Deal": self.deal is not None,
            "Auction": self.auction is not None,
            "Contract": self.contract is not None or self.passed_out,
            "Play": self.played is not None,
            "Result": self.result is not None,
            "Score": self.south_points is not None,
        }
        return (*(name for name, _ in self.other), *(tag for tag in OWN_TAGS if known[tag]))

    def tag(self, name: str) -> str | None:
        """The value of one of the `other` tags; None if it is not there."""
        return dict(self.other).get(name)

    @property
    def pack(self) -> Pack | None:
        """The pack before the exchange, if dealer, hands and stock are known."""
        if self.dealer is None or self.dealt is None or self.stock is None:
            return None
        return Pack(self.dealer, self.dealt.south, self.dealt.north, self.stock)

    @property
    def score(self) -> Score | None:
        """The sum of the deal, if contract and result are known or the deal was passed out."""
        if self.passed_out:
            return score(None, None, self.rules)
        if self.contract is None or self.result is None:
            return None
        return score(self.contract, self.result, self.rules)

    def held(self, seat: Seat) -> Hand | None:
        """What a player held after drawing, if it is known."""
        cards = self.drawn[seat]
        if self.dealt is not None and cards is not None:
            return self.dealt.hand(seat) | Hand.of(cards)
        thrown = self.thrown[seat]
        if self.deal is not None and thrown is not None:
            return self.deal.hand(seat) | Hand.of(thrown)
        return None

    def opening(self) -> Position | None:
        """The start of the play, if the deal and the contract are known."""
        if self.deal is None or self.contract is None:
            return None
        return Position.opening(self.deal, self.contract.strain, self.contract.declarer, self.rules)

    def completed(self) -> "Record":
        """The record with all that follows from its parts: draws, throws, deal, contract, result, points."""
        record = self
        if record.stock is not None and record.upcard is None:
            record = replace(record, upcard=record.stock[0])
        if record.auction is not None and record.dealer is None:
            record = replace(record, dealer=record.auction.dealer)
        pack = record.pack
        if pack is not None:
            draws = [tuple(drawn(pack, Role.of(seat, pack.dealer), record.rules)) for seat in Seat]
            record = replace(record, drawn=(draws[0], draws[1]))
        holdings = [record.held(seat) for seat in Seat]
        if record.deal is not None:
            kept = [record.deal.south, record.deal.north]
            thrown = [_less(holding, hand) for holding, hand in zip(holdings, kept, strict=True)]
            record = replace(record, thrown=(record.thrown[0] or thrown[0], record.thrown[1] or thrown[1]))
        elif all(holdings) and all(record.thrown):
            south, north = (
                (holding or Hand()) - Hand.of(thrown or ())
                for holding, thrown in zip(holdings, record.thrown, strict=True)
            )
            record = replace(record, deal=Deal(south, north))
        if record.auction is not None and record.auction.is_over and not record.passed_out:
            contract = record.auction.contract
            record = replace(record, contract=contract, passed_out=contract is None)
        start = record.opening()
        if start is not None and record.played is not None and len(record.played.cards) == 2 * HAND_SIZE:
            assert record.contract is not None
            won = replay(start, record.played.cards).tricks_won(record.contract.declarer)
            record = replace(record, result=won)
        if record.score is not None:
            record = replace(record, south_points=record.score.points(Seat.SOUTH))
        return record


def _less(holding: Hand | None, kept: Hand) -> tuple[Card, ...] | None:
    return None if holding is None else (holding - kept).cards
