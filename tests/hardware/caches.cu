// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose traffic through the caches, and whose fetches of textures and surfaces, a real GPU
// has told: record.py runs this program under Nsight Compute, compare_test.py under heddle profile.
// Each is launched once, and has a name of its own; the caches are cold before each (as with ncu
// --cache-control all). It checks nothing but that it runs.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int small = 1 << 20; // floats: 4 MiB, which any L2 holds
constexpr int large = 1 << 24; // 64 MiB, which few do
constexpr int block = 256;

#define INDEX blockIdx.x *blockDim.x + threadIdx.x

// ---- Streams ----
__global__ void copy_small(const float *in, float *out) {
  const int i = INDEX;
  out[i] = in[i];
}
__global__ void copy_large(const float *in, float *out) {
  const int i = INDEX;
  out[i] = in[i];
}
__global__ void copy_large_float4(const float4 *in, float4 *out) {
  const int i = INDEX;
  out[i] = in[i];
}
__global__ void read_small(const float *in, float *out) {
  const float x = in[INDEX];
  if (x > 1e30f)
    out[0] = x;
}
__global__ void read_large(const float *in, float *out) {
  const float x = in[INDEX];
  if (x > 1e30f)
    out[0] = x;
}
__global__ void write_small(float *out) { out[INDEX] = 1; }
__global__ void write_large(float *out) { out[INDEX] = 1; }
__global__ void update_small(float *out) { out[INDEX] += 1; }
__global__ void update_large(float *out) { out[INDEX] += 1; }
__global__ void vector_add(const float *a, const float *b, float *c) {
  const int i = INDEX;
  c[i] = a[i] + b[i];
}
#define READ_STRIDE(stride)                                                                        \
  __global__ void read_stride_##stride(const float *in, float *out) {                              \
    const float x = in[(INDEX) * stride];                                                          \
    if (x > 1e30f)                                                                                 \
      out[0] = x;                                                                                  \
  }
READ_STRIDE(2)
READ_STRIDE(8)
READ_STRIDE(16)
READ_STRIDE(32)
#define WRITE_STRIDE(stride)                                                                       \
  __global__ void write_stride_##stride(float *out) { out[(INDEX) * stride] = 1; }
WRITE_STRIDE(2)
WRITE_STRIDE(8)
WRITE_STRIDE(32)
// A sector is written, and read, piece by piece, by one thread.
__global__ void rows_by_thread(const float *in, float *out) {
  const int i = INDEX;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k)
    sum += in[i * 32 + k];
  out[i] = sum;
}
__global__ void rows_written_by_thread(float *out) {
  const int i = INDEX;
#pragma unroll 1
  for (int k = 0; k < 32; ++k)
    out[i * 32 + k] = float(k);
}

// ---- Reuse ----
// Each block reads as many floats again and again.
__global__ void passes_16k(const float *in, float *out) {
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < 8; ++pass)
#pragma unroll 1
    for (int k = threadIdx.x; k < 4096; k += blockDim.x)
      sum += in[k];
  out[INDEX] = sum;
}
__global__ void passes_128k(const float *in, float *out) {
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < 8; ++pass)
#pragma unroll 1
    for (int k = threadIdx.x; k < 32768; k += blockDim.x)
      sum += in[k];
  out[INDEX] = sum;
}
__global__ void passes_512k(const float *in, float *out) {
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < 4; ++pass)
#pragma unroll 1
    for (int k = threadIdx.x; k < 131072; k += blockDim.x)
      sum += in[k];
  out[INDEX] = sum;
}
__global__ void passes_own_64k(const float *in, float *out) {
  const float *own = in + blockIdx.x * 16384;
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < 4; ++pass)
#pragma unroll 1
    for (int k = threadIdx.x; k < 16384; k += blockDim.x)
      sum += own[k];
  out[INDEX] = sum;
}
// The same with shared memory that leaves little of the L1 cache.
__global__ void passes_128k_shared(const float *in, float *out) {
  extern __shared__ float tile[];
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < 8; ++pass)
#pragma unroll 1
    for (int k = threadIdx.x; k < 32768; k += blockDim.x)
      sum += in[k];
  tile[threadIdx.x] = sum;
  __syncthreads();
  out[INDEX] = tile[threadIdx.x ^ 1];
}
__global__ void read_twice(const float *in, float *out) {
  const int i = INDEX;
  float a = in[i];
  __syncthreads();
  a += *(const volatile float *)(in + (i ^ 32));
  out[i] = a;
}
__global__ void neighbours(const float *in, float *out, int n) {
  const int i = INDEX;
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i] + in[i + 1];
}
__global__ void broadcast(const float *in, float *out) {
  const int i = INDEX;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k)
    sum += in[k * 8];
  out[i] = sum;
}
__global__ void gather_1m(const float *in, float *out) {
  const unsigned i = INDEX;
  out[i] = in[(i * 2654435761u >> 7) % (1 << 18)];
}
__global__ void gather_64m(const float *in, float *out) {
  const unsigned i = INDEX;
  out[i] = in[(i * 2654435761u >> 3) % large];
}
__global__ void scatter_64m(float *out) {
  const unsigned i = INDEX;
  out[(i * 2654435761u >> 3) % large] = 1;
}
__global__ void write_then_read(float *out) {
  const int i = INDEX;
  out[i] = float(i);
  __syncthreads();
  out[i + small] = *(volatile float *)(out + (i ^ 64));
}
__global__ void same_sector_stores(float *out) {
#pragma unroll 1
  for (int k = 0; k < 16; ++k)
    ((volatile float *)out)[INDEX] = float(k);
}

