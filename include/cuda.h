// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver API of CUDA 12.9 and 13.0 (libcuda.so.1); the parts are in __heddle_driver/.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <stdlib.h>

#include "__heddle_host/release.h"

#define CUDA_VERSION HEDDLE_CUDA_VERSION

#include "__heddle_driver/graph_types.h"
#include "__heddle_driver/names.h"

#ifdef __cplusplus
extern "C" {
#endif
#define HEDDLE_DRIVER_API
#include "__heddle_driver/api_context.h"
#include "__heddle_driver/api_graph.h"
#include "__heddle_driver/api_interop.h"
#include "__heddle_driver/api_memory.h"
#include "__heddle_driver/api_module.h"
#include "__heddle_driver/api_stream.h"
#include "__heddle_driver/api_texture.h"
#include "__heddle_driver/newer/copies.h"
#include "__heddle_driver/newer/queries.h"
#undef HEDDLE_DRIVER_API
#ifdef __cplusplus
}
#endif
#include "__heddle_driver/cuda12_forms.h"

#endif
