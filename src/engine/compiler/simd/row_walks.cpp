// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/row_walks.h"

#include "engine/compiler/simd/bounds.h"
#include "engine/compiler/simd/canonicalize.h"
#include "engine/compiler/simd/markers.h"
#include "engine/compiler/simd/shapes.h"
#include "module/function_evolution.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned line_bytes = 64;
constexpr size_t largest_loop = 40; // instructions

// The size of what lanes load at places of their own, each round one element on; else nothing.
uint64_t walkedBytes(Instruction &instruction, const Loop &loop, const Shapes &shapes,
                     FunctionEvolution &known) {
  auto *load = dyn_cast<LoadInst>(&instruction);
  const DataLayout &data = instruction.getModule()->getDataLayout();
  if (!load || !load->isSimple() || growsAsARule(*load->getPointerOperand(), shapes))
    return 0;
  const auto *place = dyn_cast<SCEVAddRecExpr>(known.evolution.getSCEV(load->getPointerOperand()));
  const auto *step = place && place->getLoop() == &loop
                         ? dyn_cast<SCEVConstant>(place->getStepRecurrence(known.evolution))
                         : nullptr;
  const uint64_t bytes = data.getTypeStoreSize(load->getType());
  return step && (bytes == 4 || bytes == 8) && step->getAPInt() == bytes ? bytes : 0;
}

// How many rounds are to be one; 0 if none.
unsigned roundsOf(const Loop &loop, const LaneLayout &layout, const Shapes &shapes,
                  FunctionEvolution &known) {
  const BasicBlock *latch = loop.getLoopLatch();
  if (!loop.isInnermost() || !latch || loop.getExitingBlock() != latch ||
      shapes.divergesAt(latch) || (hasUnrollTransformation(&loop) & TM_Disable) != 0 ||
      known.evolution.getSmallConstantTripCount(&loop) != 0)
    return 0;
  uint64_t bytes = 0;
  size_t size = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if ((call && call->isConvergent()) || ++size > largest_loop) // threads meet
        return 0;
      bytes = std::max(bytes, walkedBytes(instruction, loop, shapes, known));
    }
  const unsigned rounds = bytes ? unsigned(line_bytes / bytes) : 0;
  return rounds <= layout.lanes ? rounds : 0;
}

bool unrollOne(Function &function, const LaneLayout &layout) {
  const ShapedCode code(function, layout);
  if (code.loops.empty())
    return false;
  FunctionEvolution known(function);
  const TargetTransformInfo target(function.getParent()->getDataLayout());
  for (Loop *loop : known.loops.getLoopsInPreorder()) {
    const unsigned rounds = roundsOf(*loop, layout, code.shapes, known);
    if (rounds == 0)
      continue;
    UnrollLoopOptions options{};
    options.Count = rounds;
    options.Runtime = options.AllowExpensiveTripCount = true;
    Loop *rest = nullptr;
    addStringMetadataToLoop(loop, "llvm.loop.unroll.disable"); // it is done now
    if (UnrollLoop(loop, options, &known.loops, &known.evolution, &known.dominators,
                   &known.assumptions, &target, nullptr, /*PreserveLCSSA=*/true,
                   &rest) == LoopUnrollResult::Unmodified)
      continue;
    if (rest)
      addStringMetadataToLoop(rest, "llvm.loop.unroll.disable");
    return true;
  }
  return false;
}

} // namespace

void unrollRowWalks(Function &function, const LaneLayout &layout) {
  constexpr unsigned most_loops = 4;
  if (layout.lanes == 1)
    return;
  for (unsigned done = 0; done < most_loops && unrollOne(function, layout); ++done)
    canonicalizeLoops(function);
}

} // namespace heddle::engine::simd
