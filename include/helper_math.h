// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// helper_math.h: arithmetic on CUDA's short vectors (float2…4, int2…4, uint2…4) by components,
// and the geometry that shaders have: dot, cross, length, normalize, lerp, clamp, reflect,
// smoothstep. For host and device code.
//
// The functions are the same for 2, 3 and 4 components, so each is written once as a macro of the
// vector's type; HEDDLE_MAP_n(f) lists f(x), f(y), … for n components.
#ifndef HELPER_MATH_H
#define HELPER_MATH_H

#include <cuda_runtime.h>
#include <math.h>

#include <cmath>

typedef unsigned int uint;
typedef unsigned short ushort;

#ifdef __CUDACC__
#define HEDDLE_HD static inline __host__ __device__
#else
#define HEDDLE_HD static inline
// CUDA gives these to host code only under a CUDA compiler.
inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
#endif

#define HEDDLE_MAP_2(f) f(x), f(y)
#define HEDDLE_MAP_3(f) f(x), f(y), f(z)
#define HEDDLE_MAP_4(f) f(x), f(y), f(z), f(w)
#define HEDDLE_SUM_2(f) f(x) + f(y)
#define HEDDLE_SUM_3(f) f(x) + f(y) + f(z)
#define HEDDLE_SUM_4(f) f(x) + f(y) + f(z) + f(w)
#define HEDDLE_FOR_ALL_VECTORS(M)                                                                  \
  M(float, float, 2)                                                                               \
  M(float, float, 3)                                                                               \
  M(float, float, 4)                                                                               \
  M(int, int, 2)                                                                                   \
  M(int, int, 3) M(int, int, 4) M(uint, unsigned, 2) M(uint, unsigned, 3) M(uint, unsigned, 4)
#define HEDDLE_FOR_FLOAT_VECTORS(M) M(float2, 2) M(float3, 3) M(float4, 4)

// ---- Making vectors: from one number, from a wider or narrower vector, from another type ------

#define HEDDLE_SPLAT(c) s
#define HEDDLE_DEFINE(name, S, n)                                                                  \
  HEDDLE_HD name##n make_##name##n(S s) { return make_##name##n(HEDDLE_MAP_##n(HEDDLE_SPLAT)); }
HEDDLE_FOR_ALL_VECTORS(HEDDLE_DEFINE)
#undef HEDDLE_DEFINE

#define HEDDLE_DEFINE(name, S)                                                                     \
  HEDDLE_HD name##2 make_##name##2(name##3 a) { return make_##name##2(a.x, a.y); }                 \
  HEDDLE_HD name##3 make_##name##3(name##2 a) { return make_##name##3(a.x, a.y, S(0)); }           \
  HEDDLE_HD name##3 make_##name##3(name##2 a, S s) { return make_##name##3(a.x, a.y, s); }         \
  HEDDLE_HD name##3 make_##name##3(name##4 a) { return make_##name##3(a.x, a.y, a.z); }            \
  HEDDLE_HD name##4 make_##name##4(name##3 a) { return make_##name##4(a.x, a.y, a.z, S(0)); }      \
  HEDDLE_HD name##4 make_##name##4(name##3 a, S s) { return make_##name##4(a.x, a.y, a.z, s); }
HEDDLE_DEFINE(float, float)
HEDDLE_DEFINE(int, int)
HEDDLE_DEFINE(uint, unsigned)
#undef HEDDLE_DEFINE

#define HEDDLE_CAST(c) S(a.c)
#define HEDDLE_DEFINE(to, to_scalar, from, n)                                                      \
  HEDDLE_HD to##n make_##to##n(from##n a) {                                                        \
    typedef to_scalar S;                                                                           \
    return make_##to##n(HEDDLE_MAP_##n(HEDDLE_CAST));                                              \
  }
