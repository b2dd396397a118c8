"""The game: six deals, the deal alternating, ties played off, and deals passed out under either choice."""

import random

import pytest

from solver.auction import Contract
from solver.deal import Seat
from solver.errors import RuleError, UndecidedError
from solver.game import DEALS, Game
from solver.rules import Rules
from solver.scoring import score

REDEAL = Rules(redeal_passed_out=True)


def played(game, *results):
    """The game after deals written as `4H S 10`, or `passed out`."""
    for result in results:
        if result == "passed out":
            game = game.after(None)
        else:
            contract, _, tricks = result.rpartition(" ")
            game = game.after(Contract.parse(contract), int(tricks))
    return game


def test_six_deals_and_the_higher_total_wins():
    game = Game(Seat.NORTH)
    dealers = []
    for number in range(DEALS):
        assert not game.is_over
        dealers.append(game.dealer)
        # South makes 4H exactly, for 1000, and North then defeats 4H by one, for 100.
        game = played(game, "4H S 10" if number % 2 == 0 else "4H S 9")
    assert dealers == [Seat.NORTH, Seat.SOUTH] * 3
    assert game.is_over and game.winner is Seat.SOUTH
    assert (game.total(Seat.SOUTH), game.total(Seat.NORTH)) == (3000, 300)
    assert (game.margin(Seat.SOUTH), game.margin(Seat.NORTH)) == (2700, -2700)
    with pytest.raises(UndecidedError, match="nobody deals"):
        _ = game.dealer
    with pytest.raises(RuleError, match="1 more after deal 6, which decided the game; expected none"):
        played(game, "1S S 7")


def test_the_north_player_wins_too():
    game = played(Game(Seat.SOUTH), *["1S N 7"] * 6)
    assert (game.winner, game.total(Seat.NORTH), game.total(Seat.SOUTH)) == (Seat.NORTH, 2400, 0)


@pytest.mark.parametrize("count", range(6))
def test_no_winner_before_six_deals(count):
    game = played(Game(Seat.SOUTH), *["1S N 7"] * count)
    assert not game.is_over
    with pytest.raises(UndecidedError, match=f"{count} deals have counted, South 0, North {400 * count}"):
        _ = game.winner


def test_a_tie_is_played_off_until_it_breaks():
    tied = played(Game(Seat.SOUTH), *["1S S 7", "1S N 7"] * 3)
    assert not tied.is_over and tied.counted == 6 and tied.dealer is Seat.SOUTH
    with pytest.raises(UndecidedError, match="6 deals have counted, South 1200, North 1200"):
        _ = tied.winner
    still_tied = played(tied, "passed out")
    assert not still_tied.is_over and still_tied.counted == 7 and still_tied.dealer is Seat.NORTH
    decided = played(still_tied, "1S S 6")
    assert decided.is_over and decided.winner is Seat.NORTH
    # Equal scores from different deals tie as well: two contracts defeated against one of 200.
    assert not played(Game(Seat.SOUTH), "1S S 6", "1S S 6", "1S N 5", *["passed out"] * 3).is_over


def test_a_deal_passed_out_counts_and_the_deal_moves_on():
    game = played(Game(Seat.SOUTH), "passed out")
    assert (game.counted, game.dealer) == (1, Seat.NORTH)
    assert played(game, *["passed out"] * 4, "1S S 7").winner is Seat.SOUTH


def test_a_deal_passed_out_is_dealt_again_under_the_choice():
    game = played(Game(Seat.SOUTH, rules=REDEAL), "passed out", "passed out")
    assert (game.counted, game.dealer) == (0, Seat.SOUTH)
    game = played(game, "1S S 7", "passed out")
    assert (game.counted, game.dealer) == (1, Seat.NORTH)
    game = played(game, *["passed out"] * 5)
    assert (game.counted, game.dealer, game.is_over) == (1, Seat.NORTH, False)
    game = played(game, *["1S S 6"] * 5)
    assert game.is_over and game.winner is Seat.NORTH
    with pytest.raises(RuleError, match="1 more after deal 14"):
        played(game, "passed out")


def test_the_choice_of_the_insult_bears_on_the_totals():
    for insult_multiplied, expected in ((True, 2800), (False, 2400)):
        game = played(Game(Seat.SOUTH, rules=Rules(insult_multiplied=insult_multiplied)), "4HX S 10")
        assert game.total(Seat.SOUTH) == expected


def test_all_that_is_wrong_with_a_game_is_named_at_once():
    by_other_rules = score(Contract.parse("4HX S"), 10, Rules(insult_multiplied=False))
    win = score(Contract.parse("1S S"), 7)
    with pytest.raises(RuleError) as error:
        Game(Seat.SOUTH, (by_other_rules, *[win] * 7))
    assert error.value.faults == (
        "deal 1, 4HX S, 10 tricks: 2400 for South: not what it scores by the rules of this game",
        "2 more after deal 6, which decided the game; expected none",
    )
    with pytest.raises(RuleError, match="tricks are 14"):
        Game(Seat.SOUTH).after(Contract.parse("1S S"), 14)


def test_a_game_begins_with_a_dealer_drawn_at_random():
    dealers = [Game.begin(seed).dealer for seed in range(100)]
    assert 30 < dealers.count(Seat.SOUTH) < 70
    assert dealers == [Game.begin(random.Random(seed)).dealer for seed in range(100)]
    assert Game.begin(1, REDEAL).rules == REDEAL and Game.begin(1).scores == ()


def test_random_games_end_with_the_higher_total():
    rng = random.Random(3)
    for number in range(200):
        rules = Rules(redeal_passed_out=number % 2 == 0)
        game = Game.begin(rng, rules)
        dealers, counted = [], []
        while not game.is_over:
            dealers.append(game.dealer)
            result = rng.choice(["passed out", "1S S 7", "1S N 7", "1S N 5", "1S S 5"])
            counted.append(result != "passed out" or number % 2 == 1)
            game = played(game, result)
        expected = [game.first_dealer]
        for counts in counted[:-1]:
            expected.append(expected[-1].other if counts else expected[-1])
        assert dealers == expected
        assert sum(counted) == game.counted >= 6
        assert game.total(game.winner) > game.total(game.winner.other)
        # Whenever more than six deals counted, the deal before the last had left a tie.
        earlier = Game(game.first_dealer, game.scores[:-1], rules)
        assert game.counted == 6 or earlier.margin(Seat.SOUTH) == 0
