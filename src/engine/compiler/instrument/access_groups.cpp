// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/access_groups.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <map>

using namespace llvm;

namespace heddle::engine {
namespace {

struct Member {
  Instruction *instruction;
  uint64_t bytes;
  Align align;
};

// Those that may move to each other: of one kind, computed from one pointer, by their offsets.
using Run = MapVector<Value *, std::map<int64_t, Member>>;

class Finder {
public:
  explicit Finder(BasicBlock &block) : data_(block.getModule()->getDataLayout()) {
    for (Instruction &instruction : block)
      visit(instruction);
    close(loads_);
    close(stores_);
  }
  AccessGroups result;

private:
  void visit(Instruction &instruction) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (load && load->isSimple()) {
      close(stores_);
      add(loads_, instruction, load->getPointerOperand(), load->getType(), load->getAlign());
    } else if (store && store->isSimple()) {
      close(loads_);
      add(stores_, instruction, store->getPointerOperand(), store->getValueOperand()->getType(),
          store->getAlign());
    } else if (instruction.mayReadOrWriteMemory() && !instruction.isDebugOrPseudoInst()) {
      if (instruction.mayWriteToMemory())
        close(loads_);
      close(stores_);
    }
  }

  void add(Run &run, Instruction &instruction, Value *pointer, Type *type, Align align) {
    const uint64_t bytes = data_.getTypeStoreSize(type).getFixedValue();
    if (type->isVectorTy() || type->isAggregateType() || bytes > 8)
      return;
    APInt offset(data_.getIndexTypeSizeInBits(pointer->getType()), 0);
    Value *base = pointer->stripAndAccumulateConstantOffsets(data_, offset, true);
    run[base].try_emplace(offset.getSExtValue(), Member{&instruction, bytes, align});
  }

  void close(Run &run) {
    for (auto &[base, members] : run)
      for (auto first = members.begin(); first != members.end();)
        first = group(base, members, first);
    run.clear();
  }

  // Returns what comes behind the largest group that begins here.
  std::map<int64_t, Member>::iterator group(Value *base, std::map<int64_t, Member> &members,
                                            std::map<int64_t, Member>::iterator first) {
    constexpr uint64_t wide = 16, narrow = 8;
    for (const uint64_t bytes : {wide, narrow}) {
      if (first->second.align.value() < bytes)
        continue;
      int64_t end = first->first;
      auto last = first;
      while (last != members.end() && last->first == end && end - first->first < int64_t(bytes)) {
        end += int64_t(last->second.bytes);
        ++last;
      }
      if (end - first->first != int64_t(bytes) || std::next(first) == last)
        continue;
      Instruction *earliest = first->second.instruction;
      for (auto member = first; member != last; ++member) {
        result.members.insert(member->second.instruction);
        if (member->second.instruction->comesBefore(earliest))
          earliest = member->second.instruction;
      }
      result.groups.push_back({earliest, base, first->first, bytes});
      return last;
    }
    return std::next(first);
  }

  const DataLayout &data_;
  Run loads_, stores_;
};

} // namespace

AccessGroups findAccessGroups(BasicBlock &block) { return std::move(Finder(block).result); }

} // namespace heddle::engine
