"""Compare both protocols with loops over scikit-learn's classifier, and test conditions that stop an evaluation."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier

from helpers_evaluation import needs_mirror
from helpers_transfer import labels_of, make_task, real_task, texts_of, word_encoder
from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.corpora.tokenisers import tokeniser
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.folds import prepare
from sentrep.evaluation.transfer.predictions import f1, fold_accuracies, measures
from sentrep.evaluation.transfer.protocols import PROTOCOLS, evaluate

KIROS, SENTEVAL = PROTOCOLS["kiros"], PROTOCOLS["senteval"]
GRID = [2.0**t for t in range(9)]


def classifier(c, classes=2):
    model = LogisticRegression(C=c, solver="liblinear", tol=1e-8, max_iter=10000)
    return model if classes == 2 else OneVsRestClassifier(model)


def best_c(features, labels, splitter, grid, score, decimals=None):
    """Return the C that the released scripts choose: the first with the highest mean score over folds."""
    means = []
    for c in grid:
        found = []
        for train, held_out in splitter.split(features, labels):
            model = classifier(c, len(set(labels))).fit(features[train], labels[train])
            found.append(score(labels[held_out], model.predict(features[held_out])))
        means.append(np.mean(found) if decimals is None else round(100 * np.mean(found), decimals))
    return grid[int(np.argmax(means))]


def right(labels, predicted):
    return np.mean(labels == predicted)


def unit(vectors):
    lengths = np.linalg.norm(vectors.astype(float), axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def nested_by_hand(features, labels, splitter, inner, grid, decimals=None):
    scores, chosen = [], []
    for train, test in splitter.split(features, labels):
        c = best_c(features[train], labels[train], inner, grid, right, decimals)
        model = classifier(c, len(set(labels))).fit(features[train], labels[train])
        scores.append(right(labels[test], model.predict(features[test])))
        chosen.append(c)
    return scores, chosen


@pytest.mark.parametrize("classes", [2, 3])
def test_kiros_nested_cross_validation(classes):
    task, encoder = make_task({"all": 90}, classes), word_encoder()
    task.parts["all"].first[5] = task.parts["all"].first[40] = ""  # these items are omitted
    chosen = replace(KIROS, splitter=KFold(3))
    predicted, encoded = evaluate(task, encoder, chosen, "unit")
    keep = [row for row, text in enumerate(task.parts["all"].first) if text]
    order = np.arange(len(keep))
    np.random.RandomState(1234).shuffle(order)
    features = unit(encoder.encode([task.parts["all"].first[keep[row]] for row in order]))
    labels = task.parts["all"].targets[keep][order]
    scores, cs = nested_by_hand(features, labels, KFold(3), KFold(3), GRID)
    assert predicted.chosen.tolist() == cs
    assert predicted.folds == 3
    assert fold_accuracies(predicted) == pytest.approx(scores)
    assert measures(task, predicted)["accuracy"] == pytest.approx(100 * np.mean(scores))
    assert len(predicted.targets) == 88
    assert encoded.zeros == 0


def test_senteval_nested_cross_validation():
    task, encoder = make_task({"all": 90}, seed=4), word_encoder(scale=0.7)
    task.parts["all"].first[3] = ""
    chosen = replace(SENTEVAL, splitter=StratifiedKFold(3, shuffle=True, random_state=1111))
    predicted, encoded = evaluate(task, encoder, chosen, "none")
    part = task.parts["all"]
    items = sorted(
        zip(part.first, part.targets.tolist(), strict=True), key=lambda item: (len(item[0].split()), item[1])
    )
    features, labels = encoder.encode([text for text, _ in items]), np.array([label for _, label in items])
    folds = StratifiedKFold(3, shuffle=True, random_state=1111)
    scores, cs = nested_by_hand(features, labels, folds, folds, [2.0**t for t in range(-2, 4)], decimals=2)
    assert predicted.chosen.tolist() == cs
    assert fold_accuracies(predicted) == pytest.approx(scores)
    assert encoded.zeros == 1
    assert len(predicted.targets) == 90


@pytest.mark.parametrize(("name", "powers"), [("kiros", (0, 8)), ("senteval", (-1, 5))])
def test_test_split(name, powers):
    """For TREC, C is chosen with folds of the training items, and each class is classified against the rest."""
    task, encoder = make_task({"train": 80, "test": 30}, 3, seed=2), word_encoder()
    predicted, _ = evaluate(task, encoder, PROTOCOLS[name], "unit")
    parts = {
        split: prepare(part, by_length=PROTOCOLS[name].by_length, keep_empty=True) for split, part in task.parts.items()
    }
    features = {split: unit(encoder.encode(part.first)) for split, part in parts.items()}
    folds = KFold(10) if name == "kiros" else StratifiedKFold(10, shuffle=True, random_state=1111)
    grid = [2.0**t for t in range(powers[0], powers[1] + 1)]
    decimals = None if name == "kiros" else 2
    c = best_c(features["train"], parts["train"].targets, folds, grid, right, decimals)
    model = classifier(c, 3).fit(features["train"], parts["train"].targets)
    assert predicted.chosen.tolist() == [c]
    assert predicted.folds == 10
    assert (predicted.log_probabilities.argmax(axis=1) == model.predict(features["test"])).all()
    np.testing.assert_allclose(np.exp(predicted.log_probabilities), model.predict_proba(features["test"]), atol=2e-4)


def test_dev_split():
    task, encoder = make_task({"train": 60, "dev": 30, "test": 30}, seed=5), word_encoder()
    predicted, _ = evaluate(task, encoder, KIROS, "unit")
    features = {split: unit(encoder.encode(part.first)) for split, part in task.parts.items()}
    models = [classifier(c).fit(features["train"], task.parts["train"].targets) for c in GRID]
    scores = [right(task.parts["dev"].targets, model.predict(features["dev"])) for model in models]
    best = int(np.argmax(scores))
    assert predicted.chosen.tolist() == [GRID[best]]
    assert predicted.folds == 0
    assert predicted.validation.tolist() == pytest.approx([max(scores)])
    accuracy = right(task.parts["test"].targets, models[best].predict(features["test"]))
    assert measures(task, predicted)["accuracy"] == pytest.approx(100 * accuracy)


def test_paraphrases_are_chosen_by_f1():
    task, encoder = make_task({"train": 80, "test": 40}, pairs=True, measure="paraphrase"), word_encoder(3)
    predicted, _ = evaluate(task, encoder, KIROS, "unit")
    features = {}
    for split, part in task.parts.items():
        u, v = (unit(encoder.encode(side)) for side in (part.first, part.second))
        features[split] = np.hstack([np.abs(u - v), u * v])
    labels = task.parts["train"].targets
    folds = KFold(10, shuffle=True, random_state=1234)
    c = best_c(features["train"], labels, folds, GRID, lambda a, b: f1_score(a, b, zero_division=0))
    model = classifier(c).fit(features["train"], labels)
    said = model.predict(features["test"])
    assert predicted.chosen.tolist() == [c]
    found = measures(task, predicted)
    order = np.arange(40)
    np.random.RandomState(1234).shuffle(order)
    assert (predicted.log_probabilities.argmax(axis=1) == said[order]).all()
    assert found["f1"] == pytest.approx(100 * f1_score(task.parts["test"].targets, said))
    assert found["accuracy"] == pytest.approx(100 * right(task.parts["test"].targets, said))


def test_f1_equals_scikit_learns():
    dice = np.random.default_rng(0)
    for _ in range(20):
        labels, said = dice.integers(2, size=(2, 12))
        assert f1(said, labels) == pytest.approx(f1_score(labels, said, zero_division=0))
    assert f1(np.zeros(3, dtype=int), np.ones(3, dtype=int)) == 0


@pytest.mark.parametrize(
    ("sizes", "change", "name", "message"),
    [
        ({"all": 8}, None, "kiros", "MADE: expected at least 10 items for 10 folds, found 8"),
        ({"all": 30}, "rare", "senteval", "at least 10 items in each class for 10 folds, found 1"),
        (
            {"all": 30},
            "rare",
            "kiros",
            "MADE, all folds except fold [0-9]+: expected training items in each class \\(0, 1\\), found none in 1",
        ),
        ({"train": 9, "test": 5}, None, "kiros", "expected at least 10 items for 10 folds, found 9"),
    ],
)
def test_too_few_items(sizes, change, name, message):
    task = make_task(sizes)
    if change:
        task.parts["all"].targets[:] = 0
        task.parts["all"].targets[4] = 1
    with pytest.raises(SentrepError, match=message) as caught:
        evaluate(task, word_encoder(), PROTOCOLS[name], "unit")
    assert "\n" not in str(caught.value)


def test_vectors_that_are_not_finite():
    encoder = word_encoder()
    encoder.embeddings[3] = np.inf
    with pytest.raises(SentrepError, match="MADE: expected finite sentence vectors"):
        evaluate(make_task({"all": 40}), encoder, KIROS, "unit")


def test_scores_that_are_all_equal():
    task = make_task({"train": 30, "dev": 10, "test": 10}, pairs=True, measure="relatedness")
    encoder = word_encoder()
    encoder.embeddings[:] = 0
    with pytest.raises(SentrepError, match="MADE: expected predicted scores that differ between pairs"):
        measures(task, evaluate(task, encoder, KIROS, "unit")[0])
    predictions = evaluate(task, word_encoder(), KIROS, "unit")[0]
    with pytest.raises(SentrepError, match="MADE: expected relatedness scores that differ between pairs, found 3 for"):
        measures(task, replace(predictions, targets=np.full_like(predictions.targets, 3)))


@needs_mirror
@pytest.mark.slow
def test_real_task_by_hand():
    """On CR with small random vectors, our nested cross-validation and liblinear agree to within one item per fold."""
    task = real_task("cr")
    part = task.parts["all"]
    texts = sorted({word for text in part.first for word in text.split()})
    from helpers_evaluation import encoder_of

    vectors = np.random.default_rng(1).standard_normal((len(texts), 20))
    encoder = encoder_of(dict(zip(texts, vectors, strict=True)))
    predicted, _ = evaluate(task, encoder, replace(KIROS, splitter=KFold(3)), "unit")
    keep = [row for row, text in enumerate(part.first) if text]
    assert len(keep) == 3771  # the same number of items as in Kiros et al.
    order = np.arange(len(keep))
    np.random.RandomState(1234).shuffle(order)
    features = unit(encoder.encode([part.first[keep[row]] for row in order]))
    scores, cs = nested_by_hand(features, part.targets[keep][order], KFold(3), KFold(3), GRID)
    assert predicted.chosen.tolist() == cs
    assert np.abs(np.array(fold_accuracies(predicted)) - scores).max() <= 1.001 / 1257  # to within one item


def tfidf_of(task):
    """Return a tf-idf encoder with the document frequencies of the task's own texts."""
    from sentrep.families.tfidf import TfIdfEncoder

    texts = [text for part in task.parts.values() for text in [*part.first, *(part.second or [])]]
    counts: dict[str, int] = {}
    for text in texts:
        for word in set(tokeniser("nltk")(text)):
            counts[word] = counts.get(word, 0) + 1
    idf = np.log(len(texts) / np.array(list(counts.values())))
    return TfIdfEncoder(idf.astype(np.float32), list(counts), "nltk")


