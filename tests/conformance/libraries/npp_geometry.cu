// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -O0 -lnppig -lnppisu -lnppc
//
// NPP: geometric transforms, every function in both forms against double
// precision.
#include "npp_check.h"

#include <memory>

namespace {

#define IMAGE(i) (i).data(), (i).step
#define CALL(...) [&](auto call) { return call(__VA_ARGS__); }

/// An image of packed pixels, or of planes that have an array of pointers.
template <class T> struct Picture {
  int channels;
  bool planar;
  std::vector<std::unique_ptr<Image<T>>> images;
  T *pointers[4];
  const T *sources[4];
  Picture(int width, int height, int channels, bool planar, int seed)
      : channels(channels), planar(planar) {
    for (int i = 0; i < (planar ? channels : 1); ++i) {
      images.emplace_back(new Image<T>(width, height, planar ? 1 : channels, seed + i));
      pointers[i] = *images[i];
      sources[i] = pointers[i];
    }
  }
  int step() { return images[0]->step; }
  T &at(int c, int x, int y) {
    return planar ? images[c]->at(x, y) : images[0]->at(x * channels + c, y);
  }
  void fill(int seed) {
    for (size_t i = 0; i < images.size(); ++i)
      images[i]->fill(seed + int(i));
  }
  // As the function wants it: a pointer or an array of them.
  const T *source(std::false_type) { return sources[0]; }
  const T **source(std::true_type) { return sources; }
  T *destination(std::false_type) { return pointers[0]; }
  T **destination(std::true_type) { return pointers; }
};

constexpr int src_width = 17, src_height = 11, dst_width = 23, dst_height = 14;
const NppiSize src_size = {src_width, src_height}, dst_size = {dst_width, dst_height};
const NppiRect src_roi = {1, 2, 14, 8}, dst_roi = {2, 1, 19, 12};

struct Kind {
  int channels;
  bool alpha, planar;
};
constexpr Kind KC1{1, false, false}, KC3{3, false, false}, KC4{4, false, false},
    KAC4{4, true, false}, KP3{3, false, true}, KP4{4, false, true};

/// Checks a transform. `map` gives source coordinates; where `clamp` is false, only what lies in
/// the source region is written. `run` calls with the pictures' pointers.
template <class T, bool Planar, class Map, class G, class GC, class Run>
void transform(const char *name, Kind kind, NppiRect roi, Map map, bool clamp, int interpolation,
               G g, GC gc, Run run) {
  Picture<T> a(src_width, src_height, kind.channels, kind.planar, 1),
      d(dst_width, dst_height, kind.channels, kind.planar, 5),
      before(dst_width, dst_height, kind.channels, kind.planar, 5);
  const std::integral_constant<bool, Planar> planar{};
  auto inside = [&](double v, int begin, int size) {
    const double slack = interpolation == NPPI_INTER_NN ? 0.5 : 0;
    return v >= begin - slack && v <= begin + size - 1; // as on an H100
  };
  auto pixel = [&](int c, int x, int y) {
    x = std::min(std::max(x, src_roi.x), src_roi.x + src_roi.width - 1);
    y = std::min(std::max(y, src_roi.y), src_roi.y + src_roi.height - 1);
    return double(a.at(c, x, y));
  };
  twice(
      g, gc, [&] { d.fill(5); },
      [&](auto call) {
        return run(call, a.source(planar), a.step(), d.destination(planar), d.step());
      },
      [&] {
        int wrong = 0;
        for (int y = 0; y < dst_height; ++y)
          for (int x = 0; x < dst_width; ++x)
            for (int c = 0; c < kind.channels; ++c) {
              double sx = 0, sy = 0;
              map(double(x), double(y), sx, sy);
              double expected = double(before.at(c, x, y));
              if (!(kind.alpha && c == 3) && x >= roi.x && x < roi.x + roi.width && y >= roi.y &&
                  y < roi.y + roi.height &&
                  (clamp || (inside(sx, src_roi.x, src_roi.width) &&
                             inside(sy, src_roi.y, src_roi.height)))) {
                if (interpolation == NPPI_INTER_NN)
                  expected = pixel(c, int(std::floor(sx + 0.5)), int(std::floor(sy + 0.5)));
                else {
                  const int x0 = int(std::floor(sx)), y0 = int(std::floor(sy));
                  const double fx = sx - x0, fy = sy - y0;
                  auto row = [&](int v) {
                    return (1 - fx) * pixel(c, x0, v) + fx * pixel(c, x0 + 1, v);
                  };
                  expected = asResult<T>((1 - fy) * row(y0) + fy * row(y0 + 1));
                }
              }
              const double allowed =
                  std::is_integral<T>::value ? (interpolation == NPPI_INTER_NN ? 0 : 1) : 1e-4;
              if (!(std::fabs(double(d.at(c, x, y)) - expected) <= allowed) && ++wrong == 1)
                std::fprintf(stderr, "%s: (%d, %d) is %g, expected %g\n", name, x, y,
                             double(d.at(c, x, y)), expected);
            }
        CHECK_EQ(wrong, 0);
      });
}

const double affine[2][3] = {{1.31, 0.27, -1.63}, {-0.19, 1.23, 0.71}};
const double perspective[3][3] = {{1.31, 0.27, -1.63}, {-0.19, 1.23, 0.71}, {0.011, -0.007, 1.02}};
const double src_quad[4][2] = {{1, 2}, {14, 2}, {14, 9}, {1, 9}},
             dst_quad[4][2] = {{2.3, 3.1}, {19.7, 1.9}, {20.6, 11.2}, {3.2, 12.4}};

void forward(const double (*m)[3], bool with_w, double x, double y, double &sx, double &sy) {
  const double w = with_w ? m[2][0] * x + m[2][1] * y + m[2][2] : 1;
  sx = (m[0][0] * x + m[0][1] * y + m[0][2]) / w;
  sy = (m[1][0] * x + m[1][1] * y + m[1][2]) / w;
}
// The point that `forward` takes to (x, y), by Newton's method.
void backward(const double (*m)[3], bool with_w, double x, double y, double &sx, double &sy) {
  sx = x;
  sy = y;
  for (int i = 0; i < 50; ++i) {
    double fx, fy, ax, ay, bx, by;
    forward(m, with_w, sx, sy, fx, fy);
    forward(m, with_w, sx + 1e-6, sy, ax, ay);
    forward(m, with_w, sx, sy + 1e-6, bx, by);
    const double a = (ax - fx) * 1e6, b = (bx - fx) * 1e6, c = (ay - fy) * 1e6, e = (by - fy) * 1e6,
                 det = a * e - b * c;
    const double rx = x - fx, ry = y - fy;
    sx += (e * rx - b * ry) / det;
    sy += (a * ry - c * rx) / det;
  }
}

#define FROM_TO src, src_size, step, src_roi, dst, dst_step, dst_roi
#define TRANSFORM(t, kind, planar, name, map, clamp, mode, roi, ...)                               \
  transform<Npp##t, planar>(                                                                       \
      #name, kind, roi, map, clamp, mode, BOTH(name),                                              \
      [&](auto call, auto src, int step, auto dst, int dst_step) { return call(__VA_ARGS__); });
