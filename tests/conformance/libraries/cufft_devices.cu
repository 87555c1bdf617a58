// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuFFT on several devices: descriptors in every format, copies between them, transforms in both
// orders, and what a kernel sees of its device's part.
// flags: -lcufft
// env: HEDDLE_DEVICES=2
// hardware: skip needs two GPUs that reach each other
#include "fft_check.h"

#include <string>

namespace {

const std::vector<int> gpus = {0, 1};

struct Plan {
  cufftHandle handle = -1;
  Plan(const std::vector<int> &sizes, cufftType type, int batch = 1) {
    std::vector<int> n = sizes, which = gpus;
    size_t work[2];
    CHECK_FFT(cufftCreate(&handle));
    CHECK_FFT(cufftXtSetGPUs(handle, int(which.size()), which.data()));
    CHECK_FFT(cufftMakePlanMany(handle, int(n.size()), n.data(), nullptr, 1, 0, nullptr, 1, 0, type,
                                batch, work));
  }
  Plan(const Plan &) = delete;
  ~Plan() { CHECK_FFT(cufftDestroy(handle)); }
};

struct Data {
  cudaLibXtDesc *descriptor = nullptr;
  Data(const Plan &plan, cufftXtSubFormat format) {
    CHECK_FFT(cufftXtMalloc(plan.handle, &descriptor, format));
    CHECK_EQ(descriptor->subFormat, int(format));
    CHECK_EQ(descriptor->descriptor->nGPUs, int(gpus.size()));
  }
  Data(const Data &) = delete;
  ~Data() { CHECK_FFT(cufftXtFree(descriptor)); }
};

// Host data of one side as the library has it: rows of real numbers are as long as those of complex
// ones.
template <typename T> struct Host {
  std::vector<T> numbers;
  int row, count; // of reals, or of pairs
  bool complex;
  Host(const Case &of, bool complex, bool half) : complex(complex) {
    const int last = of.Sizes.back();
    row = half ? last / 2 + 1 : complex ? last : 2 * (last / 2 + 1);
    count = half ? last / 2 + 1 : last;
    numbers.resize(size_t(of.count()) / last * of.Batch * row * (complex ? 2 : 1));
  }
  size_t place(int i) const { return size_t(i / count) * row + i % count; }
  void set(int i, Number n) {
    if (complex) {
      numbers[2 * place(i)] = T(n.real());
      numbers[2 * place(i) + 1] = T(n.imag());
    } else {
      numbers[place(i)] = T(n.real());
    }
  }
  Number get(int i) const {
    return complex ? Number(numbers[2 * place(i)], numbers[2 * place(i) + 1])
                   : Number(numbers[place(i)]);
  }
};

template <typename T>
void compare(const Host<T> &actual, const std::vector<Numbers> &expected, double allowed) {
  Error error;
  int i = 0;
  for (const Numbers &batch : expected)
    for (const Number &n : batch)
      error.add(actual.get(i++), n);
  CHECK(error.relative() < allowed);
}

template <typename T> constexpr double allowed = sizeof(T) == 4 ? 2e-6 : 1e-13;

// Forwards in place, checked in the host's order; then back, and back in natural order.
template <typename T> void complexCase(const Case &of, cufftType type) {
  const Plan plan(of.Sizes, type, of.Batch);
  const Data data(plan, CUFFT_XT_FORMAT_INPLACE), natural(plan, CUFFT_XT_FORMAT_INPUT);
  const Data shuffled(plan, CUFFT_XT_FORMAT_OUTPUT);
  Host<T> host(of, true, false), out(of, true, false);
  std::vector<Numbers> inputs, spectra;
  for (int b = 0; b < of.Batch; ++b) {
    inputs.push_back(of.complexInput(b));
    spectra.push_back(naive(inputs.back(), of.Sizes, -1));
    for (int i = 0; i < of.count(); ++i)
      host.set(b * of.count() + i, inputs.back()[i]);
  }
  const auto execute = [&](cudaLibXtDesc *from, cudaLibXtDesc *to, int direction) {
    return type == CUFFT_C2C ? cufftXtExecDescriptorC2C(plan.handle, from, to, direction)
                             : cufftXtExecDescriptorZ2Z(plan.handle, from, to, direction);
  };
  CHECK_FFT(
      cufftXtMemcpy(plan.handle, data.descriptor, host.numbers.data(), CUFFT_COPY_HOST_TO_DEVICE));
  CHECK_FFT(execute(data.descriptor, data.descriptor, CUFFT_FORWARD));
  CHECK_EQ(data.descriptor->subFormat, int(CUFFT_XT_FORMAT_INPLACE_SHUFFLED));
  CHECK_FFT(
      cufftXtMemcpy(plan.handle, out.numbers.data(), data.descriptor, CUFFT_COPY_DEVICE_TO_HOST));
  compare(out, spectra, allowed<T>);
  // The same spectra in natural order, by a copy between the devices.
  CHECK_FFT(
      cufftXtMemcpy(plan.handle, natural.descriptor, data.descriptor, CUFFT_COPY_DEVICE_TO_DEVICE));
  std::fill(out.numbers.begin(), out.numbers.end(), T(0));
  CHECK_FFT(cufftXtMemcpy(plan.handle, out.numbers.data(), natural.descriptor,
                          CUFFT_COPY_DEVICE_TO_HOST));
  compare(out, spectra, allowed<T>);
  // Back, in place, and out of place from natural order.
  for (Numbers &batch : inputs)
    for (Number &n : batch)
      n *= of.count();
  CHECK_FFT(execute(data.descriptor, data.descriptor, CUFFT_INVERSE));
  CHECK_EQ(data.descriptor->subFormat, int(CUFFT_XT_FORMAT_INPLACE));
  CHECK_FFT(
      cufftXtMemcpy(plan.handle, out.numbers.data(), data.descriptor, CUFFT_COPY_DEVICE_TO_HOST));
  compare(out, inputs, allowed<T>);
  CHECK_FFT(
      cufftXtExecDescriptor(plan.handle, natural.descriptor, shuffled.descriptor, CUFFT_INVERSE));
  CHECK_FFT(cufftXtMemcpy(plan.handle, out.numbers.data(), shuffled.descriptor,
                          CUFFT_COPY_DEVICE_TO_HOST));
  compare(out, inputs, allowed<T>);
}

template <typename T> void realCase(const Case &of, cufftType to_complex, cufftType to_real) {
  const Plan forward(of.Sizes, to_complex, of.Batch), back(of.Sizes, to_real, of.Batch);
  const Data data(forward, CUFFT_XT_FORMAT_INPLACE);
  Host<T> host(of, false, false), half(of, true, true);
  std::vector<Numbers> inputs, spectra;
  for (int b = 0; b < of.Batch; ++b) {
    inputs.push_back(of.realInput(b));
    spectra.push_back(of.half(naive(inputs.back(), of.Sizes, -1)));
    for (int i = 0; i < of.count(); ++i) {
      host.set(b * of.count() + i, inputs.back()[i]);
      inputs.back()[i] *= of.count();
    }
  }
  const bool single = to_complex == CUFFT_R2C;
  CHECK_FFT(cufftXtMemcpy(forward.handle, data.descriptor, host.numbers.data(),
                          CUFFT_COPY_HOST_TO_DEVICE));
  CHECK_FFT(single ? cufftXtExecDescriptorR2C(forward.handle, data.descriptor, data.descriptor)
                   : cufftXtExecDescriptorD2Z(forward.handle, data.descriptor, data.descriptor));
  CHECK_FFT(cufftXtMemcpy(forward.handle, half.numbers.data(), data.descriptor,
                          CUFFT_COPY_DEVICE_TO_HOST));
  compare(half, spectra, allowed<T>);
  CHECK_FFT(single ? cufftXtExecDescriptorC2R(back.handle, data.descriptor, data.descriptor)
                   : cufftXtExecDescriptorZ2D(back.handle, data.descriptor, data.descriptor));
  CHECK_FFT(
      cufftXtMemcpy(back.handle, host.numbers.data(), data.descriptor, CUFFT_COPY_DEVICE_TO_HOST));
  compare(host, inputs, allowed<T>);
}

__global__ void multiply(cufftComplex *part, int count, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    part[i].x *= by;
    part[i].y *= by;
  }
}

