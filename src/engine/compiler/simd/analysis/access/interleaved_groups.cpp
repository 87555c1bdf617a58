// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/interleaved_groups.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "module/function_evolution.h"

#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// A transposition takes log2(step) shuffles per vector if the step is a power of two, otherwise as
// many as there are members.
constexpr unsigned largest_odd_step = 8;
constexpr unsigned most_open = 16; // groups that may still grow

// Loads or stores that may become a group. Positions are counted in elements from the first member
// found.
struct Draft {
  unsigned step = 0;
  bool scattered = false, closed = false;
  SmallVector<std::pair<int, Instruction *>> members;
  SmallVector<int> stored; // of loads: positions that stores write before the last member

  Instruction &first() const { return *members.front().second; }
  bool stores() const { return isa<StoreInst>(first()); }
  const Value &pointer() const { return *getLoadStorePointerOperand(&first()); }
  int lowest() const { return llvm::min_element(members)->first; }
  int highest() const { return llvm::max_element(members)->first; }
  bool has(int place) const {
    return any_of(members, [&](const auto &member) { return member.first == place; });
  }
};

class Finder {
public:
  Finder(Function &function, const Shapes &shapes, unsigned largest_shared_step, bool scattered)
      : function_(function), shapes_(shapes), data_(function.getParent()->getDataLayout()),
        largest_shared_step_(largest_shared_step), wants_scattered_(scattered) {}

  std::vector<AccessGroup> run() {
    for (BasicBlock &block : function_) {
      under_mask_ = any_of(block, [](const Instruction &i) {
        return calledName(i) == mask_marker && !knownLanesOfCondition(*i.getOperand(0));
      });
      if (!under_mask_ || wants_scattered_)
        search(block);
    }
    return std::move(groups_);
  }

private:
  // Element size of an access that may be a member of a group; else 0.
  uint64_t bitsOf(Instruction &instruction) const {
    if (!isSimpleAccess(instruction))
      return 0;
    Type *type = getLoadStoreType(&instruction);
    const uint64_t bits = data_.getTypeSizeInBits(type).getFixedValue();
    const bool plain = !type->isAggregateType() && !type->isVectorTy();
    return plain && bits >= 8 && bits <= 64 && isPowerOf2_64(bits) ? bits : 0;
  }

  // Whether lanes load from unrelated addresses. (Usually affine ones are tested at run time.)
  bool isScattered(Instruction &instruction) const {
    if (!wants_scattered_ || !isa<LoadInst>(instruction) || bitsOf(instruction) < 32)
      return false;
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    return !isUsuallyAffine(*pointer, shapes_);
  }

  // Distance between neighbouring lanes in elements, if this may be a member of a group; else 0.
  unsigned stepOf(Instruction &instruction) const {
    const uint64_t bits = bitsOf(instruction);
    const auto *load = dyn_cast<LoadInst>(&instruction);
    if (bits == 0 || under_mask_)
      return 0;
    const Shape where = shapes_.of(getLoadStorePointerOperand(&instruction));
    if (!where.hasRowBases() || where.stride % int64_t(bits / 8) != 0)
      return 0;
    const int64_t step = where.stride / int64_t(bits / 8);
    const bool shared = load && load->getPointerAddressSpace() == shared_space;
    const int64_t largest = !isPowerOf2_64(uint64_t(step)) ? largest_odd_step
                            : shared                       ? largest_shared_step_
                                                           : largest_interleaved_step;
    return step >= 2 && step <= largest ? unsigned(step) : 0;
  }

  void search(BasicBlock &block) {
    for (Instruction &instruction : block) {
      const unsigned step = stepOf(instruction);
      const bool hint = isa<AssumeInst>(instruction) || calledName(instruction) == prefetch_marker;
      if (instruction.mayReadOrWriteMemory() && !hint)
        for (Draft &draft : open_)
          disturb(draft, instruction);
      if (step)
        add(instruction, step, false);
      else if (isScattered(instruction))
        add(instruction, largest_interleaved_step, true);
      erase_if(open_, [&](Draft &draft) {
        if (draft.closed)
          finish(draft);
        return draft.closed;
      });
    }
    for (Draft &draft : open_)
      finish(draft);
    open_.clear();
  }

  std::optional<int> placeIn(const Draft &draft, Instruction &access) {
    Type *type = getLoadStoreType(&access), *draft_type = getLoadStoreType(&draft.first());
    Value *pointer = getLoadStorePointerOperand(&access);
    Value *draft_pointer = getLoadStorePointerOperand(&draft.first());
    if (data_.getTypeStoreSize(type) != data_.getTypeStoreSize(draft_type) ||
        pointer->getType() != draft_pointer->getType())
      return std::nullopt;
    if (!distances_)
      distances_.emplace(function_);
    return getPointersDiff(draft_type, draft_pointer, type, pointer, data_, distances_->evolution,
                           /*StrictCheck=*/true, /*CheckType=*/false);
  }

