"""The integer program against full enumeration: optima, pools, locks, plans kept open, wishes that cannot be met."""

import itertools
import subprocess
import sys

import numpy as np
import pytest

from advisor.keep_model import APART, UNIT, KeepModel, Wishes
from advisor.packs import CONTEXTS
from advisor.trick_model import CLASS_OF_HOLDING, CLASSES, TrickTables, predict
from solver.cards import Hand, Strain, Suit
from solver.errors import RuleError

DECLARING = np.array([[0.09, 0.10, 0.11, 0.12, 0.08], [0.10, 0.11, 0.12, 0.11, 0.06]])
HELD = {
    15: "AK74.QT2.KJ93.A52.G",
    17: "AK742.QT2.KJ93.A52.GL",
    21: "AKQ97.QT2.KJ932.A9854.GRL",
    25: "AKQJT98.QT76.KJT9.A9875432.GL",
}


@pytest.fixture(scope="module")
def tables():
    generator = np.random.default_rng(4)
    return TrickTables(
        generator.normal(2, 1, (CONTEXTS, 2, CLASSES)),
        generator.normal(1, 1, (CONTEXTS, 2, CLASSES)),
        generator.normal(1, 1, (CONTEXTS, 2, CLASSES)),
        generator.normal(0, 1, (CONTEXTS, 2, 2, 8)),
        np.ones((CONTEXTS, 2, 2)),
    )


NO_WISHES = Wishes()


def every_keep(held, wishes=NO_WISHES):
    """All keeps within the wishes as an array, of those that the trick model cannot tell apart the highest."""
    cards = [card for card in range(55) if held.mask >> card & 1 and not wishes.throw.mask >> card & 1]
    free = [card for card in cards if not wishes.keep.mask >> card & 1]
    chosen = itertools.combinations([1 << card for card in free], 13 - len(wishes.keep))
    keeps = np.fromiter(map(sum, chosen), dtype=np.int64) | wishes.keep.mask
    lengths = counts(keeps)
    for suit, least in wishes.least:
        keeps = keeps[counts(keeps)[:, suit] >= least]
    lengths = counts(keeps)
    for plan in wishes.plans:
        fine = lengths.min(axis=1) >= 1 if plan == Strain.NOTRUMP else lengths[:, plan] >= (4 if wishes.jump else 2)
        keeps, lengths = keeps[fine], lengths[fine]
    # The highest of those alike: within a suit and class the largest number of its bits.
    key = (keeps >> 52).astype(np.int64)
    for suit in range(4):
        key = key * CLASSES + CLASS_OF_HOLDING[keeps >> 13 * suit & 0x1FFF]
    order = np.lexsort((-keeps, key))
    first = np.concatenate([[True], np.diff(key[order]) != 0]) if len(keeps) else np.zeros(0, dtype=bool)
    return np.sort(keeps[order][first])


def counts(keeps):
    bits = keeps[:, None] >> np.arange(52) & 1
    return bits.reshape(len(keeps), 4, 13).sum(axis=2)


def tricks_of(keeps, plan, context, tables):
    """What a plan expects, from the trick model's ten predictions of the whole hand."""
    predicted = predict(keeps, np.full(len(keeps), context), tables)
    declares = DECLARING[0].sum()
    others = [strain for strain in range(5) if strain != plan or plan == Strain.NOTRUMP]
    weights = DECLARING[1, others] / DECLARING[1, others].sum()
    return declares * predicted[:, plan] + (1 - declares) * predicted[:, [5 + strain for strain in others]] @ weights


def best_pool(keeps, values, count):
    """The best by value again and again, each two cards from all before: the pool as it is defined."""
    pool = []
    for place in np.argsort(-values, kind="stable"):
        if all((int(keeps[place]) & ~other).bit_count() >= APART for other, _ in pool):
            pool.append((int(keeps[place]), float(values[place])))
            if len(pool) == count:
                break
    return pool


def assert_pool_is_best(found, keeps, values, count):
    expected = best_pool(keeps, values, count)
    assert len(found) == len(expected)
    by_keep = dict(zip(keeps.tolist(), values.tolist(), strict=True))
    for proposal, (keep, value) in zip(found, expected, strict=True):
        assert proposal.proved
        assert proposal.keep == keep
        assert abs(proposal.tricks - value) < 20 * UNIT
        assert abs(by_keep[proposal.keep] - proposal.tricks) < 20 * UNIT


