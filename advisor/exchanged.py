"""Packs after the exchange: both players keep the thirteen that the shipped exchange policy keeps."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from advisor.model import model_for
from advisor.packs import context_of, draw_class
from solver.cards import Hand
from solver.deal import Deal, Pack, Seat
from solver.exchange import Role, exchange, held
from solver.rules import DEFAULT_RULES, Rules

_AT_ONCE = 64


class Exchanged(NamedTuple):
    """A pack and the deal that both players' exchange makes of it."""

    pack: Pack
    deal: Deal

    def threw(self, seat: Seat, rules: Rules = DEFAULT_RULES) -> Hand:
        """The cards that a player held after drawing and did not keep."""
        return held(self.pack, seat, rules) - self.deal.hand(seat)


def exchange_packs(packs: Sequence[Pack], rules: Rules = DEFAULT_RULES) -> list[Exchanged]:
    """Each pack with the deal that it becomes; the policy is that of `advisor.model` for the rules."""
    policy = model_for(rules).exchange
    seats = [(pack, seat) for pack in packs for seat in Seat]
    cards = np.array([held(pack, seat, rules).mask for pack, seat in seats], dtype=np.int64)
    contexts = np.array(
        [context_of(Role.of(seat, pack.dealer), int(draw_class(pack.upcard.index))) for pack, seat in seats],
        dtype=np.int64,
    )
    kept = [Hand(int(mask)) for mask in policy(cards, contexts)]
    return [
        Exchanged(pack, exchange(pack, south, north, rules))
        for pack, south, north in zip(packs, kept[::2], kept[1::2], strict=True)
    ]


def exchanged_deals(generator: random.Random, rules: Rules = DEFAULT_RULES) -> Iterator[Exchanged]:
    """Random packs exchanged, without end: those that `Pack.shuffled` gives one after another."""
    while True:
        yield from exchange_packs([Pack.shuffled(generator) for _ in range(_AT_ONCE)], rules)
