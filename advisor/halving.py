"""How many keeps meet how many worlds: successive halving within a number of deals or a time, and the clock for it."""

import time
from dataclasses import dataclass

from advisor.judging import FEW_WORLDS
from solver.compiled import seconds_compiling

START_SECONDS = 1.5  # before the first deal is solved: loading, and the integer program's proposals
DEALS_A_SECOND = {15: 400, 17: 200, 21: 200, 25: 200}  # by the cards held, solved and valued on two cores
DEFAULT_SECONDS = {15: 3.0, 17: 4.0, 21: 5.0, 25: 5.0}  # by the cards held
END_SECONDS = 0.65  # kept free for showing the answer, and for a step that takes longer than it should
LEAST_DEALS = 60  # that are worth solving at all
_BATCH = 64  # deals solved at a time, where the clock does not matter
_STEP_SECONDS = 0.25  # between two looks at the clock, about, where it does
_PACE_SECONDS = 0.1  # of solving, after which the pace is known
_ALL_KEEPS_UP_TO = 15  # cards held: so many keeps, 105, can all be tried
# Deals that can be solved, and how many keeps are worth trying then, the first line for few cards held only.
_KEEPS_BY_DEALS = ((12_000, 105), (3_000, 32), (700, 20), (250, 14), (150, 8), (0, 6))
_FEW_KEEPS, _FEWEST_WORLDS = 8, 8  # so few keeps need not meet FEW_WORLDS before the first is dropped
_SAMPLES_FOR_ALL = 1000


@dataclass(frozen=True, slots=True)
class Schedule:
    """How the worlds are spent: `rounds` of (keeps still in, worlds reached), and the time after which to stop.

    `seconds` None: no limit. No rounds: the policy's own answer.
    """

    rounds: tuple[tuple[int, int], ...]
    seconds: float | None = None

    @property
    def keeps(self) -> int:
        """How many keeps are tried."""
        return self.rounds[0][0] if self.rounds else 1

    @property
    def first_worlds(self) -> int:
        """How many worlds all the keeps meet."""
        return self.rounds[0][1] if self.rounds else 0

    @property
    def worlds(self) -> int:
        """How many worlds the keeps meet that stay in to the end."""
        return self.rounds[-1][1] if self.rounds else 0

    @property
    def deals(self) -> int:
        """How many deals it solves."""
        total, reached = 0, 0
        for keeps, worlds in self.rounds:
            total += keeps * (worlds - reached)
            reached = worlds
        return total

    @classmethod
    def halving(cls, keeps: int, worlds: int, seconds: float | None = None) -> "Schedule":
        """All keeps meet an eighth of the worlds, two in five of them a quarter, one in five (three at least) all."""
        if worlds <= 0 or keeps <= 1:
            return cls((), seconds)
        fewest = _FEWEST_WORLDS if keeps <= _FEW_KEEPS else FEW_WORLDS
        rounds = [(keeps, min(worlds, max(fewest, worlds // 8)))]
        for keeps_left, reached in ((-(-2 * keeps // 5), worlds // 4), (-(-keeps // 5), worlds)):
            if reached > rounds[-1][1]:
                rounds.append((max(3, keeps_left), reached))
        return cls(tuple(rounds), seconds)

    @classmethod
    def of_time(cls, seconds: float, held: int) -> "Schedule":
        """What two cores do in that time: more keeps and more worlds the more there is of it.

        The schedule depends on the time allowed alone, not on the machine; on a slower one the clock shortens it.
        """
        return cls.of_deals(int((seconds - START_SECONDS) * DEALS_A_SECOND[held]), held, seconds)

    @classmethod
    def of_deals(cls, deals: int, held: int, seconds: float | None = None) -> "Schedule":
        """As many keeps and worlds as so many deals allow."""
        if deals < LEAST_DEALS:
            return cls((), seconds)
        all_keeps = held <= _ALL_KEEPS_UP_TO
        keeps = next(keeps for needed, keeps in _KEEPS_BY_DEALS[0 if all_keeps else 1 :] if deals >= needed)
        worlds = FEW_WORLDS
        while cls.halving(keeps, worlds + 4).deals <= deals:
            worlds += 4
        return cls.halving(keeps, worlds, seconds)

    @classmethod
    def of_samples(cls, samples: int, held: int) -> "Schedule":
        """So many worlds for the keeps that stay in to the end, however long it takes."""
        number = 0 if samples >= _SAMPLES_FOR_ALL and held <= _ALL_KEEPS_UP_TO else 2 if samples >= 100 else 4
        return cls.halving(_KEEPS_BY_DEALS[number][1], samples)


class Clock:
    """Tells how many deals to solve at a time, how many there is time for, and when the time is over.

    Compiling takes none of the time.
    """

    def __init__(self, seconds: float | None, started: float) -> None:
        self._started = started
        self._end = None if seconds is None else started + seconds - END_SECONDS
        self._last = self._now()
        self._pace_from: float | None = None  # the end of the first step, in which the search is loaded
        self._solved = 0  # since then
        self.deals = 1 if self._end is not None else _BATCH

    def _now(self) -> float:
        return time.monotonic() - seconds_compiling(self._started)

    def is_out_of_time(self, solved: int, least: int) -> bool:
        """After a step in which so many deals were solved: whether there is no time for `least` more."""
        now = self._now()
        step, self._last = now - self._last, now
        if self._end is None:
            return False
        if self._pace_from is None:
            self._pace_from = now
        else:
            self._solved += solved
        left = self._end - now
        self.deals = max(1, min(_BATCH, int(min(_STEP_SECONDS, left) * solved / max(step, 1e-3))))
        return left < (step * least / solved if solved else 0.0)

    def deals_left(self) -> int | None:
        """How many more deals there is time for at the pace so far; None without an end or while that is unknown."""
        if self._end is None or self._pace_from is None or self._last - self._pace_from < _PACE_SECONDS:
            return None
        return max(0, int(self._solved * (self._end - self._last) / (self._last - self._pace_from)))
