// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference engine's implementation of services to device code.
#pragma once

#include "engine/abi.h"

namespace heddle::engine::reference {

const RuntimeTable &runtimeTable();

} // namespace heddle::engine::reference
