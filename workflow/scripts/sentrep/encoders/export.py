"""Export trained models in formats that other tools read.

An export is a folder. Depending on the format, it contains these files:

- ``word2vec``: the file ``vectors.bin`` in the binary format of the original word2vec tool. In gensim, load this file
  with ``KeyedVectors.load_word2vec_format(path, binary=True)``.
- ``word2vec-text``: the file ``vectors.txt`` in the text format of word2vec.
- ``safetensors``: the word vectors in ``model.safetensors`` and the words in ``vocabulary.txt``.
- ``sentence-transformers``: the files of a sentence-transformers model. ``SentenceTransformer(path)`` and
  ``StaticEmbedding.load(path)`` load the model from the folder ``path``. The library sentence-transformers need not be
  installed for the export.

In every format, the folder also contains ``provenance.json``, a copy of the model's ``meta.json``.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from sentrep.corpora.tokenisers import PUNCTUATION_TOKENS, STRIPPED
from sentrep.encoders.base import AveragingEncoder, Encoder
from sentrep.encoders.card import Score, card, known_scores
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError, unknown_name
from sentrep.io.files import save_tensors, write_json
from sentrep.io.folders import FolderKind, output_folder

log = logging.getLogger("sentrep")

# An export cannot be distinguished from an unrelated folder, so a folder with files is never replaced.
EXPORT = FolderKind("an exported model", lambda _: False)

# The characters at which str.split() splits. The class \s cannot be used instead, because in the regular expressions
# of a Hugging Face tokenizer, it does not include U+001C to U+001F.
WHITE_SPACE = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


def export(model_dir: str | Path, format: str, out_dir: str | Path, evaluation: Path | None = None) -> Path:
    """Export a saved model to a new folder and return that folder.

    Args:
        model_dir: folder of the model to export.
        format: export format, a key of :data:`FORMATS`.
        out_dir: folder to create.
        evaluation: folder from which the scores in the model card are read; see
            :func:`sentrep.encoders.card.known_scores`. Only the format ``sentence-transformers`` has a model card.

    Raises:
        SentrepError: the format is unknown, the model folder is missing or damaged, the format cannot represent the
            model, ``evaluation`` contains no scores for the model, or ``out_dir`` is not empty.
    """
    if not Path(model_dir).is_dir():
        raise SentrepError(
            model_dir,
            expected="a model folder",
            found="no such folder",
            remedy="check the path, or train the model first",
        )
    scores = known_scores(Path(model_dir), evaluation)
    return export_encoder(load_encoder(model_dir), format, out_dir, str(model_dir), scores)


def export_encoder(
    encoder: Encoder, format: str, out_dir: str | Path, where: str = "model", scores: Sequence[Score] = ()
) -> Path:
    """Export an encoder to a new folder and return that folder.

    Args:
        encoder: encoder to export.
        format: export format, a key of :data:`FORMATS`.
        out_dir: folder to create.
        where: name or folder of the model, for messages and for the metadata of the format ``safetensors``.
        scores: scores of the model, for the model card of the format ``sentence-transformers``.

    Raises:
        SentrepError: the format is unknown or cannot represent the model, or ``out_dir`` is not empty.
    """
    if format not in FORMATS:
        raise unknown_name("export", "format", format, FORMATS)
    if not hasattr(encoder, "embeddings"):
        raise _unfit(where, "a model with one vector per word", encoder)
    with output_folder(out_dir, EXPORT, apart=[where] if Path(where).is_dir() else []) as folder:
        FORMATS[format](cast("AveragingEncoder", encoder), where, folder, scores)
        write_json(folder / "provenance.json", encoder.meta)
    return Path(out_dir)


def write_word2vec(encoder: AveragingEncoder, where: str, folder: Path, _: Sequence[Score] = ()) -> None:
    """Write ``vectors.bin`` in word2vec's binary format.

    The first line contains the number of words and the dimension. The rest of the file contains, for each word, the
    word, a space, the components of its vector as little-endian float32 values, and a line break.

    Raises:
        SentrepError: a word contains a space or a line break.
    """
    _write_vectors(encoder, where, folder / "vectors.bin", lambda vector: vector.astype("<f4").tobytes())


def write_word2vec_text(encoder: AveragingEncoder, where: str, folder: Path, _: Sequence[Score] = ()) -> None:
    """Write ``vectors.txt`` in word2vec's text format.

    The first line contains the number of words and the dimension. Each of the following lines consists of a word and
    the components of its vector, with as many digits as are needed to restore the float32 values exactly.

    Raises:
        SentrepError: a word contains a space or a line break.
    """
    _write_vectors(encoder, where, folder / "vectors.txt", lambda vector: " ".join(map(str, vector)).encode())


def _write_vectors(encoder: AveragingEncoder, where: str, path: Path, numbers: Callable[[Any], bytes]) -> None:
    with path.open("wb") as stream:
        stream.write(b"%d %d\n" % encoder.embeddings.shape)
        for word, vector in zip(encoder.vocabulary, encoder.embeddings, strict=True):
            if " " in word or "\n" in word:
                raise SentrepError(
                    f"{where}, vocabulary",
                    expected="words without spaces or line breaks",
                    found=repr(word),
                    remedy="use the format `safetensors`, in which words may contain spaces but not line breaks",
                )
            stream.write(word.encode() + b" " + numbers(vector) + b"\n")


def write_safetensors(encoder: AveragingEncoder, where: str, folder: Path, _: Sequence[Score] = ()) -> None:
    """Write ``vocabulary.txt`` and ``model.safetensors``, which contains the tensor ``embeddings``, (V, d) float32."""
    save_tensors({"embeddings": encoder.embeddings}, folder / "model.safetensors", {"model": where})
    lines = "".join(f"{word}\n" for word in encoder.vocabulary)
    (folder / "vocabulary.txt").write_text(lines, encoding="utf-8")


def write_sentence_transformer(
    encoder: AveragingEncoder, where: str, folder: Path, scores: Sequence[Score] = ()
) -> None:
    """Write a sentence-transformers model whose only module averages static word vectors.

    If the encoder sums word vectors or represents unknown words by random vectors, a warning states how the exported
    model differs from the encoder.

    Raises:
        SentrepError: the sentence vectors are not plain means or sums of word vectors, or the format cannot represent
            the model's tokeniser.
    """
    if type(encoder) is not AveragingEncoder:
        raise _unfit(where, "a model whose sentence vectors are plain means or sums of word vectors", encoder)
    if encoder.tokeniser_name not in SPLITTERS:
        raise SentrepError(
            where,
            expected=f"a tokeniser that a tokenizer.json file can represent ({' or '.join(SPLITTERS)})",
            found=f"the tokeniser {encoder.tokeniser_name}",
            remedy=(
                "use the format `word2vec`, or train on a corpus whose `encoding_tokeniser` is "
                f"{' or '.join(SPLITTERS)}"
            ),
        )
    notes = [note for holds, note in ((encoder.aggregation == "sum", SUM), (encoder.oov == "random", RANDOM)) if holds]
    for note in notes:
        log.warning("%s: %s", where, note)
    module = {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.StaticEmbedding"}
    config = {
        "model_type": "SentenceTransformer",
        "prompts": {"query": "", "document": ""},
        "default_prompt_name": None,
        "similarity_fn_name": "cosine",
    }
    write_json(folder / "modules.json", [module])
    write_json(folder / "config_sentence_transformers.json", config)
    text = json.dumps(tokenizer_json(encoder.vocabulary, encoder.tokeniser_name), ensure_ascii=False)
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")
    save_tensors({"embedding.weight": encoder.embeddings}, folder / "model.safetensors", {"format": "pt"})
    about = (
        f"A sentence vector is the mean of the word vectors of the sentence. The model has {len(encoder.vocabulary)} "
        f"words and {encoder.dimension} dimensions, and it uses the tokeniser `{encoder.tokeniser_name}`. It omits "
        "unknown words, and represents a sentence without known words by a zero vector."
    )
    (folder / "README.md").write_text(card(encoder.meta, about, notes, scores), encoding="utf-8")


FORMATS: dict[str, Callable[[AveragingEncoder, str, Path, Sequence[Score]], None]] = {
    "word2vec": write_word2vec,
    "word2vec-text": write_word2vec_text,
    "safetensors": write_safetensors,
    "sentence-transformers": write_sentence_transformer,
}

SUM = (
    "The model sums word vectors, but this format supports only means. Using means does not change cosines, but it "
    "changes dot products and vector lengths."
)
RANDOM = "The model represents unknown words by random vectors, but this export omits unknown words."


def tokenizer_json(vocabulary: list[str], tokeniser_name: str) -> dict[str, Any]:
    """Return the content of ``tokenizer.json`` for a Hugging Face tokenizer that drops unknown words.

    The tokenizer maps each known word to the row index of its vector. Hugging Face's word-level model is not suitable:
    it requires an id for unknown words, so every unknown word would change the mean of the word vectors. Instead, the
    tokenizer uses a BPE model without merges and with the option ``ignore_merges``. This model first searches the
    vocabulary for the whole word. If the word is unknown, the model searches for each character of the word and drops
    the characters that are unknown.

    The search for single characters never succeeds. Each entry of the vocabulary consists of one space and a word. The
    tokenizer also prepends a space to each word of a text. The model searches for this space as a single character, but
    no entry is a single space. It prepends two spaces to each of the remaining characters before it searches for them,
    but no entry begins with two spaces.
    """
    # The vocabulary may contain words that this tokeniser drops, if the token store was built with another tokeniser.
    unreachable = PUNCTUATION_TOKENS if tokeniser_name == "whitespace" else frozenset()
    separators = {
        "type": "Split",
        "pattern": {"Regex": SPLITTERS[tokeniser_name]},
        "behavior": "Removed",
        "invert": False,
    }
    leading_space = {"type": "Metaspace", "replacement": " ", "prepend_scheme": "always", "split": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": LOWERCASE if tokeniser_name == "kenter" else None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [separators, leading_space]},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": "  ",
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": True,
            "vocab": {f" {word}": row for row, word in enumerate(vocabulary) if word not in unreachable},
            "merges": [],
        },
    }


def _one_of(*characters: str) -> str:
    """Return a regular expression that matches any one of the characters."""
    return "[" + "".join(rf"\x{{{ord(c):04x}}}" for c in "".join(characters)) + "]"


def _kenter_separators() -> str:
    """Return a regular expression that matches what the ``kenter`` tokeniser treats as a separator between words.

    A separator is whitespace or a slash, together with the adjacent punctuation, which the tokeniser strips.
    Punctuation at either end of the text also counts as a separator.
    """
    space, stripped = _one_of(WHITE_SPACE, "/"), _one_of(STRIPPED)
    either = _one_of(WHITE_SPACE, STRIPPED)
    return rf"{stripped}*{space}{either}*|\A{stripped}+|{stripped}+\z"


SPLITTERS = {"kenter": _kenter_separators(), "whitespace": _one_of(WHITE_SPACE) + "+"}

# str.lower() turns a capital sigma at the end of a word into a final sigma, but Hugging Face's Lowercase normalizer
# does not.
_CASED, _IGNORED = r"[\p{Cased}&&\P{Case_Ignorable}]", r"\p{Case_Ignorable}*"
_FINAL_SIGMA = rf"{_CASED}{_IGNORED}\KΣ(?!{_IGNORED}{_CASED})"
LOWERCASE = {
    "type": "Sequence",
    "normalizers": [
        {"type": "Replace", "pattern": {"Regex": _FINAL_SIGMA}, "content": "ς"},
        {"type": "Lowercase"},
    ],
}


def _unfit(where: str, expected: str, encoder: Encoder) -> SentrepError:
    family = encoder.meta.get("family", type(encoder).__name__)
    return SentrepError(
        where,
        expected=expected,
        found=f"a model of type {family}",
        remedy="export a model that averages word vectors",
    )
