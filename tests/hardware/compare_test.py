#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle profile's counters against a GPU's (counters.json, made by record.py there), for the kernels of kernels.cu.

The median error must be at most 1 %, and each number that is more than 5 % off is in KNOWN, with the reason. The
registers that Heddle estimates must be within 4 of ptxas's for the median kernel. With --table it prints all numbers.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent

# Ours, and the sum of theirs.
PAIRS = {
    "global_load_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    "global_load_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    "global_store_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    "global_store_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "global_atomic_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
                               "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"],
    "global_atomic_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"],
    "shared_load_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    "shared_store_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    "shared_atomic_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"],
    "shared_load_bank_conflicts": ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"],
    "shared_store_bank_conflicts": ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"],
    "divergent_jumps": ["smsp__sass_branch_targets_threads_divergent.sum"],
    "warps_launched": ["smsp__warps_launched.sum"],
}

# What is more than 5 % off, and why. A reason is for all pairs of a kernel that are named.
KNOWN = json.loads((FOLDER / "known.json").read_text(encoding="utf-8"))


def ours(heddle):
    done = subprocess.run([heddle, "profile", "--json", FOLDER / "kernels.cu", "-std=c++17"], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"heddle profile failed ({done.returncode}):\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    profile = json.loads(done.stdout.splitlines()[-1])
    return {kernel["name"].split("(")[0]: kernel for kernel in profile["kernels"]}


def registers(counted, recorded, table):
    """How far the estimates are from ptxas's registers, sorted. A GPU has 16 for each thread at least."""
    off = []
    for name, kernel in counted.items():
        mine, theirs = max(16, kernel["registers"]), recorded[name]["launch__registers_per_thread"]
        off.append(abs(mine - theirs))
        if table:
            print(f"{name:24} {'registers':28} {mine:12} {theirs:12} {mine - theirs:+7}")
    return sorted(off)


def error(mine, theirs):
    return 0.0 if mine == theirs else abs(mine - theirs) / max(mine, theirs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    build = pathlib.Path(os.environ.get("HEDDLE_BUILD", "build")).resolve()
    recorded = json.loads((FOLDER / "counters.json").read_text(encoding="utf-8"))["kernels"]
    counted = ours(build / "bin" / "heddle")
    assert counted.keys() == recorded.keys(), counted.keys() ^ recorded.keys()
    errors, failures, unused = [], [], {(k, m) for k, one in KNOWN.items() for m in one["metrics"]}
    for kernel, found in counted.items():
        metrics = found["metrics"]
        for name, parts in PAIRS.items():
            mine, theirs = metrics[name], sum(recorded[kernel].get(part, 0) for part in parts)
            if not mine and not theirs:
                continue
            off = error(mine, theirs)
            errors.append(off)
            if options.table:
                print(f"{kernel:24} {name:28} {mine:12.0f} {theirs:12} {100 * off:7.2f} %")
            if off > 0.05 and (kernel, name) not in unused:
                failures.append(f"{kernel}: {name} is {mine:.0f}, on a GPU {theirs}")
            elif off > 0.05:
                unused.discard((kernel, name))
    errors.sort()
    print(f"{len(counted)} kernels, {len(errors)} numbers: {sum(e == 0 for e in errors)} the same, median error "
          f"{100 * errors[len(errors) // 2]:.2f} %, {sum(e > 0.05 for e in errors)} more than 5 % off")
    failures += [f"{kernel}: {name} is in known.json, but right" for kernel, name in sorted(unused)]
    if errors[len(errors) // 2] > 0.01:
        failures.append("the median error is above 1 %")
    off = registers(counted, recorded, options.table)
    print(f"registers: {sum(n <= 4 for n in off)} kernels of {len(off)} within 4, the median {off[len(off) // 2]} off")
    if off[len(off) // 2] > 4:
        failures.append("the estimate of registers is more than 4 off for the median kernel")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
