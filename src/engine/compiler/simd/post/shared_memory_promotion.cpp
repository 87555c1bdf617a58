// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/post/shared_memory_promotion.h"

#include "engine/compiler/lowering/lower_memory_spaces.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Single elements that are loaded or stored: accessing these in registers is more expensive.
constexpr size_t most_scalars = 32;
// Limits on all arrays, and on the elements live during other computations: AVX-512's registers
// hold 2 KB. Beyond that, as in a scan of 512 numbers, elements would be spilled.
constexpr uint64_t most_bytes = 8192, most_live_bytes = 1536;

struct Access {
  Instruction *instruction = nullptr;
  int64_t first = 0; // the element of lane 0
  Type *type = nullptr;
  Value *mask = nullptr; // null: all lanes

  bool writes() const { return instruction->getType()->isVoidTy(); }
  unsigned lanes() const {
    const auto *vector = dyn_cast<FixedVectorType>(type);
    return vector ? vector->getNumElements() : 1;
  }
  // Whether the lane may be active, as far as the mask is known.
  bool mayHave(unsigned lane) const {
    const auto *known = dyn_cast_or_null<Constant>(mask);
    const Constant *bit = known ? known->getAggregateElement(lane) : nullptr;
    return !bit || !bit->isNullValue();
  }
};

std::optional<Access> accessAt(Instruction &instruction, const Value &address) {
  if (auto *load = dyn_cast<LoadInst>(&instruction); load && !load->isAtomic())
    return Access{load, 0, load->getType()};
  if (auto *store = dyn_cast<StoreInst>(&instruction);
      store && !store->isAtomic() && store->getPointerOperand() == &address)
    return Access{store, 0, store->getValueOperand()->getType()};
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  switch (intrinsic ? intrinsic->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::masked_load:
    return Access{&instruction, 0, instruction.getType(), instruction.getOperand(2)};
  case Intrinsic::masked_store:
    return Access{&instruction, 0, instruction.getOperand(0)->getType(), instruction.getOperand(3)};
  default:
    return std::nullopt;
  }
}

class SharedArray {
public:
  SharedArray(Instruction &root, uint64_t bytes, const LoopInfo &loops)
      : root_(root), bytes_(bytes), loop_(loops.getLoopFor(root.getParent())), loops_(loops),
        data_(root.getModule()->getDataLayout()) {}

  // Whether all accesses have constant positions, none is in a loop, and registers suffice.
  bool isLocal() {
    if (hasOtherNames() || !follow(root_, 0) || accesses_.empty() || scalars_ > most_scalars)
      return false;
    int64_t end = 0;
    for (const Access &access : accesses_)
      for (unsigned lane = 0; lane < access.lanes(); ++lane) {
        const int64_t element = access.first + lane;
        if (access.mayHave(lane) && element < 0)
          return false;
        end = access.mayHave(lane) ? std::max(end, element + 1) : end;
      }
    size_ = end;
    return end > 0 && used() <= bytes_;
  }

  // Updates the set of live elements backwards over an access.
  void passAccess(const Access &access) {
    const bool known = !access.mask || isa<Constant>(access.mask);
    live_.resize(unsigned(size_));
    for (unsigned lane = 0; lane < access.lanes(); ++lane)
      if (access.mayHave(lane) && (known || !access.writes()))
        access.writes() ? live_.reset(unsigned(access.first + lane))
                        : live_.set(unsigned(access.first + lane));
  }

  uint64_t liveBytes() const { return live_.count() * elementBytes(); }
  const std::vector<Access> &accesses() const { return accesses_; }
  uint64_t used() const { return uint64_t(size_) * elementBytes(); }

