// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/memory/lane_rmw.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/predication_safety.h"
#include "engine/compiler/simd/widen/kinds/access_kinds.h"
#include "engine/compiler/simd/widen/lane_values.h"
#include "engine/compiler/simd/widen/memory/alignment_check.h"
#include "engine/compiler/simd/widen/widen_instruction.h"
#include "engine/compiler/skipped.h"

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

static void updateEachLane(VectorBuilder &v, const Update &update);

static bool mayStoreLaneByLane(VectorBuilder &v, StoreInst &store, const Update &update) {
  Value *pointer = store.getPointerOperand();
  // The alignment is tested beforehand, for all lanes.
  const Value *root = unprovenAlignment(pointer, store.getAlign(), v.data);
  return store.isSimple() && store.getPointerAddressSpace() == shared_space &&
         v.isPlain(store.getValueOperand()->getType()) && !v.shape(pointer).hasRowBases() &&
         !(root && is_contained(update, root));
}

Update updateBeginningWith(VectorBuilder &v, LoadInst &load) {
  if (isSkipped(update_by_lane))
    return {};
  if (v.lanes == 1 || v.lanes > most_lanes || v.mask.areFew() || !load.isSimple() ||
      load.getPointerAddressSpace() != shared_space || !v.isPlain(load.getType()) ||
      v.shape(load.getPointerOperand()).hasRowBases() || v.accesses.groupOf(load))
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
        !(store ? mayStoreLaneByLane(v, *store, update) && !v.accesses.groupOf(*store)
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

bool hasOtherUsers(const Update &update) {
  return any_of(update, [&](const Instruction *member) {
    return any_of(member->users(), [&](const User *user) { return !is_contained(update, user); });
  });
}

void widenUpdate(VectorBuilder &v, const Update &update) {
  v.either(
      v.mask.allHere(),
      [&]() -> Value * {
        updateEachLane(v, update);
        return nullptr;
      },
      [&]() -> Value * {
        for (Instruction *member : update)
          widenInstruction(v, *member);
        return nullptr;
      });
}

// For all lanes, in ascending order.
static void updateEachLane(VectorBuilder &v, const Update &update) {
  const GangMask before = v.mask;
  v.mask.setAll();
  Value *const place = cast<LoadInst>(update.front())->getPointerOperand();
  for (Instruction *member : update) {
    v.remark(*member, Remark::Kind::LaneByLane, isa<LoadInst>(member) ? "load" : "store");
    if (auto *store = dyn_cast<StoreInst>(member); store && store->getPointerOperand() != place)
      checkAlignment(v, store->getPointerOperand(), store->getAlign());
  }
  checkAlignment(v, place, cast<LoadInst>(update.front())->getAlign());
  LaneAddress places(v, place);
  DenseMap<const Value *, LaneValue> others;
  for (unsigned i = 0; i < v.lanes; ++i) {
    Value *lane = v.b.getInt32(i), *place_of_lane = places.at(lane);
    DenseMap<const Value *, Value *> of_lane{{place, place_of_lane}};
    for (Instruction *member : update) {
      Instruction *copy = member->clone();
      for (Use &operand : copy->operands()) {
        const auto known = of_lane.find(operand.get());
        operand.set(
            known != of_lane.end()
                ? known->second
                : others.try_emplace(operand.get(), v, operand.get()).first->second.at(lane));
      }
      of_lane[member] = v.b.Insert(copy);
    }
  }
  v.mask = before;
}

} // namespace heddle::engine::simd
