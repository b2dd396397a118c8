"""The bidding advice: its values against a plain recursion, what it may and may not say, and sanity it must keep."""

import numpy as np
import pytest

from advisor import auction_worlds, bidding
from advisor.bidding import BiddingSession
from advisor.blueprint import NEIGHBOURS
from advisor.match import Standing
from advisor.model import model_for
from advisor.packs import DRAW_CLASSES
from advisor.worlds import Worlds
from solver.auction import DOUBLE, PASS, REDOUBLE, Auction, Bid
from solver.auction_states import CALLS, call_index, call_of, state_of
from solver.cards import Card, Hand, Strain, Suit
from solver.deal import Deal, Seat
from solver.double_dummy import table
from solver.errors import RuleError
from solver.exchange import Role
from solver.rules import DEFAULT_RULES, Rules
from solver.scoring import score

NOTHING = "5432.432.432.432."
ALL_TOPS = "AKQJ.AKQ.AKQ.AKQ."


def session(hand, role=Role.DEALER, upcard="C7", threw=None, rules=DEFAULT_RULES, **options):
    return BiddingSession(
        Hand.parse(hand),
        role,
        None if upcard is None else Card.parse(upcard),
        None if threw is None else Hand.parse(threw),
        rules,
        **options,
    )


def advise(hand, auction="", role=None, samples=60, standing=None, **options):
    if role is None:
        role = Role.NONDEALER if len(auction.split()) % 2 else Role.DEALER
    asked = session(hand, role, **options)
    return asked.advise(Auction.parse(auction, asked.dealer), samples, standing=standing)


def bid(text):
    return Bid.parse(text)


@pytest.fixture
def opponent_holds(monkeypatch):
    """`opponent_holds("AKQ...", ...)`: the worlds are these hands and no others."""

    def fix(*hands):
        masks = np.array([Hand.parse(hand).mask for hand in hands], dtype=np.int64)

        def worlds(known, exchange, seed, count, first=0):
            chosen = masks[np.arange(first, first + count) % len(masks)]
            return Worlds(chosen, chosen, np.full(count, known.draw_class))

        monkeypatch.setattr(auction_worlds, "sample_worlds", worlds)

    return fix


# Values, against a recursion over real auctions that shares nothing with the passes over states.


@pytest.mark.parametrize(
    ("mine", "theirs", "role", "auction"),
    [
        ("AKQ94.QT2.KJ9.5.G", "J8.AK3.AQT2.KQ43.", Role.DEALER, ""),
        ("AKQ94.QT2.KJ9.5.G", "J8.AK3.AQT2.KQ43.", Role.DEALER, "P 1D"),
        ("J8.AK3.AQT2.KQ43.", "AKQ94.QT2.KJ9.5.G", Role.NONDEALER, "P"),
        ("J8.AK3.AQT2.KQ43.", "AKQ94.QT2.KJ9.5.G", Role.NONDEALER, "3S"),
        ("AKQ94.QT2.KJ9.5.G", "J8.AK3.AQT2.KQ43.", Role.DEALER, "4S X"),
    ],
)
@pytest.mark.parametrize("rules", [Rules(), Rules(insult_multiplied=False)])
def test_values_in_one_world_are_those_of_the_recursion(opponent_holds, mine, theirs, role, auction, rules):
    opponent_holds(theirs)
    asked = session(mine, role, rules=rules)
    calls = Auction.parse(auction, asked.dealer)
    advice = asked.advise(calls, 10)
    deal = Deal(Hand.parse(mine), Hand.parse(theirs))
    solved = table(deal, rules)
    blueprint = model_for(rules).blueprint
    strategies = {
        Seat.SOUTH: blueprint.strategy(deal.south.mask, DRAW_CLASSES * role),
        Seat.NORTH: blueprint.strategy(deal.north.mask, DRAW_CLASSES * (1 - role), NEIGHBOURS),
    }
    known = {}

    def value(so_far):
        if so_far.is_over:
            contract = so_far.contract
            if contract is None:
                return 0.0
            return score(contract, solved.tricks(contract.declarer, contract.strain), rules).points(Seat.SOUTH)
        state = state_of(so_far)
        if state not in known:
            shares = strategies[so_far.to_call][state]
            known[state] = sum(
                shares[call] * value(so_far.after(call_of(state, call))) for call in range(CALLS) if shares[call] > 0
            )
        return known[state]

    assert {each.call for each in advice.calls} == set(calls.legal_calls(deal.south, rules))
    assert sorted((each.score for each in advice.calls), reverse=True) == [each.score for each in advice.calls]
    for each in advice.calls:
        assert each.score == pytest.approx(value(calls.after(each.call)), abs=0.01)
        assert each.se == pytest.approx(0, abs=1e-6)
        if isinstance(each.call, Bid):
            assert each.made == pytest.approx(float(solved.tricks(Seat.SOUTH, each.call.strain) >= each.call.tricks))
        else:
            assert each.made is None
    for strain in Strain:
        assert advice.tricks[strain].argmax() == solved.tricks(Seat.SOUTH, strain)
        assert advice.tricks[strain].max() == pytest.approx(1)
    for suit in Suit:
        assert advice.lengths[suit].argmax() == deal.north.count(suit)


