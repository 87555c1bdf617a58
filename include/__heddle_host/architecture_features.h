// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions for the GPU that device code is compiled for, where it may use what later GPUs need
// not have: sm_100a defines __CUDA_ARCH_SPECIFIC__, and with sm_100f __CUDA_ARCH_FAMILY_SPECIFIC__.
#ifndef HEDDLE_HOST_ARCHITECTURE_FEATURES_H
#define HEDDLE_HOST_ARCHITECTURE_FEATURES_H

/* __CUDA_ARCH_HAS_FEATURE__(SM90_ALL) */
#define __CUDA_ARCH_HAS_FEATURE__(feature) __CUDA_ARCH_FEAT_##feature

/* Of exactly this GPU. */
#ifdef __CUDA_ARCH_SPECIFIC__
#define __CUDA_HAS_ARCH_SPECIFIC(number) (__CUDA_ARCH_SPECIFIC__ == (number) * 10)
#else
#define __CUDA_HAS_ARCH_SPECIFIC(number) 0
#endif

/* Of the family that begins with this GPU. sm_101 was alone in its family, before it was called
   sm_110. */
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(number)                                                    \
  ((number) == 101 || __CUDA_ARCH_FAMILY_SPECIFIC__ == 1010                                        \
       ? __CUDA_ARCH_FAMILY_SPECIFIC__ == (number) * 10                                            \
       : __CUDA_ARCH_FAMILY_SPECIFIC__ >= (number) * 10 &&                                         \
             __CUDA_ARCH_FAMILY_SPECIFIC__ < (number) * 10 + 100)
#else
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(number) 0
#endif

#endif
