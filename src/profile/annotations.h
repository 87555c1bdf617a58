// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program says to profilers (NVTX), as events: ranges when they end, and marks.
#pragma once

#include "engine/observe/host.h"
#include "profile/data.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::profile {

class Annotations {
public:
  /// What has ended now, on this thread of the host. A pop or an end without a beginning is none.
  std::optional<Event> take(const engine::observe::Annotation &annotation, uint32_t thread,
                            uint64_t now);
  /// Ranges that have not ended, as if they ended now.
  std::vector<Event> open(uint64_t now) const;

private:
  std::map<std::pair<uint32_t, std::string>, std::vector<Event>> pushed_; // by thread and domain
  std::map<uint64_t, Event> started_;
};

} // namespace heddle::profile
