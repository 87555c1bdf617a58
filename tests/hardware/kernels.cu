// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose counters a real GPU has told: record.py runs this program under Nsight Compute,
// compare_test.py under heddle profile. Each is launched once, and has a name of its own. It checks
// nothing but that it runs.
#include <cstdio>
#include <vector>

constexpr int n = 1 << 16; // elements of each array that are used; arrays have 32 times as many

#define INDEX blockIdx.x *blockDim.x + threadIdx.x

// ---- Global memory: strides, offsets, widths ----
#define COPY_STRIDE(stride)                                                                        \
  __global__ void copy_stride_##stride(const float *in, float *out) {                              \
    const int i = INDEX;                                                                           \
    out[i] = in[i * stride];                                                                       \
  }
COPY_STRIDE(1)
COPY_STRIDE(2)
COPY_STRIDE(3)
COPY_STRIDE(4)
COPY_STRIDE(8)
COPY_STRIDE(32)
#define COPY_OFFSET(offset)                                                                        \
  __global__ void copy_offset_##offset(const float *in, float *out) {                              \
    const int i = INDEX;                                                                           \
    out[i + offset] = in[i + offset];                                                              \
  }
COPY_OFFSET(1)
COPY_OFFSET(8)
#define COPY_TYPE(type)                                                                            \
  __global__ void copy_##type(const type *in, type *out) {                                         \
    const int i = INDEX;                                                                           \
    out[i] = in[i];                                                                                \
  }
COPY_TYPE(char)
COPY_TYPE(short)
COPY_TYPE(double)
COPY_TYPE(float2)
COPY_TYPE(float4)
__global__ void copy_backwards(const float *in, float *out) {
  const int i = INDEX;
  out[i] = in[n - 1 - i];
}
__global__ void gather(const float *in, float *out) {
  const unsigned i = INDEX;
  out[i] = in[i * 2654435761u % n];
}
__global__ void scatter(const float *in, float *out) {
  const unsigned i = INDEX;
  out[i * 2654435761u % n] = in[i];
}
__global__ void broadcast_load(const float *in, float *out) {
  const int i = INDEX;
  out[i] = in[i / 32];
}
struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};
__global__ void array_of_structures(const Particle *in, float *out) {
  const int i = INDEX;
  out[i] = in[i].x + in[i].vx;
}
__global__ void guarded(const float *in, float *out, int count) {
  const int i = INDEX;
  if (i < count)
    out[i] = 2 * in[i] + 1;
}
__global__ void grid_stride(const float *in, float *out, int count) {
  for (int i = INDEX; i < count; i += gridDim.x * blockDim.x)
    out[i] = in[i] * in[i];
}

// ---- Shared memory: banks ----
#define SHARED_STRIDE(stride)                                                                      \
  __global__ void shared_stride_##stride(const float *in, float *out) {                            \
    __shared__ float tile[64 * stride];                                                            \
    const int t = threadIdx.x;                                                                     \
    tile[t * stride] = in[INDEX];                                                                  \
    __syncthreads();                                                                               \
    out[INDEX] = tile[(t ^ 1) * stride];                                                           \
  }
SHARED_STRIDE(1)
SHARED_STRIDE(2)
SHARED_STRIDE(3)
SHARED_STRIDE(4)
SHARED_STRIDE(16)
SHARED_STRIDE(32)
SHARED_STRIDE(33)
#define SHARED_TYPE(type)                                                                          \
  __global__ void shared_##type(const type *in, type *out) {                                       \
    __shared__ type tile[64];                                                                      \
    const int t = threadIdx.x;                                                                     \
    tile[t] = in[INDEX];                                                                           \
    __syncthreads();                                                                               \
    out[INDEX] = tile[63 - t];                                                                     \
  }
SHARED_TYPE(char)
SHARED_TYPE(double)
SHARED_TYPE(float2)
SHARED_TYPE(float4)
__global__ void shared_broadcast(const float *in, float *out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[INDEX];
  __syncthreads();
  out[INDEX] = tile[threadIdx.x / 8];
}
// Half of the warp reads what the other half does, 8 bytes each.
__global__ void shared_double_halves(const double *in, double *out) {
  __shared__ double tile[64];
  tile[threadIdx.x] = in[INDEX];
  __syncthreads();
  out[INDEX] = tile[threadIdx.x % 16];
}
__global__ void shared_double_stride(const double *in, double *out) {
  __shared__ double tile[128];
  tile[2 * threadIdx.x] = in[INDEX];
  __syncthreads();
  out[INDEX] = tile[2 * (threadIdx.x ^ 1)];
}
#define TRANSPOSE(name, columns)                                                                   \
  __global__ void name(const float *in, float *out, int width) {                                   \
    __shared__ float tile[32][columns];                                                            \
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;                      \
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];                                            \
    __syncthreads();                                                                               \
    x = blockIdx.y * 32 + threadIdx.x;                                                             \
    y = blockIdx.x * 32 + threadIdx.y;                                                             \
    out[y * width + x] = tile[threadIdx.x][threadIdx.y];                                           \
  }