#define SIX(M, t)                                                                                  \
  M(t, C1, false) M(t, C3, false) M(t, C4, false) M(t, AC4, false) M(t, P3, true) M(t, P4, true)

void resized(double x, double y, double &sx, double &sy) {
  // As on an H100: a quarter of a pixel to the left and up for larger images.
  sx = (x - dst_roi.x) * src_roi.width / dst_roi.width - 0.25 + src_roi.x;
  sy = (y - dst_roi.y) * src_roi.height / dst_roi.height - 0.25 + src_roi.y;
}
const double x_factor = 1.3, y_factor = 1.45, x_shift = 1.25, y_shift = 0.75;
void scaled(double x, double y, double &sx, double &sy) {
  sx = (x + 0.5 - x_shift) / x_factor - 0.5;
  sy = (y + 0.5 - y_shift) / y_factor - 0.5;
}
// What the scaled source region covers of the destination's.
const NppiRect scaled_roi = {3, 4, 18, 9};
void rotated(double x, double y, double &sx, double &sy) {
  const double angle = 30 * std::acos(-1.0) / 180, c = std::cos(angle), s = std::sin(angle);
  const double dx = x - 3.3, dy = y - 6.7;
  sx = c * dx - s * dy;
  sy = s * dx + c * dy;
}
#define RESIZE(t, c, planar)                                                                       \
  for (int mode : {NPPI_INTER_NN, NPPI_INTER_LINEAR})                                              \
  TRANSFORM(t, K##c, planar, nppiResize_##t##_##c##R, resized, true, mode, dst_roi, src, step,     \
            src_size, src_roi, dst, dst_step, dst_size, dst_roi, mode)
