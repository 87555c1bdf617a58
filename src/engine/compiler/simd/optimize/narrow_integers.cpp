// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/optimize/narrow_integers.h"

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

unsigned widthOf(const Value *value) { return value->getType()->getScalarSizeInBits(); }

bool isExtension(const Value *value) { return isa<ZExtInst, SExtInst>(value); }

// Whether there are extensions from i1, i8 or i16, from which narrow values come.
bool hasNarrowValues(Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    return isExtension(&instruction) && widthOf(instruction.getOperand(0)) <= 16;
  });
}

// Ranges of integer values.
class Ranges {
public:
  explicit Ranges(Function &function)
      : assumptions_(function), values_(&assumptions_, &function.getParent()->getDataLayout()) {}

  const ConstantRange &of(Value *value) {
    if (const auto found = known_.find(value); found != known_.end())
      return found->second;
    return known_.try_emplace(value, compute(value)).first->second;
  }

  /// Whether the value is the zero extension (or sign extension) of its low bits.
  bool fitsUnsigned(Value *value, unsigned bits) {
    return of(value).getUnsignedMax().getActiveBits() <= bits;
  }
  bool fitsSigned(Value *value, unsigned bits) {
    return of(value).getSignedMin().getSignificantBits() <= bits &&
           of(value).getSignedMax().getSignificantBits() <= bits;
  }
  bool fits(Value *value, unsigned bits) {
    return fitsUnsigned(value, bits) || fitsSigned(value, bits);
  }
  /// Whether the operands' low bits compare, as unsigned (or signed) numbers, like the operands.
  bool inUnsignedOrder(const User &user, unsigned bits) {
    return fitsUnsigned(user.getOperand(0), bits) && fitsUnsigned(user.getOperand(1), bits);
  }
  bool inSignedOrder(const User &user, unsigned bits) {
    return fitsSigned(user.getOperand(0), bits) && fitsSigned(user.getOperand(1), bits);
  }

private:
  ConstantRange compute(Value *value) {
    if (const auto *constant = dyn_cast<ConstantInt>(value))
      return ConstantRange(constant->getValue());
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction ? values_.getConstantRange(instruction, instruction, false)
                       : ConstantRange::getFull(widthOf(value));
  }

  AssumptionCache assumptions_;
  LazyValueInfo values_;
  DenseMap<Value *, ConstantRange> known_;
};

// Narrows values of one function to one width.
class Narrowing {
public:
  Narrowing(Function &function, const LaneLayout &layout, unsigned register_bytes, unsigned bits)
      : function_(function), lanes_(layout.lanes), register_bits_(8 * register_bytes), bits_(bits),
        narrow_(Type::getIntNTy(function.getContext(), bits)), code_(function, layout),
        ranges_(function) {}

  void run() {
    const ReversePostOrderTraversal<Function *> order(&function_);
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block)
        if (isCandidate(instruction))
          members_.insert(&instruction);
    removeUnfit();
    removeUnprofitable();
    if (!members_.empty())
      rewrite();
  }

