"""`bridgette solve`: the answers as JSON and as text, one deal and files of them, and what it refuses."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.oracle import (
    Oracle,
    bars,
    leader_wins,
    legal_leads,
    legal_replies,
    oracle_tricks,
    oracle_tricks_led,
    read_hand,
    write_hand,
)
from tests.positions import random_positions

DATA = Path(__file__).parent / "data"
WHOLE = "S:AK4.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43"
ENDING = "S:AK.Q..2.L 3.AK..43"
STRAINS = ["NT", "S", "H", "D", "C"]


def records(name):
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def answers(result):
    assert result.code == 0, result
    return [json.loads(line) for line in result.out.splitlines()]


def answer(result):
    (only,) = answers(result)
    return only


def test_whole_deal(bridgette):
    solved = answer(bridgette("solve", WHOLE, "--json"))
    assert list(solved) == ["deal", "tricks", "par"]
    assert solved["deal"] == WHOLE + "."
    assert list(solved["tricks"]) == ["S", "N"]
    assert [list(tricks) for tricks in solved["tricks"].values()] == [STRAINS, STRAINS]
    assert solved["par"]["score"]["S"] == -solved["par"]["score"]["N"]


def test_known_tables(bridgette):
    known = records("tables.jsonl")[::10]
    lines = "".join(record["deal"] + "\n" for record in known)
    solved = answers(bridgette("solve", "--file", "-", "--json", stdin=lines))
    assert [(one["deal"], one["tricks"]) for one in solved] == [(record["deal"], record["tricks"]) for record in known]


def test_known_positions(bridgette):
    for record in [*records("play_small.jsonl")[::40], *records("play_traps.jsonl")[::10]]:
        arguments = ["--strain", record["strain"], "--to-lead", "N", "--json"]
        arguments += ["--barred", record["barred"]] if record["barred"] else []
        arguments += ["--rule", f"free_colon_discard={str(record['free_colon_discard']).lower()}"]
        solved = answer(bridgette("solve", f"N:{record['leader_hand']} {record['follower_hand']}", *arguments))
        assert solved["tricks"]["N"] == record["tricks"], record
        assert sum(solved["tricks"].values()) == len(read_hand(record["leader_hand"]))


def test_position_in_the_form_promised(bridgette):
    solved = answer(bridgette("solve", "--strain", "S", "--to-lead", "N", "--barred", "H", ENDING, "--json"))
    north = oracle_tricks("3.AK..43", "AK.Q..2.L", "S", "H")
    assert solved == {
        "deal": "S:AK.Q..2.L 3.AK..43.",
        "strain": "S",
        "to_lead": "N",
        "barred": "H",
        "led": None,
        "tricks": {"S": 5 - north, "N": north},
    }


def test_cards_are_every_legal_card_best_first(bridgette):
    for position in random_positions(seed=11, count=60, largest=4):
        oracle = Oracle(position.strain, position.free_colon_discard)
        leader, follower = read_hand(position.leader_hand), read_hand(position.follower_hand)
        arguments = ["--strain", position.strain, "--to-lead", "S", "--cards", "--json"]
        arguments += ["--rule", f"free_colon_discard={position.free_colon_discard}"]
        deal = f"S:{position.leader_hand} {position.follower_hand}"
        barred = ["--barred", position.barred] if position.barred else []
        solved = answer(bridgette("solve", deal, *arguments, *barred))
        values = {card["card"]: card["tricks"] for card in solved["cards"]}
        assert values == oracle.lead_values(leader, follower, position.barred), position
        assert list(values.values()) == sorted(values.values(), reverse=True)
        assert solved["tricks"]["S"] == solved["cards"][0]["tricks"]
        led = legal_leads(leader, position.barred)[0]
        solved = answer(bridgette("solve", deal, *arguments, "--led", led))
        assert {card["card"]: card["tricks"] for card in solved["cards"]} == oracle.reply_values(leader, follower, led)
        assert solved["led"] == led
        assert solved["tricks"]["S"] == oracle_tricks_led(
            position.leader_hand, position.follower_hand, position.strain, led, position.free_colon_discard
        )


def test_line_is_legal_and_keeps_the_tricks(bridgette):
    for position in random_positions(seed=12, count=40, largest=5):
        leader, follower = read_hand(position.leader_hand), read_hand(position.follower_hand)
        arguments = ["--strain", position.strain, "--to-lead", "N", "--line", "--json"]
        arguments += ["--rule", f"free_colon_discard={position.free_colon_discard}"]
        arguments += ["--barred", position.barred] if position.barred else []
        deal = f"S:{write_hand(follower)} {write_hand(leader)}"
        solved = answer(bridgette("solve", deal, *arguments))
        assert solved == answer(bridgette("solve", deal, *arguments))
        oracle = Oracle(position.strain, position.free_colon_discard)
        tricks, barred, turn, line = {"S": 0, "N": 0}, position.barred, "N", solved["line"]
        hands = {"N": leader, "S": follower}
        for led, reply in zip(line[::2], line[1::2], strict=True):
            other = "S" if turn == "N" else "N"
            assert led in legal_leads(hands[turn], barred)
            assert reply in legal_replies(hands[other], led, position.free_colon_discard)
            values = oracle.lead_values(hands[turn], hands[other], barred)
            assert values[led] == max(values.values())
            hands = {turn: hands[turn] - {led}, other: hands[other] - {reply}}
            winner = turn if leader_wins(led, reply, position.strain) else other
            tricks[winner] += 1
            barred, turn = bars(led, reply), winner
        assert not hands["N"] and not hands["S"]
        assert tricks == solved["tricks"]


def test_line_of_a_trick_under_way_starts_with_the_reply(bridgette):
    arguments = ("solve", ENDING, "--strain", "S", "--to-lead", "N", "--led", "HA", "--line")
    assert answer(bridgette(*arguments, "--json"))["line"][0] == "HQ"
    assert "1  North ♥A  South ♥Q" in bridgette(*arguments).out


@pytest.mark.parametrize(("strains", "expected"), [("C,NT", ["NT", "C"]), ("s", ["S"]), ("♥,h", ["H"])])
def test_only_the_strains_wanted(bridgette, strains, expected):
    full = answer(bridgette("solve", WHOLE, "--json"))
    solved = answer(bridgette("solve", WHOLE, "--strain", strains, "--json"))
    assert list(solved) == ["deal", "tricks"]
    for seat in "SN":
        assert solved["tricks"][seat] == {strain: full["tricks"][seat][strain] for strain in expected}
        assert list(solved["tricks"][seat]) == expected


def test_north_first_is_the_same_deal(bridgette):
    south, north = WHOLE[2:].split()
    assert bridgette("solve", f"N:{north} {south}", "--json") == bridgette("solve", WHOLE, "--json")
    assert bridgette("solve", f"n: {north}", south.lower(), "--json") == bridgette("solve", WHOLE, "--json")


def test_par_goes_by_the_dealer(bridgette):
    assert bridgette("solve", WHOLE, "--dealer", "S", "--json") == bridgette("solve", WHOLE, "--json")
    assert "North dealing" in bridgette("solve", WHOLE, "--dealer", "N").out
    south, north = WHOLE[2:].split()
    as_dealer = answer(bridgette("solve", f"S:{north} {south}", "--dealer", "N", "--json"))["par"]["score"]
    assert as_dealer["N"] == answer(bridgette("solve", WHOLE, "--json"))["par"]["score"]["S"]


def test_endings_have_no_par(bridgette):
    assert list(answer(bridgette("solve", ENDING, "--json"))) == ["deal", "tricks"]


def test_nothing_but_colons_is_a_deal(bridgette):
    solved = answer(bridgette("solve", "S:....GL A.2...", "--json"))
    for strain in STRAINS:
        assert solved["tricks"]["S"][strain] == 2 - oracle_tricks("A.2...", "....GL", strain)
        assert solved["tricks"]["N"][strain] == 2 - oracle_tricks("....GL", "A.2...", strain)


def test_changed_rules_are_shown(bridgette):
    arguments = ("solve", ENDING, "--rule", "free_colon_discard=true")
    assert answer(bridgette(*arguments, "--json"))["rules"] == ["free_colon_discard=true"]
    assert "Rules: free_colon_discard=true" in bridgette(*arguments).out


def test_table_reads_at_a_glance(bridgette):
    text = bridgette("solve", WHOLE).out
    solved = answer(bridgette("solve", WHOLE, "--json"))
    lines = text.splitlines()
    head = next(number for number, line in enumerate(lines) if line.split() == ["NT", "♠", "♥", "♦", "♣"])
    for row, seat in ((lines[head + 1], "S"), (lines[head + 2], "N")):
        name, *numbers = row.split()
        assert name == {"S": "South", "N": "North"}[seat]
        assert [int(number) for number in numbers] == [solved["tricks"][seat][strain] for strain in STRAINS]
    assert "♠AK4 ♥QT2 ♦KJ9 ♣A52 :G" in text
    assert "\x1b" not in text


def test_letters_where_symbols_cannot_show_and_no_cut_in_a_pipe():
    command = [sys.executable, "-c", "from advisor.cli import main; main()", "solve", WHOLE]
    environment = {"PYTHONIOENCODING": "ascii", "COLUMNS": "20", "PATH": "", "HOME": str(Path.home())}
    result = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert result.stdout.isascii() and result.stderr == b""
    assert b"SAK4 HQT2 DKJ9 CA52 :G" in result.stdout
    assert b"NT    S    H    D    C" in result.stdout


BAD_DEALS = {
    "": "'' is not a deal",
    "nonsense": "'nonsense' is not a deal",
    "S:AK4.QT2.KJ9.A52.G": "1 hand",
    "S:AK4.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ4": "South has 13 cards and North 12",
    "S:AK4.QT2.KJ9.A5.G QJ9.AK4.AQT.KQ43": "South has 12 cards and North 13",
    "S:AAK.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43": "SA",
    "S:AK4.QT2.KJ9.A52.G AJ9.AK4.AQT.KQ43": "SA is in both hands",
    "S:AK1.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43": "'1'",
    "S:AK4.QT2.KJ9.A52.X QJ9.AK4.AQT.KQ43": "'X'",
    "S:A2345.QT2.KJ9.A52.G QKJT9.AK4.AQT.KQ4": "expected at most 13",
    "S:.... ....": "empty",
    "W:AK4.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43": "not a deal",
    "ſ:AK4.QT2.KJ9.A52.G QJ9.AK4.AQT.KQ43": "not a deal",
}


@pytest.mark.parametrize("deal", BAD_DEALS)
def test_bad_deals(refused, deal):
    assert BAD_DEALS[deal] in refused("solve", deal)


def test_all_faults_at_once(refused):
    complaint = refused("solve", "S:AK4.QT2.KJ9.A5.G AJ9.AK4.AQT.KQ43")
    assert "12" in complaint and "SA is in both hands" in complaint


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--barred", "Z", "--strain", "S", "--to-lead", "N"], "--barred: 'Z' is not a suit; expected C, D, H or S"),
        (["--barred", "NT", "--strain", "S", "--to-lead", "N"], "--barred: 'NT' is not a suit"),
        (["--barred", "H"], "--barred without --to-lead"),
        (["--led", "HA"], "--led without --to-lead"),
        (["--cards"], "--cards without --to-lead"),
        (["--line"], "--line without --to-lead"),
        (["--to-lead", "N"], "expected one"),
        (["--to-lead", "N", "--strain", "S,H"], "expected one"),
        (["--to-lead", "W", "--strain", "S"], "--to-lead: 'W' is not a seat"),
        (["--to-lead", "N", "--strain", "S", "--dealer", "S"], "--dealer with --to-lead"),
        (["--to-lead", "N", "--strain", "S", "--led", "SA"], "SA led by North: not in the hand"),
        (["--to-lead", "N", "--strain", "S", "--led", "HA", "--barred", "H"], "barred"),
        (["--to-lead", "N", "--strain", "S", "--led", "Z9"], "--led: 'Z9' is not a card"),
        (["--strain", "NT,X"], "--strain: 'X' is not a strain"),
        (["--strain", ""], "--strain"),
        (["--dealer", "S"], "--dealer"),
        (["--led", ""], "--led without --to-lead"),
        (["--barred", ""], "--barred without --to-lead"),
        (["--dealer", "", "--to-lead", "N", "--strain", "S"], "--dealer with --to-lead"),
        (["--keep-going"], "--keep-going without --file"),
        (["--file", "-"], "a deal with --file"),
        (["--threads", "0"], "--threads"),
        (["--rule", "free_colon_discard=maybe"], "free_colon_discard"),
    ],
)
def test_bad_options(refused, options, complaint):
    assert complaint in refused("solve", ENDING, *options)


def test_file(bridgette, tmp_path):
    path = tmp_path / "deals.txt"
    path.write_text(f"# two deals\n{WHOLE}\n\n{ENDING}\n")
    solved = answers(bridgette("solve", "--file", str(path), "--json"))
    assert solved == [answer(bridgette("solve", deal, "--json")) for deal in (WHOLE, ENDING)]
    text = bridgette("solve", "--file", str(path)).out
    assert text == bridgette("solve", WHOLE).out + "\n" + bridgette("solve", ENDING).out


def test_file_of_positions(bridgette, refused):
    arguments = ("solve", "--file", "-", "--strain", "NT", "--to-lead", "S", "--led", "SA", "--json")
    solved = answers(bridgette(*arguments, stdin="S:A.... ....G\nS:AK... .32..\n"))
    assert [one["tricks"]["S"] for one in solved] == [1, 2]
    assert "line 2: SA led by South: not in the hand" in refused(*arguments, stdin="S:A.... ....G\nS:K.... ....G\n")


def test_deals_before_the_exchange_can_be_solved(typed):
    packs = typed("bridgette deal --pack --count 2 --seed 3 --json")
    solved = typed("bridgette deal --pack --count 2 --seed 3 | bridgette solve --strain NT --file - --json")
    assert [one["deal"] for one in answers(solved)] == [one["deal"] for one in answers(packs)]


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_same_answers_for_any_number_of_threads(bridgette, threads):
    deals = bridgette("deal", "--count", "70", "--seed", "9").out
    one = bridgette("solve", "--file", "-", "--json", "--threads", "1", stdin=deals)
    assert bridgette("solve", "--file", "-", "--json", "--threads", threads, stdin=deals) == one
    assert [one["deal"] for one in answers(one)] == deals.splitlines()


def test_bad_line_refuses_the_whole_file(refused):
    complaint = refused("solve", "--file", "-", "--json", stdin=f"{ENDING}\n\nS:A.... A....\n{ENDING}\n")
    assert complaint == "bridgette: standard input, line 3: SA is in both hands\n"


def test_keep_going(bridgette):
    lines = f"{ENDING}\n\nS:A.... A....\nnonsense\n{WHOLE}\n"
    result = bridgette("solve", "--file", "-", "--keep-going", "--json", stdin=lines)
    assert result.code == 2
    assert [json.loads(line)["deal"] for line in result.out.splitlines()] == [ENDING + ".", WHOLE + "."]
    assert [line.partition(": ")[2].partition(":")[0] for line in result.err.splitlines()] == [
        "standard input, line 3",
        "standard input, line 4",
    ]


@pytest.mark.parametrize("content", [b"", b"\n# nothing\n", b"\x7fELF\x02\x01\x01\x00\xff", b"S:" + b"A" * 10_000_000])
def test_bad_files(refused, tmp_path, content):
    path = tmp_path / "deals.txt"
    path.write_bytes(content)
    assert str(path) in refused("solve", "--file", str(path))
    assert str(tmp_path) in refused("solve", "--file", str(tmp_path))
    assert "missing" in refused("solve", "--file", str(tmp_path / "missing.txt"))


def test_no_deal_at_all(refused):
    assert "there is no deal" in refused("solve")


def test_interruption_of_a_long_run_leaves_whole_lines():
    main = [sys.executable, "-c", "from advisor.cli import main; main()"]
    deals = subprocess.run([*main, "deal", "--count", "5000"], capture_output=True, check=True).stdout
    command = [*main, "solve", "--file", "-", "--json", "--threads", "1"]
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1) as process:
        process.stdin.write(deals)
        process.stdin.close()
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, complaint = process.stdout.read(), process.stderr.read()
    assert process.returncode == 130
    lines = (first + rest).splitlines(keepends=True)
    assert 0 < len(lines) < 5000
    for line in lines:
        assert line.endswith(b"\n") and json.loads(line)["tricks"]
    assert complaint.startswith(b"Interrupted after ")


def test_interruption_leaves_what_was_answered(bridgette, monkeypatch):
    import solver.double_dummy

    def interrupted(deals, rules, threads):
        for number, deal in enumerate(deals):
            if number == 2:
                raise KeyboardInterrupt
            yield solver.double_dummy.table(deal, rules)

    monkeypatch.setattr(solver.double_dummy, "iter_tables", interrupted)
    result = bridgette("solve", "--file", "-", "--json", stdin=f"{ENDING}\n" * 5)
    assert result.code == 130
    assert len(result.out.splitlines()) == 2
    assert "Interrupted after 2 answers" in result.err
