"""What every test module shares: the command line run in this process; hypothesis that draws the same each time."""

import io
import shlex
import signal
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

settings.register_profile("bridgette", deadline=None, derandomize=True)
settings.load_profile("bridgette")

# A shell starts what runs in the background with Ctrl-C ignored, and so would be what the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent


class Run(NamedTuple):
    """What a run of the command line left."""

    code: int
    out: str
    err: str


@pytest.fixture
def bridgette(capsys, monkeypatch):
    """`bridgette("solve", "S:A.... ....G")`: runs the command line in this process."""
    from advisor.cli import main

    def run(*arguments: str, stdin: str | bytes = "") -> Run:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(arguments)
        captured = capsys.readouterr()
        return Run(int(left.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """An empty folder to be in, but for `docs`, so that a command that writes files leaves none here."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def typed(bridgette, elsewhere):
    """`typed("bridgette deal | bridgette solve --file -")`: runs a line as typed into a shell, pipes included."""

    def run(line: str, stdin: str = "") -> Run:
        result = Run(0, stdin, "")
        for command in line.split(" | "):
            name, *arguments = shlex.split(command)
            assert name == "bridgette", line
            result = bridgette(*arguments, stdin=result.out)
            assert result.code == 0, result
        return result

    return run


@pytest.fixture
def refused(bridgette):
    """`refused("solve", "nonsense")`: the one line on standard error with which the input is refused."""

    def run(*arguments: str, stdin: str | bytes = "") -> str:
        result = bridgette(*arguments, stdin=stdin)
        assert result.code == 2, result
        assert result.out == "", result
        assert result.err.startswith("bridgette: "), result
        assert result.err.count("\n") == 1 and result.err.endswith("\n"), result
        assert len(result.err) < 1000, result
        return result.err

    return run