#define HEDDLE_CONVERSIONS(n)                                                                      \
  HEDDLE_DEFINE(float, float, int, n)                                                              \
  HEDDLE_DEFINE(float, float, uint, n)                                                             \
  HEDDLE_DEFINE(int, int, float, n)                                                                \
  HEDDLE_DEFINE(int, int, uint, n)                                                                 \
  HEDDLE_DEFINE(uint, unsigned, int, n)                                                            \
  HEDDLE_DEFINE(uint, unsigned, float, n)
HEDDLE_CONVERSIONS(2)
HEDDLE_CONVERSIONS(3)
HEDDLE_CONVERSIONS(4)
#undef HEDDLE_CONVERSIONS
#undef HEDDLE_DEFINE

// ---- Operators --------------------------------------------------------------------------------

#define HEDDLE_NEGATE(c) -a.c
#define HEDDLE_VECTOR_VECTOR(c) a.c HEDDLE_OP b.c
#define HEDDLE_VECTOR_SCALAR(c) a.c HEDDLE_OP b
#define HEDDLE_SCALAR_VECTOR(c) a HEDDLE_OP b.c
#define HEDDLE_OPERATORS(V, S, n)                                                                  \
  HEDDLE_HD V operator HEDDLE_OP(V a, V b) {                                                       \
    return make_##V(HEDDLE_MAP_##n(HEDDLE_VECTOR_VECTOR));                                         \
  }                                                                                                \
  HEDDLE_HD V operator HEDDLE_OP(V a, S b) {                                                       \
    return make_##V(HEDDLE_MAP_##n(HEDDLE_VECTOR_SCALAR));                                         \
  }                                                                                                \
  HEDDLE_HD V operator HEDDLE_OP(S a, V b) {                                                       \
    return make_##V(HEDDLE_MAP_##n(HEDDLE_SCALAR_VECTOR));                                         \
  }
#define HEDDLE_DEFINE(name, S, n) HEDDLE_OPERATORS(name##n, S, n)
#define HEDDLE_OP +
HEDDLE_FOR_ALL_VECTORS(HEDDLE_DEFINE)
#undef HEDDLE_OP
#define HEDDLE_OP -
HEDDLE_FOR_ALL_VECTORS(HEDDLE_DEFINE)
#undef HEDDLE_OP
#define HEDDLE_OP *
HEDDLE_FOR_ALL_VECTORS(HEDDLE_DEFINE)
#undef HEDDLE_OP
#undef HEDDLE_DEFINE
// Integer vectors have no division: the samples never need one.
#define HEDDLE_DEFINE(V, n) HEDDLE_OPERATORS(V, float, n)
#define HEDDLE_OP /
HEDDLE_FOR_FLOAT_VECTORS(HEDDLE_DEFINE)
#undef HEDDLE_OP
#undef HEDDLE_DEFINE

#define HEDDLE_ASSIGN(V, S, op)                                                                    \
  HEDDLE_HD void operator op##=(V &a, V b) { a = a op b; }                                         \
  HEDDLE_HD void operator op##=(V &a, S b) { a = a op b; }
