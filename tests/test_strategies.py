"""What strategies come to and where their shares fall, against plain recursion and the rules."""

import numpy as np
import pytest

from advisor import strategies
from solver.auction_states import CALLER, CALLS, OPENING, PASS, STATES, after_call, contract_scores, legal_calls
from tests.test_cfr import POINTS, known_deals


def plain_value(state, shares, scores):
    """The dealer's points from a state by the definition: the mean over calls."""
    total = 0.0
    for call in np.flatnonzero(shares[state]):
        successor = after_call(state, int(call))
        total += shares[state, call] * (plain_value(successor, shares, scores) if successor >= 0 else scores[state])
    return total


def test_the_backward_pass_is_the_mean_over_all_auctions():
    generator = np.random.default_rng(6)
    tables, freedom = known_deals(3)
    for table, free in zip(tables, freedom, strict=True):
        shares = np.zeros((STATES, CALLS))
        for state in range(STATES):
            legal = np.flatnonzero(legal_calls(state, free[CALLER[state]]))
            chosen = generator.choice(legal, min(2, len(legal)), replace=False)
            shares[state, chosen] = generator.dirichlet(np.ones(len(chosen)))
        values = np.empty(STATES)
        strategies.values_of(shares, table, POINTS, 0.0, values)
        scores = contract_scores(table, POINTS, 0.0)
        for state in (OPENING, 1, 2, 90, 150, 217):
            assert values[state] == pytest.approx(plain_value(state, shares, scores))


def test_shares_fall_on_legal_calls_only_and_else_on_the_pass():
    _, freedom = known_deals(2)
    weights = np.ones(CALLS, dtype=np.float32)
    shares = np.empty(CALLS)
    for state in range(STATES):
        legal = legal_calls(state, freedom[0, CALLER[state]])
        strategies.legal_shares(weights, state, freedom[0, CALLER[state]], shares)
        assert ((shares > 0) == legal).all()
        assert shares.sum() == pytest.approx(1)
        strategies.legal_shares(np.where(legal, np.float32(0), weights), state, freedom[0, CALLER[state]], shares)
        assert shares[PASS] == 1
        assert shares.sum() == 1


def test_purifying_drops_the_small_shares():
    shares = np.array([0.5, 0.3, 0.13, 0.07])
    strategies.purify(shares, 0.15)
    assert np.allclose(shares, np.array([0.5, 0.3, 0.13, 0]) / 0.93)
