// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusolver -lcusparse
//
// Results of NVIDIA's library on a real GPU, in recorded/cusolver.inc: those here differ from them
// by no more than a few times what NVIDIA's differ from double precision. What has a sign or a
// phase of its own (vectors, Q) is left out, or its moduli are taken. With the argument `record`,
// the program prints the file.
#include "solver_check.h"

#include <cusolverSp.h>
#include <string>

namespace {

using Numbers = std::vector<Number>;
struct Recorded {
  const char *name;
  std::vector<double> numbers; // real and imaginary parts in turn
};
const std::vector<Recorded> recorded = {
#include "recorded/cusolver.inc"
};
struct Case {
  std::string name;
  Numbers actual, expected; // expected: of double precision, from the same input
  double epsilon;
};
std::vector<Case> cases;

cusolverDnHandle_t handle;
cusolverSpHandle_t sparse;
cusolverDnParams_t params;
cusparseMatDescr_t descriptor;
constexpr auto Lower = CUBLAS_FILL_MODE_LOWER;
constexpr auto Vectors = CUSOLVER_EIG_MODE_VECTOR;
constexpr int n = 12;

struct Area {
  size_t device = 0, host = 0;
  void *on_device = nullptr;
  std::vector<char> on_host;
  void *get() {
    on_host.resize(host + 1);
    CHECK_CUDA(cudaMalloc(&on_device, device + 1));
    return on_device;
  }
  ~Area() { cudaFree(on_device); }
};
#define SIZES &w.device, &w.host
#define BUFFERS w.get(), w.device, w.on_host.data(), w.host

/// Inputs that every type holds exactly.
template <typename T> Mat input(int rows, int columns, int seed) {
  Mat r = general<T>(rows, columns, seed);
  for (Number &v : r.a)
    v = {double(float(v.real())), double(float(v.imag()))};
  return r;
}
template <typename T> Mat positive(int seed) {
  Mat r = input<T>(n, n, seed);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i)
      if (i == j)
        r(i, i) = {double(float(r(i, i).real())) + 14, 0};
      else
        r(i, j) = std::conj(r(j, i));
  return r;
}
Numbers moduli(Numbers values) {
  for (Number &v : values)
    v = std::abs(v);
  return values;
}
Numbers withInfo(Numbers values, const Ints &info) {
  values.push_back(info[0]);
  return values;
}

