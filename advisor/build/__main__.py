"""The command that computes everything anew: `python -m advisor.build --help`."""

import argparse
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from advisor import model as stored
from advisor.build import learn
from advisor.build.deals import Deals, solve_part
from advisor.build.endings import write_endings
from advisor.build.report import write_report
from advisor.build.value_net import train_net
from advisor.build.work import Arrays, Pool, Workplace, cluster, say
from advisor.exchange_policy import ExchangePolicy
from advisor.match import ENDINGS
from advisor.packs import CONTEXTS, DRAW_CLASSES
from advisor.trick_model import TrickTables
from solver.errors import BridgetteError
from solver.rules import DEFAULT_RULES, Rules

HELD_OUT = 0.1  # of a round's deals: never learned from, for the report only


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the outcome: the same settings give the same files, whatever the number of processes and threads."""

    rules: Rules
    seed: int
    deals: tuple[int, ...]
    exploring: float
    buckets: tuple[int, ...]
    sweeps: tuple[int, ...]
    part: int

    def __str__(self) -> str:
        return "".join(f"{field.name}: {getattr(self, field.name)}\n" for field in fields(self))


class Round(NamedTuple):
    """What a round leaves to the next: policy, deals exchanged by a policy to learn from, the worth of passing out."""

    policy: ExchangePolicy | None
    deals: Deals | None
    passed_out: float


def build(settings: Settings, folder: Path, pool: Pool) -> Path:
    """Run every round and write the report; comes back with the last round's model file."""
    work = Workplace(folder, str(settings))
    done = Round(None, None, 0.0)
    # Sums of floating numbers hang on how many threads share them, the files must not.
    with threadpool_limits(1, user_api="blas"):
        for number in range(len(settings.deals)):
            done = _round(number, settings, work, pool, done)
    return folder / f"round{len(settings.deals) - 1}-model.npz"


def _round(
    number: int,
    settings: Settings,
    work: Workplace,
    pool: Pool,
    before: Round,
) -> Round:
    """One round: deals exchanged by the policy so far, then trick model, buckets, blueprint and the next policy."""
    rules, seed = settings.rules, settings.seed * 1000 + number
    policy, passed_out = before.policy, before.passed_out
    count = settings.deals[number]
    say(f"round {number}: {count} packs exchanged by {'longest suit and honours' if policy is None else 'the policy'}")
    parts = work.results(
        [
            (
                f"round{number}-deals-{first // settings.part:04d}",
                solve_part,
                (seed, first, min(settings.part, count - first), settings.exploring, policy, rules),
            )
            for first in range(0, count, settings.part)
        ],
        pool,
    )
    deals = Deals.together(parts)
    kept_back = deals.pack >= int(count * (1 - HELD_OUT))
    fresh, held_out = deals.of(~kept_back), deals.of(kept_back)
    # The round before has other opponents, but hardly; more deals to learn from are worth more.
    learned = fresh if before.deals is None else fresh.and_those(before.deals)
    say(f"round {number}: trick model and buckets")
    last = number == len(settings.deals) - 1
    # Only the last auction is played; before that it judges keeps, and those of exploring hands want buckets too.
    bucketed = learn.on_policy(learned) if last else learned
    found = work.result(f"round{number}-tricks", partial(_tricks_and_buckets, learned, bucketed, settings))
    tricks = TrickTables(*(found[name] for name in TrickTables._fields))
    centres = [found[f"centres{context}"] for context in range(CONTEXTS)]
    games = [
        learn.abstract_game(learn.on_policy(learned), draw_class, tricks, centres, rules)
        for draw_class in range(DRAW_CLASSES)
    ]
    say(f"round {number}: blueprint, {settings.sweeps[number]} sweeps")
    solved = work.results(
        [
            (
                f"round{number}-blueprint-{draw_class}",
                learn.solve_auction,
                (
                    games[draw_class],
                    settings.buckets[draw_class],
                    settings.sweeps[number],
                    seed,
                    rules,
                    passed_out,
                ),
            )
            for draw_class in range(DRAW_CLASSES)
        ],
        pool,
    )
    say(f"round {number}: exchange policy")
    path = work.path(f"round{number}-model")
    if not path.exists():
        auction = learn.blueprint(tricks, centres, solved, rules, passed_out)
        scored = work.results(
            [
                (
                    f"round{number}-scores-{draw_class}",
                    learn.smoothed_scores,
                    (learned.of(learned.classes == draw_class), auction, draw_class, seed),
                )
                for draw_class in range(DRAW_CLASSES)
            ],
            pool,
        )
        scores = np.empty(len(learned.hands))
        for draw_class, part in enumerate(scored):
            scores[learned.classes == draw_class] = part["scores"]
        exchange = ExchangePolicy(train_net(learn.lessons_of(learned, scores), seed))
        stored.save(stored.Model(tricks, exchange, auction, rules), path)
    model = stored.load(path)
    if last:
        say(f"round {number}: responses and report")
        unseen = [
            learn.abstract_game(learn.on_policy(held_out), draw_class, tricks, centres, rules)
            for draw_class in range(DRAW_CLASSES)
        ]
        exploited = work.results(
            [
                (
                    f"round{number}-responses-{draw_class}",
                    learn.exploit,
                    (games[draw_class], unseen[draw_class], solved[draw_class], rules, passed_out),
                )
                for draw_class in range(DRAW_CLASSES)
            ],
            pool,
        )
        write_report(work.folder / "report.md", str(settings), model, learned, held_out, solved, exploited)
    return Round(
        model.exchange,
        None if policy is None else fresh,
        learn.dealers_value(solved) if rules.redeal_passed_out else 0.0,
    )


