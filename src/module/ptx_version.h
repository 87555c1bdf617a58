// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle {

/// The newest version of PTX that is read, of CUDA 13.4: 94 is 9.4.
constexpr unsigned newest_ptx_version = 95;

} // namespace heddle
