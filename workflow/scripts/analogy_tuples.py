"""Mine tuples of sentences that stand to each other as words of an analogy do."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from sentrep.corpora.sentence_shards import corpus_lines
from sentrep.evaluation.analogies.mining import mine_pairs
from sentrep.evaluation.analogies.questions import read_questions
from sentrep.evaluation.analogies.tuples import build_tuples, write_tuples
from sentrep.io.files import read_json
from sentrep.runtime.job import log, run
from sentrep.sources.archives import iter_members


def main(snakemake: Any) -> None:
    """Write the tuples, after a description of the text they come from."""
    source, params = snakemake.input, snakemake.params
    text = Path(source.sentences)
    sets = zip(params.sets, source.questions, strict=True)
    questions = [q for name, manifest in sets for q in read_questions(iter_members(manifest), name)]
    words = {pair for q in questions if q.relation in params.relations for pair in ((q.a, q.b), (q.c, q.d))}
    mined = mine_pairs(partial(corpus_lines, text), sorted(words), **params.mining)
    tuples = build_tuples(mined, questions, params.relations, params.per_relation, params.seed)
    counts = Counter(analogy.relation for analogy in tuples)
    description = {
        "corpus": params.corpus,
        "source": read_json(text / "meta.json")["source"]["version"] if text.is_dir() else "made-up sentences",
        "sample": params.sample,
        "read": mined.read,
        "sentence_pairs": sum(map(len, mined.pairs.values())),
        "tuples": {relation: counts[relation] for relation in params.relations},
        **params.mining,
    }
    write_tuples(snakemake.output[0], tuples, description)
    log.info("%d sentence pairs, %d tuples: %s", description["sentence_pairs"], len(tuples), dict(counts))


if __name__ == "__main__":
    run(main, snakemake)
