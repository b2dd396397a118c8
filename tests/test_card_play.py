"""The advisor's card play: worlds that fit all that was seen, and cards valued in them."""

import numpy as np
import pytest

from advisor.card_play import advise
from advisor.card_worlds import any_lawful_worlds, card_worlds
from advisor.match import Standing
from advisor.model import model_for
from advisor.seen import ALL_CARDS, Seen, follow, remaining
from solver.auction import Auction, Contract
from solver.cards import Card, Hand, parse_cards
from solver.deal import Deal, Seat
from solver.double_dummy import card_values
from solver.errors import RuleError
from solver.exchange import Role
from solver.play import Position, replay
from solver.rules import Rules
from solver.scoring import score
from tests.random_records import OTHER_RULES, random_record

SEEDS = range(0, 24, 3)


def seen_by_south(record, cards, told=True):
    """What South has seen of a record when so many cards are played."""
    role = Role.of(Seat.SOUTH, record.dealer)
    threw = record.held(Seat.SOUTH) - record.deal.south
    played = record.played.cards[:cards]
    if not told:
        return Seen(record.deal.south, record.contract, played, rules=record.rules)
    return Seen(record.deal.south, record.contract, played, role, record.upcard, threw, record.auction, record.rules)


def turns_of_south(record):
    position = record.opening()
    for number, card in enumerate(record.played.cards):
        if position.to_play == Seat.SOUTH:
            yield number
        position = position.after(card).position


def possible_hands(seen, count=60):
    play = follow(seen)
    model = model_for(seen.rules)
    for worlds in (card_worlds(seen, play, model, 5, count), any_lawful_worlds(seen, play, model, 5, count)):
        yield from (Hand(int(hand)) for hand in worlds.hands[worlds.weights > 0])


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_world_could_have_exchanged_called_and_played_so(seed, told):
    record = random_record(seed)
    for cards in list(turns_of_south(record))[::4]:
        seen = seen_by_south(record, cards, told)
        hands = list(possible_hands(seen))
        assert hands or told
        for hand in hands:
            deal = Deal(seen.hand, hand)
            start = Position.opening(deal, seen.contract.strain, seen.contract.declarer, seen.rules)
            end = replay(start, seen.played).end
            assert end.to_play == Seat.SOUTH
            assert end == follow(seen).position(seen, remaining(follow(seen), hand.mask))
            if told:
                assert not hand & seen.threw
                record.auction.check_hands(deal, record.rules)
                if not seen.rules.upcard_drawn or Role.of(Seat.SOUTH, record.dealer) == Role.NONDEALER:
                    assert seen.upcard not in hand


@pytest.mark.parametrize("seed", SEEDS)
def test_the_true_hand_is_never_ruled_out(seed):
    record = random_record(seed)
    for cards in turns_of_south(record):
        play = follow(seen_by_south(record, cards))
        rest = record.deal.north - play.theirs
        assert not play.excluded & rest.mask
        assert play.theirs <= record.deal.north
        assert play.position(seen_by_south(record, cards), remaining(play, record.deal.north.mask)) == (
            replay(record.opening(), record.played.cards[:cards]).end
        )


def test_a_player_that_did_not_follow_has_none_left():
    hand = Hand.parse("AKQJT98.AKQ.AK.A.")
    play = follow(Seen(hand, Contract.parse("7S S"), parse_cards("H2 HA SA D2")))
    assert Hand(play.excluded) == Hand(ALL_CARDS).of_suit(Card.parse("SA").suit)
    with pytest.raises(RuleError, match="trick 3: S2 by North: what it played in trick 2 rules that out"):
        Seen(hand, Contract.parse("7S S"), parse_cards("H2 HA SA D2 SK S2 SQ"))


def test_a_colon_that_does_not_match_shows_nothing_but_colons():
    seen = Seen(Hand.parse("AKQJT98.AKQ.AK.A."), Contract.parse("7S S"), parse_cards("H2 HA SA :L"))
    left = Hand(ALL_CARDS & ~follow(seen).excluded)
    assert left.colons == left and Card.parse(":G") not in left
    free = Seen(seen.hand, seen.contract, seen.played, rules=Rules(free_colon_discard=True))
    assert Card.parse("H3") in Hand(ALL_CARDS & ~follow(free).excluded)


def test_who_led_the_barred_suit_has_nothing_else():
    hand = Hand.parse("32.KQ.AKQJ.AKQ.RL")
    play = follow(Seen(hand, Contract.parse("3NT S"), parse_cards("SK :R SA")))
    assert Hand(ALL_CARDS & ~play.excluded) == Hand(ALL_CARDS).of_suit(Card.parse("SA").suit)


def test_a_colon_kept_back_is_held_less_often():
    contract = Contract.parse("3NT S")
    hand = Hand.parse("AKQ2.AKQ.AKQ.AK2.")

    def share_with_grand(played):
        seen = Seen(hand, contract, parse_cards(played), Role.DEALER)
        worlds = card_worlds(seen, follow(seen), model_for(), 1, 800)
        has = (worlds.hands >> Card.parse(":G").index & 1).astype(bool)
        return worlds.weights[has].sum() / worlds.weights.sum()

    assert share_with_grand("H2 HA SA S3") < share_with_grand("H2 HK SK S3") - 0.05


