#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks an engine on purpose, one feature at a time, and checks that generated kernels notice.

Usage: tests/differential/mutations.py [--engine ENGINE] [--kernels 400] [NAME ...]
       tests/differential/mutations.py --stale   (only: is the text of each mutation there? A test does that)

Works on a copy of the sources in a temporary folder (MUTATION_FOLDER keeps it from one run to the next).
The kernels' programs are compiled once, with the unbroken sources (but again if the mutation is in what
heddlecc runs), and what they print with the unbroken reference engine is what must come out. Each mutation
replaces one piece of text, which must be there once, in one file below src, which is found by its name. A
program finds the broken engine, for it is linked with the library of the build folder that the mutation
changes. Prints a line a mutation; exit code 1 if one goes unnoticed.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from execution import RUN_LIMIT, Side, Workshop
from generator.kernel import Kernel
from generator.program import options_of, render_program
from mutation_text import ROOT, find_file, stale

SEED = 1
IN_A_PROGRAM = 10  # few, for most mutations are noticed by the first kernels

# engine: {name: (file, text, replacement)}
MUTATIONS = {
    "reference": {
        "volatile memory keeps no lane in step":
            ("lowering/warp_step.cpp",
             "IRBuilder<>(&instruction).CreateIntrinsic(Intrinsic::nvvm_activemask, {}, {});", ";"),
        "barrier does not wait":
            ("reference/block.cpp", "if (!barrier.complete(live_))", "if (false)"),
        "barrier counts all lanes":
            ("reference/block.cpp", "barrier.true_count += predicate;", "barrier.true_count += 1;"),
        "threads that ended are awaited at warp operations":
            ("engine/warp.cpp", "if (first.mask & live & ~group)", "if (first.mask & ~group)"),
        "warp operations mix lanes with different masks":
            ("engine/warp.cpp", "other.mask == first.mask && ", ""),
        "dynamic shared memory overlaps static":
            ("schedule/resident_block.cpp", "dynamic_shared = shared + staticBytes(grid);",
             "dynamic_shared = shared;"),
        "shuffle ignores its width":
            ("engine/warp.cpp", "segment = (request.clamp >> 8) & 31",
             "segment = 0u * request.clamp"),
        "shuffle up stops a lane early":
            ("engine/warp.cpp", "inside = int32_t(source) >= int32_t(last);",
             "inside = int32_t(source) > int32_t(last);"),
        "shuffle wraps at 16":
            ("engine/warp.cpp", "operand = request.lane & 31;", "operand = request.lane & 15;"),
        "match compares half of the bits":
            ("engine/warp.cpp", "requests[lane].value == value",
             "uint32_t(requests[lane].value) == uint32_t(value)"),
        "signed minimum is unsigned":
            ("engine/warp.cpp", "std::min(int32_t(a), int32_t(b))", "std::min(a, b)"),
        "all lanes must agree, even those that are not asked":
            ("engine/warp.cpp", "return ballot == lanes;", "return ballot == ~0u;"),
        "threadIdx.y is threadIdx.x":
            ("lowering/lower_builtins.cpp", "offsetof(ThreadContext, thread_index) + 4 * i",
             "offsetof(ThreadContext, thread_index)"),
        "blockIdx.y is blockIdx.x":
            ("lowering/lower_builtins.cpp", "offsetof(BlockContext, block_index) + 4 * i",
             "offsetof(BlockContext, block_index)"),
    },
    "simd": {
        "lanes that are computed side by side come from one vector":
            ("post/demanded_lanes.cpp", "(lane.vector == vectors[0] ? 0 : size)", "0 * size"),
        "lanes of other rows take part":
            ("quotient_loop.cpp", "b.CreateICmpULT(place, rows.width)", "b.getTrue()"),
        "rows behind the first are left out":
            ("quotient_loop.cpp", "b.CreateICmpSGE(left, rows.width)", "b.getFalse()"),
        "packed lanes are in another order":
            ("post/demanded_lanes.cpp", "int(lane.index + ", "int((lane.index ^ (lane.index > 1)) + "),
        "what workers have counted is lost":
            ("launch/kept_counts.cpp",
             "std::atomic_ref(to[i]).fetch_add(from[i], std::memory_order_relaxed);", ""),
        "warps that speak through volatile memory are in parts":
            ("plan/gang_width.cpp", "result.whole_warps |= observesWarp(instruction);", ""),
        "stores ignore the mask":
            ("kinds/contiguous_access.cpp",
             "storeUnderMask(v, v.rowOf(value, row), pointers[row], align,\n                           order(v.rowOf(v.mask.vector(), row)));",
             "v.b.CreateAlignedStore(v.rowOf(value, row), pointers[row], align);"),
        "values of lanes that came another way are lost":
            ("control/linearize.cpp", "if (!whole && !shapes_.of(&phi).hasRowBases())", "if (false)"),
        "lanes that wait are forgotten when others arrive":
            ("control/linearize.cpp",
             "arriving = builder.CreateOr(builder.CreateLoad(i1_, target.arriving), mask);",
             "arriving = mask;"),
        "no branch diverges":
            ("analysis/shapes.cpp", "!of(branch->getCondition()).isUniform();", "false;"),
        "a difference has the stride of a sum":
            ("analysis/shapes.cpp", "growing(difference(a.stride, b.stride), zeros)",
             "growing(sum(a.stride, b.stride), zeros)"),
        "narrow numbers do not wrap":
            ("analysis/shapes.cpp",
             "return staysWithin(form, integer->getType()->getIntegerBitWidth() - is_signed) ||",
             "return integer != nullptr ||"),
        "lanes that fill a type have one sign":
            ("analysis/shapes.cpp", "integer->getType()->getIntegerBitWidth() - is_signed",
             "integer->getType()->getIntegerBitWidth()"),
        "masks of loads in reverse are not reversed":
            ("kinds/contiguous_access.cpp",
             "v.mask.allActive() ? nullptr : reversed(v, v.rowOf(v.mask.vector(), row))",
             "v.mask.allActive() ? nullptr : v.rowOf(v.mask.vector(), row)"),
        "registers are stored for lanes that are elsewhere":
            ("shared_memory_promotion.cpp", "lane < access.lanes() && access.mayHave(unsigned(lane))",
             "lane < access.lanes()"),
        "what lies in two registers is taken from one":
            ("shared_memory_promotion.cpp", "partAt(builder, part + 1)", "partAt(builder, part)"),
        "lanes that a shuffle names are thought to come":
            ("suspend_points.cpp",
             "return lanes && *lanes == mask->getZExtValue();", "return lanes.has_value();"),
        "numbers that wrap have one quotient":
            ("affine_index_speculation.cpp",
             "builder.CreateICmpULE(first, ConstantInt::get(type, most - growth))",
             "builder.getTrue()"),
        "a row may end between the lanes":
            ("affine_index_speculation.cpp", "builder.CreateICmpUGT(left, ConstantInt::get(type, growth))",
             "builder.CreateICmpUGT(left, Constant::getNullValue(type))"),
        "atomics add for lanes that are elsewhere":
            ("memory/widen_atomics.cpp",
             "if (!v.mask.allActive())\n    value = v.b.CreateSelect(v.mask.vector(), value,",
             "if (false)\n    value = v.b.CreateSelect(v.mask.vector(), value,"),
        "all lanes must agree, even those that ended":
            ("calls/widen_warp.cpp", "result = v.b.CreateICmpEQ(set, taking_part);",
             "result = v.b.CreateICmpEQ(set, mask);"),
        "shuffle ignores its width":
            ("calls/widen_warp.cpp", "Value *first = v.b.CreateAnd(self, segment);",
             "Value *first = splat(0);"),
        "shuffle up stops a lane early":
            ("calls/widen_warp.cpp", "v.b.CreateICmpSGE(source, last)",
             "v.b.CreateICmpSGT(source, last)"),
        "barrier counts all lanes":
            ("simd/block_waiting.cpp", "barrier.true_count += gang.requests[lane].value != 0;",
             "barrier.true_count += gang.requests[lane].value != 77;"),
        "values are alike where lanes meet again":
            ("analysis/shapes.cpp", "        joins_.insert(here);", "        (void)here;"),
        "the copy for lanes that agree is for others, too":
            ("coherent_branch_versioning.cpp", "callMarker(builder, all_marker, {condition})",
             "callMarker(builder, any_marker, {condition})"),
        "what lanes keep at a barrier is kept in one place":
            ("suspend_lowering.cpp", "builder.getInt8Ty() : type, start, lane);",
             "builder.getInt8Ty() : type, start, builder.CreateAnd(lane, uint64_t(0)));"),
        "elements of a thread's array overlap":
            ("private_memory_layout.cpp", "scale.getZExtValue() * lanes_", "scale.getZExtValue()"),
        "every second element is read as if all were":
            ("kinds/widen_strided.cpp", "order.push_back(int(cover.place(lane)));",
             "order.push_back(int(lane));"),
        "the last vector of every few elements begins elsewhere":
            ("kinds/widen_strided.cpp",
             "element < before_last ? element : before_last + unsigned(element - start(step - 1));",
             "element;"),
        "what lies between every few elements is stored, too":
            ("kinds/widen_strided.cpp", "chosenLanes(v, v.mask.laneMask(), lanes);",
             "v.mask.allActive() ? Constant::getAllOnesValue(FixedVectorType::get(v.b.getInt1Ty(), v.rowLength()))\n                                : chosenLanes(v, v.mask.laneMask(), lanes);"),
        "all rows have the first row's scalars":
            ("widen/tiled_values.cpp", "operand.set(rowsOfOperand(v, operand)[row]);",
             "operand.set(rowsOfOperand(v, operand)[0]);"),
        "what holds for a row holds for the first":
            ("widen/tiled_values.cpp",
             "APInt::getBitsSet(v.lanes, row * v.rowLength(), (row + 1) * v.rowLength())",
             "APInt::getBitsSet(v.lanes, 0, v.rowLength())"),
        "a row's vector is the first row's":
            ("kinds/contiguous_access.cpp", "storeUnderMask(v, v.rowOf(value, row), pointers[row]",
             "storeUnderMask(v, v.rowOf(value, 0), pointers[row]"),
        "a state is left out":
            ("widen/state_loops.cpp", "BasicBlock *next_head = loops[number].head;",
             "BasicBlock *next_head = loops[number + 1 < loops.size() ? number + 1 : number].head;"),
        "of several choices the last is asked for":
            ("affine_index_speculation.cpp",
             "result = result ? builder.CreateAnd(result, asked) : asked;", "result = asked;"),
        "the copy is for lanes that go the other way":
            ("coherent_branch_versioning.cpp",
             "if (side == 1)\n        condition = builder.CreateNot(condition);", "(void)side;"),
        "groups that wait are joined whatever their values":
            ("simd/gang.cpp", " || !sameValues(record, group, record_bytes)", ""),
        "lanes of a wide gang wait at different barriers":
            ("plan/gang_width.cpp", " && !code.shapes.isDivergent(&block)", ""),
        "half of a block takes itself for the block":
            ("gang_layout.cpp",
             "variant.whole && layout.lanes == std::max(variant.tiled, variant.blockSize())",
             "variant.whole"),
        "a wide gang counts its lanes at a barrier as if it were a warp":
            ("plan/gang_width.cpp", "(isPlainBarrier(instruction) && ", "("),
        "of a wide gang only the first warp is asked":
            ("widen/gang_mask.cpp",
             "return b_->CreateZExt(b_->CreateBitCast(mask, b_->getIntNTy(layout_.lanes)), bitsType());",
             "return b_->CreateAnd(\n"
             "      b_->CreateZExt(b_->CreateBitCast(mask, b_->getIntNTy(layout_.lanes)), bitsType()),\n"
             "      ConstantInt::get(bitsType(), 0xffffffffu));"),
        "a strip is a block too long":
            ("simd/block.cpp", "(grid_dim[0] - block_index[0]) / fused_blocks - 1",
             "(grid_dim[0] - block_index[0]) / fused_blocks"),
        "all rows of a strip are the first":
            ("widen/gang_function.cpp", "startRow(v, rows);\n  for (unsigned axis = 1;",
             "startRow(v, rows);\n  v.gang = v.function->getArg(0);\n  for (unsigned axis = 1;"),
        "all blocks of a strip are the first":
            ("widen/gang_function.cpp", "v.b.CreateAdd(first, done,",
             "v.b.CreateAdd(first, zero,"),
        "from row to row an address grows by elements as if they were bytes":
            ("analysis/address_offset.h",
             "builder.CreateAdd(result, builder.CreateMul(part, "
             "builder.getInt64(scale.getSExtValue())));", "builder.CreateAdd(result, part);"),
        "narrow numbers do not wrap from row to row":
            ("widen/tiled_values.cpp", "const bool keeps_sign =\n      is_whole || (",
             "const bool keeps_sign = true || ("),
        "of two values that are chosen the first is expected":
            ("affine_index_speculation.cpp", "return choice.operand == 1 ? operands[0] :",
             "return choice.operand ? operands[0] :"),
        "the lesser of unsigned indices is the lesser of signed ones":
            ("affine_index_speculation.cpp", "CmpInst::getNonStrictPredicate(extreme->getPredicate());",
             "ICmpInst::getSignedPredicate(\n"
             "        CmpInst::getNonStrictPredicate(extreme->getPredicate()));"),
        "an index of neighbours may wrap":
            ("kinds/likely_contiguous.cpp", "result.known = v.b.CreateAnd(result.known, no_wrap);",
             "(void)no_wrap;"),
        "neighbours in another order are not asked where they begin":
            ("kinds/widen_patterns.cpp",
             "result.known = as_expected;", "result.known = v.b.getTrue(); (void)as_expected;"),
        "neighbours in another order are loaded in their own":
            ("kinds/widen_patterns.cpp",
             "order.push_back(int((step - pattern.lowest) / int64_t(element_bytes)));",
             "order.push_back(int(order.size()) % (int((pattern.highest - pattern.lowest) / int64_t(element_bytes)) + 1) + 0 * int(step));"),
        "the larger number is the lesser":
            ("post/minima.cpp", "keep_sign | (is_maximum ? 1 : 0)", "keep_sign | (is_maximum ? 0 : 1)"),
        "conditions that all lanes share are forgotten":
            ("post/uniform_reassociation.cpp", "join(b, outer, inner.common, outer.common)", "inner.common"),
        "numbers are narrowed that do not fit":
            ("narrow_integers.cpp", "!needsWide(*user) || ranges_.fits(&member, bits_)", "true"),
        "narrowed numbers are extended by their signs":
            ("narrow_integers.cpp", "return ranges_.fitsUnsigned(&member, bits_) ?", "return false ?"),
        "narrowed numbers are compared as signed ones":
            ("narrow_integers.cpp", "? comparison.getUnsignedPredicate()",
             "? comparison.getSignedPredicate()"),
        "the least of narrowed numbers is that of signed ones":
            ("narrow_integers.cpp", "return is_max ? Intrinsic::umax : Intrinsic::umin;",
             "return is_max ? Intrinsic::smax : Intrinsic::smin;"),
        "a flattened branch goes the other way":
            ("if_conversion.cpp",
             "      if (which == 1)\n        to_side = builder.CreateNot(to_side);\n", ""),
        "a flattened branch has the other side's values":
            ("if_conversion.cpp", "to_side, values[which], values[1 - which]",
             "to_side, values[0], values[1]"),
        "of two questions that are asked at once the second decides":
            ("if_conversion.cpp", "builder.CreateLogicalAnd(to_side, not_to_other)", "not_to_other"),
        "all comparisons hold for the first threads":
            ("prefix_predicates.cpp",
             " && grows(*left, ICmpInst::isSigned(predicate)) &&\n         isSameInBlock(*right);", ";"),
        "what is greater holds for the first threads":
            ("prefix_predicates.cpp", "    std::swap(left, right);\n", ""),
        "numbers that wrap grow from thread to thread":
            ("prefix_predicates.cpp", "  if (!operation || !(is_signed ? operation->hasNoSignedWrap() : "
             "operation->hasNoUnsignedWrap()))", "  if (!operation)"),
        "all gangs have a row's first threads":
            ("known_lane_peeling.cpp", "if (!few.each_gang)", "if (false)"),
        "one of the first lanes too many":
            ("known_lane_peeling.cpp", "builder.getInt32(few.count)", "builder.getInt32(few.count + 1)"),
        "short vectors begin with the first element":
            ("kinds/contiguous_access.cpp", "v.b.CreateConstGEP1_64(type, pointer, first), nullptr",
             "pointer, nullptr"),
        "the first threads of a row are the first of a block":
            ("widen/state_loops.cpp", "v.b.CreateICmpEQ(others, v.b.getInt32(1), \"single.row\")",
             "v.b.getTrue()"),
        "other pointers point elsewhere":
            ("interleaved_groups.cpp", "draft.closed |= !liesElsewhere(*pointer, draft.pointer());",
             "(void)pointer;"),
        "the last vector of members begins elsewhere":
            ("kinds/widen_interleaved.cpp", "createSequentialMask(beyond, lanes - beyond, beyond)",
             "createSequentialMask(0, lanes - beyond, beyond)"),
        "of an odd number of members all are the first":
            ("kinds/widen_interleaved.cpp", "createStrideMask(i, step, lanes)",
             "createStrideMask(0, step, lanes)"),
        "all parts of a group's stores are the first":
            ("kinds/widen_interleaved.cpp", "slice(part * lanes, lanes)", "slice(0, lanes)"),
        "members with even and odd numbers change places":
            ("vector_transpose.cpp", "createStrideMask(odd, 2, lanes)",
             "createStrideMask(1 - odd, 2, lanes)"),
        "both halves of what is joined are the first":
            ("vector_transpose.cpp", "slice(half * lanes, lanes)", "slice(0, lanes)"),
        "columns are stored by lanes that are elsewhere":
            ("plan/access_plan.cpp", "access.isSimple() && access.active.all && context.layout.hasRows()",
             "access.isSimple() && context.layout.hasRows()"),
        "columns go up or down":
            ("plan/access_plan.cpp", "context.row_step(*access.pointer) == bytesOf(access)",
             "std::abs(context.row_step(*access.pointer).value_or(0)) == bytesOf(access)"),
        "columns that go the other way do not":
            ("kinds/widen_columns.cpp", "times(v.b, right.along, minus)}",
             "right.along}"),
        "columns are not transposed":
            ("kinds/widen_columns.cpp", "concatenateVectors(v.b, separate(v.b, sequence))",
             "concatenateVectors(v.b, sequence)"),
        "what lanes keep at a barrier is never saved anew":
            ("suspend_lowering.cpp", "if (restored_[{states_[i].resume, save.value}] == storedBy(save)) {",
             "if (restored_[{states_[i].resume, save.value}] && storedBy(save)) {"),
        "what is in a record stays there":
            ("suspend_lowering.cpp", "    if (!in_own_record)\n      saves_.push_back",
             "    saves_.push_back"),
        "kernels that ask for threadIdx.x alone may have their blocks joined":
            ("launch_analysis/fusible_blocks.cpp",
             "if (!of_product && !isRegister(instruction, \"tid\", axis))", "if (!of_product)"),
        "blocks are joined beyond the end of a row":
            ("launch/fused_blocks.cpp", " && grid.x % (fused * 2) == 0 &&", " &&"),
        "blocks are joined whatever their width":
            ("launch/fused_blocks.cpp", "if (fusible != block.x && fusible != any_block_dim)",
             "if (!fusible)"),
        "joined blocks of a row begin where single ones do":
            ("schedule/grid.h", "uint32_t(linear % in_row) * fused_blocks", "uint32_t(linear % in_row)"),
        "a strip goes on with the second of joined blocks":
            ("widen/gang_function.cpp", "v.b.CreateSelect(row_ends, v.fused_blocks, zero)",
             "v.b.CreateSelect(row_ends, one, zero)"),
        "half a line may go past the caches":
            ("simd/block.cpp", "within_a_line = 63", "within_a_line = 31"),
        "all rows begin with a line where the first does":
            ("kinds/contiguous_access.cpp",
             "addresses = v.b.CreateOr(addresses, v.b.CreatePtrToInt(pointer, i64))",
             "if (pointer == pointers[0])\n      addresses = v.b.CreatePtrToInt(pointer, i64)"),
    },
}


