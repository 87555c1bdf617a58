// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "engine/simd/launch/block_shape_class.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace heddle::engine::simd {

FunctionCallee marker(Module &module, StringRef name) {
  LLVMContext &context = module.getContext();
  Type *i1 = Type::getInt1Ty(context), *i32 = Type::getInt32Ty(context);
  Type *none = Type::getVoidTy(context), *pointer = PointerType::get(context, 0);
  auto *type = [&]() -> FunctionType * {
    if (name == mask_marker)
      return FunctionType::get(none, {i1}, false);
    if (name == active_marker)
      return FunctionType::get(i1, false);
    if (name == any_marker || name == all_marker)
      return FunctionType::get(i1, {i1}, false);
    if (name == together_marker)
      return FunctionType::get(i1, {i32}, false);
    if (name == first_marker)
      return FunctionType::get(i32, {i32}, false);
    if (name == in_range_marker)
      return FunctionType::get(i1, {Type::getInt64Ty(context), Type::getInt64Ty(context)}, false);
    if (name == prefetch_marker)
      return FunctionType::get(none, {pointer, i32}, false);
    if (name == lane_marker || name == state_marker)
      return FunctionType::get(i32, false);
    if (name == suspend_marker)
      return FunctionType::get(pointer, {i32, i32, i32, i32, i32}, false);
    return FunctionType::get(pointer, false); // resumed, frame, request
  }();
  const bool known = module.getFunction(name) != nullptr;
  FunctionCallee callee = module.getOrInsertFunction(name, type);
  if (!known) {
    auto *function = cast<Function>(callee.getCallee());
    function->setDoesNotThrow();
    function->setWillReturn();
    if (name == lane_marker) {
      constexpr unsigned most_lanes = Variant::longest;
      function->addRetAttr(Attribute::get(context, Attribute::Range,
                                          ConstantRange(APInt(32, 0), APInt(32, most_lanes))));
    }
    // Markers with effects keep their place; the result of `any` and others like it depends on the
    // mask.
    if (name == active_marker || name == lane_marker || name == state_marker ||
        name == resumed_marker || name == frame_marker || name == request_marker ||
        name == in_range_marker)
      function->setDoesNotAccessMemory();
    else if (name == prefetch_marker)
      function->setOnlyAccessesInaccessibleMemory();
    else
      function->addFnAttr(Attribute::Convergent);
  }
  return callee;
}

StringRef calledName(const Value &value) {
  const auto *call = dyn_cast<CallBase>(&value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() ? callee->getName() : StringRef();
}

} // namespace heddle::engine::simd