// Natural order divides the first dimension, shuffled order the second one; kernels on both devices
// come before and after a transform as in one stream.
void parts() {
  const Case of = {{6, 10}};
  const Plan plan(of.Sizes, CUFFT_C2C);
  const Data data(plan, CUFFT_XT_FORMAT_INPLACE);
  Host<float> host(of, true, false);
  const Numbers spectrum = naive(of.complexInput(0), of.Sizes, -1);
  for (int i = 0; i < of.count(); ++i)
    host.set(i, of.complexInput(0)[i]);
  CHECK_FFT(
      cufftXtMemcpy(plan.handle, data.descriptor, host.numbers.data(), CUFFT_COPY_HOST_TO_DEVICE));
  const cudaXtDesc &inner = *data.descriptor->descriptor;
  for (int g = 0; g < 2; ++g) {
    std::vector<cufftComplex> rows(30);
    CHECK(inner.size[g] >= 30 * sizeof(cufftComplex));
    CHECK_CUDA(
        cudaMemcpy(rows.data(), inner.data[g], 30 * sizeof(cufftComplex), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 30; ++i)
      CHECK_EQ(rows[i].x, float(of.complexInput(0)[g * 30 + i].real()));
    CHECK_CUDA(cudaSetDevice(inner.GPUs[g]));
    multiply<<<1, 64>>>(static_cast<cufftComplex *>(inner.data[g]), 30, 2.0f);
  }
  CHECK_FFT(cufftXtExecDescriptorC2C(plan.handle, data.descriptor, data.descriptor, CUFFT_FORWARD));
  for (int g = 0; g < 2; ++g) {
    CHECK_CUDA(cudaSetDevice(inner.GPUs[g]));
    multiply<<<1, 64>>>(static_cast<cufftComplex *>(inner.data[g]), 30, 0.5f);
    std::vector<cufftComplex> columns(30);
    CHECK_CUDA(cudaMemcpy(columns.data(), inner.data[g], 30 * sizeof(cufftComplex),
                          cudaMemcpyDeviceToHost));
    for (int i = 0; i < 30; ++i)
      CHECK_NEAR(columns[i].x, spectrum[i / 5 * 10 + g * 5 + i % 5].real(), 1e-4);
  }
  CHECK_CUDA(cudaSetDevice(0));
}

void factors() {
  const Plan plan({1024}, CUFFT_C2C), plane({16, 16}, CUFFT_C2C);
  cufftXt1dFactors f;
  CHECK_FFT(cufftXtQueryPlan(plan.handle, &f, CUFFT_QUERY_1D_FACTORS));
  CHECK_EQ(f.size, 1024);
  CHECK_EQ(f.stringCount, 2);
  CHECK_EQ(f.stringCount * f.stringLength, f.size);
  CHECK_EQ(f.factor1 * f.factor2, f.stringLength);
  CHECK_EQ(f.stringMask, f.stringLength - 1);
  CHECK_EQ(1LL << f.stringShift, f.stringLength);
  CHECK_EQ(int(cufftXtQueryPlan(plane.handle, &f, CUFFT_QUERY_1D_FACTORS)),
           int(CUFFT_INVALID_VALUE));
  CHECK_EQ(int(cufftXtQueryPlan(plan.handle, nullptr, CUFFT_QUERY_1D_FACTORS)),
           int(CUFFT_INVALID_VALUE));
}

void errors() {
  cufftHandle handle;
  int which[] = {0, 0, 9};
  CHECK_FFT(cufftCreate(&handle));
  CHECK_EQ(int(cufftXtSetGPUs(handle, 0, which)), int(CUFFT_INVALID_VALUE));
  CHECK_EQ(int(cufftXtSetGPUs(handle, 1, nullptr)), int(CUFFT_INVALID_VALUE));
  CHECK_EQ(int(cufftXtSetGPUs(handle, 2, which)), int(CUFFT_INVALID_DEVICE));
  CHECK_EQ(int(cufftXtSetGPUs(handle, 2, which + 1)), int(CUFFT_INVALID_DEVICE));
  CHECK_EQ(int(cufftXtSetGPUs(-7, 1, which)), int(CUFFT_INVALID_PLAN));
  cudaLibXtDesc *none = nullptr;
  CHECK_EQ(int(cufftXtMalloc(handle, &none, CUFFT_XT_FORMAT_INPLACE)), int(CUFFT_INVALID_PLAN));
  CHECK_FFT(cufftDestroy(handle));
  const Plan plan({16, 8}, CUFFT_C2C), real({16, 8}, CUFFT_R2C);
  const Data data(plan, CUFFT_XT_FORMAT_INPLACE);
  int again = 0;
  CHECK_EQ(int(cufftXtSetGPUs(plan.handle, 1, &again)), int(CUFFT_INVALID_PLAN));
  CHECK_EQ(int(cufftXtMalloc(plan.handle, nullptr, CUFFT_XT_FORMAT_INPLACE)),
           int(CUFFT_INVALID_VALUE));
  CHECK_EQ(int(cufftXtMalloc(plan.handle, &none, cufftXtSubFormat(55))), int(CUFFT_INVALID_VALUE));
  CHECK_EQ(int(cufftXtExecDescriptorC2C(plan.handle, nullptr, data.descriptor, CUFFT_FORWARD)),
           int(CUFFT_INVALID_VALUE));
  CHECK_EQ(int(cufftXtExecDescriptorC2C(plan.handle, data.descriptor, data.descriptor, 5)),
           int(CUFFT_INVALID_VALUE));
  CHECK_EQ(int(cufftXtExecDescriptorZ2Z(plan.handle, data.descriptor, data.descriptor, -1)),
           int(CUFFT_INVALID_TYPE));
  CHECK_EQ(int(cufftXtMemcpy(plan.handle, data.descriptor, nullptr, CUFFT_COPY_HOST_TO_DEVICE)),
           int(CUFFT_INVALID_VALUE));
  std::vector<float> host(256);
  CHECK_EQ(int(cufftXtMemcpy(plan.handle, host.data(), data.descriptor, cufftXtCopyType(9))),
           int(CUFFT_INVALID_VALUE));
  cudaLibXtDesc forged = *data.descriptor;
  CHECK_EQ(int(cufftXtMemcpy(plan.handle, host.data(), &forged, CUFFT_COPY_DEVICE_TO_HOST)),
           int(CUFFT_INVALID_VALUE));
  CHECK_EQ(int(cufftXtFree(&forged)), int(CUFFT_INVALID_VALUE));
  CHECK_EQ(int(cufftXtFree(nullptr)), int(CUFFT_INVALID_VALUE));
  // A real transform from data in the order of spectra.
  const Data shuffled(real, CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  CHECK_EQ(int(cufftXtExecDescriptorR2C(real.handle, shuffled.descriptor, shuffled.descriptor)),
           int(CUFFT_INVALID_VALUE));
}

} // namespace

int main() {
  for (const Case &of : {Case{{64}}, Case{{15}, 5}, Case{{7, 9}}, Case{{8, 6}, 3}, Case{{4, 5, 6}},
                         Case{{1, 3, 2}}}) {
    complexCase<float>(of, CUFFT_C2C);
    complexCase<double>(of, CUFFT_Z2Z);
    realCase<float>(of, CUFFT_R2C, CUFFT_C2R);
    realCase<double>(of, CUFFT_D2Z, CUFFT_Z2D);
  }
  parts();
  factors();
  errors();
  RETURN_RESULT();
}
