"""The graph of steps, drawn in layers from left to right: which kind of step needs what others make."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

Edge = tuple[str, str]
_NODE = re.compile(r'^\s*(\d+)\s*\[\s*label\s*=\s*"([^"\\]+)')
_EDGE = re.compile(r"^\s*(\d+)\s*->\s*(\d+)")

LETTERS = 13  # of a line inside a box
# Pixels: a letter, a line, around the text, above and below it, between boxes, for a bend, between columns.
LETTER, LINE, MARGIN, PADDING, BETWEEN, BEND, GAP = 6.4, 12.5, 6, 2.5, 6, 8, 30
SWEEPS = 24


@dataclass(frozen=True)
class Layout:
    """Where steps stand.

    Attributes:
        layers: names from left to right; those of a long edge's way are not steps but (from, to, layer).
        steps: names of steps.
        edges: between neighbouring layers.
    """

    layers: tuple[tuple[object, ...], ...]
    steps: frozenset[str]
    edges: tuple[tuple[object, object], ...]


def read_dot(text: str) -> list[Edge]:
    """Return the edges (needed, needing) of ``snakemake --rulegraph``, without the target "all"."""
    names = {found[1]: found[2] for line in text.splitlines() if (found := _NODE.match(line))}
    edges = [(found[1], found[2]) for line in text.splitlines() if (found := _EDGE.match(line))]
    return sorted((names[a], names[b]) for a, b in edges if "all" not in (names[a], names[b]))


def without_collectors(edges: Sequence[Edge]) -> tuple[list[Edge], list[str]]:
    """Leave out last steps that need more than a quarter of all steps, and say which: they would hide the others."""
    needs, after = _neighbours([(b, a) for a, b in edges]), _neighbours(edges)
    many = len({name for edge in edges for name in edge}) / 4
    collectors = [name for name in sorted(needs) if name not in after and len(set(needs[name])) > many]
    return [edge for edge in edges if edge[1] not in collectors], collectors


def forward(edges: Sequence[Edge]) -> list[Edge]:
    """Leave out edges that lead back: models that are built on models make the rules' graph one with cycles."""
    after, state, back = _neighbours(edges), {}, set()

    def visit(name: str) -> None:
        state[name] = "open"
        for other in after.get(name, ()):
            if state.get(other) == "open":
                back.add((name, other))
            elif other not in state:
                visit(other)
        state[name] = "done"

    for name in sorted({name for edge in edges for name in edge}):
        if name not in state:
            visit(name)
    return [edge for edge in edges if edge not in back]


def reduce(edges: Sequence[Edge]) -> list[Edge]:
    """Leave out each edge that a longer way says already (the transitive reduction of a graph without cycles)."""
    after = _neighbours(edges)

    def reaches(start: str, goal: str) -> bool:
        seen, left = set(), [name for name in after.get(start, ()) if name != goal]
        while left:
            name = left.pop()
            if name == goal:
                return True
            if name not in seen:
                seen.add(name)
                left += after.get(name, ())
        return False

    return [edge for edge in edges if not reaches(*edge)]


