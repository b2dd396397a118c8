"""Par: what the auction comes to when both see both hands and each calls for its own best score."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.auction import Contract, contract_text
from solver.auction_states import (
    BIDS,
    CALLER,
    DEALER,
    DOUBLE,
    DOUBLED,
    LAST_BID,
    OPENING,
    PASS,
    STATES,
    after_bid,
    after_call,
    contract_of,
    contract_scores,
    declarer_points,
    may_bid,
    strain_freedom,
)
from solver.cards import Strain
from solver.compiled import compiled
from solver.deal import Deal, Seat
from solver.errors import BridgetteError, RuleError
from solver.rules import DEFAULT_RULES, Rules


@dataclass(frozen=True, slots=True)
class Par:
    """The outcome of the open-card auction: the contract (None: passed out) and each seat's points."""

    contract: Contract | None
    score: Mapping[Seat, int]

    def __str__(self) -> str:
        return contract_text(self.contract)


@compiled()
def open_card_values(
    tricks: NDArray[np.int8], freedom: NDArray[np.int8], points: NDArray[np.float64], passed_out: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Backward induction: the dealer's points from each state with best calls on, and the call made there, both (218,).

    `tricks` and `freedom` are [role, strain]. Every call leads to a later state, so one pass from the last state to
    the first suffices: within one bid redoubled comes before doubled before plain, and every bid leads higher up.
    Of equal calls the first in the order pass, double, lowest bid is made.
    """
    scores = contract_scores(tricks, points, passed_out)
    values = np.empty(STATES)
    calls = np.empty(STATES, dtype=np.int64)
    for state in range(STATES - 1, -1, -1):
        caller = CALLER[state]
        sign = 1.0 if caller == DEALER else -1.0
        best = sign * (values[1] if state == OPENING else scores[state])
        call = PASS
        if state >= 2 and DOUBLED[state] < 2 and sign * values[state + 1] > best:
            best = sign * values[state + 1]
            call = DOUBLE
        last_bid = LAST_BID[state]
        for bid in range(last_bid + 1, BIDS):
            value = sign * values[after_bid(bid, caller)]
            if value > best and may_bid(freedom[caller], bid, last_bid):
                best = value
                call = bid
        values[state] = sign * best
        calls[state] = call
    return values, calls


@compiled()
def _par_scores(
    tricks: NDArray[np.int8],
    dealer_hands: NDArray[np.int64],
    other_hands: NDArray[np.int64],
    points: NDArray[np.float64],
    nt_jump_min: int,
) -> NDArray[np.float64]:
    scores = np.empty(len(tricks))
    freedom = np.empty((2, 5), dtype=np.int8)
    for deal in range(len(tricks)):
        freedom[0] = strain_freedom(dealer_hands[deal], nt_jump_min)
        freedom[1] = strain_freedom(other_hands[deal], nt_jump_min)
        values, _ = open_card_values(tricks[deal], freedom, points, 0.0)
        scores[deal] = values[OPENING]
    return scores


def par_scores(
    tables: NDArray[np.int8],
    souths: NDArray[np.int64],
    norths: NDArray[np.int64],
    dealer: Seat = Seat.SOUTH,
    rules: Rules = DEFAULT_RULES,
) -> NDArray[np.float64]:
    """South's par points for each of N deals of 13 cards a hand: float (N,).

    `tables` (N, 2, 5) holds tricks by [deal, declarer's seat, strain] as `solve_tables` gives them; `souths` and
    `norths` (N,) are the hands as sets of cards. A deal passed out counts 0, whatever `redeal_passed_out` says.
    """
    points = declarer_points(rules)
    if dealer == Seat.SOUTH:
        return _par_scores(tables, souths, norths, points, rules.nt_jump_min)
    return -_par_scores(np.ascontiguousarray(tables[:, ::-1]), norths, souths, points, rules.nt_jump_min)


def par(deal: Deal, tricks: ArrayLike, dealer: Seat = Seat.SOUTH, rules: Rules = DEFAULT_RULES) -> Par:
    """The open-card auction of a whole deal: both see both hands and make the legal call that is best for themselves.

    `tricks` is [declarer's seat, strain], shape (2, 5): what the declarer takes when the other leads. Where several
    calls are equally good, a player passes rather than doubles, doubles rather than bids, and bids the lowest, so the
    contract named is one of those that may share the par score. A deal passed out counts 0, whatever
    `redeal_passed_out` says.

    Raises:
        RuleError: the hands do not have 13 cards.
        BridgetteError: the tricks have another shape, or are not all from 0 to 13.
    """
    if len(deal.south) != 13:
        raise RuleError(f"the hands of {deal} have {deal.size} cards; expected 13, for par is of a whole deal")
    told = np.asarray(tricks)
    if told.shape != (len(Seat), len(Strain)):
        raise BridgetteError(f"the tricks have shape {told.shape}; expected {(len(Seat), len(Strain))}")
    if not ((told >= 0) & (told <= 13)).all():
        raise BridgetteError("tricks are missing or out of range; expected 0 to 13 in all ten places")
    seats = [dealer, dealer.other]
    by_role = np.ascontiguousarray(told.astype(np.int8)[[int(seat) for seat in seats]])
    freedom = np.stack([strain_freedom(deal.hand(seat).mask, rules.nt_jump_min) for seat in seats])
    values, calls = open_card_values(by_role, freedom, declarer_points(rules), 0.0)
    state, call = OPENING, int(calls[OPENING])
    while (successor := int(after_call(state, call))) >= 0:
        state, call = successor, int(calls[successor])
    points = round(float(values[OPENING]))
    return Par(contract_of(state, dealer), {dealer: points, dealer.other: -points})
