"""The rules of the game stand alone: they import the standard library and each other, nothing else."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

RULES_LAYER = [
    "auction",
    "cards",
    "deal",
    "errors",
    "exchange",
    "game",
    "notation",
    "play",
    "record",
    "record_faults",
    "record_text",
    "rules",
    "scoring",
]
SOLVER = Path(__file__).parent.parent / "solver"


@pytest.mark.parametrize("module", ["__init__", *RULES_LAYER])
def test_a_rules_module_imports_only_the_standard_library_and_its_like(module):
    for node in ast.walk(ast.parse((SOLVER / f"{module}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "."]
        else:
            continue
        for name in names:
            allowed = name.split(".")[0] in sys.stdlib_module_names
            assert allowed or name in {f"solver.{other}" for other in RULES_LAYER}, (module, name)


def test_the_rules_load_nothing_heavy():
    imports = "; ".join(f"import solver.{module}" for module in RULES_LAYER)
    heavy = "{'numba', 'numpy', 'ortools', 'rich', 'typer'}"
    script = f"import sys; {imports}; print(sorted({heavy} & set(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=SOLVER.parent
    )
    assert result.stdout == "[]\n"
