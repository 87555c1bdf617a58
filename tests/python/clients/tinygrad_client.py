# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tinygrad on Heddle, with its renderers for CUDA C++ (through NVRTC) and for PTX, against NumPy. Ends with 77, skipped,
where it is not installed.
"""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77

PROGRAM = """
import numpy as np
from tinygrad import Context, Tensor, TinyJit, dtypes, nn

random = np.random.default_rng(3)
a, b = random.standard_normal((2, 32, 48)).astype(np.float32)


def near(got, wanted):
    np.testing.assert_allclose(got.numpy(), wanted, rtol=1e-4, atol=1e-4)


x, y = Tensor(a), Tensor(b)
near((x.exp() + y).sin().sum(axis=1), np.sin(np.exp(a) + b).sum(axis=1))
near(x @ y.T, a @ b.T)
near((x.cast(dtypes.float16) * 2).cast(dtypes.float32), (a.astype(np.float16) * 2).astype(np.float32))
near(x.max(axis=0), a.max(axis=0))
near(Tensor(a[0]).sort()[0], np.sort(a[0]))
near(x.softmax(), np.exp(a) / np.exp(a).sum(axis=1, keepdims=True))
image, mask = random.standard_normal((1, 2, 9, 9)).astype(np.float32), random.standard_normal((3, 2, 3, 3)).astype(np.float32)
near(Tensor(image).conv2d(Tensor(mask)),
     sum(np.einsum("nchw,kc->nkhw", image[:, :, i:i + 7, j:j + 7], mask[:, :, i, j]) for i in range(3) for j in range(3)))

jitted = TinyJit(lambda v: (v * 2 + 1).realize())
for i in range(4):
    near(jitted(Tensor(a[i]).realize()), a[i] * 2 + 1)

# A regression: the loss falls.
layer = nn.Linear(48, 1)
optimizer = nn.optim.Adam(nn.state.get_parameters(layer), lr=0.05)
losses = []
with Context(TRAINING=1):
    for _ in range(10):
        optimizer.zero_grad()
        loss = (layer(x) - y.mean(axis=1, keepdim=True)).square().mean().backward()
        optimizer.step()
        losses.append(loss.item())
assert losses[-1] < losses[0] / 2, losses
print("done")
"""


class Tinygrad(unittest.TestCase):
    def run_with(self, device):
        with tempfile.TemporaryDirectory() as folder:  # for its cache of compiled kernels
            environment = {**os.environ, "DEV": device, "XDG_CACHE_HOME": folder, "CC": os.environ.get("CC", "clang-19")}
            done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True,
                                  timeout=200)
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)

    def test_cuda(self):
        self.run_with("CUDA")

    def test_ptx(self):
        self.run_with("CUDA:PTX")


if __name__ == "__main__":
    if importlib.util.find_spec("tinygrad") is None:
        print("skipped: tinygrad is not installed")
        sys.exit(SKIPPED)
    unittest.main()
