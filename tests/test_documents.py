"""What README.md and the pages of docs/ show: each command works as printed and its shown output is its output."""

import re
import subprocess
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


def shown_commands():
    for page in PAGES:
        for block in fenced(page.read_text(encoding="utf-8"), "console"):
            for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = session.partition("\n")
                yield Shown(page.name, command, output)


@pytest.mark.parametrize("shown", list(shown_commands()), ids=lambda shown: f"{shown.page}: {shown.command[-60:]}")
def test_shown_output_is_the_output(typed, shown):
    set_up = shown.command.split(" && ")
    assert typed(set_up[-1]).out == shown.output


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
