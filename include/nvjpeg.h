// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvjpeg.h: JPEG images to and from device memory, as nvJPEG 12.x and 13.x declare it.
#ifndef NV_JPEG_HEADER
#define NV_JPEG_HEADER

#include <cuda_runtime_api.h>
#include <library_types.h>

#ifndef NVJPEGAPI
#define NVJPEGAPI
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define NVJPEG_MAX_COMPONENT 4

#if defined(__HEDDLE_CUDA__) && __HEDDLE_CUDA__ == 12
#define NVJPEG_VER_MAJOR 12
#define NVJPEG_VER_MINOR 4
#else
#define NVJPEG_VER_MAJOR 13
#define NVJPEG_VER_MINOR 0
#endif
#define NVJPEG_VER_PATCH 1
#define NVJPEG_VER_BUILD 0

typedef enum {
  NVJPEG_STATUS_SUCCESS = 0,
  NVJPEG_STATUS_NOT_INITIALIZED = 1,
  NVJPEG_STATUS_INVALID_PARAMETER = 2,
  NVJPEG_STATUS_BAD_JPEG = 3,
  NVJPEG_STATUS_JPEG_NOT_SUPPORTED = 4,
  NVJPEG_STATUS_ALLOCATOR_FAILURE = 5,
  NVJPEG_STATUS_EXECUTION_FAILED = 6,
  NVJPEG_STATUS_ARCH_MISMATCH = 7,
  NVJPEG_STATUS_INTERNAL_ERROR = 8,
  NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED = 9,
  NVJPEG_STATUS_INCOMPLETE_BITSTREAM = 10
} nvjpegStatus_t;

typedef enum nvjpegExifOrientation {
  NVJPEG_ORIENTATION_UNKNOWN = 0,
  NVJPEG_ORIENTATION_NORMAL = 1,
  NVJPEG_ORIENTATION_FLIP_HORIZONTAL = 2,
  NVJPEG_ORIENTATION_ROTATE_180 = 3,
  NVJPEG_ORIENTATION_FLIP_VERTICAL = 4,
  NVJPEG_ORIENTATION_TRANSPOSE = 5,
  NVJPEG_ORIENTATION_ROTATE_90 = 6,
  NVJPEG_ORIENTATION_TRANSVERSE = 7,
  NVJPEG_ORIENTATION_ROTATE_270 = 8
} nvjpegExifOrientation_t;

typedef enum {
  NVJPEG_CSS_444 = 0,
  NVJPEG_CSS_422 = 1,
  NVJPEG_CSS_420 = 2,
  NVJPEG_CSS_440 = 3,
  NVJPEG_CSS_411 = 4,
  NVJPEG_CSS_410 = 5,
  NVJPEG_CSS_GRAY = 6,
  NVJPEG_CSS_410V = 7,
  NVJPEG_CSS_UNKNOWN = -1
} nvjpegChromaSubsampling_t;

typedef enum {
  NVJPEG_OUTPUT_UNCHANGED = 0, /* the components as they are, each in a channel */
  NVJPEG_OUTPUT_YUV = 1,
  NVJPEG_OUTPUT_Y = 2,
  NVJPEG_OUTPUT_RGB = 3,
  NVJPEG_OUTPUT_BGR = 4,
  NVJPEG_OUTPUT_RGBI = 5, /* in one channel */
  NVJPEG_OUTPUT_BGRI = 6,
  NVJPEG_OUTPUT_UNCHANGEDI_U16 = 7,
  NVJPEG_OUTPUT_NV12 = 8,
  NVJPEG_OUTPUT_YUY2 = 9,
  NVJPEG_OUTPUT_UNCHANGEDI = 10,
  NVJPEG_OUTPUT_FORMAT_MAX = NVJPEG_OUTPUT_UNCHANGEDI
} nvjpegOutputFormat_t;

typedef enum {
  NVJPEG_INPUT_RGB = 3,
  NVJPEG_INPUT_BGR = 4,
  NVJPEG_INPUT_RGBI = 5,
  NVJPEG_INPUT_BGRI = 6
} nvjpegInputFormat_t;

typedef enum {
  NVJPEG_BACKEND_DEFAULT = 0,
  NVJPEG_BACKEND_HYBRID = 1,
  NVJPEG_BACKEND_GPU_HYBRID = 2,
  NVJPEG_BACKEND_HARDWARE = 3,
  NVJPEG_BACKEND_GPU_HYBRID_DEVICE = 4,
  NVJPEG_BACKEND_HARDWARE_DEVICE = 5,
  NVJPEG_BACKEND_LOSSLESS_JPEG = 6
} nvjpegBackend_t;

