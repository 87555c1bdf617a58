// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relocatable device code: what an object file that is compiled with -rdc=true holds of a source's
// device side, until the device link makes an image of it and of the others.
//
// It is Clang's IR as it came: undefined arithmetic has not been given its meaning and nothing is
// optimised yet (prepare.h does both, once all code is together). Inline PTX is IR already, so that
// mistakes in it are found where they are.
#pragma once

#include "llvm/IR/Module.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct DeviceObjectInfo {
  std::string id;              // no other object file has it
  std::string source;          // for messages
  std::vector<uint32_t> archs; // __CUDA_ARCH__ of all GPUs it was compiled for; empty: any GPU
  bool debug = false;          // -G
  unsigned optimize = 2;       // -O level for device code
  bool named_by_host = false;  // has kernels, or variables that the host can name
  // Symbols that other objects can see, or must define.
  std::vector<std::string> strong, weak, needed;
};

struct DeviceObject {
  DeviceObjectInfo info;
  std::string bitcode;
  std::string file;    // where it was found: "a.o" or "libx.a:a.o"
  bool member = false; // of a static library: linked if something needs it
};

/// The bytes that go into the object file. Fills in the symbols of `info` and `named_by_host`.
/// Empty if `module` has no code and no variables. Throws std::runtime_error with compiler-style
/// messages, one a line, for what is not supported.
std::string makeDeviceObject(llvm::Module &module, DeviceObjectInfo info);

/// Reads device objects that lie one behind the other, perhaps with zeros between them.
/// Throws std::runtime_error that says what is wrong.
std::vector<DeviceObject> readDeviceObjects(std::span<const std::byte> bytes);

} // namespace heddle
