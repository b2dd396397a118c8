"""How often a player keeps back a matching colon: `python -m benchmarks.colon_habits --deals 300`.

Deals are exchanged and bid by the computed strategies and played by both with all cards open, of equally good cards one
at random. Counted are the replies to a suit card by a player who held the matching colon and could play something
else; half where the colon and another card are equally good. `advisor.card_worlds.COLON_KEPT_BACK` has what comes out.
"""

import argparse
import random

import numpy as np

from advisor.deal_in_play import Decision, calling, keeping, turn
from advisor.model import model_for
from advisor.packs import DRAW_CLASSES, draw_class
from advisor.players import Blueprint, view
from solver.auction_states import call_of, state_of
from solver.deal import Pack
from solver.double_dummy import card_values
from solver.play import matching_colon, reply_wins
from solver.record import Record


def bid_record(seed: int) -> Record:
    """A deal exchanged by the policy and bid by the blueprint, up to the first lead."""
    generator = np.random.default_rng(seed)
    record = Record.of_pack(Pack.shuffled(seed))
    player = Blueprint()
    while (now := turn(record)) is not None and now.decision != Decision.CARD:
        seen = view(record, now.seat)
        if now.decision == Decision.KEEP:
            record = keeping(record, player.keep(seen))
            continue
        assert seen.hand is not None and seen.auction is not None and record.upcard is not None
        context = int(draw_class(record.upcard.index)) + DRAW_CLASSES * int(seen.known.role)
        state = state_of(seen.auction)
        shares = model_for().blueprint.strategy(seen.hand.mask, context)[state]
        record = calling(record, call_of(state, int(generator.choice(len(shares), p=shares / shares.sum()))))
    return record


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    seen = {True: 0, False: 0}
    kept = {True: 0.0, False: 0.0}
    for number in range(arguments.deals):
        position = bid_record(arguments.seed * 1_000_000 + number).opening()
        if position is None or not (position.south | position.north).colons:
            continue
        generator = random.Random(number)
        while not position.is_over:
            values = card_values(position)
            best = [value.card for value in values if value.tricks == values[0].tricks]
            led = position.led
            if led is not None and led.suit is not None and len(values) > 1:
                colon = matching_colon(led)
                if colon in position.legal():
                    others = [value for value in values if value.card != colon]
                    wins = reply_wins(led, others[0].card, position.strain)
                    seen[wins] += 1
                    kept[wins] += 1.0 if colon not in best else 0.5 if len(best) > 1 else 0.0
            position = position.after(generator.choice(best)).position
    for wins, what in ((True, "the best other card wins the trick"), (False, "it loses")):
        share = kept[wins] / seen[wins] if seen[wins] else float("nan")
        print(f"{what}: the colon is kept back in {share:.2f} of {seen[wins]}")


if __name__ == "__main__":
    main()
