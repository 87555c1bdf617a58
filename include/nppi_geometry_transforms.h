// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Geometric transforms (libnppig): nppiResize, ResizeSqrPixel, Remap, Rotate, Mirror, WarpAffine,
// WarpAffineBack, WarpAffineQuad, WarpPerspective, WarpPerspectiveBack, WarpPerspectiveQuad, and
// the functions on their coefficients.
#ifndef NV_NPPI_GEOMETRY_TRANSFORMS_H
#define NV_NPPI_GEOMETRY_TRANSFORMS_H

#include "__npp/declare.h"

#define HEDDLE_NPP_P_resizeOf(S, D)                                                                \
  S pSrc, int nSrcStep, NppiSize oSrcSize, NppiRect oSrcRectROI, D pDst, int nDstStep,             \
      NppiSize oDstSize, NppiRect oDstRectROI, int eInterpolation
#define HEDDLE_NPP_A_resizeOf                                                                      \
  pSrc, nSrcStep, oSrcSize, oSrcRectROI, pDst, nDstStep, oDstSize, oDstRectROI, eInterpolation
// Most others begin and end in the same way.
#define HEDDLE_NPP_P_fromTo(S, D)                                                                  \
  S pSrc, NppiSize oSrcSize, int nSrcStep, NppiRect oSrcROI, D pDst, int nDstStep, NppiRect oDstROI
#define HEDDLE_NPP_A_fromTo pSrc, oSrcSize, nSrcStep, oSrcROI, pDst, nDstStep, oDstROI
#define HEDDLE_NPP_P_sqrPixel(S, D)                                                                \
  HEDDLE_NPP_P_fromTo(S, D), double nXFactor, double nYFactor, double nXShift, double nYShift,     \
      int eInterpolation
#define HEDDLE_NPP_A_sqrPixel                                                                      \
  HEDDLE_NPP_A_fromTo, nXFactor, nYFactor, nXShift, nYShift, eInterpolation
#define HEDDLE_NPP_P_rotate(S, D)                                                                  \
  HEDDLE_NPP_P_fromTo(S, D), double nAngle, double nShiftX, double nShiftY, int eInterpolation
#define HEDDLE_NPP_A_rotate HEDDLE_NPP_A_fromTo, nAngle, nShiftX, nShiftY, eInterpolation
#define HEDDLE_NPP_P_warp(S, D)                                                                    \
  HEDDLE_NPP_P_fromTo(S, D), const double(*aCoeffs)[3], int eInterpolation
#define HEDDLE_NPP_A_warp HEDDLE_NPP_A_fromTo, aCoeffs, eInterpolation
#define HEDDLE_NPP_P_warpQuad(S, D)                                                                \
  S pSrc, NppiSize oSrcSize, int nSrcStep, NppiRect oSrcROI, const double(*aSrcQuad)[2], D pDst,   \
      int nDstStep, NppiRect oDstROI, const double(*aDstQuad)[2], int eInterpolation
#define HEDDLE_NPP_A_warpQuad                                                                      \
  pSrc, oSrcSize, nSrcStep, oSrcROI, aSrcQuad, pDst, nDstStep, oDstROI, aDstQuad, eInterpolation
#define HEDDLE_NPP_P_remap(S, D, M)                                                                \
  S pSrc, NppiSize oSrcSize, int nSrcStep, NppiRect oSrcROI, const M *pXMap, int nXMapStep,        \
      const M *pYMap, int nYMapStep, D pDst, int nDstStep, NppiSize oDstSizeROI,                   \
      int eInterpolation
#define HEDDLE_NPP_A_remap                                                                         \
  pSrc, oSrcSize, nSrcStep, oSrcROI, pXMap, nXMapStep, pYMap, nYMapStep, pDst, nDstStep,           \
      oDstSizeROI, eInterpolation
#define HEDDLE_NPP_P_mirror(S)                                                                     \
  const S *pSrc, int nSrcStep, S *pDst, int nDstStep, NppiSize oROI, NppiAxis flip
#define HEDDLE_NPP_A_mirror pSrc, nSrcStep, pDst, nDstStep, oROI, flip
#define HEDDLE_NPP_P_mirrorI(S) S *pSrcDst, int nSrcDstStep, NppiSize oROI, NppiAxis flip
#define HEDDLE_NPP_A_mirrorI pSrcDst, nSrcDstStep, oROI, flip

