// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is behind the handles, and how calls refuse what they cannot do.
#pragma once

#pragma GCC visibility push(default)
#include <nvjpeg.h>
#pragma GCC visibility pop

#include "common/handles.h"
#include "decompress.h"
#include "header.h"

#include <memory>
#include <string>

struct nvjpegHandle {
  unsigned flags = NVJPEG_FLAGS_DEFAULT;
  size_t device_padding = 1024, pinned_padding = 1024;
};

/// Decoding has no state but what one phase leaves for the next.
struct nvjpegJpegState {
  int batch = 0;
  nvjpegOutputFormat_t format = NVJPEG_OUTPUT_UNCHANGED; // of batches
  std::unique_ptr<struct HeddleDecoded> decoded;
};

struct nvjpegJpegStream {
  bool parsed = false;
  heddle::nvjpeg::Header header;
  heddle::nvjpeg::Bytes file; // the program's, or those that are kept
  std::vector<unsigned char> kept;
};

struct nvjpegDecodeParams {
  nvjpegOutputFormat_t format = NVJPEG_OUTPUT_UNCHANGED;
  bool cmyk = false;
  int reduction = 1;
  nvjpegExifOrientation_t orientation = NVJPEG_ORIENTATION_UNKNOWN;
  int x = 0, y = 0, width = -1, height = -1; // what is wanted of the image; -1: all
};

struct nvjpegJpegDecoder {
  nvjpegBackend_t backend = NVJPEG_BACKEND_DEFAULT;
};
// Decoding needs none: programs may create, attach and destroy them.
struct nvjpegBufferPinned {};
struct nvjpegBufferDevice {};

namespace heddle::nvjpeg {

/// Says on stderr what is wrong, and returns the status.
nvjpegStatus_t refuse(const char *call, nvjpegStatus_t status, const std::string &why);

template <class Object> nvjpegStatus_t make(const char *call, Object **handle, Object &&value) {
  if (!handle)
    return refuse(call, NVJPEG_STATUS_INVALID_PARAMETER, "the pointer to the handle is null");
  *handle = library::handles<Object>().add(new Object(std::move(value)));
  return NVJPEG_STATUS_SUCCESS;
}

template <class Object> nvjpegStatus_t destroy(const char *call, Object *handle) {
  if (!library::handles<Object>().remove(handle))
    return refuse(call, NVJPEG_STATUS_INVALID_PARAMETER, "there is no such object");
  delete handle;
  return NVJPEG_STATUS_SUCCESS;
}

template <class Object> bool lives(const Object *handle) {
  return library::handles<Object>().has(handle);
}

#define NEED(condition, why)                                                                       \
  if (!(condition))                                                                                \
  return refuse(__func__, NVJPEG_STATUS_INVALID_PARAMETER, why)
#define NEED_LIBRARY(handle)                                                                       \
  if (!lives(handle))                                                                              \
  return refuse(__func__, NVJPEG_STATUS_NOT_INITIALIZED,                                           \
                "the library's handle was not created, or is destroyed")
#define NEED_OBJECT(handle) NEED(lives(handle), #handle " was not created, or is destroyed")
#define NEED_PARSED(stream)                                                                        \
  NEED_OBJECT(stream);                                                                             \
  NEED((stream)->parsed, "no file was parsed")
#define NEED_POINTER(pointer) NEED(pointer, #pointer " is null")

} // namespace heddle::nvjpeg
