"""Plan the text pairs, methods and models of the weighted aggregation paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sentrep.config.aggregation_columns import PlannedColumn
from sentrep.config.corpora import TwitterPairs, WikipediaPairs
from sentrep.config.paths import Paths
from sentrep.config.planned import Corpus, Model
from sentrep.config.weighted_aggregation import Aggregation


@dataclass(frozen=True)
class AggregationPlan:
    """The plan for the weighted aggregation paper: the text pairs to mine, and the methods and models to evaluate."""

    settings: Aggregation
    pairs: Mapping[str, WikipediaPairs | TwitterPairs]
    corpora: Mapping[str, Corpus]
    models: Mapping[str, Model]
    columns: Mapping[str, PlannedColumn]
    paths: Paths

    @property
    def sources(self) -> set[str]:
        """Names of the sources from which tweets are read."""
        return {pairs.source for pairs in self.pairs.values() if isinstance(pairs, TwitterPairs) and pairs.source}

    def names(self, miner: Literal["wikipedia", "twitter"]) -> list[str]:
        """Return the names of the sets of text pairs that a miner produces."""
        return [name for name, pairs in self.pairs.items() if pairs.miner == miner]

    def sentences(self, pairs: str) -> str:
        """Return the folder of the sentences from which a set of Wikipedia pairs is mined."""
        return self.paths.sentences.format(corpus=self.corpora[self.pairs[pairs].corpus].sentences)

    def store(self, pairs: str) -> str:
        """Return the path of the token store that provides the vocabulary for a set of pairs."""
        return self.paths.store.format(corpus=self.pairs[pairs].corpus)

    def tweets(self, pairs: str) -> str:
        """Return the path of the tweets for a set of pairs: the manifest of a source, or a file of synthetic tweets."""
        source = self._tweet_source(pairs)
        return self.paths.manifest.format(source=source) if source else self.paths.sample_tweets

    def is_sample(self, pairs: str) -> bool:
        """Return whether a set of Twitter pairs is mined from synthetic tweets, as in the preset ``sample``."""
        return self._tweet_source(pairs) is None

    def pairs_settings(self, pairs: str) -> dict[str, Any]:
        """Return the non-default settings for mining a set of pairs."""
        return self.pairs[pairs].settings.model_dump(exclude_defaults=True)

    def table_columns(self, table: int) -> list[PlannedColumn]:
        """Return the columns of table 1 or 2 of the weighted aggregation paper; variants of columns are omitted."""
        return [c for c in self.columns.values() if c.settings.table == table and not c.variant]

    @property
    def variant_columns(self) -> list[PlannedColumn]:
        """The columns that have variants, and all their variants."""
        varied = {c.settings.label for c in self.columns.values() if c.variant}
        return [c for c in self.columns.values() if c.settings.label in varied]

    def column_files(self, columns: Iterable[PlannedColumn], kind: str) -> list[str]:
        """Return the paths of the files of one kind, such as "metrics", for every seed of the given columns."""
        return [self.paths.aggregation.format(column=c.name, seed=seed, kind=kind) for c in columns for seed in c.seeds]

    @property
    def kappa_model(self) -> Model:
        """Model for which values of kappa, the parameter of the median loss, are compared by cross-validation."""
        return self.models[self.settings.kappa.model]

    @property
    def figure3_models(self) -> list[Model]:
        """Models whose trained weights are shown in figure 3 of the weighted aggregation paper."""
        return [self.models[name] for name in self.settings.figure3]

    def _tweet_source(self, pairs: str) -> str | None:
        settings = self.pairs[pairs]
        return settings.source if isinstance(settings, TwitterPairs) else None
