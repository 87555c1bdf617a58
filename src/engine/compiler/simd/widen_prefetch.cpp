// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the caches for what the next block will load.
//
// A block's first loads come together, then it computes for a while, at barriers above all: so the
// memory has nothing to do then, and the CPU looks ahead no farther than to the next barrier. A
// worker runs blocks in ascending order, so the address for blockIdx.x + 1 is a good guess. Loads
// in loops are left to the hardware.
#include "engine/compiler/simd/markers.h"
#include "engine/compiler/simd/widener.h"

#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned most_copied = 24; // instructions of an address
constexpr unsigned line_bytes = 64;
constexpr unsigned shared_space = 3;

// Copies scalar code as it would be in the next block along x. It only has to be right as a rule.
class NextBlock {
public:
  explicit NextBlock(IRBuilder<> &builder) : b_(builder) {}

  // Null if that is too much code, the value itself if it is the same there.
  Value *at(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
      return value;
    if (const auto found = done_.find(value); found != done_.end())
      return found->second;
    return done_[value] = copy(*instruction);
  }

private:
  Value *copy(Instruction &instruction) {
    if (calledName(instruction) == "llvm.nvvm.read.ptx.sreg.ctaid.x")
      return b_.CreateAdd(&instruction, ConstantInt::get(instruction.getType(), 1));
    if (isa<PHINode>(instruction) || instruction.mayReadFromMemory())
      return &instruction;
    if (++copied_ > most_copied)
      return nullptr;
    SmallVector<Value *> operands;
    bool same = true;
    for (Value *operand : instruction.operands()) {
      Value *there = at(operand);
      if (!there)
        return nullptr;
      same &= there == operand;
      operands.push_back(there);
    }
    if (same)
      return &instruction;
    if (instruction.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&instruction))
      return nullptr;
    Instruction *result = instruction.clone();
    for (unsigned i = 0; i < operands.size(); ++i)
      result->setOperand(i, operands[i]);
    result->dropPoisonGeneratingFlags();
    return b_.Insert(result);
  }

  IRBuilder<> &b_;
  DenseMap<Value *, Value *> done_;
  unsigned copied_ = 0;
};

} // namespace

// To all levels of cache, for reading.
void Widener::prefetchNextBlock(const LoadInst &old, const Rows &pointers) {
  if (code_.loops.getLoopFor(old.getParent()) || old.getPointerAddressSpace() == shared_space)
    return;
  NextBlock next(b_);
  for (Value *pointer : pointers) {
    Value *there = next.at(pointer);
    if (!there || there == pointer)
      return;
    const unsigned bytes = unsigned(sizeOf(old.getType())) * rowLength();
    for (unsigned at = 0; at < bytes; at += line_bytes)
      b_.CreateIntrinsic(Intrinsic::prefetch, {there->getType()},
                         {b_.CreateConstGEP1_64(b_.getInt8Ty(), there, at), b_.getInt32(0),
                          b_.getInt32(3), b_.getInt32(1)});
  }
}

} // namespace heddle::engine::simd
