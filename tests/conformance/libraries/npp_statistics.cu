// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -O0 -lnppist -lnppisu -lnppc
//
// NPP: statistics, integral images, histograms and magnitudes, every function in both forms against
// double precision.
#include "npp_check.h"

namespace {

constexpr int width = 37, height = 9;

#define IMAGE(i) (i).data(), (i).step
#define CALL(...) [&](auto call) { return call(__VA_ARGS__); }
using Values = std::vector<double>;

template <class T> struct Managed {
  T *data;
  explicit Managed(size_t count) { CHECK_CUDA(cudaMallocManaged(&data, count * sizeof(T))); }
  Managed(const Managed &) = delete;
  ~Managed() { cudaFree(data); }
  operator T *() { return data; }
};

Image<Npp8u> &mask() {
  static auto &instance = *[] {
    auto *made = new Image<Npp8u>(width, height, 1);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        made->at(x, y) = (x + 2 * y) % 4 == 0 ? 0 : 255;
    return made;
  }();
  return instance;
}

/// A channel's values in reading order, all or those that the mask lets through.
template <class T> Values valuesOf(Image<T> &image, int channel, bool masked = false) {
  Values all;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (!masked || mask().at(x, y))
        all.push_back(double(image.at(x * image.channels + channel, y)));
  return all;
}
template <class T>
NppiPoint placeOf(Image<T> &image, int channel, double value, bool masked = false) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if ((!masked || mask().at(x, y)) &&
          double(image.at(x * image.channels + channel, y)) == value)
        return {x, y};
  return {-1, -1};
}

double sum(const Values &v) {
  double total = 0;
  for (double x : v)
    total += x;
  return total;
}
double mean(const Values &v) { return sum(v) / double(v.size()); }
double least(const Values &v) { return *std::min_element(v.begin(), v.end()); }
double most(const Values &v) { return *std::max_element(v.begin(), v.end()); }
double deviation(const Values &v) {
  double squares = 0;
  for (double x : v)
    squares += (x - mean(v)) * (x - mean(v));
  return std::sqrt(squares / double(v.size()));
}
// Norms: 0 is the largest, 1 the sum, 2 the root of the squares.
double normOf(int kind, const Values &v) {
  double total = 0;
  for (double x : v)
    total = kind == 0 ? std::max(total, std::fabs(x)) : total + (kind == 1 ? std::fabs(x) : x * x);
  return kind == 2 ? std::sqrt(total) : total;
}
Values difference(const Values &a, const Values &b) {
  Values all;
  for (size_t i = 0; i < a.size(); ++i)
    all.push_back(a[i] - b[i]);
  return all;
}
double relative(const Values &a, const Values &b, bool maximum) {
  double total = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double error = std::fabs(a[i] - b[i]) / std::max(std::fabs(a[i]), std::fabs(b[i]));
    total = maximum ? std::max(total, error) : total + error / double(a.size());
  }
  return total;
}
double dot(const Values &a, const Values &b) {
  double total = 0;
  for (size_t i = 0; i < a.size(); ++i)
    total += a[i] * b[i];
  return total;
}

/// Scratch memory of the size that a function asks for.
template <class S, class SC> Npp8u *scratch(S size, SC size_c) {
  static Npp8u *memory = nullptr;
  static size_t there = 0;
  size_t wanted = 0, again = 0;
  OK(size({width, height}, &wanted));
  OK(size_c({width, height}, &again, context()));
  CHECK(wanted > 0 && wanted == again);
  if (wanted > there) {
    cudaFree(memory);
    CHECK_CUDA(cudaMalloc(&memory, there = wanted));
  }
  return memory;
}
#define SCRATCH(name, t, c) scratch(BOTH(nppi##name##GetBufferHostSize_##t##_##c##R))

void near(double actual, double expected) {
  CHECK_NEAR(actual, expected, 1e-6 * std::max(1.0, std::fabs(expected)));
}

