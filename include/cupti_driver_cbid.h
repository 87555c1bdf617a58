// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cupti_driver_cbid.h: the numbers of the driver API's functions, as callbacks and activity records
// have them.
#ifndef HEDDLE_CUPTI_DRIVER_CBID_H
#define HEDDLE_CUPTI_DRIVER_CBID_H

typedef enum CUpti_driver_api_trace_cbid_enum {
  CUPTI_DRIVER_TRACE_CBID_INVALID = 0,
#define HEDDLE_CALL(name) CUPTI_DRIVER_TRACE_CBID_##name,
#include <__cupti/driver_calls.h>
#undef HEDDLE_CALL
  CUPTI_DRIVER_TRACE_CBID_SIZE,
  CUPTI_DRIVER_TRACE_CBID_FORCE_INT = 0x7fffffff
} CUpti_driver_api_trace_cbid;

#endif
