"""The working of a formula: its own source as mathematics, with names and with numbers, so that it cannot say anything but what was computed."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_SIGNS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: (" + ", 1),
    ast.Sub: (" - ", 1),
    ast.Mult: (" · ", 2),
    ast.Div: (" / ", 2),
    ast.FloorDiv: (" // ", 2),
    ast.Pow: ("^", 4),
}
"""How an operator is written, and how tightly it binds."""
_ATOM = 9
_MATHEMATICS = ("ceiling", "floor", "sqrt", "log2", "exp", "min", "max")
"""Functions that are written out; what another one returns is written as its value."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line: what is computed, in names and in numbers, and its value. The last one has no name."""

    name: str
    formula: str
    numbers: str
    value: object


def working(function: Callable[..., float], arguments: Mapping[str, object], shown: Mapping[str, str]) -> list[Step]:
    """Return the steps of a formula at some arguments; `shown` is how each parameter is written, fields of shapes too."""
    names: dict[str, object] = {**function.__globals__, **arguments}
    written_as = dict(shown)
    found = []
    for name, expression in _statements(function):
        # The expression is this program's own source: evaluating it is running the formula line by line.
        value = eval(compile(ast.Expression(expression), "<formula>", "eval"), names)
        numbers = _Writer(names, written_as).text(expression)
        found.append(Step(name, _Writer(names).text(expression), numbers, value))
        names[name] = value
        written_as[name] = number(value)
    return found


def number(value: object) -> str:
    """Return a number with up to six digits, a word as it is."""
    return f"{value:.6g}" if isinstance(value, float) and not value.is_integer() else str(value).removesuffix(".0")


def _statements(function: Callable[..., float]) -> list[tuple[str, ast.expr]]:
    """Return the assignments of a formula and, under an empty name, what it returns."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    body = tree.body[0].body  # type: ignore[attr-defined]
    found: list[tuple[str, ast.expr]] = []
    for statement in body[1:]:  # the first is the docstring
        match statement:
            case ast.Assign([ast.Name(name)], value):
                found.append((name, value))
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                found += [(ast.unparse(target), value) for target, value in zip(targets, values, strict=True)]
            case ast.Return(ast.expr() as value):
                found.append(("", value))
            case _:
                raise TypeError(f"{function.__name__}: a public formula assigns and returns, nothing else")
    return found


class _Writer:
    """Writes an expression; with `shown` names become numbers, and so does what only a program would write."""

    def __init__(self, names: Mapping[str, object], shown: Mapping[str, str] | None = None) -> None:
        self.names, self.shown = names, shown

    def text(self, node: ast.expr) -> str:
        """Return the text of an expression."""
        return self._write(node)[0]

    def _write(self, node: ast.expr) -> tuple[str, int]:
        """Return the text of a node and how tightly its outermost operator binds."""
        match node:
            case ast.BinOp(left, operator, right):
                return self._operation(left, operator, right)
            case ast.UnaryOp(ast.USub(), operand):
                return f"-{self._bound(operand, 3)}", 3
            case ast.Name(name) | ast.Attribute(_, name) if self.shown is None or name in self.shown:
                return self._value((self.shown or {}).get(name, name))
            case ast.Call(ast.Name(name) | ast.Attribute(_, name), arguments, []) if name in _MATHEMATICS:
                return f"{name}({', '.join(map(self.text, arguments))})", _ATOM
            case ast.IfExp(test, body, otherwise) if self.shown is not None:
                chosen = body if self._evaluate(test) else otherwise
                return self._write(chosen)
        if self.shown is not None:
            return self._value(number(self._evaluate(node)))
        return ast.unparse(node), 0 if isinstance(node, ast.IfExp) else _ATOM

    def _operation(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> tuple[str, int]:
        sign, tightness = _SIGNS[type(operator)]
        power = isinstance(operator, ast.Pow)
        parting = power or isinstance(operator, ast.Sub | ast.Div | ast.FloorDiv)
        return f"{self._bound(left, tightness + power)}{sign}{self._bound(right, tightness + parting)}", tightness

    def _bound(self, node: ast.expr, tightness: int) -> str:
        text, binds = self._write(node)
        return text if binds >= tightness else f"({text})"

    def _value(self, text: str) -> tuple[str, int]:
        """Return a value; one with a sign or a compound unit binds no tighter than its operator."""
        return text, 2 if "/" in text else 3 if text.startswith("-") else _ATOM

    def _evaluate(self, node: ast.expr) -> object:
        return eval(compile(ast.Expression(node), "<formula>", "eval"), dict(self.names))
