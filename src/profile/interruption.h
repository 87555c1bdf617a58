// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C and SIGTERM while a program is profiled: what has been counted until then is written
// first.
#pragma once

namespace heddle::profile {

class Recorder;

/// From now on, until the program has handlers of its own. The second signal ends it at once.
void writeWhenInterrupted(Recorder &recorder);

} // namespace heddle::profile
