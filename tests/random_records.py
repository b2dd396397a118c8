"""Random whole deals for tests: any pack, any thirteen kept, any legal calls, any legal cards."""

import random

from solver.auction import PASS, Auction
from solver.cards import Hand
from solver.deal import Pack, Seat
from solver.exchange import exchange, held
from solver.play import Position
from solver.record import Played, Record
from solver.rules import Rules

OTHER_RULES = Rules(upcard_drawn=False, nt_jump_min=3, free_colon_discard=True, insult_multiplied=False)


def random_record(seed, rules=None, passed_out=False):
    """A whole deal told in full; without `rules` one in three is played by other rules."""
    generator = random.Random(seed)
    if rules is None:
        rules = OTHER_RULES if generator.randrange(3) == 0 else Rules()
    pack = Pack.shuffled(generator)
    keeps = [Hand.of(generator.sample(held(pack, seat, rules).cards, 13)) for seat in Seat]
    deal = exchange(pack, keeps[Seat.SOUTH], keeps[Seat.NORTH], rules)
    auction = Auction(pack.dealer)
    while not auction.is_over:
        calls = auction.legal_calls(deal.hand(auction.to_call), rules)
        bids = calls[1:]
        may_pass = auction.last_bid is not None or passed_out
        call = generator.choice(bids) if bids and (not may_pass or generator.random() < 0.7) else PASS
        if passed_out:
            call = PASS
        auction = auction.after(call)
    record = Record.of_pack(pack, rules)
    contract = auction.contract
    played = None
    if contract is not None:
        position = Position.opening(deal, contract.strain, contract.declarer, rules)
        cards = []
        while not position.is_over:
            card = generator.choice(position.legal().cards)
            cards.append(card)
            position = position.after(card).position
        played = Played(contract.declarer.other, tuple(cards))
    return Record(
        record.dealer,
        rules,
        record.dealt,
        record.upcard,
        record.stock,
        record.drawn,
        deal=deal,
        auction=auction,
        played=played,
    ).completed()
