// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/control/suspend_lowering.h"

#include "engine/abi.h"
#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/analysis/suspend_points.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/form/loop_form.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// ---- Recomputation ----

// Uniform and affine values take a few scalar instructions, which gangs may even share; a vector
// must be cheaper to recompute than to load.
constexpr unsigned most_recomputed_scalars = 40, most_recomputed_vectors = 8;

// Consumes `budget`; false if the value depends on anything that may have changed, or costs too
// much.
bool isRecomputable(const Value *value, unsigned &budget) {
  if (isa<Constant, Argument>(value))
    return true;
  const auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || budget-- == 0)
    return false;
  if (const auto *call = dyn_cast<CallBase>(instruction); call && !isa<MinMaxIntrinsic>(call))
    return call->arg_empty() && call->doesNotAccessMemory() && !call->isConvergent();
  if (const auto *load = dyn_cast<LoadInst>(instruction))
    return load->hasMetadata(LLVMContext::MD_invariant_load) &&
           isRecomputable(load->getPointerOperand(), budget);
  const bool cheap =
      isa<CastInst, GetElementPtrInst, CmpInst, SelectInst, MinMaxIntrinsic>(instruction) ||
      (isa<BinaryOperator>(instruction) && !cast<BinaryOperator>(instruction)->isIntDivRem() &&
       instruction->getType()->isIntegerTy());
  return cheap && all_of(instruction->operands(),
                         [&](const Use &operand) { return isRecomputable(operand, budget); });
}

Value *recompute(Value *value, IRBuilder<> &builder, DenseMap<Value *, Value *> &done) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return value;
  if (Value *known = done.lookup(value))
    return known;
  Instruction *copy = instruction->clone();
  for (Use &operand : copy->operands())
    operand.set(recompute(operand, builder, done));
  builder.Insert(copy, instruction->getName());
  return done[value] = copy;
}

// ---- The transformation ----

// With so many values to restore in a state, most would only be loaded to be spilled again; with so
// many in all, moving them takes more code than using them.
constexpr size_t many_in_state = 80, many_restored = 640;

struct State {
  BasicBlock *before = nullptr; // ends in the suspension
  BasicBlock *after = nullptr;  // where the thread continues
  BasicBlock *resume = nullptr;
  CallInst *suspension = nullptr;
};

struct Save {
  Instruction *value = nullptr;
  StoreInst *store = nullptr; // null: it was not needed
};

class Splitter {
public:
  Splitter(Function &function, const LaneLayout &layout, uint64_t frame_bytes)
      : function_(function), layout_(layout), data_(function.getParent()->getDataLayout()) {
    result_.frame_bytes = frame_bytes;
  }

  SuspensionResult run() {
    markSuspendPoints(function_, layout_);
    collectStates();
    if (states_.empty())
      return result_;
    result_.states = unsigned(states_.size());
    const ShapedCode code(function_, layout_);
    const Shapes &shapes = code.shapes;
    shapes_ = &shapes;
    for (const State &state : states_) {
      result_.diverged |= shapes.isDivergent(state.before);
      result_.only_barriers &= all_of(drop_begin(state.suspension->args()), [](const Use &operand) {
        const auto *number = dyn_cast<ConstantInt>(operand);
        return number && number->isZero(); // Suspension::Barrier, of all threads, number 0
      });
    }
    findLiveValues();
    assignSlots(code);
    result_.keeps_record = keepsRecord();
    cut();
    for (Instruction *value : bounds_) {
      recomputeAtUses(*value);
      live_.erase(value);
    }
    // All definitions first, from the original code: rewiring changes what later copies would refer
    // to.
    for (auto &[value, live] : live_)
      for (const unsigned i : live)
        keepAcross(*value, states_[i]);
    for (auto &[value, live] : live_)
      rewire(*value, live);
    dropRepeatedSaves();
    if (!result_.diverged)
      saveWhereChanged();
    if (result_.keeps_record)
      restoreWhereUsed(code);
    canonicalizeLoops(function_);
    result_.record_bytes = alignTo(sizeof(GroupRecord) + record_values_, 8);
    return result_;
  }

private:
  void collectStates() {
    SmallVector<CallInst *> calls;
    for (Instruction &instruction : instructions(function_))
      if (calledName(instruction) == suspend_marker)
        calls.push_back(cast<CallInst>(&instruction));
    for (CallInst *call : calls) {
      State state;
      state.suspension = call;
      state.before = call->getParent();
      state.after = SplitBlock(state.before, call->getNextNode());
      state.after->setName("resumed");
      call->setArgOperand(0,
                          ConstantInt::get(call->getArgOperand(0)->getType(), states_.size() + 1));
      states_.push_back(state);
    }
    // Splitting a block moves later suspend points to the new block.
    for (State &state : states_)
      state.before = state.suspension->getParent();
  }