template <class T, class R, class F, class G, class GC>
void reduce(F f, Layout layout, Npp8u *buffer, G g, GC gc) {
  Image<T> a(width, height, layout.channels, 1);
  Managed<R> out(4);
  twice(
      g, gc, [&] { memset(out, 0, 4 * sizeof(R)); }, CALL(IMAGE(a), a.size(), buffer, out.data),
      [&] {
        for (int c = 0; c < layout.used(); ++c)
          near(double(out[c]), f(valuesOf(a, c)));
      });
}
template <class T, class F, class G, class GC>
void indexed(F f, Layout layout, Npp8u *buffer, G g, GC gc) {
  Image<T> a(width, height, layout.channels, 1);
  Managed<T> out(4);
  Managed<int> x(4), y(4);
  twice(
      g, gc, [&] { x[0] = y[0] = -7; }, CALL(IMAGE(a), a.size(), buffer, out.data, x.data, y.data),
      [&] {
        for (int c = 0; c < layout.used(); ++c) {
          const double expected = f(valuesOf(a, c));
          CHECK_EQ(double(out[c]), expected);
          const NppiPoint place = placeOf(a, c, expected);
          CHECK_EQ(x[c], place.x);
          CHECK_EQ(y[c], place.y);
        }
      });
}
template <class T, class G, class GC> void minMax(Layout layout, Npp8u *buffer, G g, GC gc) {
  Image<T> a(width, height, layout.channels, 1);
  Managed<T> low(4), high(4);
  twice(
      g, gc, [&] { low[0] = high[0] = 0; }, CALL(IMAGE(a), a.size(), low.data, high.data, buffer),
      [&] {
        for (int c = 0; c < layout.used(); ++c) {
          CHECK_EQ(double(low[c]), least(valuesOf(a, c)));
          CHECK_EQ(double(high[c]), most(valuesOf(a, c)));
        }
      });
}
template <class T, class G, class GC> void every(bool maximum, Layout layout, G g, GC gc) {
  Image<T> a(width, height, layout.channels, 1), d(width, height, layout.channels, 3),
      before(width, height, layout.channels, 3);
  twice(
      g, gc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), d.size()),
      [&] {
        compare("Every", d, [&](int e, int y) {
          const double was = before.at(e, y), other = a.at(e, y);
          return layout.alpha && e % 4 == 3 ? was
                 : maximum                  ? std::max(was, other)
                                            : std::min(was, other);
        });
      });
}
#define REDUCE(t, c)                                                                               \
  reduce<Npp##t, Npp64f>(sum, c, SCRATCH(Sum, t, c), BOTH(nppiSum_##t##_##c##R));                  \
  reduce<Npp##t, Npp64f>(mean, c, SCRATCH(Mean, t, c), BOTH(nppiMean_##t##_##c##R));               \
  reduce<Npp##t, Npp##t>(least, c, SCRATCH(Min, t, c), BOTH(nppiMin_##t##_##c##R));                \
  reduce<Npp##t, Npp##t>(most, c, SCRATCH(Max, t, c), BOTH(nppiMax_##t##_##c##R));                 \
  indexed<Npp##t>(least, c, SCRATCH(MinIndx, t, c), BOTH(nppiMinIndx_##t##_##c##R));               \
  indexed<Npp##t>(most, c, SCRATCH(MaxIndx, t, c), BOTH(nppiMaxIndx_##t##_##c##R));                \
  minMax<Npp##t>(c, SCRATCH(MinMax, t, c), BOTH(nppiMinMax_##t##_##c##R));                         \
  every<Npp##t>(true, c, BOTH(nppiMaxEvery_##t##_##c##IR));                                        \
  every<Npp##t>(false, c, BOTH(nppiMinEvery_##t##_##c##IR));                                       \
  NORM(Inf, 0, t, c) NORM(L1, 1, t, c) NORM(L2, 2, t, c)

