// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/lowering/kernel_parameter.h"

#include "engine/abi.h"

using namespace llvm;

namespace heddle::engine {

bool isReadInPlace(const Argument &parameter) {
  return parameter.hasByValAttr() && parameter.onlyReadsMemory() &&
         parameter.getParamAlign().valueOrOne().value() <= parameters_alignment;
}

KernelParameter readParameter(IRBuilder<> &builder, const Argument &parameter, Value *buffer,
                              const ParameterInfo &info) {
  Type *byte = builder.getInt8Ty();
  Value *address = builder.CreateConstInBoundsGEP1_64(byte, buffer, info.offset);
  if (parameter.hasByValAttr())
    return {address, nullptr};
  if (parameter.getType()->isIntegerTy(1)) { // bool: one byte in memory
    LoadInst *load = builder.CreateLoad(byte, address);
    return {builder.CreateICmpNE(load, builder.getInt8(0)), load};
  }
  LoadInst *load = builder.CreateLoad(parameter.getType(), address);
  return {load, load};
}

} // namespace heddle::engine