TRANSPOSE(transpose_shared, 32)
TRANSPOSE(transpose_padded, 33)
__global__ void transpose_naive(const float *in, float *out, int width) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  out[x * width + y] = in[y * width + x];
}

// ---- Atomic operations ----
__global__ void atomic_one_address(const int *in, int *out) { atomicAdd(out, in[INDEX] + 1); }
__global__ void atomic_neighbours(const int *in, int *out) {
  const int i = INDEX;
  atomicAdd(out + i, in[i] + 1);
}
__global__ void atomic_result(const int *in, int *out) {
  const int i = INDEX;
  out[i + 64] = atomicAdd(out + i % 64, in[i] + 1);
}
__global__ void histogram_global(const int *in, int *out) {
  atomicAdd(out + (INDEX * 7 + in[INDEX]) % 64, 1);
}
__global__ void histogram_shared(const int *in, int *out) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(bins + (threadIdx.x * 7 + in[INDEX]) % 64, 1);
  __syncthreads();
  atomicAdd(out + threadIdx.x, bins[threadIdx.x]);
}

// ---- Constant and local memory ----
__constant__ float coefficients[64];
__global__ void constant_uniform(const float *in, float *out) {
  const int i = INDEX;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += coefficients[k] * in[i + k];
  out[i] = sum;
}
__global__ void constant_indexed(const float *in, float *out) {
  const int i = INDEX;
  out[i] = coefficients[(i * 5) % 64] * in[i];
}
__global__ void local_array(const int *in, int *out, int places) {
  int table[16];
  for (int k = 0; k < 16; ++k)
    table[k] = in[INDEX] + k * places;
  out[INDEX] = table[(threadIdx.x * 3 + places) % 16];
}

// ---- Control flow ----
__global__ void diverge_parity(const float *in, float *out) {
  const int i = INDEX;
  float x = in[i];
  if (threadIdx.x % 2 == 0)
    for (int k = 0; k < 8; ++k)
      x = x * in[k] + 1;
  else
    for (int k = 0; k < 8; ++k)
      x = x / (in[k + 8] + 2);
  out[i] = x;
}
__global__ void diverge_never(const float *in, float *out) {
  const int i = INDEX;
  float x = in[i];
  if (threadIdx.x / 32 % 2 == 0)
    for (int k = 0; k < 8; ++k)
      x = x * in[k] + 1;
  else
    for (int k = 0; k < 8; ++k)
      x = x / (in[k + 8] + 2);
  out[i] = x;
}
__global__ void loop_by_thread(const float *in, float *out, int most) {
  const int i = INDEX;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < (i % most); ++k)
    sum += in[k];
  out[i] = sum;
}
__global__ void collatz(int *out) {
  const unsigned i = INDEX;
  unsigned x = i + 1, steps = 0;
#pragma unroll 1
  for (; x != 1; ++steps)
    x = x % 2 ? 3 * x + 1 : x / 2;
  out[i] = int(steps);
}
__global__ void early_exit(const float *in, float *out, int count) {
  const int i = INDEX;
  if (i >= count || in[i] > 1)
    return;
  __shared__ float last;
  last = in[i];
  out[i] = last + in[i];
}
__global__ void switch_of_four(const int *in, int *out) {
  const int i = INDEX;
  switch (i % 4) {
  case 0:
    out[i] = in[i] + in[i + 1];
    break;
  case 1:
    out[i] = in[i] * in[i + 2];
    break;
  case 2:
    out[i] = in[i] / (in[i + 3] + 3);
    break;
  default:
    out[i] = in[i] - 7;
  }
}

// ---- The classics ----
__global__ void reduce_modulo(const float *in, float *out) {
  extern __shared__ float sums[];
  const unsigned t = threadIdx.x;
  sums[t] = in[INDEX];
#pragma unroll 1
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0)
      sums[t] += sums[t + stride];
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
__global__ void reduce_strided_index(const float *in, float *out) {
  extern __shared__ float sums[];
  const unsigned t = threadIdx.x;
  sums[t] = in[INDEX];
#pragma unroll 1
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    const unsigned i = 2 * stride * t;
    if (i < blockDim.x)
      sums[i] += sums[i + stride];
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
__global__ void reduce_halving(const float *in, float *out) {
  extern __shared__ float sums[];
  const unsigned t = threadIdx.x;
  sums[t] = in[INDEX];
#pragma unroll 1
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride)
      sums[t] += sums[t + stride];
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
__global__ void reduce_shuffle(const float *in, float *out) {
  float sum = in[INDEX];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0)
    out[(INDEX) / 32] = sum;
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
#define MATMUL_TILED(tile)                                                                         \
  __global__ void matmul_tiled_##tile(const float *a, const float *b, float *c, int width) {       \
    __shared__ float tile_a[tile][tile], tile_b[tile][tile];                                       \
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * tile + tx,                      \
              y = blockIdx.y * tile + ty;                                                          \
    float sum = 0;                                                                                 \
    for (int k = 0; k < width; k += tile) {                                                        \
      tile_a[ty][tx] = a[y * width + k + tx];                                                      \
      tile_b[ty][tx] = b[(k + ty) * width + x];                                                    \
      __syncthreads();                                                                             \
      for (int i = 0; i < tile; ++i)                                                               \
        sum += tile_a[ty][i] * tile_b[i][tx];                                                      \
      __syncthreads();                                                                             \
    }                                                                                              \
    c[y * width + x] = sum;                                                                        \
  }
