// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a texture unit reads for one request: the texels that some of a warp's threads fetch by one
// instruction, or the bytes of a surface that they access. (How many threads: as an H100 counts,
// tests/hardware.)
//
// Where these lie in linear memory is where the program has put them. Of an array a GPU does not
// say how it keeps texels; the model is the tile that open drivers describe (Mesa, "GOB", of 64
// bytes by 8 rows), in which a sector holds 16 bytes of two rows. An H100's sectors are these.
#pragma once

#include "engine/observe/requests/request.h"

#include <cstdint>
#include <functional>

namespace heddle::engine::observe {

/// Different numbers in ascending order: as many as texels of a request, at most. (Numbers come
/// nearly in order, and a request has few, so that each is put in its place at once.)
class Numbers {
public:
  void add(uint64_t number) {
    uint32_t at = size_;
    while (at > 0 && values_[at - 1] > number)
      --at;
    if (at > 0 && values_[at - 1] == number)
      return;
    for (uint32_t i = size_++; i > at; --i)
      values_[i] = values_[i - 1];
    values_[at] = number;
  }
  const uint64_t *data() const { return values_; }
  uint32_t size() const { return size_; }

private:
  uint64_t values_[8 * 16]; // threads times texels that a filter blends (texture::Footprint)
  uint32_t size_ = 0;
};

struct Fetched {
  uint32_t lanes = 0;          // that access anything
  Request request;             // units are sectors
  uint64_t bytes = 0;          // of the texels that the lanes ask for, whatever filters blend
  uint64_t addresses[32] = {}; // of each lane's first texel
  Numbers sectors;             // those that are touched
};

/// `what`: CountedSite::what. So many neighbouring threads are one request.
uint32_t threadsOfRequest(uint32_t what);

/// `lanes`: of one request.
Fetched findFetched(uint32_t what, uint32_t lanes, const FetchLanes &fetched);

/// One texel of each of these lanes.
struct TexelsOfLanes {
  uint32_t lanes = 0;
  uint64_t addresses[32], bytes[32];
};

/// Calls does() with each lane's first texel, then with the second of those that have one, and so
/// on. Only texels that the result depends on: none outside of the texture, and none that a filter
/// gives no weight.
void forEachTexel(uint32_t what, uint32_t lanes, const FetchLanes &fetched,
                  const std::function<void(const TexelsOfLanes &)> &does);

} // namespace heddle::engine::observe
