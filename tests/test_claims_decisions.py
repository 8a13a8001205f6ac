"""Test decisions by the draws of a margin, Holm's correction and sources of draws: claims/decision.py, samples.py."""

import dataclasses
import math
import re

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy import stats

from helpers_claims import BY_ID, CLAIMS, FOLDER, NAMES, PAPERS, run_of, values_of
from sentrep.claims.decision import FAILS, HOLDS, UNDECIDED, UNTESTED, decide, missing_data, verdict_of
from sentrep.claims.outcome import LENGTH, Outcome, all_of, constant, fact
from sentrep.claims.reading import read_claims
from sentrep.claims.run import Run
from sentrep.claims.samples import Samples, own_deviations
from sentrep.claims.verdicts import corrected, judge, judge_all
from sentrep.evaluation.statistics.bootstrap import DRAWS, over_seeds
from sentrep.evaluation.statistics.draws import Drawn, Key, read_draws, write_draws
from sentrep.tables.values import Value, Values

LESS = BY_ID["scbow_better_than_word2vec"]


def normal(mean, sd, seed=0):
    return np.concatenate([[mean], np.random.default_rng(seed).normal(mean, sd, LENGTH - 1)])


@pytest.mark.parametrize(("mean", "verdict"), [(2.2, HOLDS), (1.7, UNDECIDED), (-1.7, UNDECIDED), (-2.2, FAILS)])
def test_a_margin_is_decided_by_its_interval(mean, verdict):
    found = decide(normal(mean, 1.0))
    assert found.verdict == verdict
    assert (found.low, found.high) == pytest.approx((mean - 1.96, mean + 1.96), abs=0.15)
    assert found.p == pytest.approx(2 * stats.norm.sf(abs(mean)), abs=0.02)


def test_a_margin_that_varies_in_no_draw():
    for margin, verdict, p in ((1.0, HOLDS, 1 / (1 + DRAWS)), (-1.0, FAILS, 1 / (1 + DRAWS)), (0.0, UNDECIDED, 1.0)):
        decision = decide(constant(margin))
        assert (decision.verdict, decision.p) == (verdict, p)
    assert decide(fact(True)).verdict == HOLDS
    assert decide(fact(False)).verdict == FAILS


def test_a_claim_without_resampled_units_has_no_p():
    sizes = values_of(CLAIMS.views["parameters"], {"parameters": {"quick_thoughts_objective": 9.9e6}})
    sizes += [dataclasses.replace(value, metric="dimension", mean=1000.0) for value in sizes]
    verdict = judge(BY_ID["qt_evaluated_parameters"], CLAIMS, run_of(sizes), "p", False)
    assert verdict.basis == "nothing varies"
    assert verdict.verdict == HOLDS
    assert math.isnan(verdict.p)


def test_without_draws_nothing_is_decided():
    unknown = np.concatenate([[5.0], np.full(LENGTH - 1, np.nan)])
    found = decide(unknown)
    assert (found.verdict, found.low, found.high) == (UNDECIDED, -math.inf, math.inf)
    assert math.isnan(found.p)
    # one part is enough for the claim to fail, but not for it to hold
    assert decide(all_of([unknown, normal(9, 1)])).verdict == UNDECIDED
    assert decide(all_of([unknown, normal(-9, 1)])).verdict == FAILS


@pytest.mark.parametrize(("mean", "verdict"), [(0.4, HOLDS), (-0.4, FAILS), (1.7, HOLDS)])
def test_the_missing_data_would_decide_the_claim(mean, verdict):
    """Check the estimate, which assumes that standard deviations fall with the square root of the sample size."""
    phrase = missing_data(decide(normal(mean, 1.0)), "items and seeds, paired")
    times = float(re.fullmatch(r"about ([\d.]+) times as many test items and seeds, if .*", phrase).group(1))
    assert times == pytest.approx((1.96 / mean) ** 2, rel=0.15)
    assert decide(normal(mean, 1 / np.sqrt(1.1 * times))).verdict == verdict
    assert decide(normal(mean, 1 / np.sqrt(0.9 * times))).verdict == UNDECIDED


def test_data_that_would_not_decide_a_claim():
    assert missing_data(decide(normal(0.0, 1.0)), "seeds") == (
        "no realistic number of seeds, because the margin is very small compared with its interval"
    )
    unknown = np.concatenate([[5.0], np.full(LENGTH - 1, np.nan)])
    assert missing_data(decide(unknown), "nothing: one seed") == "at least two seeds"
    assert missing_data(decide(normal(3.0, 1.0)), "items, paired") == "values for the missing cases"


def test_a_biased_margin_has_a_wider_interval():
    biased = normal(0.0, 1.0)
    biased[1:] += 3
    found = decide(biased)
    assert found.low < -4
    assert found.high > 4


def test_parts():
    """Each part of a claim must hold; evidence that one part fails is corrected for the number of parts."""
    good, weak, bad = (normal(mean, 1.0, seed) for seed, mean in enumerate((5, 1, -2.3)))
    assert decide(all_of([good, good])).verdict == HOLDS
    assert decide(all_of([good, weak])).verdict == UNDECIDED
    assert decide(bad).verdict == FAILS
    assert decide(all_of([bad, *(normal(5, 1.0, seed) for seed in range(3, 30))])).verdict == UNDECIDED
    assert decide(all_of([normal(-5, 1.0), good, weak])).verdict == FAILS