@pytest.mark.parametrize("size", [15, 17, 21])
@pytest.mark.parametrize("context", [0, 4])
def test_pools_of_every_plan_are_those_of_full_enumeration(size, context, tables):
    held = Hand.parse(HELD[size])
    program = KeepModel(held, context, tables, DECLARING)
    keeps = every_keep(held)
    assert program.plans() == tuple(sorted(Strain, reverse=True))
    for plan in Strain:
        within = every_keep(held, Wishes(plans=(plan,))) if size < 21 else keeps[_can_bid(keeps, plan)]
        values = tricks_of(within, plan, context, tables)
        assert_pool_is_best(list(program.pool((plan,), 5)), within, values, 5)


def _can_bid(keeps, plan):
    lengths = counts(keeps)
    return lengths.min(axis=1) >= 1 if plan == Strain.NOTRUMP else lengths[:, plan] >= 2


@pytest.mark.parametrize(("keep", "throw"), [("SA SK SQ", "C2 C3"), ("HQ DK :L", "S8 C2"), ("CA :G", "DJ H7 H6")])
def test_optimum_of_twenty_five_cards_is_that_of_full_enumeration(keep, throw, tables):
    held = Hand.parse(HELD[25])
    wishes = Wishes(keep=Hand.parse(keep), throw=Hand.parse(throw), plans=(Strain.SPADES,))
    program = KeepModel(held, 2, tables, DECLARING, wishes)
    keeps = every_keep(held, wishes)
    assert len(keeps) > 5000
    values = tricks_of(keeps, Strain.SPADES, 2, tables)
    assert_pool_is_best(list(program.pool((Strain.SPADES,), 3)), keeps, values, 3)


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(keep=Hand.parse("D3 :L")),
        Wishes(throw=Hand.parse("SA :G")),
        Wishes(keep=Hand.parse("C5 H2"), throw=Hand.parse("S7 S4")),
        Wishes(least=((Suit.HEARTS, 3), (Suit.CLUBS, 3))),
        Wishes(plans=(Strain.CLUBS,), jump=False, keep=Hand.parse(":G")),
        Wishes(plans=(Strain.SPADES,), jump=True),
        Wishes(plans=(Strain.NOTRUMP,), throw=Hand.parse("CA C5")),
    ],
)
def test_wishes_are_kept_and_the_best_within_them_found(wishes, tables):
    held = Hand.parse(HELD[17])
    program = KeepModel(held, 0, tables, DECLARING, wishes)
    for plan in program.plans():
        within = every_keep(held, Wishes(wishes.keep, wishes.throw, (plan,), wishes.jump, wishes.least))
        found = list(program.pool((plan,), 3))
        assert_pool_is_best(found, within, tricks_of(within, plan, 0, tables), 3)
        assert all(program.meets(proposal.keep) for proposal in found)


def test_two_plans_kept_open_make_the_lesser_the_greatest(tables):
    held = Hand.parse(HELD[17])
    for plans in itertools.combinations((Strain.NOTRUMP, Strain.SPADES, Strain.DIAMONDS), 2):
        keeps = every_keep(held, Wishes(plans=plans))
        values = np.minimum(*(tricks_of(keeps, plan, 1, tables) for plan in plans))
        program = KeepModel(held, 1, tables, DECLARING)
        assert_pool_is_best(list(program.pool(plans, 2)), keeps, values, 2)


def test_pool_ends_when_there_are_no_more(tables):
    held = Hand.parse(HELD[15])
    wishes = Wishes(keep=Hand.parse("SA SK HQ HT DK DJ CA C5 :G"))
    found = list(KeepModel(held, 3, tables, DECLARING, wishes).pool((Strain.SPADES,), 50))
    within = every_keep(held, Wishes(wishes.keep, plans=(Strain.SPADES,)))
    assert 1 < len(found) < len(within)
    assert_pool_is_best(found, within, tricks_of(within, Strain.SPADES, 3, tables), 50)