template <typename T> Numbers cholesky() {
  const auto t = Traits<T>::type;
  Dev<T> a(positive<T>(1)), b(input<T>(n, 2, 2));
  Ints info(1);
  Area w;
  OK(cusolverDnXpotrf_bufferSize(handle, params, Lower, n, t, a, a.ld, t, SIZES));
  OK(cusolverDnXpotrf(handle, params, Lower, n, t, a, a.ld, t, BUFFERS, info));
  OK(cusolverDnXpotrs(handle, params, Lower, n, 2, t, a, a.ld, t, b, b.ld, info));
  Numbers all = triangle(a.read(), false).a;
  const Mat x = b.read();
  all.insert(all.end(), x.a.begin(), x.a.end());
  return withInfo(all, info);
}
template <typename T> Numbers notPositive() {
  const auto t = Traits<T>::type;
  Mat A = positive<T>(1);
  A(7, 7) = -1;
  Dev<T> a(A);
  Ints info(1);
  Area w;
  OK(cusolverDnXpotrf_bufferSize(handle, params, Lower, n, t, a, a.ld, t, SIZES));
  OK(cusolverDnXpotrf(handle, params, Lower, n, t, a, a.ld, t, BUFFERS, info));
  return withInfo({}, info);
}
template <typename T> Numbers lu() {
  const auto t = Traits<T>::type;
  Dev<T> a(input<T>(n, n, 3)), b(input<T>(n, 1, 4));
  Ints info(1);
  int64_t *ipiv;
  CHECK_CUDA(cudaMallocManaged(&ipiv, n * sizeof(int64_t)));
  Area w;
  OK(cusolverDnXgetrf_bufferSize(handle, params, n, n, t, a, a.ld, t, SIZES));
  OK(cusolverDnXgetrf(handle, params, n, n, t, a, a.ld, ipiv, t, BUFFERS, info));
  OK(cusolverDnXgetrs(handle, params, CUBLAS_OP_T, n, 1, t, a, a.ld, ipiv, t, b, b.ld, info));
  Numbers all = a.read().a;
  const Mat x = b.read();
  all.insert(all.end(), x.a.begin(), x.a.end());
  for (int i = 0; i < n; ++i)
    all.push_back(double(ipiv[i]));
  CHECK_CUDA(cudaFree(ipiv));
  return withInfo(all, info);
}
template <typename T> Numbers singularLu() {
  const auto t = Traits<T>::type;
  Mat A = triangle(input<T>(n, n, 5), true);
  A(5, 5) = 0;
  Dev<T> a(A);
  Ints info(1);
  Area w;
  OK(cusolverDnXgetrf_bufferSize(handle, params, n, n, t, a, a.ld, t, SIZES));
  OK(cusolverDnXgetrf(handle, params, n, n, t, a, a.ld, nullptr, t, BUFFERS, info));
  return withInfo({}, info);
}
template <typename T> Numbers qr() {
  const auto t = Traits<T>::type;
  Dev<T> a(input<T>(n + 4, n, 6));
  Array<T> tau(n);
  Ints info(1);
  Area w;
  OK(cusolverDnXgeqrf_bufferSize(handle, params, n + 4, n, t, a, a.ld, t, tau, t, SIZES));
  OK(cusolverDnXgeqrf(handle, params, n + 4, n, t, a, a.ld, t, tau, t, BUFFERS, info));
  return withInfo(moduli(triangle(a.read(), true).a), info);
}
template <typename T> Numbers eigen() {
  const auto t = Traits<T>::type, r = Traits<T>::real;
  Dev<T> a(positive<T>(7));
  Array<Real<T>> values(n);
  Ints info(1);
  Area w;
  OK(cusolverDnXsyevd_bufferSize(handle, params, Vectors, Lower, n, t, a, a.ld, r, values, t,
                                 SIZES));
  OK(cusolverDnXsyevd(handle, params, Vectors, Lower, n, t, a, a.ld, r, values, t, BUFFERS, info));
  Numbers all = values.read().a;
  const Numbers vectors = moduli(a.read().a);
  all.insert(all.end(), vectors.begin(), vectors.end());
  return withInfo(all, info);
}
template <typename T> Numbers singularValues() {
  const auto t = Traits<T>::type, r = Traits<T>::real;
  Dev<T> a(input<T>(n + 3, n, 8)), u(n + 3, n), vt(n, n);
  Array<Real<T>> s(n);
  Ints info(1);
  Area w;
  OK(cusolverDnXgesvd_bufferSize(handle, params, 'S', 'S', n + 3, n, t, a, a.ld, r, s, t, u, u.ld,
                                 t, vt, vt.ld, t, SIZES));
  OK(cusolverDnXgesvd(handle, params, 'S', 'S', n + 3, n, t, a, a.ld, r, s, t, u, u.ld, t, vt,
                      vt.ld, t, BUFFERS, info));
  return withInfo(s.read().a, info);
}

template <typename T> struct Api;
#define API(T, P, Y)                                                                               \
  template <> struct Api<T> {                                                                      \
    static constexpr auto gvdSize = cusolverDn##P##Y##gvd_bufferSize;                              \
    static constexpr auto gvd = cusolverDn##P##Y##gvd;                                             \
    static constexpr auto svdjSize = cusolverDn##P##gesvdj_bufferSize;                             \
    static constexpr auto svdj = cusolverDn##P##gesvdj;                                            \
    static constexpr auto qr = cusolverSp##P##csrlsvqr;                                            \
    static constexpr auto chol = cusolverSp##P##csrlsvchol;                                        \
  };
API(float, S, sy)
API(double, D, sy)
API(cuComplex, C, he)
API(cuDoubleComplex, Z, he)

template <typename T> Numbers pair() {
  Dev<T> a(positive<T>(9)), b(positive<T>(10));
  Array<Real<T>> values(n);
  Ints info(1);
  int lwork = 0;
  OK(Api<T>::gvdSize(handle, CUSOLVER_EIG_TYPE_1, Vectors, Lower, n, a, a.ld, b, b.ld, values,
                     &lwork));
  Dev<T> work(lwork, 1);
  OK(Api<T>::gvd(handle, CUSOLVER_EIG_TYPE_1, Vectors, Lower, n, a, a.ld, b, b.ld, values, work,
                 lwork, info));
  return withInfo(values.read().a, info);
}
template <typename T> Numbers jacobi() {
  Dev<T> a(input<T>(n, n - 2, 11)), u(n, n - 2), v(n - 2, n - 2);
  Array<Real<T>> s(n - 2);
  Ints info(1);
  int lwork = 0;
  gesvdjInfo_t jacobi;
  OK(cusolverDnCreateGesvdjInfo(&jacobi));
  OK(Api<T>::svdjSize(handle, Vectors, 1, n, n - 2, a, a.ld, s, u, u.ld, v, v.ld, &lwork, jacobi));
  Dev<T> work(lwork, 1);
  OK(Api<T>::svdj(handle, Vectors, 1, n, n - 2, a, a.ld, s, u, u.ld, v, v.ld, work, lwork, info,
                  jacobi));
  const Numbers all = withInfo(s.read().a, info);
  OK(cusolverDnDestroyGesvdjInfo(jacobi));
  return all;
}
template <typename T, typename F> Numbers sparseSolve(F solve) {
  const Mat A = positive<T>(12);
  std::vector<int> starts{0}, indices;
  Numbers values;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      if (i == j || (i + j) % 3 == 0) {
        indices.push_back(j);
        values.push_back(A(i, j));
      }
    starts.push_back(int(indices.size()));
  }
  Ints s(n + 1), c(int(indices.size()));
  Array<T> v(int(values.size()));
  std::copy(starts.begin(), starts.end(), s.data);
  std::copy(indices.begin(), indices.end(), c.data);
  for (size_t k = 0; k < values.size(); ++k)
    v.data[k] = make<T>(values[k]);
  Dev<T> b(input<T>(n, 1, 13), 0), x(n, 1, 0);
  int singular = -99;
  OK(solve(sparse, n, int(indices.size()), descriptor, v, s, c, b, Real<T>(1e-6), 0, x, &singular));
  Numbers all = x.read().a;
  all.push_back(singular);
  return all;
}
template <typename T> Numbers sparseQr() { return sparseSolve<T>(Api<T>::qr); }
template <typename T> Numbers sparseCholesky() { return sparseSolve<T>(Api<T>::chol); }

