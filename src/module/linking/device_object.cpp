// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/linking/device_object.h"

#include "module/description/describe.h"
#include "module/description/layout.h"
#include "module/image/framed.h"
#include "module/prepare.h"
#include "support/refusal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace llvm;

namespace heddle {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceObjectInfo, id, source, archs, debug, optimize,
                                   named_by_host, strong, weak, needed)

namespace {

constexpr FrameKind kind = relocatable_code;

// Memory that the launch provides is no symbol, nor are LLVM's own names.
bool isSymbol(const GlobalValue &value) {
  const auto *function = dyn_cast<Function>(&value);
  const auto *variable = dyn_cast<GlobalVariable>(&value);
  return !value.hasLocalLinkage() && !value.getName().starts_with("llvm.") &&
         !(function && function->isIntrinsic()) &&
         !(variable && variable->isDeclaration() &&
           variable->getAddressSpace() == address_space::Shared);
}

bool isNamedByHost(const GlobalValue &value) {
  if (value.isDeclaration())
    return false;
  if (const auto *function = dyn_cast<Function>(&value))
    return isKernel(*function);
  const auto *variable = dyn_cast<GlobalVariable>(&value);
  return variable &&
         (variable->isExternallyInitialized() || variable->hasAttribute(managed_attribute));
}

void listSymbols(const Module &module, DeviceObjectInfo &info) {
  for (const GlobalValue &value : module.global_values()) {
    info.named_by_host |= isNamedByHost(value);
    if (!isSymbol(value))
      continue;
    if (!value.isDeclaration())
      (value.isWeakForLinker() ? info.weak : info.strong).push_back(value.getName().str());
    else if (!value.use_empty() && !value.hasExternalWeakLinkage())
      info.needed.push_back(value.getName().str());
  }
}

bool hasDefinitions(const Module &module) {
  return any_of(module.global_values(), [](const GlobalValue &value) {
    return !value.isDeclaration() && !value.getName().starts_with("llvm.");
  });
}

} // namespace

std::string makeDeviceObject(Module &module, DeviceObjectInfo info, bool even_if_empty,
                             const PrepareOptions *checks) {
  PrepareOptions unchecked;
  unchecked.arch = 0;
  const PrepareOptions &options = checks ? *checks : unchecked;
  if (const auto problems = translateSource(module, options); !problems.empty())
    throw Refusal(join(problems, "\n"), 1);
  checkRefusedCode(module, options);
  if (!even_if_empty && !hasDefinitions(module))
    return "";
  listSymbols(module, info);
  std::string bitcode;
  raw_string_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  return writeFrame(
      kind, nlohmann::json(info).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
      bitcode);
}

std::vector<DeviceObject> readDeviceObjects(std::span<const std::byte> bytes) {
  std::vector<DeviceObject> objects;
  while (true) {
    const auto start = find_if(bytes, [](std::byte byte) { return byte != std::byte(0); });
    bytes = bytes.subspan(size_t(start - bytes.begin()));
    if (bytes.empty())
      return objects;
    const Frame frame = readFrame(kind, bytes);
    try {
      objects.push_back({nlohmann::json::parse(frame.header).get<DeviceObjectInfo>(),
                         std::string(frame.bitcode), "", false});
    } catch (const nlohmann::json::exception &error) {
      throw std::runtime_error(std::string(kind.name) + ": broken header: " + error.what());
    }
    bytes = bytes.subspan(frameBytes(kind, bytes.data()));
  }
}

} // namespace heddle
