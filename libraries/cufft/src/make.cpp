// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans from sizes and layouts.
#include "jit_callbacks.h"

#include <algorithm>
#include <bit>

namespace heddle::cufft {
namespace {

/// The layout without strides: rows one behind the other. In place, the rows of real numbers are as
/// long as those of complex ones.
Side basic(const Shape &Of, bool Real, bool InPlace) {
  Side Result;
  std::copy(Of.Size, Of.Size + 3, Result.Embed);
  long long &Last = Result.Embed[Of.Rank - 1];
  if (Of.What != Kind::Complex) {
    const long long Half = Last / 2 + 1;
    Last = !Real ? Half : (InPlace ? 2 * Half : Last);
  }
  Result.Distance = 1;
  for (int I = 0; I < Of.Rank; ++I)
    Result.Distance *= Result.Embed[I];
  return Result;
}

/// Whether all offsets of a side in bytes are far from overflowing.
bool fits(const Shape &Of, const Side &On) {
  long long Extent = On.Stride;
  const auto Grow = [&Extent](long long Factor) {
    return !__builtin_mul_overflow(Extent, Factor, &Extent) && Extent < (1LL << 56);
  };
  for (int I = Of.Rank; I-- > 0;)
    if (!Grow(std::max(On.Embed[I], Of.Size[I])))
      return false;
  Extent = std::max(Extent, On.Distance);
  return Grow(Of.Batch);
}

} // namespace

Side basicSide(const Shape &Of, bool OfInput, bool InPlace) {
  return basic(Of, (Of.What == Kind::RealToComplex) == OfInput, InPlace);
}

bool split(cufftType Type, Kind &What, Precision &Of) {
  switch (Type) {
  case CUFFT_C2C:
  case CUFFT_Z2Z:
    What = Kind::Complex;
    break;
  case CUFFT_R2C:
  case CUFFT_D2Z:
    What = Kind::RealToComplex;
    break;
  case CUFFT_C2R:
  case CUFFT_Z2D:
    What = Kind::ComplexToReal;
    break;
  default:
    return false;
  }
  Of = Type & 0x40 ? Precision::Double : Precision::Single;
  return true;
}

cufftResult describe(const char *Function, const Request &Asked, Kind What, Precision Of,
                     Shape &Result) {
  if (Asked.Rank < 1 || Asked.Rank > 3)
    return refuse(Function, CUFFT_INVALID_VALUE, "the rank is none of 1, 2 and 3");
  Result = {What, Of, Asked.Rank};
  std::copy(Asked.Size, Asked.Size + Asked.Rank, Result.Size);
  Result.Batch = Asked.Batch;
  if (std::any_of(Asked.Size, Asked.Size + Asked.Rank, [](long long N) { return N < 1; }))
    return refuse(Function, CUFFT_INVALID_SIZE, "a size is less than 1");
  // As on an H100, though any size could be computed.
  if ((Of == Precision::Half || Of == Precision::BFloat) &&
      !std::all_of(Asked.Size, Asked.Size + Asked.Rank,
                   [](long long N) { return std::has_single_bit(static_cast<uint64_t>(N)); }))
    return refuse(Function, CUFFT_NOT_SUPPORTED, "half precision is for powers of two");
  if (Asked.Batch < 1)
    return refuse(Function, CUFFT_INVALID_SIZE, "the batch is less than 1");
  Result.Basic = !Asked.InEmbed || !Asked.OutEmbed;
  if (!Result.Basic) {
    std::copy(Asked.InEmbed, Asked.InEmbed + Asked.Rank, Result.In.Embed);
    std::copy(Asked.OutEmbed, Asked.OutEmbed + Asked.Rank, Result.Out.Embed);
    Result.In.Stride = Asked.InStride;
    Result.In.Distance = Asked.InDistance;
    Result.Out.Stride = Asked.OutStride;
    Result.Out.Distance = Asked.OutDistance;
    const auto Bad = [&Result](const Side &On) {
      return On.Stride < 1 || On.Distance < 0 ||
             std::any_of(On.Embed, On.Embed + Result.Rank, [](long long N) { return N < 0; });
    };
    if (Bad(Result.In) || Bad(Result.Out))
      return refuse(Function, CUFFT_INVALID_VALUE, "a stride, distance or embedding is negative");
  } else {
    // Sizes are checked for overflow with a distance that cannot overflow itself.
    std::copy(Result.Size, Result.Size + 3, Result.In.Embed);
    std::copy(Result.Size, Result.Size + 3, Result.Out.Embed);
  }
  if (!fits(Result, Result.In) || !fits(Result, Result.Out))
    return refuse(Function, CUFFT_INVALID_SIZE, "the data is larger than any memory");
  return CUFFT_SUCCESS;
}

namespace {

Request dense(int Rank, long long X, long long Y, long long Z, long long Batch) {
  return {Rank, {X, Y, Z}, nullptr, nullptr, 1, 0, 1, 0, Batch};
}

cufftResult make(const char *Function, cufftHandle Handle, const Request &Asked, cufftType Type,
                 size_t *WorkSize) {
  const std::shared_ptr<Plan> Found = find(Handle);
  if (!Found)
    return refuse(Function, CUFFT_INVALID_PLAN, "the plan was not created, or is destroyed");
  if (Found->Made)
    return refuse(Function, CUFFT_INVALID_PLAN, "the plan is made already");
  Kind What;
  Precision Of;
  if (!split(Type, What, Of))
    return refuse(Function, CUFFT_INVALID_TYPE, "there is no such type of transform");
  if (!WorkSize)
    return refuse(Function, CUFFT_INVALID_VALUE, "workSize is null");
  if (const cufftResult Status = describe(Function, Asked, What, Of, Found->Of))
    return Status;
  if (const cufftResult Status = linkCallbacks(Function, *Found))
    return Status;
  Found->Made = true;
  std::fill_n(WorkSize, std::max<size_t>(Found->Gpus.size(), 1), 0);
  return CUFFT_SUCCESS;
}

/// Creates a plan and makes it; a plan that cannot be made is destroyed.
cufftResult plan(const char *Function, cufftHandle *Handle, const Request &Asked, cufftType Type) {
  cufftHandle New;
  if (!Handle)
    return refuse(Function, CUFFT_INVALID_VALUE, "plan is null");
  if (const cufftResult Status = cufftCreate(&New))
    return Status;
  size_t WorkSize;
  if (const cufftResult Status = make(Function, New, Asked, Type, &WorkSize)) {
    cufftDestroy(New);
    return Status;
  }
  *Handle = New;
  return CUFFT_SUCCESS;
}

} // namespace

bool Wide::set(int Rank, const int *Sizes, const int *In, const int *Out) {
  if (Rank < 1 || Rank > 3)
    return Sizes;
  if (!Sizes)
    return false;
  std::copy(Sizes, Sizes + Rank, Size);
  if (In && Out) {
    std::copy(In, In + Rank, InEmbed);
    std::copy(Out, Out + Rank, OutEmbed);
    Advanced = true;
  }
  return true;
}

Request Wide::request(int Rank, long long InStride, long long InDistance, long long OutStride,
                      long long OutDistance, long long Batch) const {
  Request Result{Rank,      {Size[0], Size[1], Size[2]},
                 nullptr,   nullptr,
                 InStride,  InDistance,
                 OutStride, OutDistance,
                 Batch};
  if (Advanced) {
    Result.InEmbed = InEmbed;
    Result.OutEmbed = OutEmbed;
  }
  return Result;
}

Request request64(int Rank, const long long *Sizes, const long long *In, long long InStride,
                  long long InDistance, const long long *Out, long long OutStride,
                  long long OutDistance, long long Batch) {
  Request Result{Rank, {}, In, Out, InStride, InDistance, OutStride, OutDistance, Batch};
  if (Rank >= 1 && Rank <= 3)
    std::copy(Sizes, Sizes + Rank, Result.Size);
  return Result;
}

} // namespace heddle::cufft

