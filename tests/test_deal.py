"""Deals and packs: what is read, what is refused, and that the same seed deals the same cards."""

import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cards import PACK, Card, Hand
from solver.deal import Deal, Pack, Seat
from solver.errors import BridgetteError, NotationError, RuleError
from tests import oracle

DEAL = "S:AK4.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43."


@st.composite
def deals(draw):
    size = draw(st.integers(1, 13))
    cards = draw(st.permutations(PACK))
    return Deal(Hand.of(cards[:size]), Hand.of(cards[size : 2 * size]))


def test_seats():
    assert Seat.SOUTH.other is Seat.NORTH and Seat.NORTH.other is Seat.SOUTH
    assert [(seat, seat.letter, seat.title) for seat in Seat] == [(0, "S", "South"), (1, "N", "North")]
    for seat in Seat:
        assert Seat.parse(seat.letter) is Seat.parse(f" {seat.letter.lower()} ") is seat
    for text in ("", "E", "SN", "South", "\u017f"):
        with pytest.raises(NotationError, match="is not a seat; expected S or N"):
            Seat.parse(text)


@given(deals())
def test_a_deal_is_written_and_read_back(deal):
    south, north = str(deal.south), str(deal.north)
    assert str(deal) == f"S:{south} {north}"
    assert Deal.parse(str(deal)) == deal
    assert Deal.parse(f"N:{north} {south}") == deal
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert deal.hand(Seat.SOUTH) == deal.south and deal.hand(Seat.NORTH) == deal.north
    assert deal.size == len(deal.south)


@pytest.mark.parametrize(
    "text",
    [
        DEAL,
        "S:AK4.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43",
        "  s: ak4.q102.kj9.a52.g\tqj9.ak4.aq10.kq43  \r\n",
        "S:AK4.QT2.KJ9.A52.:G QJ9.AK4.AQT.KQ43.-",
        "N:QJ9.AK4.AQT.KQ43 4KA.T2Q.9JK.25A.G",
        "n: QJ9.AK4.AQT.KQ43.\u00a0AK4.QT2.KJ9.A52.G # a comment: S:A... K...",
    ],
)
def test_a_deal_in_any_writing_is_read(text):
    assert str(Deal.parse(text)) == DEAL


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Every field empty in one hand or the other, at the start and at the end; nothing but colons.
        ("S:.AK9.KQJT9642..GR K.QJ853.87.AKQ83.", "S:.AK9.KQJT9642..GR K.QJ853.87.AKQ83."),
        ("S:...A .A..", "S:...A. .A..."),
        ("S:....GRL ..AK.2", "S:....GRL ..AK.2."),
        ("S:....G ....L", "S:....G ....L"),
        ("N:....G A...", "S:A.... ....G"),
    ],
)
def test_voids_are_read(text, expected):
    assert str(Deal.parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "kind", "named"),
    [
        ("", NotationError, ["'' is not a deal; expected S:<South's hand> <North's hand>, or N:"]),
        ("AK4.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43", NotationError, ["is not a deal; expected S:"]),
        ("E:A... K...", NotationError, ["is not a deal"]),
        ("# S:A... K...", NotationError, ["is not a deal"]),
        ("S:", NotationError, ["has 0 hands; expected two"]),
        ("S:A...", NotationError, ["has 1 hand; expected two"]),
        ("S:A... K... Q...", NotationError, ["has 3 hands; expected two"]),
        (
            "S:SA HK",
            NotationError,
            ["South's hand: 'SA' has 1 of the fields", "North's hand: 'HK' has 1 of the fields"],
        ),
        ("S:A.. K...", NotationError, ["South's hand: 'A..' has 3 of the fields"]),
        ("N:A.. K...", NotationError, ["North's hand: 'A..' has 3 of the fields"]),
        ("S:A... KX...", NotationError, ["North's hand: spades 'KX': 'X'", "South has 1 card and North 2"]),
        # Twelve cards and one of them repeated.
        (
            "S:AAK4.QT2.KJ9.A5.G QJ9.AK4.AQT.KQ43.",
            RuleError,
            ["South's hand: SA is written twice", "South has 12 cards and North 13; expected as many each"],
        ),
        (
            "S:AAZ.. K.2.2..G",
            NotationError,
            ["South's hand: 'AAZ..' has 3 of the fields"],
        ),
        (
            "S:AAZ... AK..3...G",
            NotationError,
            ["North's hand: 'AK..3...G' has 6 of the fields", "South's hand: spades 'AAZ': 'Z'", "SA is written twice"],
        ),
        (
            "S:AAZ... AK..3.",
            NotationError,
            ["'Z' cannot", "SA is written twice", "South has 2 cards and North 3", "SA is in both hands"],
        ),
        ("S:.... ....", RuleError, ["the hands are empty; expected 1 to 13 cards each"]),
        ("S:A... ....", RuleError, ["South has 1 card and North 0"]),
        ("S:AK....G AQ....G", RuleError, ["SA is in both hands", ":G is in both hands"]),
        (
            "S:AKQJT98765432.A... .KQJT98765432.A2..",
            RuleError,
            ["South has 14 cards; expected at most 13", "North has 14 cards; expected at most 13"],
        ),
    ],
)
def test_all_that_is_wrong_with_a_deal_is_named_at_once(text, kind, named):
    with pytest.raises(BridgetteError) as error:
        Deal.parse(text)
    assert type(error.value) is kind
    for words in named:
        assert words in str(error.value)
    assert len(error.value.faults) == len(named) or kind is NotationError


