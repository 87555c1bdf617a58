// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -O0 -lnppicc -lnppisu -lnppc
//
// NPP: colours and look-up tables, every function in both forms against the documented formulas.
#include "npp_check.h"

#include <array>
#include <memory>

namespace {

constexpr int width = 22, height = 6;
const NppiSize size = {width, height};
#define IMAGE(i) (i).data(), (i).step
#define CALL(...) [&](auto call) { return call(__VA_ARGS__); }

using Pixel = std::array<double, 3>;
using Formula = std::function<Pixel(const Pixel &)>;

// Where a picture's three components are.
enum Form { Packed3, Packed4, Planes, Planes420, Planes422, Yuyv, Nv12, Nv21 };

struct Picture {
  Form form;
  std::vector<std::unique_ptr<Image<Npp8u>>> images;
  Npp8u *planes[3] = {};
  const Npp8u *sources[3] = {};
  int steps[3] = {};
  Picture(Form form, int seed) : form(form) {
    auto add = [&](int w, int h, int channels) {
      images.emplace_back(new Image<Npp8u>(w, h, channels, seed + int(images.size())));
    };
    if (form == Packed3 || form == Packed4 || form == Yuyv)
      add(width, height, form == Packed3 ? 3 : form == Packed4 ? 4 : 2);
    else
      add(width, height, 1);
    if (form >= Planes && form <= Planes422)
      for (int i = 0; i < 2; ++i)
        add(form == Planes ? width : width / 2, form == Planes420 ? height / 2 : height, 1);
    if (form >= Nv12)
      add(width / 2, height / 2, 2);
    for (size_t i = 0; i < images.size(); ++i) {
      sources[i] = planes[i] = *images[i];
      // Planes of a picture with one step for all have the same.
      steps[i] = images[i]->step;
    }
  }
  bool halved() const { return form >= Planes420; }
  Npp8u &at(int c, int x, int y) {
    switch (form) {
    case Packed3:
      return images[0]->at(x * 3 + c, y);
    case Packed4:
      return images[0]->at(x * 4 + c, y);
    case Planes:
      return images[c]->at(x, y);
    case Planes420:
    case Planes422:
      return c == 0 ? images[0]->at(x, y) : images[c]->at(x / 2, form == Planes420 ? y / 2 : y);
    case Yuyv:
      return c == 0 ? images[0]->at(2 * x, y) : images[0]->at(x / 2 * 4 + (c == 1 ? 1 : 3), y);
    default:
      return c == 0 ? images[0]->at(x, y)
                    : images[1]->at(x / 2 * 2 + ((c == 1) == (form == Nv12) ? 0 : 1), y / 2);
    }
  }
  void fill(int seed) {
    for (size_t i = 0; i < images.size(); ++i)
      images[i]->fill(seed + int(i));
  }
};

/// Checks a conversion. `bgr_in`, `bgr_out`: the first component is blue. `alpha`: what the fourth
/// is, -1 if it is left alone.
template <class G, class GC, class Run>
void convert(const char *name, Formula f, bool bgr_in, bool bgr_out, Form from, Form to, int alpha,
             G g, GC gc, Run run) {
  Picture a(from, 1), d(to, 5), before(to, 5);
  const int across = to >= Planes420 ? 2 : 1, down = to == Planes420 || to >= Nv12 ? 2 : 1;
  auto converted = [&](int x, int y) {
    Pixel in;
    for (int c = 0; c < 3; ++c)
      in[c] = a.at(bgr_in ? 2 - c : c, x, y);
    return f(in);
  };
  twice(
      g, gc, [&] { d.fill(5); }, [&](auto call) { return run(call, a, d); },
      [&] {
        int wrong = 0;
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x)
            for (int c = 0; c < 3; ++c) {
              double expected = 0;
              if (c == 0 || across == 1)
                expected = converted(x, y)[c];
              else
                for (int i = 0; i < across * down; ++i)
                  expected +=
                      converted(x / 2 * 2 + i % 2, y / down * down + i / 2)[c] / (across * down);
              expected = asResult<Npp8u>(expected);
              const double actual = d.at(bgr_out ? 2 - c : c, x, y);
              if (std::fabs(actual - expected) > 1 && ++wrong == 1)
                std::fprintf(stderr, "%s: component %d of (%d, %d) is %g, expected %g\n", name, c,
                             x, y, actual, expected);
            }
        CHECK_EQ(wrong, 0);
        if (to == Packed4)
          CHECK_EQ(int(d.images[0]->at(7, 1)), alpha < 0 ? int(before.images[0]->at(7, 1)) : alpha);
      });
}

