// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relocatable device code: the device part of a source in an object file compiled with -rdc=true,
// until the device link makes one image of all objects.
//
// It is Clang's unoptimised IR, without definitions for undefined arithmetic (prepare.h does both,
// once all code is linked). Inline PTX is already IR, so that errors in it are reported when it is
// compiled.
#pragma once

#include "module/prepare.h"

#include "llvm/IR/Module.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct DeviceObjectInfo {
  std::string id;              // unique among object files
  std::string source;          // for messages
  std::vector<uint32_t> archs; // __CUDA_ARCH__ of the GPUs it was compiled for; empty: any
  bool debug = false;          // -G
  unsigned optimize = 2;       // -O level for device code
  bool named_by_host = false;  // contains kernels, or variables that the host can name
  // Symbols that other objects can refer to, or must define.
  std::vector<std::string> strong, weak, needed;
};

struct DeviceObject {
  DeviceObjectInfo info;
  std::string bitcode;
  std::string file;    // its origin: "a.o" or "libx.a:a.o"
  bool member = false; // of a static library: linked if something needs it
};

/// The bytes to embed in the object file. Sets the symbols and `named_by_host` of `info`. Without
/// `even_if_empty` empty if `module` has neither code nor variables. Throws std::runtime_error with
/// compiler-style messages, one a line, for unsupported code; with `checks`, Refusal for what ptxas
/// refuses for the GPU that they name.
std::string makeDeviceObject(llvm::Module &module, DeviceObjectInfo info,
                             bool even_if_empty = false, const PrepareOptions *checks = nullptr);

/// Reads consecutive device objects, possibly with zeros between them. Throws std::runtime_error
/// with a description of what is wrong.
std::vector<DeviceObject> readDeviceObjects(std::span<const std::byte> bytes);

} // namespace heddle
