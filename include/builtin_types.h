// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All types that CUDA code may use without a further #include.
#ifndef HEDDLE_BUILTIN_TYPES_H
#define HEDDLE_BUILTIN_TYPES_H

#include "device_types.h"
#include "driver_types.h"
#include "host_defines.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#endif
