// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/memory/strided_rmw.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/alignment_analysis.h"
#include "engine/compiler/simd/analysis/predication_safety.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/kinds/access_kinds.h"
#include "engine/compiler/simd/widen/kinds/contiguous_access.h"
#include "engine/compiler/simd/widen/kinds/widen_strided.h"
#include "engine/compiler/simd/widen/memory/alignment_check.h"
#include "engine/compiler/simd/widen/memory/lane_rmw.h"
#include "engine/compiler/simd/widen/memory/widen_prefetch.h"
#include "engine/compiler/skipped.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"

#include <map>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

using Lines = std::map<int64_t, Value *>; // vectors by their offset from a base

constexpr unsigned most_members = 10;     // instructions
constexpr unsigned most_lanes_apart = 32; // whose elements are in separate lines
// A quarter of the registers, of 64 or 32 bytes.
constexpr long most_lines_together = 8, few_lines_together = 2;

// May be computed on arbitrary values: it does not trap and is one vector instruction.
bool isHarmless(const Instruction &instruction) {
  return isa<BinaryOperator>(instruction) && isCheap(instruction);
}

} // namespace

static void changeNow(VectorBuilder &v, const InPlace &change, Value *pointer);
static int64_t lineBytes(VectorBuilder &v, const LineChange &change);
static bool mayComeTogether(VectorBuilder &v, const LineChange &next);
static void changePart(VectorBuilder &v, const LineChange &change, unsigned part, Lines &lines);

// The lines that hold the elements loaded with this one, if all lanes are active (in shared memory:
// the first lanes) and whole lines cover the elements.
static std::optional<InLines> inLines(VectorBuilder &v, LoadInst &load) {
  Value *pointer = load.getPointerOperand();
  Type *type = load.getType();
  InLines result;
  const AccessGroup *group = v.accesses.groupOf(load);
  result.step = group ? group->step : v.accesses.smallStep(v.shape(pointer), type);
  result.in_shared = load.getPointerAddressSpace() == shared_space;
  result.lanes = v.mask.allActive() ? v.rowLength() : v.mask.firstLanes();
  const bool first_ones = result.in_shared && v.mask.firstLanes() > 1 && v.rowCount() == 1;
  if (!(v.mask.allActive() || first_ones) || !load.isSimple() || (group && group->first != &load) ||
      !isPowerOf2_32(result.step) || !v.isPlain(type))
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
  const unsigned in_line = unsigned(line_bytes / v.sizeOf(type)), span = result.lanes * result.step;
  const LowBits known = knownAlignmentOf(*pointer, v.shapes, v.data);
  const uint64_t bytes = known.value % line_bytes;
  if (uint64_t(1) << std::min(known.count, 63u) < line_bytes || bytes % v.sizeOf(type) != 0)
    return std::nullopt;
  if (!result.in_shared && (!v.hasMaskedAccess(type) || result.step > in_line ||
                            (span > in_line && span % in_line != 0)))
    return std::nullopt;
  if (result.step > in_line && result.lanes > most_lanes_apart)
    return std::nullopt;
  // The position of the lowest element in its line.
  const unsigned place = (unsigned(bytes / v.sizeOf(type)) - own) % in_line;
  if (place + highest >= result.step)
    return std::nullopt;
  result.first = -int64_t(own) - int64_t(place);
  result.length = result.in_shared ? in_line : std::min(in_line, span);
  for (auto &[of_member, slot] : result.slots)
    slot += place;
  return result;
}

bool InLines::has(const Value *pointer) const {
  return is_contained(make_first_range(slots), pointer);
}

unsigned InLines::slotOf(const Value *pointer) const {
  return find_if(slots, [&](const auto &slot) { return slot.first == pointer; })->second;
}

unsigned InLines::parts() const { return step > length ? lanes : divideCeil(lanes * step, length); }

SmallVector<unsigned> InLines::linesOf(unsigned part) const {
  SmallVector<unsigned> result;
  for (const auto &[of_member, slot] : slots)
    if (const unsigned line = part * std::max(step / length, 1u) + slot / length;
        !is_contained(result, line))
      result.push_back(line);
  return result;
}

bool InLines::isPlaceOf(unsigned slot, unsigned part, unsigned place) const {
  if (step > length)
    return place == slot % length;
  return place % step == slot && (part * length + place) / step < lanes;
}

InPlace changeInPlace(VectorBuilder &v, LoadInst &load) {
  if (isSkipped(update_in_place))
    return {};
  const auto where = v.lanes > 1 ? inLines(v, load) : std::nullopt;
  if (!where)
    return {};
  const AccessGroup *group = v.accesses.groupOf(load);
  Update update{&load};
  const auto belongs = [&](const Value *value) { return is_contained(update, value); };
  const auto is_known = [&](const Value *value) {
    return belongs(value) || v.shape(value).isUniform();
  };
  const auto joins = [&](Instruction &next) {
    if (isa<LoadInst>(next))
      return group && v.accesses.groupOf(next) == group;
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
    const AccessGroup *whole = v.accesses.groupOf(*member);
    return whole && any_of(whole->members,
                           [&](const Instruction *other) { return other && !belongs(other); });
  });
  return hasOtherUsers(update) || parts_group ? InPlace() : InPlace{update, *where};
}