MATMUL_TILED(16)
MATMUL_TILED(32)
__global__ void stencil(const float *in, float *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < width - 1)
    out[y * width + x] = 0.25f * (in[y * width + x - 1] + in[y * width + x + 1] +
                                  in[(y - 1) * width + x] + in[(y + 1) * width + x]);
}
__global__ void nbody(const float4 *bodies, float4 *forces, int count) {
  __shared__ float4 tile[64];
  const float4 own = bodies[INDEX];
  float3 sum = {0, 0, 0};
  for (int first = 0; first < count; first += 64) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      const float factor = other.w * inverse * inverse * inverse;
      sum.x += dx * factor;
      sum.y += dy * factor;
      sum.z += dz * factor;
    }
    __syncthreads();
  }
  forces[INDEX] = make_float4(sum.x, sum.y, sum.z, 0);
}

template <class T> T *at(void *memory) { return static_cast<T *>(memory); }

#define RUN(name, type, ...) name<<<n / 64, 64>>>(at<type>(a), at<type>(b) __VA_ARGS__)

int main() {
  void *a, *b, *c;
  const size_t bytes = size_t(n) * 33 * sizeof(float);
  for (void **memory : {&a, &b, &c}) {
    cudaMalloc(memory, bytes);
    cudaMemset(*memory, 0, bytes);
  }
  RUN(copy_stride_1, float);
  RUN(copy_stride_2, float);
  RUN(copy_stride_3, float);
  RUN(copy_stride_4, float);
  RUN(copy_stride_8, float);
  RUN(copy_stride_32, float);
  RUN(copy_offset_1, float);
  RUN(copy_offset_8, float);
  RUN(copy_char, char);
  RUN(copy_short, short);
  RUN(copy_double, double);
  RUN(copy_float2, float2);
  RUN(copy_float4, float4);
  RUN(copy_backwards, float);
  RUN(gather, float);
  RUN(scatter, float);
  RUN(broadcast_load, float);
  array_of_structures<<<n / 64, 64>>>(at<Particle>(a), at<float>(b));
  RUN(guarded, float, , n - 24);
  grid_stride<<<64, 128>>>(at<float>(a), at<float>(b), n - 24);
  RUN(shared_stride_1, float);
  RUN(shared_stride_2, float);
  RUN(shared_stride_3, float);
  RUN(shared_stride_4, float);
  RUN(shared_stride_16, float);
  RUN(shared_stride_32, float);
  RUN(shared_stride_33, float);
  RUN(shared_char, char);
  RUN(shared_double, double);
  RUN(shared_float2, float2);
  RUN(shared_float4, float4);
  RUN(shared_broadcast, float);
  RUN(shared_double_halves, double);
  RUN(shared_double_stride, double);
  const dim3 grid(8, 8), block(32, 32);
  transpose_shared<<<grid, block>>>(at<float>(a), at<float>(b), 256);
  transpose_padded<<<grid, block>>>(at<float>(a), at<float>(b), 256);
  transpose_naive<<<grid, block>>>(at<float>(a), at<float>(b), 256);
  RUN(atomic_one_address, int);
  RUN(atomic_neighbours, int);
  RUN(atomic_result, int);
  RUN(histogram_global, int);
  RUN(histogram_shared, int);
  cudaMemset(a, 0, bytes);
  RUN(constant_uniform, float);
  RUN(constant_indexed, float);
  RUN(local_array, int, , 3);
  RUN(diverge_parity, float);
  RUN(diverge_never, float);
  RUN(loop_by_thread, float, , 20);
  collatz<<<16, 64>>>(at<int>(b));
  RUN(early_exit, float, , n - 8);
  RUN(switch_of_four, int);
  reduce_modulo<<<64, 256, 1024>>>(at<float>(a), at<float>(b));
  reduce_strided_index<<<64, 256, 1024>>>(at<float>(a), at<float>(b));
  reduce_halving<<<64, 256, 1024>>>(at<float>(a), at<float>(b));
  RUN(reduce_shuffle, float);
  matmul_naive<<<dim3(8, 8), dim3(16, 16)>>>(at<float>(a), at<float>(b), at<float>(c), 128);
  matmul_rows_on_x<<<dim3(8, 8), dim3(16, 16)>>>(at<float>(a), at<float>(b), at<float>(c), 128);
  matmul_tiled_16<<<dim3(8, 8), dim3(16, 16)>>>(at<float>(a), at<float>(b), at<float>(c), 128);
  matmul_tiled_32<<<dim3(4, 4), dim3(32, 32)>>>(at<float>(a), at<float>(b), at<float>(c), 128);
  stencil<<<dim3(16, 16), dim3(16, 16)>>>(at<float>(a), at<float>(b), 250);
  nbody<<<16, 64>>>(at<float4>(a), at<float4>(b), 1024);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error;
}
