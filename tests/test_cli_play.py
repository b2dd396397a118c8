"""`bridgette play` at the table: typed lines in, a record on disk after each decision, killed and taken up again."""

import io
import json
import os
import random
import subprocess
import sys
from itertools import pairwise

import pytest

from advisor.cli import main
from advisor.deal_in_play import Decision, position_of, turn
from advisor.game_in_play import GameInPlay
from solver.deal import Seat
from solver.rules import Rules


class Person(io.StringIO):
    """Types a lawful decision, by what the record on disk says, whenever it is asked; may be killed on the way."""

    def __init__(self, path, seed=0, decisions=10_000, first=(), killed=False):
        super().__init__()
        self.path, self.left, self.first, self.killed = path, decisions, list(first), killed
        self.seed = seed
        self.states = []

    def readline(self, *size):
        if self.first:
            return self.first.pop(0) + "\n"
        if not self.left:
            if self.killed:
                raise KeyboardInterrupt
            return ""
        self.left -= 1
        game = GameInPlay.read(self.path.read_text())
        self.states.append(game)
        now = turn(game.current)
        if now is None:
            return "\n"
        assert now.seat == Seat.SOUTH
        # The same person decides the same whether or not it was interrupted on the way.
        generator = random.Random(f"{self.seed} {game.text()}")
        record = game.current
        if now.decision == Decision.KEEP:
            cards = generator.sample(record.held(Seat.SOUTH).cards, 13)
            return "keep " + " ".join(map(str, cards)) + "\n"
        if now.decision == Decision.CALL:
            calls = record.auction.legal_calls(record.deal.south, record.rules)
            return f"{calls[0] if generator.random() < 0.6 else generator.choice(calls)}\n"
        return f"{generator.choice(position_of(record).legal().cards)}\n"


@pytest.fixture
def play(capsys, monkeypatch, tmp_path):
    """`play(person, *options)`: a run of the command; comes back: exit code, output, errors."""

    def run(person, *options):
        monkeypatch.setattr(sys, "stdin", person)
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(["play", *options])
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out, captured.err

    return run


def begin(path, *options):
    return ("--seed", "7", "--opponent", "random", "--record", str(path), *options)


def test_a_whole_game_is_played_and_recorded(play, tmp_path):
    path = tmp_path / "game.pbn"
    code, out, err = play(Person(path), *begin(path))
    assert (code, err) == (0, "")
    game = GameInPlay.read(path.read_text())
    assert game.is_over and game.game.counted >= 6
    winner = "You have won" if game.game.winner == Seat.SOUTH else "North has won"
    assert f"{winner} the game: South {game.game.total(Seat.SOUTH)}" in out
    assert f"bridgette review {path}" in out
    assert out.count("The deal is over") == len(game.records)
    lines = out.replace(str(path), "game.pbn").splitlines()
    assert max(len(line) for line in lines if "> keep" not in line) <= 100


def test_killed_at_any_moment_nothing_played_is_lost(play, tmp_path):
    whole, broken = tmp_path / "whole.pbn", tmp_path / "broken.pbn"
    play(Person(whole), *begin(whole))
    generator = random.Random(3)
    options = begin(broken)
    for _ in range(30):
        person = Person(broken, decisions=generator.randrange(1, 15), killed=generator.random() < 0.5)
        code, _, err = play(person, *options)
        game = GameInPlay.read(broken.read_text())
        if turn(game.current) is None and game.is_over:
            break
        assert code == (130 if person.killed else 0)
        assert err == f"Saved. Go on with:\n  bridgette play --resume {broken}\n"
        options = ("--resume", str(broken))
    else:
        play(Person(broken), *options)
    assert broken.read_text() == whole.read_text()


def test_undo_takes_back_to_the_own_last_decision(play, tmp_path):
    path = tmp_path / "game.pbn"
    person = Person(path, decisions=6)
    play(person, *begin(path))
    before = person.states[-1]
    after = GameInPlay.read(path.read_text())
    assert after != before
    play(Person(path, decisions=0, first=["undo"]), "--resume", str(path))
    assert GameInPlay.read(path.read_text()) == before
    _, out, _ = play(Person(path, decisions=0, first=["undo"] * 40), "--resume", str(path))
    assert "there is nothing of yours to take back in this deal" in out
    taken = GameInPlay.read(path.read_text())
    assert taken.current.thrown[Seat.SOUTH] is None and len(taken.records) == 1


def test_json_events(play, tmp_path):
    path = tmp_path / "game.pbn"
    _, out, _ = play(Person(path), *begin(path, "--json"))
    events = [json.loads(line) for line in out.splitlines()]
    kinds = [event["event"] for event in events]
    assert kinds[:2] == ["start", "deal"] and kinds[-1] == "game_over"
    assert {"turn", "move", "contract", "trick", "deal_over"} <= set(kinds)
    for event in events:
        if event["event"] == "turn" and event["decision"] == "card":
            assert event["legal"] and set(event["tricks"]) == {"S", "N"}
        assert "north" not in event
    for event, following in pairwise(events):
        if event["event"] == "deal_over" and following["event"] != "game_over":
            assert following == {"event": "turn", "decision": "next"}
    assert {"event": "turn", "decision": "next"} in events