def build(source, folder):
    """None, or what the compiler said."""
    if not (folder / "build.ninja").exists():
        subprocess.run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DBUILD_TESTING=OFF",
                        "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_C_COMPILER=clang-19",
                        "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_C_COMPILER_LAUNCHER=ccache",
                        "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache",
                        "-DCMAKE_COMPILE_WARNING_AS_ERROR=OFF"],
                       check=True, stdout=subprocess.DEVNULL)
    result = subprocess.run(["cmake", "--build", folder], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    return result.stdout if result.returncode else None


class Programs:
    """Programs of the unbroken build, and what they must print."""

    def __init__(self, workshop, heddlecc, count):
        self.workshop = workshop
        self.heddlecc = heddlecc
        self.entries = []  # (what Workshop.build wants, the executable, what it must print)
        for first in range(0, count, IN_A_PROGRAM):
            kernels = [Kernel(SEED, i) for i in range(first, min(first + IN_A_PROGRAM, count))]
            wanted = render_program(kernels), heddlecc, options_of(SEED, first), "reference"
            executable = workshop.build(*wanted)
            expected, why = workshop.run_from(executable, Side(heddlecc, "reference"), None)
            if why:
                sys.exit(f"the unbroken engine fails: {why}")
            self.entries.append((wanted, executable, expected))

    def first_difference(self, engine, compiler_too):
        """The first kernel that a broken engine changes, or None."""
        for wanted, executable, expected in self.entries:
            if compiler_too:
                self.workshop.built.clear()
                executable = self.workshop.build(*wanted)
            shutil.rmtree(self.workshop.folder / "cache", ignore_errors=True)
            found, why = self.workshop.run_from(executable, Side(self.heddlecc, engine), None)
            for name, lines in expected.items():
                if found.get(name) != lines:
                    return name + (f" ({why[:60].strip('; ')})" if name not in found else "")
        return None


def heddlecc_runs(path, source):
    """Whether a source file decides what is in a program, not only how it runs."""
    engine = source / "src/engine"
    return engine not in path.parents or engine / "launch_analysis" in path.parents


def try_mutation(source, folder, programs, engine, name):
    """Prints what became of a mutation; True if it was noticed."""
    file, text, replacement = MUTATIONS[engine][name]
    if problem := stale(name, file, text, source):
        print(problem, flush=True)
        return False
    path = find_file(source, file)
    original = path.read_text(encoding="utf-8")
    started = time.monotonic()
    try:
        path.write_text(original.replace(text, replacement), encoding="utf-8")
        problem = build(source, folder)
        if problem:
            print(f"NOT BUILT  {name}\n{problem[-2000:]}", flush=True)
            return False
        where = programs.first_difference(engine, heddlecc_runs(path, source))
    finally:
        path.write_text(original, encoding="utf-8")
    verdict = f"noticed    {name}: {where}" if where else f"UNNOTICED  {name}"
    print(f"{verdict}, {time.monotonic() - started:.0f} s", flush=True)
    return bool(where)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--engine", choices=list(MUTATIONS), action="append")
    parser.add_argument("--kernels", type=int, default=400)
    parser.add_argument("--stale", action="store_true", help="only look for the mutations' text")
    options = parser.parse_args()
    options.engine = options.engine or list(MUTATIONS)
    known = {name for engine in options.engine for name in MUTATIONS[engine]}
    if set(options.names) - known:
        parser.error(f"no such mutations: {', '.join(sorted(set(options.names) - known))}")
    return options


def main():
    options = parse_options()
    if options.stale:
        problems = [problem for engine in options.engine for name in MUTATIONS[engine]
                    if (problem := stale(name, *MUTATIONS[engine][name][:2]))]
        print("\n".join(problems))
        return int(bool(problems))
    work = pathlib.Path(os.environ.get("MUTATION_FOLDER")
                        or tempfile.mkdtemp(prefix="heddle-mutations-"))
    source, folder = work / "source", work / "build"
    shutil.rmtree(source, ignore_errors=True)
    # With new times: what the last run has built of a broken file must not pass for its copy's.
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns("build", "build-*", ".git"),
                    copy_function=shutil.copy)
    problem = build(source, folder)
    if problem:
        sys.exit(f"the unchanged sources do not build\n{problem[-2000:]}")
    with Workshop(RUN_LIMIT) as workshop:
        programs = Programs(workshop, str(folder / "bin" / "heddlecc"), options.kernels)
        noticed = [try_mutation(source, folder, programs, engine, name)
                   for engine in options.engine for name in MUTATIONS[engine]
                   if not options.names or name in options.names]
    if "MUTATION_FOLDER" not in os.environ:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{sum(noticed)} of {len(noticed)} noticed")
    return 0 if all(noticed) and noticed else 1


if __name__ == "__main__":
    sys.exit(main())
