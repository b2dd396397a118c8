"""Seeds, samples and seconds that cannot be are refused by all that advise, before anything is computed."""

import pytest

from advisor import card_play, discard
from advisor.bidding import BiddingSession
from advisor.review import review
from advisor.seeds import MOST_SEED
from advisor.seen import Seen
from advisor.worlds import Known
from solver.auction import Auction, Contract
from solver.cards import Card, Hand
from solver.deal import Seat
from solver.errors import BridgetteError
from solver.exchange import Role
from solver.record import Record

HAND = Hand.parse("AK942.QT2.KJ9.5.G")
HELD = HAND | Hand.parse("D7 C2")


def advise_keep(seed):
    known = Known(Role.NONDEALER, HELD, Card.parse("D9"))
    return discard.advise(known, schedule=discard.Schedule.of_samples(2, len(HELD)), seed=seed)


ADVISING = {
    "keep": advise_keep,
    "call": lambda seed: BiddingSession(HAND, Role.DEALER, seed=seed),
    "card": lambda seed: card_play.advise(Seen(HAND, Contract.parse("4S N")), samples=2, seed=seed),
    "review": lambda seed: review(Record(), samples=2, seed=seed),
}


@pytest.mark.parametrize("what", ADVISING)
@pytest.mark.parametrize("seed", [-1, MOST_SEED + 1, 10**30])
def test_refused(what, seed):
    with pytest.raises(BridgetteError, match=f"the seed is {seed}; expected 0 to {MOST_SEED}"):
        ADVISING[what](seed)


def test_the_most_is_a_seed():
    assert advise_keep(MOST_SEED).recommended.samples >= 2
    session = BiddingSession(HAND, Role.DEALER, seed=MOST_SEED)
    assert list(session.study(Auction(session.dealer), 10))
    assert ADVISING["card"](MOST_SEED).samples >= 2


def test_too_few_samples_are_refused():
    for samples in (0, -1):
        with pytest.raises(BridgetteError, match=f"{samples} samples; expected at least 1"):
            card_play.advise(Seen(HAND, Contract.parse("4S N")), samples=samples)
    for samples in (1, 0, -1):
        with pytest.raises(BridgetteError, match=f"{samples} samples; expected at least 2"):
            BiddingSession(HAND, Role.DEALER).advise(Auction(Seat.SOUTH), samples)


@pytest.mark.parametrize("seconds", [-1.0, float("nan")])
def test_seconds_come_to_an_end(seconds):
    with pytest.raises(BridgetteError, match="seconds; expected 0 or more"):
        BiddingSession(HAND, Role.DEALER).advise(Auction(Seat.SOUTH), seconds=seconds)
