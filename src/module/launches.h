// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that launch kernels: what Clang emits for `k<<<grid, block, bytes, stream>>>(x)` in
// device code becomes one call to the device, with the launch in memory.
//
// Clang emits `if (!__cudaPushCallConfiguration(grid, block, bytes, stream)) k(x);`, as it does for
// the host. Device code names a kernel by a number that looks like an address, since a kernel is no
// function that it could call; the image lists its kernels in the order of these numbers.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace heddle {

/// The device function that launches become calls of, and others of CUDA's device runtime
/// (include/__heddle/device_calls.h).
inline constexpr const char *device_call = "__heddle_device_call";

/// Lowers all launches. Returns messages about calls of what only CUDA before CDP2 had.
std::vector<std::string> lowerLaunches(llvm::Module &module);

/// In a whole program, gives numbers to the kernels that device code names. Returns messages about
/// launches of kernels that are declared only.
std::vector<std::string> numberKernels(llvm::Module &module);

/// The kernels that device code names, by number.
llvm::SmallVector<llvm::Function *> namedKernels(const llvm::Module &module);

/// Where the parameters of a kernel lie that are packed one after another, each aligned as its type
/// is (CUDA driver API, cuLaunchKernel). A by-value struct arrives as a byval pointer.
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
