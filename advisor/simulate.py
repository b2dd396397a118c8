"""Whole games between two players, each pair of games with the same packs and the seats swapped; resumable.

Game 2n and game 2n + 1 have the packs of seed "SEED.n", so luck in the cards tells on both players alike. The records
of the games played are all that there is to save.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from multiprocessing import TimeoutError as StillWaiting
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple

from advisor.deal_in_play import decided, turn
from advisor.game_in_play import GameInPlay
from advisor.players import decide, player_named
from solver.deal import Seat
from solver.errors import RuleError
from solver.game import DEALS
from solver.record import Record
from solver.rules import DEFAULT_RULES, Rules

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays whom, how often and by what rules.

    Attributes:
        players: their names, the first South in the games of even number.
        games: how many, each pair with the same packs.
        seed: where the packs come from.
        samples: hands of the opponent solved for each decision; the players' own defaults if None.
        rules: the choices in force.
    """

    players: tuple[str, str]
    games: int
    seed: str = "1"
    samples: int | None = None
    rules: Rules = DEFAULT_RULES

    def game_seed(self, number: int) -> str:
        """The seed of game `number`, the first being 0."""
        return f"{self.seed}.{number // 2}"

    def names(self, number: int) -> tuple[str, str]:
        """Who sits South and North in game `number`."""
        first, second = self.players
        return (first, second) if number % 2 == 0 else (second, first)


def play_game(
    match: Match, number: int, threads: int | None = 1, deal_over: Callable[[], None] | None = None
) -> GameInPlay:
    """Plays game `number` of a match to its end.

    `deal_over` is called six times, after each of the six deals; not for one that breaks a tie or is to be dealt again.
    """
    names = match.names(number)
    game = GameInPlay.begin(match.game_seed(number), names, match.rules)
    players = [player_named(name, match.samples, threads=threads) for name in names]
    while True:
        now = turn(game.current)
        if now is None:
            deal = game.standing(Seat.SOUTH).deal
            if deal_over is not None and deal == game.game.counted <= DEALS:
                deal_over()
            if game.is_over:
                return game
            game = game.next_deal()
            continue
        value = decide(players[now.seat], game.current, now.seat, game.standing(now.seat))
        game = game.with_current(decided(game.current, value))


def play_games(
    match: Match,
    numbers: Sequence[int],
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[int, GameInPlay]]:
    """Plays those games in so many processes (all cores unless told) and hands them out in order.

    `progress` is told as they are played how many deals are over in all these games, of how many: six a game.
    """

    def tell(deals: int) -> None:
        if progress is not None:
            progress(deals, DEALS * len(numbers))

    count = max(1, min(processes or _cores(), len(numbers)))
    if count == 1:
        over = 0

        def one_more() -> None:
            nonlocal over
            over += 1
            tell(over)

        for number in numbers:
            yield number, play_game(match, number, deal_over=one_more)
        return
    context = get_context("spawn")
    deals_over = context.Value("q", 0)
    # Leaving the block ends the processes, also when the one who asks stops asking.
    with context.Pool(count, _begin_process, (deals_over,)) as pool:
        games = pool.imap(partial(_play_counted, match), numbers)
        for number in numbers:
            game = None
            while game is None:
                try:
                    game = games.next(_POLL_SECONDS)
                except StillWaiting:
                    tell(deals_over.value)
            tell(deals_over.value)
            yield number, game


_deals_over: "Synchronized[int] | None" = None  # of this process and all others that play games of the match


def _begin_process(deals_over: "Synchronized[int]") -> None:
    global _deals_over
    _deals_over = deals_over
    # An interruption is the parent's to deal with.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_counted(match: Match, number: int) -> GameInPlay:
    return play_game(match, number, deal_over=_count_deal)


def _count_deal() -> None:
    assert _deals_over is not None
    with _deals_over.get_lock():
        _deals_over.value += 1


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def games_of(records: Sequence[Record], match: Match) -> list[GameInPlay]:
    """The games of a match that records hold, from game 0 on; a last game without its end is left out.

    Raises:
        RuleError: the records are not those of this match.
    """
    games: list[list[Record]] = []
    for record in records:
        if record.tag("Board") == "1":
            games.append([])
        if not games:
            raise RuleError("the first record is not deal 1 of a game; expected the records of a match")
        games[-1].append(record)
    found = []
    for number, deals in enumerate(games):
        names = match.names(number)
        told = tuple((each.tag("Seed"), each.tag("South"), each.tag("North"), each.rules) for each in deals)
        if any(each != (match.game_seed(number), *names, match.rules) for each in told):
            raise RuleError(
                f"game {number + 1} of the records is seed {told[0][0]}, {told[0][1]} against {told[0][2]}; expected "
                f"seed {match.game_seed(number)}, {names[0]} against {names[1]}, by the same rules"
            )
        game = GameInPlay(match.game_seed(number), names, tuple(record.completed() for record in deals))
        if turn(game.current) is None and game.is_over:
            found.append(game)
        elif number < len(games) - 1:
            raise RuleError(
                f"game {number + 1} of the records has no end, but another follows; expected all played out"
            )
    return found


class Figure(NamedTuple):
    """A mean and its standard error, which is None when one number tells nothing of its spread."""

    mean: float
    se: float | None


@dataclass(frozen=True, slots=True)
class Result:
    """What came out, for the first player of the match.

    Attributes:
        games: how many were played.
        won: the share of games that it won.
        margin: its points less the opponent's, a game.
        deal: the same, a deal.
        declared: the share of deals that each player declared, first and second.
        made: the share of these that each made.
        passed_out: the share of deals passed out.
        deals: how many deals were played.
    """

    games: int
    won: Figure
    margin: Figure
    deal: Figure
    declared: tuple[float, float]
    made: tuple[float, float]
    passed_out: float
    deals: int


def result(match: Match, games: Sequence[GameInPlay]) -> Result:
    """The figures of the games played, from game 0 on; pairs of games with the same packs count as one sample."""
    wins: list[float] = []
    margins: list[float] = []
    by_deal: list[float] = []
    declared, made = [0, 0], [0, 0]
    passed_out = deals = 0
    for number, game in enumerate(games):
        first = Seat.SOUTH if number % 2 == 0 else Seat.NORTH
        total = game.game
        wins.append(float(total.winner == first))
        margins.append(float(total.margin(first)))
        by_deal.append(total.margin(first) / len(game.records))
        for record in game.records:
            deals += 1
            if record.contract is None or record.result is None:
                passed_out += 1
                continue
            who = 0 if record.contract.declarer == first else 1
            declared[who] += 1
            made[who] += record.result >= record.contract.bid.tricks
    return Result(
        len(games),
        _figure(wins),
        _figure(margins),
        _figure(by_deal),
        (declared[0] / max(1, deals), declared[1] / max(1, deals)),
        (made[0] / max(1, declared[0]), made[1] / max(1, declared[1])),
        passed_out / max(1, deals),
        deals,
    )


def _figure(values: Sequence[float]) -> Figure:
    """The mean, and its error by the spread of the pairs' means (of the single games where a pair is not complete)."""
    if not values:
        return Figure(0.0, None)
    mean = sum(values) / len(values)
    pairs = [sum(values[start : start + 2]) / len(values[start : start + 2]) for start in range(0, len(values), 2)]
    if len(pairs) < 2:
        return Figure(mean, None)
    middle = sum(pairs) / len(pairs)
    variance = sum((pair - middle) ** 2 for pair in pairs) / (len(pairs) - 1)
    return Figure(mean, sqrt(variance / len(pairs)))