  // Values that are live across suspend points, with the states at which they are.
  void findLiveValues() {
    DenseMap<BasicBlock *, unsigned> state_of;
    for (unsigned i = 0; i < states_.size(); ++i)
      state_of[states_[i].after] = i;
    for (Instruction &instruction : instructions(function_)) {
      if (instruction.getType()->isVoidTy() || calledName(instruction) == suspend_marker)
        continue;
      SmallPtrSet<BasicBlock *, 16> live_in;
      SmallVector<BasicBlock *> work;
      const auto reach = [&](BasicBlock *block) {
        if (live_in.insert(block).second)
          work.push_back(block);
      };
      for (Use &use : instruction.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        if (auto *phi = dyn_cast<PHINode>(user)) {
          // Used at the end of the incoming block.
          BasicBlock *from = phi->getIncomingBlock(use);
          if (from != instruction.getParent())
            reach(from);
        } else if (user->getParent() != instruction.getParent()) {
          reach(user->getParent());
        }
      }
      while (!work.empty())
        for (BasicBlock *above : predecessors(work.pop_back_val()))
          if (above != instruction.getParent())
            reach(above);
      SmallVector<unsigned> live;
      for (BasicBlock *block : live_in)
        if (auto found = state_of.find(block); found != state_of.end())
          live.push_back(found->second);
      llvm::sort(live);
      if (!live.empty())
        live_[&instruction] = live;
    }
  }

  // Whether values stay where they are in the record until they change, as in the frame, instead of
  // being copied from one record to the next. A gang that sweeps has one record (abi.h).
  bool keepsRecord() const {
    size_t restored = 0;
    for (const auto &[value, live] : live_)
      if (!recomputed_.contains(value))
        restored += live.size();
    return restored > many_restored && restored > many_in_state * states_.size() && layout_.full &&
           !result_.diverged && result_.only_barriers;
  }

  uint64_t sizeInMemory(Type *type) const { return data_.getTypeAllocSize(type); }

  // Loops in which some lanes may iterate while others of the gang are suspended in them.
  SmallPtrSet<const Loop *, 8> loopsOfParts(const ShapedCode &code) const {
    SmallPtrSet<const Loop *, 8> result;
    for (const State &state : states_)
      if (code.shapes.isDivergent(state.before))
        for (const Loop *loop = code.loops.getLoopFor(state.before); loop;
             loop = loop->getParentLoop())
          result.insert(loop);
    return result;
  }

  // Whether the value is uniform or affine among the lanes that suspend together. In the loops
  // above it is not: lanes may be in different iterations.
  static bool staysTogether(const Instruction &value, const ShapedCode &code,
                            const SmallPtrSetImpl<const Loop *> &loops_of_parts) {
    for (const Loop *loop = code.loops.getLoopFor(value.getParent()); loop;
         loop = loop->getParentLoop())
      if (loops_of_parts.contains(loop))
        return false;
    return code.shapes.of(&value).hasBase();
  }

