// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppicc: colours and look-up tables.
#pragma GCC visibility push(default)
#include <nppi_color_conversion.h>
#pragma GCC visibility pop

#include "call.h"
#include "kernels/colour.h"
#include "kernels/pointwise.h"

#include <cstring>

namespace heddle::npp {
namespace {

enum class Layout { C1, C2, C3, C4, AC4, P3, P420, P422, Yuyv, Nv12, Nv21 };

/// A conversion between RGB, or BGR, and another model.
struct Conversion {
  Model model;
  float matrix[3][4]; // with a constant in the last column
  bool bgr = false, back = false;
};

// The coefficients are those of NPP's documentation ("Image Color Conversion").
constexpr Conversion RgbToYuv{Model::Affine,
                              {{0.299f, 0.587f, 0.114f, 0},
                               {0.492f * -0.299f, 0.492f * -0.587f, 0.492f * 0.886f, 128},
                               {0.877f * 0.701f, 0.877f * -0.587f, 0.877f * -0.114f, 128}}};
constexpr Conversion YuvToRgb{Model::Affine,
                              {{1, 0, 1.140f, -1.140f * 128},
                               {1, -0.394f, -0.581f, (0.394f + 0.581f) * 128},
                               {1, 2.032f, 0, -2.032f * 128}},
                              false,
                              true};
constexpr Conversion RgbToYcbcr{Model::Affine,
                                {{0.257f, 0.504f, 0.098f, 16},
                                 {-0.148f, -0.291f, 0.439f, 128},
                                 {0.439f, -0.368f, -0.071f, 128}}};
constexpr Conversion YcbcrToRgb{Model::Affine,
                                {{1.164f, 0, 1.596f, -1.164f * 16 - 1.596f * 128},
                                 {1.164f, -0.392f, -0.813f, -1.164f * 16 + 1.205f * 128},
                                 {1.164f, 2.017f, 0, -1.164f * 16 - 2.017f * 128}},
                                false,
                                true};
constexpr Conversion RgbTo709{Model::Affine,
                              {{0.183f, 0.614f, 0.062f, 16},
                               {-0.101f, -0.338f, 0.439f, 128},
                               {0.439f, -0.399f, -0.040f, 128}}};
constexpr Conversion From709ToRgb{Model::Affine,
                                  {{1.164f, 0, 1.793f, -1.164f * 16 - 1.793f * 128},
                                   {1.164f, -0.213f, -0.534f, -1.164f * 16 + 0.747f * 128},
                                   {1.164f, 2.115f, 0, -1.164f * 16 - 2.115f * 128}},
                                  false,
                                  true};
constexpr Conversion HdtvToRgb{Model::Affine,
                               {{1, 0, 1.540f, -1.540f * 128},
                                {1, -0.183f, -0.459f, 0.642f * 128},
                                {1, 1.816f, 0, -1.816f * 128}},
                               false,
                               true};
constexpr float ycc_y = 1 / 1.402f, ycc_1 = 111.40f / 255, ycc_2 = 135.64f / 255;
constexpr Conversion RgbToYcc{Model::Affine,
                              {{ycc_y * 0.299f, ycc_y * 0.587f, ycc_y * 0.114f, 0},
                               {ycc_1 * -0.299f, ycc_1 * -0.587f, ycc_1 * 0.886f, 156},
                               {ycc_2 * 0.701f, ycc_2 * -0.587f, ycc_2 * -0.114f, 137}}};
constexpr float rgb_y = 1.3584f, rgb_1 = 2.2179f, rgb_2 = 1.8215f;
constexpr Conversion YccToRgb{
    Model::Affine,
    {{rgb_y, 0, rgb_2, -rgb_2 * 137},
     {rgb_y, -0.194f * rgb_1, -0.509f * rgb_2, 0.194f * rgb_1 * 156 + 0.509f * rgb_2 * 137},
     {rgb_y, rgb_1, 0, -rgb_1 * 156}},
    false,
    true};
constexpr Conversion RgbToXyz{Model::Affine,
                              {{0.412453f, 0.35758f, 0.180423f, 0},
                               {0.212671f, 0.71516f, 0.072169f, 0},
                               {0.019334f, 0.119193f, 0.950227f, 0}}};
constexpr Conversion XyzToRgb{Model::Affine,
                              {{3.240479f, -1.53715f, -0.498535f, 0},
                               {-0.969256f, 1.875991f, 0.041556f, 0},
                               {0.055648f, -0.204043f, 1.057311f, 0}},
                              false,
                              true};
constexpr Conversion Same{Model::Affine, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
constexpr Conversion RgbToLuv{Model::ToLuv, {}}, RgbToHls{Model::ToHls, {}},
    RgbToHsv{Model::ToHsv, {}};
constexpr Conversion LuvToRgb{Model::FromLuv, {}, false, true},
    HlsToRgb{Model::FromHls, {}, false, true}, HsvToRgb{Model::FromHsv, {}, false, true};
constexpr Conversion BgrToLab{Model::ToLab, {}, true}, LabToBgr{Model::FromLab, {}, true, true};

constexpr Conversion ofBgr(Conversion conversion) {
  conversion.bgr = true;
  return conversion;
}
constexpr Conversion BgrToYuv = ofBgr(RgbToYuv), YuvToBgr = ofBgr(YuvToRgb),
                     BgrToYcbcr = ofBgr(RgbToYcbcr), YcbcrToBgr = ofBgr(YcbcrToRgb),
                     BgrTo709 = ofBgr(RgbTo709), From709ToBgr = ofBgr(From709ToRgb),
                     HdtvToBgr = ofBgr(HdtvToRgb);

int planesOf(Layout layout) {
  switch (layout) {
  case Layout::P3:
  case Layout::P420:
  case Layout::P422:
    return 3;
  case Layout::Nv12:
  case Layout::Nv21:
    return 2;
  default:
    return 1;
  }
}

void setComponent(Components &c, int i, char *data, long long step, int stride, int shift_x,
                  int shift_y) {
  c.data[i] = data;
  c.step[i] = step;
  c.stride[i] = stride;
  c.shift_x[i] = shift_x;
  c.shift_y[i] = shift_y;
}

// `planes` and `steps` have as many entries as the layout has planes.
Components componentsOf(Layout layout, Type type, char *const *planes, const int *steps) {
  Components c;
  c.type = type;
  const int size = sizeOf(type);
  switch (layout) {
  case Layout::P3:
  case Layout::P420:
  case Layout::P422:
    for (int i = 0; i < 3; ++i)
      setComponent(c, i, planes[i], steps[i], 1, i > 0 && layout != Layout::P3,
                   i > 0 && layout == Layout::P420);
    break;
  case Layout::Nv12:
  case Layout::Nv21:
    setComponent(c, 0, planes[0], steps[0], 1, 0, 0);
    for (int i = 1; i < 3; ++i)
      setComponent(c, i, planes[1] + (layout == Layout::Nv12 ? i - 1 : 2 - i) * size, steps[1], 2,
                   1, 1);
    break;
  case Layout::Yuyv:
    setComponent(c, 0, planes[0], steps[0], 2, 0, 0);
    setComponent(c, 1, planes[0] + size, steps[0], 4, 1, 0);
    setComponent(c, 2, planes[0] + 3 * size, steps[0], 4, 1, 0);
    break;
  default: {
    const int stride = layout == Layout::C1   ? 1
                       : layout == Layout::C2 ? 2
                       : layout == Layout::C3 ? 3
                                              : 4;
    c.count = layout == Layout::AC4 ? 3 : stride;
    for (int i = 0; i < stride; ++i)
      setComponent(c, i, planes[0] + i * size, steps[0], stride, 0, 0);
  }
  }
  return c;
}

void swapFirstAndThird(Components &c) {
  std::swap(c.data[0], c.data[2]);
  std::swap(c.step[0], c.step[2]);
}

/// An image as its planes, whatever form the caller gave it in.
struct Given {
  char *planes[3] = {};
  int steps[3] = {};
  bool missing = false;
  Given(const Npp8u *packed, int step, Layout) {
    planes[0] = reinterpret_cast<char *>(const_cast<Npp8u *>(packed));
    steps[0] = step;
  }
  Given(const Npp8u *const *given, int step, Layout layout) {
    take(given, layout);
    for (int &s : steps)
      s = step;
  }
  Given(const Npp8u *const *given, const int *given_steps, Layout layout) {
    take(given, layout);
    missing |= !given_steps;
    for (int i = 0; given_steps && i < planesOf(layout); ++i)
      steps[i] = given_steps[i];
  }
  void take(const Npp8u *const *given, Layout layout) {
    missing = !given;
    for (int i = 0; given && i < planesOf(layout); ++i)
      planes[i] = reinterpret_cast<char *>(const_cast<Npp8u *>(given[i]));
  }
  NppStatus check(const Call &call, NppiSize size, Layout layout) const {
    if (missing)
      return checkNotNull(call, {nullptr});
    for (int i = 0; i < planesOf(layout); ++i)
      if (const NppStatus status =
              checkImages(call, {{reinterpret_cast<const Npp8u *>(planes[i]), steps[i]}}, size))
        return status;
    return NPP_SUCCESS;
  }
};

NppStatus convert(const Call &call, const Conversion &how, Layout from, Layout to, const Given &src,
                  const Given &dst, NppiSize size, int alpha = 255) {
  if (const NppStatus status = src.check(call, size, from))
    return status;
  if (const NppStatus status = dst.check(call, size, to))
    return status;
  Colour work;
  work.src = componentsOf(from, Type::U8, src.planes, src.steps);
  work.dst = componentsOf(to, Type::U8, dst.planes, dst.steps);
  work.src.count = std::min(work.src.count, 3);
  if (how.bgr)
    swapFirstAndThird(how.back ? work.dst : work.src);
  work.width = size.width;
  work.height = size.height;
  work.model = how.model;
  work.alpha = alpha;
  for (int i = 0; i < 3; ++i) {
    std::copy(how.matrix[i], how.matrix[i] + 3, work.matrix[i]);
    work.matrix[i][4] = how.matrix[i][3];
  }
  return finish(call, launch(work, call.stream));
}

template <typename Src, typename SrcStep, typename Dst, typename DstStep>
NppStatus convertAny(const Call &call, const Conversion &how, Layout from, Layout to, Src src,
                     SrcStep src_step, Dst dst, DstStep dst_step, NppiSize size, int alpha = 255) {
  return convert(call, how, from, to, {src, src_step, from}, {dst, dst_step, to}, size, alpha);
}
#define HEDDLE_NPP_SHAPE(name)                                                                     \
  template <typename... Rest> NppStatus name(const Call &call, Rest... rest) {                     \
    return convertAny(call, rest...);                                                              \
  }
HEDDLE_NPP_SHAPE(ccCC)
HEDDLE_NPP_SHAPE(ccPP)
HEDDLE_NPP_SHAPE(ccCP)
HEDDLE_NPP_SHAPE(ccPC)
HEDDLE_NPP_SHAPE(ccPCA)
HEDDLE_NPP_SHAPE(ccCS)
HEDDLE_NPP_SHAPE(ccPS)
HEDDLE_NPP_SHAPE(ccSC)
HEDDLE_NPP_SHAPE(ccSP)

template <typename S> char *bytes(const S *data) {
  return reinterpret_cast<char *>(const_cast<S *>(data));
}

template <typename S>
NppStatus anyGray(const Call &call, Layout layout, int count, const S *src, int src_step, S *dst,
                  int dst_step, NppiSize size, const Npp32f *coefficients) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {coefficients}))
    return status;
  Colour work;
  char *const from = bytes(src), *const to = bytes(dst);
  work.src = componentsOf(layout, typeOf<S>(), &from, &src_step);
  work.dst = componentsOf(Layout::C1, typeOf<S>(), &to, &dst_step);
  work.width = size.width;
  work.height = size.height;
  work.round = Round::TiesToEven; // unlike other colour models, on an H100
  std::copy(coefficients, coefficients + count, work.matrix[0]);
  return finish(call, launch(work, call.stream));
}
template <typename S>
NppStatus gray(const Call &call, Layout layout, const S *src, int src_step, S *dst, int dst_step,
               NppiSize size) {
  const Npp32f coefficients[3] = {0.299f, 0.587f, 0.114f};
  return anyGray(call, layout, 3, src, src_step, dst, dst_step, size, coefficients);
}