def lay_out(edges: Sequence[Edge]) -> Layout:
    """Give each step a layer (one behind the last that it needs) and a place in it (near what it is tied to).

    The method of Sugiyama, Tagawa and Toda (1981): longest-path layers, bends where an edge crosses layers,
    repeated ordering by the mean place of neighbours.
    """
    needs = _neighbours([(b, a) for a, b in edges])
    depth: dict[str, int] = {}

    def layer_of(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((layer_of(other) for other in needs.get(name, ())), default=-1)
        return depth[name]

    names = sorted({name for edge in edges for name in edge})
    layers: list[list[object]] = [[] for _ in range(1 + max(map(layer_of, names), default=-1))]
    # what only one step needs stands right before it
    used_by = _neighbours(edges)
    for name in sorted(names, key=lambda n: -depth[n]):
        if not needs.get(name) and used_by.get(name):
            depth[name] = min(depth[other] for other in used_by[name]) - 1
    for name in names:
        layers[depth[name]].append(name)
    short: list[tuple[object, object]] = []
    for a, b in edges:
        way: list[object] = [a, *((a, b, layer) for layer in range(depth[a] + 1, depth[b])), b]
        for layer, bend in enumerate(way[1:-1], depth[a] + 1):
            layers[layer].append(bend)
        short += pairwise(way)
    return Layout(tuple(map(tuple, _ordered(layers, short))), frozenset(names), tuple(short))


def _ordered(layers: list[list[object]], edges: Sequence[tuple[object, object]]) -> list[list[object]]:
    before, after = _neighbours([(b, a) for a, b in edges]), _neighbours(edges)
    best, fewest = layers, _crossings(layers, edges)
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        ties = before if forward else after
        ordered = [list(layer) for layer in layers]
        for number in range(1, len(ordered)) if forward else range(len(ordered) - 2, -1, -1):
            fixed = {name: place for place, name in enumerate(ordered[number - 1 if forward else number + 1])}
            own = {name: place for place, name in enumerate(ordered[number])}
            ordered[number].sort(key=lambda name: _mean([fixed[t] for t in ties.get(name, ())], own[name]))
        layers = ordered
        crossings = _crossings(layers, edges)
        if crossings < fewest:
            best, fewest = layers, crossings
    return best


def _crossings(layers: Sequence[Sequence[object]], edges: Sequence[tuple[object, object]]) -> int:
    place = {name: (number, row) for number, layer in enumerate(layers) for row, name in enumerate(layer)}
    between: dict[int, list[tuple[int, int]]] = {}
    for a, b in edges:
        between.setdefault(place[a][0], []).append((place[a][1], place[b][1]))
    return sum((a - c) * (b - d) < 0 for ends in between.values() for i, (a, b) in enumerate(ends) for c, d in ends[:i])


def _mean(places: Sequence[int], otherwise: int) -> float:
    return sum(places) / len(places) if places else float(otherwise)


def _neighbours(edges: Sequence[tuple]) -> dict:
    found: dict = {}
    for a, b in edges:
        found.setdefault(a, []).append(b)
    return found


def draw(layout: Layout, identity: str) -> Markup:
    """Return the drawing as an SVG for use inside an HTML page."""
    lines = {name: textwrap.wrap(name.replace("_", " "), LETTERS) for name in layout.steps}

    def room(name: object) -> float:
        return LINE * len(lines[str(name)]) + 2 * PADDING + BETWEEN if name in layout.steps else BEND

    heights = [sum(map(room, layer)) for layer in layout.layers]
    tallest = max(heights, default=1)
    places: dict[object, tuple[float, float, float]] = {}
    left = 2.0
    for layer, height in zip(layout.layers, heights, strict=True):
        longest = max((len(line) for name in layer for line in lines.get(str(name), ())), default=0)
        width = LETTER * longest + 2 * MARGIN
        y = 2 + (tallest - height) / 2
        for name in layer:
            places[name] = (left, y + room(name) / 2, width)
            y += room(name)
        left += width + GAP
    parts = [_curve(places[a], places[b], b in layout.steps) for a, b in layout.edges]
    parts += [_box(places[name], lines[name]) for name in sorted(layout.steps)]
    width, height = left - GAP + 4, tallest + 4
    return Markup(
        f'<svg class="graph" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'role="img" aria-labelledby="{identity}-title {identity}-description"><title id="{identity}-title">Graph of '
        f'steps</title><desc id="{identity}-description">{len(layout.steps)} steps in {len(layout.layers)} layers; '
        f"the table below says which step needs which.</desc>{''.join(parts)}</svg>"
    )


def _box(place: tuple[float, float, float], lines: Sequence[str]) -> str:
    x, y, width = place
    height = LINE * len(lines) + 2 * PADDING
    top = y - height / 2
    spans = "".join(
        f'<tspan x="{x + width / 2:.1f}" y="{top + PADDING + LINE * number + 9.5:.1f}">{Markup.escape(line)}</tspan>'
        for number, line in enumerate(lines)
    )
    box = f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="4"/>'
    return f"{box}<text>{spans}</text>"


def _curve(start: tuple[float, float, float], end: tuple[float, float, float], arrives: bool) -> str:
    x1, y1, width = start
    x1, (x2, y2, _) = x1 + width, end
    middle = (x1 + x2) / 2
    tail = "" if arrives else f"h{end[2]:.1f}"
    return f'<path d="M{x1:.1f} {y1:.1f}C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {x2:.1f} {y2:.1f}{tail}"/>'
