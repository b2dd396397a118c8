"""What README.md and the pages of docs/ show: each command works as printed and its shown output is its output.

Commands without a shown output are run too, long ones with smaller numbers after them.

After a change that is meant, `python -m tests.test_documents` writes the outputs anew, of all pages or of those named.
"""

import os
import re
import runpy
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]


class Shown(NamedTuple):
    """A command in a console block with the output printed under it."""

    page: str
    command: str
    output: str


def fenced(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


# What a session at the table shows of a line typed.
TYPED = re.compile(r"^(?:Keep|Call|Card|Next deal \(Enter\))> (.*)$", re.MULTILINE)


def typed_in(output):
    """The lines that a person types in a session, each with its end."""
    return "".join(f"{line}\n" for line in TYPED.findall(output))


def shown_commands():
    for page in PAGES:
        for block in fenced(page.read_text(encoding="utf-8"), "console"):
            for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = session.partition("\n")
                yield Shown(page.name, command, output)


@pytest.mark.parametrize("shown", list(shown_commands()), ids=lambda shown: f"{shown.page}: {shown.command[-60:]}")
def test_shown_output_is_the_output(typed, shown):
    *set_up, command = shown.command.split(" && ")
    assert all(left_out(each) for each in set_up), shown.command
    assert typed(command, typed_in(shown.output)).out == shown.output


# Commands that no test here runs, by how they begin, and why.
LEFT_OUT = {
    "python3 -m venv ": "sets up an environment; .ci/run does, with every change",
    ". .venv/bin/activate": "belongs to it",
    "pip install ": "needs a network; .ci/run does it",
    "python -m pytest": "is what runs this test",
}

# What is put after a command that would take long; of an option given twice the last counts.
SMALLER = {
    "bridgette bench": "--deals 2 --threads 1",
    "python -m advisor.build": "--deals 90 --buckets 2,2,2 --sweeps 50 --jobs 1 --folder build --keep",
    "python -m benchmarks.arena": "--orders 20 --jobs 1",
    "python -m benchmarks.bid": "--hands 1 --samples 10 --judge 10 --jobs 1",
    "python -m benchmarks.discard": "--situations 1 --sizes 15 --worlds 10 --exhaustive-worlds 10 --jobs 1",
    "python -m benchmarks.run": "--share 0.01 --output results.md tables",
    "python -m benchmarks.verify_switches": "--deals 2",
}

# What stands in a command for something of the reader's.
STANDS_FOR = {"NAME=VALUE": "upcard_drawn=false", "FILE": "file"}


class Told(NamedTuple):
    """A command without its output, and what it says when it is one that is refused."""

    page: str
    command: str
    complaint: str = ""


def left_out(command):
    """The beginning by which a command is among those that are not run, or None."""
    return next((beginning for beginning in LEFT_OUT if command.startswith(beginning)), None)


def told_commands(text, page=""):
    """The commands of a page's blocks without a prompt, of its indented blocks, and those named in its running text."""
    running = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    blocks = [
        block
        for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        if language not in ("console", "python", "text")
    ]
    blocks += re.findall(r"(?<=\n\n)(?: {4}.*\n)+", running)
    for block in blocks:
        for line in map(str.strip, block.splitlines()):
            if line.startswith("bridgette: "):
                continue
            _, _, after = block.partition(f"{line}\n")
            complaint = after.strip() if after.strip().startswith("bridgette: ") else ""
            yield Told(page, line, complaint.partition("\n")[0])
    for named in re.findall(r"`((?:python3?|pip) [^`]+)`", running):
        yield Told(page, " ".join(named.split()))


def told_on_the_pages():
    """Every such command of all pages, once."""
    found = {}
    for page in PAGES:
        for told in told_commands(page.read_text(encoding="utf-8"), page.name):
            found.setdefault(told.command, told)
    return list(found.values())


def words_to_run(command):
    """The words of a command as a test runs it: what stands for something replaced, long work made short."""
    words = [STANDS_FOR.get(word, word) for word in shlex.split(command)]
    beginning = " ".join(words[: 3 if words[0] == "python" else 2])
    assert beginning in SMALLER or words[0] == "bridgette", f"{command}: neither known here nor left out"
    return words + SMALLER.get(beginning, "").split()


@pytest.mark.filterwarnings("ignore:.*found in sys.modules")
@pytest.mark.parametrize(
    "told",
    [told for told in told_on_the_pages() if not left_out(told.command)],
    ids=lambda told: f"{told.page}: {told.command[:60]}",
)
def test_a_command_without_shown_output_runs(bridgette, elsewhere, monkeypatch, told):
    program, *arguments = words_to_run(told.command)
    if program == "bridgette":
        result = bridgette(*arguments)
        assert (result.code, result.err) == ((2, f"{told.complaint}\n") if told.complaint else (0, ""))
        return
    _, module, *arguments = arguments
    monkeypatch.setattr(sys, "argv", [module, *arguments])
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as left:
        assert not left.code


def test_what_is_left_out_is_on_the_pages():
    commands = [told.command for told in told_on_the_pages()]
    commands += [each for shown in shown_commands() for each in shown.command.split(" && ")[:-1]]
    assert {left_out(command) for command in commands} - {None} == set(LEFT_OUT)


def test_commands_are_found_wherever_they_stand_and_unknown_ones_are_refused():
    text = """# Page

```sh
bridgette score "4H N"
bridgette: --tricks is missing
make all
```

Before it is done, `python -m advisor.build --rule
NAME=VALUE` and `pip install x` are named; `code` is not.

    python -m benchmarks.none --deals 3
    bridgette deal

```console
$ bridgette deal
```

```text
    bridgette solve
```
"""
    assert [(told.command, told.complaint) for told in told_commands(text)] == [
        ('bridgette score "4H N"', "bridgette: --tricks is missing"),
        ("make all", ""),
        ("python -m benchmarks.none --deals 3", ""),
        ("bridgette deal", ""),
        ("python -m advisor.build --rule NAME=VALUE", ""),
        ("pip install x", ""),
    ]
    assert words_to_run("python -m advisor.build --rule NAME=VALUE")[3:7] == [
        *("--rule", "upcard_drawn=false", "--deals", "90")
    ]
    for unknown in ("make all", "python -m benchmarks.none --deals 3", "python score.py"):
        with pytest.raises(AssertionError, match="neither known here nor left out"):
            words_to_run(unknown)


def test_every_command_of_the_pages_is_in_a_session():
    """A command that stands in the running text is a name, such as `bridgette play`, never a whole line."""
    for page in PAGES[1:]:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for command in re.findall(r"`(bridgette [^`]*)`", text):
            assert re.fullmatch(r"bridgette [a-z]+", command), (page.name, command)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(page):
    for block in fenced(page.read_text(encoding="utf-8"), "python"):
        exec(compile(block, str(page), "exec"), {})


def test_readme_opens_with_a_deal_and_then_the_tests():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^```(?:console|sh)\n(?:\$ )?(.*?)$", readme, re.MULTILINE)[:2]
    assert first.startswith("python3 -m venv ") and " && bridgette solve " in first
    assert second == "python -m pytest"


def test_ci_runs_the_readme_s_own_test_command(tmp_path):
    (extraction,) = re.findall(r"^test_command=\$\((.*)\)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    found = subprocess.run(["bash", "-c", extraction], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "python -m pytest\n"


def write_outputs_anew(names):
    """Runs every command of the pages with those names (none: of all) and puts what it prints under it."""
    for page in PAGES:
        if names and page.name not in names:
            continue
        text = page.read_text(encoding="utf-8")
        for block in fenced(text, "console"):
            written = ""
            for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = session.partition("\n")
                with tempfile.TemporaryDirectory() as folder:
                    (Path(folder) / "docs").symlink_to(ROOT / "docs")
                    ran = subprocess.run(
                        ["bash", "-c", command.split(" && ")[-1]],
                        input=typed_in(output),
                        capture_output=True,
                        text=True,
                        check=True,
                        cwd=folder,
                        env=os.environ | {"PYTHONPATH": str(ROOT)},
                    )
                written += f"$ {command}\n{ran.stdout}"
                print(f"{page.name}: {command}", flush=True)
            text = text.replace(f"```console\n{block}```", f"```console\n{written}```")
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_outputs_anew(sys.argv[1:])
