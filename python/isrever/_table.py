"""Tables: as text for terminals, as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_STYLE = "text-align:{};padding:2px 8px"

#: Columns whose cells are words, and stand flush left; the others are numbers and stand right.
_WORDS = frozenset({"player", "case", "result", "remarks", "side", "played", "best", "mark", "forfeits"})


def text(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns of equal width, words flush left and numbers flush right."""
    lines = [list(heads)] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if head in _WORDS else cell.rjust(width)
            for cell, width, head in zip(line, widths, heads)
        ).rstrip()
        for line in lines
    )


def html(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table whose cells are text; whoever has a picture shows it beside the table."""

    def line(cells: Sequence[object], tag: str) -> str:
        styled = (
            f'<{tag} style="{_STYLE.format("left" if head in _WORDS else "right")}">'
            f"{escape(str(cell))}</{tag}>"
            for cell, head in zip(cells, heads)
        )
        return f"<tr>{''.join(styled)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead>{line(heads, 'th')}</thead><tbody>{body}</tbody></table>"


def figure(picture: str, caption: str) -> str:
    """A picture with its name below; figures stand side by side."""
    style = "display:inline-block;margin:8px;text-align:center"
    title = f"<figcaption>{escape(caption)}</figcaption>"
    return f'<figure style="{style}">{picture}{title}</figure>'


def elo(value: float) -> str:
    """A rating as people write it; all points won or lost is no number."""
    return f"{value:+.0f}" if abs(value) < 1e6 else ("+∞" if value > 0 else "-∞")
