# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of this folder share: Python processes that import heddle from python/ and run a build of it.

Each *_test.py is a unittest module and a CTest test. HEDDLE_BUILD names the build folder (or an installation);
HEDDLE_SOURCE the repository; HEDDLE_PYTHON an environment with the packages of tests/python/requirements.txt.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get("HEDDLE_BUILD", "build")).resolve()
SOURCE = pathlib.Path(os.environ.get("HEDDLE_SOURCE", ".")).resolve()
ENVIRONMENT = pathlib.Path(os.environ.get("HEDDLE_PYTHON", SOURCE / ".cache" / "python"))
PACKAGE = SOURCE / "python"
LIMIT = 250  # seconds
SKIPPED = 77  # CTest's word for it

# What would lead to another CUDA, or to Heddle without heddle.enable().
_FOREIGN = ("LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "PYTHONPATH", "PYTHONWARNINGS")


def require_environment():
    """Goes on in the environment's Python; ends the test as skipped if there is none."""
    python = ENVIRONMENT / "bin" / "python3"
    if not python.exists():
        print(f"skipped: {ENVIRONMENT} is not there; ./dev setup makes it from PyPI")
        sys.exit(SKIPPED)
    if pathlib.Path(sys.prefix).resolve() != ENVIRONMENT.resolve():
        os.execv(python, [str(python), *sys.argv])


def settings(folder):
    """The environment of a process that uses the package; what it leaves behind goes to `folder`."""
    env = {name: value for name, value in os.environ.items()
           if name not in _FOREIGN and not name.startswith("HEDDLE_")}
    env.update(PYTHONPATH=str(PACKAGE), HEDDLE_HOME=str(BUILD), HEDDLE_CACHE=str(folder / "cache"),
               IPYTHONDIR=str(folder / "ipython"), JUPYTER_CONFIG_DIR=str(folder / "jupyter"),
               JUPYTER_RUNTIME_DIR=str(folder / "runtime"), TMPDIR=str(folder / "tmp"), LC_ALL="C.UTF-8",
               PYTHONDONTWRITEBYTECODE="1", NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS="0",
               NUMBA_CUDA_WARN_ON_IMPLICIT_COPY="0")
    return env


class PackageTest(unittest.TestCase):
    """A test with an empty folder as its current one, in a path with a space, and a TMPDIR of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle package test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.work = self.folder / "work"
        self.work.mkdir()
        (self.folder / "tmp").mkdir()
        self.env = settings(self.folder)

    def run_program(self, *words, env=None):
        """The finished process, with its output as text."""
        return subprocess.run([*map(str, words)], cwd=self.work, env={**self.env, **(env or {})},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False)

    def python(self, *arguments, env=None, before=()):
        """Runs this Python."""
        return self.run_program(*before, sys.executable, *arguments, env=env)

    def expect(self, done, code=0, out=None, out_has=(), err_has=(), err=None):
        shown = f"exit code {done.returncode}\nstdout:\n{done.stdout}\nstderr:\n{done.stderr}"
        self.assertEqual(done.returncode, code, shown)
        if out is not None:
            self.assertEqual(done.stdout, out, shown)
        if err is not None:
            self.assertEqual(done.stderr, err, shown)
        for text in [out_has] if isinstance(out_has, str) else out_has:
            self.assertIn(text, done.stdout, shown)
        for text in [err_has] if isinstance(err_has, str) else err_has:
            self.assertIn(text, done.stderr, shown)
        self.assertNotIn("Traceback", done.stderr, shown)
        return done


def main():
    unittest.main(argv=[sys.argv[0], "--verbose"] + sys.argv[1:])
