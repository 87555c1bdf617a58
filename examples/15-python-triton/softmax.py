# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel in Python, on PyTorch's tensors: softmax of each row of a matrix, by Triton.

    pip install --no-deps torch==2.10.0 triton==3.6.0 numpy sympy mpmath networkx jinja2 markupsafe filelock fsspec typing-extensions
    eval "$(heddle env)"
    python3 examples/15-python-triton/softmax.py
"""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax(out, x, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + i, mask=i < columns, other=float("-inf"))
    powers = tl.exp(values - tl.max(values))
    tl.store(out + row * columns + i, powers / tl.sum(powers), mask=i < columns)


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 781, device="cuda")
    out = torch.empty_like(x)
    softmax[(64,)](out, x, 781, BLOCK=1024)
    print(f"softmax of {tuple(x.shape)} on {torch.cuda.get_device_name()}")
    print("as PyTorch's:", torch.allclose(out, torch.softmax(x, 1)))


if __name__ == "__main__":
    main()
