# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for Triton with one mistake each, in the line that says which, and without it:
triton_kernels.py wrong|right [kernel …]. Without names, all of them."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def past_end(x, y, n, WRONG: tl.constexpr):
    """A mask that is one too far."""
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    value = tl.load(x + i, mask=i < n, other=0)
    tl.store(y + i, 2 * value, mask=i < n + WRONG)  # heddle: out-of-bounds


@triton.jit
def no_mask(x, y, n, WRONG: tl.constexpr):
    """Rows that are no multiple of the block: behind a row lies the next program's, and behind the last one nothing."""
    i = tl.arange(0, 128)
    inside = (i < n) | (WRONG != 0)
    tl.store(y + tl.program_id(0) * n + i, tl.program_id(0) + 1.5 * i, mask=inside)  # heddle: race, out-of-bounds


@triton.jit
def before_start(x, y, n, WRONG: tl.constexpr):
    """The neighbour of the first element."""
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    left = tl.load(x + i - 1, mask=(i < n) & (i >= 1 - WRONG), other=0)  # heddle: out-of-bounds
    tl.store(y + i, left, mask=i < n)


@triton.jit
def through_view(view, n, stride, WRONG: tl.constexpr):
    """Elements of the tensor behind a view, with the view's stride."""
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    size = n * (1 + WRONG)
    tl.store(view + i * stride, 1.0, mask=i < size)  # heddle: out-of-bounds


@triton.jit
def inside_segment(x, n, WRONG: tl.constexpr):
    """A whole block's elements of a tensor that has neighbours in memory."""
    i = tl.arange(0, 128)
    inside = i < (128 if WRONG else n)
    value = tl.load(x + i, mask=inside)  # heddle: out-of-bounds
    tl.store(x + i, value + 1, mask=inside)  # heddle: out-of-bounds


@triton.jit
def lost_updates(x, total, WRONG: tl.constexpr):
    """Programs add to one place."""
    part = tl.sum(tl.load(x + tl.program_id(0) * 64 + tl.arange(0, 64)))
    if WRONG:
        tl.store(total, tl.load(total) + part)  # heddle: race
    else:
        tl.atomic_add(total, part)


@triton.jit
def shift(x, y, n, WRONG: tl.constexpr):
    """In place, each program reads its neighbour's first element."""
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    value = tl.load(x + i + 1, mask=i + 1 < n)
    tl.store((x if WRONG else y) + i, value, mask=i + 1 < n)  # heddle: race


@triton.jit
def unset_sums(x, y, n, WRONG: tl.constexpr):
    """Adds to what torch.empty gave."""
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    value = tl.load(x + i, mask=i < n)
    if WRONG:
        value += tl.load(y + i, mask=i < n)  # heddle: uninitialised
    tl.store(y + i, value, mask=i < n)


def call(name, wrong):
    x = torch.randn(1000, device="cuda")
    y = torch.empty_like(x)
    x = torch.relu(x) + 1  # an operation after torch.empty writes its own result alone
    if name != "unset_sums":
        y.zero_()
    if name == "no_mask":
        no_mask[(10,)](x, y, 100, WRONG=wrong)
    elif name == "through_view":
        view = y[::2]
        through_view[(8,)](view, view.numel(), view.stride(0), WRONG=wrong)
    elif name == "inside_segment":
        tensors = [torch.zeros(100, device="cuda") for _ in range(3)]
        inside_segment[(1,)](tensors[1], 100, WRONG=wrong)
    elif name == "lost_updates":
        lost_updates[(15,)](x, y, WRONG=wrong)
    else:
        globals()[name][(8,)](x, y, 1000, WRONG=wrong)
    torch.cuda.synchronize()


NAMES = ("past_end", "no_mask", "before_start", "through_view", "inside_segment", "lost_updates", "shift", "unset_sums")

if __name__ == "__main__":
    for kernel in sys.argv[2:] or NAMES:
        call(kernel, int(sys.argv[1] == "wrong"))
    print("done")
