// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler process can be asked. Each gives the answer's fields; std::runtime_error is the
// program's fault, with messages for its log.
#pragma once

#include "rtc/common/message.h"

namespace heddle::rtc {

/// CUDA C++ in memory: "name", "source", "header-name" and "header-text", "option" (heddlecc's),
/// "expression", "default-device", "cuda" (the release), "make" (ptx, cubin,
/// ltoir). Answers what was to be made, and a "symbol" for each expression.
Message compileSource(const Message &request);

/// NVVM IR: "module-name" and "module" for each, "lazy" for those of which only what is needed is
/// taken, "option", "make" (ptx, ltoir or nothing, to verify). Answers what was to be made.
Message compileNvvm(const Message &request);

/// Device code to be linked: "input-kind", "input-name" and "input" for each, "option",
/// "make" (cubin, ptx). Answers what was to be made.
Message linkInputs(const Message &request);

} // namespace heddle::rtc