  void assignSlots(const ShapedCode &code) {
    const auto loops_of_parts = loopsOfParts(code);
    for (auto &[value, live] : live_) {
      const bool has_bases = code.shapes.of(value).hasRowBases();
      const bool bounds =
          !has_bases && value->getType()->isIntegerTy(1) && isBound(*value, code.shapes);
      unsigned budget = has_bases || bounds ? most_recomputed_scalars : most_recomputed_vectors;
      if (isRecomputable(value, budget)) {
        recomputed_.insert(value);
        if (bounds)
          bounds_.push_back(value);
        continue;
      }
      const uint64_t size = PowerOf2Ceil(sizeInMemory(value->getType()));
      if (staysTogether(*value, code, loops_of_parts)) {
        in_record_.insert(value);
        record_values_ = alignTo(record_values_, std::min<uint64_t>(size, 8));
        slots_[value] = record_values_;
        record_values_ += size;
      } else if (const auto shared = slotToShare(*value)) {
        slots_[value] = *shared;
        occupants_[*shared].push_back(value);
      } else {
        const uint64_t bytes = sizeInMemory(value->getType()) * layout_.lanes;
        result_.frame_bytes = alignTo(result_.frame_bytes, 64);
        slots_[value] = result_.frame_bytes;
        occupants_[result_.frame_bytes].push_back(value);
        result_.frame_bytes += bytes;
      }
    }
  }

  // A phi and its incoming values, as a sum before and after an iteration, share a slot in the
  // frame if no suspend point needs both.
  std::optional<uint64_t> slotToShare(Instruction &value) const {
    SmallVector<const Value *> related;
    if (const auto *phi = dyn_cast<PHINode>(&value))
      related.append(phi->value_op_begin(), phi->value_op_end());
    for (const User *user : value.users())
      if (isa<PHINode>(user))
        related.push_back(user);
    const auto fits = [&](Instruction *other) {
      return other->getType() == value.getType() && none_of(live_.lookup(other), [&](unsigned i) {
               return is_contained(live_.lookup(&value), i);
             });
    };
    for (const Value *other : related) {
      const auto *instruction = dyn_cast<Instruction>(other);
      const auto found = slots_.find(instruction);
      if (found != slots_.end() && !in_record_.contains(instruction) &&
          all_of(occupants_.lookup(found->second), fits))
        return found->second;
    }
    return std::nullopt;
  }

  // Dispatches to the given state on entry, and returns at suspend points.
  void cut() {
    BasicBlock *body = &function_.getEntryBlock();
    BasicBlock *end = emptyEnd(function_);
    BasicBlock *entry = BasicBlock::Create(function_.getContext(), "dispatch", &function_, body);
    body->setName("start");
    IRBuilder<> builder(entry);
    Value *number = callMarker(builder, state_marker);
    // A chain of comparisons: there are few states, and many gangs in a row enter the same one.
    for (unsigned i = 0; i < states_.size(); ++i) {
      State &state = states_[i];
      state.resume = BasicBlock::Create(function_.getContext(), "resume", &function_, state.after);
      BranchInst::Create(state.after, state.resume);
      state.before->getTerminator()->setSuccessor(0, end);
      BasicBlock *next = BasicBlock::Create(function_.getContext(), "dispatch", &function_, body);
      builder.CreateCondBr(builder.CreateICmpEQ(number, builder.getInt32(i + 1)), state.resume,
                           next);
      builder.SetInsertPoint(next);
    }
    builder.CreateBr(body);
  }