#define SQR_PIXEL(t, c, planar)                                                                    \
  TRANSFORM(t, K##c, planar, nppiResizeSqrPixel_##t##_##c##R, scaled, true, NPPI_INTER_LINEAR,     \
            scaled_roi, FROM_TO, x_factor, y_factor, x_shift, y_shift, NPPI_INTER_LINEAR)
#define ROTATE(t, c, planar)                                                                       \
  TRANSFORM(t, K##c, planar, nppiRotate_##t##_##c##R, rotated, false, NPPI_INTER_LINEAR, dst_roi,  \
            FROM_TO, 30.0, 3.3, 6.7, NPPI_INTER_LINEAR)
#define WARP(t, c, planar)                                                                         \
  TRANSFORM(t, K##c, planar, nppiWarpAffine_##t##_##c##R, by_affine, false, NPPI_INTER_LINEAR,     \
            dst_roi, FROM_TO, affine, NPPI_INTER_LINEAR)                                           \
  TRANSFORM(t, K##c, planar, nppiWarpAffineBack_##t##_##c##R, by_affine_back, false,               \
            NPPI_INTER_NN, dst_roi, FROM_TO, affine, NPPI_INTER_NN)                                \
  TRANSFORM(t, K##c, planar, nppiWarpPerspective_##t##_##c##R, by_perspective, false,              \
            NPPI_INTER_NN, dst_roi, FROM_TO, perspective, NPPI_INTER_NN)                           \
  TRANSFORM(t, K##c, planar, nppiWarpPerspectiveBack_##t##_##c##R, by_perspective_back, false,     \
            NPPI_INTER_LINEAR, dst_roi, FROM_TO, perspective, NPPI_INTER_LINEAR)                   \
  TRANSFORM(t, K##c, planar, nppiWarpAffineQuad_##t##_##c##R, by_affine_quad, false,               \
            NPPI_INTER_NN, dst_roi, src, src_size, step, src_roi, src_quad, dst, dst_step,         \
            dst_roi, dst_quad, NPPI_INTER_NN)                                                      \
  TRANSFORM(t, K##c, planar, nppiWarpPerspectiveQuad_##t##_##c##R, by_perspective_quad, false,     \
            NPPI_INTER_NN, dst_roi, src, src_size, step, src_roi, src_quad, dst, dst_step,         \
            dst_roi, dst_quad, NPPI_INTER_NN)
const NppiRect whole = {0, 0, dst_width, dst_height};
#define REMAP(t, c, planar)                                                                        \
  TRANSFORM(t, K##c, planar, nppiRemap_##t##_##c##R, by_map, false, NPPI_INTER_LINEAR, whole, src, \
            src_size, step, src_roi, map_x.data(), map_x.step, map_y.data(), map_y.step, dst,      \
            dst_step, dst_size, NPPI_INTER_LINEAR)

