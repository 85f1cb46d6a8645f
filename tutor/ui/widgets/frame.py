"""What every screen shares: its keys and a floor on its size; most a line of place above, a body that scrolls, and a line of keys below."""

from __future__ import annotations

import time
from collections.abc import AsyncIterable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingsMap
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Key, Resize
from textual.geometry import Size
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Static

from tutor.i18n import _
from tutor.ui.actions import bindings, place_of
from tutor.ui.wrapping import fitted, grouped

if TYPE_CHECKING:
    from tutor.ui.app import TutorApp

LEAST_WIDTH, LEAST_HEIGHT = 40, 12
LEAVING = ("back", "escape")
"""Actions that only lead away."""
REPAINTS_A_SECOND = 10
FLOOR_CSS = """
#small { display: none; width: 100%; padding: 0 1; }
.-small { align: left top; background: $background; }
.-small > * { display: none; }
.-small > #small { display: block; }
"""
"""The program's, not a screen's: Textual reads a class's own style from its first base alone, and modal screens have two."""

Said = TypeVar("Said")


class FloorScreen(Screen[ScreenResultType]):
    """A screen with the learner's own keys and a floor on its size: below 40 by 12 one sentence replaces it.

    No key acts on what is not shown; going back is the exception. A modal screen inherits this beside `ModalScreen`.
    """

    app: TutorApp

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._bindings = BindingsMap.merge([self._bindings, BindingsMap(bindings(place_of(self)))])
        self._had_focus: Widget | None = None

    def on_resize(self, event: Resize) -> None:
        """Notice a window too small to read, and give the focus back when it is large enough again."""
        small = event.size.width < LEAST_WIDTH or event.size.height < LEAST_HEIGHT
        if small and not self.is_small:
            self._had_focus = self.focused  # what is not shown loses it
            if not self.query("#small"):
                said = _("This window is too small; make it at least {width} by {height}.")
                self.mount(Static(said.format(width=LEAST_WIDTH, height=LEAST_HEIGHT), id="small", markup=False))
        self.set_class(small, "-small")
        if not small and self._had_focus is not None:
            self.call_after_refresh(self.set_focus, self._had_focus, scroll_visible=False)
            self._had_focus = None

    @property
    def is_small(self) -> bool:
        """Whether the window is too small to show what a key would act on."""
        return self.has_class("-small")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let no key act on what is not shown."""
        return not self.is_small or action in LEAVING

    def on_key(self, event: Key) -> None:
        """Hand on a key that no action has, where what it would act on is shown."""
        if not self.is_small:
            self.take_key(event)

    def take_key(self, event: Key) -> None:
        """Do what a key means that no action has, a digit above all; nothing unless a screen says so."""


class ScrollScreen(FloorScreen[ScreenResultType]):
    """A screen whose one body scrolls by the keyboard, whatever has the focus."""

    BINDINGS = [
        *(Binding(key, f"arrow({by})", show=False) for key, by in (("up", -1), ("down", 1))),
        *(
            Binding(key, f"scroll_body('{to}')", show=False)
            for key, to in (("pageup", "page_up"), ("pagedown", "page_down"), ("home", "home"), ("end", "end"))
        ),
    ]  # a widget with the focus that uses these keys itself, a list or an input, comes first

    @property
    def body(self) -> VerticalScroll:
        """What scrolls."""
        return self.query_one(VerticalScroll)

    def action_arrow(self, by: int) -> None:
        """Scroll a line; a screen with a cursor of its own moves that."""
        self.body.scroll_relative(y=by, animate=False)

    def action_scroll_body(self, to: str) -> None:
        """Scroll a page, or to an end."""
        getattr(self.body, f"scroll_{to}")(animate=False)


class FrameScreen(ScrollScreen[None]):
    """A screen of one place line, one body and one hint line."""

    DEFAULT_CSS = """
    FrameScreen { layers: base top; }
    FrameScreen #place { height: 1; padding: 0 1; color: $secondary; }
    FrameScreen #body { height: 1fr; padding: 0 2; scrollbar-size-vertical: 1; }
    FrameScreen #text { height: auto; }
    FrameScreen #hints { height: auto; max-height: 50%; padding: 0 1; color: $secondary; }
    """
    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self._shown: dict[str, object] = {}
        self._began: float | None = None

    def compose(self) -> ComposeResult:
        """Lay out place, body and hints."""
        yield Static(id="place", markup=False)
        with VerticalScroll(id="body", can_focus=False):
            yield Static(id="text", markup=False)
            yield from self.compose_body()
        yield Static(id="hints", markup=False)

    def compose_body(self) -> ComposeResult:
        """Add widgets below the text; none unless a screen needs them."""
        yield from ()

    @property
    def window(self) -> Size:
        """The size of the window, known before the screen is laid out, so that it is laid out once."""
        return self.app.size

    @property
    def room(self) -> int:
        """Columns that a text of the body has, beside its padding and a scroll bar."""
        return max(20, self.window.width - 6)

    def show(self, place: str, body: Content, hints: str) -> None:
        """Replace the three parts where they changed. All are data, never markup."""
        row = self.window.width - 2
        parts = {"#place": Content(fitted(place, row)), "#text": body, "#hints": Content(grouped(hints, row))}
        for selector, content in parts.items():
            look = (content.plain, tuple(content.spans))  # Content compares its text alone
            if self._shown.get(selector) != look:
                self._shown[selector] = look
                self.query_one(selector, Static).update(content)

    def on_resize(self, event: Resize) -> None:
        """Paint again for the new size."""
        self.refresh_frame()

    def action_back(self) -> None:
        """Return to the screen below."""
        self.app.pop_screen()

    def action_help(self) -> None:
        """Show every key."""
        self.app.action_help()

    def action_page_down(self) -> None:
        """Scroll a page."""
        self.action_scroll_body("page_down")

    def refresh_frame(self) -> None:
        """Paint again; each screen says how."""

    async def follow(self, said: AsyncIterable[Said], hear: Callable[[Said], object] | None = None) -> None:
        """Hear what a run says as it comes, and paint at most ten times a second, once a second at least. Its end is the screen's to paint."""
        painted, self._began = 0.0, time.monotonic()
        clock = self.set_interval(1, self.refresh_frame)  # a run that says nothing for long is seen to live
        try:
            async for message in said:
                if hear is not None:
                    hear(message)
                now = time.monotonic()
                if now - painted >= 1 / REPAINTS_A_SECOND:
                    painted = now
                    self.refresh_frame()
        finally:
            clock.stop()
            self._began = None

    @property
    def seconds(self) -> int:
        """How long the run in motion has been followed, in whole seconds."""
        return 0 if self._began is None else int(time.monotonic() - self._began)
