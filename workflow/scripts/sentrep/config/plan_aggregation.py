"""The part of a plan that only the weighted aggregation paper asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sentrep.config.corpora import TwitterPairs, WikipediaPairs
from sentrep.config.paths import Paths
from sentrep.config.planned import Corpus, Model
from sentrep.config.weighted_aggregation import Aggregation
from sentrep.errors import unknown_name


@dataclass(frozen=True)
class AggregationPlan:
    """Which pairs are mined, and which ways to compare texts are evaluated on them."""

    settings: Aggregation
    pairs: Mapping[str, WikipediaPairs | TwitterPairs]
    corpora: Mapping[str, Corpus]
    models: Mapping[str, Model]
    paths: Paths

    def __post_init__(self) -> None:
        if self.settings.figure2 not in self.settings.columns:
            raise unknown_name("config.aggregation.figure2", "column", self.settings.figure2, self.settings.columns)

    @property
    def sources(self) -> set[str]:
        """Sources of the tweets."""
        return {pairs.source for pairs in self.pairs.values() if isinstance(pairs, TwitterPairs) and pairs.source}

    def names(self, miner: Literal["wikipedia", "twitter"]) -> list[str]:
        """Return the names of the pairs that a miner makes."""
        return [name for name, pairs in self.pairs.items() if pairs.miner == miner]

    def sentences(self, pairs: str) -> str:
        """Return the sentences that pairs are mined from."""
        return self.paths.sentences.format(corpus=self.corpora[self.pairs[pairs].corpus].sentences)

    def store(self, pairs: str) -> str:
        """Return the token store whose vocabulary the pairs use."""
        return self.paths.store.format(corpus=self.pairs[pairs].corpus)

    def tweets(self, pairs: str) -> str:
        """Return the manifest of the tweets, or the synthetic tweets of the sample preset."""
        source = self._tweet_source(pairs)
        return self.paths.manifest.format(source=source) if source else self.paths.sample_tweets

    def is_sample(self, pairs: str) -> bool:
        """Return whether pairs are mined from the synthetic tweets."""
        return self._tweet_source(pairs) is None

    def pairs_settings(self, pairs: str) -> dict[str, Any]:
        """Return the settings of the miner that differ from its defaults."""
        return self.pairs[pairs].settings.model_dump(exclude_defaults=True)

    def column_inputs(self, column: str) -> dict[str, str]:
        """Return pairs, word vectors and models with learnt weights of one column of the paper's tables."""
        settings = self.settings.columns[column]
        return {
            "pairs": self.paths.pairs.format(pairs=settings.pairs),
            "embeddings": self.first_seed(settings.embeddings),
            **{name: self.first_seed(name) for name in settings.learnt},
        }

    def columns(self, table: int) -> list[dict[str, Any]]:
        """Return the columns of one of the paper's tables."""
        columns = self.settings.columns.items()
        return [{"name": name, **column.model_dump()} for name, column in columns if column.table == table]

    def column_files(self, table: int, kind: str) -> list[str]:
        """Return the files of one kind, such as metrics, of each of these columns."""
        return [self.paths.aggregation.format(column=column["name"], kind=kind) for column in self.columns(table)]

    def first_seed(self, model: str) -> str:
        """Return the folder of a model's first seed."""
        return self.paths.model.format(model=model, seed=self.models[model].seeds[0])

    @property
    def kappa_model(self) -> Model:
        """Model whose kappa is varied."""
        return self.models[self.settings.kappa.model]

    @property
    def figure3_models(self) -> list[Model]:
        """Models whose learnt weights figure 3 shows."""
        return [self.models[name] for name in self.settings.figure3]

    def _tweet_source(self, pairs: str) -> str | None:
        settings = self.pairs[pairs]
        return settings.source if isinstance(settings, TwitterPairs) else None
