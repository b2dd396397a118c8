"""`bridgette simulate`: pairs of games with the same cards, resumable, the same in any number of processes."""

import json
from math import sqrt

import pytest

from advisor.game_in_play import GameInPlay
from advisor.simulate import Match, games_of, play_game, play_games, result
from solver.deal import Seat
from solver.errors import RuleError
from solver.record_text import read_records, records_text
from solver.rules import Rules

MATCH = Match(("random", "greedy"), 4, "x")


@pytest.fixture(scope="module")
def games():
    return [play_game(MATCH, number) for number in range(MATCH.games)]


def test_pairs_of_games_have_the_same_packs_and_the_seats_swapped(games):
    for first, second in (games[:2], games[2:]):
        assert first.names == second.names[::-1] == MATCH.players
        shared = list(zip(first.records, second.records, strict=False))
        assert len(shared) >= 6 and all(one.pack == other.pack for one, other in shared)
    assert games[0].records[0].pack != games[2].records[0].pack


def test_figures(games):
    found = result(MATCH, games)
    first = [Seat.SOUTH, Seat.NORTH, Seat.SOUTH, Seat.NORTH]
    margins = [game.game.margin(seat) for game, seat in zip(games, first, strict=True)]
    assert found.margin.mean == pytest.approx(sum(margins) / 4)
    pairs = [(margins[0] + margins[1]) / 2, (margins[2] + margins[3]) / 2]
    assert found.margin.se == pytest.approx(abs(pairs[0] - pairs[1]) / 2)
    assert found.margin.se == pytest.approx(sqrt(sum((pair - sum(pairs) / 2) ** 2 for pair in pairs) / 1 / 2))
    wins = [game.game.winner == seat for game, seat in zip(games, first, strict=True)]
    assert found.won.mean == pytest.approx(sum(wins) / 4)
    assert found.deals == sum(len(game.records) for game in games)
    assert sum(found.declared) + found.passed_out == pytest.approx(1)
    assert result(MATCH, games[:2]).margin.se is None
    assert result(MATCH, []).games == 0


def test_a_player_against_itself_comes_out_even():
    match = Match(("random", "random"), 2, "even")
    found = result(match, [play_game(match, number) for number in range(2)])
    assert found.margin.mean == 0


def test_the_same_in_several_processes(games):
    told = []
    found = list(play_games(MATCH, range(3), processes=2, progress=lambda *now: told.append(now)))
    assert [number for number, _ in found] == [0, 1, 2]
    assert [game for _, game in found] == games[:3]
    # Told while waiting too, not only when a game is handed out.
    assert len(told) > 3
    assert told == sorted(told) and told[0] == (0, 18) and told[-1] == (18, 18)


@pytest.mark.parametrize("rules", [Rules(), Rules(redeal_passed_out=True)])
def test_progress_counts_six_deals_a_game(rules):
    """Game 0 of this seed has a tie to break, or deals to deal again."""
    told = []
    match = Match(("random", "random"), 2, "0", rules=rules)
    found = [game for _, game in play_games(match, range(2), 1, lambda *now: told.append(now))]
    assert len(found[0].records) > 6
    assert told == [(deals, 12) for deals in range(1, 13)]


def test_records_are_read_back_as_the_games_of_the_match(games):
    records = [record for game in games for record in game.records]
    assert games_of(read_records(records_text(records)), MATCH) == games
    assert games_of(records[: len(games[0].records) + 3], MATCH) == games[:1]
    with pytest.raises(RuleError, match=r"game 1 of the records is seed x\.0, random against greedy; expected"):
        games_of(records, Match(("greedy", "random"), 4, "x"))
    with pytest.raises(RuleError, match="by the same rules"):
        games_of(records, Match(("random", "greedy"), 4, "x", rules=Rules(upcard_drawn=False)))
    with pytest.raises(RuleError, match="is not deal 1 of a game"):
        games_of(records[1:], MATCH)
    with pytest.raises(RuleError, match="game 1 of the records has no end"):
        games_of([records[0], *records[len(games[0].records) :]], MATCH)


def run(bridgette, *options):
    return bridgette("simulate", "random", "greedy", "--seed", "x", "--threads", "1", *options)


def test_the_command(bridgette):
    answer = json.loads(run(bridgette, "--games", "4", "--json").out)
    found = result(MATCH, [play_game(MATCH, number) for number in range(4)])
    assert answer["players"] == ["random", "greedy"] and answer["games"] == 4
    assert answer["points_a_game"] == {"mean": round(found.margin.mean, 1), "se": round(found.margin.se, 1)}
    assert answer["won"]["mean"] == found.won.mean and answer["deals"] == found.deals
    shown = run(bridgette, "--games", "4").out
    assert "Games won by random" in shown and "±" in shown
    assert max(len(line) for line in shown.splitlines()) <= 100
    # One pair of games tells nothing of the spread.
    assert "±" not in run(bridgette, "--games", "2").out


def test_a_stopped_run_goes_on_where_it_was(bridgette, tmp_path):
    whole, stopped = tmp_path / "whole.pbn", tmp_path / "stopped.pbn"
    expected = run(bridgette, "--games", "4", "--records", str(whole), "--json")
    assert expected.code == 0
    run(bridgette, "--games", "1", "--records", str(stopped))
    # A game that was cut off is played again.
    stopped.write_text(stopped.read_text() + "\n" + "\n\n".join(whole.read_text().split("\n\n")[6:8]) + "\n")
    again = run(bridgette, "--games", "4", "--records", str(stopped), "--json")
    assert again.out == expected.out and "going on from there" in again.err
    assert stopped.read_text() == whole.read_text()
    assert run(bridgette, "--games", "4", "--records", str(stopped), "--json").out == expected.out
    assert all(
        GameInPlay.read(records_text(game.records)) == game for game in games_of(read_records(whole.read_text()), MATCH)
    )


def test_interrupted_it_gives_what_it_has(bridgette, monkeypatch, tmp_path):
    from advisor import simulate

    def interrupted(match, numbers, processes=None, progress=None):
        yield 0, play_game(match, 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "play_games", interrupted)
    path = tmp_path / "match.pbn"
    stopped = run(bridgette, "--games", "4", "--records", str(path), "--json")
    assert stopped.code == 130 and json.loads(stopped.out)["games"] == 1
    assert f"Interrupted after 1 game, kept in {path}." in stopped.err
    assert len(games_of(read_records(path.read_text()), MATCH)) == 1


def test_interrupted_before_a_game_is_over_it_claims_no_file(bridgette, monkeypatch, tmp_path):
    from advisor import simulate

    def interrupted(match, numbers, processes=None, progress=None):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(simulate, "play_games", interrupted)
    path = tmp_path / "match.pbn"
    stopped = run(bridgette, "--records", str(path))
    assert (stopped.code, stopped.out, stopped.err) == (130, "", "Interrupted after 0 games.\n")
    assert not path.exists()


def test_refused(refused, tmp_path):
    assert "1 player; expected two" in refused("simulate", "greedy")
    assert "'nobody' is not a player" in refused("simulate", "nobody", "greedy")
    path = tmp_path / "other.pbn"
    path.write_text('[Dealer "S"]\n')
    assert f"{path}: the first record is not deal 1" in refused("simulate", "random", "random", "--records", str(path))
