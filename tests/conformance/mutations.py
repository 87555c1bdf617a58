#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks Heddle on purpose, one feature at a time, and checks that conformance programs notice.

Usage: tests/conformance/mutations.py [NAME ...]
       tests/conformance/mutations.py --stale   (only: is the text of each mutation there? A test does that)

Works on a copy of the sources in a temporary folder (MUTATION_FOLDER keeps it from one run to the next, so
that only what a mutation touches is built again). Each mutation replaces one piece of text in one file; the
programs named beside it must then fail. Prints a line a mutation; exit code 1 if one goes unnoticed.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))
from mutation_text import ROOT, find_file, stale  # noqa: E402

ENGINE = "src/engine/reference/"
SCHEDULE = "src/engine/schedule/"
LOWER = "src/engine/compiler/"

# name: (file, text, replacement, programs that must notice)
MUTATIONS = {
    "barrier does not wait": (SCHEDULE + "resident_block.h", "(expected ? expected : live)", "1u",
                              ["kernels/reverse", "language/barrier_in_loop"]),
    "ended threads are awaited at barriers": (ENGINE + "block.cpp", "    if (barriers_[id].waiting)\n", "    if (false)\n",
                                              ["language/early_return_barrier", "errors/early_exit_before_barrier"]),
    "barrier count ignores predicates": (ENGINE + "block.cpp", "barrier.true_count += predicate;", "barrier.true_count += 1;",
                                         ["language/syncthreads_votes"]),
    "shuffle ignores its width": ("engine/warp.cpp", "segment = (request.clamp >> 8) & 31", "segment = 0u * request.clamp",
                                  ["language/shuffle_idx", "language/shuffle_up_down"]),
    "ballot counts only the first lane": ("engine/warp.cpp", "<< lane; });\n  switch (mode)", "; });\n  switch (mode)",
                                          ["language/votes", "kernels/radix_sort_warp"]),
    "spinning lanes never yield": (ENGINE + "block.cpp", "beginWait(thread, &Warp::spinning);", "return;",
                                   ["language/lane_waits_for_later_lane"]),
    "active mask is one lane": (ENGINE + "block.cpp", "warp.requests[lane].result.value = together;", "warp.requests[lane].result.value = 1u << lane;",
                                ["language/activemask"]),
    "grid barrier opens at once": (SCHEDULE + "grid.h", "if (barrier_arrived == barrier_blocks) {", "if (true) {",
                                   ["kernels/reduce_cooperative", "language/cg_grid_sync"]),
    "a stalled block keeps others from starting": (SCHEDULE + "worker.cpp", " || stalls > grid_.code.stalls_before_more) &&", ") &&",
                                                   ["language/grid_barrier_by_hand"]),
    "no alignment checks": (LOWER + "reference_compiler.cpp", "  guardAlignment(module);\n", "",
                            ["errors/misaligned_int", "errors/misaligned_float4"]),
    "no stack checks": (LOWER + "reference_compiler.cpp", "  guardStack(module);\n", "", ["errors/fault_message_stack"]),
    "no turns for waiting loops": (LOWER + "reference_compiler.cpp", "  giveTurns(module);\n", "",
                                   ["language/lane_waits_for_later_lane", "language/grid_barrier_by_hand"]),
    "threadIdx.y is threadIdx.x": (LOWER + "lower_builtins.cpp", "offsetof(ThreadContext, thread_index) + 4 * i", "offsetof(ThreadContext, thread_index)",
                                   ["language/builtin_variables", "kernels/transpose"]),
    "initial values of variables are lost": (LOWER + "lower_memory_spaces.cpp", "    if (variable->hasInitializer())\n      storeConstant",
                                             "    if (false)\n      storeConstant", ["language/device_variables"]),
    "division by zero is as on the CPU": ("src/module/passes/define_arithmetic.cpp", "    return defineDivision(cast<BinaryOperator>(&instruction));", "    return nullptr;",
                                          ["language/integer_division", "errors/division_by_zero"]),
    "nothing is fused": ("src/module/passes/contract_fma.cpp", "    Value *fused = sum ? fuse(sum) : nullptr;", "    Value *fused = nullptr;",
                         ["language/fused_multiply_add"]),
    "faults have no source line": ("engine/fault.cpp", "  if (found.exit_code != 0)\n    return {};", "  return {};",
                                   ["errors/fault_message"]),
    "errors are not sticky": ("engine/fault.cpp", "  fault.error = words.error;", "  fault.error = 2;",
                              ["errors/null_write", "errors/trap"]),
    "turned launches are not turned back": ("engine/compiler/simd/normalize/lane_axis.cpp", "place.back() == 'x' ? other : 'x'", "place.back()",
                                            ["kernels/turned_blocks"]),
    "warps may be turned": ("engine/launch_analysis/lane_axis.cpp", "tiesThreads(instruction) && !isBlockBarrier(instruction)", "false",
                            ["kernels/turned_blocks"]),
    "padded rows go on in the next": ("engine/simd/block.cpp", "padded_rows_ ? shape.x : end", "end", ["kernels/turned_blocks"]),
    "faults of turned launches are not": (SCHEDULE + "worker.cpp", "turned(block, grid_.lane_axis)", "block", ["errors/fault_message_turned"]),
    "printf ignores width": ("engine/print.cpp", "      result.specification += *at;\n    else if (*at == '*')", "      ;\n    else if (*at == '*')",
                             ["language/printf_integers"]),
    "heap has no limit": ("engine/device_heap.cpp", "+ total <= limit)", "+ total <= UINT64_MAX)", ["errors/device_heap_full"]),
    "launch brackets are not joined": ("src/frontend/source/launch_syntax.cpp", "  if (result == source)", "  if (true)",
                                       ["language/launch_syntax"]),
    "behind a barrier the last warp goes on first": (ENGINE + "block.cpp", "all_go_on_ = barrier.waiting == live_;", "all_go_on_ = false;",
                                                     ["kernels/sums_in_thread_order"]),
    "managed variables are not registered": ("src/frontend/source/managed_variables.cpp", "if (variables.empty() ||", "if (true || variables.empty() ||",
                                             ["language/managed_variable"]),
    "static variables of files share a name": ("src/frontend/compile.cpp", "  return contentHash(all).substr(0, 16);", "  return \"1\";",
                                               ["linking/statics"]),
    "each file has its own copies of what files share": ("src/module/linking/link.cpp", "    if (linker.linkInModule(std::move(*module)))",
                                                         "    for (GlobalVariable &variable : (*module)->globals())\n"
                                                         "      if (variable.isWeakForLinker() && variable.getAddressSpace() == 1)\n"
                                                         "        variable.setLinkage(GlobalValue::InternalLinkage);\n"
                                                         "    if (linker.linkInModule(std::move(*module)))",
                                                         ["linking/merged"]),
}


