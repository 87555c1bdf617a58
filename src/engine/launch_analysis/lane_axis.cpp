// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch_analysis/lane_axis.h"

#include "engine/launch_analysis/fusible_blocks.h"
#include "engine/launch_analysis/special_registers.h"
#include "module/function_evolution.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <cmath>
#include <optional>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr const char *indices[] = {"tid.x", "tid.y", "tid.z"};

// __syncthreads() is for all threads of a block, in whatever order they are numbered.
bool isBlockBarrier(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == "llvm.nvvm.barrier0";
}

// How a value grows with one of the thread's indices.
class Growth {
public:
  Growth(Function &kernel, FunctionEvolution &function, StringRef index)
      : function_(function), index_(index) {
    // What is computed from the index. Values chosen by branches count as the same for all.
    SmallVector<const Value *> found;
    for (const Instruction &instruction : instructions(kernel))
      if (registerOf(instruction) == index)
        found.push_back(&instruction);
    while (!found.empty())
      if (const Value *value = found.pop_back_val(); varying_.insert(value).second)
        found.append(value->user_begin(), value->user_end());
  }

  /// By how much from a thread to its neighbour; nothing if by an unknown or varying amount.
  std::optional<int64_t> of(const SCEV *expression) {
    if (const auto found = known_.find(expression); found != known_.end())
      return found->second;
    const std::optional<int64_t> result = compute(expression);
    known_[expression] = result;
    return result;
  }
  std::optional<int64_t> of(Value &value) { return of(function_.evolution.getSCEV(&value)); }

  bool varies(const Value &value) const { return varying_.contains(&value); }

private:
  std::optional<int64_t> compute(const SCEV *expression) {
    if (const auto *unknown = dyn_cast<SCEVUnknown>(expression)) {
      if (registerOf(*unknown->getValue()) == index_)
        return 1;
      return varies(*unknown->getValue()) ? std::nullopt : std::optional<int64_t>(0);
    }
    if (const auto *cast = dyn_cast<SCEVCastExpr>(expression))
      return of(cast->getOperand()); // indices seldom wrap
    if (const auto *sum = dyn_cast<SCEVAddExpr>(expression)) {
      int64_t total = 0;
      for (const SCEV *term : sum->operands()) {
        const auto part = of(term);
        if (!part)
          return std::nullopt;
        total += *part;
      }
      return total;
    }
    if (const auto *product = dyn_cast<SCEVMulExpr>(expression))
      return ofProduct(*product);
    if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(expression);
        recurrence && isSame(recurrence->operands().drop_front()))
      return of(recurrence->getStart());
    return isSame(expression->operands()) ? std::optional<int64_t>(0) : std::nullopt;
  }

  std::optional<int64_t> ofProduct(const SCEVMulExpr &product) {
    if (isSame(product.operands()))
      return 0;
    const auto *factor = dyn_cast<SCEVConstant>(product.getOperand(0)); // constants come first
    if (!factor || product.getNumOperands() != 2 || factor->getAPInt().getSignificantBits() > 32)
      return std::nullopt;
    const auto growth = of(product.getOperand(1));
    return growth ? std::optional(*growth * factor->getAPInt().getSExtValue()) : std::nullopt;
  }

  bool isSame(ArrayRef<const SCEV *> expressions) {
    return all_of(expressions, [&](const SCEV *each) { return of(each) == 0; });
  }

  FunctionEvolution &function_;
  StringRef index_;
  DenseMap<const SCEV *, std::optional<int64_t>> known_;
  DenseSet<const Value *> varying_;
};

// Roughly how often a thread executes the block, and lanes along this axis wait for others.
double weightOf(const BasicBlock &block, const LoopInfo &loops, Growth &growth) {
  constexpr double iterations = 8, waiting_lanes = 1.4;
  double weight = 1;
  for (const Loop *loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
    weight *= iterations;
    SmallVector<BasicBlock *> exiting;
    loop->getExitingBlocks(exiting);
    if (any_of(exiting, [&](const BasicBlock *exit) {
          const auto *branch = dyn_cast<BranchInst>(exit->getTerminator());
          return branch && branch->isConditional() && growth.varies(*branch->getCondition());
        }))
      weight *= waiting_lanes;
  }
  return weight;
}

void count(Instruction &access, double weight, Growth &growth, AxisAccesses &result) {
  constexpr int64_t largest_step = 8; // in elements, for accesses by whole vectors
  const DataLayout &data = access.getModule()->getDataLayout();
  const auto bytes = int64_t(data.getTypeStoreSize(getLoadStoreType(&access)));
  const auto step = growth.of(*getLoadStorePointerOperand(&access));
  if (step == 0)
    result.uniform += weight;
  else if (step && std::abs(*step) <= largest_step * bytes)
    result.contiguous += weight;
  else
    result.scattered += weight;
}

} // namespace

std::vector<AxisAccesses> accessesByAxis(Function &kernel) {
  bool differs = false;
  for (const Instruction &instruction : instructions(kernel)) {
    if (tiesThreads(instruction) && !isBlockBarrier(instruction))
      return {};
    const StringRef name = registerOf(instruction);
    differs |= name == indices[1] || name == indices[2];
  }
  if (!differs)
    return {};
  FunctionEvolution function(kernel);
  std::vector<AxisAccesses> result;
  for (const char *index : indices) {
    Growth growth(kernel, function, index);
    AxisAccesses &accesses = result.emplace_back();
    for (BasicBlock &block : kernel) {
      const double weight = weightOf(block, function.loops, growth);
      for (Instruction &instruction : block)
        if (getLoadStorePointerOperand(&instruction))
          count(instruction, weight, growth, accesses);
    }
  }
  result[1].fusible_block_dim = fusibleBlockDim(kernel, 'y'); // of z, no more than 64 are known
  return result;
}

} // namespace heddle::engine::simd
