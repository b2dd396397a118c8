"""A played deal looked at again: what each card cost with all cards open, and each keep and call by the advisor.

The cards are compared with best play by both who see all (double dummy), exactly. Keeps and calls are compared with the
advisor's on sampled hands of the opponent, from what their player knew, so their figures carry an error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from advisor.bidding import DEFAULT_SEED, BiddingSession
from advisor.discard import advise as advise_discard
from advisor.halving import Schedule
from advisor.judging import Judge
from advisor.match import point_stakes
from advisor.model import model_for
from advisor.picking import mean_and_error
from advisor.seeds import check_seed
from advisor.worlds import Known
from solver.auction import Auction, Call, Contract
from solver.cards import Card, Hand
from solver.deal import Seat
from solver.double_dummy import card_values, solve
from solver.errors import NotationError
from solver.exchange import Role
from solver.play import replay
from solver.record import Record
from solver.scoring import score

DEFAULT_SAMPLES = 100


class Loss(NamedTuple):
    """Points that a decision is expected to have lost its player, 0 or more, and the standard error."""

    points: float
    se: float

    @property
    def is_level(self) -> bool:
        """Whether it cannot be told from none: under two of its standard errors."""
        return self.points <= 2 * self.se


@dataclass(frozen=True, slots=True)
class ExchangeReview:
    """A player's keep against the advisor's, which may be the same."""

    seat: Seat
    kept: Hand
    advised: Hand
    loss: Loss


@dataclass(frozen=True, slots=True)
class CallReview:
    """A call against the advisor's, which may be the same. `number` is 1 for the first call."""

    number: int
    seat: Seat
    call: Call
    advised: Call
    loss: Loss


@dataclass(frozen=True, slots=True)
class CardReview:
    """A card against best play with all cards open.

    Attributes:
        number: 1 for the first card.
        seat: who played it.
        card: the card.
        best: the declarer's tricks of all 13 by best play before it.
        tricks: those by best play after it.
        cost: the tricks that it cost its player, 0 or more.
        points: the points that this cost by the contract's score. It can be less than nothing: a trick more than
            exactly those bid may score less.
        better: the cards that cost nothing, when this one did.
    """

    number: int
    seat: Seat
    card: Card
    best: int
    tricks: int
    cost: int
    points: int
    better: tuple[Card, ...]

    @property
    def trick(self) -> int:
        """The trick's number, 1 to 13."""
        return (self.number + 1) // 2


@dataclass(frozen=True, slots=True)
class Review:
    """What there is to say of a record; the parts that it does not tell are empty.

    `expected` is the declarer's tricks by best play from the start; None without deal and contract.
    """

    record: Record
    exchanges: tuple[ExchangeReview, ...]
    calls: tuple[CallReview, ...]
    cards: tuple[CardReview, ...]
    expected: int | None

    @property
    def costliest(self) -> tuple[ExchangeReview | CallReview | CardReview, ...]:
        """The decisions that cost a point or more, to the nearest, the most points first."""
        decisions: list[ExchangeReview | CallReview | CardReview] = [*self.exchanges, *self.calls, *self.cards]
        costly = [each for each in decisions if round(points_lost(each)) > 0]
        return tuple(sorted(costly, key=lambda each: -points_lost(each)))


def points_lost(decision: ExchangeReview | CallReview | CardReview) -> float:
    """The points that a decision lost its player, exact for a card and expected for a keep or a call."""
    return float(decision.points) if isinstance(decision, CardReview) else decision.loss.points


