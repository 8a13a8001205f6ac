# What the rules of sweeps ask of the plan. No rules here.
MODEL = "models/{model}/seed{seed}"


def sweep_files(sweep, pattern="scores/{model}/seed{seed}/scores.csv"):
    """Files of all points of a sweep, seed by seed; by default their scores."""
    points = PLAN.sweeps.get(sweep, [])
    return [f"{RUNS}/{pattern}".format(model=p.model.id, seed=seed) for p in points for seed in p.model.seeds]


def sweep_points(sweep):
    """What each of these files is: model, label, values, seed."""
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
