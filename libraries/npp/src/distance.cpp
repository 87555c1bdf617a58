// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppif: distances to the nearest site.
#pragma GCC visibility push(default)
#include <nppi_filtering_functions.h>
#pragma GCC visibility pop

#include "kernels/distance.h"
#include "scratch.h"

namespace heddle::npp {
namespace {

constexpr int largest = 32767; // coordinates are Npp16s

NppStatus checkSize(const Call &call, NppiSize size) {
  if (size.width < 1 || size.height < 1 || size.width > largest || size.height > largest)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR,
                             "the region has no pixels, or more than 32767 in a row or column");
  return NPP_SUCCESS;
}

NppStatus distanceSize(const Call &call, int, NppiSize size, size_t *bytes) {
  if (const NppStatus status = checkSize(call, size))
    return status;
  return sizeTo(call, distance_bytes, size, bytes);
}

/// A result that is wanted, with rows long enough for `row` elements.
template <typename T>
NppStatus checkResult(const Call &call, const T *data, int step, int row, Operand &result) {
  if (data && step < row * int(sizeof(T)))
    return HEDDLE_NPP_REFUSE(call, NPP_STEP_ERROR, "a result's rows are shorter than the region's");
  result = operand(data, step);
  return NPP_SUCCESS;
}

template <typename S, typename M, typename D>
NppStatus distance(const Call &call, bool absolute, const S *src, int src_step, S low, S high,
                   Npp16s *voronoi, int voronoi_step, Npp16s *indices, int indices_step, M *along,
                   int along_step, D *transform, int transform_step, NppiSize size, Npp8u *buffer) {
  if (const NppStatus status = checkNotNull(call, {src, buffer}))
    return status;
  if (const NppStatus status = checkSize(call, size))
    return status;
  if (const NppStatus status = checkImages(call, {{src, src_step}}, size))
    return status;
  Distance work;
  const int pairs = 2 * size.width;
  for (const NppStatus status :
       {checkResult(call, voronoi, voronoi_step, pairs, work.voronoi),
        checkResult(call, indices, indices_step, pairs, work.indices),
        checkResult(call, along, along_step, pairs, work.along),
        checkResult(call, transform, transform_step, size.width, work.transform)})
    if (status)
      return status;
  work.src = operand(src, src_step);
  work.low = double(low);
  work.high = double(high);
  work.width = size.width;
  work.height = size.height;
  work.absolute = absolute;
  work.nearest = aligned<Npp16s>(buffer);
  work.lowest = work.nearest + size_t(size.width) * size.height;
  work.from = work.lowest + size_t(size.width) * size.height;
  return finish(call, launch(work, call.stream));
}

template <typename S, typename M>
NppStatus distance64(const Call &call, bool absolute, const S *src, int src_step, S low, S high,
                     Npp16s *voronoi, int voronoi_step, Npp16s *indices, int indices_step, M *along,
                     int along_step, Npp64f *transform, int transform_step, NppiSize size,
                     Npp8u *buffer, const Npp8u *antialiasing) {
  if (antialiasing)
    return HEDDLE_NPP_REFUSE(call, NPP_NOT_SUPPORTED_MODE_ERROR,
                             "antialiased distances are not supported");
  return distance(call, absolute, src, src_step, low, high, voronoi, voronoi_step, indices,
                  indices_step, along, along_step, transform, transform_step, size, buffer);
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_DISTANCE_SIZES(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_DISTANCE(HEDDLE_NPP_DEFINE)