typedef enum {
  NVJPEG_ENC_BACKEND_DEFAULT = 0,
  NVJPEG_ENC_BACKEND_GPU = 1,
  NVJPEG_ENC_BACKEND_HARDWARE = 2
} nvjpegEncBackend_t;

typedef enum {
  NVJPEG_ENCODING_UNKNOWN = 0x0,
  NVJPEG_ENCODING_BASELINE_DCT = 0xc0,
  NVJPEG_ENCODING_EXTENDED_SEQUENTIAL_DCT_HUFFMAN = 0xc1,
  NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN = 0xc2,
  NVJPEG_ENCODING_LOSSLESS_HUFFMAN = 0xc3
} nvjpegJpegEncoding_t;

typedef enum {
  NVJPEG_SCALE_NONE = 0,
  NVJPEG_SCALE_1_BY_2 = 1,
  NVJPEG_SCALE_1_BY_4 = 2,
  NVJPEG_SCALE_1_BY_8 = 3
} nvjpegScaleFactor_t;

#define NVJPEG_FLAGS_DEFAULT 0
#define NVJPEG_FLAGS_HW_DECODE_NO_PIPELINE 1
#define NVJPEG_FLAGS_ENABLE_MEMORY_POOLS (1 << 1)
#define NVJPEG_FLAGS_BITSTREAM_STRICT (1 << 2)
#define NVJPEG_FLAGS_REDUCED_MEMORY_DECODE (1 << 3)
#define NVJPEG_FLAGS_REDUCED_MEMORY_DECODE_ZERO_COPY (1 << 4)
#define NVJPEG_FLAGS_UPSAMPLING_WITH_INTERPOLATION (1 << 5)

typedef struct {
  unsigned char *channel[NVJPEG_MAX_COMPONENT];
  size_t pitch[NVJPEG_MAX_COMPONENT];
} nvjpegImage_t;

typedef int (*tDevMalloc)(void **, size_t);
typedef int (*tDevFree)(void *);
typedef int (*tPinnedMalloc)(void **, size_t, unsigned flags);
typedef int (*tPinnedFree)(void *);
typedef struct {
  tDevMalloc dev_malloc;
  tDevFree dev_free;
} nvjpegDevAllocator_t;
typedef struct {
  tPinnedMalloc pinned_malloc;
  tPinnedFree pinned_free;
} nvjpegPinnedAllocator_t;

typedef int (*tDevMallocV2)(void *ctx, void **ptr, size_t size, cudaStream_t stream);
typedef int (*tDevFreeV2)(void *ctx, void *ptr, size_t size, cudaStream_t stream);
typedef int (*tPinnedMallocV2)(void *ctx, void **ptr, size_t size, cudaStream_t stream);
typedef int (*tPinnedFreeV2)(void *ctx, void *ptr, size_t size, cudaStream_t stream);
typedef struct {
  tDevMallocV2 dev_malloc;
  tDevFreeV2 dev_free;
  void *dev_ctx;
} nvjpegDevAllocatorV2_t;
typedef struct {
  tPinnedMallocV2 pinned_malloc;
  tPinnedFreeV2 pinned_free;
  void *pinned_ctx;
} nvjpegPinnedAllocatorV2_t;

typedef struct nvjpegHandle *nvjpegHandle_t;
typedef struct nvjpegJpegState *nvjpegJpegState_t;
typedef struct nvjpegJpegStream *nvjpegJpegStream_t;
typedef struct nvjpegDecodeParams *nvjpegDecodeParams_t;
typedef struct nvjpegJpegDecoder *nvjpegJpegDecoder_t;
typedef struct nvjpegBufferPinned *nvjpegBufferPinned_t;
typedef struct nvjpegBufferDevice *nvjpegBufferDevice_t;
typedef struct nvjpegEncoderState *nvjpegEncoderState_t;
typedef struct nvjpegEncoderParams *nvjpegEncoderParams_t;

/* ---- The library ---- */

nvjpegStatus_t NVJPEGAPI nvjpegGetProperty(libraryPropertyType type, int *value);
nvjpegStatus_t NVJPEGAPI nvjpegGetCudartProperty(libraryPropertyType type, int *value);
nvjpegStatus_t NVJPEGAPI nvjpegCreate(nvjpegBackend_t backend, nvjpegDevAllocator_t *dev_allocator,
                                      nvjpegHandle_t *handle);
nvjpegStatus_t NVJPEGAPI nvjpegCreateSimple(nvjpegHandle_t *handle);
nvjpegStatus_t NVJPEGAPI nvjpegCreateEx(nvjpegBackend_t backend,
                                        nvjpegDevAllocator_t *dev_allocator,
                                        nvjpegPinnedAllocator_t *pinned_allocator, unsigned flags,
                                        nvjpegHandle_t *handle);
