// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant tables that hold addresses of shared variables.
//
// To Clang the address of a __shared__ variable is a constant, so `int *p[] = {shared, global};`
// may become a constant table. But every block has shared memory of its own, so the table cannot be
// laid out once: each function that reads it makes its own copy.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

void expandSharedTables(llvm::Module &module);

} // namespace heddle
