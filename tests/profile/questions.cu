// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The questions that courses ask about warps and memory, as programs: tests/cli/profile_test.py
// knows the answers. Each row is a kernel; `Row` tells rows apart that have the same code.
#include <cstdio>
#include <cstdlib>

constexpr int rows_of_block = 16;

template <int Row> __global__ void picture(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = 2 * in[y * width + x];
}

__global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

template <int Row> __global__ void fill(float *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 1;
}

__global__ void maxInNext(const float *in, float *out, int n, int ahead) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best = in[i];
  for (int k = i; k < i + ahead && k < n; ++k)
    best = fmaxf(best, in[k]);
  out[i] = best;
}

__global__ void maxInNextBox(const float *in, float *out, int n, int ahead) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  const int last_x = min(x + ahead, n), last_y = min(y + ahead, n), last_z = min(z + ahead, n);
  float best = 0;
  for (int k = z; k < last_z; ++k)
    for (int j = y; j < last_y; ++j)
      for (int i = x; i < last_x; ++i)
        best = fmaxf(best, in[(k * n + j) * n + i]);
  out[(z * n + y) * n + x] = best;
}

__global__ void reduceModulo(float *data) {
  extern __shared__ float sums[];
  const unsigned t = threadIdx.x;
  sums[t] = data[t];
  sums[t + blockDim.x] = data[t + blockDim.x];
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % stride == 0) // modulo
      sums[2 * t] += sums[2 * t + stride];
  }
  if (t == 0)
    data[0] = sums[0];
}

__global__ void reduceHalving(float *data) {
  extern __shared__ float sums[];
  const unsigned t = threadIdx.x;
  sums[t] = data[t];
  sums[t + blockDim.x] = data[t + blockDim.x];
  for (unsigned stride = blockDim.x; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) // halving
      sums[t] += sums[t + stride];
  }
  if (t == 0)
    data[0] = sums[0];
}

__global__ void upSweep(float *data) {
  extern __shared__ float sums[];
  const unsigned t = threadIdx.x;
  sums[t] = data[t];
  sums[t + blockDim.x] = data[t + blockDim.x];
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    const unsigned i = (t + 1) * stride * 2 - 1;
    if (i < 2 * blockDim.x) // up-sweep
      sums[i] += sums[i - stride];
  }
  __syncthreads();
  data[t] = sums[t];
  data[t + blockDim.x] = sums[t + blockDim.x];
}

__global__ void doubleBufferScan(float *data) {
  extern __shared__ float buffers[];
  const unsigned t = threadIdx.x;
  float *from = buffers, *to = buffers + blockDim.x;
  from[t] = data[t];
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t >= stride) // scan
      to[t] = from[t] + from[t - stride];
    else
      to[t] = from[t];
    float *other = from;
    from = to;
    to = other;
  }
  data[t] = from[t];
}

// `in` has two more elements at each end.
__global__ void average(const float *in, float *out) {
  extern __shared__ float tile[];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t + 2;
  tile[t + 2] = in[i];
  if (t < 2)
    tile[t] = in[i - 2]; // left
  if (t >= blockDim.x - 2)
    tile[t + 4] = in[i + 2]; // right
  __syncthreads();
  out[i - 2] = (tile[t] + tile[t + 1] + tile[t + 2] + tile[t + 3] + tile[t + 4]) / 5;
}

__global__ void matmulNaive(const float *a, const float *b, float *c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

template <int Tile> __global__ void matmulTiled(const float *a, const float *b, float *c, int n) {
  __shared__ float tile_a[Tile][Tile], tile_b[Tile][Tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * Tile + tx, y = blockIdx.y * Tile + ty;
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    tile_a[ty][tx] = a[y * n + k + tx];
    tile_b[ty][tx] = b[(k + ty) * n + x];
    __syncthreads();
    for (int i = 0; i < Tile; ++i)
      sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

__global__ void firstPass(float *data, int half) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] += data[i + half];
}

template <int Pad> __global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[32][32 + Pad];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y]; // turned
}

struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};
__global__ void structures(const Particle *particles, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = particles[i].x;
}

int main() {
  constexpr int many = 1 << 24;
  float *a, *b, *c;
  cudaMalloc(&a, many * sizeof(float));
  cudaMalloc(&b, many * sizeof(float));
  cudaMalloc(&c, many * sizeof(float));
  cudaMemset(a, 0, many * sizeof(float));
  cudaMemset(b, 0, many * sizeof(float));
  const dim3 block(rows_of_block, rows_of_block);
  picture<1><<<dim3(50, 38), block>>>(a, b, 800, 600);
  picture<2><<<dim3(50, 38), block>>>(a, b, 800, 599);
  picture<3><<<dim3(50, 38), block>>>(a, b, 799, 600);
  vectorAdd<<<4, 256>>>(a, b, c, 1000);
  fill<8000><<<(8000 + 1023) / 1024, 1024>>>(a, 8000);
  maxInNext<<<4, 256>>>(a, b, 1024, 16);
  maxInNextBox<<<dim3(4, 32, 32), dim3(32, 4, 4)>>>(a, b, 128, 16);
  reduceModulo<<<1, 1024, 2048 * sizeof(float)>>>(a);
  reduceHalving<<<1, 1024, 2048 * sizeof(float)>>>(a);
  upSweep<<<1, 1024, 2048 * sizeof(float)>>>(a);
  doubleBufferScan<<<1, 1024, 2048 * sizeof(float)>>>(a);
  average<<<16, 256, 260 * sizeof(float)>>>(a, b);
  matmulNaive<<<dim3(8, 8), dim3(16, 16)>>>(a, b, c, 128);
  matmulTiled<16><<<dim3(8, 8), dim3(16, 16)>>>(a, b, c, 128);
  matmulTiled<32><<<dim3(4, 4), dim3(32, 32)>>>(a, b, c, 128);
  firstPass<<<many / 2 / 256, 256>>>(a, many / 2);
  transpose<0><<<dim3(4, 4), dim3(32, 32)>>>(a, b, 128);
  transpose<1><<<dim3(4, 4), dim3(32, 32)>>>(a, b, 128);
  structures<<<4, 256>>>(reinterpret_cast<const Particle *>(a), b);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error;
}
