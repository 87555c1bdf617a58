// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear transforms of images (libnppist): nppiMagnitude, nppiMagnitudeSqr.
#ifndef NV_NPPI_LINEAR_TRANSFORMS_H
#define NV_NPPI_LINEAR_TRANSFORMS_H

#include "__npp/declare.h"

#endif
