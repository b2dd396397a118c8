"""How many tricks a hand of thirteen is worth: a sum over its four suits and its colons, as declarer and in defence.

For each context (role and draw class) and each side (declaring, defending) there is a table of trick counts by the
class of a holding, for the trump suit, for a side suit and for a suit at no trump, and one by the set of colons. All
ten predictions of a hand are tricks *for its holder*: 0..4 declaring in clubs .. no trump, 5..9 when the opponent
declares there.
"""

from math import erf, erfc, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.packs import CONTEXTS
from solver.compiled import compiled

PREDICTIONS = 10
DECLARING, DEFENDING = 0, 1
TOP_RANKS = 6  # ace to nine are told apart, the rest are counted
HOLDINGS = 1 << 13
SMALL_RANKS = 13 - TOP_RANKS
CLASSES = (1 << TOP_RANKS) * (SMALL_RANKS + 1)


def _holding_classes() -> NDArray[np.int64]:
    holdings = np.arange(HOLDINGS)
    small = np.zeros(HOLDINGS, dtype=np.int64)
    for rank in range(SMALL_RANKS):
        small += holdings >> rank & 1
    return (holdings >> SMALL_RANKS) * (SMALL_RANKS + 1) + small


# The class of a holding (13 bits, the deuce lowest): which of A K Q J T 9 it has and how many smaller cards.
CLASS_OF_HOLDING = _holding_classes()


class TrickTables(NamedTuple):
    """The trick model's numbers; contexts first, sides second.

    `trump`, `side`, `notrump`: float (6, 2, 512) tricks by holding class; `colons`: float (6, 2, 2, 8) tricks by (0
    suit contract, 1 no trump) and the set of colons (bits: Little, Royal, Grand), the constant term included;
    `spread`: float (6, 2, 2) standard deviation of the tricks about the prediction, by (0 suit contract, 1 no trump).
    """

    trump: NDArray[np.float64]
    side: NDArray[np.float64]
    notrump: NDArray[np.float64]
    colons: NDArray[np.float64]
    spread: NDArray[np.float64]


@compiled()
def predict_into(hand: int, context: int, tables: TrickTables, tricks: NDArray[np.float64]) -> None:
    """Write the ten predictions for a hand in a context into `tricks`."""
    colons = hand >> 52
    for side in range(2):
        base = tables.colons[context, side, 0, colons]
        tricks[5 * side + 4] = tables.colons[context, side, 1, colons]
        for suit in range(4):
            holding = CLASS_OF_HOLDING[(hand >> (13 * suit)) & 0x1FFF]
            base += tables.side[context, side, holding]
            tricks[5 * side + suit] = tables.trump[context, side, holding] - tables.side[context, side, holding]
            tricks[5 * side + 4] += tables.notrump[context, side, holding]
        for suit in range(4):
            tricks[5 * side + suit] += base


@compiled()
def predict(hands: NDArray[np.int64], contexts: NDArray[np.int64], tables: TrickTables) -> NDArray[np.float64]:
    """The expected tricks for the holders of hands (N,) in contexts (N,): float (N, 10), in the module's order."""
    tricks = np.empty((len(hands), PREDICTIONS))
    for row in range(len(hands)):
        predict_into(hands[row], contexts[row], tables, tricks[row])
    return tricks


def spread(context: int, tables: TrickTables) -> NDArray[np.float64]:
    """The standard deviation of each of the ten predictions in a context."""
    by_side = [[tables.spread[context, side, 0]] * 4 + [tables.spread[context, side, 1]] for side in range(2)]
    return np.array(by_side).reshape(PREDICTIONS)


@compiled()
def chance_at_least(tricks: int, mean: float, deviation: float) -> float:
    """The chance of that many tricks or more, of a normal about `mean` with the continuity correction."""
    return 0.5 * erfc((tricks - 0.5 - mean) / (deviation * sqrt(2.0)))


