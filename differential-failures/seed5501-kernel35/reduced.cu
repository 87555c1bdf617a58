// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reference failed: error cudaErrorLaunchOutOfResources; 
//
// heddlecc -w -arch=sm_80 -std=c++17 reduced.cu -o reduced && HEDDLE_ENGINE=simd ./reduced --dump
//
//
#include "differential.h"

// seed 5501, kernel 35
__global__ void __launch_bounds__(512) k35(const i8 *__restrict__ in_i8, const u8 *__restrict__ in_u8, const i16 *__restrict__ in_i16, const u16 *__restrict__ in_u16, const i32 *__restrict__ in_i32, const u32 *__restrict__ in_u32, const u64 *__restrict__ in_u64, const f32 *__restrict__ in_f32, i8 *__restrict__ out_i8, i32 *__restrict__ out_i32, u32 *__restrict__ out_u32, i64 *__restrict__ out_i64, u64 *__restrict__ out_u64, f32 *__restrict__ out_f32, i16 *__restrict__ rec1, u32 *__restrict__ sum_u32_acc0, u32 p0, i32 p1, u64 p2, f32 p3, i32 p4, u32 p5, u32 p6) {
  const u32 tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const u32 block_number = blockIdx.x;
  const u32 gid = block_number * (blockDim.x * blockDim.y * blockDim.z) + tid;
  u32 *const sh0 = (u32 *)(dynamic_shared + 0);
  sh0[tid] = u32(tid * 5 + 1);
  __shared__ u32 sh1[576];
  sh1[(tid) / 8 * 9 + (tid) % 8] = u32(tid * 5 + 1);
  __shared__ u32 acc0[1];
  for (u32 i = tid; i < 1; i += 512)
    acc0[i] = u32(i * 77 + 1);
  __shared__ u32 acc0_seen[1];
  for (u32 i = tid; i < 1; i += 512)
    acc0_seen[i] = u32(i * 77 + 1);
  __syncthreads();
  struct S_rec0 {
    u32 m0; i8 m1; i8 m2;
  };
  __shared__ __align__(16) u8 rec0[4096];
  ((S_rec0 *)rec0)[tid].m0 = u32(gid * 7 + 1);
  ((S_rec0 *)rec0)[tid].m1 = i8(gid * 7 + 4);
  ((S_rec0 *)rec0)[tid].m2 = i8(gid * 7 + 7);
  rec1[gid * 11 + 0] = i16(gid * 7 + 1);
  rec1[gid * 11 + 1] = i16(gid * 7 + 4);
  rec1[gid * 11 + 2] = i16(gid * 7 + 7);
  rec1[gid * 11 + 3] = i16(gid * 7 + 10);
  rec1[gid * 11 + 4] = i16(gid * 7 + 13);
  rec1[gid * 11 + 5] = i16(gid * 7 + 16);
  rec1[gid * 11 + 6] = i16(gid * 7 + 19);
  rec1[gid * 11 + 7] = i16(gid * 7 + 22);
  rec1[gid * 11 + 8] = i16(gid * 7 + 25);
  rec1[gid * 11 + 9] = i16(gid * 7 + 28);
  rec1[gid * 11 + 10] = i16(gid * 7 + 31);
  u32 v0 = u32(tid * 3 + 1);
  u32 v1 = in_u32[gid];
  i32 v2 = i32(58);
  f32 v3 = f32(tid * 3 + 1);
  i32 v4 = in_i32[gid];
  i64 v5 = i64(15);
  i16 held_i16_0 = i16(0);
  i16 held_i16_2 = i16(2);
  i16 held_i16_3 = i16(3);
  i16 held_i16_4 = i16(4);
  i16 held_i16_5 = i16(5);
  i16 held_i16_6 = i16(6);
  i16 held_i16_7 = i16(7);
  i16 held_i16_8 = i16(8);
  i16 held_i16_9 = i16(9);
  i16 held_i16_10 = i16(10);
  u32 held_u32_0 = u32(0);
  u32 q0 = u32(p1);
  i32 a0[16];
  for (int i = 0; i < 16; ++i)
    a0[i] = i32(gid * 16 + i);
  float4 t_float4 = make_float4(f32(tid + 0), f32(tid + 1), f32(tid + 2), f32(tid + 3));
  sh0[tid] = max(constants[v0 & 63], in_u32[max(int((threadIdx.y + blockDim.y * threadIdx.z)) - 1, 0) * p4 + min(max(int(threadIdx.x) - 5, 0), 25)]);
  __syncthreads();
  #pragma unroll
  for (u32 s = 256; s > 4; s >>= 1) {
    if (s > tid) {
      sh0[tid] = u32(u32(sh0[tid]) * u32(3) + u32(sh0[(tid + s)]));
    }
    __syncthreads();
  }
  v0 = u32(u32(v0) + u32(sh0[(tid - threadIdx.x)]));
  __syncthreads();
  v0 = __reduce_add_sync(0xffffffffu, u32((gid == 3)));
  if ((i16(max((int(in_u8[v0 & 8191]) + int(in_i16[v1 & 8191])), (int(in_i8[128 + i8(threadIdx.x + 129)]) + int(in_u16[(tid >= 53 ? gid - 53 : gid + 16)])))) == in_i16[(u32(laneRegister()) + gid) & 8191])) {
    int c2 = 0;
    const int turns_3 = int((((in_i16[128 + i8(tid + 171)] > i16(v0)) ? v1 : u32(2)) & 3));
    if (((in_i32[(u64(u8((threadIdx.y + blockDim.y * threadIdx.z) * 0xdb52ceb4u + threadIdx.x * 3 + p5)) * 69) % 8191u] & 3) == 0))
      goto middle_2;
    top_1: {
      if (((((in_u64[(int((threadIdx.y + blockDim.y * threadIdx.z)) > 0 ? int((threadIdx.y + blockDim.y * threadIdx.z)) - 1 : 41) * p4 + max(int(threadIdx.x) - 5, 0)] * in_u64[v0 & 8191]) ^ (in_u64[(u32(p2) ^ p0) & 8191] + u64(threadIdx.y))) & 2) != 0)) {
        for (int c3 = 0; c3 < int((u32((v0 & in_u32[(gid >= 269 ? 19 : gid + 16)])) % 5u)); ++c3) {
          {
            const u32 cell = threadIdx.y & 0;
            const u32 old = atomicExch(&acc0[cell], u32(((int(in_u8[max(int((threadIdx.y + blockDim.y * threadIdx.z)) - 1, 0) * p4 + int(threadIdx.x)]) - 1) > int(in_u8[u32((threadIdx.y + blockDim.y * threadIdx.z)) * u32(p4)]))));
            atomicXor(&acc0_seen[cell], old);
          }
        }
        for (int c5 = int((u32(out_u64[gid + 1024]) % 5u)) - 1; c5 >= 0; --c5) {
          v3 = __fmul_ru(t_float4.y, out_f32[gid * 8 + 4]);
        }
        {
          held_i16_5 = rec1[int(gid) * 11 + 5];
          held_i16_6 = rec1[int(gid) * 11 + 6];
          held_i16_7 = rec1[gid * 11 + 7];
          held_i16_8 = rec1[gid * 11 + 8];
          held_i16_9 = rec1[gid * 11 + 9];
          held_i16_10 = rec1[gid * 11 + 10];
          rec1[gid * 11 + 1] = i16(u32(held_i16_7) ^ u32(i16(gid)));
          rec1[gid * 11 + 5] = held_i16_6;
          rec1[gid * 11 + 6] = i16(u32(held_i16_6) * u32(i16(p3)));
          rec1[gid * 11 + 0] = held_i16_10;
          rec1[int(gid) * 11 + 8] = held_i16_10;
          rec1[gid * 11 + 2] = i16(u32(held_i16_4) ^ u32(in_i16[min(max(int((threadIdx.y + blockDim.y * threadIdx.z)) - 1, 0), 7) * p4 + (int(threadIdx.x) < 29 ? int(threadIdx.x) + 1 : 0)]));
          held_i16_0 = rec1[u64(gid) * 11 + 0];
          rec1[int(gid) * 11 + 9] = i16(u32(held_i16_6) * u32(i16(laneRegister())));
          (rec1 + int(p0 & 1))[gid * 11 + 3] = held_i16_6;
          held_i16_2 = rec1[int(gid) * 11 + 2];
          rec1[u64(gid) * 11 + 6] = held_i16_2;
          (rec1 + int(p0 & 1))[gid * 11 + 2] = i16(u32(held_i16_0) * u32(in_i16[(u32(blockIdx.x) + gid) & 8191]));
          held_i16_3 = (rec1 + int(p0 & 1))[gid * 11 + 3];
          (rec1 + int(p0 & 1))[gid * 11 + 6] = i16(u32(held_i16_0) + u32(i16(v5)));
          rec1[gid * 11 + 3] = i16(u32(held_i16_6) ^ u32(in_i16[gid + 25]));
          held_i16_4 = rec1[gid * 11 + 4];
          (rec1 + int(p0 & 1))[gid * 11 + 5] = held_i16_3;
          v3 = f32(f32(v3) + (((f32(f32(held_i16_4)) * f32(3) + f32(f32(held_i16_5))) * f32(5) + f32(f32(held_i16_6))) * f32(7) + f32(f32(held_i16_7))));
          v3 = f32(f32(v3) + (((f32(f32(held_i16_8)) * f32(3) + f32(f32(held_i16_9))) * f32(5) + f32(f32(held_i16_10))) * f32(7) + f32(f32(held_u32_0))));
        }
      }
      switch (int((in_u32[gid + 61] % sh1[(tid) / 8 * 9 + (tid) % 8]) & 7)) {
      case 0: {
        v3 -= (v3 - in_f32[128 + i8(tid + 190)]);
      }
      break;
      case 1: {
      }
      break;
      case 2: {
      }
      break;
      case 3: {
        if (((v0 >= 5) && ((v4 >= 0) || (v3 != 3)))) {
          switch (int(v0 & 7)) {
          case 0: {
            v5 = i64(3);
          }
          case 1: {
            v3 = f32(f32(v3) - f32(f32(v2)));
          }
          break;
          case 2: {
            v2 = i32(u32(v2) ^ u32(i32(0x80000000u)));
          }
          break;
          default: {
            v2 = i32(255);
          }
          break;
          }
        }
      }
      break;
      default: {
        {
          const u32 cell = v0 & 0;
          const u32 old = atomicExch(&acc0[cell], ((v1 >> 28) / u32(__popcll(in_u64[(u64(gid) - u64(u8((threadIdx.y + blockDim.y * threadIdx.z) * 17u + threadIdx.x - 219u))) % 8191u]))));
          atomicXor(&acc0_seen[cell], old);
        }
      }
      break;
      }
    }
    middle_2: {
      out_u64[gid + 2048] = ((u32(u32(i32(gid + p6))) < 2048u ? in_u64[u32(i32(gid + p6))] : u64(1)) / out_u64[gid + 1024]);
    }
    if (++c2 < turns_3)
      goto top_1;
  }
  out_u32[511 - gid] = u32(v0);
  out_i64[511 - gid] = i64(v5);
  out_i32[gid * 8 + 2] = i32(a0[(tid) & 15]);
  out_f32[gid * 8 + 3] = f32(t_float4.z);
  out_f32[gid * 8 + 4] = f32(t_float4.w);
  out_u32[1535 - gid] = u32(sh0[tid]);
  out_u32[2559 - gid] = u32(q0);
  out_u32[3071 - gid] = u32(((S_rec0 *)rec0)[tid].m0);
  out_i8[((gid * 77 + 421) & 511) + 0] = i8(((S_rec0 *)rec0)[tid].m1);
  out_i8[((gid * 77 + 421) & 511) + 512] = i8(((S_rec0 *)rec0)[tid].m2);
  __syncthreads();
  for (u32 i = tid; i < 1; i += 512)
    sum_u32_acc0[block_number * 1 + i] = u32(acc0[i] ^ acc0_seen[i]);
}

