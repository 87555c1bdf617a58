// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/transfers.h"

#include "engine/abi_extensions.h"

#include <algorithm>

namespace heddle::check {
namespace {

using engine::observe::Access;
using engine::observe::AccessKind;
using engine::observe::AddressRows;
using engine::observe::Site;

constexpr uint32_t lanes = 32, word = 4;

constexpr Site reads_site = siteWithoutPlace(AccessKind::Load),
               writes_site = siteWithoutPlace(AccessKind::Store);

} // namespace

void Transfers::add(const RunPlace &run, uint64_t begin, uint64_t bytes, bool writes) {
  if (!bytes || begin < Shadow::shared_end || !races_.shadow.isWatched(begin))
    return;
  const Noted transfer{run, begin, bytes, writes, runs_.clocks.count()};
  if (runs_.mayOverlap())
    lookAt(transfer, 0);
  else
    noted_.push_back(transfer);
  if (noted_.size() > most_noted) // the host has not waited for so long
    noted_.erase(noted_.begin(), noted_.begin() + most_noted / 2);
}

void Transfers::lookAtNoted() {
  const SegmentId now = runs_.clocks.count();
  for (const Noted &transfer : noted_)
    lookAt(transfer, now);
  noted_.clear();
}

void Transfers::forgetKnown() {
  std::erase_if(noted_,
                [&](const Noted &noted) { return runs_.streams.hostKnows(noted.run.work); });
}

void Transfers::forget(uint64_t begin, uint64_t end) {
  std::erase_if(noted_,
                [&](const Noted &noted) { return noted.begin >= begin && noted.begin < end; });
}

// As a block of one warp, whose lanes access words beside each other.
void Transfers::lookAt(const Noted &transfer, SegmentId now) {
  engine::Launch launch;
  launch.block = {lanes, 1, 1};
  engine::ExtendedBlockContext block{};
  runs_.transferBegin(launch, transfer.run);
  runs_.blockBegin(launch, block);
  Access access{transfer.writes ? writes_site : reads_site,
                launch,
                block,
                ~0u,
                0,
                nullptr,
                nullptr,
                nullptr,
                nullptr,
                nullptr,
                nullptr,
                nullptr};
  const uint64_t end = transfer.begin + transfer.bytes;
  for (uint64_t at = transfer.begin; at < end;) {
    const bool whole = at % word == 0 && end - at >= word;
    const uint64_t bytes = whole ? word : 1;
    const uint64_t until = whole ? end : std::min(end, (at / word + 1) * word);
    const uint64_t count = std::min<uint64_t>((until - at) / bytes, lanes);
    access.lanes = uint32_t(~uint64_t(0) >> (64 - count));
    const AddressRows rows{&at, bytes, int64_t(bytes), lanes};
    if (transfer.before < now)
      races_.addPast(access, rows, transfer.before, now);
    else
      races_.accessRows(access, rows);
    at += count * bytes;
  }
  runs_.launchEnd(launch);
}

} // namespace heddle::check
