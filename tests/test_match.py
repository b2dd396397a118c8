"""Chances to win the six-deal game against playing it out, by plain recursion and by the rules of ties."""

import numpy as np
import pytest

from advisor.match import (
    Endings,
    Standing,
    declaring_shares,
    game_stakes,
    measured_endings,
    point_stakes,
    scores_to_come,
    win_chances,
)
from solver.auction import Bid, Contract
from solver.auction_states import declarer_points
from solver.deal import Seat
from solver.errors import RuleError
from solver.exchange import Role
from solver.rules import Rules
from solver.scoring import score


def endings(*shares, passed_out=0.0):
    """Endings with these (declarer's role, contract's bid, tricks, share) and no others."""
    contracts = np.zeros((3, 2, 36, 3, 14))
    for role, bid, tricks, share in shares:
        contracts[0, role, Bid.parse(bid).index, 0, tricks] = share
    return Endings(contracts, np.array([passed_out, 0.0, 0.0]))


# The dealer makes 2S with a trick over or just so, or the other makes 1NT; a tenth is passed out.
FEW = endings((0, "2S", 9, 0.4), (0, "2S", 7, 0.2), (1, "1NT", 7, 0.3), passed_out=0.1)


def points_of(bid, tricks):
    return score(Contract(Bid.parse(bid), 0, Seat.SOUTH), tricks).declarer_points


DEALERS = {points_of("2S", 9): 0.4, points_of("2S", 7): 0.2, -points_of("1NT", 7): 0.3, 0: 0.1}


def chance(margin, deals_left, dealer, depth=0):
    """The chance of the player with that margin, who deals the next deal or not, by playing on."""
    if deals_left == 0 and margin:
        return float(margin > 0)
    if depth > 14:
        return 0.5
    sign = 1 if dealer else -1
    return sum(
        share * chance(margin + sign * points, max(0, deals_left - 1), not dealer, depth + (deals_left == 0))
        for points, share in DEALERS.items()
    )


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize(("deal", "margin"), [(6, 0), (6, 250), (5, -250), (4, 100), (3, -500), (7, 0)])
def test_chances_are_those_of_playing_on(role, deal, margin):
    standing = Standing(max(0, margin), max(0, -margin), deal)
    chances = win_chances(standing, role, endings=FEW)
    for points in (-2000, -250, -100, 0, 50, 250, 500, 2000):
        expected = chance(margin + points, max(0, 6 - deal), role == Role.NONDEALER)
        assert chances(np.array([points]))[0] == pytest.approx(expected, abs=1e-4)
    assert chances.passed_out == pytest.approx(float(chances(np.zeros(1))[0]))


def test_the_players_chances_come_to_one():
    for deal in (1, 3, 6):
        mine = win_chances(Standing(700 * (deal > 1), 0, deal), Role.DEALER)
        theirs = win_chances(Standing(0, 700 * (deal > 1), deal), Role.NONDEALER)
        points = np.arange(-3000.0, 3001.0, 50.0)
        assert np.allclose(mine(points) + theirs(-points), 1)
        assert (np.diff(mine(points)) >= -1e-12).all()


def test_last_deal_is_won_or_lost():
    chances = win_chances(Standing(1000, 1600, 6), Role.DEALER)
    assert chances(np.array([550.0, 600.0, 650.0]))[[0, 2]].tolist() == [0, 1]
    assert 0 < chances(np.array([600.0]))[0] < 0.5  # the other deals the seventh, which is an advantage


def test_deal_passed_out_does_not_count_where_it_is_dealt_again():
    rules = Rules(redeal_passed_out=True)
    again = {points: share / 0.9 for points, share in DEALERS.items() if points}
    scores = scores_to_come(rules, FEW)
    assert dict(zip(scores.points.tolist(), scores.shares.tolist(), strict=True)) == pytest.approx(again)
    chances = win_chances(Standing(100, 0, 6), Role.DEALER, rules, FEW)
    expected = sum(share * float(chances(np.array([points]))[0]) for points, share in again.items())
    assert chances.passed_out == pytest.approx(expected)
    assert point_stakes(rules).passed_out == pytest.approx(
        float(scores_to_come(rules).points @ scores_to_come(rules).shares)
    )
    assert point_stakes().passed_out == 0


@pytest.mark.parametrize("role", list(Role))
def test_stakes_are_the_chances_of_every_ending(role):
    standing = Standing(900, 1500, 5)
    chances = win_chances(standing, role)
    stakes = game_stakes(standing, role)
    points = declarer_points(Rules())
    for declarer in Role:
        own = points if declarer == role else -points
        assert np.allclose(stakes.mine(stakes.contracts[declarer], role), chances(own))
    assert stakes.mine(np.array(stakes.passed_out), role) == pytest.approx(chances.passed_out)
    as_points = point_stakes()
    assert (as_points.mine(as_points.contracts[role], role) == points).all()
    assert (as_points.mine(as_points.contracts[1 - role], role) == -points).all()


def test_measured_endings_are_a_distribution_that_favours_the_dealer():
    found = measured_endings()
    assert found.contracts.sum() + found.passed_out.sum() == pytest.approx(1)
    by_class = found.contracts.sum(axis=(1, 2, 3, 4)) + found.passed_out
    assert np.abs(by_class - np.array([37, 13, 5]) / 55).max() < 0.03
    scores = scores_to_come()
    assert 100 < float(scores.points @ scores.shares) < 500
    assert (scores.points % 50 == 0).all()
    for role in Role:
        shares = declaring_shares(role, 1)
        assert shares.shape == (2, 5) and shares.sum() == pytest.approx(1)
        assert shares == pytest.approx(declaring_shares(Role(1 - role), 1)[::-1])
    assert declaring_shares(Role.DEALER, 2)[0].sum() > 0.5


@pytest.mark.parametrize(
    ("mine", "theirs", "deal", "complaint"),
    [
        (-50, 0, 2, "-50 to 0"),
        (0, 0, 0, "deal's number is 0"),
        (100, 0, 1, "before deal 1"),
        (100, 0, 7, "break a tie"),
    ],
)
def test_standings_that_cannot_be_are_refused(mine, theirs, deal, complaint):
    with pytest.raises(RuleError, match=complaint):
        Standing(mine, theirs, deal)
