"""What was learned and how well it holds, as a page of Markdown: fit, calibration, readable weights, exploitability."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from advisor import trick_model
from advisor.build.deals import CLASS_CHANCES, Deals
from advisor.build.learn import trick_rows
from advisor.build.work import Arrays
from advisor.model import Model
from advisor.packs import CLASS_NAMES, CONTEXTS, DRAW_CLASSES

ROLES = ("dealer", "non-dealer")
_KINDS = (("a suit", [0, 1, 2, 3]), ("no trump", [4]))


def write_report(
    path: Path,
    settings: str,
    model: Model,
    learned: Deals,
    held_out: Deals,
    solved: list[Arrays],
    exploited: list[Arrays],
) -> None:
    """Write the page."""
    hands, contexts, tricks = trick_rows(held_out)
    predicted = trick_model.predict(hands, contexts, model.tricks)
    lines = ["# The strategies, measured", "", "Written by `python -m advisor.build`, with these settings:", ""]
    lines += [f"    {line}" for line in settings.splitlines()]
    lines += ["", "## Trick model", "", f"On {len(held_out.hands)} deals that it did not learn from.", ""]
    lines += _fit_table(predicted, contexts, tricks)
    lines += [
        "",
        "Chances to take at least 6 to 13 tricks, from a normal with these spreads, against what happened:",
        "",
    ]
    deviation = np.array([trick_model.spread(context, model.tricks) for context in range(CONTEXTS)])[contexts]
    lines += ["| chance said | share found | cases |", "|---|---|---|"]
    for said, share, cases in trick_model.calibration(predicted, deviation, tricks):
        lines.append(f"| {100 * said:.1f}% | {100 * share:.1f}% | {cases:.0f} |")
    lines += ["", "## What cards are worth", "", "Tricks, by least squares; a rule of thumb, not the model itself.", ""]
    lines += _weights_table(*trick_rows(learned))
    lines += ["", "## Blueprint", ""]
    lines += _blueprint_table(solved, exploited)
    path.write_text("\n".join(lines) + "\n")


def _fit_table(predicted: NDArray[np.float64], contexts: NDArray[np.int64], tricks: NDArray[np.int64]) -> list[str]:
    lines = [
        "| | draws | contract | R², declaring | residual | R², defending | residual |",
        "|---|---|---|---|---|---|---|",
    ]
    for role in range(2):
        for draw_class in [*range(DRAW_CLASSES), None]:
            chosen = contexts // DRAW_CLASSES == role
            if draw_class is not None:
                chosen &= contexts % DRAW_CLASSES == draw_class
            for kind, strains in _KINDS:
                cells = []
                for side in range(2):
                    columns = np.array(strains) + 5 * side
                    fit = trick_model.measure(predicted[chosen][:, columns], tricks[chosen][:, columns])
                    cells += [f"{fit.r2:.3f}", f"{fit.rmse:.2f}"]
                draws = "all" if draw_class is None else str(4 * (draw_class + 1))
                lines.append(f"| {ROLES[role]} | {draws} | {kind} | {' | '.join(cells)} |")
    return lines


def _features(hands: NDArray[np.int64], trump: int | None) -> tuple[list[str], NDArray[np.float64]]:
    """Named counts of what a learner can see, (N, F); the suits that are not trump together."""
    holdings = hands[:, None] >> np.arange(0, 52, 13) & 0x1FFF
    bits = (holdings[:, :, None] >> np.arange(13) & 1).astype(np.float64)
    length = bits.sum(axis=2)
    ace, king, queen, jack, ten = (bits[:, :, rank] for rank in (12, 11, 10, 9, 8))
    columns: dict[str, NDArray[np.float64]] = {}
    rest = [suit for suit in range(4) if suit != trump]
    if trump is not None:
        columns["each trump"] = length[:, trump]
        for name, honour in zip("AKQJT", (ace, king, queen, jack, ten), strict=True):
            columns[f"trump {name}"] = honour[:, trump]
    side = "side " if trump is not None else ""
    columns[f"{side}A"] = ace[:, rest].sum(axis=1)
    columns[f"{side}K, guarded"] = (king * (length >= 2))[:, rest].sum(axis=1)
    columns[f"{side}Q, third"] = (queen * (length >= 3))[:, rest].sum(axis=1)
    columns[f"{side}J, third"] = (jack * (length >= 3))[:, rest].sum(axis=1)
    columns["void"] = (length == 0)[:, rest].sum(axis=1).astype(np.float64)
    columns["singleton"] = (length == 1)[:, rest].sum(axis=1).astype(np.float64)
    columns["each card over four"] = np.maximum(length - 4, 0)[:, rest].sum(axis=1)
    for number, colon in enumerate((":L", ":R", ":G")):
        columns[colon] = (hands >> (52 + number) & 1).astype(np.float64)
    columns["constant"] = np.ones(len(hands))
    return list(columns), np.stack(list(columns.values()), axis=1)


def _weights_table(hands: NDArray[np.int64], contexts: NDArray[np.int64], tricks: NDArray[np.int64]) -> list[str]:
    weights: dict[str, list[str]] = {}
    heads = []
    for plan, strains in (("a suit", [0, 1, 2, 3]), ("no trump", [4])):
        for role in range(2):
            chosen = np.flatnonzero(contexts // DRAW_CLASSES == role)
            rows, results = [], []
            names: list[str] = []
            for strain in strains:
                names, features = _features(hands[chosen], strain if strain < 4 else None)
                rows.append(features)
                results.append(tricks[chosen, strain])
            fitted = np.linalg.lstsq(np.concatenate(rows), np.concatenate(results).astype(np.float64), rcond=None)[0]
            heads.append(f"{ROLES[role]}, {plan}")
            for name, weight in zip(names, fitted, strict=True):
                cells = weights.setdefault(name, [""] * 4)
                cells[len(heads) - 1] = f"{weight:+.2f}"
    lines = [f"| declaring | {' | '.join(heads)} |", "|---|---|---|---|---|"]
    order = [name for name in weights if name != "constant"]
    return lines + [f"| {name} | {' | '.join(weights[name])} |" for name in [*order, "constant"]]


def _blueprint_table(solved: list[Arrays], exploited: list[Arrays]) -> list[str]:
    lines = [
        "Points a deal. *Exploited*: what a response to the purified strategies, found inside the abstraction, wins",
        "over their value, by the dealer and by the non-dealer: on the deals that both learned from, and on deals that",
        "neither has seen.",
        "",
        "| upcard | dealer's value | purified "
        "| exploited by dealer, deals learned | by non-dealer | by dealer, unseen deals | by non-dealer |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = [[*each["values"], *response["exploited"].ravel()] for each, response in zip(solved, exploited, strict=True)]
    rows.append(list(CLASS_CHANCES @ np.array(rows)))
    for name, row in zip([*CLASS_NAMES, "all, as they come"], rows, strict=True):
        lines.append(f"| {name} | {' | '.join(f'{cell:.1f}' for cell in row)} |")
    return lines
