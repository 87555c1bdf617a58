// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cusparse_v2.h: the name that cusparse.h had beside it in older versions of CUDA.
#ifndef CUSPARSE_V2_H_
#define CUSPARSE_V2_H_

#include "cusparse.h"

#endif
