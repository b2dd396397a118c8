"""Which card to play: every legal card by its expected score, solved exactly in the same worlds for all cards.

A world is a hand that the opponent may hold, see `advisor.card_worlds`; in each, every legal card has its exact value
with all cards open, and what counts is what the contract then scores, not the tricks. The worlds worked out are taken
by weight until a fixed amount of searching is done, so that the same seed gives the same advice on any machine.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.card_worlds import any_lawful_worlds, card_worlds
from advisor.match import Standing, win_chances
from advisor.model import Model, model_for
from advisor.picking import effective_number, mean_and_error, order_of, priorities, shares_of
from advisor.seeds import check_seed
from advisor.seen import PlaySoFar, Seen, follow, remaining
from solver.cards import HAND_SIZE, Card
from solver.deal import Seat
from solver.double_dummy import Solver
from solver.errors import BridgetteError, RuleError
from solver.rules import Rules
from solver.scoring import score

DEFAULT_SAMPLES = 200
DEFAULT_SEED = 1
SEARCH_BUDGET = 800_000
"""Positions looked at, after which no more worlds are begun: about a second of one core."""

_CANDIDATES = 1_000
_MOST_CANDIDATES = 4_000
_WANTED = 100  # effective candidates
_TOO_FEW = 10
_BATCH = 16
_TABLE_BITS = 14
_TIE = 2.0


@dataclass(frozen=True, slots=True)
class CardAdvice:
    """What is to be said of one legal card, from South's view.

    Attributes:
        card: the card.
        score, se: South's expected points less North's (or its chance to win the game), and the standard error.
        gap, gap_se: how much less than the best card on the same worlds (0 or negative), and its standard error.
        tricks, tricks_se: the tricks of the 13 that South then takes in all, and the standard error.
        made, made_se: the chance that the contract makes, whoever declares, and the standard error.
    """

    card: Card
    score: float
    se: float
    gap: float
    gap_se: float
    tricks: float
    tricks_se: float
    made: float
    made_se: float

    @property
    def is_level(self) -> bool:
        """Whether it cannot be told from the best card: the gap is under two of its standard errors."""
        return -self.gap <= _TIE * self.gap_se


@dataclass(frozen=True, slots=True)
class Advice:
    """Which card to play.

    Attributes:
        card: the one recommended, the first of `cards`.
        cards: every legal card, the best expected score first.
        declaring: whether South declares.
        samples: worlds solved; `effective` is how many equally likely ones would tell as much.
        fitted: whether the worlds had to be made to fit, because the opponent exchanged or called quite unlike the
            computed strategies.
        in_chances: scores are chances to win the game, not points.
        built_for: the rules that the strategies were computed for.
    """

    card: Card
    cards: tuple[CardAdvice, ...]
    declaring: bool
    samples: int
    effective: float
    fitted: bool
    in_chances: bool
    built_for: Rules

    def __getitem__(self, card: Card) -> CardAdvice:
        """The advice on one legal card."""
        return next(each for each in self.cards if each.card == card)


def advise(
    seen: Seen,
    *,
    samples: int = DEFAULT_SAMPLES,
    budget: int = SEARCH_BUDGET,
    standing: Standing | None = None,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    model: Model | None = None,
) -> Advice:
    """Every legal card by its expected score, with at most `samples` worlds and about `budget` positions searched.

    With the game's standing before this deal the scores are chances to win the game. The answer does not depend on the
    number of threads.

    Raises:
        RuleError: no hand of the opponent fits what has been seen.
        BridgetteError: the seed is none, or fewer than one sample is asked for.
    """
    check_seed(seed)
    if samples < 1:
        raise BridgetteError(f"{samples} samples; expected at least 1")
    model = model_for(seen.rules) if model is None else model
    play = follow(seen)
    hands, weights, fitted = _candidates(seen, play, model, seed)
    priority = priorities(weights, seed)
    order = order_of(priority)
    legal = play.legal(seen.rules).cards
    tricks = _solved(seen, play, legal, hands[order[:samples]].tolist(), budget, threads)
    shares = shares_of(weights, priority, order, len(tricks))
    worth = _worth(seen, standing)
    values = worth[tricks]
    scores, errors = mean_and_error(values, shares)
    mean_tricks, tricks_errors = mean_and_error(tricks.astype(float), shares)
    makes = _makes(seen)[tricks]
    made, made_errors = mean_and_error(makes, shares)
    best = min(
        range(len(legal)), key=lambda place: _rank(float(scores[place]), float(mean_tricks[place]), legal[place])
    )
    gaps, gap_errors = mean_and_error(values - values[:, [best]], shares)
    columns = (scores, errors, gaps, gap_errors, mean_tricks, tricks_errors, made, made_errors)
    found = [CardAdvice(card, *(float(column[place]) for column in columns)) for place, card in enumerate(legal)]
    return Advice(
        legal[best],
        tuple(sorted(found, key=lambda each: _rank(each.score, each.tricks, each.card))),
        seen.contract.declarer == Seat.SOUTH,
        len(tricks),
        effective_number(shares),
        fitted,
        standing is not None,
        model.built_for,
    )


def _rank(points: float, tricks: float, card: Card) -> tuple[float, float, bool, int, int]:
    """The order of cards: by score, by tricks, then a suit card before a colon and low before high."""
    return -round(points, 9), -round(tricks, 9), card.is_colon, card.rank or 0, card.index


def _candidates(
    seen: Seen, play: PlaySoFar, model: Model, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], bool]:
    """Hands that North may have started with (N,), weights (N,), and whether they had to be made to fit."""
    hands, weights = np.zeros(0, dtype=np.int64), np.zeros(0)
    while len(hands) < _MOST_CANDIDATES and effective_number(weights) < _WANTED:
        more = card_worlds(seen, play, model, seed, _CANDIDATES, len(hands))
        hands, weights = np.concatenate([hands, more.hands]), np.concatenate([weights, more.weights])
    if effective_number(weights) >= _TOO_FEW or _is_all(hands, weights, play):
        return hands, weights, False
    fitted = any_lawful_worlds(seen, play, model, seed, _CANDIDATES)
    total = weights.sum()
    if not len(fitted.hands) and not total:
        raise RuleError("no hand of the opponent fits the calls and the cards played; expected some to be possible")
    # Half the weight to what the strategies allow, half to what the law allows.
    share = weights / total if total else weights
    lawful = fitted.weights / fitted.weights.sum() if len(fitted.hands) else fitted.weights
    return np.concatenate([hands, fitted.hands]), np.concatenate([share, lawful]), True


def _is_all(hands: NDArray[np.int64], weights: NDArray[np.float64], play: PlaySoFar) -> bool:
    """Whether few hands are left because North has few cards left, not because it behaved strangely."""
    return bool(weights.any()) and HAND_SIZE - len(play.theirs) <= 1


def _solved(
    seen: Seen, play: PlaySoFar, legal: Sequence[Card], hands: Sequence[int], budget: int, threads: int | None
) -> NDArray[np.int64]:
    """South's tricks in all, (N, C) by [world, legal card], for the first worlds until the budget is spent."""
    known: dict[int, tuple[NDArray[np.int64], int]] = {}
    found: list[NDArray[np.int64]] = []
    spent = 0

    def solve(mask: int) -> tuple[NDArray[np.int64], int]:
        # A search of its own for each world: what one costs then does not depend on which others came before.
        solver = Solver(seen.rules, table_bits=_TABLE_BITS)
        values = dict(solver.card_values(play.position(seen, remaining(play, mask))))
        return play.tricks[Seat.SOUTH] + np.array([values[card] for card in legal]), solver.probed

    with ThreadPoolExecutor(threads or 2) as pool:
        for start in range(0, len(hands), _BATCH):
            left = [remaining(play, hand).mask for hand in hands[start : start + _BATCH]]
            new = [mask for mask in dict.fromkeys(left) if mask not in known]
            wanted = [hand for hand in hands[start : start + _BATCH] if remaining(play, hand).mask in new]
            by_mask = {remaining(play, hand).mask: hand for hand in wanted}
            known.update(zip(new, pool.map(solve, [by_mask[mask] for mask in new]), strict=True))
            found += [known[mask][0] for mask in left]
            spent += sum(known[mask][1] for mask in new)
            if spent >= budget:
                break
    return np.array(found)


def _worth(seen: Seen, standing: Standing | None) -> NDArray[np.float64]:
    """What the contract is worth to South by South's tricks, (14,): points, or chances to win the game."""
    points = np.array([_points(seen, tricks) for tricks in range(HAND_SIZE + 1)], dtype=float)
    if standing is None:
        return points
    return win_chances(standing, seen.roles[0], seen.rules)(points)


def _points(seen: Seen, tricks: int) -> int:
    declares = seen.contract.declarer == Seat.SOUTH
    return score(seen.contract, tricks if declares else HAND_SIZE - tricks, seen.rules).points(Seat.SOUTH)


def _makes(seen: Seen) -> NDArray[np.float64]:
    """Whether the contract makes, by South's tricks, (14,)."""
    tricks = np.arange(HAND_SIZE + 1)
    declarers = tricks if seen.contract.declarer == Seat.SOUTH else HAND_SIZE - tricks
    return (declarers >= seen.contract.bid.tricks).astype(float)