/// `name` in all types; the narrow ones are compared with the wide ones.
#define ALL_TYPES(name)                                                                            \
  {                                                                                                \
    const Numbers wide = name<double>(), complex = name<cuDoubleComplex>();                        \
    cases.push_back({#name ", float", name<float>(), wide, 1.2e-7});                               \
    cases.push_back({#name ", double", wide, wide, 2.3e-16});                                      \
    cases.push_back({#name ", complex double", complex, complex, 2.3e-16});                        \
  }

void print() {
  for (const Case &c : cases) {
    std::printf("{\"%s\", {", c.name.c_str());
    for (size_t k = 0; k < c.actual.size(); ++k)
      std::printf("%s%a, %a", k ? ", " : "", c.actual[k].real(), c.actual[k].imag());
    std::printf("}},\n");
  }
}

double distance(const Numbers &a, const Numbers &b) {
  double worst = a.size() == b.size() ? 0 : 1e300;
  for (size_t k = 0; worst < 1e300 && k < a.size(); ++k) {
    const double d = std::abs(a[k] - b[k]);
    worst = d <= worst ? worst : (std::isnan(d) ? 1e300 : d);
  }
  return worst;
}

void compareWithRecorded(const Recorded &r) {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case &c) { return c.name == r.name; });
  CHECK(found != cases.end() && r.numbers.size() == 2 * found->expected.size());
  if (found == cases.end() || r.numbers.size() != 2 * found->expected.size())
    return;
  Numbers theirs;
  double largest = 1;
  for (size_t k = 0; k < r.numbers.size(); k += 2) {
    theirs.emplace_back(r.numbers[k], r.numbers[k + 1]);
    largest = std::max(largest, std::abs(found->expected[k / 2]));
  }
  // Of double precision there is nothing better, so a few roundings for each of n steps are
  // allowed.
  const double allowed = 4 * distance(theirs, found->expected) * (found->epsilon > 1e-10) +
                         8 * n * found->epsilon * largest;
  const double ours = distance(found->actual, theirs);
  if (check::failed(ours <= allowed, __FILE__, __LINE__, r.name))
    std::fprintf(stderr, ": off by %g, %g are allowed\n", ours, allowed);
}

} // namespace

int main(int argc, char **argv) {
  OK(cusolverDnCreate(&handle));
  OK(cusolverDnCreateParams(&params));
  OK(cusolverSpCreate(&sparse));
  CHECK_EQ(cusparseCreateMatDescr(&descriptor), CUSPARSE_STATUS_SUCCESS);
  ALL_TYPES(cholesky)
  ALL_TYPES(notPositive)
  ALL_TYPES(lu)
  ALL_TYPES(singularLu)
  ALL_TYPES(qr)
  ALL_TYPES(eigen)
  ALL_TYPES(singularValues)
  ALL_TYPES(pair)
  ALL_TYPES(jacobi)
  ALL_TYPES(sparseQr)
  ALL_TYPES(sparseCholesky)
  if (argc > 1 && std::string(argv[1]) == "record") {
    print();
    RETURN_RESULT();
  }
  for (const Case &c : cases) // whatever has been recorded
    CHECK_NEAR(distance(c.actual, c.expected), 0, 1000 * c.epsilon);
  for (const Recorded &r : recorded)
    compareWithRecorded(r);
  RETURN_RESULT();
}
