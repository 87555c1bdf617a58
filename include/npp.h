// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npp.h: all of NPP, images and signals.
#ifndef NV_NPP_H
#define NV_NPP_H

#include "nppcore.h"
#include "nppdefs.h"
#include "nppi.h"
#include "npps.h"

#endif
