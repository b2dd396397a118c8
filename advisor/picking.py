"""Which of many weighted candidates to work out when only a few can be: priority sampling.

A candidate's priority is its weight over a uniform number of its own; the highest are taken, in that order. However
many are taken, each counts with its weight or with the first priority not taken, whichever is more, and weighted sums
over them are unbiased (Duffield, Lund and Thorup, J. ACM 54, 2007). A candidate keeps its number when the weights
change, so that much of what was worked out serves again.
"""

import numpy as np
from numpy.typing import NDArray

from advisor.packs import STEP, random_bits, random_stream
from solver.compiled import compiled

_STREAM = 0x91C


@compiled()
def _uniform(seed: int, count: int) -> NDArray[np.float64]:
    numbers = np.empty(count)
    for index in range(count):
        bits = random_bits(random_stream(seed, index) + STEP) >> np.uint64(11)
        numbers[index] = (np.float64(bits) + 1.0) / 9007199254740993.0
    return numbers


def priorities(weights: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """The priorities (N,) of candidates of those weights (N,); candidate i's uniform number depends on seed and i."""
    return weights / _uniform(seed ^ _STREAM, len(weights))


def order_of(priority: NDArray[np.float64]) -> NDArray[np.int64]:
    """The candidates with any weight by falling priority."""
    order = np.argsort(-priority, kind="stable")
    weighty: NDArray[np.int64] = order[priority[order] > 0]
    return weighty


def shares_of(
    weights: NDArray[np.float64], priority: NDArray[np.float64], order: NDArray[np.int64], taken: int
) -> NDArray[np.float64]:
    """With what shares, summing to 1, the first `taken` of the order count for all of the candidates."""
    threshold = priority[order[taken]] if taken < len(order) else 0.0
    counted = np.maximum(weights[order[:taken]], threshold)
    shares: NDArray[np.float64] = counted / counted.sum()
    return shares


def effective_number(weights: NDArray[np.float64]) -> float:
    """How many candidates of equal weight would tell as much as these (N,): between 0 and N."""
    total = weights.sum()
    return float(total**2 / (weights**2).sum()) if total > 0 else 0.0


def mean_and_error(values: NDArray[np.float64], shares: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """The means of the columns of values (N, C) over rows with those shares (N,), and their standard errors."""
    means = shares @ values
    spare = max(1.0 - float((shares**2).sum()), 1e-9)
    errors = np.sqrt((shares**2) @ (values - means) ** 2 / spare)
    return means, errors
