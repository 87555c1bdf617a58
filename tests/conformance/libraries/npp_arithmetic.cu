// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -O0 -lnppial -lnppidei -lnppisu -lnppc
//
// NPP: arithmetic and logic on images, every function in both forms against double precision;
// streams, graphs, threads, and what bad arguments are answered with.
#include "npp_check.h"

#include <thread>

namespace {

constexpr int width = 21, height = 5;

// An operation of two numbers, real or complex, as `first OP second` of its arguments.
struct Add {
  template <class V> V operator()(V a, V b) const { return a + b; }
};
struct Sub {
  template <class V> V operator()(V a, V b) const { return a - b; }
};
struct Mul {
  template <class V> V operator()(V a, V b) const { return a * b; }
};
struct Div {
  template <class V> V operator()(V a, V b) const { return a / b; }
};
struct AbsDiff {
  double operator()(double a, double b) const { return std::fabs(a - b); }
};
template <class T> struct Scaled {
  double operator()(double a, double b) const {
    return a * b / (std::ldexp(1.0, 8 * sizeof(T)) - 1);
  }
};
template <class T> struct And {
  double operator()(double a, double b) const { return double(T((long long)a & (long long)b)); }
};
template <class T> struct Or {
  double operator()(double a, double b) const { return double(T((long long)a | (long long)b)); }
};
template <class T> struct Xor {
  double operator()(double a, double b) const { return double(T((long long)a ^ (long long)b)); }
};
template <class T> struct LShift {
  double operator()(double a, double b) const {
    return double(T((unsigned long long)(long long)a << int(b)));
  }
};
template <class T> struct RShift {
  double operator()(double a, double b) const { return double(T((long long)a >> int(b))); }
};

// The expected element: `a` and `b` give an element's number.
template <class T, class F, class A, class B>
double expectedElement(F f, A a, B b, int e, double scale) {
  using Part = typename Parts<T>::Part;
  if constexpr (Parts<T>::count == 1)
    return asResult<Part>(f(double(a(e)), double(b(e))) * scale);
  else {
    const int pair = e & ~1;
    const std::complex<double> va(a(pair), a(pair + 1)), vb(b(pair), b(pair + 1));
    const std::complex<double> v = f(va, vb) * scale;
    return asResult<Part>(e & 1 ? v.imag() : v.real());
  }
}
template <class T> bool isAlpha(Layout layout, int e) {
  return layout.alpha && e / Parts<T>::count % 4 == 3;
}
// Quotients of complex integers may be on the other side of a tie.
template <class T> double allowed() {
  return Parts<T>::count == 2 && std::is_integral<typename Parts<T>::Part>::value ? 1 : 0;
}

// NPP computes `second OP first`; in place, `destination OP source`.
template <class T, class F, class R, class RC, class I, class IC, class... Extra>
void binary(const char *name, F f, Layout layout, R r, RC rc, I i, IC ic, double scale,
            Extra... extra) {
  Image<T> a(width, height, layout.channels, 1), b(width, height, layout.channels, 2),
      d(width, height, layout.channels, 3), before(width, height, layout.channels, 3);
  auto verify = [&](Image<T> &left) {
    compare(
        name, d,
        [&](int e, int y) {
          if (isAlpha<T>(layout, e))
            return double(before.at(e, y));
          return expectedElement<T>(
              f, [&](int k) { return left.at(k, y); }, [&](int k) { return a.at(k, y); }, e, scale);
        },
        allowed<T>());
  };
  twice(
      r, rc, [&] { d.fill(3); },
      [&](auto call) {
        return call(a.data(), a.step, b.data(), b.step, d.data(), d.step, d.size(), extra...);
      },
      [&] { verify(b); });
  if constexpr (!std::is_same<I, std::nullptr_t>::value)
    twice(
        i, ic, [&] { d.fill(3); },
        [&](auto call) { return call(a.data(), a.step, d.data(), d.step, d.size(), extra...); },
        [&] { verify(before); });
}

template <class T, class K, class F, class R, class RC, class I, class IC, class... Extra>
void constant(const char *name, F f, Layout layout, std::vector<K> k, R r, RC rc, I i, IC ic,
              double scale, Extra... extra) {
  Image<T> a(width, height, layout.channels, 1), d(width, height, layout.channels, 3),
      before(width, height, layout.channels, 3);
  auto verify = [&](Image<T> &left) {
    compare(
        name, d,
        [&](int e, int y) {
          if (isAlpha<T>(layout, e))
            return double(before.at(e, y));
          const auto *parts = reinterpret_cast<const typename Parts<K>::Part *>(k.data());
          const int count = layout.channels * Parts<K>::count;
          return expectedElement<T>(
              f, [&](int j) { return left.at(j, y); }, [&](int j) { return parts[j % count]; }, e,
              scale);
        },
        allowed<T>());
  };
  auto both = [&](auto value) {
    twice(
        r, rc, [&] { d.fill(3); },
        [&](auto call) {
          return call(a.data(), a.step, value, d.data(), d.step, d.size(), extra...);
        },
        [&] { verify(a); });
    twice(
        i, ic, [&] { d.fill(3); },
        [&](auto call) { return call(value, d.data(), d.step, d.size(), extra...); },
        [&] { verify(before); });
  };
  if constexpr (std::is_invocable<R, T *, int, K, T *, int, NppiSize, Extra...>::value)
    both(k[0]);
  else
    both(static_cast<const K *>(k.data()));
}

template <class T, class F, class R, class RC, class I, class IC, class... Extra>
void unary(const char *name, F f, Layout layout, R r, RC rc, I i, IC ic, double scale,
           double allowed, Extra... extra) {
  Image<T> a(width, height, layout.channels, 1), d(width, height, layout.channels, 3),
      before(width, height, layout.channels, 3);
  auto verify = [&](Image<T> &from) {
    compare(
        name, d,
        [&](int e, int y) {
          return isAlpha<T>(layout, e) ? double(before.at(e, y))
                                       : asResult<T>(f(double(from.at(e, y))) * scale);
        },
        allowed);
  };
  twice(
      r, rc, [&] { d.fill(3); },
      [&](auto call) { return call(a.data(), a.step, d.data(), d.step, d.size(), extra...); },
      [&] { verify(a); });
  twice(
      i, ic, [&] { d.fill(3); },
      [&](auto call) { return call(d.data(), d.step, d.size(), extra...); },
      [&] { verify(before); });
}

template <class T> T makeConstant(int i) {
  if constexpr (Parts<T>::count == 2)
    return T{typename Parts<T>::Part(2 + i), typename Parts<T>::Part(i - 3)};
  else
    return T(3 + 2 * i);
}
template <class T> std::vector<T> constants() {
  return {makeConstant<T>(0), makeConstant<T>(1), makeConstant<T>(2), makeConstant<T>(3)};
}

#define R_AND_I(op, t, c, R) BOTH(nppi##op##_##t##_##c##R), BOTH(nppi##op##_##t##_##c##I##R)
#define BINARY_SFS(op, t, c)                                                                       \
  binary<Npp##t>(#op "_" #t "_" #c, op(), c, R_AND_I(op, t, c, RSfs), 0.25, 2);
#define BINARY(op, t, c) binary<Npp##t>(#op "_" #t "_" #c, op(), c, R_AND_I(op, t, c, R), 1);
#define BINARY_OF(op, t, c)                                                                        \
  binary<Npp##t>(#op "_" #t "_" #c, op<Npp##t>(), c, R_AND_I(op, t, c, R), 1);
#define CONSTANT_SFS(op, t, c)                                                                     \
  constant<Npp##t, Npp##t>(#op "C_" #t "_" #c, op(), c, constants<Npp##t>(),                       \
                           R_AND_I(op##C, t, c, RSfs), 0.5, 1);
#define CONSTANT(op, t, c)                                                                         \
  constant<Npp##t, Npp##t>(#op "C_" #t "_" #c, op(), c, constants<Npp##t>(),                       \
                           R_AND_I(op##C, t, c, R), 1);
#define CONSTANT_OF(op, t, c)                                                                      \
  constant<Npp##t, Npp##t>(#op "C_" #t "_" #c, op<Npp##t>(), c, constants<Npp##t>(),               \
                           R_AND_I(op##C, t, c, R), 1);
#define SHIFT(op, t, c)                                                                            \
  constant<Npp##t, Npp32u>(#op "C_" #t "_" #c, op<Npp##t>(), c, {1, 2, 3, 1},                      \
                           R_AND_I(op##C, t, c, R), 1);
#define C13(M, op, t) M(op, t, C1) M(op, t, C3)
#define C13A(M, op, t) C13(M, op, t) M(op, t, AC4)
#define C134A(M, op, t) C13A(M, op, t) M(op, t, C4)

void arithmetic() {
#define ARITHMETIC(op)                                                                             \
  C134A(BINARY_SFS, op, 8u)                                                                        \
  C134A(BINARY_SFS, op, 16u)                                                                       \
  C134A(BINARY_SFS, op, 16s)                                                                       \
  C134A(BINARY_SFS, op, 32s)                                                                       \
  C13A(BINARY_SFS, op, 16sc)                                                                       \
  C13A(BINARY_SFS, op, 32sc)                                                                       \
  C134A(BINARY, op, 32f)                                                                           \
  C134A(BINARY, op, 32fc)                                                                          \
  binary<Npp32s>(#op "_32s", op(), C1, BOTH(nppi##op##_32s_C1R), nullptr, nullptr, 1);             \
  C134A(CONSTANT_SFS, op, 8u)                                                                      \
  C134A(CONSTANT_SFS, op, 16u)                                                                     \
  C134A(CONSTANT_SFS, op, 16s)                                                                     \
  C13A(CONSTANT_SFS, op, 32s)                                                                      \
  C13A(CONSTANT_SFS, op, 16sc)                                                                     \
  C13A(CONSTANT_SFS, op, 32sc)                                                                     \
  C134A(CONSTANT, op, 32f)                                                                         \
  C134A(CONSTANT, op, 32fc)
  ARITHMETIC(Add)
  ARITHMETIC(Sub)
  ARITHMETIC(Mul)
  ARITHMETIC(Div)
}

template <class T> struct MulScale {
  double operator()(double a, double b) const { return std::trunc(Scaled<T>()(a, b)); }
};

void logic() {
#define LOGIC(op)                                                                                  \
  C134A(BINARY_OF, op, 8u)                                                                         \
  C134A(BINARY_OF, op, 16u)                                                                        \
  C134A(BINARY_OF, op, 32s)                                                                        \
  C134A(CONSTANT_OF, op, 8u)                                                                       \
  C134A(CONSTANT_OF, op, 16u)                                                                      \
  C134A(CONSTANT_OF, op, 32s)
  LOGIC(And)
  LOGIC(Or)
  LOGIC(Xor)
  C134A(SHIFT, LShift, 8u)
  C134A(SHIFT, LShift, 16u)
  C134A(SHIFT, LShift, 32s)
  C134A(SHIFT, RShift, 8u)
  C134A(SHIFT, RShift, 8s)
  C134A(SHIFT, RShift, 16u)
  C134A(SHIFT, RShift, 16s)
  C134A(SHIFT, RShift, 32s)
  C134A(BINARY_OF, MulScale, 8u)
  C134A(BINARY_OF, MulScale, 16u)
#define MUL_C_SCALE(op, t, c)                                                                      \
  constant<Npp##t, Npp##t>("MulCScale_" #t "_" #c, MulScale<Npp##t>(), c, {200, 100, 255, 7},      \
                           R_AND_I(MulCScale, t, c, R), 1);
  C134A(MUL_C_SCALE, , 8u)
  C134A(MUL_C_SCALE, , 16u)
#define ABS_DIFF(t, c)                                                                             \
  binary<Npp##t>("AbsDiff_" #t, AbsDiff(), c, BOTH(nppiAbsDiff_##t##_##c##R), nullptr, nullptr, 1);
  ABS_DIFF(8u, C1) ABS_DIFF(8u, C3) ABS_DIFF(8u, C4) ABS_DIFF(16u, C1) ABS_DIFF(32f, C1)
}

void functions() {
  auto abs = [](double v) { return std::fabs(v); };
  auto sqr = [](double v) { return v * v; };
  auto root = [](double v) { return std::sqrt(v); };
  auto ln = [](double v) { return std::log(v); };
  auto exp = [](double v) { return std::exp(v); };
#define UNARY(f, op, t, c) unary<Npp##t>(#op "_" #t "_" #c, f, c, R_AND_I(op, t, c, R), 1, 1e-5);
#define UNARY_SFS(f, op, t, c)                                                                     \
  unary<Npp##t>(#op "_" #t "_" #c, f, c, R_AND_I(op, t, c, RSfs), 0.5, 1e-5, 1);
#define UNARY_C(M, f, op, t) M(f, op, t, C1) M(f, op, t, C3)
#define POWERS(f, op)                                                                              \
  UNARY_C(UNARY_SFS, f, op, 8u)                                                                    \
  UNARY_C(UNARY_SFS, f, op, 16u)                                                                   \
  UNARY_C(UNARY_SFS, f, op, 16s)                                                                   \
  UNARY_C(UNARY, f, op, 32f)
#define POWERS_A(f, op)                                                                            \
  UNARY_SFS(f, op, 8u, AC4)                                                                        \
  UNARY_SFS(f, op, 16u, AC4)                                                                       \
  UNARY_SFS(f, op, 16s, AC4)                                                                       \
  UNARY(f, op, 32f, AC4)
#define POWERS_4(f, op)                                                                            \
  UNARY_SFS(f, op, 8u, C4)                                                                         \
  UNARY_SFS(f, op, 16u, C4)                                                                        \
  UNARY_SFS(f, op, 16s, C4)                                                                        \
  UNARY(f, op, 32f, C4)
  POWERS(sqr, Sqr)
  // clang-format off: uses of macros in a row
  POWERS_A(sqr, Sqr) POWERS_4(sqr, Sqr) UNARY_C(UNARY_SFS, ln, Ln, 8u)
      UNARY_C(UNARY_SFS, ln, Ln, 16u) UNARY_C(UNARY_SFS, ln, Ln, 16s) POWERS(exp, Exp)
          UNARY_SFS(root, Sqrt, 8u, AC4) UNARY_SFS(root, Sqrt, 16u, AC4)
              UNARY_SFS(root, Sqrt, 16s, AC4) UNARY_C(UNARY_SFS, root, Sqrt, 8u)
                  UNARY_C(UNARY_SFS, root, Sqrt, 16u) UNARY_C(UNARY_SFS, root, Sqrt, 16s)
#define ABSOLUTE(t)                                                                                \
  UNARY(abs, Abs, t, C1)                                                                           \
  UNARY(abs, Abs, t, C3)                                                                           \
  UNARY(abs, Abs, t, C4)                                                                           \
  UNARY(abs, Abs, t, AC4)
                      ABSOLUTE(16s) ABSOLUTE(32f) auto inverted =
                          [](double v) { return double(Npp8u(~Npp8u(v))); };
  // clang-format on
  UNARY(inverted, Not, 8u, C1)
  UNARY(inverted, Not, 8u, C3)
  UNARY(inverted, Not, 8u, C4)
  UNARY(inverted, Not, 8u, AC4)
}

// Square roots and logarithms of negative floats are NaN, so these have an image of their own.
template <class F, class R, class RC, class I, class IC>
void ofPositive(F f, int channels, bool alpha, R r, RC rc, I i, IC ic) {
  Image<Npp32f> a(width, height, channels), d(width, height, channels);
  auto fill = [&](Image<Npp32f> &image) {
    for (int y = 0; y < height; ++y)
      for (int e = 0; e < image.elements(); ++e)
        image.at(e, y) = (e + 7 * y + 1) / 8.0f;
  };
  auto verify = [&] {
    compare("positive", d, [&](int e, int y) {
      return alpha && e % 4 == 3 ? double(a.at(e, y)) : f(double(a.at(e, y)));
    });
  };
  fill(a);
  twice(
      r, rc, [&] { fill(d); },
      [&](auto call) { return call(a.data(), a.step, d.data(), d.step, d.size()); }, verify);
  twice(
      i, ic, [&] { fill(d); }, [&](auto call) { return call(d.data(), d.step, d.size()); }, verify);
}

template <class T, class R, class RC> void absDiffC(R r, RC rc) {
  Image<T> a(width, height, 1, 1), d(width, height, 1, 3);
  twice(
      r, rc, [&] { d.fill(3); },
      [&](auto call) { return call(a.data(), a.step, d.data(), d.step, d.size(), T(50)); },
      [&] {
        compare("AbsDiffC", d, [&](int e, int y) { return std::fabs(double(a.at(e, y)) - 50); });
      });
}

template <class T, class R, class RC, class I, class IC>
void divRound(Layout layout, R r, RC rc, I i, IC ic) {
  for (auto mode : {NPP_RND_NEAR, NPP_RND_FINANCIAL, NPP_RND_ZERO}) {
    auto quotient = [&](double a, double b) {
      const double v = a / b / 2;
      return mode == NPP_RND_NEAR ? std::nearbyint(v) : mode == NPP_RND_ZERO ? std::trunc(v) : v;
    };
    binary<T>("Div_Round", quotient, layout, r, rc, i, ic, 1, mode, 1);
  }
}

// What is added to an image of floats; `arguments` calls with the images.
template <class S, class F, class R, class RC, class Arguments>
void accumulate(F f, bool masked, R r, RC rc, Arguments arguments) {
  Image<S> a(width, height, 1, 1), b(width, height, 1, 2);
  Image<Npp32f> d(width, height, 1, 3), before(width, height, 1, 3);
  Image<Npp8u> mask(width, height, 1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      mask.at(x, y) = (x + y) % 3 == 0 ? 0 : 200;
  twice(
      r, rc, [&] { d.fill(3); }, [&](auto call) { return arguments(call, a, b, mask, d); },
      [&] {
        compare("accumulate", d, [&](int e, int y) {
          const double was = before.at(e, y);
          return masked && mask.at(e, y) == 0 ? was
                                              : f(double(a.at(e, y)), double(b.at(e, y)), was);
        });
      });
}

void accumulates() {
  auto add = [](double a, double, double was) { return was + a; };
  auto square = [](double a, double, double was) { return was + a * a; };
  auto product = [](double a, double b, double was) { return was + a * b; };
  auto weighted = [](double a, double, double was) { return 0.25 * a + 0.75 * was; };
#define IMAGE(i) i.data(), i.step
#define ACCUMULATE(f, masked, S, name, ...)                                                        \
  accumulate<S>(f, masked, BOTH(name), [](auto call, auto &a, auto &b, auto &m, auto &d) {         \
    (void)b, (void)m;                                                                              \
    return call(__VA_ARGS__);                                                                      \
  });
#define ACCUMULATES(t, S)                                                                          \
  ACCUMULATE(add, true, S, nppiAdd_##t##_C1IMR, IMAGE(a), IMAGE(m), IMAGE(d), d.size())            \
  ACCUMULATE(square, false, S, nppiAddSquare_##t##_C1IR, IMAGE(a), IMAGE(d), d.size())             \
  ACCUMULATE(square, true, S, nppiAddSquare_##t##_C1IMR, IMAGE(a), IMAGE(m), IMAGE(d), d.size())   \
  ACCUMULATE(product, false, S, nppiAddProduct_##t##_C1IR, IMAGE(a), IMAGE(b), IMAGE(d), d.size()) \
  ACCUMULATE(product, true, S, nppiAddProduct_##t##_C1IMR, IMAGE(a), IMAGE(b), IMAGE(m), IMAGE(d), \
             d.size())                                                                             \
  ACCUMULATE(weighted, false, S, nppiAddWeighted_##t##_C1IR, IMAGE(a), IMAGE(d), d.size(), 0.25f)  \
  ACCUMULATE(weighted, true, S, nppiAddWeighted_##t##_C1IMR, IMAGE(a), IMAGE(m), IMAGE(d),         \
             d.size(), 0.25f)
  ACCUMULATES(8u32f, Npp8u)
  ACCUMULATES(16u32f, Npp16u)
  ACCUMULATES(32f, Npp32f)
  ACCUMULATE(add, false, Npp8u, nppiAdd_8u32f_C1IR, IMAGE(a), IMAGE(d), d.size())
  ACCUMULATE(add, false, Npp16u, nppiAdd_16u32f_C1IR, IMAGE(a), IMAGE(d), d.size())
}

template <class T, class R, class RC> void alphaCompC(Layout layout, R r, RC rc) {
  Image<T> a(width, height, layout.channels, 1), b(width, height, layout.channels, 2),
      d(width, height, layout.channels, 3), before(width, height, layout.channels, 3);
  const double most = std::is_floating_point<T>::value
                          ? 1
                          : std::ldexp(1.0, 8 * sizeof(T) - std::is_signed<T>::value) - 1;
  const T alpha1 = T(most * 0.25), alpha2 = T(std::is_floating_point<T>::value ? 0.5 : most * 0.75);
  const double pa = alpha1 / most, pb = alpha2 / most;
  auto expected = [&](NppiAlphaOp op, double a, double b) {
    switch (op) {
    case NPPI_OP_ALPHA_OVER:
      return pa * a + (1 - pa) * pb * b;
    case NPPI_OP_ALPHA_IN:
      return pa * a * pb;
    case NPPI_OP_ALPHA_OUT:
      return pa * a * (1 - pb);
    case NPPI_OP_ALPHA_ATOP:
      return pa * a * pb + (1 - pa) * pb * b;
    case NPPI_OP_ALPHA_XOR:
      return pa * a * (1 - pb) + (1 - pa) * pb * b;
    case NPPI_OP_ALPHA_PLUS:
      return pa * a + pb * b;
    default: // NPPI_OP_ALPHA_OVER_PREMUL
      return a + (1 - pa) * b;
    }
  };
  for (int k = NPPI_OP_ALPHA_OVER; k <= NPPI_OP_ALPHA_OVER_PREMUL; ++k) {
    const auto op = NppiAlphaOp(k);
    twice(
        r, rc, [&] { d.fill(3); },
        [&](auto call) {
          return call(a.data(), a.step, alpha1, b.data(), b.step, alpha2, d.data(), d.step,
                      d.size(), op);
        },
        [&] {
          compare(
              "AlphaCompC", d,
              [&](int e, int y) {
                return isAlpha<T>(layout, e) ? double(before.at(e, y))
                                             : asResult<T>(expected(op, a.at(e, y), b.at(e, y)));
              },
              1e-5);
        });
  }
}

template <class T, class A1, class A1C, class A4, class A4C, class P, class PC, class PI, class PIC>
void alphaPixels(A1 a1, A1C a1c, A4 a4, A4C a4c, P p, PC pc, PI pi, PIC pic) {
  const double most = std::ldexp(1.0, 8 * sizeof(T)) - 1;
  for (int channels : {1, 4}) {
    Image<T> a(width, height, channels, 1), b(width, height, channels, 2),
        d(width, height, channels, 3);
    auto expected = [&](int e, int y) {
      const int last = e / channels * channels + channels - 1;
      const double pa = a.at(last, y) / most, pb = b.at(last, y) / most;
      if (e == last)
        return asResult<T>(most * (pa + (1 - pa) * pb));
      return asResult<T>(pa * a.at(e, y) + (1 - pa) * pb * b.at(e, y));
    };
    auto run = [&](auto call) {
      return call(a.data(), a.step, b.data(), b.step, d.data(), d.step, d.size(),
                  NPPI_OP_ALPHA_OVER);
    };
    // Floats on the way: one may be on the other side of a tie.
    auto verify = [&] { compare("AlphaComp", d, expected, 1); };
    if (channels == 1)
      twice(a1, a1c, [&] { d.fill(3); }, run, verify);
    else
      twice(a4, a4c, [&] { d.fill(3); }, run, verify);
  }
  Image<T> a(width, height, 4, 1), d(width, height, 4, 1);
  auto verify = [&] {
    compare(
        "AlphaPremul", d,
        [&](int e, int y) {
          return e % 4 == 3 ? double(a.at(e, y))
                            : asResult<T>(a.at(e, y) * (a.at(e | 3, y) / most));
        },
        1);
  };
  twice(
      p, pc, [&] { d.fill(1); },
      [&](auto call) { return call(a.data(), a.step, d.data(), d.step, d.size()); }, verify);
  twice(
      pi, pic, [&] { d.fill(1); }, [&](auto call) { return call(d.data(), d.step, d.size()); },
      verify);
}

template <class T, class R, class RC, class I, class IC>
void alphaPremulC(Layout layout, R r, RC rc, I i, IC ic) {
  std::vector<T> alphas(4, T(77));
  constant<T, T>("AlphaPremulC", MulScale<T>(), layout, alphas, r, rc, i, ic, 1);
}

void others() {
  absDiffC<Npp8u>(BOTH(nppiAbsDiffC_8u_C1R));
  absDiffC<Npp16u>(BOTH(nppiAbsDiffC_16u_C1R));
  absDiffC<Npp32f>(BOTH(nppiAbsDiffC_32f_C1R));
#define DIV_ROUND(op, t, c) divRound<Npp##t>(c, R_AND_I(Div_Round, t, c, RSfs));
  C134A(DIV_ROUND, , 8u)
  C134A(DIV_ROUND, , 16u)
  C134A(DIV_ROUND, , 16s)
#define ALPHA_COMP_C(op, t, c) alphaCompC<Npp##t>(c, BOTH(nppiAlphaCompC_##t##_##c##R));
  C134A(ALPHA_COMP_C, , 8u)
  C134A(ALPHA_COMP_C, , 16u)
  ALPHA_COMP_C(, 8s, C1)
  // clang-format off: uses of macros in a row
  ALPHA_COMP_C(, 16s, C1) ALPHA_COMP_C(, 32u, C1) ALPHA_COMP_C(, 32s, C1) ALPHA_COMP_C(, 32f, C1)
#define ALPHA_PREMUL_C(op, t, c) alphaPremulC<Npp##t>(c, R_AND_I(AlphaPremulC, t, c, R));
      C134A(ALPHA_PREMUL_C, , 8u) C134A(ALPHA_PREMUL_C, , 16u)
#define ALPHA_PIXELS(t)                                                                            \
  alphaPixels<Npp##t>(BOTH(nppiAlphaComp_##t##_AC1R), BOTH(nppiAlphaComp_##t##_AC4R),              \
                      BOTH(nppiAlphaPremul_##t##_AC4R), BOTH(nppiAlphaPremul_##t##_AC4IR));
          ALPHA_PIXELS(8u) ALPHA_PIXELS(16u) auto root = [](double v) { return std::sqrt(v); };
  auto ln = [](double v) { return std::log(v); };
#define POSITIVE(f, op, c, n, a) ofPositive(f, n, a, R_AND_I(op, 32f, c, R));
  POSITIVE(root, Sqrt, C1, 1, false)
  POSITIVE(root, Sqrt, C3, 3, false) POSITIVE(root, Sqrt, C4, 4, false)
      POSITIVE(root, Sqrt, AC4, 4, true) POSITIVE(ln, Ln, C1, 1, false)
          POSITIVE(ln, Ln, C3, 3, false)
  // clang-format on
}

// Integers divided by zero: the most that there is, and 0 for 0 / 0.
void testDivisionByZero() {
  Image<Npp8u> a(4, 1, 1), b(4, 1, 1), d(4, 1, 1);
  for (int x = 0; x < 4; ++x) {
    a.at(x, 0) = 0;
    b.at(x, 0) = x < 2 ? 0 : 9;
  }
  OK(nppiDiv_8u_C1RSfs(a, a.step, b, b.step, d, d.step, d.size(), 0));
  compare("x / 0", d, [](int e, int) { return e < 2 ? 0 : 255; });
}

void testCore() {
  const NppLibraryVersion *version = nppGetLibVersion();
  CHECK(version->major >= 12);
  int sms = 0, device = 0, per_sm = 0, per_block = 0, count = 0;
  CHECK_CUDA(cudaGetDevice(&device));
  CHECK_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  CHECK_EQ(nppGetGpuNumSMs(), sms);
  CHECK_EQ(int(nppGetStreamNumSMs()), sms);
  CHECK_EQ(nppGetGpuDeviceProperties(&per_sm, &per_block, &count), 0);
  CHECK_EQ(count, sms);
  CHECK_EQ(per_sm, nppGetMaxThreadsPerSM());
  CHECK_EQ(per_block, nppGetMaxThreadsPerBlock());
  CHECK_EQ(int(nppGetStreamMaxThreadsPerSM()), per_sm);
  CHECK(std::strlen(nppGetGpuName()) > 0);
  NppStreamContext found;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(nppSetStream(stream));
  CHECK(nppGetStream() == stream);
  OK(nppGetStreamContext(&found));
  CHECK(found.hStream == stream);
  CHECK_EQ(found.nMultiProcessorCount, sms);
  CHECK_EQ(found.nCudaDeviceId, device);
  CHECK_EQ(found.nStreamFlags, unsigned(cudaStreamNonBlocking));
  CHECK(found.nMaxThreadsPerBlock == per_block && found.nSharedMemPerBlock >= 16384);
  OK(nppSetStream(nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
#if CUDART_VERSION < 13000
  int major = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  CHECK_EQ(int(nppGetGpuComputeCapability()) / 100, major);
#endif
}

// Calls take effect in the order of their stream, and a captured one as often as its graph runs.
void testStreamsAndGraphs() {
  Image<Npp32s> d(width, height, 1, 1), before(width, height, 1, 1);
  NppStreamContext own = context();
  CHECK_CUDA(cudaStreamCreate(&own.hStream));
  for (int i = 0; i < 20; ++i) {
    OK(nppiMulC_32s_C1IRSfs_Ctx(2, d, d.step, d.size(), 0, own));
    OK(nppiRShiftC_32s_C1IR_Ctx(1, d, d.step, d.size(), own));
    OK(nppiAddC_32s_C1IRSfs_Ctx(1, d, d.step, d.size(), 0, own));
  }
  CHECK_CUDA(cudaStreamSynchronize(own.hStream));
  compare("in order", d, [&](int e, int y) { return before.at(e, y) + 20.0; });
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  Npp32s added = 5;
  CHECK_CUDA(cudaStreamBeginCapture(own.hStream, cudaStreamCaptureModeGlobal));
  OK(nppSetStream(own.hStream));
  OK(nppiAddC_32s_C1IRSfs(added, d, d.step, d.size(), 0));
  OK(nppSetStream(nullptr));
  CHECK_CUDA(cudaStreamEndCapture(own.hStream, &graph));
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i)
    CHECK_CUDA(cudaGraphLaunch(executable, own.hStream));
  CHECK_CUDA(cudaStreamSynchronize(own.hStream));
  compare("graph", d, [&](int e, int y) { return before.at(e, y) + 35.0; });
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaStreamDestroy(own.hStream));
}

void testThreads() {
  Image<Npp32f> a(width, height, 1, 1), b(width, height, 1, 2), before(width, height, 1, 1),
      before_b(width, height, 1, 2);
  auto work = [](Image<Npp32f> *image, float by) {
    NppStreamContext own = context();
    CHECK_CUDA(cudaStreamCreate(&own.hStream));
    for (int i = 0; i < 50; ++i)
      if (nppiAddC_32f_C1IR_Ctx(by, *image, image->step, image->size(), own) != NPP_SUCCESS)
        std::abort();
    CHECK_CUDA(cudaStreamSynchronize(own.hStream));
    CHECK_CUDA(cudaStreamDestroy(own.hStream));
  };
  std::thread first(work, &a, 1.0f), second(work, &b, 2.0f);
  first.join();
  second.join();
  compare("thread", a, [&](int e, int y) { return before.at(e, y) + 50.0; });
  compare("thread", b, [&](int e, int y) { return before_b.at(e, y) + 100.0; });
}

void testBadArguments() {
  Image<Npp32f> a(width, height, 1), d(width, height, 1);
  auto add = [&](const Npp32f *from, int from_step, Npp32f *to, int to_step, NppiSize size) {
    return nppiAdd_32f_C1R(from, from_step, a, a.step, to, to_step, size);
  };
  CHECK_EQ(add(nullptr, a.step, d, d.step, d.size()), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(add(a, a.step, nullptr, d.step, d.size()), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(add(a, 0, d, d.step, d.size()), NPP_STEP_ERROR);
  CHECK_EQ(add(a, a.step, d, -64, d.size()), NPP_STEP_ERROR);
  CHECK_EQ(add(a, a.step + 2, d, d.step, d.size()), NPP_NOT_EVEN_STEP_ERROR);
  CHECK_EQ(add(a, a.step, d, d.step, {-1, 4}), NPP_SIZE_ERROR);
  CHECK_EQ(nppiDivC_32s_C1RSfs(nullptr, 64, 1, nullptr, 64, d.size(), 0), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppiDivC_32f_C1R(a, a.step, 0, d, d.step, d.size()), NPP_DIVIDE_BY_ZERO_ERROR);
  CHECK_EQ(nppiAddC_32f_C3IR(nullptr, d, d.step, {1, 1}), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppiAlphaCompC_32f_C1R(a, a.step, 1, a, a.step, 1, d, d.step, d.size(), NppiAlphaOp(77)),
           NPP_NOT_SUPPORTED_MODE_ERROR);
  CHECK_EQ(nppGetStreamContext(nullptr), NPP_NULL_POINTER_ERROR);
}

} // namespace

int main() {
  testCore();
  arithmetic();
  logic();
  functions();
  accumulates();
  others();
  testDivisionByZero();
  testStreamsAndGraphs();
  testThreads();
  testBadArguments();
  RETURN_RESULT();
}
