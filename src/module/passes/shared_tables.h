// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant tables that contain addresses of shared variables.
//
// For Clang the address of a __shared__ variable is a constant, so `int *p[] = {shared, global};`
// may become a constant table. But every block has its own shared memory, so the table has no
// constant value: each function that reads it makes its own copy.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

void expandSharedTables(llvm::Module &module);

} // namespace heddle
