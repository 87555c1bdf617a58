// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/texture/formats.h"

#include <algorithm>
#include <iterator>

namespace heddle::driver {
namespace {

struct Format {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
};

const Format formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

} // namespace

bool channelFormat(CUarray_format format, unsigned channels, cudaChannelFormatDesc &desc) {
  const auto found = std::find_if(std::begin(formats), std::end(formats),
                                  [&](const Format &known) { return known.format == format; });
  if (found == std::end(formats) || (channels != 1 && channels != 2 && channels != 4))
    return false;
  const int bits = found->bits;
  desc = {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0,
          found->kind};
  return true;
}

CUarray_format arrayFormat(const cudaChannelFormatDesc &desc, unsigned &channels) {
  channels = unsigned(desc.x != 0) + (desc.y != 0) + (desc.z != 0) + (desc.w != 0);
  const auto found = std::find_if(std::begin(formats), std::end(formats), [&](const Format &known) {
    return known.bits == desc.x && known.kind == desc.f;
  });
  return found == std::end(formats) ? CUarray_format(0) : found->format;
}

size_t texelBytes(const cudaChannelFormatDesc &desc) {
  return size_t(desc.x + desc.y + desc.z + desc.w) / 8;
}

} // namespace heddle::driver