def test_wrong_input_is_refused_with_the_rule_and_asked_again(play, tmp_path):
    path = tmp_path / "game.pbn"
    copied = f"save {tmp_path / 'copy.pbn'}"
    first = ["what", "keep SA", "throw D8", "throw :G :R :L", "throw", "?", "table", copied, "save"]
    code, out, _ = play(Person(path, decisions=0, first=first), *begin(path))
    assert code == 0
    assert "No: 1 card to throw; expected" in out
    assert "'what' is not understood; expected throw CARDS or keep CARDS" in out
    assert "has 1 cards; expected 13" in out
    assert "is not held" in out
    assert "take back your last decision" in out
    assert (tmp_path / "copy.pbn").read_text() == path.read_text()


def test_illegal_calls_and_cards_are_refused(play, tmp_path):
    path = tmp_path / "game.pbn"
    person = Person(path, decisions=1)
    play(person, *begin(path))
    _, out, _ = play(Person(path, decisions=0, first=["XX", "8S", "SA"]), "--resume", str(path))
    assert "No: XX: no double of the own bid to redouble" in out
    assert "'8S' is not a call" in out and "'SA' is not a call" in out
    decisions = 2
    while True:
        play(Person(path, decisions=1), "--resume", str(path))
        game = GameInPlay.read(path.read_text())
        now = turn(game.current)
        if now is not None and now.decision == Decision.CARD:
            break
        decisions += 1
        assert decisions < 60
    other = game.current.deal.north.cards[0]
    _, out, _ = play(Person(path, decisions=0, first=[str(other), "P"]), "--resume", str(path))
    assert f"No: {other} is not in the hand" in out and "'P' is not a card" in out


def test_hints(play, tmp_path):
    path = tmp_path / "game.pbn"
    options = begin(path, "--samples", "10")
    for what in ("keep", "call", "card"):
        while turn(game.current).decision.value != what if (game := read(path)) else False:
            play(Person(path, decisions=1), "--resume", str(path))
        code, out, _ = play(Person(path, decisions=0, first=["hint", "show", "hint"]), *options)
        options = ("--resume", str(path), "--samples", "10")
        assert code == 0
        assert "double-dummy" in out
        if what != "keep":
            assert "North    " in out or "North  " in out
        expected = {"keep": "Keep", "call": "Tricks of the declarer", "card": "with the tricks that South then takes"}
        assert expected[what] in out


def read(path):
    return GameInPlay.read(path.read_text()) if path.exists() else None


def test_both_hands_are_shown_on_request_only(play, tmp_path):
    path = tmp_path / "game.pbn"
    _, out, _ = play(Person(path, decisions=0, first=["show", "show"]), *begin(path, "--json"))
    turns = [event for event in map(json.loads, out.splitlines()) if event["event"] == "turn"]
    assert ["north" in event for event in turns] == [False, True, False]
    _, out, _ = play(Person(path, decisions=0), "--resume", str(path), "--open", "--json")
    assert "north" in json.loads(out.splitlines()[-1])


def test_other_rules_go_with_the_record(play, tmp_path):
    path = tmp_path / "game.pbn"
    play(Person(path, decisions=1), *begin(path, "--rule", "upcard_drawn=false"))
    assert read(path).rules == Rules(upcard_drawn=False)
    assert '[Rules "upcard_drawn=false"]' in path.read_text()


def test_refused_before_anything_is_played(refused, play, tmp_path):
    path = tmp_path / "game.pbn"
    assert "'nobody' is not a player" in refused("play", "--opponent", "nobody", "--record", str(path))
    assert not path.exists()
    play(Person(path, decisions=0), *begin(path))
    assert "is there already; expected --resume" in refused("play", *begin(path))
    assert "--seed with --resume" in refused("play", "--resume", str(path), "--seed", "3")
    assert "--record with --resume" in refused("play", "--resume", str(path), "--record", "")
    assert refused("play", "--resume", str(tmp_path / "nowhere.pbn")).count("nowhere.pbn") == 1
    path.write_text(path.read_text().replace('[Dealer "', '[Dealer "E'))
    assert "line 6: [Dealer]" in refused("play", "--resume", str(path))


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_is_typed_in_another_encoding_is_refused_and_asked_again(bridgette, tmp_path, form):
    typed = "throw \xe9\nthrow ♠\nquit\n".encode("latin-1", "replace").replace(b"?", b"\xff")
    result = bridgette("play", *begin(tmp_path / "game.pbn"), *form, stdin=typed)
    assert result.code == 0 and "Go on with" in result.err
    assert result.out.count("is not a card") == 2


def test_typed_symbols_are_echoed_in_what_the_encoding_has(tmp_path):
    command = [sys.executable, "-c", "from advisor.cli import main; main()", "play", *begin(tmp_path / "game.pbn")]
    result = subprocess.run(
        command, input="throw é\nquit\n".encode(), capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )  # fmt: skip
    assert result.returncode == 0 and b"Traceback" not in result.stderr
    assert b"is not a card" in result.stdout
