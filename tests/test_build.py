"""A small build from seeds: stopped and gone on with, spread over processes, always the same files."""

from dataclasses import replace

import numpy as np
import pytest

from advisor.build import __main__ as command
from advisor.build import deals as dealing
from advisor.build import work
from advisor.build.deals import Deals, solve_part
from advisor.build.work import Pool, cluster
from advisor.exchange_policy import ExchangePolicy
from advisor.model import load
from advisor.packs import CONTEXTS, DEALER, NONDEALER
from solver.deal import Deal
from solver.double_dummy import solve_tables
from solver.errors import BridgetteError
from solver.rules import Rules

SMALL = command.Settings(Rules(), 3, (54, 45), 0.4, (4, 3, 2), (600, 900), 18)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A build that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    command.build(SMALL, folder, Pool(1))
    return folder


def test_a_build_ends_with_a_model_and_a_report(whole):
    model = load(whole / "round1-model.npz")
    assert [len(centres) for centres in model.blueprint.centres] == [4, 3, 2] * 2
    report = (whole / "report.md").read_text()
    for heading in ("## Trick model", "## What cards are worth", "## Blueprint"):
        assert heading in report
    assert "seed: 3" in report


@pytest.mark.parametrize("stop_after", [2, 8])
def test_a_stopped_build_goes_on_to_the_same_files(whole, tmp_path, monkeypatch, stop_after):
    written = 0

    def write_then_stop(path, arrays, write=work.write_arrays):
        nonlocal written
        written += 1
        if written > stop_after:
            path.with_name(path.name + ".partial").write_bytes(b"half of it")
            raise KeyboardInterrupt
        write(path, arrays)

    monkeypatch.setattr(work, "write_arrays", write_then_stop)
    with pytest.raises(KeyboardInterrupt):
        command.build(SMALL, tmp_path, Pool(1))
    assert len(list(tmp_path.glob("*.npz"))) < len(list(whole.glob("*.npz")))
    monkeypatch.undo()
    command.build(SMALL, tmp_path, Pool(1))
    assert_same_files(whole, tmp_path)


def assert_same_files(one, other):
    names = sorted(path.name for path in one.iterdir())
    assert sorted(path.name for path in other.iterdir() if path.suffix != ".partial") == names
    for name in names:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def test_what_is_there_is_not_made_again(whole, monkeypatch):
    monkeypatch.setattr(work, "write_arrays", lambda *_: pytest.fail("something was made again"))
    command.build(SMALL, whole, Pool(1))


def test_other_settings_do_not_mix_with_what_is_there(whole):
    with pytest.raises(BridgetteError, match="describes other settings"):
        command.build(replace(SMALL, seed=4), whole, Pool(1))


def test_two_processes_give_the_same_parts():
    tasks = [(f"part-{first}", solve_part, (1, first, 6, 0.4, None, Rules())) for first in (0, 6)]
    alone = dict(Pool(1).run(tasks))
    spread = dict(Pool(2).run(tasks))
    for name, arrays in alone.items():
        for key, array in arrays.items():
            assert (spread[name][key] == array).all()


def test_a_dask_cluster_of_two_processes_gives_the_same_parts():
    pytest.importorskip("distributed")
    tasks = [(f"part-{first}", solve_part, (1, first, 6, 0.4, None, Rules())) for first in (0, 6)]
    alone = dict(Pool(1).run(tasks))
    with cluster("dask", None, 2):
        spread = dict(Pool(2, "dask").run(tasks))
    assert sorted(spread) == sorted(alone)
    for name, arrays in alone.items():
        for key, array in arrays.items():
            assert (spread[name][key] == array).all()


def test_parts_are_deals_with_their_exact_tables(whole):
    model = load(whole / "round0-model.npz")
    for policy in (None, model.exchange):
        part = solve_part(7, 9, 27, 0.5, policy, Rules())
        tables = solve_tables(part["hands"][:, DEALER], part["hands"][:, NONDEALER])
        assert (tables == part["tables"]).all()
        for south, north in part["hands"]:
            assert str(Deal.parse(str(_deal(int(south), int(north)))))
        explorers = set(part["explorer"].tolist())
        assert explorers == {dealing.NOBODY, DEALER, NONDEALER}
        assert Deals.together([part, part]).hands.shape == (54, 2)


def _deal(south, north):
    from solver.cards import Hand

    return Deal(Hand(south), Hand(north))


def test_exploring_leaves_the_others_as_the_policy_has_them(whole):
    policy = load(whole / "round0-model.npz").exchange
    assert isinstance(policy, ExchangePolicy)
    calm, exploring = (solve_part(7, 0, 36, share, policy, Rules()) for share in (0.0, 0.5))
    assert (calm["explorer"] == dealing.NOBODY).all()
    for role in (DEALER, NONDEALER):
        same = exploring["explorer"] != role
        assert (calm["hands"][same, role] == exploring["hands"][same, role]).all()
    assert (calm["hands"] != exploring["hands"]).any()


def test_bad_options_are_one_line(capsys, tmp_path):
    for options, message in (
        (["--rules", "nt_jump=3"], "nt_jump"),
        (["--deals", "10,20", "--iterations", "5"], "as many numbers of iterations"),
    ):
        with pytest.raises(SystemExit) as stopped:
            command.main([*options, "--folder", str(tmp_path)])
        assert stopped.value.code == 2
        assert message in capsys.readouterr().err


def test_every_context_has_buckets(whole):
    with np.load(whole / "round1-tricks.npz") as found:
        assert {name for name in found.files if name.startswith("centres")} == {
            f"centres{context}" for context in range(CONTEXTS)
        }
