// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that launch kernels: what Clang emits for `k<<<grid, block, bytes, stream>>>(x)` in
// device code becomes one call of the device, with the launch described in memory.
//
// Clang emits `if (!__cudaPushCallConfiguration(grid, block, bytes, stream)) k(x);`, as it does for
// the host. Device code names a kernel by a number in place of an address, since a kernel is not a
// function that it could call; the image lists its kernels in the order of these numbers.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace heddle {

/// The device function that launches, and other functions of CUDA's device runtime, become calls of
/// (include/__heddle/device_calls.h).
inline constexpr const char *device_call = "__heddle_device_call";

/// Lowers all launches. Returns messages about calls of functions that CUDA had only before CDP2.
std::vector<std::string> lowerLaunches(llvm::Module &module);

/// In a whole program, numbers the kernels that device code names. Returns messages about launches
/// of kernels that are only declared.
std::vector<std::string> numberKernels(llvm::Module &module);

/// The kernels named by device code, in order of their numbers.
llvm::SmallVector<llvm::Function *> namedKernels(const llvm::Module &module);

/// The offsets of a kernel's parameters, packed one after another, each with its type's alignment
/// (CUDA driver API, cuLaunchKernel). A by-value struct is a byval pointer.
struct PackedParameters {
  struct Place {
    uint64_t offset, size;
  };
  llvm::SmallVector<Place> places;
  uint64_t bytes = 0;

  void add(const llvm::DataLayout &data, llvm::Type *type, llvm::Type *by_value,
           llvm::MaybeAlign by_value_align);
};

} // namespace heddle
