// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the markers of a JPEG file say before its first scan (ITU-T T.81, annex B; Exif's
// orientation).
#pragma once

#include <nvjpeg.h>

#include <cstdint>
#include <vector>

namespace heddle::nvjpeg {

struct Bytes {
  const unsigned char *data = nullptr;
  size_t size = 0;
};

struct Component {
  int id = 0, h = 1, v = 1; // how often it is sampled
};

struct Header {
  nvjpegJpegEncoding_t encoding = NVJPEG_ENCODING_UNKNOWN;
  int width = 0, height = 0, precision = 0, components = 0;
  Component component[NVJPEG_MAX_COMPONENT];
  nvjpegExifOrientation_t orientation = NVJPEG_ORIENTATION_UNKNOWN;
  std::vector<std::vector<unsigned char>> metadata; // APPn and comments, with their markers

  int mostH() const;
  int mostV() const;
  int widthOf(int component) const;
  int heightOf(int component) const;
  nvjpegChromaSubsampling_t subsampling() const;
};

/// How much of a file has to be there, and right.
enum class Upto { Frame, Scan, Pixels };

/// `why` says what is wrong.
nvjpegStatus_t readHeader(Bytes file, Upto upto, Header &header, const char *&why);
/// Whether it begins with SOI, which may be missing.
bool hasStart(Bytes file);

/// How often the luminance is sampled for a chroma sample; false if the subsampling has no name.
bool factorsOf(nvjpegChromaSubsampling_t subsampling, int &h, int &v);

} // namespace heddle::nvjpeg
