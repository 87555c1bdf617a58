// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.h"

#include "common/task.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace heddle::nvjpeg {
namespace {

bool isColours(nvjpegOutputFormat_t format) {
  return format >= NVJPEG_OUTPUT_RGB && format <= NVJPEG_OUTPUT_BGRI;
}
bool isBlueFirst(nvjpegOutputFormat_t format) {
  return format == NVJPEG_OUTPUT_BGR || format == NVJPEG_OUTPUT_BGRI;
}

// ---- What of the image, turned how ----

struct Part {
  int x, y, width, height;
};

Plane cut(const Plane &from, const Part &part) {
  Plane result{part.width, part.height, from.channels, {}};
  result.pixels.resize(result.rowBytes() * size_t(part.height));
  for (int row = 0; row < part.height; ++row)
    std::copy_n(from.pixels.begin() + long(size_t(part.y + row) * from.rowBytes()) +
                    part.x * from.channels,
                result.rowBytes(), result.pixels.begin() + long(size_t(row) * result.rowBytes()));
  return result;
}

// Where pixel (x, y) of the upright image, which is w × h, is in what the camera has written (Exif,
// "Orientation").
std::pair<int, int> turned(nvjpegExifOrientation_t orientation, int x, int y, int w, int h) {
  switch (orientation) {
  case NVJPEG_ORIENTATION_FLIP_HORIZONTAL:
    return {w - 1 - x, y};
  case NVJPEG_ORIENTATION_ROTATE_180:
    return {w - 1 - x, h - 1 - y};
  case NVJPEG_ORIENTATION_FLIP_VERTICAL:
    return {x, h - 1 - y};
  case NVJPEG_ORIENTATION_TRANSPOSE:
    return {y, x};
  case NVJPEG_ORIENTATION_ROTATE_90:
    return {y, w - 1 - x};
  case NVJPEG_ORIENTATION_TRANSVERSE:
    return {h - 1 - y, w - 1 - x};
  case NVJPEG_ORIENTATION_ROTATE_270:
    return {h - 1 - y, x};
  default:
    return {x, y};
  }
}

Plane upright(const Plane &from, nvjpegExifOrientation_t orientation) {
  const bool sides = orientation >= NVJPEG_ORIENTATION_TRANSPOSE;
  Plane result{
      sides ? from.height : from.width, sides ? from.width : from.height, from.channels, {}};
  result.pixels.resize(from.pixels.size());
  auto *to = result.pixels.data();
  for (int y = 0; y < result.height; ++y)
    for (int x = 0; x < result.width; ++x, to += from.channels) {
      const auto [column, row] = turned(orientation, x, y, result.width, result.height);
      std::copy_n(from.pixels.begin() + long(size_t(row) * from.rowBytes()) +
                      column * from.channels,
                  from.channels, to);
    }
  return result;
}

// A part of the image is the same part of each plane, which may have fewer pixels.
nvjpegStatus_t choose(const char *call, const nvjpegDecodeParams &params, int width, int height,
                      std::vector<Plane> &planes) {
  if (params.width >= 0) {
    if (params.x + params.width > width || params.y + params.height > height)
      return refuse(call, NVJPEG_STATUS_INVALID_PARAMETER, "the region is not within the image");
    for (Plane &plane : planes) {
      const auto across = [&](int x) {
        return int((int64_t(x) * plane.width + width - 1) / width);
      };
      const auto down = [&](int y) {
        return int((int64_t(y) * plane.height + height - 1) / height);
      };
      const int x = across(params.x), y = down(params.y);
      plane = cut(plane, {x, y, std::min(across(params.x + params.width), plane.width) - x,
                          std::min(down(params.y + params.height), plane.height) - y});
    }
  }
  if (params.orientation > NVJPEG_ORIENTATION_NORMAL)
    for (Plane &plane : planes)
      plane = upright(plane, params.orientation);
  return NVJPEG_STATUS_SUCCESS;
}

// ---- The formats ----

void writePlane(const Plane &plane, unsigned char *to, size_t pitch) {
  for (int row = 0; row < plane.height; ++row)
    std::memcpy(to + size_t(row) * pitch, plane.pixels.data() + size_t(row) * plane.rowBytes(),
                plane.rowBytes());
}

// One channel of each pixel, at a distance.
void writeChannel(const Plane &plane, int channel, unsigned char *to, size_t pitch, int step) {
  const unsigned char *from = plane.pixels.data() + channel;
  for (int row = 0; row < plane.height; ++row)
    for (int column = 0; column < plane.width; ++column, from += plane.channels)
      to[size_t(row) * pitch + size_t(column * step)] = *from;
}

void writeColours(const HeddleDecoded &image, const nvjpegImage_t &to) {
  const Plane &plane = image.planes.front();
  const bool apart = image.format == NVJPEG_OUTPUT_RGB || image.format == NVJPEG_OUTPUT_BGR;
  for (int channel = 0; channel < 3; ++channel) {
    const int place = isBlueFirst(image.format) ? 2 - channel : channel;
    const int from = plane.channels == 1 ? 0 : channel;
    if (apart)
      writeChannel(plane, from, to.channel[place], to.pitch[place], 1);
    else
      writeChannel(plane, from, to.channel[0] + place, to.pitch[0], 3);
  }
}

void writeComponents(const HeddleDecoded &image, const nvjpegImage_t &to) {
  const std::vector<Plane> &planes = image.planes;
  switch (image.format) {
  case NVJPEG_OUTPUT_NV12:
    writePlane(planes[0], to.channel[0], to.pitch[0]);
    writeChannel(planes[1], 0, to.channel[1], to.pitch[1], 2);
    writeChannel(planes[2], 0, to.channel[1] + 1, to.pitch[1], 2);
    break;
  case NVJPEG_OUTPUT_YUY2:
    writeChannel(planes[0], 0, to.channel[0], to.pitch[0], 2);
    writeChannel(planes[1], 0, to.channel[0] + 1, to.pitch[0], 4);
    writeChannel(planes[2], 0, to.channel[0] + 3, to.pitch[0], 4);
    break;
  case NVJPEG_OUTPUT_UNCHANGEDI:
    for (size_t i = 0; i < planes.size(); ++i)
      writeChannel(planes[i], 0, to.channel[0] + i, to.pitch[0], int(planes.size()));
    break;
  case NVJPEG_OUTPUT_Y:
    writePlane(planes[0], to.channel[0], to.pitch[0]);
    break;
  default: // each by itself
    for (size_t i = 0; i < planes.size(); ++i)
      writePlane(planes[i], to.channel[i], to.pitch[i]);
  }
}

// How many buffers of the program's a format needs, and how wide the rows in each are.
std::vector<size_t> rowsOf(const HeddleDecoded &image) {
  const std::vector<Plane> &planes = image.planes;
  const size_t width = size_t(planes[0].width);
  switch (image.format) {
  case NVJPEG_OUTPUT_RGB:
  case NVJPEG_OUTPUT_BGR:
    return {width, width, width};
  case NVJPEG_OUTPUT_RGBI:
  case NVJPEG_OUTPUT_BGRI:
    return {3 * width};
  case NVJPEG_OUTPUT_Y:
    return {width};
  case NVJPEG_OUTPUT_NV12:
    return {width, 2 * size_t(planes[1].width)};
  case NVJPEG_OUTPUT_YUY2:
    return {4 * size_t(planes[1].width)};
  case NVJPEG_OUTPUT_UNCHANGEDI:
    return {width * planes.size()};
  default: {
    std::vector<size_t> rows;
    for (const Plane &plane : planes)
      rows.push_back(size_t(plane.width));
    return rows;
  }
  }
}

} // namespace

