// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encoding: in the order of its stream. Whoever asks for the file waits for that.
#include "compress.h"
#include "objects.h"

#include "common/task.h"

#include <cstring>
#include <mutex>

struct HeddleEncoded {
  std::mutex mutex;                                     // guards what follows
  nvjpegStatus_t status = NVJPEG_STATUS_INTERNAL_ERROR; // as NVIDIA's
  std::string why = "no image was encoded";
  std::vector<unsigned char> file;
};

struct nvjpegEncoderState {
  std::shared_ptr<HeddleEncoded> encoded = std::make_shared<HeddleEncoded>();
  cudaStream_t stream = nullptr;
};

struct nvjpegEncoderParams {
  heddle::nvjpeg::Encoding encoding;
};

using namespace heddle::nvjpeg;

namespace {
nvjpegStatus_t checkSubsampling(const char *call, nvjpegChromaSubsampling_t subsampling) {
  int h = 0, v = 0;
  if (!factorsOf(subsampling, h, v))
    return refuse(call, NVJPEG_STATUS_INVALID_PARAMETER, "there is no such subsampling");
  if (subsampling == NVJPEG_CSS_410V)
    return refuse(call, NVJPEG_STATUS_JPEG_NOT_SUPPORTED,
                  "files are not written as 4:1:0 vertically");
  return NVJPEG_STATUS_SUCCESS;
}
} // namespace

nvjpegStatus_t nvjpegEncoderStateCreate(nvjpegHandle_t handle, nvjpegEncoderState_t *state,
                                        cudaStream_t) {
  NEED_LIBRARY(handle);
  return make(__func__, state, nvjpegEncoderState{});
}

nvjpegStatus_t nvjpegEncoderStateCreateWithBackend(nvjpegHandle_t handle,
                                                   nvjpegEncoderState_t *state,
                                                   nvjpegEncBackend_t backend, cudaStream_t) {
  NEED_LIBRARY(handle);
  NEED(unsigned(backend) <= NVJPEG_ENC_BACKEND_HARDWARE, "there is no such backend");
  if (backend == NVJPEG_ENC_BACKEND_HARDWARE)
    return refuse(__func__, NVJPEG_STATUS_ARCH_MISMATCH, "there is no encoder in hardware");
  return make(__func__, state, nvjpegEncoderState{});
}

nvjpegStatus_t nvjpegEncoderStateDestroy(nvjpegEncoderState_t state) {
  return destroy(__func__, state);
}

// ---- Parameters ----

nvjpegStatus_t nvjpegEncoderParamsCreate(nvjpegHandle_t handle, nvjpegEncoderParams_t *params,
                                         cudaStream_t) {
  NEED_LIBRARY(handle);
  return make(__func__, params, nvjpegEncoderParams{});
}

nvjpegStatus_t nvjpegEncoderParamsDestroy(nvjpegEncoderParams_t params) {
  return destroy(__func__, params);
}

