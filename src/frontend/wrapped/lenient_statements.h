// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that nvcc takes, with a warning or without, and Clang refuses:
//
//   #pragma unroll          before what is no loop, or twice, or with a number below 1: ignored
//   case 1: int x = 4;      a switch that jumps past initialisations, in code of the device alone
//
// Three of Clang's functions that judge statements are replaced by the linker (--wrap,
// CMakeLists.txt).
#pragma once

namespace llvm {
class Module;
}

namespace heddle::frontend {

/// Takes the numbers below 1, which Clang has let pass, from loops: LLVM would obey.
void ignoreSenselessUnrolling(llvm::Module &module);

} // namespace heddle::frontend
