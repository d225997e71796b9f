#!/usr/bin/env python3
"""Trains the sample network, shapes.onnx, on photos that freqstore-sample makes. See README.md.

Needs python3-torch and python3-pil; neither the build nor the tests do.
"""

import argparse
import pathlib
import time

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.nn import functional

SIDE_PX = 96
HERE = pathlib.Path(__file__).resolve().parent


def load(folder):
    """All photos of a folder as uint8 NCHW at SIDE_PX, and their class indices."""
    lines = (folder / "labels.tsv").read_text().splitlines()[1:]
    pixels = np.empty((len(lines), 3, SIDE_PX, SIDE_PX), np.uint8)
    classes = np.empty(len(lines), np.int64)
    for i, line in enumerate(lines):
        name, index, _ = line.split("\t")
        with Image.open(folder / name) as photo:
            small = photo.convert("RGB").resize((SIDE_PX, SIDE_PX), Image.Resampling.BILINEAR)
        pixels[i] = np.asarray(small).transpose(2, 0, 1)
        classes[i] = int(index)
    return torch.from_numpy(pixels), torch.from_numpy(classes)


def conv(channels_in, channels_out, size, stride=1, groups=1):
    return [
        nn.Conv2d(channels_in, channels_out, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(channels_out),
        nn.ReLU(),
    ]


def separable(channels_in, channels_out, stride):
    return conv(channels_in, channels_in, 3, stride, channels_in) + conv(channels_in, channels_out, 1)


def make_network(classes):
    return nn.Sequential(
        *conv(3, 16, 3, 2),
        *separable(16, 32, 2),
        *separable(32, 48, 1),
        *separable(48, 96, 2),
        *separable(96, 96, 1),
        *separable(96, 160, 2),
        *separable(160, 160, 1),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(160, classes),
    )


def normalise(pixels):
    return (pixels.float() - 128) / 128


def augment(pixels):
    """One of the square's eight symmetries for the batch, then light and contrast for each photo."""
    turns, mirrored = np.random.randint(4), np.random.randint(2)
    pixels = torch.rot90(pixels, turns, (2, 3))
    if mirrored:
        pixels = pixels.flip(3)
    shape = (len(pixels), 1, 1, 1)
    contrast = torch.empty(shape).uniform_(0.8, 1.25)
    light = torch.empty(shape).uniform_(-0.15, 0.15)
    return normalise(pixels) * contrast + light


def accuracy(network, pixels, classes):
    network.eval()
    with torch.no_grad():
        answers = torch.cat([network(normalise(batch)).argmax(1) for batch in pixels.split(100)])
    return (answers == classes).float().mean().item()


def train(network, pixels, classes, epochs, report):
    batch = 64
    steps = len(pixels) // batch
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.006, epochs=epochs, steps_per_epoch=steps)
    for epoch in range(epochs):
        network.train()
        for rows in torch.randperm(len(pixels))[: steps * batch].split(batch):
            loss = functional.cross_entropy(network(augment(pixels[rows])), classes[rows], label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        report(epoch, loss.item())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=pathlib.Path, help="folder of training photos")
    parser.add_argument("held_out", type=pathlib.Path, help="folder of photos of another seed, to measure on")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "shapes.onnx")
    parser.add_argument("--epochs", type=int, default=24)
    args = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(1)
    np.random.seed(1)
    class_count = len((HERE / "shapes_labels.txt").read_text().split())
    pixels, classes = load(args.photos)
    held_pixels, held_classes = load(args.held_out)
    network = make_network(class_count)
    started = time.monotonic()

    def report(epoch, loss):
        seconds = time.monotonic() - started
        print(f"epoch {epoch + 1:2} loss {loss:.3f} held-out accuracy "
              f"{accuracy(network, held_pixels, held_classes):.4f} after {seconds:.0f} s", flush=True)

    train(network, pixels, classes, args.epochs, report)
    network.eval()
    torch.onnx.export(
        network, torch.zeros(1, 3, SIDE_PX, SIDE_PX), str(args.out), opset_version=13,
        input_names=["input"], output_names=["logits"],
        dynamic_axes={"input": {0: "batch"}, "logits": {0: "batch"}})
    print(f"wrote {args.out}: {args.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
