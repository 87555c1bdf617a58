// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/host_accesses.h"

#include "check/classify.h"

#include <fmt/format.h>

namespace heddle::check {

bool HostAccesses::note(const engine::observe::HostAccess &access, const MemoryMap &memory) {
  const HostPlace place = placeOfInstruction(access.code);
  if (place.by_library || !place.callers[0])
    return place.by_library;
  std::lock_guard lock(mutex_);
  const size_t count = count_;
  for (size_t i = 0; i < count; ++i)
    if (noted_[i].place.callers == place.callers)
      return false;
  if (count == most)
    return false;
  const uint64_t address = reinterpret_cast<uintptr_t>(access.address);
  const auto alive = memory.alive(address);
  noted_[count] = {place, address, access.writes, alive ? alive : memory.freed(address), !alive};
  count_ = count + 1;
  return false;
}

std::vector<Finding> HostAccesses::findings() const {
  std::vector<Finding> findings;
  for (size_t i = 0, count = count_; i < count; ++i) {
    const Noted &noted = noted_[i];
    Finding finding;
    finding.kind = Kind::DevicePointer;
    finding.access = noted.writes ? "write" : "read";
    finding.what = fmt::format("host code {}s {} of a device in {}", finding.access,
                               noted.freed ? "freed memory" : "memory", describe(noted.place));
    if (noted.block)
      finding.object = fmt::format("at byte {} of {}", noted.address - noted.block->base,
                                   describe(*noted.block));
    findings.push_back(std::move(finding));
  }
  return findings;
}

} // namespace heddle::check
