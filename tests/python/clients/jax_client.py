# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX on Heddle, as jax-cuda12-plugin or jax-cuda13-plugin has it, against NumPy. Ends with 77, skipped, where the plug-in is not installed (its
wheels are 200 MB), or the toolkit lacks what XLA needs.
"""
import ctypes
import importlib.util
import os
import pathlib
import shutil
import sys
import unittest

SKIPPED = 77


def release():
    """Of CUDA, for which the plug-in was built: "12", "13", or None."""
    if importlib.util.find_spec("jax_plugins") is None:
        return None
    return next((name for name in ("13", "12") if importlib.util.find_spec(f"jax_plugins.xla_cuda{name}")), None)


def why_not():
    if release() is None:
        return "neither jax-cuda12-plugin nor jax-cuda13-plugin is installed"
    if shutil.which("ptxas", path=f"{os.environ['CUDA_HOME']}/bin:{os.environ['PATH']}") is None:
        return "there is no ptxas, which XLA starts"
    for library in ("libnvidia-ml.so.1", "libcuda.so.1"):
        try:
            ctypes.CDLL(library)
        except OSError as error:
            return str(error)
    return None


if reason := why_not():
    print("skipped:", reason)
    sys.exit(SKIPPED)

os.environ.update(JAX_PLATFORMS="cuda,cpu", HEDDLE_DEVICES="2", XLA_PYTHON_CLIENT_PREALLOCATE="false",
                  TF_CPP_MIN_LOG_LEVEL="2", HEDDLE_HOME=str(pathlib.Path(os.environ["CUDA_HOME"]).resolve().parents[2]))
try:  # without CUPTI, JAX's check of versions fails
    ctypes.CDLL(f"libcupti.so.{release()}")
except OSError:
    os.environ["JAX_SKIP_CUDA_CONSTRAINTS_CHECK"] = "1"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))
import heddle  # noqa: E402

heddle.enable()  # there are no device files of NVIDIA's driver, for which JAX looks

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

jax.config.update("jax_enable_x64", True)


class Jax(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(7)

    def near(self, got, wanted, allowed=1e-5):
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=allowed, atol=allowed)

    def test_devices(self):
        self.assertEqual([device.platform for device in jax.devices()], ["gpu", "gpu"])

    def test_operations(self):
        x = self.random.standard_normal((30, 40))
        self.near(jax.jit(lambda v: jnp.tanh(v) * jnp.exp(v) - v.sum(0))(x), np.tanh(x) * np.exp(x) - x.sum(0))
        self.near(jnp.cumsum(x, axis=1), np.cumsum(x, axis=1))

    def test_kernels_of_nvcc(self):
        """Those that are in the plug-in as PTX."""
        x = self.random.standard_normal(5000).astype(np.float32)
        self.near(jax.lax.top_k(x, 7)[0], np.sort(x)[::-1][:7])
        a = self.random.standard_normal((3, 9, 9))
        self.near(jnp.linalg.inv(a), np.linalg.inv(a), 1e-6)

    def test_libraries(self):
        a, b = self.random.standard_normal((2, 24, 24))
        self.near(a @ jnp.asarray(b), a @ b)
        self.near(jnp.fft.fft(a), np.fft.fft(a))
        w, v = jnp.linalg.eigh(a + a.T)
        self.near((a + a.T) @ v, v * w)
        image, mask = self.random.standard_normal((1, 1, 8, 8)), self.random.standard_normal((1, 1, 3, 3))
        wanted = sum(image[:, :, i:i + 6, j:j + 6] * mask[0, 0, i, j] for i in range(3) for j in range(3))
        self.near(jax.lax.conv(image.astype("f4"), mask.astype("f4"), (1, 1), "VALID"), wanted, 1e-4)

    def test_control(self):
        carry, all_ = jax.lax.scan(lambda c, x: (c + x, c * x), 0.0, jnp.arange(10.0))
        self.near(carry, 45)
        self.near(all_[-1], 36 * 9)
        self.assertEqual(jax.lax.while_loop(lambda v: v < 100, lambda v: v * 2, 3), 192)
        choose = jax.jit(lambda p, x: jax.lax.cond(p, lambda v: v + 1, lambda v: v - 1, x))
        self.assertEqual((choose(True, 1.0), choose(False, 1.0)), (2, 0))

    def test_gradient(self):
        w = self.random.standard_normal((6, 6))
        self.near(jax.grad(lambda m: jnp.sum(jnp.tanh(m @ m.T)))(w),
                  (lambda d: (d + d.T) @ w)(1 / np.cosh(w @ w.T) ** 2))

    def test_random(self):
        x = jax.random.normal(jax.random.key(0), (20000,))
        self.near([x.mean(), x.std()], [0, 1], 0.03)

    def test_two_devices(self):
        x = np.arange(8.0).reshape(2, 4)
        self.near(jax.pmap(lambda v: jax.lax.psum(v, "i"), axis_name="i")(x), np.tile(x.sum(0), (2, 1)))
        self.near(jax.pmap(lambda v: jax.lax.all_to_all(v, "i", 0, 0), axis_name="i")(x.reshape(2, 2, 2)),
                  x.reshape(2, 2, 2).swapaxes(0, 1))


if __name__ == "__main__":
    unittest.main()
