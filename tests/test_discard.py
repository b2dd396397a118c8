"""The advice on the exchange: what is tried, how it is valued and decided, what ends it early."""

import numpy as np
import pytest

from advisor import discard, halving, judging
from advisor.blueprint import NEIGHBOURS
from advisor.discard import POLICY_KEEPS, advise, candidates, plan_of
from advisor.halving import DEFAULT_SECONDS, Schedule
from advisor.judging import FEW_WORLDS, SCATTER, Judge, estimate, gains_over
from advisor.keep_model import KeepModel, Wishes
from advisor.match import Standing, declaring_shares, game_stakes, point_stakes
from advisor.model import model_for
from advisor.worlds import Known, sample_worlds
from solver import double_dummy
from solver.auction_states import declarer_points
from solver.cards import Card, Hand, Strain, Suit
from solver.deal import Seat
from solver.errors import RuleError
from solver.exchange import Role, legal_keeps
from solver.par import par_scores
from solver.rules import Rules

DEALER = Known(Role.DEALER, Hand.parse("AKQ97.QT2.KJ932.A98542.GL"), Card.parse("HK"))
OTHER = Known(Role.NONDEALER, Hand.parse("AK942.QT2.KJ97.52.G"), Card.parse("D9"))
FEW = Schedule(((3, 4), (2, 8)))


def policys(known, wishes=None):
    model = model_for(known.rules)
    shares = declaring_shares(known.role, known.draw_class)
    program = KeepModel(known.cards, known.context, model.tricks, shares, wishes)
    keeps, _ = model.exchange.keeps(known.cards.mask, known.context)
    return program, [int(keep) for keep in keeps if program.meets(int(keep))], model


# What is tried.


@pytest.mark.parametrize("known", [DEALER, OTHER])
def test_candidates_are_the_policys_best_the_programs_and_both_sides_of_each_colon(known):
    program, best, model = policys(known)
    everything = candidates(program, best, model, 1000)
    assert everything[0] == best[0]
    assert len(set(everything)) == len(everything)
    assert set(best[:8]) <= set(everything)
    for plan in program.plans():
        assert {proposal.keep for proposal in program.pool((plan,), 6)} <= set(everything)
    for colon in known.cards.colons:
        for kept in (0, 1):
            first = next(keep for keep in best if keep >> colon.index & 1 == kept)
            assert first in everything
    few = candidates(program, best, model, 8)
    assert few[0] == best[0] and len(few) == 8 and set(few) <= set(everything)
    assert set(best[:4]) <= set(few)


def test_all_keeps_of_fifteen_cards_can_be_tried():
    program, best, model = policys(OTHER)
    found = candidates(program, best, model, 105, everything=True)
    assert set(found) == {hand.mask for hand in legal_keeps(OTHER.cards)}
    assert found[0] == best[0] and len(found) == 105


def test_schedules_spend_what_there_is():
    for held, seconds in DEFAULT_SECONDS.items():
        schedule = Schedule.of_time(seconds, held)
        assert schedule.seconds == seconds
        spent = (seconds - halving.START_SECONDS) * halving.DEALS_A_SECOND[held]
        assert 0.8 * spent < schedule.deals <= spent
        assert [keeps for keeps, _ in schedule.rounds] == sorted((k for k, _ in schedule.rounds), reverse=True)
    assert Schedule.of_time(0, 25).rounds == ()
    assert Schedule.of_time(120, 15).keeps == 105 > Schedule.of_time(120, 17).keeps
    assert Schedule.of_samples(400, 25).rounds[-1][1] == 400
    assert Schedule.of_samples(2000, 15).keeps == 105
    assert Schedule.of_samples(0, 15).rounds == ()
    assert Schedule(((4, 10), (2, 30))).deals == 4 * 10 + 2 * 20


# How it is valued.


