"""Calls, bids and contracts as written; which calls are legal, by records and by a second statement of the law."""

import itertools
import json
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.auction import (
    BIDS,
    DOUBLE,
    PASS,
    REDOUBLE,
    Auction,
    Bid,
    Contract,
    contract_text,
    is_jump,
    may_bid,
    parse_call,
    parse_contract,
)
from solver.cards import PACK, Hand, Strain, Suit
from solver.deal import Deal, Seat
from solver.errors import BridgetteError, NotationError, RuleError, UndecidedError
from solver.rules import Rules

RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "auctions.jsonl").open()]
LADDER = ["0NT"] + [f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")]

seats = st.sampled_from(Seat)
contracts = st.builds(Contract, st.sampled_from(BIDS), st.integers(0, 2), seats)
hands = st.lists(st.sampled_from(PACK), min_size=13, max_size=13, unique=True).map(Hand.of)


def legal_by_the_law(calls, hand=None, nt_jump_min=1):
    """The legal calls after `calls`, all as texts, worked out from the rules' sentences; `hand` is a dotted text."""
    bids = [call for call in calls if call in LADDER]
    if calls[-2:] == ["P", "P"] or (bids and calls[-1] == "P"):
        return []
    legal = ["P"]
    if bids and calls[-1] in LADDER:
        legal.append("X")
    if calls[-1:] == ["X"]:
        legal.append("XX")
    sufficient = [bid for bid in LADDER if not bids or LADDER.index(bid) > LADDER.index(bids[-1])]
    for bid in sufficient:
        level, strain = int(bid[0]), bid[1:]
        lowest = min(int(other[0]) for other in sufficient if other[1:] == strain)
        if hand is not None:
            lengths = {suit: len(field) for suit, field in zip("SHDC", hand.split("."), strict=False)}
            if strain == "NT":
                needed = nt_jump_min if level > lowest else 1
                if min(lengths.values()) < needed:
                    continue
            elif lengths[strain] < (4 if level > lowest else 2):
                continue
        legal.append(bid)
    return legal


def random_auction(rng, length):
    """An auction of at most `length` calls, the bids of it low, and shorter where it ends before."""
    calls: list[str] = []
    while len(calls) < length:
        legal = legal_by_the_law(calls)
        if not legal:
            break
        bids = [call for call in legal if call in LADDER]
        others = [call for call in legal if call != "P" and call not in LADDER]
        calls.append(
            rng.choice([*bids[:6], *others, *others, "P" if rng.random() < 0.3 or len(legal) == 1 else legal[-1]])
        )
    return calls


def test_bids():
    assert [str(bid) for bid in BIDS] == LADDER
    assert list(BIDS) == sorted(BIDS)
    for index, bid in enumerate(BIDS):
        assert (bid.index, Bid.from_index(index)) == (index, bid)
        assert Bid(bid.level, bid.strain) == bid
        assert (str(bid.level), bid.strain.letter, bid.tricks) == (LADDER[index][0], LADDER[index][1:], 6 + bid.level)
        assert eval(repr(bid)) == pickle.loads(pickle.dumps(bid)) == bid
        for form in (
            str(bid),
            str(bid).lower(),
            f"{bid.level}{bid.strain.symbol}",
            f" {bid} ",
            str(bid).replace("T", ""),
        ):
            assert Bid.parse(form) == parse_call(form) == bid


@pytest.mark.parametrize(
    ("level", "strain"), [(0, Strain.SPADES), (0, Strain.CLUBS), (8, Strain.NOTRUMP), (-1, Strain.CLUBS)]
)
def test_there_are_no_other_bids(level, strain):
    with pytest.raises(RuleError, match=r"there is no bid .*; expected 0NT or 1C to 7NT"):
        Bid(level, strain)


@pytest.mark.parametrize("index", [-1, 36])
def test_there_are_no_other_indexes(index):
    with pytest.raises(RuleError, match="expected 0 to 35"):
        Bid.from_index(index)


@pytest.mark.parametrize(
    "text", ["", "8S", "H4", "4", "NT", "4HX", "4 H", "3NTX", "-1S", "10S", "٣S", "4\u017f", "4SS"]
)
def test_what_is_no_bid_is_refused(text):
    with pytest.raises(NotationError, match="is not a bid; expected 0NT or 1C to 7NT"):
        Bid.parse(text)
    with pytest.raises(NotationError, match="is not a call; expected P, X, XX, 0NT or 1C to 7NT"):
        parse_call(text)


def test_the_other_calls():
    for call, forms in (
        (PASS, ["P", "p", "pass", " Pass "]),
        (DOUBLE, ["X", "x", "dbl", "Double"]),
        (REDOUBLE, ["XX", "xx", "rdbl", "Redouble"]),
    ):
        assert all(parse_call(form) is call for form in forms)
        assert parse_call(str(call)) is call
    with pytest.raises(RuleError, match="there is no bid 0S"):
        parse_call("0S")
    with pytest.raises(NotationError):
        parse_call("XXX")


@given(contracts)
def test_a_contract_is_written_and_read_back(contract):
    text = str(contract)
    assert text == f"{contract.bid}{'X' * contract.doubled} {contract.declarer.letter}"
    assert contract_text(contract) == text
    assert (contract.level, contract.strain) == (contract.bid.level, contract.bid.strain)
    bid = f"{contract.level}{contract.strain.symbol}\ufe0f"
    forms = (
        text,
        text.lower(),
        f" {contract.bid}  {'X' * contract.doubled}  {contract.declarer.letter} ",
        text.replace("NT", "N"),
    )
    for form in (*forms, f"{bid}{'X' * contract.doubled} {contract.declarer.letter}"):
        assert Contract.parse(form) == parse_contract(form) == contract


def test_passed_out():
    assert contract_text(None) == "passed out"
    for text in ("passed out", "Passed  Out", " PASSED OUT\n"):
        assert parse_contract(text) is None
    with pytest.raises(NotationError):
        Contract.parse("passed out")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4H",
        "S",
        "7NX",
        "7NX.",
        "4HXXX S",
        "4H E",
        "4HS",
        "4HXS",
        "3NN",
        "8H S",
        "4HX S N",
        "4HX S!",
        "passed",
        "X S",
    ],
)
def test_what_is_no_contract_is_refused(text):
    with pytest.raises(NotationError, match="is not a contract; expected a bid, X or XX if doubled, and S or N: 4HX S"):
        parse_contract(text)