def review(
    record: Record,
    *,
    samples: int = DEFAULT_SAMPLES,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Review:
    """Looks at a deal again; with `samples` 0 only at its cards. `progress` is told of each decision to come.

    Raises:
        NotationError: the record tells neither a deal with contract and cards nor a deal with its exchange or auction.
    """
    check_seed(seed)
    missing = nothing_to_review(record, samples)
    if missing is not None:
        raise NotationError(missing)
    record = record.completed()
    tell = progress or (lambda what: None)
    exchanges: list[ExchangeReview] = []
    calls: list[CallReview] = []
    if samples and record.deal is not None and record.dealer is not None:
        if record.upcard is not None:
            for seat in Seat:
                if record.held(seat) is not None:
                    tell(f"{seat.title}'s exchange")
                    exchanges.append(_exchange(record, seat, samples, seed, threads))
        if record.auction is not None:
            calls = _calls(record, samples, seed, threads, tell)
    cards = card_reviews(record)
    start = record.opening()
    expected = None
    if start is not None and record.contract is not None:
        expected = solve(start).of(record.contract.declarer)
    return Review(record, tuple(exchanges), tuple(calls), cards, expected)


def nothing_to_review(record: Record, samples: int) -> str | None:
    """Why `review` has nothing to say of a record, with what it expects there; None where it has."""
    record = record.completed()
    if record.opening() is not None and record.played is not None and record.played.cards:
        return None
    if samples and record.deal is not None and record.dealer is not None:
        exchanged = record.upcard is not None and any(record.held(seat) is not None for seat in Seat)
        if exchanged or (record.auction is not None and record.auction.calls):
            return None
    return "there is nothing to review; expected [Deal] with [Contract] and [Play]" + (
        ", with [Auction], or with what was drawn and thrown" if samples else ""
    )


def card_reviews(record: Record) -> tuple[CardReview, ...]:
    """Each card of a record against best play; none where deal, contract or cards are not told."""
    start = record.opening()
    if start is None or record.played is None or record.contract is None:
        return ()
    declarer = record.contract.declarer
    played = replay(start, record.played.cards)
    won = 0
    found = []
    tricks = iter(played.tricks)
    for number, (position, card) in enumerate(zip(played.positions, record.played.cards, strict=False), 1):
        seat = position.to_play
        values = card_values(position)
        value = next(each.tricks for each in values if each.card == card)
        most = values[0].tricks
        best, after = (
            won + (tricks_of if seat == declarer else position.size - tricks_of) for tricks_of in (most, value)
        )
        points = _points(record, best, seat) - _points(record, after, seat)
        better = tuple(each.card for each in values if each.tricks == most) if value < most else ()
        found.append(CardReview(number, seat, card, best, after, most - value, points, better))
        if position.led is not None:
            won += next(tricks).winner == declarer
    return tuple(found)


def _points(record: Record, tricks: int, seat: Seat) -> int:
    assert record.contract is not None
    return score(record.contract, tricks, record.rules).points(seat)


def _exchange(record: Record, seat: Seat, samples: int, seed: int, threads: int | None) -> ExchangeReview:
    assert record.deal is not None and record.dealer is not None
    holding, kept = record.held(seat) or Hand(), record.deal.hand(seat)
    known = Known(Role.of(seat, record.dealer), holding, record.upcard, record.rules)
    schedule = Schedule.of_samples(samples, len(holding))
    advised = advise_discard(known, schedule=schedule, seed=seed, threads=threads).recommended.keep
    if advised == kept:
        return ExchangeReview(seat, kept, advised, Loss(0.0, 0.0))
    # On hands of the opponent that the choice did not see, so that its luck does not count.
    judge = Judge(
        known, [advised.mask, kept.mask], model_for(record.rules), point_stakes(record.rules), seed + 1, threads
    )
    judge.meet([0, 1], 0, samples)
    values = judge.mean_values()
    gaps = (values[0] - values[1])[:, None]
    (mean,), (error,) = mean_and_error(gaps, gaps[:, 0] * 0 + 1 / len(gaps))
    return ExchangeReview(seat, kept, advised, Loss(max(0.0, float(mean)), float(error)))


def _calls(
    record: Record, samples: int, seed: int, threads: int | None, tell: Callable[[str], None]
) -> list[CallReview]:
    assert record.deal is not None and record.auction is not None
    sessions = {}
    for seat in Seat:
        threw = record.thrown[seat]
        sessions[seat] = BiddingSession(
            record.deal.hand(seat),
            Role.of(seat, record.auction.dealer),
            record.upcard,
            None if threw is None else Hand.of(threw),
            record.rules,
            seed=seed,
            threads=threads,
        )
    found = []
    for number, call in enumerate(record.auction.calls):
        seat = record.auction.caller(number)
        tell(f"call {number + 1}, {call} by {seat.title}")
        before = as_south(Auction(record.auction.dealer, record.auction.calls[:number]), seat)
        advice = sessions[seat].advise(before, samples)
        own = advice[call]
        loss = Loss(0.0, 0.0) if call == advice.call else Loss(max(0.0, -own.gap), own.gap_se)
        found.append(CallReview(number + 1, seat, call, advice.call, loss))
    return found


def as_south(auction: Auction, seat: Seat) -> Auction:
    """The auction as a player sees it who calls itself South."""
    return auction if seat == Seat.SOUTH else Auction(auction.dealer.other, auction.calls)


def contract_as_south(contract: Contract, seat: Seat) -> Contract:
    """The contract as a player sees it who calls itself South."""
    return contract if seat == Seat.SOUTH else Contract(contract.bid, contract.doubled, contract.declarer.other)