Pixel yuv(const Pixel &p) {
  const double y = 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
  return {y, 0.492 * (p[2] - y) + 128, 0.877 * (p[0] - y) + 128};
}
Pixel fromYuv(const Pixel &p) {
  const double u = p[1] - 128, v = p[2] - 128;
  return {p[0] + 1.140 * v, p[0] - 0.394 * u - 0.581 * v, p[0] + 2.032 * u};
}
Pixel ycbcr(const Pixel &p) {
  return {0.257 * p[0] + 0.504 * p[1] + 0.098 * p[2] + 16,
          -0.148 * p[0] - 0.291 * p[1] + 0.439 * p[2] + 128,
          0.439 * p[0] - 0.368 * p[1] - 0.071 * p[2] + 128};
}
Pixel fromYcbcr(const Pixel &p) {
  const double y = 1.164 * (p[0] - 16), b = p[1] - 128, r = p[2] - 128;
  return {y + 1.596 * r, y - 0.392 * b - 0.813 * r, y + 2.017 * b};
}
Pixel csc709(const Pixel &p) {
  return {0.183 * p[0] + 0.614 * p[1] + 0.062 * p[2] + 16,
          -0.101 * p[0] - 0.338 * p[1] + 0.439 * p[2] + 128,
          0.439 * p[0] - 0.399 * p[1] - 0.040 * p[2] + 128};
}
Pixel from709(const Pixel &p) {
  const double y = 1.164 * (p[0] - 16), b = p[1] - 128, r = p[2] - 128;
  return {y + 1.793 * r, y - 0.213 * b - 0.534 * r, y + 2.115 * b};
}
Pixel fromHdtv(const Pixel &p) {
  const double b = p[1] - 128, r = p[2] - 128;
  return {p[0] + 1.540 * r, p[0] - 0.183 * b - 0.459 * r, p[0] + 1.816 * b};
}
Pixel ycc(const Pixel &p) {
  const double y = 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
  return {y / 1.402, 111.40 * (p[2] - y) / 255 + 156, 135.64 * (p[0] - y) / 255 + 137};
}
Pixel fromYcc(const Pixel &p) {
  const double y = 1.3584 * p[0], c1 = 2.2179 * (p[1] - 156), c2 = 1.8215 * (p[2] - 137);
  return {y + c2, y - 0.194 * c1 - 0.509 * c2, y + c1};
}
Pixel xyz(const Pixel &p) {
  return {0.412453 * p[0] + 0.35758 * p[1] + 0.180423 * p[2],
          0.212671 * p[0] + 0.71516 * p[1] + 0.072169 * p[2],
          0.019334 * p[0] + 0.119193 * p[1] + 0.950227 * p[2]};
}
Pixel fromXyz(const Pixel &p) {
  return {3.240479 * p[0] - 1.53715 * p[1] - 0.498535 * p[2],
          -0.969256 * p[0] + 1.875991 * p[1] + 0.041556 * p[2],
          0.055648 * p[0] - 0.204043 * p[1] + 1.057311 * p[2]};
}
const double white[3] = {0.312713, 0.329016, 1}, white_divisor = -2 * white[0] + 12 * white[1] + 3,
             white_u = 4 * white[0] / white_divisor, white_v = 9 * white[1] / white_divisor;
