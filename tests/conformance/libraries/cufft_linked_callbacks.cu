// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcufft -lnvrtc
//
// cufftXtSetJITCallback: callbacks as LTO-IR, for each type of element, in one transform or in one
// piece of code together, with what the program hands them and variables of their own; what is
// refused, and when.
#include "fft_check.h"

#include <cstring>
#include <nvrtc.h>
#include <string>

#define CHECK_FFT(call) CHECK_EQ(call, CUFFT_SUCCESS)

namespace {

const char *const Source = R"(
struct Factors { float load, store; };
__constant__ int cut = 40;
__device__ double2 loadShifted(void *in, unsigned long long at, void *, void *) {
  double2 v = ((double2 *)in)[at];
  return double2{v.x + 1, v.y};
}
__device__ void storeScaled(void *out, unsigned long long at, double2 v, void *info, void *) {
  ((double2 *)out)[at] = double2{v.x * *(double *)info, v.y * *(double *)info};
}
__device__ float loadScaled(void *in, unsigned long long at, void *info, void *) {
  return ((float *)in)[at] * ((Factors *)info)->load;
}
__device__ void storeCut(void *out, unsigned long long at, float2 v, void *info, void *shared) {
  if (at >= cut)
    v = float2{0, 0};
  ((float2 *)shared)[threadIdx.x % 32] = v;
  ((float2 *)out)[at] = float2{v.x * ((Factors *)info)->store, v.y * ((Factors *)info)->store};
}
__device__ float2 loadCut(void *in, unsigned long long at, void *, void *) {
  return at < cut ? ((float2 *)in)[at] : float2{0, 0};
}
__device__ void storeReal(void *out, unsigned long long at, float v, void *, void *) {
  ((float *)out)[at] = -v;
}
__device__ double loadTwice(void *in, unsigned long long at, void *, void *) {
  return 2 * ((double *)in)[at];
}
__device__ void storeDouble(void *out, unsigned long long at, double v, void *, void *) {
  ((double *)out)[at] = v / 2;
}
)";

std::vector<char> compile(const char *Text) {
  int Major = 0, Minor = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&Major, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&Minor, cudaDevAttrComputeCapabilityMinor, 0));
  const std::string Arch = "-arch=compute_" + std::to_string(Major * 10 + Minor);
  const char *Options[] = {Arch.c_str(), "-rdc=true", "-dlto"};
  nvrtcProgram Program;
  CHECK_EQ(nvrtcCreateProgram(&Program, Text, nullptr, 0, nullptr, nullptr), NVRTC_SUCCESS);
  CHECK_EQ(nvrtcCompileProgram(Program, 3, Options), NVRTC_SUCCESS);
  size_t Size = 0;
  CHECK_EQ(nvrtcGetLTOIRSize(Program, &Size), NVRTC_SUCCESS);
  std::vector<char> Code(Size);
  CHECK_EQ(nvrtcGetLTOIR(Program, Code.data()), NVRTC_SUCCESS);
  CHECK_EQ(nvrtcDestroyProgram(&Program), NVRTC_SUCCESS);
  return Code;
}
std::vector<char> Code;

cufftResult set(cufftHandle Plan, const char *Name, cufftXtCallbackType Type, void *Info) {
  return cufftXtSetJITCallback(Plan, Name, Code.data(), Code.size(), Type, &Info);
}

cufftHandle create() {
  cufftHandle Plan = 0;
  CHECK_FFT(cufftCreate(&Plan));
  return Plan;
}

/// Memory of host and device.
template <typename T> T *managed(size_t Count) {
  T *Data = nullptr;
  CHECK_CUDA(cudaMallocManaged(&Data, Count * sizeof(T)));
  return Data;
}

bool near(Number A, Number B, double Tolerance) { return std::abs(A - B) < Tolerance; }