// ---- Hints ----
__global__ void load_cg(const float *in, float *out) {
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < 4; ++pass)
    sum += __ldcg(in + (INDEX) % 8192);
  out[INDEX] = sum;
}
__global__ void load_cs(const float *in, float *out) {
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < 4; ++pass)
    sum += __ldcs(in + ((INDEX) + pass * 32) % 8192);
  out[INDEX] = sum;
}
__global__ void load_nc(const float *in, float *out) {
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < 4; ++pass)
    sum += __ldg(in + ((INDEX) + pass * 32) % 8192);
  out[INDEX] = sum;
}
__global__ void load_volatile(const float *in, float *out) {
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < 4; ++pass)
    sum += *(const volatile float *)(in + ((INDEX) + pass * 32) % 8192);
  out[INDEX] = sum;
}

// ---- Atomic operations, local memory ----
__global__ void atomics_small(int *out) { atomicAdd(out + (INDEX) % 65536, 1); }
__global__ void atomics_one(int *out) { atomicAdd(out, 1); }
__global__ void atomics_returned(int *out) {
  const int i = INDEX;
  out[65536 + i] = atomicAdd(out + i % 65536, 1);
}
__global__ void local_table(const int *in, int *out, int places) {
  int table[64];
#pragma unroll 1
  for (int k = 0; k < 64; ++k)
    table[(k * 5) & 63] = in[k] + k * places;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k)
    sum += table[(k * places + threadIdx.x) & 63];
  out[INDEX] = sum;
}

// ---- The classics ----
__global__ void transpose_naive(const float *in, float *out, int width) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    out[x * width + y + k] = in[(y + k) * width + x];
}
__global__ void transpose_tiled(const float *in, float *out, int width) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    out[(y + k) * width + x] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void matmul_naive(const float *a, const float *b, float *c, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < width; ++k)
    sum += a[y * width + k] * b[k * width + x];
  c[y * width + x] = sum;
}
__global__ void matmul_rows_on_x(const float *a, const float *b, float *c, int width) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < width; ++k)
    sum += a[y * width + k] * b[k * width + x];
  c[y * width + x] = sum;
}
template <int tile> __device__ void tiled(const float *a, const float *b, float *c, int width) {
  __shared__ float tile_a[tile][tile], tile_b[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * tile + tx,
            y = blockIdx.y * tile + ty;
  float sum = 0;
  for (int k = 0; k < width; k += tile) {
    tile_a[ty][tx] = a[y * width + k + tx];
    tile_b[ty][tx] = b[(k + ty) * width + x];
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }
  c[y * width + x] = sum;
}
__global__ void matmul_tiled_16(const float *a, const float *b, float *c, int width) {
  tiled<16>(a, b, c, width);
}
__global__ void matmul_tiled_32(const float *a, const float *b, float *c, int width) {
  tiled<32>(a, b, c, width);
}
__global__ void stencil_2d(const float *in, float *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < width - 1)
    out[y * width + x] = 0.25f * (in[y * width + x - 1] + in[y * width + x + 1] +
                                  in[(y - 1) * width + x] + in[(y + 1) * width + x]);
}
__global__ void stencil_3d(const float *in, float *out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1) {
    const int i = (z * n + y) * n + x;
    out[i] = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n];
  }
}
__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float sums[block];
  float sum = 0;
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sums[threadIdx.x] = sum;
  for (int stride = block / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride)
      sums[threadIdx.x] += sums[threadIdx.x + stride];
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = sums[0];
}
struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};
__global__ void array_of_structures(Particle *particles) {
  Particle &own = particles[INDEX];
  own.x += own.vx;
  own.y += own.vy;
  own.z += own.vz;
}
__global__ void histogram_global(const int *in, int *bins) {
  const int i = INDEX;
  atomicAdd(bins + ((in[i] + i * 7) & 255), 1);
}

