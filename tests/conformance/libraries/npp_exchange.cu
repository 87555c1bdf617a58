// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -O0 -lnppidei -lnppitc -lnppisu -lnppc
//
// NPP: memory, filling, copying, converting and rearranging images, thresholds and comparisons;
// every function in both forms.
#include "npp_check.h"

namespace {

constexpr int width = 19, height = 6;

#define IMAGE(i) (i).data(), (i).step
#define CALL(...) [&](auto call) { return call(__VA_ARGS__); }

/// A mask that lets most pixels through.
Image<Npp8u> &mask() {
  static auto &instance = *[] {
    auto *made = new Image<Npp8u>(width, height, 1);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        made->at(x, y) = (x + 2 * y) % 5 == 0 ? 0 : 1;
    return made;
  }();
  return instance;
}

template <class T> T constantOf(int i) {
  if constexpr (Parts<T>::count == 2)
    return T{typename Parts<T>::Part(2 + i), typename Parts<T>::Part(i - 3)};
  else
    return T(3 + 20 * i);
}
template <class T> struct Constants {
  T values[4] = {constantOf<T>(0), constantOf<T>(1), constantOf<T>(2), constantOf<T>(3)};
  double at(int e, int channels) const {
    return double(reinterpret_cast<const typename Parts<T>::Part *>(
        values)[e % (channels * Parts<T>::count)]);
  }
};

// `select` says of an element whether it is written.
template <class T, class R, class RC, class Run>
void fill(int channels, bool masked, int only, R r, RC rc, Run run) {
  Image<T> d(width, height, channels, 3), before(width, height, channels, 3);
  const Constants<T> k;
  twice(
      r, rc, [&] { d.fill(3); }, [&](auto call) { return run(call, d, k); },
      [&] {
        compare("Set", d, [&](int e, int y) {
          const int channel = e / Parts<T>::count % channels, x = e / Parts<T>::count / channels;
          const bool written = (only < 0 || (only == 3 ? channel < 3 : channel == 0)) &&
                               !(masked && mask().at(x, y) == 0);
          return written ? k.at(only == 0 ? 0 : e, channels) : double(before.at(e, y));
        });
      });
}
#define SET_ONE(t, n, c, only)                                                                     \
  fill<Npp##t>(n, false, only, BOTH(nppiSet_##t##_##c##R), [](auto call, auto &d, auto &k) {       \
    return call(k.values[0], d.data(), d.step, d.size());                                          \
  });
#define SET_ALL(t, n, c, only)                                                                     \
  fill<Npp##t>(n, false, only, BOTH(nppiSet_##t##_##c##R), [](auto call, auto &d, auto &k) {       \
    return call(static_cast<const Npp##t *>(k.values), d.data(), d.step, d.size());                \
  });
#define SET_MASKED(t, n, c, only)                                                                  \
  fill<Npp##t>(n, true, only, BOTH(nppiSet_##t##_##c##MR), [](auto call, auto &d, auto &k) {       \
    return call(static_cast<const Npp##t *>(k.values), d.data(), d.step, d.size(), mask().data(),  \
                mask().step);                                                                      \
  });
#define SET(t)                                                                                     \
  SET_ONE(t, 1, C1, -1)                                                                            \
  SET_ALL(t, 2, C2, -1) SET_ALL(t, 3, C3, -1) SET_ALL(t, 4, C4, -1) SET_ALL(t, 4, AC4, 3)
// clang-format off: uses of macros in a row
#define SET_MASK(t)                                                                                \
  SET_ONE(t, 3, C3C, 0)                                                                            \
  SET_ONE(t, 4, C4C, 0) SET_MASKED(t, 3, C3, -1) SET_MASKED(t, 4, C4, -1) SET_MASKED(t, 4, AC4, 3) \
      fill<Npp##t>(1, true, -1, BOTH(nppiSet_##t##_C1MR), [](auto call, auto &d, auto &k) {        \
        return call(k.values[0], d.data(), d.step, d.size(), mask().data(), mask().step);          \
      });
// clang-format on

