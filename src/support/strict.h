// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether Heddle refuses what NVIDIA's compiler, assembler and driver refuse, although it could
// compile and run it here.
#pragma once

namespace heddle {

/// True, unless the environment variable HEDDLE_STRICT is 0: then programs get away with what only
/// NVIDIA's tools refuse, such as an instruction that the GPU they are compiled for has not got.
bool strict();

} // namespace heddle
