"""Arithmetic written in prose, computed: the equations of an explanation and the expression a source names.

Nothing of a deck is executed: an expression is read into a tree, and only numbers, the signs of school arithmetic and the
functions named below are computed.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator

from tutor.formulas.rounding import ceiling, floor

_SIGNS = {
    "·": "*", "×": "*", "−": "-", "²": "**2", "³": "**3", "√(": "sqrt(", "e^(": "exp(", "^": "**",
    "⌈": "ceil(", "⌉": ")", "⌊": "floor(", "⌋": ")",
}  # fmt: skip
"""What prose writes -> what Python's grammar reads."""
_LETTERS = {"T": "e12", "B": "e9", "M": "e6"}
_NUMBER = r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e\d+)?"
_EXPRESSION = re.compile(
    rf"(?:(?<![\w.,])(?:sqrt|exp|ceil|floor|min|max|log2|log|e\^(?=\())|{_NUMBER}|[TBM]\b|√(?=\()|[-−+·×*/^²³()⌈⌉⌊⌋ ]|, (?=\d))+"
)
_WRITTEN = re.compile(rf"[-−]?(?:{_NUMBER})(?:[TBM]\b| ?%)?(?!\s*[-−+·×*/^²³(\d])")
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log2": math.log2, "ceil": ceiling, "floor": floor, "min": min, "max": max,
}  # fmt: skip
_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
MAX_EXPONENT = 400
MAX_LENGTH = 300
STATED = 6e-4
"""Relative error allowed of a number written with four digits."""
WHOLE = 20


def evaluate(text: str) -> float | None:
    """Return the value of an expression in numbers alone, or None where it is none or has no finite value."""
    if len(text) > MAX_LENGTH:
        return None
    code = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    code = re.sub(r"(\d)([TBM])\b", lambda match: match[1] + _LETTERS[match[2]], code)
    for sign, python in _SIGNS.items():
        code = code.replace(sign, python)
    try:
        value = _value(ast.parse(code.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError):
        return None
    return value if math.isfinite(value) else None


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            exponent = _value(right)
            if abs(exponent) > MAX_EXPONENT:
                raise ValueError
            return float(_value(left) ** exponent)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left), _value(right))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            return float(_FUNCTIONS[name](*map(_value, arguments)))
    raise ValueError


def equations(text: str) -> Iterator[tuple[str, float, str]]:
    """Yield each `LEFT = NUMBER` of a text as (left, its value, the number as written); what is not in numbers alone is passed over."""
    for sign in re.finditer(r" = ", text):
        before, after = text[max(0, sign.start() - MAX_LENGTH) : sign.start()], text[sign.end() :][:MAX_LENGTH]
        left = next((m[0] for m in _EXPRESSION.finditer(before) if m.end() == len(before)), "")
        right = _WRITTEN.match(after)
        # a letter glued to the expression makes it part of a formula in names, such as `2n + 1`
        whole = bool(left.strip()) and not re.search(
            r"[\w.,)\]}]$", before[: len(before) - len(left)].rstrip(" ") or " "
        )
        value = evaluate(left) if whole and right else None
        if value is not None and right:
            yield left.strip(), value, right[0]


def agree(value: float, written: str) -> bool:
    """Whether a number as written, in per cent or plain, is `value` rounded as the writing shows.

    From `WHOLE` on a value may be written as the nearest whole number.
    """
    number = written.rstrip(" %")
    stated = evaluate(number)
    if stated is None:
        return False
    value *= 100 if number != written else 1
    decimals = len(number.partition(".")[2]) if number[-1].isdigit() and "e" not in number else 0
    rounding = 0.5000001 * 10**-decimals if decimals or (abs(value) >= WHOLE and number.isdigit()) else 0.0
    return abs(value - stated) <= max(rounding, STATED * abs(value))
