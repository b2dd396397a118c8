"""Where words go: the answer to standard output, the talk to standard error, colours and symbols where they show."""

import contextlib
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

# A line to show: pieces of plain text, or of text with a style by rich's names ("bold", "red").
Line = Sequence[str | tuple[str, str]]

LONGEST_COMPLAINT = 600


def write_json(value: Any) -> None:
    """One JSON object on one line of standard output, at once, so that a reader at the other end of a pipe sees it."""
    sys.stdout.write(json.dumps(value, ensure_ascii=True) + "\n")
    sys.stdout.flush()


def show(lines: Iterable[Line], *, wrap: bool = False) -> None:
    """Lines on standard output: coloured on a terminal, plain and never cut or broken elsewhere.

    With `wrap` a line too long for the terminal is broken between words; without, the terminal breaks it, so that
    what is copied from there is still one line.
    """
    lines = (_writable(line, sys.stdout.encoding or "ascii") for line in lines)
    if not has_colours(sys.stdout):
        texts = [plain(line) for line in lines]
        if wrap and sys.stdout.isatty():
            texts = [part for text in texts for part in _broken(text, shutil.get_terminal_size().columns)]
        sys.stdout.write("".join(text + "\n" for text in texts))
        sys.stdout.flush()
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, force_terminal=True)
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=not wrap, overflow="fold", crop=False)


def _writable(line: Line, encoding: str) -> Line:
    """The line in characters that the encoding has: ± as +-, as wide as it was, and ? for any other."""
    try:
        plain(line).encode(encoding)
    except UnicodeEncodeError:
        return [
            _written(piece, encoding) if isinstance(piece, str) else (_written(piece[0], encoding), piece[1])
            for piece in line
        ]
    return line


def _written(text: str, encoding: str) -> str:
    return text.replace(" ± ", " +-").replace("±", "+-").encode(encoding, "replace").decode(encoding)


def _broken(text: str, width: int) -> list[str]:
    """A line as lines of at most `width`, broken between words."""
    if len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, replace_whitespace=False, break_on_hyphens=False)


def plain(line: Line) -> str:
    """The line without its styles."""
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in line)


def complain(message: str) -> None:
    """What is wrong with the input, on exactly one line of standard error, however long the text it quotes."""
    message = " ".join(message.split())
    if len(message) > LONGEST_COMPLAINT:
        half = LONGEST_COMPLAINT // 2
        message = f"{message[:half]} ... {message[-half:]}"
    note(f"bridgette: {message}")


def note(message: str) -> None:
    """A line on standard error."""
    print(message, file=sys.stderr, flush=True)


def stand_in_for_closed_streams() -> None:
    """Where a standard stream was closed by whoever started the program: one that is empty, or that nobody reads."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open to the end
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def drop_output() -> None:
    """Lets what could not be written to standard output go, or Python would complain of it once more at its end."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


def has_colours(stream: TextIO) -> bool:
    """Whether colours are welcome: a terminal that can show them, and NO_COLOR is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def has_suit_symbols(stream: TextIO) -> bool:
    """Whether the stream's encoding can carry the four suit symbols."""
    try:
        "♠♥♦♣".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
