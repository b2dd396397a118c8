"""How many positions the search looks at: the same on every machine, so a change in them is a change of the search.

After such a change ``python -m tests.test_node_counts`` writes the new counts to data/node_counts.json; the difference
of that file shows what the change gained or lost.
"""

import json
from pathlib import Path

import pytest

from solver.cards import Strain
from solver.deal import Deal, Seat
from solver.double_dummy import Solver
from solver.play import Position

COUNTS = Path(__file__).parent / "data" / "node_counts.json"

DEALS = {
    "no colon": "S:K6.Q8.AQJT64.AK7. QJ873.T4.52.8532.",
    "no colon, even": "S:AQ82.J96.K7.T843. K3.AQ75.J862.A95.",
    "one colon": "S:AK4.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43.",
    "dead colon": "S:T97.8654.QJ8.K43. KJ2.A93.K764.Q5.G",
    "two colons of one hand": "S:.AJT754.A54.Q962. 854.93.732.K84.RL",
    "two colons": "S:AQ82.J96.K7.T84.R K3.AQ75.J862.A9.L",
    "three colons": "S:4.AJ86.AJT.Q64.GL A32.KT3.Q43.T73.R",
    "three colons, long suits": "S:A9832.65.AJ72.9.R K5..Q9865.K873.GL",
}


def counts_of(deal):
    """Positions probed and expanded, each time from a cold start."""

    def count(ask):
        solver = Solver()
        ask(solver)
        return [solver.probed, solver.expanded]

    position = Position.opening(deal, Strain.NOTRUMP, Seat.NORTH)
    tricks = Solver().solve(position).south
    return {
        "table": count(lambda solver: solver.table(deal)),
        "at least the value": count(lambda solver: solver.at_least(position, Seat.SOUTH, tricks)),
        "at least one more": count(lambda solver: solver.at_least(position, Seat.SOUTH, tricks + 1)),
        "value": count(lambda solver: solver.solve(position)),
        "cards": count(lambda solver: solver.card_values(position)),
    }


@pytest.mark.parametrize("name", DEALS)
def test_positions_looked_at(name):
    counts = counts_of(Deal.parse(DEALS[name]))
    assert counts == json.loads(COUNTS.read_text())[name]
    for probed, expanded in counts.values():
        assert probed >= expanded


def test_what_questions_cost():
    """A target costs less than the value, all cards together less than three values."""
    known = json.loads(COUNTS.read_text()).values()
    target, value, cards = (
        sum(counts[question][0] for counts in known) for question in ("at least the value", "value", "cards")
    )
    assert target < value < cards < 3 * value


if __name__ == "__main__":
    measured = {name: counts_of(Deal.parse(deal)) for name, deal in DEALS.items()}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(counts)}" for name, counts in measured.items())
    COUNTS.write_text("{\n" + lines + "\n}\n")