template <typename S>
NppStatus twistPlanes(const Call &call, Layout layout, char *const *src, int src_step,
                      char *const *dst, int dst_step, NppiSize size, const Npp32f (*twist)[4]) {
  if (const NppStatus status = checkNotNull(call, {twist}))
    return status;
  const int src_steps[3] = {src_step, src_step, src_step};
  const int dst_steps[3] = {dst_step, dst_step, dst_step};
  Colour work;
  work.src = componentsOf(layout, typeOf<S>(), src, src_steps);
  work.dst = componentsOf(layout, typeOf<S>(), dst, dst_steps);
  work.width = size.width;
  work.height = size.height;
  for (int i = 0; i < std::min(work.src.count, 3); ++i) {
    std::copy(twist[i], twist[i] + 3, work.matrix[i]);
    work.matrix[i][4] = twist[i][3];
  }
  return finish(call, launch(work, call.stream));
}
template <typename S>
NppStatus twist(const Call &call, Layout layout, const S *src, int src_step, S *dst, int dst_step,
                NppiSize size, const Npp32f (*twist)[4]) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  char *const from = bytes(src), *const to = bytes(dst);
  return twistPlanes<S>(call, layout, &from, src_step, &to, dst_step, size, twist);
}
template <typename S>
NppStatus twistI(const Call &call, Layout layout, S *dst, int step, NppiSize size,
                 const Npp32f (*coefficients)[4]) {
  return twist(call, layout, dst, step, dst, step, size, coefficients);
}
template <typename S>
NppStatus twistP(const Call &call, Layout layout, const S *const *src, int src_step, S **dst,
                 int dst_step, NppiSize size, const Npp32f (*twist)[4]) {
  if (const NppStatus status = checkNotNull(call, {src, dst}))
    return status;
  char *from[3], *to[3];
  for (int i = 0; i < 3; ++i) {
    if (const NppStatus status = checkImages(call, {{src[i], src_step}, {dst[i], dst_step}}, size))
      return status;
    from[i] = bytes(src[i]);
    to[i] = bytes(dst[i]);
  }
  return twistPlanes<S>(call, layout, from, src_step, to, dst_step, size, twist);
}

