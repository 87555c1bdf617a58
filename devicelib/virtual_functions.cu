// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in the tables of virtual functions where a class has none (Itanium C++ ABI, 3.2.6): a
// call is the program's mistake and ends the kernel, as an illegal instruction does.
#include "common.h"

HEDDLE_API void __cxa_pure_virtual() { __builtin_trap(); }
HEDDLE_API void __cxa_deleted_virtual() { __builtin_trap(); }
