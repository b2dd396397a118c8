"""What the opponent's calls say of its hand: by the law, and by how likely the blueprint makes them with it.

States and calls are those of solver.auction_states; *heard* is a list of (state, call), the opponent's calls only.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from advisor.blueprint import LIKELIHOOD_FLOOR, NEIGHBOURS, Blueprint
from advisor.buckets import nearest_few
from advisor.exchange_policy import ExchangePolicy
from advisor.packs import DRAW_CLASSES
from advisor.strategies import DECISION_OF_STATE, legal_shares
from advisor.trick_model import PREDICTIONS, TrickTables, predict_into
from advisor.worlds import EVERY_CARD, Known, Worlds, sample_worlds
from solver.auction import SUIT_JUMP_MIN, SUIT_MIN
from solver.auction_states import BIDS, CALLS, LAST_BID, STRAIN, may_bid, strain_freedom
from solver.compiled import compiled
from solver.exchange import Role

Heard = Sequence[tuple[int, int]]

_SUIT = 0x1FFF


@compiled()
def _likelihoods(
    hands: NDArray[np.int64],
    context: int,
    neighbours: int,
    nt_jump_min: int,
    floor: float,
    tables: TrickTables,
    centres: NDArray[np.float64],
    policy: NDArray[np.float32],
    states: NDArray[np.int64],
    calls: NDArray[np.int64],
) -> NDArray[np.float64]:
    result = np.ones(len(hands))
    point = np.empty(PREDICTIONS)
    found = np.zeros(neighbours, dtype=np.int64)
    weights = np.empty(neighbours)
    mixed = np.empty(CALLS, dtype=np.float32)
    shares = np.empty(CALLS)
    for row in range(len(hands)):
        freedom = strain_freedom(hands[row], nt_jump_min)
        for place in range(len(states)):
            if calls[place] < BIDS and not may_bid(freedom, calls[place], LAST_BID[states[place]]):
                result[row] = 0.0
        if result[row] == 0.0:
            continue
        predict_into(hands[row], context, tables, point)
        nearest_few(point, centres, found, weights)
        for place in range(len(states)):
            mixed[:] = 0
            for k in range(neighbours):
                near = policy[found[k], DECISION_OF_STATE[states[place]]]
                weight = np.float32(weights[k])
                for call in range(CALLS):
                    mixed[call] += weight * near[call]
            legal_shares(mixed, states[place], freedom, shares)
            result[row] *= max(shares[calls[place]], floor)
    return result


def likelihoods(
    blueprint: Blueprint, hands: NDArray[np.int64], context: int, heard: Heard, floor: float = LIKELIHOOD_FLOOR
) -> NDArray[np.float64]:
    """How likely hands (N,) in a context make the calls heard, float (N,).

    The product of the blueprint's shares, smoothed over the nearest buckets and each at least `floor`, for nobody is
    sure to call by it; 0 where the law forbids the hand one of the calls.
    """
    return _likelihoods(
        np.ascontiguousarray(hands),
        context,
        NEIGHBOURS,
        blueprint.nt_jump_min,
        floor,
        blueprint.tables,
        blueprint.centres[context],
        blueprint.policy[context],
        np.array([state for state, _ in heard], dtype=np.int64),
        np.array([call for _, call in heard], dtype=np.int64),
    )


def cards_shown(heard: Heard, nt_jump_min: int) -> tuple[int, int, int, int]:
    """How many cards of each suit, clubs first, the bids heard show by law: two, four for a jump; some of each for no
    trump.
    """
    shown = [0] * 4
    for state, call in heard:
        if call >= BIDS:
            continue
        jump = call - 5 > LAST_BID[state]
        strain = int(STRAIN[call])
        if strain == 4:
            shown = [max(number, nt_jump_min if jump else 1) for number in shown]
        else:
            shown[strain] = max(shown[strain], SUIT_JUMP_MIN if jump else SUIT_MIN)
    return shown[0], shown[1], shown[2], shown[3]


def unseen_cards(known: Known) -> int:
    """The set of cards that the opponent may hold."""
    unseen = EVERY_CARD & ~known.cards.mask
    if known.upcard is not None and (known.role == Role.NONDEALER or not known.rules.upcard_drawn):
        unseen &= ~(1 << known.upcard.index)
    return unseen


def fitted_worlds(
    known: Known, shown: tuple[int, int, int, int], exchange: ExchangePolicy, seed: int, count: int
) -> Worlds:
    """Worlds in which the opponent has the cards shown, for calls that the exchange policy's own keeps seldom allow.

    Of each world sampled as usual, cards make room at random for as many of the suits shown as are missing, and the
    opponent keeps the best thirteen with the highest of them. Expected of `shown`: so many are unseen, thirteen in all.
    """
    drawn = sample_worlds(known, exchange, seed, count)
    unseen = unseen_cards(known)
    certain = 0
    if known.upcard is not None and unseen >> known.upcard.index & 1:
        certain = 1 << known.upcard.index
    hands = drawn.hands.copy()
    held = drawn.held.copy()
    for row in range(count):
        generator = np.random.default_rng((seed, row))
        cards, forced = int(held[row]), 0
        for suit, number in enumerate(shown):
            suited = _SUIT << (13 * suit)
            missing = number - (cards & suited).bit_count()
            if missing > 0:
                for card in generator.permutation(_members(unseen & suited & ~cards))[:missing]:
                    cards |= 1 << int(card)
        surplus = cards.bit_count() - int(held[row]).bit_count()
        for card in generator.permutation(_members(cards & ~certain)):
            suit = int(card) // 13
            spare = suit == 4 or (cards & _SUIT << (13 * suit)).bit_count() > shown[suit]
            if surplus and spare:
                cards ^= 1 << int(card)
                surplus -= 1
        for suit, number in enumerate(shown):
            members = _members(cards & _SUIT << (13 * suit))
            forced |= sum(1 << card for card in members[len(members) - number :])
        keeps, _ = exchange.keeps(cards, int(drawn.classes[row]) + DRAW_CLASSES * (1 - known.role), forced)
        held[row], hands[row] = cards, keeps[0]
    return Worlds(hands, held, drawn.classes)


def _members(cards: int) -> list[int]:
    return [card for card in range(cards.bit_length()) if cards >> card & 1]
