// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA arrays: the memory that textures and surfaces are made of (CUDA C++ Programming Guide, "CUDA
// Arrays"). Texels lie row by row and slice by slice in device memory, so a copy to or from an
// array is a copy of a box like any other.
#pragma once

#include "device/memory/copy.h"
#include "device/texture/format.h"

namespace heddle {

/// What a cudaArray_t points to.
class Array {
public:
  ~Array();
  Device &device;
  const uint64_t generation; // of the device, when this was made
  const cudaChannelFormatDesc desc;
  const TexelFormat format;
  const cudaExtent extent; // as given: height and depth are 0 if the array has none
  const unsigned flags;

  bool layered() const { return flags & cudaArrayLayered; }
  bool cube() const { return flags & cudaArrayCubemap; }
  size_t rows() const { return extent.height ? extent.height : 1; }
  size_t slices() const { return extent.depth ? extent.depth : 1; }
  size_t rowBytes() const { return row_bytes; }
  size_t usedRowBytes() const { return extent.width * format.texelBytes(); }
  size_t bytes() const { return row_bytes * rows() * slices(); }
  void *base() const { return memory; }
  texture::Level level() const;

  /// Where the box begins whose first byte is `x` bytes into row `y` of slice `z`;
  /// cudaErrorInvalidValue if the box is not within the array.
  cudaError_t place(size_t x, size_t y, size_t z, const Box &box, BoxPlace &place) const;
  /// The same for `bytes` bytes that go on from row to row, as cudaMemcpyToArray wants: up to three
  /// boxes.
  cudaError_t run(size_t x, size_t y, size_t bytes, std::vector<std::pair<BoxPlace, Box>> &) const;

  static cudaError_t create(Device &device, const cudaChannelFormatDesc *desc,
                            const cudaExtent &extent, unsigned flags,
                            std::shared_ptr<Array> &array);
  /// One slice of a layered array or a cube, in the same memory, which goes with the whole.
  static std::shared_ptr<Array> sliceOf(const Array &whole, size_t z);
  /// All arrays of all devices, mipmap levels among them.
  static Handles<Array> &handles();
  /// cudaErrorInvalidResourceHandle if there is none, or its device has been reset since.
  static cudaError_t find(cudaArray_const_t handle, std::shared_ptr<Array> &array);

private:
  friend class MipmappedArray;
  Array(Device &device, const cudaChannelFormatDesc &desc, const TexelFormat &format,
        const cudaExtent &extent, unsigned flags);
  cudaError_t allocate();

  void *memory = nullptr;
  uint64_t allocation = 0; // its number
  size_t row_bytes = 0;
  bool part_of_mipmaps = false;

public:
  bool isLevel() const { return part_of_mipmaps; }
};

/// What a cudaMipmappedArray_t points to: arrays of which each is half as large as the one before.
class MipmappedArray {
public:
  std::vector<std::shared_ptr<Array>> levels;

  static cudaError_t create(Device &device, const cudaChannelFormatDesc *desc,
                            const cudaExtent &extent, unsigned levels, unsigned flags,
                            std::shared_ptr<MipmappedArray> &mipmaps);
  static Handles<MipmappedArray> &handles();
  static cudaError_t find(cudaMipmappedArray_const_t handle,
                          std::shared_ptr<MipmappedArray> &mipmaps);
};

} // namespace heddle