Pixel luv(const Pixel &rgb) {
  const Pixel p = xyz({rgb[0] / 255, rgb[1] / 255, rgb[2] / 255});
  const double l = std::min(std::max(116 * std::cbrt(p[1]) - 16, 0.0), 100.0),
               sum = p[0] + 15 * p[1] + 3 * p[2];
  return {l * 255 / 100, (13 * l * (4 * p[0] / sum - white_u) + 134) * 255 / 354,
          (13 * l * (9 * p[1] / sum - white_v) + 140) * 255 / 262};
}
Pixel fromLuv(const Pixel &p) {
  const double l = p[0] * 100 / 255, u = (p[1] * 354 / 255 - 134) / (13 * l) + white_u,
               v = (p[2] * 262 / 255 - 140) / (13 * l) + white_v;
  const double y = std::pow((l + 16) / 116, 3), x = y * 9 * u / (4 * v),
               z = (9 * y / v - x - 15 * y) / 3;
  return fromXyz({x * 255, y * 255, z * 255});
}
double labCurve(double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; }
double labBack(double t) { return t > 0.206893 ? t * t * t : (t - 16.0 / 116) / 7.787; }
Pixel lab(const Pixel &rgb) {
  const Pixel p = xyz({rgb[0] / 255, rgb[1] / 255, rgb[2] / 255});
  const double x = labCurve(p[0] / 0.950455), y = labCurve(p[1]), z = labCurve(p[2] / 1.088753);
  return {(116 * y - 16) * 2.55, 500 * (x - y) + 128, 200 * (y - z) + 128};
}
Pixel fromLab(const Pixel &p) {
  const double y = (p[0] / 2.55 + 16) / 116;
  return fromXyz({255 * 0.950455 * labBack(y + (p[1] - 128) / 500), 255 * labBack(y),
                  255 * 1.088753 * labBack(y - (p[2] - 128) / 200)});
}
double hue(const Pixel &p, double most, double range) {
  const double h = range == 0     ? 0
                   : p[0] == most ? std::fmod((p[1] - p[2]) / range + 6, 6)
                   : p[1] == most ? (p[2] - p[0]) / range + 2
                                  : (p[0] - p[1]) / range + 4;
  return h * 255 / 6;
}
Pixel hsv(const Pixel &p) {
  const double most = std::max({p[0], p[1], p[2]}), range = most - std::min({p[0], p[1], p[2]});
  return {hue(p, most, range), 255 * range / most, most};
}
Pixel hls(const Pixel &p) {
  const double most = std::max({p[0], p[1], p[2]}), least = std::min({p[0], p[1], p[2]}),
               sum = most + least;
  return {hue(p, most, most - least), sum / 2,
          most == least ? 0 : 255 * (most - least) / (sum <= 255 ? sum : 510 - sum)};
}
// From chroma, hue and what is added to all.
Pixel ofChroma(double h, double chroma, double least) {
  const double sixth = h * 6 / 255, x = chroma * (1 - std::fabs(std::fmod(sixth, 2) - 1));
  const double all[6][3] = {{chroma, x, 0}, {x, chroma, 0}, {0, chroma, x},
                            {0, x, chroma}, {x, 0, chroma}, {chroma, 0, x}};
  const double *c = all[int(sixth) % 6];
  return {c[0] + least, c[1] + least, c[2] + least};
}
Pixel fromHsv(const Pixel &p) {
  const double chroma = p[2] * p[1] / 255;
  return ofChroma(p[0], chroma, p[2] - chroma);
}
Pixel fromHls(const Pixel &p) {
  const double chroma = (255 - std::fabs(2 * p[1] - 255)) * p[2] / 255;
  return ofChroma(p[0], chroma, p[1] - chroma / 2);
}

