// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/optimize/packs.h"

#include "engine/compiler/simd/analysis/access/interleaved_groups.h"
#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned largest_pack = 8; // members

using Members = SmallVector<Instruction *, 4>;

// Values of one block that become one vector.
struct Pack {
  Members members;
  bool possible = true;
  Instruction *made = nullptr;
};

struct Place { // of a member
  unsigned pack = 0, position = 0;
};

bool isAccess(const Pack &pack) { return isa<LoadInst, StoreInst>(pack.members.front()); }

// Whether the operation is element-wise.
bool isElementwise(const Instruction &instruction) {
  Type *type = instruction.getType();
  if (!type->isIntegerTy() && !type->isFloatingPointTy())
    return false;
  if (const auto *operation = dyn_cast<BinaryOperator>(&instruction))
    return !operation->isIntDivRem();
  if (const auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    const Intrinsic::ID id = call->getIntrinsicID();
    if (!isTriviallyVectorizable(id))
      return false;
    for (unsigned i = 0; i < call->arg_size(); ++i)
      if (isVectorIntrinsicWithScalarOpAtArg(id, i) || call->getArgOperand(i)->getType() != type)
        return false;
    return true;
  }
  return isa<UnaryOperator, PHINode>(instruction);
}

// Without the callee.
unsigned operandCount(const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return call->arg_size();
  return instruction.getNumOperands();
}

class Packer {
public:
  Packer(Function &function, const LaneLayout &layout)
      : function_(function), code_(function, layout),
        groups_(interleavedAccesses(function, code_.shapes)) {}

  void run() {
    findAccesses();
    while (!work_.empty()) {
      const unsigned pack = work_.pop_back_val();
      packOperands(pack);
      packUsers(pack);
    }
    dropImpossible();
    dropUseless();
    if (any_of(packs_, [](const Pack &pack) { return pack.possible; }))
      make();
  }

private:
  // ---- Candidates ----

  // Whether nearly all gangs enter the block with all lanes or none: after `if (i < n)`.
  bool isWithinBounds(const BasicBlock &block) const {
    const BasicBlock *before = block.getSinglePredecessor();
    const auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    return branch && branch->isConditional() && !code_.shapes.isDivergent(before) &&
           isBound(*branch->getCondition(), code_.shapes);
  }

  // In other gangs, elements of a size that all CPUs have masked accesses for can be masked.
  bool staysTogether(const AccessGroup &group) const {
    constexpr uint64_t least_masked = 4; // bytes
    const BasicBlock &block = *group.first->getParent();
    const DataLayout &data = block.getModule()->getDataLayout();
    return !code_.shapes.isDivergent(&block) ||
           (data.getTypeStoreSize(getLoadStoreType(group.first)) >= least_masked &&
            isWithinBounds(block));
  }

  void findAccesses() {
    for (const AccessGroup &group : groups_)
      if (isPowerOf2_32(group.step) && group.step <= largest_pack &&
          !is_contained(group.members, nullptr) && staysTogether(group)) {
        group_of_[unsigned(packs_.size())] = &group;
        add(Members(group.members.begin(), group.members.end()));
      }
  }

  void add(Members members) {
    for (unsigned i = 0; i < members.size(); ++i)
      place_[members[i]] = {unsigned(packs_.size()), i};
    work_.push_back(unsigned(packs_.size()));
    packs_.push_back({std::move(members)});
  }

  // The pack with these members in this order.
  std::optional<unsigned> packOf(ArrayRef<Value *> values) const {
    for (unsigned i = 0; i < values.size(); ++i) {
      const auto found = place_.find(values[i]);
      if (found == place_.end() || found->second.position != i ||
          found->second.pack != place_.find(values[0])->second.pack)
        return std::nullopt;
    }
    const unsigned pack = place_.find(values[0])->second.pack;
    return packs_[pack].members.size() == values.size() ? std::optional(pack) : std::nullopt;
  }

  static SmallVector<Value *, 4> operandsOf(const Pack &pack, unsigned i) {
    SmallVector<Value *, 4> result;
    for (const Instruction *member : pack.members)
      result.push_back(member->getOperand(i));
    return result;
  }

  // The operands that must be packs or can be made so: all but addresses.
  static unsigned valuesOf(const Pack &pack) {
    const Instruction &first = *pack.members.front();
    return isa<LoadInst>(first) ? 0 : isa<StoreInst>(first) ? 1 : operandCount(first);
  }

  static bool needsPack(ArrayRef<Value *> values) {
    return !all_equal(values) && !all_of(values, [](const Value *v) { return isa<Constant>(v); });
  }

