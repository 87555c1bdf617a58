// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every generated program contains: short names of types, device functions that give a meaning
// to what CUDA leaves open, and a main() that runs kernels one by one and prints a hash of each
// buffer that a kernel may write.
//
//     program [--from KERNEL] [--dump]      --from leaves out the kernels before this one;
//                                           --dump prints every element, too
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
typedef __half f16;

extern __shared__ __align__(16) unsigned char dynamic_shared[];

__constant__ u32 constants[64] = {
    0,          1,          2,   3,          0x9e3779b9, 7,     11,         0x80000000,
    0xffffffff, 17,         100, 255,        256,        65535, 65536,      0x7fffffff,
    5,          0xdeadbeef, 31,  32,         33,         63,    64,         1000000007,
    0x55555555, 0xaaaaaaaa, 9,   0x0f0f0f0f, 12,         13,    0xfffffff0, 77};

__device__ __forceinline__ u32 lane() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31;
}

// The same, as warps have it in a register.
__device__ __forceinline__ u32 laneRegister() {
  u32 result;
  asm("mov.u32 %0, %%laneid;" : "=r"(result));
  return result;
}

// A NaN's bits may differ from one correct implementation to the next; a program that looks at bits
// sees always the same.
__device__ __forceinline__ u32 bits(f32 x) { return x == x ? __float_as_uint(x) : 0x7fffffff; }
__device__ __forceinline__ u64 bits(f64 x) {
  return x == x ? u64(__double_as_longlong(x)) : 0x7fffffffffffffff;
}

// What may be stored where bytes are compared, not numbers.
template <class T> __device__ __forceinline__ T defined(T x) { return x == x ? x : T(1); }

// Shuffles from lanes that take no part are undefined in CUDA: here they take another lane's value,
// or keep their own. `live` names the lanes that take part; `mask` may also name lanes that ended.
// A source outside of the lane's segment is defined: the lane keeps its value.
__device__ __forceinline__ u32 sourceLane(u32 live, u32 wanted) {
  wanted &= 31;
  return live >> wanted & 1 ? wanted : u32(__ffs(int(live)) - 1);
}
template <int width, class T>
__device__ __forceinline__ T shuffleUp(u32 mask, u32 live, T value, u32 delta) {
  const T got = __shfl_up_sync(mask, value, delta, width);
  const bool inside = (lane() & (width - 1)) >= delta;
  return !inside || (live >> (lane() - delta) & 1) ? got : value;
}
template <int width, class T>
__device__ __forceinline__ T shuffleDown(u32 mask, u32 live, T value, u32 delta) {
  const T got = __shfl_down_sync(mask, value, delta, width);
  const bool inside = (lane() & (width - 1)) + delta < width;
  return !inside || (live >> (lane() + delta) & 1) ? got : value;
}
template <int width, class T>
__device__ __forceinline__ T shuffleXor(u32 mask, u32 live, T value, u32 bits) {
  const T got = __shfl_xor_sync(mask, value, int(bits), width);
  const u32 source = lane() ^ bits;
  // A lane of a later segment is out of reach; one of an earlier segment is not.
  const bool inside = source < (lane() & ~u32(width - 1)) + width;
  return !inside || (live >> source & 1) ? got : value;
}
template <int width, class T>
__device__ __forceinline__ T shuffleIndex(u32 mask, u32 live, T value, u32 index) {
  const T got = __shfl_sync(mask, value, int(index), width);
  const u32 source = (lane() & ~u32(width - 1)) | (index & (width - 1));
  return live >> source & 1 ? got : value;
}

// An operation that CUDA has no atomic function for, but whose order does not matter.
template <class T> __device__ __forceinline__ void combineByCas(T *cell, T value) {
  T seen = *(volatile T *)cell;
  for (;;) {
    const T found = atomicCAS(cell, seen, seen * (value | 1));
    if (found == seen)
      return;
    seen = found;
  }
}

template <class T> constexpr bool is_floating = false;
template <> constexpr bool is_floating<f16> = true;
template <> constexpr bool is_floating<f32> = true;
template <> constexpr bool is_floating<f64> = true;

static inline void require(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  printf("%s: %s\n", what, cudaGetErrorName(error));
  exit(3);
}

// The buffers of one kernel after the other, in the same places.
class Run {
public:
  Run(bool dump) : dump_(dump) {
    require(cudaMalloc(&device_, capacity), "cudaMalloc");
    host_ = (unsigned char *)malloc(capacity);
    makeInputs();
  }

  // Integers of any width (and halves), floats, or doubles.
  template <class T> const T *input() {
    const int which = !is_floating<T> || sizeof(T) == 2 ? 0 : sizeof(T) == 4 ? 1 : 2;
    return (const T *)(device_ + which * input_bytes);
  }

  // A buffer whose bytes are all `fill` at first. Bytes behind it belong to no buffer and must
  // stay. What is small is an allocation of its own, so that engines know who else looks at it.
  template <class T> T *output(const char *name, u64 count, int fill) {
    Output &output = outputs_[output_count_++];
    output.name = name;
    output.begin = used_;
    output.element = sizeof(T);
    output.floating = is_floating<T>;
    output.bytes = count * sizeof(T);
    used_ += (output.bytes + 255) / 256 * 256 + 256;
    if (used_ > capacity || output_count_ > most_outputs)
      require(cudaErrorMemoryAllocation, name);
    memset(host_ + output.begin, 0xa5, used_ - output.begin);
    memset(host_ + output.begin, fill, output.bytes);
    require(cudaMemcpy(device_ + output.begin, host_ + output.begin, used_ - output.begin,
                       cudaMemcpyHostToDevice),
            name);
    output.own = nullptr;
    if (count > most_elements_of_own)
      return (T *)(device_ + output.begin);
    require(cudaMalloc(&output.own, output.bytes), name);
    require(cudaMemcpy(output.own, host_ + output.begin, output.bytes, cudaMemcpyHostToDevice),
            name);
    return (T *)output.own;
  }

