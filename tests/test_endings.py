"""How deals end, against the values that the blueprint itself gives the same deals."""

import numpy as np
import pytest

from advisor.build.deals import CLASS_CHANCES, Deals, solve_part
from advisor.build.endings import endings, write_endings
from advisor.match import point_stakes
from advisor.model import model_for, save
from solver.rules import Rules


@pytest.fixture(scope="module")
def deals():
    return Deals.together([solve_part(3, 0, 18, 0.0, model_for().exchange, Rules())])


def read(found):
    shares = np.zeros(3 * 2 * 36 * 3 * 14)
    shares[found["places"]] = found["shares"]
    return shares.reshape(3, 2, 36, 3, 14)


def test_shares_are_of_all_deals_and_score_what_the_blueprint_scores(deals):
    model = model_for()
    found = endings(model, deals)
    shares = read(found)
    by_class = shares.sum(axis=(1, 2, 3, 4)) + found["passed_out"]
    assert by_class == pytest.approx(CLASS_CHANCES, abs=1e-6)
    points = (shares * point_stakes().contracts).sum(axis=(1, 2, 3, 4))
    for draw_class in range(3):
        chosen = deals.of(deals.classes == draw_class)
        scores = model.blueprint.scores(chosen.tables, chosen.hands, draw_class)
        assert points[draw_class] == pytest.approx(CLASS_CHANCES[draw_class] * scores.mean(), abs=0.01)


def test_they_are_written_for_the_last_round_without_the_explored_deals(deals, tmp_path, capsys):
    model = model_for()
    save(model, tmp_path / "round0-model.npz")
    explorer = deals.explorer.copy()
    explorer[deals.classes == 1] = np.where(np.arange((deals.classes == 1).sum()) < 2, 0, -1)
    np.savez(
        tmp_path / "round0-deals-0000.npz",
        hands=deals.hands,
        tables=deals.tables,
        classes=deals.classes,
        explorer=explorer,
        pack=deals.pack,
    )
    write_endings(tmp_path, tmp_path / "round0-model.npz", tmp_path / "endings.npz")
    assert f"{len(explorer) - 2} deals" in capsys.readouterr().err
    with np.load(tmp_path / "endings.npz") as stored:
        assert stored["deals"] == len(explorer) - 2
        assert read(stored).sum() + stored["passed_out"].sum() == pytest.approx(1, abs=1e-5)
