// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surface objects: reads and writes of all kinds of arrays, inside and outside of them, in all
// boundary modes (CUDA C++ Programming Guide, "Surface Object API"), of elements of 1 to 16 bytes.
#include "texture.h"

enum class Kind { D1, D2, D3, D1Layered, D2Layered, Cube, CubeLayered };

/// Sizes in elements. A layered array has as many slices as layers, a cubemap as faces.
struct Shape {
  Kind kind;
  int width, height, depth;
  unsigned flags;
};

constexpr Shape shapes[] = {
    {Kind::D1, 6, 1, 1, 0},
    {Kind::D2, 6, 4, 1, 0},
    {Kind::D3, 6, 4, 3, 0},
    {Kind::D1Layered, 6, 1, 3, cudaArrayLayered},
    {Kind::D2Layered, 6, 4, 3, cudaArrayLayered},
    {Kind::Cube, 4, 4, 6, cudaArrayCubemap},
    {Kind::CubeLayered, 4, 4, 12, cudaArrayCubemap | cudaArrayLayered},
};

/// What a kernel goes through: all elements and, if `around`, those next to them, as far as an
/// array has that axis.
struct Range {
  Shape shape;
  int around_x, around_y, around_z;

  Range(const Shape &shape, bool around) : shape(shape) {
    around_x = around ? 2 : 0;
    around_y = shape.height > 1 ? around_x : 0;
    around_z = shape.depth > 1 ? around_x : 0;
  }
  __host__ __device__ int width() const { return shape.width + 2 * around_x; }
  __host__ __device__ int height() const { return shape.height + 2 * around_y; }
  __host__ __device__ int depth() const { return shape.depth + 2 * around_z; }
  __host__ __device__ int count() const { return width() * height() * depth(); }
  __host__ __device__ int3 at(int i) const {
    return make_int3(i % width() - around_x, i / width() % height() - around_y,
                     i / width() / height() - around_z);
  }
  __host__ __device__ bool isInside(int3 p) const {
    return p.x >= 0 && p.x < shape.width && p.y >= 0 && p.y < shape.height && p.z >= 0 &&
           p.z < shape.depth;
  }
  __host__ __device__ static int clamped(int i, int size) {
    return i < 0 ? 0 : i >= size ? size - 1 : i;
  }
  /// Layers and faces are unsigned, other than slices.
  __host__ __device__ int slice(int z) const {
    return z < 0 && shape.kind != Kind::D3 ? shape.depth - 1 : clamped(z, shape.depth);
  }
  /// The number of the element, or of the nearest one.
  __host__ __device__ int element(int3 p) const {
    return (slice(p.z) * shape.height + clamped(p.y, shape.height)) * shape.width +
           clamped(p.x, shape.width);
  }
};

template <cudaSurfaceBoundaryMode Mode, class T>
__device__ T readAt(cudaSurfaceObject_t surface, Kind kind, int x, int y, int z) {
  switch (kind) {
  case Kind::D1:
    return surf1Dread<T>(surface, x, Mode);
  case Kind::D2:
    return surf2Dread<T>(surface, x, y, Mode);
  case Kind::D3:
    return surf3Dread<T>(surface, x, y, z, Mode);
  case Kind::D1Layered:
    return surf1DLayeredread<T>(surface, x, z, Mode);
  case Kind::D2Layered:
    return surf2DLayeredread<T>(surface, x, y, z, Mode);
  case Kind::Cube:
    return surfCubemapread<T>(surface, x, y, z, Mode);
  default: {
    T value;
    surfCubemapLayeredread(&value, surface, x, y, z, Mode);
    return value;
  }
  }
}

template <cudaSurfaceBoundaryMode Mode, class T>
__device__ void writeAt(T value, cudaSurfaceObject_t surface, Kind kind, int x, int y, int z) {
  switch (kind) {
  case Kind::D1:
    return surf1Dwrite(value, surface, x, Mode);
  case Kind::D2:
    return surf2Dwrite(value, surface, x, y, Mode);
  case Kind::D3:
    return surf3Dwrite(value, surface, x, y, z, Mode);
  case Kind::D1Layered:
    return surf1DLayeredwrite(value, surface, x, z, Mode);
  case Kind::D2Layered:
    return surf2DLayeredwrite(value, surface, x, y, z, Mode);
  case Kind::Cube:
    return surfCubemapwrite(value, surface, x, y, z, Mode);
  default:
    return surfCubemapLayeredwrite(value, surface, x, y, z, Mode);
  }
}

template <class T, cudaSurfaceBoundaryMode Mode>
__global__ void readAll(cudaSurfaceObject_t surface, Range range, T *out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= range.count())
    return;
  const int3 p = range.at(i);
  out[i] = readAt<Mode, T>(surface, range.shape.kind, p.x * int(sizeof(T)), p.y, p.z);
}

template <class T, cudaSurfaceBoundaryMode Mode>
__global__ void writeAll(cudaSurfaceObject_t surface, Range range, const T *values) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= range.count())
    return;
  const int3 p = range.at(i);
  writeAt<Mode>(values[range.element(p)], surface, range.shape.kind, p.x * int(sizeof(T)), p.y,
                p.z);
}

