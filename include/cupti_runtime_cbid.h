// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cupti_runtime_cbid.h: the numbers of the runtime API's functions, as callbacks and activity
// records have them.
#ifndef HEDDLE_CUPTI_RUNTIME_CBID_H
#define HEDDLE_CUPTI_RUNTIME_CBID_H

typedef enum CUpti_runtime_api_trace_cbid_enum {
  CUPTI_RUNTIME_TRACE_CBID_INVALID = 0,
#define HEDDLE_CALL(name) CUPTI_RUNTIME_TRACE_CBID_##name,
#include <__cupti/runtime_calls.h>
#undef HEDDLE_CALL
  CUPTI_RUNTIME_TRACE_CBID_SIZE,
  CUPTI_RUNTIME_TRACE_CBID_FORCE_INT = 0x7fffffff
} CUpti_runtime_api_trace_cbid;

#endif
