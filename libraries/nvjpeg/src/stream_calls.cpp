// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitstreams: files whose headers were read.
#include "objects.h"

using namespace heddle::nvjpeg;

namespace {

nvjpegStatus_t parse(const char *call, nvjpegJpegStream_t stream, Bytes file, bool metadata,
                     bool keep, Upto upto) {
  stream->parsed = false;
  Header header;
  const char *why = "";
  if (const nvjpegStatus_t status = readHeader(file, upto, header, why))
    return refuse(call, status, why);
  if (!metadata)
    header.metadata.clear();
  stream->header = std::move(header);
  stream->kept.clear();
  if (keep) {
    stream->kept.assign(file.data, file.data + file.size);
    file.data = stream->kept.data();
  }
  stream->file = file;
  stream->parsed = true;
  return NVJPEG_STATUS_SUCCESS;
}

} // namespace

nvjpegStatus_t nvjpegJpegStreamCreate(nvjpegHandle_t handle, nvjpegJpegStream_t *jpeg_stream) {
  NEED_LIBRARY(handle);
  return make(__func__, jpeg_stream, nvjpegJpegStream{});
}

nvjpegStatus_t nvjpegJpegStreamDestroy(nvjpegJpegStream_t jpeg_stream) {
  return destroy(__func__, jpeg_stream);
}

nvjpegStatus_t nvjpegJpegStreamParse(nvjpegHandle_t handle, const unsigned char *data,
                                     size_t length, int save_metadata, int save_stream,
                                     nvjpegJpegStream_t jpeg_stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(jpeg_stream);
  NEED(data && length, "there is no data");
  return parse(__func__, jpeg_stream, {data, length}, save_metadata != 0, save_stream != 0,
               Upto::Pixels);
}

nvjpegStatus_t nvjpegJpegStreamParseHeader(nvjpegHandle_t handle, const unsigned char *data,
                                           size_t length, nvjpegJpegStream_t jpeg_stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(jpeg_stream);
  NEED(data && length, "there is no data");
  return parse(__func__, jpeg_stream, {data, length}, false, false, Upto::Scan);
}

nvjpegStatus_t nvjpegJpegStreamParseTables(nvjpegHandle_t handle, const unsigned char *, size_t,
                                           nvjpegJpegStream_t jpeg_stream) {
  NEED_LIBRARY(handle);
  NEED_OBJECT(jpeg_stream);
  return refuse(__func__, NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED,
                "tables apart from their images (TIFF) are not supported");
}

nvjpegStatus_t nvjpegJpegStreamGetJpegEncoding(nvjpegJpegStream_t jpeg_stream,
                                               nvjpegJpegEncoding_t *jpeg_encoding) {
  NEED_PARSED(jpeg_stream);
  NEED_POINTER(jpeg_encoding);
  *jpeg_encoding = jpeg_stream->header.encoding;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegJpegStreamGetFrameDimensions(nvjpegJpegStream_t jpeg_stream, unsigned *width,
                                                  unsigned *height) {
  NEED_PARSED(jpeg_stream);
  NEED(width && height, "a pointer is null");
  *width = unsigned(jpeg_stream->header.width);
  *height = unsigned(jpeg_stream->header.height);
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegJpegStreamGetComponentsNum(nvjpegJpegStream_t jpeg_stream,
                                                unsigned *components_num) {
  NEED_PARSED(jpeg_stream);
  NEED_POINTER(components_num);
  *components_num = unsigned(jpeg_stream->header.components);
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegJpegStreamGetComponentDimensions(nvjpegJpegStream_t jpeg_stream,
                                                      unsigned component, unsigned *width,
                                                      unsigned *height) {
  NEED_PARSED(jpeg_stream);
  NEED(width && height, "a pointer is null");
  NEED(component < unsigned(jpeg_stream->header.components), "there is no such component");
  *width = unsigned(jpeg_stream->header.widthOf(int(component)));
  *height = unsigned(jpeg_stream->header.heightOf(int(component)));
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegJpegStreamGetSamplePrecision(nvjpegJpegStream_t jpeg_stream,
                                                  unsigned *precision) {
  NEED_PARSED(jpeg_stream);
  NEED_POINTER(precision);
  *precision = unsigned(jpeg_stream->header.precision);
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegJpegStreamGetExifOrientation(nvjpegJpegStream_t jpeg_stream,
                                                  nvjpegExifOrientation_t *orientation_flag) {
  NEED_PARSED(jpeg_stream);
  NEED_POINTER(orientation_flag);
  *orientation_flag = jpeg_stream->header.orientation;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegJpegStreamGetChromaSubsampling(nvjpegJpegStream_t jpeg_stream,
                                                    nvjpegChromaSubsampling_t *chroma_subsampling) {
  NEED_PARSED(jpeg_stream);
  NEED_POINTER(chroma_subsampling);
  *chroma_subsampling = jpeg_stream->header.subsampling();
  return NVJPEG_STATUS_SUCCESS;
}
