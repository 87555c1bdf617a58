// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions declared once as __host__ __device__ and once as less are __host__ __device__.
#include "check.h"

__host__ __device__ int twice(int x);
int twice(int x) { return 2 * x; }

__device__ int thrice(int x);
__host__ __device__ int thrice(int x) { return 3 * x; }

template <class T> __host__ __device__ T square(T x);

struct Scaled {
  int by;
  __device__ Scaled(int b);
  __device__ int of(int x) const;
  __device__ int of(float x) const { return int(x); }
  __host__ __device__ int both(int x) const;
};
Scaled::Scaled(int b) : by(b) {}
int Scaled::of(int x) const { return by * x; }
int Scaled::both(int x) const { return by + x; }

template <class T> struct Generic {
  __device__ T f(T x);
};
template <class T> T Generic<T>::f(T x) { return x + 1; }

__global__ void callMembers(int *out) {
  Scaled s(3);
  *out = s.of(10) + s.both(1) + Generic<int>().f(100);
}

__global__ void call(int *out) { *out = twice(10) + thrice(100); }

int main() {
  DeviceBuffer<int> out(1);
  call<<<1, 1>>>(out);
  CHECK_EQ(out.download()[0], 320);
  callMembers<<<1, 1>>>(out);
  CHECK_EQ(out.download()[0], 135);
  CHECK_EQ(Scaled(2).of(4) + Generic<int>().f(1), 10);
  CHECK_EQ(twice(4) + thrice(5), 23);
  RETURN_RESULT();
}
