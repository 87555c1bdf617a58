// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/init/unwritten.h"

#include "engine/abi_extensions.h"
#include "engine/warp.h"

#include <algorithm>
#include <array>
#include <bit>

namespace heddle::check {
namespace {

using engine::observe::Access;
using engine::observe::AccessKind;
using engine::observe::AddressRows;
using engine::observe::empty_slot;
using engine::observe::ExtentSlot;

// As far as this a run of written bytes is looked for.
constexpr uint64_t longest_run = 64 << 10;

// Where the values come from that the lanes store next.
struct Source {
  std::array<uint64_t, engine::warp_size> addresses;
  uint32_t lanes = 0;
};
thread_local Source source;

// The first byte of the lane's that is used and not written; the end if there is none.
uint64_t firstUsedUnwritten(const Access &access, uint32_t lane, const WrittenBits &bits) {
  const uint64_t address = access.addresses[lane], end = address + access.bytes[lane];
  const uint32_t used = access.site.flags >> engine::observe::used_bytes_shift;
  uint64_t first = bits.firstUnwritten(address, end - address);
  while (used && first < end && !(used >> (first - address) & 1))
    first = first + 1 < end ? bits.firstUnwritten(first + 1, end - first - 1) : end;
  return first;
}

// Of the block's shared memory, if the address is there; else empty.
WrittenBits sharedBits(const Access &access, uint64_t address) {
  const engine::BlockContext &block = access.block;
  const uint64_t shared = reinterpret_cast<uintptr_t>(block.shared);
  const uint64_t bytes = uint64_t(block.dynamic_shared - block.shared) + block.dynamic_shared_bytes;
  // Blocks of a cluster write to each other's.
  if (!access.shared_written || address - shared >= bytes ||
      static_cast<const engine::ExtendedBlockContext &>(block).cluster)
    return {};
  return {access.shared_written, shared, bytes};
}

} // namespace

void Unwritten::Region::set(uint64_t address, uint64_t bytes) const {
  if (owner)
    owner->set(address, bytes);
  else
    (void)bits.set(address, bytes);
}

Unwritten::Region Unwritten::regionAt(const Access &access, uint64_t address) const {
  Region region;
  if (const WrittenBits bits = sharedBits(access, address); bits.base()) {
    region.bits = bits;
    region.followed = true;
  } else if ((region.owner = memory.at(address))) {
    region.bits = region.owner->bits();
    region.followed = !region.owner->complete();
  } else {
    return region;
  }
  region.begin = region.bits.base();
  region.end = region.bits.end();
  return region;
}

void Unwritten::store(const Access &access, uint32_t lane, const Region &region) const {
  const uint64_t to = access.addresses[lane], bytes = access.bytes[lane];
  const bool copies =
      (access.site.flags & engine::observe::is_copy) && (source.lanes >> lane & 1) != 0;
  const uint64_t from = copies ? source.addresses[lane] : 0;
  if (!copies)
    return region.set(to, bytes);
  const Region &origin = lastRegion(access, from);
  if (!origin.followed || !origin.bits.holds(from, bytes))
    return region.set(to, bytes);
  for (uint64_t next = from; next < from + bytes;) {
    const uint64_t unwritten = origin.bits.firstUnwritten(next, from + bytes - next);
    region.set(to + (next - from), unwritten - next);
    next = origin.bits.firstWritten(unwritten, from + bytes - unwritten);
  }
}

void Unwritten::noteSource(const Access &access) {
  std::copy_n(access.addresses, engine::warp_size, source.addresses.begin());
  source.lanes = access.lanes;
}

// As regionAt; a site's last allocation is looked up once, while allocations stay as they are.
const Unwritten::Region &Unwritten::lastRegion(const Access &access, uint64_t address) const {
  struct Last {
    Region region;
    uint64_t changes = ~uint64_t(0);
  };
  constexpr size_t places = 16;
  thread_local Last lasts[places];
  thread_local Region shared;
  if (const WrittenBits bits = sharedBits(access, address); bits.base()) {
    shared = {bits.base(), bits.end(), bits, nullptr, true};
    return shared;
  }
  Last &last = lasts[reinterpret_cast<uintptr_t>(&access.site) / sizeof(access.site) % places];
  const uint64_t changes = engine::observe::memory_changes.load(std::memory_order_acquire);
  if (!last.region.owner || last.changes != changes || address < last.region.begin ||
      address >= last.region.end)
    last = {regionAt(access, address), changes};
  if (last.region.owner)
    last.region.followed = !last.region.owner->complete();
  return last.region;
}

bool Unwritten::lookAtRows(const Access &access, const AddressRows &rows) const {
  if (access.hasOffsets())
    return true;
  const auto &site = access.site;
  const bool writes = site.kind != AccessKind::Load, copies = site.flags & engine::observe::is_copy;
  const bool reads = site.kind != AccessKind::Store && !(site.flags & engine::observe::only_writes);
  if ((writes && copies) || rows.stride < 0)
    return false;
  // Elements beside each other are looked at as one.
  const bool dense = uint64_t(rows.stride) <= rows.bytes;
  const auto forEachRange = [&](const auto &does) {
    bool goes_on = true;
    for (uint32_t row = 0, before = 0; goes_on && before < engine::warp_size;
         ++row, before += rows.length) {
      uint32_t lanes = access.lanes >> before & ~uint32_t(~uint64_t(0) << rows.length);
      if (rows.stride == 0 && lanes)
        lanes &= -lanes;
      while (goes_on && lanes) {
        const auto first = unsigned(std::countr_zero(lanes));
        const unsigned count = dense ? unsigned(std::countr_one(lanes >> first)) : 1u;
        goes_on = does(rows.firsts[row] + uint64_t(rows.stride) * first,
                       uint64_t(rows.stride) * (count - 1) + rows.bytes);
        lanes &= uint32_t(~uint64_t(0) << (first + count));
      }
    }
    return goes_on;
  };
  const bool written = forEachRange([&](uint64_t address, uint64_t bytes) {
    const Region &region = lastRegion(access, address);
    return !region.followed ||
           (region.bits.holds(address, bytes) &&
            (!reads || region.bits.firstUnwritten(address, bytes) == address + bytes));
  });
  return written && (!writes || forEachRange([&](uint64_t address, uint64_t bytes) {
           const Region &region = lastRegion(access, address);
           if (region.followed)
             region.set(address, bytes);
           return true;
         }));
}

ExtentSlot Unwritten::look(const Access &access, uint32_t lanes, const ExtentSlot &extent,
                           const std::function<void(uint32_t, uint64_t)> &found) const {
  const auto &site = access.site;
  if (access.hasOffsets())
    return empty_slot;
  const bool reads = site.kind != AccessKind::Store && !(site.flags & engine::observe::only_writes);
  const bool uses = reads && !(site.flags & engine::observe::only_copied);
  Region region;
  uint64_t last = 0;
  engine::forEachLane(lanes, [&](uint32_t lane) {
    const uint64_t address = access.addresses[lane], bytes = access.bytes[lane];
    if (bytes == 0)
      return;
    if (address < region.begin || address >= region.end)
      region = lastRegion(access, address);
    last = address;
    if (!region.followed || !region.bits.holds(address, bytes))
      return;
    if (uses)
      if (const uint64_t first = firstUsedUnwritten(access, lane, region.bits);
          first < address + bytes)
        found(lane, first);
    // What is only copied may be padding, or what the program leaves open. But of an allocation
    // that nothing has ever written, and of shared memory, there is nothing that could be worth a
    // copy.
    if (reads && !uses && (!region.owner || region.owner->untouched()) &&
        region.bits.firstWritten(address, bytes) == address + bytes)
      found(lane, address);
    if (site.kind != AccessKind::Load)
      store(access, lane, region);
  });
  if (!region.followed || !access.slot) // in which the answer is kept
    return extent;
  if (region.bits.firstUnwritten(last, 1) == last)
    return empty_slot;
  if (region.owner && region.owner->complete())
    return extent;
  const auto [begin, end] = region.bits.runAround(last, longest_run);
  return {std::max(begin, extent.begin), std::min(end, extent.end)};
}

} // namespace heddle::check
