"""A small build from seeds: stopped and gone on with, spread over processes, always the same files."""

import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from advisor.build import __main__ as command
from advisor.build import deals as dealing
from advisor.build import work
from advisor.build.deals import Deals, solve_part
from advisor.build.work import Pool
from advisor.exchange_policy import ExchangePolicy
from advisor.model import load
from advisor.packs import CONTEXTS, DEALER, NONDEALER
from solver.deal import Deal
from solver.double_dummy import solve_tables
from solver.errors import BridgetteError
from solver.rules import Rules

SMALL = command.Settings(Rules(), 3, (54, 45), 0.4, (4, 3, 2), (30, 40), 18)


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


def small_options(folder, *more):
    """The options of a build with the settings of SMALL, which leaves the installed model alone."""
    numbers = {"seed": 3, "deals": "54,45", "exploring": 0.4, "buckets": "4,3,2", "sweeps": "30,40", "part": 18}
    return [*(f"--{name}={number}" for name, number in numbers.items()), "--folder", str(folder), "--keep", *more]


def test_the_command_spreads_over_a_dask_cluster_of_two_processes_and_gives_the_same_files(whole, tmp_path, capsys):
    pytest.importorskip("distributed")
    assert command.main(small_options(tmp_path, "--backend", "dask", "--jobs", "2")) == 0
    assert_same_files(whole, tmp_path)
    assert capsys.readouterr().out.strip() == (tmp_path / "report.md").read_text().strip()


def test_a_killed_build_goes_on_to_the_same_files(whole, tmp_path):
    line = [sys.executable, "-m", "advisor.build", *small_options(tmp_path, "--jobs", "1")]
    with subprocess.Popen(line, stderr=subprocess.DEVNULL) as killed:
        while not (tmp_path / "round0-tricks.npz").exists():
            assert killed.poll() is None
            time.sleep(0.05)
        killed.kill()
    assert not (tmp_path / "round1-model.npz").exists()
    assert command.main(small_options(tmp_path, "--jobs", "1")) == 0
    assert_same_files(whole, tmp_path)


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
        assert Deals.together([part, part]).hands.shape == (2 * len(tables), 2)


def _deal(south, north):
    from solver.cards import Hand

    return Deal(Hand(south), Hand(north))


def test_exploring_adds_keeps_of_one_hand_and_leaves_the_rest_as_the_policy_has_it(whole):
    policy = load(whole / "round0-model.npz").exchange
    assert isinstance(policy, ExchangePolicy)
    for way in (None, policy):
        calm, exploring = (Deals.together([solve_part(7, 5, 36, share, way, Rules())]) for share in (0.0, 0.5))
        assert (calm.explorer == dealing.NOBODY).all()
        assert (calm.pack == np.arange(5, 41)).all()
        for name in ("hands", "tables", "classes", "explorer", "pack"):
            assert (getattr(calm, name) == getattr(exploring, name)[:36]).all()
        explored = exploring.of(exploring.explorer != dealing.NOBODY)
        packs = np.unique(explored.pack)
        assert 8 < len(packs) < 28
        for pack in packs:
            here = explored.of(explored.pack == pack)
            kept = calm.hands[pack - 5]
            role = int(here.explorer[0])
            assert (here.explorer == role).all()
            assert (here.classes == calm.classes[pack - 5]).all()
            assert (here.hands[:, 1 - role] == kept[1 - role]).all()
            assert len({int(kept[role]), *here.hands[:, role].tolist()}) == len(here.hands) + 1
            assert len(here.hands) <= dealing.OTHER_KEEPS
            if way is policy:
                assert len(here.hands) == dealing.OTHER_KEEPS


def test_deals_of_two_rounds_keep_their_packs_apart():
    part = solve_part(1, 0, 6, 1.0, None, Rules())
    deals = Deals.together([part])
    both = deals.and_those(deals)
    assert len(np.unique(both.pack)) == 12
    assert (both.hands[: len(deals.hands)] == both.hands[len(deals.hands) :]).all()


def test_bad_options_are_one_line(capsys, tmp_path):
    for options, message in (
        (["--rules", "nt_jump=3"], "nt_jump"),
        (["--deals", "10,20", "--sweeps", "5"], "as many numbers of sweeps"),
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