void widenInPlace(VectorBuilder &v, const InPlace &change) {
  const InLines &where = change.where;
  auto &load = *cast<LoadInst>(change.members.front());
  for (Instruction *member : change.members)
    if (Value *pointer = getLoadStorePointerOperand(member)) {
      v.remark(*member, Remark::Kind::EveryFew, isa<LoadInst>(member) ? "load" : "store");
      checkAlignment(v, pointer, getLoadStoreAlignment(member));
    }
  const Rows pointers = v.rowsOf(load.getPointerOperand());
  prefetchAhead(v, load, pointers);
  for (Value *pointer : pointers) {
    LineChange next{change, v.b.CreateConstGEP1_64(load.getType(), pointer, uint64_t(where.first))};
    APInt offset(v.data.getIndexTypeSizeInBits(pointer->getType()), 0);
    next.base = next.pointer->stripAndAccumulateConstantOffsets(v.data, offset, true);
    next.offset = offset.getSExtValue();
    if (!where.in_shared || !mayComeTogether(v, next))
      finishChanges(v);
    if (where.in_shared)
      v.emitters.changes.push_back(next);
    else
      changeNow(v, change, next.pointer);
  }
}

// For memory in which other blocks may change the elements between.
static void changeNow(VectorBuilder &v, const InPlace &change, Value *pointer) {
  const InLines &where = change.where;
  auto &load = *cast<LoadInst>(change.members.front());
  const auto stores_to = [&](unsigned part, unsigned place) {
    return any_of(change.members, [&](const Instruction *member) {
      return isa<StoreInst>(member) &&
             where.isPlaceOf(where.slotOf(getLoadStorePointerOperand(member)), part, place);
    });
  };
  const Align align = alignOfNeighbours(v, load.getType(), load.getAlign());
  auto *type = FixedVectorType::get(load.getType(), where.length);
  for (unsigned part = 0; part < where.parts(); ++part) {
    Value *place = v.b.CreateConstGEP1_64(load.getType(), pointer, part * where.length);
    const LineChange here{change};
    Lines line{{part * lineBytes(v, here), loadVector(v, load, type, place, nullptr)}};
    changePart(v, here, part, line);
    SmallVector<Constant *> mask;
    for (unsigned i = 0; i < where.length; ++i)
      mask.push_back(v.b.getInt1(stores_to(part, i)));
    storeUnderMask(v, line.begin()->second, place, align, ConstantVector::get(mask));
  }
}

// ---- Shared memory ----
// A block runs on one core, so no other thread accesses the elements between meanwhile. Whole lines
// are stored, which the CPU can forward to the next load; and consecutive operations, as the levels
// of a tree, are grouped: all of them on a few lines, then on the next few.

static int64_t lineBytes(VectorBuilder &v, const LineChange &change) {
  return int64_t(change.change.where.length * v.sizeOf(change.change.members.front()->getType()));
}

// The lines that the operations change, in classes that must be loaded at the same time.
static EquivalenceClasses<int64_t> linesTogether(VectorBuilder &v,
                                                 ArrayRef<const LineChange *> changes) {
  EquivalenceClasses<int64_t> result;
  for (const LineChange *change : changes)
    for (unsigned part = 0; part < change->change.where.parts(); ++part) {
      const auto lines = change->change.where.linesOf(part);
      for (const unsigned line : lines)
        result.unionSets(change->offset + lines.front() * lineBytes(v, *change),
                         change->offset + line * lineBytes(v, *change));
    }
  return result;
}

// Whether it may be grouped with the pending operations.
static bool mayComeTogether(VectorBuilder &v, const LineChange &next) {
  if (v.emitters.changes.empty())
    return true;
  const LineChange &first = v.emitters.changes.front();
  if (next.base != first.base || (next.offset - first.offset) % lineBytes(v, first) != 0 ||
      next.change.members.front()->getType() != first.change.members.front()->getType())
    return false;
  SmallVector<const LineChange *> all{&next};
  for (const LineChange &change : v.emitters.changes)
    all.push_back(&change);
  const auto classes = linesTogether(v, all);
  return none_of(classes, [&](const auto &line) {
    return line.isLeader() &&
           std::distance(classes.findLeader(line.getData()), classes.member_end()) >
               (v.options.native_gather ? most_lines_together : few_lines_together);
  });
}