def test_the_mean_over_two_worlds_and_its_paired_error(opponent_holds):
    one, other = "J8.AK3.AQT2.KQ43.", "J87.3.AQT82.KQ43."
    mine = "AKQ94.QT2.KJ9.5.G"
    found = []
    for hands in ((one,), (other,), (one, other)):
        opponent_holds(*hands)
        found.append(advise(mine, samples=40))
    first, second, both = found
    others = both.samples - 1  # the two hands stand for all the worlds drawn, so all count
    for each in both.calls:
        a, b = first[each.call].score, second[each.call].score
        share = (each.score - b) / (a - b) if abs(a - b) > 1 else 0.5
        assert 0.3 < share < 0.7
        assert each.se == pytest.approx(abs(a - b) * np.sqrt(share * (1 - share) / others), rel=0.1, abs=1)
    best = both.calls[0]
    for each in both.calls[1:]:
        assert each.gap == pytest.approx(each.score - best.score)
        difference = first[each.call].score - first[best.call].score
        other_difference = second[each.call].score - second[best.call].score
        assert each.gap_se == pytest.approx(abs(difference - other_difference) / 2 / np.sqrt(others), rel=0.1, abs=1)


# What it is made of.


def test_what_is_seen_never_turns_up_and_the_law_is_kept():
    own = "AKQ94.QT2.KJ9.5.G"
    asked = session(own, Role.NONDEALER, "D9", "D2 C3")
    auction = Auction.parse("1D 2S 4H", Seat.NORTH)
    asked.advise(auction, 60)
    solved = asked._worlds.solved([(0, call_index(bid("1D"))), (2 + 6 * bid("2S").index + 3, call_index(bid("4H")))])
    seen = Hand.parse(own).mask | Hand.parse("D2 C3").mask
    assert len(solved.hands) == 60
    for hand in solved.hands.tolist():
        assert hand.bit_count() == 13 and not hand & seen
        assert Hand(hand).count(Suit.HEARTS) >= 4 and Hand(hand).count(Suit.DIAMONDS) >= 2


def test_calls_heard_move_the_worlds():
    own = "AKQ94.QT2.KJ9.54."
    before = advise(own, "", Role.DEALER, samples=100)
    bids = {suit: advise(own, f"P 2{suit.letter}", samples=100) for suit in (Suit.CLUBS, Suit.HEARTS)}
    for suit, after in bids.items():
        mean = after.lengths[suit] @ np.arange(14)
        assert mean > before.lengths[suit] @ np.arange(14) + 0.5
        assert after.left < after.candidates
    assert before.left == pytest.approx(before.candidates)


def test_effective_number_says_how_many_worlds_count():
    quiet = advise("AKQ94.QT2.KJ9.54.", samples=20)
    assert quiet.samples == 20 and quiet.effective == pytest.approx(20) and quiet.fitted == 0


def test_worlds_are_made_to_fit_calls_that_too_few_allow(monkeypatch):
    monkeypatch.setattr(auction_worlds, "_TOO_FEW", 1_000)
    rare = advise("32.AKQJ98765.3.2.", "4H", samples=20)
    assert rare.samples == 20 and rare.fitted == 20
    assert rare.effective <= 20 + 1e-9 and rare.left < rare.candidates
    assert rare.lengths[Suit.HEARTS][4] == pytest.approx(1)


