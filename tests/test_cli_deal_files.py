"""Many deals from a file: what is skipped, what is refused and where, before any answer is given."""

import io
import os
import sys
import threading

import pytest

from advisor.cli.deal_files import LONGEST_LINE, open_deals
from solver.deal import Deal
from solver.errors import BridgetteError

FIRST, SECOND = "S:A.... ....G", "N:.2... .3..."


def read(path, **options):
    with open_deals(str(path), Deal.parse, **options) as deals:
        return [str(deal) for deal in deals], deals


@pytest.fixture
def deals_file(tmp_path):
    def write(content, name="deals.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    "content",
    [
        f"{FIRST}\n{SECOND}\n",
        f"{FIRST}\n{SECOND}",
        f"# two deals\n\n  {FIRST}  # the first\n \t\n{SECOND}\n\n",
        f"\ufeff{FIRST}\r\n{SECOND}\r\n",
        f"# {'x' * (LONGEST_LINE - 10)}\n{FIRST}\n{SECOND}\n",
    ],
)
@pytest.mark.parametrize("keep_going", [False, True])
def test_reads_one_deal_a_line(deals_file, content, keep_going):
    deals, file = read(deals_file(content), keep_going=keep_going)
    assert deals == ["S:A.... ....G", "S:.3... .2..."]
    assert file.count == (None if keep_going else 2)
    assert file.refused == 0


BAD_LINES = {
    b"S:A.... A....": "SA is in both hands",
    b"nonsense": "'nonsense' is not a deal",
    b"\xff\xfeS\x00": "byte 1 is 0xff, which is not UTF-8 text",
    b"\x7fELF\x00\x01": r"the character '\x00' is in it",
    b"S:" + b"A" * 10_000_000: f"a line of more than {LONGEST_LINE} bytes; expected a deal",
}


@pytest.mark.parametrize("line", BAD_LINES, ids=BAD_LINES.values())
def test_bad_line_refuses_the_file_before_its_first_deal(deals_file, line):
    path = deals_file(f"{FIRST}\n\n".encode() + line + f"\n{SECOND}\n".encode())
    with pytest.raises(BridgetteError) as caught, open_deals(str(path), Deal.parse):
        pytest.fail("no deal may be handed out")
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert BAD_LINES[line] in str(caught.value)


@pytest.mark.parametrize("line", BAD_LINES, ids=BAD_LINES.values())
def test_keep_going_tells_of_the_bad_line_and_goes_on(deals_file, line, capsys):
    path = deals_file(f"{FIRST}\n\n".encode() + line + f"\n{SECOND}\n".encode())
    deals, file = read(path, keep_going=True)
    assert len(deals) == 2
    assert file.refused == 1
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"bridgette: {path}, line 3: ")
    assert BAD_LINES[line] in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing\n"])
@pytest.mark.parametrize("keep_going", [False, True])
def test_file_without_deals(deals_file, content, keep_going):
    with pytest.raises(BridgetteError, match="there is no deal in it"):
        read(deals_file(content), keep_going=keep_going)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(BridgetteError, match="no such file"):
        read(tmp_path / "missing.txt")
    with pytest.raises(BridgetteError, match=str(tmp_path)):
        read(tmp_path)
    with pytest.raises(BridgetteError, match="null"):
        read("a\0b")


@pytest.mark.parametrize("keep_going", [False, True])
def test_standard_input(monkeypatch, keep_going):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{FIRST}\n{SECOND}\n".encode())))
    deals, _ = read("-", keep_going=keep_going)
    assert len(deals) == 2


def test_a_pipe_is_checked_to_its_end_too():
    reading, writing = os.pipe()
    lines = 2000

    def feed():
        with open(writing, "w") as pipe:
            pipe.write(f"{FIRST}\n" * lines + "nonsense\n")

    feeder = threading.Thread(target=feed)
    feeder.start()
    with pytest.raises(BridgetteError, match=f"line {lines + 1}"):
        read(f"/dev/fd/{reading}")
    feeder.join()
    os.close(reading)