@needs_mirror
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "published"),
    [("cr", {"accuracy": 79.2}), ("trec", {"accuracy": 85.0}), ("msrp", {"accuracy": 73.6, "f1": 81.7})],
)
def test_published_tfidf(name, published):
    """Compare unigram tf-idf with the published values (Hill et al. 2016, and Conneau et al. 2017, table 4).

    The values were obtained with the scripts of Kiros et al. The document frequencies come from another corpus, so ours
    agree with them only to within a few percent.
    """
    task = real_task(name)
    predicted, _ = evaluate(task, tfidf_of(task), KIROS, "unit")
    found = measures(task, predicted)
    for metric, value in published.items():
        assert found[metric] == pytest.approx(value, abs=4.0)
    if name == "cr":
        assert found["accuracy"] == pytest.approx(79.2, abs=1.0)


def test_order_of_items_does_not_matter_to_senteval():
    """Items are sorted by length, so the result does not depend on their order if no lengths are equal, as here."""
    dice = np.random.default_rng(3)
    texts = [" ".join(["w1"] * k + texts_of(1, dice)[0].split()[:1]) for k in range(40)]
    labels = labels_of([text.split()[-1] for text in texts], 2, dice)
    task = make_task({"all": 40})
    chosen = replace(SENTEVAL, splitter=StratifiedKFold(4, shuffle=True, random_state=1111))
    found = []
    for order in (np.arange(40), dice.permutation(40)):
        task.parts["all"] = LabelledTexts(texts, None, labels.astype(np.int64)).take(order)
        found.append(evaluate(task, word_encoder(), chosen, "unit")[0])
    np.testing.assert_array_equal(found[0].targets, found[1].targets)
    np.testing.assert_allclose(found[0].log_probabilities, found[1].log_probabilities, atol=1e-6)
