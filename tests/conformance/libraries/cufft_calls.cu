// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcufft
//
// cuFFT beside its transforms: handles, sizes, streams, graphs, types of cufftXt, and what bad
// arguments are answered with.
#include "fft_check.h"

#include <array>
#include <climits>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

#define CHECK_REFUSED(call, status) CHECK_EQ(int(call), int(status))

__global__ void fill(cufftComplex *Data, int Count, int Spin) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Wait = 1;
  for (int J = 0; J < Spin; ++J)
    Wait = Wait * 0.5f + 0.5f;
  if (I < Count)
    Data[I] = {I % 7 * Wait, I % 5 - 2.0f};
}

__global__ void scale(cufftComplex *Data, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Data[I] = {Data[I].x / Count, Data[I].y / Count};
}

constexpr int Count = 1000;

double distance(const cufftComplex *Data) {
  Error E;
  for (int I = 0; I < Count; ++I)
    E.add({Data[I].x, Data[I].y}, {double(I % 7), I % 5 - 2.0});
  return E.relative();
}

// Kernels before and behind transforms of one stream, at once and as a graph that runs twice.
void streamsAndGraphs() {
  cudaStream_t Stream;
  cufftComplex *Data;
  cufftHandle Plan;
  CHECK_CUDA(cudaStreamCreate(&Stream));
  CHECK_CUDA(cudaMallocManaged(&Data, Count * sizeof *Data));
  CHECK_FFT(cufftPlan1d(&Plan, Count, CUFFT_C2C, 1));
  CHECK_FFT(cufftSetStream(Plan, Stream));
  const auto Work = [&] {
    fill<<<8, 128, 0, Stream>>>(Data, Count, 20000);
    CHECK_FFT(cufftExecC2C(Plan, Data, Data, CUFFT_FORWARD));
    CHECK_FFT(cufftExecC2C(Plan, Data, Data, CUFFT_INVERSE));
    scale<<<8, 128, 0, Stream>>>(Data, Count);
  };
  Work();
  CHECK_CUDA(cudaStreamSynchronize(Stream));
  CHECK(distance(Data) < 1e-6);

  cudaGraph_t Graph;
  cudaGraphExec_t Exec;
  CHECK_CUDA(cudaMemset(Data, 0, Count * sizeof *Data));
  CHECK_CUDA(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
  Work();
  CHECK_CUDA(cudaStreamEndCapture(Stream, &Graph));
#ifdef __clang__ // Heddle: the graph keeps what it needs; NVIDIA does not say whether theirs does
  CHECK_FFT(cufftDestroy(Plan));
#endif
  CHECK_EQ(Data[3].x, 0.0f);
  CHECK_CUDA(cudaGraphInstantiate(&Exec, Graph, 0));
  CHECK_CUDA(cudaGraphDestroy(Graph));
  for (int Run = 0; Run < 2; ++Run) {
    CHECK_CUDA(cudaMemset(Data, 0, Count * sizeof *Data));
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaGraphLaunch(Exec, Stream));
    CHECK_CUDA(cudaStreamSynchronize(Stream));
    CHECK(distance(Data) < 1e-6);
  }
  CHECK_CUDA(cudaGraphExecDestroy(Exec));
#ifndef __clang__
  CHECK_FFT(cufftDestroy(Plan));
#endif
  CHECK_CUDA(cudaFree(Data));
  CHECK_CUDA(cudaStreamDestroy(Stream));
}

// A large transform, which several threads compute.
void large() {
  constexpr int Size = 1 << 18;
  cufftDoubleComplex *Data;
  cufftHandle Plan;
  CHECK_CUDA(cudaMallocManaged(&Data, Size * sizeof *Data));
  for (int I = 0; I < Size; ++I)
    Data[I] = {cos(2 * M_PI * (I * 12345LL % Size) / Size), 0};
  CHECK_FFT(cufftPlan2d(&Plan, Size / 512, 512, CUFFT_Z2Z));
  CHECK_FFT(cufftExecZ2Z(Plan, Data, Data, CUFFT_FORWARD));
  CHECK_FFT(cufftExecZ2Z(Plan, Data, Data, CUFFT_INVERSE));
  CHECK_CUDA(cudaDeviceSynchronize());
  double Worst = 0;
  for (int I = 0; I < Size; ++I)
    Worst =
        std::max(Worst, std::fabs(Data[I].x / Size - cos(2 * M_PI * (I * 12345LL % Size) / Size)));
  CHECK(Worst < 1e-14);
  CHECK_FFT(cufftDestroy(Plan));
  CHECK_CUDA(cudaFree(Data));
}

