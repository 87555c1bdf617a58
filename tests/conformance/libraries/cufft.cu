// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcufft
//
// cuFFT: every type, rank and layout against sums written out in double.
#include "fft_check.h"

namespace {

template <typename T> struct Types;
template <> struct Types<float> {
  using Complex = cufftComplex;
  static constexpr cufftType C2C = CUFFT_C2C, R2C = CUFFT_R2C, C2R = CUFFT_C2R;
  static constexpr double Tolerance = 1e-6;
  static constexpr auto execC2C = cufftExecC2C;
  static constexpr auto execR2C = cufftExecR2C;
  static constexpr auto execC2R = cufftExecC2R;
};
template <> struct Types<double> {
  using Complex = cufftDoubleComplex;
  static constexpr cufftType C2C = CUFFT_Z2Z, R2C = CUFFT_D2Z, C2R = CUFFT_Z2D;
  static constexpr double Tolerance = 2e-15;
  static constexpr auto execC2C = cufftExecZ2Z;
  static constexpr auto execR2C = cufftExecD2Z;
  static constexpr auto execC2R = cufftExecZ2D;
};

template <typename T> struct Buffer {
  T *Data;
  size_t Count;
  explicit Buffer(size_t Count) : Count(Count) {
    CHECK_CUDA(cudaMallocManaged(&Data, Count * sizeof(T)));
    CHECK_CUDA(cudaMemset(Data, 0xff, Count * sizeof(T))); // NaN where nothing is stored
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  ~Buffer() { cudaFree(Data); }
};

template <typename T> Number get(const T *Data, size_t Complex) {
  return {Data[2 * Complex], Data[2 * Complex + 1]};
}
template <typename T> void put(T *Data, size_t Complex, Number N) {
  Data[2 * Complex] = T(N.real());
  Data[2 * Complex + 1] = T(N.imag());
}

// A plan and layouts that belong together. Advanced: batches interleaved, rows with gaps.
struct Setting {
  Case Of;
  Layout In, Out;
  bool Advanced, InPlace;
};

cufftHandle makePlan(const Setting &S, cufftType Type) {
  cufftHandle Plan = -1;
  std::vector<int> N = S.Of.Sizes, In = S.In.Embed, Out = S.Out.Embed;
  if (S.Advanced)
    CHECK_FFT(cufftPlanMany(&Plan, int(N.size()), N.data(), In.data(), S.In.Stride, S.In.Distance,
                            Out.data(), S.Out.Stride, S.Out.Distance, Type, S.Of.Batch));
  else if (N.size() == 1)
    CHECK_FFT(cufftPlan1d(&Plan, N[0], Type, S.Of.Batch));
  else if (S.Of.Batch > 1)
    CHECK_FFT(cufftPlanMany(&Plan, int(N.size()), N.data(), nullptr, 1, 0, nullptr, 1, 0, Type,
                            S.Of.Batch));
  else if (N.size() == 2)
    CHECK_FFT(cufftPlan2d(&Plan, N[0], N[1], Type));
  else
    CHECK_FFT(cufftPlan3d(&Plan, N[0], N[1], N[2], Type));
  return Plan;
}

size_t room(const Layout &L, const std::vector<int> &Sizes, int Batch) {
  return L.at(Batch - 1, product(Sizes) - 1, Sizes) + 1;
}

template <typename T> void complexToComplex(const Setting &S, int Direction) {
  using C = typename Types<T>::Complex;
  const std::vector<int> &N = S.Of.Sizes;
  Buffer<T> In(2 * std::max(room(S.In, N, S.Of.Batch), room(S.Out, N, S.Of.Batch)));
  Buffer<T> Out(2 * room(S.Out, N, S.Of.Batch));
  for (int B = 0; B < S.Of.Batch; ++B)
    for (int I = 0; I < S.Of.count(); ++I)
      put(In.Data, S.In.at(B, I, N), S.Of.complexInput(B)[I]);
  T *To = S.InPlace ? In.Data : Out.Data;
  const cufftHandle Plan = makePlan(S, Types<T>::C2C);
  CHECK_FFT(Types<T>::execC2C(Plan, (C *)In.Data, (C *)To, Direction));
  CHECK_CUDA(cudaDeviceSynchronize());
  Error E;
  for (int B = 0; B < S.Of.Batch; ++B) {
    const Numbers Expected = naive(S.Of.complexInput(B), N, Direction);
    for (int I = 0; I < S.Of.count(); ++I)
      E.add(get(To, S.Out.at(B, I, N)), Expected[I]);
  }
  CHECK(E.relative() < Types<T>::Tolerance);
  CHECK_FFT(cufftDestroy(Plan));
}

// S.In is the real side's layout, S.Out the complex side's.
template <typename T> void realToComplex(const Setting &S) {
  using C = typename Types<T>::Complex;
  const std::vector<int> &N = S.Of.Sizes, Half = halved(N);
  Buffer<T> In(std::max(room(S.In, N, S.Of.Batch), 2 * room(S.Out, Half, S.Of.Batch)));
  Buffer<T> Out(2 * room(S.Out, Half, S.Of.Batch));
  for (int B = 0; B < S.Of.Batch; ++B)
    for (int I = 0; I < S.Of.count(); ++I)
      In.Data[S.In.at(B, I, N)] = T(S.Of.realInput(B)[I].real());
  T *To = S.InPlace ? In.Data : Out.Data;
  const cufftHandle Plan = makePlan(S, Types<T>::R2C);
  CHECK_FFT(Types<T>::execR2C(Plan, In.Data, (C *)To));
  CHECK_CUDA(cudaDeviceSynchronize());
  Error E;
  for (int B = 0; B < S.Of.Batch; ++B) {
    const Numbers Expected = S.Of.half(naive(S.Of.realInput(B), N, -1));
    for (int I = 0; I < product(Half); ++I)
      E.add(get(To, S.Out.at(B, I, Half)), Expected[I]);
  }
  CHECK(E.relative() < Types<T>::Tolerance);
  CHECK_FFT(cufftDestroy(Plan));
}

// Back from half a spectrum of real data: the data, times the number of elements.
template <typename T> void complexToReal(Setting S) {
  using C = typename Types<T>::Complex;
  const std::vector<int> &N = S.Of.Sizes, Half = halved(N);
  std::swap(S.In, S.Out); // for the plan, the complex side is the input now
  Buffer<T> In(std::max(2 * room(S.In, Half, S.Of.Batch), room(S.Out, N, S.Of.Batch)));
  Buffer<T> Out(room(S.Out, N, S.Of.Batch));
  for (int B = 0; B < S.Of.Batch; ++B) {
    const Numbers Spectrum = S.Of.half(naive(S.Of.realInput(B), N, -1));
    for (int I = 0; I < product(Half); ++I)
      put(In.Data, S.In.at(B, I, Half), Spectrum[I]);
  }
  T *To = S.InPlace ? In.Data : Out.Data;
  const cufftHandle Plan = makePlan(S, Types<T>::C2R);
  CHECK_FFT(Types<T>::execC2R(Plan, (C *)In.Data, To));
  CHECK_CUDA(cudaDeviceSynchronize());
  Error E;
  for (int B = 0; B < S.Of.Batch; ++B)
    for (int I = 0; I < S.Of.count(); ++I)
      E.add(To[S.Out.at(B, I, N)], S.Of.realInput(B)[I].real() * S.Of.count());
  CHECK(E.relative() < Types<T>::Tolerance);
  CHECK_FFT(cufftDestroy(Plan));
}

// Rows with room at their end, and batches interleaved element by element.
Layout gaps(std::vector<int> Sizes, int Batch, int More) {
  for (int &Size : Sizes)
    Size += More;
  return {Sizes, Batch + 1, 1};
}

template <typename T> void all(const Case &C) {
  const Layout Dense = packed(C.Sizes), Half = packed(halved(C.Sizes));
  Layout Padded = Half;
  Padded.Embed.back() *= 2;
  Padded.Distance *= 2;
  for (bool InPlace : {false, true}) {
    for (int Direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
      complexToComplex<T>({C, Dense, Dense, false, InPlace}, Direction);
      complexToComplex<T>({C, gaps(C.Sizes, C.Batch, 1), gaps(C.Sizes, C.Batch, 2), true, InPlace},
                          Direction);
    }
    const Setting Basic{C, InPlace ? Padded : Dense, Half, false, InPlace};
    const Setting Advanced{C, gaps(C.Sizes, C.Batch, 3), gaps(halved(C.Sizes), C.Batch, 1), true,
                           InPlace};
    for (const Setting &S : {Basic, Advanced}) {
      realToComplex<T>(S);
      complexToReal<T>(S);
    }
  }
}

} // namespace

int main() {
  const std::vector<Case> Cases = {
      {{1}, 1},    {{2}, 3},      {{3}, 1},      {{8}, 5},       {{15}, 2},      {{64}, 3},
      {{97}, 2},   {{128}, 1},    {{210}, 1},    {{509}, 1},     {{1, 5}, 1},    {{4, 6}, 1},
      {{7, 9}, 3}, {{16, 16}, 1}, {{12, 11}, 1}, {{3, 4, 5}, 1}, {{8, 4, 6}, 1}, {{5, 7, 4}, 2},
  };
  for (const Case &C : Cases) {
    all<float>(C);
    all<double>(C);
  }
  RETURN_RESULT();
}
