"""What `bridgette discard` answers, as JSON and as lines to read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from advisor.cli.output import Line
from advisor.cli.render import (
    Part,
    card_piece,
    counted,
    hand_pieces,
    rules_json,
    rules_lines,
    sentence_pieces,
    sentence_text,
    spaced,
    strain_piece,
)
from solver.cards import PACK_SIZE, Hand, Suit
from solver.exchange import Role, held_size
from solver.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from advisor.discard import Advice, Choice

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LONG = 4  # cards of a suit worth their number rather than their names


@dataclass(frozen=True, slots=True)
class DiscardAnswer:
    """The advice, of which `top` keeps are shown."""

    advice: "Advice"
    top: int
    seed: int

    def json(self) -> dict[str, Any]:
        """The JSON object."""
        known, best = self.advice.known, self.advice.recommended
        answer: dict[str, Any] = {
            "role": known.role.option,
            "upcard": str(known.upcard),
            "held": len(known.cards),
            "recommendation": self._choice(best),
            "alternatives": [
                self._choice(choice)
                | {"gap": self._rounded(choice.gap), "gap_se": self._rounded(choice.gap_error), "tie": choice.is_tie}
                for choice in self.advice.choices[1 : self.top]
            ],
            "samples": self.advice.samples,
            "unit": "points" if self.advice.standing is None else "chance to win the game",
            "policy": str(self.advice.first_choice),
            "reason": sentence_text(self._reason()),
            "assumed": sentence_text(self._assumed()),
            "complete": not (self.advice.interrupted or self.advice.out_of_time),
            "seed": self.seed,
        }
        if self._rests_on():
            answer["rests_on"] = self._rests_on()
        return answer | rules_json(known.rules)

    def lines(self) -> Iterator[Line]:
        """The keep and the throws, why, the alternatives, what it rests on."""
        known, best = self.advice.known, self.advice.recommended
        turned = [] if known.upcard is None else [card_piece(known.upcard)]
        yield [(known.role.title.capitalize(), "bold"), ", ", *turned, f" turned, {len(known.cards)} cards held:"]
        yield ["  ", *hand_pieces(known.cards)]
        yield from rules_lines(known.rules)
        yield []
        yield [("Keep   ", "bold"), *hand_pieces(best.keep)]
        yield [("Throw  ", "bold"), *spaced([card_piece(card) for card in best.throw])]
        yield [("Plan   ", "bold"), strain_piece(best.plan), f", expected {self._expected(best)}"]
        yield [("Why    ", "bold"), *sentence_pieces(self._reason())]
        yield from self._table()
        yield []
        yield sentence_pieces(self._assumed())
        yield [self._basis()]
        if self._rests_on():
            yield [self._rests_on()]

    def _table(self) -> Iterator[Line]:
        choices = self.advice.choices[: self.top]
        if len(choices) < 2:
            return
        unit = "points" if self.advice.standing is None else "win the game"
        yield []
        yield [f"  {unit:>14}{'to the best':>16}{'hands':>7}  plan  keep"]
        for choice in choices:
            best = choice is choices[0]
            gap = "" if best else f"{self._number(choice.gap, sign=True):>7}{self._error(choice.gap_error)}"
            yield [
                ">" if best else ("=" if choice.is_tie else " "),
                f" {self._number(choice.score):>7}{self._error(choice.error):<7}{gap:>16}{choice.samples:>7}  ",
                strain_piece(choice.plan, 4),
                "  ",
                *hand_pieces(choice.keep),
            ]
        if any(choice.is_tie for choice in choices[1:]):
            yield ["= level with the recommended keep, within two standard errors"]

    def _choice(self, choice: "Choice") -> dict[str, Any]:
        return {
            "keep": str(choice.keep),
            "throw": [str(card) for card in choice.throw],
            "score": self._rounded(choice.score),
            "se": self._rounded(choice.error),
            "plan": choice.plan.letter,
            "par": self._rounded(choice.par),
            "blueprint": self._rounded(choice.blueprint),
            "model": round(choice.model, 1),
            "samples": choice.samples,
        }

    def _expected(self, choice: "Choice") -> str:
        what = "points" if self.advice.standing is None else "chance to win the game"
        return f"{self._number(choice.score)}{self._error(choice.error)} {what}"

    def _reason(self) -> list[Part]:
        """What the keep has that another has not, and how it stands to the policy's choice."""
        choices = self.advice.choices
        best = choices[0]
        if len(choices) == 1:
            return ["no other keep that meets the wishes was tried"]
        policys = next((choice for choice in choices if choice.keep == self.advice.first_choice), best)
        other = choices[1] if policys is best else policys
        reason: list[Part] = ["keeps ", *_listed(_kept(best.keep, other.keep))]
        reason += [", against ", *_listed(_kept(other.keep, best.keep))]
        gap = f"{self._number(abs(other.gap))}{self._error(other.gap_error)}"
        if policys is not best:
            return [*reason, f" of the exchange policy's choice, which it leads by {gap}"]
        reason.append(" of the next best")
        if not best.samples:
            return [*reason, ", by the exchange policy alone"]
        if other.gap > 0:
            return [*reason, f"; the exchange policy's choice stands, for that leads it by {gap} only"]
        return [*reason, f", {gap} behind; it is the exchange policy's choice too"]

    def _assumed(self) -> list[Part]:
        known = self.advice.known
        other = Role(1 - known.role)
        turned: list[Part] = [] if known.upcard is None else [known.upcard]
        size = 0 if known.upcard is None else held_size(other, known.upcard)
        unseen = PACK_SIZE - len(known.cards)
        cards: list[Part] = [f"any {size} of the {unseen} unseen cards"]
        if known.role == Role.DEALER and known.rules.upcard_drawn:
            cards = [*turned, f" and any {size - 1} of the {unseen - 1} other unseen cards"]
        elif not known.rules.upcard_drawn:
            cards = [f"any {size} of the {unseen - 1} unseen cards besides ", *turned]
        return [
            f"Assumed of the {other.title}: ",
            *cards,
            ", of which it keeps thirteen by the computed exchange policy.",
        ]

    def _basis(self) -> str:
        samples = self.advice.samples
        if not samples:
            return "The exchange policy's own estimate; nothing was sampled."
        ended = ", the time allowed" if self.advice.out_of_time else ""
        values = (
            "Values are the mean of par and of both calling by the computed strategy; play is taken as double-dummy."
        )
        return f"{counted(samples, 'hand')} of the opponent{ended}; seed {self.seed}. {values}"

    def _rests_on(self) -> str:
        """What is not of the rules in force."""
        rules, built_for = self.advice.known.rules, self.advice.built_for
        if rules == built_for:
            return ""
        of = "the default rules" if built_for == DEFAULT_RULES else f"the rules {', '.join(built_for.changed)}"
        return (
            "Draws, scores and play are by these rules; how both exchange and call rests on strategies computed for "
            f"{of}."
        )

    def _rounded(self, value: float | None) -> float | None:
        if value is None:
            return None
        return round(value, 1 if self.advice.standing is None else 4)

    def _number(self, value: float, sign: bool = False) -> str:
        if self.advice.standing is None:
            return f"{value:+.0f}" if sign else f"{value:.0f}"
        return f"{100 * value:+.1f}%" if sign else f"{100 * value:.1f}%"

    def _error(self, error: float | None) -> str:
        if error is None:
            return ""
        return f" ± {error:.0f}" if self.advice.standing is None else f" ± {100 * error:.1f}"


def _kept(keep: Hand, other: Hand) -> list[Part]:
    """What one keep has that the other has not: `six spades`, the king of diamonds, `:G`."""
    words: list[Part] = []
    only = keep - other
    for suit in sorted(Suit, reverse=True):
        cards = only.of_suit(suit)
        length = keep.count(suit)
        if cards.mask and length > other.count(suit) and length >= _LONG:
            words.append(f"{_NUMBERS[length] if length < len(_NUMBERS) else length} {suit.name.lower()}")
        else:
            words += cards
    return [*words, *only.colons]


def _listed(words: Sequence[Part]) -> list[Part]:
    """The words with what stands between them: a, b and c."""
    between = [*[", "] * (len(words) - 2), " and ", ""]
    return [part for word, after in zip(words, between[-len(words) :], strict=True) for part in (word, after)]
