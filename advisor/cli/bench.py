"""`bridgette bench`: how fast the solver is here."""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from advisor.cli.options import MOST_THREADS, JsonOption, RuleOption
from advisor.cli.output import Line, note, show, write_json
from advisor.cli.progress import with_progress
from advisor.cli.render import counted, rules_json, rules_lines
from advisor.deal_sets import Kind, deals_of, hard_deals
from advisor.seeds import MOST_SEED
from solver.rules import DEFAULT_RULES, Rules

if TYPE_CHECKING:
    from advisor.speed import Solved, Spread

DEFAULT_SEED = 1


def command(
    deals: Annotated[int, typer.Option("--deals", metavar="N", min=1, help="How many deals.")] = 100,
    colons: Annotated[
        int | None,
        typer.Option("--colons", metavar="C", min=0, max=3, help="Only deals with so many colons in the two hands."),
    ] = None,
    kind: Annotated[
        Kind, typer.Option("--kind", help="Hands as dealt, hands after the exchange, or the slowest deals known.")
    ] = Kind.RANDOM,
    threads: Annotated[
        int, typer.Option("--threads", metavar="N", min=1, max=MOST_THREADS, help="Threads to use.")
    ] = 1,
    cold: Annotated[
        bool,
        typer.Option("--cold", help="Forget between deals: positions then repeat exactly, whatever the threads."),
    ] = False,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            metavar="N",
            min=0,
            max=MOST_SEED,
            help="Start of the random numbers, always the same unless given.",
        ),
    ] = DEFAULT_SEED,
    rule: RuleOption = None,
    as_json: JsonOption = False,
) -> None:
    """How fast the solver is here.

    A table is all five strains with either declarer: ten results. Milliseconds are of the processor that solves it,
    tables a second are by the clock. Positions are counted as they are looked at (probed), and those of them whose
    moves had to be tried (expanded).

    \b
    Examples:
      bridgette bench --deals 100 --colons 2 --json
      bridgette bench --deals 5 --kind hard
    """
    rules = Rules.with_choices(rule or [])
    to_solve = deals_of(kind, deals, colons, seed, rules)
    start = time.perf_counter()
    from advisor.speed import load_search, solved

    load_search()
    ready = time.perf_counter() - start
    answers: list[Solved] = []
    start = time.perf_counter()

    def give() -> None:
        took = time.perf_counter() - start
        result = Result(kind, colons, threads, cold, seed, rules, answers, took, ready)
        if as_json:
            write_json(result.json())
        else:
            show(result.lines())

    try:
        one_by_one = solved(to_solve, threads, cold, rules)
        for answer in with_progress(one_by_one, len(to_solve), "Deals", answers_at_the_end=True):
            answers.append(answer)
    except KeyboardInterrupt:
        note(f"Interrupted after {counted(len(answers), 'table')}.")
        if answers:
            give()
        raise
    give()


@dataclass(frozen=True, slots=True)
class Result:
    """The tables solved, `seconds` by the clock for all, and `compile_seconds` until the search was ready."""

    kind: Kind
    colons: int | None
    threads: int
    cold: bool
    seed: int
    rules: Rules
    answers: "list[Solved]"
    seconds: float
    compile_seconds: float

    def json(self) -> dict[str, Any]:
        """The fields of the JSON answer."""
        from advisor.speed import TABLE_BYTES

        milliseconds, nodes = self._spreads()
        return {
            "deals": len(self.answers),
            "colons": self.colons,
            "threads": self.threads,
            "kind": str(self.kind),
            "seed": self.seed,
            "cold": self.cold,
            "ms_per_table": _rounded(milliseconds, 3),
            "nodes_per_table": {name: _rounded(spread, 1) for name, spread in nodes.items()},
            "tables_per_second": round(self._per_second(), 2),
            "compile_s": round(self.compile_seconds, 3),
            "table_bytes": TABLE_BYTES,
            **({} if self._wrong() is None else {"wrong_tables": self._wrong()}),
        } | rules_json(self.rules)

    def lines(self) -> Iterator[Line]:
        """The result as a person reads it."""
        from advisor.speed import TABLE_BYTES

        milliseconds, nodes = self._spreads()
        yield from rules_lines(self.rules)
        of = "" if self.colons is None else f" with {counted(self.colons, 'colon')}"
        seed = "" if self.kind == Kind.HARD else f", seed {self.seed}"
        table = "emptied before each deal" if self.cold else "kept from deal to deal"
        yield [
            f"{len(self.answers)} {self.kind} {'deal' if len(self.answers) == 1 else 'deals'}{of}{seed}; "
            f"{counted(self.threads, 'thread')}, memory {table}"
        ]
        yield []
        yield [(f"{'A table takes':<24}{'mean':>12}{'median':>12}{'p99':>12}{'max':>12}", "bold")]
        rows = {"milliseconds": milliseconds, **{f"positions {name}": spread for name, spread in nodes.items()}}
        for name, spread in rows.items():
            places = 1 if spread is milliseconds else 0
            yield [f"{name:<24}" + "".join(f"{number:>12,.{places}f}" for number in asdict(spread).values())]
        yield []
        yield [f"{self._per_second():.1f} tables a second, {TABLE_BYTES / 2**20:.0f} MB of memory a thread"]
        yield [f"Search ready after {self.compile_seconds:.1f} s (importing, and compiling the first time)"]
        if (wrong := self._wrong()) is not None:
            yield [f"{len(self.answers) - wrong} of {counted(len(self.answers), 'table')} as stored"]

    def _spreads(self) -> "tuple[Spread, dict[str, Spread]]":
        from advisor.speed import Spread

        return Spread.of([answer.milliseconds for answer in self.answers]), {
            "expanded": Spread.of([answer.expanded for answer in self.answers]),
            "probed": Spread.of([answer.probed for answer in self.answers]),
        }

    def _per_second(self) -> float:
        return len(self.answers) / self.seconds

    def _wrong(self) -> int | None:
        """How many tables differ from the stored ones; None where none are stored."""
        if self.kind != Kind.HARD or self.rules.free_colon_discard != DEFAULT_RULES.free_colon_discard:
            return None
        return sum(hard_deals()[answer.table.deal] != answer.table.rows for answer in self.answers)


def _rounded(spread: "Spread", places: int) -> dict[str, float]:
    return {name: round(number, places) for name, number in asdict(spread).items()}
