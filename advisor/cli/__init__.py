"""The command line `bridgette`: one module a subcommand, what is computed apart from how it is shown."""

import gc
import sys
import time
from collections.abc import Sequence

from solver.errors import interruptions

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code: 0 done, 1 not written, 2 wrong input, 130 interrupted."""
    started = time.monotonic()
    try:
        from advisor.cli.app import run  # only here, so that Ctrl-C at the very start is caught too

        with interruptions():
            code = run(sys.argv[1:] if arguments is None else arguments, started)
    except KeyboardInterrupt:
        code = INTERRUPTED
    if arguments is None:
        gc.freeze()  # all goes with the process: looking for what to free first took up to a third of a second
    sys.exit(code)
