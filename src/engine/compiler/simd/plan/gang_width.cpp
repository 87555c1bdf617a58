// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/plan/gang_width.h"

#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/lowering/warp_step.h"
#include "engine/compiler/simd/analysis/access/access_distance.h"
#include "engine/compiler/simd/analysis/access/interleaved_groups.h"
#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/grid_stride_loops.h"
#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/analysis/suspend_points.h"
#include "engine/compiler/simd/analysis/warp_uniformity.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/plan/cost.h"
#include "engine/compiler/simd/plan/register_pressure.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

// AVX-512's register size; it also has mask registers.
constexpr unsigned wide_register = 64;

// Instructions of a kernel that spills in gangs of any width: narrow ones halve its code, and the
// time that LLVM takes for it grows faster than the code.
constexpr unsigned large_kernel = 3000;

constexpr double waiting_lanes = 1.4; // factor where lanes leave a loop in different iterations
constexpr double clear_advantage = 1.2;

bool hasWarpOperations(const Function &function) {
  return any_of(instructions(function),
                [](const Instruction &instruction) { return observesWarp(instruction); });
}

// Whether values carried by a loop without barriers exceed the registers.
bool spillsInLoops(const ShapedCode &code, const LaneLayout &layout, uint64_t all) {
  return any_of(code.loops.getLoopsInPreorder(), [&](const Loop *loop) {
    return !hasBarriers(*loop) && keptBytes(*loop, code, layout) >= all;
  });
}

// ---- What restricts gangs to a warp ----

// Whether the instruction reads the lane or warp number.
bool readsPlaceInWarp(const Instruction &instruction) {
  const StringRef name = calledName(instruction);
  return name.ends_with(".sreg.laneid") || name.ends_with(".sreg.warpid");
}

// ---- Whether more lanes pay ----

// So few lanes may access memory lane by lane: in narrower gangs there would be as many accesses.
constexpr unsigned few_lanes = 8;

// A CPU starts two vector operations per cycle, with a latency of four cycles.
constexpr unsigned operations_in_flight = 8;
constexpr unsigned vectors_of_a_warp = 2;

// Whether dependence chains leave the CPU idle, if values take `registers_each` registers in a
// gang.
bool isSerial(const BasicBlock &block, const ShapedCode &code, unsigned registers_each) {
  DenseMap<const Value *, unsigned> depths;
  unsigned operations = 0, longest = 0;
  for (const Instruction &instruction : block) {
    if (code.shapes.of(&instruction).hasRowBases() ||
        !isa<BinaryOperator, UnaryOperator, IntrinsicInst>(instruction))
      continue;
    unsigned depth = 0;
    for (const Value *operand : instruction.operands())
      depth = std::max(depth, depths.lookup(operand));
    depths[&instruction] = depth + 1;
    longest = std::max(longest, depth + 1);
    ++operations;
  }
  const Loop *loop = code.loops.getLoopFor(&block);
  const bool many = loop && loop->getHeader() == &block;
  return operations >= (many ? 1 : operations_in_flight) &&
         operations * registers_each < longest * operations_in_flight;
}

// Whether all elements that are accessed as vectors are so small that `lanes` of them take no more
// registers than a warp's floats. A warp's bytes fill half an AVX-512 register and take as many
// instructions as a full one. CPUs with smaller registers have no byte masks and access the borders
// of an image lane by lane.
bool hasSmallElements(Function &function, const ShapedCode &code, unsigned lanes,
                      unsigned register_bytes) {
  const DataLayout &data = function.getParent()->getDataLayout();
  uint64_t widest = 0;
  for (Instruction &instruction : instructions(function)) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (pointer && !code.shapes.of(pointer).isUniform())
      widest = std::max<uint64_t>(widest, data.getTypeStoreSize(getLoadStoreType(&instruction)));
  }
  return register_bytes >= wide_register && widest &&
         lanes * widest <= vectors_of_a_warp * register_bytes;
}

// Whether the branch's mask is cheap: outside of loops, a bounds check that one scalar comparison
// decides for a whole gang; or, in a gang that is a block of one row, a mask known at compile time.
bool partsAtKnownLane(const BasicBlock &block, const ShapedCode &code, const LaneLayout &layout,
                      bool columns) {
  const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch)
    return false;
  const Value &condition = *branch->getCondition();
  return (layout.whole && partsKnownLanes(condition, layout)) ||
         ((layout.isWholeRow() || columns) && !code.loops.getLoopFor(&block) &&
          isBound(condition, code.shapes));
}

