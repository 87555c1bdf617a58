// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels of connected regions, of one image or of a batch, and watersheds (libnppif).
#ifndef HEDDLE_NPP_REGIONS_H
#define HEDDLE_NPP_REGIONS_H

#include "declare.h"

#define HEDDLE_NPP_P_regionSize() NppiSize oSizeROI, int *hpBufferSize
#define HEDDLE_NPP_A_regionSize oSizeROI, hpBufferSize
#define HEDDLE_NPP_P_regionSizeT() NppiSize oSizeROI, size_t *hpDeviceMemoryBufferSize
#define HEDDLE_NPP_A_regionSizeT oSizeROI, hpDeviceMemoryBufferSize
#define HEDDLE_NPP_P_labels(S)                                                                     \
  S *pSrc, int nSrcStep, Npp32u *pDst, int nDstStep, NppiSize oSizeROI, NppiNorm eNorm,            \
      Npp8u *pBuffer
#define HEDDLE_NPP_A_labels pSrc, nSrcStep, pDst, nDstStep, oSizeROI, eNorm, pBuffer
#define HEDDLE_NPP_P_compressSize() int nStartingNumber, int *hpBufferSize
#define HEDDLE_NPP_A_compressSize nStartingNumber, hpBufferSize
#define HEDDLE_NPP_P_compress()                                                                    \
  Npp32u *pSrcDst, int nSrcDstStep, NppiSize oSizeROI, int nStartingNumber, int *pNewNumber,       \
      Npp8u *pBuffer
#define HEDDLE_NPP_A_compress pSrcDst, nSrcDstStep, oSizeROI, nStartingNumber, pNewNumber, pBuffer

/* Of a batch: lists in device memory. oSizeROI is of all images, or in the forms that are named
 * Advanced as large as the largest of those that the destinations' list has. */
#define HEDDLE_NPP_P_labelsBatch()                                                                 \
  const NppiImageDescriptor *pSrcBatchList, NppiImageDescriptor *pDstBatchList, int nBatchSize,    \
      NppiSize oSizeROI, NppiNorm eNorm
#define HEDDLE_NPP_A_labelsBatch pSrcBatchList, pDstBatchList, nBatchSize, oSizeROI, eNorm
#define HEDDLE_NPP_P_compressBatch()                                                               \
  NppiImageDescriptor *pSrcDstBatchList, NppiBufferDescriptor *pBufferList,                        \
      unsigned int *pNewMaxLabelIDList, int nBatchSize, NppiSize oSizeROI, int nPerImageBufferSize
#define HEDDLE_NPP_A_compressBatch                                                                 \
  pSrcDstBatchList, pBufferList, pNewMaxLabelIDList, nBatchSize, oSizeROI, nPerImageBufferSize

/* What labels that were renumbered name: the regions and their contours. */
#define HEDDLE_NPP_P_infoSize() unsigned int nMaxMarkerLabelID, unsigned int *hpBufferSize
#define HEDDLE_NPP_A_infoSize nMaxMarkerLabelID, hpBufferSize
#define HEDDLE_NPP_P_labelsInfo()                                                                  \
  Npp32u *pCompressedMarkerLabels, Npp32s nCompressedMarkerLabelsStep, NppiSize oSizeROI,          \
      unsigned int nMaxMarkerLabelID, NppiCompressedMarkerLabelsInfo *pMarkerLabelsInfoList,       \
      Npp8u *pContoursImage, Npp32s nContoursImageStep,                                            \
      NppiContourPixelDirectionInfo *pContoursDirectionImage, Npp32s nContoursDirectionImageStep,  \
      NppiContourTotalsInfo *pContoursTotalsInfoHost, Npp32u *pContoursPixelCountsListDev,         \
      Npp32u *pContoursPixelCountsListHost, Npp32u *pContoursPixelStartingOffsetDev,               \
      Npp32u *pContoursPixelStartingOffsetHost
