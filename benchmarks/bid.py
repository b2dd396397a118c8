"""How good the bidding advice is: first calls against simpler ways to call, and said chances against what happens.

    python -m benchmarks.bid --hands 100 --judge 400 --results first_calls.jsonl
    python -m benchmarks.bid --hands 167 --judge 0 --first 100 --results first_calls.jsonl

Hands come from fresh packs, exchanged by the policy, so many of each role and class of upcard. The advisor chooses a
first call (of the non-dealer: after the dealer's first by the blueprint), and every way to call is judged on worlds
of another seed that had no part in choosing. The opponent's real hand of the same pack tells what each legal bid, left
in, would have done: that is the calibration. Results are kept in a file, one hand a line, and are not computed again.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from advisor.baselines import greedy_strategy
from advisor.bidding import BiddingSession
from advisor.build.deals import CLASS_CHANCES
from advisor.model import Model, load, model_for
from advisor.packs import (
    CLASS_NAMES,
    DEALER,
    DRAW_CLASSES,
    NONDEALER,
    UPCARD_PLACE,
    exchange,
    held_after_draws,
    shuffle_packs,
)
from advisor.picking import mean_and_error
from solver.auction import Auction, Bid
from solver.auction_states import OPENING, call_index, call_of, declarer_points, state_of
from solver.cards import Card, Hand
from solver.double_dummy import solve_tables
from solver.exchange import Role
from solver.rules import DEFAULT_RULES

HELD_OUT_SEED = 910_001
_JUDGE_SEED = 77_000_001
WAYS = ("advisor", "blueprint", "greedy+1", "greedy")
_TENTHS = 10


def measure(model: Model, role: Role, draw_class: int, number: int, samples: int | None, judge: int) -> dict[str, Any]:
    """One hand's first call: each way's call, its judged score, and of each legal bid the said chance and the fact."""
    packs = shuffle_packs(HELD_OUT_SEED, number * DRAW_CLASSES + draw_class, 1, np.arange(DRAW_CLASSES))
    held, classes = held_after_draws(packs)
    hands = exchange(held, classes, model.exchange, model.exchange)[0]
    mine, theirs = int(hands[role]), int(hands[1 - role])
    context = draw_class + DRAW_CLASSES * role
    upcard = Card.from_index(int(packs[0, UPCARD_PLACE]))
    threw = Hand(int(held[0, role]) & ~mine)
    session = BiddingSession(Hand(mine), role, upcard, threw, model=model, seed=number, threads=1)
    auction = Auction(session.dealer)
    if role == Role.NONDEALER:
        shares = model.blueprint.strategy(theirs, draw_class)[OPENING]
        call = int(np.random.default_rng((HELD_OUT_SEED, number, draw_class)).choice(len(shares), p=shares))
        auction = auction.after(call_of(OPENING, call))
    state = state_of(auction)
    advice = session.advise(auction, samples)
    shares_here = model.blueprint.strategy(mine, context)[state]
    points = declarer_points(DEFAULT_RULES)
    index = {
        "advisor": call_index(advice.call),
        "blueprint": int(shares_here.argmax()),
        **{
            f"greedy{'+1' if inference else ''}": int(
                greedy_strategy(mine, context, inference, model.tricks, points, DEFAULT_RULES.nt_jump_min)[
                    state
                ].argmax()
            )
            for inference in (1.0, 0.0)
        },
    }
    real = np.array([[mine, theirs][role != DEALER]]), np.array([[mine, theirs][role != NONDEALER]])
    table = solve_tables(*real)[0]
    result: dict[str, Any] = {
        "role": int(role),
        "class": draw_class,
        "number": number,
        "samples": advice.samples,
        "auction": str(auction),
        "calls": {way: str(call_of(state, call)) for way, call in index.items()},
        "said": {str(each.call): [round(each.score, 1), round(each.se, 1)] for each in advice.calls},
        "made": [
            [round(each.made or 0.0, 4), int(table[role, each.call.strain] >= each.call.tricks)]
            for each in advice.calls
            if isinstance(each.call, Bid)
        ],
    }
    if judge and len(set(index.values())) == 1:
        result |= {"scores": dict.fromkeys(index, 0.0), "judge": None}  # all alike: nothing to judge
    elif judge:
        judging = BiddingSession(Hand(mine), role, upcard, threw, model=model, seed=_JUDGE_SEED + number, threads=1)
        verdict = judging.advise(auction, judge)
        scores = {call_index(each.call): each.score for each in verdict.calls}
        result["scores"] = {way: round(scores[call], 2) for way, call in index.items()}
        result["judged"] = {str(each.call): round(each.score, 1) for each in verdict.calls}
        result["judge"] = verdict.samples
    return result


def gains(results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The advisor's points over each other way: by role and class, and over all; means and standard errors."""
    judged = [each for each in results if "scores" in each]
    if not judged:
        return
    worlds = [each["judge"] for each in judged if each["judge"] is not None]
    yield f"{len(judged)} first calls, judged on {min(worlds)} worlds or more of another seed where the ways differ"
    yield (
        "points of the advisor's call over that of    " + "".join(f"{way:>20}" for way in WAYS[1:]) + "   as blueprint"
    )
    groups = [(Role(role), kind) for role in Role for kind in range(DRAW_CLASSES)]
    for role, kind in groups:
        chosen = [each for each in judged if (each["role"], each["class"]) == (role, kind)]
        if chosen:
            yield f"{role.title + ', ' + CLASS_NAMES[kind]:28}{len(chosen):>6} hands     " + _gain_cells(chosen)
    yield f"{'all, alike':28}{len(judged):>6} hands     " + _gain_cells(judged)
    drawn = np.array([CLASS_CHANCES[each["class"]] for each in judged])
    counts = Counter((each["role"], each["class"]) for each in judged)
    drawn /= [counts[each["role"], each["class"]] for each in judged]
    yield f"{'all, as the upcards come':28}{len(judged):>6} hands     " + _gain_cells(judged, drawn)
    usual = sorted(judged, key=lambda each: each["scores"]["advisor"] - each["scores"]["blueprint"])[:-5]
    yield f"{'all but the 5 largest gains':28}{len(usual):>6} hands     " + _gain_cells(usual)


