"""Draw the graph of the workflow's rules as SVG.

networkx sorts the rules into layers, removes transitive dependencies, and places the layers next to each other.
networkx is used because torch depends on it anyway and because, unlike graphviz, it needs no external program. The
drawing is part of the report's HTML file, so the file can be viewed offline. Mermaid would add 2.5 MB of JavaScript to
this file, and igraph, which can also arrange rules in layers, is licensed under the GPL.
"""

from __future__ import annotations

import statistics
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import networkx as nx
from markupsafe import Markup

LINE_LETTERS = 14
# Distance between columns, distance between rows, width of a box and height of a line of text, in pixels.
COLUMN, ROW, WIDTH, LINE = 132, 46, 98, 12.5


@dataclass(frozen=True)
class RuleGraph:
    """The rules of the workflow and their dependencies.

    Attributes:
        needs: for each rule, the rules whose output it reads. The keys and each list are in alphabetical order.
        left_out: rules that read the output of more than a quarter of all rules and whose own output no rule reads.
            They are not drawn, because their edges would hide other edges.
        drawn: graph to draw, without the rules in ``left_out``, without cycles and without transitive dependencies.
    """

    needs: Mapping[str, Sequence[str]]
    left_out: tuple[str, ...]
    drawn: nx.DiGraph

    @classmethod
    def of(cls, needs: Mapping[str, Sequence[str]]) -> RuleGraph | None:
        """Build the graph from the dependencies in ``provenance.json``; return None if no rule has dependencies.

        Args:
            needs: for each rule, the rules whose output it reads.
        """
        graph = nx.DiGraph((needed, rule) for rule, others in needs.items() for needed in others)
        if not graph:
            return None
        full = {rule: sorted(graph.predecessors(rule)) for rule in sorted(graph)}
        many = len(graph) / 4
        collectors = [rule for rule in full if not graph.succ[rule] and len(full[rule]) > many]
        graph.remove_nodes_from(collectors)
        # Remove cycles. For example, if a model is trained on the vectors of another model, the rule for training reads
        # its own output.
        while not nx.is_directed_acyclic_graph(graph):
            graph.remove_edge(*nx.find_cycle(graph)[-1][:2])
        return cls(full, tuple(collectors), nx.transitive_reduction(graph))

    @property
    def summary(self) -> str:
        """Sentences that state the size of the graph and name the rules that are not drawn."""
        edges = sum(map(len, self.needs.values()))
        text = (
            f"The workflow has {len(self.needs)} rules with {edges} dependencies. The drawing shows "
            f"{self.drawn.size()} of these dependencies; it omits those that follow from others or close a cycle."
        )
        if self.left_out:
            text += (
                " The drawing also omits the rules that read the output of many other rules and whose own output no "
                f"rule reads: {', '.join(self.left_out)}."
            )
        return text

    def svg(self) -> Markup:
        """Return the graph as an ``svg`` element; each rule is to the right of the rules whose output it reads."""
        places = positions(self.drawn)
        width = max(x for x, _ in places.values()) + WIDTH + 4
        height = max(y for _, y in places.values()) + ROW / 2 + 2
        curves = [_curve(places[needed], places[rule]) for needed, rule in self.drawn.edges]
        boxes = [_box(rule, place) for rule, place in places.items()]
        return Markup(
            '<svg class="graph" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" role="img" '
            'aria-labelledby="graph-title graph-description"><title id="graph-title">Graph of the rules</title>'
            '<desc id="graph-description">{2} rules; the table below lists what each rule needs.</desc>{3}</svg>'
        ).format(width, height, len(self.drawn), Markup("").join([*curves, *boxes]))


def positions(graph: nx.DiGraph) -> dict[str, tuple[float, float]]:
    """Return the left edge and the vertical centre of each rule's box, in pixels.

    A rule is one column to the right of the rightmost rule that it needs. A rule without dependencies is one column to
    the left of the leftmost rule that needs it. Rules in a column are ordered by the mean position of their
    dependencies.
    """
    column = {rule: number for number, rules in enumerate(nx.topological_generations(graph)) for rule in rules}
    for rule in [rule for rule in graph if graph.succ[rule] and not graph.pred[rule]]:
        column[rule] = min(column[user] for user in graph.succ[rule]) - 1
    columns: dict[int, list[str]] = {}
    place: dict[str, float] = {}
    for number in range(1 + max(column.values())):
        rules = sorted(rule for rule in graph if column[rule] == number)
        rules.sort(key=lambda rule: statistics.fmean([place[needed] for needed in graph.pred[rule]] or [0.0]))
        columns[number] = rules
        place |= {rule: position - (len(rules) - 1) / 2 for position, rule in enumerate(rules)}
    grid = nx.multipartite_layout(graph, subset_key=columns)
    left, top = (min(values) for values in zip(*grid.values(), strict=True))
    # multipartite_layout returns a grid with the same step in both directions, scaled to coordinates from -1 to 1.
    step = (max(x for x, _ in grid.values()) - left) / max(len(columns) - 1, 1) or 1.0
    return {r: (2 + COLUMN * (x - left) / step, ROW * (0.5 + (y - top) / step)) for r, (x, y) in grid.items()}


def _box(rule: str, place: tuple[float, float]) -> Markup:
    """Return an SVG box with a rule's name, which is wrapped into short lines."""
    x, y = place
    lines = textwrap.wrap(rule.replace("_", " "), LINE_LETTERS)
    height = LINE * len(lines) + 5
    spans = [
        Markup('<tspan x="{:.1f}" y="{:.1f}">{}</tspan>').format(
            x + WIDTH / 2, y - height / 2 + LINE * number + 12, line
        )
        for number, line in enumerate(lines)
    ]
    box = '<rect x="{:.1f}" y="{:.1f}" width="{}" height="{:.1f}" rx="4"/><text>{}</text>'
    return Markup(box).format(x, y - height / 2, WIDTH, height, Markup("").join(spans))


def _curve(start: tuple[float, float], end: tuple[float, float]) -> Markup:
    (x1, y1), (x2, y2) = (start[0] + WIDTH, start[1]), end
    middle = x2 - (COLUMN - WIDTH) / 2
    return Markup('<path d="M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}"/>').format(
        x1, y1, middle, y1, middle, y2, x2, y2
    )
