"""The command line as a contract: exit codes, streams, JSON shapes, one sentence for each mistake."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.running import ROOT, tutor, tutor_apart
from tutor.i18n import _, speak
from tutor.paths import resources


def test_decks_list_has_the_promised_shape() -> None:
    """All decks with ids, languages, counts by kind and level."""
    decks = json.loads(tutor("decks", "list", "--json").stdout)
    assert {"id", "title", "quiz", "languages", "items", "kinds", "levels", "evidence"} <= set(decks[0])
    by_id = {deck["id"]: deck for deck in decks}
    assert by_id["seed-checkpointing"]["languages"] == ["en", "tr", "vi"]
    assert by_id["seed-checkpointing"]["translated"] == {"en": 8, "tr": 8, "vi": 8}
    assert all(deck["translated"]["en"] == deck["items"] for deck in decks)
    assert all(sum(deck[counts].values()) == deck["items"] for deck in decks for counts in ("kinds", "levels"))
    assert all(sum(deck["evidence"].values()) >= deck["items"] for deck in decks)
    scheduled = [deck for deck in decks if not deck["quiz"]]
    assert len(scheduled) == 10
    assert sum(deck["items"] for deck in scheduled) >= 300
    assert all(
        deck["sealed"] >= 1 and deck["kinds"]["numeric"] >= 5 and deck["kinds"]["explain"] >= 3 for deck in scheduled
    )
    assert sum(deck["kinds"].get("predict", 0) > 0 for deck in scheduled) >= 9


def test_the_common_options_stand_before_or_after() -> None:
    """`tutor --json lab list` and `tutor lab list --json` print the same, one document."""
    before, after = tutor("--json", "lab", "list").stdout, tutor("lab", "list", "--json").stdout
    assert before == after and json.loads(after)


def test_decks_check_passes_and_fails_with_file_and_line(tmp_path: Path) -> None:
    """The shipped decks are in order; a broken one exits 1 and names file, line and remedy."""
    assert tutor("decks", "check").returncode == 0
    deck = tmp_path / "mine" / "deck.toml"
    deck.parent.mkdir()
    deck.write_text('schema = 1\ndeck = "mine"\nlang = "en"\ntitle = "Mine"\n\n[[itme]]\nid = "x"\n')
    result = tutor("decks", "check", str(tmp_path))
    assert result.returncode == 1
    assert f"{deck}:6" in result.stdout
    assert "'item'" in result.stdout


@pytest.mark.parametrize("lang", ["en", "vi", "tr"])
def test_a_quiz_previews_eight_stems_in_each_language(lang: str) -> None:
    """Eight stems with four options each, in the language asked for, and no answers."""
    shown = json.loads(tutor("quiz", "seed-checkpointing", "--preview", "--lang", lang, "--json").stdout)
    assert len(shown["questions"]) == 8
    assert all(len(question["options"]) == 4 and question["lang"] == lang for question in shown["questions"])
    speak(lang)
    told = _("Answers and explanations appear when you take the quiz.")
    speak("en")
    assert told in tutor("quiz", "seed-checkpointing", "--preview", "--lang", lang).stdout


@pytest.mark.parametrize("id", ["rng-replay", "optimizer-oom"])
def test_lab_run_exits_0_with_every_claim_true(id: str) -> None:
    """One JSON object a line, claims with their sides, done with seconds; one of the two limits its own memory."""
    result = tutor_apart("lab", "run", id, "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    claims = [line for line in lines if line["type"] == "claim"]
    assert result.returncode == 0, result.stderr
    assert claims
    assert all(claim["passed"] and {"name", "left", "op", "right"} <= set(claim) for claim in claims)
    assert lines[-1]["type"] == "done"
    assert lines[-1]["passed"] is True


def test_a_claim_that_fails_exits_1_and_says_not_shown() -> None:
    """One block, a large vocabulary: checkpointing saves too little, and the run says so."""
    result = tutor("lab", "run", "checkpoint", "--set", "layers=1", "--set", "vocabulary=8192", "--set", "tokens=32")
    assert result.returncode == 1
    assert "not shown on this machine" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("lab", "run", "nothing"), "There is no experiment 'nothing'"),
        (("lab", "run", "rng-replay", "--set", "p=2"), "it goes from 0.1 to 0.9"),
        (("lab", "run", "rng-replay", "--set", "q=1"), "q is not a parameter"),
        (("lab", "run", "rng-replay", "--set", "p"), "name=value"),
        (("decks", "show", "nothing"), "There is no deck 'nothing'"),
        (("review", "--plain", "--item", "nothing"), "There is no item 'nothing'"),
        (("report", "-o", "report.xyz"), "the suffix names the format"),
        (("review",), "use `tutor review --plain`"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, tuple) else None,
)
def test_mistakes_get_one_sentence_and_exit_2(arguments: tuple[str, ...], words: str) -> None:
    """No traceback; stderr says what is wrong and what to do."""
    result = tutor(*arguments, text="")
    assert (result.returncode, result.stdout) == (2, "")
    assert words in result.stderr


def test_a_shell_sees_the_same_code_and_streams() -> None:
    """In a process of its own: data on stdout, one sentence on stderr, no traceback."""
    right, wrong = tutor_apart("due", "--json"), tutor_apart("lab", "run", "nothing")
    assert (right.returncode, right.stderr) == (0, "") and "day" in json.loads(right.stdout)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("tutor: There is no experiment 'nothing'") and "Traceback" not in wrong.stderr


def test_settings_errors_name_file_line_and_range(tmp_path: Path) -> None:
    """A value out of range, an unknown key, broken TOML: file, line, remedy."""
    config = tmp_path / "home" / "config.toml"
    config.parent.mkdir()
    for text, words in (
        ("\nretention = 1.5\n", "config.toml:2: retention = 1.5 cannot be used: write a number from 0.7 to 0.97"),
        ("retentoin = 0.9\n", "config.toml:1: unknown setting 'retentoin'; did you mean 'retention'?"),
        ("retention = \n", "mend that line"),
    ):
        config.write_text(text)
        result = tutor("due")
        assert result.returncode == 2
        assert words in result.stderr


def test_due_stats_and_report_read_beside_an_open_writer(tmp_path: Path) -> None:
    """While one tutor waits at a prompt, the reading commands answer, and a second writer is sent away with one sentence."""
    environ = {**os.environ, "TUTOR_HOME": str(tmp_path / "home")}
    writer = subprocess.Popen(
        [sys.executable, "-m", "tutor", "review", "--plain"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environ
    )  # fmt: skip
    try:
        assert writer.stdout is not None
        assert "line mode" in writer.stdout.readline()
        for command in (("due",), ("stats",), ("report", "-o", str(tmp_path / "r.json")), ("doctor",)):
            assert tutor_apart(*command).returncode == 0, command
        second = tutor_apart("review", "--plain", text="")
        assert second.returncode == 2
        assert "Another tutor is open on" in second.stderr
    finally:
        writer.kill()
        writer.wait()
        writer.stdin.close()
        writer.stdout.close()


def test_a_killed_sitting_keeps_what_was_acknowledged_and_leaves_no_process(tmp_path: Path) -> None:
    """SIGKILL in the middle of a run: the answer is there, and the worker goes with its parent."""
    environ = {**os.environ, "TUTOR_HOME": str(tmp_path / "home")}
    sitting = subprocess.Popen(
        [sys.executable, "-m", "tutor", "review", "--plain", "--item", "opt-8d4s"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environ,
    )  # fmt: skip
    assert sitting.stdin is not None
    assert sitting.stdout is not None
    sitting.stdin.write("i\n3\n")
    sitting.stdin.flush()
    for line in sitting.stdout:
        if line.startswith("running"):
            break
    children = _children(sitting.pid)
    assert children
    sitting.send_signal(signal.SIGKILL)
    sitting.wait()
    sitting.stdin.close()
    sitting.stdout.close()
    deadline = time.monotonic() + 20
    while any(_alive(pid) for pid in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_alive(pid) for pid in children)
    report = tmp_path / "r.json"
    assert tutor("report", "-o", str(report)).returncode == 0
    assert json.loads(report.read_text())["reviews"]["answered"] == 1
    assert tutor("doctor").returncode == 0


def _children(pid: int) -> list[int]:
    """Return the processes below `pid`, all generations."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            child = int(entry.parent.name)
            found += [child, *_children(child)]
    return found


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_an_unwritable_home_is_said_before_the_first_question(tmp_path: Path) -> None:
    """A file where the folder should be: one sentence, exit 2, nothing written."""
    blocked = tmp_path / "blocked"
    blocked.write_text("not a folder")
    result = tutor("--home", str(blocked / "home"), "review", "--plain", text="")
    assert result.returncode == 2
    assert "choose another folder with --home" in result.stderr


