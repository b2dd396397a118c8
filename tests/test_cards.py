"""Suits, strains, ranks, cards and hands, and every form in which they are read and written."""

import copy
import itertools
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cards import PACK, Card, Hand, Range, Rank, Strain, Suit, parse_cards
from solver.errors import BridgetteError, NotationError, RuleError
from tests import oracle

SUITS = "SHDC"
SYMBOLS = {"S": "♠♤", "H": "♥♡", "D": "♦♢", "C": "♣♧"}
RANKS = "AKQJT98765432"
CARDS = [suit + rank for suit in SUITS for rank in RANKS] + [":G", ":R", ":L"]

card_sets = st.one_of(
    st.sets(st.sampled_from(CARDS)),
    # Whole fields full or empty, and the rest as it comes.
    st.builds(
        lambda some, full, empty: {c for c in some if c[0] not in empty} | {c for c in CARDS if c[0] in full - empty},
        st.sets(st.sampled_from(CARDS)),
        st.sets(st.sampled_from("SHDC:")),
        st.sets(st.sampled_from("SHDC:")),
    ),
)


def hand_of(cards):
    return Hand.of(Card.parse(card) for card in cards)


def forms(card):
    """Every form in which a card may be written."""
    if card[0] == ":":
        return [card, card.lower()]
    suits = [card[0], card[0].lower()]
    suits += [symbol + selector for symbol in SYMBOLS[card[0]] for selector in ("", "\ufe0e", "\ufe0f")]
    ranks = [card[1], card[1].lower()] + (["10"] if card[1] == "T" else [])
    return [a + b for suit, rank in itertools.product(suits, ranks) for a, b in ((suit, rank), (rank, suit))]


def test_the_pack_has_55_cards_indexed_as_stated():
    assert [str(card) for card in PACK] == [s + r for s in "CDHS" for r in RANKS[::-1]] + [":L", ":R", ":G"]
    for index, card in enumerate(PACK):
        assert card.index == index
        assert Card.from_index(index) == card
    for suit in Suit:
        for rank in Rank:
            assert Card(suit, rank).index == 13 * suit + rank - 2
    assert [Card.colon(each).index for each in Range] == [52, 53, 54]


@pytest.mark.parametrize("index", [-1, 55, 1000])
def test_no_card_has_another_index(index):
    with pytest.raises(RuleError, match="0 to 54"):
        Card.from_index(index)


def test_a_card_needs_a_suit_and_a_rank():
    with pytest.raises(RuleError):
        Card(None, Rank.ACE)  # type: ignore[arg-type]
    with pytest.raises(RuleError):
        Card(Suit.SPADES, 15)  # type: ignore[arg-type]


@pytest.mark.parametrize("card", CARDS)
def test_every_form_of_every_card_is_read(card):
    for form in forms(card):
        assert str(Card.parse(form)) == card
        assert Card.parse(f"  {form}\t") == Card.parse(card)


@pytest.mark.parametrize("card", CARDS)
def test_suit_rank_and_range_of_every_card(card):
    parsed = Card.parse(card)
    assert parsed.is_colon == (card[0] == ":")
    if parsed.is_colon:
        assert (parsed.suit, parsed.rank, parsed.range.letter) == (None, None, card[1])
    else:
        assert parsed.suit is Suit.parse(card[0])
        assert parsed.rank is not None and parsed.rank.letter == card[1]
        assert parsed.range.letter == {"A": "G", "K": "R", "Q": "R", "J": "R"}.get(card[1], "L")
    assert eval(repr(parsed)) == parsed
    assert pickle.loads(pickle.dumps(parsed)) == copy.deepcopy(parsed) == parsed


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            " ",
            "S",
            "A",
            "1S",
            "S1",
            "0S",
            "S0",
            "SA2",
            "SAS",
            "AK",
            "SH",
            "G",
            "G:",
            "::G",
            ":",
            ":A",
            "SG",
            "S A",
        ],
        # Look-alikes: ß and ſ have the capitals SS and S; the rest are a Cyrillic A, a wide A, and digits not of ASCII.
        *["ßA", "ſA", "SА", "SＡ", "S٣", "S²", "S1٠", "\ufe0f", "♠", "♠♠", "SA\0"],
    ],
)
def test_what_is_no_card_is_refused_by_its_text(text):
    with pytest.raises(NotationError, match="not a card; expected one like") as error:
        Card.parse(text)
    assert repr(text) in str(error.value)


