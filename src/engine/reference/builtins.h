// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine's services to device code, as the reference engine gives them.
#pragma once

#include "engine/abi.h"

namespace heddle::engine::reference {

const RuntimeTable &runtimeTable();

} // namespace heddle::engine::reference
