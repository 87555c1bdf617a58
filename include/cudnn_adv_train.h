// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudnn_adv_train.h: a header of version 8, whose parts for inference and training version 9 has in
// one.
#ifndef CUDNN_ADV_TRAIN_H_
#define CUDNN_ADV_TRAIN_H_

#include "cudnn_adv.h"

#endif