// Packed pixels, and planes (P3, P4) of which there is an array of pointers in host memory.
#define HEDDLE_NPP_PACKED_AND_PLANES(X, name, shape, t, ...)                                       \
  X(name##_##t##_C1R, shape, (const Npp##t *, Npp##t *), C1, ##__VA_ARGS__)                        \
  X(name##_##t##_C3R, shape, (const Npp##t *, Npp##t *), C3, ##__VA_ARGS__)                        \
  X(name##_##t##_C4R, shape, (const Npp##t *, Npp##t *), C4, ##__VA_ARGS__)                        \
  X(name##_##t##_AC4R, shape, (const Npp##t *, Npp##t *), AC4, ##__VA_ARGS__)                      \
  X(name##_##t##_P3R, shape, (const Npp##t **, Npp##t **), P3, ##__VA_ARGS__)                      \
  X(name##_##t##_P4R, shape, (const Npp##t **, Npp##t **), P4, ##__VA_ARGS__)
#define HEDDLE_NPP_REMAP(X, t, M)                                                                  \
  X(nppiRemap_##t##_C1R, remap, (const Npp##t *, Npp##t *, M), C1)                                 \
  X(nppiRemap_##t##_C3R, remap, (const Npp##t *, Npp##t *, M), C3)                                 \
  X(nppiRemap_##t##_C4R, remap, (const Npp##t *, Npp##t *, M), C4)                                 \
  X(nppiRemap_##t##_AC4R, remap, (const Npp##t *, Npp##t *, M), AC4)                               \
  X(nppiRemap_##t##_P3R, remap, (const Npp##t **, Npp##t **, M), P3)                               \
  X(nppiRemap_##t##_P4R, remap, (const Npp##t **, Npp##t **, M), P4)
#define HEDDLE_NPP_WARP(X, t)                                                                      \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiWarpAffine, warp, t, Warp::Affine)                           \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiWarpAffineBack, warp, t, Warp::AffineBack)                   \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiWarpAffineQuad, warpQuad, t, Warp::Affine)                   \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiWarpPerspective, warp, t, Warp::Perspective)                 \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiWarpPerspectiveBack, warp, t, Warp::PerspectiveBack)         \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiWarpPerspectiveQuad, warpQuad, t, Warp::Perspective)
#define HEDDLE_NPP_MIRROR(X, op, t, c)                                                             \
  X(nppiMirror_##t##_##c##R, mirror, (Npp##t), c) X(nppiMirror_##t##_##c##IR, mirrorI, (Npp##t), c)
#define HEDDLE_NPPI_GEOMETRY(X)                                                                    \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiResize, resizeOf, 8u)                                        \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiResize, resizeOf, 16u)                                       \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiResize, resizeOf, 16s)                                       \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiResize, resizeOf, 32f)                                       \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiResizeSqrPixel, sqrPixel, 8u)                                \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiResizeSqrPixel, sqrPixel, 16u)                               \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiResizeSqrPixel, sqrPixel, 16s)                               \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiResizeSqrPixel, sqrPixel, 32f)                               \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiResizeSqrPixel, sqrPixel, 64f)                               \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiRotate, rotate, 8u)                                          \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiRotate, rotate, 16u)                                         \
  HEDDLE_NPP_PACKED_AND_PLANES(X, nppiRotate, rotate, 32f)                                         \
  HEDDLE_NPP_REMAP(X, 8u, Npp32f)                                                                  \
  HEDDLE_NPP_REMAP(X, 16u, Npp32f)                                                                 \
  HEDDLE_NPP_REMAP(X, 16s, Npp32f)                                                                 \
  HEDDLE_NPP_REMAP(X, 32f, Npp32f)                                                                 \
  HEDDLE_NPP_REMAP(X, 64f, Npp64f)                                                                 \
  HEDDLE_NPP_WARP(X, 8u)                                                                           \
  HEDDLE_NPP_WARP(X, 16u)                                                                          \
  HEDDLE_NPP_WARP(X, 32s)                                                                          \
  HEDDLE_NPP_WARP(X, 32f)                                                                          \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MIRROR, X, , 8u)                                                     \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MIRROR, X, , 16u)                                                    \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MIRROR, X, , 16s)                                                    \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MIRROR, X, , 32s)                                                    \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MIRROR, X, , 32f)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPI_GEOMETRY(HEDDLE_NPP_DECLARE)

NppStatus nppiGetResizeRect(NppiRect oSrcROI, NppiRect *pDstRect, double nXFactor, double nYFactor,
                            double nXShift, double nYShift, int eInterpolation);
NppStatus nppiGetRotateQuad(NppiRect oSrcROI, double (*aQuad)[2], double nAngle, double nShiftX,
                            double nShiftY);
NppStatus nppiGetRotateBound(NppiRect oSrcROI, double (*aBoundingBox)[2], double nAngle,
                             double nShiftX, double nShiftY);
NppStatus nppiGetAffineTransform(NppiRect oSrcROI, const double (*aQuad)[2], double (*aCoeffs)[3]);
NppStatus nppiGetAffineQuad(NppiRect oSrcROI, double (*aQuad)[2], const double (*aCoeffs)[3]);
NppStatus nppiGetAffineBound(NppiRect oSrcROI, double (*aBound)[2], const double (*aCoeffs)[3]);
NppStatus nppiGetPerspectiveTransform(NppiRect oSrcROI, const double (*quad)[2],
                                      double (*aCoeffs)[3]);
NppStatus nppiGetPerspectiveQuad(NppiRect oSrcROI, double (*quad)[2], const double (*aCoeffs)[3]);
NppStatus nppiGetPerspectiveBound(NppiRect oSrcROI, double (*bound)[2], const double (*aCoeffs)[3]);
#ifdef __cplusplus
}
#endif

#endif
