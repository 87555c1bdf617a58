// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/pipeline.h"

#include "engine/compiler/codegen/clean_up.h"
#include "engine/compiler/errors.h"
#include "engine/compiler/instrument/accesses.h"
#include "engine/compiler/instrument/counts.h"
#include "engine/compiler/instrument/synchronisation.h"
#include "engine/compiler/lowering/function_addresses.h"
#include "engine/compiler/lowering/guards.h"
#include "engine/compiler/lowering/lower_builtins.h"
#include "engine/compiler/lowering/lower_memory_spaces.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/warp_uniformity.h"
#include "engine/compiler/simd/control/linearize.h"
#include "engine/compiler/simd/normalize/block_shape.h"
#include "engine/compiler/simd/normalize/block_size.h"
#include "engine/compiler/simd/normalize/callees.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "engine/compiler/simd/normalize/constant_offsets.h"
#include "engine/compiler/simd/normalize/index_widening.h"
#include "engine/compiler/simd/normalize/lane_axis.h"
#include "engine/compiler/simd/normalize/private_memory_layout.h"
#include "engine/compiler/simd/normalize/thread_function.h"
#include "engine/compiler/simd/optimize/if_conversion.h"
#include "engine/compiler/simd/optimize/loop_prefetch.h"
#include "engine/compiler/simd/optimize/narrow_integers.h"
#include "engine/compiler/simd/optimize/nontemporal_stores.h"
#include "engine/compiler/simd/optimize/packs.h"
#include "engine/compiler/simd/optimize/saturating_sums.h"
#include "engine/compiler/simd/optimize/unroll_for_coalescing.h"
#include "engine/compiler/simd/plan/block_coarsening.h"
#include "engine/compiler/simd/post/demanded_lanes.h"
#include "engine/compiler/simd/post/minima.h"
#include "engine/compiler/simd/post/shared_memory_promotion.h"
#include "engine/compiler/simd/post/shuffled_halves.h"
#include "engine/compiler/simd/post/split_accesses.h"
#include "engine/compiler/simd/post/uniform_reassociation.h"
#include "engine/compiler/simd/post/vector_conversions.h"
#include "engine/compiler/simd/versioning/affine_index_speculation.h"
#include "engine/compiler/simd/versioning/coherent_branch_versioning.h"
#include "engine/compiler/simd/versioning/guard_widening.h"
#include "engine/compiler/simd/versioning/known_lane_peeling.h"
#include "engine/compiler/simd/widen/kinds/access_kinds.h"
#include "engine/observe/events.h"
#include "module/passes/marks.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine {

using namespace simd;

