// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every second to sixteenth element of an array is changed, perhaps with the help of others between
// them, as in the levels of a tree: `sum[8 * i + 7] += sum[8 * i + 3]`. To make vectors of the
// lanes' elements, and to spread the results out again, takes many more shuffles than sums. So it
// is done where the elements lie, in whole lines: what is added moves to its place by one shuffle a
// line, and what lies between is computed, too, and masked off in the store.
#include "engine/compiler/simd/flatten.h"
#include "engine/compiler/simd/widener.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned most_members = 10; // instructions

// What may be computed of anything: it does not trap, and takes an instruction for a vector.
bool isHarmless(const Instruction &instruction) {
  return isa<BinaryOperator>(instruction) && isCheap(instruction);
}

} // namespace

// Where the elements lie that are loaded with this one, if all lanes do that and whole lines cover
// them.
std::optional<Widener::InLines> Widener::inLines(LoadInst &load) const {
  Value *pointer = load.getPointerOperand();
  Type *type = load.getType();
  InLines result;
  const AccessGroup *group = group_of_.lookup(&load);
  result.step = group ? group->step : smallStep(shape(pointer), type);
  if (!everybody() || !load.isSimple() || (group && group->first != &load) ||
      !isPowerOf2_32(result.step) || result.step > rowLength() || !hasMaskedAccess(type))
    return std::nullopt;
  unsigned own = 0, highest = 0;
  if (!group)
    result.slots.emplace_back(pointer, 0);
  for (unsigned slot = 0; group && slot < group->step; ++slot)
    if (Instruction *member = group->members[slot]) {
      result.slots.emplace_back(getLoadStorePointerOperand(member), slot);
      highest = slot;
      if (member == &load)
        own = slot;
    }
  const auto place = placeInLine(pointer, type, result.step);
  if (!place || *place < own || *place - own + highest >= result.step)
    return std::nullopt;
  result.first = -int64_t(*place);
  for (auto &[of_member, slot] : result.slots)
    slot += *place - own;
  return result;
}

bool Widener::InLines::has(const Value *pointer) const {
  return is_contained(make_first_range(slots), pointer);
}

unsigned Widener::InLines::slotOf(const Value *pointer) const {
  return find_if(slots, [&](const auto &slot) { return slot.first == pointer; })->second;
}

// What is done to such elements between this load, the first of them, and the last store that
// follows from it, if nothing else happens to memory meanwhile and nobody else asks for the values;
// else nothing.
Widener::InPlace Widener::changeInPlace(LoadInst &load) const {
  const auto where = lanes_ > 1 ? inLines(load) : std::nullopt;
  if (!where)
    return {};
  const AccessGroup *group = group_of_.lookup(&load);
  Update update{&load};
  const auto belongs = [&](const Value *value) { return is_contained(update, value); };
  const auto is_known = [&](const Value *value) {
    return belongs(value) || shape(value).isUniform();
  };
  const auto joins = [&](Instruction &next) {
    if (isa<LoadInst>(next))
      return group && group_of_.lookup(&next) == group;
    if (auto *store = dyn_cast<StoreInst>(&next))
      return store->isSimple() && where->has(store->getPointerOperand()) &&
             store->getValueOperand()->getType() == load.getType() &&
             is_known(store->getValueOperand());
    return isHarmless(next) && all_of(next.operands(), is_known);
  };
  size_t complete = 0;
  for (Instruction *next = load.getNextNode(); !next->isTerminator(); next = next->getNextNode()) {
    if (!next->mayReadOrWriteMemory() && none_of(next->operands(), belongs))
      continue;
    if (update.size() == most_members || !joins(*next))
      break;
    update.push_back(next);
    if (isa<StoreInst>(next))
      complete = update.size();
  }
  update.truncate(complete);
  const bool parts_group = any_of(update, [&](const Instruction *member) {
    const AccessGroup *whole = group_of_.lookup(member);
    return whole && any_of(whole->members,
                           [&](const Instruction *other) { return other && !belongs(other); });
  });
  return othersAskFor(update) || parts_group ? InPlace() : InPlace{update, *where};
}

void Widener::widenInPlace(const InPlace &change) {
  const InLines &where = change.where;
  auto &load = *cast<LoadInst>(change.members.front());
  for (Instruction *member : change.members)
    if (Value *pointer = getLoadStorePointerOperand(member)) {
      remark(*member, Remark::Kind::EveryFew, isa<LoadInst>(member) ? "load" : "store");
      checkAlignment(pointer, getLoadStoreAlignment(member));
    }
  const Rows pointers = rowsOf(load.getPointerOperand());
  prefetchAhead(load, pointers);
  for (Value *pointer : pointers)
    for (unsigned part = 0; part < where.step; ++part)
      changeVector(change,
                   b_.CreateConstGEP1_64(load.getType(), pointer,
                                         uint64_t(where.first + int64_t(part) * rowLength())));
}

// Of a row's vectors the one at `pointer`.
void Widener::changeVector(const InPlace &change, Value *pointer) {
  const auto &[update, where] = change;
  auto &load = *cast<LoadInst>(update.front());
  const unsigned length = rowLength();
  auto *type = FixedVectorType::get(load.getType(), length);
  Value *const line = loadVector(load, type, pointer, nullptr);
  // A value as it is wanted at the places of a slot; in between is anything.
  std::map<std::pair<const Value *, unsigned>, Value *> done;
  const std::function<Value *(Value *, unsigned)> at = [&](Value *old, unsigned slot) -> Value * {
    if (!is_contained(update, old))
      return b_.CreateVectorSplat(length, scalarOf(old));
    Value *&result = done[{old, slot}];
    if (result)
      return result;
    if (auto *other = dyn_cast<LoadInst>(old)) {
      const unsigned from = where.slotOf(other->getPointerOperand());
      SmallVector<int> order(length, PoisonMaskElem);
      for (unsigned i = slot; i < length; i += where.step)
        order[i] = int(i + from - slot);
      return result = from == slot ? line : b_.CreateShuffleVector(line, order);
    }
    auto *operation = cast<BinaryOperator>(old);
    Value *left = at(operation->getOperand(0), slot), *right = at(operation->getOperand(1), slot);
    Value *made = b_.CreateBinOp(operation->getOpcode(), left, right);
    if (auto *instruction = dyn_cast<Instruction>(made))
      instruction->copyIRFlags(operation);
    return done[{old, slot}] = made;
  };
  Value *changed = line;
  SmallVector<bool> stored(where.step);
  Align align = load.getAlign();
  for (Instruction *member : update)
    if (auto *store = dyn_cast<StoreInst>(member)) {
      const unsigned slot = where.slotOf(store->getPointerOperand());
      Value *value = at(store->getValueOperand(), slot);
      SmallVector<int> order;
      for (unsigned i = 0; i < length; ++i)
        order.push_back(int(i % where.step == slot ? length + i : i));
      changed = b_.CreateShuffleVector(changed, value, order);
      stored[slot] = true;
      align = store->getAlign();
    }
  SmallVector<Constant *> mask;
  for (unsigned i = 0; i < length; ++i)
    mask.push_back(b_.getInt1(stored[i % where.step]));
  storeUnderMask(changed, pointer, alignOfNeighbours(load.getType(), align),
                 ConstantVector::get(mask));
}

} // namespace heddle::engine::simd
