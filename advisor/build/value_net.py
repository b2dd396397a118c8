"""How the exchange policy's net learns: from what hands came to, and above all from keeps of one and the same hand.

A deal's points hang on the opponent's cards more than on the own keep. Keeps of the same cards against the same
opponent share that luck, so their differences tell keeps apart with far fewer deals; single hands fix the level.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.exchange_policy import COLON_SETS, LAYER_1, LAYER_2, POINTS_UNIT, ValueNet
from advisor.packs import CONTEXTS
from advisor.trick_model import CLASS_OF_HOLDING, CLASSES, SMALL_RANKS, TOP_RANKS
from solver.compiled import compiled

ALONE = -1
_HOLDING_UNITS = 48
_BATCH = 1024  # hands in a step
_GROUPS = 64  # hands with several keeps in a step
_DECAY = 0.1  # of every weight in a step, times the rate: keeps seldom seen are not learned by heart
_WITHIN = 16.0  # how much the squared error of differences within a hand counts beside that of the level


class Lessons(NamedTuple):
    """What hands came to: `hands` (N,) sets of thirteen, `contexts` (N,), `points` (N,) for the holder.

    Rows of the same number in `group` (N,) are keeps of the same cards against the same opponent; the number ALONE
    stands for none.
    """

    hands: NDArray[np.int64]
    contexts: NDArray[np.int64]
    points: NDArray[np.float64]
    group: NDArray[np.int64]


def holding_features() -> NDArray[np.float32]:
    """What the net knows of each context and class of holding, (6 * 512, 41).

    Which of A K Q J T 9 it has, how many smaller cards, its length, the honours times the length, and the context.
    """
    classes = np.arange(CLASSES)
    honours = (classes[:, None] // (SMALL_RANKS + 1) >> np.arange(TOP_RANKS) & 1).astype(np.float32)
    small = classes % (SMALL_RANKS + 1)
    length = honours.sum(axis=1).astype(np.int64) + small
    of_holding = np.concatenate(
        [
            honours,
            np.eye(SMALL_RANKS + 1)[small],
            np.eye(TOP_RANKS + SMALL_RANKS + 1)[length],
            length[:, None] / 4,
            honours * length[:, None] / 4,
        ],
        axis=1,
    )
    contexts = np.repeat(np.eye(CONTEXTS), CLASSES, axis=0)
    return np.concatenate([np.tile(of_holding, (CONTEXTS, 1)), contexts], axis=1).astype(np.float32)


def rows_of_groups(group: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of each group of two or more, (G, K), filled up with -1."""
    order = np.argsort(group, kind="stable")
    order = order[group[order] != ALONE]
    _, starts, counts = np.unique(group[order], return_index=True, return_counts=True)
    several = counts > 1
    rows = np.full((int(several.sum()), int(counts.max(initial=1))), -1, dtype=np.int64)
    for row, (start, count) in enumerate(zip(starts[several], counts[several], strict=True)):
        rows[row, :count] = order[start : start + count]
    return rows


@compiled()
def _add_rows(target: NDArray[np.float32], places: NDArray[np.int64], rows: NDArray[np.float32]) -> None:
    """Add each row (M, W) to the rows of `target` at its places (M, P)."""
    for row in range(len(rows)):
        for place in places[row]:
            target[place] += rows[row]