@pytest.mark.parametrize(
    ("hand", "contract", "played", "more", "fault"),
    [
        ("AKQ.AKQ.AKQ.AKQ.", "1S S", "", {}, "has 12 cards; expected 13"),
        ("AKQ2.AKQ.AKQ.AKQ.", "1S N", "S3", {}, "trick 1: S3 by South: expected one of"),
        ("AKQ2.AKQ.AKQ.AKQ.", "1S S", "SA", {}, "trick 1: SA by North: it is in South's hand"),
        ("AKQ2.AKQ.AKQ.AKQ.", "1S S", "S3 HA", {}, "trick 1: HA by South: expected one of SA SK SQ S2"),
        ("AKQ2.AKQ.AKQ.AKQ.", "1S S", "", {}, "after 0 cards it is North's turn; expected South's"),
        ("AKQ2.AKQ.AKQ.AKQ.", "1S N", "", {"threw": Hand.parse("SA S4")}, "SA is both in the hand and thrown"),
        ("AKQ2.AKQ.AKQ.AKQ.", "1S N", "", {"threw": Hand.parse("S4")}, "1 cards are thrown; expected 2 or 4 or 8"),
        ("AKQ2.AKQ.AKQ.AKQ.", "1S S", "S3", {"auction": "1S X P"}, "leaves another contract; expected 1S S"),
        ("AKQ2.AKQ.AKQ.AKQ.", "1S S", "S3", {"auction": "1S"}, "the auction 1S is not over"),
        (
            "AKQ2.AKQ.AKQ.AKQ.",
            "1S S",
            "S3",
            {"role": Role.DEALER, "upcard": Card.parse("SA")},
            "the upcard SA is among the dealer's cards",
        ),
    ],
)
def test_what_cannot_have_been_seen_is_refused(hand, contract, played, more, fault):
    if "auction" in more:
        more = {"auction": Auction.parse(more["auction"], Seat.SOUTH)}
    with pytest.raises(RuleError, match=fault):
        Seen(Hand.parse(hand), Contract.parse(contract), parse_cards(played), **more)


def test_a_card_is_played_once():
    with pytest.raises(RuleError, match="trick 2: S3: played before"):
        Seen(Hand.parse("AKQ2.AKQ.AKQ.AKQ."), Contract.parse("1S S"), (*parse_cards("S3 SA SK"), Card.parse("S3")))


def test_the_answer_is_the_mean_over_solved_worlds_scored_by_the_contract():
    record = random_record(7, Rules())
    cards = list(turns_of_south(record))[5]
    seen = seen_by_south(record, cards)
    advice = advise(seen, samples=40, seed=3)
    assert {each.card for each in advice.cards} == set(follow(seen).legal(seen.rules))
    points = [score(seen.contract, tricks, seen.rules).points(Seat.SOUTH) for tricks in range(14)]
    for each in advice.cards:
        assert min(points) - 1e-6 <= each.score <= max(points) + 1e-6
        assert each.gap <= 0 and each.se >= 0
        assert abs(each.score - advice.cards[0].score - each.gap) < 1e-6
    assert [each.score for each in advice.cards] == sorted((each.score for each in advice.cards), reverse=True)
    assert advice == advise(seen, samples=40, seed=3, threads=1)
    assert advice != advise(seen, samples=40, seed=4)


def test_a_single_possible_world_gives_its_exact_values():
    record = random_record(4, OTHER_RULES)
    last = list(turns_of_south(record))[-3]
    seen = seen_by_south(record, last)
    play = follow(seen)
    left = remaining(play, record.deal.north.mask)

    class OnlyThis:
        """A model whose exchange keeps the true hand."""

        built_for = seen.rules
        blueprint = model_for(seen.rules).blueprint

        class exchange:
            @staticmethod
            def keeps_with(held, forced, contexts, excluded=0):
                return np.full(len(held), record.deal.north.mask), np.zeros(len(held))

    advice = advise(seen, model=OnlyThis)
    exact = dict(card_values(play.position(seen, left)))
    for each in advice.cards:
        total = play.tricks[Seat.SOUTH] + exact[each.card]
        declarers = total if seen.contract.declarer == Seat.SOUTH else 13 - total
        assert each.tricks == pytest.approx(total) and each.tricks_se == pytest.approx(0)
        assert each.score == pytest.approx(score(seen.contract, declarers, seen.rules).points(Seat.SOUTH))
        assert each.made == pytest.approx(float(declarers >= seen.contract.bid.tricks))


def test_thirteen_sure_tricks():
    seen = Seen(Hand.parse("AKQJT98765432...."), Contract.parse("7S S"), parse_cards("H2"), Role.DEALER)
    advice = advise(seen, samples=20)
    for each in advice.cards:
        assert (each.made, each.tricks, each.score) == pytest.approx((1, 13, 2200))
    assert advice.card == Card.parse("S2")


def test_the_contract_counts_and_not_the_tricks_and_the_game_if_told():
    record = random_record(7, Rules())
    seen = seen_by_south(record, list(turns_of_south(record))[8])
    by_points = advise(seen, samples=60)
    points = [score(seen.contract, tricks, seen.rules).points(Seat.SOUTH) for tricks in range(14)]
    for each in by_points.cards:
        if each.tricks_se < 1e-9:
            assert min(abs(each.score - possible) for possible in points) < 1e-6
    chances = advise(seen, samples=60, standing=Standing(0, 0, 1))
    assert chances.in_chances and all(0 <= each.score <= 1 for each in chances.cards)