@given(deals(), st.data())
def test_the_value_checks_as_the_text_does(deal, data):
    """A deal built from unsuitable hands says of them what the same deal read from a text says."""
    south = deal.south | data.draw(st.sampled_from([Hand(), deal.north, Hand.of([PACK[0]]), Hand.of(PACK[:20])]))
    try:
        Deal(south, deal.north)
    except RuleError as error:
        with pytest.raises(RuleError) as other:
            Deal.parse(f"S:{south} {deal.north}")
        assert other.value.faults == error.faults
    else:
        assert len(south) == len(deal.north) and not south & deal.north


@pytest.mark.parametrize("read", [Deal.parse, Pack.parse])
@pytest.mark.parametrize("text", ["S:" + "A" * 10_000_000, "A" * 10_000_000, " " * 10_000_000, "S:" + "#" * 10_000_000])
def test_a_line_of_ten_megabytes_is_refused_briefly(read, text):
    with pytest.raises(NotationError, match="is too long for") as error:
        read(text)
    assert len(str(error.value)) < 250


@pytest.mark.parametrize("size", range(1, 14))
def test_random_deals(size):
    deal = Deal.random(size, size)
    assert deal.size == len(deal.north) == size
    assert deal == Deal.random(size, size) == Deal.random(random.Random(size), size)
    assert deal != Deal.random(size + 1, size)


@pytest.mark.parametrize("size", [0, 14, -1])
def test_random_hands_have_one_to_thirteen_cards(size):
    with pytest.raises(RuleError, match="expected 1 to 13"):
        Deal.random(1, size)


def test_random_deals_are_of_thirteen_unless_told():
    assert Deal.random(1).size == 13


def test_every_card_is_dealt_everywhere():
    rng = random.Random(1)
    packs = [Pack.shuffled(rng) for _ in range(400)]
    for card in PACK:
        assert any(card in pack.south for pack in packs)
        assert any(card in pack.north for pack in packs)
        assert any(card == pack.upcard for pack in packs)
    assert {pack.dealer for pack in packs} == set(Seat)


