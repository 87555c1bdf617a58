// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory for an object whose constructor does not run, as nvcc leaves it. heddlecc declares
// shared variables so whose type has a constructor that does something.
#pragma once

#if defined(__cplusplus)
template <class __T> union __heddle_uninitialized {
  __T object;
  __attribute__((host, device)) __heddle_uninitialized() {}
  __attribute__((host, device)) ~__heddle_uninitialized() {}
};
#endif
