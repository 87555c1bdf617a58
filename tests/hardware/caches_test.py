#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle profile --caches against a GPU's counters (caches.json, made by record.py there), for the kernels of caches.cu.

What textures and surfaces are asked for must be the same to the last digit. The caches are a model: for each number
the median kernel may be off by so much, and each kernel that is off by more than 5 (rates: percentage points; else
percent) is in known_caches.json, with the reason. With --table it prints all numbers.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
EXACT = {
    "texture_instructions": "smsp__inst_executed_op_texture.sum",
    "texture_requests": "l1tex__t_requests_pipe_tex_mem_texture.sum",
    "texture_sectors": "l1tex__t_sectors_pipe_tex_mem_texture.sum",
    "surface_load_requests": "l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum",
    "surface_load_sectors": "l1tex__t_sectors_pipe_tex_mem_surface_op_ld.sum",
    "surface_store_requests": "l1tex__t_requests_pipe_tex_mem_surface_op_st.sum",
    "surface_store_sectors": "l1tex__t_sectors_pipe_tex_mem_surface_op_st.sum",
}
# What the GPU reads, or writes, for other work than the kernel's: also kernels that write nothing have so much.
SLACK = {"dram_read_bytes": 150_000, "dram_write_bytes": 2_500_000}


def rate(hits, sectors):
    return lambda theirs: 100 * theirs.get(hits, 0) / theirs[sectors] if theirs.get(sectors) else 0.0


# Ours; theirs; the most that the median may be off; and whether it is a rate.
MODEL = [
    ("l1_hit_rate", rate("l1tex__t_sectors_lookup_hit.sum", "l1tex__t_sectors.sum"), 0.5, True),
    ("l2_sectors", lambda theirs: theirs["lts__t_sectors_srcunit_tex.sum"], 1, False),
    ("l2_hit_rate", rate("lts__t_sectors_srcunit_tex_lookup_hit.sum", "lts__t_sectors_srcunit_tex.sum"), 1, True),
    ("dram_read_bytes", lambda theirs: theirs.get("dram__bytes_read.sum", 0), 1, False),
    ("dram_write_bytes", lambda theirs: theirs.get("dram__bytes_write.sum", 0), 5, False),
]


def ours(heddle):
    done = subprocess.run([heddle, "profile", "--caches", "--gpu", "h100", "--json", FOLDER / "caches.cu", "-std=c++17"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"heddle profile failed ({done.returncode}):\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    profile = json.loads(done.stdout.splitlines()[-1])
    return {kernel["name"].split("(")[0]: kernel["metrics"] for kernel in profile["kernels"]}


def error(name, mine, theirs, is_rate):
    if is_rate:
        return abs(mine - theirs)
    if abs(mine - theirs) <= SLACK.get(name, 0):
        return 0.0
    return 100 * abs(mine - theirs) / max(mine, theirs)


def exact(counted, recorded):
    for kernel, theirs in recorded.items():
        for name, their_name in EXACT.items():
            if counted[kernel][name] != theirs.get(their_name, 0):
                yield f"{kernel}: {name} is {counted[kernel][name]:.0f}, on a GPU {theirs.get(their_name, 0)}"


def modelled(counted, recorded, known, table):
    unused = {(kernel, name) for kernel, one in known.items() for name in one["metrics"]}
    for name, value, most, is_rate in MODEL:
        errors = []
        for kernel, numbers in recorded.items():
            mine, theirs = counted[kernel][name], value(numbers)
            if not mine and not theirs:
                continue
            off = error(name, mine, theirs, is_rate)
            errors.append(off)
            if table:
                print(f"{kernel:24} {name:18} {mine:14.2f} {theirs:14.2f} {off:7.2f}")
            if off > 5 and (kernel, name) not in unused:
                yield f"{kernel}: {name} is {mine:.2f}, on a GPU {theirs:.2f}"
            elif off > 5:
                unused.discard((kernel, name))
        errors.sort()
        middle = errors[len(errors) // 2]
        print(f"{name}: {len(errors)} kernels, {sum(off <= 1 for off in errors)} within 1, {sum(off <= 5 for off in errors)} "
              f"within 5, the median {middle:.2f} {'points' if is_rate else '%'} off")
        if middle > most:
            yield f"the median error of {name} is above {most}"
    for kernel, name in sorted(unused):
        yield f"{kernel}: {name} is in known_caches.json, but right"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    build = pathlib.Path(os.environ.get("HEDDLE_BUILD", "build")).resolve()
    recorded = json.loads((FOLDER / "caches.json").read_text(encoding="utf-8"))["kernels"]
    known = json.loads((FOLDER / "known_caches.json").read_text(encoding="utf-8"))
    counted = ours(build / "bin" / "heddle")
    assert counted.keys() == recorded.keys(), counted.keys() ^ recorded.keys()
    failures = list(exact(counted, recorded)) + list(modelled(counted, recorded, known, options.table))
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
