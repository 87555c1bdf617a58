// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuobjdump, as far as Heddle's device code can answer: heddlecc under that name.
#pragma once

namespace heddle::cli {

/// Returns the exit code; messages go to stderr.
int dumpObjects(int argc, char **argv);

} // namespace heddle::cli