#define HEDDLE_DEFINE(name, S, n)                                                                  \
  HEDDLE_ASSIGN(name##n, S, +) HEDDLE_ASSIGN(name##n, S, -) HEDDLE_ASSIGN(name##n, S, *)
HEDDLE_FOR_ALL_VECTORS(HEDDLE_DEFINE)
#undef HEDDLE_DEFINE
#define HEDDLE_DEFINE(V, n)                                                                        \
  HEDDLE_ASSIGN(V, float, /)                                                                       \
  HEDDLE_HD V operator-(const V &a) { return make_##V(HEDDLE_MAP_##n(HEDDLE_NEGATE)); }
HEDDLE_FOR_FLOAT_VECTORS(HEDDLE_DEFINE)
#undef HEDDLE_DEFINE
#define HEDDLE_DEFINE(V, n)                                                                        \
  HEDDLE_HD V operator-(const V &a) { return make_##V(HEDDLE_MAP_##n(HEDDLE_NEGATE)); }
HEDDLE_DEFINE(int2, 2)
HEDDLE_DEFINE(int3, 3)
HEDDLE_DEFINE(int4, 4)
#undef HEDDLE_DEFINE

// ---- Minimum, maximum, clamp, absolute value --------------------------------------------------

#define HEDDLE_SMALLER(c) (a.c < b.c ? a.c : b.c)
#define HEDDLE_LARGER(c) (a.c > b.c ? a.c : b.c)
#define HEDDLE_DEFINE(V, n)                                                                        \
  HEDDLE_HD V min(V a, V b) { return make_##V(HEDDLE_MAP_##n(HEDDLE_SMALLER)); }                   \
  HEDDLE_HD V max(V a, V b) { return make_##V(HEDDLE_MAP_##n(HEDDLE_LARGER)); }
HEDDLE_DEFINE(int2, 2)
HEDDLE_DEFINE(int3, 3)
HEDDLE_DEFINE(int4, 4)
HEDDLE_DEFINE(uint2, 2)
HEDDLE_DEFINE(uint3, 3)
HEDDLE_DEFINE(uint4, 4)
#undef HEDDLE_DEFINE

#define HEDDLE_DEFINE(S)                                                                           \
  HEDDLE_HD S clamp(S v, S low, S high) {                                                          \
    const S at_most_high = v < high ? v : high;                                                    \
    return at_most_high > low ? at_most_high : low;                                                \
  }
HEDDLE_DEFINE(int)
HEDDLE_DEFINE(uint)
#undef HEDDLE_DEFINE
HEDDLE_HD float clamp(float v, float low, float high) { return fmaxf(low, fminf(v, high)); }

#define HEDDLE_CLAMP_SCALAR(c) clamp(v.c, low, high)
#define HEDDLE_CLAMP_VECTOR(c) clamp(v.c, low.c, high.c)
#define HEDDLE_DEFINE(name, S, n)                                                                  \
  HEDDLE_HD name##n clamp(name##n v, S low, S high) {                                              \
    return make_##name##n(HEDDLE_MAP_##n(HEDDLE_CLAMP_SCALAR));                                    \
  }                                                                                                \
  HEDDLE_HD name##n clamp(name##n v, name##n low, name##n high) {                                  \
    return make_##name##n(HEDDLE_MAP_##n(HEDDLE_CLAMP_VECTOR));                                    \
  }
HEDDLE_FOR_ALL_VECTORS(HEDDLE_DEFINE)
#undef HEDDLE_DEFINE

#define HEDDLE_ABSOLUTE(c) (a.c < 0 ? -a.c : a.c)
#define HEDDLE_DEFINE(V, n)                                                                        \
  HEDDLE_HD V abs(V a) { return make_##V(HEDDLE_MAP_##n(HEDDLE_ABSOLUTE)); }
HEDDLE_DEFINE(int2, 2)
HEDDLE_DEFINE(int3, 3)
HEDDLE_DEFINE(int4, 4)
#undef HEDDLE_DEFINE

// ---- Functions of float vectors ---------------------------------------------------------------

// C++20's <math.h> has a lerp of its own.
#ifndef __cpp_lib_interpolate
HEDDLE_HD float lerp(float a, float b, float t) { return a + t * (b - a); }
#endif
HEDDLE_HD float fracf(float v) { return v - floorf(v); }
HEDDLE_HD float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

#define HEDDLE_FMIN(c) fminf(a.c, b.c)
#define HEDDLE_FMAX(c) fmaxf(a.c, b.c)
#define HEDDLE_FMOD(c) fmodf(a.c, b.c)
#define HEDDLE_FLOOR(c) floorf(a.c)
#define HEDDLE_FRACTION(c) fracf(a.c)
#define HEDDLE_FABS(c) fabsf(a.c)
#define HEDDLE_PRODUCT(c) a.c *b.c
#define HEDDLE_SMOOTHSTEP(c) smoothstep(a.c, b.c, v.c)
#define HEDDLE_DEFINE(V, n)                                                                        \
  HEDDLE_HD V fminf(V a, V b) { return make_##V(HEDDLE_MAP_##n(HEDDLE_FMIN)); }                    \
  HEDDLE_HD V fmaxf(V a, V b) { return make_##V(HEDDLE_MAP_##n(HEDDLE_FMAX)); }                    \
  HEDDLE_HD V fmodf(V a, V b) { return make_##V(HEDDLE_MAP_##n(HEDDLE_FMOD)); }                    \
  HEDDLE_HD V floorf(V a) { return make_##V(HEDDLE_MAP_##n(HEDDLE_FLOOR)); }                       \
  HEDDLE_HD V fracf(V a) { return make_##V(HEDDLE_MAP_##n(HEDDLE_FRACTION)); }                     \
  HEDDLE_HD V fabs(V a) { return make_##V(HEDDLE_MAP_##n(HEDDLE_FABS)); }                          \
  HEDDLE_HD V lerp(V a, V b, float t) { return a + t * (b - a); }                                  \
  HEDDLE_HD V smoothstep(V a, V b, V v) { return make_##V(HEDDLE_MAP_##n(HEDDLE_SMOOTHSTEP)); }    \
  HEDDLE_HD float dot(V a, V b) { return HEDDLE_SUM_##n(HEDDLE_PRODUCT); }                         \
  HEDDLE_HD float length(V v) { return sqrtf(dot(v, v)); }                                         \
  HEDDLE_HD V normalize(V v) { return v * rsqrtf(dot(v, v)); }                                     \
  HEDDLE_HD V reflect(V i, V normal) { return i - 2.0f * normal * dot(normal, i); }
HEDDLE_FOR_FLOAT_VECTORS(HEDDLE_DEFINE)
#undef HEDDLE_DEFINE

#define HEDDLE_DEFINE(name, S, n)                                                                  \
  HEDDLE_HD S dot(name##n a, name##n b) { return HEDDLE_SUM_##n(HEDDLE_PRODUCT); }
HEDDLE_DEFINE(int, int, 2)
HEDDLE_DEFINE(int, int, 3)
HEDDLE_DEFINE(int, int, 4)
HEDDLE_DEFINE(uint, unsigned, 2)
HEDDLE_DEFINE(uint, unsigned, 3)
HEDDLE_DEFINE(uint, unsigned, 4)
#undef HEDDLE_DEFINE

HEDDLE_HD float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#undef HEDDLE_ABSOLUTE
#undef HEDDLE_ASSIGN
#undef HEDDLE_CAST
#undef HEDDLE_CLAMP_SCALAR
#undef HEDDLE_CLAMP_VECTOR
#undef HEDDLE_FABS
#undef HEDDLE_FLOOR
#undef HEDDLE_FMAX
#undef HEDDLE_FMIN
#undef HEDDLE_FMOD
#undef HEDDLE_FOR_ALL_VECTORS
#undef HEDDLE_FOR_FLOAT_VECTORS
#undef HEDDLE_FRACTION
#undef HEDDLE_HD
#undef HEDDLE_LARGER
#undef HEDDLE_MAP_2
#undef HEDDLE_MAP_3
#undef HEDDLE_MAP_4
#undef HEDDLE_NEGATE
#undef HEDDLE_OPERATORS
#undef HEDDLE_PRODUCT
#undef HEDDLE_SCALAR_VECTOR
#undef HEDDLE_SMALLER
#undef HEDDLE_SMOOTHSTEP
#undef HEDDLE_SPLAT
#undef HEDDLE_SUM_2
#undef HEDDLE_SUM_3
#undef HEDDLE_SUM_4
#undef HEDDLE_VECTOR_SCALAR
#undef HEDDLE_VECTOR_VECTOR

#endif
