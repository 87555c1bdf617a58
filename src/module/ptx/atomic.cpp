// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations and fences (PTX ISA, "Parallel Synchronization and Communication
// Instructions": atom, red, membar, fence).
#include "module/ptx/math.h"
#include "module/ptx/memory.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {
namespace {

using Operation = AtomicRMWInst::BinOp;

Operation takeOperation(PtxInstruction &in) {
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

// Halves are added by trying until nobody else has written meanwhile.
Value *addHalves(PtxInstruction &in, PtxType type, Value *pointer, Value *addend,
                 AtomicOrdering order) {
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
        narrowToHalf(builder, type, builder.CreateFAdd(value(old), value(addend)), "rn");
    sum = builder.CreateOr(sum, builder.CreateShl(builder.CreateZExt(rounded, whole), 16 * lane));
  }
  Value *pair =
      builder.CreateAtomicCmpXchg(pointer, old, sum, align, order, AtomicOrdering::Monotonic);
  old->addIncoming(builder.CreateExtractValue(pair, 0), loop);
  builder.CreateCondBr(builder.CreateExtractValue(pair, 1), done, loop);
  builder.SetInsertPoint(done);
  return old;
}

// atom gives the old value; red, with one operand fewer, does not.
PtxHandler atomic(bool gives_old) {
  return [gives_old](PtxInstruction &in) {
    IRBuilder<> &builder = in.builder;
    PtxAccess access = takePtxAccess(in);
    if (access.order == AtomicOrdering::NotAtomic)
      access.order = AtomicOrdering::Monotonic;
    in.take("noftz");
    const bool exchange_if_equal = in.take("cas");
    const Operation operation = exchange_if_equal ? AtomicRMWInst::Xchg : takeOperation(in);
    const PtxType type = in.takeType();
    if (type.bits > 64)
      throw PtxError("type '.b128'");
    const size_t first = gives_old ? 1 : 0;
    const Align align(type.bits / 8);
    Value *pointer = in.emitter.address(in.operand(first), access.shared);
    Value *value = in.read(first + 1, type), *old = nullptr;
    if (exchange_if_equal) {
      Value *pair =
          builder.CreateAtomicCmpXchg(pointer, value, in.read(first + 2, type), align, access.order,
                                      AtomicCmpXchgInst::getStrongestFailureOrdering(access.order));
      old = builder.CreateExtractValue(pair, 0);
    } else if (type.isHalf() && operation == AtomicRMWInst::Add) {
      old = addHalves(in, type, pointer, value, access.order);
    } else {
      old = builder.CreateAtomicRMW(forType(operation, type), pointer, value, align, access.order);
    }
    if (gives_old)
      in.write(type, old);
  };
}

// membar.{cta,gl,sys} and fence.{sc,acq_rel}.<scope>, fence.proxy.…
void emitFence(PtxInstruction &in) {
  in.takeAll([](StringRef modifier) {
    return modifier != "tensormap::generic" && modifier != "mbarrier_init";
  });
  in.builder.CreateIntrinsic(Intrinsic::nvvm_membar_gl, {}, {});
}

} // namespace

void addAtomicInstructions(PtxTable &table) {
  table.any["atom"] = atomic(true);
  table.any["red"] = atomic(false);
  table.any["membar"] = table.any["fence"] = emitFence;
}

} // namespace heddle
