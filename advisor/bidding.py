"""What to call: every legal call by its expected score over worlds sampled from what is known and what was heard.

Play is taken as double-dummy, and both players as going on by the blueprint.
"""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.auction_worlds import AuctionWorlds, Solved
from advisor.blueprint import NEIGHBOURS
from advisor.heard import Heard, unseen_cards
from advisor.match import Stakes, Standing, game_stakes, point_stakes
from advisor.model import Model, model_for
from advisor.outcomes import state_values
from advisor.packs import DRAW_CLASSES
from advisor.picking import effective_number, mean_and_error
from advisor.seeds import check_seed
from advisor.worlds import Known
from solver.auction import SUIT_JUMP_MIN, SUIT_MIN, Auction, Bid, Call, is_jump, may_bid
from solver.auction_states import (
    BIDDER,
    CALLS,
    DOUBLED,
    LAST_BID,
    STATES,
    STRAIN,
    after_call,
    call_index,
    call_of,
    state_of,
)
from solver.cards import HAND_SIZE, Card, Hand, Strain, Suit
from solver.compiled import seconds_compiling
from solver.deal import Seat
from solver.errors import BridgetteError, Faults
from solver.exchange import Role
from solver.rules import DEFAULT_RULES, Rules

DEFAULT_SEED = 1
FEWEST_WORLDS = 32  # solved before the clock may end it
DEFAULT_SAMPLES = (200, 130, 100, 70)
"""Worlds solved by default, by the number of colons in the own hand, which make the exact search slower."""

_LEAD = 1.0  # standard errors by which a call must lead the blueprint's to be recommended instead
_PART = 256  # worlds worked out at a time, for the strategies of each take much room
_TIE = 2.0  # standard errors within which a call is level with the best


@dataclass(frozen=True, slots=True)
class CallAdvice:
    """One legal call. Points are mine less the opponent's; in a game's advice they are chances to win it.

    Attributes:
        call: the call.
        score, se: what it is expected to score, and the standard error.
        gap, gap_se: how much less than the best call on the same worlds (0 or negative), and its standard error.
        made: the chance that it makes, left in as the contract; None for pass, double and redouble.
        blueprint: the share with which the blueprint makes it with this hand.
        replies: the opponent's replies with their chances, likeliest first; none where the call ends the auction.
    """

    call: Call
    score: float
    se: float
    gap: float
    gap_se: float
    made: float | None
    blueprint: float
    replies: tuple[tuple[Call, float], ...]

    @property
    def is_level(self) -> bool:
        """Whether it cannot be told from the best call: the gap is under two of its standard errors."""
        return -self.gap <= _TIE * self.gap_se


@dataclass(frozen=True, slots=True)
class Advice:
    """What to call.

    Attributes:
        call: the call recommended: the blueprint's likeliest, unless another leads it by a standard error.
        calls: every legal call, the best expected score first.
        tricks: the chances of 0 to 13 tricks for me as declarer, (14,) by strain.
        lengths: the chances of the opponent's holding 0 to 13 cards, (14,) by suit.
        samples: worlds solved, and `effective` how many equally likely ones would tell as much.
        candidates: worlds that these were picked from; `left` is the effective number of them by the calls heard, and
            `fitted` how many of them had to be made to fit the calls.
        standing_makes: the chance that the last bid makes for its bidder, left as it stands; None before any bid.
        in_chances: scores are chances to win the game, not points.
        built_for: the rules that the strategies were computed for.
    """

    call: Call
    calls: tuple[CallAdvice, ...]
    tricks: dict[Strain, NDArray[np.float64]]
    lengths: dict[Suit, NDArray[np.float64]]
    samples: int
    effective: float
    candidates: int
    left: float
    fitted: int
    standing_makes: float | None
    in_chances: bool
    built_for: Rules

    def __getitem__(self, call: Call) -> CallAdvice:
        """The advice on one legal call."""
        return next(each for each in self.calls if each.call == call)


