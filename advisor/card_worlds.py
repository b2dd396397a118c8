"""Hands that the opponent may hold at a moment of the play: worlds that fit the exchange, the calls and the cards.

What the law rules out (see `advisor.seen`) is never sampled. The rest is likelihood: an opponent exchanges about as the
policy does, calls about as the blueprint does, and often plays a matching colon when it can.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from advisor.heard import cards_shown, likelihoods
from advisor.model import Model
from advisor.packs import (
    CARDS,
    DEALER_DRAWS,
    DRAW_CLASSES,
    HAND,
    NONDEALER_DRAWS,
    STEP,
    draw_class,
    random_below,
    random_stream,
)
from advisor.seen import ALL_CARDS, PlaySoFar, Seen, heard_calls
from solver.compiled import compiled
from solver.exchange import Role

_SUIT = 0x1FFF

_EXCHANGE_LOSS = 100.0
"""Points: a keep that is worth so much less to the opponent than the policy's is e times less likely."""

COLON_KEPT_BACK = (0.6, 0.5)
"""How often a matching colon held is not played: by a follower who wins the trick instead, and by one who loses it.

Measured by benchmarks/colon_habits.py, with all cards open."""


@dataclass(frozen=True, slots=True)
class CardWorlds:
    """Candidates for North's thirteen cards, (N,) sets, each with all that it has played, and their weights (N,)."""

    hands: NDArray[np.int64]
    weights: NDArray[np.float64]


def card_worlds(seen: Seen, play: PlaySoFar, model: Model, seed: int, count: int, first: int = 0) -> CardWorlds:
    """Candidates number first .. first + count - 1 of a seed. A weight is 0 where the exchange allows no such hand."""
    held, contexts, weights = _held(seen, play, seed, count, first)
    hands, losses = np.zeros(count, dtype=np.int64), np.zeros(count)
    likely = weights > 0
    forced = np.full(int(likely.sum()), play.theirs.mask)
    hands[likely], losses[likely] = model.exchange.keeps_with(
        held[likely], forced, contexts[likely], play.excluded & ~play.theirs.mask
    )
    weights = weights * np.exp(-losses / _EXCHANGE_LOSS) * (hands != 0)
    for context in np.unique(contexts):
        rows = (contexts == context) & (weights > 0)
        weights[rows] *= calls_weight(seen, model, hands[rows], int(context))
    return CardWorlds(hands, weights * colon_weight(play, hands))


def calls_weight(seen: Seen, model: Model, hands: NDArray[np.int64], context: int) -> NDArray[np.float64]:
    """How likely North makes its calls with those hands (N,); all alike where the auction is not told."""
    heard = heard_calls(seen)
    if not heard:
        return np.ones(len(hands))
    return likelihoods(model.blueprint, hands, context, heard)


def colon_weight(play: PlaySoFar, hands: NDArray[np.int64]) -> NDArray[np.float64]:
    """How likely North, with those hands (N,), has kept back the matching colons that it could have played."""
    weights = np.ones(len(hands))
    for colon, won in play.colon_chances:
        # A colon that North played later was there as well.
        weights[(hands >> colon & 1).astype(bool)] *= COLON_KEPT_BACK[0 if won else 1]
    return weights


def any_lawful_worlds(seen: Seen, play: PlaySoFar, model: Model, seed: int, count: int) -> CardWorlds:
    """Hands for a North that exchanged as the policy never does: any that the law, calls included, allows.

    The cards that its bids show and the rest are each drawn at random, so these are not quite equally likely.
    """
    shown = cards_shown(heard_calls(seen), model.blueprint.nt_jump_min)
    free = _unseen(seen) & ~play.excluded & ~play.theirs.mask
    if seen.upcard is not None and not seen.rules.upcard_drawn:
        free &= ~(1 << seen.upcard.index)
    hands = np.zeros(count, dtype=np.int64)
    for row in range(count):
        generator = np.random.default_rng((seed, row))
        hand = play.theirs.mask
        for suit, number in enumerate(shown):
            suited = _SUIT << 13 * suit
            missing = number - (hand & suited).bit_count()
            pool = _members(free & suited & ~hand)
            if missing > len(pool):
                return CardWorlds(hands[:0], np.zeros(0))
            if missing > 0:
                hand |= sum(1 << int(card) for card in generator.permutation(pool)[:missing])
        pool = _members(free & ~hand)
        missing = HAND - hand.bit_count()
        if not 0 <= missing <= len(pool):
            return CardWorlds(hands[:0], np.zeros(0))
        hands[row] = hand | sum(1 << int(card) for card in generator.permutation(pool)[:missing])
    return CardWorlds(hands, colon_weight(play, hands))


def _unseen(seen: Seen) -> int:
    return ALL_CARDS & ~(seen.hand | seen.threw).mask


