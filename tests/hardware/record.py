#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what Nsight Compute counts for the kernels of kernels.cu, or of caches.cu, on a real GPU.

  tests/hardware/record.py OUTPUT.json [--program kernels|caches] [--nvcc nvcc] [--ncu ncu] [--arch sm_90]

Needs a GPU, nvcc and the right to read its counters. The output is counters.json of this folder, or caches.json.
"""

import argparse
import csv
import io
import json
import pathlib
import re
import subprocess
import tempfile

CACHES = [
    "smsp__inst_executed_op_texture.sum",
    "l1tex__t_requests_pipe_tex_mem_texture.sum",
    "l1tex__t_sectors_pipe_tex_mem_texture.sum",
    "l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum",
    "l1tex__t_sectors_pipe_tex_mem_surface_op_ld.sum",
    "l1tex__t_requests_pipe_tex_mem_surface_op_st.sum",
    "l1tex__t_sectors_pipe_tex_mem_surface_op_st.sum",
    "l1tex__t_sectors.sum",
    "l1tex__t_sectors_lookup_hit.sum",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sectors_srcunit_tex.sum",
    "lts__t_sectors_srcunit_tex_lookup_hit.sum",
    "lts__t_sectors_srcunit_tex_op_read.sum",
    "lts__t_sectors_srcunit_tex_op_write.sum",
    "lts__t_sectors_op_atom.sum",
    "lts__t_sectors_op_red.sum",
    "lts__t_sector_hit_rate.pct",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "launch__shared_mem_config_size",
    "launch__registers_per_thread",
]
COUNTERS = [
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


def known_metrics(ncu, wanted):
    """Those that this version of ncu has for this GPU; names change between generations."""
    text = run(ncu, "--query-metrics")
    bases = set(re.findall(r"^(\w+__\w+)", text, re.M))
    return [metric for metric in wanted if metric.split(".")[0] in bases or metric.startswith("launch__")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--program", choices=["kernels", "caches"], default="kernels")
    options = parser.parse_args()
    wanted = CACHES if options.program == "caches" else COUNTERS
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "kernels"
        run(options.nvcc, "-std=c++17", "-O3", f"-arch={options.arch}", FOLDER / f"{options.program}.cu", "-o", program)
        metrics = known_metrics(options.ncu, wanted)
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
            counters[row["Metric Name"]] = int(value) if value == int(value) else value
    gpu = run("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").strip()
    version = run(options.nvcc, "--version").strip().splitlines()[-1]
    data = {"gpu": gpu, "nvcc": version, "command": f"tests/hardware/record.py {options.output.name} --program {options.program}", "kernels": kernels}
    kernel_lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(counters)}" for name, counters in kernels.items())
    head = "".join(f" {json.dumps(key)}: {json.dumps(data[key])},\n" for key in ("gpu", "nvcc", "command"))
    options.output.write_text("{\n" + head + ' "kernels": {\n' + kernel_lines + "\n }\n}\n", encoding="utf-8")
    print(f"{len(kernels)} kernels, {len(metrics)} of {len(wanted)} metrics")


if __name__ == "__main__":
    main()
