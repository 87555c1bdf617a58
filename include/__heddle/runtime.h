// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library as device code sees it: printf, malloc, memcpy, assert, clock, trap.
// (CUDA C++ Programming Guide: "Formatted Output", "Dynamic Global Memory Allocation and
// Operations", "Assertion", "Trap function", "Time Function".)
#pragma once

#include <__heddle/define.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

// nvcc's implicit headers bring these two, and programs rely on it. The function that assert()
// calls is for both sides, as CCCL's headers declare it where NDEBUG is defined; it is declared
// there, too, since <assert.h>, included once more without NDEBUG, would declare it for the host
// alone.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#pragma clang force_cuda_host_device begin
#include <assert.h>
#pragma clang force_cuda_host_device end
#pragma pop_macro("NDEBUG")
#include <assert.h>
#include <ctype.h>

extern "C" {
// Clang turns a device printf call into a vprintf call with the arguments packed in a buffer.
__attribute__((device)) int vprintf(const char *, const char *);
__attribute__((device)) int printf(const char *, ...) __attribute__((format(printf, 1, 2)));

__attribute__((device, nothrow, malloc)) void *malloc(size_t);
__attribute__((device, nothrow)) void free(void *);

// Reports a failed assertion and ends the kernel with cudaErrorAssert.
__attribute__((device, noreturn)) void __assertfail(const char *message, const char *file,
                                                    unsigned line, const char *function,
                                                    size_t char_size);

#ifdef __CUDA_ARCH__ // on the host it is the C library's
__attribute__((host, device, noreturn)) inline void
__assert_fail(const char *message, const char *file, unsigned line, const char *function) noexcept {
  __assertfail(message, file, line, function, sizeof(char));
}
#endif
} // extern "C"

__HEDDLE_DEVICE__ void *memcpy(void *to, const void *from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
__HEDDLE_DEVICE__ void *memmove(void *to, const void *from, size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
__HEDDLE_DEVICE__ void *memset(void *to, int value, size_t bytes) {
  return __builtin_memset(to, value, bytes);
}

__HEDDLE_DEVICE__ void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    return nullptr;
  void *memory = ::malloc(bytes);
  return memory ? __builtin_memset(memory, 0, bytes) : nullptr;
}

__HEDDLE_DEVICE__ long long clock64() { return (long long)__nvvm_read_ptx_sreg_clock64(); }
__HEDDLE_DEVICE__ clock_t clock() { return (clock_t)(int)__nvvm_read_ptx_sreg_clock(); }

__HEDDLE_DEVICE__ __attribute__((noreturn)) void __trap() { __builtin_trap(); }
__HEDDLE_DEVICE__ void __brkpt() { __builtin_debugtrap(); }
__HEDDLE_DEVICE__ void __brkpt(int) { __builtin_debugtrap(); }
__HEDDLE_DEVICE__ void __nanosleep(unsigned int ns) { __nvvm_nanosleep(ns); }

// A profiler counts these events; no program can see them.
#define __prof_trigger(counter) ((void)sizeof(char[(counter) >= 0 ? 1 : -1]))

#ifndef __assume
#define __assume(condition) __builtin_assume(condition)
#endif

namespace std {
using ::calloc;
using ::clock;
using ::free;
using ::malloc;
using ::memcpy;
using ::memmove;
using ::memset;
using ::printf;
} // namespace std
