// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch_analysis/fusible_blocks.h"

#include "engine/launch_analysis/special_registers.h"
#include "module/description/describe.h"
#include "module/function_evolution.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

// `out[x * height + y]`: neighbouring threads access distant addresses, for which many rows are
// better than long ones.
bool isInColumns(const Value &place) {
  return any_of(place.users(), [](const User *user) {
    if (isa<SExtInst, ZExtInst>(user))
      return isInColumns(*user);
    return match(user, m_Mul(m_Value(), m_Value())) || match(user, m_Shl(m_Value(), m_Value()));
  });
}

bool usesSharedMemory(const Function &kernel) {
  return any_of(reachableFrom(kernel).variables, [](const GlobalVariable *variable) {
    return variable->getAddressSpace() == address_space::Shared;
  });
}

bool hasLongLoops(Function &kernel) {
  FunctionEvolution function(kernel);
  return any_of(function.loops.getLoopsInPreorder(), [&](Loop *loop) {
    return function.evolution.getSmallConstantTripCount(loop) == 0;
  });
}

} // namespace

uint32_t fusibleBlockDim(Function &kernel, char axis) {
  if (any_of(instructions(kernel), tiesThreads) || usesSharedMemory(kernel))
    return 0;
  uint32_t result = 0;
  for (const Instruction &instruction : instructions(kernel)) {
    if (isRegister(instruction, "nctaid", axis))
      return 0;
    const bool of_product =
        isRegister(instruction, "ctaid", axis) || isRegister(instruction, "ntid", axis);
    if (!of_product && !isRegister(instruction, "tid", axis))
      continue;
    for (const User *user : instruction.users()) {
      SmallVector<const User *> places(1, user);
      if (of_product)
        places.assign(user->user_begin(), user->user_end());
      if (of_product && !blockDimIn(*user, axis))
        return 0;
      for (const User *place : places) {
        const auto block_dim = blockDimOfPlace(*place, axis);
        if (!block_dim || (result && result != *block_dim) || isInColumns(*place))
          return 0;
        result = *block_dim;
      }
    }
  }
  return result && !hasLongLoops(kernel) ? result : 0;
}

uint32_t fusedRow(const Function &kernel) {
  constexpr uint32_t warp = 32, row_bytes = 128;
  const DataLayout &data = kernel.getParent()->getDataLayout();
  uint64_t widest = 0;
  for (const Instruction &instruction : instructions(kernel)) {
    if (!instruction.mayReadOrWriteMemory())
      continue;
    Type *type = nullptr;
    if (const auto *load = dyn_cast<LoadInst>(&instruction))
      type = load->getType();
    else if (const auto *store = dyn_cast<StoreInst>(&instruction))
      type = store->getValueOperand()->getType();
    else
      return warp;
    widest = std::max<uint64_t>(widest, data.getTypeStoreSize(type));
  }
  return widest ? std::max(warp, uint32_t(row_bytes / bit_ceil(widest))) : warp;
}

} // namespace heddle::engine::simd