def existing(programs):
    return [f"tests/conformance/{name}.cu" for name in programs
            if (ROOT / f"tests/conformance/{name}.cu").exists()]


def build(source, folder):
    if not (folder / "build.ninja").exists():
        subprocess.run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DBUILD_TESTING=OFF",
                        "-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_CXX_COMPILER=clang++-19",
                        "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_COMPILE_WARNING_AS_ERROR=OFF"], check=True, stdout=subprocess.DEVNULL)
    return subprocess.run(["cmake", "--build", folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def run(source, folder, programs):
    return subprocess.run([sys.executable, source / "tests/conformance/run_conformance.py", "--heddlecc",
                           folder / "bin" / "heddlecc", "--jobs", "2", "--engines", "reference",
                           "--", *[source / p for p in programs]],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *MUTATIONS])
    parser.add_argument("--stale", action="store_true", help="only look for the mutations' text")
    options = parser.parse_args()
    wanted = options.names or list(MUTATIONS)
    if options.stale:
        problems = [problem for name in wanted if (problem := stale(name, *MUTATIONS[name][:2]))]
        problems += [f"STALE      {name}: no such programs" for name in wanted if not existing(MUTATIONS[name][3])]
        print("\n".join(problems))
        sys.exit(int(bool(problems)))
    work = pathlib.Path(os.environ.get("MUTATION_FOLDER") or tempfile.mkdtemp(prefix="heddle-mutations-"))
    source, folder = work / "source", work / "build"
    os.environ["HEDDLE_CACHE"] = str(work / "cache")
    shutil.rmtree(source, ignore_errors=True)
    # With new times: what the last run has built of a broken file must not pass for its copy's.
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns("build", "build-*", ".git"),
                    copy_function=shutil.copy)
    if build(source, folder).returncode:
        sys.exit("the unchanged sources do not build")
    unnoticed = 0
    for name in wanted:
        file, text, replacement, programs = MUTATIONS[name]
        programs = existing(programs)
        if problem := stale(name, file, text, source) or (not programs and f"STALE      {name}: no such programs"):
            print(problem, flush=True)
            unnoticed += 1
            continue
        path = find_file(source, file)
        original = path.read_text()
        path.write_text(original.replace(text, replacement, 1))
        result = build(source, folder)
        if result.returncode:
            print(f"NOT BUILT  {name}\n{result.stdout.decode()[-2000:]}", flush=True)
            unnoticed += 1
        else:
            output = run(source, folder, programs).stdout
            passed = [p for p in programs if f"pass  {p.split('/')[2]}.{pathlib.Path(p).stem} " in output]
            verdict = "noticed" if not passed else "UNNOTICED" if len(passed) == len(programs) else "noticed, but not by " + ", ".join(passed)
            unnoticed += len(passed) == len(programs)
            print(f"{verdict:<10} {name}", flush=True)
        path.write_text(original)
    if "MUTATION_FOLDER" not in os.environ:
        shutil.rmtree(work, ignore_errors=True)
    sys.exit(1 if unnoticed else 0)


if __name__ == "__main__":
    main()