template <typename T> void shortType(cudaDataType Complex, cudaDataType Real, double Tolerance) {
  const Case C{{64}, 2};
  const int N = C.count();
  T *In, *Out;
  CHECK_CUDA(cudaMallocManaged(&In, 4 * N * sizeof(T)));
  CHECK_CUDA(cudaMallocManaged(&Out, 4 * N * sizeof(T)));
  long long Size = N;
  size_t Work[1] = {1};
  cufftHandle Plan;
  Error E;

  for (int I = 0; I < 2 * N; ++I) {
    const Number V = C.complexInput(I / N)[I % N];
    In[2 * I] = T(float(V.real()));
    In[2 * I + 1] = T(float(V.imag()));
  }
  CHECK_FFT(cufftCreate(&Plan));
  CHECK_FFT(cufftXtGetSizeMany(Plan, 1, &Size, nullptr, 1, 0, Complex, nullptr, 1, 0, Complex, 2,
                               Work, Complex));
  CHECK_FFT(cufftXtMakePlanMany(Plan, 1, &Size, nullptr, 1, 0, Complex, nullptr, 1, 0, Complex, 2,
                                Work, Complex));
  CHECK_FFT(cufftXtExec(Plan, In, Out, CUFFT_INVERSE));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int I = 0; I < 2 * N; ++I)
    E.add({float(Out[2 * I]), float(Out[2 * I + 1])}, naive(C.complexInput(I / N), {N}, 1)[I % N]);
  CHECK(E.relative() < Tolerance);
  CHECK_FFT(cufftDestroy(Plan));

  // Powers of two only, in each dimension.
  for (std::array<long long, 2> Other : {std::array<long long, 2>{48, 16}, {16, 48}, {7, 7}}) {
    CHECK_FFT(cufftCreate(&Plan));
    CHECK_REFUSED(cufftXtMakePlanMany(Plan, 2, Other.data(), nullptr, 1, 0, Complex, nullptr, 1, 0,
                                      Complex, 1, Work, Complex),
                  CUFFT_NOT_SUPPORTED);
    CHECK_REFUSED(cufftXtGetSizeMany(Plan, 2, Other.data(), nullptr, 1, 0, Complex, nullptr, 1, 0,
                                     Complex, 1, Work, Complex),
                  CUFFT_NOT_SUPPORTED);
    CHECK_FFT(cufftDestroy(Plan));
  }

  for (int I = 0; I < 2 * N; ++I)
    In[I] = T(float(C.realInput(I / N)[I % N].real()));
  CHECK_FFT(cufftCreate(&Plan));
  CHECK_FFT(cufftXtMakePlanMany(Plan, 1, &Size, nullptr, 1, 0, Real, nullptr, 1, 0, Complex, 2,
                                Work, Complex));
  CHECK_FFT(cufftXtExec(Plan, In, Out, CUFFT_FORWARD));
  CHECK_CUDA(cudaDeviceSynchronize());
  E = {};
  for (int I = 0; I < 2 * (N / 2 + 1); ++I) {
    const int B = I / (N / 2 + 1);
    E.add({float(Out[2 * I]), float(Out[2 * I + 1])},
          naive(C.realInput(B), {N}, -1)[I % (N / 2 + 1)]);
  }
  CHECK(E.relative() < Tolerance);
  CHECK_FFT(cufftDestroy(Plan));
  CHECK_CUDA(cudaFree(In));
  CHECK_CUDA(cudaFree(Out));
}

