"""Tricks that one side takes whatever the other does, by suit lengths and top cards alone."""

from numba import boolean, int64

from solver.search.compiled import MEMORY, kernel
from solver.search.layout import (
    BARRED,
    COUNT_MINE,
    DEAD_HIS,
    DEAD_MINE,
    HIS,
    MINE,
    NOTRUMP,
    SURE_HIS,
    SURE_MINE,
    TOP_HIS,
    TOP_MINE,
)
from solver.search.memory import PATTERNS_AT


@kernel(int64(int64, int64, int64, int64, int64, int64))
def matching(marks, suit, count, top, owner, colons):
    """Which colons of ``owner`` match one of the ``top`` highest of ``count`` cards of the other hand, as bits L R G.

    ``colons``: the live colons of ``owner`` as bits, for speed.
    """
    met = int64(0)
    if colons & 1 and ((marks >> (4 * suit)) & 15) > count - top:
        met |= 1
    if colons & 2 and (marks >> (16 + 2 * suit)) & 3 and top > ((marks >> (24 + suit)) & 1):
        met |= 2
    if colons & 4 and (marks >> (28 + suit)) & 1 and top > 0:
        met |= 4
    return met


@kernel(int64(int64, int64))
def live_colons(marks, owner):
    """The live colons of ``owner`` (MINE or HIS) as bits: 1 L, 2 R, 4 G."""
    owners = marks >> 32
    shift = owner - 1
    return ((owners >> shift) & 1) | ((owners >> (2 + shift)) & 1) << 1 | ((owners >> (4 + shift)) & 1) << 2


@kernel(int64(int64))
def count_bits(colons):
    return (colons & 1) + ((colons >> 1) & 1) + ((colons >> 2) & 1)


@kernel(int64(int64, boolean, int64, int64))
def uninterrupted(total, largest_barred, breakers, colons):
    """Winners that the player on lead cashes of ``total`` although the other may answer with matching colons.

    A matching colon loses, but bars the suit for the next lead: another winner (a *breaker*: all but the longest run)
    must be led before the suit is led on. ``colons``: how many colons can match the longest run. With as many breakers
    as colons (one more if the run is barred now) all are cashed; else each breaker buys one colon: one trick of the run
    and the breaker itself, and one last trick of the run unless it begins barred. tests/test_bounds.py plays this game
    out for every set of runs.
    """
    if largest_barred:
        if breakers >= colons + 1:
            return total
        return min(total, 2 * breakers)
    if breakers >= colons:
        return total
    return min(total, 2 * breakers + 1)


