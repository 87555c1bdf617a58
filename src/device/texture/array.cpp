// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/texture/array.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace heddle {
namespace {

constexpr unsigned known_flags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
// Of rows: a whole line of the CPU's caches.
constexpr size_t row_alignment = 64;

/// The largest extents of such an array; layers are the last one that counts.
struct Limit {
  uint64_t width = 0, height = 0, depth = 0;
};

template <size_t count> Limit limitOf(const std::array<int, count> &values) {
  Limit limit;
  limit.width = uint64_t(values[0]);
  if constexpr (count > 1)
    limit.height = uint64_t(values[1]);
  if constexpr (count > 2)
    limit.depth = uint64_t(values[2]);
  return limit;
}

Limit smaller(const Limit &one, const Limit &other) {
  return {std::min(one.width, other.width), std::min(one.height, other.height),
          std::min(one.depth, other.depth)};
}

bool fits(const cudaExtent &extent, const Limit &limit) {
  return extent.width <= limit.width && extent.height <= limit.height &&
         extent.depth <= limit.depth;
}

/// CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability".
bool withinLimits(const gpu::Gpu &gpu, const cudaExtent &extent, unsigned flags, bool mipmapped) {
  const bool surface = flags & cudaArraySurfaceLoadStore;
  const auto cube = [](const std::array<int, 2> &limits) {
    return Limit{uint64_t(limits[0]), uint64_t(limits[0]), uint64_t(limits[1])};
  };
  if (flags & cudaArrayCubemap) {
    Limit limit = flags & cudaArrayLayered
                      ? smaller(cube(gpu.max_texture_cubemap_layered),
                                surface ? cube(gpu.max_surface_cubemap_layered)
                                        : cube(gpu.max_texture_cubemap_layered))
                      : cube({gpu.max_texture_cubemap, 6});
    if (surface)
      limit = smaller(limit, {uint64_t(gpu.max_surface_cubemap), uint64_t(gpu.max_surface_cubemap),
                              limit.depth});
    return fits(extent, limit);
  }
  if (flags & cudaArrayLayered) {
    if (extent.height == 0) {
      const auto &limits = gpu.max_texture_1d_layered;
      Limit limit{uint64_t(limits[0]), 0, uint64_t(limits[1])};
      if (surface)
        limit = smaller(limit, {uint64_t(gpu.max_surface_1d_layered[0]), 0,
                                uint64_t(gpu.max_surface_1d_layered[1])});
      return fits(extent, limit);
    }
    Limit limit = limitOf(gpu.max_texture_2d_layered);
    return fits(extent, surface ? smaller(limit, limitOf(gpu.max_surface_2d_layered)) : limit);
  }
  if (extent.depth) {
    Limit limit = limitOf(gpu.max_texture_3d), other = limitOf(gpu.max_texture_3d_alternate);
    if (surface)
      return fits(extent, smaller(limit, limitOf(gpu.max_surface_3d)));
    return fits(extent, limit) || fits(extent, other);
  }
  if (extent.height) {
    Limit limit = limitOf(mipmapped ? gpu.max_texture_2d_mipmap : gpu.max_texture_2d);
    if (flags & cudaArrayTextureGather)
      limit = smaller(limit, limitOf(gpu.max_texture_2d_gather));
    return fits(extent, surface ? smaller(limit, limitOf(gpu.max_surface_2d)) : limit);
  }
  Limit limit{uint64_t(mipmapped ? gpu.max_texture_1d_mipmap : gpu.max_texture_1d)};
  return fits(extent, surface ? smaller(limit, {uint64_t(gpu.max_surface_1d)}) : limit);
}

/// Whether there are arrays of this shape (CUDA runtime API, cudaMalloc3DArray).
bool isShape(const cudaExtent &extent, unsigned flags) {
  if (extent.width == 0)
    return false;
  if (flags & cudaArrayCubemap) {
    const bool faces =
        flags & cudaArrayLayered ? extent.depth && extent.depth % 6 == 0 : extent.depth == 6;
    return extent.width == extent.height && faces;
  }
  if (flags & cudaArrayLayered)
    return extent.depth != 0;
  return extent.depth == 0 || extent.height != 0;
}

} // namespace

Array::Array(Device &device, const cudaChannelFormatDesc &desc, const TexelFormat &format,
             const cudaExtent &extent, unsigned flags)
    : device(device), generation(device.generation()), desc(desc), format(format), extent(extent),
      flags(flags) {
  row_bytes = (usedRowBytes() + row_alignment - 1) / row_alignment * row_alignment;
}

Array::~Array() {
  if (!memory || generation != device.generation())
    return;
  // The context that it was made in may have ended, and others have the memory.
  if (const auto found = device.memory.find(memory); found && found->id == allocation)
    device.memory.release(*found);
}

cudaError_t Array::allocate() {
  size_t bytes = 0;
  if (__builtin_mul_overflow(row_bytes, rows() * slices(), &bytes))
    return cudaErrorMemoryAllocation;
  memory = device.memory.allocateOnDevice(device.ordinal, bytes);
  if (!memory)
    return cudaErrorMemoryAllocation;
  allocation = device.memory.find(memory)->id;
  return cudaSuccess;
}

