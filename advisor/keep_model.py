"""The keep as an integer program: one Boolean for each holding that may be kept of a suit, one for each set of colons.

Exactly one holding a suit and one set of colons, thirteen cards in all. The trick model is a sum over suits, so the
tricks that a plan expects are plain coefficients: the plan's strain when the player declares, the opponent's strains
when the opponent does, mixed by how often each declares. (The trick model has no terms across suits, so neither has
this.) Of holdings that the trick model cannot tell apart only the highest is offered.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.trick_model import CLASS_OF_HOLDING, TrickTables
from solver.cards import HAND_SIZE, Hand, Strain, Suit
from solver.errors import Faults, RuleError
from solver.exchange import keep_count

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

APART = 2
UNIT = 1e-6  # of a trick: coefficients are whole numbers of it
DETERMINISTIC_LIMIT = 2.0  # of a search, in the solver's own unit of work, about a second
_COLONS = 4  # the place of the colons beside the four suits
_PATTERN = 0x1FFF
_PLACES = [*(_PATTERN << 13 * suit for suit in range(4)), 7 << 52]
_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
)
_TO_BID, _TO_JUMP = 2, 4


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a keep must have.

    Attributes:
        keep: cards that stay.
        throw: cards that go.
        plans: strains that stay open to bid: two cards of a suit, one of each for no trump. None: all plans are tried.
        jump: whether those suits must allow a jump as well, four cards.
        least: the fewest cards of each suit.
    """

    keep: Hand = field(default_factory=Hand)
    throw: Hand = field(default_factory=Hand)
    plans: tuple[Strain, ...] = ()
    jump: bool = False
    least: tuple[tuple[Suit, int], ...] = ()


class Proposal(NamedTuple):
    """A keep that the program found: a set of cards, the tricks expected of the plan (of the lesser of two plans), and
    an upper bound of that, which is the same where the keep is proved the best.
    """

    keep: int
    plans: tuple[Strain, ...]
    tricks: float
    bound: float

    @property
    def proved(self) -> bool:
        """Whether no better keep exists, the earlier ones of its pool and those too close to them apart."""
        return self.bound - self.tricks < 1.5 * UNIT


class _Condition(NamedTuple):
    """One wish: its words, and the holdings (by place: four suits, colons) that meet it, None where all do."""

    words: str
    place: int
    must: int = 0
    must_not: int = 0
    least: int = 0

    def allows(self, place: int, holding: int) -> bool:
        """Whether a holding in that place meets the wish."""
        if place != self.place:
            return True
        return not self.must & ~holding and not self.must_not & holding and holding.bit_count() >= self.least


