"""The whole benchmark: what tables and questions cost here, what each technique gives, threads, memory, and DDS beside.

    python -m benchmarks.run

writes results.md beside this file (about five minutes on a quiet core; --share 0.1 is quick). Every answer is compared
with stored ones (answers.py); a wrong one ends the run with exit code 1. Times are milliseconds of the processor unless
said otherwise, so other work on the machine changes them little; positions repeat exactly.
"""

import argparse
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np

from advisor.deal_sets import colons_of
from advisor.speed import TABLE_BYTES, Solved, Spread, clock, forget, solved
from benchmarks import bridge, techniques
from benchmarks.answers import HARD, DealSet, stored_sets
from benchmarks.verify_switches import kernel_digest
from solver.cards import Strain
from solver.deal import Deal, Seat
from solver.double_dummy import Solver, solve_tables
from solver.play import Position

RESULTS = Path(__file__).parent / "results.md"
SEED = 20_000

# What a limit study of this search reached in C++ on one core: positions expanded and milliseconds a table, by colons.
STUDY = {"0 colons": (3400, 1.7), "1 colon": (9500, 6), "2 colons": (20800, 13), "3 colons": (36500, 25)}


class Report:
    """The results as they grow, in Markdown; told on standard error too."""

    def __init__(self) -> None:
        self.text = ""
        self.wrong = 0

    def say(self, text: str) -> None:
        """A paragraph or a heading."""
        self.text += text + "\n\n"
        print(text, file=sys.stderr, flush=True)

    def table(self, head: str, rows: Iterable[Iterable[str]]) -> None:
        """A table with titles separated by |; all columns but the first at the right."""
        titles = head.split("|")
        lines = [titles, ["---", *["---:"] * (len(titles) - 1)], *map(list, rows)]
        self.say("\n".join("| " + " | ".join(line) + " |" for line in lines))

    def check(self, wrong: int, answers: int, what: str) -> None:
        """Tells how many answers were wrong."""
        self.wrong += wrong
        self.say(f"{answers:,} {what} compared, {wrong} wrong.")


class Scale(NamedTuple):
    """How many deals each part takes."""

    tables: int
    questions: int
    small: int
    whole: int
    threads: int
    memory: int
    bridge: int


WHOLE = Scale(tables=200, questions=40, small=40, whole=24, threads=200, memory=1000, bridge=20)


def scaled(share: float) -> Scale:
    """That share of the whole benchmark's deals, at least one of each."""
    return Scale(*(max(1, round(share * number)) for number in WHOLE))


def tables(report: Report, sets: list[DealSet], scale: Scale) -> None:
    """What a table costs, kind by kind."""
    report.say("## Tables")
    rows, wrong, answers = [], 0, 0
    for each in sets:
        deals = each.deals[: scale.tables]
        cold, warm = list(solved(deals, cold=True)), list(solved(deals))
        for run in (cold, warm):
            wrong += each.wrong([answer.table for answer in run])
            answers += 10 * len(run)
        milliseconds = Spread.of([answer.milliseconds for answer in warm])
        study = STUDY.get(each.name.removeprefix("random, "))
        rows.append(
            [
                each.name,
                str(len(deals)),
                *(f"{_mean(cold, count):,.0f}" for count in ("probed", "expanded")),
                f"{_mean(cold, 'expanded') / study[0]:.2f}" if study else "",
                f"{_mean(warm, 'expanded'):,.0f}",
                *(f"{number:.1f}" for number in asdict(milliseconds).values()),
                f"{milliseconds.p99 / milliseconds.mean:.1f}",
                f"{milliseconds.mean / study[1]:.1f}" if study else "",
            ]
        )
    report.table(
        "deals|number|probed, cold|expanded, cold|/ study|expanded, warm|ms mean|median|p99|max|p99 / mean|ms / study",
        rows,
    )
    report.say(
        "A table is ten results. Cold: the transposition table is emptied before each deal. Warm: it is kept from deal "
        "to deal, as the product does; the milliseconds are warm. Study: a limit study of the same search in C++ on "
        "one core."
    )
    report.check(wrong, answers, "results")


def _mean(answers: list[Solved], count: str) -> float:
    return float(np.mean([getattr(answer, count) for answer in answers]))


QUESTIONS = ("one solve", "at least k: yes", "at least k + 1: no", "values of all cards")