// Whether gangs of this width diverge too often. In loops, lanes wait for each other longer, and
// masks of many lanes are expensive unless vectors are few. One bounds check outside of loops is
// common and mostly true for all lanes. Transpositions of tiles check bounds for each part, which
// costs less than gathering columns.
bool partsOften(const Function &function, const ShapedCode &code, const LaneLayout &layout,
                bool small_elements, bool columns) {
  const unsigned most = small_elements ? 16 : 1;
  unsigned parts = 0;
  for (const BasicBlock &block : function)
    if (code.shapes.divergesAt(&block) && !partsAtKnownLane(block, code, layout, columns))
      parts += code.loops.getLoopFor(&block) ? most + 1 : 1;
  return parts > most;
}

// Whether branches in loops diverge only at bounds.
bool partsAtBounds(const Function &function, const ShapedCode &code) {
  return none_of(function, [&](const BasicBlock &block) {
    const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    return code.shapes.divergesAt(&block) && code.loops.getLoopFor(&block) &&
           !(branch && isBound(*branch->getCondition(), code.shapes));
  });
}

// Whether the loop has contiguous loads from global memory.
bool loadsNeighbours(const Loop &loop, const PlannedCode &code) {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      const auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || !load->isSimple() || load->getPointerAddressSpace() == shared_space)
        return false;
      return !code.shapes.of(load->getPointerOperand()).isUniform() && !isLaneByLane(*load, code);
    });
  });
}

// Whether iterations depend on each other: lanes keep a sum, or count in memory.
bool accumulates(const Loop &loop, const ShapedCode &code) {
  return any_of(loop.getHeader()->phis(),
                [&](const PHINode &phi) { return !code.shapes.of(&phi).hasRowBases(); }) ||
         any_of(loop.blocks(), [](const BasicBlock *block) {
           return any_of(*block, [](const Instruction &i) { return isa<AtomicRMWInst>(i); });
         });
}

// A gang finishes such a loop before the next gang starts, and each iteration accesses another
// page. Wider gangs read longer pieces there, which suits the memory and the hardware prefetcher.
// (Loops with independent iterations are expanded at the launch instead:
// launch_analysis/grid_stride.h.)
bool readsFarApart(const Loop &loop, const PlannedCode &code) {
  return loop.isInnermost() && hasGridStride(loop) && loadsNeighbours(loop, code) &&
         accumulates(loop, code);
}

// Whether the final value is independent of the order of the operations.
bool isOrderless(const AtomicRMWInst &atomic) {
  if (!atomic.use_empty() || atomic.isVolatile())
    return false;
  switch (atomic.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return true;
  default:
    return false;
  }
}

// An atomic operation that wide gangs perform in the same order as narrow ones: outside of loops
// all are done in lane order.
bool isAsInSmallGangs(const Instruction &instruction, const ShapedCode &code) {
  const auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
  return atomic && atomic->use_empty() && !atomic->isVolatile() &&
         (isOrderless(*atomic) || !code.loops.getLoopFor(atomic->getParent()));
}

// Whether lanes of a gang combine their updates of one address into one (widen_atomics.cpp): the
// wider the gang, the fewer locked operations.
bool combinesLanes(const Instruction &instruction, const ShapedCode &code) {
  const auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
  return atomic && isOrderless(*atomic) && atomic->getOperation() != AtomicRMWInst::Xor &&
         code.shapes.of(atomic->getPointerOperand()).isUniform();
}

// Whether a strided access is part of a whole-line access: loads of shared memory, and elements
// modified in place (strided_rmw.cpp). Expects a stride that is a power of two.
bool staysInLines(const Instruction &instruction, int64_t step) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  return pointer->getType()->getPointerAddressSpace() == shared_space && step > 0 &&
         step <= int64_t(largest_step_in_place) && isPowerOf2_64(uint64_t(step)) &&
         (isa<LoadInst>(instruction) || any_of(pointer->users(), [&](const User *user) {
            const auto *load = dyn_cast<LoadInst>(user);
            return load && load->getParent() == instruction.getParent();
          }));
}

// Whether a strided access would be masked. In a block of one gang each step of a tree would then
// wait for the masked stores of the previous step, which are not forwarded to loads.
bool isStrided(const Instruction &instruction, const ShapedCode &code) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  if (!pointer)
    return false;
  const Shape address = code.shapes.of(pointer);
  const DataLayout &data = instruction.getModule()->getDataLayout();
  const auto size = int64_t(
      data.getTypeStoreSize(getLoadStoreType(const_cast<Instruction *>(&instruction)))); // NOLINT
  return address.isAffine() && address.stride != size &&
         (address.stride % size != 0 || !staysInLines(instruction, address.stride / size));
}

