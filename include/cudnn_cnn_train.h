// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudnn_cnn_train.h: a header of version 8, whose parts for inference and training version 9 has in
// one.
#ifndef CUDNN_CNN_TRAIN_H_
#define CUDNN_CNN_TRAIN_H_

#include "cudnn_cnn.h"

#endif
