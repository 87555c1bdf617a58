// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding in one call, of one image or a batch. The file is decoded when the call is made; its
// pixels are written in the order of the stream.
#include "output.h"

#include <algorithm>

using namespace heddle::nvjpeg;

namespace {

bool isFormat(nvjpegOutputFormat_t format) { return unsigned(format) <= NVJPEG_OUTPUT_FORMAT_MAX; }

nvjpegStatus_t decodeTo(const char *call, unsigned flags, Bytes file,
                        const nvjpegDecodeParams &params, const nvjpegImage_t &destination,
                        cudaStream_t stream) {
  HeddleDecoded decoded;
  if (const nvjpegStatus_t status = decode(call, flags, file, params, decoded))
    return status;
  return write(call, std::move(decoded), destination, stream);
}

nvjpegDecodeParams plain(nvjpegOutputFormat_t format) {
  nvjpegDecodeParams params;
  params.format = format;
  return params;
}

} // namespace

nvjpegStatus_t nvjpegJpegStateCreate(nvjpegHandle_t handle, nvjpegJpegState_t *jpeg_handle) {
  NEED_LIBRARY(handle);
  return make(__func__, jpeg_handle, nvjpegJpegState{});
}

nvjpegStatus_t nvjpegJpegStateDestroy(nvjpegJpegState_t jpeg_handle) {
  return destroy(__func__, jpeg_handle);
}

nvjpegStatus_t nvjpegGetImageInfo(nvjpegHandle_t handle, const unsigned char *data, size_t length,
                                  int *nComponents, nvjpegChromaSubsampling_t *subsampling,
                                  int *widths, int *heights) {
  NEED_LIBRARY(handle);
  NEED(data && length, "there is no data");
  NEED(nComponents && subsampling && widths && heights, "a pointer is null");
  Header header;
  const char *why = "";
  if (const nvjpegStatus_t status = readHeader({data, length}, Upto::Frame, header, why))
    return refuse(__func__, status, why);
  *nComponents = header.components;
  *subsampling = header.subsampling();
  for (int i = 0; i < NVJPEG_MAX_COMPONENT; ++i) {
    widths[i] = i < header.components ? header.widthOf(i) : 0;
    heights[i] = i < header.components ? header.heightOf(i) : 0;
  }
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecode(nvjpegHandle_t handle, nvjpegJpegState_t jpeg_handle,
                            const unsigned char *data, size_t length,
                            nvjpegOutputFormat_t output_format, nvjpegImage_t *destination,
                            cudaStream_t stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(jpeg_handle);
  NEED(data && length, "there is no data");
  NEED_POINTER(destination);
  NEED(isFormat(output_format), "there is no such format");
  return decodeTo(__func__, handle->flags, {data, length}, plain(output_format), *destination,
                  stream);
}

nvjpegStatus_t nvjpegDecodeBatchedInitialize(nvjpegHandle_t handle, nvjpegJpegState_t jpeg_handle,
                                             int batch_size, int max_cpu_threads,
                                             nvjpegOutputFormat_t output_format) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(jpeg_handle);
  NEED(batch_size > 0 && max_cpu_threads >= 0, "a batch has no images");
  NEED(isFormat(output_format), "there is no such format");
  jpeg_handle->batch = batch_size;
  jpeg_handle->format = output_format;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeBatched(nvjpegHandle_t handle, nvjpegJpegState_t jpeg_handle,
                                   const unsigned char *const *data, const size_t *lengths,
                                   nvjpegImage_t *destinations, cudaStream_t stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(jpeg_handle);
  NEED(data && lengths && destinations, "a pointer is null");
  NEED(jpeg_handle->batch, "nvjpegDecodeBatchedInitialize was not called");
  for (int i = 0; i < jpeg_handle->batch; ++i) {
    NEED(data[i] && lengths[i], "there is no data");
    if (const nvjpegStatus_t status = decodeTo(__func__, handle->flags, {data[i], lengths[i]},
                                               plain(jpeg_handle->format), destinations[i], stream))
      return status;
  }
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeBatchedEx(nvjpegHandle_t handle, nvjpegJpegState_t jpeg_handle,
                                     const unsigned char *const *data, const size_t *lengths,
                                     nvjpegImage_t *destinations,
                                     nvjpegDecodeParams_t *decode_params, cudaStream_t stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(jpeg_handle);
  NEED(data && lengths && destinations && decode_params, "a pointer is null");
  NEED(jpeg_handle->batch, "nvjpegDecodeBatchedInitialize was not called");
  for (int i = 0; i < jpeg_handle->batch; ++i) {
    NEED(data[i] && lengths[i], "there is no data");
    NEED_OBJECT(decode_params[i]);
    nvjpegDecodeParams params = *decode_params[i];
    params.format = jpeg_handle->format;
    if (const nvjpegStatus_t status = decodeTo(__func__, handle->flags, {data[i], lengths[i]},
                                               params, destinations[i], stream))
      return status;
  }
  return NVJPEG_STATUS_SUCCESS;
}

// Nothing is allocated before an image is there.
nvjpegStatus_t nvjpegDecodeBatchedPreAllocate(nvjpegHandle_t handle, nvjpegJpegState_t jpeg_handle,
                                              int batch_size, int width, int height,
                                              nvjpegChromaSubsampling_t,
                                              nvjpegOutputFormat_t output_format) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(jpeg_handle);
  NEED(batch_size > 0 && width > 0 && height > 0 && isFormat(output_format),
       "a size is not positive, or there is no such format");
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeBatchedParseJpegTables(nvjpegHandle_t handle, nvjpegJpegState_t,
                                                  const unsigned char *, size_t) {
  NEED_LIBRARY(handle);
  return refuse(__func__, NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED,
                "tables apart from their images (TIFF) are not supported");
}

nvjpegStatus_t nvjpegDecodeBatchedSupportedEx(nvjpegHandle_t handle, nvjpegJpegStream_t jpeg_stream,
                                              nvjpegDecodeParams_t decode_params,
                                              int *is_supported) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(jpeg_stream);
  NEED_POINTER(is_supported);
  NEED(!decode_params || lives(decode_params), "the parameters are destroyed");
  const char *why = "";
  const nvjpegDecodeParams params = decode_params ? *decode_params : nvjpegDecodeParams{};
  NEED(jpeg_stream->parsed, "no file was parsed");
  *is_supported = check(jpeg_stream->header, params, why);
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeBatchedSupported(nvjpegHandle_t handle, nvjpegJpegStream_t jpeg_stream,
                                            int *is_supported) {
  return nvjpegDecodeBatchedSupportedEx(handle, jpeg_stream, nullptr, is_supported);
}
