"""Deals as they are played, solved exactly: packs by seed, an exchange that sometimes explores, tables."""

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.baselines import highest_cards, longest_suit_and_honours
from advisor.build.work import Arrays
from advisor.exchange_policy import ExchangePolicy
from advisor.packs import DEALER, DRAW_CLASSES, NONDEALER, exchange, held_after_draws, shuffle_packs
from solver.rules import Rules

# The draw classes in turn: rare upcards are dealt more often than they come, for each class is solved by itself.
CLASSES_IN_TURN = np.array([0, 1, 2, 0, 1, 0, 2, 0, 1], dtype=np.int64)
CLASS_CHANCES = np.array([37, 13, 5]) / 55
NOBODY = -1


@dataclass(frozen=True, slots=True)
class Deals:
    """N solved deals, all by role: `hands` (N, 2), `tables` (N, 2, 5) by declarer, `classes` (N,), `explorer` (N,).

    The explorer is the role that kept something else than its policy's thirteen, NOBODY in most deals.
    """

    hands: NDArray[np.int64]
    tables: NDArray[np.int8]
    classes: NDArray[np.int64]
    explorer: NDArray[np.int64]

    def of(self, chosen: NDArray[np.generic]) -> "Deals":
        """Those deals only, by a mask or by their numbers."""
        return Deals(self.hands[chosen], self.tables[chosen], self.classes[chosen], self.explorer[chosen])

    def and_those(self, others: "Deals") -> "Deals":
        """These deals and others after them."""
        return Deals.together([asdict(self), asdict(others)])

    @classmethod
    def together(cls, parts: list[Arrays]) -> "Deals":
        """One of many parts, each with the arrays that `solve_part` gives."""
        return cls(
            *(np.concatenate([part[name] for part in parts]) for name in ("hands", "tables", "classes", "explorer"))
        )


def solve_part(
    seed: int, first: int, count: int, exploring: float, policy: ExchangePolicy | None, rules: Rules
) -> Arrays:
    """Deals number first .. first + count - 1 of a seed, exchanged (without a policy by longest suit) and solved."""
    from solver.double_dummy import solve_tables

    packs = shuffle_packs(seed, first, count, CLASSES_IN_TURN)
    held, classes = held_after_draws(packs, rules.upcard_drawn)
    way = longest_suit_and_honours if policy is None else policy
    hands = exchange(held, classes, way, way)
    explorer = np.full(count, NOBODY)
    for row in range(count):
        generator = np.random.default_rng((seed, first + row))
        if generator.random() >= exploring:
            continue
        role = int(generator.integers(2))
        explorer[row] = role
        context = int(classes[row]) + DRAW_CLASSES * role
        hands[row, role] = _explored(int(held[row, role]), context, int(hands[row, role]), policy, generator)
    tables = solve_tables(
        hands[:, DEALER].copy(), hands[:, NONDEALER].copy(), free_colon_discard=rules.free_colon_discard, threads=1
    )
    return {"hands": hands, "tables": tables, "classes": classes, "explorer": explorer}


def _explored(held: int, context: int, kept: int, policy: ExchangePolicy | None, generator: np.random.Generator) -> int:
    """Another keep of the same cards: a set of colons at random, and a good keep with it but seldom the best."""
    if policy is not None:
        keeps, _ = policy.keeps(held, context)
        sets = np.unique(keeps >> 52)
        keeps = keeps[keeps >> 52 == generator.choice(sets)]
        return int(keeps[min(int(generator.geometric(0.1)) - 1, len(keeps) - 1)])
    one = np.array([held], dtype=np.int64)
    if generator.random() < 0.5:
        kept = int(highest_cards(one, one)[0])
    for colon in range(52, 55):
        if (held & ~kept) >> colon & 1 and generator.random() < 0.5:
            lowest = min((card for card in range(52) if kept >> card & 1), key=lambda card: card % 13)
            kept ^= 1 << lowest | 1 << colon
    return kept