def test_no_contract_of_a_bid_that_does_not_exist_or_doubled_thrice():
    with pytest.raises(RuleError, match="there is no bid 0S"):
        Contract.parse("0S N")
    for doubled in (-1, 3):
        with pytest.raises(RuleError, match=r"expected 0, 1 \(doubled\) or 2 \(redoubled\)"):
            Contract(Bid.parse("4H"), doubled, Seat.SOUTH)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["note"])
def test_known_legal_calls(record):
    rules = Rules(nt_jump_min=record["nt_jump_min"])
    for dealer in Seat:
        auction = Auction.parse(" ".join(record["auction"]), dealer)
        legal = auction.legal_calls(Hand.parse(record["hand"]), rules)
        assert sorted(str(call) for call in legal) == record["legal"]
        assert auction.is_over == (not record["legal"])
    assert sorted(legal_by_the_law(record["auction"], record["hand"], record["nt_jump_min"])) == record["legal"]


@given(hands, st.integers(0, 12), st.integers(1, 4), st.randoms(use_true_random=False))
def test_legal_calls_of_random_hands_and_auctions(hand, length, nt_jump_min, rng):
    calls = random_auction(rng, length)
    auction = Auction(rng.choice(list(Seat)), tuple(parse_call(call) for call in calls))
    legal = auction.legal_calls(hand, Rules(nt_jump_min=nt_jump_min))
    assert [str(call) for call in legal] == legal_by_the_law(calls, str(hand), nt_jump_min)
    assert [str(call) for call in auction.legal_calls()] == legal_by_the_law(calls)
    if not auction.is_over:
        allowed = [bid for bid in BIDS if may_bid(hand, bid, auction.last_bid, Rules(nt_jump_min=nt_jump_min))]
        assert allowed == [call for call in legal if isinstance(call, Bid)]


