"""What `bridgette review` answers, as JSON and as lines to read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from advisor.cli.output import Line
from advisor.cli.render import (
    Piece,
    call_pieces,
    card_piece,
    contract_pieces,
    counted,
    deal_lines,
    hand_pieces,
    points_text,
    rules_json,
    rules_lines,
    spaced,
    strain_piece,
)
from solver.auction import contract_text
from solver.deal import Seat
from solver.play import replay

if TYPE_CHECKING:
    from advisor.review import CallReview, CardReview, ExchangeReview, Loss, Review

_SHOWN = 10  # costliest decisions
_BETTER_SHOWN = 4
CARDS_NOTE = (
    "Cards are judged with all cards open (double dummy): what was hidden may make another card right at the table."
)


@dataclass(frozen=True, slots=True)
class ReviewAnswer:
    """A review, the record's number in its file, and the hands of the opponent that keeps and calls were judged on."""

    review: "Review"
    number: int
    samples: int

    def json(self) -> dict[str, Any]:
        """The JSON object."""
        record = self.review.record
        contract = None if record.contract is None and not record.passed_out else contract_text(record.contract)
        cards = [_card_json(each) for each in self.review.cards]
        return {
            "number": self.number,
            "deal": None if record.deal is None else str(record.deal),
            "contract": contract,
            "result": record.result,
            "double_dummy": self.review.expected,
            "exchange": [_exchange_json(each) for each in self.review.exchanges],
            "calls": [_call_json(each) for each in self.review.calls],
            "cards": cards,
            "costliest": [_decision_json(each) for each in self.review.costliest],
            "samples": self.samples,
            "notes": [CARDS_NOTE],
        } | rules_json(record.rules)

    def lines(self) -> Iterator[Line]:
        """The deal, the exchange, the calls, the tricks, and what cost most."""
        record = self.review.record
        yield [(f"Deal {record.tag('Board') or self.number}", "bold")]
        if record.deal is not None:
            yield from deal_lines(record.deal)
        yield from rules_lines(record.rules)
        if record.contract is not None or record.passed_out:
            pieces = contract_pieces(record.contract)
            if record.result is not None:
                pieces.append(f", {counted(record.result, 'trick')}")
            total = record.score
            if total is not None:
                pieces.append("; " + "  ".join(f"{seat.title} {points_text(total.points(seat))}" for seat in Seat))
            yield pieces
        if self.review.exchanges:
            yield []
            yield [("Exchange", "bold")]
            for keep in self.review.exchanges:
                yield from _exchange_lines(keep)
        if self.review.calls:
            yield []
            yield [("Auction", "bold")]
            for call in self.review.calls:
                yield _call_line(call)
        if self.review.cards:
            yield []
            yield from self._play_lines()
        yield []
        yield from self._costliest_lines()

    def _play_lines(self) -> Iterator[Line]:
        record = self.review.record
        start = record.opening()
        assert start is not None and record.played is not None and record.contract is not None
        declarer = record.contract.declarer
        yield [("Play", "bold"), f", {declarer.title} declaring: {self.review.expected} tricks by best play"]
        cards = self.review.cards
        for number, trick in enumerate(replay(start, record.played.cards).tricks, 1):
            pieces: list[Piece] = [
                f"{number:>4}  {trick.leader.title} ",
                card_piece(trick.led),
                f"  {trick.leader.other.title} ",
                card_piece(trick.reply),
                f"  {trick.winner.title} wins",
            ]
            if trick.bars is not None:
                pieces += [", ", strain_piece(trick.bars.strain), " barred"]
            yield pieces
            for each in cards[2 * number - 2 : 2 * number]:
                if each.cost:
                    yield _card_line(each)
        for each in cards[len(cards) // 2 * 2 :]:
            yield [f"{each.trick:>4}  {each.seat.title} ", card_piece(each.card)]
            if each.cost:
                yield _card_line(each)

    def _costliest_lines(self) -> Iterator[Line]:
        from advisor.review import points_lost

        costliest = self.review.costliest
        if not costliest:
            yield ["No decision cost points."]
        else:
            yield [("What cost most", "bold")]
        for each in costliest[:_SHOWN]:
            points = f"{points_lost(each):>6.0f} "
            yield [points, *_decision(each)]
        if len(costliest) > _SHOWN:
            yield [f"       and {counted(len(costliest) - _SHOWN, 'decision')} more"]
        yield []
        if self.review.cards:
            yield ["Cards are judged with all cards open (double dummy), exactly. What was hidden"]
            yield ["may make another card right at the table. A trick lost can gain points:"]
            yield ["exactly the tricks bid may score more."]
        if self.review.exchanges or self.review.calls:
            yield [f"Keeps and calls are judged by what their player knew, on {self.samples} hands of the"]
            yield ["opponent."]


def _decision(each: "ExchangeReview | CallReview | CardReview") -> Line:
    from advisor.review import CallReview, CardReview

    whose = f"{each.seat.title}'s "
    if isinstance(each, CardReview):
        return [whose, card_piece(each.card), f" in trick {each.trick}"]
    if isinstance(each, CallReview):
        return [whose, *call_pieces(each.call), ", against ", *call_pieces(each.advised), _error_text(each.loss)]
    return [f"{whose}exchange{_error_text(each.loss)}"]


def _decision_json(each: "ExchangeReview | CallReview | CardReview") -> dict[str, Any]:
    from advisor.review import CallReview, CardReview, points_lost

    answer: dict[str, Any] = {"what": "exchange", "by": each.seat.letter, "points": round(points_lost(each), 1)}
    if isinstance(each, CardReview):
        return answer | {"what": "card", "number": each.number}
    if isinstance(each, CallReview):
        return answer | {"what": "call", "number": each.number}
    return answer


def _error_text(loss: "Loss") -> str:
    return f" (± {loss.se:.0f}{', level' if loss.is_level else ''})"


def _lost(loss: "Loss") -> str:
    return f"{loss.points:.0f} ± {loss.se:.0f} points lost{', level' if loss.is_level else ''}"


def _exchange_lines(each: "ExchangeReview") -> Iterator[Line]:
    yield [f"  {each.seat.title} kept    ", *hand_pieces(each.kept)]
    if each.kept == each.advised:
        yield ["  the advisor's keep too"]
    else:
        yield ["  the advisor:  ", *hand_pieces(each.advised)]
        yield [f"  {_lost(each.loss)}"]


def _call_line(each: "CallReview") -> Line:
    pieces: list[Piece] = [f"  {each.seat.title} ", *call_pieces(each.call)]
    if each.call == each.advised:
        return [*pieces, "  the advisor's call"]
    return [*pieces, "  the advisor: ", *call_pieces(each.advised), f", {_lost(each.loss)}"]


def _card_line(each: "CardReview") -> Line:
    points = f", {each.points} points" if each.points > 0 else f", but gained {-each.points} points"
    if not each.points:
        points = ", no points"
    better = spaced([card_piece(card) for card in each.better[:_BETTER_SHOWN]])
    more = " ..." if len(each.better) > _BETTER_SHOWN else ""
    return [
        ("      ^ ", "bold"),
        f"{each.seat.title}'s ",
        card_piece(each.card),
        f" cost {counted(each.cost, 'trick')}{points}; better ",
        *better,
        more,
    ]


def _card_json(each: "CardReview") -> dict[str, Any]:
    return {
        "number": each.number,
        "trick": each.trick,
        "by": each.seat.letter,
        "card": str(each.card),
        "declarer_tricks_before": each.best,
        "declarer_tricks_after": each.tricks,
        "cost": each.cost,
        "points": each.points,
        "better": [str(card) for card in each.better],
    }


def _call_json(each: "CallReview") -> dict[str, Any]:
    return {
        "number": each.number,
        "by": each.seat.letter,
        "call": str(each.call),
        "advised": str(each.advised),
        "points": round(each.loss.points, 1),
        "se": round(each.loss.se, 1),
    }


def _exchange_json(each: "ExchangeReview") -> dict[str, Any]:
    return {
        "by": each.seat.letter,
        "kept": str(each.kept),
        "advised": str(each.advised),
        "points": round(each.loss.points, 1),
        "se": round(each.loss.se, 1),
    }
