// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding in phases: the host's decodes, the transfer does nothing, the device's writes pixels in
// the order of its stream.
#include "output.h"

using namespace heddle::nvjpeg;

// ---- Parameters ----

nvjpegStatus_t nvjpegDecodeParamsCreate(nvjpegHandle_t handle, nvjpegDecodeParams_t *params) {
  NEED_LIBRARY(handle);
  return make(__func__, params, nvjpegDecodeParams{});
}

nvjpegStatus_t nvjpegDecodeParamsDestroy(nvjpegDecodeParams_t params) {
  return destroy(__func__, params);
}

nvjpegStatus_t nvjpegDecodeParamsSetOutputFormat(nvjpegDecodeParams_t params,
                                                 nvjpegOutputFormat_t format) {
  NEED_OBJECT(params);
  NEED(unsigned(format) <= NVJPEG_OUTPUT_FORMAT_MAX, "there is no such format");
  params->format = format;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeParamsSetROI(nvjpegDecodeParams_t params, int x, int y, int width,
                                        int height) {
  NEED_OBJECT(params);
  const bool all = width == -1 && height == -1;
  NEED(all || (x >= 0 && y >= 0 && width > 0 && height > 0), "the region is empty, or outside");
  params->x = all ? 0 : x;
  params->y = all ? 0 : y;
  params->width = width;
  params->height = height;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeParamsSetAllowCMYK(nvjpegDecodeParams_t params, int allow_cmyk) {
  NEED_OBJECT(params);
  params->cmyk = allow_cmyk != 0;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeParamsSetScaleFactor(nvjpegDecodeParams_t params,
                                                nvjpegScaleFactor_t scale_factor) {
  NEED_OBJECT(params);
  NEED(unsigned(scale_factor) <= NVJPEG_SCALE_1_BY_8, "there is no such factor");
  params->reduction = 1 << scale_factor;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeParamsSetExifOrientation(nvjpegDecodeParams_t params,
                                                    nvjpegExifOrientation_t orientation) {
  NEED_OBJECT(params);
  NEED(unsigned(orientation) <= NVJPEG_ORIENTATION_ROTATE_270, "there is no such orientation");
  params->orientation = orientation;
  return NVJPEG_STATUS_SUCCESS;
}

// ---- Decoders, and buffers that they do not need ----

nvjpegStatus_t nvjpegDecoderCreate(nvjpegHandle_t handle, nvjpegBackend_t implementation,
                                   nvjpegJpegDecoder_t *decoder) {
  NEED_LIBRARY(handle);
  NEED(unsigned(implementation) <= NVJPEG_BACKEND_LOSSLESS_JPEG, "there is no such backend");
  if (implementation >= NVJPEG_BACKEND_HARDWARE)
    return refuse(
        __func__, NVJPEG_STATUS_INVALID_PARAMETER,
        "there is no decoder in hardware, for files in device memory, or for lossless ones");
  return make(__func__, decoder, nvjpegJpegDecoder{implementation});
}

nvjpegStatus_t nvjpegDecoderDestroy(nvjpegJpegDecoder_t decoder) {
  return destroy(__func__, decoder);
}

nvjpegStatus_t nvjpegDecoderStateCreate(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                        nvjpegJpegState_t *state) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(decoder);
  return make(__func__, state, nvjpegJpegState{});
}

nvjpegStatus_t nvjpegDecoderJpegSupported(nvjpegJpegDecoder_t decoder, nvjpegJpegStream_t stream,
                                          nvjpegDecodeParams_t params, int *is_supported) {
  NEED_OBJECT(decoder);
  NEED_OBJECT(stream);
  NEED_OBJECT(params);
  NEED_POINTER(is_supported);
  const char *why = "";
  NEED(stream->parsed, "no file was parsed");
  *is_supported = check(stream->header, *params, why);
  return NVJPEG_STATUS_SUCCESS;
}

#define BUFFER(Kind, Allocator)                                                                    \
  nvjpegStatus_t nvjpegBuffer##Kind##Create(nvjpegHandle_t handle, nvjpeg##Allocator##_t *,        \
                                            nvjpegBuffer##Kind##_t *buffer) {                      \
    NEED_LIBRARY(handle);                                                                          \
    return make(__func__, buffer, nvjpegBuffer##Kind{});                                           \
  }                                                                                                \
  nvjpegStatus_t nvjpegBuffer##Kind##CreateV2(nvjpegHandle_t handle, nvjpeg##Allocator##V2_t *,    \
                                              nvjpegBuffer##Kind##_t *buffer) {                    \
    NEED_LIBRARY(handle);                                                                          \
    return make(__func__, buffer, nvjpegBuffer##Kind{});                                           \
  }                                                                                                \
  nvjpegStatus_t nvjpegBuffer##Kind##Destroy(nvjpegBuffer##Kind##_t buffer) {                      \
    return destroy(__func__, buffer);                                                              \
  }                                                                                                \
  nvjpegStatus_t nvjpegBuffer##Kind##Resize(nvjpegBuffer##Kind##_t buffer, size_t, cudaStream_t) { \
    NEED_OBJECT(buffer);                                                                           \
    return NVJPEG_STATUS_SUCCESS;                                                                  \
  }                                                                                                \
  nvjpegStatus_t nvjpegBuffer##Kind##Retrieve(nvjpegBuffer##Kind##_t buffer, size_t *size,         \
                                              void **ptr) {                                        \
    NEED_OBJECT(buffer);                                                                           \
    NEED(size &&ptr, "a pointer is null");                                                         \
    *size = 0;                                                                                     \
    *ptr = nullptr;                                                                                \
    return NVJPEG_STATUS_SUCCESS;                                                                  \
  }                                                                                                \
  nvjpegStatus_t nvjpegStateAttach##Kind##Buffer(nvjpegJpegState_t state,                          \
                                                 nvjpegBuffer##Kind##_t buffer) {                  \
    NEED_OBJECT(state);                                                                            \
    NEED_OBJECT(buffer);                                                                           \
    return NVJPEG_STATUS_SUCCESS;                                                                  \
  }
