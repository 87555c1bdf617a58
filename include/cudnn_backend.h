// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudnn_backend.h: the backend API by version 8's header; version 9 has it in cudnn_graph.h.
#ifndef _CUDNN_BACKEND_H_
#define _CUDNN_BACKEND_H_

#include "cudnn_graph.h"

#endif