// Which files are not supported, and for which a format makes no sense: both as NVIDIA's.
nvjpegStatus_t check(const Header &header, const nvjpegDecodeParams &params, const char *&why) {
  const int n = header.components;
  const bool any =
      params.format == NVJPEG_OUTPUT_UNCHANGED || params.format == NVJPEG_OUTPUT_UNCHANGEDI;
  why = "it is a lossless file, or its samples have other than 8 bits";
  if (header.encoding == NVJPEG_ENCODING_LOSSLESS_HUFFMAN || header.precision != 8)
    return NVJPEG_STATUS_JPEG_NOT_SUPPORTED;
  if (params.format == NVJPEG_OUTPUT_UNCHANGEDI_U16)
    why = "output of 16 bits is for lossless files, which are not supported";
  else if (params.format == NVJPEG_OUTPUT_NV12 && header.subsampling() != NVJPEG_CSS_420)
    why = "NV12 needs an image with 4:2:0 subsampling";
  else if (params.format == NVJPEG_OUTPUT_YUY2 && header.subsampling() != NVJPEG_CSS_422)
    why = "YUY2 needs an image with 4:2:2 subsampling";
  else if (!any && n == 2)
    why = "an image with two components has no colours";
  else if (!any && n == 4 && !(params.cmyk && isColours(params.format)))
    why = "CMYK is converted only to colours, and if nvjpegDecodeParamsSetAllowCMYK allows it";
  else if (isColours(params.format) && n == 3 && header.subsampling() == NVJPEG_CSS_UNKNOWN)
    why = "colours need a subsampling that has a name";
  else if (params.format == NVJPEG_OUTPUT_UNCHANGEDI && header.subsampling() != NVJPEG_CSS_444 &&
           n > 1)
    why = "components of different sizes cannot be one behind the other";
  else if (params.reduction > 1 && !isColours(params.format) && n != 1)
    why = "only colours are scaled";
  else
    return NVJPEG_STATUS_SUCCESS;
  return NVJPEG_STATUS_INVALID_PARAMETER;
}

