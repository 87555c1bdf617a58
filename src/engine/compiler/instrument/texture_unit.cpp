// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/texture_unit.h"

#include "module/description/layout.h"
#include "module/passes/marks.h"

#include "__heddle/texture/descriptor.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle::engine {
namespace {

bool isTextureHeader(StringRef file) {
  return file.contains("__heddle/texture/") || file.ends_with("texture_indirect_functions.h") ||
         file.ends_with("texture_fetch_functions.h");
}

bool isSurfaceHeader(StringRef file) {
  return file.ends_with("surface_indirect_functions.h") || file.ends_with("surface_functions.h");
}

// Constant memory at an address that was a number: LLVM may have merged several fetches' loads.
bool readsDescriptor(const Instruction &instruction) {
  const auto *load = dyn_cast<LoadInst>(&instruction);
  if (!load || load->getPointerAddressSpace() != address_space::Constant)
    return false;
  const Value *base = getUnderlyingObject(load->getPointerOperand(), 0);
  return Operator::getOpcode(base) == Instruction::IntToPtr;
}

} // namespace

CallInst *fetchMark(Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == fetch_mark ? call : nullptr;
}

// Of a surface, what is done may come from a variable, in code that has not been optimised.
bool isOfSurface(const CallInst &mark) {
  const auto *what = dyn_cast<ConstantInt>(mark.getArgOperand(1));
  return !what || texture::Fetch(what->getZExtValue() & 255) >= texture::Fetch::SurfaceLoad;
}

// Names as devicelib/texture_entry.h has them.
TextureUnit::TextureUnit(Function &function)
    : is_library_(function.getName().starts_with("__heddle_lane_")) {
  for (Instruction &instruction : instructions(function))
    if (CallInst *mark = fetchMark(instruction)) {
      marks_.push_back(mark);
      // The library's code has the place of the call that it was inlined at.
      if (const DILocation *where = mark->getDebugLoc().get())
        (isOfSurface(*mark) ? surfaces_ : fetches_).insert(where);
    }
}

bool TextureUnit::runs(const Instruction &instruction) const {
  if (fetches_.empty() && surfaces_.empty())
    return false;
  const DILocation *where = instruction.getDebugLoc().get();
  return (where &&
          (fetches_.contains(where) || surfaces_.contains(where) ||
           isTextureHeader(where->getFilename()) || isSurfaceHeader(where->getFilename()))) ||
         readsDescriptor(instruction);
}

bool TextureUnit::loads(const Instruction &instruction) const {
  if (!isa<LoadInst>(instruction))
    return false;
  if (is_library_)
    return true;
  const DILocation *where = instruction.getDebugLoc().get();
  return (where && (fetches_.contains(where) || isTextureHeader(where->getFilename()))) ||
         readsDescriptor(instruction);
}

bool TextureUnit::accessesSurface(const Instruction &instruction) const {
  const DILocation *where = instruction.getDebugLoc().get();
  return where && surfaces_.contains(where) && !readsDescriptor(instruction);
}

} // namespace heddle::engine
