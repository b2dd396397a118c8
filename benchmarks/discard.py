"""How good the advice on the exchange is: its keeps and simpler ones, judged on opponents not used in choosing.

    python -m benchmarks.discard --situations 200 --file discard.jsonl
    python -m benchmarks.discard --exhaustive --situations 30 --file exhaustive.jsonl

A situation is a fresh pack with one player's cards after drawing. Every keep is judged on the same sampled hands of the
opponent, solved exactly, by both yardsticks: par, and the smoothed blueprint value. What is in the file already is not
measured again, so a run can be stopped and gone on with, or a rival added. Errors are standard errors over situations.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from advisor.baselines import highest_cards, longest_suit_and_honours
from advisor.discard import advise
from advisor.halving import DEFAULT_SECONDS, Schedule
from advisor.judging import Judge
from advisor.keep_model import KeepModel
from advisor.match import declaring_shares, point_stakes
from advisor.model import model_for
from advisor.packs import held_after_draws, shuffle_packs
from advisor.worlds import Known
from solver.cards import Card, Hand
from solver.errors import BridgetteError
from solver.exchange import Role, legal_keeps

SEED = 800_001
JUDGING, EXHAUSTING = 1_000_003, 2_000_003  # seeds of the worlds that judge, apart from those that choose
SIZES = {15: None, 17: 0, 21: 1, 25: 2}  # the draw class of a dealer with so many cards; the non-dealer meets all
TARGET = 25.0
RIVALS = ("policy", "program", "longest", "highest")
FIRST_WORLDS, CLEARLY = 50, 4.0  # on which all the keeps are tried; paired standard errors behind that drop one
_ADVISOR_SEED = 5


def situation(size: int, number: int, seed: int) -> Known:
    """The situation of that number with so many cards held."""
    kind = SIZES[size]
    classes = np.array([0, 1, 2, 0, 1, 0] if kind is None else [kind], dtype=np.int64)
    pack = shuffle_packs(seed + size, number, 1, classes)
    held, _ = held_after_draws(pack)
    role = Role.NONDEALER if kind is None else Role.DEALER
    return Known(role, Hand(int(held[0, role])), Card.from_index(int(pack[0, 26])))


def advised(known: Known) -> tuple[int, float]:
    """What the advisor keeps by its default work, and the seconds of processor time that it took."""
    # Without the clock, so that a busy machine changes nothing.
    schedule = Schedule(Schedule.of_time(DEFAULT_SECONDS[len(known.cards)], len(known.cards)).rounds)
    started = time.process_time()
    advice = advise(known, schedule=schedule, seed=_ADVISOR_SEED, threads=1)
    return advice.recommended.keep.mask, time.process_time() - started


def kept_by(rival: str, known: Known) -> int:
    """What that one of RIVALS keeps."""
    model = model_for()
    context = known.context or 0
    held, contexts = np.array([known.cards.mask]), np.array([context])
    if rival == "program":
        program = KeepModel(known.cards, context, model.tricks, declaring_shares(known.role, known.draw_class or 0))
        first = np.array([next(program.pool((plan,), 1)).keep for plan in program.plans()])
        values = model.exchange.values(first, context)
        return int(first[values.argmax()])
    simple = {"policy": model.exchange, "longest": longest_suit_and_honours, "highest": highest_cards}
    return int(simple[rival](held, contexts)[0])


def judged(known: Known, keeps: Iterable[int], worlds: int, seed: int) -> dict[int, list[float]]:
    """The mean par and blueprint value of each keep on that many worlds of a seed."""
    distinct = list(dict.fromkeys(keeps))
    judge = Judge(known, distinct, model_for(), point_stakes(known.rules), seed, threads=1)
    for first in range(0, worlds, 100):
        judge.meet(range(len(distinct)), first, min(100, worlds - first))
    return {keep: judge.values[place].mean(axis=0).tolist() for place, keep in enumerate(distinct)}


def best_of_all(known: Known, worlds: int, seed: int) -> int:
    """The best of all keeps on that many worlds; those clearly behind the best so far do not meet the rest of them."""
    judge = Judge(
        known,
        [hand.mask for hand in legal_keeps(known.cards)],
        model_for(),
        point_stakes(known.rules),
        seed,
        threads=1,
    )
    still_in, reached = np.arange(len(judge.keeps)), 0
    while True:
        to = min(worlds, max(FIRST_WORLDS, 2 * reached))
        judge.meet(still_in.tolist(), reached, to - reached)
        reached = to
        values = judge.mean_values()[still_in]
        best = values.mean(axis=1).argmax()
        if reached == worlds or len(still_in) == 1:
            return int(judge.keeps[still_in[best]])
        behind = values[best] - values
        errors = behind.std(axis=1, ddof=1) / np.sqrt(reached)
        still_in = still_in[behind.mean(axis=1) <= CLEARLY * errors]


def measure(
    row: dict[str, Any], wanted: Sequence[str], seed: int, worlds: int, exhaustive_worlds: int
) -> dict[str, Any]:
    """One situation with the keeps wanted and what they are worth, those that the row has already as they are."""
    known = situation(row["size"], row["number"], seed)
    row = row | {"held": str(known.cards), "upcard": str(known.upcard)}
    keeps = {name: Hand.parse(keep).mask for name, keep in row.get("keeps", {}).items()}
    worth = {keeps[name]: values for name, values in row.get("values", {}).items()}
    for name in wanted:
        if name in keeps:
            continue
        if name == "advisor":
            keeps[name], row["seconds"] = advised(known)
        elif name == "exhaustive":
            keeps[name] = best_of_all(known, exhaustive_worlds, EXHAUSTING)
        else:
            keeps[name] = kept_by(name, known)
    unknown = [keep for keep in keeps.values() if keep not in worth]
    if unknown and len(set(keeps.values())) > 1:  # else there is nothing to compare
        worth |= judged(known, unknown, worlds, JUDGING)
    row["keeps"] = {name: str(Hand(keep)) for name, keep in keeps.items()}
    row["values"] = {name: worth[keep] for name, keep in keeps.items() if keep in worth}
    return row


def read_rows(path: Path) -> dict[tuple[int, int], dict[str, Any]]:
    """The situations of a file by size and number, of each the last line."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {(row["size"], row["number"]): row for row in map(json.loads, lines)}


