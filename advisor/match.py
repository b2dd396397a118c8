"""The six-deal game: the chance to win it from here, and what the end of an auction is worth for that.

The deals to come are taken as both players' by the computed strategies: the shares with which such a deal ends in each
contract and number of tricks were measured once and are shipped (`python -m advisor.build.endings` measures anew).
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.model import DATA
from advisor.packs import DRAW_CLASSES
from solver.auction_states import STRAIN, declarer_points
from solver.errors import Faults
from solver.exchange import Role
from solver.game import DEALS
from solver.rules import DEFAULT_RULES, Rules

ENDINGS = DATA / "endings.npz"


class Stakes(NamedTuple):
    """What the end of an auction is worth to the *dealer*: points, or chances to win the game.

    `contracts` (2, 36, 3, 14) by [declarer's role, bid, doubled, tricks of the declarer]; `passed_out` for a deal
    passed out.
    """

    contracts: NDArray[np.float64]
    passed_out: float

    def mine(self, values: NDArray[np.float64], role: Role) -> NDArray[np.float64]:
        """Values for the dealer as values for a player of that role."""
        return values if role == Role.DEALER else self.total - values

    @property
    def total(self) -> float:
        """What both players' values come to together: 0 for points, 1 for chances."""
        return 0.0


class Chances(Stakes):
    """Stakes that are the dealer's chances to win the game."""

    @property
    def total(self) -> float:
        """What both players' chances come to together."""
        return 1.0


def point_stakes(rules: Rules = DEFAULT_RULES) -> Stakes:
    """The dealer's points, less the opponent's; a deal passed out is worth 0, or where it is dealt again a new deal."""
    passed_out = 0.0
    if rules.redeal_passed_out:
        again = scores_to_come(rules)
        passed_out = float(again.points @ again.shares)
    return Stakes(_contract_points(rules), passed_out)


def _contract_points(rules: Rules) -> NDArray[np.float64]:
    """The dealer's points by [declarer's role, bid, doubled, tricks]."""
    points = declarer_points(rules)
    return np.stack([points, -points])


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the game stands before a deal: the points of both players so far, and the deal's number.

    Deals seven and on are those that break a tie, so both have the same points then.
    """

    mine: int
    theirs: int
    deal: int

    def __post_init__(self) -> None:
        faults = Faults()
        if self.mine < 0 or self.theirs < 0:
            faults.broken.append(f"the score is {self.mine} to {self.theirs}; expected points of 0 or more")
        if self.deal < 1:
            faults.broken.append(f"the deal's number is {self.deal}; expected 1 or more")
        if self.deal > DEALS and self.mine != self.theirs:
            faults.broken.append(
                f"deal {self.deal} is played to break a tie, but the score is {self.mine} to {self.theirs}; "
                f"expected equal scores, or a deal from 1 to {DEALS}"
            )
        if self.deal == 1 and (self.mine or self.theirs):
            faults.broken.append(f"the score is {self.mine} to {self.theirs} before deal 1; expected 0 to 0")
        faults.check()


class Endings(NamedTuple):
    """How a deal ends by the computed strategies, shares of all deals: `contracts` (3, 2, 36, 3, 14) by [draw class,
    declarer's role, bid, doubled, tricks of the declarer], `passed_out` (3,) by draw class.
    """

    contracts: NDArray[np.float64]
    passed_out: NDArray[np.float64]


@lru_cache(maxsize=1)
def measured_endings() -> Endings:
    """The endings measured and shipped."""
    with np.load(ENDINGS) as stored:
        shares = np.zeros(DRAW_CLASSES * 2 * 36 * 3 * 14)
        shares[stored["places"]] = stored["shares"]
        passed_out = stored["passed_out"]
    total = shares.sum() + passed_out.sum()
    return Endings((shares / total).reshape(DRAW_CLASSES, 2, 36, 3, 14), passed_out / total)


def declaring_shares(role: Role, draw_class: int, endings: Endings | None = None) -> NDArray[np.float64]:
    """How often each player declares in each strain: shares (2, 5) of the deals of a draw class that are not passed
    out, first the player of that role, then the opponent.
    """
    found = measured_endings() if endings is None else endings
    by_bid = found.contracts[draw_class].sum(axis=(2, 3))
    shares = np.stack([by_bid[:, strain == STRAIN].sum(axis=1) for strain in range(5)], axis=1)
    mine_first: NDArray[np.float64] = (shares if role == Role.DEALER else shares[::-1]).copy()
    mine_first /= mine_first.sum()
    return mine_first


class Scores(NamedTuple):
    """A distribution of a deal's points for its dealer, less the opponent's: `points` rising, (K,), and `shares`."""

    points: NDArray[np.int64]
    shares: NDArray[np.float64]

    @property
    def turned(self) -> "Scores":
        """The same for the non-dealer."""
        return Scores(-self.points[::-1], self.shares[::-1])

    @classmethod
    def together(cls, points: NDArray[np.int64], shares: NDArray[np.float64]) -> "Scores":
        """The distribution in which equal points are one and none has no share."""
        points, shares = points[shares > 0], shares[shares > 0]
        distinct, place = np.unique(points, return_inverse=True)
        summed: NDArray[np.float64] = np.zeros(len(distinct))
        np.add.at(summed, place.ravel(), shares.ravel())
        return cls(distinct, summed)

    def plus(self, other: "Scores") -> "Scores":
        """The distribution of the sum of two independent deals."""
        points = self.points[:, None] + other.points[None, :]
        return Scores.together(points, self.shares[:, None] * other.shares[None, :])


def scores_to_come(
    rules: Rules = DEFAULT_RULES, endings: Endings | None = None, draw_class: int | None = None
) -> Scores:
    """The dealer's points in a deal to come, as measured; without those passed out where these do not count.

    With a draw class they are those of deals with such an upcard.
    """
    found = measured_endings() if endings is None else endings
    if draw_class is not None:
        found = Endings(found.contracts[draw_class : draw_class + 1], found.passed_out[draw_class : draw_class + 1])
    points = _contract_points(rules)
    passed_out = 0.0 if rules.redeal_passed_out else found.passed_out.sum()
    scores = Scores.together(
        np.append(np.rint(points).astype(np.int64).ravel(), 0),
        np.append(found.contracts.sum(axis=0).ravel(), passed_out),
    )
    return Scores(scores.points, scores.shares / scores.shares.sum())


@dataclass(frozen=True, slots=True)
class WinChances:
    """The player's chance to win the game, by the points that this deal scores it.

    `margin` is the player's lead before the deal; `later` what the deals after it will add to that; `tie` the chance to
    win a game that is tied after them; `again` the chance if this deal is passed out and does not count, None where
    it counts.
    """

    margin: int
    later: Scores
    tie: float
    again: float | None = None

    def __call__(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """The chance to win the game when this deal scores the player these points, less the opponent's."""
        above = np.append(np.cumsum(self.later.shares[::-1])[::-1], 0.0)
        needed = -(self.margin + np.asarray(points))
        more = above[np.searchsorted(self.later.points, needed, side="right")]
        as_many = above[np.searchsorted(self.later.points, needed, side="left")] - more
        chances: NDArray[np.float64] = more + self.tie * as_many
        return chances

    @property
    def passed_out(self) -> float:
        """The chance when this deal is passed out."""
        return float(self(np.zeros(1))[0]) if self.again is None else self.again


def win_chances(
    standing: Standing, role: Role, rules: Rules = DEFAULT_RULES, endings: Endings | None = None
) -> WinChances:
    """The chances to win the game for a player of that role in this deal.

    `endings` replaces the measured distribution of the deals to come.
    """
    as_dealer = scores_to_come(rules, endings)
    left = max(0, DEALS - standing.deal)
    next_role = role
    later = Scores(np.zeros(1, dtype=np.int64), np.ones(1))
    for _ in range(left):
        next_role = Role(1 - next_role)
        later = later.plus(as_dealer if next_role == Role.DEALER else as_dealer.turned)
    breaks_tie = Role(1 - next_role)
    tie = _tie_chance(as_dealer, breaks_tie)
    margin = standing.mine - standing.theirs
    if not rules.redeal_passed_out:
        return WinChances(margin, later, tie)
    fresh = as_dealer if role == Role.DEALER else as_dealer.turned
    counted = WinChances(margin, later, tie)
    again = float(fresh.shares @ counted(fresh.points.astype(np.float64)))
    return WinChances(margin, later, tie, again)


def game_stakes(
    standing: Standing, role: Role, rules: Rules = DEFAULT_RULES, endings: Endings | None = None
) -> Chances:
    """What the end of this deal's auction is worth to its dealer in chances to win the game.

    `standing` is told by the player of that role; `Chances.mine` turns values back into that player's.
    """
    chances = win_chances(standing, role, rules, endings)
    sign = 1.0 if role == Role.DEALER else -1.0
    mine = chances(sign * _contract_points(rules))
    passed_out = chances.passed_out
    if role == Role.DEALER:
        return Chances(mine, passed_out)
    return Chances(1.0 - mine, 1.0 - passed_out)


def _tie_chance(as_dealer: Scores, role: Role) -> float:
    """The chance to win a tied game for the player who has that role in the next deal: it lasts until one is ahead."""
    ahead = [float(as_dealer.shares[as_dealer.points > 0].sum()), float(as_dealer.shares[as_dealer.points < 0].sum())]
    level = max(0.0, 1.0 - sum(ahead))
    if level >= 1.0:
        return 0.5
    # Level again, the roles change: ahead[role] + level * (ahead[other role] + level * (...)).
    return (ahead[role] + level * ahead[1 - role]) / (1.0 - level**2)