void complexDoubles() {
  const int N = 60, Batch = 3;
  auto *In = managed<double2>(N * Batch), *Out = managed<double2>(N * Batch);
  auto *Factor = managed<double>(1);
  *Factor = 0.25;
  for (int I = 0; I < N * Batch; ++I)
    In[I] = {input(I).real(), input(I).imag()};
  const cufftHandle Plan = create();
  CHECK_FFT(set(Plan, "loadScaled", CUFFT_CB_LD_REAL, nullptr)); // the next one takes its place
  CHECK_FFT(set(Plan, "loadShifted", CUFFT_CB_LD_COMPLEX_DOUBLE, nullptr));
  CHECK_FFT(set(Plan, "storeScaled", CUFFT_CB_ST_COMPLEX_DOUBLE, Factor));
  size_t Size;
  CHECK_FFT(cufftMakePlan1d(Plan, N, CUFFT_Z2Z, Batch, &Size));
  for (int Run = 0; Run < 2; ++Run) {
    CHECK_CUDA(cudaMemset(Out, 0xff, N * Batch * sizeof *Out));
    CHECK_FFT(cufftExecZ2Z(Plan, In, Out, CUFFT_FORWARD));
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int B = 0; B < Batch; ++B) {
      Numbers Row;
      for (int I = 0; I < N; ++I)
        Row.push_back(input(B * N + I) + 1.0);
      const Numbers Expected = naive(Row, {N}, -1);
      for (int I = 0; I < N; ++I)
        CHECK(near({Out[B * N + I].x, Out[B * N + I].y}, Expected[I] * 0.25, 1e-12));
    }
  }
  CHECK_FFT(cufftDestroy(Plan));
}

// Real to complex and back: what is stored behind element 40 of all is 0, and never loaded.
void floats() {
  const int N = 64, Half = N / 2 + 1, Batch = 2;
  struct Factors {
    float Load, Store;
  };
  auto *In = managed<float>(N * Batch), *Back = managed<float>(N * Batch);
  auto *Out = managed<float2>(Half * Batch);
  auto *Given = managed<Factors>(1);
  *Given = {3, 0.5f};
  for (int I = 0; I < N * Batch; ++I)
    In[I] = float(input(I).real());
  const cufftHandle Forward = create(), Backward = create();
  CHECK_FFT(set(Forward, "loadScaled", CUFFT_CB_LD_REAL, Given));
  CHECK_FFT(set(Forward, "storeCut", CUFFT_CB_ST_COMPLEX, Given));
  CHECK_FFT(set(Backward, "loadCut", CUFFT_CB_LD_COMPLEX, nullptr));
  CHECK_FFT(set(Backward, "storeReal", CUFFT_CB_ST_REAL, nullptr));
  size_t Size;
  long long Sizes[] = {N};
  CHECK_FFT(cufftXtMakePlanMany(Forward, 1, Sizes, nullptr, 1, N, CUDA_R_32F, nullptr, 1, Half,
                                CUDA_C_32F, Batch, &Size, CUDA_C_32F));
  CHECK_FFT(cufftXtSetCallbackSharedSize(Forward, CUFFT_CB_ST_COMPLEX, 32 * sizeof(float2)));
  CHECK_FFT(cufftMakePlan1d(Backward, N, CUFFT_C2R, Batch, &Size));
  CHECK_FFT(cufftExecR2C(Forward, In, Out));
  CHECK_FFT(cufftExecC2R(Backward, Out, Back));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int B = 0; B < Batch; ++B) {
    Numbers Row, Spectrum(N);
    for (int I = 0; I < N; ++I)
      Row.push_back(3 * input(B * N + I).real());
    const Numbers Expected = naive(Row, {N}, -1);
    for (int I = 0; I < Half; ++I) {
      const Number Want = B * Half + I < 40 ? Expected[I] * 0.5 : 0;
      CHECK(near({Out[B * Half + I].x, Out[B * Half + I].y}, Want, 1e-3));
      Spectrum[I] = Want;
      if (I > 0 && I < N / 2)
        Spectrum[N - I] = std::conj(Want);
    }
    const Numbers Real = naive(Spectrum, {N}, 1);
    for (int I = 0; I < N; ++I)
      CHECK(near(Back[B * N + I], -Real[I].real(), 1e-2));
  }
  CHECK_FFT(cufftDestroy(Forward));
  CHECK_FFT(cufftDestroy(Backward));
}

