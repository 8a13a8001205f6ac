"""Generate the synthetic transfer tasks of the sample preset.

    python workflow/sample/make_transfer_tasks.py FOLDER

This is SAMPLE DATA: the texts are synthetic and share only the file formats with the real tasks. Each text is generated
by filling the slots of a pattern with words from the lists in ``patterns.yaml``. The output depends only on a seed. The
files in ``transfer/`` were written by this script.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

PATTERNS = yaml.safe_load(Path(__file__).with_name("patterns.yaml").read_text(encoding="utf-8"))["transfer"]
# On average, one in this many items is labelled with a wrong class, so that no classifier is right on all items.
_MISLABELLED = 12
_SLOT = re.compile(r"\{(\w+)\}")


def write_transfer_tasks(folder: str | Path, seed: int = 1) -> list[Path]:
    """Write the files of all synthetic transfer tasks to ``folder``, and return their paths.

    MR is not one of these tasks, because the sample preset uses the 200 real lines of MR in gensim's wheel.
    """
    files = {Path(folder) / name: lines for name, lines in sorted(transfer_files(seed).items())}
    for path, lines in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return list(files)


def transfer_files(seed: int = 1) -> dict[str, list[str]]:
    """Return a mapping from the relative path of each file of the synthetic transfer tasks to the lines of the file."""
    dice = random.Random(seed)
    patterns = PATTERNS["patterns"]
    found: dict[str, list[str]] = {}
    for task, names in PATTERNS["class_files"].items():
        texts = _labelled(patterns[task], 80, dice)
        for name in names:
            found[f"{task}/{name}"] = [text for label, text in texts if label == name]
    for name, each in (("train_5500.label", 30), ("TREC_10.label", 10)):
        found[f"TREC/{name}"] = [f"{label} {text}" for label, text in _labelled(patterns["TREC"], each, dice)]
    for split, each in (("train", 30), ("dev", 12), ("test", 16)):
        reviews = _labelled(patterns["SST"], each, dice)
        found[f"SST/stsa.fine.{split}"] = [f"{label} {text}" for label, text in reviews]
        found[f"SST/sentiment-{split}"] = [f"{text} \t{int(label > '2')}" for label, text in reviews if label != "2"]
    for split, pairs in (("train", 160), ("test", 80)):
        found[f"MRPC/msr_paraphrase_{split}.txt"] = list(_paraphrases(pairs, dice))
    for name, pairs in (("SICK_train", 160), ("SICK_trial", 60), ("SICK_test_annotated", 100)):
        found[f"SICK/{name}.txt"] = list(_related_pairs(pairs, dice))
    return found


def _fill(pattern: str, dice: random.Random, chosen: Mapping[str, str] | None = None) -> str:
    """Replace each slot of a pattern by the chosen word, or else by a random word from the list of the slot."""
    words = PATTERNS["words"]
    return _SLOT.sub(lambda slot: (chosen or {}).get(slot[1]) or dice.choice(words[slot[1]]), pattern)


def _another(slot: str, word: str, dice: random.Random) -> str:
    return dice.choice([other for other in PATTERNS["words"][slot] if other != word])


def _labelled(patterns: Mapping[str, list[str]], each: int, dice: random.Random) -> list[tuple[str, str]]:
    """Return ``each`` items per class, some of them mislabelled, as pairs of a label and a text in random order.

    The texts of all items are different.
    """
    items: list[tuple[str, str]] = []
    seen: set[str] = set()
    for label in patterns:
        wanted = len(items) + each
        while len(items) < wanted:
            text = _fill(dice.choice(patterns[label]), dice)
            if text not in seen:
                seen.add(text)
                others = [other for other in patterns if other != label]
                items.append((dice.choice(others) if dice.randrange(_MISLABELLED) == 0 else label, text))
    dice.shuffle(items)
    return items


def _paraphrases(pairs: int, dice: random.Random) -> Iterator[str]:
    """Yield the lines of an MSRP file.

    The two sentences of a pair are different wordings of the same news item. In pairs that are not paraphrases, the
    sentences differ in three facts. A few pairs are mislabelled.
    """
    yield "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String"
    for number in range(pairs):
        first, second = dice.choice(PATTERNS["news"])
        facts = {slot: dice.choice(PATTERNS["words"][slot]) for slot in PATTERNS["facts"]}
        same = dice.random() < 0.65
        changed = dict(facts)
        if not same:
            for slot in dice.sample(sorted(facts), 3):
                changed[slot] = _another(slot, facts[slot], dice)
        quality = same != (dice.randrange(_MISLABELLED) == 0)
        texts = f"{_fill(first, dice, facts)}\t{_fill(second, dice, changed)}"
        yield f"{int(quality)}\t{2 * number + 1}\t{2 * number + 2}\t{texts}"


def _related_pairs(pairs: int, dice: random.Random) -> Iterator[str]:
    """Yield the lines of a SICK file.

    The two sentences of a pair describe a scene. The more parts of the scene differ between the sentences, the lower
    the relatedness score of the pair.
    """
    yield "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"
    slots = ("who", "does", "where")
    for number in range(1, pairs + 1):
        scene = {slot: dice.choice(PATTERNS["words"][slot]) for slot in slots}
        changed = dice.sample(slots, dice.randrange(4))
        other = {slot: _another(slot, word, dice) if slot in changed else word for slot, word in scene.items()}
        first, second = (dice.choice(PATTERNS["scenes"]) for _ in range(2))
        score = min(5.0, max(1.0, 4.8 - 1.2 * len(changed) + dice.uniform(-0.4, 0.4)))
        judgement = "NEUTRAL" if changed else "ENTAILMENT"
        yield f"{number}\t{_fill(first, dice, scene)}\t{_fill(second, dice, other)}\t{score:.1f}\t{judgement}"


if __name__ == "__main__":
    write_transfer_tasks(sys.argv[1])
