// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/post/demanded_lanes.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace heddle::engine {
namespace {

using Lanes = SmallVector<int>; // of a vector; -1: any lane

unsigned lanesOf(const Value &value) {
  const auto *type = dyn_cast<FixedVectorType>(value.getType());
  return type ? type->getNumElements() : 0;
}

// Whether lane i of the result depends only on lane i of the operands and the operation cannot
// trap.
bool isLaneByLane(const Instruction &instruction) {
  const unsigned lanes = lanesOf(instruction);
  if (lanes == 0 || instruction.isIntDivRem())
    return false;
  if (isa<UnaryOperator, BinaryOperator, CmpInst, SelectInst, FreezeInst>(instruction))
    return true;
  if (const auto *cast = dyn_cast<CastInst>(&instruction))
    return lanesOf(*cast->getOperand(0)) == lanes;
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && isTriviallyVectorizable(call->getIntrinsicID()) &&
         all_of(call->args(), [&](const Use &argument) {
           return !argument->getType()->isVectorTy() || lanesOf(*argument) == lanes;
         });
}

// The lanes that a select takes from its first vector, if known.
std::optional<BitVector> selectedLanes(const SelectInst &select) {
  const auto *condition = dyn_cast<Constant>(select.getCondition());
  if (!condition || !condition->getType()->isVectorTy())
    return std::nullopt;
  BitVector lanes(lanesOf(select));
  for (unsigned lane = 0; lane < lanes.size(); ++lane) {
    const Constant *element = condition->getAggregateElement(lane);
    if (!element || !isa<ConstantInt>(element))
      return std::nullopt;
    lanes[lane] = element->isOneValue();
  }
  return lanes;
}

// The lane that is extracted or inserted, if the instruction does that and the lane is known.
std::optional<unsigned> knownLane(const Value &instruction) {
  const Value *index = nullptr;
  if (const auto *extract = dyn_cast<ExtractElementInst>(&instruction))
    index = extract->getIndexOperand();
  else if (isa<InsertElementInst>(instruction))
    index = cast<Instruction>(instruction).getOperand(2);
  const auto *number = dyn_cast_or_null<ConstantInt>(index);
  if (!number || number->getValue().uge(lanesOf(*cast<Instruction>(instruction).getOperand(0))))
    return std::nullopt;
  return unsigned(number->getZExtValue());
}

// Computes which lanes of each vector are demanded. Instructions that pass lanes on demand those of
// their operands that are demanded of themselves.
class NeededLanes {
public:
  explicit NeededLanes(Function &function) {
    for (Instruction &instruction : instructions(function))
      if (!passesOn(instruction))
        use(instruction);
    while (!changed_.empty())
      pass(*changed_.pop_back_val());
  }

  const BitVector &of(const Instruction &vector) { return needed_[&vector]; }

private:
  static bool passesOn(const Instruction &instruction) {
    return isLaneByLane(instruction) || isa<ShuffleVectorInst>(instruction) ||
           (isa<InsertElementInst>(instruction) && knownLane(instruction)) ||
           (isa<PHINode>(instruction) && lanesOf(instruction) != 0);
  }

  void need(const Value *vector, const BitVector &lanes) {
    const auto *instruction = dyn_cast<Instruction>(vector);
    if (!instruction || lanesOf(*vector) == 0)
      return;
    BitVector &known = needed_[instruction];
    known.resize(lanes.size());
    if (!lanes.test(known))
      return;
    known |= lanes;
    if (passesOn(*instruction))
      changed_.push_back(instruction);
  }

  void need(const Value *vector) { need(vector, BitVector(lanesOf(*vector), true)); }

  void use(const Instruction &user) {
    if (const auto index = isa<ExtractElementInst>(user) ? knownLane(user) : std::nullopt) {
      BitVector lane(lanesOf(*user.getOperand(0)));
      lane.set(*index);
      return need(user.getOperand(0), lane);
    }
    for (const Value *operand : user.operands())
      if (lanesOf(*operand) != 0)
        need(operand);
  }

