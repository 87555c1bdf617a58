// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libjpeg: pixels to a file in memory.
#pragma once

#include "header.h"

#include <array>
#include <optional>
#include <string>

namespace heddle::nvjpeg {

using QuantTables = std::array<std::optional<std::array<uint16_t, 64>>, 4>;
struct HuffmanTable {
  unsigned char bits[17], values[256];
};
struct HuffmanTables {
  std::array<std::optional<HuffmanTable>, 4> dc, ac;
};

struct Encoding {
  int quality = 70;
  bool optimized = false, progressive = false;
  nvjpegChromaSubsampling_t subsampling = NVJPEG_CSS_444;
  std::optional<QuantTables> quant; // in place of the quality's
  std::optional<HuffmanTables> huffman;
  std::vector<std::vector<unsigned char>> metadata;
};

/// What is in a file's headers, to be used for another one. False if it cannot be read.
bool readTables(Bytes file, QuantTables &quant, HuffmanTables &huffman);

/// Pixels of a source: of colours (interleaved or in planes), or of Y, Cb and Cr as subsampled.
struct Source {
  nvjpegImage_t image{};
  std::optional<nvjpegInputFormat_t> colours;             // else …
  nvjpegChromaSubsampling_t subsampling = NVJPEG_CSS_444; // … these
  int width = 0, height = 0;
};

nvjpegStatus_t compress(const Source &source, const Encoding &encoding,
                        std::vector<unsigned char> &file, std::string &why);

} // namespace heddle::nvjpeg
