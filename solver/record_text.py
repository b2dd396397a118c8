"""Records as text, in the manner of PBN: tag pairs, calls and cards after [Auction] and [Play], a blank line between.

    [Dealer "S"]
    [Deal "S:<South's hand> <North's hand>"]
    [Auction "S"]
    1H X P {a remark}
    [Contract "1HX S"]
    [Play "N"]
    SA :G
    HQ HA

Cards stand in the order in which they were played, a trick a line. Text in braces, after a semicolon to the end of the
line, and in lines that start with % is a comment and kept.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from solver.auction import Auction, contract_text, parse_call, parse_contract
from solver.cards import Card, parse_cards
from solver.deal import Deal, Seat
from solver.errors import BridgetteError, Faults, NotationError, RuleError, quote
from solver.record import Comment, Played, Record
from solver.record_faults import Place, RecordError
from solver.rules import Rules

_TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_WORD = re.compile(r"[^\s\[{;]+")
_SECTIONS = ("Auction", "Play")
_EXPECTED_TAG = 'expected a tag such as [Dealer "S"]'
_CALLS_A_LINE = 8


def read_records(text: str) -> tuple[Record, ...]:
    """The records of a text, at least one.

    Raises:
        NotationError: something cannot be read, or there is no record; every fault is named with its line.
        RuleError: all can be read, but the parts of a record break a rule or contradict each other; likewise.
    """
    faults = Faults()
    records = []
    for record in each_record(text):
        if isinstance(record, Record):
            records.append(record)
        else:
            (faults.unreadable if isinstance(record, NotationError) else faults.broken).extend(record.faults)
    faults.check()
    return tuple(records)


def each_record(text: str) -> Iterator[Record | BridgetteError]:
    """The records of a text in order, in the place of a bad one the error with all its faults; never nothing."""
    drafts = _drafts(text)
    for draft in drafts:
        try:
            yield draft.record()
        except BridgetteError as error:
            yield error
    if not drafts:
        yield NotationError(f"there is no record in it; {_EXPECTED_TAG}")


@dataclass(slots=True)
class _Draft:
    """What has been read of one record: tags with their lines, the words of the sections, the comments."""

    tags: dict[str, tuple[str, int]] = field(default_factory=dict)
    words: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: {section: [] for section in _SECTIONS})
    comments: list[tuple[Place, str, int]] = field(default_factory=list)
    last: str = ""
    faults: Faults = field(default_factory=Faults)

    def place(self) -> Place:
        """Where what is read next stands."""
        return Place(self.last, len(self.words.get(self.last, ())))

    def add_tag(self, name: str, value: str, line: int) -> None:
        if name in self.tags:
            self.faults.broken.append(
                f"line {line}: [{name}] is there twice, first in line {self.tags[name][1]}; expected a blank line "
                "between two records"
            )
        else:
            self.tags[name] = value, line
        self.last = name

    def add_word(self, word: str, line: int) -> None:
        if self.last in _SECTIONS:
            self.words[self.last].append((word, line))
        else:
            where = f"after [{self.last}]" if self.last else "before the first tag"
            self.faults.unreadable.append(f"line {line}: {quote(word)} {where} cannot be read; {_EXPECTED_TAG}")

    def line_of(self, place: Place) -> int:
        """The line of a place; that of the first tag where the place is nowhere."""
        words = self.words.get(place.tag, [])
        if place.word:
            return words[place.word - 1][1]
        if place.tag in self.tags:
            return self.tags[place.tag][1]
        return next(line for _, line in self.tags.values())

    def record(self) -> Record:
        """The record that has been read.

        Raises:
            BridgetteError: something is wrong with it; every fault is named with its line.
        """
        values = _values(self)
        for place, text, line in self.comments:
            try:
                values["comments"] = (*values.get("comments", ()), Comment(place, text))
            except BridgetteError as error:
                self.faults.broken.append(f"line {line}: {error}")
        self.faults.check()
        try:
            return Record(**values)
        except RecordError as error:
            raise RuleError(
                *(
                    f"line {self.line_of(place)}: {f'[{place.tag}] ' if place.tag else ''}{what}"
                    for place, what in zip(error.places, error.texts, strict=True)
                )
            ) from None


def _drafts(text: str) -> list[_Draft]:
    """The records of a text, before anything is made of their tags and words."""
    drafts = [_Draft()]
    ended = False
    unclosed: tuple[int, list[str]] | None = None
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = line.removesuffix("\r")
        start = 0
        if unclosed is not None:
            end = line.find("}")
            unclosed[1].append(line if end < 0 else line[:end])
            if end < 0:
                continue
            drafts[-1].comments.append((drafts[-1].place(), "\n".join(unclosed[1]), unclosed[0]))
            unclosed, start = None, end + 1
        elif not line.strip():
            ended = bool(drafts[-1].tags)
            continue
        if ended and line[start:].strip():
            drafts.append(_Draft())
            ended = False
        draft = drafts[-1]
        if start == 0 and line.startswith("%"):
            draft.comments.append((draft.place(), line[1:], number))
            continue
        while start < len(line):
            if line[start].isspace():
                start += 1
                continue
            if line[start] == "{":
                end = line.find("}", start)
                if end < 0:
                    unclosed = number, [line[start + 1 :]]
                    break
                draft.comments.append((draft.place(), line[start + 1 : end], number))
                start = end + 1
            elif line[start] == ";":
                draft.comments.append((draft.place(), line[start + 1 :], number))
                break
            elif line[start] == "[":
                match = _TAG.match(line, start)
                if match is None:
                    draft.faults.unreadable.append(
                        f"line {number}: {quote(line[start:])} cannot be read; {_EXPECTED_TAG}"
                    )
                    break
                draft.add_tag(match[1], re.sub(r"\\(.)", r"\1", match[2]), number)
                start = match.end()
            else:
                match = _WORD.match(line, start)
                assert match is not None
                draft.add_word(match[0], number)
                start = match.end()
    if unclosed is not None:
        drafts[-1].faults.unreadable.append(f"line {unclosed[0]}: the comment has no end; expected a closing brace")
    last = drafts[-1]
    if last.tags or last.faults:
        return drafts
    drafts.pop()
    if drafts:
        place = drafts[-1].place()
        drafts[-1].comments += [(place, remark, line) for _, remark, line in last.comments]
    return drafts


def _values(draft: _Draft) -> dict[str, Any]:
    """The parts of a record by the names of its fields; what is wrong is added to the draft's faults."""
    values: dict[str, Any] = {}
    seats: dict[str, list[Any]] = {"drawn": [None, None], "thrown": [None, None]}
    for tag, (text, line) in draft.tags.items():
        reader = _READERS.get(tag)
        if reader is None:
            values["other"] = (*values.get("other", ()), (tag, text))
            continue
        name, read = reader
        own = Faults()
        value = None
        try:
            value = read(text)
        except RuleError as error:
            own.broken += error.faults
        except BridgetteError as error:
            own.unreadable += error.faults
        draft.faults.add(own, f"line {line}: [{tag}]")
        if name in seats:
            seats[name]["SN".index(tag[-1])] = value
        elif tag == "Contract" and value is None:
            values["passed_out"] = True
        elif tag in _SECTIONS:
            values[name] = _section(tag, value, draft.words[tag], draft.faults)
        else:
            values[name] = value
    return values | {name: tuple(cards) for name, cards in seats.items()}


