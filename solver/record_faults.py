"""What can be wrong with a record: a part by itself, and parts that contradict each other or the rules."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from solver.auction import Contract, contract_text
from solver.cards import HAND_SIZE, Card, Hand
from solver.deal import STOCK_SIZE, Deal, Seat
from solver.errors import BridgetteError, RuleError, quote
from solver.exchange import Role, check_held, draw_count, drawn, held
from solver.play import Position
from solver.scoring import score

if TYPE_CHECKING:
    from solver.record import Played, Record

OWN_TAGS = (
    "Dealer",
    "Rules",
    "Dealt",
    "Upcard",
    "Stock",
    "DrawnS",
    "DrawnN",
    "ThrownS",
    "ThrownN",
    "Deal",
    "Auction",
    "Contract",
    "Play",
    "Result",
    "Score",
)
"""The tags with a meaning, in the order in which they are written; tags of other names are kept as they are."""

TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_NOT_IN_VALUE = re.compile(r"[\x00-\x1f\x7f]")


class Place(NamedTuple):
    """Where in a record something stands: at a tag ("" before the first), or at its call or card of this number."""

    tag: str
    word: int = 0


class Fault(NamedTuple):
    """What is wrong, and the tag and word where it is."""

    place: Place
    what: str


class RecordError(RuleError):
    """A record whose parts break a rule or contradict each other; `places` has the place of each of `faults`."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(*(f"[{place.tag}] {what}" if place.tag else what for place, what in faults))
        self.places = tuple(place for place, _ in faults)
        self.texts = tuple(what for _, what in faults)


def faults_of(record: "Record") -> list[Fault]:
    """All that is wrong with a record; what depends on a part that is wrong by itself is not looked at."""
    faults = [*_own_faults(record)]
    if not faults:
        faults += _exchange_faults(record)
        faults += _auction_faults(record)
        faults += _play_faults(record)
    return [*faults, *_kept_faults(record)]


def _own_faults(record: "Record") -> Iterator[Fault]:
    """What is wrong with a part by itself."""
    for tag, deal in (("Dealt", record.dealt), ("Deal", record.deal)):
        if deal is not None and deal.size != HAND_SIZE:
            yield Fault(Place(tag), f"has hands of {deal.size} cards; expected {HAND_SIZE}")
    lists = [("Stock", record.stock)]
    lists += [(f"Drawn{seat.letter}", record.drawn[seat]) for seat in Seat]
    lists += [(f"Thrown{seat.letter}", record.thrown[seat]) for seat in Seat]
    lists += [("Play", None if record.played is None else record.played.cards)]
    for tag, cards in lists:
        for number, card in enumerate(cards or ()):
            if card in (cards or ())[:number]:
                yield Fault(Place(tag, number + 1 if tag == "Play" else 0), f"has {card} twice")
    if record.stock is not None and len(record.stock) != STOCK_SIZE:
        yield Fault(Place("Stock"), f"has {len(record.stock)} cards; expected {STOCK_SIZE}")
    if record.result is not None and not 0 <= record.result <= HAND_SIZE:
        yield Fault(Place("Result"), f"is {record.result}; expected 0 to {HAND_SIZE} tricks of the declarer")
    if record.passed_out and record.contract is not None:
        yield Fault(Place("Contract"), f"is {record.contract} and passed out; expected one of them")


def _exchange_faults(record: "Record") -> Iterator[Fault]:
    """Where hands, upcard, stock, draws and throws do not fit together."""
    upcard, dealt = record.upcard, record.dealt
    if record.stock is not None:
        if upcard is not None and record.stock[0] != upcard:
            yield Fault(Place("Upcard"), f"is {upcard}, and the stock starts with {record.stock[0]}")
        upcard = record.stock[0]
        if dealt is not None:
            for card in Hand.of(record.stock) & (dealt.south | dealt.north):
                yield Fault(Place("Stock"), f"has {card}, which is in a hand dealt")
    elif upcard is not None and dealt is not None and upcard in dealt.south | dealt.north:
        yield Fault(Place("Upcard"), f"is {upcard}, which is in a hand dealt")
    seen: dict[Card, str] = {}
    for seat in Seat:
        yield from _drawn_faults(record, seat, upcard)
        yield from _thrown_faults(record, seat)
        for tag, cards in ((f"Drawn{seat.letter}", record.drawn[seat]), (f"Thrown{seat.letter}", record.thrown[seat])):
            for card in cards or ():
                owner = seen.setdefault(card, tag[-1])
                if owner != seat.letter:
                    yield Fault(Place(tag), f"has {card}, which the other player drew or threw")


def _drawn_faults(record: "Record", seat: Seat, upcard: Card | None) -> Iterator[Fault]:
    place = Place(f"Drawn{seat.letter}")
    cards = record.drawn[seat]
    if cards is None:
        return
    if record.dealt is not None:
        for card in cards:
            if card in record.dealt.south | record.dealt.north:
                yield Fault(place, f"has {card}, which is in a hand dealt")
                return
    if record.dealer is None or upcard is None:
        return
    role = Role.of(seat, record.dealer)
    if len(cards) != draw_count(role, upcard):
        yield Fault(
            place, f"has {len(cards)} cards; expected {draw_count(role, upcard)} for the {role.title}, {upcard} turned"
        )
        return
    pack = record.pack
    if pack is not None:
        if cards != drawn(pack, role, record.rules):
            listed = " ".join(str(card) for card in drawn(pack, role, record.rules))
            yield Fault(place, f"is not what the stock gives the {role.title}; expected {listed}")
    elif record.dealt is not None:
        try:
            check_held(record.dealt.hand(seat) | Hand.of(cards), role, upcard, record.rules)
        except RuleError as error:
            yield Fault(place, str(error))


