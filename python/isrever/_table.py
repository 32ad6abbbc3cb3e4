"""Tables: as text for terminals, as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_STYLE = "text-align:{};padding:2px 8px"


def text(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns of equal width, the first one flush left and numbers flush right."""
    lines = [list(heads)] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    )


def html(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table whose cells are text; whoever has a picture shows it beside the table."""

    def line(cells: Sequence[object], tag: str) -> str:
        styled = (
            f'<{tag} style="{_STYLE.format("left" if column == 0 else "right")}">'
            f"{escape(str(cell))}</{tag}>"
            for column, cell in enumerate(cells)
        )
        return f"<tr>{''.join(styled)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead>{line(heads, 'th')}</thead><tbody>{body}</tbody></table>"


def elo(value: float) -> str:
    """A rating as people write it; all points won or lost is no number."""
    return f"{value:+.0f}" if abs(value) < 1e6 else ("+∞" if value > 0 else "-∞")