@pytest.mark.parametrize("true", [(0.001,) * 8, (0.0, *(5.0,) * 7), (-0.001, *(5.0,) * 7)])
def test_errors_of_parts_are_rare(true):
    """Over repeated measurements, a claim with eight parts is decided wrongly in at most about one of 40 cases."""
    dice, wrong, runs = np.random.default_rng(4), 0, 300
    for seed in range(runs):
        measured = dice.normal(true, 1.0)
        draws = np.random.default_rng(seed).normal(measured, 1.0, (400, len(true)))
        found = decide(np.concatenate([[measured], draws])).verdict
        wrong += found == (FAILS if min(true) > 0 else HOLDS)
    assert wrong / runs < 0.025 + 3 * np.sqrt(0.025 * 0.975 / runs)


def test_missing_values_decide_only_where_they_could():
    def judged(mean, short):
        return verdict_of(Outcome(normal(mean, 1.0), "", short=short))[0]

    assert judged(9, 0) == HOLDS
    assert judged(9, 2) == HOLDS
    assert judged(9, 18) == UNTESTED
    assert judged(9, math.inf) == UNTESTED
    assert judged(9, 9) == UNDECIDED
    assert judged(-9, math.inf) == FAILS
    assert judged(1, math.inf) == UNDECIDED


def test_holm_is_applied_within_a_paper():
    verdict = judge(LESS, CLAIMS, run_of(), "p", False)
    p = {"siamese_cbow": [0.001, 0.02, 0.04, math.nan], "cbos": [0.04]}
    family = [
        dataclasses.replace(verdict, paper=paper, verdict=HOLDS, p=number) for paper, of in p.items() for number in of
    ]
    others = [
        dataclasses.replace(verdict, kind="ours", verdict=HOLDS, p=0.001),
        dataclasses.replace(verdict, verdict=UNTESTED, p=0.001),
    ]
    found = corrected(pd.DataFrame([*family, *others]))
    assert found["p_holm"].tolist() == pytest.approx(
        [0.003, 0.04, 0.04, *[math.nan], 0.04, *[math.nan] * 2], nan_ok=True
    )
    assert found["corrected"].tolist() == [HOLDS] * 5 + ["", ""]
    family[1] = dataclasses.replace(family[1], p=0.03)
    assert corrected(pd.DataFrame(family))["corrected"].tolist() == [HOLDS, UNDECIDED, UNDECIDED, HOLDS, HOLDS]


@pytest.mark.parametrize("seeds", [2, 3, 5])
def test_intervals_over_seeds_cover_the_true_mean(seeds):
    """Resampled seeds covered .60, .76 and .87 of the true means."""
    generator = np.random.default_rng(seeds)
    covered = [
        decision.low <= 0 <= decision.high
        for decision in (decide(Samples.of_seeds(generator.standard_normal(seeds))) for _ in range(1000))
    ]
    assert np.mean(covered) == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / 1000) + 0.01)


@pytest.mark.slow
@pytest.mark.parametrize(("seeds", "ratio", "share"), [(3, 1, 0.94), (3, 2, 0.92), (2, 1, 0.93), (2, 2, 0.86)])
def test_intervals_over_items_and_seeds_cover_what_the_page_says(seeds, ratio, share):
    """``ratio`` is the standard deviation over seeds, relative to that of the mean over items."""
    generator = np.random.default_rng(0)
    covered = []
    for _ in range(1000):
        values = generator.standard_normal() + ratio * generator.standard_normal(seeds)
        draws = over_seeds(generator.standard_normal((DRAWS, 1)) + values)
        decision = decide(np.concatenate([[values.mean()], draws]))
        covered.append(decision.low <= 0 <= decision.high)
    assert np.mean(covered) == pytest.approx(share, abs=0.02)


def test_systems_are_paired_by_seed():
    first, second = np.array([0.1, 0.4, 0.2]), np.array([0.3, 0.6, 0.4])
    assert Samples.of_seeds(second) - Samples.of_seeds(first) == pytest.approx(np.full(1 + DRAWS, 0.2))


def test_equal_whole_numbers_of_a_few_seeds_are_not_certain():
    def judged(number, seeds):
        return decide(Samples.of_seeds([number] * seeds, whole=True) - 0.5).verdict

    assert [judged(1, seeds) for seeds in (2, 3, 5)] == [UNDECIDED, UNDECIDED, HOLDS]
    assert [judged(4, seeds) for seeds in (2, 3, 5)] == [HOLDS, HOLDS, HOLDS]
    assert judged(0, 5) == FAILS


def value(system, mean, **about):
    return Value("sentrep", "table1", NAMES[0], "", "pearson", "paper", system=system, mean=mean, **about)


