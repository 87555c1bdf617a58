// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a SIMD module's SimdModuleTable, which the runtime reads after loading the code.
#pragma once

#include "engine/abi.h"
#include "engine/compiler/simd/optimize/aggregated_atomics.h"
#include "engine/compiler/simd/optimize/histogram_privatization.h"

#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace heddle::engine::simd {

struct CompiledKernel {
  std::string name;
  llvm::Function *entry = nullptr; // null: runs on the reference engine
  llvm::Function *sweep = nullptr; // or null
  std::string reason;
  std::vector<AlignedParameter> aligned;
  unsigned gang_lanes = 0;
  uint64_t frame_bytes = 0, record_bytes = 0, stack_bytes = 0, streamed_bytes = 0;
  Appends appends;
  Counts counts;
  bool calls_lanes = false, warp_level = false, recursive = false, strips = false,
       of_one_size = false, wants_rows = false;
};

/// `init_globals` may be null.
void addSimdTable(llvm::Module &module, const std::vector<CompiledKernel> &kernels,
                  llvm::Function *init_globals);

} // namespace heddle::engine::simd
