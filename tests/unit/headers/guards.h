// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's headers are recognised by their include guards (CUDA 12.4): helper headers test
// __DRIVER_TYPES_H__, libraries test __CUDA_RUNTIME_H__. Included after every.h or cuda_runtime.h.
#if !defined(__CUDA_RUNTIME_API_H__) || !defined(__DRIVER_TYPES_H__) ||                            \
    !defined(__VECTOR_TYPES_H__) || !defined(__HOST_DEFINES_H__) || !defined(__DEVICE_TYPES_H__)
#error "a guard of the types is missing"
#endif
#if !defined(__CUDA_RUNTIME_H__) || !defined(__CHANNEL_DESCRIPTOR_H__) ||                          \
    !defined(__VECTOR_FUNCTIONS_H__) || !defined(__DRIVER_FUNCTIONS_H__) ||                        \
    !defined(__LIBRARY_TYPES_H__) || !defined(__TEXTURE_TYPES_H__) ||                              \
    !defined(__SURFACE_TYPES_H__) || !defined(__HOST_CONFIG_H__) ||                                \
    !defined(__CUDA_DEVICE_RUNTIME_API_H__)
#error "a guard of cuda_runtime.h is missing"
#endif
#ifdef __CUDACC__
#if !defined(__DEVICE_LAUNCH_PARAMETERS_H__) || !defined(__COMMON_FUNCTIONS_H__) ||                \
    !defined(__MATH_FUNCTIONS_H__) || !defined(__DEVICE_FUNCTIONS_H__) ||                          \
    !defined(__DEVICE_ATOMIC_FUNCTIONS_H__) || !defined(__DEVICE_DOUBLE_FUNCTIONS_H__) ||          \
    !defined(__SM_20_ATOMIC_FUNCTIONS_H__) || !defined(__SM_20_INTRINSICS_H__) ||                  \
    !defined(__SM_30_INTRINSICS_H__) || !defined(__SM_32_ATOMIC_FUNCTIONS_H__) ||                  \
    !defined(__SM_32_INTRINSICS_H__) || !defined(__SM_35_ATOMIC_FUNCTIONS_H__) ||                  \
    !defined(__SM_35_INTRINSICS_H__) || !defined(__SM_60_ATOMIC_FUNCTIONS_H__) ||                  \
    !defined(__SM_61_INTRINSICS_H__) || !defined(__TEXTURE_INDIRECT_FUNCTIONS_H__) ||              \
    !defined(__SURFACE_INDIRECT_FUNCTIONS_H__)
#error "a guard of the device headers is missing"
#endif
#endif