template <typename S, typename V>
NppStatus lookUp(const Call &call, Lookup how, int stride, const S *src, int src_step, S *dst,
                 int dst_step, NppiSize size, const V *values, const V *levels, int count) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {values, levels}))
    return status;
  if (count < 2)
    return HEDDLE_NPP_REFUSE(call, NPP_LUT_NUMBER_OF_LEVELS_ERROR,
                             "a table has at least two levels");
  const Table work{
      operand(src, src_step), operand(dst, dst_step), size.width,  size.height, stride, how,
      bytes(values),          bytes(levels),          typeOf<V>(), count};
  return finish(call, launch(work, call.stream));
}
template <typename S, typename V>
NppStatus lut(const Call &call, Lookup how, const S *src, int src_step, S *dst, int dst_step,
              NppiSize size, const V *values, const V *levels, int count) {
  return lookUp(call, how, 1, src, src_step, dst, dst_step, size, values, levels, count);
}
template <typename S, typename V>
NppStatus lutI(const Call &call, Lookup how, S *dst, int step, NppiSize size, const V *values,
               const V *levels, int count) {
  return lookUp(call, how, 1, dst, step, dst, step, size, values, levels, count);
}
template <typename S, typename V>
NppStatus luts(const Call &call, Lookup how, Channels channels, const S *src, int src_step, S *dst,
               int dst_step, NppiSize size, const V **values, const V **levels, int *counts) {
  if (const NppStatus status = checkNotNull(call, {src, dst, values, levels, counts}))
    return status;
  for (int i = 0; i < (channels.alpha ? 3 : channels.count); ++i)
    if (const NppStatus status = lookUp(call, how, channels.count, src + i, src_step, dst + i,
                                        dst_step, size, values[i], levels[i], counts[i]))
      return status;
  return NPP_SUCCESS;
}
template <typename S, typename V>
NppStatus lutsI(const Call &call, Lookup how, Channels channels, S *dst, int step, NppiSize size,
                const V **values, const V **levels, int *counts) {
  return luts(call, how, channels, dst, step, dst, step, size, values, levels, counts);
}

