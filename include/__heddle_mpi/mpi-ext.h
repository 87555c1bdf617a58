// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MPI library's mpi-ext.h, with the answer that device pointers may be sent: device memory is
// host memory here, so any MPI takes it. Debian's Open MPI is built without CUDA and says no.
#if __has_include_next(<mpi-ext.h>) // MPICH has none
#include_next <mpi-ext.h>
#endif

#ifndef HEDDLE_MPI_EXT_H
#define HEDDLE_MPI_EXT_H
#undef MPIX_CUDA_AWARE_SUPPORT
#define MPIX_CUDA_AWARE_SUPPORT 1
#define MPIX_Query_cuda_support() 1
#endif