  // Closes groups whose members must not move across the instruction. Accesses of other lanes do
  // not matter: without a barrier, other threads may have made them at any time.
  void disturb(Draft &draft, Instruction &instruction) {
    const bool writes = instruction.mayWriteToMemory();
    if (!writes && !draft.stores())
      return;
    if (!isSimpleAccess(instruction)) {
      draft.closed = true;
      return;
    }
    if (const auto place = placeIn(draft, instruction)) {
      if (!draft.stores())
        draft.stored.push_back(*place);
      else if (draft.has(*place))
        draft.closed = true;
      return;
    }
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    draft.closed |= !liesElsewhere(*pointer, draft.pointer());
  }

  // A pointer among the launch's parameters; it cannot point to shared memory.
  static bool isGiven(const Value &object) {
    const auto *load = dyn_cast<LoadInst>(&object);
    const auto *buffer =
        load ? dyn_cast<Argument>(getUnderlyingObject(load->getPointerOperand())) : nullptr;
    return buffer && buffer->getArgNo() == parameters_argument;
  }

  static bool liesElsewhere(const Value &one, const Value &other) {
    const unsigned space = one.getType()->getPointerAddressSpace();
    const unsigned other_space = other.getType()->getPointerAddressSpace();
    const Value *object = getUnderlyingObject(&one), *other_object = getUnderlyingObject(&other);
    if (space != other_space &&
        ((space != 0 && other_space != 0) || (space == shared_space && isGiven(*other_object)) ||
         (other_space == shared_space && isGiven(*object))))
      return true;
    return object != other_object && isa<GlobalVariable, AllocaInst>(object) &&
           isa<GlobalVariable, AllocaInst>(other_object);
  }

  void add(Instruction &access, unsigned step, bool scattered) {
    const bool stores = isa<StoreInst>(access);
    for (Draft &draft : open_) {
      if (draft.closed || draft.stores() != stores || draft.step != step ||
          draft.scattered != scattered ||
          getLoadStoreType(&draft.first()) != getLoadStoreType(&access))
        continue;
      const auto place = placeIn(draft, access);
      if (!place || draft.has(*place) || is_contained(draft.stored, *place) ||
          std::max(draft.highest(), *place) - std::min(draft.lowest(), *place) >= int(step))
        continue;
      draft.members.emplace_back(*place, &access);
      return;
    }
    if (open_.size() == most_open) {
      finish(open_.front());
      open_.erase(open_.begin());
    }
    Draft draft;
    draft.step = step;
    draft.scattered = scattered;
    draft.members.emplace_back(0, &access);
    if (!stores)
      noteOpenStores(draft);
    open_.push_back(std::move(draft));
  }

  // Open stores may still sink below this load, so the elements that they write cannot be loaded by
  // a group that begins here.
  void noteOpenStores(Draft &loads) {
    for (Draft &draft : open_) {
      if (!draft.stores() || liesElsewhere(draft.pointer(), loads.pointer()))
        continue;
      for (const auto &[place, store] : draft.members)
        if (const auto here = placeIn(loads, *store))
          loads.stored.push_back(*here);
        else
          draft.closed = true;
    }
  }

  void finish(const Draft &draft) {
    if (draft.members.size() < (draft.stores() ? draft.step : 2))
      return;
    AccessGroup group;
    const int lowest = draft.lowest();
    group.scattered = draft.scattered;
    const int span = draft.highest() - lowest + 1;
    group.step = draft.scattered ? unsigned(PowerOf2Ceil(unsigned(span))) : draft.step;
    group.members.resize(group.step);
    for (const auto &[place, access] : draft.members)
      group.members[unsigned(place - lowest)] = access;
    group.first = &draft.first();
    group.last = draft.members.back().second;
    groups_.push_back(std::move(group));
  }

  Function &function_;
  const Shapes &shapes_;
  const DataLayout &data_;
  const unsigned largest_shared_step_;
  const bool wants_scattered_;
  bool under_mask_ = false;                    // the block that is searched
  std::optional<FunctionEvolution> distances_; // created on demand
  std::vector<Draft> open_;
  std::vector<AccessGroup> groups_;
};

} // namespace

bool isSimpleAccess(const Instruction &instruction) {
  const auto *load = dyn_cast<LoadInst>(&instruction);
  const auto *store = dyn_cast<StoreInst>(&instruction);
  return (load && load->isSimple()) || (store && store->isSimple());
}

std::vector<AccessGroup> interleavedAccesses(Function &function, const Shapes &shapes) {
  return Finder(function, shapes, largest_interleaved_step, false).run();
}

std::vector<AccessGroup> accessesSideBySide(Function &function, const Shapes &shapes) {
  return Finder(function, shapes, largest_step_in_place, true).run();
}

} // namespace heddle::engine::simd