BUFFER(Pinned, PinnedAllocator)
BUFFER(Device, DevAllocator)

// ---- The phases ----

nvjpegStatus_t nvjpegDecodeJpegHost(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                    nvjpegJpegState_t state, nvjpegDecodeParams_t params,
                                    nvjpegJpegStream_t stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(decoder);
  NEED_OBJECT(state);
  NEED_OBJECT(params);
  NEED_PARSED(stream);
  auto decoded = std::make_unique<HeddleDecoded>();
  const nvjpegStatus_t status = decode(__func__, handle->flags, stream->file, *params, *decoded);
  state->decoded = status ? nullptr : std::move(decoded);
  return status;
}

nvjpegStatus_t nvjpegDecodeJpegTransferToDevice(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                                nvjpegJpegState_t state, nvjpegJpegStream_t stream,
                                                cudaStream_t) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(decoder);
  NEED_OBJECT(state);
  NEED_OBJECT(stream);
  NEED(state->decoded, "nvjpegDecodeJpegHost has not decoded an image");
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeJpegDevice(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                      nvjpegJpegState_t state, nvjpegImage_t *destination,
                                      cudaStream_t stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(decoder);
  NEED_OBJECT(state);
  NEED_POINTER(destination);
  NEED(state->decoded, "nvjpegDecodeJpegHost has not decoded an image");
  return write(__func__, HeddleDecoded(*state->decoded), *destination, stream);
}

nvjpegStatus_t nvjpegDecodeJpeg(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                nvjpegJpegState_t state, nvjpegJpegStream_t jpeg_bitstream,
                                nvjpegImage_t *destination, nvjpegDecodeParams_t params,
                                cudaStream_t stream) {
  if (const nvjpegStatus_t status =
          nvjpegDecodeJpegHost(handle, decoder, state, params, jpeg_bitstream))
    return status;
  return nvjpegDecodeJpegDevice(handle, decoder, state, destination, stream);
}
