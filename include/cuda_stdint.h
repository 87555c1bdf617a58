// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integer types of C, under the name that the toolkit's tools include.
#ifndef __cuda_stdint_h__
#define __cuda_stdint_h__
#include <stdint.h>
#endif
