"""Which thirteen to keep: the policy and the integer program propose, exact solving on common worlds decides.

By successive halving: all the keeps meet the first worlds, the better half of them more, and so on. The policy's first
choice is never dropped, and is left only for a keep that leads it by a standard error.
"""

import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

import numpy as np
from numpy.typing import NDArray

from advisor.halving import LEAST_DEALS, Clock, Schedule
from advisor.judging import Judge, estimate, gains_over
from advisor.keep_model import KeepModel, Wishes
from advisor.match import Standing, declaring_shares, game_stakes, point_stakes, scores_to_come, win_chances
from advisor.model import Model, model_for
from advisor.seeds import check_seed
from advisor.trick_model import expected_score, predict, spread, trick_chances
from advisor.worlds import Known
from solver.auction_states import declarer_points, strain_freedom
from solver.cards import Hand, Strain
from solver.errors import RuleError, interruptions
from solver.exchange import Role, check_held, keep_count, legal_keeps
from solver.rules import Rules

MODEL_ERROR = 120.0  # points by which the model's difference of two keeps misses the true one, a standard error
POLICY_KEEPS = 8
PROGRAM_KEEPS = 6  # for each plan
BOTH_PLANS_KEEPS = 2
_TIE_ERRORS = 2.0


@dataclass(frozen=True, slots=True)
class Choice:
    """One keep and what was found of it; values are the player's, in points or in chances to win the game.

    Attributes:
        keep: the thirteen.
        throw: the rest.
        plan: the strain that it is likeliest to declare best in.
        score: the expected value: the recommended keep's and the gap to it.
        error: the standard error of `score`; None when nothing was sampled.
        gap: what it is worth more than the recommended keep (negative: less), from the worlds that both met.
        gap_error: the standard error of that; None when nothing was sampled.
        model: the policy's own value of it, in points.
        par: the mean of par alone; None when nothing was sampled.
        blueprint: the mean of the smoothed blueprint value alone; None when nothing was sampled.
        samples: the worlds that it met.
    """

    keep: Hand
    throw: Hand
    plan: Strain
    score: float
    error: float | None
    gap: float
    gap_error: float | None
    model: float
    par: float | None
    blueprint: float | None
    samples: int

    @property
    def is_tie(self) -> bool:
        """Whether the gap to the recommended keep is within two standard errors."""
        return self.gap_error is not None and abs(self.gap) < _TIE_ERRORS * self.gap_error


@dataclass(frozen=True, slots=True)
class Advice:
    """What to keep.

    Attributes:
        known: the situation.
        choices: the keeps tried, the recommended one first and then by score.
        first_choice: the policy's own keep.
        samples: how many worlds the recommended keep met.
        built_for: the rules that model and blueprint were computed for.
        standing: the game's standing, where the values are chances to win it.
        interrupted: whether the player stopped it.
        out_of_time: whether the time ended it before all the worlds were met.
    """

    known: Known
    choices: tuple[Choice, ...]
    first_choice: Hand
    samples: int
    built_for: Rules
    standing: Standing | None = None
    interrupted: bool = False
    out_of_time: bool = False

    @property
    def recommended(self) -> Choice:
        """The keep to make."""
        return self.choices[0]


