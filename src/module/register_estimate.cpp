// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/register_estimate.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <map>
#include <vector>

using namespace llvm;

namespace heddle {
namespace {

using ValueSet = DenseSet<const Value *>;

// What the hardware and the calling convention take beside the program's own values.
constexpr uint32_t base_registers = 6, smallest = 10, largest = 255;

bool needsRegister(const Value *value) {
  return (isa<Instruction>(value) || isa<Argument>(value)) && !isa<AllocaInst>(value) &&
         !value->getType()->isVoidTy();
}

uint32_t registersOf(const Value *value, const DataLayout &data) {
  if (value->getType()->isIntegerTy(1))
    return 0; // predicates have registers of their own
  return uint32_t((data.getTypeAllocSize(value->getType()).getKnownMinValue() + 3) / 4);
}

// Addresses that differ by a constant share a register: what accesses memory adds the constant (PTX
// ISA, "Addresses as Operands"). The first one of them stands for all.
class Addresses {
public:
  Addresses(const Function &function, const DataLayout &data) : data_(data) {
    for (const BasicBlock *block : ReversePostOrderTraversal<const Function *>(&function))
      for (const Instruction &instruction : *block)
        if (const auto *address = dyn_cast<GetElementPtrInst>(&instruction))
          share(*address);
  }

  const Value *standIn(const Value *value) const {
    const Value *first = first_.lookup(value);
    return first ? first : value;
  }

private:
  using Parts = std::vector<std::pair<const Value *, int64_t>>;

  void share(const GetElementPtrInst &address) {
    const Value *base = &address;
    Parts parts;
    while (const auto *step = dyn_cast<GEPOperator>(base)) {
      MapVector<Value *, APInt> variable;
      APInt constant(data_.getIndexTypeSizeInBits(step->getType()), 0);
      if (!step->collectOffset(data_, constant.getBitWidth(), variable, constant))
        break;
      for (const auto &[index, scale] : variable)
        parts.emplace_back(index, scale.getSExtValue());
      base = step->getPointerOperand();
    }
    llvm::sort(parts);
    // A base alone is in a register anyway, or is a variable's address, which is a constant.
    first_[&address] =
        parts.empty() ? base : by_parts_.try_emplace({base, parts}, &address).first->second;
  }

  const DataLayout &data_;
  std::map<std::pair<const Value *, Parts>, const Value *> by_parts_;
  DenseMap<const Value *, const Value *> first_;
};

class Liveness {
public:
  explicit Liveness(const Function &function)
      : data_(function.getParent()->getDataLayout()), addresses_(function, data_) {
    const auto order = post_order(&function.getEntryBlock());
    for (bool changed = true; changed;) {
      changed = false;
      for (const BasicBlock *block : order)
        changed |= visit(*block);
    }
  }
  uint32_t most() const { return most_; }

private:
  uint32_t size(const ValueSet &live) const {
    uint32_t sum = 0;
    for (const Value *value : live)
      sum += registersOf(value, data_);
    return sum;
  }

  // Walks the block backwards from what its successors need. True if its own needs have grown.
  bool visit(const BasicBlock &block) {
    ValueSet live;
    for (const BasicBlock *next : successors(&block)) {
      live.insert(live_in_[next].begin(), live_in_[next].end());
      for (const PHINode &phi : next->phis())
        if (const Value *incoming = addresses_.standIn(phi.getIncomingValueForBlock(&block));
            needsRegister(incoming))
          live.insert(incoming);
    }
    uint32_t count = size(live);
    most_ = std::max(most_, count);
    for (const Instruction &instruction : reverse(block)) {
      if (live.erase(&instruction))
        count -= registersOf(&instruction, data_);
      if (isa<PHINode>(instruction) || addresses_.standIn(&instruction) != &instruction)
        continue;
      for (const Use &use : instruction.operands())
        if (const Value *operand = addresses_.standIn(use);
            needsRegister(operand) && live.insert(operand).second)
          count += registersOf(operand, data_);
      most_ = std::max(most_, count);
    }
    ValueSet &known = live_in_[&block];
    const bool grown = live.size() > known.size();
    known = std::move(live);
    return grown;
  }

  const DataLayout &data_;
  const Addresses addresses_;
  DenseMap<const BasicBlock *, ValueSet> live_in_;
  uint32_t most_ = 0;
};

} // namespace

uint32_t estimateRegisters(const Function &function) {
  if (function.isDeclaration())
    return 0;
  const uint32_t values = Liveness(function).most() + base_registers;
  return std::clamp((values + 1) / 2 * 2, smallest, largest);
}

} // namespace heddle
