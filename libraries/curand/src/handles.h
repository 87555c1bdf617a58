// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds of generators.
#pragma once
#include "generator.h"

namespace heddle::curand {

bool isQuasi(curandRngType_t Type);
bool is64(curandRngType_t Type);

} // namespace heddle::curand
