"""How cards, hands and contracts look to a person: suit symbols in red and black, letters where those cannot show."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from advisor.cli.output import Line, has_suit_symbols
from solver.auction import Bid, Call, Contract, contract_text
from solver.cards import Card, Hand, Strain, Suit
from solver.deal import Deal, Seat
from solver.rules import Rules
from solver.scoring import ScoreItem

Piece = str | tuple[str, str]

# A part of a sentence: words, or a card or call that is written as the form asks.
Part = str | Card | Call

# Strains from left to right and suits within a hand, highest first.
STRAINS = tuple(sorted(Strain, reverse=True))
SUITS = tuple(sorted(Suit, reverse=True))

_STYLES = {Suit.HEARTS: "red", Suit.DIAMONDS: "red"}


def counted(number: int, what: str) -> str:
    """The number with its noun: 1 trick, 3 tricks."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def suit_piece(suit: Suit, text: str = "") -> Piece:
    """A suit's symbol, or its letter where standard output cannot carry symbols, with ranks after it."""
    written = (suit.symbol if has_suit_symbols(sys.stdout) else suit.letter) + text
    return (written, _STYLES[suit]) if suit in _STYLES else written


def strain_piece(strain: Strain, width: int = 0) -> Piece:
    """A strain's symbol, at the right of so many places."""
    if strain.suit is None:
        return "NT".rjust(width)
    symbol = suit_piece(strain.suit)
    return symbol.rjust(width) if isinstance(symbol, str) else (symbol[0].rjust(width), symbol[1])


def card_piece(card: Card) -> Piece:
    """A card: ♠A, or :G."""
    if card.suit is None or card.rank is None:
        return str(card)
    return suit_piece(card.suit, card.rank.letter)


def spaced(pieces: Sequence[Piece], between: str = " ") -> list[Piece]:
    """The pieces with a gap between each two."""
    return [part for piece in pieces for part in (between, piece)][1:]


def hand_pieces(hand: Hand) -> list[Piece]:
    """A hand: ♠AK4 ♥QT2 ♦- ♣A52 :G."""
    suits: list[Piece] = []
    for suit in SUITS:
        ranks = "".join(card.rank.letter for card in hand.of_suit(suit) if card.rank is not None)
        suits.append(suit_piece(suit, ranks or "-"))
    return spaced([*suits, *(str(colon) for colon in hand.colons)])


def deal_lines(deal: Deal) -> list[Line]:
    """Both hands, South's first."""
    return [[(f"{seat.title:<7}", "bold"), *hand_pieces(deal.hand(seat))] for seat in Seat]


def contract_pieces(contract: Contract | None) -> list[Piece]:
    """A contract: 4♥X by South, or passed out."""
    if contract is None:
        return [contract_text(None)]
    doubled = "X" * contract.doubled
    return [str(contract.level), strain_piece(contract.strain), f"{doubled} by {contract.declarer.title}"]


def call_pieces(call: Call) -> list[Piece]:
    """A call: 4♥, P, X."""
    return [str(call.level), strain_piece(call.strain)] if isinstance(call, Bid) else [str(call)]


def sentence_pieces(parts: Iterable[Part]) -> list[Piece]:
    """A sentence as a person reads it, cards and calls with suit symbols like those of the tables."""
    pieces: list[Piece] = []
    for part in parts:
        if isinstance(part, str):
            pieces.append(part)
        else:
            pieces += [card_piece(part)] if isinstance(part, Card) else call_pieces(part)
    return pieces


def sentence_text(parts: Iterable[Part]) -> str:
    """The same sentence for JSON, in letters."""
    return "".join(map(str, parts))


def item_line(item: ScoreItem, contract: Contract | None) -> Line:
    """One item of a contract's score, with the declarer's points."""
    what: list[Part] = [item.what]
    bid = None if contract is None else contract.bid
    if bid is not None and item.what.startswith(f"{bid} "):
        what = [bid, item.what.removeprefix(str(bid))]
    return ["  ", *padded(sentence_pieces(what), 38), f"{item.points:>6}"]


def padded(pieces: list[Piece], width: int) -> list[Piece]:
    """The pieces with blanks after them, so that they fill so many places."""
    length = sum(len(piece if isinstance(piece, str) else piece[0]) for piece in pieces)
    return [*pieces, " " * (width - length)]


def points_text(points: int) -> str:
    """Points with their sign: +450, -200, 0."""
    return f"{points:+}" if points else "0"


def rules_lines(rules: Rules) -> list[Line]:
    """The rules that are not as usual, if any."""
    return [[f"Rules: {', '.join(rules.changed)}"]] if rules.changed else []


def rules_json(rules: Rules) -> dict[str, Any]:
    """The rules that are not as usual, if any, as a field to add to an answer."""
    return {"rules": list(rules.changed)} if rules.changed else {}