class _Adam:
    """Adam (Kingma and Ba, 2015) with weight decay (Loshchilov and Hutter, 2019) and a rate that falls as a cosine."""

    def __init__(self, layers: list[NDArray[np.float32]], steps: int, rate: float) -> None:
        self.layers, self.steps, self.rate, self.step = layers, steps, rate, 0
        self.mean = [np.zeros_like(layer) for layer in layers]
        self.square = [np.zeros_like(layer) for layer in layers]

    def descend(self, gradients: list[NDArray[np.float32]]) -> None:
        self.step += 1
        rate = self.rate * (0.5 * (1 + np.cos(np.pi * self.step / self.steps)) + 0.005)
        for layer, gradient, mean, square in zip(self.layers, gradients, self.mean, self.square, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            unbiased = mean / (1 - 0.9**self.step)
            scaled = unbiased / (np.sqrt(square / (1 - 0.999**self.step)) + 1e-8)
            layer -= (rate * (scaled + _DECAY * layer)).astype(np.float32)


def train_net(lessons: Lessons, seed: int, epochs: int = 20, rate: float = 0.004) -> ValueNet:
    """Fit a net to the lessons, by least squares on the points and on the differences between keeps of one hand.

    What a holding adds to the first layer is itself learned as a small net on `holding_features`, so that holdings
    seldom seen are judged by their likes; the table of it is what remains.
    """
    generator = np.random.default_rng(seed)
    features = holding_features()
    shapes = [
        (features.shape[1], _HOLDING_UNITS),
        (_HOLDING_UNITS, LAYER_1),
        (LAYER_1, LAYER_2),
        (LAYER_2, 1),
    ]
    first, table_of, hidden, output = (
        (generator.normal(size=shape) * np.sqrt(2.0 / shape[0])).astype(np.float32) for shape in shapes
    )
    table_of *= np.float32(0.3)  # four holdings are added up
    colons = generator.normal(0, 0.1, (CONTEXTS * COLON_SETS, LAYER_1)).astype(np.float32)
    first_bias, hidden_bias, output_bias = (np.zeros(width, dtype=np.float32) for width in (_HOLDING_UNITS, LAYER_2, 1))
    layers = [first, first_bias, table_of, colons, hidden, hidden_bias, output, output_bias]
    suits = np.stack([CLASS_OF_HOLDING[lessons.hands >> 13 * suit & 0x1FFF] for suit in range(4)], axis=1)
    suits += CLASSES * lessons.contexts[:, None]
    colon_sets = ((lessons.hands >> 52) + COLON_SETS * lessons.contexts)[:, None]
    targets = (lessons.points / POINTS_UNIT).astype(np.float32)
    groups = rows_of_groups(lessons.group)
    batches = max(1, len(targets) // _BATCH)
    adam = _Adam(layers, epochs * batches, rate)
    turn = np.zeros(0, dtype=np.int64)
    for _ in range(epochs):
        for single in np.array_split(generator.permutation(len(targets)), batches):
            if len(turn) < _GROUPS:
                turn = np.append(turn, generator.permutation(len(groups)))
            several, turn = groups[turn[:_GROUPS]], turn[_GROUPS:]
            rows = np.append(single, several.ravel())
            units = np.maximum(features @ first + first_bias, 0)
            table = units @ table_of
            one = np.maximum(table[suits[rows]].sum(axis=1) + colons[colon_sets[rows, 0]], 0)
            two = np.maximum(one @ hidden + hidden_bias, 0)
            error = (two @ output + output_bias)[:, 0] - targets[rows]
            back = _of_loss(error, len(single), several)[:, None]
            gradients = [two.T @ back, back.sum(axis=0)]
            back = (back @ output.T) * (two > 0)
            gradients = [one.T @ back, back.sum(axis=0), *gradients]
            back = (back @ hidden.T) * (one > 0)
            by_holding, by_colons = np.zeros_like(table), np.zeros_like(colons)
            _add_rows(by_holding, suits[rows], back)
            _add_rows(by_colons, colon_sets[rows], back)
            gradients = [units.T @ by_holding, by_colons, *gradients]
            back = (by_holding @ table_of.T) * (units > 0)
            adam.descend([features.T @ back, back.sum(axis=0), *gradients])
    table = np.maximum(features @ first + first_bias, 0) @ table_of
    return ValueNet(
        table.reshape(CONTEXTS, CLASSES, LAYER_1),
        colons.reshape(CONTEXTS, COLON_SETS, LAYER_1),
        hidden,
        hidden_bias,
        np.append(output[:, 0], output_bias),
    )


def _of_loss(error: NDArray[np.float32], single: int, several: NDArray[np.int64]) -> NDArray[np.float32]:
    """The loss's slope in each row's error: the first `single` rows alone, the others by group of `several`.

    The loss is half of the mean squared error of the single rows and of _WITHIN times that of the groups' rows less
    their group's mean.
    """
    slope = error / np.float32(single)
    there = several >= 0
    inside = np.where(there, error[single:].reshape(several.shape), 0)
    inside -= inside.sum(axis=1, keepdims=True) / there.sum(axis=1, keepdims=True)
    slope[single:] = (np.where(there, inside, 0) * np.float32(_WITHIN / max(1, there.sum()))).ravel()
    return slope