  void pass(const Instruction &user) {
    const BitVector lanes = needed_[&user];
    if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(&user))
      return passShuffled(*shuffle, lanes);
    BitVector other = lanes;
    if (const auto *select = dyn_cast<SelectInst>(&user))
      if (auto selected = selectedLanes(*select)) {
        need(select->getFalseValue(), other.reset(*selected));
        return need(select->getTrueValue(), *selected &= lanes);
      }
    if (const auto inserted = knownLane(user))
      return need(user.getOperand(0), other.reset(*inserted));
    for (const Value *operand : user.operands())
      if (lanesOf(*operand) == lanes.size())
        need(operand, lanes);
  }

  void passShuffled(const ShuffleVectorInst &shuffle, const BitVector &lanes) {
    const unsigned first = lanesOf(*shuffle.getOperand(0));
    BitVector operands[] = {BitVector(first), BitVector(first)};
    for (const unsigned lane : lanes.set_bits())
      if (const int from = shuffle.getMaskValue(lane); from >= 0)
        operands[unsigned(from) / first].set(unsigned(from) % first);
    need(shuffle.getOperand(0), operands[0]);
    need(shuffle.getOperand(1), operands[1]);
  }

  DenseMap<const Instruction *, BitVector> needed_;
  SmallVector<const Instruction *> changed_;
};

struct Lane {
  Value *vector = nullptr; // null: any value
  unsigned index = 0;
};

// The source of a lane, looking through instructions that only move lanes.
Lane origin(Value *vector, int index) {
  while (index >= 0) {
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
      const int from = shuffle->getMaskValue(unsigned(index));
      const int first = int(lanesOf(*shuffle->getOperand(0)));
      vector = shuffle->getOperand(from < first ? 0 : 1);
      index = from < first ? from : from - first;
    } else if (const auto inserted = knownLane(*vector); inserted && *inserted != unsigned(index)) {
      vector = cast<InsertElementInst>(vector)->getOperand(0);
    } else {
      return {vector, unsigned(index)};
    }
  }
  return {};
}

class Packer {
public:
  Packer(Function &function, unsigned register_bytes)
      : function_(function), data_(function.getParent()->getDataLayout()),
        register_bits_(register_bytes * 8), needed_(function) {}

