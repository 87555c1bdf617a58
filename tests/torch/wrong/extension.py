# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the kernels of extension.cu: extension.py wrong|right [kernel …]. Without names, all of them.

The extension is built in the current folder, unless it is there.
"""

import pathlib
import sys

import torch
from torch.utils.cpp_extension import load_inline

DECLARATIONS = """
void run(const std::string &name, bool wrong, torch::Tensor x, torch::Tensor y);
void runOn(const std::string &name, bool wrong, torch::Tensor view, int64_t base);
"""
ON_TWO = ("past_end", "before_start", "shared_race", "lost_updates", "unset_sums", "left_barrier")
ON_ONE = ("through_view", "inside_segment")


def main(how, *names):
    kernels = load_inline("heddle_wrong", DECLARATIONS, (pathlib.Path(__file__).parent / "extension.cu").read_text(),
                          functions=["run", "runOn"], build_directory=str(pathlib.Path.cwd()))
    wrong = how == "wrong"
    for name in names or ON_TWO + ON_ONE:
        x = torch.randn(1000, device="cuda")
        if name == "unset_sums":
            y = torch.empty_like(x)
            x = torch.relu(x) + 1  # an operation after torch.empty writes its own result alone
        else:
            y = torch.zeros_like(x)
        if name == "through_view":
            kernels.runOn(name, wrong, y[::2], y.numel())
        elif name == "inside_segment":
            tensors = torch.zeros(100, device="cuda"), torch.zeros(100, device="cuda"), torch.zeros(100, device="cuda")
            kernels.runOn(name, wrong, tensors[1], 0)
        else:
            kernels.run(name, wrong, x, y)
        torch.cuda.synchronize()
    print("done")


if __name__ == "__main__":
    main(*sys.argv[1:])
