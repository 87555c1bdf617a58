#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What heddle check finds in kernels that are wrong on purpose: run.py extension|triton|numba.

Each mistake is marked in its line: `heddle: race`. What is told is exactly that: each kind at its line, nothing
else, and nothing of the same kernels without their mistakes.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import environment

FAMILIES = {"extension": ("extension.py", "extension.cu"), "triton": ("triton_kernels.py", "triton_kernels.py"),
            "numba": ("numba_kernels.py", "numba_kernels.py")}
MARK = re.compile(r"(?://|#) heddle: ([a-z, -]+)$")


def marks(text):
    """(line, kind) of the mistakes in a source's text."""
    found = set()
    for number, line in enumerate(text.splitlines(), 1):
        match = MARK.search(line)
        found.update((number, kind) for kind in (match[1].split(", ") if match else ()))
    return found


class Wrong(unittest.TestCase):
    family = "triton"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="heddle wrong test-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def check(self, how):
        """Findings of the family's program."""
        program, _ = FAMILIES[self.family]
        env = dict(os.environ, TRITON_CACHE_DIR=str(self.folder / "triton"), NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS="0")
        command = [environment.BUILD / "bin" / "heddle", "check", "--only", "memory,race,sync,init", "--json-file", "found.json",
                   sys.executable, HERE / program, how]
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, check=False, timeout=800)
        self.assertEqual(done.stdout, "done\n", done.stderr)
        self.report = done.stderr
        findings = json.loads((self.folder / "found.json").read_text())["findings"]
        self.assertEqual(done.returncode, int(bool(findings)), done.stderr)
        return findings

    def test_each_mistake_is_found_at_its_line(self):
        findings = self.check("wrong")
        # An extension's text is compiled as a file of the build folder, with lines before it.
        source = self.folder / "cuda.cu" if self.family == "extension" else HERE / FAMILIES[self.family][1]
        expected = marks(source.read_text())
        told = set()
        for finding in findings:
            place = finding["places"][0]
            self.assertEqual(pathlib.Path(place["file"]).name, source.name, self.report)
            self.assertEqual(pathlib.Path(finding["launched"][0]["file"]).name, FAMILIES[self.family][0], self.report)
            told.add((place["line"], finding["kind"]))
        self.assertEqual(told, expected, self.report)
        self.assertGreaterEqual(len(expected), 8)

    def test_nothing_is_told_of_what_is_right(self):
        self.assertEqual(self.check("right"), [], self.report if hasattr(self, "report") else "")


if __name__ == "__main__":
    Wrong.family = sys.argv.pop()
    if Wrong.family == "numba":
        environment.ENVIRONMENT = pathlib.Path(os.environ.get("HEDDLE_PYTHON", environment.SOURCE / ".cache" / "python"))
    sys.argv.append(Wrong.family)
    environment.enter()
    sys.argv.pop()
    unittest.main(verbosity=2)
