// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture object types; they are with the other types in driver_types.h.
#ifndef __TEXTURE_TYPES_H__
#define __TEXTURE_TYPES_H__
#include "driver_types.h"
#endif
