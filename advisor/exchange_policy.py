"""The exchange at a glance: every sensible keep, ten predicted trick numbers each, and a small net that values them.

A keep takes the highest cards of each suit, so the keeps are the ways to split thirteen over four lengths and a set
of colons: at most about two thousand. The net maps the trick model's ten predictions and the context to the expected
points of the deal for the holder, mine less the opponent's.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.packs import CONTEXTS, HAND, count_cards
from advisor.trick_model import CLASS_OF_HOLDING, PREDICTIONS, TrickTables
from solver.compiled import compiled

LAYER_1, LAYER_2 = 32, 16
POINTS_UNIT = 500.0  # the net works in this unit
_MOST_KEEPS = 2744
_BLOCK = 64


class ValueNet(NamedTuple):
    """A net 16-32-16-1 with rectified layers: ten predictions and the context, one of six, to points / POINTS_UNIT.

    `tricks` (10, 32) and `context` (6, 32; the constant term included) make the first layer, `hidden` (32, 16) and
    `hidden_bias` (16,) the second, `output` (17,) the last with its constant at the end; all float32.
    """

    tricks: NDArray[np.float32]
    context: NDArray[np.float32]
    hidden: NDArray[np.float32]
    hidden_bias: NDArray[np.float32]
    output: NDArray[np.float32]


@compiled(fastmath=True)
def _evaluate(
    predictions: NDArray[np.float32], count: int, context: int, net: ValueNet, values: NDArray[np.float32]
) -> None:
    """Values in points of the first `count` columns of `predictions` (10, K), block by block to stay in the cache."""
    first = np.empty((LAYER_1, _BLOCK), dtype=np.float32)
    second = np.empty(_BLOCK, dtype=np.float32)
    total = np.empty(_BLOCK, dtype=np.float32)
    zero = np.float32(0)
    for start in range(0, count, _BLOCK):
        for unit in range(LAYER_1):
            row = first[unit]
            row[:] = net.context[context, unit]
            for source in range(PREDICTIONS):
                weight = net.tricks[source, unit]
                column = predictions[source, start : start + _BLOCK]
                for k in range(_BLOCK):
                    row[k] += weight * column[k]
            for k in range(_BLOCK):
                row[k] = max(row[k], zero)
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
        for k in range(min(_BLOCK, count - start)):
            values[start + k] = total[k] * np.float32(POINTS_UNIT)


@compiled()
def _list_keeps(
    held: int,
    forced: int,
    context: int,
    tables: TrickTables,
    keeps: NDArray[np.int64],
    predictions: NDArray[np.float32],
) -> int:
    """Fill `keeps` with every keep of thirteen with `forced` and else the highest cards, and their predictions."""
    holding = np.zeros((4, HAND + 1), dtype=np.int64)
    parts = np.zeros((4, HAND + 1, 2, 3), dtype=np.float32)
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
            row = CLASS_OF_HOLDING[holding[suit, size]]
            for side in range(2):
                parts[suit, size, side, 0] = tables.trump[context, side, row]
                parts[suit, size, side, 1] = tables.side[context, side, row]
                parts[suit, size, side, 2] = tables.notrump[context, side, row]
    count = 0
    held_colons, forced_colons = held >> 52, forced >> 52
    for colons in range(8):
        if colons & ~held_colons or forced_colons & ~colons:
            continue
        size = HAND - count_cards(colons)
        for clubs in range(shortest[0], longest[0] + 1):
            for diamonds in range(shortest[1], longest[1] + 1):
                for hearts in range(shortest[2], longest[2] + 1):
                    spades = size - clubs - diamonds - hearts
                    if spades < shortest[3] or spades > longest[3]:
                        continue
                    keeps[count] = (
                        holding[0, clubs]
                        | holding[1, diamonds] << 13
                        | holding[2, hearts] << 26
                        | holding[3, spades] << 39
                        | colons << 52
                    )
                    for side in range(2):
                        c, d = parts[0, clubs, side], parts[1, diamonds, side]
                        h, s = parts[2, hearts, side], parts[3, spades, side]
                        base = c[1] + d[1] + h[1] + s[1] + np.float32(tables.colons[context, side, 0, colons])
                        predictions[5 * side, count] = base + c[0] - c[1]
                        predictions[5 * side + 1, count] = base + d[0] - d[1]
                        predictions[5 * side + 2, count] = base + h[0] - h[1]
                        predictions[5 * side + 3, count] = base + s[0] - s[1]
                        predictions[5 * side + 4, count] = (
                            c[2] + d[2] + h[2] + s[2] + np.float32(tables.colons[context, side, 1, colons])
                        )
                    count += 1
    return count


@compiled()
def _scratch() -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    padded = _MOST_KEEPS + _BLOCK
    return (
        np.empty(padded, dtype=np.int64),
        np.zeros((PREDICTIONS, padded), dtype=np.float32),
        np.empty(padded, dtype=np.float32),
    )


@compiled()
def _all_keeps(
    held: int, forced: int, context: int, tables: TrickTables, net: ValueNet
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    keeps, predictions, values = _scratch()
    count = _list_keeps(held, forced, context, tables, keeps, predictions)
    _evaluate(predictions, count, context, net, values)
    return keeps[:count], values[:count]


@compiled()
def _best_keeps(
    held: NDArray[np.int64], contexts: NDArray[np.int64], tables: TrickTables, net: ValueNet
) -> NDArray[np.int64]:
    keeps, predictions, values = _scratch()
    best = np.empty(len(held), dtype=np.int64)
    for row in range(len(held)):
        count = _list_keeps(held[row], 0, contexts[row], tables, keeps, predictions)
        _evaluate(predictions, count, contexts[row], net, values)
        best[row] = keeps[np.argmax(values[:count])]
    return best


@compiled()
def _keeps_with(
    held: NDArray[np.int64],
    forced: NDArray[np.int64],
    contexts: NDArray[np.int64],
    excluded: int,
    tables: TrickTables,
    net: ValueNet,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    keeps, predictions, values = _scratch()
    best = np.zeros(len(held), dtype=np.int64)
    losses = np.zeros(len(held))
    for row in range(len(held)):
        count = _list_keeps(held[row], 0, contexts[row], tables, keeps, predictions)
        _evaluate(predictions, count, contexts[row], net, values)
        place = np.argmax(values[:count])
        free = values[place]
        best[row] = keeps[place]
        if not (forced[row] & ~best[row] or excluded & best[row]):
            continue
        count = _list_keeps(held[row] & ~excluded, forced[row], contexts[row], tables, keeps, predictions)
        if not count:
            best[row] = 0
            continue
        _evaluate(predictions, count, contexts[row], net, values)
        place = np.argmax(values[:count])
        best[row] = keeps[place]
        losses[row] = max(free - values[place], 0.0)
    return best, losses


class ExchangePolicy:
    """The exchange policy of a trick model and a value net; calling it exchanges many hands at once."""

    def __init__(self, tables: TrickTables, net: ValueNet) -> None:
        self.tables = tables
        self.net = net

    def __call__(self, held: NDArray[np.int64], contexts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The best keeps (N,) of held sets (N,) of 15 to 25 cards in contexts (N,): sets of 13 cards."""
        return _best_keeps(held, contexts, self.tables, self.net)

    def keeps(self, held: int, context: int, forced: int = 0) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Every keep considered, best first, and its value: the holder's expected points of the deal.

        `forced` cards are in all of them; cards that must go are simply left out of `held`. Each suit keeps its
        forced cards and then its highest. Empty when no thirteen remain.
        """
        keeps, values = _all_keeps(held, forced, context, self.tables, self.net)
        order = np.argsort(-values, kind="stable")
        return keeps[order], values[order]

    def keeps_with(
        self, held: NDArray[np.int64], forced: NDArray[np.int64], contexts: NDArray[np.int64], excluded: int = 0
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The best keeps (N,) of held sets (N,) that have the cards `forced` (N,) and none of `excluded`, and what
        these wishes cost the holder in expected points (N,), 0 or more. A keep is 0 where no thirteen remain.
        """
        return _keeps_with(held, forced, contexts, excluded, self.tables, self.net)

    def values(self, predictions: NDArray[np.float64], context: int) -> NDArray[np.float64]:
        """The expected points for the holders of hands with these predictions (N, 10), all in one context."""
        padded = np.zeros((PREDICTIONS, len(predictions) + _BLOCK), dtype=np.float32)
        padded[:, : len(predictions)] = predictions.T
        points = np.empty(len(predictions), dtype=np.float32)
        _evaluate(padded, len(predictions), context, self.net, points)
        return points.astype(np.float64)


