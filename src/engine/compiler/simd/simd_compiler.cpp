// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/simd_compiler.h"
#include "engine/compiler/matrix_form.h"

#include "engine/compiler/code_generator.h"
#include "engine/compiler/device_code.h"
#include "engine/compiler/function_addresses.h"
#include "engine/compiler/guards.h"
#include "engine/compiler/lower_builtins.h"
#include "engine/compiler/lower_memory_spaces.h"
#include "engine/compiler/simd/appends.h"
#include "engine/compiler/simd/block_shape.h"
#include "engine/compiler/simd/block_size.h"
#include "engine/compiler/simd/canonicalize.h"
#include "engine/compiler/simd/choices.h"
#include "engine/compiler/simd/coherent.h"
#include "engine/compiler/simd/constant_offsets.h"
#include "engine/compiler/simd/counts.h"
#include "engine/compiler/simd/first_lanes.h"
#include "engine/compiler/simd/flatten.h"
#include "engine/compiler/simd/gang_width.h"
#include "engine/compiler/simd/guarded_elements.h"
#include "engine/compiler/simd/indices.h"
#include "engine/compiler/simd/linearize.h"
#include "engine/compiler/simd/locals.h"
#include "engine/compiler/simd/markers.h"
#include "engine/compiler/simd/narrow.h"
#include "engine/compiler/simd/packs.h"
#include "engine/compiler/simd/prefetch_rounds.h"
#include "engine/compiler/simd/row_walks.h"
#include "engine/compiler/simd/saturate.h"
#include "engine/compiler/simd/several_warps.h"
#include "engine/compiler/simd/shared_registers.h"
#include "engine/compiler/simd/simd_table.h"
#include "engine/compiler/simd/streams.h"
#include "engine/compiler/simd/strips.h"
#include "engine/compiler/simd/suspend.h"
#include "engine/compiler/simd/thread_function.h"
#include "engine/compiler/simd/transposed_arrays.h"
#include "engine/compiler/simd/waiting.h"
#include "engine/compiler/thread_context.h"
#include "module/describe.h"
#include "module/launches.h"
#include "support/switches.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine {
namespace {

using namespace simd;

// What a frame takes beside its local variables; gangs spill vectors.
constexpr uint64_t frame_overhead = 4096;
// Large code spills most of its vectors: 7 bytes an instruction have been seen.
constexpr uint64_t spilled_per_instruction = 16;

// For people who work on the passes: HEDDLE_SIMD_DUMP=1 shows each kernel after each of them.
void show(const char *pass, const Function &function) {
  static const bool wanted = switchedOn("HEDDLE_SIMD_DUMP");
  if (wanted)
    errs() << "; ---- after " << pass << "\n" << function << "\n";
}

// Built-ins that speak of the single thread: widening calls them lane by lane, with its context.
bool isThreadService(StringRef name) {
  return name == "vprintf" || name == "__heddle_malloc" || name == "__heddle_free" ||
         name == device_call || name == "__assertfail" || name == "llvm.trap" ||
         name == "llvm.debugtrap" || name == "llvm.nvvm.nanosleep" ||
         name == "__heddle_is_parameter" || name.starts_with("llvm.nvvm.isspacep.");
}

// Why a function that is called lane by lane cannot be, or "".
std::string whyNotLaneByLane(const Function &function) {
  for (const Instruction &instruction : instructions(function)) {
    const StringRef name = calledName(instruction);
    if (isWarpOperation(instruction) || isBlockBarrier(instruction) || matrixForm(name) ||
        name == "llvm.nvvm.activemask")
      return "threads may meet in a function that is called through a pointer or recursively";
    if (name == "llvm.nvvm.exit")
      return "a function that is called through a pointer or recursively ends the thread";
  }
  if (hasWaitingLoops(function))
    return "a function that is called through a pointer or recursively may wait for other threads";
  return "";
}

class SimdCompiler {
public:
  SimdCompiler(const Image &image, DeviceCode &code, const Variant &variant,
               std::vector<KernelReport> *reports)
      : image_(image), module_(*code.module), layout_(code.layout), variant_(variant),
        reports_(reports) {}

