"""How often a player keeps back a matching colon: `python -m benchmarks.colon_habits --deals 300`.

Deals are exchanged and bid by the computed strategies and played by both with all cards open, of equally good cards one
at random. Counted are the replies to a suit card by a player who held the matching colon and could play something
else; half where the colon and another card are equally good. `advisor.card_worlds.COLON_KEPT_BACK` has what comes out.
"""

import argparse
import random

import numpy as np

from advisor.model import model_for
from advisor.packs import draw_class
from solver.auction import Auction, Contract
from solver.auction_states import call_of, state_of
from solver.cards import Hand
from solver.deal import Deal, Pack, Seat
from solver.double_dummy import card_values
from solver.exchange import Role, exchange, held
from solver.play import Position, matching_colon, reply_wins


def bid_deal(seed: int) -> tuple[Deal, Contract | None]:
    """A deal exchanged by the policy, and the contract that the blueprint leaves."""
    model = model_for()
    pack = Pack.shuffled(seed)
    kind = int(draw_class(pack.upcard.index))
    contexts = {seat: kind + 3 * Role.of(seat, pack.dealer) for seat in Seat}
    keeps = [model.exchange(np.array([held(pack, seat).mask]), np.array([contexts[seat]]))[0] for seat in Seat]
    deal = exchange(pack, *(Hand(int(keep)) for keep in keeps))
    strategies = {seat: model.blueprint.strategy(deal.hand(seat).mask, contexts[seat]) for seat in Seat}
    generator = np.random.default_rng(seed)
    auction = Auction(pack.dealer)
    while not auction.is_over:
        state = state_of(auction)
        shares = strategies[auction.to_call][state]
        auction = auction.after(call_of(state, int(generator.choice(len(shares), p=shares / shares.sum()))))
    return deal, auction.contract


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    seen = {True: 0, False: 0}
    kept = {True: 0.0, False: 0.0}
    for number in range(arguments.deals):
        deal, contract = bid_deal(arguments.seed * 1_000_000 + number)
        if contract is None or not (deal.south | deal.north).colons:
            continue
        generator = random.Random(number)
        position = Position.opening(deal, contract.strain, contract.declarer)
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