def _section(tag: str, seat: Seat | None, words: list[tuple[str, int]], faults: Faults) -> Auction | Played | None:
    """The calls of an auction, or the cards of a play."""
    parse: Callable[[str], Any] = parse_call if tag == "Auction" else Card.parse
    parsed: list[Any] = []
    for word, line in words:
        own = Faults()
        try:
            parsed.append(parse(word))
        except RuleError as error:
            own.broken += error.faults
        except BridgetteError as error:
            own.unreadable += error.faults
        faults.add(own, f"line {line}: [{tag}]")
    if seat is None or len(parsed) < len(words):
        return None
    if tag == "Play":
        return Played(seat, tuple(parsed))
    try:
        return Auction(seat, tuple(parsed))
    except RuleError as error:
        for fault in error.faults:
            number = int(fault.split()[1].rstrip(","))
            faults.broken.append(f"line {words[number - 1][1]}: [Auction] {fault}")
        return None


def _read_rules(text: str) -> Rules:
    return Rules.with_choices(text.split())


def _read_result(text: str) -> int:
    if not re.fullmatch("[0-9]{1,2}", text.strip()):
        raise NotationError(f"{quote(text)} is no number of tricks; expected 0 to 13, the declarer's")
    return int(text)


def _read_score(text: str) -> int:
    match = re.fullmatch(r"([SN])\s+([+-]?[0-9]{1,5})", text.strip().upper())
    if match is None:
        raise NotationError(
            f'{quote(text)} is no score; expected a player and its points less the other\'s, as in "S -200"'
        )
    return int(match[2]) if match[1] == "S" else -int(match[2])


_READERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "Dealer": ("dealer", Seat.parse),
    "Rules": ("rules", _read_rules),
    "Dealt": ("dealt", Deal.parse),
    "Upcard": ("upcard", Card.parse),
    "Stock": ("stock", parse_cards),
    "DrawnS": ("drawn", parse_cards),
    "DrawnN": ("drawn", parse_cards),
    "ThrownS": ("thrown", parse_cards),
    "ThrownN": ("thrown", parse_cards),
    "Deal": ("deal", Deal.parse),
    "Auction": ("auction", Seat.parse),
    "Contract": ("contract", parse_contract),
    "Play": ("played", Seat.parse),
    "Result": ("result", _read_result),
    "Score": ("south_points", _read_score),
}


def records_text(records: Iterable[Record]) -> str:
    """Records as written, a blank line between each two; `read_records` reads them back."""
    return "\n".join(record_text(record) for record in records)


def record_text(record: Record) -> str:
    """A record as written: one tag a line, calls eight a line, cards a trick a line, comments in their places."""
    values = dict(record.other) | _own_values(record)
    sections: dict[str, tuple[tuple[object, ...], int]] = {}
    if record.auction is not None:
        sections["Auction"] = record.auction.calls, _CALLS_A_LINE
    if record.played is not None:
        sections["Play"] = record.played.cards, 2
    comments: dict[Place, list[str]] = {}
    for comment in record.comments:
        comments.setdefault(comment.place, []).append(comment.text)
    lines = [_comment(text) for text in comments.get(Place(""), ())]
    for tag in record.tags():
        value = values[tag].replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'[{tag} "{value}"]')
        lines += [_comment(text) for text in comments.get(Place(tag), ())]
        if tag in sections:
            lines += _section_lines(tag, *sections[tag], comments)
    return "\n".join(lines) + "\n"


def _own_values(record: Record) -> dict[str, str]:
    def listed(cards: Iterable[object] | None) -> str:
        return " ".join(str(card) for card in cards or ())

    return {
        "Dealer": "" if record.dealer is None else record.dealer.letter,
        "Rules": " ".join(record.rules.changed),
        "Dealt": str(record.dealt),
        "Upcard": str(record.upcard),
        "Stock": listed(record.stock),
        **{f"Drawn{seat.letter}": listed(record.drawn[seat]) for seat in Seat},
        **{f"Thrown{seat.letter}": listed(record.thrown[seat]) for seat in Seat},
        "Deal": str(record.deal),
        "Auction": "" if record.auction is None else record.auction.dealer.letter,
        "Contract": contract_text(record.contract),
        "Play": "" if record.played is None else record.played.leader.letter,
        "Result": str(record.result),
        "Score": f"S {record.south_points}",
    }


def _section_lines(tag: str, words: tuple[object, ...], a_line: int, comments: dict[Place, list[str]]) -> Iterator[str]:
    """The words of a section, so many a line; a line ends early where a comment stands."""
    line: list[str] = []
    for number, word in enumerate(words, 1):
        line.append(str(word))
        here = comments.get(Place(tag, number), ())
        if here or number % a_line == 0 or number == len(words):
            yield " ".join(line)
            yield from (_comment(text) for text in here)
            line = []


def _comment(text: str) -> str:
    return f"; {text}" if "}" in text else f"{{{text}}}"
