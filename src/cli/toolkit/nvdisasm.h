// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvdisasm: shows what is in an image. There is no machine code of GPUs, so it is PTX, and the
// first line says so.
#pragma once

namespace heddle::cli {

/// Returns the exit code. Throws std::runtime_error.
int disassemble(int argc, char **argv);

} // namespace heddle::cli
