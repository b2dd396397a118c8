"""All that is computed beforehand, as one file: trick model, exchange policy, blueprint, and the rules behind them."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.blueprint import Blueprint
from advisor.exchange_policy import ExchangePolicy, ValueNet
from advisor.packs import CONTEXTS
from advisor.strategies import DECISIONS
from advisor.trick_model import TrickTables
from solver.auction_states import CALLS, declarer_points
from solver.rules import DEFAULT_RULES, Rules

DATA = Path(__file__).parent / "data"
_FORMAT = 2
_TRICK_UNIT = 1e-3  # trick tables are stored as whole thousandths
_NET_UNIT = 2.0**-12  # so are the net's sums over holdings, in this unit
_SHARE_STEPS = 50  # shares of calls are stored as whole fiftieths of the likeliest call's


@dataclass(frozen=True, slots=True)
class Model:
    """Trick model, exchange policy and blueprint.

    `built_for` are the rules that they were computed for; the scores and the legality in `blueprint` may be those of
    other rules, see `model_for`.
    """

    tricks: TrickTables
    exchange: ExchangePolicy
    blueprint: Blueprint
    built_for: Rules

    def for_rules(self, rules: Rules) -> "Model":
        """The same strategies where other rules hold: only the scores and the legality of bids become theirs."""
        if rules == self.built_for:
            return self
        old = self.blueprint
        blueprint = Blueprint(
            old.tables, old.centres, old.policy, declarer_points(rules), old.passed_out, rules.nt_jump_min
        )
        return Model(self.tricks, self.exchange, blueprint, self.built_for)


def file_name(rules: Rules) -> str:
    """The name of the model's file for these rules: `default.npz`, `nt_jump_min-3.npz`."""
    return ("+".join(choice.replace("=", "-") for choice in rules.changed) or "default") + ".npz"


@lru_cache(maxsize=4)
def model_for(rules: Rules = DEFAULT_RULES) -> Model:
    """The model computed for these rules if it is installed, else the default's with their scores and legality.

    `model.built_for` differs from `rules` in the second case: advice then rests on the default's strategies.
    """
    path = DATA / file_name(rules)
    return load(path if path.exists() else DATA / file_name(DEFAULT_RULES)).for_rules(rules)


def save(model: Model, path: Path) -> None:
    """Write a model as one compressed file; the parent folder must exist.

    Trick tables are kept to a thousandth of a trick, the shares of calls to a fiftieth of the likeliest call's.
    """
    policy = np.concatenate([weights.reshape(-1, CALLS) for weights in model.blueprint.policy])
    highest = policy.max(axis=1, keepdims=True)
    shares = np.rint(_SHARE_STEPS * policy / np.where(highest > 0, highest, 1)).astype(np.uint8)
    rows, calls = np.nonzero(shares)
    header = {
        "format": _FORMAT,
        "rules": list(model.built_for.changed),
        "buckets": [len(centres) for centres in model.blueprint.centres],
        "passed_out": list(model.blueprint.passed_out),
    }
    arrays: dict[str, NDArray[Any]] = {
        "header": np.frombuffer(json.dumps(header).encode(), dtype=np.uint8),
        "centres": np.concatenate(model.blueprint.centres).astype(np.float32),
        "counts": np.bincount(rows, minlength=len(policy)).astype(np.uint8),
        "calls": calls.astype(np.uint8),
        "shares": shares[rows, calls],
    }
    for name, table in model.tricks._asdict().items():
        arrays[f"tricks_{name}"] = np.rint(table / _TRICK_UNIT).astype(np.int16)
    for name, layer in model.exchange.net._asdict().items():
        arrays[f"net_{name}"] = layer
    arrays["net_holdings"] = np.rint(model.exchange.net.holdings / _NET_UNIT).astype(np.int16)
    write_arrays(path, arrays)


def load(path: Path) -> Model:
    """Read a model's file."""
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    header = json.loads(arrays["header"].tobytes())
    if header["format"] != _FORMAT:
        raise ValueError(f"{path} has format {header['format']}, expected {_FORMAT}: build it again")
    rules = Rules.with_choices(header["rules"])
    tricks = TrickTables(*(arrays[f"tricks_{name}"] * _TRICK_UNIT for name in TrickTables._fields))
    arrays["net_holdings"] = (arrays["net_holdings"] * _NET_UNIT).astype(np.float32)
    net = ValueNet(*(arrays[f"net_{name}"] for name in ValueNet._fields))
    policy = np.zeros((len(arrays["counts"]), CALLS), dtype=np.float32)
    rows = np.repeat(np.arange(len(policy)), arrays["counts"])
    policy[rows, arrays["calls"]] = arrays["shares"]
    totals = policy.sum(axis=1, keepdims=True)
    policy /= np.where(totals > 0, totals, 1)
    ends = np.cumsum(header["buckets"])[: CONTEXTS - 1]
    blueprint = Blueprint(
        tricks,
        [centres.astype(np.float64) for centres in np.split(arrays["centres"], ends)],
        np.split(policy.reshape(-1, DECISIONS, CALLS), ends),
        declarer_points(rules),
        header["passed_out"],
        rules.nt_jump_min,
    )
    return Model(tricks, ExchangePolicy(net), blueprint, rules)


def write_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Write named arrays compressed, so that a kill at any moment leaves the whole file or none."""
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    partial.replace(path)
