"""Today: what waits, how the learner stands, and the way into everything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from textual import work
from textual.content import Content

from tutor.i18n import _, ngettext
from tutor.study.today import Today, today
from tutor.study.values import day_words, short_day
from tutor.ui.actions import hints, keyed
from tutor.ui.beside import beside
from tutor.ui.progress import bar
from tutor.ui.theme import QUIET, STRONG
from tutor.ui.widgets.frame import FrameScreen

_EIGHTHS = "▁▂▃▄▅▆▇█"
BAR, LEAST_BAR = 15, 8
KEYS = ("start", "quizzes", "decks", "lab", "progress", "settings", "help", "leave")
MOCK = 10
"""Questions of a mock interview."""
LEFT = 44
"""Columns of the left half where there are two."""


class TodayScreen(FrameScreen):
    """The first screen of every morning."""

    def __init__(self) -> None:
        super().__init__()
        self._figures: Today | None = None
        self._outlook = ""
        self._said = ""

    def on_mount(self) -> None:
        """Paint at once."""
        self.read_again()

    def on_screen_resume(self) -> None:
        """Coming back from a sitting, the figures have changed."""
        if self._figures is not None:
            self.read_again()

    def read_again(self) -> None:
        """Read the figures and paint."""
        self._said = ""
        self._figures = today(self.app.desk)
        self.refresh_frame()
        if self._figures.interview:
            self.call_after_refresh(self.look_ahead)

    @work(exclusive=True, group="outlook", exit_on_error=False)
    async def look_ahead(self) -> None:
        """Say what more time a day is worth; the forecast is computed on another thread, after the first paint."""
        from tutor.study.outlook import MINUTES, gather, in_a_line, look_ahead

        gathered = gather(self.app.desk)
        if gathered is not None:
            found = await beside(partial(look_ahead, gathered, MINUTES))
            self._outlook = in_a_line(gathered, found)
            self.refresh_frame()

    def refresh_frame(self) -> None:
        """Paint the figures at the present width."""
        if self._figures is None:
            return
        figures = self._figures
        self.show(
            f"Tutor   {day_words(figures.day)}{ahead(figures.days_left)}",
            body(figures, self.window.width, self.app.problem_line, self._outlook if figures.interview else ""),
            "\n".join(filter(None, (self._said, hints(KEYS)))),
        )

    def action_start(self) -> None:
        """Start today's sitting."""
        self.app.start_review(self.app.desk.rules())

    def action_place(self) -> None:
        """Ask a dozen questions that tell where to start."""
        self.app.start_review(replace(self.app.desk.rules(), placement=True, lab="off"))

    def action_mock(self) -> None:
        """Ask sealed questions, as an interview would; where none is left, say so."""
        from tutor.study.mock import mock_rules, none_left

        rules = mock_rules(self.app.desk, self.app.desk.rules(), MOCK)
        if rules is not None:
            self.app.start_review(rules)
            return
        self._said = none_left()
        self.refresh_frame()

    def action_quizzes(self) -> None:
        """Choose a quiz."""
        self.app.show_quizzes()

    def action_decks(self) -> None:
        """See the map of decks and concepts."""
        self.app.show_decks()

    def action_lab(self) -> None:
        """Open the lab."""
        self.app.show_lab()

    def action_progress(self) -> None:
        """See how you stand."""
        self.app.show_progress()

    def action_settings(self) -> None:
        """Change the settings."""
        self.app.show_settings()


def ahead(days: int | None) -> str:
    """Return how far the interview is; nothing where none is ahead."""
    if days is None:
        return ""
    told = ngettext("interview in {count} day", "interview in {count} days", days).format(count=days)
    return " · " + (told if days else _("interview today"))


def body(figures: Today, width: int, problem: str = "", outlook: str = "") -> Content:
    """Return Today as text: two columns where there is room, one below 64 columns."""
    all_due = figures.due + figures.put_off
    due = _("{due} due of {all}, the rest on the next days") if figures.put_off else _("{due} due")
    counts = f"{due.format(due=figures.due, all=all_due)}     {_('{count} new').format(count=figures.new)}"
    about = (
        _("about {minutes} min").format(minutes=max(1, round(figures.minutes)))
        if figures.due + figures.new
        else _("nothing due: come back tomorrow, or take a quiz")
    )
    streak = ngettext("streak {count} day", "streak {count} days", figures.streak).format(count=figures.streak)
    days = f"     {streak}" if figures.streak else ""
    head = Content.assemble((counts, STRONG), f"     {about}{days}")
    left = [_("Readiness on {day}").format(day=short_day(figures.interview)) if figures.interview else _("Ready now")]
    wide = width >= 80
    left += readiness(figures.readiness, LEFT - 2 if wide else width - 6)
    right = [
        _("Next 14 days"),
        sparkline(figures.forecast),
        _("due per day, highest {count}").format(count=max(figures.forecast)),
    ]
    if figures.myths:
        right += ["", _("Myths you still pick")]
        right += [f"· {text} {count}×" for text, count in figures.myths]
    blocks = [head, Content("")]
    if figures.newcomer:
        blocks += [
            Content(keyed(_("New here? {place} asks a dozen questions and starts you where you stand."))),
            Content(""),
        ]
    if wide:
        blocks += [Content(line) for line in columns(left, right, LEFT, width - 50)]
    else:
        blocks += [Content(line) for line in [*left, "", *right]]
    if figures.interview:
        offered = _("{mock} asks ten sealed questions as an interview would, each this once.")
        blocks += [Content(""), Content(keyed(offered))]
    if outlook:
        blocks += [Content(""), Content(outlook)]
    if figures.last_run:
        blocks += [Content(""), Content(_("Last experiment: {run}").format(run=figures.last_run))]
    if problem:
        blocks += [Content(""), Content.styled(problem, QUIET)]
    return Content("\n").join(blocks)


def readiness(decks: Sequence[tuple[str, float]], room: int) -> list[str]:
    """Return each deck with its share: on one line where there is room for its whole title beside a bar, else on two."""
    longest = max((len(title) for title, _ in decks), default=0)
    cells = min(BAR, room - longest - 6)
    if cells >= LEAST_BAR:
        return [f"{title:<{longest}} {bar(value, cells)} {value:>4.0%}" for title, value in decks]
    return [line for title, value in decks for line in (title, f"  {bar(value, BAR)} {value:>4.0%}")]


def sparkline(values: tuple[int, ...]) -> str:
    """Return one character a day, its height in proportion to the highest day."""
    top = max(values) or 1
    return "".join(_EIGHTHS[round(value / top * 7)] for value in values)


def columns(left: list[str], right: list[str], gap: int, room: int) -> list[str]:
    """Return two columns side by side, long lines of the right one wrapped under themselves."""
    import textwrap

    wrapped = [line for text in right for line in (textwrap.wrap(text, max(20, room), subsequent_indent="  ") or [""])]
    height = max(len(left), len(wrapped))
    pad = [*left, *[""] * (height - len(left))], [*wrapped, *[""] * (height - len(wrapped))]
    return [f"{a:<{gap}} {b}".rstrip() for a, b in zip(*pad, strict=True)]