// ---- Textures and surfaces ----
__global__ void tex_2d(cudaTextureObject_t image, float *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}
__global__ void tex_2d_rows(cudaTextureObject_t image, float *out, int width) { // blocks of 256 × 1
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}
__global__ void tex_2d_columns(cudaTextureObject_t image, float *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = tex2D<float>(image, y + 0.5f, x + 0.5f);
}
__global__ void tex_2d_linear(cudaTextureObject_t image, float *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = tex2D<float>(image, x + 0.25f, y + 0.75f);
}
__global__ void tex_2d_stride(cudaTextureObject_t image, float *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = tex2D<float>(image, x * 4 % width + 0.5f, y + 0.5f);
}
__global__ void tex_pitch(cudaTextureObject_t image, float *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}
__global__ void tex_fetch(cudaTextureObject_t line, float *out) {
  const int i = INDEX;
  out[i] = tex1Dfetch<float>(line, i);
}
__global__ void tex_fetch_stride_8(cudaTextureObject_t line, float *out) {
  const int i = INDEX;
  out[i] = tex1Dfetch<float>(line, i * 8 % small);
}
__global__ void tex_bytes(cudaTextureObject_t image, float *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = tex2D<unsigned char>(image, x + 0.5f, y + 0.5f);
}
__global__ void tex_float4(cudaTextureObject_t image, float4 *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = tex2D<float4>(image, x + 0.5f, y + 0.5f);
}
__global__ void surf_copy(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  surf2Dwrite(surf2Dread<float>(from, x * 4, y) + 1, to, x * 4, y);
}

