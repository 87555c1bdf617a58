// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC, the compiler as a library: its types, and the names of its functions. Heddle does not have
// it yet: a program that calls one is refused where it does, with the reason.
#ifndef __NVRTC_H__
#define __NVRTC_H__

#include "__heddle_host/not_yet.h"
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
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

#ifdef __cplusplus
extern "C" {
#define HEDDLE_NVRTC(result, name) result name(...) HEDDLE_NOT_YET("NVRTC")
#else
#define HEDDLE_NVRTC(result, name) result name(const void *first, ...) HEDDLE_NOT_YET("NVRTC")
#endif
HEDDLE_NVRTC(nvrtcResult, nvrtcVersion);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetNumSupportedArchs);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetSupportedArchs);
HEDDLE_NVRTC(nvrtcResult, nvrtcCreateProgram);
HEDDLE_NVRTC(nvrtcResult, nvrtcDestroyProgram);
HEDDLE_NVRTC(nvrtcResult, nvrtcCompileProgram);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetPTXSize);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetPTX);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetCUBINSize);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetCUBIN);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetLTOIRSize);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetLTOIR);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetOptiXIRSize);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetOptiXIR);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetProgramLogSize);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetProgramLog);
HEDDLE_NVRTC(nvrtcResult, nvrtcAddNameExpression);
HEDDLE_NVRTC(nvrtcResult, nvrtcGetLoweredName);
HEDDLE_NVRTC(const char *, nvrtcGetErrorString);
#undef HEDDLE_NVRTC
#ifdef __cplusplus
}
#endif

#endif
