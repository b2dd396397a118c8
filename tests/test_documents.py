"""What README.md and the pages of docs/ show: each command works as printed and its shown output is its output.

After a change that is meant, `python -m tests.test_documents` writes the outputs anew, of all pages or of those named.
"""

import os
import re
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
    set_up = shown.command.split(" && ")
    assert typed(set_up[-1], typed_in(shown.output)).out == shown.output


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