cudaTextureObject_t makeTexture(const cudaResourceDesc &resource, cudaTextureFilterMode filter) {
  cudaTextureDesc desc{};
  desc.filterMode = filter;
  desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t made = 0;
  cudaCreateTextureObject(&made, &resource, &desc, nullptr);
  return made;
}
template <class Texel> cudaArray_t arrayOf(int width, const void *data) {
  cudaArray_t array;
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<Texel>();
  cudaMallocArray(&array, &desc, width, width, cudaArraySurfaceLoadStore);
  const size_t row = width * sizeof(Texel);
  cudaMemcpy2DToArray(array, 0, 0, data, row, row, width, cudaMemcpyDeviceToDevice);
  return array;
}
cudaResourceDesc resourceOf(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

void runTextures(float *a, float *b) {
  constexpr int width = 1024;
  const dim3 grid(width / 16, width / 16), tile(16, 16);
  const cudaArray_t floats = arrayOf<float>(width, a), other = arrayOf<float>(width, a),
                    bytes = arrayOf<unsigned char>(width, a), wide = arrayOf<float4>(width, a);
  const cudaTextureObject_t point = makeTexture(resourceOf(floats), cudaFilterModePoint),
                            linear = makeTexture(resourceOf(floats), cudaFilterModeLinear),
                            byte_image = makeTexture(resourceOf(bytes), cudaFilterModePoint),
                            wide_image = makeTexture(resourceOf(wide), cudaFilterModePoint);
  tex_2d<<<grid, tile>>>(point, b, width);
  tex_2d_rows<<<dim3(width / 256, width), 256>>>(point, b, width);
  tex_2d_columns<<<grid, tile>>>(point, b, width);
  tex_2d_linear<<<grid, tile>>>(linear, b, width);
  tex_2d_stride<<<grid, tile>>>(point, b, width);
  tex_bytes<<<grid, tile>>>(byte_image, b, width);
  tex_float4<<<grid, tile>>>(wide_image, (float4 *)b, width);
  cudaResourceDesc memory{};
  memory.resType = cudaResourceTypePitch2D;
  memory.res.pitch2D.devPtr = a;
  memory.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  memory.res.pitch2D.width = memory.res.pitch2D.height = width;
  memory.res.pitch2D.pitchInBytes = width * sizeof(float);
  tex_pitch<<<grid, tile>>>(makeTexture(memory, cudaFilterModePoint), b, width);
  memory = {};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear.devPtr = a;
  memory.res.linear.desc = cudaCreateChannelDesc<float>();
  memory.res.linear.sizeInBytes = small * sizeof(float);
  const cudaTextureObject_t line = makeTexture(memory, cudaFilterModePoint);
  tex_fetch<<<small / block, block>>>(line, b);
  tex_fetch_stride_8<<<small / block, block>>>(line, b);
  cudaSurfaceObject_t from = 0, to = 0;
  const cudaResourceDesc from_desc = resourceOf(floats), to_desc = resourceOf(other);
  cudaCreateSurfaceObject(&from, &from_desc);
  cudaCreateSurfaceObject(&to, &to_desc);
  surf_copy<<<grid, tile>>>(from, to);
}

int main() {
  float *a, *b, *c;
  const size_t bytes = size_t(large) * sizeof(float) * 2;
  for (float **memory : {&a, &b, &c}) {
    cudaMalloc(memory, bytes);
    cudaMemset(*memory, 0, bytes);
  }
  constexpr int blocks = small / block, many = large / block;
  copy_small<<<blocks, block>>>(a, b);
  copy_large<<<many, block>>>(a, b);
  copy_large_float4<<<many / 4, block>>>((float4 *)a, (float4 *)b);
  read_small<<<blocks, block>>>(a, b);
  read_large<<<many, block>>>(a, b);
  write_small<<<blocks, block>>>(b);
  write_large<<<many, block>>>(b);
  update_small<<<blocks, block>>>(b);
  update_large<<<many, block>>>(b);
  vector_add<<<blocks, block>>>(a, b, c);
  read_stride_2<<<blocks, block>>>(a, b);
  read_stride_8<<<blocks, block>>>(a, b);
  read_stride_16<<<blocks, block>>>(a, b);
  read_stride_32<<<blocks / 2, block>>>(a, b);
  write_stride_2<<<blocks, block>>>(b);
  write_stride_8<<<blocks, block>>>(b);
  write_stride_32<<<blocks / 2, block>>>(b);
  rows_by_thread<<<blocks / 16, block>>>(a, b);
  rows_written_by_thread<<<blocks / 16, block>>>(b);
  passes_16k<<<264, block>>>(a, b);
  passes_128k<<<264, block>>>(a, b);
  passes_512k<<<132, block>>>(a, b);
  passes_own_64k<<<264, block>>>(a, b);
  cudaFuncSetAttribute(passes_128k_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);
  passes_128k_shared<<<264, block, 100 << 10>>>(a, b);
  read_twice<<<blocks, block>>>(a, b);
  neighbours<<<blocks, block>>>(a, b, small);
  broadcast<<<blocks, block>>>(a, b);
  gather_1m<<<blocks, block>>>(a, b);
  gather_64m<<<blocks, block>>>(a, b);
  scatter_64m<<<blocks, block>>>(b);
  write_then_read<<<blocks, block>>>(b);
  same_sector_stores<<<blocks, block>>>(b);
  load_cg<<<blocks, block>>>(a, b);
  load_cs<<<blocks, block>>>(a, b);
  load_nc<<<blocks, block>>>(a, b);
  load_volatile<<<blocks, block>>>(a, b);
  atomics_small<<<blocks, block>>>((int *)b);
  atomics_one<<<blocks, block>>>((int *)b);
  atomics_returned<<<blocks, block>>>((int *)b);
  local_table<<<blocks / 8, block>>>((int *)a, (int *)b, 3);
  cudaMemset(a, 0, bytes);
  cudaMemset(b, 0, bytes);
  constexpr int width = 2048, size = 512;
  const dim3 tiles(width / 32, width / 32), tile(32, 8);
  transpose_naive<<<tiles, tile>>>(a, b, width);
  transpose_tiled<<<tiles, tile>>>(a, b, width);
  matmul_naive<<<dim3(size / 16, size / 16), dim3(16, 16)>>>(a, b, c, size);
  matmul_rows_on_x<<<dim3(size / 16, size / 16), dim3(16, 16)>>>(a, b, c, size);
  matmul_tiled_16<<<dim3(size / 16, size / 16), dim3(16, 16)>>>(a, b, c, size);
  matmul_tiled_32<<<dim3(size / 32, size / 32), dim3(32, 32)>>>(a, b, c, size);
  stencil_2d<<<dim3(width / 16, width / 16), dim3(16, 16)>>>(a, b, width);
  stencil_3d<<<dim3(4, 16, 16), dim3(32, 8, 8)>>>(a, b, 128);
  reduce<<<528, block>>>(a, b, large);
  array_of_structures<<<blocks / 4, block>>>((Particle *)a);
  histogram_global<<<blocks, block>>>((int *)a, (int *)b);
  runTextures(a, b);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error;
}
