// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/float_environment.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace heddle::engine {

#if defined(__x86_64__)

// Each launch comes here, and fegetenv and fesetenv take longer than the whole of the usual case,
// in which there is nothing to change.
namespace {

// Intel SDM, "MXCSR Control and Status Register": as a process starts. fesetround and
// feenableexcept set the x87 unit's control word with it, which needs no look of its own.
constexpr uint32_t mxcsr_at_start = 0x1f80, mxcsr_raised = 0x3f;

} // namespace

DeviceFloatEnvironment::DeviceFloatEnvironment()
    : status_(_mm_getcsr()), changed_((status_ & ~mxcsr_raised) != mxcsr_at_start) {
  if (!changed_)
    return;
  std::fegetenv(&own_);
  std::fesetenv(FE_DFL_ENV);
  _mm_setcsr(mxcsr_at_start); // FE_DFL_ENV says nothing about denormals
}

DeviceFloatEnvironment::~DeviceFloatEnvironment() {
  if (changed_)
    std::fesetenv(&own_);
  else if (_mm_getcsr() != status_)
    _mm_setcsr(status_);
}

#else

DeviceFloatEnvironment::DeviceFloatEnvironment() {
  std::fegetenv(&own_);
  std::fesetenv(FE_DFL_ENV);
}

DeviceFloatEnvironment::~DeviceFloatEnvironment() { std::fesetenv(&own_); }

#endif

} // namespace heddle::engine