class BiddingSession:
    """One player's auction in one deal. What is sampled and solved for one call serves the next.

    `model` replaces the installed strategies. The same seed gives the same advice for any number of threads.
    `out_of_time` tells whether the last study was ended by its time.
    """

    def __init__(
        self,
        hand: Hand,
        role: Role,
        upcard: Card | None = None,
        threw: Hand | None = None,
        rules: Rules = DEFAULT_RULES,
        *,
        seed: int = DEFAULT_SEED,
        threads: int | None = None,
        model: Model | None = None,
    ) -> None:
        check_seed(seed)
        faults = Faults()
        threw = Hand() if threw is None else threw
        if len(hand) != HAND_SIZE:
            faults.broken.append(f"the hand {hand} has {len(hand)} cards; expected {HAND_SIZE}")
        for card in hand & threw:
            faults.broken.append(f"{card} is both in the hand and thrown")
        faults.check()
        self.known = Known(role, hand | threw, upcard, rules)
        self.hand = hand
        self.rules = rules
        self.seed = seed
        self.model = model_for(rules) if model is None else model
        self.out_of_time = False
        self._worlds = AuctionWorlds(self.known, hand, self.model, seed, threads)

    @property
    def role(self) -> Role:
        """The player's role."""
        return self.known.role

    @property
    def dealer(self) -> Seat:
        """Who deals; the player sits South."""
        return Seat.SOUTH if self.role == Role.DEALER else Seat.NORTH

    @property
    def default_samples(self) -> int:
        """How many worlds are solved unless told otherwise."""
        return DEFAULT_SAMPLES[len(self.hand.colons)]

    def advise(
        self,
        auction: Auction,
        samples: int | None = None,
        seconds: float | None = None,
        standing: Standing | None = None,
    ) -> Advice:
        """What to call in an auction in which it is this player's turn; see `study` and `advice`."""
        for _ in self.study(auction, samples, seconds):
            pass
        return self.advice(auction, standing)

    def check(self, auction: Auction) -> None:
        """Checks that the auction is open, it is this player's turn, and both can have called so by the law.

        Raises:
            RuleError: anything is not so; all faults are named.
        """
        faults = Faults()
        if auction.dealer != self.dealer:
            faults.broken.append(f"{auction.dealer.title} deals in the auction; expected {self.dealer.title}")
        elif auction.is_over:
            faults.broken.append(f"the auction {auction} is over; expected one that is still open")
        elif auction.to_call != Seat.SOUTH:
            turn = "an odd number of calls" if self.role == Role.NONDEALER else "an even number of calls"
            heard = f"after {auction}" if auction.calls else "before any call"
            faults.broken.append(f"the {self.role.title} is not to call {heard}; expected {turn}")
        last_bid: Bid | None = None
        unseen = Hand(unseen_cards(self.known))
        shown = [0] * 4
        for number, call in enumerate(auction.calls):
            if not isinstance(call, Bid):
                continue
            mine = auction.caller(number) == Seat.SOUTH
            where = f"call {number + 1}, {call} by {'you' if mine else 'the opponent'}"
            needed = _needed(call, last_bid, self.rules)
            if mine and not may_bid(self.hand, call, last_bid, self.rules):
                faults.broken.append(f"{where}: the hand {self.hand} cannot have made it; expected {_listed(needed)}")
            if not mine:
                if any(unseen.count(suit) < number for suit, number in needed.items()):
                    faults.broken.append(f"{where}: it shows {_listed(needed)}, and you have seen too many of those")
                shown = [max(number, needed.get(suit, 0)) for suit, number in zip(Suit, shown, strict=True)]
            last_bid = call
        if sum(shown) > HAND_SIZE:
            faults.broken.append(f"the opponent's bids show {sum(shown)} cards; expected at most {HAND_SIZE}")
        faults.check()

    def study(self, auction: Auction, samples: int | None = None, seconds: float | None = None) -> Iterator[int]:
        """Sample for an auction and solve, yielding 1, 2, ... as worlds are solved; `advice` then uses what there is.

        It ends after `samples` worlds (`default_samples` unless told otherwise) or after about so many seconds of
        sampling and solving, not before `FEWEST_WORLDS` are solved.

        Raises:
            RuleError: as `check` does.
            BridgetteError: fewer than two samples are asked for, or a time below 0.
        """
        start = time.monotonic()
        self.check(auction)
        if samples is not None and samples < 2:
            raise BridgetteError(f"{samples} samples; expected at least 2")
        if seconds is not None and not seconds >= 0:
            raise BridgetteError(f"{seconds} seconds; expected 0 or more")
        wanted = self.default_samples if samples is None else samples
        self.out_of_time = False
        beyond = samples is None and seconds is not None
        with closing(self._worlds.solve(_heard(auction), wanted, beyond=beyond)) as solving:
            for counted in solving:
                yield counted
                if seconds is None or counted < FEWEST_WORLDS:
                    continue
                self.out_of_time = time.monotonic() - start - seconds_compiling(start) >= seconds
                if self.out_of_time:
                    return

    def advice(self, auction: Auction, standing: Standing | None = None, samples: int | None = None) -> Advice:
        """The advice that the worlds solved so far give, from the first `samples` of them if told so.

        With the game's standing before this deal the scores are chances to win the game.

        Raises:
            RuleError: as `check` does.
            ValueError: nothing has been solved for this auction.
        """
        self.check(auction)
        state = state_of(auction)
        solved = self._worlds.solved(_heard(auction), samples)
        legal = auction.legal_calls(self.hand, self.rules)
        calls = np.array([call_index(call) for call in legal])
        own = {int(kind): self._own_strategy(int(kind)) for kind in np.unique(solved.classes)}
        values, replies = self._values(solved, own, state, calls, self._stakes(standing))
        scores, errors = mean_and_error(values, solved.shares)
        gaps, gap_errors = mean_and_error(values - values[:, [int(scores.argmax())]], solved.shares)
        shares = np.stack([own[kind][state] for kind in solved.classes.tolist()]).T @ solved.shares
        found = tuple(
            CallAdvice(
                call,
                float(scores[place]),
                float(errors[place]),
                float(gaps[place]),
                float(gap_errors[place]),
                self._made(call, solved),
                float(shares[index]),
                _likely(replies, int(after_call(state, index))),
            )
            for place, (call, index) in enumerate(zip(legal, calls.tolist(), strict=True))
        )
        return Advice(
            self._recommended(legal, values, scores, shares[calls], solved.shares),
            tuple(sorted(found, key=lambda each: -each.score)),
            {strain: _shares(solved.tables[:, self.role, strain], solved.shares) for strain in Strain},
            {suit: _shares(_lengths(solved.hands, suit), solved.shares) for suit in Suit},
            len(solved.hands),
            effective_number(solved.shares),
            solved.candidates,
            solved.left,
            solved.fitted,
            self._standing_makes(state, solved),
            standing is not None,
            self.model.built_for,
        )

    def _own_strategy(self, kind: int) -> NDArray[np.float64]:
        return self.model.blueprint.strategy(self.hand.mask, kind + DRAW_CLASSES * self.role)

    def _values(
        self,
        solved: Solved,
        own: dict[int, NDArray[np.float64]],
        state: int,
        calls: NDArray[np.int64],
        stakes: Stakes,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Each call's worth to me in each world, (N, C), and the mean shares of the opponent's calls, (218, 38)."""
        values = np.empty((len(solved.hands), len(calls)))
        replies = np.zeros((STATES, CALLS))
        for first in range(0, len(values), _PART):
            part = slice(first, first + _PART)
            kinds, tables = solved.classes[part].tolist(), solved.tables[part]
            theirs = np.stack(
                [
                    self.model.blueprint.strategy(hand, kind + DRAW_CLASSES * (1 - self.role), NEIGHBOURS)
                    for hand, kind in zip(solved.hands[part].tolist(), kinds, strict=True)
                ]
            )
            replies += np.tensordot(solved.shares[part], theirs, 1)
            for row, kind in enumerate(kinds):
                theirs[row] += own[kind]
            after = state_values(tables, theirs, stakes)
            for column, call in enumerate(calls.tolist()):
                values[part, column] = stakes.mine(_after(after, state, call, tables, stakes), self.role)
        return values, replies

    def _stakes(self, standing: Standing | None) -> Stakes:
        return point_stakes(self.rules) if standing is None else game_stakes(standing, self.role, self.rules)

    def _made(self, call: Call, solved: Solved) -> float | None:
        if not isinstance(call, Bid):
            return None
        return float(solved.shares @ (solved.tables[:, self.role, call.strain] >= call.tricks))

    def _standing_makes(self, state: int, solved: Solved) -> float | None:
        bid = int(LAST_BID[state])
        if bid < 0:
            return None
        return float(solved.shares @ (solved.tables[:, BIDDER[state], STRAIN[bid]] >= 6 + (bid + 4) // 5))

    def _recommended(
        self,
        legal: tuple[Call, ...],
        values: NDArray[np.float64],
        scores: NDArray[np.float64],
        blueprint: NDArray[np.float64],
        shares: NDArray[np.float64],
    ) -> Call:
        """The blueprint's likeliest call, or the best of those that lead it by a standard error."""
        base = int(blueprint.argmax())
        leads, errors = mean_and_error(values - values[:, [base]], shares)
        ahead = np.flatnonzero((leads > 0) & (leads >= _LEAD * errors))
        return legal[base] if not len(ahead) else legal[int(ahead[scores[ahead].argmax()])]


def _heard(auction: Auction) -> Heard:
    """The opponent's calls, each with the state that it was made in."""
    heard = []
    state = 0
    for number, call in enumerate(auction.calls):
        index = call_index(call)
        if auction.caller(number) != Seat.SOUTH:
            heard.append((state, index))
        state = int(after_call(state, index))
    return heard


def _needed(bid: Bid, over: Bid | None, rules: Rules) -> dict[Suit, int]:
    """How many cards of which suits the law asks for a bid."""
    jump = is_jump(bid, over)
    if bid.strain.suit is None:
        return dict.fromkeys(Suit, rules.nt_jump_min if jump else 1)
    return {bid.strain.suit: SUIT_JUMP_MIN if jump else SUIT_MIN}


def _listed(needed: dict[Suit, int]) -> str:
    if len(needed) > 1:
        return f"{needed[Suit.CLUBS]} or more of each suit"
    return " and ".join(f"{number} or more {suit.name.lower()}" for suit, number in needed.items())


def _after(
    values: NDArray[np.float64], state: int, call: int, tables: NDArray[np.int8], stakes: Stakes
) -> NDArray[np.float64]:
    """What a call in a state is worth to the dealer in each world, (N,)."""
    successor = int(after_call(state, call))
    if successor >= 0:
        return values[:, successor]
    if LAST_BID[state] < 0:
        return np.full(len(values), stakes.passed_out)
    bid, declarer = LAST_BID[state], BIDDER[state]
    by_tricks: NDArray[np.float64] = stakes.contracts[declarer, bid, DOUBLED[state]]
    return by_tricks[tables[:, declarer, STRAIN[bid]]]


def _likely(replies: NDArray[np.float64], state: int) -> tuple[tuple[Call, float], ...]:
    if state < 0:
        return ()
    order = np.argsort(-replies[state], kind="stable")
    return tuple((call_of(state, int(call)), float(replies[state, call])) for call in order if replies[state, call] > 0)


def _shares(numbers: NDArray[np.integer], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """With what shares each number of cards or tricks, 0 to 13, comes up: (14,)."""
    found: NDArray[np.float64] = np.zeros(HAND_SIZE + 1)
    np.add.at(found, numbers, shares)
    return found


def _lengths(hands: NDArray[np.int64], suit: Suit) -> NDArray[np.uint8]:
    lengths: NDArray[np.uint8] = np.bitwise_count(hands >> (13 * suit) & 0x1FFF)
    return lengths