#define RUN(...) [](auto call, Picture &a, Picture &d) { return call(__VA_ARGS__, size); }
#define P_SRC static_cast<const Npp8u *const *>(a.sources), a.steps[0]
#define S_SRC static_cast<const Npp8u *const *>(a.sources), static_cast<int *>(a.steps)
#define C_SRC a.sources[0], a.steps[0]
#define P_DST static_cast<Npp8u **>(d.planes), d.steps[0]
#define S_DST static_cast<Npp8u **>(d.planes), static_cast<int *>(d.steps)
#define C_DST d.planes[0], d.steps[0]
#define CONVERT(name, f, in, out, from, to, alpha, ...)                                            \
  convert(#name, f, in, out, from, to, alpha, BOTH(name), RUN(__VA_ARGS__));
#define PACKED(A, B, f, back, bgr)                                                                 \
  CONVERT(nppi##A##To##B##_8u_C3R, f, bgr, false, Packed3, Packed3, -1, C_SRC, C_DST)              \
  CONVERT(nppi##A##To##B##_8u_AC4R, f, bgr, false, Packed4, Packed4, -1, C_SRC, C_DST)             \
  CONVERT(nppi##B##To##A##_8u_C3R, back, false, bgr, Packed3, Packed3, -1, C_SRC, C_DST)           \
  CONVERT(nppi##B##To##A##_8u_AC4R, back, false, bgr, Packed4, Packed4, -1, C_SRC, C_DST)
#define PLANES(A, B, f, back, bgr)                                                                 \
  CONVERT(nppi##A##To##B##_8u_P3R, f, bgr, false, Planes, Planes, -1, P_SRC, P_DST)                \
  CONVERT(nppi##A##To##B##_8u_C3P3R, f, bgr, false, Packed3, Planes, -1, C_SRC, P_DST)             \
  CONVERT(nppi##B##To##A##_8u_P3R, back, false, bgr, Planes, Planes, -1, P_SRC, P_DST)             \
  CONVERT(nppi##B##To##A##_8u_P3C3R, back, false, bgr, Planes, Packed3, -1, P_SRC, C_DST)
#define HALVED(Y, f, back)                                                                         \
  CONVERT(nppiRGBTo##Y##420_8u_C3P3R, f, false, false, Packed3, Planes420, -1, C_SRC, S_DST)       \
  CONVERT(nppiBGRTo##Y##420_8u_C3P3R, f, true, false, Packed3, Planes420, -1, C_SRC, S_DST)        \
  CONVERT(nppi##Y##420ToRGB_8u_P3C3R, back, false, false, Planes420, Packed3, -1, S_SRC, C_DST)    \
  CONVERT(nppi##Y##420ToBGR_8u_P3C3R, back, false, true, Planes420, Packed3, -1, S_SRC, C_DST)     \
  CONVERT(nppiRGBTo##Y##422_8u_C3C2R, f, false, false, Packed3, Yuyv, -1, C_SRC, C_DST)            \
  CONVERT(nppi##Y##422ToRGB_8u_C2C3R, back, false, false, Yuyv, Packed3, -1, C_SRC, C_DST)         \
  CONVERT(nppiRGBTo##Y##422_8u_C3P3R, f, false, false, Packed3, Planes422, -1, C_SRC, S_DST)       \
  CONVERT(nppi##Y##422ToRGB_8u_P3C3R, back, false, false, Planes422, Packed3, -1, S_SRC, C_DST)

void models() {
  PACKED(RGB, YUV, yuv, fromYuv, false)
  // clang-format off: uses of macros in a row
  PLANES(RGB, YUV, yuv, fromYuv, false) PACKED(BGR, YUV, yuv, fromYuv, true)
      PLANES(BGR, YUV, yuv, fromYuv, true) PACKED(RGB, YCbCr, ycbcr, fromYcbcr,
                                                  false) PLANES(RGB, YCbCr, ycbcr, fromYcbcr, false)
          CONVERT(nppiBGRToYCbCr_8u_C3P3R, ycbcr, true, false, Packed3, Planes, -1, C_SRC, P_DST)
              CONVERT(nppiYCbCrToBGR_8u_P3C3R, fromYcbcr, false, true, Planes, Packed3, -1, P_SRC,
                      C_DST) CONVERT(nppiBGRToYCbCr_709CSC_8u_C3P3R, csc709, true, false, Packed3,
                                     Planes, -1, C_SRC, P_DST)
                  CONVERT(nppiYCbCrToBGR_709CSC_8u_P3C3R, from709, false, true, Planes, Packed3, -1,
                          P_SRC, C_DST)
                      convert("P3C4", fromYcbcr, false, false, Planes, Packed4, 99,
                              BOTH(nppiYCbCrToRGB_8u_P3C4R), [](auto call, Picture &a, Picture &d) {
                                return call(P_SRC, C_DST, size, Npp8u(99));
                              });
  convert("P3C4", fromYcbcr, false, true, Planes, Packed4, 99, BOTH(nppiYCbCrToBGR_8u_P3C4R),
          [](auto call, Picture &a, Picture &d) { return call(P_SRC, C_DST, size, Npp8u(99)); });
  PACKED(RGB, YCC, ycc, fromYcc, false)
  PACKED(RGB, XYZ, xyz, fromXyz, false) PACKED(RGB, LUV, luv, fromLuv, false)
      PACKED(RGB, HLS, hls, fromHls, false) PACKED(RGB, HSV, hsv, fromHsv, false) CONVERT(
          nppiBGRToLab_8u_C3R, lab, true, false, Packed3, Packed3, -1, C_SRC,
          C_DST) CONVERT(nppiLabToBGR_8u_C3R, fromLab, false, true, Packed3, Packed3, -1, C_SRC,
                         C_DST) HALVED(YUV, yuv, fromYuv) HALVED(YCbCr, ycbcr, fromYcbcr)
      // clang-format on
      CONVERT(nppiRGBToYUV420_8u_P3R, yuv, false, false, Planes, Planes420, -1, P_SRC, S_DST)
          CONVERT(nppiYUV420ToRGB_8u_P3R, fromYuv, false, false, Planes420, Planes, -1, S_SRC,
                  P_DST) CONVERT(nppiRGBToYUV422_8u_P3R, yuv, false, false, Planes, Planes422, -1,
                                 P_SRC, S_DST) CONVERT(nppiYUV422ToRGB_8u_P3R, fromYuv, false,
                                                       false, Planes422, Planes, -1, S_SRC, P_DST)
              CONVERT(nppiYUV420ToRGB_8u_P3C4R, fromYuv, false, false, Planes420, Packed4, 255,
                      S_SRC, C_DST) CONVERT(nppiYUV420ToRGB_8u_P3AC4R, fromYuv, false, false,
                                            Planes420, Packed4, -1, S_SRC, C_DST)
                  CONVERT(nppiYUV420ToBGR_8u_P3C4R, fromYuv, false, true, Planes420, Packed4, 255,
                          S_SRC, C_DST)
#define NV(name, f, bgr, form, c, to, alpha)                                                       \
  CONVERT(nppi##name##_8u_P2##c##R, f, false, bgr, form, to, alpha, P_SRC, C_DST)
                      NV(NV12ToRGB, fromYuv, false, Nv12, C3, Packed3, -1)
                          NV(NV12ToBGR, fromYuv, true, Nv12, C3, Packed3, -1)
                              NV(NV12ToRGB_709CSC, from709, false, Nv12, C3, Packed3, -1)
                                  NV(NV12ToBGR_709CSC, from709, true, Nv12, C3, Packed3, -1)
      // clang-format on
      NV(NV12ToRGB_709HDTV, fromHdtv, false, Nv12, C3, Packed3, -1)
          NV(NV12ToBGR_709HDTV, fromHdtv, true, Nv12, C3, Packed3, -1)
              NV(NV21ToRGB, fromYuv, false, Nv21, C4, Packed4, 255)
                  NV(NV21ToBGR, fromYuv, true, Nv21, C4, Packed4, 255) CONVERT(
                      nppiNV12ToYUV420_8u_P2P3R, [](const Pixel &p) { return p; }, false, false,
                      Nv12, Planes420, -1, P_SRC, S_DST)
}
// clang-format on
// clang-format on

const Npp32f twist[3][4] = {{0.5f, 0.25f, -0.5f, 20},
                            {0.125f, 0.75f, 0.25f, -3},
                            {0.25f, 0.25f, 0.5f, 1}},
             weights[4] = {0.25f, 0.5f, 0.125f, 0.0625f};

template <class T, class G, class GC, class... More>
void gray(int channels, const double *k, int count, G g, GC gc, More... more) {
  Image<T> a(width, height, channels, 1), d(width, height, 1, 3);
  twice(
      g, gc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), size, more...),
      [&] {
        compare(
            "gray", d,
            [&](int e, int y) {
              double sum = 0;
              for (int c = 0; c < count; ++c)
                sum += k[c] * double(a.at(e * channels + c, y));
              return asResult<T>(sum);
            },
            std::is_integral<T>::value ? 1 : 1e-5);
      });
}
// What becomes of a channel of a pixel of `used` channels.
template <class T, class At> double twisted(At at, int c, int used) {
  double sum = twist[c][3];
  for (int i = 0; i < used; ++i)
    sum += twist[c][i] * double(at(i));
  return asResult<T>(sum);
}
template <class T, class R, class RC, class I, class IC>
void twistOf(int channels, int used, R r, RC rc, I i, IC ic) {
  Image<T> a(width, height, channels, 1), d(width, height, channels, 3),
      before(width, height, channels, 3);
  auto verify = [&](Image<T> &from) {
    compare(
        "twist", d,
        [&](int e, int y) {
          const int c = e % channels;
          return c >= used ? double(before.at(e, y))
                           : twisted<T>([&](int k) { return from.at(e - c + k, y); }, c, used);
        },
        std::is_integral<T>::value ? 1 : 1e-5);
  };
  twice(r, rc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), size, twist), [&] { verify(a); });
  twice(i, ic, [&] { d.fill(3); }, CALL(IMAGE(d), size, twist), [&] { verify(before); });
}
template <class T, class G, class GC> void twistPlanes(G g, GC gc) {
  Image<T> a0(width, height, 1, 1), a1(width, height, 1, 2), a2(width, height, 1, 4),
      d0(width, height, 1), d1(width, height, 1), d2(width, height, 1);
  Image<T> *in[3] = {&a0, &a1, &a2}, *out[3] = {&d0, &d1, &d2};
  const T *from[3] = {a0, a1, a2};
  T *to[3] = {d0, d1, d2};
  twice(
      g, gc, [] {},
      CALL(static_cast<const T *const *>(from), a0.step, static_cast<T **>(to), d0.step, size,
           twist),
      [&] {
        for (int c = 0; c < 3; ++c)
          compare(
              "twist", *out[c],
              [&](int e, int y) {
                return twisted<T>([&](int k) { return in[k]->at(e, y); }, c, 3);
              },
              std::is_integral<T>::value ? 1 : 1e-5);
      });
}
#define GRAY(t)                                                                                    \
  gray<Npp##t>(3, rgb, 3, BOTH(nppiRGBToGray_##t##_C3C1R));                                        \
  gray<Npp##t>(4, rgb, 3, BOTH(nppiRGBToGray_##t##_AC4C1R));                                       \
  gray<Npp##t>(3, any, 3, BOTH(nppiColorToGray_##t##_C3C1R), weights);                             \
  gray<Npp##t>(4, any, 3, BOTH(nppiColorToGray_##t##_AC4C1R), weights);                            \
  gray<Npp##t>(4, any, 4, BOTH(nppiColorToGray_##t##_C4C1R), weights);
#define TWIST1(name, t, c, n, used)                                                                \
  twistOf<Npp##t>(n, used, BOTH(nppi##name##_##t##_##c##R), BOTH(nppi##name##_##t##_##c##IR));
// clang-format off: uses of macros in a row
#define TWIST(name, t)                                                                             \
  TWIST1(name, t, C1, 1, 1)                                                                        \
  TWIST1(name, t, C2, 2, 2) TWIST1(name, t, C3, 3, 3) TWIST1(name, t, AC4, 4, 3)                   \
      twistPlanes<Npp##t>(BOTH(nppi##name##_##t##_P3R));
void grays() {
  const double rgb[3] = {0.299, 0.587, 0.114}, any[4] = {0.25, 0.5, 0.125, 0.0625};
  GRAY(8u)
  GRAY(16u) GRAY(16s) GRAY(32f) TWIST(ColorTwist32f, 8u) TWIST(ColorTwist32f, 8s)
      TWIST(ColorTwist32f, 16u) TWIST(ColorTwist32f, 16s) TWIST(ColorTwist, 32f)
}
// clang-format on

// Tables: levels and values, a quadratic's so that cubic interpolation is exact.
enum How { Steps, Linear, Cubic };
template <class V> double lookedUp(How how, const V *values, const V *levels, int count, double v) {
  if (v < levels[0] || v >= levels[count - 1])
    return v;
  int i = 0;
  while (levels[i + 1] <= v)
    ++i;
  if (how == Steps)
    return values[i];
  if (how == Cubic)
    return v * v / 64;
  return values[i] +
         double(values[i + 1] - values[i]) * (v - levels[i]) / double(levels[i + 1] - levels[i]);
}
template <class T, class V, class R, class RC, class I, class IC>
void lut(How how, Layout layout, R r, RC rc, I i, IC ic) {
  const int count = 6, n = layout.channels;
  Image<T> a(width, height, n, 1), d(width, height, n, 3), before(width, height, n, 3);
  Image<V> levels(count, 4, 1), values(count, 4, 1);
  const V *all_levels[4], *all_values[4];
  int counts[4] = {count, count, count, count};
  for (int c = 0; c < 4; ++c) {
    all_levels[c] = &levels.at(0, c);
    all_values[c] = &values.at(0, c);
    for (int k = 0; k < count; ++k) {
      levels.at(k, c) = V(16 * k - 8 * (c % 2 == 1 && how == Steps));
      values.at(k, c) = V(double(levels.at(k, c)) * double(levels.at(k, c)) / 64);
    }
  }
  auto verify = [&](Image<T> &from) {
    compare(
        "LUT", d,
        [&](int e, int y) {
          const int c = e % n;
          return layout.alpha && c == 3 ? double(before.at(e, y))
                                        : asResult<T>(lookedUp(how, all_values[c], all_levels[c],
                                                               count, double(from.at(e, y))));
        },
        1e-5);
  };
  auto run = [&](auto l, auto v, auto k) {
    twice(r, rc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), size, v, l, k), [&] { verify(a); });
    twice(i, ic, [&] { d.fill(3); }, CALL(IMAGE(d), size, v, l, k), [&] { verify(before); });
  };
  if constexpr (std::is_invocable<R, const T *, int, T *, int, NppiSize, const V *, const V *,
                                  int>::value)
    run(all_levels[0], all_values[0], count);
  else
    run(static_cast<const V **>(all_levels), static_cast<const V **>(all_values),
        static_cast<int *>(counts));
}
#define LUT1(name, how, t, V, c)                                                                   \
  lut<Npp##t, V>(how, c, BOTH(nppi##name##_##t##_##c##R), BOTH(nppi##name##_##t##_##c##IR));
#define LUT_OF(name, how, t, V)                                                                    \
  LUT1(name, how, t, V, C1)                                                                        \
  LUT1(name, how, t, V, C3) LUT1(name, how, t, V, C4) LUT1(name, how, t, V, AC4)
#define LUTS(name, how)                                                                            \
  LUT_OF(name, how, 8u, Npp32s)                                                                    \
  LUT_OF(name, how, 16u, Npp32s) LUT_OF(name, how, 16s, Npp32s) LUT_OF(name, how, 32f, Npp32f)

template <class S, class D, class G, class GC> void palette(Layout layout, G g, GC gc) {
  const int n = layout.channels, bits = 7;
  Image<S> a(width, height, n, 1);
  Image<D> d(width, height, n, 3), before(width, height, n, 3), tables(1 << bits, 4, 1, 8);
  const D *all[4] = {&tables.at(0, 0), &tables.at(0, 1), &tables.at(0, 2), &tables.at(0, 3)};
  auto verify = [&] {
    compare("Palette", d, [&](int e, int y) {
      const int c = e % n;
      return layout.alpha && c == 3 ? double(before.at(e, y))
                                    : double(all[c][a.at(e, y) & ((1 << bits) - 1)]);
    });
  };
  if constexpr (std::is_invocable<G, const S *, int, D *, int, NppiSize, const D *, int>::value)
    twice(g, gc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), size, all[0], bits), verify);
  else
    twice(
        g, gc, [&] { d.fill(3); },
        CALL(IMAGE(a), IMAGE(d), size, static_cast<const D **>(all), bits), verify);
}
template <class R, class RC, class I, class IC>
void gamma(bool inverse, Layout layout, R r, RC rc, I i, IC ic) {
  const int n = layout.channels;
  Image<Npp8u> a(width, height, n, 1), d(width, height, n, 3), before(width, height, n, 3);
  auto f = [&](double byte) {
    const double v = byte / 255;
    if (inverse)
      return 255 * (v < 0.0812 ? v / 4.5 : std::pow((v + 0.099) / 1.099, 1 / 0.45));
    return 255 * (v < 0.018 ? 4.5 * v : 1.099 * std::pow(v, 0.45) - 0.099);
  };
  auto verify = [&](Image<Npp8u> &from) {
    compare(
        "Gamma", d,
        [&](int e, int y) {
          return layout.alpha && e % 4 == 3 ? double(before.at(e, y))
                                            : asResult<Npp8u>(f(from.at(e, y)));
        },
        1);
  };
  twice(r, rc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), size), [&] { verify(a); });
  twice(i, ic, [&] { d.fill(3); }, CALL(IMAGE(d), size), [&] { verify(before); });
}
void tables() {
  LUTS(LUT, Steps)
  // clang-format off: uses of macros in a row
  LUTS(LUT_Linear, Linear) LUTS(LUT_Cubic, Cubic)
      palette<Npp8u, Npp8u>(C1, BOTH(nppiLUTPalette_8u_C1R));
  palette<Npp8u, Npp32u>(C1, BOTH(nppiLUTPalette_8u32u_C1R));
  palette<Npp16u, Npp16u>(C1, BOTH(nppiLUTPalette_16u_C1R));
  palette<Npp16u, Npp8u>(C1, BOTH(nppiLUTPalette_16u8u_C1R));
  palette<Npp16u, Npp32u>(C1, BOTH(nppiLUTPalette_16u32u_C1R));
#define PALETTE(t, c) palette<Npp##t, Npp##t>(c, BOTH(nppiLUTPalette_##t##_##c##R));
  PALETTE(8u, C3)
  PALETTE(8u, C4) PALETTE(8u, AC4) PALETTE(16u, C3) PALETTE(16u, C4) PALETTE(16u, AC4)
#define GAMMA(name, inverse, c)                                                                    \
  gamma(inverse, c, BOTH(nppiGamma##name##_8u_##c##R), BOTH(nppiGamma##name##_8u_##c##IR));
      // clang-format on
      // clang-format on
      // clang-format on
      // clang-format on
      GAMMA(Fwd, false, C3) GAMMA(Fwd, false, AC4) GAMMA(Inv, true, C3) GAMMA(Inv, true, AC4)
}

void badArguments() {
  Image<Npp8u> a(width, height, 3), d(width, height, 3);
  Image<Npp32s> levels(4, 1, 1);
  CHECK_EQ(nppiRGBToYUV_8u_C3R(nullptr, a.step, IMAGE(d), size), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppiRGBToYUV_8u_C3P3R(IMAGE(a), nullptr, d.step, size), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppiRGBToHSV_8u_C3R(a, 0, IMAGE(d), size), NPP_STEP_ERROR);
  CHECK_EQ(nppiRGBToGray_8u_C3C1R(IMAGE(a), IMAGE(d), {-1, 2}), NPP_SIZE_ERROR);
  CHECK_EQ(nppiLUT_8u_C1R(IMAGE(a), IMAGE(d), size, levels, levels, 1),
           NPP_LUT_NUMBER_OF_LEVELS_ERROR);
  CHECK_EQ(nppiLUTPalette_8u_C1R(IMAGE(a), IMAGE(d), size, a, 9), NPP_LUT_PALETTE_BITSIZE_ERROR);
}

} // namespace

int main() {
  models();
  grays();
  tables();
  badArguments();
  RETURN_RESULT();
}
