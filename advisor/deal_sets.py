"""Deals to measure the solver on: random ones, ones after the exchange, and the hardest known."""

import json
import random
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path

from solver.cards import Strain
from solver.deal import Deal, Seat
from solver.errors import BridgetteError
from solver.rules import DEFAULT_RULES, Rules

HARD_DEALS = Path(__file__).parent / "data" / "hard_deals.json"


class Kind(StrEnum):
    """Which deals: random hands, hands after both players' exchange, or the hardest of tens of thousands."""

    RANDOM = "random"
    EXCHANGED = "exchanged"
    HARD = "hard"


@lru_cache(maxsize=1)
def hard_deals() -> Mapping[Deal, tuple[tuple[int, ...], ...]]:
    """The hundred deals that took the most positions of tens of thousands, hardest first, with what is right for them.

    The answers are `rows[declarer][strain]`, tricks of the declarer when the other leads, by the default rules.
    """
    return {
        Deal.parse(record["deal"]): tuple(
            tuple(record["tricks"][seat.letter][strain.letter] for strain in Strain) for seat in Seat
        )
        for record in json.loads(HARD_DEALS.read_text(encoding="utf-8"))
    }


def colons_of(deal: Deal) -> int:
    """How many colons the two hands hold."""
    return len(deal.south.colons) + len(deal.north.colons)


def deals_of(kind: Kind, count: int, colons: int | None, seed: int, rules: Rules = DEFAULT_RULES) -> list[Deal]:
    """The first `count` deals of a kind that have `colons` (0 to 3) colons in the two hands; None: any number.

    Random and exchanged deals are those that `bridgette deal` gives for the seed; hard deals are always the same.

    Raises:
        BridgetteError: there are fewer hard deals.
    """
    deals = _all_of(kind, random.Random(seed), rules)
    found = list(islice((deal for deal in deals if colons is None or colons_of(deal) == colons), count))
    if len(found) < count:
        having = "" if colons is None else f" with {colons} colons"
        raise BridgetteError(f"{count} {kind} deals{having}; expected at most {len(found)}, there are no more")
    return found


def _all_of(kind: Kind, generator: random.Random, rules: Rules) -> Iterator[Deal]:
    if kind == Kind.HARD:
        yield from hard_deals()
    elif kind == Kind.EXCHANGED:
        from advisor.exchanged import exchanged_deals

        yield from (exchanged.deal for exchanged in exchanged_deals(generator, rules))
    else:
        while True:
            yield Deal.random(generator)
