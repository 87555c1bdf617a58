// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc wraps lambdas that are marked __device__ and has traits to ask whether a type is such a
// wrapper (CUDA C++ Programming Guide, "Extended Lambda Type Traits"). Clang wraps none, but
// heddlecc gives the closures member types (frontend/source/extended_lambdas.cpp).
#pragma once

#ifdef __cplusplus
extern "C++" {
namespace __heddle {
template <class __type> struct __void_of {
  typedef void __result;
};
#define __HEDDLE_LAMBDA_TRAIT(__trait, __member)                                                   \
  template <class __type, class = void> struct __trait {                                           \
    static constexpr bool __value = false;                                                         \
  };                                                                                               \
  template <class __type>                                                                          \
  struct __trait<__type, typename __void_of<typename __type::__member>::__result> {                \
    static constexpr bool __value = true;                                                          \
  };
__HEDDLE_LAMBDA_TRAIT(__is_device_lambda, __heddle_lambda_of_device)
__HEDDLE_LAMBDA_TRAIT(__is_lambda_of_both_sides, __heddle_lambda_of_both_sides)
__HEDDLE_LAMBDA_TRAIT(__is_lambda_with_return_type, __heddle_lambda_with_return_type)
#undef __HEDDLE_LAMBDA_TRAIT
} // namespace __heddle
}
#define __nv_is_extended_device_lambda_closure_type(...)                                           \
  (::__heddle::__is_device_lambda<__VA_ARGS__>::__value)
#define __nv_is_extended_host_device_lambda_closure_type(...)                                      \
  (::__heddle::__is_lambda_of_both_sides<__VA_ARGS__>::__value)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...)                             \
  (::__heddle::__is_lambda_with_return_type<__VA_ARGS__>::__value)
#endif
