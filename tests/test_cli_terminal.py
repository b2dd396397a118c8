"""What a person sees on a terminal: colours and progress, and neither where output goes elsewhere."""

import json
import os
import sys

import pytest

pty = pytest.importorskip("pty", reason="terminals are tried where there are Unix ones")


def in_terminal(command, **environment):
    """What a shell command shows on a terminal 80 columns wide, standard output and standard error together."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.pop("NO_COLOR", None)
        os.environ.update({"TERM": "xterm", "PYTHONUTF8": "1"} | environment)
        os.execvp("bash", ["bash", "-c", command.replace("bridgette", f"{sys.executable} -m advisor.cli")])
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # how Linux tells that the program has gone
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    os.waitpid(pid, 0)
    return shown.decode()


def test_colours_on_a_terminal_only():
    ending = "bridgette solve --strain S --to-lead N 'S:AK.Q..2.L 3.AK..43'"
    assert "\x1b[31m♥AK\x1b[0m" in in_terminal(ending)
    assert "\x1b" not in in_terminal(ending, NO_COLOR="1")
    assert "\x1b" not in in_terminal(ending, TERM="dumb")
    assert "\x1b" not in in_terminal(ending + " | cat")
    assert "\x1b" not in in_terminal("bridgette score '4HX S' --tricks 9 --json")


def test_progress_on_a_terminal_while_the_answers_go_elsewhere(tmp_path):
    deals = "bridgette deal --count 3 --seed 1 > deals.txt; bridgette solve --file deals.txt --strain NT --json"
    shown = in_terminal(f"cd {tmp_path}; export PYTHONPATH={os.getcwd()}; {deals} > answers.txt")
    assert "3/3" in shown
    assert len((tmp_path / "answers.txt").read_text().splitlines()) == 3
    shown = in_terminal(f"cd {tmp_path}; export PYTHONPATH={os.getcwd()}; {deals}")
    assert [json.loads(line)["tricks"].keys() for line in shown.splitlines()] == [{"S", "N"}] * 3
