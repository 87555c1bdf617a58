// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/private_memory_layout.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr uint64_t frame_align = 64, most_on_stack = 16 << 10;
constexpr uint64_t most_cleared = 256; // elements set one by one

// Follows a variable's address through GEPs. A variable is interleaved only if all accesses are
// found.
class Interleaving {
public:
  Interleaving(AllocaInst &variable, const DataLayout &data) : data_(data) {
    possible_ = follow(variable) && element_ != 0;
  }
  bool possible() const { return possible_; }
  uint64_t element() const { return element_; }

private:
  bool follow(Value &pointer) {
    for (Use &use : pointer.uses()) {
      User *user = use.getUser();
      if (auto *load = dyn_cast<LoadInst>(user)) {
        if (!accesses(load->getType()))
          return false;
      } else if (auto *store = dyn_cast<StoreInst>(user)) {
        if (use.getOperandNo() != 1 || !accesses(store->getValueOperand()->getType()))
          return false;
      } else if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
        if (!offsets(*gep) || !follow(*gep))
          return false;
      } else if (isa<AddrSpaceCastInst>(user)) {
        if (!follow(*user))
          return false;
      } else if (auto *set = dyn_cast<MemSetInst>(user)) {
        const auto *bytes = dyn_cast<ConstantInt>(set->getLength());
        if (!bytes || set->isVolatile() || !isa<ConstantInt>(set->getValue()))
          return false;
        set_.push_back(bytes->getZExtValue());
      } else if (auto *call = dyn_cast<IntrinsicInst>(user);
                 !call || !call->isLifetimeStartOrEnd()) {
        return false;
      }
    }
    return all_of(scales_, [&](uint64_t scale) { return element_ && scale % element_ == 0; }) &&
           all_of(set_, [&](uint64_t bytes) {
             return element_ && bytes % element_ == 0 && bytes / element_ <= most_cleared;
           });
  }

  bool accesses(Type *type) {
    const uint64_t size = data_.getTypeStoreSize(type);
    if (type->isAggregateType() || type->isVectorTy() || (element_ && element_ != size))
      return false;
    element_ = size;
    return isPowerOf2_64(size) && data_.getTypeSizeInBits(type) == 8 * size;
  }

  bool offsets(GetElementPtrInst &gep) {
    const auto offset = offsetOf(gep, data_);
    if (!offset)
      return false;
    scales_.push_back(offset->constant.getZExtValue());
    for (const auto &[index, scale] : offset->variable)
      scales_.push_back(scale.getZExtValue());
    return true;
  }

  const DataLayout &data_;
  uint64_t element_ = 0;
  SmallVector<uint64_t> scales_, set_;
  bool possible_ = false;
};

class LocalVariables {
public:
  LocalVariables(Function &function, unsigned lanes, bool in_frame, uint64_t &frame_bytes)
      : function_(function), data_(function.getParent()->getDataLayout()), lanes_(lanes),
        in_frame_(in_frame), frame_bytes_(frame_bytes) {}

