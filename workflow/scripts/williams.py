"""Use Williams' test to determine whether two models differ in their correlation with human scores."""

from sentrep.evaluation.statistics.williams import compare_correlations
from sentrep.evaluation.sts.sets import gold_scores, load_sets
from sentrep.io.csv_files import read_csv, write_csv


def main(*, similarities: list[str], pairs: str, description: str, wilcoxon: str, models: list[str], csv: str) -> None:
    """Write the result of Williams' test for each pair of models on each set of sentence pairs.

    Sets that contain pairs without a human score are tested under the paper's protocol and under the official protocol.
    For the other sets, the two protocols do not differ, and only the results under the paper's protocol are written.

    Args:
        similarities: files of similarities, one for each model.
        pairs: file of the sentence-pair sets.
        description: file that describes the sentence-pair sets.
        wilcoxon: file with the results of Wilcoxon's test for the same models; its p-values are copied to the output.
        models: names of the models, in the order of ``similarities``.
        csv: CSV file to write.
    """
    sets, _, _ = load_sets(pairs, description)
    columns = ["year", "dataset", "pair", "similarity"]
    frames = {model: read_csv(path, columns) for model, path in zip(models, similarities, strict=True)}
    tests = read_csv(wilcoxon, ["year", "dataset", "model_a", "model_b", "p"])
    write_csv(csv, compare_correlations(frames, gold_scores(sets), tests), float_format="%.6g")
