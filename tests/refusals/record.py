#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes verdicts.json: what NVIDIA's nvcc says of each program. Needs a CUDA Toolkit.

    record.py --nvcc nvcc --jobs 16 verdicts.json
"""

import argparse
import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from parts import all_parts, compile_part


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    release = subprocess.run([arguments.nvcc, "--version"], capture_output=True, text=True).stdout

    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(arguments.jobs) as pool:
        def verdict(part):
            code, messages, text = compile_part(part, [arguments.nvcc], Path(scratch) / part.key)
            if code != 0 and not messages:
                print(f"{part.key}: exit {code}, but no message that parts.py can read:\n{text}")
            return part.key, {"exit": code, "says": [message.short() for message in messages]}
        verdicts = dict(pool.map(verdict, all_parts()))
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in verdicts.items()]
    arguments.output.write_text('{"compiler": ' + json.dumps(release.strip().splitlines()[-2:]) +
                                ',\n"programs": {\n' + ",\n".join(lines) + "\n}}\n")


if __name__ == "__main__":
    main()
