# What `all` makes. No rules here.

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
