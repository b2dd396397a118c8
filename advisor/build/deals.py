"""Deals as they are played, solved exactly: packs by seed, an exchange that sometimes explores, tables."""

from dataclasses import asdict, dataclass, fields, replace

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
OTHER_KEEPS = 3  # that an exploring hand tries
_TRIES = 60


@dataclass(frozen=True, slots=True)
class Deals:
    """N solved deals, all by role: `hands` (N, 2), `tables` (N, 2, 5) by declarer, `classes` (N,), `explorer` (N,),
    `pack` (N,).

    The explorer is the role that kept something else than its policy's thirteen, NOBODY where neither did. Deals with
    the same number of their pack are the same 55 cards, and the same opponent's hand, with several keeps of the
    explorer's.
    """

    hands: NDArray[np.int64]
    tables: NDArray[np.int8]
    classes: NDArray[np.int64]
    explorer: NDArray[np.int64]
    pack: NDArray[np.int64]

    def of(self, chosen: NDArray[np.generic]) -> "Deals":
        """Those deals only, by a mask or by their numbers."""
        return Deals(**{name: array[chosen] for name, array in asdict(self).items()})

    def and_those(self, others: "Deals") -> "Deals":
        """These deals and others after them, whose packs get numbers of their own."""
        after = int(self.pack.max(initial=-1)) + 1
        return Deals.together([asdict(self), asdict(replace(others, pack=others.pack + after))])

    @classmethod
    def together(cls, parts: list[Arrays]) -> "Deals":
        """One of many parts, each with the arrays that `solve_part` gives."""
        return cls(*(np.concatenate([part[field.name] for part in parts]) for field in fields(cls)))


def solve_part(
    seed: int, first: int, count: int, exploring: float, policy: ExchangePolicy | None, rules: Rules
) -> Arrays:
    """Packs number first .. first + count - 1 of a seed, exchanged (without a policy by longest suit) and solved.

    Of a share of them, `exploring`, one hand's other keeps are deals too; they stand after all others.
    """
    from solver.double_dummy import solve_tables

    packs = shuffle_packs(seed, first, count, CLASSES_IN_TURN)
    held, classes = held_after_draws(packs, rules.upcard_drawn)
    way = longest_suit_and_honours if policy is None else policy
    hands = exchange(held, classes, way, way)
    rows, explorers, explored = list(range(count)), [NOBODY] * count, []
    for row in range(count):
        generator = np.random.default_rng((seed, first + row))
        if generator.random() >= exploring:
            continue
        role = int(generator.integers(2))
        context = int(classes[row]) + DRAW_CLASSES * role
        keeps = _explored(int(held[row, role]), context, int(hands[row, role]), policy, generator)
        for keep in keeps:
            pair = hands[row].copy()
            pair[role] = keep
            explored.append(pair)
        rows += [row] * len(keeps)
        explorers += [role] * len(keeps)
    hands = np.concatenate([hands, np.array(explored, dtype=np.int64).reshape(-1, 2)])
    tables = solve_tables(
        hands[:, DEALER].copy(), hands[:, NONDEALER].copy(), free_colon_discard=rules.free_colon_discard, threads=1
    )
    return {
        "hands": hands,
        "tables": tables,
        "classes": classes[rows],
        "explorer": np.array(explorers),
        "pack": first + np.array(rows),
    }


def _explored(
    held: int, context: int, kept: int, policy: ExchangePolicy | None, generator: np.random.Generator
) -> list[int]:
    """Up to OTHER_KEEPS keeps of the same cards, all different and none the one kept.

    By a policy: a good one with another set of colons, and others that it ranks high. Without one: highest cards or
    longest suit, with colons exchanged for low cards.
    """
    found: dict[int, None] = {}
    if policy is not None:
        keeps, _ = policy.keeps(held, context)
        keeps = keeps[keeps != kept]
        others = keeps[keeps >> 52 != kept >> 52]
        if len(others):
            others = others[others >> 52 == generator.choice(np.unique(others >> 52))]
            found[int(others[min(int(generator.geometric(0.4)) - 1, len(others) - 1)])] = None
        for rank in generator.geometric(0.12, size=_TRIES):
            if len(found) < min(OTHER_KEEPS, len(keeps)):
                found[int(keeps[min(int(rank) - 1, len(keeps) - 1)])] = None
        return list(found)
    one = np.array([held], dtype=np.int64)
    for _ in range(OTHER_KEEPS):
        keep = int(highest_cards(one, one)[0]) if generator.random() < 0.5 else kept
        for colon in range(52, 55):
            if (held & ~keep) >> colon & 1 and generator.random() < 0.5:
                lowest = min((card for card in range(52) if keep >> card & 1), key=lambda card: card % 13)
                keep ^= 1 << lowest | 1 << colon
        found[keep] = None
    return [keep for keep in found if keep != kept]