def questions(report: Report, sets: list[DealSet], scale: Scale) -> None:
    """What single questions cost: one strain and leader, each from an empty transposition table."""
    report.say("## Questions about one strain and one player on lead")
    rows, wrong, answers = [], 0, 0
    solver = Solver()
    for each in sets:
        costs = np.zeros((len(QUESTIONS), 2))
        worst = 0.0
        number = min(scale.questions, len(each.deals))
        for row in range(number):
            leader, strain = Seat(row % 2), Strain(row % 5)
            position = Position.opening(each.deals[row], strain, leader.other)
            right = each.deals[row].size - int(each.tables[row, leader.other, strain])
            here = []
            for question, (ask, answer) in enumerate(_asked(solver, position, right)):
                forget(solver)
                before, start = solver.expanded, clock()
                wrong += ask() != answer
                here.append((solver.expanded - before, 1000 * (clock() - start)))
                costs[question] += here[-1]
            answers += len(QUESTIONS)
            if here[0][0] >= 100:
                worst = max(worst, here[3][0] / here[0][0])
        costs /= number
        of_all, of_one = costs[3], costs[0]
        rows.append(
            [
                each.name,
                *(f"{nodes:,.0f} / {milliseconds:.2f}" for nodes, milliseconds in costs),
                " / ".join(f"{ratio:.2f}" for ratio in of_all / of_one),
                f"{worst:.1f}",
            ]
        )
    report.table("|".join(["deals", *QUESTIONS, "cards / solve", "worst deal"]), rows)
    report.say(
        "Positions expanded / milliseconds, means of cold questions (k: the tricks that the leader takes). Worst deal: "
        "the largest ratio of positions, cards to solve, of a deal whose solve expands at least 100."
    )
    report.check(wrong, answers, "answers")


def _asked(solver: Solver, position: Position, right: int) -> tuple[tuple[Callable[[], object], object], ...]:
    """What is asked, in the order of QUESTIONS, and the right answers."""
    leader = position.to_lead
    return (
        (lambda: solver.solve(position).of(leader), right),
        (lambda: solver.at_least(position, leader, right), True),
        (lambda: solver.at_least(position, leader, right + 1), False),
        (lambda: solver.card_values(position)[0].tricks, right),
    )


def small_hands(scale: Scale) -> dict[str, list[Deal]]:
    """Random hands of 8 cards by the colons in them."""
    generator = random.Random(SEED)
    found: dict[str, list[Deal]] = {name: [] for name in STUDY}
    names = list(STUDY)
    while any(len(deals) < scale.small for deals in found.values()):
        deal = Deal.random(generator, 8)
        if len(of_colons := found[names[colons_of(deal)]]) < scale.small:
            of_colons.append(deal)
    return found


def each_technique(report: Report, sets: list[DealSet], scale: Scale) -> None:
    """What each technique gives, on small hands from plain alpha-beta on and on whole deals one by one."""
    report.say("## Technique by technique")
    small = {name: techniques.cumulative(deals) for name, deals in small_hands(scale).items()}
    _costs(report, small, f"Hands of 8 cards, {scale.small} deals each")
    whole = {
        each.name: techniques.one_off(each.deals[: scale.whole])
        for each in sets
        if each.name != HARD and each.name != "random, 1 colon"
    }
    _costs(report, whole, f"Whole deals, {scale.whole} each")
    report.say("Positions expanded / milliseconds a table, each from an empty transposition table.")
    wrong = answers = 0
    for name, costs in (*small.items(), *whole.items()):
        settings = list(costs.values())
        right = next((each.tables[: scale.whole] for each in sets if each.name == name), settings[-1].tables)
        for setting in settings:
            wrong += int((setting.tables != right).sum())
            answers += setting.tables.size
    report.check(wrong, answers, "results")


def _costs(report: Report, by_deals: dict[str, dict[str, techniques.Cost]], head: str) -> None:
    settings = list(next(iter(by_deals.values())))
    rows = []
    for setting in settings:
        costs = [of_setting[setting] for of_setting in by_deals.values()]
        rows.append([setting, *(f"{each.expanded:,.0f} / {each.milliseconds:.2f}" for each in costs)])
    report.table("|".join([head, *by_deals]), rows)