def test_worlds_solved_for_one_call_serve_the_next(monkeypatch):
    solved = []
    original = auction_worlds.iter_tables

    def counting(deals, *options):
        for solved_table in original(deals, *options):
            solved.append(solved_table.deal)
            yield solved_table

    monkeypatch.setattr(auction_worlds, "iter_tables", counting)
    asked = session("AKQ94.QT2.KJ9.54.", Role.DEALER)
    asked.advise(Auction.parse("", Seat.SOUTH), 60)
    assert len(solved) == 60
    first = asked.advise(Auction.parse("", Seat.SOUTH), 60)
    assert len(solved) == 60
    asked.advise(Auction.parse("1S 2C", Seat.SOUTH), 60)
    assert 60 < len(solved) < 120 and len(set(solved)) == len(solved)
    assert first.samples == 60


def test_the_same_seed_gives_the_same_advice_for_any_number_of_threads():
    one, two, other = (
        advise("AKQ94.QT2.KJ9.54.", "1D", samples=40, seed=seed, threads=threads)
        for seed, threads in ((3, 1), (3, 2), (4, 2))
    )
    assert one.calls == two.calls
    assert one.calls != other.calls


def test_how_many_worlds_are_worked_out_at_a_time_makes_no_difference(monkeypatch):
    whole = advise("AKQ94.QT2.KJ9.54.", "1D", samples=40, upcard=None)
    monkeypatch.setattr(bidding, "_PART", 7)
    parts = advise("AKQ94.QT2.KJ9.54.", "1D", samples=40, upcard=None)
    for one, other in zip(whole.calls, parts.calls, strict=True):
        assert (one.call, one.score, one.se) == (other.call, pytest.approx(other.score), pytest.approx(other.se))
        assert dict(one.replies) == pytest.approx(dict(other.replies))


@pytest.mark.parametrize("upcard", [None, "HA"])
@pytest.mark.parametrize("threw", [None, "D2 C3"])
def test_upcard_and_discards_may_be_left_out(upcard, threw):
    if upcard is not None and threw is not None:
        threw = "HA C3"
    advice = advise("AKQ94.QT2.KJ9.5.G", "1D", upcard=upcard, threw=threw, samples=30)
    assert advice.samples == 30
    assert sum(each.blueprint for each in advice.calls) == pytest.approx(1)


@pytest.mark.parametrize(
    "choice",
    ["upcard_drawn=false", "nt_jump_min=3", "redeal_passed_out=true", "free_colon_discard=true", "insult_multiplied=0"],
)
def test_other_rules_work_and_say_what_they_rest_on(choice):
    rules = Rules.with_choices([choice])
    advice = advise("AKQ94.QT2.KJ93.5.", "1D", rules=rules, samples=20)
    assert advice.built_for == model_for(rules).built_for
    legal = Auction.parse("1D", Seat.NORTH).legal_calls(Hand.parse("AKQ94.QT2.KJ93.5."), rules)
    assert {each.call for each in advice.calls} == set(legal)


def test_where_a_deal_passed_out_is_dealt_again_passing_it_out_is_worth_the_next():
    rules = Rules(redeal_passed_out=True)
    advice = advise(NOTHING, "P", rules=rules, samples=20)
    usual = advise(NOTHING, "P", samples=20)
    assert usual[PASS].score == 0
    # The same dealer deals again and has the better of it.
    assert -400 < advice[PASS].score < -50


@pytest.mark.parametrize(
    ("hand", "role", "upcard", "threw", "complaint"),
    [
        ("AKQ94.QT2.KJ9..G", Role.DEALER, "C7", None, "has 12 cards; expected 13"),
        ("AKQ94.QT2.KJ9.5.G", Role.NONDEALER, "D9", "D2 C3 C4", "16 cards"),
        ("AKQ94.QT2.KJ9.5.G", Role.NONDEALER, "D9", "D9 C3", "D9 is both in the hand and thrown"),
        ("AKQ94.QT2.KJ9.5.G", Role.NONDEALER, "D8", "D2 C3", "the upcard D8 is not among"),
        ("AKQ94.QT2.KJ9.5.G", Role.DEALER, "D9", None, "the upcard D9 is among the dealer's cards"),
        ("AKQ94.QT2.KJ9.5.G", Role.DEALER, "C7", "D2 C3", "15 cards"),
    ],
)
def test_cards_that_cannot_be_are_refused(hand, role, upcard, threw, complaint):
    with pytest.raises(RuleError, match=complaint):
        session(hand, role, upcard, threw)


