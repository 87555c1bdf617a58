// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppif: what labels of connected regions name, and contours.
#pragma GCC visibility push(default)
#include <nppi_filtering_functions.h>
#pragma GCC visibility pop

#include "kernels/contours.h"
#include "scratch.h"

#include <algorithm>
#include <vector>

namespace heddle::npp {
namespace {

using Region = NppiCompressedMarkerLabelsInfo;

NppStatus infoSize(const Call &call, int, unsigned count, unsigned *bytes) {
  if (const NppStatus status = checkNotNull(call, {bytes}))
    return status;
  if (count < 1 || double(count) * sizeof(Region) > NPP_MAX_32U)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "there are no labels or too many");
  *bytes = count * unsigned(sizeof(Region));
  return NPP_SUCCESS;
}

/// What the host is to know, which waits for the stream.
cudaError_t tellHost(const Call &call, const LabelsInfo &work, NppiContourTotalsInfo *totals,
                     Npp32u *counts, Npp32u *offsets) {
  std::vector<Region> regions(work.count);
  if (const cudaError_t error =
          cudaMemcpyAsync(regions.data(), work.regions, regions.size() * sizeof(Region),
                          cudaMemcpyDeviceToHost, call.stream))
    return error;
  if (const cudaError_t error = cudaStreamSynchronize(call.stream))
    return error;
  NppiContourTotalsInfo sums{};
  for (unsigned i = 0; i < work.count; ++i) {
    const Npp32u pixels = regions[i].nContourPixelCount;
    if (counts)
      counts[i] = pixels;
    if (offsets)
      offsets[i] = sums.nTotalImagePixelContourCount;
    sums.nTotalImagePixelContourCount += pixels;
    sums.nLongestImageContourPixelCount = std::max(sums.nLongestImageContourPixelCount, pixels);
  }
  if (offsets)
    offsets[work.count] = sums.nTotalImagePixelContourCount;
  if (totals)
    *totals = sums;
  return cudaSuccess;
}

NppStatus labelsInfo(const Call &call, int, Npp32u *labels, int labels_step, NppiSize size,
                     unsigned count, Region *regions, Npp8u *contours, int contours_step,
                     NppiContourPixelDirectionInfo *directions, int directions_step,
                     NppiContourTotalsInfo *totals, Npp32u *counts, Npp32u *counts_on_host,
                     Npp32u *offsets, Npp32u *offsets_on_host) {
  if (const NppStatus status = checkImages(call, {{labels, labels_step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {regions}))
    return status;
  if (count < 1)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "there are no labels");
  if (double(size.width) * size.height >= NPP_MAX_32U)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the region has too many pixels");
  if ((contours && contours_step < size.width) ||
      (directions && directions_step < double(size.width) * sizeof *directions))
    return HEDDLE_NPP_REFUSE(call, NPP_STEP_ERROR, "a result's rows are shorter than the region's");
  LabelsInfo work;
  work.labels = operand(labels, labels_step);
  work.contours = operand(contours, contours_step);
  work.directions = {reinterpret_cast<char *>(directions), directions_step, Type::U8};
  work.width = size.width;
  work.height = size.height;
  work.count = count;
  work.regions = regions;
  work.counts = counts;
  work.offsets = offsets;
  cudaError_t error = launch(work, call.stream);
  if (!error && (totals || counts_on_host || offsets_on_host))
    error = tellHost(call, work, totals, counts_on_host, offsets_on_host);
  return finish(call, error);
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_LABELS_INFO_SIZES(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_LABELS_INFO(HEDDLE_NPP_DEFINE)
