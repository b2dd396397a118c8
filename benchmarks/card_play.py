"""What the advisor's card play is worth: `python -m benchmarks.card_play --deals 100`.

Deals are exchanged and bid by the computed strategies. Each is played twice, the advisor's cards for South against the
other player's for North and the other way round, so that the luck of contract and seat falls out. Others: `greedy`, the
rules of thumb of the player of that name; `open`, best play with all cards open; `20`, the advisor on so many hands.
Printed too: how long the advisor thinks, in seconds of one core.
"""

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

from advisor.card_play import DEFAULT_SAMPLES, advise
from advisor.deal_in_play import decided, position_of, turn
from advisor.players import Greedy, View, view
from advisor.simulate import Figure
from benchmarks.colon_habits import bid_record
from solver.cards import Card
from solver.deal import Seat
from solver.double_dummy import best_line
from solver.record import Record

Chooser = Callable[[Record, View], Card]


def advised(samples: int, seconds: list[float]) -> Chooser:
    """The advisor's cards on so many hands; adds its thinking times to `seconds`."""

    def choose(record: Record, seen: View) -> Card:
        assert seen.seen is not None
        start = time.process_time()
        card = advise(seen.seen, samples=samples, threads=1).card
        seconds.append(time.process_time() - start)
        return card

    return choose


def chooser(name: str) -> Chooser:
    """The player of that name."""
    if name == "greedy":
        return lambda record, seen: Greedy().card(seen)
    if name == "open":

        def best(record: Record, seen: View) -> Card:
            position = position_of(record)
            assert position is not None
            return best_line(position)[0]

        return best
    return advised(int(name), [])


def played(record: Record, south: Chooser, north: Chooser) -> int:
    """South's points when the two play the deal out."""
    while (now := turn(record)) is not None:
        choose = south if now.seat == Seat.SOUTH else north
        record = decided(record, choose(record, view(record, now.seat)))
    assert record.south_points is not None
    return record.south_points


def figure(gains: list[float]) -> Figure:
    """The mean of one gain or more; of one alone without an error, which it does not tell."""
    error = float(np.std(gains, ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else None
    return Figure(float(np.mean(gains)), error)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--samples", type=int, default=DEFAULT_SAMPLES)
    parser.add_argument("--against", nargs="+", default=["greedy", "open"])
    parser.add_argument("--seed", type=int, default=2)
    options = parser.parse_args(arguments)
    seconds: list[float] = []
    advisor = advised(options.samples, seconds)
    gains: dict[str, list[float]] = {name: [] for name in options.against}
    for number in range(options.deals):
        record = bid_record(options.seed * 1_000_000 + number)
        if record.contract is None:
            continue
        for name in options.against:
            other = chooser(name)
            gains[name].append((played(record, advisor, other) - played(record, other, advisor)) / 2)
    if not seconds:
        print(f"{options.deals} deals, all passed out: nothing was played")
        return
    for name, found in gains.items():
        mean, error = figure(found)
        shown = "" if error is None else f" ± {error:.0f}"
        print(f"advisor less {name}: {mean:+.0f}{shown} points a deal, {len(found)} deals")
    times = np.sort(seconds)
    print(
        f"thinking, seconds of one core: mean {times.mean():.2f}, median {np.median(times):.2f}, "
        f"99% {np.quantile(times, 0.99):.2f}, most {times[-1]:.2f}, {len(times)} cards"
    )


if __name__ == "__main__":
    main()
