// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FFTW3's interface (cufftw.h): every plan, of both precisions, against sums written out in double;
// arrays of the host and of the device.
// flags: -lcufftw -lcufft
#include "fft_check.h"

#include <cstdint>
#include <cufftw.h>
#include <functional>
#include <string>

namespace {

// The functions of a precision under one name each.
template <typename T> struct Fftw;
#define FUNCTION(NAME, P) static constexpr auto NAME = P##_##NAME
#define FUNCTIONS(T, P)                                                                            \
  template <> struct Fftw<T> {                                                                     \
    using Complex = P##_complex;                                                                   \
    using Plan = P##_plan;                                                                         \
    using Dim = P##_iodim;                                                                         \
    using Dim64 = P##_iodim64;                                                                     \
    FUNCTION(plan_dft_1d, P);                                                                      \
    FUNCTION(plan_dft_2d, P);                                                                      \
    FUNCTION(plan_dft_3d, P);                                                                      \
    FUNCTION(plan_dft, P);                                                                         \
    FUNCTION(plan_dft_r2c_1d, P);                                                                  \
    FUNCTION(plan_dft_r2c_2d, P);                                                                  \
    FUNCTION(plan_dft_r2c_3d, P);                                                                  \
    FUNCTION(plan_dft_r2c, P);                                                                     \
    FUNCTION(plan_dft_c2r_1d, P);                                                                  \
    FUNCTION(plan_dft_c2r_2d, P);                                                                  \
    FUNCTION(plan_dft_c2r_3d, P);                                                                  \
    FUNCTION(plan_dft_c2r, P);                                                                     \
    FUNCTION(plan_many_dft, P);                                                                    \
    FUNCTION(plan_many_dft_r2c, P);                                                                \
    FUNCTION(plan_many_dft_c2r, P);                                                                \
    FUNCTION(plan_guru_dft, P);                                                                    \
    FUNCTION(plan_guru_dft_r2c, P);                                                                \
    FUNCTION(plan_guru_dft_c2r, P);                                                                \
    FUNCTION(plan_guru64_dft, P);                                                                  \
    FUNCTION(plan_guru64_dft_r2c, P);                                                              \
    FUNCTION(plan_guru64_dft_c2r, P);                                                              \
    FUNCTION(execute, P);                                                                          \
    FUNCTION(execute_dft, P);                                                                      \
    FUNCTION(execute_dft_r2c, P);                                                                  \
    FUNCTION(execute_dft_c2r, P);                                                                  \
    FUNCTION(malloc, P);                                                                           \
    FUNCTION(free, P);                                                                             \
    FUNCTION(destroy_plan, P);                                                                     \
    FUNCTION(cleanup, P);                                                                          \
    FUNCTION(set_timelimit, P);                                                                    \
    FUNCTION(cost, P);                                                                             \
    FUNCTION(flops, P);                                                                            \
    FUNCTION(print_plan, P);                                                                       \
    FUNCTION(fprint_plan, P);                                                                      \
    FUNCTION(init_threads, P);                                                                     \
    FUNCTION(plan_with_nthreads, P);                                                               \
    FUNCTION(cleanup_threads, P);                                                                  \
    FUNCTION(export_wisdom_to_filename, P);                                                        \
    FUNCTION(export_wisdom_to_file, P);                                                            \
    FUNCTION(import_wisdom_from_filename, P);                                                      \
    FUNCTION(import_wisdom_from_file, P);                                                          \
    FUNCTION(import_wisdom_from_string, P);                                                        \
    FUNCTION(import_system_wisdom, P);                                                             \
    FUNCTION(forget_wisdom, P);                                                                    \
  };
FUNCTIONS(double, fftw)
FUNCTIONS(float, fftwf)

template <typename T> constexpr double allowed = sizeof(T) == 4 ? 2e-6 : 1e-13;

// Memory of the library, of one type.
template <typename T, typename E> struct Array {
  E *data;
  explicit Array(size_t count) : data(static_cast<E *>(Fftw<T>::malloc(count * sizeof(E)))) {
    CHECK(data != nullptr);
    CHECK_EQ(reinterpret_cast<uintptr_t>(data) % 16, 0u);
    memset(data, 0, count * sizeof(E));
  }
  Array(const Array &) = delete;
  ~Array() { Fftw<T>::free(data); }
};

template <typename T, typename C> Number at(const C *data, size_t i) {
  return {data[i][0], data[i][1]};
}

// All the ways to plan one complex transform without strides.
template <typename T>
std::vector<typename Fftw<T>::Plan> complexPlans(const std::vector<int> &n,
                                                 typename Fftw<T>::Complex *in,
                                                 typename Fftw<T>::Complex *out, int sign) {
  using F = Fftw<T>;
  const int rank = int(n.size());
  std::vector<typename F::Plan> plans = {
      F::plan_dft(rank, n.data(), in, out, sign, FFTW_ESTIMATE),
      F::plan_many_dft(rank, n.data(), 1, in, nullptr, 1, 0, out, nullptr, 1, 0, sign,
                       FFTW_MEASURE),
      rank == 1   ? F::plan_dft_1d(n[0], in, out, sign, FFTW_PATIENT)
      : rank == 2 ? F::plan_dft_2d(n[0], n[1], in, out, sign, FFTW_ESTIMATE)
                  : F::plan_dft_3d(n[0], n[1], n[2], in, out, sign, FFTW_ESTIMATE)};
  std::vector<typename F::Dim> dims(rank);
  std::vector<typename F::Dim64> dims64(rank);
  int step = 1;
  for (int i = rank; i-- > 0; step *= n[i]) {
    dims[i] = {n[i], step, step};
    dims64[i] = {n[i], step, step};
  }
  plans.push_back(F::plan_guru_dft(rank, dims.data(), 0, nullptr, in, out, sign, FFTW_ESTIMATE));
  plans.push_back(
      F::plan_guru64_dft(rank, dims64.data(), 0, nullptr, in, out, sign, FFTW_ESTIMATE));
  return plans;
}

template <typename T> void complexCase(const std::vector<int> &n) {
  using F = Fftw<T>;
  const Case of = {n};
  const int count = of.count();
  for (int sign : {FFTW_FORWARD, FFTW_BACKWARD})
    for (bool in_place : {false, true}) {
      Array<T, typename F::Complex> in(count), other(count);
      auto *const out = in_place ? in.data : other.data;
      const Numbers input = of.complexInput(0), expected = naive(input, n, sign);
      for (auto plan : complexPlans<T>(n, in.data, out, sign)) {
        CHECK(plan != nullptr);
        for (int i = 0; i < count; ++i) {
          in.data[i][0] = T(input[i].real());
          in.data[i][1] = T(input[i].imag());
        }
        F::execute(plan);
        Error error;
        for (int i = 0; i < count; ++i)
          error.add(at<T>(out, i), expected[i]);
        CHECK(error.relative() < allowed<T>);
        CHECK_NEAR(F::cost(plan), 5 * count * std::log2(double(count)), 1e-6 * count);
        F::destroy_plan(plan);
      }
    }
}

template <typename T>
std::vector<typename Fftw<T>::Plan> realPlans(const std::vector<int> &n, bool forward, T *real,
                                              typename Fftw<T>::Complex *half) {
  using F = Fftw<T>;
  const int rank = int(n.size());
  const unsigned flags = FFTW_ESTIMATE;
  std::vector<typename F::Dim> dims(rank);
  std::vector<typename F::Dim64> dims64(rank);
  const bool in_place = static_cast<void *>(real) == static_cast<void *>(half);
  int real_step = 1, half_step = 1;
  for (int i = rank; i-- > 0;) {
    dims[i] = {n[i], forward ? real_step : half_step, forward ? half_step : real_step};
    dims64[i] = {dims[i].n, dims[i].is, dims[i].os};
    const bool last = i == rank - 1;
    real_step *= last && in_place ? 2 * (n[i] / 2 + 1) : n[i];
    half_step *= last ? n[i] / 2 + 1 : n[i];
  }
  if (forward)
    return {
        F::plan_dft_r2c(rank, n.data(), real, half, flags),
        F::plan_many_dft_r2c(rank, n.data(), 1, real, nullptr, 1, 0, half, nullptr, 1, 0, flags),
        F::plan_guru_dft_r2c(rank, dims.data(), 0, nullptr, real, half, flags),
        F::plan_guru64_dft_r2c(rank, dims64.data(), 0, nullptr, real, half, flags),
        rank == 1   ? F::plan_dft_r2c_1d(n[0], real, half, flags)
        : rank == 2 ? F::plan_dft_r2c_2d(n[0], n[1], real, half, flags)
                    : F::plan_dft_r2c_3d(n[0], n[1], n[2], real, half, flags)};
  return {F::plan_dft_c2r(rank, n.data(), half, real, flags),
          F::plan_many_dft_c2r(rank, n.data(), 1, half, nullptr, 1, 0, real, nullptr, 1, 0, flags),
          F::plan_guru_dft_c2r(rank, dims.data(), 0, nullptr, half, real, flags),
          F::plan_guru64_dft_c2r(rank, dims64.data(), 0, nullptr, half, real, flags),
          rank == 1   ? F::plan_dft_c2r_1d(n[0], half, real, flags)
          : rank == 2 ? F::plan_dft_c2r_2d(n[0], n[1], half, real, flags)
                      : F::plan_dft_c2r_3d(n[0], n[1], n[2], half, real, flags)};
}

template <typename T> void realCase(const std::vector<int> &n) {
  using F = Fftw<T>;
  const Case of = {n};
  const int count = of.count(), last = n.back(), half_row = last / 2 + 1,
            half_count = count / last * half_row;
  const Numbers input = of.realInput(0), expected = of.half(naive(input, n, -1));
  for (bool in_place : {false, true}) {
    Array<T, typename F::Complex> half(half_count);
    Array<T, T> separate(count);
    T *const real = in_place ? reinterpret_cast<T *>(half.data) : separate.data;
    const int row = in_place ? 2 * half_row : last;
    for (auto plan : realPlans<T>(n, true, real, half.data)) {
      CHECK(plan != nullptr);
      for (int i = 0; i < count; ++i)
        real[i / last * row + i % last] = T(input[i].real());
      F::execute(plan);
      Error error;
      for (int i = 0; i < half_count; ++i)
        error.add(at<T>(half.data, i), expected[i]);
      CHECK(error.relative() < allowed<T>);
      F::destroy_plan(plan);
    }
    for (auto plan : realPlans<T>(n, false, real, half.data)) {
      CHECK(plan != nullptr);
      for (int i = 0; i < half_count; ++i) {
        half.data[i][0] = T(expected[i].real());
        half.data[i][1] = T(expected[i].imag());
      }
      F::execute(plan);
      Error error;
      for (int i = 0; i < count; ++i)
        error.add(real[i / last * row + i % last], input[i] * double(count));
      CHECK(error.relative() < allowed<T>);
      F::destroy_plan(plan);
    }
  }
}

// Batches with strides, embedded in larger arrays; new arrays, on a device.
template <typename T> void strided() {
  using F = Fftw<T>;
  const int n[] = {3, 4}, batch = 3;
  const Case of = {{3, 4}, batch};
  const Layout in_layout = {{4, 6}, 2, 50}, out_layout = {{3, 5}, 3, 46};
  const size_t in_size = 150, out_size = 138;
  DeviceBuffer<T> in(2 * in_size), out(2 * out_size);
  std::vector<T> host(2 * in_size);
  for (int b = 0; b < batch; ++b)
    for (int i = 0; i < of.count(); ++i) {
      const size_t place = in_layout.at(b, i, of.Sizes);
      host[2 * place] = T(of.complexInput(b)[i].real());
      host[2 * place + 1] = T(of.complexInput(b)[i].imag());
    }
  in.upload(host);
  using C = typename F::Complex;
  auto *const from = reinterpret_cast<C *>(in.data());
  auto *const to = reinterpret_cast<C *>(out.data());
  const typename F::Dim dims[] = {{3, 12, 15}, {4, 2, 3}}, many[] = {{batch, 50, 46}};
  Array<T, C> unused_in(in_size), unused_out(out_size);
  for (auto plan : {F::plan_many_dft(2, n, batch, unused_in.data, in_layout.Embed.data(), 2, 50,
                                     unused_out.data, out_layout.Embed.data(), 3, 46, FFTW_FORWARD,
                                     FFTW_ESTIMATE),
                    F::plan_guru_dft(2, dims, 1, many, unused_in.data, unused_out.data,
                                     FFTW_FORWARD, FFTW_ESTIMATE)}) {
    CHECK(plan != nullptr);
    CHECK_CUDA(cudaMemset(out.data(), 0, 2 * out_size * sizeof(T)));
    F::execute_dft(plan, from, to);
    const std::vector<T> result = out.download();
    Error error;
    for (int b = 0; b < batch; ++b) {
      const Numbers expected = naive(of.complexInput(b), of.Sizes, -1);
      for (int i = 0; i < of.count(); ++i) {
        const size_t place = out_layout.at(b, i, of.Sizes);
        error.add({result[2 * place], result[2 * place + 1]}, expected[i]);
      }
    }
    CHECK(error.relative() < allowed<T>);
    F::destroy_plan(plan);
  }
}

// New arrays for real transforms: there and back again.
template <typename T> void newArrays() {
  using F = Fftw<T>;
  const int n = 20;
  Array<T, T> real(n), other(n), back(n);
  Array<T, typename F::Complex> half(n / 2 + 1), half2(n / 2 + 1);
  const auto forward = F::plan_dft_r2c_1d(n, real.data, half.data, FFTW_ESTIMATE);
  const auto inverse = F::plan_dft_c2r_1d(n, half.data, real.data, FFTW_PRESERVE_INPUT);
  for (int i = 0; i < n; ++i)
    other.data[i] = T(input(i).real());
  F::execute_dft_r2c(forward, other.data, half2.data);
  F::execute_dft_c2r(inverse, half2.data, back.data);
  for (int i = 0; i < n; ++i)
    CHECK_NEAR(back.data[i], n * input(i).real(), n * 1e-5);
  // A plan of another kind computes nothing.
  back.data[3] = T(77);
  F::execute_dft_c2r(forward, half2.data, back.data);
  CHECK_EQ(back.data[3], T(77));
  F::destroy_plan(forward);
  F::destroy_plan(inverse);
  F::destroy_plan(nullptr);
}

template <typename T> void utilities() {
  using F = Fftw<T>;
  Array<T, typename F::Complex> data(16);
  CHECK(F::plan_dft_1d(0, data.data, data.data, FFTW_FORWARD, 0) == nullptr);
  CHECK(F::plan_dft_1d(16, nullptr, data.data, FFTW_FORWARD, 0) == nullptr);
  CHECK(F::plan_dft_1d(16, data.data, data.data, 7, 0) == nullptr);
  CHECK(F::plan_dft(0, nullptr, data.data, data.data, FFTW_FORWARD, 0) == nullptr);
  CHECK(F::init_threads() != 0);
  F::plan_with_nthreads(2);
  F::set_timelimit(1.0);
  const auto plan = F::plan_dft_1d(16, data.data, data.data, FFTW_FORWARD, FFTW_ESTIMATE);
  double add = -1, mul = -1, fma = -1;
  F::flops(plan, &add, &mul, &fma);
  CHECK(add > 0 && mul >= 0 && fma >= 0);
  FILE *const file = tmpfile();
  F::fprint_plan(plan, file);
  CHECK(ftell(file) > 0);
  F::export_wisdom_to_file(file);
  CHECK_EQ(F::import_wisdom_from_file(file), 0);
  CHECK_EQ(F::import_wisdom_from_string("nothing"), 0);
  CHECK_EQ(F::import_wisdom_from_filename("/no/such/file"), 0);
  CHECK_EQ(F::export_wisdom_to_filename("/no/such/folder/file"), 0);
  CHECK_EQ(F::import_system_wisdom(), 0);
  F::forget_wisdom();
  fclose(file);
  F::print_plan(plan);
  printf("\n");
  F::destroy_plan(plan);
  F::execute(plan); // says that it is destroyed
  F::cleanup();
  F::cleanup_threads();
}

template <typename T> void all() {
  for (const std::vector<int> &n :
       {std::vector<int>{12}, {1}, {17}, {64}, {5, 6}, {4, 3}, {2, 3, 5}, {3, 4, 4}}) {
    if (product(n) > 1)
      complexCase<T>(n);
    realCase<T>(n);
  }
  strided<T>();
  newArrays<T>();
  utilities<T>();
}

} // namespace

int main() {
  all<float>();
  all<double>();
  RETURN_RESULT();
}
