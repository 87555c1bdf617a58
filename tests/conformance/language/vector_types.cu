// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector types and make_ functions: sizes, alignments, member order and copies on host and
// device.
#include "check.h"

#define FOR_ALL_TYPES(OF_TYPE)                                                                     \
  OF_TYPE(char1, 1, 1)                                                                             \
  OF_TYPE(char2, 2, 2)                                                                             \
  OF_TYPE(char3, 3, 1)                                                                             \
  OF_TYPE(char4, 4, 4)                                                                             \
  OF_TYPE(uchar1, 1, 1)                                                                            \
  OF_TYPE(uchar2, 2, 2)                                                                            \
  OF_TYPE(uchar3, 3, 1)                                                                            \
  OF_TYPE(uchar4, 4, 4)                                                                            \
  OF_TYPE(short1, 2, 2)                                                                            \
  OF_TYPE(short2, 4, 4)                                                                            \
  OF_TYPE(short3, 6, 2)                                                                            \
  OF_TYPE(short4, 8, 8)                                                                            \
  OF_TYPE(ushort2, 4, 4)                                                                           \
  OF_TYPE(ushort4, 8, 8)                                                                           \
  OF_TYPE(int1, 4, 4)                                                                              \
  OF_TYPE(int2, 8, 8)                                                                              \
  OF_TYPE(int3, 12, 4)                                                                             \
  OF_TYPE(int4, 16, 16)                                                                            \
  OF_TYPE(uint2, 8, 8)                                                                             \
  OF_TYPE(uint3, 12, 4)                                                                            \
  OF_TYPE(uint4, 16, 16)                                                                           \
  OF_TYPE(long2, 16, 16)                                                                           \
  OF_TYPE(longlong1, 8, 8)                                                                         \
  OF_TYPE(longlong2, 16, 16)                                                                       \
  OF_TYPE(longlong3, 24, 8)                                                                        \
  OF_TYPE(ulonglong2, 16, 16)                                                                      \
  OF_TYPE(float1, 4, 4)                                                                            \
  OF_TYPE(float2, 8, 8)                                                                            \
  OF_TYPE(float3, 12, 4)                                                                           \
  OF_TYPE(float4, 16, 16)                                                                          \
  OF_TYPE(double1, 8, 8)                                                                           \
  OF_TYPE(double2, 16, 16)                                                                         \
  OF_TYPE(double3, 24, 8)                                                                          \
  OF_TYPE(dim3, 12, 4)

__global__ void sizes(int *out) {
  int i = 0;
#define RECORD(type, size, alignment)                                                              \
  out[i++] = sizeof(type);                                                                         \
  out[i++] = alignof(type);
  FOR_ALL_TYPES(RECORD)
#undef RECORD
}

__global__ void values(float4 *floats, uchar4 *bytes, double3 *doubles, longlong2 *longs) {
  const float4 f = make_float4(1, 2, 3, 4);
  *floats = make_float4(f.w, f.z, f.y, f.x);
  *bytes = make_uchar4(255, 254, 1, 300 & 255);
  *doubles = make_double3(0.1, 0.2, 0.3);
  *longs = make_longlong2(1LL << 40, -5);
}

int main() {
  std::vector<int> expected;
#define EXPECT(type, size, alignment)                                                              \
  expected.push_back(size);                                                                        \
  expected.push_back(alignment);                                                                   \
  CHECK_EQ(sizeof(type), size);                                                                    \
  CHECK_EQ(alignof(type), alignment);
  FOR_ALL_TYPES(EXPECT)
#undef EXPECT
  DeviceBuffer<int> out(expected.size());
  sizes<<<1, 1>>>(out);
  CHECK(out.download() == expected);

  DeviceBuffer<float4> floats(1);
  DeviceBuffer<uchar4> bytes(1);
  DeviceBuffer<double3> doubles(1);
  DeviceBuffer<longlong2> longs(1);
  values<<<1, 1>>>(floats, bytes, doubles, longs);
  const float4 f = floats.download()[0];
  CHECK(f.x == 4 && f.y == 3 && f.z == 2 && f.w == 1);
  const uchar4 b = bytes.download()[0];
  CHECK(b.x == 255 && b.y == 254 && b.z == 1 && b.w == 44);
  const double3 d = doubles.download()[0];
  CHECK(d.x == 0.1 && d.y == 0.2 && d.z == 0.3);
  const longlong2 l = longs.download()[0];
  CHECK(l.x == 1LL << 40 && l.y == -5);
  RETURN_RESULT();
}
