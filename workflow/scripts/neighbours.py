"""List words with extreme norms and near neighbours of some words, for averaging models."""

from typing import Any

from sentrep.job import log, run


def main(snakemake: Any) -> None:
    """Describe each model's words; `params.models` gives each folder's id, in order."""
    import pandas as pd
    from sentrep.evaluation.frames import write_csv
    from sentrep.families import load_encoder
    from sentrep.results.neighbours import QUERIES, describe_words, overlap, read_counts

    params = snakemake.params
    path = snakemake.input.get("vocabulary")
    counts = read_counts(path) if path else None
    queries = params.get("queries") or QUERIES
    frames = []
    for model, directory in zip(params.models, snakemake.input.models, strict=True):
        words = describe_words(load_encoder(directory), model["id"], counts, queries)
        for name, number in overlap(words).items():
            log.info("%s, %s: %d of the paper's 10 words", model["id"], name, number)
        frames.append(words)
    whole = pd.concat(frames, ignore_index=True)
    whole.insert(0, "preset", params.preset)
    write_csv(snakemake.output.csv, whole, float_format="%.6g")


run(main, snakemake)
