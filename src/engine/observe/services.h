// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What observed code calls (ExtendedRuntimeTable): hands accesses to the observer.
#pragma once

#include "engine/abi_extensions.h"

namespace heddle::engine::observe {

uint32_t tellThread(ThreadContext *context, const Site *site, uint64_t address, uint64_t bytes,
                    const void *base, uint64_t value);
uint32_t tellWarp(GangContext *gang, const Site *site, uint32_t lanes, const uint64_t *addresses,
                  const uint64_t *bytes, const void *base, const uint64_t *values);
uint32_t tellRows(GangContext *gang, const Site *site, uint32_t lanes, const AddressRows *rows,
                  const void *base, const uint64_t *values);

/// A fetch from a texture: the observer is told of the descriptors that are read, and then of
/// texels (forEachTexel) of the lanes that may read theirs. Of an access to a surface, of
/// descriptors alone.
void tellFetch(GangContext *gang, const FetchSite *site, uint32_t lanes, const FetchLanes *fetched);
void tellThreadFetch(ThreadContext *context, const FetchSite *site, uint64_t handle, uint32_t x,
                     uint32_t y, uint32_t z, uint32_t layer, float level);

} // namespace heddle::engine::observe
