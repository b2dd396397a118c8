"""How cards, hands and contracts look to a person: suit symbols in red and black, letters where those cannot show."""

import sys
from collections.abc import Sequence
from typing import Any

from advisor.cli.output import Line, has_suit_symbols
from solver.auction import Bid, Call, Contract, contract_text
from solver.cards import Card, Hand, Strain, Suit
from solver.deal import Deal, Seat
from solver.rules import Rules

Piece = str | tuple[str, str]

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


def points_text(points: int) -> str:
    """Points with their sign: +450, -200, 0."""
    return f"{points:+}" if points else "0"


def rules_lines(rules: Rules) -> list[Line]:
    """The rules that are not as usual, if any."""
    return [[f"Rules: {', '.join(rules.changed)}"]] if rules.changed else []


def rules_json(rules: Rules) -> dict[str, Any]:
    """The rules that are not as usual, if any, as a field to add to an answer."""
    return {"rules": list(rules.changed)} if rules.changed else {}