// Copies from `from` channels to `to`, of which the first `used` are written.
template <class T, class R, class RC, class Run>
void copy(int from, int to, int used, bool masked, R r, RC rc, Run run) {
  Image<T> a(width, height, from, 1), d(width, height, to, 3), before(width, height, to, 3);
  constexpr int parts = Parts<T>::count;
  twice(
      r, rc, [&] { d.fill(3); }, [&](auto call) { return run(call, a, d); },
      [&] {
        compare("Copy", d, [&](int e, int y) {
          const int channel = e / parts % to, x = e / parts / to;
          const bool written = channel < used && !(masked && mask().at(x, y) == 0);
          return written ? double(a.at((x * from + channel % from) * parts + e % parts, y))
                         : double(before.at(e, y));
        });
      });
}
#define COPY1(t, from, to, used, c)                                                                \
  copy<Npp##t>(from, to, used, false, BOTH(nppi##c##R),                                            \
               [](auto call, auto &a, auto &d) { return call(IMAGE(a), IMAGE(d), d.size()); });
#define COPY_MASKED(t, n, used, c)                                                                 \
  copy<Npp##t>(n, n, used, true, BOTH(nppiCopy_##t##_##c##MR), [](auto call, auto &a, auto &d) {   \
    return call(IMAGE(a), IMAGE(d), d.size(), mask().data(), mask().step);                         \
  });
