// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/services.h"

#include "__heddle/texture/descriptor.h"
#include "engine/observe/fetch.h"
#include "engine/observe/fetch_site.h"
#include "engine/observe/observer.h"
#include "engine/schedule/resident_block.h"
#include "engine/warp.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace heddle::engine::observe {
namespace {

Access accessOf(ThreadContext *thread, const Site *site, uint32_t lanes, const uint64_t *addresses,
                const uint64_t *bytes, const void *base, const uint64_t *values) {
  const auto &block = *static_cast<ResidentBlock *>(thread->block);
  const uint32_t first_thread = thread->linear_index / warp_size * warp_size;
  ExtentSlot *slot = site->slot == no_slot || !block.extents ? nullptr : block.extents + site->slot;
  return {*site,
          block.grid().launch,
          block,
          lanes,
          first_thread,
          addresses,
          bytes,
          base,
          thread,
          slot,
          block.sharedWritten(),
          (site->flags & has_value) ? values : nullptr};
}

uint32_t tell(const Access &access) {
  if (isAccess(access.site.kind))
    return observer->access(access);
  observer->synchronise(access);
  return access.lanes;
}

void tellFetched(ThreadContext *thread, const FetchSite &site, uint32_t lanes,
                 const FetchLanes &all) {
  uint64_t bytes[warp_size];
  std::fill(std::begin(bytes), std::end(bytes), sizeof(texture::Descriptor));
  const uint32_t valid =
      observer->access(accessOf(thread, &site, lanes, all.handle, bytes, nullptr, nullptr));
  if (!(site.flags & through_texture))
    return;
  forEachTexel(site.what, valid, all, [&](const TexelsOfLanes &texels) {
    observer->access(
        accessOf(thread, &site, texels.lanes, texels.addresses, texels.bytes, nullptr, nullptr));
  });
}

} // namespace

uint32_t tellThread(ThreadContext *context, const Site *site, uint64_t address, uint64_t bytes,
                    const void *base, uint64_t value) {
  const uint32_t lane = context->linear_index % warp_size;
  uint64_t addresses[warp_size], sizes[warp_size], values[warp_size];
  addresses[lane] = address;
  sizes[lane] = bytes;
  values[lane] = value;
  return tell(accessOf(context, site, 1u << lane, addresses, sizes, base, values));
}

uint32_t tellWarp(GangContext *gang, const Site *site, uint32_t lanes, const uint64_t *addresses,
                  const uint64_t *bytes, const void *base, const uint64_t *values) {
  if (!lanes)
    return 0;
  ThreadContext *first = &gang->lanes[std::countr_zero(lanes)];
  return tell(accessOf(first, site, lanes, addresses, bytes, base, values));
}

uint32_t tellRows(GangContext *gang, const Site *site, uint32_t lanes, const AddressRows *rows,
                  const void *base, const uint64_t *values) {
  if (!lanes)
    return 0;
  ThreadContext *first = &gang->lanes[std::countr_zero(lanes)];
  if (isAccess(site->kind) &&
      observer->accessRows(accessOf(first, site, lanes, nullptr, nullptr, base, values), *rows))
    return lanes;
  if (rows->firsts[0] == 0 && rows->length == warp_size && rows->stride == 0 && rows->bytes == 0) {
    static constexpr uint64_t zeros[warp_size] = {}; // a plain barrier's operands, as a rule
    return tell(accessOf(first, site, lanes, zeros, zeros, base, values));
  }
  const AddressesOfLanes all(*rows);
  return tell(accessOf(first, site, lanes, all.addresses, all.bytes, base, values));
}

void tellFetch(GangContext *gang, const FetchSite *site, uint32_t lanes,
               const FetchLanes *fetched) {
  if (lanes)
    tellFetched(&gang->lanes[std::countr_zero(lanes)], *site, lanes, *fetched);
}

void tellThreadFetch(ThreadContext *context, const FetchSite *site, uint64_t handle, uint32_t x,
                     uint32_t y, uint32_t z, uint32_t layer, float level) {
  const uint32_t lane = context->linear_index % warp_size;
  FetchLanes fetched;
  fetched.handle[lane] = handle;
  fetched.x[lane] = x;
  fetched.y[lane] = y;
  fetched.z[lane] = z;
  fetched.layer[lane] = layer;
  fetched.level[lane] = level;
  tellFetched(context, *site, 1u << lane, fetched);
}

} // namespace heddle::engine::observe
