// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses of a device module's variables.
//
// __device__ and __constant__ variables form one block of memory ("the globals"), of which each
// virtual device has a copy; __shared__ variables form another, of which each thread block has one.
// Code addresses a variable as base + offset. Constants that no code can write (strings, vtables)
// stay ordinary constants of the compiled code. The layout depends on the module alone, so that the
// description made at build time and code compiled later agree.
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace heddle {

/// NVPTX address spaces (LLVM "User Guide for NVPTX Back-end").
namespace address_space {
enum : unsigned { Generic = 0, Global = 1, Shared = 3, Constant = 4, Local = 5 };
}

/// The attribute that marks a __managed__ variable, whose storage is a host variable.
inline constexpr llvm::StringLiteral managed_attribute = "heddle.managed";

struct DeviceLayout {
  llvm::MapVector<llvm::GlobalVariable *, uint64_t> globals; // offset in the globals
  uint64_t globals_bytes = 0;
  uint64_t globals_align = 1;
  llvm::MapVector<llvm::GlobalVariable *, uint64_t> shared; // offset in static shared memory
  uint64_t shared_bytes = 0;
  llvm::SmallVector<llvm::GlobalVariable *> dynamic_shared; // extern __shared__ arrays: one address
  /// Managed variables, in the order of the module: offset of a pointer to each, in the globals.
  llvm::MapVector<llvm::GlobalVariable *, uint64_t> managed;
};

DeviceLayout layOut(llvm::Module &module);

} // namespace heddle
