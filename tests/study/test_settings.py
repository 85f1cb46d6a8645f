"""Changing settings: the file keeps what is not changed, a bad value saves nothing, the desk obeys at once."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import FakeClock
from tutor.config import Config, ConfigError, load_config
from tutor.paths import Home
from tutor.study.desk import Desk
from tutor.study.settings import SETTINGS, change_settings, edited, read_typed, stepped, written

FILE = """# my settings
retention = 0.85  # less work
"new_per_day" = 3
lab = 'ask' # "auto" was too much

[keys]  # mine
start = "s"
lab = "k"
"""
PATH = Path("config.toml")
by_key = {setting.key: setting for setting in SETTINGS}


def test_every_setting_but_the_keys_can_be_changed() -> None:
    """The screen's list is the file's, less the table of keys, which is edited by hand."""
    assert [setting.key for setting in SETTINGS] == [field.name for field in fields(Config) if field.name != "keys"]


def test_an_edit_keeps_comments_order_and_other_keys() -> None:
    """Only the value changes; a key of the same name in a table is left alone; a new key goes before the first table."""
    text = edited(FILE, "retention", 0.9, PATH)
    text = edited(edited(text, "lab", "off", PATH), "new_per_day", 9, PATH)
    assert text == FILE.replace("0.85", "0.9").replace("'ask'", '"off"').replace("= 3", "= 9")
    text = edited(text, "rollover", 5, PATH)
    assert "\n\nrollover = 5\n[keys]  # mine\n" in text
    assert tomllib.loads(text)["keys"] == {"start": "s", "lab": "k"}


@pytest.mark.parametrize("text", ["", "retention = 0.8", "retention = 0.8\r\n# c\r\n", "[keys]\nstart = 's'"])
def test_ends_of_lines_stay_as_they_are(text: str) -> None:
    """An empty file, one without a last line's end, one from another system, one that begins with a table."""
    new = edited(text, "theme", "tutor-light", PATH)
    assert tomllib.loads(new) == tomllib.loads(text) | {"theme": "tutor-light"}
    assert new.count("\r\n") == new.count("\n") or "\r" not in text


def test_what_an_edit_cannot_do_faithfully_it_refuses() -> None:
    """A value over several lines, or a line that only looks like the key, is left to the hand."""
    for text in ('theme = """\ntutor-dark"""\n', 'theme = """\nlang = "en"\n"""\nlang = """vi"""\n'):
        with pytest.raises(ConfigError, match="edit it by hand"):
            edited(text, "theme" if text.count("lang") == 0 else "lang", "tr", PATH)


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20), st.sampled_from(["", FILE, FILE + "x = 1\n"])
)
def test_any_text_survives_being_written(value: str, text: str) -> None:
    """Quotes, signs of comments and backslashes in a value come back as they were."""
    once = edited(text, "theme", value, PATH)
    assert tomllib.loads(edited(once, "theme", value[::-1], PATH))["theme"] == value[::-1]


def test_a_change_is_obeyed_at_once_and_is_an_event(desk: Desk) -> None:
    """File, desk, rules and log agree."""
    desk.home.config.write_text(FILE, encoding="utf-8")
    desk.take_up_settings()
    change_settings(desk, {"retention": 0.8, "interview": "2026-12-24", "lang": "vi", "lab": "off"})
    assert load_config(desk.home.config) == desk.config
    assert (desk.config.retention, desk.rules().retention, desk.config.new_per_day) == (0.8, 0.8, 3)
    assert (desk.lang, desk.available) == ("vi", {})
    assert desk.store.settings()["interview"] == "2026-12-24"
    assert "# less work" in desk.home.config.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("key", "typed", "said"),
    [
        ("retention", "0.99", "write a number from 0.7 to 0.97"),
        ("retention", "high", "write a number from 0.7 to 0.97"),
        ("rollover", "4.5", "write a whole number from 0 to 23"),
        ("interview", "20261224", "write a date"),
        ("interview", "24.12.2026", "write a date"),
        ("confidence", "maybe", "write true or false"),
        ("lab", "never", "write one of 'auto', 'ask', 'off'"),
    ],
)
def test_a_bad_value_names_file_line_and_range_and_saves_nothing(desk: Desk, key: str, typed: str, said: str) -> None:
    """The sentence is the one the file itself would get."""
    desk.home.config.write_text("# mine\nnew_per_day = 3\n", encoding="utf-8")
    desk.take_up_settings()
    before = desk.config
    with pytest.raises(ConfigError) as refused:
        change_settings(desk, {"new_per_day": 4, key: read_typed(by_key[key], typed)})
    assert f"{desk.home.config}:3: {key} = " in str(refused.value)
    assert said in str(refused.value)
    assert desk.home.config.read_text(encoding="utf-8") == "# mine\nnew_per_day = 3\n"
    assert desk.config == before


def test_a_file_broken_by_hand_is_not_overwritten(desk: Desk) -> None:
    """An unknown key is reported with its line; nothing is saved over it."""
    desk.home.config.write_text("retentoin = 0.8\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"config\.toml:1: unknown setting 'retentoin'; did you mean 'retention'\?"):
        change_settings(desk, {"retention": 0.8})
    assert desk.home.config.read_text(encoding="utf-8") == "retentoin = 0.8\n"


def test_arrows_stay_in_range_and_go_round() -> None:
    """A number stops at its ends, choices go round, a date begins today."""
    assert stepped(by_key["retention"], 0.97, 1, "2026-11-30") == 0.97
    assert stepped(by_key["retention"], 0.9, -1, "2026-11-30") == 0.89
    assert stepped(by_key["reviews_per_day"], 5, -1, "2026-11-30") == 1
    assert stepped(by_key["lab"], "off", 1, "2026-11-30") == "auto"
    assert stepped(by_key["interview"], "", 1, "2026-11-30") == "2026-12-01"
    for setting in SETTINGS:
        value = getattr(Config(), setting.key)
        assert read_typed(setting, written(value)) == value


@pytest.mark.parametrize(
    ("key", "typed", "value"),
    [
        ("interview", '"2027-01-15"', "2027-01-15"),
        ("retention", "0,91", 0.91),
        ("new_per_day", "1,000", 1.0),
        ("lang", "'vi'", "vi"),
    ],
)
def test_what_is_typed_as_people_and_files_write_it(key: str, typed: str, value: object) -> None:
    """Quotes as in the file, a decimal comma; a comma between thousands is no whole number, and the range says so."""
    assert read_typed(by_key[key], typed) == value


def test_a_linked_file_stays_a_link(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """Who keeps settings elsewhere and links to them has them changed there."""
    kept = tmp_path / "kept.toml"
    kept.write_text("lab = 'ask'\n", encoding="utf-8")
    home.folder.mkdir()
    home.config.symlink_to(kept)
    with Desk(home, clock) as desk:
        change_settings(desk, {"lab": "off"})
    assert home.config.is_symlink()
    assert kept.read_text(encoding="utf-8") == f"lab = {json.dumps('off')}\n"
