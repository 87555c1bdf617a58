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

} // namespace heddle::engine::observe
