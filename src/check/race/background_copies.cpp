// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/background_copies.h"

#include "engine/warp.h"

#include <bit>

namespace heddle::check {

using engine::forEachLane;
using engine::observe::Access;

void BackgroundCopies::start(const Access &at) {
  const engine::observe::Site &site = races_.storeOfCopy(at.site);
  Block &block = blocks_[&at.block];
  const BlockRun &run = runs_.runOf(at.block);
  forEachLane(at.lanes, [&](uint32_t lane) {
    const uint32_t number = at.first_thread + lane;
    Thread &thread = block.threads[number];
    thread.copies.push_back({&site, at.addresses[lane], at.bytes[lane], thread.group, at.base});
    for (uint64_t word = at.addresses[lane] / 4, end = word + at.bytes[lane] / 4; word < end;
         ++word)
      block.targets[word] = {number, run.warps[at.first_thread / 32].segments[lane], &site};
  });
}

void BackgroundCopies::commit(const Access &at) {
  if (!any(at.block))
    return;
  Block &block = blocks_[&at.block];
  forEachLane(at.lanes, [&](uint32_t lane) {
    if (const auto found = block.threads.find(at.first_thread + lane); found != block.threads.end())
      ++found->second.group;
  });
}

void BackgroundCopies::finish(Block &block, uint32_t thread, const Copy &copy) {
  for (uint64_t word = copy.to / 4, end = word + copy.bytes / 4; word < end; ++word)
    if (const auto found = block.targets.find(word);
        found != block.targets.end() && found->second.thread == thread)
      block.targets.erase(found);
}

void BackgroundCopies::wait(const Access &at, bool all) {
  if (!any(at.block))
    return;
  Block &block = blocks_[&at.block];
  for (;;) { // the oldest of each lane that have one site, together
    const engine::observe::Site *site = nullptr;
    const void *base = nullptr;
    uint32_t lanes = 0;
    uint64_t addresses[32] = {}, bytes[32] = {};
    forEachLane(at.lanes, [&](uint32_t lane) {
      const auto found = block.threads.find(at.first_thread + lane);
      if (found == block.threads.end() || found->second.copies.empty())
        return;
      const Copy copy = found->second.copies.front();
      const bool is_there = all || copy.group + at.addresses[lane] < found->second.group;
      if (!is_there || (site && site != copy.site))
        return;
      site = copy.site;
      base = copy.base;
      lanes |= 1u << lane;
      addresses[lane] = copy.to;
      bytes[lane] = copy.bytes;
      finish(block, at.first_thread + lane, copy);
      found->second.copies.pop_front();
    });
    if (!site)
      break;
    const Access store{*site, at.launch, at.block,  lanes,   at.first_thread, addresses,
                       bytes, base,      at.thread, nullptr, nullptr,         nullptr};
    races_.access(store, lanes, false);
  }
  if (block.targets.empty())
    blocks_.erase(&at.block);
}

void BackgroundCopies::access(const Access &access, uint32_t lanes, const uint64_t *addresses,
                              uint64_t bytes) {
  if (!any(access.block))
    return;
  const Block &block = blocks_[&access.block];
  forEachLane(lanes, [&](uint32_t lane) {
    const uint64_t begin = addresses[lane], end = begin + bytes;
    if (begin >= Shadow::shared_end)
      return;
    for (uint64_t word = begin / 4; word * 4 < end; ++word)
      if (const auto found = block.targets.find(word);
          found != block.targets.end() && found->second.thread != access.first_thread + lane) {
        races_.meetsCopy(access, lane, begin, bytes, *found->second.site, found->second.segment,
                         found->second.thread % 32);
        return;
      }
  });
}

} // namespace heddle::check
