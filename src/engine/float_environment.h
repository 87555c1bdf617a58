// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The floating-point environment that device code runs in.
//
// A program may trap invalid operations (feenableexcept), round upwards (fesetround) or flush
// denormals (a link with -ffast-math) on its own threads, and threads that they start inherit this.
// A GPU knows nothing of it: it rounds to nearest, keeps denormals and never traps. Kernels and the
// work of libraries must not see it either. Gangs even compute for lanes that are masked out, so
// that they would trap where the program divides nothing by zero.
#pragma once

#include <cfenv>
#include <cstdint>

namespace heddle::engine {

/// While it lives, this thread computes as a GPU does. Then it has its own environment again, and
/// the exceptions that it had raised before.
class DeviceFloatEnvironment {
public:
  DeviceFloatEnvironment();
  ~DeviceFloatEnvironment();
  DeviceFloatEnvironment(const DeviceFloatEnvironment &) = delete;
  DeviceFloatEnvironment &operator=(const DeviceFloatEnvironment &) = delete;

private:
  uint32_t status_ = 0; // x86-64: MXCSR
  bool changed_ = true;
  std::fenv_t own_; // if changed
};

} // namespace heddle::engine
