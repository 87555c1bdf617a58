#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an operation of PyTorch's costs on device cuda, beside device cpu in the same process.

    eval "$(build/bin/heddle env)"; .cache/torch/bin/python3 bench/torch_operations.py

The least of five rounds, in microseconds, and the ratio.
"""

import time

import torch


def cost(call, times):
    for _ in range(max(5, times // 40)):
        call()
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(times):
            call()
        best = min(best, (time.perf_counter() - begin) / times)
    return best * 1e6


def calls(device):
    torch.manual_seed(0)
    x, y, a = (torch.randn(n, n, device=device) for n in (16, 16, 1024))
    return {
        "x + y": (lambda: x + y, 5000), "x.mul_(1)": (lambda: x.mul_(1.0), 5000), "x.sum()": (lambda: x.sum(), 5000),
        "x @ y": (lambda: x @ y, 5000), "relu(x)": (lambda: torch.relu(x), 5000), "x.view(-1)": (lambda: x.view(-1), 5000),
        "1024 x 1024 product": (lambda: a @ a, 10),
    }


def main():
    host, cuda = calls("cpu"), calls("cuda")
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads")
    for name, (call, times) in host.items():
        first, second = cost(call, times), cost(cuda[name][0], times)
        print(f"{name:22} cpu {first:10.2f} us   cuda {second:10.2f} us   {second / first:.2f}")


if __name__ == "__main__":
    main()
