// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read-modify-writes of shared memory at varying addresses: `++counts[digit]`, or
// `sorted[next[digit]++] = key`. A gather waits for all earlier scatters. Lane by lane, a load
// waits only for the store to the same element, and no vector of old values is assembled.
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/predication_safety.h"
#include "engine/compiler/simd/widen/widener.h"

#include <tuple>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned most_members = 8; // instructions per lane
constexpr unsigned most_lanes = 32;  // lanes that the code is repeated for

// Whether it costs no more for one lane than for a vector.
bool isCheapForOne(const Instruction &instruction) {
  return isa<BinaryOperator, CastInst, GetElementPtrInst>(instruction) && isCheap(instruction);
}

} // namespace

bool Widener::mayStoreLaneByLane(StoreInst &store, const Update &update) const {
  Value *pointer = store.getPointerOperand();
  // The alignment is tested beforehand, for all lanes.
  const Value *root = unprovenAlignment(pointer, store.getAlign(), data_);
  return store.isSimple() && store.getPointerAddressSpace() == shared_space &&
         isPlain(store.getValueOperand()->getType()) && !shape(pointer).hasRowBases() &&
         !(root && is_contained(update, root));
}

// The instructions between this load and the last dependent store, if one stores to the same
// element and nothing else accesses memory meanwhile; else empty.
Widener::Update Widener::updateBeginningWith(LoadInst &load) const {
  if (lanes_ == 1 || lanes_ > most_lanes || areFew() || !load.isSimple() ||
      load.getPointerAddressSpace() != shared_space || !isPlain(load.getType()) ||
      shape(load.getPointerOperand()).hasRowBases() || group_of_.count(&load))
    return {};
  Update update{&load};
  const auto belongs = [&](const Value *value) { return is_contained(update, value); };
  bool writes_back = false;
  size_t complete = 0;
  for (Instruction *next = load.getNextNode(); !next->isTerminator(); next = next->getNextNode()) {
    if (none_of(next->operands(), belongs)) {
      if (next->mayReadOrWriteMemory())
        break;
      continue;
    }
    auto *store = dyn_cast<StoreInst>(next);
    if (update.size() == most_members ||
        !(store ? mayStoreLaneByLane(*store, update) && !group_of_.count(store)
                : isCheapForOne(*next)))
      break;
    update.push_back(next);
    writes_back |= store && store->getPointerOperand() == load.getPointerOperand();
    if (store && writes_back)
      complete = update.size();
  }
  update.truncate(complete);
  return hasOtherUsers(update) ? Update() : update;
}

bool Widener::hasOtherUsers(const Update &update) {
  return any_of(update, [&](const Instruction *member) {
    return any_of(member->users(), [&](const User *user) { return !is_contained(update, user); });
  });
}

void Widener::widenUpdate(const Update &update) {
  either(
      allHere(),
      [&]() -> Value * {
        updateEachLane(update);
        return nullptr;
      },
      [&]() -> Value * {
        for (Instruction *member : update)
          widenInstruction(*member);
        return nullptr;
      });
}

// For all lanes, in ascending order.
void Widener::updateEachLane(const Update &update) {
  Value *const masks[] = {mask_, bits_, all_here_};
  const unsigned first = first_;
  mask_ = bits_ = all_here_ = nullptr;
  first_ = 0;
  Value *const place = cast<LoadInst>(update.front())->getPointerOperand();
  for (Instruction *member : update) {
    remark(*member, Remark::Kind::LaneByLane, isa<LoadInst>(member) ? "load" : "store");
    if (auto *store = dyn_cast<StoreInst>(member); store && store->getPointerOperand() != place)
      checkAlignment(store->getPointerOperand(), store->getAlign());
  }
  checkAlignment(place, cast<LoadInst>(update.front())->getAlign());
  LaneAddress places(*this, place);
  DenseMap<const Value *, LaneValue> others;
  for (unsigned i = 0; i < lanes_; ++i) {
    Value *lane = b_.getInt32(i), *place_of_lane = places.at(lane);
    DenseMap<const Value *, Value *> of_lane{{place, place_of_lane}};
    for (Instruction *member : update) {
      Instruction *copy = member->clone();
      for (Use &operand : copy->operands()) {
        const auto known = of_lane.find(operand.get());
        operand.set(
            known != of_lane.end()
                ? known->second
                : others.try_emplace(operand.get(), *this, operand.get()).first->second.at(lane));
      }
      of_lane[member] = b_.Insert(copy);
    }
  }
  std::tie(mask_, bits_, all_here_, first_) = std::tuple(masks[0], masks[1], masks[2], first);
}

} // namespace heddle::engine::simd