def _tricks_and_buckets(learned: Deals, bucketed: Deals, settings: Settings) -> Arrays:
    tricks = learn.fit_tricks(learned)
    found: dict[str, NDArray[np.float64]] = dict(tricks._asdict())
    for context in range(CONTEXTS):
        count = settings.buckets[context % DRAW_CLASSES]
        found[f"centres{context}"] = learn.find_buckets(bucketed, tricks, context, count, settings.seed)
    return found


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word.replace("_", "")) for word in text.split(","))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, build, print the report, and install the model unless told otherwise; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m advisor.build",
        description="Compute trick model, exchange policy and blueprint anew from seeds. Stop it at any time: the same "
        "command goes on where it was. Example: python -m advisor.build --folder build/default",
    )
    parser.add_argument("--folder", type=Path, default=Path("build/strategy"), help="where results are kept")
    parser.add_argument("--rules", "--rule", action="append", default=[], metavar="NAME=VALUE", help="another setting")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=_numbers, default=(4_000, 10_000, 24_000, 90_000), help="packs of each round")
    parser.add_argument("--exploring", type=float, default=0.5, help="share of packs with one hand's other keeps")
    parser.add_argument("--buckets", type=_numbers, default=(400, 300, 200), help="for 4, 8 and 12 draws, each role")
    parser.add_argument(
        "--sweeps", type=_numbers, default=(30, 40, 60, 150), help="of the auction's solver, each round's"
    )
    parser.add_argument("--part", type=int, default=250, help="deals solved at a time")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1 all cores")
    parser.add_argument("--backend", choices=["loky", "dask"], default="loky")
    parser.add_argument("--address", help="of a dask scheduler; without it a cluster is started here")
    parser.add_argument("--keep", action="store_true", help="leave the installed model as it is")
    options = parser.parse_args(arguments)
    try:
        settings = Settings(
            Rules.with_choices(options.rules),
            options.seed,
            options.deals,
            options.exploring,
            options.buckets,
            options.sweeps,
            options.part,
        )
        if len(settings.sweeps) != len(settings.deals) or len(settings.buckets) != DRAW_CLASSES:
            parser.error("expected as many numbers of sweeps as of deals, and three numbers of buckets")
        with cluster(options.backend, options.address, options.jobs):
            built = build(settings, options.folder, Pool(options.jobs, options.backend))
    except BridgetteError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from here")
        return 130
    print((options.folder / "report.md").read_text(), end="", flush=True)
    if not options.keep:
        stored.DATA.mkdir(exist_ok=True)
        target = stored.DATA / stored.file_name(settings.rules)
        # Under another name first: a file half written would leave no advice at all.
        shutil.copyfile(built, target.with_suffix(".new"))
        target.with_suffix(".new").replace(target)
        say(f"installed {target} ({target.stat().st_size / 1e6:.2f} MB)")
        if settings.rules == DEFAULT_RULES:
            write_endings(options.folder, built, ENDINGS)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