void doubles() {
  const int N = 24, Half = N / 2 + 1;
  auto *Data = managed<double>(N);
  auto *Spectrum = managed<double2>(Half);
  for (int I = 0; I < N; ++I)
    Data[I] = input(I).real();
  const cufftHandle Forward = create(), Backward = create();
  CHECK_FFT(set(Forward, "loadTwice", CUFFT_CB_LD_REAL_DOUBLE, nullptr));
  CHECK_FFT(set(Backward, "storeDouble", CUFFT_CB_ST_REAL_DOUBLE, nullptr));
  size_t Size;
  CHECK_FFT(cufftMakePlan1d(Forward, N, CUFFT_D2Z, 1, &Size));
  CHECK_FFT(cufftMakePlan1d(Backward, N, CUFFT_Z2D, 1, &Size));
  CHECK_FFT(cufftExecD2Z(Forward, Data, Spectrum));
  CHECK_CUDA(cudaMemset(Data, 0xff, N * sizeof(double)));
  CHECK_FFT(cufftExecZ2D(Backward, Spectrum, Data));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int I = 0; I < N; ++I)
    CHECK(std::abs(Data[I] - N * input(I).real()) < 1e-10);
  CHECK_FFT(cufftDestroy(Forward));
  CHECK_FFT(cufftDestroy(Backward));
}

#define CHECK_REFUSED(call) CHECK((call) != CUFFT_SUCCESS)

void refusals() {
  const cufftHandle Plan = create();
  size_t Size;
  const char Nonsense[64] = "this is no code";
  CHECK_REFUSED(set(Plan + 1000, "loadCut", CUFFT_CB_LD_COMPLEX, nullptr));
  CHECK_REFUSED(set(Plan, nullptr, CUFFT_CB_LD_COMPLEX, nullptr));
  CHECK_REFUSED(set(Plan, "loadCut", CUFFT_CB_UNDEFINED, nullptr));
  CHECK_REFUSED(cufftXtSetJITCallback(Plan, "loadCut", nullptr, 10, CUFFT_CB_LD_COMPLEX, nullptr));
  CHECK_REFUSED(
      cufftXtSetJITCallback(Plan, "loadCut", Code.data(), 0, CUFFT_CB_LD_COMPLEX, nullptr));
  // Whether a callback and a plan go together shows when it is made; then they can be mended.
  CHECK_FFT(set(Plan, "noSuchFunction", CUFFT_CB_LD_COMPLEX, nullptr));
  CHECK_REFUSED(cufftMakePlan1d(Plan, 16, CUFFT_C2C, 1, &Size));
  CHECK_FFT(set(Plan, "loadShifted", CUFFT_CB_LD_COMPLEX_DOUBLE, nullptr));
  CHECK_REFUSED(cufftMakePlan1d(Plan, 16, CUFFT_C2C, 1, &Size));
  cufftXtSetJITCallback(Plan, "loadCut", Nonsense, sizeof Nonsense, CUFFT_CB_LD_COMPLEX, nullptr);
  CHECK_REFUSED(cufftMakePlan1d(Plan, 16, CUFFT_C2C, 1, &Size));
#ifdef __HEDDLE_CUDA__
  CHECK_FFT(cufftXtSetJITCallback(Plan, "loadCut", Code.data(), Code.size(), CUFFT_CB_LD_COMPLEX,
                                  nullptr)); // what is handed on may be left out
  CHECK_FFT(cufftMakePlan1d(Plan, 16, CUFFT_C2C, 1, &Size));
  CHECK_EQ(set(Plan, "loadCut", CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_INVALID_PLAN);
  CHECK_EQ(cufftXtClearCallback(Plan, CUFFT_CB_LD_COMPLEX), CUFFT_NOT_SUPPORTED);
  auto *Data = managed<float2>(16);
  std::fill_n(Data, 16, float2{1, 0});
  CHECK_FFT(cufftExecC2C(Plan, Data, Data, CUFFT_FORWARD));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(near({Data[0].x, Data[0].y}, 16, 1e-5) && near({Data[1].x, Data[1].y}, 0, 1e-5));
#endif
  cufftDestroy(Plan);
}

} // namespace

int main() {
  Code = compile(Source);
  complexDoubles();
  floats();
  doubles();
  refusals();
  RETURN_RESULT();
}
