// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graphics/image_format.h"

namespace heddle {
namespace {

enum class Layout { Red, Rg, Rgba, Alpha, LuminanceAlpha };
enum class Channel { Fraction, Unsigned, Signed, Float };

struct Known {
  gl::Enum internal;
  Layout layout;
  Channel channel;
  int bits;
};

// Values of OpenGL's registry. Luminance and intensity are read and written as red. Without a
// size, drivers take 8 bits.
constexpr Known known[] = {
    {0x1903 /* RED */, Layout::Red, Channel::Fraction, 8},
    {0x8227 /* RG */, Layout::Rg, Channel::Fraction, 8},
    {0x1908 /* RGBA */, Layout::Rgba, Channel::Fraction, 8},
    {0x1906 /* ALPHA */, Layout::Alpha, Channel::Fraction, 8},
    {0x1909 /* LUMINANCE */, Layout::Red, Channel::Fraction, 8},
    {0x190A /* LUMINANCE_ALPHA */, Layout::LuminanceAlpha, Channel::Fraction, 8},
    {0x8049 /* INTENSITY */, Layout::Red, Channel::Fraction, 8},
    {1, Layout::Red, Channel::Fraction, 8},
    {2, Layout::LuminanceAlpha, Channel::Fraction, 8},
    {4, Layout::Rgba, Channel::Fraction, 8},
    {0x8229 /* R8 */, Layout::Red, Channel::Fraction, 8},
    {0x822A /* R16 */, Layout::Red, Channel::Fraction, 16},
    {0x822B /* RG8 */, Layout::Rg, Channel::Fraction, 8},
    {0x822C /* RG16 */, Layout::Rg, Channel::Fraction, 16},
    {0x8058 /* RGBA8 */, Layout::Rgba, Channel::Fraction, 8},
    {0x805B /* RGBA16 */, Layout::Rgba, Channel::Fraction, 16},
    {0x803C /* ALPHA8 */, Layout::Alpha, Channel::Fraction, 8},
    {0x803E /* ALPHA16 */, Layout::Alpha, Channel::Fraction, 16},
    {0x8040 /* LUMINANCE8 */, Layout::Red, Channel::Fraction, 8},
    {0x8042 /* LUMINANCE16 */, Layout::Red, Channel::Fraction, 16},
    {0x8045 /* LUMINANCE8_ALPHA8 */, Layout::LuminanceAlpha, Channel::Fraction, 8},
    {0x8048 /* LUMINANCE16_ALPHA16 */, Layout::LuminanceAlpha, Channel::Fraction, 16},
    {0x804B /* INTENSITY8 */, Layout::Red, Channel::Fraction, 8},
    {0x804D /* INTENSITY16 */, Layout::Red, Channel::Fraction, 16},
    {0x822D /* R16F */, Layout::Red, Channel::Float, 16},
    {0x822E /* R32F */, Layout::Red, Channel::Float, 32},
    {0x822F /* RG16F */, Layout::Rg, Channel::Float, 16},
    {0x8230 /* RG32F */, Layout::Rg, Channel::Float, 32},
    {0x881A /* RGBA16F */, Layout::Rgba, Channel::Float, 16},
    {0x8814 /* RGBA32F */, Layout::Rgba, Channel::Float, 32},
    {0x881C /* ALPHA16F */, Layout::Alpha, Channel::Float, 16},
    {0x8816 /* ALPHA32F */, Layout::Alpha, Channel::Float, 32},
    {0x881E /* LUMINANCE16F */, Layout::Red, Channel::Float, 16},
    {0x8818 /* LUMINANCE32F */, Layout::Red, Channel::Float, 32},
    {0x881F /* LUMINANCE_ALPHA16F */, Layout::LuminanceAlpha, Channel::Float, 16},
    {0x8819 /* LUMINANCE_ALPHA32F */, Layout::LuminanceAlpha, Channel::Float, 32},
    {0x881D /* INTENSITY16F */, Layout::Red, Channel::Float, 16},
    {0x8817 /* INTENSITY32F */, Layout::Red, Channel::Float, 32},
    {0x8231 /* R8I */, Layout::Red, Channel::Signed, 8},
    {0x8232 /* R8UI */, Layout::Red, Channel::Unsigned, 8},
    {0x8233 /* R16I */, Layout::Red, Channel::Signed, 16},
    {0x8234 /* R16UI */, Layout::Red, Channel::Unsigned, 16},
    {0x8235 /* R32I */, Layout::Red, Channel::Signed, 32},
    {0x8236 /* R32UI */, Layout::Red, Channel::Unsigned, 32},
    {0x8237 /* RG8I */, Layout::Rg, Channel::Signed, 8},
    {0x8238 /* RG8UI */, Layout::Rg, Channel::Unsigned, 8},
    {0x8239 /* RG16I */, Layout::Rg, Channel::Signed, 16},
    {0x823A /* RG16UI */, Layout::Rg, Channel::Unsigned, 16},
    {0x823B /* RG32I */, Layout::Rg, Channel::Signed, 32},
    {0x823C /* RG32UI */, Layout::Rg, Channel::Unsigned, 32},
    {0x8D8E /* RGBA8I */, Layout::Rgba, Channel::Signed, 8},
    {0x8D7C /* RGBA8UI */, Layout::Rgba, Channel::Unsigned, 8},
    {0x8D88 /* RGBA16I */, Layout::Rgba, Channel::Signed, 16},
    {0x8D76 /* RGBA16UI */, Layout::Rgba, Channel::Unsigned, 16},
    {0x8D82 /* RGBA32I */, Layout::Rgba, Channel::Signed, 32},
    {0x8D70 /* RGBA32UI */, Layout::Rgba, Channel::Unsigned, 32},
};

int channels(Layout layout) {
  switch (layout) {
  case Layout::Red:
  case Layout::Alpha:
    return 1;
  case Layout::Rg:
  case Layout::LuminanceAlpha:
    return 2;
  case Layout::Rgba:
    break;
  }
  return 4;
}

gl::Enum formatOf(Layout layout, bool integers) {
  switch (layout) {
  case Layout::Red:
    return integers ? gl::red_integer : gl::red;
  case Layout::Rg:
    return integers ? gl::rg_integer : gl::rg;
  case Layout::Alpha:
    return gl::alpha;
  case Layout::LuminanceAlpha:
    return gl::luminance_alpha;
  case Layout::Rgba:
    break;
  }
  return integers ? gl::rgba_integer : gl::rgba;
}

/// GL_BYTE, GL_UNSIGNED_BYTE, GL_SHORT, … GL_FLOAT follow each other.
gl::Enum typeOf(Channel channel, int bits) {
  if (channel == Channel::Float)
    return bits == 16 ? gl::type_half : gl::type_byte + 6;
  const gl::Enum of_size = bits == 8 ? 0 : bits == 16 ? 2 : 4;
  return gl::type_byte + of_size + (channel == Channel::Signed ? 0 : 1);
}

cudaChannelFormatKind kindOf(Channel channel) {
  return channel == Channel::Float    ? cudaChannelFormatKindFloat
         : channel == Channel::Signed ? cudaChannelFormatKindSigned
                                      : cudaChannelFormatKindUnsigned;
}

} // namespace

std::optional<ImageFormat> imageFormat(gl::Enum internal) {
  for (const Known &each : known) {
    if (each.internal != internal)
      continue;
    const int count = channels(each.layout);
    const auto bits = [&](int channel) { return channel < count ? each.bits : 0; };
    const bool integers = each.channel == Channel::Signed || each.channel == Channel::Unsigned;
    return ImageFormat{{bits(0), bits(1), bits(2), bits(3), kindOf(each.channel)},
                       formatOf(each.layout, integers),
                       typeOf(each.channel, each.bits)};
  }
  return std::nullopt;
}

} // namespace heddle
