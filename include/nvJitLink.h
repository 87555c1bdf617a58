// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvJitLink, the linker of device code as a library: LTO-IR, PTX, objects and libraries in, a
// device image out, while the program runs (nvJitLink documentation). Link with -lnvJitLink.
#ifndef nvJitLink_INCLUDED__
#define nvJitLink_INCLUDED__

#include <stddef.h>
#include <stdint.h>

typedef enum {
  NVJITLINK_SUCCESS = 0,
  NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
  NVJITLINK_ERROR_MISSING_ARCH,
  NVJITLINK_ERROR_INVALID_INPUT,
  NVJITLINK_ERROR_PTX_COMPILE,
  NVJITLINK_ERROR_NVVM_COMPILE,
  NVJITLINK_ERROR_INTERNAL,
  NVJITLINK_ERROR_THREADPOOL,
  NVJITLINK_ERROR_UNRECOGNIZED_INPUT,
  NVJITLINK_ERROR_FINALIZE,
  /* of later versions */
  NVJITLINK_ERROR_NULL_INPUT,
  NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS,
  NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
  NVJITLINK_ERROR_ARCH_MISMATCH,
  NVJITLINK_ERROR_OUTDATED_LIBRARY,
  NVJITLINK_ERROR_MISSING_FATBIN
} nvJitLinkResult;

typedef enum {
  NVJITLINK_INPUT_NONE = 0,
  NVJITLINK_INPUT_CUBIN = 1,
  NVJITLINK_INPUT_PTX,
  NVJITLINK_INPUT_LTOIR,
  NVJITLINK_INPUT_FATBIN,
  NVJITLINK_INPUT_OBJECT,
  NVJITLINK_INPUT_LIBRARY,
  NVJITLINK_INPUT_INDEX,
  NVJITLINK_INPUT_ANY = 10
} nvJitLinkInputType;

typedef struct nvJitLink *nvJitLinkHandle;

#if defined(__GNUC__) || defined(__clang__)
#define HEDDLE_NVJITLINK_API __attribute__((visibility("default")))
#else
#define HEDDLE_NVJITLINK_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t numOptions,
                                                     const char **options);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle,
                                                      nvJitLinkInputType inputType,
                                                      const void *data, size_t size,
                                                      const char *name);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle,
                                                      nvJitLinkInputType inputType,
                                                      const char *fileName);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle);
/* Heddle's device image, which cuModuleLoadData takes. */
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle,
                                                                 size_t *size);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin);
/* With -ptx. */
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle,
                                                               size_t *size);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log);
HEDDLE_NVJITLINK_API nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor);

#ifdef __cplusplus
}
#endif
#undef HEDDLE_NVJITLINK_API

#endif
