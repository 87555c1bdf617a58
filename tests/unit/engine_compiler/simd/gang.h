// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the code of one thread for a gang, by the rules that the passes share (gang_intrinsics.h).
//
// How code looks after a pass says little about whether it is right. So tests let a gang execute it
// and look at what happens: each call of a function that is only declared goes into a trace, with
// the lanes that execute it, lane 0 first.
//
//     A:1100 B:0011 C:all        lanes 0 and 1 call A, then 2 and 3 call B, then all call C
//     out(7):1000 out(1,2):0110  with the argument, once if it is the same for all
//
// "all" is a block without masks. What the rules forbid ends the run with an exception: lanes that
// part at a branch, a block that no lane executes, a branch on poison, a use of what was not
// computed.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <string>
#include <vector>

namespace heddle::engine::simd {

class Gang {
public:
  /// The threads first, first + 1, … of a block along x; with one lane, a thread by itself.
  explicit Gang(unsigned lanes, unsigned first = 0);

  /// Runs the lanes of `active` to their end. Lanes that wait go on in the order in which they
  /// began to wait; the trace says "barrier", "collective", "yield" or "grid". Integer arguments
  /// are given; pointers lead to memory of their own. Returns the trace.
  std::string run(llvm::Function &function, std::vector<uint64_t> integers = {},
                  uint32_t active = ~0u);

  /// What one lane did, without the others: "A C out(1)".
  const std::string &lane(unsigned lane) const { return lane_traces_[lane]; }

private:
  using Values = std::vector<llvm::Constant *>; // one a lane
  struct Group {
    uint32_t lanes, state;
  };

  void enter(uint32_t lanes, uint32_t state);
  llvm::BasicBlock *execute(llvm::BasicBlock &block, llvm::BasicBlock *from);
  llvm::BasicBlock *successor(const llvm::Instruction &terminator);
  void call(llvm::CallBase &call);
  Values marker(llvm::CallBase &call, llvm::StringRef name);
  bool isTogether(const llvm::Value &named, unsigned lane);
  llvm::Constant *compute(llvm::Instruction &instruction, unsigned lane);
  void record(const std::string &name, llvm::ArrayRef<const llvm::Value *> arguments);

  llvm::Constant *operand(const llvm::Value *value, unsigned lane);
  uint64_t number(llvm::Constant *constant) const;
  uint64_t number(const llvm::Value *value, unsigned lane) { return number(operand(value, lane)); }
  llvm::Constant *integer(llvm::Type *type, uint64_t value) const;
  uint8_t *memoryAt(uint64_t address, uint64_t size);
  bool executes(unsigned lane) const { return mask_ >> lane & 1; }
  unsigned firstLane() const;

  unsigned lanes_, first_;
  llvm::Function *function_ = nullptr;
  std::vector<uint64_t> arguments_;
  llvm::DenseMap<const llvm::Value *, Values> values_;
  std::vector<uint8_t> memory_;
  std::vector<Group> groups_;
  uint32_t active_ = 0, mask_ = 0, state_ = 0, resumed_ = 0;
  bool masked_ = false;
  unsigned steps_ = 0;
  std::string trace_;
  std::vector<std::string> lane_traces_;
};

} // namespace heddle::engine::simd
