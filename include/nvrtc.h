// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC, the compiler as a library: CUDA C++ text in, PTX text or device images out, while the
// program runs (NVRTC guide, "User Interface"). Link with -lnvrtc.
#ifndef __NVRTC_H__
#define __NVRTC_H__

#include <stddef.h>

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  /* of CUDA 12.8 */
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
  NVRTC_ERROR_CANCELLED = 16
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

#if defined(__GNUC__) || defined(__clang__)
#define HEDDLE_NVRTC_API __attribute__((visibility("default")))
#else
#define HEDDLE_NVRTC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

HEDDLE_NVRTC_API const char *nvrtcGetErrorString(nvrtcResult result);
HEDDLE_NVRTC_API nvrtcResult nvrtcVersion(int *major, int *minor);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs);
HEDDLE_NVRTC_API nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src,
                                                const char *name, int numHeaders,
                                                const char *const *headers,
                                                const char *const *includeNames);
HEDDLE_NVRTC_API nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog);
HEDDLE_NVRTC_API nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions,
                                                 const char *const *options);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx);
/* Heddle's device image, which cuModuleLoad takes. Its size is 0 for -arch=compute_XX. */
HEDDLE_NVRTC_API nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin);
/* With -dlto: what nvJitLink links. */
HEDDLE_NVRTC_API nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR);
/* The older name of the same. */
HEDDLE_NVRTC_API nvrtcResult nvrtcGetNVVMSize(nvrtcProgram prog, size_t *nvvmSizeRet);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetNVVM(nvrtcProgram prog, char *nvvm);
/* Heddle makes none: its size is 0. */
HEDDLE_NVRTC_API nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *optixir);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log);
HEDDLE_NVRTC_API nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog,
                                                    const char *const name_expression);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog,
                                                 const char *const name_expression,
                                                 const char **lowered_name);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetPCHHeapSize(size_t *ret);
HEDDLE_NVRTC_API nvrtcResult nvrtcSetPCHHeapSize(size_t size);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog);
HEDDLE_NVRTC_API nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t *size);
/* While nvrtcCompileProgram works, it calls this; a result of 1 ends it with
 * NVRTC_ERROR_CANCELLED. */
HEDDLE_NVRTC_API nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog,
                                                  int (*callback)(void *, void *), void *payload);

#ifdef __cplusplus
}
#endif
#undef HEDDLE_NVRTC_API

/* The names of types, for name expressions: with NVRTC_GET_TYPE_NAME set to 1 before this header.
 */
#if defined(__cplusplus) && NVRTC_GET_TYPE_NAME
#include <cstdlib>
#include <cxxabi.h>
#include <string>
#include <typeinfo>

inline nvrtcResult nvrtcGetTypeName(const std::type_info &tinfo, std::string *result) {
  int status = 0;
  char *name = abi::__cxa_demangle(tinfo.name(), nullptr, nullptr, &status);
  if (!name)
    return NVRTC_ERROR_INTERNAL_ERROR;
  *result = name;
  std::free(name);
  return NVRTC_SUCCESS;
}

template <typename T> struct __nvrtcGetTypeName_helper_t {}; /* keeps references and const */

template <typename T> nvrtcResult nvrtcGetTypeName(std::string *result) {
  const nvrtcResult outcome = nvrtcGetTypeName(typeid(__nvrtcGetTypeName_helper_t<T>), result);
  if (outcome != NVRTC_SUCCESS)
    return outcome;
  const std::string start = "__nvrtcGetTypeName_helper_t<";
  const size_t at = result->find(start), end = result->rfind('>');
  if (at == std::string::npos || end == std::string::npos)
    return NVRTC_ERROR_INTERNAL_ERROR;
  *result = result->substr(at + start.size(), end - at - start.size());
  return NVRTC_SUCCESS;
}
#endif

#endif
