// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours (libnppicc): conversions between RGB or BGR and YUV, YCbCr (also of BT.709), YCC, XYZ,
// LUV, Lab, HLS, HSV, packed, in planes, and with fewer chroma samples (422, 420, NV12, NV21);
// nppiRGBToGray, ColorToGray, ColorTwist, Gamma, and look-up tables (nppiLUT, LUT_Linear,
// LUT_Cubic, LUTPalette).
#ifndef NV_NPPI_COLOR_CONVERSION_H
#define NV_NPPI_COLOR_CONVERSION_H

#include "__npp/declare.h"

// C: packed pixels; P: planes with one step, P4 of four; S: planes with a step each.
#define HEDDLE_NPP_P_ccCC(T) const T *pSrc, int nSrcStep, T *pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_ccCC pSrc, nSrcStep, pDst, nDstStep, oSizeROI
#define HEDDLE_NPP_P_ccPP(T)                                                                       \
  const T *const *pSrc, int nSrcStep, T **pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_ccPP HEDDLE_NPP_A_ccCC
#define HEDDLE_NPP_P_ccCP(T) const T *pSrc, int nSrcStep, T **pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_ccCP HEDDLE_NPP_A_ccCC
#define HEDDLE_NPP_P_ccPC(T)                                                                       \
  const T *const *pSrc, int nSrcStep, T *pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_ccPC HEDDLE_NPP_A_ccCC
#define HEDDLE_NPP_P_ccPCA(T) HEDDLE_NPP_P_ccPC(T), T nAval
#define HEDDLE_NPP_A_ccPCA HEDDLE_NPP_A_ccCC, nAval
#define HEDDLE_NPP_P_ccCS(T) const T *pSrc, int nSrcStep, T **pDst, int *rDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_ccCS pSrc, nSrcStep, pDst, rDstStep, oSizeROI
#define HEDDLE_NPP_P_ccPS(T)                                                                       \
  const T *const *pSrc, int nSrcStep, T **pDst, int *rDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_ccPS HEDDLE_NPP_A_ccCS
#define HEDDLE_NPP_P_ccSC(T)                                                                       \
  const T *const *pSrc, int *rSrcStep, T *pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_ccSC pSrc, rSrcStep, pDst, nDstStep, oSizeROI
#define HEDDLE_NPP_P_ccSP(T)                                                                       \
  const T *const *pSrc, int *rSrcStep, T **pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_ccSP HEDDLE_NPP_A_ccSC

