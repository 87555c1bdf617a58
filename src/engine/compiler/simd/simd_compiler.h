// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a device image for the SIMD engine: each kernel becomes a function that runs a gang of
// threads in vector registers.
//
// The steps, for one kernel (each has a page of its own):
//
//   threadFunction   the kernel with all it calls inlined, its parameters read from memory
//   canonicalize     scalars, simple loops, one end
//   layOutPrivateMemory     local variables get their place for all lanes
//   lowerSuspendPoints   barriers and other waits become states to leave and enter again
//   linearize        divergent branches become masks
//   widen            scalars become vectors, but for what all lanes share
//
// What the kernel calls and cannot be inlined (recursion, function pointers) is compiled as for the
// reference engine and called lane by lane.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"
#include "engine/compiler/simd/widen/widen.h"
#include "engine/part.h"
#include "module/image.h"

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
/// of that class; none if `output` is empty. `events`: what it tells an observer
/// (observe/events.h).
/// Throws std::runtime_error with a message for people.
void compileForSimd(const Image &image, const simd::Variant &variant, std::string_view part,
                    const std::filesystem::path &output,
                    std::vector<KernelReport> *reports = nullptr, uint32_t events = 0);

} // namespace heddle::engine
