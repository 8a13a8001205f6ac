"""Train linear maps from image features and sentence vectors to a common space.

The weights with the highest total recall on the validation images are kept. As in the code of Kiros et al. (2015),
training never ends early. The feature vector of each image is scaled to length one, although neither Logeswaran and Lee
(2018) nor Kiros et al. mention such scaling.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp
import torch
from torch import Tensor

from sentrep.encoders.base import Vectors
from sentrep.errors import SentrepError
from sentrep.evaluation.retrieval.objective import Scorer, margin_loss
from sentrep.evaluation.retrieval.ranking import Scores, over_folds, total_recall
from sentrep.evaluation.retrieval.settings import Settings
from sentrep.training.optimisers import without_compiler

log = logging.getLogger("sentrep")
_ORDER, _WRONG = range(2)  # separate streams of random numbers
_PROJECTED = 4096  # number of sentences or images to project at a time in evaluation


@dataclass(frozen=True)
class Features:
    """The features of the n images in a split, and the vectors of their captions.

    Attributes:
        images: (n, d) float32 image features.
        captions: (n m, e) float32 caption vectors, dense or sparse, grouped by image, with m captions per image.
    """

    images: npt.NDArray[np.float32]
    captions: Vectors


class Rows:
    """A dense or sparse matrix whose rows can be selected as dense tensors on a torch device.

    A dense matrix is moved to the device as a whole. A sparse matrix is not moved; only the selected rows are converted
    to dense tensors on the device.

    Args:
        matrix: (n, d), dense or sparse.
        device: torch device.
        unit: whether selected rows are scaled to length one.
    """

    def __init__(self, matrix: Vectors, device: str, unit: bool = False) -> None:
        self._device, self._unit = device, unit
        self._rows: sp.csr_array | Tensor
        if isinstance(matrix, sp.csr_array):
            self._rows = sp.csr_array(matrix, dtype=np.float32)
        else:
            self._rows = torch.from_numpy(matrix).to(device)
        self.shape: tuple[int, ...] = np.shape(cast(Any, matrix))

    def take(self, rows: npt.NDArray[np.int64]) -> Tensor:
        """Return the selected rows as a dense tensor, (len(rows), d) float32."""
        if isinstance(self._rows, Tensor):
            found = self._rows[torch.from_numpy(rows).to(self._device)]
        else:
            found = torch.from_numpy(self._rows[rows].toarray()).to(self._device)
        return torch.nn.functional.normalize(found, dim=1) if self._unit else found


@dataclass(frozen=True)
class Outcome:
    """The result of :func:`train_maps`.

    Attributes:
        measured: results on the test images, as returned by :func:`sentrep.evaluation.retrieval.ranking.over_folds`.
        history: a table with one row for each validation, and the columns step (counted from 1), epoch (counted from
            0), loss (mean over the steps since the previous validation) and validation (the result of
            :func:`sentrep.evaluation.retrieval.ranking.total_recall`).
        best_step: number of the training step whose weights were kept.
    """

    measured: pd.DataFrame
    history: pd.DataFrame
    best_step: int


def train_maps(
    train: Features, dev: Features, test: Features, settings: Settings, seed: int, device: str = "cpu"
) -> Outcome:
    """Train linear maps, keep the weights that perform best on validation images, and evaluate them on test images.

    Randomness depends only on the seed and the step or epoch number.

    Args:
        train: training data.
        dev: validation data.
        test: test data.
        settings: settings for training the maps.
        seed: seed for the initial weights, the order of pairs, and the choice of contrastive images and captions.
        device: torch device.

    Raises:
        SentrepError: the loss is not finite, or there are not enough validation or test images for one fold.
    """
    fitted, validated = _on_device(train, device), _on_device(dev, device)
    images, captions = (rows.shape[1] for rows in fitted)
    scorer = Scorer(images, captions, settings.dimension, settings.scoring, seed).to(device)
    optimiser = without_compiler(torch.optim.Adam)(scorer.parameters(), lr=settings.learning_rate)
    best, best_step, best_state = -1.0, 0, copy.deepcopy(scorer.state_dict())
    history: list[dict[str, float]] = []
    losses: list[Tensor] = []
    pairs = fitted[1].shape[0]
    last = settings.epochs * -(-pairs // settings.batch_size)
    for step, epoch, chosen in _steps(pairs, settings, seed):
        loss = batch_loss(scorer, *fitted, chosen, settings, np.random.default_rng([seed, _WRONG, step]))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.detach())
        if step % settings.validate_every and step != last:
            continue
        mean_loss = float(torch.stack(losses).mean())
        if not np.isfinite(mean_loss):
            raise SentrepError(
                "retrieval",
                expected="a finite loss",
                found=f"a loss of {mean_loss} at step {step}",
                remedy="set a smaller `retrieval.settings.learning_rate`",
            )
        reached = total_recall(evaluate(scorer, *validated, settings, "validation images"))
        history.append({"step": step, "epoch": epoch, "loss": mean_loss, "validation": reached})
        log.info(
            "step %d of %d: training loss %.4g, sum of the six validation recalls %.1f (maximum 600)",
            step,
            last,
            mean_loss,
            reached,
        )
        losses = []
        if reached > best:
            best, best_step, best_state = reached, step, copy.deepcopy(scorer.state_dict())
    scorer.load_state_dict(best_state)
    measured = evaluate(scorer, *_on_device(test, device), settings, "test images")
    return Outcome(measured, pd.DataFrame(history), best_step)


def evaluate(scorer: Scorer, images: Rows, captions: Rows, settings: Settings, where: str) -> pd.DataFrame:
    """Return recall and median rank on a split, averaged over folds of images.

    Args:
        scorer: trained linear maps from image features and sentence vectors to a common space.
        images: features of n images.
        captions: vectors of their captions, grouped by image.
        settings: settings for training the maps; only ``fold_images`` is used here.
        where: name of the split, for error messages.

    Returns:
        A table as returned by :func:`sentrep.evaluation.retrieval.ranking.over_folds`.

    Raises:
        SentrepError: there are not enough images for one fold.
    """
    per_image = captions.shape[0] // images.shape[0]
    was_training = scorer.training
    scorer.eval()

    def score(fold: slice) -> Scores:
        with torch.no_grad():
            rows = np.arange(fold.start, fold.stop)
            columns = np.arange(fold.start * per_image, fold.stop * per_image)
            left = [scorer.project_images(images.take(part)) for part in _parts(rows)]
            right = [scorer.project_sentences(captions.take(part)) for part in _parts(columns)]
            return (torch.cat(left) @ torch.cat(right).T).cpu().numpy()

    measured = over_folds(images.shape[0], settings.fold_images, score, where)
    scorer.train(was_training)
    return measured


def _on_device(features: Features, device: str) -> tuple[Rows, Rows]:
    """Return the images and the captions of a split as :class:`Rows` on a device; images have length one."""
    return Rows(features.images, device, unit=True), Rows(features.captions, device)


def _steps(pairs: int, settings: Settings, seed: int) -> Iterator[tuple[int, int, npt.NDArray[np.int64]]]:
    """Yield the number of each training step, its epoch, and the indices of the captions in its batch."""
    step = 0
    for epoch in range(settings.epochs):
        order = np.random.default_rng([seed, _ORDER, epoch]).permutation(pairs)
        for begin in range(0, pairs, settings.batch_size):
            step += 1
            yield step, epoch, order[begin : begin + settings.batch_size]


def batch_loss(
    scorer: Scorer,
    images: Rows,
    captions: Rows,
    chosen: npt.NDArray[np.int64],
    settings: Settings,
    rng: np.random.Generator,
) -> Tensor:
    """Return the margin loss of a batch of image-caption pairs, using randomly drawn contrastive images and captions.

    Args:
        scorer: linear maps from image features and sentence vectors to a common space.
        images: features of all training images.
        captions: vectors of all training captions, grouped by image.
        chosen: (b,) indices of the captions of the b pairs.
        settings: settings for training the maps.
        rng: source of random numbers.
    """
    per_image = captions.shape[0] // images.shape[0]
    own = chosen // per_image
    shape = (settings.contrasts,) if settings.drawn_for == "batch" else (len(chosen), settings.contrasts)
    wrong_images, wrong_captions = (rng.integers(count, size=shape) for count in (images.shape[0], captions.shape[0]))
    use_images, use_captions = (
        None if settings.own_as_contrast else _differs(of, own) for of in (wrong_images, wrong_captions // per_image)
    )
    device = scorer.images.weight.device
    return margin_loss(
        scorer.project_images(images.take(own)),
        scorer.project_sentences(captions.take(chosen)),
        scorer.project_images(images.take(wrong_images.ravel())).view(*shape, settings.dimension),
        scorer.project_sentences(captions.take(wrong_captions.ravel())).view(*shape, settings.dimension),
        settings.margin,
        None if use_images is None else use_images.to(device),
        None if use_captions is None else use_captions.to(device),
    )


def _differs(image_of: npt.NDArray[np.int64], own: npt.NDArray[np.int64]) -> Tensor:
    """Return a (b, n) bool tensor, True where a contrastive example is neither the pair's image nor a caption of it."""
    return torch.from_numpy(np.atleast_2d(image_of) != own[:, None])


def _parts(rows: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    return [rows[begin : begin + _PROJECTED] for begin in range(0, len(rows), _PROJECTED)]
