"""The arena: equals draw, sides are fair, the result does not depend on the processes, names are read strictly."""

from shutil import copyfile

import numpy as np
import pytest

from advisor.model import DATA
from benchmarks.arena import Player, Result, main, match, play, player
from solver.errors import BridgetteError
from solver.rules import Rules


def lowest_cards(held, contexts):
    """Keep the thirteen lowest of the pack's order: a bad exchange."""
    kept = np.zeros_like(held)
    for row, cards in enumerate(held.tolist()):
        lowest = sorted((card for card in range(55) if cards >> card & 1), key=lambda card: card % 13)[:13]
        kept[row] = sum(1 << card for card in lowest)
    return kept


def test_equals_draw_every_order():
    one = player("policy/blueprint")
    result = play(one, player("policy/blueprint"), seed=1, first=0, count=6)
    assert np.allclose(result.points, 0, atol=1e-9)
    assert not result.par.any()


def test_the_other_side_of_a_match_is_its_negative():
    one, other = player("policy/greedy+1"), player("longest/blueprint")
    there = play(one, other, seed=2, first=3, count=6)
    back = play(other, one, seed=2, first=3, count=6)
    assert np.allclose(there.points, -back.points)
    assert (there.par == -back.par).all()


def test_orders_are_the_same_for_any_number_of_processes():
    one, other = player("highest/blueprint"), player("longest/blueprint")
    alone = match(one, other, orders=110, seed=3, jobs=1)
    together = match(one, other, orders=110, seed=3, jobs=2)
    assert (alone.points == together.points).all()
    assert len(alone.points) == 110


def test_a_bad_exchange_loses_by_many_errors():
    one = player("policy/blueprint")
    result = match(one, Player("lowest", lowest_cards, one.bidder), orders=60, seed=4, jobs=1)
    mean, error = Result.mean(result.points)
    assert mean > 5 * error
    assert Result.mean(result.par)[0] > 5 * Result.mean(result.par)[1]


def test_players_may_take_another_model_from_a_file():
    file = DATA / "default.npz"
    one, other = player(f"policy@{file}/blueprint@{file}"), player("policy/blueprint")
    assert not play(one, other, seed=5, first=0, count=3).points.any()


# A deal that both seatings pass out counts nothing under either reading of that, so it is not among these.
@pytest.mark.parametrize(
    ("change", "first"),
    [("upcard_drawn=false", 0), ("nt_jump_min=3", 0), ("insult_multiplied=false", 0), ("free_colon_discard=true", 30)],
)
def test_other_rules_are_played_by(change, first):
    rules = Rules.with_choices([change])
    one, other = player("policy/blueprint", rules), player("longest/greedy", rules)
    assert not play(one, one, seed=1, first=0, count=4, rules=rules).points.any()
    usual = play(player("policy/blueprint"), player("longest/greedy"), seed=1, first=first, count=20)
    assert (play(one, other, seed=1, first=first, count=20, rules=rules).points != usual.points).any()


def test_a_path_may_hold_any_name(tmp_path):
    file = tmp_path / "policy" / "blueprint" / "greedy.npz"
    file.parent.mkdir(parents=True)
    copyfile(DATA / "default.npz", file)
    for text in (f"policy/blueprint@{file}", f"policy@{file}/greedy+1", f"policy@{file}/blueprint@{file}"):
        assert player(text).name == text
    with pytest.raises(BridgetteError, match=r"nothing\.npz: no such file or directory"):
        player(f"policy/blueprint@{tmp_path / 'nothing.npz'}")


def test_unknown_players_are_refused():
    for text in ("policy/bluff", "best/blueprint", "policy"):
        with pytest.raises(BridgetteError, match="expected"):
            player(text)
    with pytest.raises(SystemExit):
        main(["policy/blueprint"])