def test_own_deviations_have_the_spread_of_the_interval_and_the_seeds():
    items = own_deviations(value("a", 0.5, low=0.5 - 0.196, high=0.5 + 0.196, seeds=1))
    assert items.std() == pytest.approx(0.1, rel=0.08)
    seeds = own_deviations(value("a", 0.5, sd=0.2, seeds=4))
    assert np.quantile(seeds, 0.975) == pytest.approx(stats.t.ppf(0.975, 3) * 0.1, rel=0.15)
    both = own_deviations(value("a", 0.5, low=0.304, high=0.696, sd=0.2, seeds=100))
    assert both.std() == pytest.approx(np.hypot(0.1, 0.02), rel=0.08)
    assert np.isnan(own_deviations(value("a", 0.5, seeds=1))).all()
    assert not np.array_equal(items, own_deviations(value("b", 0.5, low=0.304, high=0.696, seeds=1)))


def test_draws_of_the_file_come_first(tmp_path):
    deviations = np.random.default_rng(0).normal(0, 0.01, LENGTH - 1)
    draws = {
        Key("a", NAMES[0], "pearson", "paper|official"): Drawn(750, 3, deviations),
        Key("a", NAMES[0], "pearson", "paper", "2", "sentrep/table1"): Drawn(750, 3, 2 * deviations),
    }
    write_draws(tmp_path / "draws.npz", draws.items())
    samples = Samples(read_draws(tmp_path / "draws.npz"))
    cell = value("a", 0.5, low=0.0, high=1.0, seeds=3)
    assert samples.of(cell)[0] == 0.5
    assert samples.of(cell)[1:] - 0.5 == pytest.approx(deviations, rel=1e-3, abs=1e-6)
    official = dataclasses.replace(cell, protocol="official")
    assert samples.of(official) == pytest.approx(samples.of(cell))
    of_figure = dataclasses.replace(cell, x=2.0)
    assert samples.of(of_figure)[1:] - 0.5 == pytest.approx(2 * deviations, rel=1e-3, abs=1e-6)
    assert samples.support([(NAMES[0], cell)]) == (750, "items and seeds, paired")
    assert samples.support([(NAMES[0], value("b", 0.5, seeds=1))]) == (0, "nothing: one seed")


def test_pairing_decides_what_single_intervals_leave_open():
    """Check that pairing decides a claim on two systems whose scores vary together."""
    table = {name: {"siamese_cbow": 0.52, "word2vec_skipgram": 0.49, "word2vec_cbow": 0.5} for name in NAMES}
    cells = values_of("sets", table, spread=0.2) + values_of("sets", table, "official")
    assert judge(LESS, CLAIMS, run_of(cells), "p", False).verdict == UNDECIDED
    dice = np.random.default_rng(1)
    draws = {}
    for name in NAMES:
        common = dice.normal(0, 0.1, LENGTH - 1)
        for system in table[name]:
            own = common + dice.normal(0, 0.005, LENGTH - 1)
            draws[Key(system, name, "pearson", "paper")] = Drawn(750, 1, own)
    run = Run(Values.of(cells), PAPERS, draws=draws)
    found = judge(LESS, CLAIMS, run, "p", False)
    assert (found.verdict, found.items, found.basis) == (HOLDS, 15_000, "items, paired")
    assert found.margin == pytest.approx(0.02)
    assert 0 < found.low < found.margin < found.high < 0.04


def test_over_seeds_has_the_variance_of_a_mean():
    values = np.array([0.1, 0.4, 0.2, 0.9])
    drawn = over_seeds(np.tile(values, (1000, 1)))
    assert drawn.std() == pytest.approx(values.std(ddof=1) / 2, rel=0.08)
    # systems with the same number of seeds are paired, so constant differences do not vary
    assert np.ptp(over_seeds(np.tile(values + 0.3, (1000, 1))) - drawn) == pytest.approx(0, abs=1e-12)


def test_a_new_claim_is_a_few_lines(tmp_path):
    """An entry in the file is sufficient to define a claim, and its verdict appears in the table."""
    content = yaml.safe_load((FOLDER / "claims.yaml").read_text())
    entry = """
    id: word2vec_best_on_msrpar
    paper: siamese_cbow
    section: "4.1"
    statement: On 2012 MSRpar word2vec CBOW is above skip-gram.
    evidence: .3419 and .3740
    test: {name: better, view: sets, subjects: [word2vec_cbow], rivals: [word2vec_skipgram], cases: [2012 MSRpar]}
    """
    content["claims"].append(yaml.safe_load(entry))
    (tmp_path / "claims.yaml").write_text(yaml.safe_dump(content))
    claims = read_claims(tmp_path / "claims.yaml")
    for gap, verdict in ((0.1, HOLDS), (0.01, UNDECIDED), (-0.1, FAILS)):
        table = {name: {"word2vec_cbow": 0.5, "word2vec_skipgram": 0.5 - gap} for name in NAMES}
        frame = judge_all(claims, run_of(values_of("sets", table, spread=0.02)), "p", False)
        row = frame.set_index("id").loc["word2vec_best_on_msrpar"]
        assert (row["verdict"], row["margin"]) == (verdict, pytest.approx(gap))
