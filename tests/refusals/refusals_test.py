# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddlecc says of each program what NVIDIA's nvcc says (verdicts.json): refused, a warning of CUDA's by its number
and line, or nothing. Where it does not, known.json says why."""

import json
import os
import re
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from parts import PROGRAMS, all_parts, compile_part

HERE = PROGRAMS.parent
HEDDLECC = os.environ["HEDDLECC"]
LEAST_AGREEMENT = 0.95


def number_of(message):
    if message.number:
        return message.number
    found = re.search(r"\[#(\d+-D)\]$", message.text)
    return found[1] if found else ""


def cuda_warnings(says):
    """Warnings of CUDA's own, (number, line); nvcc's numbers below 20000 are about C++."""
    return sorted({(number, line) for kind, line, number, _ in says
                   if kind == "warning" and re.fullmatch(r"2\d{4}-D", number)})


def verdict(code, says):
    return ("refused", ) if code else ("taken", *cuda_warnings(says))


class Refusals(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        recorded = json.loads((HERE / "verdicts.json").read_text())["programs"]
        cls.nvcc = {key: verdict(value["exit"], value["says"]) for key, value in recorded.items()}
        cls.known = json.loads((HERE / "known.json").read_text())
        environment = {**os.environ, "HEDDLE_LAZY": "1"}
        with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
            def ask(part):
                code, messages, text = compile_part(part, [HEDDLECC], Path(scratch) / part.key, environment)
                says = [[m.kind, m.line, number_of(m), m.text] for m in messages]
                return part.key, (verdict(code, says), text)
            cls.ours = dict(pool.map(ask, all_parts()))

    def test_each_program_is_recorded(self):
        self.assertEqual(sorted(self.nvcc), sorted(self.ours))

    def test_verdicts(self):
        different = {key: f"nvcc: {self.nvcc[key]}, heddlecc: {ours}\n{text}"
                     for key, (ours, text) in self.ours.items() if ours != self.nvcc[key]}
        unexpected = [f"{key}: {why}" for key, why in different.items() if key not in self.known]
        self.assertEqual(unexpected, [], "\n".join(unexpected))
        self.assertEqual([key for key in self.known if key not in different], [], "these agree now")

    def test_enough_agree(self):
        agree = sum(ours == self.nvcc[key] for key, (ours, _) in self.ours.items())
        self.assertGreaterEqual(agree, LEAST_AGREEMENT * len(self.ours))

    def test_no_crash(self):
        for key, (_, text) in self.ours.items():
            self.assertNotRegex(text, "internal error|Stack dump|PLEASE submit", key)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