void transforms() {
  auto by_affine = [](double x, double y, double &sx, double &sy) {
    backward(affine, false, x, y, sx, sy);
  };
  auto by_affine_back = [](double x, double y, double &sx, double &sy) {
    forward(affine, false, x, y, sx, sy);
  };
  auto by_perspective = [](double x, double y, double &sx, double &sy) {
    backward(perspective, true, x, y, sx, sy);
  };
  auto by_perspective_back = [](double x, double y, double &sx, double &sy) {
    forward(perspective, true, x, y, sx, sy);
  };
  // The quadrangles' transforms, from the functions that make them of the source region.
  double affine_of[2][3], perspective_of[3][3];
  const NppiRect quad_roi = {1, 2, 14, 8};
  OK(nppiGetAffineTransform(quad_roi, dst_quad, affine_of));
  OK(nppiGetPerspectiveTransform(quad_roi, dst_quad, perspective_of));
  for (int i = 0; i < 4; ++i) {
    double x, y;
    forward(perspective_of, true, src_quad[i][0], src_quad[i][1], x, y);
    CHECK_NEAR(x, dst_quad[i][0], 1e-9);
    CHECK_NEAR(y, dst_quad[i][1], 1e-9);
    forward(affine_of, false, src_quad[i][0], src_quad[i][1], x, y);
    if (i < 3) {
      CHECK_NEAR(x, dst_quad[i][0], 1e-9);
      CHECK_NEAR(y, dst_quad[i][1], 1e-9);
    }
  }
  auto by_affine_quad = [&](double x, double y, double &sx, double &sy) {
    backward(affine_of, false, x, y, sx, sy);
  };
  auto by_perspective_quad = [&](double x, double y, double &sx, double &sy) {
    backward(perspective_of, true, x, y, sx, sy);
  };
  SIX(RESIZE, 8u)
  // clang-format off: uses of macros in a row
  SIX(RESIZE, 16u) SIX(RESIZE, 16s) SIX(RESIZE, 32f) SIX(SQR_PIXEL, 8u) SIX(SQR_PIXEL, 16u)
      SIX(SQR_PIXEL, 16s) SIX(SQR_PIXEL, 32f) SIX(SQR_PIXEL, 64f) SIX(ROTATE, 8u) SIX(ROTATE, 16u)
          SIX(ROTATE, 32f) SIX(WARP, 8u) SIX(WARP, 16u) SIX(WARP, 32s)
              SIX(WARP, 32f) auto by_map = [](double x, double y, double &sx, double &sy) {
                sx = 2 + 0.5 * x + 0.125 * y;
                sy = 12 - 0.75 * y + 0.125;
              };
  {
    Image<Npp32f> map_x(dst_width, dst_height, 1), map_y(dst_width, dst_height, 1);
    Image<Npp64f> map_x64(dst_width, dst_height, 1), map_y64(dst_width, dst_height, 1);
    for (int y = 0; y < dst_height; ++y)
      for (int x = 0; x < dst_width; ++x) {
        by_map(x, y, map_x64.at(x, y), map_y64.at(x, y));
        map_x.at(x, y) = float(map_x64.at(x, y));
        map_y.at(x, y) = float(map_y64.at(x, y));
      }
    SIX(REMAP, 8u)
    SIX(REMAP, 16u) SIX(REMAP, 16s) SIX(REMAP, 32f) auto &wide_x = map_x64,
                                                         &wide_y = map_y64;
    // clang-format on
    // clang-format on
    // clang-format on
    // clang-format on
#define REMAP64(t, c, planar)                                                                      \
  TRANSFORM(t, K##c, planar, nppiRemap_##t##_##c##R, by_map, false, NPPI_INTER_LINEAR, whole, src, \
            src_size, step, src_roi, wide_x.data(), wide_x.step, wide_y.data(), wide_y.step, dst,  \
            dst_step, dst_size, NPPI_INTER_LINEAR)
    SIX(REMAP64, 64f)
  }
}

// Filters of several taps reproduce straight lines, but for two: B05C03's B + 2C is not 1.
void interpolations() {
  const int n = 24;
  Image<Npp32f> a(n, n, 1), d(2 * n, 2 * n, 1), small(n / 3, n / 3, 1);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      a.at(x, y) = 3 * x - 2 * y + 1.0f;
  const NppiRect all = {0, 0, n, n}, doubled = {0, 0, 2 * n, 2 * n}, third = {0, 0, n / 3, n / 3};
  for (int mode : {NPPI_INTER_LINEAR, NPPI_INTER_CUBIC, NPPI_INTER_CUBIC2P_BSPLINE,
                   NPPI_INTER_CUBIC2P_CATMULLROM, NPPI_INTER_CUBIC2P_B05C03, NPPI_INTER_LANCZOS}) {
    OK(nppiResize_32f_C1R(a, a.step, a.size(), all, d, d.step, d.size(), doubled, mode));
    CHECK_CUDA(cudaDeviceSynchronize());
    const double allowed =
        mode == NPPI_INTER_LANCZOS || mode == NPPI_INTER_CUBIC2P_B05C03 ? 0.1 : 1e-4;
    for (int y = 8; y < 2 * n - 8; ++y)
      for (int x = 8; x < 2 * n - 8; ++x)
        CHECK_NEAR(d.at(x, y), 3 * ((x + 0.5) / 2 - 0.5) - 2 * ((y + 0.5) / 2 - 0.5) + 1, allowed);
  }
  OK(nppiResize_32f_C1R(a, a.step, a.size(), all, small, small.step, small.size(), third,
                        NPPI_INTER_SUPER));
  compare("super", small, [&](int e, int y) { return a.at(3 * e + 1, 3 * y + 1); }, 1e-5);
}