nvjpegStatus_t NVJPEGAPI nvjpegCreateExV2(nvjpegBackend_t backend,
                                          nvjpegDevAllocatorV2_t *dev_allocator,
                                          nvjpegPinnedAllocatorV2_t *pinned_allocator,
                                          unsigned flags, nvjpegHandle_t *handle);
nvjpegStatus_t NVJPEGAPI nvjpegDestroy(nvjpegHandle_t handle);
nvjpegStatus_t NVJPEGAPI nvjpegSetDeviceMemoryPadding(size_t padding, nvjpegHandle_t handle);
nvjpegStatus_t NVJPEGAPI nvjpegGetDeviceMemoryPadding(size_t *padding, nvjpegHandle_t handle);
nvjpegStatus_t NVJPEGAPI nvjpegSetPinnedMemoryPadding(size_t padding, nvjpegHandle_t handle);
nvjpegStatus_t NVJPEGAPI nvjpegGetPinnedMemoryPadding(size_t *padding, nvjpegHandle_t handle);
nvjpegStatus_t NVJPEGAPI nvjpegGetHardwareDecoderInfo(nvjpegHandle_t handle, unsigned *num_engines,
                                                      unsigned *num_cores_per_engine);
nvjpegStatus_t NVJPEGAPI nvjpegGetHardwareEncoderInfo(nvjpegHandle_t handle, unsigned *num_engines,
                                                      unsigned *num_cores_per_engine);

/* ---- Decoding in one call ---- */

nvjpegStatus_t NVJPEGAPI nvjpegJpegStateCreate(nvjpegHandle_t handle,
                                               nvjpegJpegState_t *jpeg_handle);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStateDestroy(nvjpegJpegState_t jpeg_handle);
nvjpegStatus_t NVJPEGAPI nvjpegGetImageInfo(nvjpegHandle_t handle, const unsigned char *data,
                                            size_t length, int *nComponents,
                                            nvjpegChromaSubsampling_t *subsampling, int *widths,
                                            int *heights);
