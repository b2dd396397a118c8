"""The points of one deal: what a contract scores, item by item."""

from dataclasses import dataclass
from typing import NamedTuple

from solver.auction import Contract, contract_text
from solver.cards import HAND_SIZE, Strain
from solver.deal import Seat
from solver.errors import RuleError
from solver.rules import DEFAULT_RULES, Rules

# For a bid made, by level: in clubs or diamonds, in hearts or spades, at no trump.
_MADE = (
    (0, 0, 150),
    (150, 150, 250),
    (250, 250, 250),
    (250, 250, 750),
    (250, 750, 750),
    (750, 750, 1500),
    (1500, 1500, 2200),
    (2200, 2200, 2500),
)

# For exactly the tricks bid, by level.
_EXACTLY = (250, 250, 250, 250, 250, 250, 100, 0)

_THREE_OVER = 350

# For making it when 0 not doubled, 1 doubled, 2 redoubled.
_INSULT = (0, 400, 1000)

# For the opponent, by tricks short (1 first; more than 7 count as 7), when not doubled, doubled, redoubled.
_SHORT = (
    (100, 200, 300),
    (200, 500, 700),
    (300, 800, 1100),
    (400, 1100, 1500),
    (700, 2000, 2700),
    (1000, 3000, 4000),
    (1000, 3000, 4000),
)

_DOUBLED = ("", ", doubled", ", redoubled")


class ScoreItem(NamedTuple):
    """One line of the sum: what it is for, and the declarer's points (negative when the opponent's)."""

    what: str
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """What one deal scored: the contract (None: passed out), the declarer's tricks (None: passed out) and the sum."""

    contract: Contract | None
    tricks: int | None
    items: tuple[ScoreItem, ...]

    @property
    def declarer_points(self) -> int:
        """The declarer's points, negative when the opponent scores, 0 when passed out."""
        return sum(item.points for item in self.items)

    def points(self, seat: Seat) -> int:
        """A player's points less the opponent's."""
        points = self.declarer_points
        return points if self.contract is None or self.contract.declarer == seat else -points

    def __str__(self) -> str:
        if self.contract is None:
            return contract_text(None)
        return f"{self.contract}, {self.tricks} tricks: {self.declarer_points} for {self.contract.declarer.title}"


def score(contract: Contract | None, tricks: int | None = None, rules: Rules = DEFAULT_RULES) -> Score:
    """What a contract scores when its declarer takes `tricks` of the 13; a deal passed out (None) scores nothing.

    Raises:
        RuleError: tricks not 0 to 13, none given for a contract, or some given for a deal passed out.
    """
    if contract is None:
        if tricks is not None:
            raise RuleError(f"{tricks} tricks in a deal passed out; expected none, it is not played")
        return Score(None, None, ())
    if tricks is None or not 0 <= tricks <= HAND_SIZE:
        raise RuleError(f"the declarer's tricks are {tricks}; expected 0 to {HAND_SIZE}")
    over = tricks - contract.bid.tricks
    items = _made(contract, over, rules) if over >= 0 else _defeated(contract, -over)
    return Score(contract, tricks, tuple(items))


def _made(contract: Contract, over: int, rules: Rules) -> list[ScoreItem]:
    level, doubled = contract.level, contract.doubled
    column = {Strain.NOTRUMP: 2, Strain.SPADES: 1, Strain.HEARTS: 1}.get(contract.strain, 0)
    items = [ScoreItem(f"{contract.bid} made", _MADE[level][column])]
    if over == 0 and _EXACTLY[level]:
        items.append(ScoreItem("exactly the tricks bid", _EXACTLY[level]))
    if over == 3:
        items.append(ScoreItem("exactly three tricks over", _THREE_OVER))
    if not doubled:
        return items
    insult = ScoreItem("made" + _DOUBLED[doubled], _INSULT[doubled])
    if rules.insult_multiplied:
        items.append(insult)
    total = sum(item.points for item in items)
    if doubled == 1:
        items.append(ScoreItem("doubled: the same again", total))
    else:
        items.append(ScoreItem("redoubled: three times the same again", 3 * total))
    if not rules.insult_multiplied:
        items.append(insult)
    return items


def _defeated(contract: Contract, short: int) -> list[ScoreItem]:
    points = _SHORT[min(short, len(_SHORT)) - 1][contract.doubled]
    return [ScoreItem(f"{short} short{_DOUBLED[contract.doubled]}", -points)]
