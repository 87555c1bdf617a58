// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of layout.inc and values.inc, for a C and a C++ compiler.
#include <stddef.h>

#ifdef __cplusplus
#define HEDDLE_CHECK static_assert
#define HEDDLE_ALIGNOF alignof
#else
#define HEDDLE_CHECK _Static_assert
#define HEDDLE_ALIGNOF _Alignof
#endif
#define HEDDLE_LAYOUT(type, size, alignment)                                                       \
  HEDDLE_CHECK(sizeof(type) == size && HEDDLE_ALIGNOF(type) == alignment, #type)
#define HEDDLE_OFFSET(type, field, offset) HEDDLE_CHECK(offsetof(type, field) == offset, #field)
#define HEDDLE_VALUE(name, value) HEDDLE_CHECK((int)name == value, #name)
#include "layout.inc"
#include "values.inc"

#if __HEDDLE_CUDA__ >= 13
HEDDLE_CHECK(CUDART_VERSION == 13000, "level of the runtime API");
#else
HEDDLE_CHECK(CUDART_VERSION == 12090, "level of the runtime API");
#endif
HEDDLE_CHECK(CUDA_VERSION == CUDART_VERSION, "level of the driver API");
HEDDLE_CHECK((int)CUDA_ERROR_UNKNOWN == (int)cudaErrorUnknown, "both APIs number errors alike");
HEDDLE_CHECK((int)CUDA_ERROR_LAUNCH_FAILED == (int)cudaErrorLaunchFailure, "likewise");