template <typename S, typename D>
NppStatus paletteOf(const Call &call, int stride, const S *src, int src_step, D *dst, int dst_step,
                    NppiSize size, const D *table, int bits) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {table}))
    return status;
  if (bits < 1 || bits > 8 * int(sizeof(S)))
    return HEDDLE_NPP_REFUSE(call, NPP_LUT_PALETTE_BITSIZE_ERROR,
                             "an index has 1 bit or more, up to those of a pixel");
  const Table work{operand(src, src_step), operand(dst, dst_step), size.width, size.height, stride,
                   Lookup::Palette,        bytes(table),           nullptr,    typeOf<D>(), bits};
  return finish(call, launch(work, call.stream));
}
template <typename S, typename D>
NppStatus palette(const Call &call, int, const S *src, int src_step, D *dst, int dst_step,
                  NppiSize size, const D *table, int bits) {
  return paletteOf(call, 1, src, src_step, dst, dst_step, size, table, bits);
}
template <typename S>
NppStatus palettes(const Call &call, Channels channels, const S *src, int src_step, S *dst,
                   int dst_step, NppiSize size, const S **tables, int bits) {
  if (const NppStatus status = checkNotNull(call, {src, dst, tables}))
    return status;
  for (int i = 0; i < (channels.alpha ? 3 : channels.count); ++i)
    if (const NppStatus status = paletteOf(call, channels.count, src + i, src_step, dst + i,
                                           dst_step, size, tables[i], bits))
      return status;
  return NPP_SUCCESS;
}

constexpr Op Fwd = Op::GammaForward, Inv = Op::GammaInverse;

template <typename S>
NppStatus gamma(const Call &call, Op op, Channels channels, const S *src, int src_step, S *dst,
                int dst_step, NppiSize size) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  Pointwise work;
  work.op = op;
  work.a = operand(src, src_step);
  work.out = operand(dst, dst_step);
  work.channels = channels.count;
  work.width = (long long)size.width * channels.count;
  work.height = size.height;
  work.alpha = channels.alpha;
  return finish(call, launch(work, call.stream));
}
template <typename S>
NppStatus gammaI(const Call &call, Op op, Channels channels, S *dst, int step, NppiSize size) {
  return gamma(call, op, channels, dst, step, dst, step, size);
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_MODELS(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_SUBSAMPLED(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_GRAY(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_TABLES(HEDDLE_NPP_DEFINE)
