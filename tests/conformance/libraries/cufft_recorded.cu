// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcufft
//
// Results of NVIDIA's cuFFT on a real GPU, in recorded/cufft.inc: those here differ from them by no
// more than a few times what NVIDIA's differ from sums in double precision.
#include "fft_check.h"
#include "recorded_check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

const std::vector<recorded::Recorded> results = {
#include "recorded/cufft.inc"
};

template <typename T> struct Type;
#define TYPE(T, complex, real, e)                                                                  \
  template <> struct Type<T> {                                                                     \
    static constexpr cudaDataType c = complex, r = real;                                           \
    static constexpr double epsilon = e;                                                           \
  }
TYPE(float, CUDA_C_32F, CUDA_R_32F, 1.2e-7);
TYPE(double, CUDA_C_64F, CUDA_R_64F, 2.3e-16);
TYPE(__half, CUDA_C_16F, CUDA_R_16F, 1e-3);
TYPE(__nv_bfloat16, CUDA_C_16BF, CUDA_R_16BF, 8e-3);

template <typename T> T make(double v) { return T(float(v)); }
template <> double make<double>(double v) { return v; }
template <typename T> double number(T v) { return float(v); }
template <> double number<double>(double v) { return v; }

/// One side of a transform: complex or real elements in a layout, in managed memory.
template <typename T> struct Data {
  T *parts;
  bool real;
  size_t count; // of elements
  Data(size_t count, bool real) : real(real), count(count) {
    CHECK_CUDA(cudaMallocManaged(&parts, (2 * count + 2) * sizeof(T)));
    for (size_t i = 0; i < 2 * count + 2; ++i)
      parts[i] = T(0.0f);
  }
  Data(const Data &) = delete;
  ~Data() { cudaFree(parts); }
  void set(size_t at, Number n) {
    if (real)
      parts[at] = make<T>(n.real());
    else
      parts[2 * at] = make<T>(n.real()), parts[2 * at + 1] = make<T>(n.imag());
  }
  Number get(size_t at) const {
    return real ? Number(number(parts[at]))
                : Number(number(parts[2 * at]), number(parts[2 * at + 1]));
  }
};

/// What goes in, rounded to the type's bits: then sums of it are exact enough.
template <typename T> Number rough(long long i) {
  const Number n = input(i);
  return {number(make<T>(n.real())), number(make<T>(n.imag()))};
}

enum Kind { C2C, Inverse, R2C, C2R };

/// All batches of one transform. `spread`: batches side by side, and 3 elements between neighbours.
template <typename T>
void run(const char *name, Kind kind, const std::vector<int> &sizes, int batch, bool spread) {
  const Case of{sizes, batch};
  const std::vector<int> half = halved(sizes), &in = kind == C2R ? half : sizes,
                         &out = kind == R2C ? half : sizes;
  const auto layout = [&](const std::vector<int> &side) {
    return spread ? Layout{side, 3 * batch, 1} : packed(side);
  };
  const Layout from = layout(in), to = layout(out);
  const size_t spacing = size_t(3) * batch;
  Data<T> source(product(in) * spacing, kind == R2C), target(product(out) * spacing, kind == C2R);
  Numbers expected, actual;
  for (int b = 0; b < batch; ++b) {
    Numbers data(of.count());
    for (int i = 0; i < of.count(); ++i)
      data[i] = kind == R2C || kind == C2R ? rough<T>(i + b * 1000).real() : rough<T>(i + b * 1000);
    Numbers wanted = naive(data, sizes, kind == Inverse ? 1 : -1);
    if (kind == C2R) { // back from a spectrum as the type holds it
      Numbers spectrum = of.half(wanted);
      for (int i = 0; i < product(in); ++i)
        source.set(from.at(b, i, in), spectrum[i]);
      for (Number &n : data)
        n *= of.count();
      wanted = data;
    } else {
      for (int i = 0; i < product(in); ++i)
        source.set(from.at(b, i, in), data[i]);
      wanted = kind == R2C ? of.half(wanted) : wanted;
    }
    expected.insert(expected.end(), wanted.begin(), wanted.end());
  }
  cufftHandle plan;
  size_t work = 0;
  std::vector<long long> n(sizes.begin(), sizes.end()), inembed(in.begin(), in.end()),
      onembed(out.begin(), out.end());
  CHECK_FFT(cufftCreate(&plan));
  CHECK_FFT(cufftXtMakePlanMany(plan, int(n.size()), n.data(), inembed.data(), from.Stride,
                                from.Distance, source.real ? Type<T>::r : Type<T>::c,
                                onembed.data(), to.Stride, to.Distance,
                                target.real ? Type<T>::r : Type<T>::c, batch, &work, Type<T>::c));
  CHECK_FFT(cufftXtExec(plan, source.parts, target.parts,
                        kind == Inverse || kind == C2R ? CUFFT_INVERSE : CUFFT_FORWARD));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_FFT(cufftDestroy(plan));
  for (int b = 0; b < batch; ++b)
    for (int i = 0; i < product(out); ++i)
      actual.push_back(target.get(to.at(b, i, out)));
  recorded::cases().push_back({name, actual, expected, Type<T>::epsilon});
}

void runAll() {
  run<float>("C2C 1d, 16, float", C2C, {16}, 1, false);
  run<float>("C2C 1d, 60, float", C2C, {60}, 1, false);
  run<float>("C2C 1d, 31, float", C2C, {31}, 1, false);
  run<float>("C2C 1d, 143, inverse, float", Inverse, {143}, 1, false);
  run<double>("C2C 1d, 60, double", C2C, {60}, 1, false);
  run<double>("C2C 1d, 97, inverse, double", Inverse, {97}, 1, false);
  run<float>("R2C 1d, 50, float", R2C, {50}, 1, false);
  run<double>("R2C 1d, 37, double", R2C, {37}, 1, false);
  run<float>("C2R 1d, 50, float", C2R, {50}, 1, false);
  run<double>("C2R 1d, 37, double", C2R, {37}, 1, false);
  run<float>("C2C 2d, 6x10, float", C2C, {6, 10}, 1, false);
  run<double>("R2C 2d, 7x12, double", R2C, {7, 12}, 1, false);
  run<float>("C2R 2d, 8x9, float", C2R, {8, 9}, 1, false);
  run<double>("C2C 3d, 3x4x5, double", Inverse, {3, 4, 5}, 1, false);
  run<float>("R2C 3d, 4x3x6, float", R2C, {4, 3, 6}, 1, false);
  run<float>("C2C 1d, 3 of 20, spread, float", C2C, {20}, 3, true);
  run<double>("R2C 2d, 2 of 4x6, spread, double", R2C, {4, 6}, 2, true);
  run<__half>("C2C 1d, 64, half", C2C, {64}, 1, false);
  run<__half>("R2C 2d, 8x8, half", R2C, {8, 8}, 1, false);
  run<__nv_bfloat16>("C2C 1d, 32, bfloat16", C2C, {32}, 1, false);
}

} // namespace

int main(int argc, char **argv) {
  runAll();
  return recorded::finish(argc, argv, results);
}