  void run(CodeGenerator &generator, std::string_view part) {
    native_gather_ = generator.hasNativeGather();
    few_misses_ = generator.waitsForFewLines();
    foreseen_steps_ = generator.foreseesSteps();
    registers_ = generator.vectorRegisters();
    generator.retarget(module_);
    inlineCalls(module_);
    addThreadContext(module_);
    lower([](const Function &, StringRef name) { return isThreadService(name); });
    arrays_ = sharedArrays(layout_, [&](const Function &function) {
      return any_of(image_.info.kernels,
                    [&](const KernelInfo &info) { return function.getName() == info.name; });
    });
    Function *init_globals = lowerMemorySpaces(module_, layout_);
    guardStack(module_);
    for (const KernelInfo &info : image_.info.kernels)
      if (part == whole_image || part == info.name)
        kernels_.push_back(compile(info));
    for (const KernelInfo &info : image_.info.kernels)
      if (Function *kernel = module_.getFunction(info.name); kernel && kernel->use_empty())
        kernel->eraseFromParent();
    guardAlignment(module_);
    giveTurns(module_);
    lower([](const Function &, StringRef) { return true; });
    addSimdTable(module_, kernels_,
                 kernels_.empty() || part == whole_image ? init_globals : nullptr);
    shareFunctionAddresses(module_, image_);
  }

private:
  void lower(const std::function<bool(const Function &, StringRef)> &which) {
    if (const auto unknown = lowerBuiltins(module_, which); !unknown.empty())
      throw std::runtime_error(join(unknown, "\n"));
  }

  CompiledKernel compile(const KernelInfo &info) {
    CompiledKernel result;
    result.name = info.name;
    KernelReport report;
    report.name = info.display_name;
    Function *kernel = module_.getFunction(info.name);
    if (!kernel)
      throw std::runtime_error("the image has no kernel " + info.name);
    try {
      vectorize(*kernel, info, result, report);
    } catch (const std::runtime_error &reason) {
      result.entry = nullptr;
      result.reason = report.fallback = reason.what();
      if (current_) { // half done
        current_->deleteBody();
        current_->eraseFromParent();
      }
    }
    current_ = nullptr;
    if (reports_)
      reports_->push_back(report);
    return result;
  }

  void checkCallees(Function &thread, CompiledKernel &result) {
    const auto reachable = reachableFrom(thread);
    for (const Function *function : reachable.functions) {
      if (function == &thread || function->isDeclaration())
        continue;
      if (const std::string why = whyNotLaneByLane(*function); !why.empty())
        throw std::runtime_error(why);
      result.stack_bytes += frame_overhead + frameBytes(*function);
      result.recursive |= mayRecurse(*function);
    }
  }

  void flatten(Function &function, const LaneLayout &layout) const {
    flattenBranches(function, layout);
    show("flattenBranches", function);
    saturateSums(function, layout);
    narrowIntegers(function, layout, registers_.bytes);
    show("narrowIntegers", function);
  }

  // With what depends on the lanes and decides how many they are.
  LaneLayout chooseLayout(Function &function, const GangWidth &width) const {
    LaneLayout layout = layoutFor(variant_, width.lanes, width.whole_warps);
    if (!width.whole_warps && !width.may_wait && isBetterAlone(function, layout))
      layout = layoutFor(variant_, 1, false);
    transposeArrays(function, layout, arrays_);
    flatten(function, layout);
    const bool may_be_wider = layout.lanes > 1 && !width.spins;
    if (const LaneLayout wide =
            may_be_wider ? widerLayout(function, variant_, layout, registers_) : layout;
        wide.lanes != layout.lanes) {
      layout = wide;
      flatten(function, layout);
    } else if (may_be_wider) {
      layout = narrowerLayout(function, variant_, layout, registers_);
      transposeArrays(function, layout, arrays_);
    }
    return layout;
  }

