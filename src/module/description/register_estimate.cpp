// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/description/register_estimate.h"

#include "module/description/describe.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
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

// The numbers are fitted to the output of ptxas 13.0 for 102 kernels of samples and Rodinia for
// sm_75 on 2026-11-23: 72 % are within 8 registers of it, and so is the mean. Most others have
// loops that ptxas unrolls differently. `base_registers`: those of the hardware and the calling
// convention.
constexpr uint32_t base_registers = 8, smallest = 10, largest = 255;
// Registers of callees, for kernels that call printf, malloc and similar functions, or through
// pointers.
constexpr uint32_t of_callee = 24;
// The number of loads in a block that ptxas issues early, so that they overlap.
constexpr uint32_t most_loaded = 24;

bool callsUnknown(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      return call && !call->isInlineAsm();
    return callee->isDeclaration() && !callee->isIntrinsic() &&
           !callee->getName().starts_with("__heddle");
  });
}

// A kernel's parameters are operands in constant memory (PTX ISA, ".param").
bool needsRegister(const Value *value) {
  if (const auto *argument = dyn_cast<Argument>(value))
    return !isKernel(*argument->getParent());
  return isa<Instruction>(value) && !isa<AllocaInst>(value) && !value->getType()->isVoidTy();
}

// Shared and constant memory need 32-bit addresses, and those of variables are constants.
bool isSmall(unsigned space) { return space >= 3; }

// The address of a variable is a constant, in any form.
bool isVariable(const Value *pointer, bool &small) {
  if (const auto *cast = dyn_cast<AddrSpaceCastOperator>(pointer))
    pointer = cast->getPointerOperand();
  const auto *variable = dyn_cast<GlobalVariable>(pointer);
  small = variable && isSmall(variable->getAddressSpace());
  return variable;
}

// Values that share a register, and the number of 32-bit registers they take. Addresses that differ
// by a constant share one, since accesses add the constant (PTX ISA, "Addresses as Operands"); the
// first represents all. So do an index and its extension for addresses only, which a widening
// multiply-add includes.
class Registers {
public:
  Registers(const Function &function, const DataLayout &data) : data_(data) {
    for (const BasicBlock *block : ReversePostOrderTraversal<const Function *>(&function))
      for (const Instruction &instruction : *block)
        if (const auto *address = dyn_cast<GetElementPtrInst>(&instruction))
          share(*address);
        else if (isIndex(instruction))
          first_[&instruction] = standIn(instruction.getOperand(0));
  }

  const Value *standIn(const Value *value) const {
    const Value *first = first_.lookup(value);
    return first ? first : value;
  }

  uint32_t count(const Value *value) const {
    const Type *type = value->getType();
    if (type->isIntegerTy(1))
      return 0; // predicates have registers of their own
    if (small_.contains(value) || (type->isPointerTy() && isSmall(type->getPointerAddressSpace())))
      return 1;
    return uint32_t((data_.getTypeAllocSize(value->getType()).getKnownMinValue() + 3) / 4);
  }

private:
  using Parts = std::vector<std::pair<const Value *, int64_t>>;

  static bool isIndex(const Instruction &instruction) {
    return isa<SExtInst, ZExtInst>(instruction) && instruction.getType()->isIntegerTy(64) &&
           instruction.getOperand(0)->getType()->isIntegerTy(32) &&
           all_of(instruction.users(),
                  [](const User *user) { return isa<GetElementPtrInst>(user); });
  }

  void share(const GetElementPtrInst &address) {
    const Value *base = &address;
    Parts parts;
    while (const auto *step = dyn_cast<GEPOperator>(base)) {
      MapVector<Value *, APInt> variable;
      APInt constant(data_.getIndexTypeSizeInBits(step->getType()), 0);
      if (!step->collectOffset(data_, constant.getBitWidth(), variable, constant))
        break;
      for (const auto &[index, scale] : variable)
        parts.emplace_back(standIn(index), scale.getSExtValue());
      base = step->getPointerOperand();
    }
    llvm::sort(parts);
    bool small = false;
    if (isVariable(base, small) && small && !parts.empty()) {
      small_.insert(&address);
      base = nullptr; // another array's address with this index differs by a constant
    }
    // Without indices, the base is in a register anyway, or is a variable's address, a constant.
    first_[&address] =
        parts.empty() ? base : by_parts_.try_emplace({base, parts}, &address).first->second;
  }

  const DataLayout &data_;
  std::map<std::pair<const Value *, Parts>, const Value *> by_parts_;
  DenseMap<const Value *, const Value *> first_;
  DenseSet<const Value *> small_;
};

class Liveness {
public:
  explicit Liveness(const Function &function)
      : registers_(function, function.getParent()->getDataLayout()) {
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
      sum += registers_.count(value);
    return sum;
  }

  // Walks the block backwards from its live-outs. Returns true if its live-ins have grown.
  bool visit(const BasicBlock &block) {
    ValueSet live;
    for (const BasicBlock *next : successors(&block)) {
      live.insert(live_in_[next].begin(), live_in_[next].end());
      for (const PHINode &phi : next->phis())
        if (const Value *incoming = registers_.standIn(phi.getIncomingValueForBlock(&block));
            needsRegister(incoming))
          live.insert(incoming);
    }
    uint32_t count = size(live), loaded = 0;
    most_ = std::max(most_, count);
    for (const Instruction &instruction : reverse(block)) {
      if (live.erase(&instruction))
        count -= registers_.count(&instruction);
      if (isa<LoadInst>(instruction) && !instruction.isVolatile() && !instruction.isAtomic())
        loaded += registers_.count(&instruction);
      if (isa<PHINode>(instruction) || registers_.standIn(&instruction) != &instruction)
        continue;
      for (const Use &use : instruction.operands())
        if (const Value *operand = registers_.standIn(use);
            needsRegister(operand) && live.insert(operand).second)
          count += registers_.count(operand);
      most_ = std::max(most_, count);
    }
    most_ = std::max(most_, count + std::min(loaded, most_loaded));
    ValueSet &known = live_in_[&block];
    const bool grown = live.size() > known.size();
    known = std::move(live);
    return grown;
  }

  const Registers registers_;
  DenseMap<const BasicBlock *, ValueSet> live_in_;
  uint32_t most_ = 0;
};

} // namespace

uint32_t estimateRegisters(const Function &function) {
  if (function.isDeclaration())
    return 0;
  const uint32_t values = Liveness(function).most() + base_registers;
  return std::clamp((values + 1) / 2 * 2, callsUnknown(function) ? of_callee : smallest, largest);
}

} // namespace heddle
