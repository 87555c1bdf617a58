// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact Euclidean distances to the nearest site (libnppif). A site is a pixel whose value is from
// nMinSiteValue to nMaxSiteValue; each result may be left out by a null pointer.
#ifndef HEDDLE_NPP_DISTANCE_H
#define HEDDLE_NPP_DISTANCE_H

#include "declare.h"

/* S: the image's type, M: that of the distances along the axes, D: of the distances. */
#define HEDDLE_NPP_P_distance(S, M, D)                                                             \
  S *pSrc, int nSrcStep, S nMinSiteValue, S nMaxSiteValue, Npp16s *pDstVoronoi,                    \
      int nDstVoronoiStep, Npp16s *pDstVoronoiIndices, int nDstVoronoiIndicesStep,                 \
      M *pDstVoronoiManhattanDistances, int nDstVoronoiManhattanDistancesStep, D *pDstTransform,   \
      int nDstTransformStep, NppiSize oSizeROI, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_distance                                                                      \
  pSrc, nSrcStep, nMinSiteValue, nMaxSiteValue, pDstVoronoi, nDstVoronoiStep, pDstVoronoiIndices,  \
      nDstVoronoiIndicesStep, pDstVoronoiManhattanDistances, nDstVoronoiManhattanDistancesStep,    \
      pDstTransform, nDstTransformStep, oSizeROI, pDeviceBuffer
#define HEDDLE_NPP_P_distance64(S, M)                                                              \
  HEDDLE_NPP_P_distance(S, M, Npp64f), Npp8u *pAntialiasingDeviceBuffer
#define HEDDLE_NPP_A_distance64 HEDDLE_NPP_A_distance, pAntialiasingDeviceBuffer

#define HEDDLE_NPP_DISTANCES(X, form, M, absolute)                                                 \
  X(nppiDistanceTransform##form##_8u16u_C1R, distance, (Npp8u, M, Npp16u), absolute)               \
  X(nppiDistanceTransform##form##_8s16u_C1R, distance, (Npp8s, M, Npp16u), absolute)               \
  X(nppiDistanceTransform##form##_16u16u_C1R, distance, (Npp16u, M, Npp16u), absolute)             \
  X(nppiDistanceTransform##form##_16s16u_C1R, distance, (Npp16s, M, Npp16u), absolute)             \
  X(nppiDistanceTransform##form##_8u32f_C1R, distance, (Npp8u, M, Npp32f), absolute)               \
  X(nppiDistanceTransform##form##_8s32f_C1R, distance, (Npp8s, M, Npp32f), absolute)               \
  X(nppiDistanceTransform##form##_16u32f_C1R, distance, (Npp16u, M, Npp32f), absolute)             \
  X(nppiDistanceTransform##form##_16s32f_C1R, distance, (Npp16s, M, Npp32f), absolute)             \
  X(nppiDistanceTransform##form##_8u64f_C1R, distance64, (Npp8u, M), absolute)                     \
  X(nppiDistanceTransform##form##_8s64f_C1R, distance64, (Npp8s, M), absolute)                     \
  X(nppiDistanceTransform##form##_16u64f_C1R, distance64, (Npp16u, M), absolute)                   \
  X(nppiDistanceTransform##form##_16s64f_C1R, distance64, (Npp16s, M), absolute)                   \
  X(nppiDistanceTransform##form##_32f64f_C1R, distance64, (Npp32f, M), absolute)                   \
  X(nppiDistanceTransform##form##_64f_C1R, distance64, (Npp64f, M), absolute)

#define HEDDLE_NPPI_DISTANCE_SIZES(X) X(nppiDistanceTransformPBAGetBufferSize, distanceSize, (), 0)
#define HEDDLE_NPPI_DISTANCE(X)                                                                    \
  HEDDLE_NPP_DISTANCES(X, PBA, Npp16s, false)                                                      \
  HEDDLE_NPP_DISTANCES(X, AbsPBA, Npp16u, true)
#define HEDDLE_NPP_P_distanceSize() NppiSize oSizeROI, size_t *hpBufferSize
#define HEDDLE_NPP_A_distanceSize oSizeROI, hpBufferSize

#endif
