"""Keeps on common worlds: deals solved exactly, valued by par and by the blueprint, and what that says of the keeps.

A keep's value in a world is the mean of par and of the smoothed blueprint value. All keeps meet the same worlds, so
what is estimated is each one's gain over the first; it is shrunk towards what the exchange policy's model says of it,
the less the more worlds there are.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from advisor.blueprint import NEIGHBOURS
from advisor.match import Stakes, point_stakes
from advisor.model import Model
from advisor.outcomes import ending_scores, open_card_value, values_by_strategy
from advisor.packs import DRAW_CLASSES
from advisor.worlds import Known, sample_worlds
from solver.auction_states import CALLS, OPENING, STATES, strain_freedom
from solver.compiled import compiled
from solver.exchange import Role

FEW_WORLDS = 12  # with fewer the differences seen say little of how they scatter
SCATTER = 2.4  # of two keeps' differences from world to world, in errors of the model: 285 points of 120 were measured

FloatOrArray = TypeVar("FloatOrArray", float, NDArray[np.float64])


@compiled()
def _values(
    tricks: NDArray[np.int8],
    own_row: NDArray[np.int64],
    world_row: NDArray[np.int64],
    own: NDArray[np.float64],
    theirs: NDArray[np.float64],
    freedom: NDArray[np.int8],
    their_freedom: NDArray[np.int8],
    role: int,
    contracts: NDArray[np.float64],
    passed_out: float,
) -> NDArray[np.float64]:
    """Par and blueprint value (N, 2) for the dealer; deal n is keep own_row[n] against world world_row[n]."""
    found = np.empty((len(tricks), 2))
    scores, values = np.empty(STATES), np.empty(STATES)
    strategies = np.empty((STATES, CALLS))
    free = np.empty((2, 5), dtype=np.int8)
    for deal in range(len(tricks)):
        keep, world = own_row[deal], world_row[deal]
        free[role] = freedom[keep]
        free[1 - role] = their_freedom[world]
        ending_scores(tricks[deal], contracts, passed_out, scores)
        found[deal, 0] = open_card_value(scores, free, values)
        strategies[:] = own[keep] + theirs[world]
        values_by_strategy(strategies, scores, values)
        found[deal, 1] = values[OPENING]
    return found


class Judge:
    """Keeps of one situation on common worlds: deals solved exactly and valued by both yardsticks.

    `values` (keeps, worlds, 2) are the player's, by [keep, world, par or blueprint], NaN where a keep has not met a
    world; `points` (keeps, worlds, 2) are the same in points where the stakes are others.
    """

    def __init__(
        self,
        known: Known,
        keeps: Sequence[int],
        model: Model,
        stakes: Stakes,
        seed: int,
        threads: int | None = None,
    ) -> None:
        self.known = known
        self.keeps = np.array(keeps, dtype=np.int64)
        self.model = model
        self.stakes = stakes
        self.seed = seed
        self.threads = threads
        self.values: NDArray[np.float64] = np.empty((len(self.keeps), 0, 2))
        self.points = self.values
        self._in_points = point_stakes(known.rules)
        self._draw_class = known.draw_class or 0
        self._own = self._strategies(self.keeps, known.role)
        self._freedom = self._free(self.keeps)

    def meet(self, chosen: Sequence[int], first: int, worlds: int) -> int:
        """Solve and value the chosen keeps in worlds number first .. first + worlds - 1, where that is not done.

        Returns:
            How many deals there were to solve.
        """
        from solver.double_dummy import solve_tables

        self._make_room(first + worlds)
        keeps = np.array(chosen, dtype=np.int64)
        world_row, place = np.nonzero(np.isnan(self.values[keeps, first : first + worlds, 0]).T)
        own_row = keeps[place]
        if not len(own_row):
            return 0
        sampled = sample_worlds(self.known, self.model.exchange, self.seed, worlds, first)
        mine, theirs = self.keeps[own_row], sampled.hands[world_row]
        dealer, other = (mine, theirs) if self.known.role == Role.DEALER else (theirs, mine)
        tricks = solve_tables(
            dealer, other, free_colon_discard=self.known.rules.free_colon_discard, threads=self.threads
        )
        their_strategies = self._strategies(sampled.hands, Role(1 - self.known.role))
        their_freedom = self._free(sampled.hands)
        for stakes, room in ((self.stakes, self.values), (self._in_points, self.points)):
            found = _values(
                tricks,
                own_row,
                world_row,
                self._own,
                their_strategies,
                self._freedom,
                their_freedom,
                int(self.known.role),
                stakes.contracts,
                stakes.passed_out,
            )
            room[own_row, first + world_row] = stakes.mine(found, self.known.role)
        return len(own_row)

    def adopt(self, other: "Judge") -> None:
        """Take over what another judge of the same situation, stakes and seed has found of keeps judged here too."""
        self._make_room(other.values.shape[1])
        worlds = slice(0, other.values.shape[1])
        for place, keep in enumerate(other.keeps):
            here = np.flatnonzero(self.keeps == keep)
            self.values[here, worlds] = other.values[place]
            self.points[here, worlds] = other.points[place]

    def mean_values(self) -> NDArray[np.float64]:
        """The mean of both yardsticks, (keeps, worlds)."""
        mean: NDArray[np.float64] = self.values.mean(axis=-1)
        return mean

    def _make_room(self, worlds: int) -> None:
        missing = worlds - self.values.shape[1]
        if missing > 0:
            empty = np.full((len(self.keeps), missing, 2), np.nan)
            self.values = np.concatenate([self.values, empty], axis=1)
            self.points = np.concatenate([self.points, empty], axis=1)

    def _strategies(self, hands: NDArray[np.int64], role: Role) -> NDArray[np.float64]:
        context = DRAW_CLASSES * role + self._draw_class
        strategies = [self.model.blueprint.strategy(int(hand), context, NEIGHBOURS) for hand in hands]
        return np.stack(strategies) if strategies else np.empty((0, STATES, CALLS))

    def _free(self, hands: NDArray[np.int64]) -> NDArray[np.int8]:
        return np.array([strain_freedom(int(hand), self.known.rules.nt_jump_min) for hand in hands], dtype=np.int8)

    def in_unit(self, points: FloatOrArray) -> FloatOrArray:
        """Differences in points as differences in the unit of the stakes, by the slope of the first keep's values."""
        values = self.values[0].mean(axis=-1)
        as_points = self.points[0].mean(axis=-1)
        if len(values) < 2 or not as_points.std():
            return points * 0.0
        return points * float(np.cov(values, as_points)[0, 1] / as_points.var(ddof=1))


