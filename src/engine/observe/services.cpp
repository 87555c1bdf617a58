// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/services.h"

#include "engine/observe/observer.h"
#include "engine/schedule/resident_block.h"
#include "engine/warp.h"

#include <bit>

namespace heddle::engine::observe {
namespace {

uint32_t tell(ThreadContext *thread, const Site *site, uint32_t lanes, const uint64_t *addresses,
              const uint64_t *bytes, const void *base) {
  const auto &block = *static_cast<ResidentBlock *>(thread->block);
  const uint32_t first_thread = thread->linear_index / warp_size * warp_size;
  ExtentSlot *slot = site->slot == no_slot || !block.extents ? nullptr : block.extents + site->slot;
  const Access access{
      *site, block.grid().launch,  block, lanes, first_thread, addresses, bytes, base, thread,
      slot,  block.sharedWritten()};
  if (isAccess(site->kind))
    return observer->access(access);
  observer->synchronise(access);
  return lanes;
}

} // namespace

uint32_t tellThread(ThreadContext *context, const Site *site, uint64_t address, uint64_t bytes,
                    const void *base) {
  const uint32_t lane = context->linear_index % warp_size;
  uint64_t addresses[warp_size], sizes[warp_size];
  addresses[lane] = address;
  sizes[lane] = bytes;
  return tell(context, site, 1u << lane, addresses, sizes, base);
}

uint32_t tellWarp(GangContext *gang, const Site *site, uint32_t lanes, const uint64_t *addresses,
                  const uint64_t *bytes, const void *base) {
  if (!lanes)
    return 0;
  ThreadContext *first = &gang->lanes[std::countr_zero(lanes)];
  return tell(first, site, lanes, addresses, bytes, base);
}

} // namespace heddle::engine::observe