def test_every_jump():
    """A jump is a bid higher than the lowest of its strain that is sufficient."""
    for over in (None, *BIDS):
        sufficient = [bid for bid in BIDS if over is None or bid > over]
        for bid in sufficient:
            lowest = min(other.level for other in sufficient if other.strain == bid.strain)
            assert is_jump(bid, over) == (bid.level > lowest)


def test_what_a_bid_needs():
    for suit in Suit:
        bid, jump = Bid(1, suit.strain), Bid(2, suit.strain)
        for length in range(14):
            hand = Hand.of([card for card in PACK if card.suit is suit][:length])
            assert may_bid(hand, bid) == (length >= 2)
            assert may_bid(hand, jump) == (length >= 4)
            assert may_bid(hand, jump, over=bid) == (length >= 2)
    for lengths in itertools.product(range(4), repeat=4):
        by_suit = [
            [card for card in PACK if card.suit is suit][:length] for suit, length in zip(Suit, lengths, strict=True)
        ]
        hand = Hand.of(itertools.chain(*by_suit, PACK[52:]))
        assert may_bid(hand, Bid.parse("0NT")) == (min(lengths) >= 1)
        for nt_jump_min in (1, 2, 3):
            rules = Rules(nt_jump_min=nt_jump_min)
            assert may_bid(hand, Bid.parse("1NT"), rules=rules) == (min(lengths) >= nt_jump_min)
            assert may_bid(hand, Bid.parse("1NT"), Bid.parse("1S"), rules) == (min(lengths) >= 1)
    assert not may_bid(Hand.parse("AK..."), Bid.parse("1S"), over=Bid.parse("1S"))


@given(st.integers(0, 14), seats, st.randoms(use_true_random=False))
def test_an_auction_is_written_and_read_back(length, dealer, rng):
    calls = random_auction(rng, length)
    auction = Auction.parse(" ".join(calls), dealer)
    assert str(auction) == " ".join(calls)
    assert Auction.parse(rng.choice([", ", ","]).join(calls).lower(), dealer) == auction
    stepwise = Auction(dealer)
    for number, call in enumerate(auction.calls):
        assert stepwise.to_call is stepwise.caller(number) is (dealer if number % 2 == 0 else dealer.other)
        assert not stepwise.is_over
        with pytest.raises(UndecidedError, match="there is no contract yet"):
            _ = stepwise.contract
        stepwise = stepwise.after(call)
    assert stepwise == auction == Auction(dealer, list(auction.calls))  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(auction)) == auction
    bids = [call for call in calls if call in LADDER]
    assert (None if auction.last_bid is None else str(auction.last_bid)) == (bids[-1] if bids else None)
    after_bid = calls[len(calls) - calls[::-1].index(bids[-1]) :] if bids else []
    assert auction.doubled == sum({"X": 1, "XX": 1}.get(call, 0) for call in after_bid)
    if auction.is_over and bids:
        declarer = auction.caller(calls.index(bids[-1]))
        assert auction.contract == Contract(Bid.parse(bids[-1]), auction.doubled, declarer)
    if auction.is_over:
        with pytest.raises(UndecidedError, match="nobody is to call"):
            _ = auction.to_call


@pytest.mark.parametrize(
    ("calls", "contract"),
    [
        ("P P", "passed out"),
        ("1S P", "1S N"),
        ("P 1S P", "1S S"),
        ("0NT X P", "0NTX N"),
        ("1C X XX P", "1CXX N"),
        ("1C X XX 1D P", "1D S"),
        ("1C X 1D P", "1D N"),
        ("1C 1S X 2S P", "2S S"),
        ("1C 7NT X XX P", "7NTXX S"),
    ],
)
def test_how_an_auction_ends(calls, contract):
    assert contract_text(Auction.parse(calls, Seat.NORTH).contract) == contract


