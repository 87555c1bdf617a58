// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/device_code.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MemoryBuffer.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine {
namespace {

void check(Error error) {
  if (error)
    throw std::runtime_error("broken device code: " + toString(std::move(error)));
}

using Constants = SmallPtrSet<const Constant *, 32>;

// `start` and everything that is reachable from it; bodies are materialised as they are reached.
Constants reach(SmallVector<Constant *> start) {
  Constants found;
  SmallVector<Constant *> work = std::move(start);
  const auto visit = [&](const User &user) {
    for (const Use &operand : user.operands())
      if (auto *constant = dyn_cast<Constant>(operand.get()))
        work.push_back(constant);
  };
  while (!work.empty()) {
    Constant *constant = work.pop_back_val();
    if (!found.insert(constant).second)
      continue;
    visit(*constant);
    if (auto *function = dyn_cast<Function>(constant)) {
      check(function->materialize());
      for (const Instruction &instruction : instructions(*function))
        visit(instruction);
    }
  }
  return found;
}

// Variables that have an offset are kept, used or not, since the layout names them.
bool hasPlace(const DeviceLayout &layout, GlobalVariable *variable) {
  return layout.globals.contains(variable) || layout.managed.contains(variable) ||
         layout.shared.contains(variable) || is_contained(layout.dynamic_shared, variable);
}

void dropAllBut(const Constants &needed, DeviceCode &code) {
  Module &module = *code.module;
  SmallVector<GlobalValue *> dropped;
  for (GlobalValue &value : module.global_values())
    if (auto *variable = dyn_cast<GlobalVariable>(&value);
        !needed.contains(&value) && !(variable && hasPlace(code.layout, variable)))
      dropped.push_back(&value);
  // What is dropped becomes a declaration, so that its body is never parsed.
  for (GlobalValue *value : dropped) {
    if (auto *variable = dyn_cast<GlobalVariable>(value))
      variable->setInitializer(nullptr);
    else if (auto *function = dyn_cast<Function>(value))
      function->deleteBody();
    value->setLinkage(GlobalValue::ExternalLinkage);
    if (auto *object = dyn_cast<GlobalObject>(value))
      object->setComdat(nullptr);
  }
  check(module.materializeAll());
  for (GlobalValue *value : dropped) {
    // Only other dropped values can use it.
    value->replaceAllUsesWith(PoisonValue::get(value->getType()));
    value->eraseFromParent();
  }
}

} // namespace

DeviceCode readDeviceCode(const Image &image, LLVMContext &context, std::string_view part) {
  auto parsed = getLazyBitcodeModule(
      MemoryBufferRef(StringRef(image.bitcode.data(), image.bitcode.size()), image.info.source),
      context);
  if (!parsed)
    check(parsed.takeError());
  DeviceCode code;
  code.module = std::move(*parsed);
  Module &module = *code.module;
  code.layout = layOut(module);
  if (part == whole_image) {
    check(module.materializeAll());
    return code;
  }
  SmallVector<Constant *> start;
  if (part == initial_values) {
    for (auto [variable, offset] : code.layout.globals)
      start.push_back(variable);
  } else {
    Function *kernel = module.getFunction(StringRef(part));
    if (!kernel)
      throw std::runtime_error("the image has no kernel " + std::string(part));
    start.push_back(kernel);
    for (auto [variable, offset] : code.layout.globals)
      if (variable->hasInitializer())
        variable->setInitializer(PoisonValue::get(variable->getValueType()));
  }
  dropAllBut(reach(std::move(start)), code);
  return code;
}

} // namespace heddle::engine