cudaError_t Array::create(Device &device, const cudaChannelFormatDesc *desc,
                          const cudaExtent &extent, unsigned flags, std::shared_ptr<Array> &array) {
  if (!desc)
    return cudaErrorInvalidValue;
  if (flags & (cudaArraySparse | cudaArrayDeferredMapping)) {
    fprintf(stderr, "heddle: sparse arrays, and arrays that are mapped later, are not supported\n");
    return cudaErrorNotSupported;
  }
  const std::optional<TexelFormat> format = texelFormat(*desc);
  if (!format)
    return cudaErrorInvalidChannelDescriptor;
  const bool gather = flags & cudaArrayTextureGather;
  if ((flags & ~(known_flags | cudaArrayColorAttachment)) || !isShape(extent, flags) ||
      (gather && (extent.height == 0 || extent.depth != 0)) ||
      !withinLimits(device.gpu, extent, flags, false))
    return cudaErrorInvalidValue;
  std::shared_ptr<Array> made(new Array(device, *desc, *format, extent, flags));
  if (cudaError_t error = made->allocate())
    return error;
  handles().add(made);
  array = std::move(made);
  return cudaSuccess;
}

std::shared_ptr<Array> Array::sliceOf(const Array &whole, size_t z) {
  const unsigned flags = whole.flags & ~unsigned(cudaArrayLayered | cudaArrayCubemap);
  std::shared_ptr<Array> made(new Array(whole.device, whole.desc, whole.format,
                                        {whole.extent.width, whole.extent.height, 0}, flags));
  made->memory = static_cast<char *>(whole.memory) + z * whole.row_bytes * whole.rows();
  made->part_of_mipmaps = true; // no allocation has the number 0: it does not end with this
  handles().add(made);
  return made;
}

Handles<Array> &Array::handles() {
  static auto *all = new Handles<Array>;
  return *all;
}

cudaError_t Array::find(cudaArray_const_t handle, std::shared_ptr<Array> &array) {
  array = handle ? handles().find(handle) : nullptr;
  if (array && array->generation != array->device.generation())
    array.reset();
  return array ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

texture::Level Array::level() const {
  texture::Level level;
  level.base = reinterpret_cast<uintptr_t>(memory);
  level.row_bytes = unsigned(row_bytes);
  level.slice_bytes = row_bytes * rows();
  level.width = unsigned(extent.width);
  level.height = unsigned(rows());
  level.depth = unsigned(slices());
  return level;
}

cudaError_t Array::place(size_t x, size_t y, size_t z, const Box &box, BoxPlace &place) const {
  const auto outside = [](size_t first, size_t count, size_t all) {
    return first > all || count > all - first;
  };
  if (outside(x, box.width, usedRowBytes()) || outside(y, box.height, rows()) ||
      outside(z, box.depth, slices()))
    return cudaErrorInvalidValue;
  place.base = static_cast<char *>(memory) + (z * rows() + y) * row_bytes + x;
  place.pitch = row_bytes;
  place.rows = rows();
  return cudaSuccess;
}

cudaError_t Array::run(size_t x, size_t y, size_t bytes,
                       std::vector<std::pair<BoxPlace, Box>> &boxes) const {
  const size_t row = usedRowBytes();
  while (bytes) {
    Box box;
    if (x || bytes < row)
      box.width = std::min(bytes, row - std::min(x, row));
    else
      box = {row, bytes / row};
    BoxPlace where;
    if (cudaError_t error = box.width ? place(x, y, 0, box, where) : cudaErrorInvalidValue)
      return error;
    boxes.push_back({where, box});
    bytes -= box.width * box.height;
    y += box.height;
    x = 0;
  }
  return cudaSuccess;
}

// ---- Mipmaps ------------------------------------------------------------------------------------

cudaError_t MipmappedArray::create(Device &device, const cudaChannelFormatDesc *desc,
                                   const cudaExtent &extent, unsigned levels, unsigned flags,
                                   std::shared_ptr<MipmappedArray> &mipmaps) {
  if (!desc || !withinLimits(device.gpu, extent, flags, true))
    return cudaErrorInvalidValue;
  const bool layers = flags & (cudaArrayLayered | cudaArrayCubemap);
  const size_t largest =
      std::max({extent.width, extent.height, layers ? size_t(0) : extent.depth, size_t(1)});
  const auto most = unsigned(std::bit_width(largest));
  auto made = std::make_shared<MipmappedArray>();
  for (unsigned i = 0; i < std::clamp(levels, 1u, most); ++i) {
    const auto half = [&](size_t size) { return size ? std::max(size >> i, size_t(1)) : 0; };
    const cudaExtent smaller = {half(extent.width), half(extent.height),
                                layers ? extent.depth : half(extent.depth)};
    std::shared_ptr<Array> level;
    if (cudaError_t error = Array::create(device, desc, smaller, flags, level)) {
      for (const auto &array : made->levels)
        Array::handles().remove(array.get());
      return error;
    }
    level->part_of_mipmaps = true;
    made->levels.push_back(std::move(level));
  }
  handles().add(made);
  mipmaps = std::move(made);
  return cudaSuccess;
}

Handles<MipmappedArray> &MipmappedArray::handles() {
  static auto *all = new Handles<MipmappedArray>;
  return *all;
}

cudaError_t MipmappedArray::find(cudaMipmappedArray_const_t handle,
                                 std::shared_ptr<MipmappedArray> &mipmaps) {
  mipmaps = handle ? handles().find(handle) : nullptr;
  if (mipmaps && mipmaps->levels[0]->generation != mipmaps->levels[0]->device.generation())
    mipmaps.reset();
  return mipmaps ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

} // namespace heddle
