"""Examples for the configuration reference: excerpts from a ``config.yaml``, keyed by section.

The excerpt with the key "" shows top-level settings.
"""

EXAMPLES = {
    "": """\
preset: novels
mirror: /data/mirror
papers: [siamese_cbow, cbos]
""",
    "corpora": """\
corpora:
  letters: {files: ["/data/letters/*.txt"], reader: text, minimum_count: 2}
  letters_quarter: {base: letters, fraction: 0.25}
""",
    "evaluation": """\
evaluation:
  own: [/data/pairs]
  timed_models: [siamese_cbow, random]
  timed_pairs: 500
""",
    "pairs": """\
pairs:
  wikipedia_15: {corpus: wikipedia, miner: wikipedia, settings: {words: 15}}
""",
    "aggregation": """\
aggregation:
  variants:
    word vectors trained for 2 epochs: {embeddings: {epochs: 2}}
""",
    "transfer": """\
transfer:
  models: [cbos, tfidf]
  seeds: 2
""",
    "retrieval": """\
retrieval: {models: [quick_thoughts_mc], seeds: 1}
""",
    "nearest_sentences": """\
nearest_sentences: {models: [cbos, tfidf], pool: 50000}
""",
    "analogies": """\
analogies: {models: [cbos, tfidf], pool: 50000}
""",
    "tables": """\
tables:
  sts:
    cbos: {title: "CBOS, table 1", year_means: false}
""",
    "models": """\
models:
  five_negatives:
    base: siamese_cbow
    label: Siamese CBOW, five negative examples
    parameters: {negatives: 5}
    seeds: [1, 2, 3]
""",
    "sweeps": """\
sweeps:
  windows:
    paper: siamese_cbow
    title: Window size of word2vec
    models: [word2vec_cbow]
    grid: {window: [2, 5, 10]}
    baselines: [random]
    seeds: [1, 2]
""",
}
