"""Par against a plain minimax over real auctions, and the merged auction states against the law of the calls."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from solver.auction import Auction, parse_call
from solver.auction_states import (
    STATES,
    after_call,
    call_index,
    call_of,
    contract_of,
    contract_scores,
    declarer_points,
    legal_calls,
    state_of,
    strain_freedom,
)
from solver.cards import Hand, Strain
from solver.deal import Deal, Seat
from solver.errors import BridgetteError, RuleError
from solver.par import par, par_scores
from solver.rules import Rules
from solver.scoring import score

DATA = Path(__file__).parent / "data"
RULE_SETTINGS = [Rules(), Rules(nt_jump_min=3), Rules(insult_multiplied=False)]


def known_tables(count):
    records = [json.loads(line) for line in (DATA / "tables.jsonl").read_text().splitlines()[:count]]
    for record in records:
        tricks = [[record["tricks"][seat.letter][strain.letter] for strain in Strain] for seat in Seat]
        yield Deal.parse(record["deal"]), tricks


def slow_par(deal, tricks, dealer, rules):
    """The dealer's points with best calls by both: minimax over auctions, each stage of one worked out once."""
    known = {}

    def points(auction):
        if auction.is_over:
            contract = auction.contract
            if contract is None:
                return 0
            made = score(contract, tricks[contract.declarer][contract.strain], rules)
            return made.declarer_points if contract.declarer == dealer else -made.declarer_points
        stage = (
            auction.last_bid,
            auction.doubled,
            auction.to_call,
            len(auction.calls) if auction.last_bid is None else 0,
        )
        if stage not in known:
            best = max if auction.to_call == dealer else min
            calls = auction.legal_calls(deal.hand(auction.to_call), rules)
            known[stage] = best(points(auction.after(call)) for call in calls)
        return known[stage]

    return points(Auction(dealer))


@pytest.mark.parametrize("rules", RULE_SETTINGS, ids=str)
@pytest.mark.parametrize("dealer", Seat)
def test_par_is_the_minimax_over_real_auctions(rules, dealer):
    for deal, tricks in known_tables(6):
        expected = slow_par(deal, tricks, dealer, rules)
        assert dict(par(deal, tricks, dealer, rules).score) == {dealer: expected, dealer.other: -expected}


def test_the_par_contract_scores_par():
    for deal, tricks in known_tables(60):
        for dealer in Seat:
            result = par(deal, tricks, dealer)
            assert result.contract is not None
            made = score(result.contract, tricks[result.contract.declarer][result.contract.strain], Rules())
            assert result.score[result.contract.declarer] == made.declarer_points


def test_many_deals_at_once_give_the_same():
    deals = list(known_tables(40))
    tables = np.array([tricks for _, tricks in deals], dtype=np.int8)
    souths = np.array([deal.south.mask for deal, _ in deals])
    norths = np.array([deal.north.mask for deal, _ in deals])
    for dealer in Seat:
        for rules in RULE_SETTINGS:
            together = par_scores(tables, souths, norths, dealer, rules)
            alone = [par(deal, tricks, dealer, rules).score[Seat.SOUTH] for deal, tricks in deals]
            assert together.tolist() == alone


def test_a_worthless_deal_is_passed_out():
    # Every contract would fail, most of them by seven tricks.
    deal = Deal.parse("S:5432.432.432.432. 9876.765.765.765.")
    result = par(deal, [[0] * 5, [0] * 5])
    assert str(result) == "passed out"
    assert dict(result.score) == {Seat.SOUTH: 0, Seat.NORTH: 0}


def test_thirteen_sure_tricks_bid_seven_no_trump():
    deal = Deal.parse("S:AKQJ.AKQ.AKQ.AKQ. 9876.765.765.765.")
    result = par(deal, [[13] * 5, [0] * 5])
    assert str(result) == "7NT S"
    assert result.score[Seat.SOUTH] == 2500


def test_endings_have_no_par():
    with pytest.raises(RuleError, match="have 2 cards; expected 13"):
        par(Deal.parse("S:AK... QJ..."), [[2] * 5, [0] * 5])


def test_states_follow_the_law_of_the_calls():
    for line in (DATA / "auctions.jsonl").read_text().splitlines():
        record = json.loads(line)
        auction = Auction(Seat.SOUTH, tuple(parse_call(call) for call in record["auction"]))
        if auction.is_over:
            assert record["legal"] == []
            with pytest.raises(RuleError, match="is over"):
                state_of(auction)
            continue
        freedom = strain_freedom(Hand.parse(record["hand"]).mask, record["nt_jump_min"])
        state = state_of(auction)
        legal = [str(call_of(state, call)) for call in np.flatnonzero(legal_calls(state, freedom))]
        assert sorted(legal) == record["legal"]


def test_states_walk_through_random_auctions_as_the_auction_does():
    generator = random.Random(4)
    seen = set()
    points = declarer_points(Rules())
    for number in range(300):
        deal = Deal.random(number)
        tricks = np.array([[generator.randrange(14) for _ in Strain] for _ in Seat], dtype=np.int8)
        scores = contract_scores(tricks, points, 0.0)
        auction = Auction(Seat.SOUTH)
        while not auction.is_over:
            state = state_of(auction)
            seen.add(state)
            hand = deal.hand(auction.to_call)
            numbers = np.flatnonzero(legal_calls(state, strain_freedom(hand.mask, 1)))
            assert {call_of(state, int(call)) for call in numbers} == set(auction.legal_calls(hand))
            call = generator.choice(auction.legal_calls(hand))
            assert call_of(state, call_index(call)) is call or call_of(state, call_index(call)) == call
            auction = auction.after(call)
            if auction.is_over:
                assert after_call(state, call_index(call)) == -1
                assert contract_of(state, Seat.SOUTH) == auction.contract
                contract = auction.contract
                made = 0
                if contract is not None:
                    made = score(contract, int(tricks[contract.declarer, contract.strain]), Rules()).points(Seat.SOUTH)
                assert scores[state] == made
            else:
                assert after_call(state, call_index(call)) == state_of(auction)
    assert len(seen) > STATES / 2


@pytest.mark.parametrize("tricks", [np.zeros((2, 4)), np.zeros(10), np.full((2, 5), 14), np.full((2, 5), np.nan)])
def test_tricks_that_cannot_be_are_refused(tricks):
    with pytest.raises(BridgetteError, match=r"the tricks have shape|missing or out of range"):
        par(Deal.random(1), tricks)


def test_tricks_of_some_strains_are_refused():
    from solver.double_dummy import table

    deal = Deal.random(1)
    with pytest.raises(BridgetteError, match="missing or out of range"):
        par(deal, table(deal, strains=[Strain.SPADES]).as_array())