@compiled()
def trick_chances(mean: float, deviation: float) -> NDArray[np.float64]:
    """The chances (14,) of exactly 0 .. 13 tricks, of a normal about `mean`; what lies outside goes to the ends."""
    chances = np.empty(14)
    above = 1.0
    for tricks in range(13):
        at_least_next = chance_at_least(tricks + 1, mean, deviation)
        chances[tricks] = above - at_least_next
        above = at_least_next
    chances[13] = above
    return chances


@compiled()
def expected_score(bid: int, doubled: int, chances: NDArray[np.float64], points: NDArray[np.float64]) -> float:
    """The declarer's expected points of a final contract, from the chances (14,) of its tricks.

    `points` is (36, 3, 14) of the declarer by [bid, doubled, tricks], see `solver.auction_states.declarer_points`.
    """
    total = 0.0
    for tricks in range(14):
        total += chances[tricks] * points[bid, doubled, tricks]
    return total


def own_tricks(tables: NDArray[np.int8], role: int) -> NDArray[np.int64]:
    """What exact tables (N, 2, 5), by declarer's role, came to for one role, in the predictions' order: (N, 10)."""
    return np.concatenate([tables[:, role], 13 - tables[:, 1 - role]], axis=1).astype(np.int64)


def _readable_features() -> NDArray[np.float64]:
    """What the tables are drawn towards, by holding: its length, its honours, their company: float (8192, F)."""
    holdings = np.arange(HOLDINGS)
    bits = (holdings[:, None] >> np.arange(13) & 1).astype(np.float64)
    length = bits.sum(axis=1)
    top = bits[:, :6:-1]  # A K Q J T 9
    columns = [(length == n).astype(np.float64) for n in range(14)]
    columns += [top[:, honour] for honour in range(TOP_RANKS)]
    columns += [top[:, honour] * (length == n) for honour in range(4) for n in (1, 2, 3)]
    columns += [top[:, a] * top[:, b] for a in range(TOP_RANKS) for b in range(a + 1, TOP_RANKS)]
    columns += [top[:, honour] * (length - 3) for honour in range(TOP_RANKS)]
    return np.stack(columns, axis=1)


