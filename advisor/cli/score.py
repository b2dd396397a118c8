"""`bridgette score`: what a contract scores for each player, item by item."""

from collections.abc import Iterator
from typing import Annotated

import typer

from advisor.cli.options import JsonOption, RuleOption
from advisor.cli.output import Line, show, write_json
from advisor.cli.render import contract_pieces, counted, item_line, points_text, rules_json, rules_lines
from solver.auction import contract_text, parse_contract
from solver.deal import Seat
from solver.errors import BridgetteError
from solver.rules import Rules
from solver.scoring import Score, score


def command(
    contract: Annotated[
        list[str],
        typer.Argument(help="The bid, X or XX if doubled or redoubled, and the declarer: 4HX S. Or: passed out."),
    ],
    tricks: Annotated[
        int | None, typer.Option("--tricks", metavar="N", help="How many the declarer took, 0 to 13.")
    ] = None,
    rule: RuleOption = None,
    as_json: JsonOption = False,
) -> None:
    """What a contract scores.

    The points for each player, with the sum item by item as the declarer's points.

    \b
    Example:
      bridgette score "4HX S" --tricks 9
    """
    rules = Rules.with_choices(rule or [])
    played = parse_contract(" ".join(contract))
    if played is not None and tricks is None:
        raise BridgetteError(f"--tricks is missing; expected how many {played.declarer.title} took, 0 to 13")
    result = score(played, tricks, rules)
    if as_json:
        write_json(
            {
                "contract": contract_text(result.contract),
                "tricks": result.tricks,
                "score": {seat.letter: result.points(seat) for seat in Seat},
                "items": [{"what": item.what, "points": item.points} for item in result.items],
            }
            | rules_json(rules)
        )
    else:
        show(score_lines(result, rules))


def score_lines(result: Score, rules: Rules) -> Iterator[Line]:
    """The sum as a person reads it, the items with the declarer's points."""
    yield from rules_lines(rules)
    headline: list[str | tuple[str, str]] = [*contract_pieces(result.contract)]
    if result.tricks is not None:
        headline.append(f", {counted(result.tricks, 'trick')}")
    yield headline
    for item in result.items:
        yield item_line(item, result.contract)
    yield [("  ".join(f"{seat.title} {points_text(result.points(seat))}" for seat in Seat), "bold")]