#define HEDDLE_NPP_A_labelsInfo                                                                    \
  pCompressedMarkerLabels, nCompressedMarkerLabelsStep, oSizeROI, nMaxMarkerLabelID,               \
      pMarkerLabelsInfoList, pContoursImage, nContoursImageStep, pContoursDirectionImage,          \
      nContoursDirectionImageStep, pContoursTotalsInfoHost, pContoursPixelCountsListDev,           \
      pContoursPixelCountsListHost, pContoursPixelStartingOffsetDev,                               \
      pContoursPixelStartingOffsetHost
#define HEDDLE_NPPI_LABELS_INFO_SIZES(X)                                                           \
  X(nppiCompressedMarkerLabelsUFGetInfoListSize_32u_C1R, infoSize, (), 0)
#define HEDDLE_NPPI_LABELS_INFO(X) X(nppiCompressedMarkerLabelsUFInfo_32u_C1R, labelsInfo, (), 0)

#define HEDDLE_NPP_P_watershed(S)                                                                  \
  S *pSrcDst, Npp32s nSrcDstStep, Npp32u *pMarkerLabels, Npp32s nMarkerLabelsStep, NppiNorm eNorm, \
      NppiWatershedSegmentBoundaryType eBoundaryType, NppiSize oSizeROI,                           \
      Npp8u *pDeviceMemoryBuffer
#define HEDDLE_NPP_A_watershed                                                                     \
  pSrcDst, nSrcDstStep, pMarkerLabels, nMarkerLabelsStep, eNorm, eBoundaryType, oSizeROI,          \
      pDeviceMemoryBuffer

#define HEDDLE_NPPI_LABELS_SIZES(X)                                                                \
  X(nppiLabelMarkersUFGetBufferSize_32u_C1R, regionSize, (), 4)                                    \
  X(nppiCompressMarkerLabelsGetBufferSize_32u_C1R, compressSize, (), 0)
#define HEDDLE_NPPI_LABELS(X)                                                                      \
  X(nppiLabelMarkersUF_8u32u_C1R, labels, (Npp8u), 0)                                              \
  X(nppiLabelMarkersUF_16u32u_C1R, labels, (Npp16u), 0)                                            \
  X(nppiLabelMarkersUF_32u_C1R, labels, (Npp32u), 0)                                               \
  X(nppiLabelMarkersUFBatch_8u32u_C1R, labelsBatch, (), Type::U8, false)                           \
  X(nppiLabelMarkersUFBatch_16u32u_C1R, labelsBatch, (), Type::U16, false)                         \
  X(nppiLabelMarkersUFBatch_32u_C1R, labelsBatch, (), Type::U32, false)                            \
  X(nppiLabelMarkersUFBatch_8u32u_C1R_Advanced, labelsBatch, (), Type::U8, true)                   \
  X(nppiLabelMarkersUFBatch_16u32u_C1R_Advanced, labelsBatch, (), Type::U16, true)                 \
  X(nppiLabelMarkersUFBatch_32u_C1R_Advanced, labelsBatch, (), Type::U32, true)                    \
  X(nppiCompressMarkerLabelsUF_32u_C1IR, compress, (), 0)                                          \
  X(nppiCompressMarkerLabelsUFBatch_32u_C1IR, compressBatch, (), false)                            \
  X(nppiCompressMarkerLabelsUFBatch_32u_C1IR_Advanced, compressBatch, (), true)

#define HEDDLE_NPPI_WATERSHED_SIZES(X)                                                             \
  X(nppiSegmentWatershedGetBufferSize_8u_C1R, regionSizeT, (), 8)                                  \
  X(nppiSegmentWatershedGetBufferSize_16u_C1R, regionSizeT, (), 8)
#define HEDDLE_NPPI_WATERSHED(X)                                                                   \
  X(nppiSegmentWatershed_8u_C1IR, watershed, (Npp8u), 0)                                           \
  X(nppiSegmentWatershed_16u_C1IR, watershed, (Npp16u), 0)

#endif