nvjpegStatus_t decode(const char *call, unsigned flags, Bytes file,
                      const nvjpegDecodeParams &params, HeddleDecoded &decoded) {
  Header header;
  const char *reason = "";
  nvjpegStatus_t status = readHeader(file, Upto::Pixels, header, reason);
  if (!status)
    status = check(header, params, reason);
  if (status)
    return refuse(call, status, reason);
  decoded.format = params.format;
  const Decoding how{isColours(params.format), params.cmyk,
                     (flags & NVJPEG_FLAGS_UPSAMPLING_WITH_INTERPOLATION) != 0,
                     (flags & NVJPEG_FLAGS_BITSTREAM_STRICT) != 0, params.reduction};
  std::string why;
  try {
    status = decompress(file, how, decoded.planes, why);
    const auto reduced = [&](int size) { return (size + params.reduction - 1) / params.reduction; };
    if (!status)
      return choose(call, params, reduced(header.width), reduced(header.height), decoded.planes);
  } catch (const std::bad_alloc &) {
    why = "there is no memory for the image";
    status = NVJPEG_STATUS_ALLOCATOR_FAILURE;
  }
  return refuse(call, status, why);
}

nvjpegStatus_t write(const char *call, HeddleDecoded &&decoded, const nvjpegImage_t &destination,
                     cudaStream_t stream) {
  const std::vector<size_t> rows = rowsOf(decoded);
  for (size_t i = 0; i < rows.size(); ++i)
    if (!destination.channel[i] || destination.pitch[i] < rows[i])
      return refuse(call, NVJPEG_STATUS_INVALID_PARAMETER,
                    "a channel is null, or its pitch is less than a row");
  auto image = std::make_shared<HeddleDecoded>(std::move(decoded));
  const cudaError_t error = library::submit(call, stream, [image, destination] {
    isColours(image->format) ? writeColours(*image, destination)
                             : writeComponents(*image, destination);
  });
  return error ? refuse(call, NVJPEG_STATUS_EXECUTION_FAILED, cudaGetErrorString(error))
               : NVJPEG_STATUS_SUCCESS;
}

} // namespace heddle::nvjpeg
