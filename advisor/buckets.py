"""Hands that play alike: k-means on predicted tricks, and the nearest buckets of a hand."""

import numpy as np
from numpy.typing import NDArray

from solver.compiled import compiled


def _distances(points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared distances (N, K), short of what is the same for all centres."""
    distances: NDArray[np.float64] = (centres**2).sum(axis=1) - 2.0 * points @ centres.T
    return distances


def nearest(points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.int16]:
    """The nearest of the centres (K, D) for each of the points (N, D): int (N,)."""
    found = [_distances(rows, centres).argmin(axis=1) for rows in np.array_split(points, len(points) // 4000 + 1)]
    return np.concatenate(found).astype(np.int16)


def k_means(points: NDArray[np.float64], count: int, seed: int, rounds: int = 25) -> NDArray[np.float64]:
    """Centres (count, D) of the points (N, D), by Lloyd's rounds from points drawn at random.

    A centre that loses all its points starts again at one drawn at random. Raises ValueError when there are fewer
    points than centres.
    """
    generator = np.random.default_rng(seed)
    centres = points[generator.choice(len(points), count, replace=False)].copy()
    for _ in range(rounds):
        owners = nearest(points, centres)
        sizes = np.bincount(owners, minlength=count)
        for axis in range(points.shape[1]):
            centres[:, axis] = np.bincount(owners, points[:, axis], count) / np.maximum(sizes, 1)
        empty = np.flatnonzero(sizes == 0)
        centres[empty] = points[generator.choice(len(points), len(empty), replace=False)]
    return centres


@compiled()
def nearest_few(
    point: NDArray[np.float64], centres: NDArray[np.float64], found: NDArray[np.int64], weights: NDArray[np.float64]
) -> None:
    """The nearest len(found) centres, nearest first, with weights that fall with the distance and sum to 1.

    A centre's weight is that of a Gaussian whose width is the mean distance of those found.
    """
    count = len(found)
    best = np.full(count, np.inf)
    for centre in range(len(centres)):
        distance = 0.0
        for axis in range(len(point)):
            distance += (point[axis] - centres[centre, axis]) ** 2
        if distance >= best[count - 1]:
            continue
        place = count - 1
        while place > 0 and best[place - 1] > distance:
            best[place] = best[place - 1]
            found[place] = found[place - 1]
            place -= 1
        best[place] = distance
        found[place] = centre
    width = best.mean() + 1e-12
    for k in range(count):
        weights[k] = np.exp(-0.5 * best[k] / width)
    weights /= weights.sum()
