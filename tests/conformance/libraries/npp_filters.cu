// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -O0 -lnppif -lnppim -lnppisu -lnppc
//
// NPP: filters, gradients, morphology, edges and regions, every function in both forms against
// double precision.
#include "npp_check.h"

namespace {

// The region lies at (8, 8) of a larger image. Forms with a border see only a part of that.
constexpr int width = 11, height = 5, margin = 8;
const NppiSize size = {width, height}, source_size = {width + 2, height + 3};
const NppiPoint source_offset = {1, 2};

using Values = std::vector<double>;
#define CALL(...) [&](auto call) { return call(__VA_ARGS__); }

template <class T> struct Managed {
  T *data;
  Managed(std::initializer_list<T> values) : Managed(std::vector<T>(values)) {}
  explicit Managed(const std::vector<T> &values) {
    CHECK_CUDA(cudaMallocManaged(&data, std::max<size_t>(values.size(), 1) * sizeof(T)));
    std::copy(values.begin(), values.end(), data);
  }
  Managed(const Managed &) = delete;
  ~Managed() { cudaFree(data); }
  operator const T *() const { return data; }
};

template <class S> double fetch(Image<S> &a, int c, int x, int y, bool border) {
  if (border) {
    x = std::min(std::max(x, -source_offset.x), source_size.width - 1 - source_offset.x);
    y = std::min(std::max(y, -source_offset.y), source_size.height - 1 - source_offset.y);
  }
  return double(a.at((x + margin) * a.channels + c, y + margin));
}

/// Checks a filter: `f` makes a number of those under the mask, in reading order, and the one at
/// the anchor. Its form with a border takes the border's type last.
template <class S, class D, class F, class G, class GC, class... More>
void around(const char *name, Layout layout, int mask_width, int mask_height, NppiPoint anchor, F f,
            bool border, double allowed, G g, GC gc, More... more) {
  Image<S> a(width + 2 * margin, height + 2 * margin, layout.channels, 1);
  Image<D> d(width, height, layout.channels, 3), before(width, height, layout.channels, 3);
  const S *src = &a.at(margin * layout.channels, margin);
  auto verify = [&] {
    compare(
        name, d,
        [&](int e, int y) {
          const int c = e % layout.channels, x = e / layout.channels;
          if (layout.alpha && c == 3)
            return double(before.at(e, y));
          Values v;
          for (int j = 0; j < mask_height; ++j)
            for (int i = 0; i < mask_width; ++i)
              v.push_back(fetch(a, c, x - anchor.x + i, y - anchor.y + j, border));
          return asTruncated<D>(f(v));
        },
        allowed);
  };
  auto clear = [&] { d.fill(3); };
  if constexpr (std::is_invocable<G, const S *, int, NppiSize, NppiPoint, D *, int, NppiSize,
                                  More..., NppiBorderType>::value)
    twice(g, gc, clear,
          CALL(src, a.step, source_size, source_offset, d.data(), d.step, size, more...,
               NPP_BORDER_REPLICATE),
          verify);
  else
    twice(g, gc, clear, CALL(src, a.step, d.data(), d.step, size, more...), verify);
}

double weighted(const Values &v, const Values &weights, double divisor) {
  double sum = 0;
  for (size_t i = 0; i < v.size(); ++i)
    sum += v[i] * weights[i];
  return sum / divisor;
}
// The caller's coefficients lie in memory in reverse order, and their anchor is counted from there.
const Values coefficients = {1, -2, 3, 4, 2, 0};
template <class K> const K *reversed(int count) {
  static auto &memory = *new std::vector<Managed<K> *>(7, nullptr);
  if (!memory[count]) {
    std::vector<K> k;
    for (int i = count; i-- > 0;)
      k.push_back(K(coefficients[i]));
    memory[count] = new Managed<K>(k);
  }
  return memory[count]->data;
}
double six(const Values &v) { return weighted(v, coefficients, 1); }
double sixBy4(const Values &v) { return weighted(v, coefficients, 4); }
const NppiSize mask32 = {3, 2};
const NppiPoint anchor10 = {1, 0}, anchor21 = {2, 1}, turned10 = {1, 1}, turned21 = {0, 0};

// Floats add up rounding errors, so integers may be on the other side of a tie.
template <class D> double tie() { return std::is_floating_point<D>::value ? 1e-5 : 1; }

#define C134A(M, ...) M(C1, __VA_ARGS__) M(C3, __VA_ARGS__) M(C4, __VA_ARGS__) M(AC4, __VA_ARGS__)
double five(const Values &v) {
  return weighted(v, Values(coefficients.begin(), coefficients.begin() + 5), 1);
}
double fiveBy3(const Values &v) { return five(v) / 3; }
#define ROWS(f, border, name, c, t, K, ...)                                                        \
  around<Npp##t, Npp##t>(#name #t, c, 5, 1, {2, 0}, f, border, tie<Npp##t>(),                      \
                         BOTH(nppiFilterRow##name##_##t##_##c##R), reversed<K>(5), 5, 2,           \
                         ##__VA_ARGS__);                                                           \
  around<Npp##t, Npp##t>(#name #t, c, 1, 5, {0, 2}, f, border, tie<Npp##t>(),                      \
                         BOTH(nppiFilterColumn##name##_##t##_##c##R), reversed<K>(5), 5, 2,        \
                         ##__VA_ARGS__);
#define LINES(c, t)                                                                                \
  ROWS(fiveBy3, false, , c, t, Npp32s, 3)                                                          \
  ROWS(fiveBy3, true, Border, c, t, Npp32s, 3)                                                     \
  ROWS(five, false, 32f, c, t, Npp32f)                                                             \
  ROWS(five, true, Border32f, c, t, Npp32f)
#define LINES_F(c, unused)                                                                         \
  ROWS(five, false, , c, 32f, Npp32f) ROWS(five, true, Border, c, 32f, Npp32f)
#define FILTER(c, t)                                                                               \
  around<Npp##t, Npp##t>("Filter" #t, c, 3, 2, anchor10, sixBy4, false, 0,                         \
                         BOTH(nppiFilter_##t##_##c##R), reversed<Npp32s>(6), mask32, turned10, 4); \
  around<Npp##t, Npp##t>("FilterBorder" #t, c, 3, 2, anchor21, sixBy4, true, 0,                    \
                         BOTH(nppiFilterBorder_##t##_##c##R), reversed<Npp32s>(6), mask32,         \
                         turned21, 4);
#define FILTER_TO(c, s, d, in)                                                                     \
  around<Npp##s, Npp##d>("Filter32f", c, 3, 2, anchor10, six, false, 0,                            \
                         BOTH(nppiFilter##in##_##c##R), reversed<Npp32f>(6), mask32, turned10);
#define FILTER_TO_BORDER(c, s, d, in)                                                              \
  around<Npp##s, Npp##d>("FilterBorder32f", c, 3, 2, anchor21, six, true, 0,                       \
                         BOTH(nppiFilterBorder##in##_##c##R), reversed<Npp32f>(6), mask32,         \
                         turned21);
#define FILTER_32F(c, t) FILTER_TO(c, t, t, 32f_##t) FILTER_TO_BORDER(c, t, t, 32f_##t)
#define FILTER_WIDE(c, t)                                                                          \
  FILTER_TO(c, t, 16s, 32f_##t##16s) FILTER_TO_BORDER(c, t, 16s, 32f_##t##16s)
#define FILTER_F(c, unused) FILTER_TO(c, 32f, 32f, _32f) FILTER_TO_BORDER(c, 32f, 32f, _32f)

void generalFilters() {
  C134A(LINES, 8u)
  // clang-format off: uses of macros in a row
  C134A(LINES, 16u) C134A(LINES, 16s) C134A(LINES_F, ) ROWS(five, false, , C1, 64f, Npp64f)
      C134A(FILTER, 8u) C134A(FILTER, 16u) C134A(FILTER, 16s) C134A(FILTER_F, ) FILTER_F(C2, )
          around<Npp64f, Npp64f>("Filter64f", C1, 3, 2, anchor10, six, false, 0,
                                 BOTH(nppiFilter_64f_C1R), reversed<Npp64f>(6), mask32, turned10);
  C134A(FILTER_32F, 8u)
  C134A(FILTER_32F, 8s) C134A(FILTER_32F, 16u) C134A(FILTER_32F, 16s) C134A(FILTER_32F, 32s)
      FILTER_32F(C2, 8u) FILTER_32F(C2, 8s) C134A(FILTER_WIDE, 8u) C134A(FILTER_WIDE, 8s)
}
// clang-format on
// clang-format on
// clang-format on
// clang-format on

double mean(const Values &v) { return weighted(v, Values(v.size(), 1.0), double(v.size())); }
double most(const Values &v) { return *std::max_element(v.begin(), v.end()); }
double least(const Values &v) { return *std::min_element(v.begin(), v.end()); }
double middle(Values v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

template <class S, class SC> void medianSize(S f, SC fc) {
  Npp32u bytes = 0, again = 0;
  OK(f(size, mask32, &bytes));
  OK(fc(size, mask32, &again, context()));
  CHECK(bytes == again);
}
#define BOX(c, t, op, f)                                                                           \
  around<Npp##t, Npp##t>("Filter" #op, c, 3, 2, anchor10, f, false, tie<Npp##t>(),                 \
                         BOTH(nppiFilter##op##_##t##_##c##R), mask32, anchor10);                   \
  around<Npp##t, Npp##t>("FilterBorder" #op, c, 3, 2, anchor21, f, true, tie<Npp##t>(),            \
                         BOTH(nppiFilter##op##Border_##t##_##c##R), mask32, anchor21);
#define BOXES(c, t)                                                                                \
  BOX(c, t, Box, mean)                                                                             \
  BOX(c, t, Max, most)                                                                             \
  BOX(c, t, Min, least) {                                                                          \
    medianSize(BOTH(nppiFilterMedianGetBufferSize_##t##_##c##R));                                  \
    medianSize(BOTH(nppiFilterMedianBorderGetBufferSize_##t##_##c##R));                            \
    Managed<Npp8u> buffer(std::vector<Npp8u>(1 << 16));                                            \
    around<Npp##t, Npp##t>("Median", c, 3, 3, {1, 1}, middle, false, 0,                            \
                           BOTH(nppiFilterMedian_##t##_##c##R), NppiSize{3, 3}, NppiPoint{1, 1},   \
                           buffer.data);                                                           \
    around<Npp##t, Npp##t>("MedianBorder", c, 3, 3, {1, 1}, middle, true, 0,                       \
                           BOTH(nppiFilterMedianBorder_##t##_##c##R), NppiSize{3, 3},              \
                           NppiPoint{1, 1}, buffer.data);                                          \
  }

// The masks of NPP's documentation; those for horizontal edges as an H100 uses them.
const Values prewitt_horiz = {-1, -1, -1, 0, 0, 0, 1, 1, 1},
             prewitt_vert = {-1, 0, 1, -1, 0, 1, -1, 0, 1},
             scharr_horiz = {-3, -10, -3, 0, 0, 0, 3, 10, 3},
             scharr_vert = {-3, 0, 3, -10, 0, 10, -3, 0, 3},
             sobel_horiz = {-1, -2, -1, 0, 0, 0, 1, 2, 1},
             sobel_vert = {-1, 0, 1, -2, 0, 2, -1, 0, 1},
             roberts_down = {-1, 0, 0, 0, 1, 0, 0, 0, 0}, roberts_up = {0, 0, -1, 0, 1, 0, 0, 0, 0},
             laplace = {-1, -1, -1, -1, 8, -1, -1, -1, -1}, gauss3 = {1, 2, 1, 2, 4, 2, 1, 2, 1},
             sharpen = {-1, -1, -1, -1, 16, -1, -1, -1, -1},
             sobel_horiz5 = {-1, -4, -6, -4, -1, -2, -8, -12, -8, -2, 0, 0, 0,
                             0,  0,  2,  8,  12, 8,  2,  1,   4,  6,  4, 1},
             sobel_vert5 = {-1, -2, 0,  2,  1, -4, -8, 0,  8,  4, -6, -12, 0,
                            12, 6,  -4, -8, 0, 8,  4,  -1, -2, 0, 2,  1},
             laplace5 = {-1, -3, -4, -3, -1, -3, 0,  6,  0,  -3, -4, 6, 20,
                         6,  -4, -3, 0,  6,  0,  -3, -1, -3, -4, -3, -1};
Values highPass(int n) {
  Values v(n * n, -1.0);
  v[n * n / 2] = n * n - 1;
  return v;
}
Values gaussOf(int n) {
  const double sigma = 0.6 + n / 2 * 0.4;
  Values v;
  double sum = 0;
  for (int y = -(n / 2); y <= n / 2; ++y)
    for (int x = -(n / 2); x <= n / 2; ++x) {
      v.push_back(std::exp(-(x * x + y * y) / (2 * sigma * sigma)));
      sum += v.back();
    }
  for (double &w : v)
    w /= sum;
  return v;
}

// A fixed mask of n x n in both forms.
template <class S, class D, class F, class FC, class B, class BC, class... More>
void fixed(Layout layout, int n, const Values &weights, double divisor, F f, FC fc, B b, BC bc,
           More... more) {
  auto sum = [&](const Values &v) { return weighted(v, weights, divisor); };
  around<S, D>("fixed", layout, n, n, {n / 2, n / 2}, sum, false, tie<D>(), f, fc, more...);
  around<S, D>("fixed border", layout, n, n, {n / 2, n / 2}, sum, true, tie<D>(), b, bc, more...);
}
#define NAMES(op, types, c)                                                                        \
  BOTH(nppiFilter##op##_##types##_##c##R), BOTH(nppiFilter##op##Border_##types##_##c##R)
#define FIXED(c, t, op, w, divisor) fixed<Npp##t, Npp##t>(c, 3, w, divisor, NAMES(op, t, c));
#define SIZED(c, t, op, w3, d3, w5, d5)                                                            \
  fixed<Npp##t, Npp##t>(c, 3, w3, d3, NAMES(op, t, c), NPP_MASK_SIZE_3_X_3);                       \
  fixed<Npp##t, Npp##t>(c, 5, w5, d5, NAMES(op, t, c), NPP_MASK_SIZE_5_X_5);
// clang-format off: uses of macros in a row
#define FIXED_OF(c, t)                                                                             \
  FIXED(c, t, PrewittHoriz, prewitt_horiz, 1)                                                      \
  FIXED(c, t, PrewittVert, prewitt_vert, 1) FIXED(c, t, SobelHoriz, sobel_horiz, 1)                \
      FIXED(c, t, SobelVert, sobel_vert, 1) FIXED(c, t, RobertsDown, roberts_down, 1)              \
          FIXED(c, t, RobertsUp, roberts_up, 1) SIZED(c, t, Laplace, laplace, 1, laplace5, 1)
#define FIXED_MORE(c, t)                                                                           \
  FIXED(c, t, Sharpen, sharpen, 8)                                                                 \
  SIZED(c, t, HighPass, highPass(3), 1, highPass(5), 1)                                            \
  SIZED(c, t, LowPass, Values(9, 1.0), 9, Values(25, 1.0), 25)                                     \
  SIZED(c, t, Gauss, gaussOf(3), 1, gaussOf(5), 1)                                                    \
  fixed<Npp##t, Npp##t>(c, 7, gaussOf(7), 1, NAMES(Gauss, t, c), NPP_MASK_SIZE_7_X_7);
#define WIDE(s, d, op, w, n, mask) fixed<Npp##s, Npp##d>(C1, n, w, 1, NAMES(op, s##d, C1), mask);
#define WIDE_OF(s)                                                                                 \
  WIDE(s, 16s, SobelHoriz, sobel_horiz, 3, NPP_MASK_SIZE_3_X_3)                                    \
  WIDE(s, 16s, SobelHoriz, sobel_horiz5, 5, NPP_MASK_SIZE_5_X_5)                                   \
  WIDE(s, 16s, SobelVert, sobel_vert, 3, NPP_MASK_SIZE_3_X_3)                                      \
  WIDE(s, 16s, SobelVert, sobel_vert5, 5, NPP_MASK_SIZE_5_X_5)                                     \
  WIDE(s, 16s, Laplace, laplace5, 5, NPP_MASK_SIZE_5_X_5)                                          \
  fixed<Npp##s, Npp16s>(C1, 3, scharr_horiz, 1, NAMES(ScharrHoriz, s##16s, C1));                   \
  fixed<Npp##s, Npp16s>(C1, 3, scharr_vert, 1, NAMES(ScharrVert, s##16s, C1));

void boxesAndFixedMasks() {
  C134A(BOXES, 8u)
  C134A(BOXES, 16u) C134A(BOXES, 16s) C134A(BOXES, 32f) around<Npp64f, Npp64f>(
      "Box64f", C1, 3, 2, anchor10, mean, false, 0, BOTH(nppiFilterBox_64f_C1R), mask32, anchor10);
  C134A(FIXED_OF, 8u)
  C134A(FIXED_OF, 16s) C134A(FIXED_OF, 32f) C134A(FIXED_MORE, 8u) C134A(FIXED_MORE, 16u)
      C134A(FIXED_MORE, 16s) C134A(FIXED_MORE, 32f) WIDE_OF(8u) WIDE_OF(8s)
          fixed<Npp32f, Npp32f>(C1, 3, scharr_horiz, 1, NAMES(ScharrHoriz, 32f, C1));
  // clang-format on
  // clang-format on
  // clang-format on
  // clang-format on
  fixed<Npp32f, Npp32f>(C1, 3, scharr_vert, 1, NAMES(ScharrVert, 32f, C1));
  fixed<Npp32f, Npp32f>(C1, 5, sobel_horiz5, 1, BOTH(nppiFilterSobelHorizMask_32f_C1R),
                        BOTH(nppiFilterSobelHorizMaskBorder_32f_C1R), NPP_MASK_SIZE_5_X_5);
  fixed<Npp32f, Npp32f>(C1, 5, sobel_vert5, 1, BOTH(nppiFilterSobelVertMask_32f_C1R),
                        BOTH(nppiFilterSobelVertMaskBorder_32f_C1R), NPP_MASK_SIZE_5_X_5);
}

void otherFilters() {
  const Managed<Npp32f> taps = {0.25f, 0.5f, 0.25f};
  const Npp32f *const kernel = taps;
  auto bilateral = [](const Values &v) {
    double sum = 0, weights = 0;
    for (int i = 0; i < 9; ++i) {
      const double dx = i % 3 - 1, dy = i / 3 - 1, difference = v[i] - v[4];
      const double w = std::exp(-difference * difference / (2 * 400.0)) *
                       std::exp(-(dx * dx + dy * dy) / (2 * 2.0));
      sum += w * v[i];
      weights += w;
    }
    return sum / weights;
  };
#define TAPS(c, t) fixed<Npp##t, Npp##t>(c, 3, gauss3, 16, NAMES(GaussAdvanced, t, c), 3, kernel);
#define BILATERAL(c, t)                                                                            \
  around<Npp##t, Npp##t>("Bilateral", c, 3, 3, {1, 1}, bilateral, true, tie<Npp##t>(),             \
                         BOTH(nppiFilterBilateralGaussBorder_##t##_##c##R), 1, 1, 400.0f, 2.0f);
  C134A(TAPS, 8u)
  // clang-format off: uses of macros in a row
  C134A(TAPS, 16u) C134A(TAPS, 16s) C134A(TAPS, 32f) BILATERAL(C1, 8u) BILATERAL(C3, 8u)
      BILATERAL(C1, 16u) BILATERAL(C3, 16u) BILATERAL(C1, 32f) BILATERAL(C3, 32f) auto adaptive =
          [](const Values &v) { return v[4] > mean(v) - 3.25 ? 200 : 10; };
  // clang-format on
  around<Npp8u, Npp8u>("Adaptive", C1, 3, 3, {1, 1}, adaptive, true, 0,
                       BOTH(nppiFilterThresholdAdaptiveBoxBorder_8u_C1R), NppiSize{3, 3}, 3.25f,
                       Npp8u(200), Npp8u(10));
}

template <class S, class D, class G, class GC>
void gradient(const Values &for_x, const Values &for_y, NppiNorm norm, G g, GC gc) {
  Image<S> a(width + 2 * margin, height + 2 * margin, 1, 1);
  Image<D> x(width, height, 1), y(width, height, 1), magnitude(width, height, 1);
  Image<Npp32f> angle(width, height, 1);
  const S *src = &a.at(margin, margin);
  auto component = [&](const Values &mask, int e, int row) {
    Values v;
    for (int i = 0; i < 9; ++i)
      v.push_back(fetch(a, 0, e + i % 3 - 1, row + i / 3 - 1, true));
    return weighted(v, mask, 1);
  };
  twice(
      g, gc, [&] { x.fill(3); },
      CALL(src, a.step, source_size, source_offset, x.data(), x.step, y.data(), y.step,
           magnitude.data(), magnitude.step, angle.data(), angle.step, size, NPP_MASK_SIZE_3_X_3,
           norm, NPP_BORDER_REPLICATE),
      [&] {
        compare("x", x, [&](int e, int row) { return asResult<D>(component(for_x, e, row)); });
        compare("y", y, [&](int e, int row) { return asResult<D>(component(for_y, e, row)); });
        compare(
            "magnitude", magnitude,
            [&](int e, int row) {
              const double dx = std::fabs(component(for_x, e, row)),
                           dy = std::fabs(component(for_y, e, row));
              return asResult<D>(norm == nppiNormInf  ? std::max(dx, dy)
                                 : norm == nppiNormL1 ? dx + dy
                                                      : std::hypot(dx, dy));
            },
            tie<D>());
        compare("angle", angle, [&](int e, int row) {
          return std::atan2(component(for_y, e, row), component(for_x, e, row));
        });
      });
}
#define GRADIENT(op, w, norm)                                                                      \
  gradient<Npp8u, Npp16s>(w##_vert, w##_horiz, norm,                                               \
                          BOTH(nppiGradientVector##op##Border_8u16s_C1R));                         \
  gradient<Npp16s, Npp32f>(w##_vert, w##_horiz, norm,                                              \
                           BOTH(nppiGradientVector##op##Border_16s32f_C1R));                       \
  gradient<Npp16u, Npp32f>(w##_vert, w##_horiz, norm,                                              \
                           BOTH(nppiGradientVector##op##Border_16u32f_C1R));                       \
  gradient<Npp32f, Npp32f>(w##_vert, w##_horiz, norm, BOTH(nppiGradientVector##op##Border_32f_C1R));

double ofCross(const Values &v, bool maximum) {
  const Values chosen = {v[1], v[3], v[4], v[5], v[7]};
  return maximum ? most(chosen) : least(chosen);
}
double crossMost(const Values &v) { return ofCross(v, true); }
double crossLeast(const Values &v) { return ofCross(v, false); }
const Npp8u *cross() {
  static auto &mask = *new Managed<Npp8u>({0, 1, 0, 1, 1, 1, 0, 1, 0});
  return mask;
}
const NppiSize mask33 = {3, 3};
const NppiPoint anchor11 = {1, 1};

// One operation after the other; beyond the region, the edge of what came between is repeated.
template <class T, class G, class GC, class S, class SC>
void morphTwice(int what, Layout layout, G g, GC gc, S wanted, SC wanted_c) {
  Image<T> a(width, height, layout.channels, 1), d(width, height, layout.channels, 3),
      before(width, height, layout.channels, 3);
  int bytes = 0, again = 0;
  OK(wanted(size, &bytes));
  OK(wanted_c(size, &again, context()));
  CHECK(bytes > 0 && bytes == again);
  Managed<Npp8u> buffer{std::vector<Npp8u>(bytes)};
  const NppiPoint origin = {0, 0};
  using Plane = std::vector<double>;
  auto once = [&](const Plane &from, int n, bool maximum) {
    Plane to(from.size());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int c = 0; c < n; ++c) {
          Values v;
          for (int i = 0; i < 9; ++i) {
            const int sx = std::min(std::max(x + i % 3 - 1, 0), width - 1),
                      sy = std::min(std::max(y + i / 3 - 1, 0), height - 1);
            v.push_back(from[(sy * width + sx) * n + c]);
          }
          to[(y * width + x) * n + c] = ofCross(v, maximum);
        }
    return to;
  };
  const Plane all = a.read();
  const int n = layout.channels;
  const Plane eroded = once(all, n, false), dilated = once(all, n, true),
              opened = once(eroded, n, true), closed = once(dilated, n, false);
  twice(
      g, gc, [&] { d.fill(3); },
      CALL(a.data(), a.step, size, origin, d.data(), d.step, size, cross(), mask33, anchor11,
           buffer.data, NPP_BORDER_REPLICATE),
      [&] {
        compare("Morph", d, [&](int e, int y) {
          const int i = y * width * n + e;
          if (layout.alpha && e % 4 == 3)
            return double(before.at(e, y));
          const double results[5] = {opened[i], closed[i], all[i] - opened[i], closed[i] - all[i],
                                     dilated[i] - eroded[i]};
          return asResult<T>(results[what]);
        });
      });
}
#define MORPH(c, t, op, cross_f, square_f)                                                         \
  around<Npp##t, Npp##t>(#op, c, 3, 3, {1, 1}, cross_f, false, 0, BOTH(nppi##op##_##t##_##c##R),   \
                         cross(), mask33, anchor11);                                               \
  around<Npp##t, Npp##t>(#op, c, 3, 3, {1, 1}, cross_f, true, 0,                                   \
                         BOTH(nppi##op##Border_##t##_##c##R), cross(), mask33, anchor11);          \
  around<Npp##t, Npp##t>(#op, c, 3, 3, {1, 1}, square_f, false, 0,                                 \
                         BOTH(nppi##op##3x3_##t##_##c##R));                                        \
  around<Npp##t, Npp##t>(#op, c, 3, 3, {1, 1}, square_f, true, 0,                                  \
                         BOTH(nppi##op##3x3Border_##t##_##c##R));
#define MORPHS(c, t) MORPH(c, t, Dilate, crossMost, most) MORPH(c, t, Erode, crossLeast, least)
#define MORPH_TWICE1(what, op, c, t)                                                               \
  morphTwice<Npp##t>(what, c, BOTH(nppiMorph##op##Border_##t##_##c##R),                            \
                     BOTH(nppiMorphGetBufferSize_##t##_##c##R));
// clang-format off: uses of macros in a row
#define MORPH_TWICE(c, t)                                                                          \
  MORPH_TWICE1(0, Open, c, t)                                                                      \
  MORPH_TWICE1(1, Close, c, t) MORPH_TWICE1(2, TopHat, c, t) MORPH_TWICE1(3, BlackHat, c, t)       \
      MORPH_TWICE1(4, Gradient, c, t)
// clang-format on
template <class T, class K, class D, class DC, class E, class EC>
void gray(D d, DC dc, E e, EC ec) {
  const Managed<K> mask = {K(1), K(5), K(-2), K(0), K(3), K(1)};
  const K *const weights = mask;
  auto add = [&](const Values &v, double sign) {
    Values all;
    for (size_t i = 0; i < v.size(); ++i)
      all.push_back(v[i] + sign * double(weights[i]));
    return all;
  };
  around<T, T>(
      "GrayDilate", C1, 3, 2, anchor10, [&](const Values &v) { return most(add(v, 1)); }, true, 0,
      d, dc, weights, mask32, anchor10);
  around<T, T>(
      "GrayErode", C1, 3, 2, anchor10, [&](const Values &v) { return least(add(v, -1)); }, true, 0,
      e, ec, weights, mask32, anchor10);
}

void morphology() {
  C134A(MORPHS, 8u)
  // clang-format off: uses of macros in a row
  C134A(MORPHS, 16u) C134A(MORPHS, 32f) C134A(MORPH_TWICE, 8u) C134A(MORPH_TWICE, 16u)
      C134A(MORPH_TWICE, 16s) C134A(MORPH_TWICE, 32f)
          gray<Npp8u, Npp32s>(BOTH(nppiGrayDilateBorder_8u_C1R), BOTH(nppiGrayErodeBorder_8u_C1R));
  // clang-format on
  gray<Npp32f, Npp32f>(BOTH(nppiGrayDilateBorder_32f_C1R), BOTH(nppiGrayErodeBorder_32f_C1R));
}

// A square whose edge is strong, and a faint one that no strong edge touches.
void canny() {
  const int w = 40, h = 30;
  const NppiSize whole = {w, h};
  const NppiPoint origin = {0, 0};
  Image<Npp8u> a(w, h, 1), d(w, h, 1);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      a.at(x, y) = x >= 5 && x < 15 && y >= 5 && y < 15     ? 200
                   : x >= 25 && x < 35 && y >= 15 && y < 25 ? 70
                                                            : 40;
  int bytes = 0, again = 0;
  OK(nppiFilterCannyBorderGetBufferSize(whole, &bytes));
  OK(nppiFilterCannyBorderGetBufferSize_Ctx(whole, &again, context()));
  CHECK(bytes > 0 && bytes == again);
  Managed<Npp8u> buffer{std::vector<Npp8u>(bytes)};
  for (auto filter : {NPP_FILTER_SOBEL, NPP_FILTER_SCHARR})
    twice(
        BOTH(nppiFilterCannyBorder_8u_C1R), [&] { d.fill(3); },
        CALL(a.data(), a.step, whole, origin, d.data(), d.step, whole, filter, NPP_MASK_SIZE_3_X_3,
             Npp16s(60), Npp16s(600), nppiNormL2, NPP_BORDER_REPLICATE, buffer.data),
        [&] {
          int edges = 0, strays = 0;
          CHECK_CUDA(cudaDeviceSynchronize());
          for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
              CHECK(d.at(x, y) == 0 || d.at(x, y) == 255);
              const bool on_edge = x >= 4 && x <= 15 && y >= 4 && y <= 15 &&
                                   !(x >= 6 && x <= 13 && y >= 6 && y <= 13);
              (on_edge ? edges : strays) += d.at(x, y) == 255;
            }
          CHECK_EQ(strays, 0);
          CHECK(edges >= 32 && edges <= 60);
          CHECK(d.at(4, 10) == 255 || d.at(5, 10) == 255);
        });
}

// Labels by flooding, in reading order.
template <class S, class T> std::vector<int> flood(Image<S> &a, T same, bool diagonal, int &count) {
  const int w = a.width, h = a.height;
  std::vector<int> label(w * h, -1), todo;
  count = 0;
  for (int i = 0; i < w * h; ++i) {
    if (label[i] >= 0)
      continue;
    label[i] = count;
    todo = {i};
    while (!todo.empty()) {
      const int k = todo.back();
      todo.pop_back();
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int x = k % w + dx, y = k / w + dy;
          if ((dx && dy && !diagonal) || x < 0 || y < 0 || x >= w || y >= h ||
              label[y * w + x] >= 0 || !same(k, y * w + x))
            continue;
          label[y * w + x] = count;
          todo.push_back(y * w + x);
        }
    }
    ++count;
  }
  return label;
}

template <class S, class G, class GC> void labels(NppiNorm norm, G g, GC gc) {
  const int w = 50, h = 23;
  const NppiSize whole = {w, h};
  Image<S> a(w, h, 1);
  Image<Npp32u> d(w, h, 1);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      a.at(x, y) = S((x * 7 + y * 13 + x * y) % 5 < 3);
  int bytes = 0, again = 0, count = 0;
  OK(nppiLabelMarkersUFGetBufferSize_32u_C1R(whole, &bytes));
  OK(nppiLabelMarkersUFGetBufferSize_32u_C1R_Ctx(whole, &again, context()));
  CHECK(bytes > 0 && bytes == again);
  Managed<Npp8u> buffer{std::vector<Npp8u>(bytes)};
  const auto expected = flood(
      a, [&](int i, int k) { return a.at(i % w, i / w) == a.at(k % w, k / w); },
      norm == nppiNormInf, count);
  auto agrees = [&](int found) {
    std::vector<long long> seen(found, -1);
    int wrong = 0;
    for (int i = 0; i < w * h; ++i) {
      const Npp32u label = d.at(i % w, i / w);
      if (label >= Npp32u(found))
        ++wrong;
      else if (seen[label] < 0)
        seen[label] = expected[i];
      else
        wrong += seen[label] != expected[i];
    }
    CHECK_EQ(wrong, 0);
  };
  twice(
      g, gc, [&] { d.fill(3); }, CALL(a.data(), a.step, d.data(), d.step, whole, norm, buffer.data),
      [&] { agrees(w * h); });
  OK(nppiCompressMarkerLabelsGetBufferSize_32u_C1R(w * h, &bytes));
  OK(nppiCompressMarkerLabelsGetBufferSize_32u_C1R_Ctx(w * h, &again, context()));
  CHECK(bytes > 0 && bytes == again);
  Managed<Npp8u> scratch{std::vector<Npp8u>(bytes)};
  for (bool with_context : {false, true}) {
    int found = 0;
    OK(g(a.data(), a.step, d.data(), d.step, whole, norm, buffer.data));
    if (with_context)
      OK(nppiCompressMarkerLabelsUF_32u_C1IR_Ctx(d, d.step, whole, w * h, &found, scratch.data,
                                                 context()));
    else
      OK(nppiCompressMarkerLabelsUF_32u_C1IR(d, d.step, whole, w * h, &found, scratch.data));
    CHECK_EQ(found, count);
    CHECK_CUDA(cudaDeviceSynchronize());
    agrees(count);
  }
}

// Two valleys with a ridge between them are two segments.
template <class T, class S, class SC, class G, class GC>
void watershed(S wanted, SC wanted_c, G g, GC gc) {
  const int w = 21, h = 9;
  const NppiSize whole = {w, h};
  Image<T> d(w, h, 1);
  Image<Npp32u> markers(w, h, 1);
  size_t bytes = 0, again = 0;
  OK(wanted(whole, &bytes));
  OK(wanted_c(whole, &again, context()));
  CHECK(bytes > 0 && bytes == again);
  Managed<Npp8u> buffer{std::vector<Npp8u>(bytes)};
  auto fill = [&] {
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        d.at(x, y) = T(x < 10 ? 10 + 5 * std::abs(x - 4) : 12 + 5 * std::abs(x - 15));
  };
  for (auto boundaries :
       {NPP_WATERSHED_SEGMENT_BOUNDARIES_NONE, NPP_WATERSHED_SEGMENT_BOUNDARIES_ONLY})
    twice(g, gc, fill,
          CALL(d.data(), d.step, markers.data(), markers.step, nppiNormInf, boundaries, whole,
               buffer.data),
          [&] {
            CHECK_CUDA(cudaDeviceSynchronize());
            CHECK(markers.at(0, 0) != markers.at(w - 1, 0));
            for (int y = 0; y < h; ++y)
              for (int x = 0; x < w; ++x) {
                CHECK(markers.at(x, y) == markers.at(x < 10 ? 0 : w - 1, 0));
                if (boundaries == NPP_WATERSHED_SEGMENT_BOUNDARIES_ONLY)
                  CHECK_EQ(d.at(x, y) != 0, x == 9);
                else
                  CHECK_EQ(d.at(x, y) == d.at(0, 0), x < 10);
              }
          });
}

void badArguments() {
  Image<Npp8u> a(width, height, 1), d(width, height, 1);
  Npp32s *const k = nullptr;
  CHECK_EQ(nppiFilter_8u_C1R(a, a.step, d, d.step, size, k, mask32, anchor10, 1),
           NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppiFilter_8u_C1R(a, a.step, d, d.step, size, reversed<Npp32s>(6), mask32, anchor10, 0),
           NPP_DIVISOR_ERROR);
  CHECK_EQ(nppiFilterBox_8u_C1R(a, a.step, d, d.step, size, {0, 3}, {0, 0}), NPP_MASK_SIZE_ERROR);
  CHECK_EQ(nppiFilterBox_8u_C1R(a, a.step, d, d.step, size, {3, 3}, {3, 0}), NPP_ANCHOR_ERROR);
  CHECK_EQ(nppiFilterGauss_8u_C1R(a, a.step, d, d.step, size, NPP_MASK_SIZE_1_X_3),
           NPP_MASK_SIZE_ERROR);
  CHECK_EQ(nppiFilterBoxBorder_8u_C1R(a, a.step, {width, height}, {0, 0}, d, d.step, size, {3, 3},
                                      {1, 1}, NPP_BORDER_WRAP),
           NPP_NOT_SUPPORTED_MODE_ERROR);
  CHECK_EQ(nppiDilate_8u_C1R(a, a.step, d, d.step, size, nullptr, mask33, anchor11),
           NPP_NULL_POINTER_ERROR);
}

} // namespace

int main() {
  generalFilters();
  boxesAndFixedMasks();
  otherFilters();
  GRADIENT(Prewitt, prewitt, nppiNormL1)
  GRADIENT(Scharr, scharr, nppiNormL2)
  GRADIENT(Sobel, sobel, nppiNormInf)
  morphology();
  canny();
  labels<Npp8u>(nppiNormInf, BOTH(nppiLabelMarkersUF_8u32u_C1R));
  labels<Npp16u>(nppiNormL1, BOTH(nppiLabelMarkersUF_16u32u_C1R));
  labels<Npp32u>(nppiNormInf, BOTH(nppiLabelMarkersUF_32u_C1R));
  watershed<Npp8u>(BOTH(nppiSegmentWatershedGetBufferSize_8u_C1R),
                   BOTH(nppiSegmentWatershed_8u_C1IR));
  watershed<Npp16u>(BOTH(nppiSegmentWatershedGetBufferSize_16u_C1R),
                    BOTH(nppiSegmentWatershed_16u_C1IR));
  badArguments();
  RETURN_RESULT();
}
