"""Duplicate matches between ways to exchange and to bid: the same 55 cards, seats swapped, scored by exact tables.

    python -m benchmarks.arena policy/blueprint longest/greedy+1 --orders 3000

A player is EXCHANGE/AUCTION. Exchanges: highest, longest, policy. Auctions: greedy, greedy+1 (a bidding opponent is
given one trick more), blueprint. `policy@FILE` and `blueprint@FILE` take another model than the one installed, such as
that of an earlier round, which `python -m advisor.build` leaves in its folder.
Auctions are not sampled: a deal counts its expected score. The error is the standard error of the mean over orders of
the pack.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

import joblib
import numpy as np
from numpy.typing import NDArray

from advisor.baselines import greedy_strategy, highest_cards, longest_suit_and_honours
from advisor.match import point_stakes
from advisor.model import Model, load, model_for
from advisor.packs import DEALER, DRAW_CLASSES, NONDEALER, Exchange, exchange, held_after_draws, shuffle_packs
from advisor.strategies import values_of
from solver.auction_states import OPENING, STATES, declarer_points
from solver.deal import Seat
from solver.double_dummy import solve_tables
from solver.errors import BridgetteError
from solver.par import par_scores
from solver.rules import DEFAULT_RULES, Rules

HELD_OUT_SEED = 900_001  # the build's seeds are 1000 * its own and a few more
_PART = 100


class Bidder(Protocol):
    """A way to bid."""

    def strategy(self, hand: int, context: int) -> NDArray[np.float64]:
        """The shares of the calls (218, 38) for a hand in a context; zero in the states where the opponent calls."""
        ...


@dataclass(frozen=True, slots=True)
class Greedy:
    """The call that scores most if the auction ended with it; see `advisor.baselines.greedy_strategy`."""

    model: Model
    inference: float
    rules: Rules = DEFAULT_RULES

    def strategy(self, hand: int, context: int) -> NDArray[np.float64]:
        """One call a state, share 1."""
        points = declarer_points(self.rules)
        return greedy_strategy(hand, context, self.inference, self.model.tricks, points, self.rules.nt_jump_min)


class Player(NamedTuple):
    """A name, a way to exchange and a way to bid."""

    name: str
    exchange: Exchange
    bidder: Bidder


def player(text: str, rules: Rules = DEFAULT_RULES) -> Player:
    """The player written EXCHANGE/AUCTION, for these rules.

    Raises:
        BridgetteError: a name is not known.
    """
    parts = re.fullmatch(r"(.+?)/((?:greedy|blueprint)[^/@]*(?:@.+)?)", text)
    if parts is None:
        raise BridgetteError(f"{text!r} is no player; expected EXCHANGE/AUCTION, such as policy/blueprint")
    return Player(text, _exchange(parts[1], rules), _bidder(parts[2], rules))


def _model(name: str, rules: Rules) -> Model:
    _, _, file = name.partition("@")
    if not file:
        return model_for(rules)
    try:
        return load(Path(file)).for_rules(rules)
    except OSError as error:
        raise BridgetteError(f"{file}: {(error.strerror or str(error)).lower()}") from None


def _exchange(name: str, rules: Rules) -> Exchange:
    if name in ("highest", "longest"):
        return highest_cards if name == "highest" else longest_suit_and_honours
    if name.partition("@")[0] == "policy":
        return _model(name, rules).exchange
    raise BridgetteError(f"{name!r} is no exchange; expected highest, longest, policy or policy@FILE")


def _bidder(name: str, rules: Rules) -> Bidder:
    if name in ("greedy", "greedy+1"):
        return Greedy(model_for(rules), 1.0 if name == "greedy+1" else 0.0, rules)
    if name.partition("@")[0] == "blueprint":
        return _model(name, rules).blueprint
    raise BridgetteError(f"{name!r} is no auction; expected greedy, greedy+1, blueprint or blueprint@FILE")


class Result(NamedTuple):
    """One player's points a deal more than the other's: by order of the pack, by the auction and by par, (N,) each."""

    points: NDArray[np.float64]
    par: NDArray[np.float64]

    @staticmethod
    def mean(values: NDArray[np.float64]) -> tuple[float, float]:
        """Mean and standard error."""
        return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def play(one: Player, other: Player, seed: int, first: int, count: int, rules: Rules = DEFAULT_RULES) -> Result:
    """Orders number first .. first + count - 1 of a seed, each played twice: first one deals, then the other."""
    packs = shuffle_packs(seed, first, count, np.zeros(0, dtype=np.int64))
    held, classes = held_after_draws(packs, rules.upcard_drawn)
    points, pars = np.zeros((2, count)), np.zeros((2, count))
    hands = [exchange(held, classes, *(each.exchange for each in seats)) for seats in ((one, other), (other, one))]
    tables = [
        solve_tables(each[:, DEALER], each[:, NONDEALER], free_colon_discard=rules.free_colon_discard, threads=1)
        for each in (hands[:1] if (hands[0] == hands[1]).all() else hands)
    ]
    scores, passed_out = declarer_points(rules), point_stakes(rules).passed_out
    values = np.empty(STATES)
    for seating, seats in enumerate(((one, other), (other, one))):
        tricks = tables[seating % len(tables)]
        pars[seating] = par_scores(tricks, hands[seating][:, DEALER], hands[seating][:, NONDEALER], Seat.SOUTH, rules)
        for deal in range(count):
            dealing, other_strategy = (
                seats[role].bidder.strategy(int(hands[seating][deal, role]), int(classes[deal]) + DRAW_CLASSES * role)
                for role in (DEALER, NONDEALER)
            )
            values_of(dealing + other_strategy, tricks[deal], scores, passed_out, values)
            points[seating, deal] = values[OPENING]
    return Result((points[0] - points[1]) / 2, (pars[0] - pars[1]) / 2)


def match(
    one: Player,
    other: Player,
    orders: int,
    seed: int = HELD_OUT_SEED,
    jobs: int = -1,
    rules: Rules = DEFAULT_RULES,
) -> Result:
    """A whole match, spread over processes; the same seed gives the same result for any number of them."""
    parts = joblib.Parallel(n_jobs=jobs)(
        joblib.delayed(play)(one, other, seed, first, min(_PART, orders - first), rules)
        for first in range(0, orders, _PART)
    )
    return Result(*(np.concatenate(column) for column in zip(*parts, strict=True)))


# The usual matches: who should beat whom, and by how many points a deal at least.
TARGETS = (
    ("policy/blueprint", "longest/blueprint", 50.0),
    ("policy/blueprint", "highest/blueprint", 100.0),
    ("policy/blueprint", "policy/greedy+1", 130.0),
    ("policy/blueprint", "policy/greedy", None),
    ("policy/blueprint", "longest/greedy+1", None),
)


def report(
    pairs: Iterable[tuple[str, str, float | None]], orders: int, seed: int, jobs: int, rules: Rules = DEFAULT_RULES
) -> None:
    """Play the matches and print a row for each."""
    changed = "".join(f", {choice}" for choice in rules.changed)
    print(f"{orders} orders, seed {seed}{changed}; points a deal, first player less second, and standard errors")
    print(f"{'first player':28} {'second player':28} {'points':>16} {'by par':>16}  target")
    for first, second, target in pairs:
        result = match(player(first, rules), player(second, rules), orders, seed, jobs, rules)
        (points, error), (par, par_error) = Result.mean(result.points), Result.mean(result.par)
        met = "" if target is None or not error else f"{target:+.0f}: {(points - target) / error:+.1f} errors"
        print(f"{first:28} {second:28} {points:+8.1f} ± {error:5.1f} {par:+8.1f} ± {par_error:5.1f}  {met}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and play; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena", description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="*", help="two players, EXCHANGE/AUCTION; none: the usual matches")
    parser.add_argument("--orders", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=HELD_OUT_SEED)
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--rules", action="append", default=[], metavar="NAME=VALUE", help="another reading of a rule")
    options = parser.parse_args(arguments)
    if len(options.players) not in (0, 2):
        parser.error(f"{len(options.players)} players given; expected two, or none for the usual matches")
    pairs = [(options.players[0], options.players[1], None)] if options.players else TARGETS
    try:
        report(pairs, options.orders, options.seed, options.jobs, Rules.with_choices(options.rules))
    except BridgetteError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
