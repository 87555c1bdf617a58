// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a texture or surface handle points to. The runtime writes descriptors, kernels read them:
// this is the one place that says how they look. Plain data, for C++ on the host and the device.
//
// A handle (cudaTextureObject_t, cudaSurfaceObject_t) is a descriptor's address. Texels lie row by
// row, slice by slice; each mipmap level has an entry in a table of its own.
#pragma once

namespace heddle::texture {

/// What one channel of a texel is.
enum class Channel : unsigned { Unsigned, Signed, Float };

/// A texel's format as one number, so that kernels compare it with the one they expect: kind of
/// channel, bits a channel, channels, and whether integers are read as numbers from 0 (or -1) to 1.
constexpr unsigned form(Channel kind, unsigned bits, unsigned channels, bool normalized) {
  return unsigned(kind) << 16 | bits << 8 | channels << 4 | unsigned(normalized);
}
/// A texture that only the general functions can read: mipmaps, sRGB.
constexpr unsigned general_form = ~0u;

enum class Address : unsigned { Wrap, Clamp, Mirror, Border };

/// The texels of one mipmap level, or of all of an array without mipmaps.
struct Level {
  unsigned long long base = 0;        ///< address of texel (0, 0, 0)
  unsigned long long slice_bytes = 0; ///< from one slice, layer or cube face to the next
  unsigned row_bytes = 0;             ///< from one row to the next
  unsigned width = 0, height = 1;     ///< in texels
  unsigned depth = 1;                 ///< slices, layers or faces
};

constexpr unsigned most_levels = 18; // of 131072 texels

struct Descriptor {
  Level level;             ///< the first one
  unsigned simple = 0;     ///< form of the texels if a fetch without a level may take the short way
  unsigned linear = 0;     ///< 1: neighbours are interpolated
  unsigned normalized = 0; ///< 1: coordinates are
  unsigned clamped = 0;    ///< a bit for each axis along which coordinates are
  Address address[3] = {Address::Clamp, Address::Clamp, Address::Clamp};
  unsigned form = 0; ///< form of the texels
  unsigned texel_bytes = 0;
  unsigned border[4] = {}; ///< channels of the texel that lies outside, as in memory
  unsigned srgb = 0;
  unsigned layers = 0; ///< layers (of cubes: groups of six faces); 0: not layered
  unsigned cube = 0;   ///< 1: a cubemap, whose depth are faces
  // Mipmaps. Levels of detail have 8 fractional bits.
  unsigned levels = 1, mip_linear = 0;
  float bias = 0, min_level = 0, max_level = 0;
  unsigned anisotropy = 1;
  unsigned long long table = 0; ///< address of all levels
  unsigned tiled = 0;           ///< 1: an array, whose texels a GPU keeps in tiles
};

/// What __heddle_fetch is told of, in the lowest byte of `what`. Coordinates are the bits of
/// floats, but of Linear, and of surfaces, whose x counts bytes.
enum class Fetch : unsigned {
  Linear, ///< x: a texel of linear memory
  Axis1,  ///< x, layer, level
  Axis2,  ///< x, y, layer, level
  Axis3,  ///< x, y, z, level
  Cube,   ///< x, y, z, layer, level
  Gather, ///< x, y
  SurfaceLoad,
  SurfaceStore,
  SurfaceUpdate
};
/// The same of surfaces, in the second byte of their `mode`; 0 is a load.
constexpr unsigned surface_store = 1 << 8, surface_update = 2 << 8;
/// Of surfaces `what` has the boundary mode in its second byte, and from this bit on the bytes.
constexpr unsigned fetch_bytes_shift = 16;

/// Where no program has memory: the kernel's half of the address space, whose addresses a fault
/// still reports. A fetch of texels that are no more goes there, so that the message can say why it
/// failed.
constexpr unsigned long long texels_freed = 0xffff810000000000;
constexpr unsigned long long object_destroyed = 0xffff830000000000;
constexpr unsigned long long outside_surface = 0xffff850000000000;
constexpr unsigned long long room_for_offsets = 0x20000000000;

} // namespace heddle::texture
