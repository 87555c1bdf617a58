// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of a gang.
#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/widener.h"
#include "support/paths.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

#include <numeric>
#include <stdexcept>
#include <tuple>

using namespace llvm;

namespace heddle::engine::simd {
bool Widener::isPlain(Type *type) const {
  return (type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy()) &&
         data_.getTypeSizeInBits(type) == 8 * sizeOf(type) && isPowerOf2_64(sizeOf(type)) &&
         sizeOf(type) <= 8;
}

// Whether lanes (of each row) are contiguous. Volatile accesses in tiled gangs are not, since they
// must be one access.
bool Widener::isNeighbours(const Shape &address, Type *type, bool is_volatile) const {
  return (address.isAffine() || (address.isTiledAffine() && !is_volatile)) &&
         address.stride == int64_t(sizeOf(type)) && isPlain(type);
}

// Whether lanes are contiguous in descending order.
bool Widener::isBackwards(const Shape &address, Type *type) const {
  return (address.isAffine() || address.isTiledAffine()) &&
         address.stride == -int64_t(sizeOf(type)) && isPlain(type);
}

// The program's line, if the access is in a function of Heddle's headers that was inlined there.
static const DILocation *lineOfProgram(const DILocation *where) {
  const auto is_internal = [](const DILocation &line) {
    const std::filesystem::path folder = line.getDirectory().str();
    return isInternalHeader((folder / line.getFilename().str()).string());
  };
  while (where && where->getInlinedAt() && is_internal(*where))
    where = where->getInlinedAt();
  return where;
}

Remark::Remark(Kind kind, const Instruction &instruction, std::string what)
    : kind(kind), store(isa<StoreInst>(instruction)), what(std::move(what)) {
  if (const DILocation *where = lineOfProgram(instruction.getDebugLoc())) {
    line = where->getLine();
    file = where->getFilename();
  }
}

void Widener::remark(const Instruction &instruction, Remark::Kind kind, const Twine &what) {
  if (remarks_)
    remarks_->emplace_back(kind, instruction, what.str()).masked = !areFirstInRows();
}

// A GPU faults on an access that is not aligned to its size (CUDA guide, "Device Memory Accesses").
void Widener::checkAlignment(Value *old_pointer, Align align) {
  Value *root = unprovenAlignment(old_pointer, align, data_);
  if (!root)
    return;
  const Shape form = shape(root);
  if (form.isTiledAffine() && allActive() && form.stride % int64_t(align.value()) == 0) {
    for (Value *pointer : rowsOf(root))
      refuseMisaligned(pointer, b_.CreatePtrToInt(pointer, b_.getInt64Ty()), align);
    return;
  }
  const bool scalar = form.hasBase() && form.stride % int64_t(align.value()) == 0;
  Value *pointer = scalar ? scalarOf(root) : vectorOf(root);
  refuseMisaligned(
      pointer, b_.CreatePtrToInt(pointer, scalar ? b_.getInt64Ty() : wide(b_.getInt64Ty())), align);
}

// `pointer`: a scalar, or a vector of addresses.
void Widener::refuseMisaligned(Value *pointer, Value *number, Align align) {
  const bool scalar = pointer->getType()->isPointerTy();
  Value *low = b_.CreateAnd(number, ConstantInt::get(number->getType(), align.value() - 1));
  Value *bad = b_.CreateIsNotNull(low);
  Value *bad_lanes = nullptr;
  if (!scalar) {
    bad_lanes = bitsOf(onlyHere(bad));
    bad = b_.CreateIsNotNull(bad_lanes);
  }
  LLVMContext &llvm = new_->getContext();
  BasicBlock *fault = BasicBlock::Create(llvm, "misaligned", new_);
  BasicBlock *fine = BasicBlock::Create(llvm, "aligned", new_);
  b_.CreateCondBr(bad, fault, fine, MDBuilder(llvm).createUnlikelyBranchWeights());
  b_.SetInsertPoint(fault);
  Value *where = pointer;
  if (!scalar) { // the first lane with a misaligned address
    Value *lane = b_.CreateBinaryIntrinsic(Intrinsic::cttz, bad_lanes, b_.getTrue());
    where = b_.CreateExtractElement(pointer, lane);
  }
  callRuntime(b_, context(), offsetof(RuntimeTable, misaligned), b_.getVoidTy(),
              {b_.CreateAddrSpaceCast(where, b_.getPtrTy())});
  b_.CreateUnreachable();
  b_.SetInsertPoint(fine);
}

// ---- Loads ----

// Whether it loads the block's context, which is the same for all gangs of a sweep.
bool Widener::isBlockOfGang(const LoadInst &load) const {
  if (!block_ || !load.getType()->isPointerTy())
    return false;
  APInt offset(data_.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(data_, offset, true);
  return base == old_.getArg(0) && offset == offsetof(ThreadContext, block);
}

Value *Widener::load(LoadInst &old) {
  if (!old.hasMetadata(LLVMContext::MD_invariant_load)) // parameters and contexts are valid
    checkAlignment(old.getPointerOperand(), old.getAlign());
  Type *type = old.getType();
  const Shape where = shape(old.getPointerOperand());
  if (isBlockOfGang(old))
    return block_;
  if (shape(&old).isUniform()) {
    auto *copy = cast<LoadInst>(old.clone());
    copy->setOperand(0, scalarOf(old.getPointerOperand()));
    remark(old, Remark::Kind::Scalar, "load");
    return b_.Insert(copy);
  }
  if (type->isVectorTy())
    return loadPack(old);
  if (isNeighbours(where, type, old.isVolatile()) && !old.isAtomic()) {
    remark(old, Remark::Kind::Contiguous, "load");
    return loadNeighbours(old, rowsOf(old.getPointerOperand()));
  }
  if (const AccessGroup *group = groupOf(old)) {
    remark(old, Remark::Kind::Interleaved, "load");
    return loadGroup(*group, old);
  }
  if (areFew() && old.isSimple()) {
    remark(old, Remark::Kind::LaneByLane, "load");
    return gather(old);
  }
  const bool maskable = allActive() || hasMaskedAccess(type);
  if (const unsigned step = smallStep(where, type); step && old.isSimple() && maskable) {
    remark(old, Remark::Kind::EveryFew, "load");
    return loadEvery(old, step);
  }
  if (isBackwards(where, type) && old.isSimple() && maskable) {
    remark(old, Remark::Kind::Reversed, "load");
    return loadBackwards(old);
  }
  if (old.isSimple())
    if (const auto columns = columnsAt(old.getPointerOperand(), type)) {
      remark(old, Remark::Kind::Columns, "load");
      return loadColumns(old, *columns);
    }
  if (Value *looked_up = loadFromTable(old))
    return looked_up;
  if (Value *permuted = loadPattern(old))
    return permuted;
  if (const AccessGroup *group = scatteredGroupOf(old)) {
    remark(old, Remark::Kind::Scattered, "load");
    return loadScattered(*group, old);
  }
  remark(old, where.isAffine() ? Remark::Kind::Strided : Remark::Kind::Gather, "load");
  return gatherUnlessContiguous(old);
}

// Whether AVX, or AVX-512, has masked loads and stores of the type.
bool Widener::hasMaskedAccess(Type *type) const {
  return sizeOf(type) >= 4 || options_.native_gather;
}

bool Widener::fitsNativeGather(Type *type) const {
  return options_.native_gather && isPlain(type) && sizeOf(type) >= 4;
}

// The first value of each row, and whether all active lanes differ from it by the given steps.
std::pair<Widener::Rows, Value *> Widener::inSteps(Value *values, ArrayRef<int64_t> steps_of_row) {
  Type *integer = values->getType()->getScalarType();
  SmallVector<Constant *> steps;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    steps.push_back(ConstantInt::getSigned(integer, steps_of_row[lane % rowLength()]));
  Value *starts = b_.CreateSub(values, ConstantVector::get(steps));
  Rows firsts;
  SmallVector<Value *> expected;
  for (unsigned row = 0; row < rowCount(); ++row) {
    firsts.push_back(b_.CreateExtractElement(
        starts, rowCount() == 1 ? firstLane() : b_.getInt32(row * rowLength())));
    expected.push_back(b_.CreateVectorSplat(rowLength(), firsts.back()));
  }
  Value *differs = b_.CreateICmpNE(starts, concatenateVectors(b_, expected));
  return {firsts, b_.CreateIsNull(bitsOf(onlyHere(differs)))};
}

// The address as if lanes were contiguous, with a condition for that: a 32-bit index may wrap, and
// `min(x + 1, width - 1)` is x + 1 except at the border. The test is one comparison.
std::optional<Widener::Neighbours> Widener::neighboursAt(Value *old_pointer, Type *type) {
  const auto where = indexedAddress(old_pointer);
  if (shape(old_pointer).isTiledAffine() || !where || !isPlain(type) ||
      where->gep->getNumIndices() != 1 ||
      data_.getTypeAllocSize(where->gep->getSourceElementType()) != sizeOf(type))
    return std::nullopt;
  const Shape form = shape(where->narrow);
  if (where->narrow->getType()->getIntegerBitWidth() < 8) // cannot number the lanes
    return std::nullopt;
  if (form.hasRowBases() && form.stride != 1)
    return std::nullopt;
  Type *integer = where->narrow->getType();
  Rows firsts;
  Value *in_order = b_.getTrue();
  if (form.hasRowBases()) {
    firsts = rowsOf(where->narrow);
  } else {
    SmallVector<int64_t> steps(rowLength());
    std::iota(steps.begin(), steps.end(), 0);
    std::tie(firsts, in_order) = inSteps(vectorOf(where->narrow), steps);
  }
  const bool is_signed = !where->extension || isa<SExtInst>(where->extension);
  Neighbours result;
  result.known = in_order;
  for (Value *first : firsts) {
    Value *last = b_.CreateAdd(first, ConstantInt::get(integer, rowLength() - 1));
    Value *no_wrap = b_.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, first, last);
    result.known = b_.CreateAnd(result.known, no_wrap);
    Value *index = first;
    if (where->extension)
      index = b_.CreateCast(where->extension->getOpcode(), index, where->extension->getType());
    result.pointers.push_back(b_.CreateGEP(where->gep->getSourceElementType(),
                                           scalarOf(where->gep->getPointerOperand()), index));
  }
  return result;
}

Value *Widener::gatherUnlessContiguous(LoadInst &old) {
  if (Value *chosen = loadChosen(old))
    return chosen;
  std::optional<Neighbours> found;
  if (!old.isVolatile() && !old.isAtomic() && (allActive() || hasMaskedAccess(old.getType())))
    found = neighboursAt(old.getPointerOperand(), old.getType());
  if (!found)
    return gather(old);
  return either(
      found->known, [&] { return loadNeighbours(old, found->pointers); },
      [&] { return gather(old); });
}

Value *Widener::gather(LoadInst &old) {
  Type *type = old.getType();
  const auto one = [&](Value *address) {
    auto *copy = cast<LoadInst>(old.clone());
    copy->setOperand(0, address);
    return b_.Insert(copy);
  };
  // For active lanes only (volatile, atomic), or of a type that is no vector element.
  if (old.isVolatile() || old.isAtomic() || type->isAggregateType()) {
    LaneValue pointer(*this, old.getPointerOperand());
    return forEachLane(type, [&](Value *lane) { return one(pointer.at(lane)); });
  }
  if (fitsNativeGather(type) && !areFew()) {
    if (Value *gathered = gatherByIndex(old))
      return gathered;
    return b_.CreateMaskedGather(wide(type), vectorOf(old.getPointerOperand()), old.getAlign(),
                                 mask_);
  }
  Value *result = PoisonValue::get(wide(type));
  LaneAddresses addresses(*this, old.getPointerOperand(), /*stores=*/false);
  for (const unsigned lane : numbersHere())
    result = b_.CreateInsertElement(result, one(addresses.at(lane)), lane);
  return result;
}

// ---- Stores ----

void Widener::store(StoreInst &old) {
  checkAlignment(old.getPointerOperand(), old.getAlign());
  Value *old_value = old.getValueOperand();
  Type *type = old_value->getType();
  const Shape where = shape(old.getPointerOperand());
  if (where.isUniform()) {
    remark(old, Remark::Kind::Scalar, "store");
    return storeToOnePlace(old);
  }
  if (type->isVectorTy())
    return storePack(old);
  if (isNeighbours(where, type, old.isVolatile()) && !old.isAtomic()) {
    remark(old, Remark::Kind::Contiguous, "store");
    return storeNeighbours(old, rowsOf(old.getPointerOperand()));
  }
  if (const AccessGroup *group = groupOf(old)) {
    remark(old, Remark::Kind::Interleaved, "store");
    return storeGroup(*group, old);
  }
  if (areFew() && old.isSimple()) {
    remark(old, Remark::Kind::LaneByLane, "store");
    return scatter(old);
  }
  if (const unsigned step = smallStep(where, type);
      step && old.isSimple() && hasMaskedAccess(type)) {
    remark(old, Remark::Kind::EveryFew, "store");
    return storeEvery(old, step);
  }
  if (isBackwards(where, type) && old.isSimple()) {
    remark(old, Remark::Kind::Reversed, "store");
    return storeBackwards(old);
  }
  if (old.isSimple())
    if (const auto columns = columnsAt(old.getPointerOperand(), type)) {
      remark(old, Remark::Kind::Columns, "store");
      return storeColumns(old, *columns);
    }
  remark(old, where.isAffine() ? Remark::Kind::Strided : Remark::Kind::Gather, "store");
  scatterUnlessContiguous(old);
}

void Widener::scatterUnlessContiguous(StoreInst &old) {
  std::optional<Neighbours> found;
  if (!old.isVolatile() && !old.isAtomic())
    found = neighboursAt(old.getPointerOperand(), old.getValueOperand()->getType());
  if (!found)
    return scatter(old);
  either(
      found->known,
      [&]() -> Value * {
        storeNeighbours(old, found->pointers);
        return nullptr;
      },
      [&]() -> Value * {
        scatter(old);
        return nullptr;
      });
}

// If many lanes store to one address, any may be last; here the highest lane is.
void Widener::storeToOnePlace(StoreInst &old) {
  Value *value = nullptr;
  if (shape(old.getValueOperand()).isUniform()) {
    value = scalarOf(old.getValueOperand());
  } else if (allActive() || first_ || areFew()) {
    Value *last = b_.getInt32(numbersHere().back());
    value = shape(old.getValueOperand()).isAffine()
                ? LaneValue(*this, old.getValueOperand()).at(last)
                : b_.CreateExtractElement(vectorOf(old.getValueOperand()), last);
  } else {
    Value *above = b_.CreateBinaryIntrinsic(Intrinsic::ctlz, laneBits(), b_.getTrue());
    Value *last = b_.CreateSub(ConstantInt::get(bitsType(), bitsType()->getBitWidth() - 1), above);
    value = b_.CreateExtractElement(vectorOf(old.getValueOperand()), last);
  }
  auto *copy = cast<StoreInst>(old.clone());
  copy->setOperand(0, value);
  copy->setOperand(1, scalarOf(old.getPointerOperand()));
  b_.Insert(copy);
}

void Widener::scatter(StoreInst &old) {
  if (fitsNativeGather(old.getValueOperand()->getType()) && !old.isVolatile() && !old.isAtomic() &&
      !areFew()) {
    // If lanes store to one address, the highest lane's value remains.
    if (!scatterByIndex(old))
      b_.CreateMaskedScatter(vectorOf(old.getValueOperand()), vectorOf(old.getPointerOperand()),
                             old.getAlign(), mask_);
    return;
  }
  LaneValue value(*this, old.getValueOperand());
  LaneAddress pointer(*this, old.getPointerOperand());
  forEachLane(nullptr, [&](Value *lane) -> Value * {
    auto *copy = cast<StoreInst>(old.clone());
    copy->setOperand(0, value.at(lane));
    copy->setOperand(1, pointer.at(lane));
    b_.Insert(copy);
    return nullptr;
  });
}

} // namespace heddle::engine::simd
