# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A wheel of this build, installed by pip in a virtual environment. It has the shape of the wheel for any Linux, but
this system's libraries."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["HEDDLE_BUILD"])
SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE"])
FOREIGN = ("LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "PYTHONPATH")
HELLO = """#include <cstdio>
__global__ void hello() { printf("thread %d\\n", threadIdx.x); }
int main() { hello<<<1, 2>>>(); return cudaDeviceSynchronize(); }
"""


class Wheel(unittest.TestCase):
    """One installation for all tests, as it takes a while."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle wheel test-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.env = {name: value for name, value in os.environ.items()
                   if name not in FOREIGN and not name.startswith("HEDDLE_")}
        cls.env["HEDDLE_CACHE"] = str(cls.folder / "cache")
        cls.venv = cls.folder / "a venv"
        cls.env["PATH"] = f"{cls.venv}/bin:{os.environ['PATH']}"
        cls.call("cmake", "--install", BUILD, "--prefix", cls.folder / "tree", "--strip")
        cls.call(SOURCE / "packaging/wheel/pack.py", "--version", "1.2", "--tree", cls.folder / "tree", "--packages",
                SOURCE / "python", "--readme", SOURCE / "packaging/wheel/README.md", "--licence", SOURCE / "LICENSE",
                "--level", "1", cls.folder)
        shutil.rmtree(cls.folder / "tree")
        cls.call(sys.executable, "-m", "venv", cls.venv)
        cls.before = cls.installed()
        wheel = next(cls.folder.glob("*.whl"))
        cls.call(cls.venv / "bin/pip", "install", "-q", "--no-index", "--disable-pip-version-check", wheel)
        wheel.unlink()

    @classmethod
    def call(cls, *command):
        """What the command prints; an error if it fails."""
        result = subprocess.run([str(word) for word in command], cwd=cls.folder, env=cls.env, capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, check=False, timeout=300)
        if result.returncode != 0:
            raise AssertionError(f"{command}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    @classmethod
    def installed(cls):
        return sorted(path for path in cls.venv.rglob("*") if "__pycache__" not in path.parts)

    def test_1_it_runs(self):
        (self.folder / "hello.cu").write_text(HELLO, encoding="utf-8")
        self.assertEqual(self.call("heddle", "run", "hello.cu"), "thread 0\nthread 1\n")
        self.call("heddlecc", "hello.cu", "-o", "hello")
        self.assertEqual(self.call("./hello"), "thread 0\nthread 1\n")
        self.assertIn("All is well.", self.call("heddle", "doctor"))

    def test_2_libraries_are_found_by_all_their_names(self):
        (self.folder / "blas.cu").write_text("#include <cublas_v2.h>\nint main() { cublasHandle_t h; return cublasCreate(&h); }\n",
                                             encoding="utf-8")
        self.call("heddlecc", "blas.cu", "-o", "blas", "-lcublas")
        self.call("./blas")
        found = self.call("sh", "-c", 'eval "$(python -m heddle env)"; nvcc hello.cu -o again && ./again && '
                                    'python -c "import ctypes; ctypes.CDLL(\'libcublas.so\')" && nvidia-smi -L')
        self.assertIn("thread 1\n", found)
        self.assertIn("GPU 0", found)

    def test_3_removed_it_leaves_nothing(self):
        self.call("pip", "uninstall", "-q", "-y", "heddle")
        self.assertEqual(self.installed(), self.before)


if __name__ == "__main__":
    unittest.main()
