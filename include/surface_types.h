// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Surface object types; they are with the other types in driver_types.h.
#ifndef __SURFACE_TYPES_H__
#define __SURFACE_TYPES_H__
#include "driver_types.h"
#endif
