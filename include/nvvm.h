// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libNVVM, the compiler of NVVM IR as a library: LLVM IR as text or bitcode in, PTX out (libNVVM
// API documentation). Link with -lnvvm.
#ifndef NVVM_H
#define NVVM_H

#include <stddef.h>

typedef enum {
  NVVM_SUCCESS = 0,
  NVVM_ERROR_OUT_OF_MEMORY = 1,
  NVVM_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVVM_ERROR_IR_VERSION_MISMATCH = 3,
  NVVM_ERROR_INVALID_INPUT = 4,
  NVVM_ERROR_INVALID_PROGRAM = 5,
  NVVM_ERROR_INVALID_IR = 6,
  NVVM_ERROR_INVALID_OPTION = 7,
  NVVM_ERROR_NO_MODULE_IN_PROGRAM = 8,
  NVVM_ERROR_COMPILATION = 9,
  NVVM_ERROR_CANCELLED = 10
} nvvmResult;

typedef struct _nvvmProgram *nvvmProgram;

#if defined(__GNUC__) || defined(__clang__)
#define HEDDLE_NVVM_API __attribute__((visibility("default")))
#else
#define HEDDLE_NVVM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

HEDDLE_NVVM_API const char *nvvmGetErrorString(nvvmResult result);
HEDDLE_NVVM_API nvvmResult nvvmVersion(int *major, int *minor);
HEDDLE_NVVM_API nvvmResult nvvmIRVersion(int *majorIR, int *minorIR, int *majorDbg, int *minorDbg);
HEDDLE_NVVM_API nvvmResult nvvmCreateProgram(nvvmProgram *prog);
HEDDLE_NVVM_API nvvmResult nvvmDestroyProgram(nvvmProgram *prog);
HEDDLE_NVVM_API nvvmResult nvvmAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size,
                                                  const char *name);
HEDDLE_NVVM_API nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const char *buffer,
                                                      size_t size, const char *name);
HEDDLE_NVVM_API nvvmResult nvvmCompileProgram(nvvmProgram prog, int numOptions,
                                              const char **options);
HEDDLE_NVVM_API nvvmResult nvvmVerifyProgram(nvvmProgram prog, int numOptions,
                                             const char **options);
HEDDLE_NVVM_API nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, size_t *bufferSizeRet);
HEDDLE_NVVM_API nvvmResult nvvmGetCompiledResult(nvvmProgram prog, char *buffer);
HEDDLE_NVVM_API nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, size_t *bufferSizeRet);
HEDDLE_NVVM_API nvvmResult nvvmGetProgramLog(nvvmProgram prog, char *buffer);

#ifdef __cplusplus
}
#endif
#undef HEDDLE_NVVM_API

#endif