class KeepModel:
    """The program for one set of cards held: what it proposes for each plan.

    Args:
        held: the cards held, 15 to 25.
        context: the player's context, see `advisor.packs`.
        tables: the trick model.
        declaring: shares (2, 5) with which the player and the opponent declare in each strain, see
            `advisor.match.declaring_shares`.
        wishes: what every proposal must have.
        nt_jump_min: cards of every suit that a jump in no trump needs, by the rules in force.

    Raises:
        RuleError: no keep meets the wishes; the message names those that cannot go together.
    """

    def __init__(
        self,
        held: Hand,
        context: int,
        tables: TrickTables,
        declaring: NDArray[np.float64],
        wishes: Wishes | None = None,
        nt_jump_min: int = 1,
    ) -> None:
        self.held = held
        self.context = context
        self.wishes = wishes or Wishes()
        self._nt_jump_min = nt_jump_min
        self._tables = tables
        self._declaring = declaring
        keep_count(held, self.wishes.keep, self.wishes.throw)
        self._check()
        conditions = self._all()
        conflict = self._conflict(conditions)
        if conflict:
            raise RuleError(_conflict_text([condition.words for condition in conflict]))
        self.options = self._options(conditions)
        self._base: CpModel | None = None

    def _check(self) -> None:
        faults = Faults()
        for suit, number in self.wishes.least:
            if not 0 <= number <= HAND_SIZE:
                faults.broken.append(f"at least {number} {suit.name.lower()} are wished for; expected 0 to {HAND_SIZE}")
        faults.check()

    def meets(self, keep: int) -> bool:
        """Whether a keep, a set of cards, meets the wishes."""
        return all(condition.allows(condition.place, _part(keep, condition.place)) for condition in self._all())

    def allows(self, plans: Sequence[Strain]) -> bool:
        """Whether some keep within the wishes can bid all these strains."""
        return not self._conflict([*self._all(), *(each for plan in plans for each in self._to_bid(plan))])

    def plans(self) -> tuple[Strain, ...]:
        """The strains that some keep within the wishes can bid, highest first; those wished for where there are any."""
        if self.wishes.plans:
            return self.wishes.plans
        return tuple(plan for plan in sorted(Strain, reverse=True) if self.allows([plan]))

    def coefficients(self, plan: Strain) -> list[NDArray[np.int64]]:
        """What each option adds to the tricks of a plan, in `UNIT`: five arrays beside `options`, suits then colons.

        The tricks are the player's: declaring in the plan's strain, and defending in the opponent's other strains.
        """
        declares, defends = self._declaring[0].sum(), self._declaring[1].copy()
        if plan.suit is not None:
            # Whoever plans a suit holds most of it: the opponent declares in the others.
            defends[plan] = 0.0
        against = (1.0 - declares) * defends / max(defends.sum(), 1e-9)
        tables, context = self._tables, self.context
        coefficients = []
        for suit in range(4):
            classes = CLASS_OF_HOLDING[np.array(self.options[suit], dtype=np.int64)]
            if plan == Strain.NOTRUMP:
                own = tables.notrump[context, 0, classes]
            else:
                own = (tables.trump if suit == plan else tables.side)[context, 0, classes]
            other = (
                against[suit] * tables.trump[context, 1, classes]
                + (against[:4].sum() - against[suit]) * tables.side[context, 1, classes]
                + against[4] * tables.notrump[context, 1, classes]
            )
            coefficients.append(_whole(declares * own + other))
        colons = np.array(self.options[_COLONS], dtype=np.int64)
        own = tables.colons[context, 0, int(plan == Strain.NOTRUMP), colons]
        other = (
            against[:4].sum() * tables.colons[context, 1, 0, colons] + against[4] * tables.colons[context, 1, 1, colons]
        )
        coefficients.append(_whole(declares * own + other))
        return coefficients

    def pool(self, plans: Sequence[Strain], count: int, apart: int = APART) -> Iterator[Proposal]:
        """The best keeps for a plan, best first, each at least `apart` cards from all before it; fewer than `count`
        where there are no more.

        With two plans both stay open, and the lesser of the two numbers of tricks is made the greatest. Raises
        RuleError when no keep can bid them.
        """
        from ortools.sat.python import cp_model

        extra = [condition for plan in plans for condition in self._to_bid(plan)]
        conflict = self._conflict([*self._all(), *extra])
        if conflict:
            raise RuleError(_conflict_text([condition.words for condition in conflict]))
        if self._base is None:
            self._base = self._program()
        program = self._base.clone()
        chosen = self._variables(program)
        for place, options in enumerate(self.options):
            for variable, option in zip(chosen[place], options, strict=True):
                if not all(condition.allows(place, option) for condition in extra):
                    program.add(variable == 0)
        variables = [variable for place in chosen for variable in place]
        options = [option << 13 * place for place in range(5) for option in self.options[place]]
        sums = [
            cp_model.LinearExpr.weighted_sum(variables, np.concatenate(self.coefficients(plan)).tolist())
            for plan in plans
        ]
        if len(sums) == 1:
            program.maximize(sums[0])
        else:
            lesser = program.new_int_var(-(10**9), 10**9, "lesser")
            for total in sums:
                program.add(lesser <= total)
            program.maximize(lesser)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        # It would put the system's own handling of Ctrl-C in the place of Python's, which ends the process at once.
        solver.parameters.catch_sigint_signal = False
        solver.parameters.max_deterministic_time = DETERMINISTIC_LIMIT
        for _ in range(count):
            status = solver.solve(program)
            if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                return
            taken = [
                option for option, variable in zip(options, variables, strict=True) if solver.boolean_value(variable)
            ]
            keep = sum(taken)
            yield Proposal(keep, tuple(plans), solver.objective_value * UNIT, solver.best_objective_bound * UNIT)
            shared = [(keep & option).bit_count() for option in options]
            program.add(cp_model.LinearExpr.weighted_sum(variables, shared) <= HAND_SIZE - apart)

    def _all(self) -> list[_Condition]:
        """The conditions that the wishes are."""
        wishes = self.wishes
        conditions = []
        for place in range(5):
            keep, throw = (Hand(cards.mask & _PLACES[place]) for cards in (wishes.keep, wishes.throw))
            if keep.mask:
                conditions.append(_Condition(_listed(keep), place, must=_part(keep.mask, place)))
            if throw.mask:
                conditions.append(
                    _Condition(f"thirteen without {_listed(throw)}", place, must_not=_part(throw.mask, place))
                )
        conditions += [_Condition(suit_count(number, suit), int(suit), least=number) for suit, number in wishes.least]
        return conditions + [each for plan in wishes.plans for each in self._to_bid(plan)]

    def _to_bid(self, plan: Strain) -> list[_Condition]:
        """What it takes to bid a strain, or to jump in it where that is wished for."""
        what = "jump in" if self.wishes.jump else "bid"
        if plan.suit is None:
            least = self._nt_jump_min if self.wishes.jump else 1
            return [
                _Condition(f"{suit_count(least, suit)}, to {what} no trump,", int(suit), least=least) for suit in Suit
            ]
        least = _TO_JUMP if self.wishes.jump else _TO_BID
        return [_Condition(f"{suit_count(least, plan.suit)}, to {what} them,", int(plan), least=least)]

    def _options(self, conditions: Sequence[_Condition]) -> list[list[int]]:
        """For each suit and the colons, the holdings that may be kept, as bits."""
        return [
            _distinct(
                [
                    holding
                    for holding in _subsets(_part(self.held.mask, place))
                    if holding.bit_count() <= HAND_SIZE
                    and all(condition.allows(place, holding) for condition in conditions)
                ],
                place,
            )
            for place in range(5)
        ]

    def _program(self) -> "CpModel":
        """The program without an objective."""
        from ortools.sat.python import cp_model

        program = cp_model.CpModel()
        variables, lengths = [], []
        for place, options in enumerate(self.options):
            chosen = [program.new_bool_var(f"{place}:{option}") for option in options]
            program.add_exactly_one(chosen)
            variables += chosen
            lengths += [option.bit_count() for option in options]
        program.add(cp_model.LinearExpr.weighted_sum(variables, lengths) == HAND_SIZE)
        return program

    def _variables(self, program: "CpModel") -> list[list["IntVar"]]:
        """The Booleans of the program, or of a clone of it, by place."""
        found = iter(range(sum(map(len, self.options))))
        return [[program.get_bool_var_from_proto_index(next(found)) for _ in options] for options in self.options]

    def _conflict(self, conditions: Sequence[_Condition]) -> list[_Condition]:
        """The conditions that cannot be met together, none of which can be left out; empty where all can be met."""
        if self._can_meet(conditions):
            return []
        kept = list(conditions)
        for condition in conditions:
            others = [other for other in kept if other is not condition]
            if not self._can_meet(others):
                kept = others
        return kept

    def _can_meet(self, conditions: Sequence[_Condition]) -> bool:
        """Whether some thirteen meet them. Each is about one suit or the colons, so the lengths decide."""
        reached = {0}
        for options in self._options(conditions):
            lengths = {option.bit_count() for option in options}
            reached = {done + length for done in reached for length in lengths}
        return HAND_SIZE in reached