@given(st.integers(), st.sampled_from([None, *Seat]))
def test_a_pack_is_written_and_read_back(seed, dealer):
    pack = Pack.shuffled(seed, dealer)
    assert pack == Pack.shuffled(seed, dealer)
    assert dealer is None or pack.dealer is dealer
    assert pack.upcard == pack.stock[0]
    assert pack.south | pack.north | Hand.of(pack.stock) == Hand.of(PACK)
    assert (len(pack.south), len(pack.north), len(pack.stock)) == (13, 13, 29)
    assert Pack.parse(str(pack)) == pack
    assert str(pack).startswith(f"{pack.deal} dealer {pack.dealer.letter} stock {pack.upcard} ")
    assert pickle.loads(pickle.dumps(pack)) == pack
    turned = f"n:{pack.north} {pack.south} DEALER {pack.dealer.letter.lower()} Stock {str(pack).partition('stock')[2]}"
    assert Pack.parse(turned.replace("T", "10").replace("S10ock", "stock")) == pack


def test_who_deals_changes_no_card():
    one, other = Pack.shuffled(4, Seat.SOUTH), Pack.shuffled(4, Seat.NORTH)
    assert (one.south, one.north, one.stock) == (other.south, other.north, other.stock)


def test_a_pack_shuffled_from_a_seed_stays_the_same():
    """Pinned: files and bug reports name deals by their seeds."""
    assert str(Pack.shuffled(7)) == (
        "S:K4.KT8.AQ92.J865. Q732.632.43.974.G dealer N stock D7 C3 H4 HA CA SJ S6 S9 D6 S8 :R S5 D8 H9 :L D5 CT CQ SA "
        "DT HQ HJ C2 H5 ST DJ CK DK H7"
    )
    assert str(Deal.random(1)) == "S:AJ4.Q764.K52.T96. T9876.3.963.832.R"


PACKED = str(Pack.shuffled(7))


@pytest.mark.parametrize(
    ("text", "kind", "named"),
    [
        (DEAL, NotationError, ["is not a pack; expected S:<South's hand> <North's hand> dealer N stock D9 C3"]),
        ("foo", NotationError, ["is not a deal"]),
        (PACKED.replace("dealer N", "dealer"), NotationError, ["is not a pack"]),
        (PACKED.replace("dealer N", "dealer E"), NotationError, ["dealer: 'E' is not a seat"]),
        (PACKED.replace("D7", "D1"), NotationError, ["stock: 'D1' is not a card"]),
        (PACKED.replace("D7", "C3"), RuleError, ["stock: C3 is written twice"]),
        (PACKED.replace("stock D7", "stock"), RuleError, ["the stock has 28 cards; expected 29"]),
        (PACKED.replace("stock D7", "stock SK"), RuleError, ["SK is in a hand and in the stock"]),
        (PACKED.replace("stock D7", "stock :G"), RuleError, [":G is in a hand and in the stock"]),
        (PACKED.replace("S:K4.", "S:4."), RuleError, ["South has 12 cards; expected 13"]),
        (
            PACKED.replace("S:K4.", "S:Q4.").replace("974.G", "974.").replace("C3", ""),
            RuleError,
            ["SQ is in both hands", "North has 12 cards", "the stock has 28 cards"],
        ),
        (
            PACKED.replace("S:K4.", "S:KK4X.").replace("dealer N", "dealer W").replace("C3", "C3 C3 C0"),
            NotationError,
            ["South's hand: spades 'KK4X': 'X'", "SK is written twice", "dealer: 'W'", "stock: 'C0'"],
        ),
    ],
)
def test_all_that_is_wrong_with_a_pack_is_named_at_once(text, kind, named):
    with pytest.raises(BridgetteError) as error:
        Pack.parse(text)
    assert type(error.value) is kind
    for words in named:
        assert words in str(error.value)


def test_a_pack_built_with_a_card_twice_in_the_stock_is_refused():
    pack = Pack.shuffled(1)
    stock = (pack.stock[1], *pack.stock[1:])
    with pytest.raises(RuleError, match=f"{stock[0]} is in the stock twice"):
        Pack(pack.dealer, pack.south, pack.north, stock)


def test_the_oracle_reads_the_same_hands():
    for seed in range(50):
        deal = Deal.random(seed)
        assert oracle.read_hand(str(deal.south)) == {str(card) for card in deal.south}
    assert Card.parse("SA") in Deal.parse(DEAL).south
