// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies in the background (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous
// copy"), and stores and atomic operations whose end a barrier object is told.
//
// They are done at once: a program cannot tell, as it must wait before it looks at the result.
// Marks say where it does, for heddle check.
#include "module/passes/marks.h"
#include "module/ptx/instructions/memory.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle {
namespace {

Value *library(PtxInstruction &in, StringRef name, ArrayRef<Value *> arguments) {
  return in.emitter.callLibrary(name, in.builder.getVoidTy(), arguments);
}

// How many operands there are without that of .L2::cache_hint.
size_t countWithoutPolicy(PtxInstruction &in) {
  const size_t policy = in.take("L2::cache_hint");
  takeCacheHints(in);
  return in.count() - policy;
}

// ---- cp.async: 4, 8 or 16 bytes

// With a mask, of each 16 bytes those whose bit is set.
void copyBytes(PtxInstruction &in, Value *to, Value *from, Value *bytes, Value *mask = nullptr) {
  IRBuilder<> &builder = in.builder;
  BasicBlock *entry = in.emitter.makeBlock("ptx.copy.entry");
  BasicBlock *loop = in.emitter.makeBlock("ptx.copy"),
             *body = in.emitter.makeBlock("ptx.copy.byte"),
             *done = in.emitter.makeBlock("ptx.copied");
  in.emitter.continueIn(entry);
  in.emitter.continueIn(loop);
  PHINode *i = builder.CreatePHI(builder.getInt32Ty(), 2);
  i->addIncoming(builder.getInt32(0), entry);
  builder.CreateCondBr(builder.CreateICmpULT(i, bytes), body, done);
  builder.SetInsertPoint(body);
  BasicBlock *next = nullptr;
  if (mask) {
    BasicBlock *chosen = in.emitter.makeBlock("ptx.copy.chosen");
    next = in.emitter.makeBlock("ptx.copy.next");
    Value *bit = builder.CreateLShr(mask, builder.CreateAnd(i, builder.getInt32(15)));
    builder.CreateCondBr(builder.CreateTrunc(bit, builder.getInt1Ty()), chosen, next);
    builder.SetInsertPoint(chosen);
  }
  Type *byte = builder.getInt8Ty();
  builder.CreateStore(builder.CreateLoad(byte, builder.CreateInBoundsGEP(byte, from, i)),
                      builder.CreateInBoundsGEP(byte, to, i));
  if (mask)
    in.emitter.continueIn(next);
  Value *following = builder.CreateAdd(i, builder.getInt32(1));
  i->addIncoming(following, builder.GetInsertBlock());
  builder.CreateBr(loop);
  builder.SetInsertPoint(done);
}

// Operand 3: only so many bytes are copied, or none if a predicate says so; the rest is zeros.
Value *bytesToCopy(PtxInstruction &in, unsigned size) {
  IRBuilder<> &builder = in.builder;
  Value *number = in.emitter.readAnyWidth(in.operand(3));
  if (number->getType()->isIntegerTy(1))
    return builder.CreateSelect(in.readPredicate(3), builder.getInt32(0), builder.getInt32(size));
  return builder.CreateBinaryIntrinsic(Intrinsic::umin, in.readU32(3), builder.getInt32(size));
}

void emitSmallCopy(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const size_t count = countWithoutPolicy(in);
  if (!in.takeOneOf({"ca", "cg"}).size() || !in.takeOneOf({"shared", "shared::cta"}).size() ||
      !in.take("global"))
    throw PtxError("");
  Value *to = in.emitter.address(in.operand(0), true);
  Value *from = in.emitter.address(in.operand(1), false);
  const int64_t size = in.emitter.constant(in.operand(2));
  if (size != 4 && size != 8 && size != 16)
    throw PtxError("size " + std::to_string(size));
  const auto start = [&] { addCopyMark(builder, CopyStep::Start, to, uint64_t(size)); };
  const Align align{uint64_t(size)};
  Type *whole = builder.getIntNTy(unsigned(size) * 8);
  auto copyAll = [&] {
    if (size == 16) // no register has so much, and the SIMD engine has a function for it
      builder.CreateMemCpy(to, align, from, align, uint64_t(size))
          ->setMetadata(background_copy, MDNode::get(builder.getContext(), {}));
    else
      builder.CreateAlignedStore(builder.CreateAlignedLoad(whole, from, align), to, align);
  };
  if (count == 3) {
    copyAll();
    return start();
  }
  Value *bytes = bytesToCopy(in, unsigned(size));
  BasicBlock *all = in.emitter.makeBlock("ptx.copy.all"),
             *some = in.emitter.makeBlock("ptx.copy.some"),
             *done = in.emitter.makeBlock("ptx.copy.done");
  builder.CreateCondBr(builder.CreateICmpEQ(bytes, builder.getInt32(uint32_t(size))), all, some);
  builder.SetInsertPoint(all);
  copyAll();
  builder.CreateBr(done);
  builder.SetInsertPoint(some);
  builder.CreateAlignedStore(Constant::getNullValue(whole), to, align);
  copyBytes(in, to, from, bytes);
  in.emitter.continueIn(done);
  start();
}

// cp.async.mbarrier.arrive: the barrier waits for the copies so far, which are done. Without .noinc
// it would count one more arrival first, which is this one.
void emitArriveAfterCopies(PtxInstruction &in) {
  in.take("arrive");
  const bool counted = in.take("noinc");
  in.takeOneOf({"shared", "shared::cta"});
  in.takeType();
  Value *barrier = in.emitter.address(in.operand(0), true);
  addCopyMark(in.builder, CopyStep::WaitAll, nullptr, 0);
  if (counted)
    in.emitter.callLibrary("__heddle_mbarrier_arrive", in.builder.getInt64Ty(),
                           {barrier, in.builder.getInt32(1), in.builder.getInt32(0)});
}

// ---- cp.async.bulk: any multiple of 16 bytes

struct BulkSpaces {
  bool to_shared, from_shared;
};

BulkSpaces takeBulkSpaces(PtxInstruction &in) {
  const StringRef shared[] = {"shared::cluster", "shared::cta"};
  const bool to_cluster = in.take("shared::cluster");
  const bool to_global =
      !to_cluster && in.statement.modifiers.end() != find(in.statement.modifiers, "global") &&
      find(in.statement.modifiers, "global") < find(in.statement.modifiers, "shared::cta");
  if (to_global) {
    in.take("global");
    in.take("shared::cta");
    return {false, true};
  }
  if (!to_cluster)
    in.takeOneOf(shared); // PTX 8.6 has copies to the own block by this name
  const bool from_global = in.take("global");
  if (!from_global && in.takeOneOf(shared).empty())
    throw PtxError("");
  return {true, !from_global};
}

// Operands 3 and 4: so many bytes at the beginning and at the end, 15 at most, are not to be read,
// but the barrier counts them.
void emitCopyWithoutEnds(PtxInstruction &in, Value *to, Value *from, Value *bytes) {
  IRBuilder<> &builder = in.builder;
  Value *left = in.readU32(3), *ignored = builder.CreateAdd(left, in.readU32(4));
  Type *byte = builder.getInt8Ty();
  copyBytes(in, builder.CreateGEP(byte, to, left), builder.CreateGEP(byte, from, left),
            builder.CreateSub(bytes, ignored));
  library(in, "__heddle_mbarrier_complete", {in.emitter.address(in.operand(5), true), bytes});
}

void emitBulkCopy(PtxInstruction &in) {
  if (in.take("tensor"))
    throw PtxError("copies of tensors");
  if (in.take("commit_group"))
    return;
  if (in.take("wait_group")) {
    in.take("read");
    return;
  }
  countWithoutPolicy(in);
  if (in.take("prefetch")) {
    in.take("L2");
    in.take("global");
    return;
  }
  const bool to_many = in.take("multicast::cluster");
  const bool tells = in.take("mbarrier::complete_tx::bytes");
  const bool masked = in.take("cp_mask"), ignores_ends = in.take("ignore_oob");
  const auto [to_shared, from_shared] = takeBulkSpaces(in);
  if ((!tells && !in.take("bulk_group")) || (masked && tells) ||
      (ignores_ends && (!tells || to_many || from_shared)))
    throw PtxError("");
  Value *to = in.emitter.address(in.operand(0), to_shared);
  Value *from = in.emitter.address(in.operand(1), from_shared);
  Value *bytes = in.readU32(2);
  if (masked)
    return copyBytes(
        in, to, from, bytes,
        in.builder.CreateZExt(in.read(3, {PtxType::Unsigned, 16}), in.builder.getInt32Ty()));
  if (ignores_ends)
    return emitCopyWithoutEnds(in, to, from, bytes);
  if (!tells) {
    in.builder.CreateMemCpy(to, Align(16), from, Align(16),
                            in.builder.CreateZExt(bytes, in.builder.getInt64Ty()));
    return;
  }
  Value *barrier = in.emitter.address(in.operand(3), true);
  if (to_many)
    library(in, "__heddle_bulk_copy_to_many",
            {to, from, bytes, barrier,
             in.builder.CreateZExt(in.read(4, {PtxType::Unsigned, 16}), in.builder.getInt32Ty())});
  else
    library(in, "__heddle_bulk_copy", {to, from, bytes, barrier});
}

// cp.reduce.async.bulk: each element is combined with the one at the destination.
void emitBulkReduction(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  if (!in.take("async") || !in.take("bulk") || in.take("tensor"))
    throw PtxError("");
  countWithoutPolicy(in);
  const bool tells = in.take("mbarrier::complete_tx::bytes");
  if (!tells && !in.take("bulk_group"))
    throw PtxError("");
  in.take("noftz");
  const auto [to_shared, from_shared] = takeBulkSpaces(in);
  const AtomicRMWInst::BinOp operation = takeUpdate(in);
  const PtxType type = in.takeType();
  Value *to = in.emitter.address(in.operand(0), to_shared);
  Value *from = in.emitter.address(in.operand(1), from_shared);
  Value *bytes = in.readU32(2);
  Value *end = builder.CreateUDiv(bytes, builder.getInt32(type.bits / 8));
  BasicBlock *entry = in.emitter.makeBlock("ptx.reduce.entry");
  BasicBlock *loop = in.emitter.makeBlock("ptx.reduce"),
             *body = in.emitter.makeBlock("ptx.reduce.element"),
             *done = in.emitter.makeBlock("ptx.reduced");
  in.emitter.continueIn(entry);
  in.emitter.continueIn(loop);
  PHINode *i = builder.CreatePHI(builder.getInt32Ty(), 2);
  i->addIncoming(builder.getInt32(0), entry);
  builder.CreateCondBr(builder.CreateICmpULT(i, end), body, done);
  builder.SetInsertPoint(body);
  Type *element = builder.getIntNTy(type.bits);
  Value *value = builder.CreateLoad(element, builder.CreateInBoundsGEP(element, from, i));
  updateMemory(in, operation, type, builder.CreateInBoundsGEP(element, to, i),
               builder.CreateBitCast(value, type.inIR(builder.getContext())),
               AtomicOrdering::Monotonic);
  i->addIncoming(builder.CreateAdd(i, builder.getInt32(1)), builder.GetInsertBlock());
  builder.CreateBr(loop);
  builder.SetInsertPoint(done);
  if (tells)
    library(in, "__heddle_mbarrier_complete", {in.emitter.address(in.operand(3), true), bytes});
}

void emitCopy(PtxInstruction &in) {
  if (in.take("reduce"))
    return emitBulkReduction(in);
  if (!in.take("async"))
    throw PtxError("");
  if (in.take("bulk"))
    return emitBulkCopy(in);
  if (in.take("commit_group"))
    return addCopyMark(in.builder, CopyStep::Commit, nullptr, 0);
  if (in.take("wait_group"))
    return addCopyMark(in.builder, CopyStep::Wait, nullptr,
                       uint64_t(in.emitter.constant(in.operand(0))));
  if (in.take("wait_all"))
    return addCopyMark(in.builder, CopyStep::WaitAll, nullptr, 0);
  if (in.take("mbarrier"))
    return emitArriveAfterCopies(in);
  emitSmallCopy(in);
}

// st.async and red.async: the last operand is a barrier that learns how many bytes have come.
PtxHandler tellingBarrier(const PtxHandler &plain) {
  return [plain](PtxInstruction &in) {
    if (!in.take("async"))
      return plain(in);
    if (!in.take("mbarrier::complete_tx::bytes"))
      throw PtxError("");
    unsigned bytes = 1;
    for (const std::string &modifier : in.statement.modifiers)
      if (const auto type = parsePtxType(modifier))
        bytes *= type->bits / 8;
      else if (modifier == "v2" || modifier == "v4")
        bytes *= unsigned(modifier[1] - '0');
    plain(in);
    library(in, "__heddle_mbarrier_complete",
            {in.emitter.address(in.operand(2), true), in.builder.getInt32(bytes)});
  };
}

} // namespace

void addCopyInstructions(PtxTable &table) {
  table.any["cp"] = emitCopy;
  for (const char *name : {"st", "red"})
    table.any[name] = tellingBarrier(table.any[name]);
}

} // namespace heddle
