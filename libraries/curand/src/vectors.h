// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direction vectors of Sobol' sequences, from Joe and Kuo's numbers (S. Joe, F. Y. Kuo,
// "Constructing Sobol' sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30,
// 2008), which joekuo/fetch.sh gets.
#pragma once
#include <cstdint>

namespace heddle::curand {

constexpr unsigned MaxDimensions = 20000;

/// Whether the library was built with the numbers.
bool hasVectors();

/// As many vectors for each of the dimensions as Word (uint32_t or unsigned long long) has bits,
/// one dimension behind the other; made when first asked for, and kept.
template <typename Word> const Word *vectors(bool scrambled);

/// One word for each dimension, which scrambled sequences begin with.
template <typename Word> const Word *constants();

} // namespace heddle::curand