  void makeLocal(unsigned register_bytes) {
    IRBuilder<> builder(&*root_.getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    IRBuilder<> start(root_.getNextNode()); // of each block
    if (bytes_ == dynamic_bytes)
      touch(start);
    width_ = int64_t(register_bytes / elementBytes());
    Type *type = FixedVectorType::get(element_, unsigned(width_));
    for (int64_t first = 0; first < size_; first += width_) {
      parts_.push_back(builder.CreateAlloca(type, nullptr, root_.getName()));
      start.CreateStore(start.CreateFreeze(PoisonValue::get(type)), parts_.back());
    }
    for (const Access &access : accesses_) {
      IRBuilder<> here(access.instruction);
      if (access.writes())
        store(here, access);
      else
        load(here, access);
      access.instruction->eraseFromParent();
    }
  }

private:
  // Where a kernel accesses two arrays through one generic pointer, LLVM replaces an array's
  // generic address by a cast of the start of the block's shared memory.
  bool hasOtherNames() const {
    const Value *start = root_.getOperand(0);
    while (const auto *gep = dyn_cast<GEPOperator>(start))
      start = gep->getPointerOperand();
    return isUsedByOthers(*start);
  }

  // By other users than shared arrays.
  static bool isUsedByOthers(const Value &address) {
    return any_of(address.users(), [](const User *user) {
      if (isa<GEPOperator>(user))
        return isUsedByOthers(*user);
      const auto *cast = dyn_cast<AddrSpaceCastInst>(user);
      return !cast || !sharedBytes(*cast);
    });
  }

  bool follow(Instruction &address, int64_t offset) {
    for (User *user : address.users()) {
      auto *instruction = cast<Instruction>(user);
      if (auto *gep = dyn_cast<GetElementPtrInst>(instruction)) {
        APInt distance(data_.getIndexTypeSizeInBits(gep->getType()), 0);
        if (!gep->getType()->isPointerTy() || !gep->accumulateConstantOffset(data_, distance) ||
            !follow(*gep, offset + distance.getSExtValue()))
          return false;
      } else if (isa<AddrSpaceCastInst>(instruction)) {
        if (!follow(*instruction, offset))
          return false;
      } else if (!note(*instruction, address, offset)) {
        return false;
      }
    }
    return true;
  }

  bool note(Instruction &instruction, const Instruction &address, int64_t offset) {
    auto access = accessAt(instruction, address);
    if (!access || loops_.getLoopFor(instruction.getParent()) != loop_)
      return false;
    Type *type = access->type->getScalarType();
    if ((!type->isIntegerTy() && !type->isFloatingPointTy()) ||
        data_.getTypeSizeInBits(type) != data_.getTypeStoreSizeInBits(type))
      return false;
    if (!element_)
      element_ = type;
    const auto size = int64_t(elementBytes());
    if (data_.getTypeStoreSize(type) != elementBytes() || offset % size != 0)
      return false;
    access->first = offset / size;
    scalars_ += !access->type->isVectorTy();
    accesses_.push_back(*access);
    return true;
  }

  uint64_t elementBytes() const { return data_.getTypeStoreSize(element_); }

  // Keeps the access, so that a launch with too little shared memory still fails.
  void touch(IRBuilder<> &builder) const {
    Value *last = builder.CreateConstGEP1_64(element_, &root_, uint64_t(size_ - 1));
    builder.CreateAlignedLoad(element_, last, Align(1), /*isVolatile=*/true);
  }

  Value *partAt(IRBuilder<> &builder, int64_t number) const {
    if (number < 0 || number >= int64_t(parts_.size()))
      return PoisonValue::get(parts_[0]->getAllocatedType());
    return builder.CreateLoad(parts_[0]->getAllocatedType(), parts_[size_t(number)]);
  }

  // `count` elements from `first` on, at most one register.
  Value *elements(IRBuilder<> &builder, int64_t first, int64_t count) const {
    const int64_t part = first >= 0 ? first / width_ : -((width_ - 1 - first) / width_);
    const int64_t skipped = first - part * width_;
    Value *low = partAt(builder, part);
    if (skipped == 0 && count == width_)
      return low;
    Value *high = skipped + count > width_ ? partAt(builder, part + 1) : nullptr;
    const auto order = createSequentialMask(unsigned(skipped), unsigned(count), 0);
    return high ? builder.CreateShuffleVector(low, high, order)
                : builder.CreateShuffleVector(low, order);
  }

  void load(IRBuilder<> &builder, const Access &access) const {
    const int64_t lanes = access.lanes();
    SmallVector<Value *> pieces;
    for (int64_t lane = 0; lane < lanes; lane += width_)
      pieces.push_back(elements(builder, access.first + lane, std::min(width_, lanes - lane)));
    Value *result = pieces.size() == 1 ? pieces[0] : concatenateVectors(builder, pieces);
    if (!access.type->isVectorTy())
      result = builder.CreateExtractElement(result, uint64_t(0));
    result = builder.CreateBitCast(result, access.type);
    if (access.mask)
      result = builder.CreateSelect(access.mask, result, access.instruction->getOperand(3));
    access.instruction->replaceAllUsesWith(result);
  }

  // For each element of a part, the lane that stores it; -1: none.
  SmallVector<int> lanesOfPart(const Access &access, int64_t part) const {
    SmallVector<int> lanes;
    for (int64_t element = 0; element < width_; ++element) {
      const int64_t lane = part * width_ + element - access.first;
      const bool stored = lane >= 0 && lane < access.lanes() && access.mayHave(unsigned(lane));
      lanes.push_back(stored ? int(lane) : -1);
    }
    return lanes;
  }

  void store(IRBuilder<> &builder, const Access &access) const {
    const unsigned lanes = access.lanes();
    Value *value = access.instruction->getOperand(0);
    if (!access.type->isVectorTy())
      value = builder.CreateInsertElement(PoisonValue::get(FixedVectorType::get(access.type, 1)),
                                          value, uint64_t(0));
    value = builder.CreateBitCast(value, FixedVectorType::get(element_, lanes));
    Value *mask = access.mask && !isa<Constant>(access.mask) ? access.mask : nullptr;
    for (int64_t part = 0; part < int64_t(parts_.size()); ++part) {
      const SmallVector<int> order = lanesOfPart(access, part);
      if (all_of(order, [](int lane) { return lane < 0; }))
        continue;
      Value *stored = builder.CreateShuffleVector(value, order);
      if (mask || is_contained(order, -1))
        stored = builder.CreateSelect(maskOfPart(builder, mask, order, lanes), stored,
                                      partAt(builder, part));
      builder.CreateStore(stored, parts_[size_t(part)]);
    }
  }

  static Value *maskOfPart(IRBuilder<> &builder, Value *mask, ArrayRef<int> order, unsigned lanes) {
    if (!mask)
      mask = ConstantInt::getTrue(FixedVectorType::get(builder.getInt1Ty(), lanes));
    SmallVector<int> known;
    for (const int lane : order)
      known.push_back(lane >= 0 ? lane : int(lanes));
    return builder.CreateShuffleVector(mask, Constant::getNullValue(mask->getType()), known);
  }

  Instruction &root_;
  const uint64_t bytes_;
  const Loop *loop_;
  const LoopInfo &loops_;
  const DataLayout &data_;
  Type *element_ = nullptr;
  int64_t size_ = 0, width_ = 0; // in elements: total, per register
  size_t scalars_ = 0;
  std::vector<Access> accesses_;
  BitVector live_; // live elements; see passAccess
  SmallVector<AllocaInst *> parts_;
};

// The most bytes live at a store, over all arrays; treats the code as straight-line.
uint64_t mostLiveBytes(Function &gang, std::vector<SharedArray> &arrays) {
  DenseMap<const Instruction *, std::pair<SharedArray *, const Access *>> accesses;
  for (SharedArray &array : arrays)
    for (const Access &access : array.accesses())
      accesses[access.instruction] = {&array, &access};
  uint64_t most = 0;
  for (const BasicBlock *block : post_order(&gang))
    for (const Instruction &instruction : reverse(*block)) {
      const auto found = accesses.find(&instruction);
      if (found == accesses.end())
        continue;
      const auto [array, access] = found->second;
      array->passAccess(*access);
      uint64_t bytes = 0;
      for (const SharedArray &other : arrays)
        bytes += other.liveBytes();
      if (access->writes())
        most = std::max(most, bytes);
    }
  return most;
}

} // namespace

void promoteSharedMemory(Function &gang, unsigned register_bytes) {
  const DominatorTree dominators(gang);
  const LoopInfo loops(dominators);
  SmallVector<std::pair<Instruction *, uint64_t>> roots;
  for (Instruction &instruction : instructions(gang))
    if (const auto bytes = sharedBytes(instruction))
      roots.emplace_back(&instruction, *bytes);
  const auto is_dynamic = [](const auto &root) { return root.second == dynamic_bytes; };
  const bool same_place = count_if(roots, is_dynamic) > 1; // the dynamic array has several names
  std::vector<SharedArray> arrays;
  uint64_t bytes = 0;
  for (const auto &root : roots) {
    SharedArray array(*root.first, root.second, loops);
    if ((is_dynamic(root) && same_place) || !array.isLocal())
      continue;
    bytes += array.used();
    arrays.push_back(std::move(array));
  }
  if (bytes > most_bytes || mostLiveBytes(gang, arrays) > most_live_bytes)
    return;
  for (SharedArray &array : arrays)
    array.makeLocal(register_bytes);
}

} // namespace heddle::engine::simd
