// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts profiling when the library is loaded into a process that heddle profile has started.
#include "profile/interruption.h"
#include "profile/recorder.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace heddle::profile {
namespace {

struct Start {
  Recorder *recorder = nullptr; // never deleted: kernels may still run when the process ends
  Start() {
    const char *folder = std::getenv("HEDDLE_PROFILE_FOLDER"); // these are set by heddle profile
    if (!folder || !*folder)
      return;
    Choice choice;
    if (const char *kernel = std::getenv("HEDDLE_PROFILE_KERNEL"); kernel && *kernel)
      choice.kernel.emplace(kernel); // the command has checked it
    if (const char *text = std::getenv("HEDDLE_PROFILE_LAUNCH"); text && *text) {
      uint64_t number = 0;
      std::from_chars(text, text + std::strlen(text), number);
      choice.launch = number;
    }
    const char *each = std::getenv("HEDDLE_PROFILE_EACH");
    choice.each_launch = each && *each;
    const char *from_api = std::getenv("HEDDLE_PROFILE_FROM_API");
    choice.from_api = from_api && *from_api;
    const char *progress = std::getenv("HEDDLE_PROFILE_PROGRESS");
    choice.progress = progress && *progress;
    const char *caches = std::getenv("HEDDLE_PROFILE_CACHES");
    choice.caches = caches && *caches;
    recorder = new Recorder(folder, std::move(choice));
    engine::observe::observer = recorder;
    engine::observe::host_observer = recorder;
    writeWhenInterrupted(*recorder);
  }
  ~Start() {
    if (recorder)
      recorder->write(Recorder::Moment::End);
  }
} start;

} // namespace
} // namespace heddle::profile
