// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executions: the layouts become dimensions of the engine's arrays, on the plan's stream.
#include "plan.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace heddle::cufft {
namespace {

struct Prepared {
  fft::Transform What;
  size_t InBytes = 0, OutBytes = 0; // from the first element to behind the last one
};

// Strides of a side, the batch's first.
void strides(const Shape &Of, const Side &On, long long *Result) {
  Result[0] = On.Distance;
  long long Step = On.Stride;
  for (int I = Of.Rank; I-- > 0; Step *= On.Embed[I])
    Result[I + 1] = Step;
}

Prepared prepare(const Shape &Of, bool Forward, bool InPlace) {
  const Side In = Of.Basic ? basicSide(Of, true, InPlace) : Of.In;
  const Side Out = Of.Basic ? basicSide(Of, false, InPlace) : Of.Out;
  long long InSteps[4], OutSteps[4];
  strides(Of, In, InSteps);
  strides(Of, Out, OutSteps);
  Prepared Result;
  fft::Transform &T = Result.What;
  T.What = Of.What;
  T.Double = Of.Of == Precision::Double;
  T.Forward = Of.What == Kind::Complex ? Forward : Of.What == Kind::RealToComplex;
  T.Rank = Of.Rank;
  long long InLast = 0, OutLast = 0;
  for (int I = 0; I <= Of.Rank; ++I) {
    const long long Size = I == 0 ? Of.Batch : Of.Size[I - 1];
    const long long Half = I == Of.Rank ? Size / 2 + 1 : Size;
    InLast += ((Of.What == Kind::ComplexToReal ? Half : Size) - 1) * InSteps[I];
    OutLast += ((Of.What == Kind::RealToComplex ? Half : Size) - 1) * OutSteps[I];
    if (I > 0 || Size > 1)
      T.Dims[T.Count++] = {size_t(Size), InSteps[I], OutSteps[I]};
  }
  Result.InBytes = (InLast + 1) * elementBytes(Of, true);
  Result.OutBytes = (OutLast + 1) * elementBytes(Of, false);
  return Result;
}

// Whether the engine may read and write the same memory.
bool inStep(const Shape &Of, const fft::Transform &What) {
  const ptrdiff_t InSize = elementBytes(Of, true), OutSize = elementBytes(Of, false);
  const fft::Dimension &Last = What.Dims[What.Count - 1];
  if (Of.What == Kind::Complex ? Last.In != Last.Out : Last.In != 1 || Last.Out != 1)
    return false;
  return std::all_of(What.Dims, What.Dims + What.Count - 1,
                     [&](const fft::Dimension &D) { return D.In * InSize == D.Out * OutSize; });
}

bool overlap(const void *In, size_t InBytes, const void *Out, size_t OutBytes) {
  const auto *A = static_cast<const char *>(In), *B = static_cast<const char *>(Out);
  return A < B + OutBytes && B < A + InBytes;
}

using Bytes = std::unique_ptr<char[]>;
Bytes memory(size_t Count) { return Bytes(new (std::nothrow) char[Count]); }

void run(const fft::Transform &What, const void *In, void *Out) {
  if (!heddleFftRun(What, In, Out))
    std::fprintf(stderr, "libcufft: a transform was not computed: memory is exhausted\n");
}

// Half-precision numbers are converted, transformed as float and rounded once.
template <typename T> void transformAsFloat(const Prepared &P, const void *In, void *Out) {
  const size_t InCount = P.InBytes / sizeof(T), OutCount = P.OutBytes / sizeof(T);
  const std::unique_ptr<float[]> From(new (std::nothrow) float[InCount]),
      To(new (std::nothrow) float[OutCount]);
  if (!From || !To) {
    std::fprintf(stderr, "libcufft: a transform was not computed: memory is exhausted\n");
    return;
  }
  const auto *Source = static_cast<const T *>(In);
  auto *Target = static_cast<T *>(Out);
  std::transform(Source, Source + InCount, From.get(), [](T V) { return float(V); });
  // What lies between the output's elements stays.
  std::transform(Target, Target + OutCount, To.get(), [](T V) { return float(V); });
  run(P.What, From.get(), To.get());
  std::transform(To.get(), To.get() + OutCount, Target, [](float V) { return T(V); });
}

/// A side's elements in the order of the dense layout.
Elements elements(const Shape &Of, bool OfInput, const Side &On) {
  long long Steps[4];
  strides(Of, On, Steps);
  const bool Half = Of.What == (OfInput ? Kind::ComplexToReal : Kind::RealToComplex);
  Elements Result;
  Result.add(Of.Batch, Steps[0]);
  for (int I = 0; I < Of.Rank; ++I)
    Result.add(Half && I == Of.Rank - 1 ? Of.Size[I] / 2 + 1 : Of.Size[I], Steps[I + 1]);
  return Result;
}

/// Memory on the stream for one side in dense layout, or null.
struct DenseMemory {
  void *At = nullptr;
  cudaStream_t Stream;
  DenseMemory(size_t Bytes, cudaStream_t Stream) : Stream(Stream) {
    if (Bytes && cudaMallocAsync(&At, Bytes, Stream))
      At = nullptr;
  }
  DenseMemory(const DenseMemory &) = delete;
  ~DenseMemory() {
    if (At)
      cudaFreeAsync(At, Stream);
  }
};

/// With the program's functions: kernels that call them come before and behind the transform.
cufftResult executeCalling(const char *Function, const Plan &Made, const void *In, void *Out,
                           int Direction) {
  const bool Loads = Made.Load.isSet(), Stores = Made.Store.isSet();
  Shape Of = Made.Of;
  const Side From = Of.Basic ? basicSide(Of, true, In == Out) : Of.In;
  const Side To = Of.Basic ? basicSide(Of, false, In == Out) : Of.Out;
  Of.Basic = false;
  Of.In = Loads ? basicSide(Of, true, false) : From;
  Of.Out = Stores ? basicSide(Of, false, false) : To;
  const Elements Inputs = elements(Of, true, From), Outputs = elements(Of, false, To);
  const DenseMemory Loaded(Loads ? Inputs.total * elementBytes(Of, true) : 0, Made.Stream);
  const DenseMemory Computed(Stores ? Outputs.total * elementBytes(Of, false) : 0, Made.Stream);
  if ((Loads && !Loaded.At) || (Stores && !Computed.At))
    return refuse(Function, CUFFT_ALLOC_FAILED, "there is no memory for what callbacks load");
  if (Loads && loadElements(Made.Load, elementType(Of, true), Inputs, In, Loaded.At, Made.Stream))
    return refuse(Function, CUFFT_EXEC_FAILED, "the callback that loads was not launched");
  const void *const Source = Loads ? Loaded.At : In;
  void *const Target = Stores ? Computed.At : Out;
  if (const cufftResult Status = submit(Function, Made.Stream, [Of, Direction, Source, Target] {
        transform(Of, Direction == CUFFT_FORWARD, Source, Target);
      }))
    return Status;
  if (Stores &&
      storeElements(Made.Store, elementType(Of, false), Outputs, Computed.At, Out, Made.Stream))
    return refuse(Function, CUFFT_EXEC_FAILED, "the callback that stores was not launched");
  return CUFFT_SUCCESS;
}

bool isRealSide(const Shape &Of, bool OfInput) {
  return Of.What == (OfInput ? Kind::RealToComplex : Kind::ComplexToReal);
}

} // namespace

