"""What can be wrong with an input: one base error, its kinds, and the collecting of faults, to name all at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

LONGEST_TEXT = 1000
"""Characters in the longest text that any reader looks at; nothing in the game needs half of it."""

_LONGEST_QUOTE = 40


class BridgetteError(ValueError):
    """Any input that is refused. `faults` holds each thing wrong; the message is all of them, on one line."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class NotationError(BridgetteError):
    """A text that cannot be read."""


class RuleError(BridgetteError):
    """What can be read but breaks a rule of the game: a card twice, a bid too low, a card that may not be played."""


class UndecidedError(BridgetteError):
    """A question whose answer is not decided yet, such as the contract of an auction under way."""


@contextmanager
def interruptions() -> Iterator[None]:
    """Makes every Ctrl-C in its block a KeyboardInterrupt.

    One that comes while a compiled function unpacks its arguments or packs its result arrives as a SystemError from it.
    """
    try:
        yield
    except SystemError as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise


@dataclass(slots=True)
class Faults:
    """The faults found so far in one value."""

    unreadable: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.unreadable or self.broken)

    def add(self, other: "Faults", place: str) -> None:
        """Takes over the faults of a part, each with the place where it is."""
        self.unreadable += [f"{place}: {fault}" for fault in other.unreadable]
        self.broken += [f"{place}: {fault}" for fault in other.broken]

    def check(self) -> None:
        """Raises every fault in one error: `NotationError` if something could not be read, else `RuleError`."""
        if self.unreadable:
            raise NotationError(*self.unreadable, *self.broken)
        if self.broken:
            raise RuleError(*self.broken)


def quote(text: str) -> str:
    """The text in quotation marks on one line, only its start if it is long."""
    if len(text) <= _LONGEST_QUOTE:
        return repr(text)
    return f"{text[:_LONGEST_QUOTE]!r}… ({len(text)} characters)"


def check_length(text: str, what: str) -> None:
    """Refuses a text too long to be `what` before any work is spent on it.

    Raises:
        NotationError: the text has more than `LONGEST_TEXT` characters.
    """
    if len(text) > LONGEST_TEXT:
        raise NotationError(f"{quote(text)} is too long for {what}; expected at most {LONGEST_TEXT} characters")