template <class T> static std::vector<T> elements(size_t count) {
  std::vector<T> values(count);
  auto *bytes = reinterpret_cast<unsigned char *>(values.data());
  for (size_t i = 0; i < count * sizeof(T); ++i)
    bytes[i] = static_cast<unsigned char>(i * 7 % 251 + 1);
  return values;
}

template <class T> static cudaMemcpy3DParms copyOf(const Shape &shape, T *memory) {
  cudaMemcpy3DParms copy = {};
  copy.dstPtr = make_cudaPitchedPtr(memory, shape.width * sizeof(T), shape.width, shape.height);
  copy.extent = make_cudaExtent(shape.width, shape.height, shape.depth);
  copy.kind = cudaMemcpyDeviceToHost;
  return copy;
}

template <class T> static bool same(const T &one, const T &other) {
  return std::memcmp(&one, &other, sizeof(T)) == 0;
}

template <class T, cudaSurfaceBoundaryMode Mode> static void compare(const Shape &shape) {
  const Range range(shape, Mode != cudaBoundaryModeTrap);
  const std::vector<T> all = elements<T>(size_t(shape.width) * shape.height * shape.depth);
  const size_t height = shape.kind == Kind::D1 || shape.kind == Kind::D1Layered ? 0 : shape.height;
  const size_t depth = shape.kind == Kind::D1 || shape.kind == Kind::D2 ? 0 : shape.depth;
  const unsigned flags = shape.flags | cudaArraySurfaceLoadStore;
  const int blocks = (range.count() + 127) / 128;

  cudaArray_t array = makeArray(all, shape.width, height, depth, flags);
  cudaSurfaceObject_t surface = makeSurface(array);
  DeviceBuffer<T> out(size_t(range.count()));
  readAll<T, Mode><<<blocks, 128>>>(surface, range, out.data());
  const std::vector<T> read = out.download();
  for (int i = 0; i < range.count(); ++i) {
    const int3 p = range.at(i);
    const bool zero = Mode == cudaBoundaryModeZero && !range.isInside(p);
    CHECK(same(read[size_t(i)], zero ? T{} : all[size_t(range.element(p))]));
  }
  CHECK_CUDA(cudaDestroySurfaceObject(surface));
  CHECK_CUDA(cudaFreeArray(array));

  // Clamped, what is at a border is written several times, with the same value.
  array = makeArray(std::vector<T>(all.size()), shape.width, height, depth, flags);
  surface = makeSurface(array);
  DeviceBuffer<T> values(all);
  writeAll<T, Mode><<<blocks, 128>>>(surface, range, values.data());
  CHECK_CUDA(cudaDeviceSynchronize());
  std::vector<T> written(all.size());
  cudaMemcpy3DParms copy = copyOf(shape, written.data());
  copy.srcArray = array;
  CHECK_CUDA(cudaMemcpy3D(&copy));
  CHECK(std::memcmp(written.data(), all.data(), all.size() * sizeof(T)) == 0);
  CHECK_CUDA(cudaDestroySurfaceObject(surface));
  CHECK_CUDA(cudaFreeArray(array));
}

template <class T> static void compareShapes() {
  for (const Shape &shape : shapes) {
    compare<T, cudaBoundaryModeTrap>(shape);
    compare<T, cudaBoundaryModeClamp>(shape);
    compare<T, cudaBoundaryModeZero>(shape);
  }
}

/// A surface holds bytes: a thread that reads other elements than were written sees the same bytes.
__global__ void readAsBytes(cudaSurfaceObject_t surface, uchar4 *out) {
  const int i = int(threadIdx.x);
  surf2Dwrite(0x04030201 + 0x10101010 * i, surface, i * 4, 0);
  const ushort2 halves = surf2Dread<ushort2>(surface, i * 4, 0);
  const uchar4 bytes = surf2Dread<uchar4>(surface, i * 4, 0);
  const bool same = halves.x == (bytes.x | bytes.y << 8) && halves.y == (bytes.z | bytes.w << 8);
  out[i] = same ? bytes : uchar4{};
}

static void compareViews() {
  cudaArray_t array = makeArray(std::vector<float>(8), 8, 1, 0, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t surface = makeSurface(array);
  DeviceBuffer<uchar4> out(8);
  readAsBytes<<<1, 8>>>(surface, out.data());
  const std::vector<uchar4> bytes = out.download();
  for (unsigned i = 0; i < 8; ++i)
    CHECK(bytes[i].x == 16 * i + 1 && bytes[i].y == 16 * i + 2 && bytes[i].z == 16 * i + 3 &&
          bytes[i].w == 16 * i + 4);
  CHECK_CUDA(cudaDestroySurfaceObject(surface));
  CHECK_CUDA(cudaFreeArray(array));
}

int main() {
  compareShapes<unsigned char>();
  compareShapes<short>();
  compareShapes<char4>();
  compareShapes<float2>();
  compareShapes<uint4>();
  compareViews();
  RETURN_RESULT();
}
