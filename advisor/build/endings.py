"""How deals end by the computed strategies, of a build's solved deals: `python -m advisor.build.endings --folder F`.

The deals of the last round in which nobody explored, both players bidding by the purified blueprint: the chances of
each contract and number of tricks, exact for each deal, averaged over the deals of a draw class and weighted by how
often its upcards come. The chances to win the game rest on it. The build itself ends with this.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from advisor.build.deals import CLASS_CHANCES, NOBODY, Deals
from advisor.build.work import Arrays, say
from advisor.match import ENDINGS
from advisor.model import Model, load, write_arrays
from advisor.outcomes import add_endings
from advisor.packs import DEALER, DRAW_CLASSES, NONDEALER

DEALS = 12_000


def endings(model: Model, deals: Deals) -> Arrays:
    """The shares of all endings, as `advisor.match.measured_endings` reads them, from deals of all draw classes."""
    shares = np.zeros((DRAW_CLASSES, 2, 36, 3, 14))
    passed_out = np.zeros(DRAW_CLASSES)
    for hands, table, draw_class in zip(deals.hands, deals.tables, deals.classes, strict=True):
        dealer, nondealer = (
            model.blueprint.strategy(int(hands[role]), int(draw_class) + DRAW_CLASSES * role)
            for role in (DEALER, NONDEALER)
        )
        passed_out[draw_class] += add_endings(dealer + nondealer, table, shares[draw_class])
    weights = CLASS_CHANCES / np.bincount(deals.classes, minlength=DRAW_CLASSES)
    flat = (shares * weights[:, None, None, None, None]).ravel()
    places = np.flatnonzero(flat)
    return {
        "places": places.astype(np.int16),
        "shares": flat[places].astype(np.float32),
        "passed_out": passed_out * weights,
        "deals": np.array(len(deals.classes)),
    }


def write_endings(folder: Path, model_file: Path, target: Path) -> None:
    """Write the endings of the model that was built in a folder."""
    last_round = model_file.name.partition("-")[0]
    parts = []
    for path in sorted(folder.glob(f"{last_round}-deals-*.npz")):
        with np.load(path) as stored:
            parts.append({name: stored[name] for name in stored.files})
    deals = Deals.together(parts)
    chosen = np.flatnonzero(deals.explorer == NOBODY)[:DEALS]
    found = endings(load(model_file), deals.of(chosen))
    write_arrays(target, found)
    say(f"written {target}: {len(chosen)} deals, {float(found['passed_out'].sum()):.2%} passed out")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, measure, write; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m advisor.build.endings", description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("build/strategy"), help="of the build")
    parser.add_argument("--out", type=Path, default=ENDINGS)
    options = parser.parse_args(arguments)
    models = sorted(options.folder.glob("round*-model.npz"))
    if not models:
        parser.error(f"{options.folder} has no model; expected the folder of a build that was ended")
    write_endings(options.folder, models[-1], options.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