#define COPY(t)                                                                                    \
  COPY1(t, 1, 1, 1, Copy_##t##_C1)                                                                 \
  COPY1(t, 2, 2, 2, Copy_##t##_C2)                                                                 \
  COPY1(t, 3, 3, 3, Copy_##t##_C3)                                                                 \
  COPY1(t, 4, 4, 4, Copy_##t##_C4)                                                                 \
  COPY1(t, 4, 4, 3, Copy_##t##_AC4)
// clang-format off: uses of macros in a row
#define COPY_CHANNELS(t)                                                                           \
  COPY_MASKED(t, 1, 1, C1)                                                                         \
  COPY_MASKED(t, 3, 3, C3) COPY_MASKED(t, 4, 4, C4) COPY_MASKED(t, 4, 3, AC4)                      \
      COPY1(t, 3, 3, 1, Copy_##t##_C3C) COPY1(t, 4, 4, 1, Copy_##t##_C4C) COPY1(t, 3, 1, 1,        \
                                                                                Copy_##t##_C3C1)   \
          COPY1(t, 4, 1, 1, Copy_##t##_C4C1) COPY1(t, 1, 3, 1, Copy_##t##_C1C3)                    \
              COPY1(t, 1, 4, 1, Copy_##t##_C1C4) COPY1(t, 1, 3, 3, Dup_##t##_C1C3)                 \
                  COPY1(t, 1, 4, 4, Dup_##t##_C1C4) COPY1(t, 1, 4, 3, Dup_##t##_C1AC4)             \
                      planes<Npp##t>(3, BOTH(nppiCopy_##t##_C3P3R), BOTH(nppiCopy_##t##_P3C3R));   \
  planes<Npp##t>(4, BOTH(nppiCopy_##t##_C4P4R), BOTH(nppiCopy_##t##_P4C4R));
// clang-format on

template <class T, class R, class RC, class B, class BC>
void planes(int count, R apart, RC apart_c, B together, BC together_c) {
  Image<T> a(width, height, count, 1), d(width, height, count, 3);
  Image<T> p0(width, height, 1, 4), p1(width, height, 1, 4), p2(width, height, 1, 4),
      p3(width, height, 1, 4);
  Image<T> *all[4] = {&p0, &p1, &p2, &p3};
  T *to[4] = {p0, p1, p2, p3};
  const T *from[4] = {p0, p1, p2, p3};
  twice(
      apart, apart_c, [] {}, CALL(IMAGE(a), to, p0.step, a.size()),
      [&] {
        for (int c = 0; c < count; ++c)
          compare("planes", *all[c], [&](int e, int y) { return double(a.at(e * count + c, y)); });
      });
  twice(
      together, together_c, [&] { d.fill(3); }, CALL(from, p0.step, IMAGE(d), d.size()),
      [&] { compare("pixels", d, [&](int e, int y) { return double(a.at(e, y)); }); });
}

template <class T, class R, class RC, class Run>
void bordered(NppiBorderType type, int channels, int used, R r, RC rc, Run run) {
  const int top = 2, left = 3;
  Image<T> a(width, height, channels, 1), d(width + 5, height + 4, channels, 3),
      before(width + 5, height + 4, channels, 3);
  const Constants<T> k;
  twice(
      r, rc, [&] { d.fill(3); },
      [&](auto call) {
        return run(
            [&](auto... more) {
              return call(IMAGE(a), a.size(), IMAGE(d), d.size(), top, left, more...);
            },
            k);
      },
      [&] {
        compare("border", d, [&](int e, int y) {
          const int c = e % channels;
          int x = e / channels - left, sy = y - top;
          if (c >= used)
            return double(before.at(e, y));
          const bool inside = x >= 0 && x < width && sy >= 0 && sy < height;
          if (type == NPP_BORDER_CONSTANT && !inside)
            return k.at(c, channels);
          if (type == NPP_BORDER_WRAP) {
            x = (x + width) % width;
            sy = (sy + height) % height;
          }
          x = std::min(std::max(x, 0), width - 1);
          sy = std::min(std::max(sy, 0), height - 1);
          return double(a.at(x * channels + c, sy));
        });
      });
}
#define BORDER(t, n, used, c)                                                                      \
  bordered<Npp##t>(NPP_BORDER_REPLICATE, n, used, BOTH(nppiCopyReplicateBorder_##t##_##c##R),      \
                   [](auto call, auto &) { return call(); });                                      \
  bordered<Npp##t>(NPP_BORDER_WRAP, n, used, BOTH(nppiCopyWrapBorder_##t##_##c##R),                \
                   [](auto call, auto &) { return call(); });
#define CONST_BORDER(t, n, used, c)                                                                \
  bordered<Npp##t>(                                                                                \
      NPP_BORDER_CONSTANT, n, used, BOTH(nppiCopyConstBorder_##t##_##c##R),                        \
      [](auto call, auto &k) { return call(static_cast<const Npp##t *>(k.values)); });
// clang-format off: uses of macros in a row
#define BORDERS(t)                                                                                 \
  BORDER(t, 1, 1, C1)                                                                              \
  BORDER(t, 3, 3, C3) BORDER(t, 4, 4, C4) BORDER(t, 4, 3, AC4) CONST_BORDER(t, 3, 3, C3)           \
      CONST_BORDER(t, 4, 4, C4) CONST_BORDER(t, 4, 3, AC4)                                         \
          bordered<Npp##t>(NPP_BORDER_CONSTANT, 1, 1, BOTH(nppiCopyConstBorder_##t##_C1R),         \
                           [](auto call, auto &k) { return call(k.values[0]); });
// clang-format on

template <class T, class R, class RC> void transpose(int channels, R r, RC rc) {
  Image<T> a(width, height, channels, 1), d(height, width, channels, 3);
  twice(
      r, rc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), a.size()),
      [&] {
        compare("Transpose", d, [&](int e, int y) {
          return double(a.at(y * channels + e % channels, e / channels));
        });
      });
}
template <class T, class R, class RC> void subpix(int channels, int used, R r, RC rc) {
  Image<T> a(width + 1, height + 1, channels, 1), d(width, height, channels, 3),
      before(width, height, channels, 3);
  twice(
      r, rc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), d.size(), 0.25f, 0.5f),
      [&] {
        compare("CopySubpix", d, [&](int e, int y) {
          if (e % channels >= used)
            return double(before.at(e, y));
          auto row = [&](int v) { return 0.75 * a.at(e, v) + 0.25 * a.at(e + channels, v); };
          return asResult<T>(0.5 * row(y) + 0.5 * row(y + 1));
        });
      });
}

// For each destination channel the source's, -1 for the value 77, -2 for what was there.
template <class T, class R, class RC, class Run>
void swapped(int from, int to, std::vector<int> sources, R r, RC rc, bool in_place, Run run) {
  Image<T> a(width, height, from, 1), d(width, height, to, 1), before(width, height, to, 1);
  (void)in_place;
  twice(
      r, rc, [&] { d.fill(1); }, [&](auto call) { return run(call, a, d); },
      [&] {
        compare("SwapChannels", d, [&](int e, int y) {
          const int source = sources[e % to];
          return source == -1   ? 77.0
                 : source == -2 ? double(before.at(e, y))
                                : double(a.at(e / to * from + source, y));
        });
      });
}
const int order3[3] = {2, 0, 1}, order4[4] = {3, 1, 0, 2}, order43[3] = {3, 0, 1},
          order34[4] = {2, 4, 3, 0};
#define SWAP(t)                                                                                    \
  swapped<Npp##t>(                                                                                 \
      3, 3, {2, 0, 1}, BOTH(nppiSwapChannels_##t##_C3R), false,                                    \
      [](auto call, auto &a, auto &d) { return call(IMAGE(a), IMAGE(d), d.size(), order3); });     \
  swapped<Npp##t>(3, 3, {2, 0, 1}, BOTH(nppiSwapChannels_##t##_C3IR), true,                        \
                  [](auto call, auto &, auto &d) { return call(IMAGE(d), d.size(), order3); });    \
  swapped<Npp##t>(                                                                                 \
      4, 4, {3, 1, 0, 2}, BOTH(nppiSwapChannels_##t##_C4R), false,                                 \
      [](auto call, auto &a, auto &d) { return call(IMAGE(a), IMAGE(d), d.size(), order4); });     \
  swapped<Npp##t>(4, 4, {3, 1, 0, 2}, BOTH(nppiSwapChannels_##t##_C4IR), true,                     \
                  [](auto call, auto &, auto &d) { return call(IMAGE(d), d.size(), order4); });    \
  swapped<Npp##t>(                                                                                 \
      4, 3, {3, 0, 1}, BOTH(nppiSwapChannels_##t##_C4C3R), false,                                  \
      [](auto call, auto &a, auto &d) { return call(IMAGE(a), IMAGE(d), d.size(), order43); });    \
  swapped<Npp##t>(                                                                                 \
      4, 4, {2, 0, 1, -2}, BOTH(nppiSwapChannels_##t##_AC4R), false,                               \
      [](auto call, auto &a, auto &d) { return call(IMAGE(a), IMAGE(d), d.size(), order3); });     \
  swapped<Npp##t>(3, 4, {2, -2, -1, 0}, BOTH(nppiSwapChannels_##t##_C3C4R), false,                 \
                  [](auto call, auto &a, auto &d) {                                                \
                    return call(IMAGE(a), IMAGE(d), d.size(), order34, Npp##t(77));                \
                  });
#define REARRANGE(t)                                                                               \
  transpose<Npp##t>(1, BOTH(nppiTranspose_##t##_C1R));                                             \
  transpose<Npp##t>(3, BOTH(nppiTranspose_##t##_C3R));                                             \
  transpose<Npp##t>(4, BOTH(nppiTranspose_##t##_C4R));                                             \
  subpix<Npp##t>(1, 1, BOTH(nppiCopySubpix_##t##_C1R));                                            \
  subpix<Npp##t>(3, 3, BOTH(nppiCopySubpix_##t##_C3R));                                            \
  subpix<Npp##t>(4, 4, BOTH(nppiCopySubpix_##t##_C4R));                                            \
  subpix<Npp##t>(4, 3, BOTH(nppiCopySubpix_##t##_AC4R));                                           \
  SWAP(t)

double same(double v) { return v; }
double away(double v) { return std::round(v); }
// A conversion is `f` of the element, rounded and saturated.
template <class S, class D, class F, class R, class RC, class... More>
void convert(F f, Layout layout, R r, RC rc, More... more) {
  Image<S> a(width, height, layout.channels, 1);
  Image<D> d(width, height, layout.channels, 3), before(width, height, layout.channels, 3);
  twice(
      r, rc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), d.size(), more...),
      [&] {
        compare("Convert", d, [&](int e, int y) {
          return layout.alpha && e % 4 == 3 ? double(before.at(e, y))
                                            : asResult<D>(f(double(a.at(e, y))));
        });
      });
}
#define C134A(M, ...) M(C1, __VA_ARGS__) M(C3, __VA_ARGS__) M(C4, __VA_ARGS__) M(AC4, __VA_ARGS__)
#define CONVERT(c, s, d) convert<Npp##s, Npp##d>(same, c, BOTH(nppiConvert_##s##d##_##c##R));
#define CONVERT_RS(s, d) convert<Npp##s, Npp##d>(same, C1, BOTH(nppiConvert_##s##d##_C1Rs));
#define CONVERT_ROUND(c, s, d)                                                                     \
  convert<Npp##s, Npp##d>(away, c, BOTH(nppiConvert_##s##d##_##c##R), NPP_RND_FINANCIAL);          \
  convert<Npp##s, Npp##d>([](double v) { return std::trunc(v); }, c,                               \
                          BOTH(nppiConvert_##s##d##_##c##R), NPP_RND_ZERO);                        \
  convert<Npp##s, Npp##d>([](double v) { return std::nearbyint(v); }, c,                           \
                          BOTH(nppiConvert_##s##d##_##c##R), NPP_RND_NEAR);
#define CONVERT_SFS(s, d)                                                                          \
  convert<Npp##s, Npp##d>([](double v) { return std::round(v / 2); }, C1,                          \
                          BOTH(nppiConvert_##s##d##_C1RSfs), NPP_RND_FINANCIAL, 1);                \
  convert<Npp##s, Npp##d>([](double v) { return std::trunc(v * 2); }, C1,                          \
                          BOTH(nppiConvert_##s##d##_C1RSfs), NPP_RND_ZERO, -1);
template <class T> double lowest() {
  return std::is_signed<T>::value ? -std::ldexp(1.0, 8 * sizeof(T) - 1) : 0;
}
template <class S, class D> double rescaled(double v) {
  const double from = std::ldexp(1.0, 8 * sizeof(S)) - 1, to = std::ldexp(1.0, 8 * sizeof(D)) - 1;
  return asTruncated<D>(lowest<D>() + to / from * (v - lowest<S>()));
}
#define SCALE(c, s, d)                                                                             \
  convert<Npp##s, Npp##d>(rescaled<Npp##s, Npp##d>, c, BOTH(nppiScale_##s##d##_##c##R));
#define SCALE_HINT(c, s, d)                                                                        \
  convert<Npp##s, Npp##d>(rescaled<Npp##s, Npp##d>, c, BOTH(nppiScale_##s##d##_##c##R),            \
                          NPP_ALG_HINT_ACCURATE);
#define SCALE_RANGE(c, unused)                                                                     \
  convert<Npp8u, Npp32f>([](double v) { return -2 + v * 5 / 255; }, c,                             \
                         BOTH(nppiScale_8u32f_##c##R), -2.0f, 3.0f);                               \
  convert<Npp32f, Npp8u>([](double v) { return std::trunc((v + 2) * 255 / 5); }, c,                \
                         BOTH(nppiScale_32f8u_##c##R), -2.0f, 3.0f);

void conversions() {
  C134A(CONVERT, 8u, 16u)
  // clang-format off: uses of macros in a row
  C134A(CONVERT, 8u, 16s) C134A(CONVERT, 8u, 32s) C134A(CONVERT, 8u, 32f) C134A(CONVERT, 8s, 32s)
      C134A(CONVERT, 8s, 32f) C134A(CONVERT, 16u, 8u) C134A(CONVERT, 16u, 32s)
          C134A(CONVERT, 16u, 32f) C134A(CONVERT, 16s, 8u) C134A(CONVERT, 16s, 32s) C134A(
              CONVERT, 16s, 32f) C134A(CONVERT, 32s, 8u) C134A(CONVERT, 32s, 8s) CONVERT_RS(8s, 8u)
              CONVERT_RS(8s, 16u) CONVERT_RS(8s, 32u) CONVERT_RS(16s, 16u) CONVERT_RS(16s, 32u)
                  CONVERT_RS(32s, 32u) CONVERT(C1, 8s, 16s) CONVERT(C1, 16u, 32u)
                      CONVERT(C1, 32s, 32f) CONVERT(C1, 32u, 32f) C134A(CONVERT_ROUND, 32f, 8u)
                          C134A(CONVERT_ROUND, 32f, 8s) C134A(CONVERT_ROUND, 32f, 16u) C134A(
                              CONVERT_ROUND, 32f, 16s) CONVERT_SFS(8u, 8s) CONVERT_SFS(16u, 8s)
                              CONVERT_SFS(16u, 16s) CONVERT_SFS(16s, 8s) CONVERT_SFS(32u, 8u)
                                  CONVERT_SFS(32u, 8s) CONVERT_SFS(32u, 16u) CONVERT_SFS(32u, 16s)
                                      CONVERT_SFS(32u, 32s) CONVERT_SFS(32s, 16u)
                                          CONVERT_SFS(32s, 16s) CONVERT_SFS(32f, 8u)
                                              CONVERT_SFS(32f, 8s) CONVERT_SFS(32f, 16u)
                                                  CONVERT_SFS(32f, 16s) CONVERT_SFS(32f, 32u)
                                                      CONVERT_SFS(32f, 32s) C134A(SCALE, 8u, 16u)
                                                          C134A(SCALE, 8u, 16s)
                                                              C134A(SCALE, 8u, 32s)
                                                                  C134A(SCALE_HINT, 16u, 8u)
                                                                      C134A(SCALE_HINT, 16s, 8u)
                                                                          C134A(SCALE_HINT, 32s, 8u)
                                                                              C134A(SCALE_RANGE, )
  // clang-format on
}

// Thresholds: what becomes of a value with the channel's constants; forms in place are given
// `call`.
template <class T, class F, class R, class RC, class I, class IC, class... More>
void threshold(F f, Layout layout, R r, RC rc, I i, IC ic, More... more) {
  Image<T> a(width, height, layout.channels, 1), d(width, height, layout.channels, 3),
      before(width, height, layout.channels, 3);
  auto verify = [&](Image<T> &from) {
    compare("Threshold", d, [&](int e, int y) {
      return layout.alpha && e % 4 == 3 ? double(before.at(e, y))
                                        : f(double(from.at(e, y)), e % layout.channels);
    });
  };
  twice(r, rc, [&] { d.fill(3); }, CALL(IMAGE(a), IMAGE(d), d.size(), more...), [&] { verify(a); });
  twice(i, ic, [&] { d.fill(3); }, CALL(IMAGE(d), d.size(), more...), [&] { verify(before); });
}
template <class T> struct Levels {
  T low[3] = {10, 20, 30}, low_value[3] = {1, 2, 3}, high[3] = {40, 50, 60},
    high_value[3] = {100, 110, 120};
};
#define LEVEL1(a) l.a[0]
#define LEVELS(a) static_cast<const T *>(l.a)
#define RI(op, t, c) BOTH(nppiThreshold##op##_##t##_##c##R), BOTH(nppiThreshold##op##_##t##_##c##IR)
#define THRESHOLDS(t, c, L)                                                                        \
  {                                                                                                \
    using T = Npp##t;                                                                              \
    const Levels<T> l;                                                                             \
    auto below = [&](double v, int k) { return v < l.low[k] ? double(l.low[k]) : v; };             \
    auto above = [&](double v, int k) { return v > l.high[k] ? double(l.high[k]) : v; };           \
    auto below_value = [&](double v, int k) { return v < l.low[k] ? double(l.low_value[k]) : v; }; \
    auto above_value = [&](double v, int k) {                                                      \
      return v > l.high[k] ? double(l.high_value[k]) : v;                                          \
    };                                                                                             \
    auto both = [&](double v, int k) {                                                             \
      return v < l.low[k] ? below_value(v, k) : above_value(v, k);                                 \
    };                                                                                             \
    threshold<T>(below, c, RI(, t, c), L(low), NPP_CMP_LESS);                                      \
    threshold<T>(above, c, RI(, t, c), L(high), NPP_CMP_GREATER);                                  \
    threshold<T>(below, c, RI(_LT, t, c), L(low));                                                 \
    threshold<T>(above, c, RI(_GT, t, c), L(high));                                                \
    threshold<T>(below_value, c, RI(_Val, t, c), L(low), L(low_value), NPP_CMP_LESS);              \
    threshold<T>(below_value, c, RI(_LTVal, t, c), L(low), L(low_value));                          \
    threshold<T>(above_value, c, RI(_GTVal, t, c), L(high), L(high_value));                        \
    threshold<T>(both, c, RI(_LTValGTVal, t, c), L(low), L(low_value), L(high), L(high_value));    \
  }

template <class T, class F, class R, class RC, class C, class CC, class Value>
void comparison(F f, Layout layout, R two, RC two_c, C one, CC one_c, Value value,
                const T *constants) {
  Image<T> a(width, height, layout.channels, 1), b(width, height, layout.channels, 1);
  Image<Npp8u> d(width, height, 1);
  // Every other pixel differs a little in one channel.
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; x += 2)
      b.at(x * layout.channels + x / 2 % layout.channels, y) += T(x % 4 == 0 ? 1 : -1);
  for (int k = NPP_CMP_LESS; k <= NPP_CMP_GREATER; ++k) {
    const auto op = NppCmpOp(k);
    auto verify = [&](bool with_constants) {
      compare("Compare", d, [&](int e, int y) {
        bool yes = true;
        for (int c = 0; c < layout.used(); ++c)
          yes = yes && f(op, a.at(e * layout.channels + c, y),
                         with_constants ? constants[c] : b.at(e * layout.channels + c, y));
        return yes ? 255 : 0;
      });
    };
    twice(
        two, two_c, [] {}, CALL(IMAGE(a), IMAGE(b), IMAGE(d), d.size(), op),
        [&] { verify(false); });
    twice(one, one_c, [] {}, CALL(IMAGE(a), value, IMAGE(d), d.size(), op), [&] { verify(true); });
  }
}
bool compares(NppCmpOp op, double a, double b) {
  return op == NPP_CMP_LESS         ? a < b
         : op == NPP_CMP_LESS_EQ    ? a <= b
         : op == NPP_CMP_EQ         ? a == b
         : op == NPP_CMP_GREATER_EQ ? a >= b
                                    : a > b;
}
#define COMPARE(t, c, K)                                                                           \
  {                                                                                                \
    using T = Npp##t;                                                                              \
    const T k[4] = {30, 20, 10, 25};                                                               \
    comparison<T>(compares, c, BOTH(nppiCompare_##t##_##c##R), BOTH(nppiCompareC_##t##_##c##R), K, \
                  k);                                                                              \
  }
#define EQUAL_EPS(c, K)                                                                            \
  {                                                                                                \
    using T = Npp32f;                                                                              \
    const T k[4] = {5, 4, 3, 2};                                                                   \
    Image<T> a(width, height, c.channels, 1), b(width, height, c.channels, 1);                     \
    Image<Npp8u> d(width, height, 1);                                                              \
    for (int y = 0; y < height; ++y)                                                               \
      for (int x = 0; x < width; ++x)                                                              \
        b.at(x *c.channels, y) += x % 3 * 0.5f;                                                    \
    auto verify = [&](bool constants, double epsilon) {                                            \
      compare("EqualEps", d, [&](int e, int y) {                                                   \
        bool yes = true;                                                                           \
        for (int i = 0; i < c.used(); ++i)                                                         \
          yes = yes && std::fabs(a.at(e * c.channels + i, y) -                                     \
                                 (constants ? k[i] : b.at(e * c.channels + i, y))) <= epsilon;     \
        return yes ? 255 : 0;                                                                      \
      });                                                                                          \
    };                                                                                             \
    twice(                                                                                         \
        BOTH(nppiCompareEqualEps_32f_##c##R), [] {},                                               \
        CALL(IMAGE(a), IMAGE(b), IMAGE(d), d.size(), 0.75f), [&] { verify(false, 0.75); });        \
    twice(                                                                                         \
        BOTH(nppiCompareEqualEpsC_32f_##c##R), [] {}, CALL(IMAGE(a), K, IMAGE(d), d.size(), 6.0f), \
        [&] { verify(true, 6); });                                                                 \
  }

// clang-format off: uses of macros in a row
void thresholdsAndComparisons() {
// clang-format on
// clang-format off: uses of macros in a row
#define OF_TYPE(t)                                                                                 \
  THRESHOLDS(t, C1, LEVEL1)                                                                        \
  THRESHOLDS(t, C3, LEVELS)                                                                        \
  THRESHOLDS(t, AC4, LEVELS) COMPARE(t, C1, k[0]) COMPARE(t, C3, static_cast<const T *>(k))        \
      COMPARE(t, C4, static_cast<const T *>(k)) COMPARE(t, AC4, static_cast<const T *>(k))
  // clang-format on
  // clang-format on
  // clang-format on
  // clang-format on
  OF_TYPE(8u)
  OF_TYPE(16u)
  OF_TYPE(16s)
  OF_TYPE(32f)
  EQUAL_EPS(C1, k[0])
  EQUAL_EPS(C3, static_cast<const T *>(k))
  EQUAL_EPS(C4, static_cast<const T *>(k)) EQUAL_EPS(AC4, static_cast<const T *>(k))
}

template <class T> void allocate(T *(*function)(int, int, int *), int channels) {
  int step = 0;
  T *data = function(17, 5, &step);
  CHECK(data != nullptr && step >= int(17 * channels * sizeof(T)));
  CHECK_CUDA(cudaMemset2D(data, step, 0, 17 * channels * sizeof(T), 5));
  nppiFree(data);
  CHECK(function(0, 5, &step) == nullptr);
  CHECK(function(5, -1, &step) == nullptr);
}
void memory() {
#define ALLOCATE(t, c) allocate(nppiMalloc_##t##_C##c, c);
#define ALLOCATE4(t) ALLOCATE(t, 1) ALLOCATE(t, 2) ALLOCATE(t, 3) ALLOCATE(t, 4)
  ALLOCATE4(8u)
  ALLOCATE4(16u)
  // clang-format off: uses of macros in a row
  ALLOCATE4(16sc) ALLOCATE4(32sc) ALLOCATE4(32f) ALLOCATE4(32fc) ALLOCATE(16s, 1) ALLOCATE(16s, 2)
      ALLOCATE(16s, 4) ALLOCATE(32s, 1) ALLOCATE(32s, 3) ALLOCATE(32s, 4)
}
// clang-format on
// clang-format on
// clang-format on
// clang-format on
// clang-format on
// clang-format on
// clang-format on

void badArguments() {
  Image<Npp8u> a(width, height, 3), d(width, height, 3);
  const int wrong[3] = {0, 1, 3};
  CHECK_EQ(nppiSwapChannels_8u_C3R(IMAGE(a), IMAGE(d), d.size(), wrong), NPP_CHANNEL_ORDER_ERROR);
  CHECK_EQ(nppiCopy_8u_C3R(nullptr, a.step, IMAGE(d), d.size()), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppiCopy_8u_C3P3R(IMAGE(a), nullptr, d.step, d.size()), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppiSet_8u_C1R(1, d, 0, d.size()), NPP_STEP_ERROR);
  CHECK_EQ(nppiSet_8u_C1R(1, d, d.step, {4, -4}), NPP_SIZE_ERROR);
  CHECK_EQ(nppiCopyConstBorder_8u_C1R(IMAGE(a), {9, 5}, IMAGE(d), {10, 5}, 0, 2, 1),
           NPP_SIZE_ERROR);
  CHECK_EQ(nppiThreshold_8u_C1R(IMAGE(a), IMAGE(d), d.size(), 3, NPP_CMP_GREATER_EQ),
           NPP_NOT_SUPPORTED_MODE_ERROR);
  CHECK_EQ(nppiThreshold_LTValGTVal_8u_C1R(IMAGE(a), IMAGE(d), d.size(), 9, 1, 3, 1),
           NPP_THRESHOLD_ERROR);
}

} // namespace

int main() {
  memory();
  SET(8s)
  // clang-format off: uses of macros in a row
  SET(8u) SET(16u) SET(16s) SET(16sc) SET(32s) SET(32u) SET(32sc) SET(32f) SET(32fc) SET_MASK(8u)
      SET_MASK(16u) SET_MASK(16s) SET_MASK(32s) SET_MASK(32f) COPY(8s) COPY(8u) COPY(16u) COPY(16s)
      // clang-format on
      COPY(16sc) COPY(32s) COPY(32sc) COPY(32f) COPY(32fc) COPY_CHANNELS(8u) COPY_CHANNELS(16u)
          COPY_CHANNELS(16s) COPY_CHANNELS(32s) COPY_CHANNELS(32f) BORDERS(8u) BORDERS(16u)
              BORDERS(16s) BORDERS(32s) BORDERS(32f) REARRANGE(8u) REARRANGE(16u) REARRANGE(16s)
                  REARRANGE(32s) REARRANGE(32f) conversions();
  // clang-format on
  // clang-format on
  // clang-format on
  thresholdsAndComparisons();
  badArguments();
  RETURN_RESULT();
}