def _gain_cells(chosen: Sequence[dict[str, Any]], weights: NDArray[np.float64] | None = None) -> str:
    if not chosen:
        return ""
    shares = np.full(len(chosen), 1 / len(chosen)) if weights is None else weights / weights.sum()
    cells = []
    for way in WAYS[1:]:
        differences = np.array([each["scores"]["advisor"] - each["scores"][way] for each in chosen])
        mean, error = mean_and_error(differences[:, None], shares)
        cells.append(f"{mean[0]:>+11.1f} ± {error[0] if len(chosen) > 1 else np.nan:<6.1f}")
    same = np.mean([each["calls"]["advisor"] == each["calls"]["blueprint"] for each in chosen])
    return "".join(cells) + f"{same:>15.0%}"


def calibration(results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """For each tenth: bids said to make with such a chance, the mean chance said, the share that made.

    A deal's bids stand or fall together, so the error is taken over deals.
    """
    said = np.concatenate([np.array(each["made"], dtype=np.float64).reshape(-1, 2) for each in results])
    deal = np.concatenate([np.full(len(each["made"]), place) for place, each in enumerate(results)])
    tenth = np.minimum((said[:, 0] * _TENTHS + 1e-9).astype(int), _TENTHS - 1)
    yield f"{len(results)} deals, {len(said)} legal bids: said to make, and made, left in"
    yield f"{'said':>10}{'bids':>8}{'mean said':>12}{'made':>16}"
    for place in range(_TENTHS):
        chosen = tenth == place
        if not chosen.any():
            continue
        counts = np.bincount(deal[chosen], minlength=len(results))
        sums = np.bincount(deal[chosen], said[chosen, 1], minlength=len(results))
        share = sums.sum() / counts.sum()
        error = np.sqrt(((sums - share * counts) ** 2).sum()) / counts.sum()
        yield (
            f"{f'{10 * place} to {10 * place + 10}%':>10}{chosen.sum():>8}{said[chosen, 0].mean():>12.1%}"
            f"{share:>10.1%} ± {error:.1%}"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, measure what is missing, report; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bid", description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=100, help="of each role and class")
    parser.add_argument("--first", type=int, default=0, help="the number of the first of them")
    parser.add_argument("--samples", type=int, help="worlds to choose on; the advisor's default unless given")
    parser.add_argument("--judge", type=int, default=400, help="worlds to judge on; 0: calibration only")
    parser.add_argument("--model", type=Path, help="a model's file; the one installed unless given")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1 all cores")
    parser.add_argument("--results", type=Path, help="where hands are kept, one a line")
    options = parser.parse_args(arguments)
    model = model_for() if options.model is None else load(options.model)
    results: list[dict[str, Any]] = []
    if options.results is not None and options.results.exists():
        results = [json.loads(line) for line in options.results.read_text().splitlines()]
    done = {(each["role"], each["class"], each["number"]) for each in results}
    wanted = [
        (role, draw_class, number)
        for number in range(options.first, options.hands)
        for role in Role
        for draw_class in range(DRAW_CLASSES)
        if (role, draw_class, number) not in done
    ]
    tasks = (joblib.delayed(measure)(model, *hand, options.samples, options.judge) for hand in wanted)
    try:
        for result in joblib.Parallel(n_jobs=options.jobs, return_as="generator_unordered")(tasks):
            results.append(result)
            if options.results is not None:
                with options.results.open("a") as file:
                    file.write(json.dumps(result) + "\n")
            if len(results) % 10 == 0:
                print(f"{len(results)} hands", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
    if not results:
        return 0
    for line in [*gains(results), "", *calibration(results)]:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
