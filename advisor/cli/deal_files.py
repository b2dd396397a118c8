"""Reading many deals from a file or standard input, one a line, or records: every fault with its line.

A file is checked to its end before its first deal is handed out, so that a refused file has no answers. With
`keep_going` a bad line (or record) is told on standard error instead, and the deals come as they are read. A file of
one deal a line is never in memory as a whole; a file of records, `.pbn`, is.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Generic, TypeVar, cast

from advisor.cli.output import complain
from solver.errors import BridgetteError, NotationError, RuleError
from solver.record_text import each_record
from solver.rules import DEFAULT_RULES, Rules

Parsed = TypeVar("Parsed")

STANDARD_INPUT = "-"
RECORD_FILE = ".pbn"

# Bytes in the longest line that is read; a whole pack with its stock takes some 200.
LONGEST_LINE = 4000

_IN_MEMORY = 1 << 20


@dataclass(slots=True)
class Deals(Generic[Parsed]):
    """What the lines of a file hold, in order; to be iterated over once.

    Attributes:
        count: how many there are; None with `keep_going`, where nobody has looked ahead.
        refused: how many lines have been refused so far; only with `keep_going`.
    """

    _name: str
    _stream: BinaryIO
    _parse: Callable[..., Parsed]
    count: int | None
    refused: int = 0

    def __iter__(self) -> Iterator[Parsed]:
        """Raises BridgetteError when the file cannot be read on, or after the last line if none holds a deal."""
        empty = True
        for number, line in _lines(self._stream, self._name):
            try:
                text = _text(line)
                parsed = self._parse(text) if text else None
            except BridgetteError as error:
                fault = type(error)(f"{self._name}, line {number}: {error}")
                if self.count is not None:
                    raise fault from None
                complain(str(fault))
                self.refused += 1
                empty = False
                continue
            if parsed is not None:
                empty = False
                yield parsed
        if empty:
            raise NotationError(f"{self._name}: there is no deal in it; expected one a line")


@contextmanager
def open_deals(
    path: str, parse: Callable[..., Parsed], *, keep_going: bool = False, rules: Rules = DEFAULT_RULES
) -> Iterator[Deals[Parsed]]:
    """The deals of a file (`-`: standard input), each made by `parse(text)` of one line, or `parse(text, dealer)` of a
    record's deal, its dealer None when the record does not tell.

    Blank lines and lines that start with # are skipped. Raises BridgetteError when the file cannot be read or holds no
    deal, and, unless `keep_going`, at its first bad line. A record of a deal played by other rules than `rules` is bad.
    """
    name = file_name(path)
    with ExitStack() as stack:
        if path.lower().endswith(RECORD_FILE):
            yield _of_records(path, parse, keep_going, rules)
            return
        stream = _open(path, name, stack)
        if keep_going:
            yield Deals(name, stream, parse, count=None)
        else:
            stream = _seekable(stream, stack)
            start = stream.tell()
            count = sum(1 for _ in Deals(name, stream, parse, count=0))
            stream.seek(start)
            yield Deals(name, stream, parse, count)


class _RecordDeals(Deals[Parsed]):
    """The deals of records, each with the line or lines of what is wrong."""

    def __init__(self, name: str, found: Sequence[Parsed | BridgetteError], count: int | None) -> None:
        self._name = name
        self._found = found
        self.count = count
        self.refused = 0

    def __iter__(self) -> Iterator[Parsed]:
        for deal in self._found:
            if isinstance(deal, BridgetteError):
                complain(f"{self._name}, {deal}")
                self.refused += 1
            else:
                yield deal


def _of_records(path: str, parse: Callable[..., Parsed], keep_going: bool, rules: Rules) -> Deals[Parsed]:
    """The deal of each record of a file, after the exchange if it is told, else before."""
    found: list[Parsed | BridgetteError] = []
    for number, record in enumerate(each_record(read_record_text(path)), 1):
        try:
            if isinstance(record, BridgetteError):
                raise record
            deal = record.deal or record.dealt
            if deal is None:
                raise NotationError(f"record {number} has no [Deal]; expected one")
            if record.rules != rules:
                played = " ".join(f"--rule {choice}" for choice in record.rules.changed) or "the usual rules"
                raise RuleError(f"record {number} is of a deal played with {played}; expected the same here")
            found.append(parse(str(deal), record.dealer))
        except BridgetteError as error:
            if not keep_going:
                raise type(error)(f"{path}, {error}") from None
            found.append(error)
    return _RecordDeals(path, found, None if keep_going else len(found))


def file_name(path: str) -> str:
    """What a file is called when something is wrong with it."""
    return "standard input" if path == STANDARD_INPUT else path


def read_record_text(path: str) -> str:
    """The text of a file of records (`-`: standard input).

    Raises:
        BridgetteError: the file cannot be read, or it is not text.
    """
    name = file_name(path)
    with ExitStack() as stack:
        stream = _open(path, name, stack, "a file of records")
        try:
            return stream.read().decode("utf-8")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise NotationError(f"{name}, line {line}: {error.object[error.start]:#04x} is not UTF-8 text") from None
        except OSError as error:
            raise BridgetteError(f"{name}: {_reason(error)}; expected a file of records") from None


def _open(path: str, name: str, stack: ExitStack, expected: str = "a file with one deal a line") -> BinaryIO:
    if path == STANDARD_INPUT:
        return sys.stdin.buffer
    try:
        return stack.enter_context(open(path, "rb"))
    except (OSError, ValueError) as error:
        raise BridgetteError(f"{name}: {_reason(error)}; expected {expected}") from None


def _seekable(stream: BinaryIO, stack: ExitStack) -> BinaryIO:
    """The stream itself, or a copy of it where it can be read only once."""
    if stream.seekable():
        return stream
    spool = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - the stack closes it
    copy = cast(BinaryIO, stack.enter_context(spool))
    shutil.copyfileobj(stream, copy)
    copy.seek(0)
    return copy


def _lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    """Each line with its number, no more of it than shows that it is too long."""
    number = 0
    try:
        while line := stream.readline(LONGEST_LINE + 1):
            number += 1
            rest = line
            while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
                rest = stream.readline(LONGEST_LINE + 1)
            yield number, line
    except OSError as error:
        raise BridgetteError(f"{name}, after line {number}: {_reason(error)}") from None


def _text(line: bytes) -> str:
    """The line as text; nothing if it is blank or a comment."""
    if len(line) > LONGEST_LINE:
        raise NotationError(f"a line of more than {LONGEST_LINE} bytes; expected a deal")
    try:
        text = line.decode("utf-8").strip("\ufeff \t\r\n")
    except UnicodeDecodeError as error:
        raise NotationError(f"byte {error.start + 1} is {line[error.start]:#04x}, which is not UTF-8 text") from None
    strange = next((character for character in text if character < " " and character != "\t"), None)
    if strange is not None:
        raise NotationError(f"the character {strange!r} is in it; expected text, one deal a line")
    return "" if text.startswith("#") else text


def _reason(error: OSError | ValueError) -> str:
    """What the system says, without its number and the file's name."""
    return (getattr(error, "strerror", None) or str(error)).lower()
