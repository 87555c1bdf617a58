// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler process of libnvrtc, libnvvm and libnvJitLink: heddlecc under the name heddle-rtc.
#pragma once

namespace heddle::rtc {

/// Reads one request (rtc/common/message.h) from the standard input and writes the answer to the
/// standard output; messages go to stderr. Returns the exit code.
int serve();

} // namespace heddle::rtc