class _Design:
    """The columns of the regression for one kind of contract: readable features, then one column a class.

    The penalty on a class's own column is what makes a rare holding fall back on the readable features.
    """

    def __init__(self, kinds: int, ridge: float, class_ridge: float) -> None:
        sample = np.zeros(CLASSES, dtype=np.int64)
        sample[CLASS_OF_HOLDING] = np.arange(HOLDINGS)
        self.by_class = _readable_features()[sample]
        self.kinds = kinds
        features = self.by_class.shape[1]
        self.width = kinds * (features + CLASSES) + 8
        penalty = np.full(self.width, ridge)
        penalty[kinds * features : kinds * (features + CLASSES)] = class_ridge
        self.penalty = penalty
        self.gram = np.zeros((self.width, self.width))
        self.moment = np.zeros((self.width, 2))

    def add(self, counts: NDArray[np.float64], colons: NDArray[np.int64], targets: NDArray[np.float64]) -> None:
        """Rows: `counts` (n, kinds * 512) of holdings by kind and class; `targets` (n, 2) tricks for the two sides."""
        rows = len(counts)
        split = counts.reshape(rows, self.kinds, CLASSES)
        readable = (split @ self.by_class).reshape(rows, -1)
        matrix = np.concatenate([readable, counts, np.eye(8)[colons]], axis=1)
        self.gram += matrix.T @ matrix
        self.moment += matrix.T @ targets

    def solve(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Tables (2 sides, kinds, 512) and colon tables (2 sides, 8)."""
        seen = np.flatnonzero(self.gram.diagonal())  # the penalty holds the weights of all other columns at zero
        weights = np.zeros((2, self.width))
        gram = self.gram[np.ix_(seen, seen)] + np.diag(self.penalty[seen])
        weights[:, seen] = np.linalg.solve(gram, self.moment[seen]).T
        features = self.by_class.shape[1]
        readable = weights[:, : self.kinds * features].reshape(2, self.kinds, features)
        own = weights[:, self.kinds * features : self.kinds * (features + CLASSES)].reshape(2, self.kinds, CLASSES)
        return readable @ self.by_class.T + own, weights[:, -8:]


def fit(
    hands: NDArray[np.int64],
    contexts: NDArray[np.int64],
    tricks: NDArray[np.int64],
    ridge: float = 3.0,
    class_ridge: float = 40.0,
) -> TrickTables:
    """Fit the model to exact results: `tricks` (N, 10) for the holders of hands (N,) in contexts (N,), see
    `own_tricks`.

    Ridge regression, one per context and kind of contract; a deal gives four rows for the suits, one for no trump. The
    spreads are those of the residuals here; `measure` on other deals is the honest check.
    """
    tables = TrickTables(
        np.zeros((CONTEXTS, 2, CLASSES)),
        np.zeros((CONTEXTS, 2, CLASSES)),
        np.zeros((CONTEXTS, 2, CLASSES)),
        np.zeros((CONTEXTS, 2, 2, 8)),
        np.ones((CONTEXTS, 2, 2)),
    )
    for context in range(CONTEXTS):
        chosen = np.flatnonzero(contexts == context)
        suits, notrump = _Design(2, ridge, class_ridge), _Design(1, ridge, class_ridge)
        for rows in np.array_split(chosen, max(1, len(chosen) // 2000)):
            if not len(rows):
                continue
            classes = CLASS_OF_HOLDING[hands[rows, None] >> np.arange(0, 52, 13) & 0x1FFF]
            one_hot = np.eye(CLASSES)[classes]
            total = one_hot.sum(axis=1)
            colons = hands[rows] >> 52
            notrump.add(total, colons, tricks[rows][:, [4, 9]].astype(np.float64))
            for suit in range(4):
                counts = np.concatenate([one_hot[:, suit], total - one_hot[:, suit]], axis=1)
                suits.add(counts, colons, tricks[rows][:, [suit, 5 + suit]].astype(np.float64))
        by_kind, tables.colons[context, :, 0] = suits.solve()
        tables.trump[context], tables.side[context] = by_kind[:, 0], by_kind[:, 1]
        whole, tables.colons[context, :, 1] = notrump.solve()
        tables.notrump[context] = whole[:, 0]
        if len(chosen):
            error = tricks[chosen] - predict(hands[chosen], contexts[chosen], tables)
            by_side = error.reshape(-1, 2, 5)
            tables.spread[context, :, 0] = by_side[:, :, :4].std(axis=(0, 2))
            tables.spread[context, :, 1] = by_side[:, :, 4].std(axis=0)
    return tables


class Fit(NamedTuple):
    """How well predictions meet exact results: share of the variance explained, root mean square error in tricks."""

    r2: float
    rmse: float


def measure(predicted: NDArray[np.float64], actual: NDArray[np.int64]) -> Fit:
    """The fit of predictions to results of the same shape."""
    error = actual - predicted
    variance = max(float(actual.var()), 1e-9)
    return Fit(1 - float((error**2).mean()) / variance, float(np.sqrt((error**2).mean())))


def calibration(
    predicted: NDArray[np.float64], deviation: NDArray[np.float64], actual: NDArray[np.int64], bins: int = 10
) -> NDArray[np.float64]:
    """Chances said against shares found, for targets of 6 to 13 tricks: rows (bins, 3) of mean chance, share, count."""
    said, found = [], []
    for target in range(6, 14):
        chance = 0.5 * (1 - np.vectorize(erf)((target - 0.5 - predicted) / (deviation * np.sqrt(2.0))))
        said.append(np.ravel(chance))
        found.append(np.ravel(actual >= target))
    chances, hits = np.concatenate(said), np.concatenate(found)
    place = np.minimum((chances * bins).astype(np.int64), bins - 1)
    counts = np.bincount(place, minlength=bins)
    means = np.bincount(place, chances, bins) / np.maximum(counts, 1)
    shares = np.bincount(place, hits, bins) / np.maximum(counts, 1)
    return np.stack([means, shares, counts.astype(np.float64)], axis=1)