@pytest.mark.parametrize("calls", ["", "P", "1S", "P 1S", "1S X", "1S X XX", "1S X 2C"])
def test_how_an_auction_does_not_end(calls):
    auction = Auction.parse(calls, Seat.NORTH)
    assert not auction.is_over
    assert PASS in auction.legal_calls()


@pytest.mark.parametrize(
    ("calls", "kind", "named"),
    [
        ("1S 1H", RuleError, ["call 2, 1H by North: too low; expected more than 1S"]),
        ("1S 1S", RuleError, ["call 2, 1S by North: too low"]),
        ("X", RuleError, ["call 1, X by South: no bid of the opponent's to double"]),
        ("P X", RuleError, ["call 2, X by North: no bid"]),
        ("XX", RuleError, ["call 1, XX by South: no double of the own bid to redouble"]),
        ("1S XX", RuleError, ["call 2, XX by North: no double"]),
        ("1S X X", RuleError, ["call 3, X by South: no bid"]),
        ("1S X XX X", RuleError, ["call 4, X by North: no bid"]),
        ("1S X XX XX", RuleError, ["call 4, XX by North: no double"]),
        ("1S X 2S XX", RuleError, ["call 4, XX by North: no double"]),
        ("1S P P", RuleError, ["call 3, P by South: the auction is over"]),
        ("P P 1S", RuleError, ["call 3, 1S by South: the auction is over"]),
        ("1S 1H X P X", RuleError, ["call 2, 1H by North", "call 3, X by South", "call 5, X by South: the auction is"]),
        ("1S foo 0S 9H", NotationError, ["call 2: 'foo' is not a call", "call 3: there is no bid 0S", "call 4: '9H'"]),
        ("P " * 10_000_000, NotationError, ["too long for an auction"]),
    ],
)
def test_all_that_is_wrong_with_an_auction_is_named_at_once(calls, kind, named):
    with pytest.raises(BridgetteError) as error:
        Auction.parse(calls, Seat.SOUTH)
    assert type(error.value) is kind
    assert len(error.value.faults) == len(named)
    for words in named:
        assert words in str(error.value)
    assert len(str(error.value)) < 500


def test_an_auction_is_checked_against_the_hands():
    deal = Deal.parse("S:AK4.QT2.KJ9.A52.G QJ9.AK43..KQ43.RL")
    Auction.parse("1S 2H 3D P", Seat.SOUTH).check_hands(deal)
    auction = Auction.parse("2S 2NT 4C 4D 7NT X P", Seat.SOUTH)
    with pytest.raises(RuleError) as error:
        auction.check_hands(deal, Rules(nt_jump_min=3))
    assert error.value.faults == (
        "call 1, 2S by South: a jump to 2S needs 4 spades and the hand AK4.QT2.KJ9.A52.G has 3",
        "call 2, 2NT by North: 2NT needs 1 of each suit and the hand QJ9.AK43..KQ43.RL has fewer diamonds",
        "call 3, 4C by South: a jump to 4C needs 4 clubs and the hand AK4.QT2.KJ9.A52.G has 3",
        "call 4, 4D by North: 4D needs 2 diamonds and the hand QJ9.AK43..KQ43.RL has 0",
    )
    with pytest.raises(RuleError, match="call 5, 7NT by South: a jump to 7NT needs 4 of each suit"):
        auction.check_hands(deal, Rules(nt_jump_min=4))


def test_random_auctions_that_hands_allow_pass_the_check():
    rng = random.Random(2)
    for _ in range(100):
        deal, rules = Deal.random(rng), Rules(nt_jump_min=rng.randint(1, 3))
        auction = Auction(rng.choice(list(Seat)))
        while not auction.is_over:
            auction = auction.after(rng.choice(auction.legal_calls(deal.hand(auction.to_call), rules)))
        auction.check_hands(deal, rules)
        for number, call in enumerate(auction.calls):
            before = Auction(auction.dealer, auction.calls[:number])
            assert call in before.legal_calls(deal.hand(before.to_call), rules)