  void begin() {
    while (output_count_ > 0)
      cudaFree(outputs_[--output_count_].own);
    used_ = 3 * input_bytes;
    require(cudaMemcpy(device_, inputs_, used_, cudaMemcpyHostToDevice), "inputs");
  }

  // Waits for the kernel and prints a line for each buffer, or the error's name.
  bool finish(const char *kernel) {
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
      error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
      printf("%s error %s\n", kernel, cudaGetErrorName(error));
      return false;
    }
    require(cudaMemcpy(host_, device_, used_, cudaMemcpyDeviceToHost), "outputs");
    for (int i = 0; i < output_count_; ++i)
      if (const Output &output = outputs_[i]; output.own)
        require(cudaMemcpy(host_ + output.begin, output.own, output.bytes, cudaMemcpyDeviceToHost),
                output.name);
    printf("%s inputs %s\n", kernel, memcmp(host_, inputs_, 3 * input_bytes) ? "changed" : "same");
    for (int i = 0; i < output_count_; ++i)
      print(kernel, outputs_[i], i + 1 < output_count_ ? outputs_[i + 1].begin : used_);
    return true;
  }

private:
  static constexpr u64 input_bytes = 16640 * 8, capacity = 128 << 20;
  static constexpr int most_outputs = 32;
  static constexpr u64 most_elements_of_own = 64;
  struct Output {
    const char *name;
    u64 begin, bytes, element;
    bool floating;
    unsigned char *own; // or null: in device_
  };

  // Numbers of all sizes, small ones and zeros often; floating-point numbers with special ones
  // among them.
  void makeInputs() {
    u64 state = 0x243f6a8885a308d3;
    auto next = [&state] {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      return state * 0x2545f4914f6cdd1d >> 16;
    };
    static const f64 special[] = {0.0,           -0.0,           1.0,    -1.0,
                                  1e300 * 1e300, -1e300 * 1e300, 1e-310, 1e38};
    for (u64 i = 0; i < input_bytes; i += 4) {
      u32 value = u32(next());
      const u32 kind = u32(next()) & 7;
      value = kind < 2 ? value & 15 : kind == 2 ? 0 - (value & 15) : kind == 3 ? 0 : value;
      memcpy(inputs_ + i, &value, 4);
    }
    for (u64 i = 0; i < input_bytes; i += 8) {
      const u32 kind = u32(next()) & 15;
      f64 value = f64(i64(next() & 0xffff) - 0x8000) / f64(1 << (next() & 15));
      value = kind == 0 ? special[next() & 7] : kind == 1 ? value * 1e-42 : value;
      const f32 halves[2] = {f32(value), f32(f64(next() & 0xff) / 16 - 8)};
      if (kind == 2) // NaN: whatever its bits, they are the same in all runs
        memset(&value, 0x7f, 8);
      memcpy(inputs_ + input_bytes + i, halves, 8);
      memcpy(inputs_ + 2 * input_bytes + i, &value, 8);
    }
    const u32 nan = 0x7fc00000;
    for (u64 i = 100; i < input_bytes; i += 404)
      memcpy(inputs_ + input_bytes + i, &nan, 4);
  }

  // NaNs count as equal, whatever their bits.
  u64 element(const Output &output, u64 offset) const {
    u64 value = 0;
    memcpy(&value, host_ + output.begin + offset, output.element);
    const u64 exponent = output.element == 2   ? 0x7c00
                         : output.element == 4 ? 0x7f800000
                                               : 0x7ff0000000000000;
    const u64 sign = u64(1) << (8 * output.element - 1);
    return output.floating && (value & ~sign) > exponent ? ~u64(0) : value;
  }

  void print(const char *kernel, const Output &output, u64 end) const {
    u64 hash = 0xcbf29ce484222325;
    auto add = [&hash](u64 value) { hash = (hash ^ value ^ value >> 32) * 0x9e3779b97f4a7c15 + 1; };
    for (u64 i = 0; i < output.bytes; i += output.element) {
      const u64 value = element(output, i);
      add(value);
      if (dump_)
        printf("%s %s[%llu] %0*llx\n", kernel, output.name, i / output.element,
               int(2 * output.element), value);
    }
    for (u64 i = output.begin + output.bytes; i < end; ++i)
      add(host_[i]);
    printf("%s %s %016llx\n", kernel, output.name, hash);
  }

  const bool dump_;
  unsigned char *device_, *host_, inputs_[3 * input_bytes];
  u64 used_ = 0;
  int output_count_ = 0;
  Output outputs_[most_outputs + 1];
};

struct Entry {
  const char *name;
  void (*launch)(Run &);
};

static inline int runEntries(const Entry *entries, size_t count, int argc, char **argv) {
  const char *from = nullptr;
  bool dump = false;
  for (int i = 1; i < argc; ++i)
    if (!strcmp(argv[i], "--dump"))
      dump = true;
    else if (!strcmp(argv[i], "--from") && i + 1 < argc)
      from = argv[++i];
  static Run run(dump);
  for (size_t i = 0; i < count; ++i) {
    if (from && strcmp(from, entries[i].name))
      continue;
    from = nullptr;
    run.begin();
    entries[i].launch(run);
    const bool good = run.finish(entries[i].name);
    fflush(stdout);
    if (!good) // the error is sticky: nothing can run after it
      return 2;
  }
  printf("end\n");
  return 0;
}