@pytest.mark.parametrize("known", [DEALER, OTHER])
def test_values_are_par_and_the_smoothed_blueprint_value_of_the_solved_deals(known):
    _, best, model = policys(known)
    judge = Judge(known, best[:2], model, point_stakes(), 7)
    judge.meet([0, 1], 0, 6)
    judge.meet([1], 6, 2)
    worlds = sample_worlds(known, model.exchange, 7, 8)
    for place, keep in enumerate(best[:2]):
        mine = np.full(8, keep)
        dealers, others = (mine, worlds.hands) if known.role == Role.DEALER else (worlds.hands, mine)
        tables = double_dummy.solve_tables(dealers, others)
        sign = 1 if known.role == Role.DEALER else -1
        par = sign * par_scores(tables, dealers, others, Seat.SOUTH)
        hands = np.stack([dealers, others], axis=1)
        blueprint = sign * model.blueprint.scores(tables, hands, known.draw_class, (NEIGHBOURS, NEIGHBOURS))
        met = 8 if place else 6
        assert np.allclose(judge.values[place, :met, 0], par[:met])
        assert np.allclose(judge.values[place, :met, 1], blueprint[:met], atol=1e-3)
        assert np.isnan(judge.values[place, met:]).all()


def test_values_for_the_game_are_chances_to_win_it():
    standing = Standing(0, 600, 6)
    judge = Judge(OTHER, policys(OTHER)[1][:1], model_for(), game_stakes(standing, OTHER.role), 7)
    judge.meet([0], 0, 12)
    assert ((judge.values >= 0) & (judge.values <= 1)).all()
    # Par is all or nothing but for a score of just 600, and no better than its own points allow.
    assert (judge.values[0, :, 0][judge.points[0, :, 0] > 600] == 1).all()


# How it is decided.


def test_an_estimate_weighs_the_sample_and_the_model_by_their_errors():
    generator = np.random.default_rng(1)
    values = generator.normal(0, 300, (3, 400)) + generator.normal(0, 1000, 400)
    values[2, 100:] = np.nan
    model = np.array([50.0, 90.0, -10.0])
    found = estimate(values, model, 45.0)
    for keep, count in ((1, 400), (2, 100)):
        differences = values[keep, :count] - values[0, :count]
        error = differences.std(ddof=1) / np.sqrt(count)
        both = 1 / error**2 + 1 / 45.0**2
        expected = (differences.mean() / error**2 + (model[keep] - model[0]) / 45.0**2) / both
        assert found.gains[keep] == pytest.approx(expected)
        assert found.errors[keep] == pytest.approx(both**-0.5)
    assert found.gains[0] == found.errors[0] == 0
    nothing = estimate(values[:, :0], model, 45.0)
    assert nothing.gains.tolist() == [0, 40, -60] and nothing.errors[1] == 45
    over = gains_over(values, 1, model, 45.0)
    assert over.gains[0] == pytest.approx(-found.gains[1]) and over.errors[0] == pytest.approx(found.errors[1])
    assert over.gains[1] == over.errors[1] == 0
    # A few differences that happen to be alike are not taken for sure.
    values[1, :2], values[1, 2:] = values[0, :2] + 500.0, np.nan
    few = estimate(values, model, 45.0)
    scatter = np.sqrt((FEW_WORLDS - 2) / (FEW_WORLDS - 1)) * SCATTER * 45.0
    assert few.errors[1] == pytest.approx((2 / scatter**2 + 1 / 45.0**2) ** -0.5)


def test_two_keeps_are_compared_on_the_worlds_that_both_met():
    """Whatever the first keep got there."""
    generator = np.random.default_rng(1)
    values = generator.normal(0, 300, (3, 400))
    values[2, 100:] = np.nan
    model = np.array([50.0, 90.0, -10.0])
    over = gains_over(values, 1, model, 45.0)
    pair = estimate(values[[1, 2]], model[[1, 2]], 45.0)
    assert over.gains[2] == pair.gains[1] and over.errors[2] == pair.errors[1]