nvjpegStatus_t nvjpegEncoderParamsSetQuality(nvjpegEncoderParams_t params, int quality,
                                             cudaStream_t) {
  NEED_OBJECT(params);
  NEED(quality >= 1 && quality <= 100, "the quality is from 1 to 100");
  params->encoding.quality = quality;
  params->encoding.quant.reset();
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegEncoderParamsSetEncoding(nvjpegEncoderParams_t params,
                                              nvjpegJpegEncoding_t etype, cudaStream_t) {
  NEED_OBJECT(params);
  NEED(etype == NVJPEG_ENCODING_BASELINE_DCT || etype == NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN,
       "files are baseline or progressive");
  params->encoding.progressive = etype == NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegEncoderParamsSetOptimizedHuffman(nvjpegEncoderParams_t params, int optimized,
                                                      cudaStream_t) {
  NEED_OBJECT(params);
  params->encoding.optimized = optimized != 0;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegEncoderParamsSetSamplingFactors(nvjpegEncoderParams_t params,
                                                     nvjpegChromaSubsampling_t subsampling,
                                                     cudaStream_t) {
  NEED_OBJECT(params);
  if (const nvjpegStatus_t status = checkSubsampling(__func__, subsampling))
    return status;
  params->encoding.subsampling = subsampling;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegEncoderParamsCopyMetadata(nvjpegEncoderState_t state,
                                               nvjpegEncoderParams_t params,
                                               nvjpegJpegStream_t jpeg_stream, cudaStream_t) {
  NEED_OBJECT(state);
  NEED_OBJECT(params);
  NEED_PARSED(jpeg_stream);
  params->encoding.metadata = jpeg_stream->header.metadata;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegEncoderParamsCopyQuantizationTables(nvjpegEncoderParams_t params,
                                                         nvjpegJpegStream_t jpeg_stream,
                                                         cudaStream_t) {
  NEED_OBJECT(params);
  NEED_PARSED(jpeg_stream);
  QuantTables quant;
  HuffmanTables huffman;
  if (!readTables(jpeg_stream->file, quant, huffman))
    return refuse(__func__, NVJPEG_STATUS_BAD_JPEG, "the file's tables cannot be read");
  params->encoding.quant = quant;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegEncoderParamsCopyHuffmanTables(nvjpegEncoderState_t state,
                                                    nvjpegEncoderParams_t params,
                                                    nvjpegJpegStream_t jpeg_stream, cudaStream_t) {
  NEED_OBJECT(state);
  NEED_OBJECT(params);
  NEED_PARSED(jpeg_stream);
  QuantTables quant;
  HuffmanTables huffman;
  if (!readTables(jpeg_stream->file, quant, huffman))
    return refuse(__func__, NVJPEG_STATUS_BAD_JPEG, "the file's tables cannot be read");
  params->encoding.huffman = huffman;
  return NVJPEG_STATUS_SUCCESS;
}

// ---- Encoding ----

namespace {

constexpr int most_pixels = 65500; // libjpeg's JPEG_MAX_DIMENSION

nvjpegStatus_t encode(const char *call, nvjpegEncoderState_t state, const Encoding &encoding,
                      const Source &source, int channels, cudaStream_t stream) {
  if (source.width < 1 || source.height < 1 || source.width > most_pixels ||
      source.height > most_pixels)
    return refuse(call, NVJPEG_STATUS_INVALID_PARAMETER, "a side has no pixels, or too many");
  for (int i = 0; i < channels; ++i)
    if (!source.image.channel[i])
      return refuse(call, NVJPEG_STATUS_INVALID_PARAMETER, "a channel of the source is null");
  auto encoded = std::make_shared<HeddleEncoded>();
  state->encoded = encoded;
  state->stream = stream;
  const cudaError_t error = heddle::library::submit(call, stream, [encoded, encoding, source] {
    const std::lock_guard lock(encoded->mutex);
    encoded->status = compress(source, encoding, encoded->file, encoded->why);
  });
  return error ? refuse(call, NVJPEG_STATUS_EXECUTION_FAILED, cudaGetErrorString(error))
               : NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t retrieve(const char *call, nvjpegEncoderState_t state, unsigned char *data,
                        size_t *length, cudaStream_t stream, bool to_device) {
  if (const cudaError_t error = cudaStreamSynchronize(state->stream))
    return refuse(call, NVJPEG_STATUS_EXECUTION_FAILED, cudaGetErrorString(error));
  const std::lock_guard lock(state->encoded->mutex);
  if (state->encoded->status)
    return refuse(call, state->encoded->status, state->encoded->why);
  const std::vector<unsigned char> &file = state->encoded->file;
  if (data && *length < file.size())
    return refuse(call, NVJPEG_STATUS_INVALID_PARAMETER, "the buffer is smaller than the file");
  *length = file.size();
  if (data && to_device) {
    cudaError_t error =
        cudaMemcpyAsync(data, file.data(), file.size(), cudaMemcpyHostToDevice, stream);
    if (!error)
      error = cudaStreamSynchronize(stream);
    if (error)
      return refuse(call, NVJPEG_STATUS_EXECUTION_FAILED, cudaGetErrorString(error));
  } else if (data) {
    std::memcpy(data, file.data(), file.size());
  }
  return NVJPEG_STATUS_SUCCESS;
}

} // namespace

// No file is larger: a sample has 8 bits, and Huffman's codes at most twice as many.
nvjpegStatus_t nvjpegEncodeGetBufferSize(nvjpegHandle_t handle, nvjpegEncoderParams_t params,
                                         int image_width, int image_height,
                                         size_t *max_stream_length) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(params);
  NEED_POINTER(max_stream_length);
  NEED(image_width > 0 && image_height > 0, "a side has no pixels");
  int h = 1, v = 1;
  factorsOf(params->encoding.subsampling, h, v);
  const size_t units =
      size_t((image_width + 8 * h - 1) / (8 * h)) * size_t((image_height + 8 * v - 1) / (8 * v));
  const size_t blocks = params->encoding.subsampling == NVJPEG_CSS_GRAY ? 1 : size_t(h * v) + 2;
  size_t headers = 2048;
  for (const auto &one : params->encoding.metadata)
    headers += one.size() + 4;
  *max_stream_length = headers + units * blocks * 2 * 64;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegEncodeYUV(nvjpegHandle_t handle, nvjpegEncoderState_t state,
                               nvjpegEncoderParams_t params, const nvjpegImage_t *source,
                               nvjpegChromaSubsampling_t subsampling, int width, int height,
                               cudaStream_t stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(state);
  NEED_OBJECT(params);
  NEED_POINTER(source);
  if (const nvjpegStatus_t status = checkSubsampling(__func__, subsampling))
    return status;
  const int channels = subsampling == NVJPEG_CSS_GRAY ? 1 : 3;
  return encode(__func__, state, params->encoding,
                {*source, std::nullopt, subsampling, width, height}, channels, stream);
}

nvjpegStatus_t nvjpegEncodeImage(nvjpegHandle_t handle, nvjpegEncoderState_t state,
                                 nvjpegEncoderParams_t params, const nvjpegImage_t *source,
                                 nvjpegInputFormat_t format, int width, int height,
                                 cudaStream_t stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(state);
  NEED_OBJECT(params);
  NEED_POINTER(source);
  NEED(format >= NVJPEG_INPUT_RGB && format <= NVJPEG_INPUT_BGRI, "there is no such format");
  const int channels = format == NVJPEG_INPUT_RGB || format == NVJPEG_INPUT_BGR ? 3 : 1;
  return encode(__func__, state, params->encoding, {*source, format, NVJPEG_CSS_444, width, height},
                channels, stream);
}

nvjpegStatus_t nvjpegEncodeRetrieveBitstream(nvjpegHandle_t handle, nvjpegEncoderState_t state,
                                             unsigned char *data, size_t *length,
                                             cudaStream_t stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(state);
  NEED_POINTER(length);
  return retrieve(__func__, state, data, length, stream, false);
}

nvjpegStatus_t nvjpegEncodeRetrieveBitstreamDevice(nvjpegHandle_t handle,
                                                   nvjpegEncoderState_t state, unsigned char *data,
                                                   size_t *length, cudaStream_t stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(state);
  NEED_POINTER(length);
  return retrieve(__func__, state, data, length, stream, true);
}
