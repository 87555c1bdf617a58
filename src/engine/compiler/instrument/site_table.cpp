// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/site_table.h"

#include "engine/compiler/lowering/builtin_forms.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

#include <cstddef>

using namespace llvm;

namespace heddle::engine {
namespace {

using observe::FetchSite;
using observe::Frame;
using observe::Site;

// The constants below have these structs' layout.
static_assert(offsetof(Frame, file) == 8 && offsetof(Frame, line) == 16 &&
              offsetof(Frame, column) == 20 && offsetof(Frame, caller) == 24 &&
              sizeof(Frame) == 32);
static_assert(offsetof(Site, kind) == 8 && offsetof(Site, alignment) == 12 &&
              offsetof(Site, space) == 16 && offsetof(Site, order) == 20 &&
              offsetof(Site, variable) == 24 && offsetof(Site, variable_bytes) == 32 &&
              offsetof(Site, scope) == 40 && offsetof(Site, is_volatile) == 44 &&
              offsetof(Site, slot) == 48 && offsetof(Site, flags) == 52 && sizeof(Site) == 56 &&
              offsetof(FetchSite, what) == 56);

} // namespace

Constant *SiteTable::constant(ArrayRef<Constant *> fields, StringRef name) {
  Constant *value = ConstantStruct::getAnon(module_.getContext(), fields);
  return new GlobalVariable(module_, value->getType(), true, GlobalValue::PrivateLinkage, value,
                            name);
}

Constant *SiteTable::text(StringRef text) {
  Constant *&known = texts_[text];
  if (!known) {
    Constant *value = ConstantDataArray::getString(module_.getContext(), text);
    known = new GlobalVariable(module_, value->getType(), true, GlobalValue::PrivateLinkage, value,
                               "observed.text");
  }
  return known;
}

Constant *SiteTable::frame(const DILocation *where) {
  LLVMContext &context = module_.getContext();
  if (!where)
    return ConstantPointerNull::get(PointerType::get(context, 0));
  if (Constant *known = frames_.lookup(where))
    return known;
  Constant *caller = frame(where->getInlinedAt());
  const DISubprogram *function = where->getScope()->getSubprogram();
  SmallString<128> file(where->getFilename());
  if (!file.starts_with("/") && !where->getDirectory().empty())
    file = (where->getDirectory() + "/" + where->getFilename()).str();
  StringRef name = function ? function->getLinkageName() : "";
  if (name.empty() && function)
    name = function->getName();
  Type *i32 = Type::getInt32Ty(context);
  Constant *result =
      constant({text(demangle(name)), text(file), ConstantInt::get(i32, where->getLine()),
                ConstantInt::get(i32, where->getColumn()), caller},
               "observed.frame");
  frames_[where] = result;
  return result;
}

Constant *SiteTable::add(const SiteDescription &site) {
  LLVMContext &context = module_.getContext();
  Type *i32 = Type::getInt32Ty(context);
  Constant *nothing = ConstantPointerNull::get(PointerType::get(context, 0));
  return constant({frame(site.where), ConstantInt::get(i32, uint32_t(site.kind)),
                   ConstantInt::get(i32, site.alignment), ConstantInt::get(i32, site.space),
                   ConstantInt::get(i32, site.order),
                   site.variable.empty() ? nothing : text(site.variable),
                   ConstantInt::get(Type::getInt64Ty(context), site.variable_bytes),
                   ConstantInt::get(i32, uint32_t(site.scope)),
                   ConstantInt::get(i32, site.is_volatile), ConstantInt::get(i32, site.slot),
                   ConstantInt::get(i32, site.flags), ConstantInt::get(i32, site.what)},
                  "observed.site");
}

const DILocation *placeOf(const Instruction &instruction) {
  if (const DILocation *where = instruction.getDebugLoc().get())
    return where;
  DISubprogram *function = instruction.getFunction()->getSubprogram();
  return function ? DILocation::get(function->getContext(), 0, 0, function) : nullptr;
}

FunctionCallee observeMarker(Module &module) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *i64 = Type::getInt64Ty(context);
  return module.getOrInsertFunction(
      observe_marker,
      FunctionType::get(Type::getInt1Ty(context), {pointer, i64, i64, pointer, i64}, false));
}

FunctionCallee observeFetchMarker(Module &module) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context);
  return module.getOrInsertFunction(
      observe_fetch_marker,
      FunctionType::get(Type::getVoidTy(context),
                        {PointerType::get(context, 0), Type::getInt64Ty(context), i32, i32, i32,
                         i32, Type::getFloatTy(context)},
                        false));
}

std::string sourceName(StringRef name) {
  std::string text = demangle(name);
  // A shared variable of a kernel: "sum(float*)::tile".
  if (const size_t scope = text.rfind("::"); scope != std::string::npos)
    text = text.substr(scope + 2);
  return text;
}

} // namespace heddle::engine
