// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -O0 -lnpps -lnppc
//
// NPP: signals, every function in both forms against double precision.
#include "npp_check.h"

namespace {

constexpr size_t length = 1000;
#define CALL(...) [&](auto call) { return call(__VA_ARGS__); }
using Values = std::vector<double>;

template <class T> using Signal = Image<T>; // of one row
#define SIGNAL(T, name, seed) Signal<T> name(int(length), 1, 1, seed)

template <class T> struct Managed {
  T *data;
  explicit Managed(size_t count) { CHECK_CUDA(cudaMallocManaged(&data, count * sizeof(T))); }
  Managed(const Managed &) = delete;
  ~Managed() { cudaFree(data); }
  operator T *() { return data; }
};

// Operations of `first OP second`, real or complex.
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
struct SubRev {
  template <class V> V operator()(V a, V b) const { return b - a; }
};
struct DivRev {
  template <class V> V operator()(V a, V b) const { return b / a; }
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

template <class T, class F, class A, class B>
double expectedElement(F f, A a, B b, int e, double scale) {
  using Part = typename Parts<T>::Part;
  if constexpr (Parts<T>::count == 1)
    return asResult<Part>(f(double(a(e)), double(b(e))) * scale);
  else {
    const int pair = e & ~1;
    const std::complex<double> va(a(pair), a(pair + 1)), vb(b(pair), b(pair + 1)),
        v = f(va, vb) * scale;
    return asResult<Part>(e & 1 ? v.imag() : v.real());
  }
}
// Quotients of complex integers may be on the other side of a tie.
template <class T> double allowed() {
  return Parts<T>::count == 2 && std::is_integral<typename Parts<T>::Part>::value ? 1 : 0;
}
template <class T, class F, class A, class B>
void verify(F f, Signal<T> &d, A a, B b, double scale) {
  compare(
      "signal", d, [&](int e, int) { return expectedElement<T>(f, a, b, e, scale); }, allowed<T>());
}
#define AT(s) [&](int k) { return s.at(k, 0); }

template <class T, class K, class F, class R, class RC, class I, class IC, class... More>
void constant(F f, K k, double scale, R r, RC rc, I i, IC ic, More... more) {
  SIGNAL(T, a, 1);
  SIGNAL(T, d, 3);
  SIGNAL(T, before, 3);
  const auto *parts = reinterpret_cast<const typename Parts<K>::Part *>(&k);
  auto value = [&](int e) { return parts[e % Parts<K>::count]; };
  twice(
      r, rc, [&] { d.fill(3); }, CALL(a.data(), k, d.data(), length, more...),
      [&] { verify<T>(f, d, AT(a), value, scale); });
  twice(
      i, ic, [&] { d.fill(3); }, CALL(k, d.data(), length, more...),
      [&] { verify<T>(f, d, AT(before), value, scale); });
}
template <class S, class T, class F, class R, class RC, class... More>
void two(F f, double scale, R r, RC rc, More... more) {
  SIGNAL(S, a, 1);
  SIGNAL(S, b, 2);
  SIGNAL(T, d, 3);
  twice(
      r, rc, [&] { d.fill(3); }, CALL(a.data(), b.data(), d.data(), length, more...),
      [&] { verify<T>(f, d, AT(b), AT(a), scale); });
}
template <class T, class F, class I, class IC, class... More>
void twoI(F f, double scale, I i, IC ic, More... more) {
  SIGNAL(T, a, 1);
  SIGNAL(T, d, 3);
  SIGNAL(T, before, 3);
  twice(
      i, ic, [&] { d.fill(3); }, CALL(a.data(), d.data(), length, more...),
      [&] { verify<T>(f, d, AT(before), AT(a), scale); });
}
template <class T> T makeConstant() {
  if constexpr (Parts<T>::count == 2)
    return T{typename Parts<T>::Part(3), typename Parts<T>::Part(-2)};
  else
    return T(3);
}
#define C(op, f, t)                                                                                \
  constant<Npp##t, Npp##t>(f, makeConstant<Npp##t>(), 1, BOTH(npps##op##_##t),                     \
                           BOTH(npps##op##_##t##_I));
#define C_SFS(op, f, t)                                                                            \
  constant<Npp##t, Npp##t>(f, makeConstant<Npp##t>(), 0.5, BOTH(npps##op##_##t##_Sfs),             \
                           BOTH(npps##op##_##t##_ISfs), 1);
#define SHIFT(op, f, t)                                                                            \
  constant<Npp##t, int>(f<Npp##t>(), 2, 1, BOTH(npps##op##_##t), BOTH(npps##op##_##t##_I));
#define TWO(op, f, t)                                                                              \
  two<Npp##t, Npp##t>(f, 1, BOTH(npps##op##_##t));                                                 \
  twoI<Npp##t>(f, 1, BOTH(npps##op##_##t##_I));
#define TWO_SFS(op, f, t)                                                                          \
  two<Npp##t, Npp##t>(f, 0.25, BOTH(npps##op##_##t##_Sfs), 2);                                     \
  twoI<Npp##t>(f, 0.25, BOTH(npps##op##_##t##_ISfs), 2);
#define FLOATS(M, op, f) M(op, f, 32f) M(op, f, 32fc) M(op, f, 64f) M(op, f, 64fc)
#define SMALL(M, op, f) M(op, f, 8u) M(op, f, 16u) M(op, f, 16s) M(op, f, 16sc)
#define INTEGERS(M, op, f) SMALL(M, op, f) M(op, f, 32s) M(op, f, 32sc)

void arithmetic() {
  FLOATS(C, AddC, Add())
  // clang-format off: uses of macros in a row
  INTEGERS(C_SFS, AddC, Add()) FLOATS(C, SubC, Sub()) INTEGERS(C_SFS, SubC, Sub())
      FLOATS(C, SubCRev, SubRev()) INTEGERS(C_SFS, SubCRev, SubRev()) FLOATS(C, MulC, Mul())
          INTEGERS(C_SFS, MulC, Mul()) FLOATS(C, DivC, Div()) SMALL(C_SFS, DivC, Div())
              C(DivCRev, DivRev(), 16u) C(DivCRev, DivRev(), 32f)
#define SIGNAL_OP(op) FLOATS(TWO, op, op()) INTEGERS(TWO_SFS, op, op()) TWO(op, op(), 16s)
                  SIGNAL_OP(Add) SIGNAL_OP(Sub) SIGNAL_OP(Mul) FLOATS(TWO, Div, Div())
                      SMALL(TWO_SFS, Div, Div()) TWO_SFS(Div, Div(), 32s)
                          two<Npp16u, Npp16u>(Add(), 1, BOTH(nppsAdd_16u));
  two<Npp32u, Npp32u>(Add(), 1, BOTH(nppsAdd_32u));
  two<Npp8u, Npp16u>(Add(), 1, BOTH(nppsAdd_8u16u));
  two<Npp16s, Npp32f>(Add(), 1, BOTH(nppsAdd_16s32f));
  two<Npp16s, Npp32f>(Sub(), 1, BOTH(nppsSub_16s32f));
  two<Npp8u, Npp16u>(Mul(), 1, BOTH(nppsMul_8u16u));
  two<Npp16s, Npp32f>(Mul(), 1, BOTH(nppsMul_16s32f));
#define LOGIC(op, t) C(op##C, op<Npp##t>(), t) TWO(op, op<Npp##t>(), t)
#define LOGICS(op) LOGIC(op, 8u) LOGIC(op, 16u) LOGIC(op, 32u)
  LOGICS(And)
  LOGICS(Or) LOGICS(Xor)
#define SHIFTS(op, f)                                                                              \
  SHIFT(op, f, 8u) SHIFT(op, f, 16u) SHIFT(op, f, 16s) SHIFT(op, f, 32u) SHIFT(op, f, 32s)
      // clang-format on
      // clang-format on
      // clang-format on
      // clang-format on
      SHIFTS(LShiftC, LShift) SHIFTS(RShiftC, RShift)
}
template <class T, class G, class GC> void addProduct(G g, GC gc) {
  SIGNAL(T, a, 1);
  SIGNAL(T, b, 2);
  SIGNAL(T, d, 3);
  SIGNAL(T, before, 3);
  twice(
      g, gc, [&] { d.fill(3); }, CALL(a.data(), b.data(), d.data(), length),
      [&] {
        compare("AddProduct", d,
                [&](int e, int) { return before.at(e, 0) + double(a.at(e, 0)) * b.at(e, 0); });
      });
}

// Functions of one number. `positive` numbers are small enough for exponentials.
template <class T, class F, class R, class RC, class I, class IC, class... More>
void one(F f, double scale, R r, RC rc, I i, IC ic, More... more) {
  SIGNAL(T, a, 1);
  SIGNAL(T, d, 3);
  auto fill = [&](Signal<T> &s) {
    for (size_t e = 0; e < length; ++e)
      s.at(int(e), 0) = T(std::is_floating_point<T>::value ? (e % 97 + 1) / 8.0 : e % 97 + 1);
  };
  fill(a);
  auto verify = [&] {
    compare(
        "function", d, [&](int e, int) { return asResult<T>(f(double(a.at(e, 0))) * scale); },
        1e-5);
  };
  twice(r, rc, [&] { d.fill(3); }, CALL(a.data(), d.data(), length, more...), verify);
  if constexpr (!std::is_same<I, std::nullptr_t>::value)
    twice(i, ic, [&] { fill(d); }, CALL(d.data(), length, more...), verify);
}
#define ONE(op, f, t) one<Npp##t>(f, 1, BOTH(npps##op##_##t), BOTH(npps##op##_##t##_I));
#define ONE_SFS(op, f, t)                                                                          \
  one<Npp##t>(f, 0.5, BOTH(npps##op##_##t##_Sfs), BOTH(npps##op##_##t##_ISfs), 1);
void functions() {
  auto square = [](double v) { return v * v; };
  auto root = [](double v) { return std::sqrt(v); };
  auto exp = [](double v) { return std::exp(v); };
  auto ln = [](double v) { return std::log(v); };
  auto arctan = [](double v) { return std::atan(v); };
  auto decibel = [](double v) { return 10 * std::log10(v); };
  ONE(Sqr, square, 32f)
  // clang-format off: uses of macros in a row
  ONE(Sqr, square, 64f) ONE_SFS(Sqr, square, 8u) ONE_SFS(Sqr, square, 16u) ONE_SFS(Sqr, square, 16s)
      ONE(Sqrt, root, 32f) ONE(Sqrt, root, 64f) ONE_SFS(Sqrt, root, 8u) ONE_SFS(Sqrt, root, 16u)
          ONE_SFS(Sqrt, root, 16s) ONE(Exp, exp, 32f) ONE(Exp, exp, 64f) ONE_SFS(Exp, exp, 16s)
              ONE_SFS(Exp, exp, 32s) ONE(Ln, ln, 32f) ONE(Ln, ln, 64f) ONE_SFS(Ln, ln, 16s)
                  ONE_SFS(Ln, ln, 32s) ONE(Arctan, arctan, 32f) ONE(Arctan, arctan, 64f)
                      one<Npp32f>([](double v) { return std::cbrt(v); }, 1, BOTH(nppsCubrt_32f),
                                  // clang-format on
                                  // clang-format on
                                  nullptr, nullptr);
  // clang-format on
  // clang-format on
  one<Npp32s>(decibel, 0.5, BOTH(npps10Log10_32s_Sfs), BOTH(npps10Log10_32s_ISfs), 1);
  one<Npp32f>([](double v) { return (v - 3) / 4; }, 1, BOTH(nppsNormalize_32f), nullptr, nullptr,
              3.0f, 4.0f);
  one<Npp64f>([](double v) { return (v - 3) / 4; }, 1, BOTH(nppsNormalize_64f), nullptr, nullptr,
              3.0, 4.0);
#define NOT(t)                                                                                     \
  one<Npp##t>([](double v) { return double(Npp##t(~Npp##t(v))); }, 1, BOTH(nppsNot_##t),           \
              BOTH(nppsNot_##t##_I));
  NOT(8u) NOT(16u) NOT(32u) addProduct<Npp32f>(BOTH(nppsAddProduct_32f));
  addProduct<Npp64f>(BOTH(nppsAddProduct_64f));
}

// What depends on the sign is looked at with the usual values; `i` may be null.
template <class S, class D, class F, class R, class RC, class I, class IC, class... More>
void mapped(F f, R r, RC rc, I i, IC ic, More... more) {
  SIGNAL(S, a, 1);
  SIGNAL(D, d, 3);
  SIGNAL(D, before, 3);
  auto verify = [&](auto &from) {
    compare("mapped", d, [&](int e, int) { return asResult<D>(f(double(from.at(e, 0)))); });
  };
  twice(r, rc, [&] { d.fill(3); }, CALL(a.data(), d.data(), length, more...), [&] { verify(a); });
  if constexpr (!std::is_same<I, std::nullptr_t>::value)
    twice(i, ic, [&] { d.fill(3); }, CALL(d.data(), length, more...), [&] { verify(before); });
}
double same(double v) { return v; }
#define CONVERT(s, d) mapped<Npp##s, Npp##d>(same, BOTH(nppsConvert_##s##d), nullptr, nullptr);
#define CONVERT_SCALE(s, d)                                                                        \
  mapped<Npp##s, Npp##d>([](double v) { return v / 4; }, BOTH(nppsConvert_##s##d##_Sfs), nullptr,  \
                         nullptr, 2);
#define CONVERT_SFS(s, d)                                                                          \
  mapped<Npp##s, Npp##d>([](double v) { return std::trunc(v / 2); },                               \
                         BOTH(nppsConvert_##s##d##_Sfs), nullptr, nullptr, NPP_RND_ZERO, 1);       \
  mapped<Npp##s, Npp##d>([](double v) { return std::nearbyint(v / 2); },                           \
                         BOTH(nppsConvert_##s##d##_Sfs), nullptr, nullptr, NPP_RND_NEAR, 1);
#define LIMITS(name, t) BOTH(nppsThreshold##name##_##t), BOTH(nppsThreshold##name##_##t##_I)
#define THRESHOLDS(t)                                                                              \
  mapped<Npp##t, Npp##t>(low, LIMITS(, t), Npp##t(7), NPP_CMP_LESS);                               \
  mapped<Npp##t, Npp##t>(high, LIMITS(, t), Npp##t(7), NPP_CMP_GREATER);                           \
  mapped<Npp##t, Npp##t>(low, LIMITS(_LT, t), Npp##t(7));                                          \
  mapped<Npp##t, Npp##t>(high, LIMITS(_GT, t), Npp##t(7));                                         \
  mapped<Npp##t, Npp##t>([](double v) { return v < 7 ? 1 : v; }, LIMITS(_LTVal, t), Npp##t(7),     \
                         Npp##t(1));                                                               \
  mapped<Npp##t, Npp##t>([](double v) { return v > 7 ? 9 : v; }, LIMITS(_GTVal, t), Npp##t(7),     \
                         Npp##t(9));
void conversions() {
  auto low = [](double v) { return std::max(v, 7.0); };
  auto high = [](double v) { return std::min(v, 7.0); };
  CONVERT(8s, 16s)
  // clang-format off: uses of macros in a row
  CONVERT(8s, 32f) CONVERT(8u, 32f) CONVERT(16s, 32s) CONVERT(16s, 32f) CONVERT(16u, 32f)
      CONVERT(32s, 16s) CONVERT(32s, 32f) CONVERT(32s, 64f) CONVERT(32f, 64f) CONVERT(64f, 32f)
          CONVERT_SFS(16s, 8s) CONVERT_SFS(32f, 8s) CONVERT_SFS(32f, 8u) CONVERT_SFS(32f, 16s)
              CONVERT_SFS(32f, 16u) CONVERT_SFS(32f, 32s) CONVERT_SFS(64f, 16s)
                  CONVERT_SFS(64f, 32s) CONVERT_SCALE(16s, 32f) CONVERT_SCALE(16s, 64f)
                      CONVERT_SCALE(32s, 16s) CONVERT_SCALE(32s, 32f) CONVERT_SCALE(32s, 64f)
                          THRESHOLDS(16s) THRESHOLDS(32f) THRESHOLDS(64f)
#define ABS(t)                                                                                     \
  mapped<Npp##t, Npp##t>([](double v) { return std::fabs(v); }, BOTH(nppsAbs_##t),                 \
                         BOTH(nppsAbs_##t##_I));
      // clang-format on
      ABS(16s) ABS(32s) ABS(32f) ABS(64f)
  // clang-format on
  // clang-format on
  // clang-format on
}

template <class T, class A, class S, class SC, class Z, class ZC, class K, class KC>
void initialization(A allocate, S set, SC set_c, Z zero, ZC zero_c, K copy, KC copy_c) {
  T *memory = allocate(length);
  CHECK(memory != nullptr);
  CHECK_CUDA(cudaMemset(memory, 0, length * sizeof(T)));
  nppsFree(memory);
  CHECK(allocate(0) == nullptr);
  SIGNAL(T, a, 1);
  SIGNAL(T, d, 3);
  const T k = makeConstant<T>();
  const auto *parts = reinterpret_cast<const typename Parts<T>::Part *>(&k);
  twice(
      set, set_c, [&] { d.fill(3); }, CALL(k, d.data(), length),
      [&] { compare("Set", d, [&](int e, int) { return double(parts[e % Parts<T>::count]); }); });
  twice(
      zero, zero_c, [&] { d.fill(3); }, CALL(d.data(), length),
      [&] { compare("Zero", d, [](int, int) { return 0.0; }); });
  twice(
      copy, copy_c, [&] { d.fill(3); }, CALL(a.data(), d.data(), length),
      [&] { compare("Copy", d, [&](int e, int) { return double(a.at(e, 0)); }); });
}
#define INITIALIZE(t)                                                                              \
  initialization<Npp##t>(nppsMalloc_##t, BOTH(nppsSet_##t), BOTH(nppsZero_##t), BOTH(nppsCopy_##t));

template <class S, class SC> Npp8u *scratch(S size, SC size_c) {
  static Npp8u *memory = nullptr;
  static size_t there = 0;
  size_t wanted = 0, again = 0;
  OK(size(length, &wanted));
  OK(size_c(length, &again, context()));
  CHECK(wanted > 0 && wanted == again);
  if (wanted > there) {
    cudaFree(memory);
    CHECK_CUDA(cudaMalloc(&memory, there = wanted));
  }
  return memory;
}
#define SCRATCH(name, types) scratch(BOTH(npps##name##GetBufferSize_##types))
double sum(const Values &v) {
  double total = 0;
  for (double x : v)
    total += x;
  return total;
}
double mean(const Values &v) { return sum(v) / double(v.size()); }
double deviation(const Values &v) {
  double squares = 0;
  for (double x : v)
    squares += (x - mean(v)) * (x - mean(v));
  return std::sqrt(squares / double(v.size() - 1));
}
double least(const Values &v) { return *std::min_element(v.begin(), v.end()); }
double most(const Values &v) { return *std::max_element(v.begin(), v.end()); }
double normOf(int kind, const Values &v) {
  double total = 0;
  for (double x : v)
    total = kind == 0 ? std::max(total, std::fabs(x)) : total + (kind == 1 ? std::fabs(x) : x * x);
  return kind == 2 ? std::sqrt(total) : total;
}
double crossings(const Values &v) {
  double count = 0;
  for (size_t i = 1; i < v.size(); ++i)
    count += (v[i - 1] < 0) != (v[i] < 0);
  return count;
}
void near(double actual, double expected) {
  CHECK_NEAR(actual, expected, 1e-5 * std::max(1.0, std::fabs(expected)));
}

template <class S, class R, class F, class G, class GC>
void reduce(F f, Npp8u *buffer, G g, GC gc) {
  SIGNAL(S, a, 1);
  Managed<R> out(1);
  twice(
      g, gc, [&] { out[0] = R(77); }, CALL(a.data(), length, out.data, buffer),
      [&] { near(double(out[0]), asResult<R>(f(a.read()))); });
}
template <class S, class R, class F, class G, class GC>
void reduceSfs(F f, Npp8u *buffer, G g, GC gc) {
  SIGNAL(S, a, 1);
  Managed<R> out(1);
  twice(
      g, gc, [&] { out[0] = R(77); }, CALL(a.data(), length, out.data, 3, buffer),
      [&] { CHECK_EQ(double(out[0]), asResult<R>(f(a.read()) / 8)); });
}
template <class S, class R, class F, class G, class GC> void pair(F f, Npp8u *buffer, G g, GC gc) {
  SIGNAL(S, a, 1);
  SIGNAL(S, b, 2);
  Managed<R> out(1);
  twice(
      g, gc, [&] { out[0] = R(77); }, CALL(a.data(), b.data(), length, out.data, buffer),
      [&] { near(double(out[0]), f(a.read(), b.read())); });
}
int placeOf(const Values &v, double value) {
  return int(std::find(v.begin(), v.end(), value) - v.begin());
}
template <class T, class I, class IC, class J, class JC, class M, class MC, class X, class XC>
void extremes(Npp8u *buffer, I min_at, IC min_at_c, J max_at, JC max_at_c, M both, MC both_c, X all,
              XC all_c) {
  SIGNAL(T, a, 1);
  Managed<T> out(2);
  Managed<int> at(2);
  const Values v = a.read();
  auto verify = [&](int i, bool places) {
    const double wanted = i == 0 ? least(v) : most(v);
    CHECK_EQ(double(out[i]), wanted);
    if (places)
      CHECK_EQ(at[i], placeOf(v, wanted));
  };
  auto clear = [&] { at[0] = at[1] = -1; };
  twice(min_at, min_at_c, clear, CALL(a.data(), length, out.data, at.data, buffer),
        [&] { verify(0, true); });
  twice(max_at, max_at_c, clear, CALL(a.data(), length, out.data + 1, at.data + 1, buffer),
        [&] { verify(1, true); });
  twice(both, both_c, clear, CALL(a.data(), length, out.data, out.data + 1, buffer),
        [&] { verify(0, false), verify(1, false); });
  twice(all, all_c, clear,
        CALL(a.data(), length, out.data, at.data, out.data + 1, at.data + 1, buffer),
        [&] { verify(0, true), verify(1, true); });
}
template <class T, class G, class GC> void meanStdDev(Npp8u *buffer, G g, GC gc) {
  SIGNAL(T, a, 1);
  Managed<T> out(2);
  twice(
      g, gc, [&] { out[0] = out[1] = 77; }, CALL(a.data(), length, out.data, out.data + 1, buffer),
      [&] {
        near(out[0], mean(a.read()));
        near(out[1], deviation(a.read()));
      });
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
#define NORM(n, kind, types, S, R)                                                                 \
  reduce<S, R>([](const Values &v) { return normOf(kind, v); }, SCRATCH(Norm##n, types),           \
               BOTH(nppsNorm_##n##_##types));                                                      \
  pair<S, R>([](const Values &a, const Values &b) { return normOf(kind, difference(a, b)); },      \
             SCRATCH(NormDiff##n, types), BOTH(nppsNormDiff_##n##_##types));
#define NORMS(types, S, R)                                                                         \
  NORM(Inf, 0, types, S, R) NORM(L1, 1, types, S, R) NORM(L2, 2, types, S, R)
#define EXTREMES(t)                                                                                \
  reduce<Npp##t, Npp##t>(least, SCRATCH(Min, t), BOTH(nppsMin_##t));                               \
  reduce<Npp##t, Npp##t>(most, SCRATCH(Max, t), BOTH(nppsMax_##t));                                \
  SCRATCH(MinIndx, t), SCRATCH(MaxIndx, t), SCRATCH(MinMax, t);                                    \
  extremes<Npp##t>(SCRATCH(MinMaxIndx, t), BOTH(nppsMinIndx_##t), BOTH(nppsMaxIndx_##t),           \
                   BOTH(nppsMinMax_##t), BOTH(nppsMinMaxIndx_##t));
#define MOMENTS(t)                                                                                 \
  reduce<Npp##t, Npp##t>(sum, SCRATCH(Sum, t), BOTH(nppsSum_##t));                                 \
  reduce<Npp##t, Npp##t>(mean, SCRATCH(Mean, t), BOTH(nppsMean_##t));                              \
  reduce<Npp##t, Npp##t>(deviation, SCRATCH(StdDev, t), BOTH(nppsStdDev_##t));                     \
  meanStdDev<Npp##t>(SCRATCH(MeanStdDev, t), BOTH(nppsMeanStdDev_##t));                            \
  NORMS(t, Npp##t, Npp##t)
#define REDUCE_SFS(name, types, S, R, f)                                                           \
  reduceSfs<S, R>(f, SCRATCH(name, types##_Sfs), BOTH(npps##name##_##types##_Sfs));
#define DOT(types, S, R) pair<S, R>(dot, SCRATCH(DotProd, types), BOTH(nppsDotProd_##types));
#define ERROR_OF(name, t, f) pair<Npp##t, Npp64f>(f, SCRATCH(name, t), BOTH(npps##name##_##t));
// clang-format off: uses of macros in a row
#define ERRORS(t)                                                                                  \
  ERROR_OF(MaximumError, t, maximum)                                                               \
  ERROR_OF(AverageError, t, average) ERROR_OF(MaximumRelativeError, t, maximumRelative)            \
      ERROR_OF(AverageRelativeError, t, averageRelative)
double maximum(const Values &a, const Values &b) { return normOf(0, difference(a, b)); }
double average(const Values &a, const Values &b) {
  return normOf(1, difference(a, b)) / double(a.size());
}
double maximumRelative(const Values &a, const Values &b) { return relative(a, b, true); }
double averageRelative(const Values &a, const Values &b) { return relative(a, b, false); }
struct Least {
  double operator()(double a, double b) const { return std::min(a, b); }
};
struct Most {
  double operator()(double a, double b) const { return std::max(a, b); }
};

void statistics() {
  EXTREMES(16s)
  EXTREMES(32s) EXTREMES(32f) EXTREMES(64f) MOMENTS(32f) MOMENTS(64f) NORMS(16s32f, Npp16s, Npp32f)
      NORMS(32f64f, Npp32f, Npp64f) REDUCE_SFS(Sum, 16s, Npp16s, Npp16s, sum)
          REDUCE_SFS(Sum, 32s, Npp32s, Npp32s, sum) REDUCE_SFS(Sum, 16s32s, Npp16s, Npp32s, sum)
              REDUCE_SFS(Mean, 16s, Npp16s, Npp16s, mean)
                  REDUCE_SFS(Mean, 32s, Npp32s, Npp32s, mean) DOT(32f, Npp32f, Npp32f)
                      DOT(64f, Npp64f, Npp64f) DOT(32f64f, Npp32f, Npp64f)
                          DOT(16s32f, Npp16s, Npp32f)
                              reduce<Npp16s, Npp32f>(crossings, SCRATCH(ZeroCrossing, 16s32f),
                                                     BOTH(nppsZeroCrossing_16s32f));
  ERRORS(8u)
  ERRORS(8s) ERRORS(16u) ERRORS(16s) ERRORS(32u) ERRORS(32s) ERRORS(32f) ERRORS(64f)
#define EVERY(op, f, t) twoI<Npp##t>(f(), 1, BOTH(npps##op##Every_##t##_I));
      // clang-format on
      // clang-format on
      // clang-format on
      // clang-format on
      EVERY(Min, Least, 8u) EVERY(Min, Least, 16u) EVERY(Min, Least, 16s) EVERY(Min, Least, 32s)
          EVERY(Min, Least, 32f) EVERY(Min, Least, 64f) EVERY(Max, Most, 8u) EVERY(Max, Most, 16u)
              EVERY(Max, Most, 16s) EVERY(Max, Most, 32s) EVERY(Max, Most, 32f)
                  SIGNAL(Npp32s, a, 1);
  SIGNAL(Npp32s, d, 3);
  Managed<int> count(1);
  Npp8u *buffer = SCRATCH(CountInRange, 32s);
  twice(
      BOTH(nppsCountInRange_32s), [&] { count[0] = -1; },
      CALL(a.data(), length, count.data, 5, 900, buffer),
      [&] {
        int expected = 0;
        for (double v : a.read())
          expected += v >= 5 && v <= 900;
        CHECK_EQ(count[0], expected);
      });
  buffer = SCRATCH(Integral, 32s);
  twice(
      BOTH(nppsIntegral_32s), [&] { d.fill(3); }, CALL(a.data(), d.data(), length, buffer),
      [&] {
        double total = 0;
        compare("Integral", d, [&](int e, int) { return total += a.at(e, 0); });
      });
}

void badArguments() {
  SIGNAL(Npp32f, a, 1);
  CHECK_EQ(nppsAdd_32f(nullptr, a, a, length), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppsSet_32f(1, nullptr, length), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppsSum_32f(a, length, nullptr, reinterpret_cast<Npp8u *>(a.data())),
           NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppsSum_32f(a, length, a, nullptr), NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppsSumGetBufferSize_32f(length, static_cast<size_t *>(nullptr)),
           NPP_NULL_POINTER_ERROR);
  CHECK_EQ(nppsDivC_32f_I(0, a, length), NPP_DIVIDE_BY_ZERO_ERROR);
  CHECK_EQ(nppsThreshold_32f_I(a, length, 1, NPP_CMP_EQ), NPP_BAD_ARGUMENT_ERROR);
}

} // namespace

int main() {
  INITIALIZE(8u)
  // clang-format off: uses of macros in a row
  INITIALIZE(8s) INITIALIZE(16u) INITIALIZE(16s) INITIALIZE(16sc) INITIALIZE(32u) INITIALIZE(32s)
      INITIALIZE(32sc) INITIALIZE(32f) INITIALIZE(32fc) INITIALIZE(64s) INITIALIZE(64sc)
          INITIALIZE(64f) INITIALIZE(64fc) arithmetic();
  functions();
  // clang-format on
  conversions();
  statistics();
  badArguments();
  RETURN_RESULT();
}
