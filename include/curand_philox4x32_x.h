// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"): a counter of 128
// bits, a key of 64, four words each time.
#ifndef CURAND_PHILOX4X32_X__H_
#define CURAND_PHILOX4X32_X__H_

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

#define PHILOX_W32_0 (0x9E3779B9)
#define PHILOX_W32_1 (0xBB67AE85)
#define PHILOX_M4x32_0 (0xD2511F53)
#define PHILOX_M4x32_1 (0xCD9E8D57)

struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE; // how many words of output have been given
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#if defined(__CUDACC__) // a file without device code gets the types alone

QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t *s, unsigned long long n) {
  const unsigned long long low = (((unsigned long long)s->ctr.y << 32) | s->ctr.x) + n;
  s->ctr.x = (unsigned int)low;
  s->ctr.y = (unsigned int)(low >> 32);
  if (low < n && ++s->ctr.z == 0)
    ++s->ctr.w;
}

QUALIFIERS void Philox_State_Incr_hi(curandStatePhilox4_32_10_t *s, unsigned long long n) {
  const unsigned long long high = (((unsigned long long)s->ctr.w << 32) | s->ctr.z) + n;
  s->ctr.z = (unsigned int)high;
  s->ctr.w = (unsigned int)(high >> 32);
}

QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t *s) { Philox_State_Incr(s, 1ULL); }

QUALIFIERS uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long left = (unsigned long long)PHILOX_M4x32_0 * c.x;
    const unsigned long long right = (unsigned long long)PHILOX_M4x32_1 * c.z;
    uint4 next;
    next.x = (unsigned int)(right >> 32) ^ c.y ^ k.x;
    next.y = (unsigned int)right;
    next.z = (unsigned int)(left >> 32) ^ c.w ^ k.y;
    next.w = (unsigned int)left;
    c = next;
    k.x += PHILOX_W32_0;
    k.y += PHILOX_W32_1;
  }
  return c;
}
#endif
#endif
