"""`bridgette simulate`: two players against each other over whole games, and who wins by how much."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from advisor.cli.deal_files import read_record_text
from advisor.cli.options import MOST_THREADS, JsonOption, RuleOption
from advisor.cli.output import Line, note, show, write_json
from advisor.cli.progress import reporting
from advisor.cli.render import counted, rules_json, rules_lines
from solver.errors import BridgetteError
from solver.game import DEALS
from solver.record_text import read_records, records_text
from solver.rules import Rules

if TYPE_CHECKING:
    from advisor.game_in_play import GameInPlay
    from advisor.simulate import Figure, Match, Result


def command(
    players: Annotated[
        list[str], typer.Argument(help="Two of these, from strong to weak: advisor, blueprint, greedy, random.")
    ],
    games: Annotated[int, typer.Option("--games", metavar="K", min=1, help="How many games of six deals.")] = 10,
    records: Annotated[
        str | None,
        typer.Option(
            "--records", metavar="FILE", help="Write each game here when it is over; what is there already is kept."
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option("--samples", metavar="N", min=2, help="Hands that the advisor solves for each decision."),
    ] = None,
    seed: Annotated[
        str, typer.Option("--seed", metavar="SEED", help="Start of the random numbers: the same seed, the same games.")
    ] = "1",
    rule: RuleOption = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", metavar="N", min=1, max=MOST_THREADS, help="Games at a time (all cores unless given)."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Two players against each other.

    Games come in pairs with the same cards, the seats swapped. With --records a run that was stopped goes on where it
    was.

    \b
    Examples:
      bridgette simulate greedy random --games 4 --seed 1
      bridgette simulate greedy random --games 2 --records match.pbn
    """
    if len(players) != 2:
        raise BridgetteError(f"{counted(len(players), 'player')}; expected two, such as advisor greedy")
    from advisor.players import player_named
    from advisor.simulate import Match, play_games, result

    for name in players:
        player_named(name)
    if not seed.isprintable() or not 0 < len(seed) <= 40:
        raise BridgetteError(f"--seed: {seed[:40]!r}; expected a number or a word of at most 40 characters")
    match = Match((players[0], players[1]), games, seed, samples, Rules.with_choices(rule or []))
    done: list[GameInPlay] = []
    path = None if records is None else Path(records)
    if path is not None:
        done = _begun(path, match)[:games]
        if done:
            note(f"{path} has {counted(len(done), 'game')} of {games}; going on from there.")
    numbers = range(len(done), games)
    try:
        # A game may take minutes, so it is the deals that are counted.
        with reporting("Deals", DEALS * len(numbers)) as progress:
            for _, game in play_games(match, numbers, threads, progress):
                done.append(game)
                if path is not None:
                    _add(path, game)
    except KeyboardInterrupt:
        if done:
            _give(match, result(match, done), as_json)
        kept = f", kept in {path}" if path and done else ""
        note(f"Interrupted after {counted(len(done), 'game')}{kept}.")
        raise
    _give(match, result(match, done), as_json)


def _begun(path: Path, match: "Match") -> "list[GameInPlay]":
    """The games of the match that the file has; a game that was cut off is taken out of it."""
    from advisor.game_in_play import check_can_be_written, write_whole
    from advisor.simulate import games_of

    check_can_be_written(path)
    if not path.exists() or not path.stat().st_size:
        return []
    text = read_record_text(str(path))
    try:
        games = games_of(read_records(text), match)
    except BridgetteError as error:
        raise type(error)(f"{path}: {error}") from None
    whole = records_text([record for game in games for record in game.records])
    if whole != text:
        write_whole(path, whole)
    return games


def _add(path: Path, game: "GameInPlay") -> None:
    """Adds a game's records to the file, all or none."""
    from advisor.game_in_play import write_whole

    before = read_record_text(str(path)) + "\n" if path.exists() and path.stat().st_size else ""
    write_whole(path, before + game.text())


def _give(match: "Match", found: "Result", as_json: bool) -> None:
    if as_json:
        write_json(_json(match, found))
    else:
        show(_lines(match, found), wrap=True)


def _json(match: "Match", found: "Result") -> dict[str, Any]:
    first, second = match.players

    def figure(value: "Figure", places: int) -> dict[str, float | None]:
        return {
            "mean": round(value.mean, places),
            "se": None if value.se is None else round(value.se, places),
        }

    return {
        "players": [first, second],
        "games": found.games,
        "deals": found.deals,
        "seed": match.seed,
        "samples": match.samples,
        "won": figure(found.won, 4),
        "points_a_game": figure(found.margin, 1),
        "points_a_deal": figure(found.deal, 1),
        "declared": [round(share, 4) for share in found.declared],
        "made": [round(share, 4) for share in found.made],
        "passed_out": round(found.passed_out, 4),
    } | rules_json(match.rules)


def _lines(match: "Match", found: "Result") -> Iterator[Line]:
    first, second = match.players
    yield [(f"{first} against {second}", "bold"), f": {counted(found.games, 'game')}, {found.deals} deals"]
    yield from rules_lines(match.rules)
    yield []
    rows = [
        (f"Games won by {first}", _figure(found.won, 100, "%")),
        (f"Points of {first} less {second}'s, a game", _figure(found.margin, 1, "")),
        (f"Points of {first} less {second}'s, a deal", _figure(found.deal, 1, "")),
    ]
    wide = max(len(what) for what, _ in rows)
    yield from ([f"{what:<{wide}}  {figure}"] for what, figure in rows)
    yield []
    width = max(len(first), len(second), 8)
    yield [f"{'':{width}}  declares   makes"]
    for place, name in enumerate(match.players):
        yield [f"{name:<{width}}  {found.declared[place]:>8.0%}{found.made[place]:>8.0%}"]
    yield [f"Passed out {found.passed_out:.0%}"]
    if found.margin.se is not None:
        yield []
        yield ["± is one standard error, by the spread from one pair of games with the same cards to the next."]


def _figure(value: "Figure", unit: int, sign: str) -> str:
    error = "" if value.se is None else f" ± {unit * value.se:.0f}{sign}"
    return f"{unit * value.mean:.0f}{sign}{error}" if sign else f"{value.mean:+.0f}{error}"
