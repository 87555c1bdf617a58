// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// curand_poisson on the host, from the header that kernels use.
#pragma once

#include "philox.h"

namespace heddle::aten {

inline float curand_uniform(PhiloxThread *Thread) { return Thread->uniform(); }
inline double curand_normal_double(PhiloxThread *Thread) { return Thread->normalDouble(); }
inline float rsqrtf(float X) { return 1 / std::sqrt(X); }
inline float __log2f(float X) { return std::log2(X); }

#pragma push_macro("QUALIFIERS")
#undef QUALIFIERS
#define QUALIFIERS inline
#include <__curand/poisson.h>
#pragma pop_macro("QUALIFIERS")

/// A Poisson number of that mean.
inline uint32_t poissonNumber(PhiloxThread &Thread, double Mean) {
  return __curand_poisson_independent(&Thread, Mean);
}

} // namespace heddle::aten
