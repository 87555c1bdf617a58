// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of Clang's functions that the linker replaces (--wrap=SYMBOL, CMakeLists.txt): WRAP(SYMBOL)
// is what all others call, REAL(SYMBOL) is Clang's own. SYMBOL may be a macro.
#pragma once

#define HEDDLE_JOIN_NAMES(a, b) a##b
#define WRAP(symbol) HEDDLE_JOIN_NAMES(__wrap_, symbol)
#define REAL(symbol) HEDDLE_JOIN_NAMES(__real_, symbol)
