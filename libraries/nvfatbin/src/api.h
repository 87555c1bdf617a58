// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvFatbin's functions, which are all that the library exports.
#pragma once

#pragma GCC visibility push(default)
#include <nvFatbin.h>
#pragma GCC visibility pop
