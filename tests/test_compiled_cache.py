"""Where the compiled search is kept: in a folder of the user's, never beside the sources, and nowhere if need be."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numba import int64

from solver import search
from solver.compiled import cache_directory, compiled, seconds_compiling
from tests.test_cli_terminal import in_terminal

ROOT = Path(__file__).parent.parent
UNWRITABLE = os.devnull + "/home"
MESSAGE = "Compiling the search"


def successor(number):
    return number + 1


def test_the_folder_that_the_user_chose(monkeypatch, tmp_path):
    monkeypatch.setenv("BRIDGETTE_CACHE_DIR", str(tmp_path / "chosen"))
    assert cache_directory("kernel") == tmp_path / "chosen" / "kernel"
    assert (tmp_path / "chosen" / "kernel").is_dir()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these have folders of their own")
def test_the_user_s_cache_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("BRIDGETTE_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cache_directory("kernel") == tmp_path / "cache" / "bridgette" / "kernel"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory("kernel") == tmp_path / ".cache" / "bridgette" / "kernel"


def test_no_folder_where_nothing_can_be_written(monkeypatch):
    monkeypatch.setenv("BRIDGETTE_CACHE_DIR", UNWRITABLE)
    assert cache_directory("kernel") is None


def test_compiled_functions_are_kept_in_the_folder(tmp_path):
    assert compiled(int64(int64), tmp_path)(successor)(4) == 5
    assert list(tmp_path.rglob("*.nbc"))


def test_without_a_folder_compiled_functions_work_all_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert compiled(int64(int64), None)(successor)(4) == 5
    assert not list(tmp_path.rglob("*"))


def test_the_time_of_compiling_is_counted_once(tmp_path):
    started = time.monotonic()
    add = compiled(None, tmp_path)(successor)
    assert seconds_compiling(started) == 0
    assert add(4) == 5
    spent = seconds_compiling(started)
    assert 0 < spent <= time.monotonic() - started
    assert add(5) == 6 and seconds_compiling(started) == spent
    assert seconds_compiling(time.monotonic()) == 0


def test_what_lies_on_the_disk_is_not_compiled(tmp_path):
    started = time.monotonic()
    compiled(None, tmp_path)(successor)(4)
    spent = seconds_compiling(started)
    assert compiled(None, tmp_path)(successor)(4) == 5
    assert seconds_compiling(started) == spent


def test_nothing_is_kept_beside_the_sources():
    """A read-only installation works because every function is compiled by way of `solver.compiled`."""
    packages = [ROOT / "solver", ROOT / "advisor"]
    for package in packages:
        for path in package.rglob("*.py"):
            if path != ROOT / "solver" / "compiled.py":
                text = path.read_text(encoding="utf-8")
                assert not re.search(r"\bn?jit\b|cache=True", text), path
    assert search.CACHE_DIRECTORY is None or not any(
        search.CACHE_DIRECTORY.is_relative_to(package) for package in packages
    )


def start_of_search(cache):
    """Imports the search with an empty cache, without the quarter of a minute that compiling it takes."""
    environment = os.environ | {"BRIDGETTE_CACHE_DIR": cache, "NUMBA_DISABLE_JIT": "1"}
    code = "from solver import search; print(search.CACHE_DIRECTORY)"
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)


def test_starts_without_any_folder():
    assert start_of_search(UNWRITABLE).stdout == "None\n"


def test_compiling_is_told_on_a_terminal_only(tmp_path):
    assert MESSAGE not in start_of_search(str(tmp_path)).stderr
    command = f"cd {ROOT}; {sys.executable} -c 'import solver.search'"
    assert MESSAGE in in_terminal(command, BRIDGETTE_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="1")


def test_once_compiled_nothing_is_told(tmp_path):
    kept = search.CACHE_DIRECTORY or pytest.skip("nothing can be written here")
    copy = tmp_path / kept.name
    copy.mkdir()
    (copy / "anything.nbc").write_bytes(b"")
    command = f"cd {ROOT}; {sys.executable} -c 'import solver.search'"
    assert MESSAGE not in in_terminal(command, BRIDGETTE_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="1")


def test_compiling_in_the_middle_of_an_advice_is_told_once(tmp_path):
    message = "Compiling the advice, once for this installation"
    code = "import numpy, advisor.picking; advisor.picking.priorities(numpy.ones(3), 1)"
    command = f"cd {ROOT}; {sys.executable} -c '{code}'"
    assert message not in in_terminal(command + " 2>/dev/null", BRIDGETTE_CACHE_DIR=str(tmp_path / "unseen"))
    assert in_terminal(command, BRIDGETTE_CACHE_DIR=str(tmp_path)).count(message) == 1
    assert message not in in_terminal(command, BRIDGETTE_CACHE_DIR=str(tmp_path))


def test_a_declared_function_is_compiled_when_first_called_for_its_declared_types_alone(tmp_path):
    declared = compiled(int64(int64), tmp_path)(successor)
    assert not declared.signatures
    assert declared(np.int8(127)) == 128  # as an int64, not as what was given
    assert declared(True) == 2
    assert [[str(argument) for argument in signature] for signature in declared.signatures] == [["int64"]]


def test_a_helper_kept_in_its_compiled_caller_is_not_read_again():
    if search.CACHE_DIRECTORY is None:
        pytest.skip("nothing can be written here")
    code = "import numpy; from solver.search import batch, new_memory"
    code += "; tricks = numpy.zeros((1, 2, 5), dtype=numpy.int8)"
    code += "; batch.fill_tables(*numpy.array([[1], [2]]), tricks, new_memory(8))"
    code += "; print(len(batch.can_take.signatures), len(batch.fill_tables.signatures))"
    for _ in ("perhaps compiled", "kept"):
        command = [sys.executable, "-c", code]
        output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert output == "0 1\n"
