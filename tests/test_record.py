"""Records of played deals: written and read back, parts missing, every fault with its line."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.auction import Auction
from solver.cards import Hand
from solver.deal import Deal, Pack, Seat
from solver.errors import NotationError, RuleError
from solver.record import Comment, Played, Record
from solver.record_faults import OWN_TAGS, Place
from solver.record_text import read_records, record_text, records_text
from tests.random_records import random_record
from tests.test_transcript import CALLS, NORTH_KEEPS, PACK_SEED, PLAY, RULES, SOUTH_KEEPS

WHOLE = """\
[Event "An evening"]
[Dealer "S"]
[Dealt "S:8.K8762.QJT53.5.R AJ2.QJ3.K976.A63."]
[Upcard "CJ"]
[DrawnS "HA S7 S6 SQ H4 C9 DA :G"]
[DrawnN "CJ :L"]
[ThrownS "S8 S7 S6 DT D5 D3 C9 C5"]
[ThrownN "S2 H3"]
[Deal "S:Q.AK87642.AQJ..GR AJ.QJ.K976.AJ63.L"]
[Auction "S"]
1H 1NT 4H X XX P
[Contract "4HXX S"]
[Play "N"]
SA :G
HQ :R
SJ SQ
HA HJ
HK C3
H8 :L
DA D6
H7 C6
H6 CJ
H4 CA
H2 D7
DQ DK
D9 DJ
[Result "10"]
[Score "S 8000"]
"""
LINE_OF = {line[1:].partition(" ")[0]: n for n, line in enumerate(WHOLE.split("\n"), 1) if line.startswith("[")}


def whole(**changed):
    return replace(read_records(WHOLE)[0], **changed)


def changed_line(tag, value):
    line = WHOLE.split("\n")[LINE_OF[tag] - 1]
    return WHOLE.replace(line, f'[{tag} "{value}"]')


def test_a_whole_record_is_read_and_written_as_it_was():
    (record,) = read_records(WHOLE)
    assert record.dealer == Seat.SOUTH
    assert str(record.auction) == "1H 1NT 4H X XX P"
    assert (str(record.contract), record.result, record.south_points) == ("4HXX S", 10, 8000)
    assert record.played is not None and record.played.leader == Seat.NORTH
    assert record.other == (("Event", "An evening"),) and record.tag("Event") == "An evening"
    assert record_text(record) == WHOLE


def test_all_that_follows_from_the_parts_is_filled_in():
    pack = Pack.shuffled(PACK_SEED)
    deal = Deal(Hand.parse(SOUTH_KEEPS), Hand.parse(NORTH_KEEPS))
    auction = Auction.parse(CALLS, pack.dealer)
    told = replace(Record.of_pack(pack, RULES), deal=deal, auction=auction)
    played = Played(Seat.NORTH, read_records(WHOLE)[0].played.cards)
    assert " ".join(str(card) for card in played.cards) == PLAY
    record = replace(told, played=played).completed()
    assert replace(record, stock=None, other=(("Event", "An evening"),)) == whole()
    thrown_only = replace(told, deal=None, auction=None, thrown=record.thrown).completed()
    assert thrown_only.deal == deal


@pytest.mark.parametrize("seed", range(60))
def test_random_whole_deals_are_read_back(seed):
    record = random_record(seed, passed_out=seed % 10 == 0)
    assert read_records(record_text(record)) == (record,)
    assert (record.contract is None) == record.passed_out
    assert record.completed() == record


PARTS = {
    "dealer": None,
    "dealt": None,
    "upcard": None,
    "stock": None,
    "drawn": (None, None),
    "thrown": (None, None),
    "deal": None,
    "auction": None,
    "contract": None,
    "played": None,
    "result": None,
    "south_points": None,
}
LINES = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=30)


@st.composite
def records(draw):
    """A random deal with any parts left out, cut short anywhere, with other tags and with comments anywhere."""
    seed = draw(st.integers(0, 10_000))
    record = random_record(seed, passed_out=draw(st.booleans()))
    missing = draw(st.sets(st.sampled_from(sorted(PARTS))))
    record = replace(record, **{part: PARTS[part] for part in missing}, passed_out=False)
    if record.played is not None and record.result is None:
        cards = record.played.cards[: draw(st.integers(0, 26))]
        record = replace(record, played=Played(record.played.leader, cards))
    if {"contract", "played", "result", "south_points"} <= missing and record.auction is not None:
        calls = record.auction.calls[: draw(st.integers(0, len(record.auction.calls)))]
        record = replace(record, auction=Auction(record.auction.dealer, calls))
    names = draw(st.lists(st.from_regex("[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True), max_size=3, unique=True))
    record = replace(record, other=tuple((name, draw(LINES)) for name in names if name not in OWN_TAGS))
    places = [Place(tag) for tag in ("", *record.tags())]
    if record.auction is not None:
        places += [Place("Auction", number + 1) for number in range(len(record.auction.calls))]
    if record.played is not None:
        places += [Place("Play", number + 1) for number in range(len(record.played.cards))]
    texts = st.one_of(LINES, st.lists(LINES, max_size=4).map(lambda lines: "\n".join(lines).replace("}", ")")))
    comments = draw(st.lists(st.builds(Comment, st.sampled_from(places), texts), max_size=4))
    record = replace(record, comments=tuple(comments))
    if not record.tags():
        record = replace(record, dealer=Seat.NORTH)
    return record


@given(st.lists(records(), min_size=1, max_size=3))
def test_what_is_written_is_read_back(several):
    assert read_records(records_text(several)) == tuple(several)


def test_several_records_comments_and_line_ends():
    text = '\ufeff% PBN 2.1\r\n; first\r\n[Dealer "N"] {then\r\n\r\nmore} [Auction "N"] 1C {why} P ; done\r\n\r\n \r\n'
    text += '[Contract "passed out"]\r\n\r\n{the end}\r\n'
    first, second = read_records(text)
    assert [comment.text for comment in first.comments] == ["PBN 2.1", "first", "then\n\nmore", "why", "done"]
    assert [comment.place for comment in first.comments[2:]] == [
        Place("Dealer"),
        Place("Auction", 1),
        Place("Auction", 2),
    ]
    assert str(first.auction) == "1C P"
    assert second.passed_out and second.comments == (Comment(Place("Contract"), "the end"),)
    assert read_records(records_text([first, second])) == (first, second)


def test_quotes_and_backslashes_in_a_value_are_kept():
    record = Record(other=(("Site", r'the "big" room \ hall'),))
    assert record_text(record) == '[Site "the \\"big\\" room \\\\ hall"]\n'
    assert read_records(record_text(record)) == (record,)


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        (changed_line("Dealer", "E"), LINE_OF["Dealer"], "[Dealer]: 'E' is not a seat"),
        (changed_line("Deal", "S:A.... A...."), LINE_OF["Deal"], "[Deal]: SA is in both hands"),
        (changed_line("Deal", "S:A.... K...."), LINE_OF["Deal"], "[Deal] has hands of 1 cards; expected 13"),
        (changed_line("Upcard", "CQ"), LINE_OF["DrawnN"], "the upcard CQ is not among the non-dealer's cards"),
        (changed_line("DrawnN", "CJ"), LINE_OF["DrawnN"], "has 1 cards; expected 2 for the non-dealer"),
        (changed_line("DrawnN", "CJ SA"), LINE_OF["DrawnN"], "has SA, which is in a hand dealt"),
        (changed_line("ThrownN", "S2 H4"), LINE_OF["ThrownN"], "has H4, which North did not hold"),
        (
            changed_line("ThrownN", "S2 D6"),
            LINE_OF["ThrownN"],
            "is not what North held and did not keep; expected S2 H3",
        ),
        (changed_line("Auction", "N"), LINE_OF["Auction"], "starts with North; expected the dealer South"),
        (WHOLE.replace("1H 1NT", "1H 7S"), LINE_OF["Auction"] + 1, "4H by South: too low"),
        (WHOLE.replace("1H 1NT", "1C 1NT"), LINE_OF["Auction"] + 1, "1C needs 2 clubs"),
        (WHOLE.replace("1H 1NT", "1H 1N?"), LINE_OF["Auction"] + 1, "'1N?' is not a call"),
        (WHOLE.replace(" XX P", " XX"), LINE_OF["Contract"], "is told, but the auction is not over"),
        (changed_line("Contract", "4H S"), LINE_OF["Contract"], "is 4H S; expected 4HXX S by the auction"),
        (changed_line("Play", "S"), LINE_OF["Play"], "starts with South; expected North, not the declarer"),
        (WHOLE.replace("HA HJ", "HA D9"), LINE_OF["Play"] + 13, "has D9 twice"),
        (WHOLE.replace("HA HJ", "HA C6"), LINE_OF["Play"] + 8, "has C6 twice"),
        (
            WHOLE.replace("HA HJ\n", "HA DK\n").replace("DQ DK", "DQ HJ"),
            LINE_OF["Play"] + 4,
            "trick 4: DK played by North",
        ),
        (WHOLE.replace("HA HJ", "HA"), LINE_OF["Play"] + 5, "trick 4: HK played by North to HA: not in the hand"),
        (WHOLE.replace("HA HJ", "HA 1C"), LINE_OF["Play"] + 4, "'1C' is not a card"),
        (WHOLE.replace("HA HJ", "HA SQ"), LINE_OF["Play"] + 4, "has SQ twice"),
        (changed_line("Result", "9"), LINE_OF["Result"], "is 9; expected 10 by the cards played"),
        (changed_line("Result", "14"), LINE_OF["Result"], "is 14; expected 0 to 13 tricks of the declarer"),
        (changed_line("Result", "ten"), LINE_OF["Result"], "'ten' is no number of tricks"),
        (changed_line("Score", "S 800"), LINE_OF["Score"], "is 800 for South; expected 8000"),
        (changed_line("Score", "8000"), LINE_OF["Score"], "'8000' is no score"),
        (WHOLE.replace("Event", "Result"), LINE_OF["Result"], "[Result] is there twice, first in line 1"),
        (WHOLE.replace('Dealer "S"]', 'Dealer "S"'), LINE_OF["Dealer"], "cannot be read; expected a tag such as"),
        (WHOLE.replace('Dealer "S"]', 'Dealer "S"] SA'), LINE_OF["Dealer"], "'SA' after [Dealer] cannot be read"),
        ("SA\n" + WHOLE, 1, "'SA' before the first tag cannot be read"),
        (WHOLE + "{never\nclosed", len(WHOLE.split("\n")), "the comment has no end"),
        (WHOLE + "\n" + changed_line("Score", "S 1"), len(WHOLE.split("\n")) + LINE_OF["Score"], "is 1 for South"),
        ('[Dealer "S"]\n[Rules "no_such=1"]', 2, "[Rules]: rule 'no_such' does not exist"),
        ('[Contract "passed out"]\n[Result "7"]', 2, "is told of a deal passed out"),
        ('[Auction "S"]\nP P\n[Score "N 100"]', 3, "is -100 for South; expected 0, the deal was passed out"),
    ],
)
def test_every_fault_with_its_line(text, line, fault):
    with pytest.raises((NotationError, RuleError)) as refused:
        read_records(text)
    named = [each for each in refused.value.faults if fault in each]
    assert named, refused.value.faults
    assert named[0].startswith(f"line {line}: "), named


def test_the_stock_gives_upcard_and_draws():
    record = random_record(5)
    with pytest.raises(RuleError, match="is not what the stock gives"):
        replace(record, drawn=(record.drawn[0][::-1], record.drawn[1]))
    with pytest.raises(RuleError, match="and the stock starts with"):
        replace(record, upcard=record.stock[1])
    with pytest.raises(RuleError, match="expected 29"):
        replace(record, stock=record.stock[:-1])


def test_all_faults_of_a_file_are_named_at_once():
    text = changed_line("Dealer", "E").replace("HA HJ", "HA HJJ") + "\n" + changed_line("Score", "S 1")
    with pytest.raises(NotationError) as refused:
        read_records(text)
    assert len(refused.value.faults) == 3


@pytest.mark.parametrize("text", ["", "\n\n", "{only a comment}\n", "% one\n; two\n"])
def test_a_text_without_a_record_is_refused(text):
    with pytest.raises(NotationError, match="there is no record in it"):
        read_records(text)


def test_a_comment_that_could_not_be_read_back_is_refused():
    with pytest.raises(RuleError, match="several lines"):
        Comment(Place(""), "one }\ntwo")
    with pytest.raises(RuleError, match="control character"):
        Comment(Place(""), "\x00")
    with pytest.raises(RuleError, match="no such place"):
        whole(comments=(Comment(Place("Play", 27), "?"),))
