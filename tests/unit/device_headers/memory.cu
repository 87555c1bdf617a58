// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cache-hinted loads and stores for every type, and address spaces.
#define ACCESS(TYPE)                                                                               \
  {                                                                                                \
    TYPE *p = (TYPE *)memory;                                                                      \
    const TYPE *q = p;                                                                             \
    p[0] = __ldg(q);                                                                               \
    p[1] = __ldca(q);                                                                              \
    p[2] = __ldcg(q);                                                                              \
    p[3] = __ldcs(q);                                                                              \
    p[4] = __ldlu(q);                                                                              \
    p[5] = __ldcv(q);                                                                              \
    TYPE v = q[6];                                                                                 \
    __stwb(p + 1, v);                                                                              \
    __stcg(p + 2, v);                                                                              \
    __stcs(p + 3, v);                                                                              \
    __stwt(p + 4, v);                                                                              \
  }
__global__ void access(void *memory){
    ACCESS(char) ACCESS(signed char) ACCESS(unsigned char) ACCESS(short) ACCESS(unsigned short)
        ACCESS(int) ACCESS(unsigned) ACCESS(long) ACCESS(unsigned long) ACCESS(long long)
            ACCESS(unsigned long long) ACCESS(float) ACCESS(double) ACCESS(char2) ACCESS(char4)
                ACCESS(uchar2) ACCESS(uchar4) ACCESS(short2) ACCESS(short4) ACCESS(ushort2)
                    ACCESS(ushort4) ACCESS(int2) ACCESS(int4) ACCESS(uint2) ACCESS(uint4)
                        ACCESS(longlong2) ACCESS(ulonglong2) ACCESS(float2) ACCESS(float4)
                            ACCESS(double2)}

__constant__ int table[4];

__global__ void spaces(unsigned *out, int n) {
  __shared__ int shared[4];
  int local[4] = {n, n, n, n};
  shared[n] = n;
  out[0] =
      __isGlobal(out) + __isShared(&shared[n]) + __isConstant(&table[n]) + __isLocal(&local[n]);
  unsigned address = (unsigned)__cvta_generic_to_shared(&shared[n]);
  out[1] = *(int *)__cvta_shared_to_generic(address);
  out[2] = *(int *)__cvta_global_to_generic(__cvta_generic_to_global(out));
  out[3] = *(int *)__cvta_local_to_generic(__cvta_generic_to_local(&local[n]));
  out[4] = *(const int *)__cvta_constant_to_generic(__cvta_generic_to_constant(&table[n]));
  __builtin_assume(__isGlobal(out));
  out[5] = __isGridConstant(&n);
}
