// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas: PTX text becomes an image, for programs that compile at run time (Triton, XLA). They read
// its version, its messages and its -v, so all of these have NVIDIA's form.
#pragma once

namespace heddle::cli {

/// Returns the exit code: 0, or ptxas' 255; messages go to stderr.
int assemblePtx(int argc, char **argv);

} // namespace heddle::cli
