// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the compiler, which is a process of its own: LLVM inside a program would clash with an LLVM
// that the program brings along (llvmlite), and a crash of it or its memory would be the program's.
//
// Answers are kept, in memory and in Heddle's cache, with the files that they depend on.
#pragma once

#include "rtc/common/message.h"

#include <functional>

namespace heddle::rtc {

/// Results of a request, the fields of its answer:
///   "status"  "good", "errors" (the program's fault), "failed" (Heddle's or the machine's) or
///             "cancelled"
///   "log"     what there is to say, lines of text
///   "file"    each file that was read
/// and those that the request asks for. Safe from many threads. `is_cancelled`, if there is one, is
/// called once before the compiler starts and every few milliseconds while it works, on this
/// thread; when it returns true, the compiler is stopped and the status is "cancelled".
Message ask(const Message &request, const std::function<bool()> &is_cancelled = {});

} // namespace heddle::rtc
