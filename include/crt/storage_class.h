// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of storage classes in what nvcc's steps give to each other; nothing is needed of them here.
#ifndef __STORAGE_CLASS_H__
#define __STORAGE_CLASS_H__
#include "host_defines.h"
#endif
