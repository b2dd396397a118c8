"""Players that play whole deals: the advisor, the computed strategies without sampling, and simple baselines.

A player sees what its seat sees and nothing else. It calls itself South; whoever asks it turns the table.
"""

import random
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from advisor.baselines import greedy_strategy, longest_suit_and_honours
from advisor.bidding import BiddingSession
from advisor.card_play import SEARCH_BUDGET
from advisor.card_play import advise as advise_card
from advisor.deal_in_play import Decision, kept_by, turn
from advisor.discard import advise as advise_discard
from advisor.halving import Schedule
from advisor.match import Standing
from advisor.model import model_for
from advisor.packs import DRAW_CLASSES, draw_class
from advisor.review import as_south, contract_as_south
from advisor.seen import Seen, follow
from advisor.worlds import Known
from solver.auction import PASS, Auction, Call
from solver.auction_states import call_of, declarer_points, state_of
from solver.cards import Card, Hand
from solver.deal import Seat
from solver.errors import NotationError, quote
from solver.exchange import Role
from solver.play import matching_colon, reply_wins
from solver.record import Record


@dataclass(frozen=True, slots=True)
class View:
    """What a player knows of a deal, its own seat being South.

    Attributes:
        known: its role, all the cards that it holds or has held, the upcard, the rules.
        hand: the thirteen kept; None before its exchange.
        auction: the calls so far.
        seen: what it has seen of the play; None before.
        standing: the score of the game before the deal.
    """

    known: Known
    hand: Hand | None = None
    auction: Auction | None = None
    seen: Seen | None = None
    standing: Standing | None = None


def view(record: Record, seat: Seat, standing: Standing | None = None) -> View:
    """What a player sees of a deal under way in which it is its turn."""
    assert record.dealer is not None
    held = record.held(seat)
    assert held is not None
    role = Role.of(seat, record.dealer)
    known = Known(role, held, record.upcard, record.rules)
    hand = kept_by(record, seat)
    if hand is None or record.auction is None:
        return View(known, hand, standing=standing)
    auction = as_south(record.auction, seat)
    now = turn(record)
    if record.contract is None or record.played is None or now is None or now.decision != Decision.CARD:
        return View(known, hand, auction, standing=standing)
    contract = contract_as_south(record.contract, seat)
    seen = Seen(hand, contract, record.played.cards, role, record.upcard, held - hand, auction, record.rules)
    return View(known, hand, auction, seen, standing)


def decide(player: "Player", record: Record, seat: Seat, standing: Standing | None = None) -> Hand | Call | Card:
    """What a player decides in a deal under way in which it is its turn."""
    now = turn(record)
    assert now is not None and now.seat == seat
    seen = view(record, seat, standing)
    if now.decision == Decision.KEEP:
        return player.keep(seen)
    return player.call(seen) if now.decision == Decision.CALL else player.card(seen)


class Player(Protocol):
    """Someone who can play a deal."""

    def keep(self, view: View) -> Hand:
        """The thirteen to keep."""
        ...

    def call(self, view: View) -> Call:
        """What to call."""
        ...

    def card(self, view: View) -> Card:
        """Which card to play."""
        ...


@dataclass(slots=True)
class Advisor:
    """Follows the advice on keeps, calls and cards; `samples` hands of the opponent each, their defaults if None."""

    samples: int | None = None
    seed: int = 1
    threads: int | None = None
    _session: tuple[Known, Hand, BiddingSession] | None = field(default=None, repr=False)

    def keep(self, view: View) -> Hand:
        """The recommended keep."""
        known = view.known
        samples = 100 if self.samples is None else self.samples
        schedule = Schedule.of_samples(samples, len(known.cards))
        advice = advise_discard(known, schedule=schedule, standing=view.standing, seed=self.seed, threads=self.threads)
        return advice.recommended.keep

    def call(self, view: View) -> Call:
        """The recommended call."""
        assert view.hand is not None and view.auction is not None
        session = self.session(view)
        return session.advise(view.auction, self.samples, standing=view.standing).call

    def session(self, view: View) -> BiddingSession:
        """The worlds of this deal's auction, kept from call to call."""
        assert view.hand is not None
        if self._session is None or self._session[:2] != (view.known, view.hand):
            known = view.known
            session = BiddingSession(
                view.hand,
                known.role,
                known.upcard,
                known.cards - view.hand,
                known.rules,
                seed=self.seed,
                threads=self.threads,
            )
            self._session = known, view.hand, session
        return self._session[2]

    def card(self, view: View) -> Card:
        """The recommended card."""
        assert view.seen is not None
        legal = follow(view.seen).legal(view.known.rules)
        if len(legal) == 1:
            return legal.cards[0]
        return advise_card(
            view.seen,
            samples=200 if self.samples is None else self.samples,
            budget=SEARCH_BUDGET,
            standing=view.standing,
            seed=self.seed,
            threads=self.threads,
        ).card


