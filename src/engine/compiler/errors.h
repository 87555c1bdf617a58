// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a kernel cannot be compiled for the SIMD engine. In both cases it runs on the reference
// engine.
#pragma once

#include <stdexcept>

namespace heddle::engine {

/// The kernel does something that the SIMD engine has no code for. The text is for users:
/// "it allocates local memory of variable size".
class Unsupported : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A pass of ours is wrong. Users are told on stderr; with HEDDLE_STRICT=1, as in all tests, the
/// launch fails.
class InternalError : public std::runtime_error {
public:
  explicit InternalError(const std::string &what) : runtime_error("internal error: " + what) {}
};

} // namespace heddle::engine
