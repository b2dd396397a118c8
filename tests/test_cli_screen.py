"""Lines on a screen: broken between words on a terminal, whole in a pipe, in characters that can be written."""

import io
import shutil
import sys

import pytest

from advisor.cli.output import show

LONG = [
    "South ",
    ("would rather have played the queen of diamonds in trick six, for it ", "red"),
    "costs nothing at all.",
]


class Stream(io.TextIOWrapper):
    """Standard output of an encoding, a terminal or not."""

    def __init__(self, encoding, terminal):
        super().__init__(io.BytesIO(), encoding=encoding, newline="\n")
        self.terminal = terminal

    def isatty(self):
        return self.terminal

    def text(self):
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)


@pytest.fixture
def shown(monkeypatch):
    def run(lines, encoding="utf-8", terminal=False, width=40, no_color=True, **options):
        stream = Stream(encoding, terminal)
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("NO_COLOR", "1") if no_color else monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setattr(shutil, "get_terminal_size", lambda *fallback: shutil.os.terminal_size((width, 24)))
        show(lines, **options)
        return stream.text()

    return run


@pytest.mark.parametrize("no_color", [True, False])
def test_a_long_line_is_broken_between_words_on_a_terminal(shown, no_color):
    text = shown([LONG], terminal=True, no_color=no_color, wrap=True)
    plain = text.replace("\x1b[31m", "").replace("\x1b[0m", "").replace("\x1b[39m", "")
    lines = plain.rstrip("\n").split("\n")
    assert len(lines) > 2 and all(len(line.rstrip()) <= 40 for line in lines)
    assert " ".join(plain.split()) == "".join(piece if isinstance(piece, str) else piece[0] for piece in LONG)
    assert ("\x1b[" in text) != no_color


def test_a_line_to_copy_is_left_to_the_terminal(shown):
    assert shown([["x" * 100]], terminal=True).count("\n") == 1


def test_nothing_is_broken_in_a_pipe(shown):
    assert shown([LONG], wrap=True).count("\n") == 1


def test_what_the_encoding_does_not_have_is_written_otherwise(shown):
    lines = [["+510 ± 19   next ", ("♥é", "red")]]
    assert shown(lines) == "+510 ± 19   next ♥é\n"
    assert shown(lines, encoding="ascii") == "+510 +-19   next ??\n"
    assert "+510 +-19" in shown(lines, encoding="ascii", terminal=True, no_color=False)


@pytest.mark.parametrize(
    "arguments",
    [
        ("card", "--contract", "4H S", "--auction", "1H 2S 4H P", "--played", "CA C5 D4", "54.AKQT762.AQ.95."),
        ("review", "docs/deal.pbn", "--samples", "0"),
    ],
)
def test_answers_in_ascii(monkeypatch, arguments):
    from advisor.cli import main

    stream = Stream("ascii", False)
    monkeypatch.setattr(sys, "stdout", stream)
    samples = () if "--samples" in arguments else ("--samples", "10")
    with pytest.raises(SystemExit) as left:
        main([*arguments, *samples])
    assert not left.value.code
    assert "DA" in stream.text() or "HA" in stream.text()


def test_a_bid_made_is_written_as_in_the_contract_above_it(bridgette, monkeypatch):
    arguments = ("score", "4HXX S", "--tricks", "10")
    lines = bridgette(*arguments).out.splitlines()
    assert lines[:2] == ["4♥XX by South, 10 tricks", f"  {'4♥ made':<38}   750"]
    monkeypatch.setattr("advisor.cli.render.has_suit_symbols", lambda stream: False)
    assert bridgette(*arguments).out.splitlines()[:2] == ["4HXX by South, 10 tricks", f"  {'4H made':<38}   750"]
