// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a part of a device image to a shared object: out of the cache, or by running the compiler.
//
// The compiler (LLVM) lives in a helper program, heddle-jit, not in the user's process: it costs
// nothing when the cache is warm, and whatever happens to it, the user's program survives.
#pragma once

#include "engine/part.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle::engine {

struct CompiledFile {
  std::filesystem::path path;
  bool temporary = false; // delete it once it is loaded
};

/// The variant of SIMD code (block_shape_class.h) that most launches use: for blocks of 256 × 1 × 1
/// threads. Kernels that do not care for the size serve other blocks, too; those whose gangs are no
/// wider than a warp, all whole warps.
inline constexpr std::string_view most_likely_variant = "simd:256:whole";

/// Behind an engine's name: code for an observer, with the number of its mask behind it
/// (observe/events.h).
inline constexpr std::string_view observed_suffix = ":observe=";

/// `engine` is what the compiler knows: reference, which has no parts, or a variant of SIMD code;
/// plain "simd" is the most likely one. Throws std::runtime_error with the compiler's message.
CompiledFile compiledModule(std::string_view image, std::string_view engine,
                            std::string_view part = whole_image);

/// Only if it is in the cache; else an empty path.
std::filesystem::path cachedModule(std::string_view image, std::string_view engine,
                                   std::string_view part);

/// What became of the kernels' memory accesses and branches in a variant of SIMD code, for people.
/// Throws std::runtime_error with the compiler's message.
std::string explainedModule(std::string_view image, std::string_view engine, std::string_view part);

/// The engine that HEDDLE_ENGINE names: simd (the default) or reference. Throws std::runtime_error
/// for an unknown one.
std::string_view chosenEngine();

} // namespace heddle::engine
