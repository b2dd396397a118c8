"""The game: six deals, the deal alternating, and further ones while the totals are tied."""

import random
from dataclasses import dataclass

from solver.auction import Contract
from solver.deal import Seat
from solver.errors import Faults, UndecidedError
from solver.rules import DEFAULT_RULES, Rules
from solver.scoring import Score, score

DEALS = 6


@dataclass(frozen=True, slots=True)
class Game:
    """The deals played so far, in order, by the table's rules.

    Attributes:
        first_dealer: who dealt the first deal.
        scores: what each deal scored, those passed out among them.
        rules: the choices in force; `redeal_passed_out` and `insult_multiplied` bear on a game.
    """

    first_dealer: Seat
    scores: tuple[Score, ...] = ()
    rules: Rules = DEFAULT_RULES

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", tuple(self.scores))
        faults = Faults()
        for number, deal in enumerate(self.scores, 1):
            if deal != score(deal.contract, deal.tricks, self.rules):
                faults.broken.append(f"deal {number}, {deal}: not what it scores by the rules of this game")
        decided = next((n for n in range(DEALS, len(self.scores)) if _is_over(self.scores[:n], self.rules)), None)
        if decided is not None:
            surplus = len(self.scores) - decided
            faults.broken.append(f"{surplus} more after deal {decided}, which decided the game; expected none")
        faults.check()

    @classmethod
    def begin(cls, seed: int | random.Random, rules: Rules = DEFAULT_RULES) -> "Game":
        """A game about to start, its first dealer drawn at random; the same seed draws the same."""
        generator = seed if isinstance(seed, random.Random) else random.Random(seed)
        return cls(Seat(generator.randrange(2)), (), rules)

    @property
    def counted(self) -> int:
        """How many deals count: all, or under `redeal_passed_out` those not passed out."""
        return _counted(self.scores, self.rules)

    @property
    def dealer(self) -> Seat:
        """Who deals next.

        Raises:
            UndecidedError: the game is over.
        """
        if self.is_over:
            raise UndecidedError("nobody deals: the game is over")
        return self.first_dealer if self.counted % 2 == 0 else self.first_dealer.other

    def total(self, seat: Seat) -> int:
        """The points that a player has scored: those of the deals that it won, not lessened by the opponent's."""
        return sum(max(0, deal.points(seat)) for deal in self.scores)

    def margin(self, seat: Seat) -> int:
        """A player's total less the opponent's."""
        return sum(deal.points(seat) for deal in self.scores)

    @property
    def is_over(self) -> bool:
        """Whether six deals or more have counted and the totals differ."""
        return _is_over(self.scores, self.rules)

    @property
    def winner(self) -> Seat:
        """Who has the higher total when the game is over.

        Raises:
            UndecidedError: the game is not over.
        """
        if not self.is_over:
            raise UndecidedError(f"there is no winner yet: {self.counted} deals have counted, {_standing(self)}")
        return Seat.SOUTH if self.margin(Seat.SOUTH) > 0 else Seat.NORTH

    def after(self, contract: Contract | None, tricks: int | None = None) -> "Game":
        """The game with one more deal: its contract (None: passed out) and the declarer's tricks.

        Raises:
            RuleError: the game is over, or the tricks are not 0 to 13.
        """
        return Game(self.first_dealer, (*self.scores, score(contract, tricks, self.rules)), self.rules)


def _counted(scores: tuple[Score, ...], rules: Rules) -> int:
    if rules.redeal_passed_out:
        return sum(deal.contract is not None for deal in scores)
    return len(scores)


def _is_over(scores: tuple[Score, ...], rules: Rules) -> bool:
    return _counted(scores, rules) >= DEALS and sum(deal.points(Seat.SOUTH) for deal in scores) != 0


def _standing(game: Game) -> str:
    return f"South {game.total(Seat.SOUTH)}, North {game.total(Seat.NORTH)}"
