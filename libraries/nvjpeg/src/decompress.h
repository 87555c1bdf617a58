// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libjpeg: a file to pixels in host memory.
#pragma once

#include "header.h"

#include <string>

namespace heddle::nvjpeg {

/// Rows of `bytes` each, without gaps.
struct Plane {
  int width = 0, height = 0;
  int channels = 1; // of a pixel, one behind the other
  std::vector<unsigned char> pixels;

  size_t rowBytes() const { return size_t(width) * size_t(channels); }
};

struct Decoding {
  bool colours = false;     // red, green and blue, in one plane; else the components as they are
  bool cmyk = false;        // colours also of four components
  bool interpolate = false; // between samples of chroma, when colours are made
  bool strict = false;      // any fault of the file is an error
  int reduction = 1;        // of both sides: 1, 2, 4 or 8
};

nvjpegStatus_t decompress(Bytes file, const Decoding &what, std::vector<Plane> &planes,
                          std::string &why);

} // namespace heddle::nvjpeg
