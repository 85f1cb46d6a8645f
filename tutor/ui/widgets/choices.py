"""A list to choose from: a sign stands at the cursor, so that colour alone never shows where it is."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

POINTER = "›"


class Choices(OptionList):
    """Options whose prompts are `Content` and begin with a space, the place of the pointer."""

    DEFAULT_CSS = """
    Choices, Choices:focus { height: 1fr; border: none; padding: 0; background: $background; }
    """

    def fill(self, options: Iterable[Option]) -> None:
        """Replace the options, the cursor where it was, else on the first that can be chosen."""
        at = self.highlighted
        self.clear_options()
        self.add_options(options)
        if at is not None:
            self.highlighted = at
        else:
            self.action_first()
            self.scroll_home(animate=False)

    def on_option_list_option_highlighted(self) -> None:
        """Move the sign to the cursor."""
        for index in range(self.option_count):
            option = self.get_option_at_index(index)
            assert isinstance(option.prompt, Content)
            sign = POINTER if index == self.highlighted else " "
            if option.id is not None and not option.prompt.plain.startswith(sign):
                self.replace_option_prompt_at_index(index, Content.assemble(sign, option.prompt[1:]))