def threads(report: Report, sets: list[DealSet], scale: Scale) -> None:
    """Batches on one thread and on two."""
    report.say("## Threads")
    deals = [deal for each in sets if each.name != HARD for deal in each.deals[: scale.threads]]
    right = np.concatenate([each.tables[: scale.threads] for each in sets if each.name != HARD])
    order = np.random.default_rng(SEED).permutation(len(deals))
    souths = np.array([deals[row].south.mask for row in order], dtype=np.int64)
    norths = np.array([deals[row].north.mask for row in order], dtype=np.int64)
    took: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    wrong = 0
    for _ in range(3):
        for number in took:
            clock_start, processor_start = time.perf_counter(), time.process_time()
            answers = solve_tables(souths, norths, threads=number)
            took[number].append((time.perf_counter() - clock_start, time.process_time() - processor_start))
            wrong += int((answers != right[order]).any(axis=(1, 2)).sum())
    rows = []
    for number, runs in took.items():
        elapsed, processor = min(seconds for seconds, _ in runs), min(seconds for _, seconds in runs)
        rows.append(
            [
                str(number),
                f"{len(deals) / elapsed:.1f}",
                f"{1000 * processor / len(deals):.1f}",
                f"{max(seconds / by_clock for by_clock, seconds in runs):.2f}",
            ]
        )
    report.table("threads|tables a second, by the clock|ms of the processor a table|processors got at most", rows)
    by_clock, by_processor = (
        min(run[which] for run in took[1]) / min(run[which] for run in took[2]) for which in (0, 1)
    )
    report.say(
        f"The best of three runs of {len(deals)} tables. Two threads gave {by_clock:.2f} times the tables a second of "
        f"one, with {os.cpu_count()} processors and a load of {_load()} (tasks running or waiting to): by the clock "
        f"only a load below 1 tells. A table took {1 / by_processor:.2f} times the processor time that it takes on one "
        "thread; above 1 that is what the threads cost each other."
    )
    report.check(wrong, 6 * len(deals), "tables")


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def memory(report: Report, sets: list[DealSet], scale: Scale) -> None:
    """Whether many tables in one process take more memory than a few."""
    report.say("## Memory")
    deals = [deal for each in sets if each.name != HARD for deal in each.deals][: scale.memory]
    list(solved(deals[:20]))
    rows = [["after 20 tables", f"{_resident():.1f}"]]
    solver = Solver()
    for deal in deals:
        solver.table(deal)
    rows.append([f"after {len(deals) + 20:,} tables", f"{_resident():.1f}"])
    report.table("process|MB resident", rows)
    report.say(f"The transposition table has {TABLE_BYTES / 2**20:.0f} MB a thread and never grows.")


def _resident() -> float:
    """Megabytes of memory that the process holds now; where only the most ever is told, that."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def cold_start(report: Report) -> None:
    """The first call after installation and later ones, imports and all."""
    report.say("## Start")
    command = [sys.executable, "-m", "advisor.cli", "solve", "S:AK4.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43"]
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        for what in ("first call, compiling", "second call", "third call"):
            before = os.times()
            start = time.perf_counter()
            subprocess.run(command, env=os.environ | {"BRIDGETTE_CACHE_DIR": cache}, check=True, capture_output=True)
            elapsed = time.perf_counter() - start
            after = os.times()
            processor = after.children_user + after.children_system - before.children_user - before.children_system
            rows.append([what, f"{processor:.2f}", f"{elapsed:.2f}"])
    report.table("`bridgette solve` of one deal with par|seconds of the processor|seconds by the clock", rows)


def beside_bridge(report: Report, sets: list[DealSet], scale: Scale) -> None:
    """DDS on bridge deals and this search on Bridgette deals, in one run."""
    report.say("## Beside DDS")
    if not bridge.is_installed():
        report.say('endplay is not installed (`pip install "bridgette[benchmarks]"`): no comparison.')
        return
    other = bridge.bridge_cost(scale.bridge, SEED)
    rows = [["DDS, bridge, random deals", f"{other.deals}", f"{other.milliseconds_a_result:.2f}"]]
    for each in sets:
        if each.name != HARD:
            answers = list(solved(each.deals[: 5 * scale.bridge]))
            milliseconds = _mean(answers, "milliseconds") / 10
            rows.append([f"this search, Bridgette, {each.name}", str(len(answers)), f"{milliseconds:.2f}"])
    report.table("solver and game|deals|ms a result", rows)
    report.say(
        "These are different games: bridge has four hands of thirteen and twenty results a deal, Bridgette two hands, "
        "colons and ten results. The lines tell what a result costs whoever waits for it, not which program is better."
    )


def main() -> int:
    parts: dict[str, Callable[[Report, list[DealSet], Scale], None]] = {
        "tables": tables,
        "questions": questions,
        "techniques": each_technique,
        "threads": threads,
        "memory": memory,
        "start": lambda report, sets, scale: cold_start(report),
        "bridge": beside_bridge,
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these of {', '.join(parts)}")
    parser.add_argument("--share", type=float, default=1, help="take only this share of the deals, such as 0.1")
    parser.add_argument("--output", type=Path, default=RESULTS, help="the file to write")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(parts):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; expected some of {', '.join(parts)}")
    report = Report()
    report.say("# Benchmark")
    report.say(
        f"Written by `python -m benchmarks.run` on {platform.machine()}, {os.cpu_count()} processors, load {_load()}; "
        f"Python {platform.python_version()}, numba {numba.__version__}; search {kernel_digest()}."
        + ("" if options.share == 1 else f" Only {options.share:g} of the deals.")
    )
    sets = stored_sets()
    for name in options.parts or parts:
        parts[name](report, sets, scaled(options.share))
    options.output.write_text(report.text.rstrip() + "\n", encoding="utf-8")
    print(f"written: {options.output}; {report.wrong} answers wrong")
    return int(report.wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
