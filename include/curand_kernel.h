// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's device API (cuRAND guide, "Device API Overview"): generators whose states belong to a
// kernel's threads.
#if !defined(CURAND_KERNEL_H_)
#define CURAND_KERNEL_H_

#include <cuda_runtime.h>

#include "curand.h"
#include "curand_discrete.h"

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

#include "curand_globals.h"
#include "curand_precalc.h"

#include "__curand/sobol.h"
#include "__curand/xorwow.h"
#include "curand_mrg32k3a.h"
#include "curand_mtgp32.h"
#include "curand_philox4x32_x.h"

// A file without device code gets the types alone.
#if defined(__CUDACC__)
#include "__curand/philox.h"
#include "curand_mtgp32_kernel.h"

#include "curand_discrete2.h"
#include "curand_lognormal.h"
#include "curand_normal.h"
#include "curand_normal_static.h"
#include "curand_poisson.h"
#include "curand_uniform.h"
#endif
#endif
