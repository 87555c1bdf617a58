#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch as pip installs it: beside NVIDIA's own packages, and in a version that was never tried.

HEDDLE_NVIDIA names an environment with the package of nvidia.txt (default: .cache/nvidia, which ./dev test --python
makes).
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import environment

environment.enter()

NVIDIA = pathlib.Path(os.environ.get("HEDDLE_NVIDIA", environment.SOURCE / ".cache" / "nvidia"))

PROGRAM = """
import sys
if "enable" in sys.argv:
    import heddle
    heddle.enable()
import torch
print(*sorted({line.split()[-1] for line in open("/proc/self/maps") if "libcudart.so" in line}))
if "compute" in sys.argv:
    print((torch.ones(3, device="cuda") * 2).tolist())
"""


def link_all(source, target, but=()):
    target.mkdir(exist_ok=True)
    for path in source.iterdir():
        if path.name not in but:
            (target / path.name).symlink_to(path)


class Installed(unittest.TestCase):
    """An environment with links to PyTorch's files. PyTorch's libraries look for others relative to their own folder,
    so this is one of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heddle torch test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "program.py").write_text(PROGRAM, encoding="utf-8")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.folder / "env"], check=True)
        self.packages = next((self.folder / "env" / "lib").glob("python3*")) / "site-packages"
        installed = next((environment.ENVIRONMENT / "lib").glob("python3*")) / "site-packages"
        link_all(installed, self.packages, ("torch", "__pycache__"))
        link_all(installed / "torch", self.packages / "torch", ("lib", "__pycache__"))
        link_all(installed / "torch" / "lib", self.packages / "torch" / "lib")

    def install_heddle(self):
        """As its wheel does."""
        for path in (environment.BUILD / "share" / "heddle" / "python").iterdir():
            if path.name != "sitecustomize.py":
                (self.packages / path.name).symlink_to(path.resolve() if path.is_symlink() else path)

    def install_nvidia(self):
        found = list(NVIDIA.glob("lib/python3*/site-packages/nvidia"))
        if not found:
            self.skipTest(f"{NVIDIA} is not there; ./dev test --python makes it from PyPI")
        (self.packages / "nvidia").symlink_to(found[0])

    def run_program(self, *words, env=None):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("CUDA", "HEDDLE_", "LD_", "PYTHON"))}
        clean.update({name: value for name, value in os.environ.items() if name == "HEDDLE_CACHE"})
        done = subprocess.run([self.folder / "env" / "bin" / "python3", "program.py", *words], cwd=self.folder, env={**clean, **env},
                              capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def assert_heddle(self, done):
        libraries, numbers = done.stdout.splitlines()
        self.assertNotIn("nvidia", libraries)
        self.assertIn(str(environment.BUILD.resolve() / "lib"), libraries)
        self.assertEqual(numbers, "[2.0, 2.0, 2.0]")

    def test_nvidia_packages_come_first_otherwise(self):
        """Or the next two would show nothing."""
        self.install_nvidia()
        done = self.run_program(env={"LD_LIBRARY_PATH": os.environ["LD_LIBRARY_PATH"].split(":")[0]})
        self.assertIn("nvidia/cuda_runtime", done.stdout)

    def test_enable_beside_nvidia_packages(self):
        self.install_nvidia()
        self.install_heddle()
        self.assert_heddle(self.run_program("enable", "compute", env={"HEDDLE_HOME": str(environment.BUILD)}))

    def test_heddle_env_beside_nvidia_packages(self):
        self.install_nvidia()
        names = ("CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH", "PYTHONPATH")
        self.assert_heddle(self.run_program("compute", env={name: os.environ[name] for name in names}))

    def test_a_version_that_was_never_tried(self):
        """What is compared is PyTorch's version with those in heddle_torch: here the latter are others."""
        self.install_heddle()
        package = self.packages / "heddle_torch"
        source = package.resolve()
        package.unlink()
        link_all(source, package, ("__init__.py", "__pycache__"))
        text = (source / "__init__.py").read_text(encoding="utf-8")
        (package / "__init__.py").write_text(text.replace('TRIED = ("2.10",)', 'TRIED = ("1.9", "1.8")'), encoding="utf-8")
        done = self.run_program("enable", "compute", env={"HEDDLE_HOME": str(environment.BUILD)})
        self.assert_heddle(done)
        self.assertEqual(done.stderr.count("was not tried with this Heddle (tried: 1.9, 1.8); going on"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
