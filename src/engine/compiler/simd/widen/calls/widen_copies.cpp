// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/calls/widen_copies.h"
#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "module/passes/marks.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr uint64_t copied_bytes = 16; // more than a vector's element can have

// void (gang, addresses to copy to, from, bits of the lanes that do). Each lane's copy is one
// access, so its addresses are checked before it.
void buildBody(Function &copy, IntegerType *bits_type) {
  LLVMContext &context = copy.getContext();
  IRBuilder<> b(BasicBlock::Create(context, "", &copy));
  Value *gang = copy.getArg(0), *bits = copy.getArg(3);
  BasicBlock *entry = b.GetInsertBlock(), *loop = BasicBlock::Create(context, "lane", &copy),
             *odd = BasicBlock::Create(context, "misaligned", &copy),
             *fine = BasicBlock::Create(context, "aligned", &copy),
             *end = BasicBlock::Create(context, "end", &copy);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode *rest = b.CreatePHI(bits_type, 2, "rest");
  Value *lane = b.CreateBinaryIntrinsic(Intrinsic::cttz, rest, b.getTrue());
  const auto address = [&](unsigned argument) {
    return b.CreateLoad(b.getPtrTy(),
                        b.CreateInBoundsGEP(b.getPtrTy(), copy.getArg(argument), lane));
  };
  const auto oddBits = [&](Value *pointer) {
    return b.CreateAnd(b.CreatePtrToInt(pointer, b.getInt64Ty()), copied_bytes - 1);
  };
  Value *to = address(1), *from = address(2), *odd_from = oddBits(from);
  b.CreateCondBr(b.CreateIsNotNull(b.CreateOr(oddBits(to), odd_from)), odd, fine,
                 MDBuilder(context).createUnlikelyBranchWeights());
  b.SetInsertPoint(odd);
  callRuntime(b, gang, offsetof(RuntimeTable, misaligned), b.getVoidTy(),
              {b.CreateSelect(b.CreateIsNotNull(odd_from), from, to)});
  b.CreateUnreachable();
  b.SetInsertPoint(fine);
  b.CreateMemCpy(to, Align(1), from, Align(1), copied_bytes);
  Value *others = b.CreateAnd(rest, b.CreateSub(rest, ConstantInt::get(bits_type, 1)));
  rest->addIncoming(bits, entry);
  rest->addIncoming(others, fine);
  b.CreateCondBr(b.CreateIsNull(others), end, loop);
  b.SetInsertPoint(end);
  b.CreateRetVoid();
}

Function *copyFunction(VectorBuilder &v) {
  Module &module = *v.function->getParent();
  const std::string name = "heddle.copy." + std::to_string(v.lanes);
  if (Function *made = module.getFunction(name))
    return made;
  Type *pointer = v.b.getPtrTy();
  auto *type = FunctionType::get(v.b.getVoidTy(), {pointer, pointer, pointer, v.mask.bitsType()},
                                 /*isVarArg=*/false);
  Function *copy = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  copy->addFnAttrs(AttrBuilder(module.getContext(), v.function->getAttributes().getFnAttrs()));
  copy->addFnAttr(Attribute::NoInline);
  buildBody(*copy, v.mask.bitsType());
  return copy;
}

} // namespace

bool isCopyOfLanes(const CallBase &old) {
  const auto *copy = dyn_cast<MemCpyInst>(&old);
  const auto *bytes = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
  return bytes && bytes->equalsInt(copied_bytes) && copy->hasMetadata(background_copy);
}

void widenCopyOfLanes(VectorBuilder &v, CallBase &old) {
  const auto addresses = [&](unsigned i, const char *name) {
    Type *type = v.wide(v.b.getPtrTy());
    AllocaInst *&place = v.emitters.copy_places[i];
    if (!place)
      place = v.temporary(type, name);
    v.b.CreateStore(v.b.CreateAddrSpaceCast(v.vectorOf(old.getArgOperand(i)), type), place);
    return place;
  };
  Value *to = addresses(0, "to"), *from = addresses(1, "from");
  v.b.CreateCall(copyFunction(v), {v.gang, to, from, v.mask.laneBits()});
}

} // namespace heddle::engine::simd