void sizes() {
  cufftHandle Plan;
  size_t Work = 99;
  int N[2] = {6, 10};
  long long Long[2] = {6, 10};
  const auto Expect0 = [&Work](cufftResult Status) {
    CHECK_FFT(Status);
#ifdef __clang__ // Heddle needs none
    CHECK_EQ(Work, size_t(0));
    Work = 99;
#endif
  };
  Expect0(cufftEstimate1d(64, CUFFT_C2C, 4, &Work));
  Expect0(cufftEstimate2d(64, 3, CUFFT_R2C, &Work));
  Expect0(cufftEstimate3d(6, 5, 4, CUFFT_Z2D, &Work));
  Expect0(cufftEstimateMany(2, N, N, 1, 60, N, 1, 60, CUFFT_Z2Z, 3, &Work));
  CHECK_FFT(cufftCreate(&Plan));
  Expect0(cufftGetSize1d(Plan, 64, CUFFT_C2C, 4, &Work));
  Expect0(cufftGetSize2d(Plan, 64, 3, CUFFT_R2C, &Work));
  Expect0(cufftGetSize3d(Plan, 6, 5, 4, CUFFT_Z2D, &Work));
  Expect0(cufftGetSizeMany(Plan, 2, N, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2Z, 3, &Work));
  Expect0(cufftGetSizeMany64(Plan, 2, Long, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2Z, 3, &Work));
  CHECK_REFUSED(cufftGetSize(Plan, &Work), CUFFT_INVALID_PLAN);
  CHECK_FFT(cufftSetAutoAllocation(Plan, 0));
  Expect0(cufftMakePlanMany(Plan, 2, N, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, 3, &Work));
  Expect0(cufftGetSize(Plan, &Work));
  void *Area;
  CHECK_CUDA(cudaMalloc(&Area, Work + 16));
  CHECK_FFT(cufftSetWorkArea(Plan, Area));
  CHECK_FFT(cufftXtSetWorkArea(Plan, &Area));
  CHECK_FFT(cufftXtSetWorkAreaPolicy(Plan, CUFFT_WORKAREA_MINIMAL, &Work));
  CHECK_CUDA(cudaFree(Area));
  CHECK_FFT(cufftDestroy(Plan));
}

// The other ways to make a plan: each transforms a constant into its sum.
void otherPlans() {
  cufftComplex *Data;
  CHECK_CUDA(cudaMallocManaged(&Data, 120 * sizeof *Data));
  long long Long[3] = {4, 5, 6};
  for (int Way = 0; Way < 4; ++Way) {
    cufftHandle Plan;
    size_t Work;
    for (int I = 0; I < 120; ++I)
      Data[I] = {1, -2};
    CHECK_FFT(cufftCreate(&Plan));
    if (Way == 0)
      CHECK_FFT(cufftMakePlan1d(Plan, 120, CUFFT_C2C, 1, &Work));
    else if (Way == 1)
      CHECK_FFT(cufftMakePlan2d(Plan, 12, 10, CUFFT_C2C, &Work));
    else if (Way == 2)
      CHECK_FFT(cufftMakePlan3d(Plan, 4, 5, 6, CUFFT_C2C, &Work));
    else
      CHECK_FFT(
          cufftMakePlanMany64(Plan, 3, Long, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &Work));
    CHECK_FFT(cufftExecC2C(Plan, Data, Data, CUFFT_FORWARD));
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_NEAR(Data[0].x, 120.0, 1e-4);
    CHECK_NEAR(Data[0].y, -240.0, 1e-4);
    double Rest = 0;
    for (int I = 1; I < 120; ++I)
      Rest += std::fabs(Data[I].x) + std::fabs(Data[I].y);
    CHECK_NEAR(Rest, 0.0, 1e-3);
    CHECK_REFUSED(cufftMakePlan1d(Plan, 8, CUFFT_C2C, 1, &Work), CUFFT_INVALID_PLAN);
    CHECK_FFT(cufftDestroy(Plan));
  }
  CHECK_CUDA(cudaFree(Data));
}

