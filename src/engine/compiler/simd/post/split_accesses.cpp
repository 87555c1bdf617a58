// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/post/split_accesses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace heddle::engine {
namespace {

// Splits an access, or an operation on vectors.
class Splitter {
public:
  Splitter(Instruction &access, FixedVectorType &type, unsigned lanes)
      : access_(access), data_(access.getModule()->getDataLayout()), b_(&access), type_(&type),
        piece_(FixedVectorType::get(type_->getElementType(), lanes)) {}

  void run() {
    SmallVector<Value *> pieces;
    for (unsigned first = 0; first < type_->getNumElements(); first += piece_->getNumElements())
      pieces.push_back(piece(first));
    if (!access_.getType()->isVoidTy())
      access_.replaceAllUsesWith(concatenateVectors(b_, pieces));
    access_.eraseFromParent();
  }

private:
  Value *piece(unsigned first) {
    const uint64_t offset = first * data_.getTypeStoreSize(type_->getElementType());
    if (auto *call = dyn_cast<IntrinsicInst>(&access_))
      return masked(*call, first, offset);
    Instruction *copy = access_.clone();
    if (auto *load = dyn_cast<LoadInst>(copy)) {
      load->mutateType(piece_);
      load->setOperand(0, at(load->getPointerOperand(), offset));
      load->setAlignment(commonAlignment(load->getAlign(), offset));
    } else if (auto *store = dyn_cast<StoreInst>(copy)) {
      store->setOperand(0, part(store->getValueOperand(), first));
      store->setOperand(1, at(store->getPointerOperand(), offset));
      store->setAlignment(commonAlignment(store->getAlign(), offset));
    } else {
      copy->mutateType(piece_);
      for (Use &operand : copy->operands())
        operand = part(operand, first);
    }
    return b_.Insert(copy);
  }

  Value *masked(IntrinsicInst &call, unsigned first, uint64_t offset) {
    const bool loads = call.getIntrinsicID() == Intrinsic::masked_load;
    const unsigned value = loads ? 3 : 0, pointer = loads ? 0 : 1, align = loads ? 1 : 2,
                   mask = loads ? 2 : 3;
    Value *operand = part(call.getArgOperand(value), first);
    if (isEmpty(*call.getArgOperand(mask), first))
      return loads ? operand : nullptr;
    Value *lanes = part(call.getArgOperand(mask), first);
    Value *where = at(call.getArgOperand(pointer), offset);
    const Align known =
        commonAlignment(cast<ConstantInt>(call.getArgOperand(align))->getAlignValue(), offset);
    CallInst *copy = loads ? b_.CreateMaskedLoad(piece_, where, known, lanes, operand)
                           : b_.CreateMaskedStore(operand, where, known, lanes);
    copy->copyMetadata(call);
    return copy;
  }

  // Whether no lane of the piece is in the mask. Such a piece must not be left to LLVM 19: for AVX2
  // it turns some of these loads into unmasked ones, and inactive lanes change.
  bool isEmpty(const Value &mask, unsigned first) const {
    const unsigned lanes = piece_->getNumElements();
    const auto demanded = APInt::getBitsSet(type_->getNumElements(), first, first + lanes);
    return computeKnownBits(&mask, demanded, data_).isZero();
  }

  Value *at(Value *pointer, uint64_t offset) {
    return b_.CreateConstGEP1_64(b_.getInt8Ty(), pointer, offset);
  }

  Value *part(Value *vector, unsigned first) {
    return b_.CreateShuffleVector(
        vector, createSequentialMask(first, piece_->getNumElements(), /*NumUndefs=*/0));
  }

  Instruction &access_;
  const DataLayout &data_;
  IRBuilder<> b_;
  FixedVectorType *type_, *piece_;
};

// An operation that LLVM may fold with the load: the load has no other user.
BinaryOperator *takesLoaded(Instruction &load) {
  return isa<LoadInst>(load) && load.hasOneUse() ? dyn_cast<BinaryOperator>(load.user_back())
                                                 : nullptr;
}

// The vector type that is loaded or stored, if the access may be split.
FixedVectorType *accessed(Instruction &instruction) {
  Type *type = nullptr;
  if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isSimple())
    type = load->getType();
  else if (auto *store = dyn_cast<StoreInst>(&instruction); store && store->isSimple())
    type = store->getValueOperand()->getType();
  else if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    if (call->getIntrinsicID() == Intrinsic::masked_load)
      type = call->getType();
    else if (call->getIntrinsicID() == Intrinsic::masked_store)
      type = call->getArgOperand(0)->getType();
  }
  return dyn_cast_or_null<FixedVectorType>(type);
}

} // namespace

void splitAccesses(Function &function, unsigned register_bytes) {
  const DataLayout &data = function.getParent()->getDataLayout();
  SmallMapVector<BinaryOperator *, unsigned, 16> operations; // and the lanes of their pieces
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    FixedVectorType *type = accessed(instruction);
    if (!type || type->getElementType()->isIntegerTy(1))
      continue;
    const uint64_t bits = data.getTypeSizeInBits(type->getElementType());
    const unsigned lanes = register_bytes * 8 / unsigned(bits);
    if (bits % 8 != 0 || !isPowerOf2_64(bits) || lanes == 0 || type->getNumElements() <= lanes ||
        type->getNumElements() % lanes != 0)
      continue;
    if (BinaryOperator *operation = takesLoaded(instruction))
      operations[operation] = lanes;
    Splitter(instruction, *type, lanes).run();
  }
  for (const auto &[operation, lanes] : operations)
    Splitter(*operation, cast<FixedVectorType>(*operation->getType()), lanes).run();
}

} // namespace heddle::engine