  // Whether both are the same operation, on any operands.
  static bool isAlike(const Instruction &one, const Instruction &other) {
    if (one.getParent() != other.getParent() || one.getType() != other.getType() ||
        one.getOpcode() != other.getOpcode() || !isElementwise(one) || !isElementwise(other))
      return false;
    if (const auto *call = dyn_cast<IntrinsicInst>(&one))
      return call->getIntrinsicID() == cast<IntrinsicInst>(other).getIntrinsicID();
    if (const auto *phi = dyn_cast<PHINode>(&one))
      return equal(phi->blocks(), cast<PHINode>(other).blocks());
    return true;
  }

  void packOperands(unsigned pack) {
    for (unsigned i = 0; i < valuesOf(packs_[pack]); ++i) {
      const auto values = operandsOf(packs_[pack], i);
      if (!needsPack(values))
        continue;
      Members members;
      for (Value *value : values) {
        auto *instruction = dyn_cast<Instruction>(value);
        if (!instruction || place_.contains(instruction) || is_contained(members, instruction) ||
            !isElementwise(*instruction) ||
            (!members.empty() && !isAlike(*members.front(), *instruction)))
          break;
        members.push_back(instruction);
      }
      if (members.size() == values.size())
        add(std::move(members));
    }
  }

  // Packs the users of all members that are alike.
  void packUsers(unsigned pack) {
    const Members from = packs_[pack].members;
    if (isa<StoreInst>(from.front()))
      return;
    SmallVector<Use *> uses;
    for (Use &use : from.front()->uses())
      uses.push_back(&use);
    for (Use *use : uses) {
      auto *first = cast<Instruction>(use->getUser());
      if (place_.contains(first) || !isElementwise(*first))
        continue;
      Members users = {first};
      for (Instruction *member : drop_begin(from))
        if (Instruction *user = userLike(*first, use->getOperandNo(), *member, users))
          users.push_back(user);
      if (users.size() == from.size())
        add(std::move(users));
    }
  }

  // The first instruction in its block that uses `member` as `first` uses the first member.
  Instruction *userLike(Instruction &first, unsigned operand, Instruction &member,
                        ArrayRef<Instruction *> taken) {
    Instruction *result = nullptr;
    for (const Use &use : member.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (use.getOperandNo() != operand || !isAlike(first, *user) || place_.contains(user) ||
          is_contained(taken, user) || (result && !user->comesBefore(result)))
        continue;
      const bool fits = all_of(seq(operandCount(first)), [&](unsigned i) {
        return i == operand ||
               mayBeOfOnePack(first.getOperand(i), user->getOperand(i), unsigned(taken.size()));
      });
      if (fits)
        result = user;
    }
    return result;
  }

  bool mayBeOfOnePack(Value *first, Value *other, unsigned position) const {
    if (first == other || (isa<Constant>(first) && isa<Constant>(other)))
      return true;
    const auto *one = dyn_cast<Instruction>(first), *two = dyn_cast<Instruction>(other);
    if (!one || !two)
      return false;
    const auto here = place_.find(first), there = place_.find(other);
    if (here == place_.end() || there == place_.end())
      return here == there && isAlike(*one, *two);
    return here->second.pack == there->second.pack && here->second.position == 0 &&
           there->second.position == position;
  }

  // ---- Legality ----

  bool isPacked(const Value *value) const {
    const auto found = place_.find(value);
    return found != place_.end() && packs_[found->second.pack].possible;
  }

  static Instruction *lastOf(const Members &members) {
    return *llvm::max_element(
        members, [](const Instruction *a, const Instruction *b) { return a->comesBefore(b); });
  }

  bool isPossible(unsigned number) const {
    const Pack &pack = packs_[number];
    for (unsigned i = 0; i < valuesOf(pack); ++i) {
      const auto values = operandsOf(pack, i);
      const auto found = packOf(values);
      if (needsPack(values) ? !found || !packs_[*found].possible : isPacked(values[0]))
        return false; // it may be defined after this pack's position
    }
    // The vector is created at the last member's position.
    if (isAccess(pack) || isa<PHINode>(pack.members.front()))
      return true;
    const Instruction *last = lastOf(pack.members);
    return none_of(pack.members, [&](const Instruction *member) {
      return any_of(member->users(), [&](const User *user) {
        const auto *other = cast<Instruction>(user);
        return !isPacked(other) && !isa<PHINode>(other) &&
               other->getParent() == last->getParent() && other->comesBefore(last);
      });
    });
  }