def test_suits_and_strains():
    assert [suit.letter for suit in Suit] == list("CDHS")
    assert [strain.letter for strain in Strain] == ["C", "D", "H", "S", "NT"]
    assert [suit.symbol for suit in Suit] == list("♣♦♥♠")
    assert [strain.symbol for strain in Strain] == ["♣", "♦", "♥", "♠", "NT"]
    for suit in Suit:
        assert suit.strain.suit is suit
        assert suit.strain.letter == suit.letter
        for form in (suit.letter, suit.letter.lower(), suit.symbol, suit.symbol + "\ufe0f", f" {suit.letter} "):
            assert Suit.parse(form) is suit
            assert Strain.parse(form) is suit.strain
    assert Strain.NOTRUMP.suit is None
    for form in ("NT", "nt", "N", "n"):
        assert Strain.parse(form) is Strain.NOTRUMP


@pytest.mark.parametrize("text", ["", "X", "SS", "CD", "ß", "NT NT", "♠♠", "1"])
def test_other_suits_and_strains_are_refused(text):
    with pytest.raises(NotationError, match="expected C, D, H or S"):
        Suit.parse(text)
    with pytest.raises(NotationError, match="expected C, D, H, S or NT"):
        Strain.parse(text)


def test_no_trump_is_no_suit():
    with pytest.raises(NotationError):
        Suit.parse("NT")


@given(card_sets)
def test_a_hand_is_written_in_five_fields_and_read_back(cards):
    hand = hand_of(cards)
    assert str(hand) == oracle.write_hand(frozenset(cards))
    assert str(hand).count(".") == 4
    assert Hand.parse(str(hand)) == hand
    assert eval(repr(hand)) == hand
    assert pickle.loads(pickle.dumps(hand)) == hand


@given(card_sets, st.randoms(use_true_random=False))
def test_a_hand_in_any_writing_is_read(cards, rng):
    fields = []
    for suit in "SHDC:":
        ranks = [card[1] for card in cards if card[0] == suit]
        rng.shuffle(ranks)
        ranks = [rng.choice([rank, rank.lower(), "10" if rank == "T" else rank]) for rank in ranks]
        fields.append("".join(ranks) or rng.choice(["", "-"]))
    if fields[4].strip("-") == "" and rng.random() < 0.5:
        fields.pop()
    elif fields[4].strip("-") and rng.random() < 0.5:
        fields[4] = ":" + fields[4]
    assert Hand.parse(rng.choice(["", " "]) + ".".join(fields) + rng.choice(["", "\n"])) == hand_of(cards)


@given(card_sets.filter(bool), st.randoms(use_true_random=False))
def test_a_hand_as_loose_cards_is_read(cards, rng):
    order = sorted(cards)
    rng.shuffle(order)
    text = rng.choice([" ", ", ", ",", "  "]).join(rng.choice(forms(card)) for card in order)
    assert Hand.parse(text) == hand_of(cards)
    assert [str(card) for card in parse_cards(text)] == order


@given(card_sets.filter(bool), st.randoms(use_true_random=False))
def test_a_hand_by_suits_without_dots_is_read(cards, rng):
    words = []
    for suit in rng.sample("SHDC:", 5):
        ranks = "".join("10" if card[1] == "T" and rng.random() < 0.5 else card[1] for card in cards if card[0] == suit)
        if ranks:
            words.append(rng.choice(SYMBOLS.get(suit, suit) + suit) + ranks)
    assert Hand.parse(rng.choice(["", " "]).join(words)) == hand_of(cards)


def test_no_cards():
    for text in ("....", "...", "-.-.-.-.-", "-.-.-.-"):
        assert Hand.parse(text) == Hand() == Hand.of([])
    assert str(Hand()) == "...."
    assert parse_cards("") == parse_cards(" , ") == ()
    for text in ("", "   "):
        with pytest.raises(NotationError, match=r"expected spades\.hearts\.diamonds\.clubs\.colons"):
            Hand.parse(text)


def test_the_whole_pack_is_a_hand():
    text = ".".join([RANKS] * 4) + ".GRL"
    hand = Hand.parse(text)
    assert str(hand) == text
    assert len(hand) == 55
    assert hand == Hand.of(PACK)