void versionAndProperties() {
  int Version = 0, Major = 0, Minor = 0, Patch = -1;
  CHECK_FFT(cufftGetVersion(&Version));
  CHECK_EQ(Version, CUFFT_VERSION);
  CHECK_FFT(cufftGetProperty(MAJOR_VERSION, &Major));
  CHECK_FFT(cufftGetProperty(MINOR_VERSION, &Minor));
  CHECK_FFT(cufftGetProperty(PATCH_LEVEL, &Patch));
  CHECK_EQ(Major * 1000 + Minor * 100 + Patch, Version);
  cufftHandle Plan;
  long long Value = 0;
  CHECK_FFT(cufftCreate(&Plan));
  CHECK_FFT(cufftSetPlanPropertyInt64(Plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1));
  CHECK_FFT(cufftGetPlanPropertyInt64(Plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &Value));
  CHECK_EQ(Value, 1LL);
  CHECK_FFT(cufftResetPlanProperty(Plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT));
  CHECK_FFT(cufftGetPlanPropertyInt64(Plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &Value));
  CHECK_EQ(Value, 0LL);
  CHECK_REFUSED(cufftSetPlanPropertyInt64(Plan, cufftProperty(77), 1), CUFFT_INVALID_VALUE);
  CHECK_FFT(cufftDestroy(Plan));
}

