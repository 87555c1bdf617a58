// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/optimize/unroll_for_coalescing.h"

#include "engine/compiler/simd/analysis/access/linear_form.h"
#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/index_widening.h"
#include "module/function_evolution.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr size_t largest_loop = 40; // instructions

// Extends the operands of 32-bit sums such as `a[row + i]`, so that they are seen to grow with i.
void extendSums(const Loop &loop, const Shapes &shapes) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : make_early_inc_range(*block)) {
      auto *extension = dyn_cast<CastInst>(&instruction);
      if (!isa<SExtInst, ZExtInst>(instruction) || isUsuallyAffine(instruction, shapes))
        continue;
      const bool is_signed = isa<SExtInst>(instruction) || instruction.hasNonNeg();
      auto *sum = dyn_cast<BinaryOperator>(extension->getOperand(0));
      if (!sum || sum->getOpcode() != Instruction::Add || !cannotWrap(*sum, is_signed) ||
          loop.isLoopInvariant(sum->getOperand(0)) == loop.isLoopInvariant(sum->getOperand(1)))
        continue;
      IRBuilder<> b(extension);
      Value *parts[2];
      for (unsigned i = 0; i < 2; ++i)
        parts[i] = is_signed ? b.CreateSExt(sum->getOperand(i), extension->getType())
                             : b.CreateZExt(sum->getOperand(i), extension->getType());
      extension->replaceAllUsesWith(b.CreateAdd(parts[0], parts[1]));
      extension->eraseFromParent();
    }
}

// Element size of a varying load whose address advances by one element per iteration; else 0.
uint64_t walkedBytes(Instruction &instruction, const Loop &loop, const Shapes &shapes,
                     FunctionEvolution &known) {
  auto *load = dyn_cast<LoadInst>(&instruction);
  const DataLayout &data = instruction.getModule()->getDataLayout();
  if (!load || !load->isSimple() || isUsuallyAffine(*load->getPointerOperand(), shapes))
    return 0;
  const auto *place = dyn_cast<SCEVAddRecExpr>(known.evolution.getSCEV(load->getPointerOperand()));
  const auto *step = place && place->getLoop() == &loop
                         ? dyn_cast<SCEVConstant>(place->getStepRecurrence(known.evolution))
                         : nullptr;
  const uint64_t bytes = data.getTypeStoreSize(load->getType());
  return step && (bytes == 4 || bytes == 8) && step->getAPInt() == bytes ? bytes : 0;
}

// The unroll factor; 0: do not unroll.
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
      if ((call && call->isConvergent()) || ++size > largest_loop) // threads synchronise
        return 0;
      bytes = std::max(bytes, walkedBytes(instruction, loop, shapes, known));
    }
  const unsigned rounds = bytes ? unsigned(line_bytes / bytes) : 0;
  return rounds <= layout.lanes ? rounds : 0;
}

bool unrollOne(Function &function, const LaneLayout &layout) {
  const ShapedCode code(function, layout);
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
    addStringMetadataToLoop(loop, "llvm.loop.unroll.disable"); // it is unrolled already
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

void unrollForCoalescing(Function &function, const LaneLayout &layout) {
  constexpr unsigned most_loops = 4;
  if (layout.lanes == 1)
    return;
  const ShapedCode code(function, layout);
  if (code.loops.empty())
    return;
  for (const Loop *loop : code.loops.getLoopsInPreorder())
    if (loop->isInnermost())
      extendSums(*loop, code.shapes);
  for (unsigned done = 0; done < most_loops && unrollOne(function, layout); ++done)
    canonicalizeLoops(function);
}

} // namespace heddle::engine::simd