class Told:
    """Stands in for the judge of a few keeps: keep number k is worth `levels[k]` and a noise common to all."""

    def __init__(self, levels, spread):
        self.levels, self.spread = levels, spread

    def meet(self, judge, chosen, first, worlds):
        generator = np.random.default_rng((3, first))
        noise = generator.normal(0, self.spread, (len(judge.keeps), worlds))
        judge._make_room(first + worlds)
        for keep in chosen:
            judge.values[keep, first : first + worlds] = (self.levels(keep) + noise[keep])[:, None]
            judge.points[keep, first : first + worlds] = judge.values[keep, first : first + worlds]
        return len(chosen) * worlds


@pytest.mark.parametrize(
    ("lead", "spread", "moves"), [(2000.0, 100.0, True), (0.0, 3000.0, False), (-500.0, 50.0, False)]
)
def test_the_policys_choice_is_left_only_for_a_lead_of_an_error(monkeypatch, lead, spread, moves):
    told = Told(lambda keep: lead if keep == 1 else -abs(lead) * (keep > 1), spread)
    monkeypatch.setattr(Judge, "meet", lambda judge, *rest: told.meet(judge, *rest))
    advice = advise(DEALER, schedule=Schedule(((4, 100),)), seed=2)
    assert (advice.recommended.keep != advice.first_choice) == moves
    assert advice.recommended.gap == 0
    if moves:
        first = next(choice for choice in advice.choices if choice.keep == advice.first_choice)
        assert -first.gap > first.gap_error and not first.is_tie


def test_better_half_goes_on_and_the_first_choice_stays(monkeypatch):
    told = Told(lambda keep: 1000.0 * keep, 1.0)
    met = []

    def meet(judge, chosen, first, worlds):
        if len(judge.keeps) == 6:
            met.append((tuple(chosen), first, worlds))
        return told.meet(judge, chosen, first, worlds)

    monkeypatch.setattr(Judge, "meet", meet)
    advise(DEALER, schedule=Schedule(((6, 10), (3, 20), (2, 30))), seed=2)
    assert met == [((0, 1, 2, 3, 4, 5), 0, 10), ((0, 5, 4), 10, 10), ((0, 5), 20, 10)]


def test_same_advice_for_any_number_of_threads():
    one, two = (advise(OTHER, schedule=FEW, seed=4, threads=threads) for threads in (1, 2))
    assert one == two
    assert advise(OTHER, schedule=FEW, seed=5).choices != one.choices


def test_choices_say_what_was_found():
    advice = advise(OTHER, schedule=FEW, seed=4)
    assert advice.choices[0] is advice.recommended and advice.samples == 8
    scores = [choice.score for choice in advice.choices[1:]]
    assert scores == sorted(scores, reverse=True)
    for choice in advice.choices:
        assert choice.keep | choice.throw == OTHER.cards and not (choice.keep & choice.throw).mask
        assert choice.samples in (4, 8)
        assert choice.error > 0
        assert choice.gap == pytest.approx(choice.score - advice.recommended.score)


def test_wishes_are_kept():
    wishes = Wishes(Hand.parse("C5"), Hand.parse(":G"), (Strain.HEARTS,), False, ((Suit.SPADES, 5),))
    for schedule in (FEW, Schedule(())):
        for choice in advise(OTHER, wishes=wishes, schedule=schedule).choices:
            assert Card.parse("C5") in choice.keep and Card.parse(":G") in choice.throw
            assert choice.keep.count(Suit.HEARTS) >= 2 and choice.keep.count(Suit.SPADES) == 5
            assert choice.plan == Strain.HEARTS
    with pytest.raises(RuleError, match="no keep of 13 has six spades"):
        advise(OTHER, wishes=Wishes(least=((Suit.SPADES, 6),)), schedule=FEW)
    assert len(advise(OTHER, wishes=Wishes(throw=Hand.parse("C5 C2")), schedule=FEW).choices) == 1


def test_plan_is_a_strain_that_the_hand_can_bid_and_scores_most_in():
    model = model_for()
    points = declarer_points(Rules())
    spades = Hand.parse("AKQJT9876.A.K.A2.").mask
    assert plan_of(spades, 0, model, points, tuple(Strain)) == Strain.SPADES
    assert plan_of(spades, 0, model, points, (Strain.NOTRUMP, Strain.CLUBS)) == Strain.NOTRUMP
    assert plan_of(Hand.parse("AKQ.AKQ.AKQ.AKQJ.").mask, 0, model, points, tuple(Strain)) == Strain.NOTRUMP


