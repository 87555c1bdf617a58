// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <helper_math.h>

#include <gtest/gtest.h>

namespace {

void expectEqual(float3 a, float3 b) {
  EXPECT_FLOAT_EQ(a.x, b.x);
  EXPECT_FLOAT_EQ(a.y, b.y);
  EXPECT_FLOAT_EQ(a.z, b.z);
}

const float3 a = make_float3(1.0f, -2.0f, 3.5f), b = make_float3(4.0f, 0.5f, -2.0f);

TEST(HelperMath, operatorsWorkByComponent) {
  expectEqual(a + b, make_float3(5.0f, -1.5f, 1.5f));
  expectEqual(a - b, make_float3(-3.0f, -2.5f, 5.5f));
  expectEqual(a * b, make_float3(4.0f, -1.0f, -7.0f));
  expectEqual(a / b, make_float3(0.25f, -4.0f, -1.75f));
  expectEqual(2.0f - a, make_float3(1.0f, 4.0f, -1.5f));
  expectEqual(a - 2.0f, make_float3(-1.0f, -4.0f, 1.5f));
  expectEqual(2.0f / b, make_float3(0.5f, 4.0f, -1.0f));
  expectEqual(-a, make_float3(-1.0f, 2.0f, -3.5f));
  float3 c = a;
  c += b;
  c *= 2.0f;
  c -= 1.0f;
  c /= b;
  expectEqual(c, make_float3(2.25f, -8.0f, -1.0f));
  const int4 i = make_int4(1, 2, 3, 4) * 3 - make_int4(1);
  EXPECT_EQ(i.x + 10 * i.y + 100 * i.z + 1000 * i.w, 2 + 50 + 800 + 11000);
  const uint2 u = make_uint2(7u, 9u) - make_uint2(2u, 3u);
  EXPECT_EQ(u.x * u.y, 30u);
}

TEST(HelperMath, conversionsKeepComponents) {
  const float4 f = make_float4(make_float3(make_float2(1.5f, -2.5f), 3.0f), 4.0f);
  EXPECT_EQ(f.y, -2.5f);
  EXPECT_EQ(f.w, 4.0f);
  const int4 i = make_int4(f);
  EXPECT_EQ(i.x, 1);
  EXPECT_EQ(i.y, -2);
  EXPECT_EQ(make_float3(make_float2(1.0f, 2.0f)).z, 0.0f);
  EXPECT_EQ(make_float2(make_float3(5.0f, 6.0f, 7.0f)).y, 6.0f);
  EXPECT_EQ(make_uint3(9).z, 9u);
}

TEST(HelperMath, geometry) {
  EXPECT_FLOAT_EQ(dot(a, b), 4.0f - 1.0f - 7.0f);
  expectEqual(cross(a, b), make_float3(2.25f, 16.0f, 8.5f));
  EXPECT_FLOAT_EQ(length(make_float2(3.0f, 4.0f)), 5.0f);
  EXPECT_NEAR(length(normalize(a)), 1.0f, 1e-6f);
  expectEqual(reflect(make_float3(1.0f, -1.0f, 0.0f), make_float3(0.0f, 1.0f, 0.0f)),
              make_float3(1.0f, 1.0f, 0.0f));
  EXPECT_EQ(dot(make_int3(1, 2, 3), make_int3(4, 5, 6)), 32);
}

TEST(HelperMath, rangesAndRounding) {
  expectEqual(clamp(a, -1.0f, 2.0f), make_float3(1.0f, -1.0f, 2.0f));
  expectEqual(clamp(a, b - 3.0f, b + 3.0f), make_float3(1.0f, -2.0f, 1.0f));
  EXPECT_EQ(clamp(7, 1, 5), 5);
  EXPECT_EQ(clamp(0u, 1u, 5u), 1u);
  expectEqual(lerp(a, b, 0.5f), make_float3(2.5f, -0.75f, 0.75f));
  expectEqual(floorf(make_float3(1.5f, -1.5f, 2.0f)), make_float3(1.0f, -2.0f, 2.0f));
  expectEqual(fracf(make_float3(1.5f, -1.25f, 2.0f)), make_float3(0.5f, 0.75f, 0.0f));
  expectEqual(fminf(a, b), make_float3(1.0f, -2.0f, -2.0f));
  expectEqual(fmaxf(a, b), make_float3(4.0f, 0.5f, 3.5f));
  expectEqual(fabs(a), make_float3(1.0f, 2.0f, 3.5f));
  EXPECT_FLOAT_EQ(smoothstep(0.0f, 2.0f, 1.0f), 0.5f);
  EXPECT_EQ(max(make_int2(1, 9), make_int2(4, 2)).y, 9);
  EXPECT_EQ(abs(make_int2(-3, 3)).x, 3);
}

} // namespace