namespace {

void lower(Module &module, const std::function<bool(const Function &, StringRef)> &which) {
  if (const auto unknown = lowerBuiltins(module, which); !unknown.empty())
    throw std::runtime_error(join(unknown, "\n"));
}

bool isKernel(const ProgramCode &code, const Function &function) {
  return any_of(code.image.info.kernels,
                [&](const KernelInfo &info) { return function.getName() == info.name; });
}

const Pass<ProgramCode> program_passes[] = {
    {.name = "retarget",
     .run = [](ProgramCode &p) { p.generator.retarget(p.module); },
     .why = "First, as LLVM asks the target what things cost."},
    {.name = "remove-marks",
     .run = [](ProgramCode &p) { removeMarks(p.module); },
     .why = "Only observers need them.",
     .when =
         [](const ProgramCode &p) {
           return (p.events & (observe::count_work | observe::any_accesses)) == 0;
         }},
    {.name = "inline-calls",
     .run = [](ProgramCode &p) { inlineCalls(p.module); },
     .why = "A gang is one function; only recursion and pointers to functions are left."},
    {.name = "add-thread-context",
     .run = [](ProgramCode &p) { addThreadContext(p.module); },
     .gives = TakesContext,
     .why = "Behind inlining, so that few functions are left to pass it on."},
    {.name = "mark-accesses",
     .run = [](ProgramCode &p) { markAccesses(p.module, p.events); },
     .needs = TakesContext,
     .why = "Before anything has changed the program's accesses, while variables have names.",
     .when = [](const ProgramCode &p) { return (p.events & observe::any_accesses) != 0; }},
    {.name = "mark-synchronisation",
     .run =
         [](ProgramCode &p) {
           markSynchronisation(p.module,
                               [&](const Function &function) { return isKernel(p, function); });
         },
     .needs = TakesContext,
     .why = "As before.",
     .when = [](const ProgramCode &p) { return (p.events & observe::tell_synchronisation) != 0; }},
    {.name = "mark-counts",
     .run = [](ProgramCode &p) { markCounts(p.module, p.events); },
     .needs = TakesContext,
     .why = "As before: instructions, branches and accesses are still the program's.",
     .when = [](const ProgramCode &p) { return (p.events & observe::count_work) != 0; }},
    {.name = "lower-thread-services",
     .run =
         [](ProgramCode &p) {
           lower(p.module, [](const Function &, StringRef name) { return isThreadService(name); });
         },
     .needs = TakesContext,
     .why = "What stays a call for each lane; the other built-ins have vector forms."},
    {.name = "find-shared-arrays",
     .run =
         [](ProgramCode &p) {
           p.arrays = sharedArrays(p.layout,
                                   [&](const Function &function) { return isKernel(p, function); });
         },
     .why = "While arrays are still variables with types."},
    {.name = "lower-memory-spaces",
     .run = [](ProgramCode &p) { p.init_globals = lowerMemorySpaces(p.module, p.layout); },
     .needs = TakesContext,
     .gives = Addressed,
     .why = "Kernels compute with addresses relative to the block and to the globals."},
    {.name = "guard-stack",
     .run = [](ProgramCode &p) { guardStack(p.module); },
     .needs = TakesContext,
     .why = "Recursive functions are functions of one thread, and stay so."},
};

bool mayChangeWidth(const KernelCode &code) {
  return code.layout.lanes > 1 && !code.width.spins && !code.variant.warps;
}

const Pass<KernelCode> kernel_passes[] = {
    {.name = "check-callees",
     .run =
         [](KernelCode &k) {
           const Callees callees = checkCallees(*k.function);
           k.result.stack_bytes += callees.stack_bytes;
           k.result.recursive |= callees.recursive;
         },
     .why = "Before any work on a kernel that has no vector form."},
    {.name = "turn-axes",
     .run = [](KernelCode &k) { turnAxes(*k.function, k.variant.lane_axis); },
     .why = "Before anything asks for an axis: launches of this code are turned, too.",
     .when = [](const KernelCode &k) { return k.variant.lane_axis != 0; }},
    {.name = "use-block-shape",
     .run =
         [](KernelCode &k) { useBlockShape(*k.function, k.variant, k.info.max_threads_per_block); },
     .why = "Ranges of threadIdx help LLVM to simplify in the next pass."},
    {.name = "canonicalize",
     .run = [](KernelCode &k) { canonicalize(*k.function); },
     .gives = Canonical,
     .why = "All passes behind expect its form."},
    {.name = "set-block-size",
     .run =
         [](KernelCode &k) {
           if (!gainsFromBlockSize(*k.function))
             return;
           setBlockSize(*k.function, k.variant.blockSize());
           k.result.of_one_size = true;
         },
     .needs = Canonical,
     .why = "Loops whose length it gives are unrolled before widths are compared.",
     .when = [](const KernelCode &k) { return k.variant.blockSize() != 0; }},
    {.name = "privatize-histograms",
     .run = [](KernelCode &k) { k.result.counts = privatizeHistograms(*k.function); },
     .needs = Canonical,
     .why = "It looks for accesses by single threads, as programs write them.",
     .optional = true},
    {.name = "mark-nontemporal-stores",
     .run = [](KernelCode &k) { k.result.streamed_bytes = markNontemporalStores(*k.function); },
     .needs = Canonical,
     .why = "Loops are still those of the program.",
     .optional = true},
    {.name = "choose-lanes",
     .run =
         [](KernelCode &k) {
           k.width = gangWidth(*k.function, k.target.registers.bytes);
           k.width.whole_warps |= k.variant.warps;
           k.result.wants_rows = wantsRows(*k.function, k.width, k.target);
           k.layout = layoutFor(k.variant, k.width.lanes, k.width.whole_warps);
           if (!k.width.whole_warps && !k.width.may_wait &&
               shouldScalarize(*k.function, k.layout, k.target))
             k.layout = layoutFor(k.variant, 1, false);
         },
     .needs = Canonical,
     .gives = LanesChosen,
     .why = "The passes behind ask which values differ from lane to lane."},
    {.name = "transpose-shared-arrays",
     .run = [](KernelCode &k) { transposeArrays(*k.function, k.layout, k.arrays); },
     .needs = Canonical | LanesChosen,
     .why = "Before branches go: their conditions bound indices.",
     .optional = true},
    {.name = "convert-branches-to-selects",
     .run = [](KernelCode &k) { convertBranchesToSelects(*k.function, k.layout); },
     .needs = Canonical | LanesChosen,
     .why = "Sums in branches become sums that the next two passes see.",
     .optional = true},
    {.name = "saturate-sums",
     .run = [](KernelCode &k) { saturateSums(*k.function, k.layout); },
     .needs = Canonical | LanesChosen,
     .why = "Before narrowing takes their wide sums apart.",
     .optional = true},
    {.name = "narrow-integers",
     .run = [](KernelCode &k) { narrowIntegers(*k.function, k.layout, k.target.registers.bytes); },
     .needs = Canonical | LanesChosen,
     .why = "Narrow values leave registers for more lanes.",
     .optional = true},
    {.name = "widen-lanes",
     .run =
         [](KernelCode &k) {
           const LaneLayout wide = widerLayout(*k.function, k.variant, k.layout, k.target);
           k.wider = wide.lanes != k.layout.lanes;
           k.layout = wide;
         },
     .needs = Canonical | LanesChosen,
     .why = "Counts the registers that flat, narrow code needs.",
     .when = [](const KernelCode &k) { return mayChangeWidth(k); },
     .optional = true},
    {.name = "convert-branches-to-selects",
     .run = [](KernelCode &k) { convertBranchesToSelects(*k.function, k.layout); },
     .needs = Canonical | LanesChosen,
     .why = "In a wider gang more branches diverge.",
     .when = [](const KernelCode &k) { return k.wider; },
     .optional = true},
    {.name = "saturate-sums",
     .run = [](KernelCode &k) { saturateSums(*k.function, k.layout); },
     .needs = Canonical | LanesChosen,
     .why = "As before.",
     .when = [](const KernelCode &k) { return k.wider; },
     .optional = true},
    {.name = "narrow-integers",
     .run = [](KernelCode &k) { narrowIntegers(*k.function, k.layout, k.target.registers.bytes); },
     .needs = Canonical | LanesChosen,
     .why = "As before.",
     .when = [](const KernelCode &k) { return k.wider; },
     .optional = true},
    {.name = "halve-lanes",
     .run =
         [](KernelCode &k) {
           k.layout = narrowerLayout(*k.function, k.variant, k.layout, k.target.registers);
           transposeArrays(*k.function, k.layout, k.arrays);
         },
     .needs = Canonical | LanesChosen,
     .why = "Of gangs that did not become wider.",
     .when = [](const KernelCode &k) { return mayChangeWidth(k) && !k.wider; },
     .optional = true},
    {.name = "settle-lanes",
     .run =
         [](KernelCode &k) {
           k.foreseen_strips =
               k.target.few_misses && !k.width.may_wait && stripsGoUp(*k.function, k.layout);
           // Gangs that never wait gain nothing from being the whole block.
           k.layout.whole &= k.width.may_wait;
           k.result.of_one_size |= k.layout.isWholeRow();
         },
     .needs = Canonical | LanesChosen,
     .why = "From here on the layout stays."},
    {.name = "unroll-for-coalescing",
     .run = [](KernelCode &k) { unrollForCoalescing(*k.function, k.layout); },
     .needs = Canonical | LanesChosen,
     .why = "Neighbours of its rounds are what the next pass packs.",
     .optional = true},
    {.name = "pack-neighbours",
     .run = [](KernelCode &k) { packNeighbours(*k.function, k.layout); },
     .needs = Canonical | LanesChosen,
     .why = "Before waits: what is packed is saved as one value.",
     .optional = true},
    {.name = "prefetch-next-iterations",
     .run =
         [](KernelCode &k) {
           k.blocks_ahead = blocksAhead(*k.function);
           if (k.width.may_wait)
             prefetchNextIterations(*k.function);
         },
     .needs = Canonical | LanesChosen,
     .why = "Rounds of loops end at waits, which the next passes take apart.",
     .optional = true},
    {.name = "find-block-coarsening",
     .run =
         [](KernelCode &k) {
           k.strips = (!k.width.may_wait || k.layout.whole) &&
                      runsInStrips(*k.function, k.layout, k.target);
         },
     .needs = Canonical | LanesChosen,
     .why = "While the kernel is the code of one call.",
     .optional = true},
    {.name = "lay-out-private-memory",
     .run =
         [](KernelCode &k) {
           layOutPrivateMemory(*k.function, k.layout.lanes, k.width.may_wait, k.result.frame_bytes);
         },
     .needs = Canonical | LanesChosen,
     .gives = LocalsPlaced,
     .why = "Addresses of locals must survive waits."},
    {.name = "lower-suspend-points",
     .run =
         [](KernelCode &k) {
           k.waits = lowerSuspendPoints(*k.function, k.layout, k.result.frame_bytes);
         },
     .needs = Canonical | LanesChosen | LocalsPlaced,
     .gives = WaitsSplit,
     .why = "Behind it, code between waits is code without waits."},
    {.name = "guard-active",
     .run = [](KernelCode &k) { guardActive(*k.function); },
     .needs = WaitsSplit,
     .why = "Which lanes take part is known when a state is entered.",
     .when = [](const KernelCode &k) { return !k.layout.full || k.waits.diverged; }},
    {.name = "number-rows",
     .run = [](KernelCode &k) { numberRowsByLane(*k.function, k.layout); },
     .needs = LanesChosen | WaitsSplit,
     .why = "The lane's number needs no saving across waits."},
    {.name = "number-lanes",
     .run = [](KernelCode &k) { numberLanes(*k.function, k.layout); },
     .needs = LanesChosen | WaitsSplit,
     .why = "As before; the next pass looks for conditions on it."},
    {.name = "peel-known-lanes",
     .run = [](KernelCode &k) { peelKnownLanes(*k.function, k.layout); },
     .needs = LanesChosen | WaitsSplit,
     .why = "Takes known lanes out of the masks that versions ask for.",
     .optional = true},
    {.name = "widen-indices",
     .run = [](KernelCode &k) { widenIndices(*k.function, k.layout); },
     .needs = LanesChosen,
     .why = "Versions share what it hoists out of loops.",
     .optional = true},
    {.name = "widen-guards",
     .run = [](KernelCode &k) { widenGuards(*k.function, k.layout, k.target.native_gather); },
     .needs = Canonical | LanesChosen | WaitsSplit,
     .why = "The outermost version: of pieces of code with several guards.",
     .optional = true},
    {.name = "version-coherent-branches",
     .run =
         [](KernelCode &k) {
           versionCoherentBranches(*k.function, k.layout, k.target.native_gather);
         },
     .needs = Canonical | LanesChosen | WaitsSplit,
     .why = "Of single branches, where the pass before has made no version.",
     .optional = true},
    {.name = "speculate-affine-indices",
     .run = [](KernelCode &k) { speculateAffineIndices(*k.function, k.layout); },
     .needs = Canonical | LanesChosen | WaitsSplit,
     .why = "In versions for full masks, too.",
     .optional = true},
    {.name = "linearize",
     .run =
         [](KernelCode &k) {
           linearize(*k.function, k.layout, k.target.native_gather, [&](const Instruction &branch) {
             Remark remark(Remark::Kind::Branch, branch, "branch");
             if (k.remarks && remark.line)
               k.remarks->push_back(std::move(remark));
           });
         },
     .needs = Canonical | LanesChosen | WaitsSplit,
     .gives = Linear,
     .ends = Canonical,
     .why = "Widening expects masks in place of divergent branches."},
    {.name = "separate-constant-offsets",
     .run = [](KernelCode &k) { separateConstantOffsets(*k.function, k.layout); },
     .needs = LanesChosen | Linear,
     .why = "Addresses of one array come to lie side by side in merged paths.",
     .optional = true},
    {.name = "widen",
     .run = [](KernelCode &k) { k.function = widen(*k.function, widenOptions(k), k.remarks); },
     .needs = LanesChosen | LocalsPlaced | WaitsSplit | Linear,
     .gives = Gang,
     .why = "All that is asked about the code of one thread has been asked."},
    {.name = "aggregate-appends",
     .run = [](KernelCode &k) { k.result.appends = aggregateAppends(*k.function); },
     .needs = Gang,
     .why = "Queues are kept for all gangs of a sweep.",
     .when = [](const KernelCode &k) { return sweeps(k) && k.layout.lanes == 1 && !k.width.spins; },
     .optional = true},
    {.name = "promote-shared-memory",
     .run = [](KernelCode &k) { promoteSharedMemory(*k.function, k.target.registers.bytes); },
     .needs = Gang,
     .why = "Needs vectors at known places.",
     .when = [](const KernelCode &k) { return k.layout.whole && widenOptions(k).strips; },
     .optional = true},
};

const Pass<ProgramCode> link_passes[] = {
    {.name = "remove-kernels",
     .run =
         [](ProgramCode &p) {
           for (const KernelInfo &info : p.image.info.kernels)
             if (Function *kernel = p.module.getFunction(info.name); kernel && kernel->use_empty())
               kernel->eraseFromParent();
         },
     .why = "Their gangs have taken their places."},
    {.name = "guard-alignment",
     .run = [](ProgramCode &p) { guardAlignment(p.module); },
     .why = "For scalar accesses that are left; vector accesses ask no alignment."},
    {.name = "give-turns",
     .run = [](ProgramCode &p) { giveTurns(p.module); },
     .needs = TakesContext,
     .why = "Loops that wait for other threads, in their last form."},
    {.name = "lower-builtins",
     .run =
         [](ProgramCode &p) { lower(p.module, [](const Function &, StringRef) { return true; }); },
     .needs = TakesContext,
     .why = "What was left for functions that are called lane by lane."},
    {.name = "add-table",
     .run =
         [](ProgramCode &p) {
           addSimdTable(p.module, p.kernels, p.has_init_globals ? p.init_globals : nullptr);
         },
     .needs = Addressed,
     .why = "Names the gangs, which nothing else in the module refers to."},
    {.name = "share-function-addresses",
     .run = [](ProgramCode &p) { shareFunctionAddresses(p.module, p.image); },
     .why = "Last, as it makes functions visible to other files."},
};

template <void (*Run)(Function &)> void onEach(TargetCode &code) {
  for (Function &function : code.module)
    Run(function);
}

const Pass<TargetCode> target_passes[] = {
    {.name = "expand-vector-conversions",
     .run = onEach<expandVectorConversions>,
     .why = "LLVM's own expansions are made too late for LLVM to simplify them.",
     .optional = true},
    {.name = "join-shuffled-halves",
     .run = onEach<joinShuffledHalves>,
     .why = "Widening's shuffles, before LLVM makes others of them.",
     .optional = true},
    {.name = "reassociate-uniform-terms",
     .run = onEach<reassociateUniformTerms>,
     .why = "As before.",
     .optional = true},
    {.name = "simplify-minima",
     .run = onEach<simplifyMinima>,
     .why = "Before LLVM hoists comparisons out of loops.",
     .optional = true},
    {.name = "clean-up",
     .run = [](TargetCode &t) { cleanUp(t.module, t.machine); },
     .why = "LLVM's scalar optimisations, for all that the passes have left behind."},
    {.name = "pack-demanded-lanes",
     .run =
         [](TargetCode &t) {
           for (Function &function : t.module)
             packDemandedLanes(function, t.profile.registers.bytes);
         },
     .why = "Behind LLVM, which would undo it.",
     .optional = true},
    {.name = "use-range-instructions",
     .run = onEach<useRangeInstructions>,
     .why = "As before.",
     .when = [](const TargetCode &t) { return t.profile.range_instructions; },
     .optional = true},
    {.name = "split-accesses",
     .run =
         [](TargetCode &t) {
           for (Function &function : t.module)
             splitAccesses(function, t.profile.registers.bytes);
         },
     .why = "Last: in the order in which the CPU is to see them.",
     .optional = true},
};

template <class Code> void append(ArrayRef<Pass<Code>> passes, std::vector<PassInfo> &all) {
  for (const Pass<Code> &pass : passes)
    all.push_back(infoOf(pass));
}

} // namespace

