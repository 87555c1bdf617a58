// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMD engine's implementation of services to device code.
//
// Gang code waits by returning (Suspension), so it never calls the services that would wait: such a
// call is an error of the compiler.
#pragma once

#include "engine/abi.h"

namespace heddle::engine::simd {

const RuntimeTable &runtimeTable();

} // namespace heddle::engine::simd
