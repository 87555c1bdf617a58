// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an architecture has: PTX ISA, "Target ISA Notes" of each instruction; CUDA C++ guide, tables
// of compute capabilities.
//--- cp_async_75 -arch=sm_75
__global__ void k(int *p) {
  __shared__ int x[4];
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(x)),
      "l"(p));
}
//--- cp_async_80 -arch=sm_80
__global__ void k(int *p) {
  __shared__ int x[4];
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(x)),
      "l"(p));
}
//--- redux_75 -arch=sm_75
__global__ void k(int *p) { *p = __reduce_add_sync(~0u, *p); }
//--- redux_80 -arch=sm_80
__global__ void k(int *p) { *p = __reduce_add_sync(~0u, *p); }
//--- redux_f32_90 -arch=sm_90
__global__ void k(float *p) {
  float x;
  asm volatile("redux.sync.min.f32 %0, %1, 0xffffffff;" : "=f"(x) : "f"(*p));
  *p = x;
}
//--- cluster_barrier_80 -arch=sm_80
__global__ void k() { asm volatile("barrier.cluster.arrive;"); }
//--- cluster_group_80 -arch=sm_80
#include <cooperative_groups.h>
__global__ void k() { cooperative_groups::this_cluster().sync(); }
//--- cluster_group_90 -arch=sm_90
#include <cooperative_groups.h>
__global__ void k() { cooperative_groups::this_cluster().sync(); }
//--- mapa_80 -arch=sm_80
__global__ void k(unsigned *p) {
  unsigned x;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(x) : "r"(*p));
  *p = x;
}
//--- elect_80 -arch=sm_80
__global__ void k(int *p) {
  int x;
  asm volatile("{ .reg .pred q; elect.sync _|q, 0xffffffff; selp.b32 %0, 1, 0, q; }" : "=r"(x));
  *p = x;
}
//--- griddepcontrol_80 -arch=sm_80
__global__ void k() { asm volatile("griddepcontrol.wait;"); }
//--- wgmma_90 -arch=sm_90
__global__ void k() { asm volatile("wgmma.fence.sync.aligned;"); }
//--- wgmma_90a -arch=sm_90a
__global__ void k() { asm volatile("wgmma.fence.sync.aligned;"); }
//--- setmaxnreg_90 -arch=sm_90
__global__ void k() { asm volatile("setmaxnreg.inc.sync.aligned.u32 64;"); }
//--- bulk_copy_80 -arch=sm_80
__global__ void k(int *p) {
  __shared__ alignas(16) int x[4];
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(p),
               "r"((unsigned)__cvta_generic_to_shared(x)));
}
//--- bulk_copy_90 -arch=sm_90
__global__ void k(int *p) {
  __shared__ alignas(16) int x[4];
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(p),
               "r"((unsigned)__cvta_generic_to_shared(x)));
}
//--- try_wait_80 -arch=sm_80
__global__ void k(int *p) {
  __shared__ long b;
  int x;
  asm volatile("{ .reg .pred q; mbarrier.try_wait.shared.b64 q, [%1], %2; selp.b32 %0, 1, 0, q; }"
               : "=r"(x)
               : "r"((unsigned)__cvta_generic_to_shared(&b)), "l"(0l));
  *p = x;
}
//--- mbarrier_75 -arch=sm_75
__global__ void k() {
  __shared__ long b;
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"((unsigned)__cvta_generic_to_shared(&b)));
}
//--- fence_acq_rel_cluster_80 -arch=sm_80
__global__ void k() { asm volatile("fence.acq_rel.cluster;"); }
//--- tcgen05_90 -arch=sm_90
__global__ void k() { asm volatile("tcgen05.fence::before_thread_sync;"); }
//--- multimem_80 -arch=sm_80
__global__ void k(int *p) {
  int x;
  asm volatile("multimem.ld_reduce.global.add.s32 %0, [%1];" : "=r"(x) : "l"(p));
  *p = x;
}
//--- createpolicy_75 -arch=sm_75
__global__ void k(long *p) {
  long x;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(x));
  *p = x;
}
//--- mma_bf16_75 -arch=sm_75
__global__ void k(float *p, unsigned *q) {
  float a, b, c, d;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
               "{%7,%8,%9,%10};"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "r"(q[0]), "r"(q[1]), "r"(q[2]), "f"(0.f), "f"(0.f), "f"(0.f), "f"(0.f));
  *p = a + b + c + d;
}
//--- mma_m16n8k16_75 -arch=sm_75
__global__ void k(float *p, unsigned *q) {
  float a, b, c, d;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
               "{%8,%9}, {%10,%11,%12,%13};"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "r"(q[0]), "r"(q[1]), "r"(q[2]), "r"(q[3]), "r"(q[4]), "r"(q[5]), "f"(0.f),
                 "f"(0.f), "f"(0.f), "f"(0.f));
  *p = a + b + c + d;
}
//--- mma_fp8_80 -arch=sm_80
__global__ void k(float *p, unsigned *q) {
  float a, b, c, d;
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
               "{%8,%9}, {%10,%11,%12,%13};"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "r"(q[0]), "r"(q[1]), "r"(q[2]), "r"(q[3]), "r"(q[4]), "r"(q[5]), "f"(0.f),
                 "f"(0.f), "f"(0.f), "f"(0.f));
  *p = a + b + c + d;
}
//--- ldmatrix_75 -arch=sm_75
__global__ void k(unsigned *p) {
  __shared__ alignas(16) int x[64];
  unsigned r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 %0, [%1];"
               : "=r"(r)
               : "r"((unsigned)__cvta_generic_to_shared(x)));
  *p = r;
}
//--- stmatrix_80 -arch=sm_80
__global__ void k(unsigned *p) {
  __shared__ alignas(16) int x[64];
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], %1;" ::"r"(
                   (unsigned)__cvta_generic_to_shared(x)),
               "r"(*p));
  *p = x[1];
}
//--- wmma_bf16_75 -arch=sm_75
#include <cuda_bf16.h>
#include <mma.h>
__global__ void k() {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __nv_bfloat16, nvcuda::wmma::row_major>
      a;
  (void)a;
}
//--- wmma_tf32_75 -arch=sm_75
#include <mma.h>
__global__ void k() {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 8, nvcuda::wmma::precision::tf32,
                         nvcuda::wmma::row_major>
      a;
  (void)a;
}
//--- cvt_bf16_75 -arch=sm_75
__global__ void k(float *p, unsigned short *q) {
  unsigned short x;
  asm volatile("cvt.rn.bf16.f32 %0, %1;" : "=h"(x) : "f"(*p));
  *q = x;
}
//--- cvt_e4m3_80 -arch=sm_80
__global__ void k(float *p, unsigned short *q) {
  unsigned short x;
  asm volatile("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(x) : "f"(*p), "f"(*p));
  *q = x;
}
//--- max_f16_75 -arch=sm_75
__global__ void k(unsigned short *q) {
  unsigned short x;
  asm volatile("max.f16 %0, %1, %1;" : "=h"(x) : "h"(*q));
  *q = x;
}
//--- add_bf16_80 -arch=sm_80
__global__ void k(unsigned short *q) {
  unsigned short x;
  asm volatile("add.bf16 %0, %1, %1;" : "=h"(x) : "h"(*q));
  *q = x;
}
//--- fma_bf16_75 -arch=sm_75
__global__ void k(unsigned short *q) {
  unsigned short x;
  asm volatile("fma.rn.bf16 %0, %1, %1, %1;" : "=h"(x) : "h"(*q));
  *q = x;
}
//--- atomic_float4_80 -arch=sm_80
__global__ void k(float4 *p) { atomicAdd(p, make_float4(1, 2, 3, 4)); }
//--- atomic_float4_90 -arch=sm_90
__global__ void k(float4 *p) { atomicAdd(p, make_float4(1, 2, 3, 4)); }
//--- atom_vector_80 -arch=sm_80
__global__ void k(float *p) {
  asm volatile("red.global.add.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(p), "f"(1.f));
}
//--- atom_bf16_75 -arch=sm_75
__global__ void k(unsigned short *p) {
  unsigned short x;
  asm volatile("atom.global.add.noftz.bf16 %0, [%1], %2;" : "=h"(x) : "l"(p), "h"(*p));
  *p = x;
}
//--- atom_cas_b128_80 -arch=sm_80
__global__ void k(void *p) {
  asm volatile(
      "{ .reg .b128 a, b; mov.b128 a, {%1, %1}; atom.global.cas.b128 b, [%0], a, a; }" ::"l"(p),
      "l"(0l));
}
//--- load_v8_90 -arch=sm_90
__global__ void k(float *p) {
  float a, b, c, d, e, f, g, h;
  asm volatile("ld.global.v8.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d), "=f"(e), "=f"(f), "=f"(g), "=f"(h)
               : "l"(p));
  *p = a + b + c + d + e + f + g + h;
}
//--- tanh_75 -arch=sm_75
__global__ void k(float *p) {
  float x;
  asm volatile("tanh.approx.f32 %0, %1;" : "=f"(x) : "f"(*p));
  *p = x;
}
//--- nanosleep_75 -arch=sm_75
__global__ void k() { __nanosleep(10); }
//--- discard_75 -arch=sm_75
__global__ void k(int *p) { asm volatile("discard.global.L2 [%0], 128;" ::"l"(p)); }
//--- shfl_without_sync_75 -arch=sm_75
__global__ void k(int *p) {
  int x;
  asm volatile("shfl.idx.b32 %0, %1, 0, 31;" : "=r"(x) : "r"(*p));
  *p = x;
}
//--- vote_without_sync_75 -arch=sm_75
__global__ void k(int *p) {
  int x;
  asm volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; vote.ballot.b32 %0, q; }"
               : "=r"(x)
               : "r"(*p));
  *p = x;
}
//--- half2_intrinsics_75 -arch=sm_75
#include <cuda_fp16.h>
__global__ void k(__half2 *p) { *p = __hfma2_relu(*p, *p, *p); }
//--- bf16_arithmetic_75 -arch=sm_75
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16 *p) { *p = *p * *p; }
//--- fp8_conversion_75 -arch=sm_75
#include <cuda_fp8.h>
__global__ void k(__nv_fp8_e4m3 *p, float x) { *p = __nv_fp8_e4m3(x); }
//--- pipeline_75 -arch=sm_75
#include <cuda_pipeline.h>
__global__ void k(int *p) {
  __shared__ int x[4];
  __pipeline_memcpy_async(x, p, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  *p = x[0];
}
//--- barrier_75 -arch=sm_75
#include <cuda/barrier>
__global__ void k(int *p) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0)
    init(&b, blockDim.x);
  *p = 1;
}
//--- grid_constant_75 -arch=sm_75
struct S {
  int x[4];
};
__global__ void k(const __grid_constant__ S s, int *p) { *p = s.x[0]; }
//--- viaddmax_75 -arch=sm_75
__global__ void k(int *p) { *p = __viaddmax_s32(*p, 1, 2); }
//--- dp4a_75 -arch=sm_75
__global__ void k(int *p) { *p = __dp4a(p[0], p[1], p[2]); }
//--- arch_70 -arch=sm_70
__global__ void k() {}
//--- arch_35 -arch=sm_35
__global__ void k() {}
//--- arch_121 -arch=sm_121
__global__ void k() {}
//--- arch_999 -arch=sm_999
__global__ void k() {}
//--- arch_compute_100f -arch=compute_100f
__global__ void k() {}
//--- arch_90f -arch=sm_90f
__global__ void k() {}
//--- arch_75a -arch=sm_75a
__global__ void k() {}
//--- arch_native_text -arch=fast
__global__ void k() {}
//--- code_below_arch -gencode arch=compute_80,code=sm_75
__global__ void k() {}
//--- code_above_arch -gencode arch=compute_80,code=sm_86
__global__ void k() {}
//--- code_other_compute -gencode arch=compute_80,code=compute_75
__global__ void k() {}
//--- code_without_arch -code=sm_80
__global__ void k() {}
//--- gencode_without_code -gencode arch=compute_80
__global__ void k() {}
//--- gencode_without_arch -gencode code=sm_80
__global__ void k() {}
//--- arch_and_gencode -arch=sm_80 -gencode arch=compute_75,code=sm_75
__global__ void k() {}
//--- arch_two -arch=sm_80,sm_75
__global__ void k() {}
//--- arch_lto -arch=lto_80
__global__ void k() {}
//--- arch_conditional_code -arch=sm_75
#if __CUDA_ARCH__ >= 800
#error new
#endif
__global__ void k() {}