# What ends it early.


def test_without_worlds_it_is_the_policys_own_answer_at_once(monkeypatch):
    def never(*arguments, **options):
        raise AssertionError("solved a deal")

    monkeypatch.setattr(double_dummy, "solve_tables", never)
    monkeypatch.setattr(KeepModel, "pool", never)
    for known in (DEALER, OTHER):
        advice = advise(known, schedule=Schedule.of_time(0, len(known.cards)))
        _, best, model = policys(known)
        assert [choice.keep.mask for choice in advice.choices] == best[:8]
        assert advice.recommended.keep.mask == int(
            model.exchange(*(np.array([x]) for x in (known.cards.mask, known.context)))[0]
        )
        assert advice.recommended.error is None and advice.samples == 0
        chances = advise(known, schedule=Schedule(()), standing=Standing(0, 0, 1))
        assert 0.2 < chances.recommended.score < 0.8


@pytest.mark.parametrize("how", [KeyboardInterrupt, SystemError])
def test_interrupted_before_any_deal_it_gives_the_policys_answer(monkeypatch, how):
    def pool(*_):
        raise how from KeyboardInterrupt()

    monkeypatch.setattr(KeepModel, "pool", pool)
    advice = advise(DEALER, schedule=FEW)
    assert advice.interrupted and advice.samples == 0
    assert advice.recommended.keep == advise(DEALER, schedule=Schedule(())).recommended.keep


def test_gaps_are_to_the_recommended_keep_on_the_worlds_that_both_met():
    advice = advise(OTHER, schedule=Schedule(((4, 16), (2, 40))), seed=4)
    best = advice.recommended
    for choice in advice.choices[1:]:
        assert choice.gap == pytest.approx(choice.score - best.score)
        assert choice.error == pytest.approx(np.hypot(best.error, choice.gap_error))


def test_an_interruption_gives_what_there_is(monkeypatch):
    real = judging.Judge.meet

    def meet(judge, chosen, first, worlds):
        if first:
            raise KeyboardInterrupt
        return real(judge, chosen, first, worlds)

    monkeypatch.setattr(Judge, "meet", meet)
    monkeypatch.setattr(discard, "_meet_until", lambda *_: None)  # how far that comes depends on the machine
    advice = advise(OTHER, schedule=FEW, seed=4)
    assert advice.interrupted and advice.samples == 4


def test_what_the_policys_keeps_meet_early_is_not_solved_again(monkeypatch):
    solved = []
    real = double_dummy.solve_tables

    def counting(dealers, others, **choices):
        solved.append(len(dealers))
        return real(dealers, others, **choices)

    monkeypatch.setattr(double_dummy, "solve_tables", counting)
    schedule = Schedule(((8, 6), (3, 12)))
    advice = advise(DEALER, schedule=schedule, seed=4)
    assert solved[0] == 4 and sum(solved) == schedule.deals
    monkeypatch.setattr(discard, "_meet_until", lambda *_: None)
    assert advise(DEALER, schedule=schedule, seed=4).choices == advice.choices


@pytest.mark.parametrize(("pace", "keeps", "worlds"), [(1.0, 14, 52), (0.5, 6, 36)])
def test_too_slow_a_machine_tries_fewer_keeps_on_fewer_worlds(monkeypatch, pace, keeps, worlds):
    """Twice as slow as needed means a plan for half the deals, not many keeps on a few worlds."""
    told = Told(lambda keep: -1000.0 * keep, 1.0)
    now, solved = [0.0], []

    def meet(judge, chosen, first, number):
        if len(judge.keeps) > POLICY_KEEPS:
            now[0] += len(chosen) * number / (200 * pace)
            solved.append((len(chosen), first + number))
        return told.meet(judge, chosen, first, number)

    monkeypatch.setattr(Judge, "meet", meet)
    monkeypatch.setattr(halving, "seconds_compiling", lambda since: 0.0)
    monkeypatch.setattr(halving.time, "monotonic", lambda: now[0])
    schedule = Schedule.halving(14, 52, 291 / 200 + halving.END_SECONDS + 0.01)
    advice = advise(OTHER, schedule=schedule, seed=2, started=0.0)
    assert advice.out_of_time == (pace < 1)
    last, reached = solved[-1]
    assert last == 3 and abs(reached - worlds) <= 4
    assert sum(1 for choice in advice.choices if choice.samples > 12) <= keeps


