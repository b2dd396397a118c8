"""What `bridgette bid` answers, as JSON and as lines to read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from advisor.cli.output import Line
from advisor.cli.render import (
    STRAINS,
    SUITS,
    Part,
    Piece,
    call_pieces,
    card_piece,
    hand_pieces,
    padded,
    rules_json,
    rules_lines,
    sentence_pieces,
    sentence_text,
    strain_piece,
)
from solver.auction import Auction, Bid
from solver.game import DEALS
from solver.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from advisor.bidding import Advice, BiddingSession, CallAdvice
    from advisor.match import Standing

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LEAST_LENGTH = 4  # a length worth a word
_REPLIES_SHOWN = 4


@dataclass(frozen=True, slots=True)
class BidAnswer:
    """The advice in points, and with the game's standing that in chances to win, on the same worlds.

    `out_of_time` and `interrupted` tell whether the time or the player ended it before all its worlds were solved.
    """

    session: "BiddingSession"
    auction: Auction
    advice: "Advice"
    standing: "Standing | None" = None
    for_game: "Advice | None" = None
    out_of_time: bool = False
    interrupted: bool = False

    @property
    def shown(self) -> "Advice":
        """The advice to give."""
        return self.advice if self.for_game is None else self.for_game

    def json(self) -> dict[str, Any]:
        """The JSON object."""
        advice = self.shown
        recommended = advice[advice.call]
        answer: dict[str, Any] = {
            "call": str(advice.call),
            "score": self._rounded(recommended.score),
            "se": self._rounded(recommended.se),
            "calls": [
                {
                    "call": str(each.call),
                    "score": self._rounded(each.score),
                    "se": self._rounded(each.se),
                    "made": None if each.made is None else round(each.made, 4),
                    "gap": self._rounded(each.gap),
                    "gap_se": self._rounded(each.gap_se),
                    "level": each.is_level,
                    "blueprint": round(each.blueprint, 4),
                    "replies": {str(call): round(share, 4) for call, share in each.replies},
                }
                for each in advice.calls
            ],
            "tricks": {
                strain.letter: [round(float(chance), 4) for chance in advice.tricks[strain]] for strain in STRAINS
            },
            "opponent": {suit.letter: [round(float(chance), 4) for chance in advice.lengths[suit]] for suit in SUITS},
            "samples": advice.samples,
            "complete": not (self.out_of_time or self.interrupted),
            "effective": round(advice.effective, 1),
            "candidates": advice.candidates,
            "candidates_left": round(advice.left, 1),
            "fitted": advice.fitted,
            "seed": self.session.seed,
            "unit": "chance to win the game" if advice.in_chances else "points",
            "reason": sentence_text(self._reason()),
        }
        if self.for_game is not None:
            answer["for_points"] = str(self.advice.call)
            answer["game"] = sentence_text(self._game())
        if self._rests_on():
            answer["rests_on"] = self._rests_on()
        return answer | rules_json(self.session.rules)

    def lines(self) -> Iterator[Line]:
        """The call, why, the table of calls, tricks, what happens next, what it rests on."""
        advice = self.shown
        yield self._situation()
        yield from rules_lines(self.session.rules)
        yield []
        yield [
            ("Call ", "bold"),
            *(_styled(piece, "bold") for piece in call_pieces(advice.call)),
            ": ",
            *sentence_pieces(self._reason()),
        ]
        if self.for_game is not None:
            yield sentence_pieces(self._game())
        yield []
        unit = "win the game" if advice.in_chances else "points"
        yield [f"  {'':5}{unit:>14}{'behind the best':>19}{'makes':>8}{'blueprint':>11}"]
        for each in advice.calls:
            yield self._row(each)
        yield ["> recommended   = level with the best, within two standard errors"]
        yield []
        yield from self._tricks()
        yield from self._next()
        yield []
        yield from self._basis()

    def _situation(self) -> Line:
        pieces: list[Piece] = [("South", "bold"), f", {self.session.role.title}: ", *hand_pieces(self.session.hand)]
        if self.session.known.upcard is not None:
            pieces += ["   upcard ", card_piece(self.session.known.upcard)]
        if self.auction.calls:
            calls = [piece for call in self.auction.calls for piece in (" ", *call_pieces(call))]
            pieces += [f"   {self.auction.dealer.title} began:", *calls]
        return pieces

    def _row(self, each: "CallAdvice") -> Line:
        advice = self.shown
        best = each is advice.calls[0]
        marks = (">" if each.call == advice.call else " ") + ("=" if each.is_level and not best else " ")
        gap = "" if best else f"{self._number(each.gap):>9} ± {self._error(each.gap_se):<4}"
        made = "" if each.made is None else f"{each.made:.0%}"
        blueprint = "" if each.blueprint < 0.005 else f"{each.blueprint:.0%}"
        style = "bold" if each.call == advice.call else ""
        row = [
            marks,
            *padded(call_pieces(each.call), 5),
            f"{self._number(each.score):>7} ± {self._error(each.se):<4}",
            f"{gap:>19}{made:>8}{blueprint:>11}".rstrip(),
        ]
        return [_styled(piece, style) for piece in row] if style else row

    def _tricks(self) -> Iterator[Line]:
        chances = self.shown.tricks
        shown = [number for number in range(14) if any(chances[strain][number] >= 0.005 for strain in STRAINS)]
        numbers = range(shown[0], shown[-1] + 1)
        yield ["Your tricks as declarer, chances in %:"]
        yield ["    ", *(f"{number:>4}" for number in numbers)]
        for strain in STRAINS:
            cells = (f"{100 * chances[strain][number]:.0f}" for number in numbers)
            yield [strain_piece(strain, 4), "".join(f"{'' if cell == '0' else cell:>4}" for cell in cells).rstrip()]

    def _next(self) -> Iterator[Line]:
        recommended = self.shown[self.shown.call]
        if not recommended.replies:
            return
        replies: list[Piece] = []
        for call, share in recommended.replies[:_REPLIES_SHOWN]:
            if share >= 0.005:
                replies += [", " if replies else "", *call_pieces(call), f" {share:.0%}"]
        yield []
        yield ["After ", *call_pieces(recommended.call), " North is expected to call: ", *replies]

    def _basis(self) -> Iterator[Line]:
        advice = self.shown
        fitted = f", {advice.fitted} of them made to fit what was called" if advice.fitted else ""
        ended = ", the time allowed" if self.out_of_time else ""
        worth = f"worth {advice.effective:.0f} equally likely ones"
        yield [f"{advice.samples} hands of the opponent solved{ended}, {worth}; seed {self.session.seed}."]
        yield [f"They were picked from {advice.candidates}{fitted}, worth {advice.left:.0f} after the calls heard."]
        yield ["Play is taken as double-dummy: both play as if they saw all cards."]
        aim = ", for points" if advice.in_chances else ""
        yield [f"Both are taken to go on calling by the computed strategy{aim}."]
        if self._rests_on():
            yield [self._rests_on()]

    def _rests_on(self) -> str:
        """What is not of the rules in force."""
        rules, built_for = self.session.rules, self.advice.built_for
        if rules == built_for:
            return ""
        of = "the default rules" if built_for == DEFAULT_RULES else f"the rules {', '.join(built_for.changed)}"
        return (
            f"Legal calls, scores and play are by these rules; how both exchange and call rests on strategies computed "
            f"for {of}."
        )

    def _reason(self) -> list[Part]:
        """One line: how the call stands to the blueprint's, what the opponent is expected to hold, what makes."""
        advice = self.shown
        recommended = advice[advice.call]
        likeliest = max(advice.calls, key=lambda each: each.blueprint)
        reasons: list[list[Part]] = []
        if likeliest is recommended:
            reasons.append(["the computed strategy's call"])
            if advice.calls[0] is not recommended:
                reasons[0] += [", which ", advice.calls[0].call, " does not lead by more than its error"]
        else:
            reasons.append(["ahead of the computed strategy's ", likeliest.call, " by more than the error"])
        longest = self._expected_length()
        if longest:
            reasons.append([longest])
        last_bid = self.auction.last_bid
        if isinstance(recommended.call, Bid):
            reasons.append([recommended.call, f" makes in {recommended.made:.0%}"])
        elif last_bid is not None and advice.standing_makes is not None:
            reasons.append([last_bid, f" makes in {advice.standing_makes:.0%}"])
        return [part for reason in reasons for part in ("; ", *reason)][1:]

    def _expected_length(self) -> str:
        """The suit of which the opponent probably holds most."""
        found = []
        for suit in SUITS:
            chances = self.advice.lengths[suit]
            likely = [number for number in range(_LEAST_LENGTH, 11) if chances[number:].sum() >= 0.5]
            if likely:
                found.append((likely[-1], suit))
        if not found:
            return ""
        length, suit = max(found)
        return f"the opponent is expected to hold {_NUMBERS[length]} or more {suit.name.lower()}"

    def _game(self) -> list[Part]:
        """Why the game's standing makes a difference, or none."""
        if self.standing is None or self.for_game is None:
            return []
        margin = self.standing.mine - self.standing.theirs
        left = max(0, DEALS - self.standing.deal)
        where = "Level" if not margin else f"{'Ahead' if margin > 0 else 'Behind'} by {abs(margin):,}"
        to_come = "no deal to come" if not left else f"{left} deal{'s' if left > 1 else ''} to come"
        if left:
            why = "only the lead at the end counts, so a big score is worth less than its points"
        elif margin > 0:
            why = f"to win, do not lose {margin:,} or more"
        elif margin < 0:
            why = f"only a score of more than {-margin:,} wins"
        else:
            why = "any score wins, a big one no more than a small one"
        same = self.advice.call == self.for_game.call
        points: list[Part] = ["The call for points alone is the same."]
        if not same:
            points = ["For points alone: ", self.advice.call, "."]
        return [f"{where} with {to_come} after this one: {why}. ", *points]

    def _rounded(self, number: float) -> float:
        return round(number, 4 if self.shown.in_chances else 1) + 0.0

    def _number(self, number: float) -> str:
        return f"{number:.1%}" if self.shown.in_chances else f"{number:+.0f}"

    def _error(self, number: float) -> str:
        return f"{100 * number:.1f}" if self.shown.in_chances else f"{number:.0f}"


def _styled(piece: Piece, style: str) -> Piece:
    return (piece, style) if isinstance(piece, str) else (piece[0], f"{style} {piece[1]}")
