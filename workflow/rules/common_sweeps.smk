# What the rules of sweeps ask of the plan. No rules here.


def sweep_scores(sweep):
    """Score files of all points of a sweep, seed by seed."""
    return [
        f"{RUNS}/scores/{point.model.id}/seed{seed}/scores.csv"
        for point in PLAN.sweeps.get(sweep, [])
        for seed in point.model.seeds
    ]


def sweep_points(sweep):
    """What each of these score files is: model, label, values, seed."""
    return [
        {
            "id": point.of,
            "label": PLAN.models[point.of].label,
            "floor": PLAN.models[point.of].floor,
            "values": point.values,
            "seed": seed,
        }
        for point in PLAN.sweeps.get(sweep, [])
        for seed in point.model.seeds
    ]


def size_points(sweep):
    """As `sweep_points`, the corpus given as the fraction of the whole that it is."""
    fraction = {name: corpus["fraction"] for name, corpus in CONFIG["corpora"].items()}
    return [
        {
            **point,
            "values": {
                **point["values"],
                "fraction": fraction[point["values"]["corpus"]],
            },
        }
        for point in sweep_points(sweep)
    ]


def sweep_folders(sweep):
    """Model folders of all points of a sweep, in the order of their score files."""
    return [model_directory(p.model, seed) for p in PLAN.sweeps.get(sweep, []) for seed in p.model.seeds]
