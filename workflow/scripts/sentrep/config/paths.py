"""Define the paths of the intermediate files and logs of a run."""

from __future__ import annotations

from sentrep.config.planned import Corpus


class Paths:
    """The path patterns of the intermediate files and logs of a run.

    Placeholders in braces are wildcards of Snakemake rules or are filled in by ``str.format``.

    Args:
        preset: name of the preset, which is also the name of the run's folder in ``results``.

    Attributes:
        run: folder of the run, ``results/<preset>``.
    """

    def __init__(self, preset: str) -> None:
        self.preset = preset
        self.run = run = f"results/{preset}"
        self.downloads = f"{run}/downloads"
        self.manifest = f"{run}/sources/{{source}}.json"
        self.collection = f"{run}/collections/{{corpus}}.{{suffix}}"
        self.checksums = ".snakemake/checksums.json"
        self.sentences = f"{run}/sentences/{{corpus}}"
        self.store = f"{run}/stores/{{corpus}}"
        self.pairs = f"{run}/pairs/{{pairs}}"
        self.model = f"{run}/models/{{model}}/seed{{seed}}"
        self.sts = f"{run}/evaluation/sts.jsonl"
        self.sts_description = f"{run}/evaluation/sts.json"
        self.scores = f"{run}/scores/{{model}}/seed{{seed}}/scores.csv"
        self.similarities = f"{run}/scores/{{model}}/seed{{seed}}/similarities.csv"
        self.unknown_words = f"{run}/scores/{{model}}/seed{{seed}}/unknown_words.csv"
        self.ablation = f"{run}/evaluation/ablation/{{paper}}.csv"
        self.intervals = f"{run}/evaluation/intervals.csv"
        self.timing = f"{run}/timing/{{model}}.csv"
        self.task = f"{run}/evaluation/transfer/{{task}}.jsonl"
        self.transfer_scores = f"{run}/transfer/{{model}}/seed{{seed}}/scores.csv"
        self.snapshot_scores = f"{run}/transfer/{{model}}/seed{{seed}}/snapshots.csv"
        self.predictions = f"{run}/transfer/{{model}}/seed{{seed}}/predictions.npz"
        self.ensemble = f"{run}/transfer_ensemble/scores.csv"
        self.ensemble_predictions = f"{run}/transfer_ensemble/predictions.npz"
        self.kim_cnn = f"{run}/kim_cnn/{{task}}.csv"
        self.kim_cnn_predictions = f"{run}/kim_cnn/{{task}}.npz"
        self.sample_images = f"{run}/sources/sample_images"
        self.images = f"{run}/evaluation/images"
        self.retrieval_scores = f"{run}/retrieval/{{model}}/seed{{seed}}/scores.csv"
        self.retrieval_history = f"{run}/retrieval/{{model}}/seed{{seed}}/history.csv"
        self.pool = f"{run}/evaluation/{{pool}}.txt"
        self.pool_description = f"{run}/evaluation/{{pool}}.json"
        self.nearest = f"{run}/nearest/{{model}}/seed{{seed}}.csv"
        self.sample_reviews = f"{run}/sources/sample_reviews.txt"
        self.analogies = f"{run}/evaluation/analogies.jsonl"
        self.analogy_answers = f"{run}/analogies/{{model}}/seed{{seed}}.csv"
        self.sample_tweets = f"{run}/sources/sample_tweets.jsonl"
        self.aggregation = f"{run}/aggregation/{{column}}/seed{{seed}}/{{kind}}.csv"
        self.mistakes = f"{run}/aggregation/{{column}}/seed{{seed}}/mistakes.npz"
        self.values = f"{run}/values/{{item}}.csv"
        self.benchmarks = f"{run}/benchmarks"
        self.steps = f"{run}/steps.json"

    def parts(self, corpus: Corpus) -> list[str]:
        """Return the folders that contain the sentences of a corpus and of its added corpora, in this order."""
        return [self.sentences.format(corpus=part) for part in corpus.parts]

    def log(self, name: str) -> str:
        """Return the path of a job's log file."""
        return f"logs/{self.preset}/{name}.log"

    def benchmark(self, name: str) -> str:
        """Return the path of the file that records the running time and memory use of a job."""
        return f"{self.benchmarks}/{name}.tsv"
