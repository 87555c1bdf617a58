// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs do with __half and __nv_bfloat16 in kernels.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T, typename T2> __device__ void everything(T *a, T2 *b, float *f) {
  const int i = threadIdx.x;
  a[i] = a[i] * a[i + 1] + a[i + 2] / a[i] - T(f[i]);
  a[i] += a[1];
  a[i] -= a[2];
  a[i]++;
  --a[i];
  a[i] = -a[i];
  b[i] = b[i] * b[i + 1] + b[i + 2];
  b[i] *= b[1];
  a[0] = __hfma(a[1], a[2], a[3]);
  b[0] = __hfma2(b[1], b[2], b[3]);
  b[4] = __hcmadd(b[0], b[1], b[2]);
  a[5] = __hmax(a[0], __hmin_nan(a[1], a[2]));
  a[6] = __hadd_sat(a[0], __hsub_sat(a[1], __hmul_sat(a[2], __hfma_relu(a[3], a[4], a[5]))));
  if (a[0] > a[1] || a[0] == a[2] || __hbgt2(b[0], b[1]) || __hltu(a[3], a[4]) || b[0] != b[1])
    f[0] = __low2float(__hgt2(b[2], b[3])) + __heq2_mask(b[4], b[5]);
  a[7] = hexp(hlog(hsqrt(hsin(hcos(hrcp(hrsqrt(htanh(hexp2(hlog2(hexp10(hlog10(a[0]))))))))))));
  b[7] = h2exp(h2log(h2sqrt(h2sin(h2cos(h2rcp(h2rsqrt(h2floor(h2ceil(h2trunc(h2rint(b[0])))))))))));
  a[8] = __shfl_sync(~0u, a[0], 1);
  a[8] = __shfl_up_sync(~0u, a[0], 1, 16) + __shfl_xor_sync(~0u, a[0], 1);
  b[8] = __shfl_down_sync(~0u, b[0], 1);
  __stcg(a, __ldg(a + 1) + __ldcg(a + 2) + __ldcs(a + 3) + __ldca(a + 4));
  __stwt(b, __ldg(b + 1) + __ldcv(b + 2));
  atomicAdd(a, a[1]);
  atomicAdd(b, b[1]);
}

__global__ void halves(half *a, half2 *b, float *f, double *d, long long *n) {
  __shared__ half tile[32];
  everything(a, b, f);
  tile[threadIdx.x] = 3.5f;
  __syncthreads();
  const float2 pair = __half22float2(b[0]);
  f[1] = pair.x + pair.y + __half2float(tile[0]) + (float)__high2half(b[0]);
  b[1] = __floats2half2_rn(f[0], f[1]);
  b[2] = __float22half2_rn(pair);
  b[3] = __halves2half2(__float2half(f[2]), __double2half(d[0]));
  b[4] = __lowhigh2highlow(__float2half2_rn(1.0f));
  n[0] = __half2ll_rn(a[0]) + __half2int_rd(a[1]) + __half2ushort_ru(a[2]) + __half_as_ushort(a[3]);
  a[0] = __int2half_rn(3) + __ull2half_rz(5) + __ushort_as_half(0x3c00) + __float2half_ru(f[3]);
}

__global__ void bfloats(__nv_bfloat16 *a, __nv_bfloat162 *b, float *f, double *d, long long *n) {
  everything(a, b, f);
  const float2 pair = __bfloat1622float2(b[0]);
  f[1] = pair.x + pair.y + __bfloat162float(a[1]) + (float)__high2bfloat16(b[0]);
  b[1] = __floats2bfloat162_rn(f[0], f[1]);
  b[2] = __float22bfloat162_rn(pair);
  b[3] = __halves2bfloat162(__float2bfloat16(f[2]), __double2bfloat16(d[0]));
  b[4] = __float2bfloat162_rn(f[2]);
  n[0] = __bfloat162ll_rn(a[0]) + __bfloat162int_rd(a[1]) + __bfloat16_as_ushort(a[3]);
  a[0] = __int2bfloat16_rn(3) + __float2bfloat16_rz(f[3]) + __ushort_as_bfloat16(0x3f80);
}
