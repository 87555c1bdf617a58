// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of work areas. The transforms take no memory of the program's, so a size that is asked for
// is 0 if the plan could be made.
#include "plan.h"

#include <algorithm>

namespace heddle::cufft {
namespace {

cufftResult size(const char *Function, const Request &Asked, cufftType Type, size_t *WorkSize) {
  Kind What;
  Precision Of;
  Shape Described;
  if (!WorkSize)
    return refuse(Function, CUFFT_INVALID_VALUE, "workSize is null");
  if (!split(Type, What, Of))
    return refuse(Function, CUFFT_INVALID_TYPE, "there is no such type of transform");
  const cufftResult Status = describe(Function, Asked, What, Of, Described);
  if (Status == CUFFT_SUCCESS)
    *WorkSize = 0;
  return Status;
}

Request dense(int Rank, long long X, long long Y, long long Z, long long Batch) {
  return {Rank, {X, Y, Z}, nullptr, nullptr, 1, 0, 1, 0, Batch};
}

} // namespace
} // namespace heddle::cufft

using namespace heddle::cufft;

#define NEED(handle)                                                                               \
  if (!find(handle))                                                                               \
  return refuse(__func__, CUFFT_INVALID_PLAN, "the plan was not created, or is destroyed")

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *workSize) {
  return size(__func__, dense(1, nx, 0, 0, batch), type, workSize);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *workSize) {
  return size(__func__, dense(2, nx, ny, 0, 1), type, workSize);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *workSize) {
  return size(__func__, dense(3, nx, ny, nz, 1), type, workSize);
}
cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                              int ostride, int odist, cufftType type, int batch, size_t *workSize) {
  Wide Numbers;
  if (!Numbers.set(rank, n, inembed, onembed))
    return refuse(__func__, CUFFT_INVALID_VALUE, "n is null");
  return size(__func__, Numbers.request(rank, istride, idist, ostride, odist, batch), type,
              workSize);
}

cufftResult cufftGetSize1d(cufftHandle handle, int nx, cufftType type, int batch,
                           size_t *workSize) {
  NEED(handle);
  return size(__func__, dense(1, nx, 0, 0, batch), type, workSize);
}
cufftResult cufftGetSize2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *workSize) {
  NEED(handle);
  return size(__func__, dense(2, nx, ny, 0, 1), type, workSize);
}
cufftResult cufftGetSize3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                           size_t *workSize) {
  NEED(handle);
  return size(__func__, dense(3, nx, ny, nz, 1), type, workSize);
}
cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                             int idist, int *onembed, int ostride, int odist, cufftType type,
                             int batch, size_t *workSize) {
  NEED(handle);
  Wide Numbers;
  if (!Numbers.set(rank, n, inembed, onembed))
    return refuse(__func__, CUFFT_INVALID_VALUE, "n is null");
  return size(__func__, Numbers.request(rank, istride, idist, ostride, odist, batch), type,
              workSize);
}
cufftResult cufftGetSizeMany64(cufftHandle handle, int rank, long long int *n,
                               long long int *inembed, long long int istride, long long int idist,
                               long long int *onembed, long long int ostride, long long int odist,
                               cufftType type, long long int batch, size_t *workSize) {
  NEED(handle);
  if (!n)
    return refuse(__func__, CUFFT_INVALID_VALUE, "n is null");
  return size(__func__, request64(rank, n, inembed, istride, idist, onembed, ostride, odist, batch),
              type, workSize);
}
cufftResult cufftGetSize(cufftHandle handle, size_t *workSize) {
  const std::shared_ptr<Plan> Found = find(handle);
  if (!Found || !Found->Made)
    return refuse(__func__, CUFFT_INVALID_PLAN, "the plan was not created and made");
  if (!workSize)
    return refuse(__func__, CUFFT_INVALID_VALUE, "workSize is null");
  std::fill_n(workSize, std::max<size_t>(Found->Gpus.size(), 1), 0);
  return CUFFT_SUCCESS;
}