def _members(cards: int) -> list[int]:
    return [card for card in range(cards.bit_length()) if cards >> card & 1]


def _held(
    seen: Seen, play: PlaySoFar, seed: int, count: int, first: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """What North may have held before it threw: sets (N,), contexts (N,) and weights (N,)."""
    held = np.zeros(count, dtype=np.int64)
    contexts = np.zeros(count, dtype=np.int64)
    weights = np.zeros(count)
    cases: dict[tuple[Role, int], list[int]] = {}
    for row in range(count):
        generator = np.random.default_rng((seed, first + row))
        role = seen.roles[int(generator.integers(len(seen.roles)))]
        upcard = _upcard(seen, play, role, generator)
        contexts[row] = int(draw_class(upcard)) + DRAW_CLASSES * (1 - role)
        cases.setdefault((role, upcard), []).append(row)
    for (role, upcard), rows in cases.items():
        bit = 1 << upcard
        unseen = _unseen(seen) & ~bit
        certain = play.theirs.mask
        size = HAND + (NONDEALER_DRAWS if role == Role.DEALER else DEALER_DRAWS[int(draw_class(upcard))])
        given = 0
        if role == Role.DEALER and seen.rules.upcard_drawn:
            given = bit
        elif certain & bit:
            continue
        excluded = play.excluded & ~play.theirs.mask
        sampled, weight = _sets_with(unseen, excluded, certain, given, size, seed, np.array(rows) + first)
        held[rows], weights[rows] = sampled, weight
    top = weights.max(initial=0.0)
    return held, contexts, weights / top if top > 0 else weights


def _upcard(seen: Seen, play: PlaySoFar, role: Role, generator: np.random.Generator) -> int:
    """The upcard, told or drawn at random from where it may be."""
    if seen.upcard is not None:
        return seen.upcard.index
    mine = (seen.hand | seen.threw).mask
    own = role == Role.NONDEALER and seen.rules.upcard_drawn
    if own and (seen.threw or generator.integers(HAND + NONDEALER_DRAWS) < HAND):
        return int(generator.choice(_members(mine)))
    elsewhere = ALL_CARDS & ~mine
    if role == Role.NONDEALER or not seen.rules.upcard_drawn:
        elsewhere &= ~play.theirs.mask
    cards = _members(elsewhere)
    if role == Role.DEALER and seen.threw:
        cards = [card for card in cards if DEALER_DRAWS[int(draw_class(card))] == len(seen.threw)]
    return int(generator.choice(cards))


def _sets_with(
    unseen: int, excluded: int, certain: int, given: int, size: int, seed: int, numbers: NDArray[np.int64]
) -> tuple[NDArray[np.int64], float]:
    """Sets of `size` cards of `unseen` and `given`, with `certain` and, besides thirteen others, any of `excluded`.

    Every such set is equally likely; set i depends on the seed and numbers[i]. Comes back too: the share of such sets
    among all that have `given`.
    """
    nothing = np.zeros(len(numbers), dtype=np.int64), 0.0
    whole = unseen | given
    sure = certain | given
    barred, pool = whole & excluded & ~sure, whole & ~excluded & ~sure
    wanted = size - sure.bit_count()
    most = min(size - HAND - (sure & excluded).bit_count(), wanted)
    if most < 0:
        return nothing
    ways = [comb(barred.bit_count(), few) * comb(pool.bit_count(), wanted - few) for few in range(most + 1)]
    total = sum(ways)
    if not total:
        return nothing
    cumulative = np.cumsum(np.array([way / total for way in ways]))
    sets = _fill_sets(pool, barred, sure, wanted, cumulative, seed, numbers)
    free = given.bit_count()
    return sets, total / comb(whole.bit_count() - free, size - free)


@compiled()
def _fill_sets(
    pool: int,
    barred: int,
    certain: int,
    wanted: int,
    cumulative: NDArray[np.float64],
    seed: int,
    numbers: NDArray[np.int64],
) -> NDArray[np.int64]:
    cards = np.empty(CARDS, dtype=np.int64)
    sets = np.empty(len(numbers), dtype=np.int64)
    for row in range(len(numbers)):
        state = random_stream(seed ^ 0xCA4D, numbers[row]) + STEP
        share = random_below(state, 1 << 30) / (1 << 30)
        few = 0
        while few < len(cumulative) - 1 and share >= cumulative[few]:
            few += 1
        chosen = np.int64(certain)
        for part in range(2):
            source = barred if part == 0 else pool
            number = few if part == 0 else wanted - few
            total = 0
            for card in range(CARDS):
                if (source >> card) & 1:
                    cards[total] = card
                    total += 1
            for place in range(number):
                state += STEP
                other = place + random_below(state, total - place)
                cards[place], cards[other] = cards[other], cards[place]
                chosen |= np.int64(1) << cards[place]
        sets[row] = chosen
    return sets