ElementType elementType(const Shape &Of, bool OfInput) {
  const bool Double = Of.Of == Precision::Double;
  if (isRealSide(Of, OfInput))
    return Double ? ElementType::RealDouble : ElementType::Real;
  return Double ? ElementType::ComplexDouble : ElementType::Complex;
}

size_t elementBytes(const Shape &Of, bool OfInput) {
  static constexpr size_t Real[] = {2, 2, 4, 8};
  return Real[int(Of.Of)] * (isRealSide(Of, OfInput) ? 1 : 2);
}

void transform(const Shape &Of, bool Forward, const void *In, void *Out) {
  const Prepared P = prepare(Of, Forward, In == Out);
  if (Of.Of == Precision::Half)
    return transformAsFloat<__half>(P, In, Out);
  if (Of.Of == Precision::BFloat)
    return transformAsFloat<__nv_bfloat16>(P, In, Out);
  if (!overlap(In, P.InBytes, Out, P.OutBytes) || (In == Out && inStep(Of, P.What)))
    return run(P.What, In, Out);
  const Bytes Copy = memory(P.InBytes);
  if (!Copy) {
    std::fprintf(stderr, "libcufft: a transform was not computed: memory is exhausted\n");
    return;
  }
  std::memcpy(Copy.get(), In, P.InBytes);
  run(P.What, Copy.get(), Out);
}

cufftResult execute(const char *Function, const std::shared_ptr<Plan> &Made, const void *In,
                    void *Out, int Direction) {
  if (!In || !Out)
    return refuse(Function, CUFFT_INVALID_VALUE, "the input or the output is null");
  if (Made->Of.What == Kind::Complex && Direction != CUFFT_FORWARD && Direction != CUFFT_INVERSE)
    return refuse(Function, CUFFT_INVALID_VALUE,
                  "the direction is neither CUFFT_FORWARD nor CUFFT_INVERSE");
  if (Made->Load.isSet() || Made->Store.isSet())
    return executeCalling(Function, *Made, In, Out, Direction);
  return submit(Function, Made->Stream, [Of = Made->Of, Direction, In, Out] {
    transform(Of, Direction == CUFFT_FORWARD, In, Out);
  });
}

namespace {

cufftResult executeAs(const char *Function, cufftHandle Handle, cufftType Type, const void *In,
                      void *Out, int Direction) {
  const std::shared_ptr<Plan> Found = find(Handle);
  if (!Found || !Found->Made)
    return refuse(Function, CUFFT_INVALID_PLAN,
                  "the plan was not created and made, or is destroyed");
  Kind What;
  Precision Of;
  split(Type, What, Of);
  if (Found->Of.What != What || Found->Of.Of != Of)
    return refuse(Function, CUFFT_INVALID_TYPE, "the plan was made for another type of transform");
  return execute(Function, Found, In, Out, Direction);
}

} // namespace
} // namespace heddle::cufft

using namespace heddle::cufft;

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata, cufftComplex *odata,
                         int direction) {
  return executeAs(__func__, plan, CUFFT_C2C, idata, odata, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata, cufftComplex *odata) {
  return executeAs(__func__, plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata, cufftReal *odata) {
  return executeAs(__func__, plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleComplex *odata,
                         int direction) {
  return executeAs(__func__, plan, CUFFT_Z2Z, idata, odata, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata, cufftDoubleComplex *odata) {
  return executeAs(__func__, plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleReal *odata) {
  return executeAs(__func__, plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE);
}
