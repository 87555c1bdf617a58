#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in training: on device cuda the losses and weights become what they become on the CPU.

    models.py [--compile] [resnet18 vit gpt]

Five steps of AdamW with random weights and inputs. resnet18 and vit come from torchvision and are left out without it.
"""

import argparse
import sys

import environment

environment.enter()

import torch
from torch import nn

STEPS = 5


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (p.view(b, t, self.heads, -1).transpose(1, 2) for p in self.qkv(self.before(x)).chunk(3, -1))
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.after(x))


class Gpt(nn.Module):
    """GPT-2's shape (124 million parameters at its full depth)."""

    def __init__(self, words=50257, width=768, heads=12, layers=12, length=1024):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.last = nn.LayerNorm(width)

    def forward(self, x):
        h = self.words(x) + self.places(torch.arange(x.shape[1], device=x.device))
        return self.last(self.blocks(h)) @ self.words.weight.T


def make(name):
    """The model, its inputs and targets, on the CPU."""
    torch.manual_seed(0)
    if name == "gpt":
        words = torch.randint(50257, (1, 33))
        return Gpt(), words[:, :-1], words[:, 1:].reshape(-1)
    import torchvision

    model = torchvision.models.resnet18() if name == "resnet18" else torchvision.models.vit_b_16()
    return model, torch.randn(2, 3, 224, 224), torch.randint(1000, (2,))


def train(name, device, compiled):
    model, inputs, targets = make(name)
    model, inputs, targets = model.to(device), inputs.to(device), targets.to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    step = torch.compile(model) if compiled else model
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(step(inputs).reshape(len(targets), -1), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("models", nargs="*", default=["resnet18", "vit", "gpt"])
    options = parser.parse_args()
    bad = 0
    for name in options.models:
        try:
            expected = train(name, "cpu", False)
        except ImportError:
            print(f"{name}: left out, torchvision is not there")
            continue
        found = train(name, "cuda", options.compile)
        good = all(abs(f - e) <= 2e-3 * abs(e) for f, e in zip(found, expected))
        bad += not good
        print(f"{name}: {'as on the CPU' if good else 'DIFFERS'}: {found} and {expected}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