// Whether few lanes continue after a part that all execute, as in a tree reduction: at most one or
// two stores are executed by more than half of the block. (Other lane sets than the first n need
// masks, and LLVM compiles masks of so many lanes slowly.)
bool endsWithFew(const Function &function, const LaneLayout &layout) {
  constexpr unsigned most_stores = 2;
  unsigned stores = 0;
  for (const BasicBlock &block : function)
    if (const KnownLanes here = lanesThatCome(block, layout);
        !here.are_first || 2 * here.count > layout.lanes)
      stores += unsigned(count_if(block, [](const Instruction &instruction) {
        const auto *store = dyn_cast<StoreInst>(&instruction);
        return store && store->getPointerAddressSpace() == shared_space;
      }));
  return stores <= most_stores;
}

// The code for a whole block must fit the instruction cache, a few thousand instructions, since it
// runs once per block instead of once per warp.
bool isTooMuchCode(const Function &function, const ShapedCode &code, const LaneLayout &layout) {
  constexpr size_t most_lanes = 4096 * 16; // in vectors of 16
  size_t varying = 0;
  for (const BasicBlock &block : function) {
    const size_t lanes = lanesThatCome(block, layout).count;
    for (const Instruction &instruction : block)
      if (!isa<PHINode>(instruction) && !code.shapes.of(&instruction).hasRowBases())
        varying += lanes;
  }
  return varying > most_lanes;
}

// Whether gangs of this layout stay converged, and whether the width pays.
struct Wideness {
  bool together = true; // no suspension of groups, no warp or lane numbers
  bool helps = false;
  bool columns = false; // they access columns
  bool pieces = false;  // they are the block, which reads an array in pieces (access_distance.h)
};

// `warp`: as above. Warp operations cost the same in one wide gang as in several narrow ones, so
// only loops can gain. `waits`: there are barriers, hence no strips.
Wideness widenessOf(Function &function, const PlannedCode &code, const LaneLayout &layout,
                    const PlannedCode *warp, bool waits, unsigned register_bytes) {
  const bool far_apart =
      !layout.hasRows() && any_of(code.loops.getLoopsInPreorder(),
                                  [&](const Loop *loop) { return readsFarApart(*loop, code); });
  const bool in_block_steps =
      layout.isWholeRow() && any_of(code.loops.getLoopsInPreorder(), [&](const Loop *loop) {
        return hasBlockStride(*loop) && loadsNeighbours(*loop, code);
      });
  Wideness result;
  result.columns = hasAccessDownColumns(function, code);
  const bool small = !warp && hasSmallElements(function, code, layout.lanes, register_bytes);
  result.together = far_apart || in_block_steps
                        ? partsAtBounds(function, code)
                        : !partsOften(function, code, layout, small, result.columns);
  result.helps = far_apart || small || result.columns;
  if (!waits) {
    const Places places = accessDistances(function, code);
    result.pieces = in_block_steps || (layout.isWholeRow() && places.pieces);
    result.helps |= result.pieces || (layout.hasRows() && places.rows);
  }
  if (layout.isWholeRow())
    result.together &= !isTooMuchCode(function, code, layout) &&
                       (layout.lanes <= Variant::widest_whole || endsWithFew(function, layout));
  for (const BasicBlock &block : function) {
    result.helps |= !warp && isSerial(block, code, vectors_of_a_warp);
    const bool once = warp && !code.loops.getLoopFor(&block);
    const bool few = lanesThatCome(block, layout).count <= few_lanes;
    for (const Instruction &instruction : block) {
      const bool combines = combinesLanes(instruction, code);
      result.helps |= combines;
      result.together &= !readsPlaceInWarp(instruction) &&
                         !(layout.isWholeRow() && isStrided(instruction, code)) &&
                         (combines || !isLaneByLane(instruction, code) ||
                          ((far_apart || few) && isAsInSmallGangs(instruction, code)) ||
                          (once && !isLaneByLane(instruction, *warp))) &&
                         (!isBlockBarrier(instruction) ||
                          (isPlainBarrier(instruction) && !code.shapes.isDivergent(&block)));
    }
  }
  return result;
}

} // namespace

