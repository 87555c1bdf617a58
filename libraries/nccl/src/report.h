// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle::nccl {

/// The sentence about what failed last, in any thread.
const char *lastError();
/// Prints NCCL's version if NCCL_DEBUG asks for it, once, or `again` the next time.
void showVersion(bool again = false);

} // namespace heddle::nccl