class Estimate(NamedTuple):
    """Gains of keeps over the first, (K,), and their standard errors, (K,)."""

    gains: NDArray[np.float64]
    errors: NDArray[np.float64]


def estimate(values: NDArray[np.float64], model: NDArray[np.float64], model_error: float) -> Estimate:
    """How much more each keep is worth than the first, from `values` (K, N), NaN where a keep has not met a world.

    The mean of the paired differences and the model's difference (`model` (K,), in the values' unit, missing the true
    one by `model_error`) are weighted by the inverse squares of their errors. Of fewer than FEW_WORLDS differences the
    missing ones are taken to scatter as such differences do, for two alike would seem sure.
    """
    gains, errors = np.zeros(len(values)), np.zeros(len(values))
    least = max(model_error, 1e-6) / 1000
    for keep in range(1, len(values)):
        differences = values[keep] - values[0]
        differences = differences[~np.isnan(differences)]
        prior = model[keep] - model[0]
        if len(differences) < 2:
            gains[keep], errors[keep] = prior, model_error
            continue
        missing = max(0, FEW_WORLDS - len(differences))
        squares = len(differences) * differences.var() + missing * (SCATTER * model_error) ** 2
        error = max(float(np.sqrt(squares / (len(differences) + missing - 1) / len(differences))), least)
        weight = model_error**2 / (error**2 + model_error**2)
        gains[keep] = weight * differences.mean() + (1 - weight) * prior
        errors[keep] = np.sqrt(weight) * error
    return Estimate(gains, errors)


def gains_over(values: NDArray[np.float64], keep: int, model: NDArray[np.float64], model_error: float) -> Estimate:
    """How much more each keep is worth than keep number `keep`, each on the worlds that both met; see `estimate`."""
    pairs = [
        estimate(values[[keep, other]], model[[keep, other]], model_error) if other != keep else None
        for other in range(len(values))
    ]
    return Estimate(
        np.array([0.0 if pair is None else pair.gains[1] for pair in pairs]),
        np.array([0.0 if pair is None else pair.errors[1] for pair in pairs]),
    )