@pytest.mark.parametrize(
    ("hand", "role", "auction", "complaint"),
    [
        ("AKQ94.QT2.KJ9.54.", Role.DEALER, "1S P", "is over"),
        ("AKQ94.QT2.KJ9.54.", Role.DEALER, "P P", "is over"),
        ("AKQ94.QT2.KJ9.54.", Role.DEALER, "1S", "the dealer is not to call after 1S; expected an even number"),
        ("AKQ94.QT2.KJ9.54.", Role.NONDEALER, "", "the non-dealer is not to call before any call"),
        ("AKQ94.QT2.KJ9.54.", Role.DEALER, "2C 2D", "call 1, 2C by you: .* expected 4 or more clubs"),
        ("AKQ94.QT2.KJ943..", Role.DEALER, "1NT 2D", "call 1, 1NT by you: .* expected 1 or more of each suit"),
        ("AKQJT98765.2.3.4.", Role.DEALER, "1S 4S", "call 2, 4S by the opponent: it shows 4 or more spades"),
        ("AKQJT98765432...", Role.DEALER, "1S 1NT", "call 2, 1NT by the opponent: it shows 1 or more of each suit"),
    ],
)
def test_auctions_that_cannot_be_are_refused(hand, role, auction, complaint):
    with pytest.raises(RuleError, match=complaint):
        asked = session(hand, role)
        asked.advise(Auction.parse(auction, asked.dealer), 10)


def test_an_auction_by_the_other_dealer_is_refused():
    with pytest.raises(RuleError, match="North deals in the auction; expected South"):
        session(NOTHING, Role.DEALER).advise(Auction.parse("P", Seat.NORTH), 10)


def test_bids_that_show_fourteen_cards_are_refused():
    with pytest.raises(RuleError, match="show 16 cards"):
        advise("5432.432.432.432.", "P 2C X 3D X 4H X 5S", Role.DEALER)


def test_nothing_studied_is_nothing_to_advise_on():
    with pytest.raises(ValueError, match="nothing is solved"):
        session(NOTHING).advice(Auction(Seat.SOUTH))


def test_seconds_stop_it_after_a_first_batch_and_more_worlds_come_from_the_same_order():
    asked = session("AKQ94.QT2.KJ9.54.")
    few = asked.advise(Auction(Seat.SOUTH), seconds=0)
    assert 0 < few.samples < 60
    more = asked.advise(Auction(Seat.SOUTH), 64)
    assert more.samples == 64
    again = asked.advice(Auction(Seat.SOUTH), samples=few.samples)
    assert again.calls[0].score == pytest.approx(few.calls[0].score)


# Sanity.


def test_with_thirteen_sure_tricks_it_bids_seven_no_trump():
    """Only a Little Colon led could win a trick, and it is known to be thrown."""
    advice = advise(ALL_TOPS, threw="C2 D2 H2 :L")
    seven = advice[bid("7NT")]
    assert seven.made == pytest.approx(1)
    assert advice.call == seven.call and seven is advice.calls[0]
    assert seven.score >= 2500


def test_with_thirteen_trumps_it_bids_seven():
    advice = advise("AKQJT98765432....", upcard=None)
    assert advice.call == bid("7S") and advice.calls[0].call == bid("7S")
    assert advice[bid("7S")].made == pytest.approx(1)
    assert advice.tricks[Strain.SPADES][13] == pytest.approx(1)


@pytest.mark.parametrize("auction", ["1C", "1NT", "2D", "2S", "2NT", "3C"])
def test_with_nothing_it_never_doubles_a_partscore(auction):
    advice = advise(NOTHING, auction)
    double, passing = advice[DOUBLE], advice[PASS]
    assert advice.call == PASS
    assert passing.score - double.score > 4 * double.gap_se


def test_it_doubles_seven_no_trump_with_a_sure_trick():
    """An ace led at no trump wins whatever is played to it."""
    advice = advise("A5432.432.432.43.", "7NT")
    assert advice.call == DOUBLE
    assert advice[DOUBLE].score > advice[PASS].score + 4 * advice[PASS].gap_se
    assert advice[PASS].score >= 100