  void place(AllocaInst &variable) {
    const auto size = variable.getAllocationSize(data_);
    if (!size || size->isScalable())
      throw Unsupported("it allocates local memory of variable size");
    const Interleaving interleaving(variable, data_);
    const bool interleaved = interleaving.possible();
    const uint64_t each = alignTo(uint64_t(*size), variable.getAlign());
    const uint64_t step = interleaved ? interleaving.element() : each;
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    const uint64_t align =
        interleaved ? frame_align : std::max(frame_align, variable.getAlign().value());
    Value *start = memory(builder, each * lanes_, align, variable.getName());
    Value *lane = builder.CreateZExt(callMarker(builder, lane_marker), builder.getInt64Ty());
    Value *own = builder.CreateGEP(builder.getInt8Ty(), start,
                                   builder.CreateMul(lane, builder.getInt64(step)));
    if (interleaved)
      stretch(variable, *own, step);
    else
      variable.replaceAllUsesWith(own);
    for (User *user : make_early_inc_range(own->users()))
      if (auto *call = dyn_cast<IntrinsicInst>(user); call && call->isLifetimeStartOrEnd())
        call->eraseFromParent();
    variable.eraseFromParent();
  }

private:
  Value *memory(IRBuilder<> &builder, uint64_t bytes, uint64_t align, StringRef name) {
    if (!in_frame_ && bytes <= most_on_stack) {
      auto *result =
          new AllocaInst(ArrayType::get(builder.getInt8Ty(), bytes), 0, nullptr, Align(align),
                         name + ".lanes", function_.getEntryBlock().begin());
      return result;
    }
    // The frame itself is aligned to `frame_align`: for more, the variable moves up in its place.
    const uint64_t offset = alignTo(frame_bytes_, frame_align), slack = align - frame_align;
    frame_bytes_ = offset + bytes + slack;
    Value *start = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), callMarker(builder, frame_marker), offset + slack);
    if (slack == 0)
      return start;
    return builder.CreateIntrinsic(Intrinsic::ptrmask, {start->getType(), builder.getInt64Ty()},
                                   {start, builder.getInt64(~(align - 1))});
  }

  // Replaces uses of `old` by `own`, with all offsets multiplied by the number of lanes.
  void stretch(Value &old, Value &own, uint64_t element) {
    for (Use &use : make_early_inc_range(old.uses())) {
      auto *user = cast<Instruction>(use.getUser());
      if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
        IRBuilder<> builder(gep);
        const std::optional<AddressOffset> old_offset = offsetOf(*gep, data_);
        if (!old_offset)
          llvm_unreachable("Interleaving has seen it");
        Value *offset = builder.getInt64(old_offset->constant.getZExtValue() * lanes_);
        for (const auto &[index, scale] : old_offset->variable) {
          Value *wide = builder.CreateSExtOrTrunc(index, builder.getInt64Ty());
          offset = builder.CreateAdd(
              offset, builder.CreateMul(wide, builder.getInt64(scale.getZExtValue() * lanes_)));
        }
        Value *address = builder.CreateGEP(builder.getInt8Ty(), &own, offset, gep->getName());
        stretch(*gep, *address, element);
        gep->eraseFromParent();
      } else if (isa<AddrSpaceCastInst>(user)) {
        stretch(*user, own, element);
        user->eraseFromParent();
      } else if (isa<LoadInst, StoreInst>(user)) {
        use.set(&own);
        // The thread's variable may have a larger alignment than its interleaved elements.
        const Align align = std::min(getLoadStoreAlignment(user), Align(element));
        if (auto *load = dyn_cast<LoadInst>(user))
          load->setAlignment(align);
        else
          cast<StoreInst>(user)->setAlignment(align);
      } else {
        if (auto *set = dyn_cast<MemSetInst>(user))
          setEach(*set, own, element);
        user->eraseFromParent(); // a cast, GEP or lifetime marker
      }
    }
  }

  // A lane's elements are no longer contiguous.
  void setEach(MemSetInst &set, Value &own, uint64_t element) {
    IRBuilder<> builder(&set);
    const APInt byte = cast<ConstantInt>(set.getValue())->getValue();
    Value *value = builder.getInt(APInt::getSplat(unsigned(8 * element), byte));
    const uint64_t bytes = cast<ConstantInt>(set.getLength())->getZExtValue();
    for (uint64_t offset = 0; offset < bytes; offset += element)
      builder.CreateAlignedStore(
          value, builder.CreateConstGEP1_64(builder.getInt8Ty(), &own, offset * lanes_),
          Align(element));
  }

  Function &function_;
  const DataLayout &data_;
  unsigned lanes_;
  bool in_frame_;
  uint64_t &frame_bytes_;
};

} // namespace

void layOutPrivateMemory(Function &function, unsigned lanes, bool in_frame, uint64_t &frame_bytes) {
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      variables.push_back(variable);
  LocalVariables locals(function, lanes, in_frame, frame_bytes);
  for (AllocaInst *variable : variables)
    locals.place(*variable);
}

} // namespace heddle::engine::simd