// Norms and others of one or two images, one result for each channel or one for all.
template <class T, class R, class F, class G, class GC>
void pair(F f, Layout layout, bool together, Npp8u *buffer, G g, GC gc) {
  Image<T> a(width, height, layout.channels, 1), b(width, height, layout.channels, 2);
  Managed<R> out(4);
  twice(
      g, gc, [&] { out[0] = R(-1); }, CALL(IMAGE(a), IMAGE(b), a.size(), out.data, buffer),
      [&] {
        if (together) {
          Values va, vb;
          for (int c = 0; c < layout.channels; ++c) {
            const Values ca = valuesOf(a, c), cb = valuesOf(b, c);
            va.insert(va.end(), ca.begin(), ca.end());
            vb.insert(vb.end(), cb.begin(), cb.end());
          }
          CHECK_NEAR(double(out[0]), f(va, vb), 1e-5 * std::max(1.0, f(va, vb)));
          return;
        }
        for (int c = 0; c < layout.used(); ++c) {
          const double expected = f(valuesOf(a, c), valuesOf(b, c));
          CHECK_NEAR(double(out[c]), expected, 1e-5 * std::max(1.0, std::fabs(expected)));
        }
      });
}
template <class T, class G, class GC>
void norm(int kind, Layout layout, Npp8u *buffer, G g, GC gc) {
  Image<T> a(width, height, layout.channels, 1);
  Managed<Npp64f> out(4);
  twice(
      g, gc, [&] { out[0] = -1; }, CALL(IMAGE(a), a.size(), out.data, buffer),
      [&] {
        for (int c = 0; c < layout.used(); ++c)
          near(out[c], normOf(kind, valuesOf(a, c)));
      });
}
#define NORM(n, kind, t, c)                                                                        \
  norm<Npp##t>(kind, c, SCRATCH(Norm##n, t, c), BOTH(nppiNorm_##n##_##t##_##c##R));                \
  pair<Npp##t, Npp64f>(diff##n, c, false, SCRATCH(NormDiff##n, t, c),                              \
                       BOTH(nppiNormDiff_##n##_##t##_##c##R));                                     \
  pair<Npp##t, Npp64f>(rel##n, c, false, SCRATCH(NormRel##n, t, c),                                \
                       BOTH(nppiNormRel_##n##_##t##_##c##R));
#define NORM_FUNCTIONS(n, kind)                                                                    \
  double diff##n(const Values &a, const Values &b) { return normOf(kind, difference(a, b)); }      \
  double rel##n(const Values &a, const Values &b) { return diff##n(a, b) / normOf(kind, b); }
NORM_FUNCTIONS(Inf, 0)
NORM_FUNCTIONS(L1, 1)
NORM_FUNCTIONS(L2, 2)
#define DOT(t, c)                                                                                  \
  pair<Npp##t, Npp64f>(dot, c, false, SCRATCH(DotProd, t##64f, c),                                 \
                       BOTH(nppiDotProd_##t##64f_##c##R));
double averageError(const Values &a, const Values &b) { return diffL1(a, b) / double(a.size()); }
double averageRelative(const Values &a, const Values &b) { return relative(a, b, false); }
double maximumRelative(const Values &a, const Values &b) { return relative(a, b, true); }
double squareError(const Values &a, const Values &b) {
  return diffL2(a, b) * diffL2(a, b) / double(a.size());
}
double signalToNoise(const Values &a, const Values &b) {
  return 10 * std::log10(255 * 255 / squareError(a, b));
}
double quality(const Values &a, const Values &b) {
  const double n = double(a.size()), ma = mean(a), mb = mean(b), da = deviation(a),
               db = deviation(b);
  return 4 * (dot(a, b) / n - ma * mb) * ma * mb / ((da * da + db * db) * (ma * ma + mb * mb));
}
#define ERRORS(t, c)                                                                               \
  pair<Npp##t, Npp64f>(averageError, c, true, SCRATCH(AverageError, t, c),                         \
                       BOTH(nppiAverageError_##t##_##c##R));                                       \
  pair<Npp##t, Npp64f>(diffInf, c, true, SCRATCH(MaximumError, t, c),                              \
                       BOTH(nppiMaximumError_##t##_##c##R));                                       \
  pair<Npp##t, Npp64f>(averageRelative, c, true, SCRATCH(AverageRelativeError, t, c),              \
                       BOTH(nppiAverageRelativeError_##t##_##c##R));                               \
  pair<Npp##t, Npp64f>(maximumRelative, c, true, SCRATCH(MaximumRelativeError, t, c),              \
                       BOTH(nppiMaximumRelativeError_##t##_##c##R));
#define QUALITY(t, S, c)                                                                           \
  pair<S, Npp32f>(quality, c, false, SCRATCH(QualityIndex, t, c),                                  \
                  BOTH(nppiQualityIndex_##t##_##c##R));

// With a mask, or of the second of three channels, or both. `run` puts the arguments in their
// order.
template <class T, class G, class GC, class Run, class F>
void chosen(int channels, bool masked, Npp8u *buffer, int results, G g, GC gc, Run run,
            F expected) {
  Image<T> a(width, height, channels, 1), b(width, height, channels, 2);
  Managed<Npp64f> out(2);
  twice(
      g, gc, [&] { out[0] = out[1] = -1; },
      [&](auto call) { return run(call, a, b, buffer, out.data); },
      [&] {
        const int c = channels == 3;
        const auto wanted = expected(valuesOf(a, c, masked), valuesOf(b, c, masked));
        for (int i = 0; i < results; ++i)
          near(out[i], wanted[i]);
      });
}
#define SOURCE a.data(), a.step
#define MASK mask().data(), mask().step
#define CHOSEN(t, n, m, size, c, results, f, name, ...)                                            \
  chosen<Npp##t>(                                                                                  \
      n, m, SCRATCH(size, t, c), results, BOTH(nppi##name##_##t##_##c##R),                         \
      [](auto call, auto &a, auto &b, Npp8u *buffer, Npp64f *out) {                                \
        (void)b;                                                                                   \
        return call(__VA_ARGS__);                                                                  \
      },                                                                                           \
      f);
Values meanAndDeviation(const Values &a, const Values &) { return {mean(a), deviation(a)}; }
Values norms(int kind, const Values &a) { return {normOf(kind, a)}; }
#define CHOSEN_NORM(t, n, kind)                                                                    \
  CHOSEN(                                                                                          \
      t, 1, true, Norm##n, C1M, 1, [](const Values &a, const Values &) { return norms(kind, a); }, \
      Norm_##n, SOURCE, MASK, a.size(), out, buffer)                                               \
  CHOSEN(                                                                                          \
      t, 3, true, Norm##n, C3CM, 1,                                                                \
      [](const Values &a, const Values &) { return norms(kind, a); }, Norm_##n, SOURCE, MASK,      \
      a.size(), 2, out, buffer)                                                                    \
  CHOSEN(                                                                                          \
      t, 1, true, NormDiff##n, C1M, 1,                                                             \
      [](const Values &a, const Values &b) { return Values{diff##n(a, b)}; }, NormDiff_##n,        \
      SOURCE, b.data(), b.step, MASK, a.size(), out, buffer)                                       \
  CHOSEN(                                                                                          \
      t, 1, true, NormRel##n, C1M, 1,                                                              \
      [](const Values &a, const Values &b) { return Values{rel##n(a, b)}; }, NormRel_##n, SOURCE,  \
      b.data(), b.step, MASK, a.size(), out, buffer)
// clang-format off: uses of macros in a row
#define CHOSEN_OF(t)                                                                               \
  CHOSEN(t, 1, true, Mean, C1M, 1, meanAndDeviation, Mean, SOURCE, MASK, a.size(), buffer, out)    \
  CHOSEN(t, 3, true, Mean, C3CM, 1, meanAndDeviation, Mean, SOURCE, MASK, a.size(), 2, buffer,     \
         out)                                                                                      \
  CHOSEN(t, 1, false, MeanStdDev, C1, 2, meanAndDeviation, Mean_StdDev, SOURCE, a.size(), buffer,  \
         out, out + 1)                                                                             \
  CHOSEN(t, 1, true, MeanStdDev, C1M, 2, meanAndDeviation, Mean_StdDev, SOURCE, MASK, a.size(),    \
         buffer, out, out + 1)                                                                     \
  CHOSEN(t, 3, false, MeanStdDev, C3C, 2, meanAndDeviation, Mean_StdDev, SOURCE, a.size(), 2,      \
         buffer, out, out + 1)                                                                     \
  CHOSEN(t, 3, true, MeanStdDev, C3CM, 2, meanAndDeviation, Mean_StdDev, SOURCE, MASK, a.size(),   \
         2, buffer, out, out + 1)                                                                  \
  CHOSEN_NORM(t, Inf, 0)                                                                           \
  CHOSEN_NORM(t, L1, 1) CHOSEN_NORM(t, L2, 2) extremes<Npp##t>(                                    \
      1, false, SCRATCH(MinMaxIndx, t, C1), BOTH(nppiMinMaxIndx_##t##_C1R),                        \
      [](auto call, auto &a, auto... more) { return call(SOURCE, a.size(), more...); });           \
  extremes<Npp##t>(                                                                                \
      1, true, SCRATCH(MinMaxIndx, t, C1M), BOTH(nppiMinMaxIndx_##t##_C1MR),                       \
      [](auto call, auto &a, auto... more) { return call(SOURCE, MASK, a.size(), more...); });     \
  extremes<Npp##t>(                                                                                \
      3, false, SCRATCH(MinMaxIndx, t, C3C), BOTH(nppiMinMaxIndx_##t##_C3CR),                      \
      [](auto call, auto &a, auto... more) { return call(SOURCE, a.size(), 2, more...); });        \
  extremes<Npp##t>(                                                                                \
      3, true, SCRATCH(MinMaxIndx, t, C3CM), BOTH(nppiMinMaxIndx_##t##_C3CMR),                     \
      [](auto call, auto &a, auto... more) { return call(SOURCE, MASK, a.size(), 2, more...); });
// clang-format on
template <class T, class G, class GC, class Run>
void extremes(int channels, bool masked, Npp8u *buffer, G g, GC gc, Run run) {
  Image<T> a(width, height, channels, 1);
  Managed<T> out(2);
  Managed<NppiPoint> at(2);
  twice(
      g, gc, [&] { at[0].x = at[1].x = -5; },
      [&](auto call) { return run(call, a, out.data, out.data + 1, at.data, at.data + 1, buffer); },
      [&] {
        const int c = channels == 3;
        const Values v = valuesOf(a, c, masked);
        const double wanted[2] = {least(v), most(v)};
        for (int i = 0; i < 2; ++i) {
          CHECK_EQ(double(out[i]), wanted[i]);
          const NppiPoint place = placeOf(a, c, wanted[i], masked);
          CHECK(at[i].x == place.x && at[i].y == place.y);
        }
      });
}

template <class T, class K, class G, class GC>
void count(Layout layout, K low, K high, const T *lows, const T *highs, Npp8u *buffer, G g, GC gc) {
  Image<T> a(width, height, layout.channels, 1);
  Managed<int> out(4);
  twice(
      g, gc, [&] { out[0] = -1; }, CALL(IMAGE(a), a.size(), out.data, low, high, buffer),
      [&] {
        for (int c = 0; c < layout.used(); ++c) {
          int expected = 0;
          for (double v : valuesOf(a, c))
            expected += v >= lows[c] && v <= highs[c];
          CHECK_EQ(out[c], expected);
        }
      });
}
#define COUNT(t)                                                                                   \
  {                                                                                                \
    const Npp##t low[3] = {2, 4, 6}, high[3] = {20, 50, 8};                                        \
    const Npp##t *lows = low, *highs = high;                                                       \
    count<Npp##t>(C1, low[0], high[0], low, high, SCRATCH(CountInRange, t, C1),                    \
                  BOTH(nppiCountInRange_##t##_C1R));                                               \
    count<Npp##t>(C3, lows, highs, low, high, SCRATCH(CountInRange, t, C3),                        \
                  BOTH(nppiCountInRange_##t##_C3R));                                               \
    count<Npp##t>(AC4, lows, highs, low, high, SCRATCH(CountInRange, t, AC4),                      \
                  BOTH(nppiCountInRange_##t##_AC4R));                                              \
  }

double above(Image<Npp8u> &a, int e, int y, bool squares) {
  double total = 0;
  for (int j = 0; j < y; ++j)
    for (int i = 0; i < e; ++i)
      total += squares ? double(a.at(i, j)) * a.at(i, j) : a.at(i, j);
  return total;
}
template <class D, class G, class GC> void integral(G g, GC gc) {
  Image<Npp8u> a(width, height, 1, 1);
  Image<D> d(width + 1, height + 1, 1, 3);
  twice(
      g, gc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), a.size(), D(10)),
      [&] { compare("Integral", d, [&](int e, int y) { return 10 + above(a, e, y, false); }); });
}
template <class D, class Q, class G, class GC> void sqrIntegral(G g, GC gc) {
  Image<Npp8u> a(width, height, 1, 1);
  Image<D> d(width + 1, height + 1, 1, 3);
  Image<Q> q(width + 1, height + 1, 1, 3);
  twice(
      g, gc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), IMAGE(q), a.size(), D(0), Q(7)),
      [&] {
        compare("SqrIntegral", d, [&](int e, int y) { return above(a, e, y, false); });
        compare("SqrIntegral", q, [&](int e, int y) { return 7 + above(a, e, y, true); });
      });
}
template <class S, class G, class GC> void rectStdDev(G g, GC gc) {
  Image<Npp8u> a(width, height, 1, 1);
  Image<S> sums(width + 1, height + 1, 1);
  Image<Npp64f> squares(width + 1, height + 1, 1);
  for (int y = 0; y <= height; ++y)
    for (int x = 0; x <= width; ++x) {
      sums.at(x, y) = S(above(a, x, y, false));
      squares.at(x, y) = above(a, x, y, true);
    }
  const NppiRect rect = {1, 0, 4, 3};
  Image<Npp32f> d(width - 4, height - 2, 1);
  twice(
      g, gc, [&] { d.fill(3); }, CALL(IMAGE(sums), IMAGE(squares), IMAGE(d), d.size(), rect),
      [&] {
        compare(
            "RectStdDev", d,
            [&](int e, int y) {
              Values v;
              for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 4; ++i)
                  v.push_back(a.at(e + 1 + i, y + j));
              return deviation(v);
            },
            1e-5);
      });
}

// Histograms with even or given levels; several channels have arrays of pointers.
template <class T, class L, class E, class EC, class ES, class ESC, class R, class RC, class RS,
          class RSC>
void histogram(Layout layout, E even, EC even_c, ES even_size, ESC even_size_c, R range, RC range_c,
               RS range_size, RSC range_size_c) {
  Image<T> a(width, height, layout.channels, 1);
  const int level_count = 14;
  Managed<Npp32s> counts(4 * level_count);
  Managed<L> levels(4 * level_count);
  for (int c = 0; c < 4; ++c)
    for (int i = 0; i < level_count; ++i)
      levels[c * level_count + i] = L(-10 + c + i * i);
  Npp32s *all_counts[4];
  const L *all_levels[4];
  int level_counts[4] = {level_count, level_count, level_count, level_count};
  Npp32s low[4] = {-5, 0, 7, 1}, high[4] = {90, 91, 92, 93};
  for (int c = 0; c < 4; ++c) {
    all_counts[c] = counts + c * level_count;
    all_levels[c] = levels + c * level_count;
  }
  size_t wanted = 0, again = 0;
  Managed<Npp8u> buffer(1 << 20);
  auto clear = [&] { memset(counts, 1, sizeof(Npp32s) * 4 * level_count); };
  auto verify = [&](auto levelOf) {
    for (int c = 0; c < layout.used(); ++c)
      for (int i = 0; i + 1 < level_count; ++i) {
        int expected = 0;
        for (double v : valuesOf(a, c))
          expected += v >= levelOf(c, i) && v < levelOf(c, i + 1);
        CHECK_EQ(counts[c * level_count + i], expected);
      }
  };
  auto evenLevel = [&](int c, int i) {
    Npp32s made[level_count];
    OK(nppiEvenLevelsHost_32s(made, level_count, low[c], high[c]));
    return double(made[i]);
  };
  auto rangeLevel = [&](int c, int i) { return double(levels[c * level_count + i]); };
  auto sizes = [&](auto size, auto size_c, auto how_many) {
    OK(size(a.size(), how_many, &wanted));
    OK(size_c(a.size(), how_many, &again, context()));
    CHECK(wanted > 0 && wanted == again && wanted <= 1 << 20);
  };
  if constexpr (std::is_invocable<RS, NppiSize, int, size_t *>::value) {
    sizes(range_size, range_size_c, level_count);
    twice(range, range_c, clear,
          CALL(IMAGE(a), a.size(), all_counts[0], all_levels[0], level_count, buffer.data),
          [&] { verify(rangeLevel); });
  } else {
    sizes(range_size, range_size_c, static_cast<int *>(level_counts));
    twice(range, range_c, clear,
          CALL(IMAGE(a), a.size(), all_counts, all_levels, level_counts, buffer.data),
          [&] { verify(rangeLevel); });
  }
  if constexpr (std::is_same<E, std::nullptr_t>::value) {
  } else if constexpr (std::is_invocable<ES, NppiSize, int, size_t *>::value) {
    sizes(even_size, even_size_c, level_count);
    twice(even, even_c, clear,
          CALL(IMAGE(a), a.size(), all_counts[0], level_count, low[0], high[0], buffer.data),
          [&] { verify(evenLevel); });
  } else {
    sizes(even_size, even_size_c, static_cast<int *>(level_counts));
    twice(even, even_c, clear,
          CALL(IMAGE(a), a.size(), all_counts, level_counts, low, high, buffer.data),
          [&] { verify(evenLevel); });
  }
}
#define RANGE(t, c)                                                                                \
  BOTH(nppiHistogramRange_##t##_##c##R), BOTH(nppiHistogramRangeGetBufferSize_##t##_##c##R)
#define EVEN(t, c)                                                                                 \
  BOTH(nppiHistogramEven_##t##_##c##R), BOTH(nppiHistogramEvenGetBufferSize_##t##_##c##R)
#define HISTOGRAM(t, c) histogram<Npp##t, Npp32s>(c, EVEN(t, c), RANGE(t, c));
#define HISTOGRAM_F(t, c)                                                                          \
  histogram<Npp32f, Npp32f>(c, nullptr, nullptr, nullptr, nullptr, RANGE(32f, c));

template <class G, class GC> void magnitude(bool squared, G g, GC gc) {
  Image<Npp32fc> a(width, height, 1, 1);
  Image<Npp32f> d(width, height, 1, 3);
  twice(
      g, gc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), d.size()),
      [&] {
        compare("Magnitude", d, [&](int e, int y) {
          const double square = double(a.at(2 * e, y)) * a.at(2 * e, y) +
                                double(a.at(2 * e + 1, y)) * a.at(2 * e + 1, y);
          return squared ? square : std::sqrt(square);
        });
      });
}

void badArguments() {
  Image<Npp8u> a(width, height, 1);
  Managed<Npp8u> buffer(1 << 16);
  Managed<Npp64f> out(4);
  size_t size;
  Npp32s level;
  CHECK_EQ(nppiSum_8u_C1R(IMAGE(a), a.size(), nullptr, out), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppiSum_8u_C1R(IMAGE(a), a.size(), buffer, nullptr), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppiSum_8u_C1R(a, 0, a.size(), buffer, out), NPP_STEP_ERROR);
  CHECK_EQ(nppiSumGetBufferHostSize_8u_C1R({-1, 1}, &size), NPP_SIZE_ERROR);
  CHECK_EQ(nppiMean_8u_C3CMR(IMAGE(a), MASK, {4, 4}, 4, buffer, out), NPP_COI_ERROR);
  CHECK_EQ(nppiEvenLevelsHost_32s(&level, 1, 0, 9), NPP_HISTOGRAM_NUMBER_OF_LEVELS_ERROR);
  CHECK_EQ(
      nppiCountInRange_8u_C1R(IMAGE(a), a.size(), reinterpret_cast<int *>(out.data), 9, 3, buffer),
      NPP_RANGE_ERROR);
}

#define C134(M, t) M(t, C1) M(t, C3) M(t, C4)
#define C134A(M, t) C134(M, t) M(t, AC4)

} // namespace

int main() {
  C134A(REDUCE, 8u)
  // clang-format off: uses of macros in a row
  C134A(REDUCE, 16u) C134A(REDUCE, 16s) C134A(REDUCE, 32f) C134A(DOT, 8u) C134A(DOT, 8s)
      C134A(DOT, 16u) C134A(DOT, 16s) C134A(DOT, 32u) C134A(DOT, 32s) C134A(DOT, 32f)
          C134(ERRORS, 8u) C134(ERRORS, 8s) C134(ERRORS, 16u) C134(ERRORS, 16s) C134(ERRORS, 32u)
              C134(ERRORS, 32s) C134(ERRORS, 32f) C134(ERRORS, 64f) QUALITY(8u32f, Npp8u, C1)
                  QUALITY(8u32f, Npp8u, C3) QUALITY(8u32f, Npp8u, AC4) QUALITY(16u32f, Npp16u, C1)
                      QUALITY(16u32f, Npp16u, C3) QUALITY(16u32f, Npp16u, AC4)
                          QUALITY(32f, Npp32f, C1) QUALITY(32f, Npp32f, C3)
                              QUALITY(32f, Npp32f, AC4)
                                  pair<Npp8u, Npp32f>(squareError, C1, true, SCRATCH(MSE, 8u, C1),
                                                      BOTH(nppiMSE_8u_C1R));
  pair<Npp8u, Npp32f>(squareError, C3, true, SCRATCH(MSE, 8u, C3), BOTH(nppiMSE_8u_C3R));
  pair<Npp8u, Npp32f>(signalToNoise, C1, true, SCRATCH(PSNR, 8u, C1), BOTH(nppiPSNR_8u_C1R));
  pair<Npp8u, Npp32f>(signalToNoise, C3, true, SCRATCH(PSNR, 8u, C3), BOTH(nppiPSNR_8u_C3R));
  CHOSEN_OF(8u)
  CHOSEN_OF(8s) CHOSEN_OF(16u) CHOSEN_OF(32f) COUNT(8u) COUNT(32f)
      integral<Npp32s>(BOTH(nppiIntegral_8u32s_C1R));
  // clang-format on
  integral<Npp32f>(BOTH(nppiIntegral_8u32f_C1R));
  sqrIntegral<Npp32s, Npp32s>(BOTH(nppiSqrIntegral_8u32s_C1R));
  sqrIntegral<Npp32s, Npp64f>(BOTH(nppiSqrIntegral_8u32s64f_C1R));
  sqrIntegral<Npp32f, Npp64f>(BOTH(nppiSqrIntegral_8u32f64f_C1R));
  rectStdDev<Npp32s>(BOTH(nppiRectStdDev_32s32f_C1R));
  rectStdDev<Npp32f>(BOTH(nppiRectStdDev_32f_C1R));
  C134A(HISTOGRAM, 8u)
  C134A(HISTOGRAM, 16u) C134A(HISTOGRAM, 16s) C134A(HISTOGRAM_F, 32f) Npp32s levels[3];
  OK(nppiEvenLevelsHost_32s_Ctx(levels, 3, 0, 8, context()));
  CHECK(levels[0] == 0 && levels[1] == 4 && levels[2] == 8);
  magnitude(false, BOTH(nppiMagnitude_32fc32f_C1R));
  magnitude(true, BOTH(nppiMagnitudeSqr_32fc32f_C1R));
  badArguments();
  RETURN_RESULT();
}