def report(rows: Sequence[dict[str, Any]], rivals: Sequence[str]) -> None:
    """Print, for each size and for all, the advisor's points more than each rival's, where that was measured."""
    print(f"{'cards':>5} {'number':>6}  {'against':<10} {'points':>16} {'by par':>16} {'by blueprint':>16}  changed")
    for size in [*sorted({row["size"] for row in rows}), None]:
        for rival in rivals:
            chosen = [row for row in rows if size in (None, row["size"]) and rival in row["keeps"]]
            if not chosen:
                continue
            gains = np.array(
                [
                    np.zeros(2)
                    if row["keeps"]["advisor"] == row["keeps"][rival]
                    else np.subtract(row["values"]["advisor"], row["values"][rival])
                    for row in chosen
                ]
            )
            changed = np.mean([row["keeps"]["advisor"] != row["keeps"][rival] for row in chosen])
            cells = [_cell(values) for values in (gains.mean(axis=1), gains[:, 0], gains[:, 1])]
            print(f"{size or 'all':>5} {len(chosen):>6}  {rival:<10} {' '.join(cells)}  {changed:.0%}")
    seconds = [row["seconds"] for row in rows]
    print(f"processor time of an advice: mean {np.mean(seconds):.1f} s, most {np.max(seconds):.1f} s")


def _cell(values: np.ndarray[Any, Any]) -> str:
    error = f" ± {values.std(ddof=1) / np.sqrt(len(values)):5.1f}" if len(values) > 1 else " " * 8
    return f"{values.mean():+8.1f}{error}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, measure what is missing, report; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.discard", description=__doc__.splitlines()[0])
    parser.add_argument("--situations", type=int, default=200, help="of each size")
    parser.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=list(SIZES))
    parser.add_argument("--worlds", type=int, default=400, help="opponents that judge")
    parser.add_argument("--exhaustive", action="store_true", help="15 cards: against the best of all 105 keeps")
    parser.add_argument("--exhaustive-worlds", type=int, default=2000, help="opponents on which all are tried")
    parser.add_argument("--against", nargs="+", choices=RIVALS, default=list(RIVALS))
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--file", type=Path, default=Path("discard.jsonl"), help="one situation a line")
    options = parser.parse_args(arguments)
    sizes = [15] if options.exhaustive else options.sizes
    if not set(sizes) <= set(SIZES):
        parser.error(f"--sizes {sizes}; expected some of {list(SIZES)}")
    rivals = ["exhaustive", *options.against] if options.exhaustive else options.against
    rows = read_rows(options.file)
    # The sizes in turn, so that a run stopped early has measured each as often.
    wanted = [
        rows.get((size, number), {"size": size, "number": number})
        for number in range(options.situations)
        for size in sizes
    ]
    open_rows = [row for row in wanted if not {"advisor", *rivals} <= row.get("keeps", {}).keys()]
    tasks = (
        joblib.delayed(measure)(row, ["advisor", *rivals], options.seed, options.worlds, options.exhaustive_worlds)
        for row in open_rows
    )
    try:
        for done, row in enumerate(joblib.Parallel(n_jobs=options.jobs, return_as="generator_unordered")(tasks), 1):
            rows[row["size"], row["number"]] = row
            with options.file.open("a") as file:
                file.write(json.dumps(row) + "\n")
            print(f"{done} of {len(open_rows)} situations", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
    except BridgetteError as error:
        parser.error(str(error))
    if rows:
        report(list(rows.values()), rivals)
    return 0


if __name__ == "__main__":
    sys.exit(main())