ArrayRef<Pass<ProgramCode>> programPasses() { return program_passes; }
ArrayRef<Pass<KernelCode>> kernelPasses() { return kernel_passes; }
ArrayRef<Pass<ProgramCode>> linkPasses() { return link_passes; }
ArrayRef<Pass<TargetCode>> targetPasses() { return target_passes; }

void runTargetPasses(Module &module, const CodeGenerator &generator) {
  std::string problems;
  raw_string_ostream stream(problems);
  if (verifyModule(module, &stream))
    throw InternalError("the lowered kernel is not valid IR: " + problems);
  if (generator.debug())
    return;
  TargetCode code{module, generator.machine(), generator.profile()};
  PassObserver observer("target");
  runPasses(targetPasses(), code, observer, 0);
}

void checkSkipped() {
  std::vector<std::string> names;
  for (const PassInfo &pass : pipeline())
    if (pass.optional)
      names.emplace_back(pass.name);
  for (const AccessKind &kind : accessKinds())
    if (kind.optional)
      names.emplace_back(kind.name);
  names.insert(names.end(), std::begin(update_kinds), std::end(update_kinds));
  if (const auto unknown = unknownSkipped(names); !unknown.empty())
    throw std::runtime_error("HEDDLE_SIMD_SKIP: there is no optional pass or kind of access " +
                             join(unknown, ", ") +
                             " (see heddle-opt --list-passes --list-accesses)");
}

std::vector<PassInfo> pipeline() {
  std::vector<PassInfo> all;
  append(programPasses(), all);
  append(kernelPasses(), all);
  append(linkPasses(), all);
  append(targetPasses(), all);
  return all;
}

} // namespace heddle::engine
