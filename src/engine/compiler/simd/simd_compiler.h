// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a device image for the SIMD engine: each kernel becomes a function that runs a gang of
// threads in vector registers.
//
// The main steps for one kernel (pipeline.h has all passes):
//
//   makeThreadFunction    inlines all callees and reads parameters from memory
//   canonicalize          scalars, simple loops, one return
//   layOutPrivateMemory   allocates local variables for all lanes
//   lowerSuspendPoints    barriers and other waits become states to leave and re-enter
//   linearize             divergent branches become masks
//   widen                 scalars become vectors, except uniform and affine ones
//
// Callees that cannot be inlined (recursion, function pointers) are compiled as for the reference
// engine and called lane by lane.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"
#include "engine/compiler/simd/widen/widen.h"
#include "engine/part.h"
#include "module/image/image.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::engine {

/// How one kernel was compiled, for `--explain-codegen`.
struct KernelReport {
  std::string name;
  std::string fallback; // why it runs on the reference engine; empty if it does not
  simd::LaneLayout layout;
  std::vector<simd::Remark> remarks;
};

/// Writes a shared object that exports `heddle_simd_module`, with this part of the image for blocks
/// of that class; compiles only if `output` is empty. `events`: what is reported to an observer
/// (observe/events.h). Throws std::runtime_error with a message for users.
void compileForSimd(const Image &image, const simd::Variant &variant, std::string_view part,
                    const std::filesystem::path &output,
                    std::vector<KernelReport> *reports = nullptr, uint32_t events = 0);

} // namespace heddle::engine