@kernel(int64(int64, int64, int64, int64, MEMORY))
def cashed(cards, marks, trump, side, memory):
    """Tricks that ``side`` surely takes once on lead, and (shifted by 16) how many side-suit cards it needs for them.

    The barred suit is heeded for MINE, who is on lead now; HIS lead is one won later by beating a card, which bars
    nothing. Sound, because each winner counted is led and wins whatever the other plays:
    - While the other has trumps, a top card of a side suit wins as long as he must follow: each lead is met by a card
      of the suit or by a colon, and the colon leaves his cards of it where they are. Trumps from the top win always,
      and the sure trumps are sure whatever else happens.
    - When the top trumps outnumber his, and no colon of his can match one of them, they draw all: he must follow each
      time.
    - When he has no trump (left), top cards win, a suit runs whole once its top cards outnumber his cards of it
      together with the colons that he could play instead, and dead colons win; nothing is barred after those.
    What matching colons cost by barring a suit: see ``uninterrupted``.
    """
    other = 3 - side
    colons = live_colons(marks, other)
    barred = int64(-1)
    if side == MINE:
        barred = ((marks >> BARRED) & 7) - 1
    own_trumps = int64(0)
    his_trumps = int64(0)
    sure = int64(0)
    trump_top = int64(0)
    if trump < NOTRUMP:
        info = memory[PATTERNS_AT + ((cards >> (16 * trump)) & 0xFFFF)]
        own_trumps = (info >> COUNT_MINE) & 15
        his_trumps = (info & 15) - own_trumps
        if side == MINE:
            sure = (info >> SURE_MINE) & 15
            trump_top = (info >> TOP_MINE) & 15
        else:
            own_trumps, his_trumps = his_trumps, own_trumps
            sure = (info >> SURE_HIS) & 15
            trump_top = (info >> TOP_HIS) & 15
    drawn = int64(0)
    if (
        his_trumps
        and trump_top >= his_trumps
        and barred != trump
        and matching(marks, trump, own_trumps, his_trumps, other, colons) == 0
    ):
        drawn = his_trumps
    can_ruff = his_trumps > 0 and drawn == 0
    total = int64(0)
    side_cards = int64(0)
    largest = int64(0)
    largest_suit = int64(-1)
    largest_own = int64(0)
    for suit in range(4):
        info = memory[PATTERNS_AT + ((cards >> (16 * suit)) & 0xFFFF)]
        own = (info >> COUNT_MINE) & 15
        if side == MINE:
            top = (info >> TOP_MINE) & 15
        else:
            own = (info & 15) - own
            top = (info >> TOP_HIS) & 15
        if top == 0:
            continue
        his = (info & 15) - own
        run = top
        if suit == trump:
            if not can_ruff:
                run = own - drawn
        else:
            if can_ruff:
                run = min(top, his)
            elif top < own and top >= his + count_bits(matching(marks, suit, own, top, other, colons)):
                run = own
            side_cards += run
        total += run
        if run > largest:
            largest = run
            largest_suit = suit
            largest_own = own
    breakers = total - largest
    if not can_ruff:
        dead = (marks >> (DEAD_MINE if side == MINE else DEAD_HIS)) & 3
        total += dead
        breakers += dead
    if largest and (colons or (barred == largest_suit and drawn == 0)):
        met = int64(0)
        if colons:
            # (of a trump run after drawing, the lower cards are left: ask about all)
            met = count_bits(
                matching(marks, largest_suit, largest_own, largest_own if drawn else largest, other, colons)
            )
        if side == HIS:
            # The leader chooses the suit in which this side gets in, and may spend a breaker so: as bad as a barred
            # run at the worst.
            if met:
                total = max(uninterrupted(total, True, breakers, met), 1)
        else:
            total = uninterrupted(total, barred == largest_suit and drawn == 0, breakers, met)
    if can_ruff:
        total = max(total + sure - trump_top, sure)
    return (total + drawn) | side_cards << 16


@kernel(int64(int64, int64, int64, int64, int64, MEMORY))
def leader_at_most(cards, marks, trump, left, target, memory):
    """The most tricks of the ``left`` that the leader can take.

    The follower's sure trumps are lost. Beyond that, W counts what the leader can take in a row before the follower
    gets in, if the follower takes each chance to win: a lead in a suit that the follower tops loses to its top card
    (nobody ruffs his own lead), so only colons and suits that the leader tops count. Such a suit counts whole, or only
    its top cards when the follower has more cards of it than those: it follows to them from below and keeps its best, a
    *stopper*, which beats what the leader has left. Once in, the follower cashes Q tricks (``cashed``; the one that it
    gets in with perhaps among them), at least one. So the leader takes at most left - Q, or no more than W. Until it is
    in, the follower must keep the cards for Q and the stoppers. To each trick of W it follows in the suit led from
    below them, or throws a side-suit card that is neither; when these might not last (a colon that does not match it
    may not throw, nor a trump without ruffing) nothing is claimed. What it follows with to trumps are trumps. When W
    reaches ``target`` this cannot show that the target is out of reach, and the work is saved.
    """
    sure = int64(0)
    trumps_his = int64(0)
    if trump < NOTRUMP:
        info = memory[PATTERNS_AT + ((cards >> (16 * trump)) & 0xFFFF)]
        sure = (info >> SURE_HIS) & 15
        trumps_his = (info & 15) - ((info >> COUNT_MINE) & 15)
    most = left - sure
    run = ((marks >> DEAD_MINE) & 3) + count_bits(live_colons(marks, MINE))
    stoppers = int64(0)
    followed = int64(0)
    for suit in range(4):
        info = memory[PATTERNS_AT + ((cards >> (16 * suit)) & 0xFFFF)]
        mine = (info >> COUNT_MINE) & 15
        top = (info >> TOP_MINE) & 15
        if top:
            his = (info & 15) - mine
            led = mine
            if mine > top and his > top:
                led = top
                if suit != trump:
                    stoppers += 1
            run += led
            if suit == trump:
                followed = min(led, his)
    if run >= min(most, target):
        return most
    packed = cashed(cards, marks, trump, HIS, memory)
    colons = ((marks >> DEAD_HIS) & 3) + count_bits(live_colons(marks, HIS))
    spare = left - trumps_his - colons - (packed >> 16) - stoppers
    if run - followed > spare:
        return most
    return min(most, max(left - max(packed & 0xFFFF, 1), run))
