// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "move.h"

#include "pixels.h"

namespace heddle::npp {
namespace {

__device__ int wrap(int i, int size) {
  const int rest = i % size;
  return rest < 0 ? rest + size : rest;
}

// The source's pixel; false if the constants are to be used.
__device__ bool place(const Move &m, int &x, int &y) {
  switch (m.place) {
  case Place::Transposed: {
    const int t = x;
    x = y;
    y = t;
    return true;
  }
  case Place::ConstantBorder:
    x -= m.left;
    y -= m.top;
    return x >= 0 && x < m.src_width && y >= 0 && y < m.src_height;
  case Place::ReplicatedBorder:
    x = min(max(x - m.left, 0), m.src_width - 1);
    y = min(max(y - m.top, 0), m.src_height - 1);
    return true;
  case Place::WrappedBorder:
    x = wrap(x - m.left, m.src_width);
    y = wrap(y - m.top, m.src_height);
    return true;
  case Place::RowsReversed:
  case Place::ColumnsReversed:
  case Place::BothReversed:
    if (m.place != Place::RowsReversed)
      x = m.width - 1 - x;
    if (m.place != Place::ColumnsReversed)
      y = m.height - 1 - y;
    return true;
  default:
    return true;
  }
}

// In place, pixels are exchanged: one thread does it for two.
template <typename T> __device__ void exchange(const Move &m, int x, int y) {
  int other_x = x, other_y = y;
  place(m, other_x, other_y);
  if (y > other_y || (y == other_y && x >= other_x))
    return;
  for (int i = 0; i < m.count; ++i) {
    T &a = reinterpret_cast<T *>(m.dst[i] + y * m.dst_step)[(long long)x * m.dst_stride];
    T &b =
        reinterpret_cast<T *>(m.dst[i] + other_y * m.dst_step)[(long long)other_x * m.dst_stride];
    const T t = a;
    a = b;
    b = t;
  }
}

template <typename T> __global__ void move(Move m) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= m.width)
    return;
  for (int y = blockIdx.y; y < m.height; y += gridDim.y) {
    if (m.mask && m.mask[y * m.mask_step + x] == 0)
      continue;
    if (m.place >= Place::RowsReversed && m.src[0] == m.dst[0]) {
      exchange<T>(m, x, y);
      continue;
    }
    int from_x = x, from_y = y;
    const bool inside = place(m, from_x, from_y);
    T value[4];
    // All are read before any is written: a pixel's channels may be exchanged in place.
    for (int i = 0; i < 4; ++i)
      if (i < m.count) {
        if (inside && m.src[i])
          value[i] = reinterpret_cast<const T *>(
              m.src[i] + from_y * m.src_step)[(long long)from_x * m.src_stride];
        else
          value[i] = *reinterpret_cast<const T *>(m.constant[i]);
      }
    for (int i = 0; i < 4; ++i)
      if (i < m.count)
        reinterpret_cast<T *>(m.dst[i] + y * m.dst_step)[(long long)x * m.dst_stride] = value[i];
  }
}

} // namespace

cudaError_t launch(const Move &work, cudaStream_t stream) {
  const dim3 grid = gridFor(work.width, work.height);
  switch (work.element) {
  case 1:
    move<unsigned char><<<grid, 256, 0, stream>>>(work);
    break;
  case 2:
    move<unsigned short><<<grid, 256, 0, stream>>>(work);
    break;
  case 4:
    move<unsigned><<<grid, 256, 0, stream>>>(work);
    break;
  case 8:
    move<uint2><<<grid, 256, 0, stream>>>(work);
    break;
  default:
    move<uint4><<<grid, 256, 0, stream>>>(work);
  }
  return cudaGetLastError();
}

} // namespace heddle::npp
