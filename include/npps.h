// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npps.h: NPP's signal functions.
#ifndef NV_NPPS_H
#define NV_NPPS_H

#include "npps_arithmetic_and_logical_operations.h"
#include "npps_conversion_functions.h"
#include "npps_filtering_functions.h"
#include "npps_initialization.h"
#include "npps_statistics_functions.h"
#include "npps_support_functions.h"

#endif
