// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/caches/replay.h"

#include <algorithm>

namespace heddle::engine::observe {
namespace {

// A line of a request, in 64 bits: from bit 0 on the line's number, its sectors, and what it is.
constexpr uint32_t sectors_at = 41, last_at = 45, use_at = 46, local_at = 48, site_at = 49;
constexpr uint64_t most_site = (uint64_t(1) << (64 - site_at)) - 1;

uint64_t bits(uint64_t record, uint32_t from, uint32_t to) {
  return record >> from & ((uint64_t(1) << (to - from)) - 1);
}

struct Warp {
  std::vector<uint64_t> records;
  size_t next = 0;
  bool waits() const { return next < records.size(); }
};

} // namespace

struct CacheReplay::Block {
  Slot slot;
  bool ended = false;
  std::vector<Warp> warps;
  bool isDone() const {
    return ended && std::none_of(warps.begin(), warps.end(), [](auto &w) { return w.waits(); });
  }
};

CacheReplay::CacheReplay(const CacheSizes &sizes, const Shape &shape)
    : shape_(shape), caches_(sizes, shape.multiprocessors), multiprocessors_(shape.multiprocessors),
      traffic_(shape.sites) {
  for (uint32_t round = 0; round < std::max(1u, shape.blocks_each); ++round)
    for (uint32_t i = 0; i < shape.multiprocessors; ++i)
      free_.push_back({i, slots_++});
}

CacheReplay::~CacheReplay() = default;

CacheReplay::Block &CacheReplay::begin() {
  while (free_.empty())
    if (!advance()) { // they wait for this one
      free_.push_back({slots_ % shape_.multiprocessors, slots_});
      ++slots_;
    }
  const Slot slot = free_.front();
  free_.pop_front();
  auto &blocks = multiprocessors_[slot.multiprocessor].blocks;
  blocks.push_back(std::make_unique<Block>(Block{slot, false, std::vector<Warp>(shape_.warps)}));
  return *blocks.back();
}

void CacheReplay::end(Block &block) { block.ended = true; }

void CacheReplay::note(Block &block, uint32_t warp, const Request &request, const uint64_t *sectors,
                       uint32_t count, bool last) {
  std::vector<uint64_t> &records = block.warps[warp].records;
  const size_t before = records.size();
  const uint64_t what = uint64_t(request.use) << use_at | uint64_t(request.local) << local_at |
                        std::min<uint64_t>(request.site, most_site) << site_at;
  for (uint32_t i = 0; i < count;) {
    const uint64_t line = sectors[i] / 4;
    uint64_t touched = 0;
    for (; i < count && sectors[i] / 4 == line; ++i)
      touched |= uint64_t(1) << sectors[i] % 4;
    records.push_back(bits(line, 0, sectors_at) | touched << sectors_at | what);
  }
  if (records.size() == before)
    return;
  records.back() |= uint64_t(last) << last_at;
  records_ += records.size() - before;
  if (last && records_ > shape_.most_records)
    while (records_ > shape_.most_records / 2 && advance())
      ;
}

void CacheReplay::issue(Block &block, uint32_t number) {
  Warp &warp = block.warps[number];
  for (bool last = false; !last && warp.waits();) {
    const uint64_t record = warp.records[warp.next++];
    --records_;
    last = bits(record, last_at, use_at);
    uint64_t line = bits(record, 0, sectors_at);
    if (bits(record, local_at, site_at)) // beside all addresses, and those of other warps
      line = (line & 0xffffff) | (uint64_t(block.slot.number) * shape_.warps + number + 1) << 41;
    const auto use = CacheUse(bits(record, use_at, local_at));
    const auto site = uint32_t(record >> site_at);
    const uint32_t missing =
        caches_.accessL1(block.slot.multiprocessor, use, line,
                         uint32_t(bits(record, sectors_at, last_at)), traffic_[site]);
    if (missing)
      asked_.push_back({block.slot.multiprocessor, site, use, missing, line});
  }
  if (!warp.waits()) {
    warp.records.clear();
    warp.next = 0;
  }
}

// An SM asks for the sectors of a line together, and stores to them together; what another one
// loads at the same time is not asked for again.
void CacheReplay::askL2() {
  const auto isLoad = [](CacheUse use) {
    return use == CacheUse::Load || use == CacheUse::LoadPastL1;
  };
  for (size_t i = 0; i < asked_.size(); ++i) {
    Asked &one = asked_[i];
    if (!one.sectors)
      continue;
    for (size_t k = i + 1; k < asked_.size(); ++k) {
      Asked &other = asked_[k];
      const bool same_one = other.multiprocessor == one.multiprocessor && other.use == one.use &&
                            one.use != CacheUse::Atomic;
      if (other.line != one.line)
        continue;
      if (same_one) {
        one.sectors |= other.sectors;
        other.sectors = 0;
      } else if (isLoad(one.use) && isLoad(other.use)) {
        other.sectors &= ~one.sectors;
      }
    }
    caches_.accessL2(one.multiprocessor, one.use, one.line, one.sectors, traffic_[one.site]);
  }
  asked_.clear();
}

// The SM's next warp with a request.
bool CacheReplay::issue(uint32_t number) {
  Multiprocessor &here = multiprocessors_[number];
  const size_t warps = here.blocks.size() * shape_.warps;
  for (size_t tried = 0; tried < warps; ++tried) {
    const size_t turn = here.turn++ % warps;
    Block &block = *here.blocks[turn / shape_.warps];
    const auto warp = uint32_t(turn % shape_.warps);
    if (!block.warps[warp].waits())
      continue;
    issue(block, warp);
    if (block.isDone()) {
      free_.push_back(block.slot);
      here.blocks.erase(here.blocks.begin() + long(turn / shape_.warps));
      here.turn = turn / shape_.warps * shape_.warps;
    }
    return true;
  }
  return false;
}

// One request of each SM. False if nothing has changed.
bool CacheReplay::advance() {
  bool changed = false;
  for (uint32_t i = 0; i < shape_.multiprocessors; ++i) {
    changed |= issue(i);
    if ((i + 1) % caches_.neighbours() == 0 || i + 1 == shape_.multiprocessors)
      askL2();
  }
  if (changed)
    return true;
  for (Multiprocessor &here : multiprocessors_) // blocks that access nothing
    changed |= std::erase_if(here.blocks, [&](const std::unique_ptr<Block> &block) {
                 if (block->isDone())
                   free_.push_back(block->slot);
                 return block->isDone();
               }) != 0;
  return changed;
}

void CacheReplay::finish() {
  while (advance())
    ;
}

} // namespace heddle::engine::observe
