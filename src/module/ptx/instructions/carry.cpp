// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions of numbers longer than a register: .cc sets the carry flag, addc and its kin use it
// (PTX ISA, "Extended-Precision Integer Arithmetic Instructions").
#include "module/ptx/instructions/instructions.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle {
namespace {

struct Carry {
  bool in = false;
  bool out = false;
};

// a + b, or a - b with the flag as the borrow.
Value *addWithCarry(PtxInstruction &in, Value *a, Value *b, bool subtract, Carry carry) {
  IRBuilder<> &builder = in.builder;
  AllocaInst *flag = in.emitter.carry();
  const Intrinsic::ID id = subtract ? Intrinsic::usub_with_overflow : Intrinsic::uadd_with_overflow;
  Value *first = builder.CreateBinaryIntrinsic(id, a, b);
  Value *result = builder.CreateExtractValue(first, 0);
  Value *overflow = builder.CreateExtractValue(first, 1);
  if (carry.in) {
    Value *old = builder.CreateZExt(builder.CreateLoad(builder.getInt1Ty(), flag), a->getType());
    Value *second = builder.CreateBinaryIntrinsic(id, result, old);
    result = builder.CreateExtractValue(second, 0);
    overflow = builder.CreateOr(overflow, builder.CreateExtractValue(second, 1));
  }
  if (carry.out)
    builder.CreateStore(overflow, flag);
  return result;
}

// Wraps the handler of the plain instruction, which .cc turns into this one.
PtxHandler addition(bool subtract, bool carry_in, PtxHandler plain) {
  return [=](PtxInstruction &in) {
    const Carry carry{carry_in, in.take("cc")};
    if (!carry.in && !carry.out)
      return plain(in);
    const PtxType type = in.takeType();
    in.write(type, addWithCarry(in, in.read(1, type), in.read(2, type), subtract, carry));
  };
}

PtxHandler multiplyAdd(bool carry_in, PtxHandler plain) {
  return [=](PtxInstruction &in) {
    const Carry carry{carry_in, in.take("cc")};
    if (!carry.in && !carry.out)
      return plain(in);
    IRBuilder<> &builder = in.builder;
    const bool high = in.takeOneOf({"lo", "hi"}) == "hi";
    const PtxType type = in.takeType();
    auto wide = [&](size_t i) {
      Value *value = in.read(i, type);
      return builder.CreateIntCast(value, builder.getIntNTy(2 * type.bits), type.isSigned());
    };
    Value *product = builder.CreateMul(wide(1), wide(2));
    Value *half = builder.CreateTrunc(high ? builder.CreateLShr(product, type.bits) : product,
                                      builder.getIntNTy(type.bits));
    in.write(type, addWithCarry(in, half, in.read(3, type), false, carry));
  };
}

} // namespace

void addCarryInstructions(PtxTable &table) {
  StringMap<PtxHandler> &integer = table.integer;
  integer["add"] = addition(false, false, integer["add"]);
  integer["sub"] = addition(true, false, integer["sub"]);
  integer["mad"] = multiplyAdd(false, integer["mad"]);
  integer["addc"] = addition(false, true, nullptr);
  integer["subc"] = addition(true, true, nullptr);
  integer["madc"] = multiplyAdd(true, nullptr);
}

} // namespace heddle