void badArguments() {
  cufftHandle Plan;
  cufftComplex *Data;
  size_t Work;
  int N[3] = {INT_MAX, INT_MAX, INT_MAX};
  CHECK_CUDA(cudaMallocManaged(&Data, 64 * sizeof *Data));
#ifdef __clang__ // Heddle looks at these pointers; NVIDIA does not say that its library does
  CHECK_REFUSED(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  CHECK_REFUSED(cufftGetVersion(nullptr), CUFFT_INVALID_VALUE);
  CHECK_REFUSED(cufftCreate(nullptr), CUFFT_INVALID_VALUE);
#endif
  CHECK_REFUSED(cufftPlan1d(&Plan, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  CHECK_REFUSED(cufftPlan1d(&Plan, -5, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  CHECK_REFUSED(cufftPlan1d(&Plan, 8, CUFFT_C2C, 0), CUFFT_INVALID_SIZE);
  CHECK_REFUSED(cufftPlan1d(&Plan, 8, cufftType(1), 1), CUFFT_INVALID_TYPE);
  CHECK_REFUSED(cufftPlan2d(&Plan, 8, 0, CUFFT_C2C), CUFFT_INVALID_SIZE);
  CHECK_REFUSED(cufftPlan3d(&Plan, 8, 8, -1, CUFFT_C2C), CUFFT_INVALID_SIZE);
  CHECK_REFUSED(cufftPlanMany(&Plan, 3, N, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1),
                CUFFT_INVALID_SIZE);
  CHECK_REFUSED(cufftPlanMany(&Plan, 4, N, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1),
                CUFFT_INVALID_VALUE);
#ifdef __clang__ // as above
  CHECK_REFUSED(cufftPlanMany(&Plan, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1),
                CUFFT_INVALID_VALUE);
#endif
  CHECK_REFUSED(cufftEstimate1d(0, CUFFT_C2C, 1, &Work), CUFFT_INVALID_SIZE);

  CHECK_FFT(cufftCreate(&Plan));
  CHECK_REFUSED(cufftExecC2C(Plan, Data, Data, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  CHECK_FFT(cufftMakePlan1d(Plan, 8, CUFFT_C2C, 1, &Work));
#ifdef __clang__ // as above
  CHECK_REFUSED(cufftExecC2C(Plan, nullptr, Data, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  CHECK_REFUSED(cufftExecC2C(Plan, Data, nullptr, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  CHECK_REFUSED(cufftGetSize(Plan, nullptr), CUFFT_INVALID_VALUE);
#endif
  CHECK_REFUSED(cufftExecC2C(Plan, Data, Data, 0), CUFFT_INVALID_VALUE);
  CHECK_REFUSED(cufftExecR2C(Plan, &Data->x, Data), CUFFT_INVALID_TYPE);
  CHECK_FFT(cufftDestroy(Plan));
  CHECK_REFUSED(cufftDestroy(Plan), CUFFT_INVALID_PLAN);
  CHECK_REFUSED(cufftExecC2C(Plan, Data, Data, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  CHECK_REFUSED(cufftSetStream(Plan, nullptr), CUFFT_INVALID_PLAN);
  CHECK_CUDA(cudaFree(Data));
}

// What callbacks are given beside the data.
struct Factors {
  float Load;
  double Store;
};
__device__ cufftReal loadScaled(void *In, size_t Offset, void *Info, void *) {
  return static_cast<float *>(In)[Offset] * static_cast<Factors *>(Info)->Load;
}
// Conjugates, by way of shared memory.
__device__ void storeConjugated(void *Out, size_t Offset, cufftComplex Value, void *,
                                void *Shared) {
  auto &Place = static_cast<cufftComplex *>(Shared)[threadIdx.x];
  Place = Value;
  static_cast<cufftComplex *>(Out)[Offset] = {Place.x, -Place.y};
}
__device__ cufftDoubleComplex loadShifted(void *In, size_t Offset, void *, void *) {
  const auto Value = static_cast<cufftDoubleComplex *>(In)[Offset];
  return {Value.x + double(Offset), Value.y};
}
__device__ void storeScaled(void *Out, size_t Offset, cufftDoubleComplex Value, void *Info,
                            void *) {
  const double By = static_cast<Factors *>(Info)->Store;
  static_cast<cufftDoubleComplex *>(Out)[Offset] = {Value.x * By, Value.y * By};
}
__device__ cufftCallbackLoadR LoadScaled = loadScaled;
__device__ cufftCallbackStoreC StoreConjugated = storeConjugated;
__device__ cufftCallbackLoadZ LoadShifted = loadShifted;
__device__ cufftCallbackStoreZ StoreScaled = storeScaled;

#define SET_CALLBACK(Plan, Symbol, Type, Info)                                                     \
  do {                                                                                             \
    void *Function = nullptr, *CallerInfo = Info;                                                  \
    CHECK_CUDA(cudaMemcpyFromSymbol(&Function, Symbol, sizeof Function));                          \
    CHECK_FFT(cufftXtSetCallback(Plan, &Function, Type, &CallerInfo));                             \
  } while (false)

/// Only NVIDIA's static library has callbacks: false if this one has none.
bool hasCallbacks(cufftHandle Plan) {
  void *Function = nullptr;
  CHECK_CUDA(cudaMemcpyFromSymbol(&Function, LoadScaled, sizeof Function));
  return cufftXtSetCallback(Plan, &Function, CUFFT_CB_LD_REAL, nullptr) != CUFFT_NOT_IMPLEMENTED;
}

/// Real to complex in two dimensions, with gaps between rows of the input.
void callbacksOfReals(Factors *Given) {
  const Case Of{{6, 10}, 2};
  float *In;
  cufftComplex *Out;
  CHECK_CUDA(cudaMallocManaged(&In, 2 * 6 * 16 * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&Out, 2 * 6 * 6 * sizeof(cufftComplex)));
  for (int B = 0; B < 2; ++B)
    for (int I = 0; I < 60; ++I)
      In[B * 96 + I / 10 * 16 + I % 10] = float(Of.realInput(B)[I].real());
  int N[] = {6, 10}, InEmbed[] = {6, 16}, OutEmbed[] = {6, 6};
  cufftHandle Plan;
  CHECK_FFT(cufftPlanMany(&Plan, 2, N, InEmbed, 1, 96, OutEmbed, 1, 36, CUFFT_R2C, 2));
  if (hasCallbacks(Plan)) {
    SET_CALLBACK(Plan, LoadScaled, CUFFT_CB_LD_REAL, Given);
    SET_CALLBACK(Plan, StoreConjugated, CUFFT_CB_ST_COMPLEX, nullptr);
    CHECK_FFT(cufftXtSetCallbackSharedSize(Plan, CUFFT_CB_ST_COMPLEX, 8 << 10));
    for (const bool Cleared : {false, true}) {
      if (Cleared)
        CHECK_FFT(cufftXtClearCallback(Plan, CUFFT_CB_ST_COMPLEX));
      CHECK_FFT(cufftExecR2C(Plan, In, Out));
      CHECK_CUDA(cudaDeviceSynchronize());
      Error Off;
      for (int B = 0; B < 2; ++B) {
        const Numbers Expected = Of.half(naive(Of.realInput(B), Of.Sizes, -1));
        for (int I = 0; I < 36; ++I) {
          const Number Wanted = double(Given->Load) * Expected[I];
          Off.add({Out[B * 36 + I].x, Out[B * 36 + I].y}, Cleared ? Wanted : std::conj(Wanted));
        }
      }
      CHECK(Off.relative() < 1e-6);
    }
  }
  CHECK_FFT(cufftDestroy(Plan));
  CHECK_CUDA(cudaFree(In));
  CHECK_CUDA(cudaFree(Out));
}

/// In place, in a graph that runs twice; and refused calls.
void callbacksInGraphs(Factors *Given) {
  const int N = 24;
  cufftDoubleComplex *Data;
  CHECK_CUDA(cudaMallocManaged(&Data, N * sizeof *Data));
  Numbers Expected(N);
  for (int I = 0; I < N; ++I)
    Expected[I] = input(I), Data[I] = {Expected[I].real(), Expected[I].imag()};
  cufftHandle Plan;
  cudaStream_t Stream;
  CHECK_CUDA(cudaStreamCreate(&Stream));
  CHECK_FFT(cufftPlan1d(&Plan, N, CUFFT_Z2Z, 1));
  CHECK_FFT(cufftSetStream(Plan, Stream));
  void *None = nullptr, *Some = Data;
  if (cufftXtSetCallback(Plan, &Some, CUFFT_CB_LD_COMPLEX_DOUBLE, nullptr) !=
      CUFFT_NOT_IMPLEMENTED) {
    SET_CALLBACK(Plan, LoadShifted, CUFFT_CB_LD_COMPLEX_DOUBLE, nullptr);
    SET_CALLBACK(Plan, StoreScaled, CUFFT_CB_ST_COMPLEX_DOUBLE, Given);
    cudaGraph_t Graph;
    cudaGraphExec_t Executable;
    CHECK_CUDA(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
    CHECK_FFT(cufftExecZ2Z(Plan, Data, Data, CUFFT_INVERSE));
    CHECK_CUDA(cudaStreamEndCapture(Stream, &Graph));
    CHECK_CUDA(cudaGraphInstantiate(&Executable, Graph, 0));
    for (int Run = 0; Run < 2; ++Run) {
      CHECK_CUDA(cudaGraphLaunch(Executable, Stream));
      for (int I = 0; I < N; ++I)
        Expected[I] += I;
      Expected = naive(Expected, {N}, 1);
      for (Number &Value : Expected)
        Value *= Given->Store;
    }
    CHECK_CUDA(cudaStreamSynchronize(Stream));
    Error Off;
    for (int I = 0; I < N; ++I)
      Off.add({Data[I].x, Data[I].y}, Expected[I]);
    CHECK(Off.relative() < 1e-14);
    CHECK_CUDA(cudaGraphExecDestroy(Executable));
    CHECK_CUDA(cudaGraphDestroy(Graph));
    CHECK_REFUSED(cufftXtSetCallback(Plan, &None, CUFFT_CB_LD_COMPLEX_DOUBLE, nullptr),
                  CUFFT_INVALID_VALUE);
    CHECK_REFUSED(cufftXtSetCallback(Plan, &Some, CUFFT_CB_LD_REAL, nullptr), CUFFT_INVALID_TYPE);
    CHECK_REFUSED(cufftXtSetCallback(Plan, &Some, CUFFT_CB_UNDEFINED, nullptr),
                  CUFFT_INVALID_VALUE);
    CHECK_REFUSED(cufftXtSetCallbackSharedSize(Plan, CUFFT_CB_LD_COMPLEX_DOUBLE, 17 << 10),
                  CUFFT_INVALID_VALUE);
  }
  CHECK_FFT(cufftDestroy(Plan));
  CHECK_CUDA(cudaStreamDestroy(Stream));
  CHECK_CUDA(cudaFree(Data));
}

void callbacks() {
  Factors *Given;
  CHECK_CUDA(cudaMallocManaged(&Given, sizeof *Given));
  *Given = {2.5f, 0.125};
  callbacksOfReals(Given);
  callbacksInGraphs(Given);
  CHECK_CUDA(cudaFree(Given));
}

} // namespace

int main() {
  streamsAndGraphs();
  large();
  shortType<__half>(CUDA_C_16F, CUDA_R_16F, 2e-3);
  shortType<__nv_bfloat16>(CUDA_C_16BF, CUDA_R_16BF, 2e-2);
  sizes();
  otherPlans();
  versionAndProperties();
  badArguments();
  callbacks();
  RETURN_RESULT();
}
