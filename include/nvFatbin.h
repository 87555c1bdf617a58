// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvFatbin: fat binaries, made in memory of PTX, cubins and LTO-IR (libnvfatbin).
#ifndef nvFatbin_INCLUDED
#define nvFatbin_INCLUDED

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  NVFATBIN_SUCCESS = 0,
  NVFATBIN_ERROR_INTERNAL,
  NVFATBIN_ERROR_ELF_ARCH_MISMATCH,
  NVFATBIN_ERROR_ELF_SIZE_MISMATCH,
  NVFATBIN_ERROR_MISSING_PTX_VERSION,
  NVFATBIN_ERROR_NULL_POINTER,
  NVFATBIN_ERROR_COMPRESSION_FAILED,
  NVFATBIN_ERROR_COMPRESSED_SIZE_EXCEEDED,
  NVFATBIN_ERROR_UNRECOGNIZED_OPTION,
  NVFATBIN_ERROR_INVALID_ARCH,
  NVFATBIN_ERROR_INVALID_NVVM,
  NVFATBIN_ERROR_EMPTY_INPUT,
  NVFATBIN_ERROR_MISSING_PTX_ARCH,
  NVFATBIN_ERROR_PTX_ARCH_MISMATCH,
  NVFATBIN_ERROR_MISSING_FATBIN,
  NVFATBIN_ERROR_INVALID_INDEX,
  NVFATBIN_ERROR_IDENTIFIER_REUSE,
  NVFATBIN_ERROR_INTERNAL_PTX_OPTION
} nvFatbinResult;

typedef struct _nvFatbinHandle *nvFatbinHandle;

/* Null for success. */
const char *nvFatbinGetErrorString(nvFatbinResult result);
nvFatbinResult nvFatbinVersion(unsigned int *major, unsigned int *minor);

/* Options: -32 -64 -g -cuda -opencl -compress=true|false -compress-all
   -compress-mode=default|size|speed|balance|none -host=linux|windows|mac */
nvFatbinResult nvFatbinCreate(nvFatbinHandle *handle_indirect, const char **options,
                              size_t optionsCount);
nvFatbinResult nvFatbinDestroy(nvFatbinHandle *handle_indirect);

/* arch: "90", "90a". identifier and optionsCmdLine may be null. */
nvFatbinResult nvFatbinAddPTX(nvFatbinHandle handle, const char *code, size_t size,
                              const char *arch, const char *identifier, const char *optionsCmdLine);
nvFatbinResult nvFatbinAddCubin(nvFatbinHandle handle, const void *code, size_t size,
                                const char *arch, const char *identifier);
nvFatbinResult nvFatbinAddLTOIR(nvFatbinHandle handle, const void *code, size_t size,
                                const char *arch, const char *identifier,
                                const char *optionsCmdLine);
nvFatbinResult nvFatbinAddIndex(nvFatbinHandle handle, const void *code, size_t size,
                                const char *identifier);
/* code: a host's object file, whose relocatable PTX is added. */
nvFatbinResult nvFatbinAddReloc(nvFatbinHandle handle, const void *code, size_t size);

nvFatbinResult nvFatbinSize(nvFatbinHandle handle, size_t *size);
nvFatbinResult nvFatbinGet(nvFatbinHandle handle, void *buffer);

#ifdef __cplusplus
}
#endif
#endif
