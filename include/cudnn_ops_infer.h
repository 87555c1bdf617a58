// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudnn_ops_infer.h: a header of version 8, whose parts for inference and training version 9 has in
// one.
#ifndef CUDNN_OPS_INFER_H_
#define CUDNN_OPS_INFER_H_

#include "cudnn_ops.h"

#endif