def test_time_ends_it():
    advice = advise(OTHER, schedule=Schedule(((3, 200), (2, 4000)), seconds=0.01), seed=4)
    assert advice.out_of_time and 0 < advice.samples < 200
    assert not advise(OTHER, schedule=FEW, seed=4).out_of_time


def test_compiling_takes_none_of_the_time(monkeypatch):
    schedule = Schedule(FEW.rounds, seconds=0.01)
    assert advise(OTHER, schedule=schedule, seed=4).out_of_time
    monkeypatch.setattr(halving, "seconds_compiling", lambda since: 3600.0)
    assert not advise(OTHER, schedule=schedule, seed=4).out_of_time


def test_progress_counts_the_deals():
    told = []
    advise(OTHER, schedule=FEW, seed=4, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (FEW.deals, FEW.deals)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_what_cannot_be_held_is_refused():
    with pytest.raises(RuleError, match="the upcard is not told"):
        advise(Known(Role.DEALER, DEALER.cards), schedule=FEW)
    with pytest.raises(RuleError, match="13 cards"):
        advise(Known(Role.DEALER, Hand.parse("AKQ97.QT2.KJ932.."), Card.parse("HK")), schedule=FEW)


# The game.

CAUTIOUS, BOLD = Hand.parse("KJ.KJ6.KQJ98.A8.G"), Hand.parse("KJ.KJ.KQJ9843.A.G")
TWO_PLANS = Known(Role.DEALER, Hand.parse("KJ9876.KJ632.KQJ9843.A87652.G"), Card.parse("HA"))


def values_of(standing, known, keeps, worlds):
    stakes = point_stakes() if standing is None else game_stakes(standing, known.role)
    judge = Judge(known, [keep.mask for keep in keeps], model_for(), stakes, 21)
    judge.meet(range(len(keeps)), 0, worlds)
    differences = judge.mean_values()[1] - judge.mean_values()[0]
    return differences.mean(), differences.std(ddof=1) / np.sqrt(worlds)


def test_before_the_last_deal_the_lead_decides_between_a_safe_keep_and_one_that_can_win():
    behind, error = values_of(Standing(0, 600, 6), TWO_PLANS, (CAUTIOUS, BOLD), 100)
    assert behind > 4 * error
    ahead, error = values_of(Standing(600, 0, 6), TWO_PLANS, (CAUTIOUS, BOLD), 100)
    assert ahead < -3 * error


def test_the_standing_changes_what_is_recommended():
    wishes = Wishes(keep=CAUTIOUS & BOLD, throw=TWO_PLANS.cards - (CAUTIOUS | BOLD))
    schedule = Schedule(((6, 24), (2, 60)))
    for standing, is_bold in ((None, True), (Standing(0, 600, 6), True), (Standing(600, 0, 6), False)):
        advice = advise(TWO_PLANS, wishes=wishes, schedule=schedule, standing=standing, seed=3)
        assert (advice.recommended.keep == BOLD) == is_bold, standing


def test_far_from_the_end_chances_agree_with_points():
    points, error = values_of(None, TWO_PLANS, (CAUTIOUS, BOLD), 200)
    chances, chance_error = values_of(Standing(0, 0, 1), TWO_PLANS, (CAUTIOUS, BOLD), 200)
    assert points > 3 * error and chances > 3 * chance_error
    early = advise(OTHER, schedule=FEW, seed=4, standing=Standing(0, 0, 1))
    assert early.recommended.keep == advise(OTHER, schedule=FEW, seed=4).recommended.keep