LaneLayout widerLayout(Function &function, const Variant &variant, const LaneLayout &usual,
                       const TargetProfile &target) {
  const VectorRegisters &registers = target.registers;
  const bool waits = any_of(instructions(function), isBlockBarrier);
  const bool warps = hasWarpOperations(function);
  if (warps && (usual.lanes != warp_lanes || any_of(instructions(function), needsGangOfOneWarp)))
    return usual;
  std::optional<PlannedCode> as_warp;
  if (warps && !warpsStayWhole(function, as_warp.emplace(function, usual, target)))
    return usual;
  const PlannedCode *warp = as_warp ? &*as_warp : nullptr;
  const unsigned widest = variant.blockSize() ? Variant::longest : Variant::widest_whole;
  for (unsigned lanes = widest; lanes > 32; lanes /= 2) {
    const LaneLayout layout = layoutFor(variant, lanes, false);
    const bool never_waits = waits && layout.whole;
    if (layout.lanes != lanes || !layout.full || (lanes > Variant::widest && !layout.whole) ||
        (warps && !partsByWarps(layout)))
      continue;
    const PlannedCode code(function, layout, target);
    const Wideness wideness = widenessOf(function, code, layout, warp, waits, registers.bytes);
    // Without suspend points a gang's values may take all registers. In a block of one row, values
    // would otherwise be saved gang by gang at each barrier, which costs no less than spilling; but
    // values carried by loops without barriers must fit. With small registers narrower gangs gain
    // too little.
    const unsigned all = registers.count * registers.bytes;
    const unsigned most = !never_waits ? all * 3 / 4 : layout.isWholeRow() ? 4096 : all;
    const bool helps =
        lanes > Variant::widest ? wideness.columns || wideness.pieces : wideness.helps;
    if (wideness.together && (helps || never_waits) &&
        !(registers.bytes >= wide_register && spillsInLoops(code, layout, all)) &&
        mostLiveBytes(function, code, layout, warp) <= most)
      return layout;
  }
  return usual;
}

bool wantsRows(Function &function, const GangWidth &width, const TargetProfile &target) {
  const Variant rows = {.tiled = Variant::widest};
  const PlannedCode code(function, layoutFor(rows, Variant::widest, false), target);
  return hasAccessDownColumns(function, code) ||
         (!width.may_wait && accessDistances(function, code).rows);
}

LaneLayout narrowerLayout(Function &function, const Variant &variant, const LaneLayout &usual,
                          const VectorRegisters &registers) {
  const LaneLayout narrow = layoutFor(variant, warp_lanes / 2, false);
  if (usual.lanes != warp_lanes || registers.bytes < wide_register || !narrow.full ||
      hasWarpOperations(function) || narrow.lanes >= usual.lanes)
    return usual;
  const ShapedCode code(function, narrow);
  const bool serial = any_of(function, [&](const BasicBlock &block) {
    return code.loops.getLoopFor(&block) && isSerial(block, code, 1);
  });
  const unsigned all = registers.count * registers.bytes;
  const bool fills = any_of(code.loops.getLoopsInPreorder(), [&](const Loop *loop) {
    return keptBytes(*loop, code, usual) * 4 >= all * 3;
  });
  const bool large = function.getInstructionCount() > large_kernel;
  return fills && !serial && (large || mostLiveBytes(function, code, narrow, nullptr) <= all)
             ? narrow
             : usual;
}

bool shouldScalarize(Function &function, const LaneLayout &layout, const TargetProfile &target) {
  const PlannedCode code(function, layout, target);
  Cost total;
  for (const BasicBlock &block : function) {
    const double weight = code.weightOf(block);
    double waiting = 1;
    for (const Loop *loop = code.loops.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
      SmallVector<BasicBlock *> exiting;
      loop->getExitingBlocks(exiting);
      if (any_of(exiting, [&](BasicBlock *exit) { return code.shapes.divergesAt(exit); }))
        waiting = waiting_lanes;
    }
    for (const Instruction &instruction : block) {
      const Cost cost = costOf(instruction, code);
      total.vector += cost.vector * weight * waiting;
      total.alone += cost.alone * weight;
    }
  }
  return total.vector > clear_advantage * total.alone;
}

GangWidth gangWidth(const Function &function, unsigned register_bytes) {
  GangWidth result;
  bool doubles = false;
  for (const Instruction &instruction : instructions(function)) {
    result.whole_warps |= observesWarp(instruction);
    result.may_wait |= isBlockBarrier(instruction) || isWarpOperation(instruction);
    doubles |=
        instruction.getType()->isDoubleTy() && isa<BinaryOperator, IntrinsicInst>(instruction);
  }
  // A wide register holds as many 64-bit lanes as a small one 32-bit lanes.
  if (doubles && register_bytes < wide_register)
    result.lanes = 16;
  result.spins = hasWaitingLoops(function);
  result.may_wait |= result.spins;
  return result;
}

} // namespace heddle::engine::simd
