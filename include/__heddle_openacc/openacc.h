// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's openacc.h, for nvc++ (cli/toolkit/openacc_compiler.h): the device is the host here, and
// programs that ask for one of NVIDIA's get it.
#include_next <openacc.h>

#ifndef HEDDLE_OPENACC_H
#define HEDDLE_OPENACC_H
#define acc_device_nvidia acc_device_host
#define acc_device_not_host acc_device_host
#endif