bool mayStayBehind(VectorBuilder &v, const Instruction &instruction) {
  const StringRef name = calledName(instruction);
  return !instruction.mayReadOrWriteMemory() ||
         instruction.hasMetadata(LLVMContext::MD_invariant_load) || isa<AssumeInst>(instruction) ||
         name == mask_marker || name == any_marker || name == all_marker ||
         name == prefetch_marker || (isa<FenceInst>(instruction) && v.options.layout.whole);
}

void finishChanges(VectorBuilder &v) {
  SmallVector<const LineChange *> all;
  for (const LineChange &change : v.emitters.changes)
    all.push_back(&change);
  const auto classes = linesTogether(v, all);
  // For each class, by its first line, the operations on its lines.
  std::map<int64_t, SmallVector<std::pair<const LineChange *, unsigned>>> parts;
  for (const LineChange *change : all)
    for (unsigned part = 0; part < change->change.where.parts(); ++part) {
      const int64_t line =
          change->offset + change->change.where.linesOf(part).front() * lineBytes(v, *change);
      const auto members = make_range(classes.findLeader(line), classes.member_end());
      parts[*min_element(members)].emplace_back(change, part);
    }
  const DebugLoc here = v.b.getCurrentDebugLocation();
  for (const auto &[first_line, of_class] : parts) {
    const LineChange &first = *v.emitters.changes.begin();
    auto &load = *cast<LoadInst>(first.change.members.front());
    const Align align = alignOfNeighbours(v, load.getType(), load.getAlign());
    auto *type = FixedVectorType::get(load.getType(), first.change.where.length);
    v.b.SetCurrentDebugLocation(of_class.back().first->change.members.back()->getDebugLoc());
    const auto place = [&](int64_t line) {
      return v.b.CreateConstGEP1_64(v.b.getInt8Ty(), first.pointer, uint64_t(line - first.offset));
    };
    Lines lines;
    for (int64_t line : make_range(classes.findLeader(first_line), classes.member_end()))
      lines[line] = nullptr;
    // Not moved before a store to the elements between: the load covers these, too.
    for (auto &[line, value] : lines)
      value = v.b.CreateAlignedLoad(type, place(line), align);
    const Lines before = lines;
    for (const auto &[change, part] : of_class)
      changePart(v, *change, part, lines);
    for (const auto &[line, value] : lines)
      if (value != before.at(line))
        v.b.CreateAlignedStore(value, place(line), align);
  }
  v.b.SetCurrentDebugLocation(here);
  v.emitters.changes.clear();
}

// Changes the lanes' elements in the lines of the part; the elements between are kept.
static void changePart(VectorBuilder &v, const LineChange &change, unsigned part, Lines &lines) {
  const auto &[update, where] = change.change;
  const unsigned length = where.length;
  const auto line_of = [&](unsigned slot) {
    const unsigned line = part * std::max(where.step / length, 1u) + slot / length;
    return change.offset + line * lineBytes(v, change);
  };
  const Lines before = lines;
  // A value with its lanes moved to the positions of a slot; other elements are undefined.
  std::map<std::pair<const Value *, unsigned>, Value *> done;
  const std::function<Value *(Value *, unsigned)> at = [&](Value *old, unsigned slot) -> Value * {
    if (!is_contained(update, old))
      return v.b.CreateVectorSplat(length, v.scalarOf(old));
    Value *&result = done[{old, slot}];
    if (result)
      return result;
    if (auto *other = dyn_cast<LoadInst>(old)) {
      const unsigned from = where.slotOf(other->getPointerOperand());
      if (from % length == slot % length)
        return result = before.at(line_of(from));
      SmallVector<int> order(length, PoisonMaskElem);
      for (unsigned i = 0; i < length; ++i)
        if (where.isPlaceOf(slot, part, i))
          order[i] = int(i + from % length - slot % length);
      return result = v.b.CreateShuffleVector(before.at(line_of(from)), order);
    }
    auto *operation = cast<BinaryOperator>(old);
    Value *left = at(operation->getOperand(0), slot), *right = at(operation->getOperand(1), slot);
    Value *made = v.b.CreateBinOp(operation->getOpcode(), left, right);
    if (auto *instruction = dyn_cast<Instruction>(made))
      instruction->copyIRFlags(operation);
    return done[{old, slot}] = made;
  };
  for (Instruction *member : update)
    if (auto *store = dyn_cast<StoreInst>(member)) {
      const unsigned slot = where.slotOf(store->getPointerOperand());
      Value *value = at(store->getValueOperand(), slot), *&line = lines.at(line_of(slot));
      SmallVector<int> order;
      for (unsigned i = 0; i < length; ++i)
        order.push_back(int(where.isPlaceOf(slot, part, i) ? length + i : i));
      line = v.b.CreateShuffleVector(line, value, order);
    }
}

} // namespace heddle::engine::simd
