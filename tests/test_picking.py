"""Priority sampling: unbiased whatever is taken, errors that hold, candidates that keep their numbers."""

import numpy as np
import pytest

from advisor.picking import effective_number, mean_and_error, order_of, priorities, shares_of


def taken_shares(weights, seed, taken):
    priority = priorities(weights, seed)
    order = order_of(priority)
    return order[:taken], shares_of(weights, priority, order, taken)


@pytest.mark.parametrize("taken", [5, 40, 1000])
def test_weighted_means_are_right_on_average_and_their_errors_too(taken):
    """Candidates are drawn afresh each time, so the truth is that of all there could be."""
    generator = np.random.default_rng(1)
    found = []
    for seed in range(500):
        weights = generator.exponential(size=1000)
        values = weights + generator.normal(size=1000)
        chosen, shares = taken_shares(weights, seed, taken)
        assert shares.sum() == pytest.approx(1)
        means, errors = mean_and_error(values[chosen, None], shares)
        found.append((means[0], errors[0]))
    means, errors = np.array(found).T
    truth = 2.0  # the mean of w * w over the mean of w, for exponential w
    assert means.mean() == pytest.approx(truth, abs=4 * means.std() / np.sqrt(500) + 0.3 / taken)
    assert errors.mean() == pytest.approx(means.std(), rel=0.15)


def test_equal_weights_count_alike():
    chosen, shares = taken_shares(np.ones(50), 3, 20)
    assert len(set(chosen)) == 20
    assert shares == pytest.approx(1 / 20)


def test_all_taken_count_with_their_weights():
    weights = np.array([3.0, 0.0, 1.0, 4.0])
    chosen, shares = taken_shares(weights, 3, 4)
    assert dict(zip(chosen, shares, strict=True)) == pytest.approx({0: 3 / 8, 2: 1 / 8, 3: 4 / 8})


def test_a_candidate_keeps_its_number_when_others_come_and_weights_change():
    first = priorities(np.ones(100), 7)
    more = priorities(np.full(200, 2.0), 7)
    assert more[:100] == pytest.approx(2 * first)
    assert not np.allclose(first, priorities(np.ones(100), 8))


def test_effective_number():
    assert effective_number(np.full(8, 0.3)) == pytest.approx(8)
    assert effective_number(np.array([1.0, 0, 0])) == pytest.approx(1)
    assert effective_number(np.zeros(3)) == 0


def test_mean_and_error_of_equal_shares_are_the_usual_ones():
    values = np.random.default_rng(2).normal(size=(30, 2))
    means, errors = mean_and_error(values, np.full(30, 1 / 30))
    assert means == pytest.approx(values.mean(axis=0))
    assert errors == pytest.approx(values.std(axis=0, ddof=1) / np.sqrt(30))
