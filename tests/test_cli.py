"""The command line as a whole: its start, its help, its exit codes, what goes to which stream."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from solver.errors import interruptions

HEAVY = ("numba", "numpy", "ortools", "rich", "pandas", "scipy", "sklearn")


def subcommands(bridgette):
    help_text = bridgette("--help").out
    return [line.split()[0] for line in help_text.partition("Commands:\n")[2].splitlines() if line.strip()]


def python(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize("arguments", [["--help"], ["solve", "--help"], ["score", "4HX S", "--tricks", "9"]])
def test_starts_without_heavy_imports(arguments):
    result = python(
        "import sys, atexit\n"
        f"loaded = lambda: [name for name in {HEAVY} if name in sys.modules]\n"
        "atexit.register(lambda: print('loaded', loaded(), file=sys.stderr))\n"
        f"from advisor.cli import main\nmain({arguments})"
    )
    assert result.returncode == 0, result.stderr
    assert "loaded []" in result.stderr


def test_help_of_every_subcommand_has_examples_that_work_as_printed(bridgette, typed):
    names = subcommands(bridgette)
    assert {"solve", "score", "deal"} <= set(names)
    for name in names:
        result = bridgette(name, "--help")
        assert result.code == 0 and result.err == ""
        assert bridgette(name, "-h") == result
        assert "--json" in result.out
        assert result.out.isascii()
        examples = [line.strip() for line in result.out.splitlines() if line.strip().startswith("bridgette ")]
        assert examples and any(f"bridgette {name} " in example for example in examples), name
        for example in examples:
            assert typed(example).out, example


def test_no_arguments_is_help(bridgette):
    assert bridgette() == bridgette("--help")


def test_version(bridgette):
    assert bridgette("--version").out.startswith("bridgette ")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["frobnicate"], "frobnicate"),
        (["deal", "--bogus"], "--bogus"),
        (["deal", "--count"], "--count"),
        (["deal", "--count", "zero"], "--count"),
        (["deal", "--count", "0"], "--count"),
        (["deal", "extra"], "extra"),
        (["deal", "--seed", "-1"], "--seed"),
        (["bench", "--threads", "257"], "--threads"),
        (["solve", "--threads", "257", "S:A.... K...."], "--threads"),
        (["simulate", "greedy", "random", "--threads", "257"], "--threads"),
        (["score"], "contract"),
        (["score", "4HX S", "--tricks", "9", "--rule", "no_such_rule=1"], "no_such_rule"),
        (["score", "4HX S", "--tricks", "9", "--rule", "insult_multiplied"], "NAME=VALUE"),
    ],
)
def test_wrong_options_are_one_line(refused, arguments, complaint):
    assert complaint in refused(*arguments)


def test_complaint_about_a_huge_text_stays_short(refused):
    refused("score", "9" * 100_000, "--tricks", "9")
    refused("score", "4H S\n\n4H S", "--tricks", "9")
    refused("solve", "--file", "missing\nfile.txt")
    assert len(refused("solve", "--file", "x" * 5000)) < 1000


def test_reader_that_closes_the_pipe_early_sees_no_traceback():
    command = f"{sys.executable} -c 'from advisor.cli import main; main()' deal --count 20000 | head -n 1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("S:")
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("typed", "code", "out", "error"),
    [
        ("score '4H S' --tricks 9 >/dev/full", 1, "", "bridgette: standard output: no space left on device\n"),
        ("score '4H S' --tricks 9 --json >/dev/full", 1, "", "bridgette: standard output: no space left on device\n"),
        ("score '4H S' --tricks 9 >&-", 0, "", ""),
        ("score '4H S' --tricks 99 2>&-", 2, "", ""),
        ("solve --strain S 'S:A.... K....' 2>&- | grep -c South", 0, "2\n", ""),
        (
            "solve --file - <&-",
            2,
            "",
            "bridgette: standard input: there is no deal in it; expected one a line\n",
        ),
    ],
)
def test_streams_that_are_closed_or_full_leave_no_traceback(typed, code, out, error):
    if "/dev/full" in typed and not Path("/dev/full").is_char_device():
        pytest.skip("there is no device that is always full")
    command = f"{sys.executable} -c 'from advisor.cli import main; main()' {typed}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (code, out, error)


def test_score(bridgette):
    result = bridgette("score", "4HX S", "--tricks", "9", "--json")
    assert json.loads(result.out) == {
        "contract": "4HX S",
        "tricks": 9,
        "score": {"S": -200, "N": 200},
        "items": [{"what": "1 short, doubled", "points": -200}],
    }
    assert result.err == ""
    assert bridgette("score", "4♥x", "s", "--tricks", "9", "--json").out == result.out
    text = bridgette("score", "4HX S", "--tricks", "9").out
    assert "1 short, doubled" in text and "South -200  North +200" in text


def test_score_shows_the_whole_sum_and_the_rules(bridgette):
    arguments = ("score", "6NTXX N", "--tricks", "12", "--rule", "insult_multiplied=false")
    answer = json.loads(bridgette(*arguments, "--json").out)
    assert answer["score"] == {"S": -10200, "N": 10200}
    assert sum(item["points"] for item in answer["items"]) == 10200
    assert answer["rules"] == ["insult_multiplied=false"]
    text = bridgette(*arguments).out
    assert "insult_multiplied=false" in text
    for item in answer["items"]:
        assert any(item["what"] in line and str(item["points"]) in line for line in text.splitlines()), item


def test_score_of_a_deal_passed_out(bridgette, refused):
    answer = json.loads(bridgette("score", "passed out", "--json").out)
    assert answer == {"contract": "passed out", "tricks": None, "score": {"S": 0, "N": 0}, "items": []}
    assert "passed out" in refused("score", "passed out", "--tricks", "9")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["4HX S"], "--tricks"),
        (["4HX", "--tricks", "9"], "'4HX' is not a contract"),
        (["4HXXX S", "--tricks", "9"], "'4HXXX S' is not a contract"),
        (["0S S", "--tricks", "9"], "0S"),
        (["8H S", "--tricks", "9"], "'8H S' is not a contract"),
        (["4HX S", "--tricks", "14"], "14"),
        (["4HX S", "--tricks", "-1"], "-1"),
    ],
)
def test_score_refuses(refused, arguments, complaint):
    assert complaint in refused("score", *arguments)


def test_deals_repeat_with_their_seed(bridgette):
    three = bridgette("deal", "--count", "3", "--seed", "7").out
    assert three == bridgette("deal", "--count", "3", "--seed", "7").out
    assert three.count("\n") == 3
    assert bridgette("deal", "--count", "5", "--seed", "7").out.startswith(three)
    assert three != bridgette("deal", "--count", "3", "--seed", "8").out
    assert bridgette("deal").out != bridgette("deal").out


def test_deals_as_json(bridgette):
    answers = [json.loads(line) for line in bridgette("deal", "--count", "3", "--seed", "7", "--json").out.splitlines()]
    assert [answer["deal"] for answer in answers] == bridgette("deal", "--count", "3", "--seed", "7").out.splitlines()
    assert [(answer["seed"], answer["number"]) for answer in answers] == [(7, 1), (7, 2), (7, 3)]
    drawn = json.loads(bridgette("deal", "--json").out)
    assert bridgette("deal", "--seed", str(drawn["seed"])).out.strip() == drawn["deal"]


def test_packs(bridgette):
    from solver.cards import Card
    from solver.deal import Deal, Pack

    text = bridgette("deal", "--pack", "--seed", "7").out.strip()
    answer = json.loads(bridgette("deal", "--pack", "--seed", "7", "--json").out)
    pack = Pack.parse(text)
    assert pack.deal == Deal.parse(answer["deal"])
    assert pack.dealer.letter == answer["dealer"]
    assert list(pack.stock) == [Card.parse(card) for card in answer["stock"]]
    assert answer["upcard"] == answer["stock"][0]


def test_interrupted_while_it_starts_it_ends_quietly():
    code = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'typer':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from advisor.cli import main\n"
        "main(['--help'])"
    )
    result = python(code)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")


def test_an_interruption_that_a_compiled_function_turned_into_another_error_is_one():
    with pytest.raises(KeyboardInterrupt), interruptions():
        raise SystemError from KeyboardInterrupt()
    with pytest.raises(SystemError), interruptions():
        raise SystemError from ValueError()