template <class T, class R, class RC, class I, class IC>
void mirror(Layout layout, R r, RC rc, I i, IC ic) {
  for (int height : {6, 7}) {
    const int width = 13, n = layout.channels;
    Image<T> a(width, height, n, 1), d(width, height, n, 3), before(width, height, n, 3);
    for (auto axis : {NPP_HORIZONTAL_AXIS, NPP_VERTICAL_AXIS, NPP_BOTH_AXIS}) {
      auto verify = [&](Image<T> &from) {
        compare("Mirror", d, [&](int e, int y) {
          const int x = e / n, c = e % n;
          return layout.alpha && c == 3
                     ? double(before.at(e, y))
                     : double(from.at((axis == NPP_HORIZONTAL_AXIS ? x : width - 1 - x) * n + c,
                                      axis == NPP_VERTICAL_AXIS ? y : height - 1 - y));
        });
      };
      twice(
          r, rc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), d.size(), axis), [&] { verify(a); });
      twice(i, ic, [&] { d.fill(3); }, CALL(IMAGE(d), d.size(), axis), [&] { verify(before); });
    }
  }
}
#define MIRROR(c, t)                                                                               \
  mirror<Npp##t>(c, BOTH(nppiMirror_##t##_##c##R), BOTH(nppiMirror_##t##_##c##IR));
#define C134A(M, ...) M(C1, __VA_ARGS__) M(C3, __VA_ARGS__) M(C4, __VA_ARGS__) M(AC4, __VA_ARGS__)

void coefficients() {
  double quad[4][2], bound[2][2];
  NppiRect rect;
  OK(nppiGetResizeRect({1, 2, 10, 20}, &rect, 2, 0.5, 3, 4, NPPI_INTER_LINEAR));
  CHECK(rect.x == 5 && rect.y == 5 && rect.width == 20 && rect.height == 10);
  const NppiRect square = {0, 0, 5, 5};
  OK(nppiGetRotateQuad(square, quad, 90, 0, 4));
  CHECK_NEAR(quad[1][0], 0, 1e-9);
  CHECK_NEAR(quad[1][1], 0, 1e-9);
  OK(nppiGetRotateBound(square, bound, 90, 0, 4));
  CHECK_NEAR(bound[0][0], 0, 1e-9);
  CHECK_NEAR(bound[1][1], 4, 1e-9);
  OK(nppiGetAffineQuad(square, quad, affine));
  CHECK_NEAR(quad[2][0], 4 * 1.31 + 4 * 0.27 - 1.63, 1e-9);
  OK(nppiGetAffineBound(square, bound, affine));
  CHECK_NEAR(bound[1][0], 4 * 1.31 + 4 * 0.27 - 1.63, 1e-9);
  OK(nppiGetPerspectiveQuad(square, quad, perspective));
  CHECK_NEAR(quad[0][1], 0.71 / 1.02, 1e-9);
  OK(nppiGetPerspectiveBound(square, bound, perspective));
  CHECK_NEAR(bound[0][0], -1.63 / 1.02, 1e-9);
  const double flat[4][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  double none[3][3];
  CHECK_EQ(nppiGetAffineTransform(square, flat, none), NPP_QUADRANGLE_ERROR);
  CHECK_EQ(nppiGetAffineTransform(square, nullptr, none), NPP_NULL_POINTER_ERROR);
  Image<Npp8u> a(8, 8, 1), d(8, 8, 1);
  const NppiRect roi = {0, 0, 8, 8}, outside = {9, 9, 2, 2};
  const double singular[2][3] = {{1, 1, 0}, {2, 2, 0}};
  CHECK_EQ(nppiWarpAffine_8u_C1R(a, a.size(), a.step, roi, d, d.step, roi, singular, NPPI_INTER_NN),
           NPP_COEFFICIENT_ERROR);
  CHECK_EQ(nppiResize_8u_C1R(IMAGE(a), a.size(), roi, IMAGE(d), d.size(), roi, 99),
           NPP_INTERPOLATION_ERROR);
  CHECK_EQ(nppiResize_8u_C1R(IMAGE(a), a.size(), outside, IMAGE(d), d.size(), roi, NPPI_INTER_NN),
           NPP_WRONG_INTERSECTION_ROI_ERROR);
  CHECK_EQ(nppiResizeSqrPixel_8u_C1R(a, a.size(), a.step, roi, d, d.step, roi, 0, 1, 0, 0,
                                     NPPI_INTER_NN),
           NPP_RESIZE_FACTOR_ERROR);
  CHECK_EQ(nppiMirror_8u_C1R(IMAGE(a), IMAGE(d), d.size(), NppiAxis(5)), NPP_MIRROR_FLIP_ERROR);
}

} // namespace

int main() {
  transforms();
  interpolations();
  C134A(MIRROR, 8u)
  C134A(MIRROR, 16u) C134A(MIRROR, 16s) C134A(MIRROR, 32s) C134A(MIRROR, 32f) coefficients();
  RETURN_RESULT();
}