  void vectorize(Function &kernel, const KernelInfo &info, CompiledKernel &result,
                 KernelReport &report) {
    if (image_.info.debug)
      throw std::runtime_error("it was compiled with -G");
    ThreadFunction thread = makeThreadFunction(kernel, info);
    current_ = thread.function;
    result.aligned = thread.aligned;
    Function &function = *thread.function;
    checkCallees(function, result);
    useBlockShape(function, variant_, info.max_threads_per_block);
    canonicalize(function);
    if (variant_.blockSize() && gainsFromBlockSize(function)) {
      setBlockSize(function, variant_.blockSize());
      result.of_one_size = true;
    }
    show("canonicalize", function);
    result.counts = keepCounts(function);
    show("keepCounts", function);
    result.streamed_bytes = markStreamingStores(function);
    const GangWidth width = gangWidth(function, registers_.bytes);
    result.wants_rows = wantsRows(function, width);
    LaneLayout layout = chooseLayout(function, width);
    const bool foreseen_strips = few_misses_ && !width.may_wait && stripsGoUp(function, layout);
    // Whoever never waits gains nothing from being the only gang.
    layout.whole &= width.may_wait;
    result.of_one_size |= layout.isWholeRow();
    unrollRowWalks(function, layout);
    packNeighbours(function, layout);
    show("packNeighbours", function);
    const unsigned blocks_ahead = blocksAhead(function);
    if (width.may_wait)
      prefetchNextRounds(function);
    const bool strips = (!width.may_wait || layout.whole) && runsInStrips(function, layout);
    layOutLocals(function, layout.lanes, width.may_wait, result.frame_bytes);
    const SuspensionResult waits = splitAtSuspensions(function, layout, result.frame_bytes);
    show("splitAtSuspensions", function);
    if (!layout.full || waits.diverged)
      guardActive(function);
    numberRowsByLane(function, layout);
    numberLanes(function, layout);
    separateFirstLanes(function, layout);
    show("separateFirstLanes", function);
    widenIndices(function, layout);
    copyForGuardedElements(function, layout, native_gather_);
    show("copyForGuardedElements", function);
    copyForCoherentGangs(function, layout, native_gather_);
    show("copyForCoherentGangs", function);
    copyForCommonChoices(function, layout);
    show("copyForCommonChoices", function);
    linearize(function, layout, native_gather_, [&](const Instruction &branch) {
      Remark remark(Remark::Kind::Branch, branch, "branch");
      if (remark.line)
        report.remarks.push_back(std::move(remark));
    });
    show("linearize", function);
    separateConstantOffsets(function, layout);
    show("separateConstantOffsets", function);
    WidenOptions options;
    options.layout = layout;
    if (layout.lanes == 1) // wide gangs need the registers
      options.parameter_bytes = info.parameter_bytes;
    options.record_bytes = unsigned(waits.record_bytes);
    options.native_gather = native_gather_;
    options.few_misses = few_misses_;
    options.foreseen_strips = foreseen_strips;
    options.foreseen_steps = foreseen_steps_;
    options.blocks_ahead = blocks_ahead;
    options.states = waits.states;
    options.sweeps = layout.full && !waits.diverged && waits.only_barriers;
    options.strips = strips && options.sweeps && waits.states == 0;
    result.strips = options.strips;
    Function *gang = widen(function, options, reports_ ? &report.remarks : nullptr);
    current_ = gang;
    show("widen", *gang);
    if (options.sweeps && layout.lanes == 1 && !width.spins) {
      result.appends = keepAppends(*gang);
      show("keepAppends", *gang);
    }
    if (layout.whole && options.strips) {
      keepSharedInRegisters(*gang, registers_.bytes);
      show("keepSharedInRegisters", *gang);
    }
    std::string problems;
    raw_string_ostream stream(problems);
    if (verifyFunction(*gang, &stream))
      throw std::runtime_error("internal error: its code is not valid: " + problems);
    if (options.sweeps)
      result.sweep = gang;
    result.entry = options.sweeps ? makeEntry(*gang, options) : gang;
    result.gang_lanes = layout.lanes;
    result.warp_level = width.whole_warps && layout.lanes == warp_lanes;
    result.frame_bytes = waits.frame_bytes;
    result.record_bytes = waits.record_bytes;
    result.stack_bytes += frame_overhead + frameBytes(*gang);
    result.stack_bytes += spilled_per_instruction * gang->getInstructionCount();
    result.calls_lanes = true;
    report.layout = layout;
  }

  const Image &image_;
  Module &module_;
  const DeviceLayout &layout_;
  const Variant &variant_;
  std::vector<KernelReport> *reports_;
  SharedArrays arrays_;
  std::vector<CompiledKernel> kernels_;
  Function *current_ = nullptr;
  bool native_gather_ = false, few_misses_ = false, foreseen_steps_ = false;
  VectorRegisters registers_;
};

} // namespace

void compileForSimd(const Image &image, const simd::Variant &variant, std::string_view part,
                    const std::filesystem::path &output, std::vector<KernelReport> *reports) {
  LLVMContext context;
  DeviceCode code = readDeviceCode(image, context, part);
  CodeGenerator generator(false);
  SimdCompiler(image, code, variant, reports).run(generator, part);
  if (!output.empty())
    generator.writeSharedObject(*code.module, output);
}

} // namespace heddle::engine
