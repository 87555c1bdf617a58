// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusparse
//
// Results of NVIDIA's library on a real GPU, in recorded/cusparse.inc: those here differ from them
// by no more than a few times what NVIDIA's differ from sums in double precision. With the argument
// `record`, the program prints the file.
#include "sparse_check.h"

#include <functional>
#include <string>

using namespace sparse;

namespace {

struct Recorded {
  const char *name;
  std::vector<double> numbers; // real and imaginary parts in turn
};
const std::vector<Recorded> recorded = {
#include "recorded/cusparse.inc"
};

struct Case {
  std::string name;
  std::vector<Number> actual, expected;
  double epsilon; // of the type
};
std::vector<Case> cases;
cusparseHandle_t handle;

template <typename T>
void add(const char *name, const Array<T> &actual, const std::vector<Number> &expected) {
  const bool wide = std::is_same_v<T, double> || std::is_same_v<T, cuDoubleComplex>;
  cases.push_back({name, actual.read(), expected, sizeof(T) == 2 ? 1e-3 : wide ? 2.3e-16 : 1.2e-7});
}

/// Numbers of which no type holds all bits, rounded to the type as the library will see them.
template <typename T> Number roughAt(int k) {
  const double re = (k * 7919 % 1009) / 997.0 - 0.4, im = (k * 104729 % 1013) / 991.0 - 0.6;
  return value(make<T>(Number(re, isComplex<T>() ? im : 0)));
}
template <typename T> Full rough(int rows, int cols, int seed, bool all = true) {
  Full a(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      if (all || (i * 7 + j * 5 + seed) % 3 == 0)
        a(i, j) = roughAt<T>(i * 131 + j * 17 + seed);
  return a;
}
template <typename T> Full triangle(int n, bool lower) {
  Full a = rough<T>(n, n, 3, false);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a(i, j) = i == j ? value(make<T>(3.1 + roughAt<T>(i))) : lower == (i > j) ? a(i, j) : 0;
  return a;
}
/// op(a)^-1 b by substitution in double.
Full solved(const Full &a, Full b, bool lower) {
  for (int c = 0; c < b.cols; ++c)
    for (int k = 0; k < a.rows; ++k) {
      const int i = lower ? k : a.rows - 1 - k;
      for (int j = 0; j < a.cols; ++j)
        if (j != i)
          b(i, c) -= a(i, j) * (lower == (j < i) ? b(j, c) : 0);
      b(i, c) /= a(i, i);
    }
  return b;
}

template <typename T> struct Mat {
  Csr<T> m;
  cusparseSpMatDescr_t mat;
  explicit Mat(const Full &a) : m(a, 0) {
    OK(cusparseCreateCsr(&mat, a.rows, a.cols, m.nnz, m.offsets.data(), m.columns.data(),
                         m.values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, type<T>()));
  }
  ~Mat() { OK(cusparseDestroySpMat(mat)); }
};
template <typename T> struct Dn {
  Array<T> data;
  cusparseDnMatDescr_t mat;
  cusparseDnVecDescr_t vec;
  explicit Dn(const Full &a) : data(a.at_) {
    OK(cusparseCreateDnMat(&mat, a.rows, a.cols, a.rows, data.data(), type<T>(),
                           CUSPARSE_ORDER_COL));
    OK(cusparseCreateDnVec(&vec, int64_t(a.at_.size()), data.data(), type<T>()));
  }
  ~Dn() {
    OK(cusparseDestroyDnMat(mat));
    OK(cusparseDestroyDnVec(vec));
  }
};

constexpr int rows = 24, cols = 30;

template <typename T, typename TC> void runSpMV(const char *name, cusparseOperation_t op) {
  const Full a = rough<T>(rows, cols, 1, false), t = transposed(a, op), x = rough<T>(t.cols, 1, 2),
             y = rough<T>(t.rows, 1, 3);
  const Mat<T> m(a);
  const Dn<T> dx(x), dy(y);
  const Scalars<TC> s(handle, false, 1.5, -0.5);
  const Array<char> buffer(1 << 20);
  OK(cusparseSpMV(handle, op, s.alpha, m.mat, dx.vec, s.beta, dy.vec, type<TC>(),
                  CUSPARSE_SPMV_ALG_DEFAULT, buffer.data()));
  add(name, dy.data, sum(s.al, product(t, x), s.be, y).at_);
}

template <typename T> void runSpMM(const char *name) {
  const Full a = rough<T>(rows, cols, 4, false), b = rough<T>(cols, 3, 5), c = rough<T>(rows, 3, 6);
  const Mat<T> m(a);
  const Dn<T> db(b), dc(c);
  const Scalars<T> s(handle, false, 1.5, -0.5);
  const Array<char> buffer(1 << 20);
  OK(cusparseSpMM(handle, N, N, s.alpha, m.mat, db.mat, s.beta, dc.mat, type<T>(),
                  CUSPARSE_SPMM_ALG_DEFAULT, buffer.data()));
  add(name, dc.data, sum(s.al, product(a, b), s.be, c).at_);
}

template <typename T> void runSDDMM(const char *name) {
  const Full c = rough<T>(12, 15, 7, false), a = rough<T>(12, 20, 8), b = rough<T>(20, 15, 9);
  const Mat<T> m(c);
  const Dn<T> da(a), db(b);
  const Scalars<T> s(handle, false, 1.5, -0.5);
  const Array<char> buffer(1 << 20);
  OK(cusparseSDDMM(handle, N, N, s.alpha, da.mat, db.mat, s.beta, m.mat, type<T>(),
                   CUSPARSE_SDDMM_ALG_DEFAULT, buffer.data()));
  const Full full = sum(s.al, product(a, b), s.be, c);
  Full kept = c;
  for (size_t k = 0; k < kept.at_.size(); ++k)
    kept.at_[k] = c.at_[k] == Number(0) ? 0 : full.at_[k];
  add(name, m.m.values, HostCsr(kept).values);
}

template <typename T>
void runSolves(const char *name, const char *several, bool lower, cusparseOperation_t op) {
  const Full a = triangle<T>(rows, lower), b = rough<T>(rows, 2, 11);
  Full b0(rows, 1);
  b0.at_.assign(b.at_.begin(), b.at_.begin() + rows);
  const Mat<T> m(a);
  auto fill = lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
  OK(cusparseSpMatSetAttribute(m.mat, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  const Scalars<T> s(handle, false, 1.5);
  const Full t = transposed(a, op);
  const bool forward = lower == (op == N);
  size_t size;
  {
    const Dn<T> db(b0), dx(Full(rows, 1));
    cusparseSpSVDescr_t descr;
    OK(cusparseSpSV_createDescr(&descr));
    OK(cusparseSpSV_bufferSize(handle, op, s.alpha, m.mat, db.vec, dx.vec, type<T>(),
                               CUSPARSE_SPSV_ALG_DEFAULT, descr, &size));
    const Array<char> buffer(size);
    OK(cusparseSpSV_analysis(handle, op, s.alpha, m.mat, db.vec, dx.vec, type<T>(),
                             CUSPARSE_SPSV_ALG_DEFAULT, descr, buffer.data()));
    OK(cusparseSpSV_solve(handle, op, s.alpha, m.mat, db.vec, dx.vec, type<T>(),
                          CUSPARSE_SPSV_ALG_DEFAULT, descr));
    add(name, dx.data, solved(t, sum(s.al, b0, 0, b0), forward).at_);
    OK(cusparseSpSV_destroyDescr(descr));
  }
  const Dn<T> db(b), dx(Full(rows, 2));
  cusparseSpSMDescr_t descr;
  OK(cusparseSpSM_createDescr(&descr));
  OK(cusparseSpSM_bufferSize(handle, op, N, s.alpha, m.mat, db.mat, dx.mat, type<T>(),
                             CUSPARSE_SPSM_ALG_DEFAULT, descr, &size));
  const Array<char> buffer(size);
  OK(cusparseSpSM_analysis(handle, op, N, s.alpha, m.mat, db.mat, dx.mat, type<T>(),
                           CUSPARSE_SPSM_ALG_DEFAULT, descr, buffer.data()));
  OK(cusparseSpSM_solve(handle, op, N, s.alpha, m.mat, db.mat, dx.mat, type<T>(),
                        CUSPARSE_SPSM_ALG_DEFAULT, descr));
  add(several, dx.data, solved(t, sum(s.al, b, 0, b), forward).at_);
  OK(cusparseSpSM_destroyDescr(descr));
}

template <typename T> void runSpGEMM(const char *name) {
  const Full a = rough<T>(9, 12, 12, false), b = rough<T>(12, 8, 13, false),
             expected = product(a, b);
  const Mat<T> ma(a), mb(b);
  const Array<int> offsets(10), columns(72);
  const Array<T> values(72);
  cusparseSpMatDescr_t mc;
  OK(cusparseCreateCsr(&mc, 9, 8, 0, offsets.data(), nullptr, nullptr, CUSPARSE_INDEX_32I,
                       CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type<T>()));
  cusparseSpGEMMDescr_t descr;
  const Scalars<T> s(handle, false, 1, 0);
  OK(cusparseSpGEMM_createDescr(&descr));
#define GEMM                                                                                       \
  handle, N, N, s.alpha, ma.mat, mb.mat, s.beta, mc, type<T>(), CUSPARSE_SPGEMM_DEFAULT, descr
  size_t s1, s2;
  OK(cusparseSpGEMM_workEstimation(GEMM, &s1, nullptr));
  const Array<char> b1(s1);
  OK(cusparseSpGEMM_workEstimation(GEMM, &s1, b1.data()));
  OK(cusparseSpGEMM_compute(GEMM, &s2, nullptr));
  const Array<char> b2(s2);
  OK(cusparseSpGEMM_compute(GEMM, &s2, b2.data()));
  OK(cusparseCsrSetPointers(mc, offsets.data(), columns.data(), values.data()));
  OK(cusparseSpGEMM_copy(GEMM));
  CHECK_CUDA(cudaDeviceSynchronize());
  Array<T> full(72); // whatever the order in a row
  for (int i = 0; i < 9; ++i)
    for (int p = offsets[i]; p < offsets[i + 1]; ++p)
      full[i + columns[p] * 9] = values[p];
  add(name, full, expected.at_);
  OK(cusparseSpGEMM_destroyDescr(descr));
  OK(cusparseDestroySpMat(mc));
}

template <typename T> void runVectors(const char *dot_name, const char *axpby_name) {
  std::vector<int> at;
  for (int k = 0; k < 20; ++k)
    at.push_back(k * 3 % 61);
  std::sort(at.begin(), at.end());
  const Array<int> indices(at);
  const Full x = rough<T>(20, 1, 14), y = rough<T>(61, 1, 15);
  const Array<T> vx(x.at_);
  const Dn<T> dy(y);
  cusparseSpVecDescr_t sx;
  OK(cusparseCreateSpVec(&sx, 61, 20, indices.data(), vx.data(), CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, type<T>()));
  const Array<T> result(1);
  const Scalars<T> s(handle, false, 1.5, -0.5);
  const Array<char> buffer(1 << 16);
  OK(cusparseSpVV(handle, N, sx, dy.vec, result.data(), type<T>(), buffer.data()));
  Number dot = 0;
  auto expected = y.at_;
  for (Number &v : expected)
    v *= s.be;
  for (int k = 0; k < 20; ++k) {
    dot += x.at_[k] * y.at_[at[k]];
    expected[at[k]] += s.al * x.at_[k];
  }
  add(dot_name, result, {dot});
  OK(cusparseAxpby(handle, s.alpha, sx, s.beta, dy.vec));
  add(axpby_name, dy.data, expected);
  OK(cusparseDestroySpVec(sx));
}

template <typename T, typename Function> void runTridiagonal(const char *name, Function gtsv) {
  const int n = 32;
  std::vector<Number> dl(n), d(n), du(n), x(n), b(n);
  for (int i = 0; i < n; ++i) {
    dl[i] = i ? roughAt<T>(i) : 0;
    d[i] = value(make<T>(3.0 + roughAt<T>(i + 50)));
    du[i] = i < n - 1 ? roughAt<T>(i + 90) : 0;
    b[i] = roughAt<T>(i + 200);
  }
  std::vector<Number> pivot = d;
  x = b;
  for (int i = 1; i < n; ++i) {
    const Number f = dl[i] / pivot[i - 1];
    pivot[i] -= f * du[i - 1];
    x[i] -= f * x[i - 1];
  }
  for (int i = n - 1; i >= 0; --i)
    x[i] = (x[i] - (i < n - 1 ? du[i] * x[i + 1] : 0)) / pivot[i];
  const Array<T> l(dl), m(d), u(du), v(b);
  const Array<char> buffer(1 << 20);
  OK(gtsv(handle, n, 1, l, m, u, v, n, buffer.data()));
  add(name, v, x);
}

void runAll() {
  runSpMV<float, float>("SpMV, float", N);
  runSpMV<double, double>("SpMV, double", N);
  runSpMV<cuComplex, cuComplex>("SpMV, complex float", N);
  runSpMV<cuDoubleComplex, cuDoubleComplex>("SpMV, complex double, conjugated", C_);
  runSpMV<float, float>("SpMV, float, transposed", T_);
  runSpMV<__half, float>("SpMV, half", N);
  runSpMV<__nv_bfloat16, float>("SpMV, bfloat16", N);
  runSpMM<float>("SpMM, float");
  runSpMM<cuDoubleComplex>("SpMM, complex double");
  runSDDMM<float>("SDDMM, float");
  runSDDMM<double>("SDDMM, double");
  runSolves<float>("SpSV, float, lower", "SpSM, float, lower", true, N);
  runSolves<double>("SpSV, double, upper, transposed", "SpSM, double, upper, transposed", false,
                    T_);
  runSpGEMM<float>("SpGEMM, float");
  runSpGEMM<cuComplex>("SpGEMM, complex float");
  runVectors<float>("SpVV, float", "Axpby, float");
  runVectors<cuDoubleComplex>("SpVV, complex double", "Axpby, complex double");
  runTridiagonal<float>("gtsv2, float", cusparseSgtsv2);
  runTridiagonal<double>("gtsv2, double", cusparseDgtsv2);
  runTridiagonal<float>("gtsv2_nopivot, float", cusparseSgtsv2_nopivot);
}

void print() {
  for (const Case &c : cases) {
    std::printf("{\"%s\", {", c.name.c_str());
    for (size_t k = 0; k < c.actual.size(); ++k)
      std::printf("%s%a, %a", k ? ", " : "", c.actual[k].real(), c.actual[k].imag());
    std::printf("}},\n");
  }
}

double distance(const std::vector<Number> &a, const std::vector<Number> &b) {
  double worst = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    const double d = std::abs(a[k] - b[k]);
    worst = d <= worst ? worst : d;
  }
  return worst;
}

void compareWithRecorded(const Recorded &r) {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case &c) { return c.name == r.name; });
  CHECK(found != cases.end() && r.numbers.size() == 2 * found->expected.size());
  if (found == cases.end() || r.numbers.size() != 2 * found->expected.size())
    return;
  std::vector<Number> theirs;
  double largest = 0;
  for (size_t k = 0; k < r.numbers.size(); k += 2) {
    theirs.emplace_back(r.numbers[k], r.numbers[k + 1]);
    largest = std::max(largest, std::abs(found->expected[k / 2]));
  }
  const double allowed = 4 * distance(theirs, found->expected) + 2 * found->epsilon * largest;
  const double ours = distance(found->actual, theirs);
  if (check::failed(ours <= allowed, __FILE__, __LINE__, r.name))
    std::fprintf(stderr, ": off by %g, %g are allowed\n", ours, allowed);
}

} // namespace

int main(int argc, char **argv) {
  OK(cusparseCreate(&handle));
  runAll();
  OK(cusparseDestroy(handle));
  if (argc > 1 && std::string(argv[1]) == "record") {
    print();
    RETURN_RESULT();
  }
  for (const Case &c : cases) // whatever has been recorded
    compareAt(c.actual, c.expected, 100 * c.epsilon, c.name.c_str());
  for (const Recorded &r : recorded)
    compareWithRecorded(r);
  RETURN_RESULT();
}
