// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file to a program's buffers: the formats of output, and what of an image is wanted, turned
// how.
#pragma once

#include "objects.h"

/// What is to be written.
struct HeddleDecoded {
  nvjpegOutputFormat_t format = NVJPEG_OUTPUT_UNCHANGED;
  std::vector<heddle::nvjpeg::Plane> planes;
};

namespace heddle::nvjpeg {

/// Decodes the file as the format needs it. `call` is for messages.
nvjpegStatus_t decode(const char *call, unsigned flags, Bytes file,
                      const nvjpegDecodeParams &params, HeddleDecoded &decoded);

/// Success if `decode` knows how to, by the header alone.
nvjpegStatus_t check(const Header &header, const nvjpegDecodeParams &params, const char *&why);

/// Writes it in the order of the stream.
nvjpegStatus_t write(const char *call, HeddleDecoded &&decoded, const nvjpegImage_t &destination,
                     cudaStream_t stream);

} // namespace heddle::nvjpeg
