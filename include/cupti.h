// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cupti.h: CUPTI, by which profilers follow a program: its calls of CUDA as they happen
// (cupti_callbacks.h), and records of calls and of what devices have done (cupti_activity.h).
#ifndef HEDDLE_CUPTI_H
#define HEDDLE_CUPTI_H

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_events.h>
#include <cupti_metrics.h>
#include <cupti_result.h>
#include <cupti_runtime_cbid.h>
#include <cupti_version.h>
#include <generated_cuda_meta.h>
#include <generated_cuda_runtime_api_meta.h>

#endif
