"""Helpers for the tests of transfer tasks: small tasks, encoders, configurations and the real files."""

import numpy as np
import yaml

from helpers_evaluation import MIRROR, ROOT, encoder_of
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.evaluation.transfer.readers import build_task
from sentrep.evaluation.transfer.tasks import Task

TASKS = make_plan(resolve({"preset": "novels"})).transfer.tasks
# These are the paths of the real files of each task in the mirror.
FOLDERS = {
    "mr": "senteval/MR",
    "cr": "senteval/CR",
    "subj": "senteval/SUBJ",
    "mpqa": "senteval/MPQA",
    "sst": "senteval/SST",
    "sst_fine": "senteval/SST",
    "trec": "senteval/TREC",
    "msrp": "senteval/MRPC",
    "sick": "sick",
}
WORDS = [f"w{number}" for number in range(40)]


def real_task(name):
    """Return a task read from the mirror."""
    files = sorted((MIRROR / FOLDERS[name]).iterdir())
    return build_task(name, TASKS[name], [(str(path), path.read_bytes()) for path in files], sample=False)


def sample_members():
    """Yield (path, content) of the sample files."""
    folder = ROOT / "workflow" / "sample" / "transfer"
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield str(path), path.read_bytes()


def word_encoder(dimension=6, seed=0, scale=1.0):
    """Return an averaging encoder with random vectors for WORDS."""
    vectors = scale * np.random.default_rng(seed).standard_normal((len(WORDS), dimension))
    return encoder_of(dict(zip(WORDS, vectors, strict=True)))


def texts_of(count, dice, length=(2, 9)):
    """Return random texts that consist of WORDS."""
    return [" ".join(dice.choice(WORDS, dice.integers(*length))) for _ in range(count)]


def labels_of(texts, classes, dice, noise=0.2):
    """Return classes that depend on the words of the texts, with noise."""
    kinds = np.array([next(WORDS.index(word) for word in text.split()) % classes for text in texts])
    return np.where(dice.random(len(texts)) < noise, dice.integers(classes, size=len(texts)), kinds)


def make_task(sizes, classes=2, pairs=False, seed=0, measure="accuracy"):
    """Return a task with random items; ``sizes`` gives the number of items per split."""
    dice = np.random.default_rng(seed)
    parts = {}
    for split, size in sizes.items():
        first = texts_of(size, dice)
        second = texts_of(size, dice) if pairs else None
        if measure == "relatedness":
            shared = [len(set(a.split()) & set(b.split())) for a, b in zip(first, second, strict=True)]
            targets = np.clip(1.5 + np.array(shared) + dice.normal(0, 0.3, size), 1, 5).round(1)
        else:
            targets = labels_of(first, classes, dice).astype(np.int64)
        parts[split] = LabelledTexts(first, second, targets)
    names = () if measure == "relatedness" else tuple(map(str, range(classes)))
    return Task("made", "MADE", measure, names, (1, 5) if not names else (0, 0), parts)


def settings_of(text):
    """Return the configuration of a task from YAML."""
    return {"label": "T", "sources": ["t"], "measure": "accuracy", **yaml.safe_load(text)}