def candidates(
    program: KeepModel, policys: Sequence[int], model: Model, count: int, everything: bool = False
) -> list[int]:
    """The keeps to decide between, the first of `policys` first and then by the policy's value.

    Half of them are the best of `policys`, the rest what the integer program finds for each plan and the best keeps
    with and without each colon held, the most valuable first. With `everything` all the keeps there are come instead.
    """
    wishes = program.wishes
    found = dict.fromkeys(policys[:POLICY_KEEPS])
    if everything:
        every = legal_keeps(program.held, wishes.keep, wishes.throw)
        found |= dict.fromkeys(hand.mask for hand in every if program.meets(hand.mask))
    else:
        for colon in range(52, 55):
            for kept in (0, 1):
                found |= dict.fromkeys([keep for keep in policys if keep >> colon & 1 == kept][:1])
        pools = {plan: [each.keep for each in program.pool((plan,), PROGRAM_KEEPS)] for plan in program.plans()}
        if len(pools) > 1:
            # The two plans whose keeps the policy values most are kept open together.
            plans = sorted(pools, key=lambda plan: -_policy_values(pools[plan], program.context, model).max())[:2]
            if program.allows(plans):
                pools[plans[0]] += [each.keep for each in program.pool(plans, BOTH_PLANS_KEEPS)]
        found |= dict.fromkeys(keep for pool in pools.values() for keep in pool)
    values = dict(zip(found, _policy_values(list(found), program.context, model), strict=True))
    ranked = sorted(found, key=lambda keep: -values[keep])
    first = policys[0] if policys else ranked[0]
    ranked = [first, *(keep for keep in ranked if keep != first)]
    if everything or len(ranked) <= count:
        return ranked
    half = set(ranked[:1]) | set(policys[: count // 2])
    rest = [keep for keep in ranked if keep not in half][: count - len(half)]
    return [keep for keep in ranked if keep in half or keep in rest]


def _policy_values(keeps: Sequence[int], context: int, model: Model) -> NDArray[np.float64]:
    """The policy's value of each keep, in points."""
    return model.exchange.values(np.array(keeps, dtype=np.int64), context)


def plan_of(keep: int, context: int, model: Model, points: NDArray[np.float64], among: Sequence[Strain]) -> Strain:
    """The strain of the bid that scores most for a hand if the auction ends with it, by the trick model."""
    tricks = predict(np.array([keep]), np.array([context]), model.tricks)[0]
    deviations = spread(context, model.tricks)
    freedom = strain_freedom(keep, 1)
    best, plan = -np.inf, among[0]
    for strain in among:
        chances = trick_chances(tricks[strain], deviations[strain])
        bids = range((strain + 1) % 5, 36, 5)
        score = max(expected_score(bid, 0, chances, points) for bid in bids)
        if freedom[strain] and score > best:
            best, plan = score, strain
    return plan


def advise(
    known: Known,
    *,
    wishes: Wishes | None = None,
    schedule: Schedule,
    standing: Standing | None = None,
    seed: int = 0,
    threads: int | None = None,
    model: Model | None = None,
    progress: Callable[[int, int], None] | None = None,
    started: float | None = None,
) -> Advice:
    """What to keep of the cards held.

    `standing` makes the values chances to win the game. `progress` is called with the deals solved so far and those
    planned; `started` is when the schedule's time began, by `time.monotonic`. A KeyboardInterrupt ends the search for
    keeps and the sampling, not the advice. The same seed and schedule give the same advice for any number of
    threads, unless time runs out.

    Raises:
        RuleError: the cards cannot be what the player holds, or no keep meets the wishes; all that is wrong is named.
        BridgetteError: the seed is none.
    """
    if known.upcard is None:
        raise RuleError("the upcard is not told; expected it, for what is drawn goes by it")
    check_held(known.cards, known.role, known.upcard, known.rules)
    check_seed(seed)
    started = time.monotonic() if started is None else started
    model = model or model_for(known.rules)
    wishes = wishes or Wishes()
    context, draw_class = known.context or 0, known.draw_class or 0
    shares = declaring_shares(known.role, draw_class)
    stakes = point_stakes(known.rules) if standing is None else game_stakes(standing, known.role, known.rules)
    program = KeepModel(known.cards, context, model.tricks, shares, wishes, known.rules.nt_jump_min)
    listed, _ = model.exchange.keeps(known.cards.mask & ~wishes.throw.mask, context, wishes.keep.mask)
    policys = [int(keep) for keep in listed if program.meets(int(keep))]
    keeps = policys[:POLICY_KEEPS]
    interrupted = False
    early = Judge(known, policys[: min(POLICY_KEEPS, schedule.keeps // 2)], model, stakes, seed, threads)
    if schedule.rounds or not policys:
        everything = schedule.keeps >= keep_count(known.cards, wishes.keep, wishes.throw)
        with ThreadPoolExecutor(1) as beside:
            # These are tried in any case: they meet the first worlds while the program looks for others.
            found = Event()
            met = beside.submit(_meet_until, found, early, schedule.first_worlds)
            try:
                with interruptions():
                    keeps = candidates(program, policys, model, schedule.keeps, everything)
                    found.set()
                    met.result()
            except KeyboardInterrupt:
                if not policys:
                    raise
                interrupted, schedule = True, Schedule(())
            finally:
                found.set()
    worth = _policy_values(keeps, context, model)
    judge = Judge(known, keeps, model, stakes, seed, threads)
    if not interrupted:
        judge.adopt(early)
    sampling = _Sampling(judge, worth, schedule, Clock(schedule.seconds, started), progress)
    try:
        with interruptions():
            sampling.run()
    except KeyboardInterrupt:
        interrupted = True
    choices = _choices(judge, worth, sampling.still_in, program, standing)
    return Advice(
        known,
        choices,
        Hand(keeps[0]),
        choices[0].samples,
        model.built_for,
        standing,
        interrupted,
        sampling.cut_short,
    )


def _meet_until(found: Event, judge: Judge, worlds: int) -> None:
    """Let all the judge's keeps meet the first worlds until all are met or something else is found."""
    for world in range(worlds):
        if found.is_set():
            return
        judge.meet(range(len(judge.keeps)), world, 1)


class _Sampling:
    """The rounds of a schedule: keeps meet worlds, and the better half stays in; shortened where the time demands it.

    `still_in` are the keeps not dropped, the first always; `cut_short` tells whether the time left worlds unmet.
    """

    def __init__(
        self,
        judge: Judge,
        worth: NDArray[np.float64],
        schedule: Schedule,
        clock: Clock,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.still_in = list(range(len(judge.keeps)))
        self.cut_short = False
        self._judge, self._worth, self._clock, self._progress = judge, worth, clock, progress
        self._schedule = schedule
        self._reached = self._solved = 0

    def run(self) -> None:
        """Go through the rounds; an interruption leaves what was found until then."""
        rounds = list(self._schedule.rounds)
        while rounds:
            most, worlds = rounds.pop(0)
            if len(self.still_in) > most:
                self._drop(most)
            while self._reached < worlds:
                out_of_time = self._step(worlds)
                if out_of_time:
                    self.cut_short = self._reached < self._schedule.worlds
                    return
                left = self._clock.deals_left()
                if not self.cut_short and left is not None and self._solved + left < self._schedule.deals:
                    # Rather than end among the many keeps of the first rounds, fewer go through fewer worlds.
                    self.cut_short = True
                    shorter = Schedule.of_deals(max(LEAST_DEALS, self._solved + left), len(self._judge.known.cards))
                    rounds = [(keeps, to) for keeps, to in shorter.rounds if to > self._reached]
                    break

    def _drop(self, most: int) -> None:
        judge = self._judge
        gains = estimate(judge.mean_values(), judge.in_unit(self._worth), judge.in_unit(MODEL_ERROR)).gains
        ranked = sorted(self.still_in[1:], key=lambda keep: -gains[keep])
        self.still_in = [0, *ranked[: max(1, most - 1)]]

    def _step(self, worlds: int) -> bool:
        """Some more worlds; whether the time is over."""
        batch = min(worlds - self._reached, max(1, self._clock.deals // len(self.still_in)))
        solved = self._judge.meet(self.still_in, self._reached, batch)
        self._reached += batch
        self._solved += batch * len(self.still_in)
        if self._progress is not None:
            self._progress(self._solved, max(self._solved, self._schedule.deals))
        return self._clock.is_out_of_time(solved, len(self.still_in))


def _choices(
    judge: Judge, worth: NDArray[np.float64], still_in: Sequence[int], program: KeepModel, standing: Standing | None
) -> tuple[Choice, ...]:
    """Every keep with what was found of it, the recommended one first."""
    known, model = judge.known, judge.model
    values = judge.mean_values()
    met = (~np.isnan(values)).sum(axis=1)
    if met[0] < 2:
        recommended = 0
        scores = worth if standing is None else _chances_of(worth, known, standing)
        gaps, gap_errors, errors = scores - scores[0], None, None
    else:
        prior, prior_error = judge.in_unit(worth), judge.in_unit(MODEL_ERROR)
        found = estimate(values, prior, prior_error)
        recommended = max(still_in, key=lambda keep: found.gains[keep])
        if found.gains[recommended] <= found.errors[recommended]:
            recommended = 0
        gaps, gap_errors = gains_over(values, recommended, prior, prior_error)
        scores = float(values[0].mean()) + found.gains[recommended] + gaps
        of_recommended = values[recommended][~np.isnan(values[recommended])]
        errors = np.hypot(of_recommended.std(ddof=1) / np.sqrt(len(of_recommended)), gap_errors)
    plans = program.plans() or (Strain.NOTRUMP,)
    points = declarer_points(known.rules)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of keeps that met no world
        means = np.nanmean(judge.values, axis=1) if judge.values.shape[1] else None
    order = sorted(range(len(worth)), key=lambda keep: (keep != recommended, -scores[keep]))
    return tuple(
        Choice(
            keep=Hand(int(judge.keeps[place])),
            throw=known.cards - Hand(int(judge.keeps[place])),
            plan=plan_of(int(judge.keeps[place]), program.context, model, points, plans),
            score=float(scores[place]),
            error=None if errors is None else float(errors[place]),
            gap=float(gaps[place]),
            gap_error=None if gap_errors is None else float(gap_errors[place]),
            model=float(worth[place]),
            par=None if means is None else float(means[place, 0]),
            blueprint=None if means is None else float(means[place, 1]),
            samples=int(met[place]),
        )
        for place in order
    )


def _chances_of(worth: NDArray[np.float64], known: Known, standing: Standing) -> NDArray[np.float64]:
    """The chances to win the game of keeps worth so many points, their deals spread as such deals are."""
    spread_of = scores_to_come(known.rules, draw_class=known.draw_class)
    points = spread_of.points if known.role == Role.DEALER else spread_of.turned.points
    shares = spread_of.shares if known.role == Role.DEALER else spread_of.turned.shares
    chances = win_chances(standing, known.role, known.rules)
    return np.array([float(shares @ chances(points + (value - shares @ points))) for value in worth])
