// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvc++, nvc, pgc++ and pgcc, whose place g++ and gcc take: OpenACC by -fopenacc, which runs the
// regions on the host. Device memory is host memory here, so `host_data use_device`, `deviceptr`
// and acc_malloc work together with kernels, which nvcc compiles, and with CUDA's libraries.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

/// What a command of this name, without folders, is in GCC's words, up to what finds Heddle's
/// headers and libraries; nothing for other names. Throws std::runtime_error for what GCC cannot
/// do.
std::optional<std::vector<std::string>> gccCommand(const std::string &name,
                                                   const std::vector<std::string> &arguments);

/// Runs it with Heddle's folders, and returns its exit status.
int openAccCompiler(const std::string &name, const std::vector<std::string> &arguments);

} // namespace heddle::cli