def train_net(
    predictions: NDArray[np.float64],
    contexts: NDArray[np.int64],
    points: NDArray[np.float64],
    seed: int,
    epochs: int = 12,
    batch: int = 1024,
    rate: float = 0.004,
    weights: NDArray[np.float64] | None = None,
) -> ValueNet:
    """Fit a net to the points (N,) that hands with these predictions (N, 10) and contexts (N,) came to.

    Least squares by Adam with a falling rate; the predictions are centred and scaled for it and the scaling is then
    folded into the first layer. `weights` (N,) are the rows' weights, all alike by default.
    """
    generator = np.random.default_rng(seed)
    centre, scale = predictions.mean(axis=0), predictions.std(axis=0) + 1e-6
    inputs = np.concatenate([(predictions - centre) / scale, np.eye(CONTEXTS)[contexts]], axis=1).astype(np.float32)
    targets = (points / POINTS_UNIT).astype(np.float32)
    shares = np.ones(len(points), np.float32) if weights is None else (weights / weights.mean()).astype(np.float32)
    sizes = [PREDICTIONS + CONTEXTS, LAYER_1, LAYER_2, 1]
    layers: list[NDArray[np.float32]] = []
    for width, height in pairwise(sizes):
        layers.append((generator.normal(size=(width, height)) * np.sqrt(2.0 / width)).astype(np.float32))
        layers.append(np.zeros(height, dtype=np.float32))
    mean = [np.zeros_like(layer) for layer in layers]
    square = [np.zeros_like(layer) for layer in layers]
    steps = epochs * max(1, len(points) // batch)
    step = 0
    for _ in range(epochs):
        for rows in np.array_split(generator.permutation(len(points)), max(1, len(points) // batch)):
            step += 1
            x = inputs[rows]
            first = np.maximum(x @ layers[0] + layers[1], 0)
            second = np.maximum(first @ layers[2] + layers[3], 0)
            error = ((second @ layers[4] + layers[5])[:, 0] - targets[rows]) * shares[rows] / len(rows)
            back = error[:, None]
            gradients = [second.T @ back, back.sum(axis=0)]
            back = (back @ layers[4].T) * (second > 0)
            gradients = [first.T @ back, back.sum(axis=0), *gradients]
            back = (back @ layers[2].T) * (first > 0)
            gradients = [x.T @ back, back.sum(axis=0), *gradients]
            now = rate * 0.5 * (1 + np.cos(np.pi * step / steps)) + rate * 0.005
            for place, gradient in enumerate(gradients):
                mean[place] += 0.1 * (gradient - mean[place])
                square[place] += 0.001 * (gradient**2 - square[place])
                unbiased = mean[place] / (1 - 0.9**step)
                layers[place] -= now * unbiased / (np.sqrt(square[place] / (1 - 0.999**step)) + 1e-8)
    tricks = layers[0][:PREDICTIONS] / scale[:, None]
    context = layers[0][PREDICTIONS:] + layers[1] - centre @ tricks
    return ValueNet(
        np.ascontiguousarray(tricks, dtype=np.float32),
        np.ascontiguousarray(context, dtype=np.float32),
        layers[2],
        layers[3],
        np.concatenate([layers[4][:, 0], layers[5]]),
    )
