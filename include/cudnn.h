// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudnn.h: all of cuDNN, neural networks.
#ifndef CUDNN_H_
#define CUDNN_H_

#include "cudnn_adv.h"
#include "cudnn_backend.h"
#include "cudnn_cnn.h"
#include "cudnn_graph.h"
#include "cudnn_ops.h"
#include "cudnn_version.h"

#endif
