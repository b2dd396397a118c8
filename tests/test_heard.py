"""What calls heard say of a hand: likelihoods by the blueprint, the law's cards, worlds made to fit."""

import numpy as np
import pytest

from advisor.blueprint import LIKELIHOOD_FLOOR
from advisor.heard import cards_shown, fitted_worlds, likelihoods, unseen_cards
from advisor.model import model_for
from advisor.packs import DRAW_CLASSES
from advisor.worlds import Known, sample_worlds
from solver.auction import Bid
from solver.auction_states import DOUBLE, OPENING, PASS, after_bid
from solver.cards import Card, Hand, Suit
from solver.exchange import Role
from solver.rules import Rules

NONDEALERS = Known(Role.NONDEALER, Hand.parse("AKQ94.QT2.KJ9.5.G") | Hand.parse("D2 C3"), Card.parse("D9"))


def bid(text):
    return Bid.parse(text).index


def lengths(hands, suit):
    return np.bitwise_count(hands >> (13 * int(suit)) & 0x1FFF)


@pytest.fixture(scope="module")
def model():
    return model_for()


@pytest.fixture(scope="module")
def hands(model):
    return sample_worlds(NONDEALERS, model.exchange, 5, 400).hands


@pytest.mark.parametrize(
    "heard",
    [
        [(OPENING, PASS)],
        [(OPENING, bid("1D"))],
        [(OPENING, bid("2H"))],
        [(OPENING, bid("1D")), (after_bid(bid("1S"), 1), bid("3D"))],
        [(OPENING, bid("1D")), (after_bid(bid("1S"), 1), DOUBLE)],
    ],
)
def test_likelihoods_are_the_blueprint_s_shares_with_the_floor_and_the_law(model, hands, heard):
    found = likelihoods(model.blueprint, hands, 0, heard)
    shares = model.blueprint.path_shares(hands, 0, heard)
    shown = cards_shown(heard, 1)
    lawful = np.all([lengths(hands, suit) >= shown[suit] for suit in Suit], axis=0)
    assert found[lawful] == pytest.approx(np.maximum(shares, LIKELIHOOD_FLOOR).prod(axis=1)[lawful], rel=1e-5)
    assert (found[~lawful] == 0).all()
    assert lawful.any() and len(set(found.round(6))) > 5


def test_hands_that_make_the_calls_are_the_likelier_ones(model):
    """Hands that open 1S by the blueprint are likelier after 1S than others are."""
    packs = sample_worlds(NONDEALERS, model.exchange, 6, 300).hands
    openers = np.array([model.blueprint.strategy(int(hand), 0)[OPENING, bid("1S")] > 0.5 for hand in packs])
    after = likelihoods(model.blueprint, packs, 0, [(OPENING, bid("1S"))])
    assert openers.sum() >= 5 and after[openers].mean() > 3 * after[~openers].mean()


def test_cards_shown_by_law():
    assert cards_shown([(OPENING, PASS)], 1) == (0, 0, 0, 0)
    assert cards_shown([(OPENING, bid("1D"))], 1) == (0, 2, 0, 0)
    assert cards_shown([(OPENING, bid("2D"))], 1) == (0, 4, 0, 0)
    assert cards_shown([(after_bid(bid("2C"), 0), bid("2D"))], 1) == (0, 2, 0, 0)
    assert cards_shown([(OPENING, bid("0NT"))], 3) == (1, 1, 1, 1)
    assert cards_shown([(OPENING, bid("1NT"))], 3) == (3, 3, 3, 3)
    assert cards_shown([(OPENING, bid("1D")), (after_bid(bid("1S"), 1), bid("3H"))], 1) == (0, 2, 4, 0)
    assert cards_shown([(OPENING, bid("1D")), (after_bid(bid("1S"), 1), bid("1NT"))], 1) == (1, 2, 1, 1)


def test_unseen_cards():
    own = NONDEALERS.cards
    assert len(Hand(unseen_cards(NONDEALERS))) == 40
    assert not Hand(unseen_cards(NONDEALERS)) & own
    hidden = Hand.parse("AKQ94.QT2.KJ8.54.")
    upcard = Card.parse("D9")
    assert upcard in Hand(unseen_cards(Known(Role.DEALER, hidden, upcard)))
    assert upcard not in Hand(unseen_cards(Known(Role.DEALER, hidden, upcard, Rules(upcard_drawn=False))))
    # Not among the thirteen cards told, so it is one of the two thrown.
    assert upcard not in Hand(unseen_cards(Known(Role.NONDEALER, hidden, upcard)))


@pytest.mark.parametrize("role", list(Role))
def test_fitted_worlds_have_the_cards_shown_and_are_possible(model, role):
    upcard = Card.parse("C9")
    own = Hand.parse("32.AKQJ9876.3.A2.") if role == Role.DEALER else Hand.parse("32.AKQJ9876.3.A9.")
    known = Known(role, own, upcard)
    fitted = fitted_worlds(known, (1, 1, 4, 1), model.exchange, 1, 40)
    assert (lengths(fitted.hands, Suit.HEARTS) >= 4).all()
    for suit in Suit:
        assert (lengths(fitted.hands, suit) >= 1).all()
    unseen = unseen_cards(known)
    draws = 2 if role == Role.DEALER else 4
    for hand, held in zip(fitted.hands.tolist(), fitted.held.tolist(), strict=True):
        assert hand.bit_count() == 13 and held.bit_count() == 13 + draws
        assert not hand & ~held and not held & ~unseen
        if role == Role.DEALER:
            assert held >> upcard.index & 1
    assert len(set(fitted.hands.tolist())) > 20
    assert (fitted.classes + DRAW_CLASSES * (1 - role) == (3 if role == Role.DEALER else 0)).all()
