// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two reasons why a kernel is not compiled for the SIMD engine. In both cases it runs on the
// reference engine.
#pragma once

#include <stdexcept>

namespace heddle::engine {

/// The kernel uses something that the SIMD engine does not support. The text is shown to users: "it
/// allocates local memory of variable size".
class Unsupported : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A pass of the compiler is wrong. It is reported on stderr; with HEDDLE_STRICT=1, as in all
/// tests, the launch fails.
class InternalError : public std::runtime_error {
public:
  explicit InternalError(const std::string &what) : runtime_error("internal error: " + what) {}
};

} // namespace heddle::engine