def _part(cards: int, place: int) -> int:
    """The bits of one suit, or of the colons."""
    return (cards & _PLACES[place]) >> 13 * place


def _conflict_text(words: Sequence[str]) -> str:
    """What it means that no keep meets these conditions."""
    distinct = list(dict.fromkeys(words))
    distinct[-1] = distinct[-1].rstrip(",")
    if len(distinct) == 1:
        return f"no keep of {HAND_SIZE} has {distinct[0]}"
    both = "both " if len(distinct) == 2 else ""
    return f"no keep of {HAND_SIZE} has {both}{', '.join(distinct[:-1])} and {distinct[-1]}"


def _listed(cards: Hand) -> str:
    return " ".join(map(str, cards))


def suit_count(number: int, suit: Suit) -> str:
    """`two spades`, `a club`, `no hearts`."""
    name = suit.name.lower()
    return f"a {name[:-1]}" if number == 1 else f"{_NUMBERS[number]} {name}"


def _subsets(holding: int) -> Iterator[int]:
    subset = holding
    while True:
        yield subset
        if not subset:
            return
        subset = (subset - 1) & holding


def _distinct(holdings: list[int], place: int) -> list[int]:
    """One holding, the highest, of those that the trick model cannot tell apart."""
    if place == _COLONS:
        return sorted(holdings)
    return sorted({int(CLASS_OF_HOLDING[holding]): holding for holding in sorted(holdings)}.values())


def _whole(tricks: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.rint(tricks / UNIT).astype(np.int64)