@given(card_sets, card_sets)
def test_a_hand_is_a_set_of_cards(one, other):
    left, right = hand_of(one), hand_of(other)
    assert {str(card) for card in left} == one
    assert {str(card) for card in left | right} == one | other
    assert {str(card) for card in left & right} == one & other
    assert {str(card) for card in left - right} == one - other
    assert (left <= right) == (one <= other)
    assert len(left) == len(one)
    assert bool(left) == bool(one)
    assert left.cards == tuple(left)
    assert [str(card) for card in left] == [card for card in CARDS if card in one]
    assert all((card in left) == (str(card) in one) for card in PACK)
    for suit in Suit:
        of_suit = {card for card in one if card[0] == suit.letter}
        assert {str(card) for card in left.of_suit(suit)} == of_suit
        assert left.count(suit) == len(of_suit)
    assert {str(card) for card in left.colons} == {card for card in one if card[0] == ":"}


@pytest.mark.parametrize("mask", [-1, 1 << 55])
def test_a_mask_beyond_the_pack_is_refused(mask):
    with pytest.raises(RuleError, match="not a set of the pack's 55 cards"):
        Hand(mask)


@pytest.mark.parametrize(
    ("text", "kind", "named"),
    [
        ("AK4.QT2.KJ9", NotationError, ["3 of the fields"]),
        ("AK4.QT2.KJ9.A52.G.", NotationError, ["6 of the fields"]),
        ("AKX.QT2.KJ9.A52", NotationError, ["spades 'AKX': 'X'", "A K Q J T (or 10)"]),
        ("AK.QT2.KJ9.A52.X", NotationError, ["colons 'X': 'X'", "G R L"]),
        ("AK.1.KJ9.A52.", NotationError, ["hearts '1': '1'"]),
        ("AK.0.KJ9.A52.", NotationError, ["hearts '0': '0'"]),
        ("A K.Q..", NotationError, ["spades 'A K': ' '"]),
        ("AK.Q-..", NotationError, ["hearts 'Q-': '-'"]),
        ("Aß.♠..", NotationError, ["spades 'Aß': 'ß'", "hearts '♠': 'S'"]),
        ("A..x..yz", NotationError, ["diamonds 'x': 'X'", "colons 'yz': 'Y' 'Z'"]),
        (
            "AxA.yY..K.GG",
            NotationError,
            ["spades 'AxA': 'X'", "hearts 'yY': 'Y'", "SA is written twice", ":G is written"],
        ),
        ("AA.T10..22.RR", RuleError, ["SA is", "HT is", "C2 is", ":R is"]),
        ("SA SA", RuleError, ["SA is written twice"]),
        ("SA foo AS S1 :G :g", NotationError, ["'foo' is not a card", "'S1' is not a card", "SA is", ":G is"]),
        ("SAKA", RuleError, ["SA is written twice"]),
        ("AK4", NotationError, ["'AK4' is not a card"]),
        ("SAS", NotationError, ["'SAS' is not a card"]),
    ],
)
def test_all_that_is_wrong_with_a_hand_is_named_at_once(text, kind, named):
    with pytest.raises(BridgetteError) as error:
        Hand.parse(text)
    assert type(error.value) is kind
    for words in named:
        assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert str(error.value) == "; ".join(error.value.faults)


def test_a_fault_is_named_once():
    with pytest.raises(RuleError) as error:
        Hand.parse("AAAA....")
    assert error.value.faults == ("SA is written twice",)


def test_a_hand_of_cards_refuses_a_card_twice():
    ace, colon = Card.parse("SA"), Card.parse(":G")
    with pytest.raises(RuleError) as error:
        Hand.of([ace, colon, ace, colon])
    assert error.value.faults == ("SA is there twice", ":G is there twice")


@pytest.mark.parametrize("text", ["A" * 10_000_000, "SA " * 4_000_000, "♠" * 10_000_000, "\n" * 10_000_000])
@pytest.mark.parametrize("read", [Hand.parse, parse_cards, Card.parse, Suit.parse, Strain.parse])
def test_a_text_of_ten_megabytes_is_refused_briefly(read, text):
    with pytest.raises(NotationError, match="is too long for") as error:
        read(text)
    assert len(str(error.value)) < 250


def test_random_garbage_is_refused_in_one_short_line():
    rng = random.Random(5)
    for _ in range(3000):
        text = "".join(rng.choice("AKQT10 9.:GSHx♠-,é\n\0") for _ in range(rng.randrange(1, 40)))
        try:
            hand = Hand.parse(text)
        except BridgetteError as error:
            assert "\n" not in str(error) and len(str(error)) < 3000
        else:
            assert Hand.parse(str(hand)) == hand