@dataclass(slots=True)
class Blueprint:
    """The exchange policy, the blueprint's likeliest call, and the advisor's cards on few worlds: a fast advisor."""

    samples: int | None = None
    seed: int = 1
    threads: int | None = None

    def keep(self, view: View) -> Hand:
        """The policy's keep."""
        exchange = model_for(view.known.rules).exchange
        return Hand(int(exchange(np.array([view.known.cards.mask]), np.array([_context(view)]))[0]))

    def call(self, view: View) -> Call:
        """The blueprint's likeliest call."""
        assert view.hand is not None and view.auction is not None
        strategy = model_for(view.known.rules).blueprint.strategy(view.hand.mask, _context(view))
        state = state_of(view.auction)
        return call_of(state, int(np.argmax(strategy[state])))

    def card(self, view: View) -> Card:
        """The advised card, on at most 20 worlds unless told otherwise."""
        samples = 20 if self.samples is None else self.samples
        return Advisor(samples, self.seed, self.threads).card(view)


@dataclass(slots=True)
class Greedy:
    """Longest suit and honours, the call that scores most if the auction ended with it, and cards by rule of thumb."""

    samples: int | None = None
    seed: int = 1
    threads: int | None = None

    def keep(self, view: View) -> Hand:
        """The longest suit, then honours."""
        held = np.array([view.known.cards.mask])
        return Hand(int(longest_suit_and_honours(held, np.array([_context(view)]))[0]))

    def call(self, view: View) -> Call:
        """The greedy call, an opponent who bids being given a trick more."""
        assert view.hand is not None and view.auction is not None
        rules = view.known.rules
        tables = model_for(rules).tricks
        strategy = greedy_strategy(
            view.hand.mask, _context(view), 1.0, tables, declarer_points(rules), rules.nt_jump_min
        )
        state = state_of(view.auction)
        return call_of(state, int(np.argmax(strategy[state])))

    def card(self, view: View) -> Card:
        """Leads the top of the longest suit; plays the cheapest winner, else the matching colon, else the lowest."""
        assert view.seen is not None
        play = follow(view.seen)
        legal = play.legal(view.known.rules)
        suited = [card for card in legal if not card.is_colon]
        if play.led is None:
            return max(suited, key=lambda card: (_length(play.mine, card), card.rank or 0), default=legal.cards[0])
        led, strain = play.led, view.seen.contract.strain
        winners = [card for card in suited if reply_wins(led, card, strain)]
        if winners:
            return min(winners, key=lambda card: (card.suit == strain.suit, card.rank or 0))
        if led.suit is not None and matching_colon(led) in legal:
            return matching_colon(led)
        return min(suited, key=lambda card: (card.suit == strain.suit, card.rank or 0), default=legal.cards[0])


@dataclass(slots=True)
class Random:
    """Any thirteen, any lawful call but with as many passes as bids, any lawful card."""

    samples: int | None = None
    seed: int = 1
    threads: int | None = None

    def keep(self, view: View) -> Hand:
        """Any thirteen."""
        return Hand.of(self._generator(view).sample(view.known.cards.cards, 13))

    def call(self, view: View) -> Call:
        """Pass, or any lawful bid."""
        assert view.hand is not None and view.auction is not None
        generator = self._generator(view)
        bids = [call for call in view.auction.legal_calls(view.hand, view.known.rules) if call is not PASS]
        return generator.choice(bids) if bids and generator.random() < 0.5 else PASS

    def card(self, view: View) -> Card:
        """Any lawful card."""
        assert view.seen is not None
        return self._generator(view).choice(follow(view.seen).legal(view.known.rules).cards)

    def _generator(self, view: View) -> random.Random:
        """A stream of its own for each situation."""
        calls = 0 if view.auction is None else len(view.auction.calls)
        cards = 0 if view.seen is None else len(view.seen.played)
        return random.Random(f"{self.seed} {view.known.cards.mask} {calls} {cards}")


PLAYERS: dict[str, type[Advisor | Blueprint | Greedy | Random]] = {
    "advisor": Advisor,
    "blueprint": Blueprint,
    "greedy": Greedy,
    "random": Random,
}
"""The players by name, the strongest first."""


def player_named(name: str, samples: int | None = None, seed: int = 1, threads: int | None = None) -> Player:
    """The player of that name.

    Raises:
        NotationError: there is none.
    """
    kind = PLAYERS.get(name)
    if kind is None:
        raise NotationError(f"{quote(name)} is not a player; expected one of {', '.join(PLAYERS)}")
    return kind(samples, seed, threads)


def _length(hand: Hand, card: Card) -> int:
    return 0 if card.suit is None else hand.count(card.suit)


def _context(view: View) -> int:
    assert view.known.upcard is not None
    return int(draw_class(view.known.upcard.index)) + DRAW_CLASSES * int(view.known.role)