def test_a_changed_coefficient_changes_the_optimum(tables):
    held = Hand.parse(HELD[17])
    before = next(KeepModel(held, 0, tables, DECLARING).pool((Strain.SPADES,), 1))
    trump = tables.trump.copy()
    spades = CLASS_OF_HOLDING[before.keep >> 39 & 0x1FFF]
    trump[0, 0, spades] -= 5
    changed = tables._replace(trump=trump)
    after = next(KeepModel(held, 0, changed, DECLARING).pool((Strain.SPADES,), 1))
    assert after.keep != before.keep
    keeps = every_keep(held, Wishes(plans=(Strain.SPADES,)))
    assert_pool_is_best([after], keeps, tricks_of(keeps, Strain.SPADES, 0, changed), 1)


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        (Wishes(least=((Suit.SPADES, 6),)), "no keep of 13 has six spades"),
        (
            Wishes(least=((Suit.SPADES, 5), (Suit.DIAMONDS, 4), (Suit.CLUBS, 3), (Suit.HEARTS, 2))),
            "no keep of 13 has five spades, four diamonds, three clubs and two hearts",
        ),
        (
            Wishes(throw=Hand.parse("HQ HT"), plans=(Strain.HEARTS,)),
            "no keep of 13 has both thirteen without HQ HT and two hearts, to bid them",
        ),
        (Wishes(throw=Hand.parse("CA C5 C2"), plans=(Strain.NOTRUMP,)), "and a club, to bid no trump"),
        (Wishes(plans=(Strain.HEARTS,), jump=True), "no keep of 13 has four hearts, to jump in them"),
        (Wishes(keep=Hand.parse("SQ")), "SQ is to be kept but not held"),
        (Wishes(keep=Hand.parse("SA"), throw=Hand.parse("SA")), "SA is to be both kept and thrown"),
        (Wishes(least=((Suit.SPADES, 14),)), "at least 14 spades"),
    ],
)
def test_wishes_that_cannot_be_met_are_told_as_what_they_mean(wishes, message, tables):
    held = Hand.parse(HELD[17])
    with pytest.raises(RuleError, match=message):
        KeepModel(held, 0, tables, DECLARING, wishes)
    if "held" not in message and "14" not in message and "both kept" not in message:
        assert len(every_keep(held, wishes)) == 0


def test_only_the_wishes_that_clash_are_named(tables):
    wishes = Wishes(
        keep=Hand.parse("DK :G"),
        least=((Suit.CLUBS, 3), (Suit.SPADES, 6)),
        throw=Hand.parse("H2"),
        plans=(Strain.CLUBS,),
    )
    with pytest.raises(RuleError) as refused:
        KeepModel(Hand.parse(HELD[17]), 0, tables, DECLARING, wishes)
    assert str(refused.value) == "no keep of 13 has six spades"


def test_plans_that_no_keep_can_bid_are_not_tried(tables):
    held = Hand.parse("AKQJT98.7.65432.43.GL")
    program = KeepModel(held, 0, tables, DECLARING)
    assert program.plans() == (Strain.NOTRUMP, Strain.SPADES, Strain.DIAMONDS, Strain.CLUBS)
    assert not program.allows([Strain.HEARTS])
    with pytest.raises(RuleError, match="two hearts, to bid them"):
        list(program.pool((Strain.HEARTS,), 1))


def test_same_proposals_in_two_processes():
    code = (
        "from advisor.keep_model import KeepModel\n"
        "from advisor.match import declaring_shares\n"
        "from advisor.model import model_for\n"
        "from solver.cards import Hand, Strain\n"
        f"program = KeepModel(Hand.parse('{HELD[21]}'), 1, model_for().tricks, declaring_shares(0, 1))\n"
        "print([tuple(each) for plan in Strain for each in program.pool((plan,), 4)])\n"
        "print([tuple(each) for each in program.pool((Strain.SPADES, Strain.NOTRUMP), 2)])\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1 and "Strain" in outputs.pop()


def test_ctrl_c_after_the_program_is_an_ordinary_interruption():
    code = (
        "import os, signal\n"
        "from advisor.keep_model import KeepModel\n"
        "from advisor.match import declaring_shares\n"
        "from advisor.model import model_for\n"
        "from solver.cards import Hand, Strain\n"
        f"program = KeepModel(Hand.parse('{HELD[21]}'), 1, model_for().tricks, declaring_shares(0, 1))\n"
        "assert len(list(program.pool((Strain.SPADES,), 2))) == 2\n"
        "try:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    signal.pause()\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "interrupted\n"), result.stderr


def test_a_jump_in_no_trump_needs_what_the_rules_ask_for(tables):
    held, wishes = Hand.parse("AK942.QT2.KJ97.52.G"), Wishes(plans=(Strain.NOTRUMP,), jump=True)
    two = KeepModel(held, 0, tables, DECLARING, wishes, nt_jump_min=2)
    assert all((counts(np.array([each.keep])) >= 2).all() for each in two.pool((Strain.NOTRUMP,), 5))
    with pytest.raises(RuleError, match="no keep of 13 has three clubs, to jump in no trump"):
        KeepModel(held, 0, tables, DECLARING, wishes, nt_jump_min=3)
