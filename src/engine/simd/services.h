// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine's services to device code, as the SIMD engine gives them.
//
// Code that waits does so by returning (Suspension), so the services that would wait are not for
// it: a call of one is a fault of the compiler's.
#pragma once

#include "engine/abi.h"

namespace heddle::engine::simd {

const RuntimeTable &runtimeTable();

} // namespace heddle::engine::simd
