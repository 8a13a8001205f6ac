"""The report's graph of steps."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from helpers_report import STEPS
from sentrep.report.graph import draw, forward, lay_out, read_dot, reduce, without_collectors

EDGES = [tuple(line.split(",")[::-1]) for line in STEPS.splitlines()[1:]]


@st.composite
def graphs(draw):
    size = draw(st.integers(2, 9))
    pairs = [(f"n{a}", f"n{b}") for b in range(size) for a in range(b)]
    return sorted(draw(st.sets(st.sampled_from(pairs), min_size=1)))


@given(graphs())
def test_reduction_is_that_of_networkx(edges):
    assert set(reduce(edges)) == set(nx.transitive_reduction(nx.DiGraph(edges)).edges)


@given(graphs())
def test_layout_leads_from_left_to_right(edges):
    layout = lay_out(edges)
    column = {name: number for number, layer in enumerate(layout.layers) for name in layer}
    assert layout.steps == {name for edge in edges for name in edge}
    assert all(column[b] == column[a] + 1 for a, b in layout.edges)
    assert len(column) == sum(map(len, layout.layers))
    whole = nx.DiGraph(layout.edges)
    assert all(nx.has_path(whole, a, b) for a, b in edges)


@given(graphs(), st.data())
def test_what_leads_back_is_left_out(edges, data):
    back = data.draw(st.sets(st.sampled_from([(b, a) for a, b in edges] + [(a, a) for a, _ in edges])))
    assert nx.is_directed_acyclic_graph(nx.DiGraph(forward([*edges, *back])))
    assert forward(edges) == edges


def test_graph_of_a_small_workflow():
    assert ("train", "train") in EDGES
    shown = reduce(forward(EDGES))
    assert sorted(shown) == [("fetch", "store"), ("score", "table1"), ("store", "train"), ("train", "score")]
    text = draw(lay_out(shown), "graph")
    assert text.count("<rect") == 5 and text.count("<path") == 4
    gathering = [*((f"step{n}", "everything") for n in range(6)), ("fetch", "step1")]
    assert without_collectors(gathering) == ([("fetch", "step1")], ["everything"])


def test_dot_is_read():
    nodes = ' 0[label = "all", color="1"];\n 1[label = "train\\nseed: 1"];\n 2[label="fetch"];\n'
    dot = "digraph x {\n" + nodes + " 1 -> 0\n 2 -> 1\n}"
    assert read_dot(dot) == [("fetch", "train")]
