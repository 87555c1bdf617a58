// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large things may be: CUDA C++ guide, "Compute Capabilities", and ptxas.
//--- shared_48k
__global__ void k(int *p) {
  __shared__ int x[12288];
  x[threadIdx.x] = *p;
  __syncthreads();
  *p = x[1];
}
//--- shared_over_48k
__global__ void k(int *p) {
  __shared__ int x[12289];
  x[threadIdx.x] = *p;
  __syncthreads();
  *p = x[1];
}
//--- shared_over_48k_in_two
__global__ void k(int *p) {
  __shared__ int x[12288], y[2];
  x[threadIdx.x] = *p;
  y[threadIdx.x % 2] = 1;
  __syncthreads();
  *p = x[1] + y[1];
}
//--- shared_over_48k_unused
__global__ void k(int *p) {
  __shared__ int x[20000];
  *p = 1;
}
//--- shared_over_48k_in_function
__device__ int f(int n) {
  __shared__ int x[20000];
  x[threadIdx.x] = n;
  __syncthreads();
  return x[1];
}
__global__ void k(int *p) { *p = f(*p); }
//--- shared_over_48k_unused_function
static __device__ int f(int n) {
  __shared__ int x[20000];
  x[threadIdx.x] = n;
  __syncthreads();
  return x[1];
}
__global__ void k(int *p) { *p = 1; }
//--- shared_over_48k_template_unused
template <int N> __global__ void k(int *p) {
  __shared__ int x[N];
  x[threadIdx.x] = *p;
  __syncthreads();
  *p = x[1];
}
int main() { k<64><<<1, 1>>>((int *)nullptr); }
//--- shared_over_48k_as_ptx -ptx
__global__ void k(int *p) {
  __shared__ int x[12289];
  x[threadIdx.x] = *p;
  __syncthreads();
  *p = x[1];
}
//--- shared_over_48k_separate -rdc=true
__global__ void k(int *p) {
  __shared__ int x[12289];
  x[threadIdx.x] = *p;
  __syncthreads();
  *p = x[1];
}
//--- constant_64k
__constant__ int x[16384];
__global__ void k(int *p, int i) { *p = x[i]; }
//--- constant_over_64k
__constant__ int x[16385];
__global__ void k(int *p, int i) { *p = x[i]; }
//--- constant_over_64k_in_two
__constant__ int x[16384], y;
__global__ void k(int *p, int i) { *p = x[i] + y; }
//--- constant_over_64k_unused
__constant__ int x[20000];
__global__ void k(int *p, int i) { *p = i; }
//--- parameters_4096
struct S {
  char x[4096];
};
__global__ void k(S s, int *p) { *p = s.x[3]; }
//--- parameters_32760
struct S {
  char x[32752];
};
__global__ void k(S s, int *p) { *p = s.x[3]; }
//--- parameters_32768
struct S {
  char x[32756];
};
__global__ void k(S s, int *p) { *p = s.x[3]; }
//--- parameters_over_32764
struct S {
  char x[32768];
};
__global__ void k(S s, int *p) { *p = s.x[3]; }
//--- parameters_over_4096_old_ptx -arch=sm_75
struct S {
  char x[5000];
};
__global__ void k(S s, int *p) { *p = s.x[3]; }
//--- local_512k
__global__ void k(int *p, int i) {
  int x[131000];
  x[i] = 1;
  *p = x[i + 1];
}
//--- local_over_512k
__global__ void k(int *p, int i) {
  int x[140000];
  x[i] = 1;
  *p = x[i + 1];
}
//--- local_over_4g
__global__ void k(int *p, long i) {
  int x[2000000000];
  x[i] = 1;
  *p = x[i + 1];
}
//--- device_array_over_4g
__device__ char x[5000000000];
__global__ void k(char *p, long i) { *p = x[i]; }
//--- device_array_over_2g
__device__ char x[3000000000];
__global__ void k(char *p, long i) { *p = x[i]; }
//--- registers_too_few_asked -maxrregcount=8
__global__ void k(int *p) { *p = 1; }
//--- registers_too_many_asked -maxrregcount=300
__global__ void k(int *p) { *p = 1; }
//--- registers_not_number -maxrregcount=many
__global__ void k(int *p) { *p = 1; }
//--- named_barrier_16
__global__ void k() { asm volatile("bar.sync 16;"); }
//--- barrier_15
__global__ void k() { asm volatile("bar.sync 15;"); }
//--- barrier_odd_threads
__global__ void k() { asm volatile("bar.sync 1, 33;"); }
//--- shared_alignment
__global__ void k(int *p) {
  __shared__ __align__(256) int x[4];
  x[0] = 1;
  *p = x[0];
}
//--- alignment_not_power
struct __align__(24) S {
  int x;
};
__global__ void k(S *p) { p->x = 1; }
//--- identifier_very_long
__global__ void
a012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789(
    int *p) {
  *p = 1;
}
