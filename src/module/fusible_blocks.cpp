// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/fusible_blocks.h"

#include "module/describe.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/TargetParser/Triple.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {
namespace {

// A special register that is asked for, such as "tid.x"; empty for other calls.
StringRef registerOf(const Value &value) {
  const auto *call = dyn_cast<CallInst>(&value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  StringRef name = callee ? callee->getName() : "";
  return name.consume_front("llvm.nvvm.read.ptx.sreg.") ? name : "";
}

// Of `blockIdx.x * blockDim.x`, or `blockIdx.x * 16`, the factor; nothing if it is anything else.
std::optional<uint32_t> blockDimIn(const Value &product) {
  Value *factor = nullptr;
  const APInt *number = nullptr;
  Value *left = nullptr;
  if (match(&product, m_Shl(m_Value(left), m_APInt(number))) && registerOf(*left) == "ctaid.x")
    return number->ult(10) ? std::optional(1u << number->getZExtValue()) : std::nullopt;
  if (!match(&product, m_Mul(m_Value(left), m_Value(factor))))
    return std::nullopt;
  if (registerOf(*left) != "ctaid.x")
    std::swap(left, factor);
  if (registerOf(*left) != "ctaid.x")
    return std::nullopt;
  if (registerOf(*factor) == "ntid.x")
    return any_block_dim;
  const auto *constant = dyn_cast<ConstantInt>(factor);
  return constant && constant->getValue().ult(1025)
             ? std::optional(uint32_t(constant->getZExtValue()))
             : std::nullopt;
}

// The same of `blockIdx.x * blockDim.x + threadIdx.x`.
std::optional<uint32_t> blockDimOfPlace(const Value &sum) {
  Value *left = nullptr, *right = nullptr;
  if (!match(&sum, m_Add(m_Value(left), m_Value(right))))
    return std::nullopt;
  if (registerOf(*left) == "tid.x")
    std::swap(left, right);
  return registerOf(*right) == "tid.x" ? blockDimIn(*left) : std::nullopt;
}

// Whether threads of different blocks, or of one, would notice who is in which block.
bool tiesThreads(const Instruction &instruction) {
  if (instruction.isVolatile() || instruction.isAtomic() || isa<FenceInst>(instruction))
    return true;
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  if (const StringRef name = registerOf(*call); !name.empty())
    return !name.starts_with("tid.") && !name.starts_with("ntid.") && !name.starts_with("ctaid.") &&
           !name.starts_with("nctaid.");
  return call->isConvergent() || !isa<IntrinsicInst>(call) ||
         (call->mayHaveSideEffects() && !isPlainIntrinsic(*call));
}

// `out[x * height + y]`: neighbours access what lies far apart, which many rows make up for, not
// long ones.
bool isInColumns(const Value &place) {
  return any_of(place.users(), [](const User *user) {
    if (isa<SExtInst, ZExtInst>(user))
      return isInColumns(*user);
    return match(user, m_Mul(m_Value(), m_Value())) || match(user, m_Shl(m_Value(), m_Value()));
  });
}

bool hasLongLoops(Function &kernel) {
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  if (loops.empty())
    return false;
  const TargetLibraryInfoImpl library(Triple(kernel.getParent()->getTargetTriple()));
  TargetLibraryInfo library_info(library);
  AssumptionCache assumptions(kernel);
  ScalarEvolution evolution(kernel, library_info, assumptions, dominators, loops);
  return any_of(loops.getLoopsInPreorder(),
                [&](Loop *loop) { return evolution.getSmallConstantTripCount(loop) == 0; });
}

} // namespace

uint32_t fusibleBlockDim(Function &kernel) {
  const Reachable reachable = reachableFrom(kernel);
  const bool shares = any_of(reachable.variables, [](const GlobalVariable *variable) {
    return variable->getAddressSpace() == address_space::Shared;
  });
  if (shares || any_of(instructions(kernel), tiesThreads))
    return 0;
  uint32_t result = 0;
  for (const Instruction &instruction : instructions(kernel)) {
    const StringRef name = registerOf(instruction);
    if (name == "nctaid.x")
      return 0;
    const bool of_product = name == "ctaid.x" || name == "ntid.x";
    if (!of_product && name != "tid.x")
      continue;
    for (const User *user : instruction.users()) {
      SmallVector<const User *> places(1, user);
      if (of_product)
        places.assign(user->user_begin(), user->user_end());
      if (of_product && !blockDimIn(*user))
        return 0;
      for (const User *place : places) {
        const auto block_dim = blockDimOfPlace(*place);
        if (!block_dim || (result && result != *block_dim) || isInColumns(*place))
          return 0;
        result = *block_dim;
      }
    }
  }
  return result && !hasLongLoops(kernel) ? result : 0;
}

} // namespace heddle