  Value *laneSlot(IRBuilder<> &builder, Instruction *value) {
    Value *lane = builder.CreateZExt(callMarker(builder, lane_marker), builder.getInt64Ty());
    Value *frame = callMarker(builder, frame_marker);
    Value *start = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), frame, slots_[value]);
    Type *type = value->getType();
    return builder.CreateGEP(type->isIntegerTy(1) ? builder.getInt8Ty() : type, start, lane);
  }

  // Frames are aligned for all types, records only for their 64-bit fields.
  Align alignOfPlace(const Instruction *value) const {
    const Align align = data_.getABITypeAlign(value->getType());
    return in_record_.contains(value) ? std::min(align, Align(alignof(uint64_t))) : align;
  }

  // value + stride * lane; `subtract` reverses it.
  Value *addLanes(IRBuilder<> &builder, Value *value, int64_t stride, bool subtract) {
    Value *lane = callMarker(builder, lane_marker);
    const bool pointer = value->getType()->isPointerTy();
    Type *type = pointer ? builder.getInt64Ty() : value->getType();
    const uint64_t distance = subtract ? -uint64_t(stride) : uint64_t(stride);
    Value *part =
        builder.CreateMul(builder.CreateZExtOrTrunc(lane, type), ConstantInt::get(type, distance));
    return pointer ? builder.CreateGEP(builder.getInt8Ty(), value, part)
                   : builder.CreateAdd(value, part);
  }

  // Where the value is in the record or frame of the gang that continues.
  Value *placeOf(IRBuilder<> &builder, Instruction *value) {
    if (!in_record_.contains(value))
      return laneSlot(builder, value);
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                              callMarker(builder, resumed_marker), slots_[value]);
  }

  // The record has an affine value's first lane; bits are kept as bytes.
  StoreInst *store(IRBuilder<> &builder, Instruction *value, Value *kept, Value *place) {
    if (const Shape shape = shapes_->of(value); in_record_.contains(value) && shape.isAffine())
      kept = addLanes(builder, kept, shape.stride, true);
    if (kept->getType()->isIntegerTy(1))
      kept = builder.CreateZExt(kept, builder.getInt8Ty());
    return builder.CreateAlignedStore(kept, place, alignOfPlace(value));
  }

  // What `store` was given.
  Value *storedBy(const Save &save) const {
    Value *stored = save.store->getValueOperand();
    if (const auto *bit = dyn_cast<ZExtInst>(stored); bit && save.value->getType()->isIntegerTy(1))
      stored = bit->getOperand(0);
    if (in_record_.contains(save.value) && shapes_->of(save.value).isAffine())
      stored = cast<User>(stored)->getOperand(0);
    return stored;
  }

  void save(Instruction *value, const State &state) {
    IRBuilder<> builder(state.before->getTerminator());
    const bool in_own_record = in_record_.contains(value) && !result_.keeps_record;
    Value *place = in_own_record ? builder.CreateConstInBoundsGEP1_64(
                                       builder.getInt8Ty(), state.suspension, slots_[value])
                                 : placeOf(builder, value);
    StoreInst *stored = store(builder, value, value, place);
    if (!in_own_record)
      saves_.push_back({value, stored});
  }

  void drop(Save &save) {
    unused_.insert(unused_.end(), save.store->op_begin(), save.store->op_end());
    save.store->eraseFromParent();
    save.store = nullptr;
  }

  // A value keeps its place, so a value loaded from there is not stored again.
  void dropRepeatedSaves() {
    for (Save &save : saves_)
      for (const unsigned i : live_[save.value])
        if (restored_[{states_[i].resume, save.value}] == storedBy(save)) {
          drop(save);
          break;
        }
  }

  // Blocks that are reachable from a suspend point.
  SmallPtrSet<const BasicBlock *, 16> blocksAfterSuspensions() const {
    SmallPtrSet<const BasicBlock *, 16> result;
    SmallVector<const BasicBlock *> work;
    for (const State &state : states_)
      work.push_back(state.resume);
    while (!work.empty())
      if (const BasicBlock *block = work.pop_back_val(); result.insert(block).second)
        work.append(succ_begin(block), succ_end(block));
    return result;
  }

  // A sum carried by a loop is already in its slot when the next iteration is to save it. So only
  // its initial value is saved, before the loop, if no suspend point can have used the slot before.
  void saveWhereChanged() {
    const DominatorTree dominators(function_);
    const auto later = blocksAfterSuspensions();
    DenseMap<Place, const PHINode *> moved;
    for (Save &save : saves_) {
      if (!save.store)
        continue;
      auto *phi = dyn_cast<PHINode>(storedBy(save));
      const Place slot = slotOf(save.value);
      if (!phi || !dominators.dominates(phi->getParent(), save.store->getParent()) ||
          (moved.contains(slot) && moved[slot] != phi))
        continue;
      SmallVector<unsigned> first;
      bool comes_back = false, possible = true;
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        const auto found = restored_from_.find(phi->getIncomingValue(i));
        if (found != restored_from_.end() && found->second == slot) {
          comes_back = true;
          continue;
        }
        first.push_back(i);
        possible &= !later.contains(phi->getIncomingBlock(i));
      }
      if (!comes_back || !possible)
        continue;
      for (const unsigned i : first) {
        IRBuilder<> builder(phi->getIncomingBlock(i)->getTerminator());
        store(builder, save.value, phi->getIncomingValue(i), placeOf(builder, save.value));
      }
      moved[slot] = phi;
      drop(save);
    }
  }

  Value *restore(Instruction *value, const State &state) {
    IRBuilder<> builder(state.resume->getTerminator());
    builder.SetCurrentDebugLocation(value->getDebugLoc());
    if (recomputed_.contains(value))
      return recompute(value, builder, recomputed_in_[state.resume]);
    Value *place = placeOf(builder, value);
    const bool bit = value->getType()->isIntegerTy(1), in_record = in_record_.contains(value);
    Value *kept = builder.CreateAlignedLoad(bit ? builder.getInt8Ty() : value->getType(), place,
                                            alignOfPlace(value), value->getName());
    if (bit)
      kept = builder.CreateTrunc(kept, value->getType());
    if (const Shape shape = shapes_->of(value); in_record && shape.isAffine())
      kept = addLanes(builder, kept, shape.stride, false);
    if (result_.keeps_record || (!in_record && !bit))
      restored_from_[kept] = slotOf(value);
    return kept;
  }

  void keepAcross(Instruction &value, const State &state) {
    restored_[{state.resume, &value}] = restore(&value, state);
    if (!recomputed_.contains(&value))
      save(&value, state);
  }

  // Where the value may be restored, at the latest: before all its uses, in no loop, and where the
  // gang is whole.
  static Instruction *placeBeforeUses(const Instruction &restored, const DominatorTree &dominators,
                                      const ShapedCode &code) {
    const auto blockOf = [](const Use &use) {
      const auto *phi = dyn_cast<PHINode>(use.getUser());
      return phi ? phi->getIncomingBlock(use) : cast<Instruction>(use.getUser())->getParent();
    };
    BasicBlock *target = nullptr;
    for (const Use &use : restored.uses())
      target = target ? dominators.findNearestCommonDominator(target, blockOf(use)) : blockOf(use);
    while (target != restored.getParent() &&
           (code.loops.getLoopFor(target) || code.shapes.isDivergent(target)))
      target = dominators.getNode(target)->getIDom()->getBlock();
    Instruction *place = target->getTerminator();
    for (const Use &use : restored.uses())
      if (auto *user = cast<Instruction>(use.getUser());
          !isa<PHINode>(user) && user->getParent() == target && user->comesBefore(place))
        place = user;
    return place;
  }

  // Loads what states need where they need it, so that it is in registers for a short time. Until
  // the next suspend point, places keep what they had.
  void restoreWhereUsed(const ShapedCode &code) {
    std::vector<WeakVH> restored;
    for (auto &[value, live] : live_)
      for (const unsigned i : live)
        if (!recomputed_.contains(value))
          restored.emplace_back(restored_[{states_[i].resume, value}]);
    unused_.insert(unused_.end(), restored.begin(), restored.end());
    for (const WeakVH &value : unused_)
      if (value)
        RecursivelyDeleteTriviallyDeadInstructions(value);
    const DominatorTree dominators(function_);
    for (const WeakVH &value : restored)
      if (auto *last = dyn_cast_or_null<Instruction>(value))
        moveBefore(*last, *placeBeforeUses(*last, dominators, code));
  }

  // With the operands that only it uses, from the same block.
  static void moveBefore(Instruction &last, Instruction &place) {
    const BasicBlock *from = last.getParent();
    SmallVector<Instruction *> moved = {&last};
    for (size_t i = 0; i < moved.size(); ++i) {
      moved[i]->moveBefore(i ? moved[i - 1] : &place);
      for (Value *operand : moved[i]->operands())
        if (auto *before = dyn_cast<Instruction>(operand);
            before && before->getParent() == from && before->hasOneUse())
          moved.push_back(before);
    }
  }

  // Bounds checks are recomputed at each use: for a gang they are scalar comparisons
  // (mask_reduction.cpp), but a phi of conditions would be a mask.
  void recomputeAtUses(Instruction &value) {
    DenseMap<Instruction *, DenseMap<Value *, Value *>> done; // by insertion point
    for (Use &use : make_early_inc_range(value.uses())) {
      auto *user = cast<Instruction>(use.getUser());
      auto *phi = dyn_cast<PHINode>(user);
      BasicBlock *where = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (where == value.getParent())
        continue;
      Instruction *place = phi ? where->getTerminator() : &*where->getFirstInsertionPt();
      IRBuilder<> builder(place);
      builder.SetCurrentDebugLocation(value.getDebugLoc());
      use.set(recompute(&value, builder, done[place]));
    }
  }

  // Gives the value a definition in each state in which it is live.
  void rewire(Instruction &value, ArrayRef<unsigned> live) {
    SSAUpdater updater;
    updater.Initialize(value.getType(), value.getName());
    updater.AddAvailableValue(value.getParent(), &value);
    for (const unsigned i : live)
      updater.AddAvailableValue(states_[i].resume, restored_[{states_[i].resume, &value}]);
    SmallVector<Use *> uses;
    for (Use &use : value.uses()) {
      auto *phi = dyn_cast<PHINode>(use.getUser());
      BasicBlock *where =
          phi ? phi->getIncomingBlock(use) : cast<Instruction>(use.getUser())->getParent();
      if (where != value.getParent())
        uses.push_back(&use);
    }
    for (Use *use : uses)
      updater.RewriteUse(*use);
  }

  // A place in the record or in the frame.
  using Place = std::pair<unsigned, uint64_t>;
  Place slotOf(Instruction *value) { return {in_record_.contains(value), slots_[value]}; }

  Function &function_;
  const LaneLayout &layout_;
  const DataLayout &data_;
  const Shapes *shapes_ = nullptr; // before any change
  SuspensionResult result_;
  std::vector<State> states_;
  MapVector<Instruction *, SmallVector<unsigned>> live_;
  SmallPtrSet<Instruction *, 16> recomputed_, in_record_;
  SmallVector<Instruction *> bounds_; // varying bounds checks among them
  DenseMap<BasicBlock *, DenseMap<Value *, Value *>> recomputed_in_;
  DenseMap<std::pair<BasicBlock *, Instruction *>, Value *> restored_;
  DenseMap<const Instruction *, uint64_t> slots_;
  DenseMap<uint64_t, SmallVector<Instruction *, 2>> occupants_; // values in each slot of the frame
  DenseMap<const Value *, Place> restored_from_;
  std::vector<Save> saves_;    // to places that values keep
  std::vector<WeakVH> unused_; // unless something else uses it
  uint64_t record_values_ = 0;
};

} // namespace

SuspensionResult lowerSuspendPoints(Function &function, const LaneLayout &layout,
                                    uint64_t frame_bytes) {
  return Splitter(function, layout, frame_bytes).run();
}

} // namespace heddle::engine::simd