def test_it_does_not_double_seven_no_trump_that_makes(opponent_holds):
    opponent_holds("AKQJ.AKQ.AKQ.AKQ.")
    advice = advise(NOTHING, "7NT", samples=30)
    assert advice.standing_makes == pytest.approx(1)
    assert advice.call == PASS
    assert advice[PASS].score == pytest.approx(-2500)
    assert advice[DOUBLE].score <= -5800


@pytest.mark.parametrize(("hand", "auction"), [(ALL_TOPS, "7NT X"), ("AKQJT98765432....", "7S X")])
def test_it_redoubles_a_certain_make(hand, auction):
    threw = "C2 D2 H2 :L"
    advice = advise(hand, auction, threw=threw if hand == ALL_TOPS else "C2 D2 H2 C3")
    assert advice.call == REDOUBLE
    made = advice[PASS].score / 2 - 400
    assert advice[REDOUBLE].score == pytest.approx(4 * (made + 1000))


@pytest.mark.parametrize("level", [3, 4, 5])
def test_two_equal_suits_give_equal_values_within_error(level):
    advice = advise("AK432.AK432.Q2.2.", samples=200)
    spades, hearts = advice[bid(f"{level}S")], advice[bid(f"{level}H")]
    assert abs(spades.score - hearts.score) < 3 * np.hypot(spades.se, hearts.se)
    tricks = [advice.tricks[strain] @ np.arange(14) for strain in (Strain.SPADES, Strain.HEARTS)]
    spread = np.sqrt(advice.tricks[Strain.SPADES] @ np.arange(14) ** 2 - tricks[0] ** 2)
    assert abs(tricks[0] - tricks[1]) < 3 * spread * np.sqrt(2 / advice.effective)


def test_a_bigger_sample_changes_no_recommendation_that_led_by_four_errors():
    firm = 0
    for seed in range(3):
        for hand, auction in (
            ("AKQJ94.QT2.KJ.54.", "1D"),
            ("5432.J432.432.43.", "2S"),
            ("AKQ942.AKT.AJ.54.", "7C"),
            ("AKQ9432.A.AJ4.54.", "P"),
        ):
            small = advise(hand, auction, samples=40, seed=seed)
            recommended = small[small.call]
            leads = [
                recommended.score - each.score >= 4 * np.hypot(recommended.se, each.se)
                for each in small.calls
                if each is not recommended
            ]
            if all(leads):
                firm += 1
                assert advise(hand, auction, samples=120, seed=seed).call == small.call
    assert firm >= 4


# The game's score.


def test_ahead_by_a_thousand_before_the_last_deal_it_bids_otherwise_than_behind_by_as_much():
    hand = "AKQ94.QT2.KJ9.54."
    asked = session(hand)
    auction = Auction(Seat.SOUTH)
    for_points = asked.advise(auction, 100)
    ahead = asked.advice(auction, Standing(1000, 0, 6))
    behind = asked.advice(auction, Standing(0, 1000, 6))
    assert ahead.in_chances and behind.in_chances and not for_points.in_chances
    assert ahead.call != behind.call
    assert ahead[ahead.call].score > ahead[behind.call].score
    assert ahead[ahead.call].score > 0.8 and behind[behind.call].score < 0.4
    assert all(0 <= each.score <= 1 for each in (*ahead.calls, *behind.calls))


def test_early_in_a_level_game_chances_go_with_points():
    asked = session("AKQ94.QT2.KJ9.54.")
    auction = Auction(Seat.SOUTH)
    points = asked.advise(auction, 60)
    chances = asked.advice(auction, Standing(0, 0, 1))
    pairs = [(points[each.call].score, each.score) for each in chances.calls]
    assert np.corrcoef(np.array(pairs).T)[0, 1] > 0.97


def test_chances_at_the_last_deal_are_those_to_score_enough(opponent_holds):
    opponent_holds("J8.AK3.AQT2.KQ43.")
    asked = session("AKQ94.QT2.KJ9.5.G", Role.NONDEALER, "D9")
    auction = Auction.parse("7NT", Seat.NORTH)
    asked.advise(auction, 10)
    points = asked.advice(auction)[PASS].score
    assert points == pytest.approx(1000)
    for lead, chance in ((-999, 1.0), (-1001, 0.0), (0, 1.0)):
        standing = Standing(2000 + lead, 2000, 6)
        assert asked.advice(auction, standing)[PASS].score == pytest.approx(chance)