  void run() {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
      for (Instruction &instruction : make_early_inc_range(*block))
        if (const Lanes lanes = worthPacking(instruction); !lanes.empty())
          pack(instruction, lanes);
    SmallVector<WeakTrackingVH> replaced;
    for (auto &[instruction, packed] : packed_) {
      useElsewhere(*instruction, packed);
      replaced.emplace_back(instruction);
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  }

private:
  struct Packed {
    Value *vector;
    Lanes lanes; // numbers in the original vector
  };

  // ---- Cost, in instructions ----

  unsigned lanesOfRegister(const Value &vector) const {
    Type *element = cast<FixedVectorType>(vector.getType())->getElementType();
    const unsigned bits = unsigned(data_.getTypeSizeInBits(element));
    return std::max(1U, register_bits_ / std::max(8U, bits));
  }

  unsigned registersFor(const Value &vector, size_t lanes) const {
    return unsigned(divideCeil(lanes, lanesOfRegister(vector)));
  }

  // The cost of moving lanes to these positions; none for whole registers.
  unsigned moves(const Value &type, ArrayRef<Lane> lanes) const {
    const unsigned per_register = lanesOfRegister(type);
    unsigned sum = 0;
    for (size_t first = 0; first < lanes.size(); first += per_register) {
      SmallSet<std::pair<const Value *, unsigned>, 4> registers;
      bool in_place = true;
      for (size_t i = first; i < std::min(lanes.size(), first + per_register); ++i) {
        if (!lanes[i].vector || isa<Constant>(lanes[i].vector))
          continue;
        registers.insert({lanes[i].vector, lanes[i].index / per_register});
        in_place &= lanes[i].index % per_register == i - first;
      }
      sum += registers.size() > 1 ? unsigned(registers.size()) - 1 : !in_place;
    }
    return sum;
  }

  // Where an operand's lanes are after packing.
  SmallVector<Lane> packedOrigins(Value *operand, ArrayRef<int> lanes) const {
    SmallVector<Lane> result;
    for (const int lane : lanes) {
      Lane from = origin(operand, lane);
      if (const auto packed = packed_.find(dyn_cast_or_null<Instruction>(from.vector));
          packed != packed_.end()) {
        const auto lane_at = find(packed->second.lanes, int(from.index));
        // A lane that is not demanded is one that the select does not take.
        from = lane_at == packed->second.lanes.end()
                   ? Lane()
                   : Lane{packed->second.vector, unsigned(lane_at - packed->second.lanes.begin())};
      }
      result.push_back(from);
    }
    return result;
  }

  unsigned costAsIs(Instruction &instruction, const BitVector &needed) const {
    unsigned cost = registersFor(instruction, needed.size());
    for (Value *operand : instruction.operands()) {
      if (lanesOf(*operand) == 0)
        continue;
      SmallVector<Lane> lanes(needed.size());
      for (const unsigned lane : needed.set_bits())
        lanes[lane] = origin(operand, int(lane));
      cost += moves(*operand, lanes);
    }
    return cost;
  }

  // Masks are only moved as a whole, since moving single lanes takes many instructions.
  static bool isMask(const Value &vector) {
    return vector.getType()->getScalarType()->isIntegerTy(1);
  }

  std::optional<unsigned> costPacked(Instruction &instruction, const Lanes &lanes) const {
    unsigned cost = registersFor(instruction, lanes.size());
    for (Value *operand : instruction.operands()) {
      if (lanesOf(*operand) == 0 || isa<Constant>(operand))
        continue;
      const SmallVector<Lane> from = packedOrigins(operand, lanes);
      if (isMask(*operand) && !isWhole(from))
        return std::nullopt;
      cost += moves(*operand, from);
    }
    return cost;
  }

  // Whether the lanes are some vector, unchanged.
  static bool isWhole(ArrayRef<Lane> lanes) {
    Value *vector = lanes[0].vector;
    if (!vector || lanesOf(*vector) != lanes.size())
      return false;
    for (unsigned i = 0; i < lanes.size(); ++i)
      if (lanes[i].vector != vector || lanes[i].index != i)
        return false;
    return true;
  }

  // The cost of restoring the original positions for users that need them.
  unsigned costElsewhere(Instruction &instruction, const BitVector &needed) const {
    SmallPtrSet<const Value *, 8> moved{&instruction};
    SmallVector<const Value *> unseen{&instruction};
    while (!unseen.empty())
      for (const User *user : unseen.pop_back_val()->users()) {
        if (isa<ShuffleVectorInst>(user)) {
          if (moved.insert(user).second)
            unseen.push_back(user);
        } else if (!isa<ExtractElementInst>(user) && !isLaneByLane(*cast<Instruction>(user))) {
          return registersFor(instruction, needed.size());
        }
      }
    return 0;
  }

  // The lanes to compute; empty if packing does not pay.
  Lanes worthPacking(Instruction &instruction) {
    Lanes lanes;
    if (!isLaneByLane(instruction) || registersFor(instruction, lanesOf(instruction)) < 2)
      return lanes;
    const BitVector needed = needed_.of(instruction);
    if (needed.none())
      return lanes;
    for (const unsigned lane : needed.set_bits())
      lanes.push_back(int(lane));
    lanes.resize(PowerOf2Ceil(lanes.size()), lanes.back());
    const unsigned elsewhere = costElsewhere(instruction, needed);
    if (registersFor(instruction, lanes.size()) >=
            registersFor(instruction, lanesOf(instruction)) ||
        (isMask(instruction) && elsewhere != 0))
      return {};
    const std::optional<unsigned> packed = costPacked(instruction, lanes);
    return packed && *packed + elsewhere < costAsIs(instruction, needed) ? lanes : Lanes();
  }

  // ---- Transformation ----

  // The lanes as a packed vector.
  Value *gather(IRBuilder<> &b, Value *operand, const Lanes &lanes) const {
    const SmallVector<Lane> from = packedOrigins(operand, lanes);
    if (isWhole(from))
      return from[0].vector;
    SmallVector<Value *, 2> vectors;
    for (const Lane &lane : from)
      if (lane.vector && !is_contained(vectors, lane.vector))
        vectors.push_back(lane.vector);
    if (vectors.empty())
      return PoisonValue::get(withLanes(operand->getType(), lanes.size()));
    if (vectors.size() > 2)
      return b.CreateShuffleVector(operand, lanes);
    const unsigned size = std::max(lanesOf(*vectors.front()), lanesOf(*vectors.back()));
    Lanes mask;
    for (const Lane &lane : from)
      mask.push_back(!lane.vector ? -1 : int(lane.index + (lane.vector == vectors[0] ? 0 : size)));
    for (Value *&vector : vectors)
      if (const unsigned own = lanesOf(*vector); own != size)
        vector = b.CreateShuffleVector(vector, createSequentialMask(0, own, size - own));
    return vectors.size() == 1 ? b.CreateShuffleVector(vectors[0], mask)
                               : b.CreateShuffleVector(vectors[0], vectors[1], mask);
  }

  static Type *withLanes(Type *type, size_t lanes) {
    return FixedVectorType::get(type->getScalarType(), unsigned(lanes));
  }

  void pack(Instruction &instruction, const Lanes &lanes) {
    IRBuilder<> b(&instruction);
    Instruction *copy = instruction.clone();
    copy->mutateType(withLanes(instruction.getType(), lanes.size()));
    for (Use &operand : copy->operands())
      if (lanesOf(*operand) != 0)
        operand = gather(b, operand, lanes);
    if (auto *call = dyn_cast<IntrinsicInst>(copy)) {
      const Intrinsic::ID id = call->getIntrinsicID();
      SmallVector<Type *> types;
      if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1))
        types.push_back(call->getType());
      for (unsigned i = 0; i < call->arg_size(); ++i)
        if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(i)))
          types.push_back(call->getArgOperand(i)->getType());
      call->setCalledFunction(Intrinsic::getDeclaration(function_.getParent(), id, types));
    }
    b.Insert(copy);
    Value *result = copy;
    if (Value *simple = simplifyInstruction(copy, data_)) { // e.g. x + 0, in the first lane
      result = simple;
      copy->eraseFromParent();
    }
    packed_.insert({&instruction, {result, lanes}});
  }

  // Users that are not packed take single lanes from their new positions; others get the original
  // vector rebuilt.
  void useElsewhere(Instruction &instruction, const Packed &packed) {
    IRBuilder<> b(instruction.getNextNode());
    SmallVector<int> back(lanesOf(instruction), -1);
    for (unsigned i = 0; i < packed.lanes.size(); ++i)
      if (int &lane = back[unsigned(packed.lanes[i])]; lane < 0)
        lane = int(i);
    for (User *user : make_early_inc_range(instruction.users()))
      if (const auto lane = isa<ExtractElementInst>(user) ? knownLane(*user) : std::nullopt) {
        user->setOperand(0, packed.vector);
        user->setOperand(1, b.getInt64(uint64_t(back[*lane])));
      }
    if (!instruction.use_empty())
      instruction.replaceAllUsesWith(b.CreateShuffleVector(packed.vector, back));
  }

  Function &function_;
  const DataLayout &data_;
  unsigned register_bits_;
  NeededLanes needed_;
  MapVector<Instruction *, Packed> packed_;
};

} // namespace

void packDemandedLanes(Function &function, unsigned register_bytes) {
  if (!function.isDeclaration())
    Packer(function, register_bytes).run();
}

} // namespace heddle::engine
