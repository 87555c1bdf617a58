// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/fetch.h"

#include "devicelib/texture_general.h"
#include "engine/warp.h"

#include <algorithm>
#include <bit>

namespace heddle::engine::observe {
namespace {

using namespace texture;

constexpr uint32_t sector_bytes = 32;

// Texels, or pieces of surfaces: each is that many bytes from an address on.
struct Piece {
  uint64_t address;
  uint32_t bytes;
  bool counts = true; // the result depends on it
};

const Descriptor &descriptorOf(uint64_t handle) {
  return *reinterpret_cast<const Descriptor *>(handle);
}

// Which of the levels an address lies in.
const Level &levelOf(const Descriptor &d, uint64_t address) {
  const auto *levels = reinterpret_cast<const Level *>(d.table);
  for (uint32_t i = d.levels > 1 && levels ? d.levels : 0; i-- > 1;)
    if (address - levels[i].base < levels[i].slice_bytes * levels[i].depth)
      return levels[i];
  return d.level;
}

// Where a byte of an array would lie in a GPU's memory: tiles of 64 bytes by 8 rows, in which the
// bits of an offset are, from 0 on, x0 x1 x2 x3 y0 x4 y1 y2 x5.
uint64_t tiled(const Level &level, uint64_t address) {
  constexpr uint64_t tile_width = 64, tile_height = 8, tile_bytes = tile_width * tile_height;
  const uint64_t offset = address - level.base;
  const uint64_t slice = level.slice_bytes ? offset / level.slice_bytes : 0;
  const uint64_t in_slice = offset - slice * level.slice_bytes;
  const uint64_t x = in_slice % level.row_bytes, y = in_slice / level.row_bytes;
  const uint64_t columns = (level.row_bytes + tile_width - 1) / tile_width;
  const uint64_t rows = (level.height + tile_height - 1) / tile_height;
  const uint64_t tile = (slice * rows + y / tile_height) * columns + x / tile_width;
  const auto bit = [](uint64_t number, uint32_t from, uint32_t to) {
    return (number >> from & 1) << to;
  };
  return level.base + tile * tile_bytes + x % 16 + bit(y, 0, 4) + bit(x, 4, 5) + bit(y, 1, 6) +
         bit(y, 2, 7) + bit(x, 5, 8);
}

void findTexels(Footprint &around, const Descriptor &d, Fetch what, uint32_t lane,
                const FetchLanes &all) {
  const float x = std::bit_cast<float>(all.x[lane]), y = std::bit_cast<float>(all.y[lane]),
              z = std::bit_cast<float>(all.z[lane]);
  const auto layer = int(all.layer[lane]);
  switch (what) {
  case Fetch::Axis1:
  case Fetch::Axis2:
  case Fetch::Axis3:
    texture::findTexels(around, &d,
                        {{x, y, z}, int(what) - int(Fetch::Axis1) + 1, layerOf(&d, layer)},
                        all.level[lane]);
    break;
  case Fetch::Cube:
    texture::findTexels(around, &d, placeOnCube(&d, x, y, z, layer), all.level[lane]);
    break;
  default: // Gather
    gatherTexels(around, &d, x, y);
  }
}

// Calls does(piece) for what a lane reads: nothing of a texel that the border's colour takes the
// place of.
template <typename Does>
void forEachPiece(uint32_t what, uint32_t lane, const FetchLanes &all, Does does) {
  const Descriptor &d = descriptorOf(all.handle[lane]);
  const auto fetch = Fetch(what & 255);
  if (fetch >= Fetch::SurfaceLoad) {
    const uint32_t bytes = what >> fetch_bytes_shift;
    const uint64_t address = surfaceAddress(&d, int(all.x[lane]), int(all.y[lane]),
                                            int(all.z[lane]), bytes, what >> 8 & 255);
    const bool inside = address >= d.level.base && address < texels_freed;
    if (inside)
      does(Piece{address, bytes});
    return;
  }
  if (fetch == Fetch::Linear) {
    const uint64_t address = d.level.base + uint64_t(all.x[lane]) * d.texel_bytes;
    if (all.x[lane] < d.level.width)
      does(Piece{address, d.texel_bytes});
    return;
  }
  Footprint around;
  findTexels(around, d, fetch, lane, all);
  for (int i = 0; i < around.count; ++i)
    if (!around.outside[i])
      does(Piece{reinterpret_cast<uintptr_t>(around.address[i]), d.texel_bytes,
                 fetch == Fetch::Gather || around.weights.of[i] != 0});
}

} // namespace

uint32_t threadsOfRequest(uint32_t what) {
  const auto fetch = Fetch(what & 255);
  return fetch == Fetch::Linear || fetch >= Fetch::SurfaceLoad ? 8 : 4;
}

Fetched findFetched(uint32_t what, uint32_t lanes, const FetchLanes &all) {
  Fetched result;
  Numbers texels, lines;
  uint32_t texel_bytes = 1;
  uint64_t last = ~uint64_t(0); // 16 bytes that are in a sector already
  forEachLane(lanes, [&](uint32_t lane) {
    const Descriptor &d = descriptorOf(all.handle[lane]);
    forEachPiece(what, lane, all, [&](const Piece &piece) {
      if (!(result.lanes >> lane & 1)) { // its first
        result.lanes |= 1u << lane;
        result.addresses[lane] = piece.address;
        result.bytes += piece.bytes;
        texel_bytes = piece.bytes;
      }
      texels.add(piece.address);
      for (uint64_t at = piece.address; at < piece.address + piece.bytes; at += 16) {
        if (at / 16 == last)
          continue;
        last = at / 16;
        const uint64_t place = d.tiled ? tiled(levelOf(d, at), at) : at;
        result.sectors.add(place / sector_bytes);
        lines.add(place / 128);
      }
    });
  });
  result.request.units = result.sectors.size();
  result.request.lines = lines.size();
  const uint64_t bytes = uint64_t(texels.size()) * texel_bytes;
  result.request.ideal =
      std::min(result.request.units, uint32_t((bytes + sector_bytes - 1) / sector_bytes));
  result.request.broadcast = texels.size() == 1 && std::popcount(result.lanes) > 1;
  return result;
}

void forEachTexel(uint32_t what, uint32_t lanes, const FetchLanes &all,
                  const std::function<void(const TexelsOfLanes &)> &does) {
  constexpr uint32_t most = 16; // texture::Footprint
  TexelsOfLanes texels[most];
  uint32_t used = 0;
  forEachLane(lanes, [&](uint32_t lane) {
    uint32_t number = 0;
    forEachPiece(what, lane, all, [&](const Piece &piece) {
      if (!piece.counts)
        return;
      texels[number].lanes |= 1u << lane;
      texels[number].addresses[lane] = piece.address;
      texels[number].bytes[lane] = piece.bytes;
      used = std::max(used, ++number);
    });
  });
  for (uint32_t i = 0; i < used; ++i)
    does(texels[i]);
}

} // namespace heddle::engine::observe