private:
  // ---- Candidates ----

  bool isCandidate(const Instruction &instruction) const {
    if (!instruction.getType()->isIntegerTy() || widthOf(&instruction) <= bits_ ||
        widthOf(&instruction) > 64 || code_.shapes.of(&instruction).hasRowBases())
      return false;
    switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::Select:
    case Instruction::PHI:
      return true;
    case Instruction::Call:
      return isa<MinMaxIntrinsic>(instruction) || isAbsolute(instruction);
    case Instruction::Mul: // CPUs lack these operations for vectors of bytes
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      return bits_ > 8;
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
      return widthOf(instruction.getOperand(0)) > bits_;
    default:
      return false;
    }
  }

  bool isNarrowExtension(const Value *value) const {
    return isExtension(value) && widthOf(cast<Instruction>(value)->getOperand(0)) <= bits_;
  }
  // An operand whose low bits are no more expensive than the whole value.
  bool isLeaf(Value *value) const {
    return isa<ConstantInt, UndefValue>(value) || code_.shapes.of(value).hasRowBases() ||
           isNarrowExtension(value);
  }
  bool isNarrow(Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return (instruction && members_.contains(instruction)) || isLeaf(value);
  }

  // The operands that the narrow instruction takes.
  static auto valueOperands(Instruction &instruction) {
    if (isa<SelectInst>(instruction))
      return make_range(instruction.op_begin() + 1, instruction.op_end());
    if (isAbsolute(instruction))
      return make_range(instruction.op_begin(), instruction.op_begin() + 1);
    if (auto *call = dyn_cast<CallBase>(&instruction))
      return make_range(call->arg_begin(), call->arg_end());
    return make_range(instruction.op_begin(), instruction.op_end());
  }

  // Whether the result's low bits depend only on the operands' low bits.
  bool lowBitsDo(Instruction &instruction) {
    switch (instruction.getOpcode()) {
    case Instruction::Shl:
      return isSmallShift(instruction);
    case Instruction::LShr:
      return isSmallShift(instruction) && ranges_.fitsUnsigned(instruction.getOperand(0), bits_);
    case Instruction::AShr:
      return isSmallShift(instruction) && ranges_.fits(instruction.getOperand(0), bits_);
    case Instruction::UDiv:
    case Instruction::URem:
      return dividesByPositive(instruction) && ranges_.inUnsignedOrder(instruction, bits_);
    case Instruction::SDiv:
    case Instruction::SRem:
      return dividesByPositive(instruction) && isInOrder(instruction);
    case Instruction::Call:
      if (isa<MinMaxIntrinsic>(instruction))
        return isInOrder(instruction);
      return isAbsolute(instruction) && ranges_.fitsSigned(instruction.getOperand(0), bits_);
    default:
      return true;
    }
  }
  static bool isAbsolute(const Instruction &instruction) {
    const auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == Intrinsic::abs;
  }
  bool isInOrder(const User &user) {
    return ranges_.inUnsignedOrder(user, bits_) || ranges_.inSignedOrder(user, bits_);
  }
  // Bytes are shifted as 16-bit words, all by the same amount.
  bool isSmallShift(const Instruction &shift) {
    Value *amount = shift.getOperand(1);
    return (isa<ConstantInt>(amount) || bits_ > 8) &&
           ranges_.of(amount).getUnsignedMax().ult(bits_);
  }
  // Other divisions are computed in double precision.
  static bool dividesByPositive(const Instruction &division) {
    const auto *divisor = dyn_cast<ConstantInt>(division.getOperand(1));
    return divisor && divisor->getValue().isStrictlyPositive();
  }

  // A comparison that may use the narrow values.
  bool isNarrowComparison(const User &user) {
    return isa<ICmpInst>(user) && isNarrow(user.getOperand(0)) && isNarrow(user.getOperand(1)) &&
           isInOrder(user);
  }
  bool isNarrowTrunc(const User &user) const {
    return isa<TruncInst>(user) && widthOf(&user) <= bits_;
  }
  static bool isAddress(const User &user) {
    return isa<GetElementPtrInst, IntToPtrInst>(user) ||
           (isExtension(&user) &&
            any_of(user.users(), [](const User *next) { return isa<GetElementPtrInst>(next); }));
  }
  bool needsWide(User &user) {
    return !members_.contains(cast<Instruction>(&user)) && !isNarrowTrunc(user) &&
           !isNarrowComparison(user);
  }

  bool fits(Instruction &member) {
    return all_of(valueOperands(member), [&](Value *operand) { return isNarrow(operand); }) &&
           lowBitsDo(member) && all_of(member.users(), [&](User *user) {
             return !isAddress(*user) && (!needsWide(*user) || ranges_.fits(&member, bits_));
           });
  }

  void removeUnfit() {
    for (bool changed = true; changed;)
      changed = members_.remove_if([&](Instruction *member) { return !fits(*member); });
  }

  // ---- Profitability ----

  unsigned registers(unsigned bits) const {
    return unsigned(divideCeil(uint64_t(lanes_) * bits, register_bits_));
  }

  // Connected values are narrowed together or not at all.
  void removeUnprofitable() {
    EquivalenceClasses<Instruction *> trees;
    for (Instruction *member : members_) {
      trees.insert(member);
      for (User *user : member->users()) {
        auto *instruction = cast<Instruction>(user);
        if (members_.contains(instruction))
          trees.unionSets(member, instruction);
        else if (isNarrowComparison(*user))
          for (Value *operand : user->operands())
            if (auto *other = dyn_cast<Instruction>(operand); other && members_.contains(other))
              trees.unionSets(member, other);
      }
    }
    SmallPtrSet<Instruction *, 16> kept;
    for (auto tree = trees.begin(); tree != trees.end(); ++tree)
      if (tree->isLeader() && isWorthIt(SmallSetVector<Instruction *, 16>(trees.member_begin(tree),
                                                                          trees.member_end())))
        kept.insert(trees.member_begin(tree), trees.member_end());
    members_.remove_if([&](Instruction *member) { return !kept.contains(member); });
  }

  // Whether the narrow computation takes fewer registers.
  bool isWorthIt(const SmallSetVector<Instruction *, 16> &tree) {
    unsigned before = 0, after = 0;
    SmallSetVector<Instruction *, 16> beside; // operands and users
    for (Instruction *member : tree) {
      const unsigned wide = registers(widthOf(member)), effort = effortOf(*member);
      before += effort * wide;
      if (!isa<CastInst>(member))
        after += effort * registers(bits_) * (bits_ == 8 && member->isShift() ? 2 : 1);
      for (Value *operand : valueOperands(*member))
        if (isExtension(operand) && isLeaf(operand))
          beside.insert(cast<Instruction>(operand));
      // Extending a register costs more than an extending load.
      if (any_of(member->users(), [&](User *user) { return needsWide(*user); }))
        after += 2 * wide;
      for (User *user : member->users())
        if (isNarrowTrunc(*user) || isNarrowComparison(*user))
          beside.insert(cast<Instruction>(user));
    }
    for (Instruction *other : beside) {
      const unsigned from = widthOf(other->getOperand(0)), to = widthOf(other);
      if (isExtension(other)) {
        const bool stays = any_of(other->users(), [&](User *user) { return needsWide(*user); });
        before += stays ? 0 : registers(to);
        after += from == bits_ ? 0 : registers(bits_);
      } else {
        before += registers(from);
        after += to == bits_ ? 0 : registers(bits_);
      }
    }
    return after < before;
  }

  static unsigned effortOf(const Instruction &instruction) {
    if (isa<PHINode>(instruction))
      return 0;
    return isa<BinaryOperator>(instruction) && instruction.isIntDivRem() ? 4 : 1;
  }

  // ---- Transformation ----

  void rewrite() {
    for (Instruction *member : members_) {
      Value *low_bits = make(*member);
      narrowed_[member] = low_bits;
    }
    for (Instruction *member : members_)
      if (auto *phi = dyn_cast<PHINode>(member)) {
        auto *copy = cast<PHINode>(narrowed_[phi]);
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          copy->addIncoming(low(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
      }
    for (Instruction *member : members_)
      replaceUses(*member);
    removeDead();
  }

  // The insertion point for the value's low bits: after its definition.
  BasicBlock::iterator placeBehind(Value *value) {
    if (auto *instruction = dyn_cast<Instruction>(value))
      if (const auto place = instruction->getInsertionPointAfterDef())
        return *place;
    return function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  }

  Value *low(Value *value) {
    if (auto *constant = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(narrow_, constant->getValue().trunc(bits_));
    if (isa<PoisonValue>(value))
      return PoisonValue::get(narrow_);
    if (isa<UndefValue>(value))
      return UndefValue::get(narrow_);
    WeakTrackingVH &result = narrowed_[value];
    if (!result) {
      const BasicBlock::iterator place = placeBehind(value);
      IRBuilder<> builder(place->getParent(), place);
      if (const auto *instruction = dyn_cast<Instruction>(value))
        builder.SetCurrentDebugLocation(instruction->getDebugLoc());
      if (auto *extension = dyn_cast<CastInst>(value); extension && isNarrowExtension(value))
        result = builder.CreateCast(extension->getOpcode(), extension->getOperand(0), narrow_);
      else
        result = builder.CreateTrunc(value, narrow_);
    }
    return result;
  }

  // The member's low bits; phis get their operands later.
  Value *make(Instruction &member) {
    IRBuilder<> builder(&member);
    const std::string name = member.hasName() ? (member.getName() + ".narrow").str() : "";
    if (auto *phi = dyn_cast<PHINode>(&member))
      return builder.CreatePHI(narrow_, phi->getNumIncomingValues(), name);
    SmallVector<Value *, 2> operands;
    for (Value *operand : valueOperands(member))
      operands.push_back(low(operand));
    if (isa<CastInst>(member))
      return operands[0];
    if (auto *select = dyn_cast<SelectInst>(&member))
      return builder.CreateSelect(select->getCondition(), operands[0], operands[1], name, select);
    if (isAbsolute(member))
      return builder.CreateBinaryIntrinsic(Intrinsic::abs, operands[0], builder.getFalse(), {},
                                           name);
    if (auto *extreme = dyn_cast<MinMaxIntrinsic>(&member))
      return builder.CreateBinaryIntrinsic(extremeInOrder(*extreme), operands[0], operands[1], {},
                                           name);
    return builder.CreateBinOp(opcodeInOrder(cast<BinaryOperator>(member)), operands[0],
                               operands[1], name);
  }

  // For non-negative numbers, also those whose highest narrow bit is set.
  Intrinsic::ID extremeInOrder(const MinMaxIntrinsic &extreme) {
    if (!ranges_.inUnsignedOrder(extreme, bits_))
      return extreme.getIntrinsicID(); // sign-extended numbers keep their unsigned order
    const bool is_max =
        extreme.getIntrinsicID() == Intrinsic::smax || extreme.getIntrinsicID() == Intrinsic::umax;
    return is_max ? Intrinsic::umax : Intrinsic::umin;
  }
  Instruction::BinaryOps opcodeInOrder(const BinaryOperator &operation) {
    switch (operation.getOpcode()) {
    case Instruction::AShr:
      return ranges_.fitsUnsigned(operation.getOperand(0), bits_) ? Instruction::LShr
                                                                  : Instruction::AShr;
    case Instruction::SDiv:
      return ranges_.inUnsignedOrder(operation, bits_) ? Instruction::UDiv : Instruction::SDiv;
    case Instruction::SRem:
      return ranges_.inUnsignedOrder(operation, bits_) ? Instruction::URem : Instruction::SRem;
    default:
      return operation.getOpcode();
    }
  }

  void replaceUses(Instruction &member) {
    Value *low_bits = narrowed_[&member], *extended = nullptr;
    const SmallSetVector<User *, 8> users(member.user_begin(), member.user_end());
    for (User *user : users) {
      auto *instruction = cast<Instruction>(user);
      if (members_.contains(instruction) || dead_.contains(instruction))
        continue;
      IRBuilder<> builder(instruction);
      if (isNarrowTrunc(*user)) {
        instruction->replaceAllUsesWith(builder.CreateTrunc(low_bits, user->getType()));
        dead_.insert(instruction);
      } else if (isNarrowComparison(*user)) {
        instruction->replaceAllUsesWith(compare(builder, cast<ICmpInst>(*instruction)));
        dead_.insert(instruction);
      } else {
        if (!extended)
          extended = extend(member);
        instruction->replaceUsesOfWith(&member, extended);
      }
    }
  }

  Value *compare(IRBuilder<> &builder, ICmpInst &comparison) {
    const auto predicate = ranges_.inUnsignedOrder(comparison, bits_)
                               ? comparison.getUnsignedPredicate()
                               : comparison.getPredicate();
    return builder.CreateICmp(predicate, low(comparison.getOperand(0)),
                              low(comparison.getOperand(1)));
  }

  Value *extend(Instruction &member) {
    const BasicBlock::iterator place = placeBehind(&member);
    IRBuilder<> builder(place->getParent(), place);
    builder.SetCurrentDebugLocation(member.getDebugLoc());
    Value *low_bits = narrowed_[&member];
    return ranges_.fitsUnsigned(&member, bits_) ? builder.CreateZExt(low_bits, member.getType())
                                                : builder.CreateSExt(low_bits, member.getType());
  }

  void removeDead() {
    dead_.insert(members_.begin(), members_.end());
    for (const auto &[old, narrowed] : narrowed_)
      if (isExtension(old) &&
          all_of(old->users(), [&](User *user) { return dead_.contains(cast<Instruction>(user)); }))
        dead_.insert(cast<Instruction>(old));
    for (Instruction *instruction : dead_)
      instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
    for (Instruction *instruction : dead_)
      instruction->eraseFromParent();
  }

  Function &function_;
  unsigned lanes_, register_bits_, bits_;
  Type *narrow_;
  const ShapedCode code_;
  Ranges ranges_;
  SetVector<Instruction *> members_; // to be narrowed; operands come first
  DenseMap<Value *, WeakTrackingVH> narrowed_;
  SmallSetVector<Instruction *, 16> dead_;
};

} // namespace

void narrowIntegers(Function &function, const LaneLayout &layout, unsigned register_bytes) {
  if (layout.lanes == 1 || !hasNarrowValues(function))
    return;
  for (const unsigned bits : {8, 16})
    Narrowing(function, layout, register_bytes, bits).run();
}

} // namespace heddle::engine::simd