using namespace heddle::cufft;

cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch) {
  return plan(__func__, handle, dense(1, nx, 0, 0, batch), type);
}
cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type) {
  return plan(__func__, handle, dense(2, nx, ny, 0, 1), type);
}
cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type) {
  return plan(__func__, handle, dense(3, nx, ny, nz, 1), type);
}
cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride,
                          int idist, int *onembed, int ostride, int odist, cufftType type,
                          int batch) {
  Wide Numbers;
  if (!Numbers.set(rank, n, inembed, onembed))
    return refuse(__func__, CUFFT_INVALID_VALUE, "n is null");
  return plan(__func__, handle, Numbers.request(rank, istride, idist, ostride, odist, batch), type);
}

cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch,
                            size_t *workSize) {
  return make(__func__, handle, dense(1, nx, 0, 0, batch), type, workSize);
}
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *workSize) {
  return make(__func__, handle, dense(2, nx, ny, 0, 1), type, workSize);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                            size_t *workSize) {
  return make(__func__, handle, dense(3, nx, ny, nz, 1), type, workSize);
}
cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *workSize) {
  Wide Numbers;
  if (!Numbers.set(rank, n, inembed, onembed))
    return refuse(__func__, CUFFT_INVALID_VALUE, "n is null");
  return make(__func__, handle, Numbers.request(rank, istride, idist, ostride, odist, batch), type,
              workSize);
}
cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long int *n,
                                long long int *inembed, long long int istride, long long int idist,
                                long long int *onembed, long long int ostride, long long int odist,
                                cufftType type, long long int batch, size_t *workSize) {
  if (!n)
    return refuse(__func__, CUFFT_INVALID_VALUE, "n is null");
  return make(__func__, handle,
              request64(rank, n, inembed, istride, idist, onembed, ostride, odist, batch), type,
              workSize);
}
