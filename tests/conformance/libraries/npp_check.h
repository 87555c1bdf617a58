// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs that check NPP share: images with a pitch, and calls of both forms of a
// function.
#pragma once

#include "../check.h"

#include <algorithm>
#include <complex>
#include <functional>
#include <npp.h>

#define OK(call) CHECK_EQ((call), NPP_SUCCESS)
// A function and its form with a stream context.
#define BOTH(name) name, name##_Ctx

template <class T> struct Parts {
  using Part = T;
  static constexpr int count = 1;
};
#define NPP_TEST_PARTS(name, part)                                                                 \
  template <> struct Parts<name> {                                                                 \
    using Part = part;                                                                             \
    static constexpr int count = 2;                                                                \
  };
NPP_TEST_PARTS(Npp16sc, Npp16s)
NPP_TEST_PARTS(Npp32sc, Npp32s)
NPP_TEST_PARTS(Npp32fc, Npp32f)
NPP_TEST_PARTS(Npp64sc, Npp64s)
NPP_TEST_PARTS(Npp64fc, Npp64f)

/// What an integer type makes of a result: rounded to the nearest, ties to even, and saturated.
template <class T> double asResult(double v) {
  if (!std::is_integral<T>::value)
    return double(T(v));
  if (v != v)
    return 0;
  v = std::nearbyint(v);
  const int bits = 8 * sizeof(T) - std::is_signed<T>::value;
  const double high = std::ldexp(1.0, bits) - 1, low = std::is_signed<T>::value ? -high - 1 : 0;
  return std::min(std::max(v, low), high);
}

/// The same of a result that is truncated; a whole number may have rounding errors.
template <class T> double asTruncated(double v) {
  return asResult<T>(std::is_integral<T>::value ? std::trunc(v * (1 + 1e-13)) : v);
}

/// An image in managed memory with some bytes between its rows. Elements are numbers; a complex
/// pixel has two. Values are never 0, and repeat only after a while.
template <class T> struct Image {
  using Part = typename Parts<T>::Part;
  int width, height, channels, step;
  Part *parts = nullptr;

  Image(int width, int height, int channels, int seed = 0)
      : width(width), height(height), channels(channels) {
    step = int((size_t(width) * channels * sizeof(T) + 63) / 64 * 64);
    CHECK_CUDA(cudaMallocManaged(&parts, size_t(step) * height));
    fill(seed);
  }
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;
  ~Image() { cudaFree(parts); }

  void fill(int seed) {
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int y = 0; y < height; ++y)
      for (int e = 0; e < elements(); ++e)
        at(e, y) = value(seed, e, y);
  }
  static Part value(int seed, int e, int y) {
    const unsigned mixed =
        (unsigned(seed) * 7919 + unsigned(y) * 263 + unsigned(e) * 37 + 11) % 251;
    const double v = std::is_floating_point<Part>::value ? (mixed + 1) / 16.0
                     : sizeof(Part) == 1                 ? mixed % 100 + 1
                                                         : mixed * 97 % 3000 + 1;
    return Part(std::is_signed<Part>::value && mixed % 3 == 0 ? -v : v);
  }
  int elements() const { return width * channels * Parts<T>::count; }
  Part &at(int e, int y) {
    return reinterpret_cast<Part *>(reinterpret_cast<char *>(parts) + size_t(y) * step)[e];
  }
  T *data() { return reinterpret_cast<T *>(parts); }
  operator T *() { return data(); }
  NppiSize size() const { return {width, height}; }
  std::vector<double> read() {
    CHECK_CUDA(cudaDeviceSynchronize());
    std::vector<double> all;
    for (int y = 0; y < height; ++y)
      for (int e = 0; e < elements(); ++e)
        all.push_back(double(at(e, y)));
    return all;
  }
};

inline NppStreamContext &context() {
  static NppStreamContext instance = [] {
    NppStreamContext made{}; // the legacy stream
    cudaDeviceProp device;
    CHECK_CUDA(cudaGetDevice(&made.nCudaDeviceId));
    CHECK_CUDA(cudaGetDeviceProperties(&device, made.nCudaDeviceId));
    made.nMultiProcessorCount = device.multiProcessorCount;
    made.nMaxThreadsPerMultiProcessor = device.maxThreadsPerMultiProcessor;
    made.nMaxThreadsPerBlock = device.maxThreadsPerBlock;
    made.nSharedMemPerBlock = device.sharedMemPerBlock;
    made.nCudaDevAttrComputeCapabilityMajor = device.major;
    made.nCudaDevAttrComputeCapabilityMinor = device.minor;
    return made;
  }();
  return instance;
}

/// Calls both forms of a function. `run` is given a function that takes the arguments; `verify`
/// looks at what it did, and `prepare` comes before each.
template <class F, class G, class Prepare, class Run, class Verify>
void twice(F plain, G with_context, Prepare prepare, Run run, Verify verify) {
  prepare();
  OK(run([&](auto... arguments) { return plain(arguments...); }));
  CHECK_CUDA(cudaDeviceSynchronize());
  verify();
  prepare();
  OK(run([&](auto... arguments) { return with_context(arguments..., context()); }));
  CHECK_CUDA(cudaDeviceSynchronize());
  verify();
}

/// Compares all elements with what `expected(element, row)` says; `name` is for the message.
template <class T, class E>
void compare(const char *name, Image<T> &image, E expected, double allowed = 0) {
  CHECK_CUDA(cudaDeviceSynchronize());
  int wrong = 0;
  for (int y = 0; y < image.height; ++y)
    for (int e = 0; e < image.elements(); ++e) {
      const double actual = double(image.at(e, y)), wanted = expected(e, y);
      const double limit = std::is_floating_point<typename Parts<T>::Part>::value
                               ? std::max(allowed, 2e-6) * std::max(1.0, std::fabs(wanted))
                               : allowed;
      if (!(std::fabs(actual - wanted) <= limit) && ++wrong == 1)
        std::fprintf(stderr, "%s: element %d of row %d is %.9g, expected %.9g\n", name, e, y,
                     actual, wanted);
    }
  CHECK_EQ(wrong, 0);
}

/// The channels of C1, C3, C4 and AC4 images; AC4's fourth is left alone.
struct Layout {
  int channels;
  bool alpha;
  int used() const { return alpha ? 3 : channels; }
};
constexpr Layout C1{1, false}, C2{2, false}, C3{3, false}, C4{4, false}, AC4{4, true};
