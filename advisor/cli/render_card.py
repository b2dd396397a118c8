"""What `bridgette card` answers, as JSON and as lines to read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from advisor.cli.output import Line
from advisor.cli.render import (
    Part,
    Piece,
    card_piece,
    contract_pieces,
    counted,
    hand_pieces,
    rules_json,
    rules_lines,
    sentence_pieces,
    strain_piece,
)
from solver.deal import Seat
from solver.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from advisor.card_play import Advice, CardAdvice
    from advisor.seen import Seen


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """The advice for what South has seen, and the seed that it came from."""

    seen: "Seen"
    advice: "Advice"
    seed: int

    def json(self) -> dict[str, Any]:
        """The JSON object."""
        advice = self.advice
        best = advice.cards[0]
        answer: dict[str, Any] = {
            "card": str(advice.card),
            "score": self._rounded(best.score),
            "se": self._rounded(best.se),
            "contract": str(self.seen.contract),
            "cards": [
                {
                    "card": str(each.card),
                    "score": self._rounded(each.score),
                    "se": self._rounded(each.se),
                    "gap": self._rounded(each.gap),
                    "gap_se": self._rounded(each.gap_se),
                    "level": each.is_level,
                    "tricks": round(each.tricks, 3),
                    "tricks_se": round(each.tricks_se, 3),
                    "made": round(each.made, 4),
                    "made_se": round(each.made_se, 4),
                }
                for each in advice.cards
            ],
            "samples": advice.samples,
            "effective": round(advice.effective, 1),
            "fitted": advice.fitted,
            "seed": self.seed,
            "unit": "chance to win the game" if advice.in_chances else "points",
        }
        if self._rests_on():
            answer["rests_on"] = self._rests_on()
        return answer | rules_json(self.seen.rules)

    def lines(self) -> Iterator[Line]:
        """The situation, the card, the table of cards, what it rests on."""
        yield from self.situation()
        yield from rules_lines(self.seen.rules)
        yield []
        yield [("Play ", "bold"), card_piece(self.advice.card), ": ", *sentence_pieces(self._reason())]
        yield []
        yield from self.table()
        yield []
        yield from self.basis()

    def situation(self) -> Iterator[Line]:
        """What South holds and has to play to."""
        from advisor.seen import follow

        play = follow(self.seen)
        yield [("South  ", "bold"), *hand_pieces(play.mine)]
        pieces: list[Piece] = [*contract_pieces(self.seen.contract)]
        if any(play.tricks):
            pieces.append(f", tricks South {play.tricks[Seat.SOUTH]} North {play.tricks[Seat.NORTH]}")
        if play.led is None:
            pieces.append(", South to lead")
        else:
            pieces += [", North led ", card_piece(play.led)]
        if play.barred is not None and play.led is None:
            pieces += [", barred ", strain_piece(play.barred.strain)]
        yield pieces

    def table(self) -> Iterator[Line]:
        """Every legal card, the best first."""
        advice = self.advice
        unit = "win the game" if advice.in_chances else "points"
        last = "makes" if advice.declaring else "defeats"
        yield [f"  {'':4}{unit:>15}{'behind the best':>19}{'tricks':>16}{last:>14}"]
        for each in advice.cards:
            yield self._row(each)
        yield ["> recommended   = level with the best, within two standard errors"]

    def _row(self, each: "CardAdvice") -> Line:
        best = each.card == self.advice.card
        marks = (">" if best else " ") + ("=" if each.is_level and not best else " ")
        gap = "" if best else f"{self._number(each.gap)} ± {self._error(each.gap_se):<4}"
        chance = each.made if self.advice.declaring else 1 - each.made
        numbers = (
            f"{self._number(each.score) + ' ± ' + format(self._error(each.se), '<4'):>15}{gap:>19}"
            f"{each.tricks:>9.2f} ± {each.tricks_se:.2f}{chance:>8.0%} ± {100 * each.made_se:<2.0f}"
        )
        piece = card_piece(each.card)
        return [marks, piece, "  ", numbers.rstrip()]

    def basis(self) -> Iterator[Line]:
        """What the figures rest on."""
        advice = self.advice
        yield [
            f"{counted(advice.samples, 'hand')} of the opponent solved, worth {advice.effective:.0f} equally likely "
            f"ones; seed {self.seed}."
        ]
        yield ["Tricks are South's of all 13. Play from here on is taken as double-dummy:"]
        yield ["both play as if they saw all cards."]
        if advice.fitted:
            yield ["The opponent exchanged or called unlike the computed strategies: any lawful hand counts too."]
        if self._rests_on():
            yield [self._rests_on()]

    def _reason(self) -> list[Part]:
        best = self.advice.cards[0]
        verb = "makes" if self.advice.declaring else "defeats the contract"
        chance = best.made if self.advice.declaring else 1 - best.made
        others = [each for each in self.advice.cards[1:] if not each.is_level]
        level = len(self.advice.cards) - 1 - len(others)
        if len(self.advice.cards) == 1:
            return ["the only legal card"]
        if not others:
            return [f"{verb} in {chance:.0%}; no other card is clearly worse"]
        text = f"{verb} in {chance:.0%}"
        if level:
            text += f"; {counted(level, 'other card')} level with it"
        return [f"{text}; ", others[0].card, f" is {self._number(-others[0].gap).lstrip('+')} behind"]

    def _rests_on(self) -> str:
        rules, built_for = self.seen.rules, self.advice.built_for
        if rules == built_for:
            return ""
        of = "the default rules" if built_for == DEFAULT_RULES else f"the rules {', '.join(built_for.changed)}"
        return f"Play and scores are by these rules; what the opponent keeps and calls is taken from {of}."

    def _rounded(self, number: float) -> float:
        return round(number, 4 if self.advice.in_chances else 1) + 0.0

    def _number(self, number: float) -> str:
        return f"{number:.1%}" if self.advice.in_chances else f"{number:+.0f}"

    def _error(self, number: float) -> str:
        return f"{100 * number:.1f}" if self.advice.in_chances else f"{number:.0f}"
