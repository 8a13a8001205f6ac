# What `all` makes, and the sources it is made from. No rules here.

NEIGHBOUR_MODELS = [PLAN.models[name] for name in EVALUATION["neighbours"]["models"]]
TIMED_SEED = 1
# Tables and figures of each paper that need no sweep.
TABLES_OF = {
    "siamese_cbow": [
        "results/siamese_cbow/table2.csv",
        "results/siamese_cbow/table3.csv",
        "results/neighbours.csv",
    ],
    "weighted_aggregation": [
        f"results/weighted_aggregation/{name}"
        for name in ("table1.csv", "table2.csv", "figure2.svg", "figure3.svg", "kappa.csv", "pairs.csv")
    ],
    "quick_thoughts": [
        "results/transfer.csv",
        "results/quick_thoughts/training_time.csv",
        *[f"results/quick_thoughts/table{number}.csv" for number in range(1, 10)],
    ],
    "cbos": [],
}
FIGURES_OF_SWEEPS = {
    "progress": "results/siamese_cbow/figure2.svg",
    "negatives": "results/siamese_cbow/figure3.svg",
    "dimensions": "results/siamese_cbow/figure4.svg",
    "corpus_size": "results/corpus_size.svg",
    "cbos_context": "results/cbos/figure3.svg",
    "cbos_negatives": "results/cbos/figure4.svg",
    "objectives": "results/quick_thoughts/figure2.svg",
}
RESULTS = [
    "results/scores.csv",
    "results/wilcoxon.csv",
    "results/table1.csv",
    "results/models.csv",
    *[f"results/{name}.csv" for name in STS_TABLES],
    *[path for paper in CONFIG["papers"] for path in TABLES_OF[paper]],
    *[path for sweep, path in FIGURES_OF_SWEEPS.items() if sweep in PLAN.sweeps],
]


def used_corpora():
    """Corpora that a model is trained on."""
    used = {model.corpus for model in PLAN.trained.values()}
    return {name: corpus for name, corpus in CONFIG["corpora"].items() if name in used}


def used_sources():
    """Sources of the corpora, of what models are built on and of everything they are evaluated on."""
    sources = {c["source"] for c in used_corpora().values()} | set(EVALUATION["sources"].values())
    sources |= {Path(path).stem for m in PLAN.trained.values() for path in m.inputs.values() if path.endswith(".json")}
    if CONFIG["aggregation"]:
        sources |= {pairs["source"] for pairs in CONFIG["pairs"].values() if pairs.get("source")}
    if "quick_thoughts" in CONFIG["papers"]:
        sources |= {name for task in TRANSFER["tasks"].values() for name in task["sources"]}
        sources |= {source for source in ANALOGIES["questions"].values() if source}
        sources |= {CONFIG["corpora"][name]["source"] for name in (NEAREST["corpus"], ANALOGIES["corpus"]) if name}
        sources |= {RETRIEVAL["source"]} if RETRIEVAL["source"] and RETRIEVING else set()
    return sources
