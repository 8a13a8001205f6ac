"""Test the graph of rules in the report."""

import re

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from helpers_report import RULES
from sentrep.report.rule_graph import RuleGraph, positions


@st.composite
def needs(draw):
    size = draw(st.integers(2, 9))
    pairs = [(f"n{a}", f"n{b}") for b in range(size) for a in range(b)]
    found = {}
    for a, b in draw(st.sets(st.sampled_from(pairs), min_size=1)):
        found.setdefault(b, []).append(a)
    return found


@given(needs())
def test_rules_stand_to_the_right_of_those_that_they_need(rules):
    graph = nx.DiGraph((needed, rule) for rule, others in rules.items() for needed in others)
    places = positions(graph)
    assert set(places) == set(graph)
    assert len(set(places.values())) == len(graph)
    assert all(places[needed][0] < places[rule][0] for needed, rule in graph.edges)


@given(needs(), st.data())
def test_the_drawing_says_all_dependencies_without_cycles(rules, data):
    back = data.draw(st.sets(st.sampled_from([(a, b) for b, others in rules.items() for a in others])))
    cyclic = {**rules, **{a: [*rules.get(a, []), b, a] for a, b in back}}
    graph = RuleGraph.of(cyclic)
    assert nx.is_directed_acyclic_graph(graph.drawn)
    whole = RuleGraph.of(rules)
    assert {rule: set(others) for rule, others in whole.needs.items() if others} == {
        r: set(o) for r, o in rules.items()
    }
    for rule, others in rules.items():
        if rule not in whole.left_out:
            assert all(nx.has_path(whole.drawn, needed, rule) for needed in others)


def test_graph_of_a_small_workflow():
    graph = RuleGraph.of(RULES)
    edges = [("fetch", "store"), ("score", "values"), ("store", "train"), ("train", "score"), ("values", "table")]
    assert sorted(graph.drawn.edges) == edges
    assert graph.needs["train"] == ["store", "train"]
    text = graph.svg()
    assert text.count("<rect") == 6
    assert text.count("<path") == 5
    assert re.findall(r"<tspan[^>]*>([^<]*)", text) == sorted(graph.drawn) or "fetch" in text
    assert "6 rules with 7 dependencies. The drawing shows 5 of these" in graph.summary


def test_rules_that_collect_most_results_are_left_out():
    rules = {"everything": [f"rule{n}" for n in range(6)], "rule1": ["fetch"]}
    graph = RuleGraph.of(rules)
    assert graph.left_out == ("everything",)
    assert "everything" in graph.summary
    assert list(graph.drawn.edges) == [("fetch", "rule1")]


def test_without_a_record_there_is_no_graph():
    assert RuleGraph.of({}) is None
