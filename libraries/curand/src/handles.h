// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which generators live: a handle that was destroyed, or never made, is refused instead of
// followed.
#pragma once
#include "generator.h"

namespace heddle::curand {

void remember(curandGenerator_t Generator);
bool forget(curandGenerator_t Generator);
bool lives(curandGenerator_t Generator);

bool isQuasi(curandRngType_t Type);
bool is64(curandRngType_t Type);

} // namespace heddle::curand