static void launch_k35(Run &run) {
  i8 *out_i8 = run.output<i8>("out_i8", 4096, 0xa5);
  i32 *out_i32 = run.output<i32>("out_i32", 4096, 0xa5);
  u32 *out_u32 = run.output<u32>("out_u32", 4096, 0xa5);
  i64 *out_i64 = run.output<i64>("out_i64", 4096, 0xa5);
  u64 *out_u64 = run.output<u64>("out_u64", 4096, 0xa5);
  f32 *out_f32 = run.output<f32>("out_f32", 4096, 0xa5);
  i16 *rec1 = run.output<i16>("rec1", 5632, 0xa5);
  u32 *sum_u32_acc0 = run.output<u32>("sum_u32_acc0", 1, 0xa5);
  k35<<<dim3(1, 1, 1), dim3(8, 8, 8), 4608>>>(run.input<i8>(), run.input<u8>(), run.input<i16>(), run.input<u16>(), run.input<i32>(), run.input<u32>(), run.input<u64>(), run.input<f32>(), out_i8, out_i32, out_u32, out_i64, out_u64, out_f32, rec1, sum_u32_acc0, u32(0), i32(-1), u64(640703693730), f32(-3.25f), i32(16), u32(0u - 158), u32(0x80000000u - 143));
}

static const Entry entries[] = {
    {"k35", launch_k35},
};

int main(int argc, char **argv) {
  return runEntries(entries, sizeof entries / sizeof *entries, argc, argv);
}
