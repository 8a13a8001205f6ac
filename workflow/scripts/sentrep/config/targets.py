"""List the target files of a run; a result that consists of several files is represented by one of them."""

from __future__ import annotations

from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any, Literal

# Tables and figures of each paper that are targets regardless of the sweeps in the run.
OF_PAPER = {
    "siamese_cbow": ("siamese_cbow/table2.csv", "siamese_cbow/table3.csv", "siamese_cbow/sets.svg", "neighbours.csv"),
    "weighted_aggregation": tuple(
        f"weighted_aggregation/{name}"
        for name in ("table1.csv", "table2.csv", "figure2.svg", "figure3.svg", "kappa.csv", "pairs.csv", "variants.csv")
    ),
    "quick_thoughts": (
        "transfer.csv",
        "quick_thoughts/training_time.csv",
        "quick_thoughts/transfer.svg",
        *(f"quick_thoughts/table{number}.csv" for number in range(1, 10)),
    ),
    "cbos": (),
}
# Figures of mean correlations. The dictionary maps the name of a figure, which is also the name of its sweep, to the
# quantity on the horizontal axis: the number of words in the corpus, or the number of words read in all epochs.
MEAN_CURVES: dict[str, Literal["words", "words read"]] = {"corpus_size": "words", "budget": "words read"}
# Figures of correlations on the sentence-pair sets. The dictionary maps the name of a figure to its sweep, the
# parameter on the horizontal axis, and the years of the sets (all years if empty).
SWEEP_FIGURES: dict[str, dict[str, Any]] = {
    "siamese_cbow/figure2": {"sweep": "progress", "parameter": "epochs", "years": []},
    "siamese_cbow/figure3": {"sweep": "negatives", "parameter": "negatives", "years": []},
    "siamese_cbow/figure4": {"sweep": "dimensions", "parameter": "dimension", "years": []},
    "siamese_cbow/figure2_released": {"sweep": "progress_released", "parameter": "epochs", "years": []},
    "siamese_cbow/figure3_released": {"sweep": "negatives_released", "parameter": "negatives", "years": []},
    "siamese_cbow/figure4_released": {"sweep": "dimensions_released", "parameter": "dimension", "years": []},
    "cbos/figure3": {"sweep": "cbos_context", "parameter": "context", "years": [2014]},
    "cbos/figure4": {"sweep": "cbos_negatives", "parameter": "negatives", "years": [2014]},
}
OF_SWEEP = {
    **{figure["sweep"]: f"{name}.svg" for name, figure in SWEEP_FIGURES.items()},
    **{name: f"{name}.svg" for name in MEAN_CURVES},
    "objectives": "quick_thoughts/figure2.svg",
}
# Sweeps that the presets define and that are shown in a figure or table even without a title.
SHOWN_SWEEPS = (*(name for name in OF_SWEEP if name not in MEAN_CURVES), "representation_size")
TESTS = ("draws.npz", "claims.csv", "deltas.csv", "williams.csv")
# Targets that are neither tables nor figures.
MEASUREMENTS = {"draws", "scores", "wilcoxon", "transfer", "claims", "deltas", "williams", "values"}


def targets(
    papers: Iterable[str],
    sweeps: Container[str],
    sts_tables: Iterable[str],
    ablations: Iterable[str],
    *,
    collection: bool = False,
    neighbours: bool = True,
) -> list[str]:
    """Return the paths of the target files of a run, except its record (``results/provenance.json``).

    Args:
        papers: names of the papers to replicate.
        sweeps: names of the planned sweeps.
        sts_tables: names of the papers' tables of sentence-pair scores, such as ``cbos/table1``.
        ablations: names of the papers that have an ablation table.
        collection: whether one of the run's corpora is a collection of books.
        neighbours: whether there are models for which the nearest neighbours of words are listed.
    """
    names = [
        *("scores.csv", "wilcoxon.csv", "values.csv", "table1.csv", "models.csv"),
        *(f"{name}.csv" for name in sts_tables),
        *(name for paper in papers for name in OF_PAPER[paper] if neighbours or name != "neighbours.csv"),
        *(name for sweep, name in OF_SWEEP.items() if sweep in sweeps),
        *(f"{paper}/ablation.csv" for paper in ablations),
        *(("siamese_cbow/variants.svg",) if "siamese_cbow" in ablations else ()),
        *(("corpus.csv",) if collection else ()),
        *TESTS,
    ]
    return [f"results/{name}" for name in names]


def targets_of_models(papers: Iterable[str], sts_tables: Iterable[str]) -> list[str]:
    """Return the target files of a run that is restricted to some models by the setting ``only``.

    These are the values, the scores, the bootstrap draws, the significance tests, the verdicts on claims, the
    differences from published values, the table of models, and the tables of scores.

    Args:
        papers: names of the papers whose published values are compared with ours.
        sts_tables: names of the papers' tables of sentence-pair scores.
    """
    transfer = ("transfer", *(f"quick_thoughts/table{number}" for number in (1, 2, 3)))
    names = [
        *("scores", "wilcoxon", "values", "table1", "models", *sts_tables),
        *(transfer if "quick_thoughts" in papers else ()),
    ]
    return [*(f"results/{name}.csv" for name in names), *(f"results/{name}" for name in TESTS)]


def items(targets: Iterable[str]) -> list[str]:
    """Return the distinct tables and figures whose values the targets show, as ``<paper>/<item>``."""
    names = [Path(path).relative_to("results").with_suffix("").as_posix() for path in targets]
    own = {
        "neighbours": "siamese_cbow/neighbours",
        "siamese_cbow/sets": "sentrep/table1",
        "siamese_cbow/variants": "siamese_cbow/ablation",
        "quick_thoughts/transfer": "quick_thoughts/table1",
    }
    shown = [own.get(n, n if "/" in n else f"sentrep/{n}") for n in names if n not in MEASUREMENTS]
    return list(dict.fromkeys(shown))
