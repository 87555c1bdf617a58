// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/annotations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace heddle {

SmallVector<GlobalVariable *> annotatedVariables(Module &module, StringRef text) {
  SmallVector<GlobalVariable *> found;
  GlobalVariable *table = module.getGlobalVariable("llvm.global.annotations");
  if (!table)
    return found;
  for (const Use &entry : cast<ConstantArray>(table->getInitializer())->operands()) {
    auto *fields = cast<ConstantStruct>(entry);
    auto *variable = dyn_cast<GlobalVariable>(fields->getOperand(0)->stripPointerCasts());
    auto *note = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    auto *string = note ? dyn_cast<ConstantDataSequential>(note->getInitializer()) : nullptr;
    if (variable && string && string->getAsCString() == text)
      found.push_back(variable);
  }
  return found;
}

StringRef withoutFileSuffix(StringRef name) {
  for (StringRef mark : {"__static__", "__intern__"})
    if (const size_t at = name.rfind(mark);
        at != StringRef::npos && at > 0 && all_of(name.substr(at + mark.size()), isHexDigit))
      return name.substr(0, at);
  return name;
}

namespace {
constexpr StringLiteral cluster_attribute = "heddle.cluster_dims";
}

void markClusterDims(Module &module) {
  GlobalVariable *table = module.getGlobalVariable("llvm.global.annotations");
  if (!table)
    return;
  for (const Use &entry : cast<ConstantArray>(table->getInitializer())->operands()) {
    auto *fields = cast<ConstantStruct>(entry);
    auto *function = dyn_cast<Function>(fields->getOperand(0)->stripPointerCasts());
    auto *note = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    auto *string = note ? dyn_cast<ConstantDataSequential>(note->getInitializer()) : nullptr;
    auto *arguments = dyn_cast<GlobalVariable>(fields->getOperand(4)->stripPointerCasts());
    if (!function || !string || string->getAsCString() != cluster_attribute || !arguments)
      continue;
    std::string dims;
    for (const Use &number : cast<ConstantStruct>(arguments->getInitializer())->operands())
      dims += std::to_string(cast<ConstantInt>(number)->getZExtValue()) + ",";
    function->addFnAttr(cluster_attribute, dims);
  }
}

std::array<uint32_t, 3> clusterDims(const Function &kernel) {
  if (!kernel.hasFnAttribute(cluster_attribute))
    return {};
  std::array<uint32_t, 3> dims = {1, 1, 1};
  StringRef rest = kernel.getFnAttribute(cluster_attribute).getValueAsString();
  for (uint32_t &dim : dims)
    if (rest.consumeInteger(10, dim) || !rest.consume_front(","))
      break;
  return dims;
}

} // namespace heddle
