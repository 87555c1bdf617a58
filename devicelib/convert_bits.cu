// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reinterpreting the bits of a floating-point number as integers and back (CUDA Math API, "Type
// Casting Intrinsics").
#include "common.h"

using namespace heddle;

HEDDLE_API int __nv_float_as_int(float a) { return i32(bitsOf(a)); }
HEDDLE_API unsigned int __nv_float_as_uint(float a) { return bitsOf(a); }
HEDDLE_API float __nv_int_as_float(int a) { return floatOf(u32(a)); }
HEDDLE_API float __nv_uint_as_float(unsigned int a) { return floatOf(a); }
// Clang's header declares this one unsigned although CUDA's intrinsic is signed.
HEDDLE_API unsigned long long __nv_double_as_longlong(double a) { return bitsOf(a); }
HEDDLE_API double __nv_longlong_as_double(long long a) { return doubleOf(u64(a)); }
HEDDLE_API int __nv_double2hiint(double a) { return i32(bitsOf(a) >> 32); }
HEDDLE_API int __nv_double2loint(double a) { return i32(u32(bitsOf(a))); }
HEDDLE_API double __nv_hiloint2double(int hi, int lo) {
  return doubleOf(u64(u32(hi)) << 32 | u32(lo));
}
