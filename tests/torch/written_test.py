#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which memory heddle check --only init takes for written: what PyTorch's operations write, and nothing else."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import environment

environment.enter()

# read(t) is a kernel that uses the elements of t.
BEFORE = """
import torch, triton, triton.language as tl
@triton.jit
def total(x, out, n, stride, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out, tl.sum(tl.load(x + i * stride, mask=i < n, other=0)))
out = torch.zeros(1, device="cuda")
def read(t, n=None, stride=1):
    total[(1,)](t, out, n or t.numel(), stride, BLOCK=1024)
    torch.cuda.synchronize()
def empty(*shape): return torch.empty(*shape, device="cuda")
"""

RIGHT = """
t = empty(200); t[::2] = 1.0; read(t, 100, 2)
t = empty(10, 20); t.t().copy_(torch.randn(20, 10, device="cuda")); read(t)
t = empty(10, 20); t[:, 3:].zero_(); read(t[5, 3:])
t = empty(8); t.copy_(torch.arange(8.0)); read(t)
t = empty(0); torch.add(torch.ones(9, device="cuda"), 1, out=t); read(t)
t = torch.zeros(4, device="cuda"); t.resize_(8); t[4:] = 1; read(t)
lists = torch._foreach_mul([torch.ones(5, device="cuda")] * 3, 2); read(lists[1]); read(torch.cat(lists))
read(torch.sort(torch.randn(50, device="cuda"))[0])
read(torch.linalg.solve(2 * torch.eye(8, device="cuda"), torch.ones(8, 3, device="cuda")))
read(torch.randn(64, device="cuda").half().float())
read(torch.randn(32).pin_memory().to("cuda", non_blocking=True))
model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.Flatten(), torch.nn.Linear(288, 4)).cuda()
optimiser = torch.optim.AdamW(model.parameters(), fused=True)
model(torch.randn(2, 3, 8, 8, device="cuda")).square().mean().backward()
optimiser.step()
for p in model.parameters():
    read(p.detach()); read(p.grad.contiguous())
for state in optimiser.state.values():
    for t in state.values(): read(t)
s = torch.eye(4, device="cuda").to_sparse(); read(s.values()); read(s @ torch.ones(4, 2, device="cuda"))
graph, x = torch.cuda.CUDAGraph(), torch.ones(16, device="cuda")
with torch.cuda.graph(graph):
    y = x * 2 + 1
graph.replay(); read(y)
"""

# What a line leaves unwritten, after operations on other tensors.
WRONG = {
    "beside what was written": 't = empty(200); t[::2] = 1.0; torch.randn(100, device="cuda").sum(); read(t)',
    "memory that another tensor had": 't = torch.ones(500, device="cuda"); del t; t = empty(500); torch.ones(9, device="cuda"); read(t)',
    "what a resize has added": 't = torch.zeros(4, device="cuda"); t.resize_(1000); read(t)',
}


class Written(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory(prefix="heddle torch test-") as folder:
            (pathlib.Path(folder) / "program.py").write_text(BEFORE + text + "\nprint('done')\n", encoding="utf-8")
            command = [environment.BUILD / "bin" / "heddle", "check", "--only", "memory,init", sys.executable, "program.py"]
            done = subprocess.run(command, cwd=folder, env=dict(os.environ, TRITON_CACHE_DIR=f"{folder}/triton"), capture_output=True,
                                  text=True, check=False, timeout=600)
        self.assertEqual(done.stdout, "done\n", done.stderr)
        return done

    def test_what_operations_write(self):
        done = self.check(RIGHT)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_they_do_not(self):
        for name, text in WRONG.items():
            with self.subTest(name):
                done = self.check(text)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("1 finding\n", done.stderr)
                self.assertIn("read of memory that was never written", done.stderr)
                self.assertIn("program.py:6", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