def test_tutor_now_starts_the_clock(tmp_path: Path) -> None:
    """With TUTOR_NOW the study day is that day's; without a zone it is refused."""
    shown = json.loads(tutor("due", "--json", TUTOR_NOW="2027-03-01T03:59:00+01:00").stdout)
    assert shown["day"] == "2027-02-28"
    assert "with its zone" in tutor("due", TUTOR_NOW="2027-03-01").stderr


def test_every_command_of_the_readme_is_there_and_no_other() -> None:
    """The README's table and `tutor --help` list the same commands."""
    listed = {
        line.split("`")[1].split()[1]
        for line in (ROOT / "README.md").read_text().splitlines()
        if line.startswith("| `tutor ")
    }
    shown = {line.split()[0] for line in tutor("--help").stdout.split("Commands:")[1].splitlines() if line.strip()}
    assert listed == shown


def test_decks_and_experiments_lie_beside_the_package() -> None:
    """From a checkout the resources are the repository's own."""
    assert resources("decks") == ROOT / "decks"


def test_a_run_is_exported_as_it_was_shown(tmp_path: Path) -> None:
    """`--export` writes the run by suffix; another suffix is refused before anything runs."""
    assert tutor("lab", "run", "rng-replay", "--export", str(tmp_path / "run.svg")).returncode == 0
    assert (tmp_path / "run.svg").read_text(encoding="utf-8").count("✓ held") >= 5
    refused = tutor("lab", "run", "rng-replay", "--export", str(tmp_path / "run.pdf"))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "ends in .json or .svg" in refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.svg"]


def test_the_doctor_reads_the_settings_too(tmp_path: Path) -> None:
    """What every other command would refuse is one of its findings, with the sentence they would say."""
    config = tmp_path / "home" / "config.toml"
    config.parent.mkdir()
    config.write_text("retention = 1.5\n")
    done = tutor("doctor")
    assert (done.returncode, "FAIL" in done.stdout) == (1, True)
    assert "config.toml:1: retention = 1.5 cannot be used" in done.stdout
    config.write_text("retention = 0.9\n")
    assert tutor("doctor").returncode == 0


def test_what_cannot_be_written_is_named_as_it_was_asked_for(tmp_path: Path) -> None:
    """Not by the draft that is written beside it."""
    done = tutor("report", "-o", str(tmp_path / "nowhere" / "r.html"))
    assert done.returncode != 0
    assert f"{tmp_path / 'nowhere' / 'r.html'}: No such file or directory" in done.stderr


def test_an_unknown_quiz_is_said_before_a_missing_terminal() -> None:
    """The name is what to mend first."""
    assert "There is no deck 'nosuch'" in tutor("quiz", "nosuch").stderr
