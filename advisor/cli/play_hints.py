"""Hints at the table: the advisor's own tables, and the tricks by best play once both hands are shown."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from advisor.cli.output import Line
from advisor.cli.play_screen import YOU
from advisor.cli.render import STRAINS
from advisor.cli.render_bid import BidAnswer
from advisor.cli.render_card import CardAnswer
from advisor.cli.render_discard import DiscardAnswer
from advisor.cli.render_solve import DealAnswer, PositionAnswer
from advisor.deal_in_play import Decision, position_of, turn
from advisor.players import view

if TYPE_CHECKING:
    from advisor.game_in_play import GameInPlay

_KEEPS_SHOWN = 5
_SEED = 1


class Answer(Protocol):
    """What a hint comes to."""

    def json(self) -> dict[str, Any]:
        """The JSON object."""

    def lines(self) -> Iterator[Line]:
        """What a person reads."""


@dataclass(frozen=True, slots=True)
class _Table:
    """An answer without its first lines, which say what is on the table."""

    whole: CardAnswer

    def json(self) -> dict[str, Any]:
        """The JSON object."""
        return self.whole.json()

    def lines(self) -> Iterator[Line]:
        """The table of cards, and what it rests on."""
        yield from self.whole.table()
        yield from self.whole.basis()


def hint(game: "GameInPlay", both_hands: bool, samples: int | None) -> Answer:
    """What the advisor says of the person's decision; with both hands shown and known, what best play comes to."""
    record = game.current
    now = turn(record)
    assert now is not None and now.seat == YOU and record.dealer is not None
    if both_hands and now.decision == Decision.CARD:
        from solver.double_dummy import card_values, solve

        position = position_of(record)
        assert position is not None
        return PositionAnswer(position, solve(position), card_values(position))
    if both_hands and now.decision == Decision.CALL and record.deal is not None:
        from solver.double_dummy import table
        from solver.par import par

        solved = table(record.deal, record.rules)
        outcome = par(record.deal, solved.as_array(), record.dealer, record.rules)
        return DealAnswer(solved, STRAINS, record.dealer, outcome, record.rules)
    seen = view(record, YOU, game.standing(YOU))
    if now.decision == Decision.KEEP:
        from advisor.discard import advise
        from advisor.halving import Schedule

        schedule = Schedule.of_samples(100 if samples is None else samples, len(seen.known.cards))
        return DiscardAnswer(advise(seen.known, schedule=schedule, seed=_SEED), _KEEPS_SHOWN, _SEED)
    if now.decision == Decision.CALL:
        from advisor.players import Advisor

        assert seen.auction is not None
        session = Advisor(samples, _SEED).session(seen)
        return BidAnswer(session, seen.auction, session.advise(seen.auction, samples))
    from advisor.card_play import DEFAULT_SAMPLES
    from advisor.card_play import advise as advise_card

    assert seen.seen is not None
    advice = advise_card(seen.seen, samples=DEFAULT_SAMPLES if samples is None else samples, seed=_SEED)
    return _Table(CardAnswer(seen.seen, advice, _SEED))
