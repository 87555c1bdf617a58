#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what Nsight Compute counts for the kernels of kernels.cu on a real GPU.

  tests/hardware/record.py OUTPUT.json [--nvcc nvcc] [--ncu ncu] [--arch sm_90]

Needs a GPU, nvcc and the right to read its counters. The output is counters.json of this folder.
"""

import argparse
import csv
import io
import json
import pathlib
import re
import subprocess
import tempfile

METRICS = [
    "smsp__warps_launched.sum",
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum",
    "smsp__inst_executed_op_branch.sum",
    "smsp__sass_branch_targets.sum",
    "smsp__sass_branch_targets_threads_divergent.sum",
    "smsp__sass_branch_targets_threads_uniform.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_shared_atom.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
    "launch__registers_per_thread",
]
FOLDER = pathlib.Path(__file__).resolve().parent


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} failed ({done.returncode}):\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def known_metrics(ncu):
    """Those that this version of ncu has for this GPU; names change between generations."""
    text = run(ncu, "--query-metrics")
    bases = set(re.findall(r"^(\w+__\w+)", text, re.M))
    return [metric for metric in METRICS if metric.split(".")[0] in bases or metric.startswith("launch__")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "kernels"
        run(options.nvcc, "-std=c++17", "-O3", f"-arch={options.arch}", FOLDER / "kernels.cu", "-o", program)
        metrics = known_metrics(options.ncu)
        text = run(options.ncu, "--csv", "--print-units", "base", "--print-kernel-base", "function", "--metrics",
                   ",".join(metrics), program)
    rows = csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line.startswith('"'))))
    kernels = {}
    for row in rows:
        try:
            value = float(row["Metric Value"].replace(",", ""))
        except ValueError:  # "n/a"
            continue
        counters = kernels.setdefault(row["Kernel Name"], {})
        if value:  # what is not there is 0
            counters[row["Metric Name"]] = int(value)
    gpu = run("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").strip()
    version = run(options.nvcc, "--version").strip().splitlines()[-1]
    data = {"gpu": gpu, "nvcc": version, "command": "tests/hardware/record.py counters.json", "kernels": kernels}
    kernel_lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(counters)}" for name, counters in kernels.items())
    head = "".join(f" {json.dumps(key)}: {json.dumps(data[key])},\n" for key in ("gpu", "nvcc", "command"))
    options.output.write_text("{\n" + head + ' "kernels": {\n' + kernel_lines + "\n }\n}\n", encoding="utf-8")
    print(f"{len(kernels)} kernels, {len(metrics)} of {len(METRICS)} metrics")


if __name__ == "__main__":
    main()