// X(name, shape, (type), what, source layout, destination layout)
#define HEDDLE_NPP_CC(X, name, what, layouts, shape, from, to)                                     \
  X(nppi##name##_8u_##layouts##R, shape, (Npp8u), what, Layout::from, Layout::to)
// From RGB or BGR to another model of three channels, and back
#define HEDDLE_NPP_CC_PACKED(X, A, B, what, back)                                                  \
  HEDDLE_NPP_CC(X, A##To##B, what, C3, ccCC, C3, C3)                                               \
  HEDDLE_NPP_CC(X, A##To##B, what, AC4, ccCC, AC4, AC4)                                            \
  HEDDLE_NPP_CC(X, B##To##A, back, C3, ccCC, C3, C3)                                               \
  HEDDLE_NPP_CC(X, B##To##A, back, AC4, ccCC, AC4, AC4)
#define HEDDLE_NPP_CC_PLANES(X, A, B, what, back)                                                  \
  HEDDLE_NPP_CC(X, A##To##B, what, P3, ccPP, P3, P3)                                               \
  HEDDLE_NPP_CC(X, A##To##B, what, C3P3, ccCP, C3, P3)                                             \
  HEDDLE_NPP_CC(X, B##To##A, back, P3, ccPP, P3, P3)                                               \
  HEDDLE_NPP_CC(X, B##To##A, back, P3C3, ccPC, P3, C3)
#define HEDDLE_NPPI_MODELS(X)                                                                      \
  HEDDLE_NPP_CC_PACKED(X, RGB, YUV, RgbToYuv, YuvToRgb)                                            \
  HEDDLE_NPP_CC_PLANES(X, RGB, YUV, RgbToYuv, YuvToRgb)                                            \
  HEDDLE_NPP_CC_PACKED(X, BGR, YUV, BgrToYuv, YuvToBgr)                                            \
  HEDDLE_NPP_CC_PLANES(X, BGR, YUV, BgrToYuv, YuvToBgr)                                            \
  HEDDLE_NPP_CC_PACKED(X, RGB, YCbCr, RgbToYcbcr, YcbcrToRgb)                                      \
  HEDDLE_NPP_CC_PLANES(X, RGB, YCbCr, RgbToYcbcr, YcbcrToRgb)                                      \
  HEDDLE_NPP_CC(X, BGRToYCbCr, BgrToYcbcr, C3P3, ccCP, C3, P3)                                     \
  HEDDLE_NPP_CC(X, YCbCrToBGR, YcbcrToBgr, P3C3, ccPC, P3, C3)                                     \
  X(nppiYCbCrToRGB_8u_P3C4R, ccPCA, (Npp8u), YcbcrToRgb, Layout::P3, Layout::C4)                   \
  X(nppiYCbCrToBGR_8u_P3C4R, ccPCA, (Npp8u), YcbcrToBgr, Layout::P3, Layout::C4)                   \
  X(nppiBGRToYCbCr_709CSC_8u_C3P3R, ccCP, (Npp8u), BgrTo709, Layout::C3, Layout::P3)               \
  X(nppiYCbCrToBGR_709CSC_8u_P3C3R, ccPC, (Npp8u), From709ToBgr, Layout::P3, Layout::C3)           \
  HEDDLE_NPP_CC_PACKED(X, RGB, YCC, RgbToYcc, YccToRgb)                                            \
  HEDDLE_NPP_CC_PACKED(X, RGB, XYZ, RgbToXyz, XyzToRgb)                                            \
  HEDDLE_NPP_CC_PACKED(X, RGB, LUV, RgbToLuv, LuvToRgb)                                            \
  HEDDLE_NPP_CC_PACKED(X, RGB, HLS, RgbToHls, HlsToRgb)                                            \
  HEDDLE_NPP_CC_PACKED(X, RGB, HSV, RgbToHsv, HsvToRgb)                                            \
  HEDDLE_NPP_CC(X, BGRToLab, BgrToLab, C3, ccCC, C3, C3)                                           \
  HEDDLE_NPP_CC(X, LabToBGR, LabToBgr, C3, ccCC, C3, C3)

// Fewer chroma samples: planes of half the width (422) or of half the width and height (420),
// packed pairs of pixels (C2: Y0 U Y1 V), chroma pairs in a second plane (NV12, NV21).
#define HEDDLE_NPP_CC_420(X, Y, toRgb, toBgr, fromRgb, fromBgr)                                    \
  HEDDLE_NPP_CC(X, RGBTo##Y##420, fromRgb, C3P3, ccCS, C3, P420)                                   \
  HEDDLE_NPP_CC(X, BGRTo##Y##420, fromBgr, C3P3, ccCS, C3, P420)                                   \
  HEDDLE_NPP_CC(X, Y##420ToRGB, toRgb, P3C3, ccSC, P420, C3)                                       \
  HEDDLE_NPP_CC(X, Y##420ToBGR, toBgr, P3C3, ccSC, P420, C3)                                       \
  HEDDLE_NPP_CC(X, RGBTo##Y##422, fromRgb, C3C2, ccCC, C3, Yuyv)                                   \
  HEDDLE_NPP_CC(X, Y##422ToRGB, toRgb, C2C3, ccCC, Yuyv, C3)
#define HEDDLE_NPP_CC_NV(X, name, what, layout)                                                    \
  X(nppi##name##_8u_P2C3R, ccPC, (Npp8u), what, Layout::layout, Layout::C3)
#define HEDDLE_NPPI_SUBSAMPLED(X)                                                                  \
  HEDDLE_NPP_CC_420(X, YUV, YuvToRgb, YuvToBgr, RgbToYuv, BgrToYuv)                                \
  HEDDLE_NPP_CC_420(X, YCbCr, YcbcrToRgb, YcbcrToBgr, RgbToYcbcr, BgrToYcbcr)                      \
  HEDDLE_NPP_CC(X, RGBToYUV420, RgbToYuv, P3, ccPS, P3, P420)                                      \
  HEDDLE_NPP_CC(X, YUV420ToRGB, YuvToRgb, P3, ccSP, P420, P3)                                      \
  HEDDLE_NPP_CC(X, YUV420ToRGB, YuvToRgb, P3C4, ccSC, P420, C4)                                    \
  HEDDLE_NPP_CC(X, YUV420ToRGB, YuvToRgb, P3AC4, ccSC, P420, AC4)                                  \
  HEDDLE_NPP_CC(X, YUV420ToBGR, YuvToBgr, P3C4, ccSC, P420, C4)                                    \
  HEDDLE_NPP_CC(X, RGBToYUV422, RgbToYuv, C3P3, ccCS, C3, P422)                                    \
  HEDDLE_NPP_CC(X, RGBToYUV422, RgbToYuv, P3, ccPS, P3, P422)                                      \
  HEDDLE_NPP_CC(X, YUV422ToRGB, YuvToRgb, P3C3, ccSC, P422, C3)                                    \
  HEDDLE_NPP_CC(X, YUV422ToRGB, YuvToRgb, P3, ccSP, P422, P3)                                      \
  HEDDLE_NPP_CC(X, RGBToYCbCr422, RgbToYcbcr, C3P3, ccCS, C3, P422)                                \
  HEDDLE_NPP_CC(X, YCbCr422ToRGB, YcbcrToRgb, P3C3, ccSC, P422, C3)                                \
  HEDDLE_NPP_CC_NV(X, NV12ToRGB, YuvToRgb, Nv12)                                                   \
  HEDDLE_NPP_CC_NV(X, NV12ToBGR, YuvToBgr, Nv12)                                                   \
  HEDDLE_NPP_CC_NV(X, NV12ToRGB_709CSC, From709ToRgb, Nv12)                                        \
  HEDDLE_NPP_CC_NV(X, NV12ToBGR_709CSC, From709ToBgr, Nv12)                                        \
  HEDDLE_NPP_CC_NV(X, NV12ToRGB_709HDTV, HdtvToRgb, Nv12)                                          \
  HEDDLE_NPP_CC_NV(X, NV12ToBGR_709HDTV, HdtvToBgr, Nv12)                                          \
  HEDDLE_NPP_CC(X, NV21ToRGB, YuvToRgb, P2C4, ccPC, Nv21, C4)                                      \
  HEDDLE_NPP_CC(X, NV21ToBGR, YuvToBgr, P2C4, ccPC, Nv21, C4)                                      \
  HEDDLE_NPP_CC(X, NV12ToYUV420, Same, P2P3, ccPS, Nv12, P420)

// ---- gray: nppiRGBToGray_8u_C3C1R, nppiColorToGray_8u_C3C1R(..., aCoeffs), twists (..., aTwist)
#define HEDDLE_NPP_P_gray(S) HEDDLE_NPP_P_unary(S, S)
#define HEDDLE_NPP_A_gray HEDDLE_NPP_A_unary
#define HEDDLE_NPP_P_anyGray(S) HEDDLE_NPP_P_unary(S, S), const Npp32f *aCoeffs
#define HEDDLE_NPP_A_anyGray HEDDLE_NPP_A_unary, aCoeffs
#define HEDDLE_NPP_P_twist(S) HEDDLE_NPP_P_unary(S, S), const Npp32f(*aTwist)[4]
#define HEDDLE_NPP_A_twist HEDDLE_NPP_A_unary, aTwist
#define HEDDLE_NPP_P_twistI(S) HEDDLE_NPP_P_unaryI(S), const Npp32f(*aTwist)[4]
#define HEDDLE_NPP_A_twistI HEDDLE_NPP_A_unaryI, aTwist
#define HEDDLE_NPP_P_twistP(S)                                                                     \
  const S *const *pSrc, int nSrcStep, S **pDst, int nDstStep, NppiSize oSizeROI,                   \
      const Npp32f(*aTwist)[4]
#define HEDDLE_NPP_A_twistP HEDDLE_NPP_A_twist
#define HEDDLE_NPP_GRAY(X, t)                                                                      \
  X(nppiRGBToGray_##t##_C3C1R, gray, (Npp##t), Layout::C3)                                         \
  X(nppiRGBToGray_##t##_AC4C1R, gray, (Npp##t), Layout::AC4)                                       \
  X(nppiColorToGray_##t##_C3C1R, anyGray, (Npp##t), Layout::C3, 3)                                 \
  X(nppiColorToGray_##t##_AC4C1R, anyGray, (Npp##t), Layout::AC4, 3)                               \
  X(nppiColorToGray_##t##_C4C1R, anyGray, (Npp##t), Layout::C4, 4)
#define HEDDLE_NPP_TWIST(X, name, t)                                                               \
  X(nppi##name##_##t##_C1R, twist, (Npp##t), Layout::C1)                                           \
  X(nppi##name##_##t##_C2R, twist, (Npp##t), Layout::C2)                                           \
  X(nppi##name##_##t##_C3R, twist, (Npp##t), Layout::C3)                                           \
  X(nppi##name##_##t##_AC4R, twist, (Npp##t), Layout::AC4)                                         \
  X(nppi##name##_##t##_C1IR, twistI, (Npp##t), Layout::C1)                                         \
  X(nppi##name##_##t##_C2IR, twistI, (Npp##t), Layout::C2)                                         \
  X(nppi##name##_##t##_C3IR, twistI, (Npp##t), Layout::C3)                                         \
  X(nppi##name##_##t##_AC4IR, twistI, (Npp##t), Layout::AC4)                                       \
  X(nppi##name##_##t##_P3R, twistP, (Npp##t), Layout::P3)
#define HEDDLE_NPPI_GRAY(X)                                                                        \
  HEDDLE_NPP_GRAY(X, 8u)                                                                           \
  HEDDLE_NPP_GRAY(X, 16u)                                                                          \
  HEDDLE_NPP_GRAY(X, 16s)                                                                          \
  HEDDLE_NPP_GRAY(X, 32f)                                                                          \
  HEDDLE_NPP_TWIST(X, ColorTwist32f, 8u)                                                           \
  HEDDLE_NPP_TWIST(X, ColorTwist32f, 8s)                                                           \
  HEDDLE_NPP_TWIST(X, ColorTwist32f, 16u)                                                          \
  HEDDLE_NPP_TWIST(X, ColorTwist32f, 16s)                                                          \
  HEDDLE_NPP_TWIST(X, ColorTwist, 32f)

// ---- look-up tables in device memory: values and the levels where they begin; several channels
// have arrays of pointers in host memory
#define HEDDLE_NPP_P_lut(S, V)                                                                     \
  HEDDLE_NPP_P_unary(S, S), const V *pValues, const V *pLevels, int nLevels
#define HEDDLE_NPP_A_lut HEDDLE_NPP_A_unary, pValues, pLevels, nLevels
#define HEDDLE_NPP_P_lutI(S, V)                                                                    \
  HEDDLE_NPP_P_unaryI(S), const V *pValues, const V *pLevels, int nLevels
#define HEDDLE_NPP_A_lutI HEDDLE_NPP_A_unaryI, pValues, pLevels, nLevels
#define HEDDLE_NPP_P_luts(S, V)                                                                    \
  HEDDLE_NPP_P_unary(S, S), const V **pValues, const V **pLevels, int *nLevels
#define HEDDLE_NPP_A_luts HEDDLE_NPP_A_lut
#define HEDDLE_NPP_P_lutsI(S, V)                                                                   \
  HEDDLE_NPP_P_unaryI(S), const V **pValues, const V **pLevels, int *nLevels
#define HEDDLE_NPP_A_lutsI HEDDLE_NPP_A_lutI
#define HEDDLE_NPP_P_palette(S, D) HEDDLE_NPP_P_unary(S, D), const D *pTable, int nBitSize
#define HEDDLE_NPP_A_palette HEDDLE_NPP_A_unary, pTable, nBitSize
#define HEDDLE_NPP_P_palettes(S) HEDDLE_NPP_P_unary(S, S), const S **pTables, int nBitSize
#define HEDDLE_NPP_A_palettes HEDDLE_NPP_A_unary, pTables, nBitSize
#define HEDDLE_NPP_LUT_OF(X, name, t, V, how)                                                      \
  X(nppi##name##_##t##_C1R, lut, (Npp##t, V), how)                                                 \
  X(nppi##name##_##t##_C1IR, lutI, (Npp##t, V), how)                                               \
  X(nppi##name##_##t##_C3R, luts, (Npp##t, V), how, C3)                                            \
  X(nppi##name##_##t##_C3IR, lutsI, (Npp##t, V), how, C3)                                          \
  X(nppi##name##_##t##_C4R, luts, (Npp##t, V), how, C4)                                            \
  X(nppi##name##_##t##_C4IR, lutsI, (Npp##t, V), how, C4)                                          \
  X(nppi##name##_##t##_AC4R, luts, (Npp##t, V), how, AC4)                                          \
  X(nppi##name##_##t##_AC4IR, lutsI, (Npp##t, V), how, AC4)
#define HEDDLE_NPP_LUT_TYPES(X, name, how)                                                         \
  HEDDLE_NPP_LUT_OF(X, name, 8u, Npp32s, how)                                                      \
  HEDDLE_NPP_LUT_OF(X, name, 16u, Npp32s, how)                                                     \
  HEDDLE_NPP_LUT_OF(X, name, 16s, Npp32s, how)                                                     \
  HEDDLE_NPP_LUT_OF(X, name, 32f, Npp32f, how)
#define HEDDLE_NPP_GAMMA(X, what)                                                                  \
  X(nppiGamma##what##_8u_C3R, gamma, (Npp8u), what, C3)                                            \
  X(nppiGamma##what##_8u_C3IR, gammaI, (Npp8u), what, C3)                                          \
  X(nppiGamma##what##_8u_AC4R, gamma, (Npp8u), what, AC4)                                          \
  X(nppiGamma##what##_8u_AC4IR, gammaI, (Npp8u), what, AC4)
#define HEDDLE_NPP_P_gamma(S) HEDDLE_NPP_P_unary(S, S)
#define HEDDLE_NPP_A_gamma HEDDLE_NPP_A_unary
#define HEDDLE_NPP_P_gammaI(S) HEDDLE_NPP_P_unaryI(S)
#define HEDDLE_NPP_A_gammaI HEDDLE_NPP_A_unaryI
#define HEDDLE_NPPI_TABLES(X)                                                                      \
  HEDDLE_NPP_LUT_TYPES(X, LUT, Lookup::Steps)                                                      \
  HEDDLE_NPP_LUT_TYPES(X, LUT_Linear, Lookup::Linear)                                              \
  HEDDLE_NPP_LUT_TYPES(X, LUT_Cubic, Lookup::Cubic)                                                \
  X(nppiLUTPalette_8u_C1R, palette, (Npp8u, Npp8u), 0)                                             \
  X(nppiLUTPalette_8u32u_C1R, palette, (Npp8u, Npp32u), 0)                                         \
  X(nppiLUTPalette_16u_C1R, palette, (Npp16u, Npp16u), 0)                                          \
  X(nppiLUTPalette_16u8u_C1R, palette, (Npp16u, Npp8u), 0)                                         \
  X(nppiLUTPalette_16u32u_C1R, palette, (Npp16u, Npp32u), 0)                                       \
  X(nppiLUTPalette_8u_C3R, palettes, (Npp8u), C3)                                                  \
  X(nppiLUTPalette_8u_C4R, palettes, (Npp8u), C4)                                                  \
  X(nppiLUTPalette_8u_AC4R, palettes, (Npp8u), AC4)                                                \
  X(nppiLUTPalette_16u_C3R, palettes, (Npp16u), C3)                                                \
  X(nppiLUTPalette_16u_C4R, palettes, (Npp16u), C4)                                                \
  X(nppiLUTPalette_16u_AC4R, palettes, (Npp16u), AC4)                                              \
  HEDDLE_NPP_GAMMA(X, Fwd)                                                                         \
  HEDDLE_NPP_GAMMA(X, Inv)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPI_MODELS(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_SUBSAMPLED(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_GRAY(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_TABLES(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
