// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/description/layout.h"

#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace heddle {
namespace {

bool refersTo(const Constant *constant, const DenseSet<const GlobalVariable *> &set) {
  if (auto *variable = dyn_cast<GlobalVariable>(constant))
    return set.contains(variable);
  if (isa<GlobalValue>(constant))
    return false;
  return any_of(constant->operands(), [&](const Use &operand) {
    auto *inner = dyn_cast<Constant>(operand.get());
    return inner && refersTo(inner, set);
  });
}

// No code can write it, so it needs no copy for each device.
bool isPlainConstant(const GlobalVariable &variable) {
  return variable.isConstant() && !variable.isExternallyInitialized();
}

// The variables that need an address per device. So does a constant table that contains such an
// address.
DenseSet<const GlobalVariable *> perDevice(const Module &module) {
  DenseSet<const GlobalVariable *> found;
  for (const GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() != address_space::Shared && !isPlainConstant(variable) &&
        !variable.getName().starts_with("llvm."))
      found.insert(&variable);
  for (bool changed = true; changed;) {
    changed = false;
    for (const GlobalVariable &variable : module.globals())
      if (variable.hasInitializer() && !variable.getName().starts_with("llvm.") &&
          !found.contains(&variable) && refersTo(variable.getInitializer(), found))
        changed |= found.insert(&variable).second;
  }
  return found;
}

Align alignOf(const GlobalVariable &variable, const DataLayout &data) {
  return variable.getAlign().value_or(data.getABITypeAlign(variable.getValueType()));
}

// `least`: the alignment of variables of at least a cache line.
template <typename Map>
uint64_t place(Map &map, GlobalVariable *variable, uint64_t end, const DataLayout &data,
               Align least = Align()) {
  const bool fills_line = data.getTypeAllocSize(variable->getValueType()) >= least.value();
  const uint64_t offset =
      alignTo(end, std::max(alignOf(*variable, data), fills_line ? least : Align()));
  map[variable] = offset;
  return offset + data.getTypeAllocSize(variable->getValueType());
}

} // namespace

DeviceLayout layOut(Module &module) {
  const Align line(64);
  DeviceLayout layout;
  const DataLayout &data = module.getDataLayout();
  const auto per_device = perDevice(module);
  for (GlobalVariable &variable : module.globals()) {
    if (variable.hasAttribute(managed_attribute)) {
      layout.managed[&variable] = layout.globals_bytes = alignTo(layout.globals_bytes, Align(8));
      layout.globals_bytes += 8;
      layout.globals_align = std::max<uint64_t>(layout.globals_align, 8);
    } else if (variable.getAddressSpace() == address_space::Shared) {
      const bool dynamic = variable.isDeclaration();
      if (dynamic)
        layout.dynamic_shared.push_back(&variable);
      else
        // Vectors of a block's elements should not cross cache lines.
        layout.shared_bytes = place(layout.shared, &variable, layout.shared_bytes, data, line);
    } else if (per_device.contains(&variable)) {
      layout.globals_bytes = place(layout.globals, &variable, layout.globals_bytes, data);
      layout.globals_align = std::max(layout.globals_align, alignOf(variable, data).value());
    }
  }
  return layout;
}

} // namespace heddle
