"""The exchange at a glance: every sensible keep, valued by a small net.

A keep takes the highest cards of each suit, so the keeps are the ways to split thirteen over four lengths and a set
of colons: at most about two thousand. The net's first layer is a sum over the four suits and the set of colons, so what
a keep shares with others is added up once for all of them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.packs import HAND, count_cards
from advisor.trick_model import CLASS_OF_HOLDING
from solver.compiled import compiled

LAYER_1, LAYER_2 = 32, 16
COLON_SETS = 8
POINTS_UNIT = 500.0  # the net works in this unit
_MOST_KEEPS = 2744
_BLOCK = 64


class ValueNet(NamedTuple):
    """A net from a hand of thirteen to what it is worth, in POINTS_UNIT: two layers of rectified units, then a sum.

    The first layer's units are sums: `holdings` (6, 512, 32) by context and class of holding, over the four suits, and
    `colons` (6, 8, 32) by context and set of colons, the constant term included. `hidden` (32, 16) and `hidden_bias`
    (16,) make the second layer, `output` (17,) the value, its constant at the end; all float32.
    """

    holdings: NDArray[np.float32]
    colons: NDArray[np.float32]
    hidden: NDArray[np.float32]
    hidden_bias: NDArray[np.float32]
    output: NDArray[np.float32]


@compiled(fastmath=True)
def _evaluate(sums: NDArray[np.float32], count: int, net: ValueNet, values: NDArray[np.float32]) -> None:
    """Values in points of the first `count` rows of first-layer `sums` (K, 32), block by block to stay in the cache."""
    first = np.zeros((LAYER_1, _BLOCK), dtype=np.float32)
    second = np.empty(_BLOCK, dtype=np.float32)
    total = np.empty(_BLOCK, dtype=np.float32)
    zero = np.float32(0)
    for start in range(0, count, _BLOCK):
        size = min(_BLOCK, count - start)
        for k in range(size):
            for unit in range(LAYER_1):
                first[unit, k] = max(sums[start + k, unit], zero)
        total[:] = net.output[LAYER_2]
        for unit in range(LAYER_2):
            second[:] = net.hidden_bias[unit]
            for source in range(LAYER_1):
                weight = net.hidden[source, unit]
                row = first[source]
                for k in range(_BLOCK):
                    second[k] += weight * row[k]
            weight = net.output[unit]
            for k in range(_BLOCK):
                total[k] += weight * max(second[k], zero)
        for k in range(size):
            values[start + k] = total[k] * np.float32(POINTS_UNIT)


@compiled()
def _list_keeps(
    held: int, forced: int, context: int, net: ValueNet, keeps: NDArray[np.int64], sums: NDArray[np.float32]
) -> int:
    """Fill `keeps` with every keep of thirteen with `forced` and else the highest cards, and their first-layer sums."""
    holding = np.zeros((4, HAND + 1), dtype=np.int64)
    classes = np.zeros((4, HAND + 1), dtype=np.int64)
    shortest = np.zeros(4, dtype=np.int64)
    longest = np.zeros(4, dtype=np.int64)
    for suit in range(4):
        suited = (held >> (13 * suit)) & 0x1FFF
        kept = (forced >> (13 * suit)) & 0x1FFF
        length = count_cards(kept)
        shortest[suit] = length
        holding[suit, length] = kept
        for rank in range(12, -1, -1):
            if (suited & ~kept) >> rank & 1 and length < HAND:
                kept |= 1 << rank
                length += 1
                holding[suit, length] = kept
        longest[suit] = length
        for size in range(shortest[suit], length + 1):
            classes[suit, size] = CLASS_OF_HOLDING[holding[suit, size]]
    table = net.holdings[context]
    two = np.empty(LAYER_1, dtype=np.float32)
    count = 0
    held_colons, forced_colons = held >> 52, forced >> 52
    for colons in range(COLON_SETS):
        if colons & ~held_colons or forced_colons & ~colons:
            continue
        size = HAND - count_cards(colons)
        for clubs in range(shortest[0], longest[0] + 1):
            for diamonds in range(shortest[1], longest[1] + 1):
                left = size - clubs - diamonds
                if left < shortest[2] + shortest[3] or left > longest[2] + longest[3]:
                    continue
                first, second = table[classes[0, clubs]], table[classes[1, diamonds]]
                for unit in range(LAYER_1):
                    two[unit] = net.colons[context, colons, unit] + first[unit] + second[unit]
                for hearts in range(shortest[2], longest[2] + 1):
                    spades = left - hearts
                    if spades < shortest[3] or spades > longest[3]:
                        continue
                    keeps[count] = (
                        holding[0, clubs]
                        | holding[1, diamonds] << 13
                        | holding[2, hearts] << 26
                        | holding[3, spades] << 39
                        | colons << 52
                    )
                    third, fourth = table[classes[2, hearts]], table[classes[3, spades]]
                    for unit in range(LAYER_1):
                        sums[count, unit] = two[unit] + third[unit] + fourth[unit]
                    count += 1
    return count


@compiled()
def _scratch() -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    return (
        np.empty(_MOST_KEEPS, dtype=np.int64),
        np.empty((_MOST_KEEPS, LAYER_1), dtype=np.float32),
        np.empty(_MOST_KEEPS, dtype=np.float32),
    )


@compiled()
def _all_keeps(held: int, forced: int, context: int, net: ValueNet) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    keeps, sums, values = _scratch()
    count = _list_keeps(held, forced, context, net, keeps, sums)
    _evaluate(sums, count, net, values)
    return keeps[:count], values[:count]


@compiled()
def _best_keeps(held: NDArray[np.int64], contexts: NDArray[np.int64], net: ValueNet) -> NDArray[np.int64]:
    keeps, sums, values = _scratch()
    best = np.empty(len(held), dtype=np.int64)
    for row in range(len(held)):
        count = _list_keeps(held[row], 0, contexts[row], net, keeps, sums)
        _evaluate(sums, count, net, values)
        best[row] = keeps[np.argmax(values[:count])]
    return best


@compiled()
def _keeps_with(
    held: NDArray[np.int64],
    forced: NDArray[np.int64],
    contexts: NDArray[np.int64],
    excluded: int,
    net: ValueNet,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    keeps, sums, values = _scratch()
    best = np.zeros(len(held), dtype=np.int64)
    losses = np.zeros(len(held))
    for row in range(len(held)):
        count = _list_keeps(held[row], 0, contexts[row], net, keeps, sums)
        _evaluate(sums, count, net, values)
        place = np.argmax(values[:count])
        free = values[place]
        best[row] = keeps[place]
        if not (forced[row] & ~best[row] or excluded & best[row]):
            continue
        count = _list_keeps(held[row] & ~excluded, forced[row], contexts[row], net, keeps, sums)
        if not count:
            best[row] = 0
            continue
        _evaluate(sums, count, net, values)
        place = np.argmax(values[:count])
        best[row] = keeps[place]
        losses[row] = max(free - values[place], 0.0)
    return best, losses


@compiled()
def _values(hands: NDArray[np.int64], context: int, net: ValueNet) -> NDArray[np.float32]:
    sums = np.empty((len(hands), LAYER_1), dtype=np.float32)
    for row in range(len(hands)):
        sums[row] = net.colons[context, hands[row] >> 52]
        for suit in range(4):
            sums[row] += net.holdings[context, CLASS_OF_HOLDING[(hands[row] >> (13 * suit)) & 0x1FFF]]
    values = np.empty(len(hands), dtype=np.float32)
    _evaluate(sums, len(hands), net, values)
    return values


class ExchangePolicy:
    """The exchange policy of a value net; calling it exchanges many hands at once."""

    def __init__(self, net: ValueNet) -> None:
        self.net = net

    def __call__(self, held: NDArray[np.int64], contexts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The best keeps (N,) of held sets (N,) of 15 to 25 cards in contexts (N,): sets of 13 cards."""
        return _best_keeps(held, contexts, self.net)

    def keeps(self, held: int, context: int, forced: int = 0) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Every keep considered, best first, and its value: the holder's expected points of the deal.

        `forced` cards are in all of them; cards that must go are simply left out of `held`. Each suit keeps its
        forced cards and then its highest. Empty when no thirteen remain.
        """
        keeps, values = _all_keeps(held, forced, context, self.net)
        order = np.argsort(-values, kind="stable")
        return keeps[order], values[order]

    def keeps_with(
        self, held: NDArray[np.int64], forced: NDArray[np.int64], contexts: NDArray[np.int64], excluded: int = 0
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The best keeps (N,) of held sets (N,) that have the cards `forced` (N,) and none of `excluded`, and what
        these wishes cost the holder in expected points (N,), 0 or more. A keep is 0 where no thirteen remain.
        """
        return _keeps_with(held, forced, contexts, excluded, self.net)

    def values(self, hands: NDArray[np.int64], context: int) -> NDArray[np.float64]:
        """The expected points for the holders of these hands of thirteen (N,), all in one context."""
        return _values(hands, context, self.net).astype(np.float64)
