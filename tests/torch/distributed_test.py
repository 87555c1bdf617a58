#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.distributed by NCCL: after steps in four processes, parameters and gradients are those of one process."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import environment

environment.enter()

# network(), its inputs, and what one process makes of them; then `model` is the network of several, and full() gives
# its parameters and gradients.
PROGRAM = """
import functools, os, torch, torch.distributed as dist, torch.nn as nn
dist.init_process_group("nccl")
rank, world, local = dist.get_rank(), dist.get_world_size(), int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local)
def network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4))
torch.manual_seed(1)
x = torch.randn(8, 8)
def train(model, x):
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(2):
        optimiser.zero_grad()
        model(x).square().mean().backward()
        optimiser.step()
    return model
alone = [(p.detach(), p.grad) for p in train(network(), x).parameters()]
MODEL
same = all(torch.allclose(a.cpu(), b, atol=1e-6) for mine, other in zip(full(), alone) for a, b in zip(mine, other))
every = [None] * world
dist.all_gather_object(every, (same, owned()))
if rank == 0:
    print(every)
dist.destroy_process_group()
"""

DATA_PARALLEL = """
model = train(nn.parallel.DistributedDataParallel(network().cuda(), device_ids=[local]), x.chunk(world)[rank].cuda())
def full(): return [(p.detach(), p.grad) for p in model.parameters()]
def owned(): return sum(p.numel() for p in model.parameters())
"""

WRAPPED = """
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.distributed.fsdp.wrap import size_based_auto_wrap_policy
policy = functools.partial(size_based_auto_wrap_policy, min_num_params=100)
model = FullyShardedDataParallel(network().cuda(), auto_wrap_policy=policy, use_orig_params=True)
train(model, x.chunk(world)[rank].cuda())
def full():
    with FullyShardedDataParallel.summon_full_params(model, with_grads=True):
        return [(p.detach().clone(), p.grad.clone()) for p in model.parameters()]
def owned(): return sum(p.numel() for p in model.parameters())
"""

SHARDED = """
from torch.distributed.fsdp import fully_shard
model = network().cuda()
for layer in model:
    if isinstance(layer, nn.Linear): fully_shard(layer)
fully_shard(model)
train(model, x.chunk(world)[rank].cuda())
def full(): return [(p.full_tensor().detach(), p.grad.full_tensor()) for p in model.parameters()]
def owned(): return sum(p.to_local().numel() for p in model.parameters())
"""

SIZE = 8 * 16 + 16 + 16 * 16 + 16 + 16 * 4 + 4  # parameters


class Distributed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heddle torch test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_model(self, model, *before, devices=4, options=("--nproc-per-node=4", "--master-port=29517")):
        (self.folder / "program.py").write_text(PROGRAM.replace("MODEL", model), encoding="utf-8")
        command = [*before, sys.executable, "-m", "torch.distributed.run", *options, "program.py"]
        return subprocess.run(command, cwd=self.folder, env=dict(os.environ, HEDDLE_DEVICES=str(devices), OMP_NUM_THREADS="1"),
                              capture_output=True, text=True, timeout=600, check=False)

    def assert_same(self, done, owned):
        self.assertEqual((done.returncode, done.stdout), (0, f"{[(True, owned)] * 4}\n"), done.stderr)

    def test_data_parallel(self):
        self.assert_same(self.run_model(DATA_PARALLEL), SIZE)

    def test_fully_sharded_data_parallel(self):
        self.assert_same(self.run_model(WRAPPED), SIZE // 4)

    def test_fully_shard(self):
        self.assert_same(self.run_model(SHARDED), SIZE // 4)

    def test_two_hosts(self):
        hosts = [sys.executable, str(pathlib.Path(__file__).resolve().parent / "two_hosts.py")]
        may = subprocess.run([*hosts, "true"], capture_output=True, text=True, check=False)
        if may.returncode != 0:
            self.skipTest(f"two hosts cannot be made of namespaces here: {may.stderr.strip()}")
        options = ["--nnodes=2", "--node-rank=HOST", "--nproc-per-node=2", "--master-addr=10.77.0.1", "--master-port=29518"]
        self.assert_same(self.run_model(DATA_PARALLEL, *hosts, devices=2, options=options), SIZE)


if __name__ == "__main__":
    unittest.main(verbosity=2)
