// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every type, enumerator and flag of the CUDA runtime API (the parts are in __heddle_host/).
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__

#include "host_defines.h"
#include "vector_types.h"

#include "__heddle_host/device_types.h"
#include "__heddle_host/error_codes.h"
#include "__heddle_host/graph_types.h"
#include "__heddle_host/interop_types.h"
#include "__heddle_host/launch_types.h"
#include "__heddle_host/memory_types.h"
#include "__heddle_host/texture_types.h"

#endif