def _thrown_faults(record: "Record", seat: Seat) -> Iterator[Fault]:
    place = Place(f"Thrown{seat.letter}")
    thrown, cards = record.thrown[seat], record.drawn[seat]
    if thrown is not None and cards is not None and len(thrown) != len(cards):
        yield Fault(place, f"has {len(thrown)} cards; expected {len(cards)}, as many as drawn")
        return
    holding = None
    if record.pack is not None:
        holding = held(record.pack, seat, record.rules)
    elif record.dealt is not None and cards is not None:
        holding = record.dealt.hand(seat) | Hand.of(cards)
    kept = None if record.deal is None else record.deal.hand(seat)
    if holding is not None:
        for card in thrown or ():
            if card not in holding:
                yield Fault(place, f"has {card}, which {seat.title} did not hold")
        if kept is not None and not kept <= holding:
            missing = " ".join(str(card) for card in kept - holding)
            yield Fault(Place("Deal"), f"has {missing} with {seat.title}, who did not hold that after drawing")
        elif kept is not None and thrown is not None and Hand.of(thrown) != holding - kept:
            expected = " ".join(str(card) for card in holding - kept)
            yield Fault(place, f"is not what {seat.title} held and did not keep; expected {expected}")
    elif record.deal is not None:
        for card in thrown or ():
            if card in record.deal.south | record.deal.north:
                yield Fault(place, f"has {card}, which is in a hand kept")


def _auction_faults(record: "Record") -> Iterator[Fault]:
    """Where calls, dealer, hands and contract do not fit together."""
    auction = record.auction
    told = record.contract is not None or record.passed_out
    if auction is None:
        return
    if record.dealer is not None and auction.dealer != record.dealer:
        yield Fault(Place("Auction"), f"starts with {auction.dealer.title}; expected the dealer {record.dealer.title}")
    if record.deal is not None:
        try:
            auction.check_hands(record.deal, record.rules)
        except RuleError as error:
            for fault in error.faults:
                number = int(fault.split()[1].rstrip(","))
                yield Fault(Place("Auction", number), fault)
    if told and not auction.is_over:
        yield Fault(Place("Contract"), "is told, but the auction is not over")
    elif told and auction.contract != record.contract:
        yield Fault(
            Place("Contract"),
            f"is {contract_text(record.contract)}; expected {contract_text(auction.contract)} by the auction",
        )
    if record.played is not None and not auction.is_over:
        yield Fault(Place("Play"), "is told, but the auction is not over")


def _play_faults(record: "Record") -> Iterator[Fault]:
    """Where cards, contract, result and points do not fit together."""
    contract, played, result = record.contract, record.played, record.result
    if contract is None and record.auction is not None and record.auction.is_over:
        contract = record.auction.contract
    passed_out = record.passed_out or (record.auction is not None and record.auction.is_over and contract is None)
    if passed_out:
        for tag, value in (("Play", played), ("Result", result)):
            if value is not None:
                yield Fault(Place(tag), "is told of a deal passed out; expected none")
        if record.south_points:
            yield Fault(Place("Score"), f"is {record.south_points} for South; expected 0, the deal was passed out")
        return
    if contract is not None and played is not None:
        if played.leader != contract.declarer.other:
            yield Fault(
                Place("Play"),
                f"starts with {played.leader.title}; expected {contract.declarer.other.title}, not the declarer",
            )
        elif record.deal is not None:
            yield from _replay_faults(record.deal, contract, played, record)
    if contract is not None and result is not None and record.south_points is not None:
        points = score(contract, result, record.rules).points(Seat.SOUTH)
        if points != record.south_points:
            yield Fault(Place("Score"), f"is {record.south_points} for South; expected {points}")


def _replay_faults(deal: Deal, contract: Contract, played: "Played", record: "Record") -> Iterator[Fault]:
    position = Position.opening(deal, contract.strain, contract.declarer, record.rules)
    won = {Seat.SOUTH: 0, Seat.NORTH: 0}
    for number, card in enumerate(played.cards):
        try:
            position, winner = position.after(card)
        except BridgetteError as error:
            yield Fault(Place("Play", number + 1), f"trick {number // 2 + 1}: {error}")
            return
        if winner is not None:
            won[winner] += 1
    if record.result is not None:
        least, most = won[contract.declarer], HAND_SIZE - won[contract.declarer.other]
        if not least <= record.result <= most:
            expected = str(least) if least == most else f"{least} to {most}"
            yield Fault(Place("Result"), f"is {record.result}; expected {expected} by the cards played")


def _kept_faults(record: "Record") -> Iterator[Fault]:
    """What is wrong with the tags that are only kept and with the places of comments."""
    names: set[str] = set()
    for name, value in record.other:
        if not TAG_NAME.fullmatch(name):
            yield Fault(Place(""), f"the tag {quote(name)} is no name; expected letters, digits and underscores")
        elif name in OWN_TAGS or name in names:
            yield Fault(Place(name), "is there twice")
        names.add(name)
        if _NOT_IN_VALUE.search(value):
            yield Fault(Place(name), f"is {quote(value)}; expected text on one line")
    words = dict.fromkeys(("", *record.tags()), 0)
    if record.auction is not None:
        words["Auction"] = len(record.auction.calls)
    if record.played is not None:
        words["Play"] = len(record.played.cards)
    for comment in record.comments:
        tag, before = comment.place
        if tag not in words or not 0 <= before <= words[tag]:
            yield Fault(
                Place(""), f"the comment {quote(comment.text)} is at {tag or 'the start'}, word {before}; no such place"
            )
