"""How deals end by the computed strategies: `python -m advisor.build.endings` measures it for the game's chances.

Packs are shuffled by seed, both players exchange by the policy and bid by the purified blueprint; the shares of the
contracts and tricks, exact for each deal, are summed over the deals.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from advisor.build.work import Arrays, Pool, say
from advisor.match import ENDINGS
from advisor.model import Model, load, model_for, write_arrays
from advisor.outcomes import add_endings
from advisor.packs import DEALER, DRAW_CLASSES, NONDEALER, exchange, held_after_draws, shuffle_packs

SEED = 700_001
_PART = 250


def endings(model: Model, seed: int, first: int, count: int) -> Arrays:
    """How deals number first .. first + count - 1 of a seed end, by draw class, summed over them.

    `shares` (3, 2, 36, 3, 14) is by draw class and then as in `Stakes`, `passed_out` (3,) by draw class.
    """
    from solver.double_dummy import solve_tables

    rules = model.built_for
    held, classes = held_after_draws(shuffle_packs(seed, first, count, np.zeros(0, dtype=np.int64)), rules.upcard_drawn)
    hands = exchange(held, classes, model.exchange, model.exchange)
    tables = solve_tables(
        hands[:, DEALER].copy(), hands[:, NONDEALER].copy(), free_colon_discard=rules.free_colon_discard, threads=1
    )
    shares = np.zeros((DRAW_CLASSES, 2, 36, 3, 14))
    passed_out = np.zeros(DRAW_CLASSES)
    for deal in range(count):
        dealer, nondealer = (
            model.blueprint.strategy(int(hands[deal, role]), int(classes[deal]) + DRAW_CLASSES * role)
            for role in (DEALER, NONDEALER)
        )
        passed_out[classes[deal]] += add_endings(dealer + nondealer, tables[deal], shares[classes[deal]])
    return {"shares": shares, "passed_out": passed_out}


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, measure, write; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m advisor.build.endings", description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, help="a model's file; the one installed unless given")
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1 all cores")
    parser.add_argument("--out", type=Path, default=ENDINGS)
    options = parser.parse_args(arguments)
    model = model_for() if options.model is None else load(options.model)
    tasks = [
        (f"endings-{first}", endings, (model, options.seed, first, min(_PART, options.deals - first)))
        for first in range(0, options.deals, _PART)
    ]
    # Summed in the order of their numbers, so that the sum is the same for any number of processes.
    parts = dict(Pool(options.jobs).run(tasks))
    shares = np.sum([parts[name]["shares"] for name, _, _ in tasks], axis=0).ravel()
    passed_out = np.sum([parts[name]["passed_out"] for name, _, _ in tasks], axis=0)
    places = np.flatnonzero(shares)
    write_arrays(
        options.out,
        {
            "places": places.astype(np.int16),
            "shares": shares[places].astype(np.float32),
            "passed_out": passed_out,
            "deals": np.array(options.deals),
        },
    )
    say(f"written {options.out}: {options.deals} deals, {passed_out.sum() / options.deals:.2%} passed out")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
