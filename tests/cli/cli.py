# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of this folder share: a folder for each test, and running Heddle's commands in it.

Each *_test.py is a unittest module and a CTest test. HEDDLE_BUILD names the build folder (or an
installation) to test; HEDDLE_SOURCE the repository.
"""

import atexit
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get("HEDDLE_BUILD", "build")).resolve()
SOURCE = pathlib.Path(os.environ.get("HEDDLE_SOURCE", ".")).resolve()
LIMIT = 120  # seconds; several tests run at once on small machines

# A kernel that writes, a host that prints: what most tests need.
HELLO = """\
#include <cstdio>
__global__ void hello(int n) { printf("thread %d of %d\\n", threadIdx.x, n); }
int main() {
  hello<<<1, 2>>>(2);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __str__(self):
        return f"exit code {self.code}\nstdout:\n{self.out}\nstderr:\n{self.err}"


@functools.cache
def preludes():
    """The precompiled headers of .cu files: they depend on no test, and making them takes a second."""
    folder = tempfile.mkdtemp(prefix="heddle-cli-preludes-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class CliTest(unittest.TestCase):
    """A test with an empty folder as its current one, and a cache and a TMPDIR of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-cli-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.work = self.folder / "work"
        self.tmp = self.folder / "tmp"
        self.cache = self.folder / "cache"
        self.work.mkdir()
        self.tmp.mkdir()
        self.cache.mkdir()
        (self.cache / "preludes").symlink_to(preludes())
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith("HEDDLE_")}
        self.env["HEDDLE_CACHE"] = str(self.cache)
        self.env["TMPDIR"] = str(self.tmp)
        self.env["LC_ALL"] = "C"
        self.env["PATH"] = f"{BUILD}/bin:{self.env['PATH']}"

    def write(self, name, text):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def command(self, *arguments, stdin="", env=None, cwd=None):
        """Runs a command; returns its Result."""
        done = subprocess.run([str(a) for a in arguments], cwd=cwd or self.work, input=stdin,
                              env={**self.env, **(env or {})}, capture_output=True, text=True,
                              timeout=LIMIT, check=False, errors="replace")
        return Result(done.returncode, done.stdout, done.stderr)

    def heddle(self, *arguments, **settings):
        return self.command("heddle", *arguments, **settings)

    def heddlecc(self, *arguments, **settings):
        return self.command("heddlecc", *arguments, **settings)

    def expect(self, result, code=0, out=None, err=None, out_has=(), err_has=(), err_lacks=()):
        """Checks a Result: exit code, exact output, and what it has and has not in it."""
        self.assertEqual(result.code, code, result)
        if out is not None:
            self.assertEqual(result.out, out, result)
        if err is not None:
            self.assertEqual(result.err, err, result)
        for text in [out_has] if isinstance(out_has, str) else out_has:
            self.assertIn(text, result.out, result)
        for text in [err_has] if isinstance(err_has, str) else err_has:
            self.assertIn(text, result.err, result)
        for text in [err_lacks] if isinstance(err_lacks, str) else err_lacks:
            self.assertNotIn(text, result.err, result)
        return result

    def files(self, folder=None):
        """The names of what is in a folder."""
        return sorted(path.name for path in (folder or self.work).iterdir())

    def expect_clean(self):
        self.assertEqual(self.files(self.tmp), [], "temporary files are left")


def main():
    unittest.main(argv=[sys.argv[0], "--verbose"] + sys.argv[1:])
