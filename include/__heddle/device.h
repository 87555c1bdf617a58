// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device side of cuda_runtime.h: everything a kernel may use without a further #include.
//
// cuda_runtime.h includes this at its end, when the vector types are complete. Clang's own CUDA
// headers supply the C and C++ math functions on top of the __nv_* device library; the rest is
// here.
#pragma once

#if defined(__CUDA__) && defined(__clang__)

#include <__heddle/builtin_vars.h>
#include <__heddle/engine.h>
#include <__heddle/runtime.h>
#include <__heddle/shared_objects.h>
#include <__heddle/sync.h>

#include <__heddle/atomics.h>
#include <__heddle/cluster.h>
#include <__heddle/graph.h>
#include <__heddle/memory.h>
#include <__heddle/nv_atomics.h>
#include <__heddle/warp.h>

// Clang's math headers ask which CUDA they serve; programs must not see CUDA_VERSION before cuda.h.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION HEDDLE_CUDA_VERSION
#include <__clang_cuda_libdevice_declares.h>

#include <__heddle/intrinsics.h>

#include <__heddle/clang_math.h>
#pragma pop_macro("CUDA_VERSION")

#include <__heddle/math.h>

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>

#include <__heddle/builtin_conversions.h>
#include <__heddle/float_pairs.h>
#include <__heddle/simd.h>

// The device versions of operator new and delete come with Clang's wrapper of <new>.
#include <new>

#endif