nvjpegStatus_t NVJPEGAPI nvjpegDecode(nvjpegHandle_t handle, nvjpegJpegState_t jpeg_handle,
                                      const unsigned char *data, size_t length,
                                      nvjpegOutputFormat_t output_format,
                                      nvjpegImage_t *destination, cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeBatchedInitialize(nvjpegHandle_t handle,
                                                       nvjpegJpegState_t jpeg_handle,
                                                       int batch_size, int max_cpu_threads,
                                                       nvjpegOutputFormat_t output_format);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeBatched(nvjpegHandle_t handle, nvjpegJpegState_t jpeg_handle,
                                             const unsigned char *const *data,
                                             const size_t *lengths, nvjpegImage_t *destinations,
                                             cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeBatchedPreAllocate(
    nvjpegHandle_t handle, nvjpegJpegState_t jpeg_handle, int batch_size, int width, int height,
    nvjpegChromaSubsampling_t chroma_subsampling, nvjpegOutputFormat_t output_format);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeBatchedParseJpegTables(nvjpegHandle_t handle,
                                                            nvjpegJpegState_t jpeg_handle,
                                                            const unsigned char *data,
                                                            size_t length);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeBatchedSupported(nvjpegHandle_t handle,
                                                      nvjpegJpegStream_t jpeg_stream,
                                                      int *is_supported);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeBatchedSupportedEx(nvjpegHandle_t handle,
                                                        nvjpegJpegStream_t jpeg_stream,
                                                        nvjpegDecodeParams_t decode_params,
                                                        int *is_supported);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeBatchedEx(nvjpegHandle_t handle, nvjpegJpegState_t jpeg_handle,
                                               const unsigned char *const *data,
                                               const size_t *lengths, nvjpegImage_t *destinations,
                                               nvjpegDecodeParams_t *decode_params,
                                               cudaStream_t stream);

/* ---- Bitstreams ---- */

nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamCreate(nvjpegHandle_t handle,
                                                nvjpegJpegStream_t *jpeg_stream);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamDestroy(nvjpegJpegStream_t jpeg_stream);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamParse(nvjpegHandle_t handle, const unsigned char *data,
                                               size_t length, int save_metadata, int save_stream,
                                               nvjpegJpegStream_t jpeg_stream);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamParseHeader(nvjpegHandle_t handle,
                                                     const unsigned char *data, size_t length,
                                                     nvjpegJpegStream_t jpeg_stream);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamParseTables(nvjpegHandle_t handle,
                                                     const unsigned char *data, size_t length,
                                                     nvjpegJpegStream_t jpeg_stream);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamGetJpegEncoding(nvjpegJpegStream_t jpeg_stream,
                                                         nvjpegJpegEncoding_t *jpeg_encoding);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamGetFrameDimensions(nvjpegJpegStream_t jpeg_stream,
                                                            unsigned *width, unsigned *height);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamGetComponentsNum(nvjpegJpegStream_t jpeg_stream,
                                                          unsigned *components_num);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamGetComponentDimensions(nvjpegJpegStream_t jpeg_stream,
                                                                unsigned component, unsigned *width,
                                                                unsigned *height);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamGetExifOrientation(
    nvjpegJpegStream_t jpeg_stream, nvjpegExifOrientation_t *orientation_flag);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamGetChromaSubsampling(
    nvjpegJpegStream_t jpeg_stream, nvjpegChromaSubsampling_t *chroma_subsampling);
nvjpegStatus_t NVJPEGAPI nvjpegJpegStreamGetSamplePrecision(nvjpegJpegStream_t jpeg_stream,
                                                            unsigned *precision);

/* ---- Decoding in phases ---- */

nvjpegStatus_t NVJPEGAPI nvjpegBufferPinnedCreate(nvjpegHandle_t handle,
                                                  nvjpegPinnedAllocator_t *pinned_allocator,
                                                  nvjpegBufferPinned_t *buffer);
nvjpegStatus_t NVJPEGAPI nvjpegBufferPinnedCreateV2(nvjpegHandle_t handle,
                                                    nvjpegPinnedAllocatorV2_t *pinned_allocator,
                                                    nvjpegBufferPinned_t *buffer);
nvjpegStatus_t NVJPEGAPI nvjpegBufferPinnedDestroy(nvjpegBufferPinned_t buffer);
nvjpegStatus_t NVJPEGAPI nvjpegBufferDeviceCreate(nvjpegHandle_t handle,
                                                  nvjpegDevAllocator_t *device_allocator,
                                                  nvjpegBufferDevice_t *buffer);
nvjpegStatus_t NVJPEGAPI nvjpegBufferDeviceCreateV2(nvjpegHandle_t handle,
                                                    nvjpegDevAllocatorV2_t *device_allocator,
                                                    nvjpegBufferDevice_t *buffer);
nvjpegStatus_t NVJPEGAPI nvjpegBufferDeviceDestroy(nvjpegBufferDevice_t buffer);
nvjpegStatus_t NVJPEGAPI nvjpegBufferPinnedRetrieve(nvjpegBufferPinned_t buffer, size_t *size,
                                                    void **ptr);
nvjpegStatus_t NVJPEGAPI nvjpegBufferDeviceRetrieve(nvjpegBufferDevice_t buffer, size_t *size,
                                                    void **ptr);
nvjpegStatus_t NVJPEGAPI nvjpegBufferPinnedResize(nvjpegBufferPinned_t buffer, size_t size,
                                                  cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegBufferDeviceResize(nvjpegBufferDevice_t buffer, size_t size,
                                                  cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegStateAttachPinnedBuffer(nvjpegJpegState_t decoder_state,
                                                       nvjpegBufferPinned_t pinned_buffer);
nvjpegStatus_t NVJPEGAPI nvjpegStateAttachDeviceBuffer(nvjpegJpegState_t decoder_state,
                                                       nvjpegBufferDevice_t device_buffer);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeParamsCreate(nvjpegHandle_t handle,
                                                  nvjpegDecodeParams_t *decode_params);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeParamsDestroy(nvjpegDecodeParams_t decode_params);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeParamsSetOutputFormat(nvjpegDecodeParams_t decode_params,
                                                           nvjpegOutputFormat_t output_format);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeParamsSetROI(nvjpegDecodeParams_t decode_params, int offset_x,
                                                  int offset_y, int roi_width, int roi_height);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeParamsSetAllowCMYK(nvjpegDecodeParams_t decode_params,
                                                        int allow_cmyk);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeParamsSetScaleFactor(nvjpegDecodeParams_t decode_params,
                                                          nvjpegScaleFactor_t scale_factor);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeParamsSetExifOrientation(nvjpegDecodeParams_t decode_params,
                                                              nvjpegExifOrientation_t orientation);
nvjpegStatus_t NVJPEGAPI nvjpegDecoderCreate(nvjpegHandle_t nvjpeg_handle,
                                             nvjpegBackend_t implementation,
                                             nvjpegJpegDecoder_t *decoder_handle);
nvjpegStatus_t NVJPEGAPI nvjpegDecoderDestroy(nvjpegJpegDecoder_t decoder_handle);
nvjpegStatus_t NVJPEGAPI nvjpegDecoderJpegSupported(nvjpegJpegDecoder_t decoder_handle,
                                                    nvjpegJpegStream_t jpeg_stream,
                                                    nvjpegDecodeParams_t decode_params,
                                                    int *is_supported);
nvjpegStatus_t NVJPEGAPI nvjpegDecoderStateCreate(nvjpegHandle_t nvjpeg_handle,
                                                  nvjpegJpegDecoder_t decoder_handle,
                                                  nvjpegJpegState_t *decoder_state);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeJpeg(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                          nvjpegJpegState_t decoder_state,
                                          nvjpegJpegStream_t jpeg_bitstream,
                                          nvjpegImage_t *destination,
                                          nvjpegDecodeParams_t decode_params, cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeJpegHost(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                              nvjpegJpegState_t decoder_state,
                                              nvjpegDecodeParams_t decode_params,
                                              nvjpegJpegStream_t jpeg_stream);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeJpegTransferToDevice(nvjpegHandle_t handle,
                                                          nvjpegJpegDecoder_t decoder,
                                                          nvjpegJpegState_t decoder_state,
                                                          nvjpegJpegStream_t jpeg_stream,
                                                          cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegDecodeJpegDevice(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                                nvjpegJpegState_t decoder_state,
                                                nvjpegImage_t *destination, cudaStream_t stream);

/* ---- Encoding ---- */

nvjpegStatus_t NVJPEGAPI nvjpegEncoderStateCreate(nvjpegHandle_t handle,
                                                  nvjpegEncoderState_t *encoder_state,
                                                  cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderStateCreateWithBackend(nvjpegHandle_t handle,
                                                             nvjpegEncoderState_t *encoder_state,
                                                             nvjpegEncBackend_t backend,
                                                             cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderStateDestroy(nvjpegEncoderState_t encoder_state);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderParamsCreate(nvjpegHandle_t handle,
                                                   nvjpegEncoderParams_t *encoder_params,
                                                   cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderParamsDestroy(nvjpegEncoderParams_t encoder_params);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderParamsSetQuality(nvjpegEncoderParams_t encoder_params,
                                                       int quality, cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderParamsSetEncoding(nvjpegEncoderParams_t encoder_params,
                                                        nvjpegJpegEncoding_t etype,
                                                        cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderParamsSetOptimizedHuffman(
    nvjpegEncoderParams_t encoder_params, int optimized, cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderParamsSetSamplingFactors(
    nvjpegEncoderParams_t encoder_params, nvjpegChromaSubsampling_t chroma_subsampling,
    cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncodeGetBufferSize(nvjpegHandle_t handle,
                                                   nvjpegEncoderParams_t encoder_params,
                                                   int image_width, int image_height,
                                                   size_t *max_stream_length);
nvjpegStatus_t NVJPEGAPI nvjpegEncodeYUV(nvjpegHandle_t handle, nvjpegEncoderState_t encoder_state,
                                         nvjpegEncoderParams_t encoder_params,
                                         const nvjpegImage_t *source,
                                         nvjpegChromaSubsampling_t chroma_subsampling,
                                         int image_width, int image_height, cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncodeImage(nvjpegHandle_t handle,
                                           nvjpegEncoderState_t encoder_state,
                                           nvjpegEncoderParams_t encoder_params,
                                           const nvjpegImage_t *source,
                                           nvjpegInputFormat_t input_format, int image_width,
                                           int image_height, cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncodeRetrieveBitstreamDevice(nvjpegHandle_t handle,
                                                             nvjpegEncoderState_t encoder_state,
                                                             unsigned char *data, size_t *length,
                                                             cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncodeRetrieveBitstream(nvjpegHandle_t handle,
                                                       nvjpegEncoderState_t encoder_state,
                                                       unsigned char *data, size_t *length,
                                                       cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderParamsCopyMetadata(nvjpegEncoderState_t encoder_state,
                                                         nvjpegEncoderParams_t encode_params,
                                                         nvjpegJpegStream_t jpeg_stream,
                                                         cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderParamsCopyQuantizationTables(
    nvjpegEncoderParams_t encode_params, nvjpegJpegStream_t jpeg_stream, cudaStream_t stream);
nvjpegStatus_t NVJPEGAPI nvjpegEncoderParamsCopyHuffmanTables(nvjpegEncoderState_t encoder_state,
                                                              nvjpegEncoderParams_t encode_params,
                                                              nvjpegJpegStream_t jpeg_stream,
                                                              cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