  void dropImpossible() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i < packs_.size(); ++i)
        if (packs_[i].possible && !isPossible(i)) {
          packs_[i].possible = false;
          changed = true;
        }
    }
  }

  // ---- Profitability ----

  // Live-outs of a loop are extracted after it.
  static bool isBehindLoop(const User &user) {
    const auto *phi = dyn_cast<PHINode>(&user);
    return phi && phi->getNumIncomingValues() == 1;
  }

  // Measured in shuffles: a transposition takes log2(members) per vector. It is saved where members
  // are loaded or stored, and needed where a user takes a single member.
  double gainOf(const Pack &pack) const {
    const double members = double(pack.members.size());
    const double transposition = members * std::log2(members);
    const double weight = code_.weightOf(*pack.members[0]->getParent());
    double gain = isAccess(pack) ? transposition * weight : 0;
    double outside = 0;
    for (const Instruction *member : pack.members)
      for (const User *user : member->users())
        if (!isPacked(user))
          outside = std::max(outside, isBehindLoop(*user)
                                          ? code_.weightOf(*cast<Instruction>(user)->getParent())
                                          : weight);
    gain -= outside * transposition;
    for (unsigned i = 0; i < valuesOf(pack); ++i)
      if (const auto values = operandsOf(pack, i); all_equal(values)) {
        const Shape shape = code_.shapes.of(values[0]);
        if (!shape.hasRowBases() || shape.stride != 0)
          gain -= members * weight;
      }
    return gain;
  }

  // Connected packs become vectors together or not at all.
  void dropUseless() {
    EquivalenceClasses<unsigned> together;
    DenseMap<unsigned, double> gains;
    for (unsigned pack = 0; pack < packs_.size(); ++pack)
      if (packs_[pack].possible) {
        together.insert(pack);
        for (unsigned i = 0; i < valuesOf(packs_[pack]); ++i)
          if (const auto values = operandsOf(packs_[pack], i); needsPack(values))
            if (const auto operands = packOf(values))
              together.unionSets(pack, *operands);
      }
    for (unsigned pack = 0; pack < packs_.size(); ++pack)
      if (packs_[pack].possible)
        gains[together.getLeaderValue(pack)] += gainOf(packs_[pack]);
    for (unsigned pack = 0; pack < packs_.size(); ++pack)
      packs_[pack].possible = packs_[pack].possible && gains[together.getLeaderValue(pack)] > 0;
  }

  // ---- Transformation ----

  // The vector of these values at the builder's position.
  Value *vectorOf(ArrayRef<Value *> values, IRBuilder<> &b) const {
    if (const auto pack = needsPack(values) ? packOf(values) : std::nullopt)
      return packs_[*pack].made;
    if (all_of(values, [](const Value *value) { return isa<Constant>(value); })) {
      SmallVector<Constant *, 4> constants;
      for (Value *value : values)
        constants.push_back(cast<Constant>(value));
      return ConstantVector::get(constants);
    }
    return b.CreateVectorSplat(unsigned(values.size()), values[0]);
  }

  static Value *firstAddress(const AccessGroup &group, const Instruction &at, IRBuilder<> &b) {
    auto *own = const_cast<Instruction *>(&at);
    const auto position = find(group.members, own) - group.members.begin();
    return b.CreateConstGEP1_64(getLoadStoreType(own), getLoadStorePointerOperand(own),
                                uint64_t(-position));
  }

  void makeAccess(unsigned number) {
    Pack &pack = packs_[number];
    const AccessGroup &group = *group_of_.lookup(number);
    const bool loads = isa<LoadInst>(group.first);
    Instruction *at = loads ? group.first : group.last;
    IRBuilder<> b(at);
    Value *address = firstAddress(group, *at, b);
    Align align = getLoadStoreAlignment(at);
    for (Instruction *member : pack.members)
      align = std::min(align, getLoadStoreAlignment(member));
    auto *type = FixedVectorType::get(getLoadStoreType(at), unsigned(pack.members.size()));
    if (loads)
      pack.made = b.CreateAlignedLoad(type, address, align);
    else
      pack.made = b.CreateAlignedStore(vectorOf(operandsOf(pack, 0), b), address, align);
    propagateMetadata(pack.made, SmallVector<Value *>(pack.members.begin(), pack.members.end()));
  }

  void makeOperation(Pack &pack) {
    Instruction *last = lastOf(pack.members);
    IRBuilder<> b(last);
    auto *type = FixedVectorType::get(last->getType(), unsigned(pack.members.size()));
    if (auto *phi = dyn_cast<PHINode>(last)) {
      pack.made = b.CreatePHI(type, phi->getNumIncomingValues());
      return;
    }
    SmallVector<Value *> operands;
    for (unsigned i = 0; i < valuesOf(pack); ++i)
      operands.push_back(vectorOf(operandsOf(pack, i), b));
    if (auto *call = dyn_cast<IntrinsicInst>(last))
      pack.made = b.CreateIntrinsic(call->getIntrinsicID(), {type}, operands);
    else
      pack.made = b.Insert(isa<UnaryOperator>(last)
                               ? static_cast<Instruction *>(UnaryOperator::Create(
                                     cast<UnaryOperator>(last)->getOpcode(), operands[0]))
                               : BinaryOperator::Create(cast<BinaryOperator>(last)->getOpcode(),
                                                        operands[0], operands[1]));
    pack.made->copyIRFlags(last);
    for (const Instruction *member : pack.members)
      pack.made->andIRFlags(member);
  }

  void completePhi(Pack &pack) {
    auto *first = dyn_cast<PHINode>(pack.members.front());
    for (unsigned i = 0; first && i < first->getNumIncomingValues(); ++i) {
      IRBuilder<> b(first->getIncomingBlock(i)->getTerminator());
      cast<PHINode>(pack.made)->addIncoming(vectorOf(operandsOf(pack, i), b),
                                            first->getIncomingBlock(i));
    }
  }

  // Extracts members for users outside of packs.
  void serveOthers(Pack &pack) {
    DenseMap<BasicBlock *, Instruction *> behind;
    for (unsigned i = 0; i < pack.members.size(); ++i) {
      Instruction *member = pack.members[i];
      SmallVector<Use *> others;
      for (Use &use : member->uses())
        if (!isPacked(use.getUser()))
          others.push_back(&use);
      Value *element = nullptr;
      for (Use *use : others) {
        if (isBehindLoop(*use->getUser())) {
          auto *phi = cast<PHINode>(use->getUser());
          phi->replaceAllUsesWith(extract(behindLoop(*pack.made, *phi, behind), i));
          left_.push_back(phi);
          continue;
        }
        if (!element)
          element = extract(pack.made, i);
        use->set(element);
      }
    }
  }

  static Value *extract(Instruction *pack, unsigned position) {
    BasicBlock *block = pack->getParent();
    IRBuilder<> b(block, pack->getInsertionPointAfterDef().value_or(block->end()));
    b.SetCurrentDebugLocation(pack->getDebugLoc());
    return b.CreateExtractElement(pack, position);
  }

  // The vector's LCSSA phi, where `phi` is that of a member.
  static Instruction *behindLoop(Instruction &made, PHINode &phi,
                                 DenseMap<BasicBlock *, Instruction *> &known) {
    Instruction *&result = known[phi.getParent()];
    if (!result) {
      auto *vector = PHINode::Create(made.getType(), 1, "", phi.getIterator());
      vector->addIncoming(&made, phi.getIncomingBlock(0));
      result = vector;
    }
    return result;
  }

  void make() {
    DenseMap<const Instruction *, unsigned> made_at;
    for (unsigned i = 0; i < packs_.size(); ++i)
      if (packs_[i].possible) {
        const AccessGroup *group = group_of_.lookup(i);
        made_at[!group                        ? lastOf(packs_[i].members)
                : isa<LoadInst>(group->first) ? group->first
                                              : group->last] = i;
      }
    const ReversePostOrderTraversal<Function *> order(&function_);
    for (BasicBlock *block : order)
      for (Instruction &instruction : make_early_inc_range(*block))
        if (const auto found = made_at.find(&instruction); found != made_at.end()) {
          if (group_of_.contains(found->second))
            makeAccess(found->second);
          else
            makeOperation(packs_[found->second]);
        }
    SmallVector<Pack *> made;
    for (Pack &pack : packs_)
      if (pack.possible)
        made.push_back(&pack);
    for (Pack *pack : made)
      completePhi(*pack);
    for (Pack *pack : made)
      serveOthers(*pack);
    for (Instruction *phi : left_)
      phi->eraseFromParent();
    for (Pack *pack : made)
      for (Instruction *member : pack->members)
        member->dropAllReferences();
    for (Pack *pack : made)
      for (Instruction *member : pack->members)
        member->eraseFromParent();
  }

  Function &function_;
  const ShapedCode code_;
  const std::vector<AccessGroup> groups_;
  std::vector<Pack> packs_;
  DenseMap<const Value *, Place> place_;
  DenseMap<unsigned, const AccessGroup *> group_of_; // of packs of accesses
  SmallVector<unsigned> work_;
  SmallVector<Instruction *> left_; // without users, to be erased
};

} // namespace

void packNeighbours(Function &function, const LaneLayout &layout) {
  if (layout.lanes > 1 && layout.full)
    Packer(function, layout).run();
}

} // namespace heddle::engine::simd
