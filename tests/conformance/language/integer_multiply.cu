// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __mul24, __umul24, __mulhi, __umulhi, __mul64hi, __umul64hi, __sad, __usad, __hadd, __uhadd,
// __rhadd, __urhadd on extreme values.
#include "check.h"

__global__ void evaluate(int a, int b, int c, long long la, long long lb, long long *out) {
  const unsigned ua = a, ub = b, uc = c;
  out[0] = __mul24(a, b);
  out[1] = __umul24(ua, ub);
  out[2] = __mulhi(a, b);
  out[3] = __umulhi(ua, ub);
  out[4] = __mul64hi(la, lb);
  out[5] = (long long)__umul64hi((unsigned long long)la, (unsigned long long)lb);
  out[6] = __sad(a, b, uc);
  out[7] = __usad(ua, ub, uc);
  out[8] = __hadd(a, b);
  out[9] = __uhadd(ua, ub);
  out[10] = __rhadd(a, b);
  out[11] = __urhadd(ua, ub);
  out[12] = abs(a);
  out[13] = min(a, b) + 0ll + max(ua, ub);
}

// Of threads' numbers: products that shrink from thread to thread, below zero.
__global__ void evaluateThreads(long long factor, long long *out) {
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y, threads = blockDim.x * blockDim.y;
  const long long index = thread;
  out[thread] = __mul64hi(-1, index);
  out[threads + thread] = __mul64hi(factor, index);
  out[2 * threads + thread] = __mul64hi(1LL << 62, index - 40);
}

static void checkThreads(dim3 block, long long factor) {
  const unsigned threads = block.x * block.y;
  DeviceBuffer<long long> out(3 * threads);
  evaluateThreads<<<1, block>>>(factor, out);
  const std::vector<long long> r = out.download();
  for (unsigned i = 0; i < threads; ++i) {
    const __int128 index = i;
    CHECK_EQ(r[i], (long long)(-index >> 64));
    CHECK_EQ(r[threads + i], (long long)(factor * index >> 64));
    CHECK_EQ(r[2 * threads + i], (long long)(((index - 40) << 62) >> 64));
  }
}

static int low24(int x) { return int(unsigned(x) << 8) >> 8; }

static void checkValues(int a, int b, int c, long long la, long long lb) {
  DeviceBuffer<long long> out(14);
  evaluate<<<1, 1>>>(a, b, c, la, lb, out);
  const std::vector<long long> r = out.download();
  const unsigned ua = a, ub = b, uc = c;
  const long long wa = a, wb = b;
  CHECK_EQ(r[0], int(unsigned(low24(a)) * unsigned(low24(b))));
  CHECK_EQ(r[1], unsigned((ua & 0xffffff) * (ub & 0xffffff)));
  CHECK_EQ(r[2], int(wa * wb >> 32));
  CHECK_EQ(r[3], unsigned((unsigned long long)ua * ub >> 32));
  CHECK_EQ(r[4], (long long)((__int128)la * lb >> 64));
  CHECK_EQ(r[5],
           (long long)((unsigned __int128)(unsigned long long)la * (unsigned long long)lb >> 64));
  CHECK_EQ(r[6], unsigned(llabs(wa - wb)) + uc);
  CHECK_EQ(r[7], (ua > ub ? ua - ub : ub - ua) + uc);
  CHECK_EQ(r[8], int(wa + wb >> 1));
  CHECK_EQ(r[9], unsigned((unsigned long long)ua + ub >> 1));
  CHECK_EQ(r[10], int(wa + wb + 1 >> 1));
  CHECK_EQ(r[11], unsigned((unsigned long long)ua + ub + 1 >> 1));
  CHECK_EQ(r[12], int(wa < 0 ? -wa : wa));
  CHECK_EQ(r[13], (wa < wb ? wa : wb) + (ua > ub ? ua : ub));
}

int main() {
  checkValues(3, 5, 7, 11, 13);
  checkValues(-3, 5, 7, -11, 13);
  checkValues(0x7fffffff, -0x7fffffff, -1, 1LL << 62, -(1LL << 61));
  checkValues(0x00ffffff, 0x00800001, 0, -1, -1);
  checkValues(-0x7fffffff - 1, 1, 5, -0x7fffffffffffffffLL - 1, 3);
  checkValues(123456789, 987654321, 1000, 0x123456789abcdefLL, 0x7edcba9876543210LL);
  for (const dim3 block : {dim3(64), dim3(16, 4), dim3(33, 3)})
    checkThreads(block, -0x123456789abcdefLL);
  RETURN_RESULT();
}
