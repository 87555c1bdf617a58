// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a device image to a shared object: out of the cache, or by running the compiler.
//
// The compiler (LLVM) lives in a helper program, heddle-jit, not in the user's process: it costs
// nothing when the cache is warm, and whatever happens to it, the user's program survives.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle::engine {

struct CompiledFile {
  std::filesystem::path path;
  bool temporary = false; // delete it once it is loaded
};

/// `engine` is what the compiler knows: reference, or a variant of SIMD code (simd/variant.h);
/// plain "simd" is the variant that most launches use. Throws std::runtime_error with the
/// compiler's message.
CompiledFile compiledModule(std::string_view image, std::string_view engine);

/// What became of the kernels' memory accesses and branches in a variant of SIMD code, for people.
/// Throws std::runtime_error with the compiler's message.
std::string explainedModule(std::string_view image, std::string_view engine);

/// The engine that HEDDLE_ENGINE names: simd (the default) or reference. Throws std::runtime_error
/// for an unknown one.
std::string_view chosenEngine();

} // namespace heddle::engine
