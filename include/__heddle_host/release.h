// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The release of CUDA whose types and names the headers have: 12 or 13.
#ifndef HEDDLE_HOST_RELEASE_H
#define HEDDLE_HOST_RELEASE_H

#ifndef __HEDDLE_CUDA__
#define __HEDDLE_CUDA__ 12
#endif

#endif
