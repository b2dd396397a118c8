"""Learns the order in which the search tries leads, from random deals, and writes solver/search/lead_order.npy.

    python -m benchmarks.learn_lead_order --deals 250 --rounds 4

The first round tries the classes of leads in random order, the others in the order learned so far, disturbed: a class
that is never tried early is never found to be good. Counted are only positions where some lead succeeds; elsewhere the
order does not matter.
"""

import argparse
import random
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver import search
from solver.search import memory as places
from solver.search.lead_order import COLON_FEATURES, FEATURES, FIRST_OF_COLONS, SUIT_FEATURES

PRIOR = 20
"""A class with few tries is drawn towards coarser classes as if those had been seen this many times more."""
PER_FACTOR = 24
"""Steps of the logarithmic scale for a factor of e."""


def counted(order: NDArray[np.int64], deals: int, disturbance: float, seed: int) -> NDArray[np.int64]:
    """Tries, successes and positions expanded by class, shape (FEATURES, 3), from tables of random deals of 0 to 3
    colons.
    """
    generator = np.random.default_rng(seed)
    shuffler = random.Random(seed)
    total = np.zeros(3 * FEATURES, dtype=np.int64)
    for colons in range(4):
        for _ in range(deals // (1, 1, 2, 3)[colons]):
            memory = np.concatenate([search.new_memory(), np.zeros(3 * FEATURES, dtype=np.int64)])
            memory[places.LEARN_AT] = len(memory) - 3 * FEATURES
            memory[places.ORDER_AT : places.ORDER_AT + FEATURES] = order + generator.normal(0, disturbance, FEATURES)
            cards = shuffler.sample(range(52), 26 - colons) + shuffler.sample(range(52, 55), colons)
            shuffler.shuffle(cards)
            south, north = (sum(1 << card for card in hand) for hand in (cards[:13], cards[13:]))
            search.fill_table(south, north, np.zeros((2, 5), dtype=np.int8), memory)
            total += memory[len(memory) - 3 * FEATURES :]
    return total.reshape(FEATURES, 3)


def drawn_towards(counts: NDArray[np.float64], coarser: NDArray[np.float64]) -> NDArray[np.float64]:
    """``counts`` (..., 3) with PRIOR tries of the coarser class added."""
    return counts + PRIOR * coarser / np.maximum(coarser[..., :1], 1e-9)


def order_from(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The order, 0 to 255 by class, from the counts (FEATURES, 3): the logarithm of successes per position expanded."""
    suits = counts[:FIRST_OF_COLONS].astype(np.float64).reshape(*SUIT_FEATURES, 3)
    everything = suits.sum(axis=tuple(range(8)), keepdims=True)
    coarse = drawn_towards(suits.sum(axis=(3, 4, 5, 6, 7), keepdims=True), everything)
    finer = drawn_towards(suits.sum(axis=(3, 4), keepdims=True), coarse)
    suits = drawn_towards(suits, finer)
    colons = counts[FIRST_OF_COLONS:].astype(np.float64).reshape(*COLON_FEATURES, 3)
    coarse = drawn_towards(
        colons.sum(axis=(1, 4, 5), keepdims=True), colons.sum(axis=(0, 1, 2, 3, 4, 5), keepdims=True)
    )
    colons = drawn_towards(colons, coarse)
    both = np.concatenate([suits.reshape(-1, 3), colons.reshape(-1, 3)])
    scale = PER_FACTOR * np.log(np.maximum(both[:, 1], 1e-9) / both[:, 2])
    return np.clip(np.rint(255 + scale - scale.max()), 0, 255).astype(np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=250, help="deals of each number of colons a round")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    order = np.zeros(FEATURES, dtype=np.int64)
    counts = np.zeros((FEATURES, 3), dtype=np.int64)
    for number in range(options.rounds):
        disturbance = 1000.0 if number == 0 else 12.0
        counts = counts // 4 + counted(order, options.deals, disturbance, options.seed + number)
        order = order_from(counts)
        tried = counts[:, 0].sum() / max(counts[:, 1].sum(), 1)
        print(f"round {number + 1}: {tried:.3f} leads tried where one succeeds", file=sys.stderr)
    path = Path(search.__file__).parent / "lead_order.npy"
    np.save(path, order.astype(np.uint8))
    print(f"written: {path}")


if __name__ == "__main__":
    main()
