// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations and fences (PTX ISA, "Parallel Synchronization and Communication
// Instructions": atom, red, membar, fence).
#include "module/ptx/instructions/math.h"
#include "module/ptx/instructions/memory.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {
namespace {

using Operation = AtomicRMWInst::BinOp;

// The operation on values of `type`, where LLVM has another one for signed numbers and floats.
Operation forType(Operation operation, PtxType type) {
  if (type.isFloat() && operation == AtomicRMWInst::Add)
    return AtomicRMWInst::FAdd;
  if (!type.isInteger())
    throw PtxError("this operation on floating-point numbers");
  if (type.isSigned() && operation == AtomicRMWInst::UMin)
    return AtomicRMWInst::Min;
  if (type.isSigned() && operation == AtomicRMWInst::UMax)
    return AtomicRMWInst::Max;
  return operation;
}

// Of two halves, as floats.
Value *combined(IRBuilder<> &builder, Operation operation, Value *a, Value *b) {
  if (operation == AtomicRMWInst::UMin)
    return minimumOf(builder, a, b, false);
  if (operation == AtomicRMWInst::UMax)
    return maximumOf(builder, a, b, false);
  if (operation != AtomicRMWInst::Add)
    throw PtxError("this operation on floating-point numbers");
  return builder.CreateFAdd(a, b);
}

// Halves are combined by trying until no other thread has written meanwhile.
Value *updateHalves(PtxInstruction &in, Operation operation, PtxType type, Value *pointer,
                    Value *operand, AtomicOrdering order) {
  IRBuilder<> &builder = in.builder;
  Type *whole = builder.getIntNTy(type.bits);
  const Align align(type.bits / 8);
  BasicBlock *entry = in.emitter.makeBlock("ptx.atomic.entry");
  BasicBlock *loop = in.emitter.makeBlock("ptx.atomic"), *done = in.emitter.makeBlock("ptx.added");
  in.emitter.continueIn(entry);
  LoadInst *first = builder.CreateAlignedLoad(whole, pointer, align);
  first->setAtomic(AtomicOrdering::Monotonic);
  in.emitter.continueIn(loop);
  PHINode *old = builder.CreatePHI(whole, 2);
  old->addIncoming(first, entry);
  Value *sum = ConstantInt::get(whole, 0);
  for (unsigned lane = 0; lane < type.lanes; ++lane) {
    auto value = [&](Value *all) {
      Value *bits = builder.CreateTrunc(builder.CreateLShr(all, 16 * lane), builder.getInt16Ty());
      return widenHalf(builder, type, bits);
    };
    Value *rounded =
        narrowToHalf(builder, type, combined(builder, operation, value(old), value(operand)), "rn");
    sum = builder.CreateOr(sum, builder.CreateShl(builder.CreateZExt(rounded, whole), 16 * lane));
  }
  Value *pair =
      builder.CreateAtomicCmpXchg(pointer, old, sum, align, order, AtomicOrdering::Monotonic);
  old->addIncoming(builder.CreateExtractValue(pair, 0), loop);
  builder.CreateCondBr(builder.CreateExtractValue(pair, 1), done, loop);
  builder.SetInsertPoint(done);
  return old;
}

Value *exchangeIfEqual(PtxInstruction &in, size_t expected, PtxType type, Value *pointer,
                       AtomicOrdering order, SyncScope::ID scope) {
  Value *pair = in.builder.CreateAtomicCmpXchg(
      pointer, in.read(expected, type), in.read(expected + 1, type), Align(type.bits / 8), order,
      AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
  return in.builder.CreateExtractValue(pair, 0);
}

// atom gives the old value; red, with one operand fewer, does not. A vector is several atomic
// operations.
PtxHandler atomic(bool gives_old) {
  return [gives_old](PtxInstruction &in) {
    IRBuilder<> &builder = in.builder;
    PtxAccess access = takePtxAccess(in);
    if (access.order == AtomicOrdering::NotAtomic)
      access.order = AtomicOrdering::Monotonic;
    in.take("noftz");
    const unsigned count = takeVectorLength(in);
    const bool exchange = in.take("cas");
    const Operation operation = exchange ? AtomicRMWInst::Xchg : takeUpdate(in);
    const PtxType type = in.takeType();
    const size_t first = gives_old ? 1 : 0;
    Value *pointer = in.emitter.address(in.operand(first), access.shared);
    if (exchange) {
      Value *old = exchangeIfEqual(in, first + 1, type, pointer, access.order, access.scope);
      return gives_old ? in.write({PtxType::Bits, type.bits}, old) : void();
    }
    for (unsigned i = 0; i < count; ++i) {
      Value *place = builder.CreateConstInBoundsGEP1_64(builder.getIntNTy(type.bits), pointer, i);
      Value *value = in.emitter.read(elementsOf(in.operand(first + 1), count)[i], type);
      Value *old = updateMemory(in, operation, type, place, value, access.order, access.scope);
      if (gives_old)
        in.emitter.write(elementsOf(in.operand(0), count)[i], type, old);
    }
  };
}

// membar.{cta,gl,sys} and fence.{sc,acq_rel}.<scope>, fence.proxy.…
void emitFence(PtxInstruction &in) {
  Intrinsic::ID fence = Intrinsic::nvvm_membar_gl;
  in.takeAll([&](StringRef modifier) {
    if (modifier == "cta")
      fence = Intrinsic::nvvm_membar_cta;
    else if (modifier == "sys")
      fence = Intrinsic::nvvm_membar_sys;
    return !modifier.starts_with("tensormap::");
  });
  in.builder.CreateIntrinsic(fence, {}, {});
}

} // namespace

Operation takeUpdate(PtxInstruction &in) {
  const std::pair<StringRef, Operation> operations[] = {
      {"add", AtomicRMWInst::Add},      {"and", AtomicRMWInst::And},
      {"or", AtomicRMWInst::Or},        {"xor", AtomicRMWInst::Xor},
      {"exch", AtomicRMWInst::Xchg},    {"inc", AtomicRMWInst::UIncWrap},
      {"dec", AtomicRMWInst::UDecWrap}, {"min", AtomicRMWInst::UMin},
      {"max", AtomicRMWInst::UMax}};
  for (auto [name, operation] : operations)
    if (in.take(name))
      return operation;
  throw PtxError("");
}

Value *updateMemory(PtxInstruction &in, Operation operation, PtxType type, Value *pointer,
                    Value *value, AtomicOrdering order, SyncScope::ID scope) {
  if (type.isHalf() && operation != AtomicRMWInst::Xchg)
    return updateHalves(in, operation, type, pointer, value, order);
  return in.builder.CreateAtomicRMW(forType(operation, type), pointer, value, Align(type.bits / 8),
                                    order, scope);
}

void addAtomicInstructions(PtxTable &table) {
  table.any["atom"] = atomic(true);
  table.any["red"] = atomic(false);
  table.any["membar"] = table.any["fence"] = emitFence;
}

} // namespace heddle
