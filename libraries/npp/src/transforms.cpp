// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppig: resizing, mirroring, rotating, warping and remapping of images.
#pragma GCC visibility push(default)
#include <nppi_geometry_transforms.h>
#pragma GCC visibility pop

#include "call.h"
#include "kernels/geometry.h"
#include "kernels/move.h"
#include "matrices.h"

namespace heddle::npp {
namespace {

constexpr struct {
  int count;
} P3{3}, P4{4};
using Planes = decltype(P3);

enum class Warp { Affine, AffineBack, Perspective, PerspectiveBack };

bool empty(const NppiRect &r) { return r.width <= 0 || r.height <= 0; }

NppiRect intersect(const NppiRect &a, NppiSize size) {
  NppiRect r = a;
  r.x = std::max(a.x, 0);
  r.y = std::max(a.y, 0);
  r.width = std::min(a.x + a.width, size.width) - r.x;
  r.height = std::min(a.y + a.height, size.height) - r.y;
  return r;
}

NppStatus checkInterpolation(const Call &call, int mode, bool resizing) {
  switch (mode & ~NPPI_SMOOTH_EDGE) {
  case NPPI_INTER_NN:
  case NPPI_INTER_LINEAR:
  case NPPI_INTER_CUBIC:
  case NPPI_INTER_CUBIC2P_BSPLINE:
  case NPPI_INTER_CUBIC2P_CATMULLROM:
  case NPPI_INTER_CUBIC2P_B05C03:
  case NPPI_INTER_LANCZOS:
  case NPPI_INTER_LANCZOS3_ADVANCED:
    return NPP_SUCCESS;
  case NPPI_INTER_SUPER:
    if (resizing)
      return NPP_SUCCESS;
    [[fallthrough]];
  default:
    return HEDDLE_NPP_REFUSE(call, NPP_INTERPOLATION_ERROR, "no such interpolation mode");
  }
}

// Checks what all transforms have, and fills in where the pixels are.
template <typename T>
NppStatus prepare(const Call &call, Geometry &work, Channels channels, const T *src,
                  NppiSize src_size, int src_step, NppiRect src_roi, T *dst, int dst_step,
                  NppiRect dst_roi, int interpolation, bool resizing = false) {
  if (const NppStatus status = checkNotNull(call, {src, dst}))
    return status;
  if (src_size.width <= 0 || src_size.height <= 0)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the source has no pixels");
  if (empty(src_roi) || empty(dst_roi) || dst_roi.x < 0 || dst_roi.y < 0)
    return HEDDLE_NPP_REFUSE(call, NPP_RECTANGLE_ERROR, "a region has no pixels");
  const NppStatus status =
      checkImages(call, {{src, src_step}, {dst, dst_step}}, {dst_roi.width, dst_roi.height});
  if (status != NPP_SUCCESS)
    return status;
  if (const NppStatus wrong = checkInterpolation(call, interpolation, resizing))
    return wrong;
  work.src_roi = intersect(src_roi, src_size);
  if (empty(work.src_roi))
    return HEDDLE_NPP_REFUSE(call, NPP_WRONG_INTERSECTION_ROI_ERROR,
                             "the region lies outside the source");
  work.src = operand(src, src_step);
  work.dst = operand(dst, dst_step);
  work.channels = channels;
  work.dst_roi = dst_roi;
  work.interpolation = interpolation & ~NPPI_SMOOTH_EDGE;
  return NPP_SUCCESS;
}

NppStatus run(const Call &call, const Geometry &work) {
  return finish(call, launch(work, call.stream));
}

// dst = factor * src + shift for the pixels' corners, so centres are half a pixel off (NPP's
// documentation of ResizeSqrPixel).
void setScale(Geometry &work, double x_factor, double y_factor, double x_shift, double y_shift) {
  work.scale_x = 1 / x_factor;
  work.scale_y = 1 / y_factor;
  work.matrix[0] = work.scale_x;
  work.matrix[2] = -x_shift * work.scale_x - (1 - work.scale_x) * 0.5;
  work.matrix[4] = work.scale_y;
  work.matrix[5] = -y_shift * work.scale_y - (1 - work.scale_y) * 0.5;
  // Averages are for making smaller.
  if (work.interpolation == NPPI_INTER_SUPER && (x_factor > 1 || y_factor > 1))
    work.interpolation = NPPI_INTER_LINEAR;
}

template <typename T>
NppStatus resizeOf(const Call &call, Channels channels, const T *src, int src_step,
                   NppiSize src_size, NppiRect src_roi, T *dst, int dst_step, NppiSize dst_size,
                   NppiRect dst_roi, int interpolation) {
  Geometry work;
  if (const NppStatus status = prepare(call, work, channels, src, src_size, src_step, src_roi, dst,
                                       dst_step, dst_roi, interpolation, true))
    return status;
  work.dst_roi = intersect(dst_roi, dst_size);
  if (empty(work.dst_roi))
    return HEDDLE_NPP_REFUSE(call, NPP_WRONG_INTERSECTION_ROI_ERROR,
                             "the region lies outside the destination");
  const double x_factor = double(dst_roi.width) / src_roi.width;
  const double y_factor = double(dst_roi.height) / src_roi.height;
  setScale(work, x_factor, y_factor, dst_roi.x - src_roi.x * x_factor,
           dst_roi.y - src_roi.y * y_factor);
  if (work.interpolation != NPPI_INTER_SUPER) {
    // Where an H100 reads, which NVIDIA does not document: a quarter of a pixel to the left and up
    // for larger images, the left upper corner for smaller ones.
    work.matrix[2] = src_roi.x - dst_roi.x * work.scale_x - (x_factor > 1 ? 0.25 : 0);
    work.matrix[5] = src_roi.y - dst_roi.y * work.scale_y - (y_factor > 1 ? 0.25 : 0);
  }
  work.clamp = true;
  return run(call, work);
}

template <typename T>
NppStatus sqrPixel(const Call &call, Channels channels, const T *src, NppiSize src_size,
                   int src_step, NppiRect src_roi, T *dst, int dst_step, NppiRect dst_roi,
                   double x_factor, double y_factor, double x_shift, double y_shift,
                   int interpolation) {
  Geometry work;
  if (const NppStatus status = prepare(call, work, channels, src, src_size, src_step, src_roi, dst,
                                       dst_step, dst_roi, interpolation, true))
    return status;
  if (!(x_factor > 0) || !(y_factor > 0))
    return HEDDLE_NPP_REFUSE(call, NPP_RESIZE_FACTOR_ERROR, "a factor is not positive");
  setScale(work, x_factor, y_factor, x_shift, y_shift);
  // What lies outside the scaled source is left alone.
  auto clip = [](int &begin, int &size, double low, double high) {
    const int first = std::max(begin, int(std::floor(low + 0.5)));
    const int end = std::min(begin + size, int(std::floor(high + 0.5)));
    begin = first;
    size = end - first;
  };
  const NppiRect &from = work.src_roi;
  clip(work.dst_roi.x, work.dst_roi.width, from.x * x_factor + x_shift,
       (from.x + from.width) * x_factor + x_shift);
  clip(work.dst_roi.y, work.dst_roi.height, from.y * y_factor + y_shift,
       (from.y + from.height) * y_factor + y_shift);
  if (empty(work.dst_roi))
    return NPP_NO_OPERATION_WARNING;
  work.clamp = true;
  return run(call, work);
}

template <typename T>
NppStatus warpBy(const Call &call, Channels channels, const T *src, NppiSize src_size, int src_step,
                 NppiRect src_roi, T *dst, int dst_step, NppiRect dst_roi, const Matrix &to_source,
                 bool perspective, int interpolation) {
  Geometry work;
  if (const NppStatus status = prepare(call, work, channels, src, src_size, src_step, src_roi, dst,
                                       dst_step, dst_roi, interpolation))
    return status;
  std::copy(to_source.begin(), to_source.end(), work.matrix);
  work.perspective = perspective;
  return run(call, work);
}

NppStatus badCoefficients(const Call &call) {
  return HEDDLE_NPP_REFUSE(call, NPP_COEFFICIENT_ERROR, "the coefficients have no inverse");
}

// NPP turns counter-clockwise about the origin, then shifts.
Matrix rotation(double angle, double shift_x, double shift_y) {
  const double radians = angle * 3.14159265358979323846 / 180, c = std::cos(radians),
               s = std::sin(radians);
  return {c, s, shift_x, -s, c, shift_y, 0, 0, 1};
}

template <typename T>
NppStatus rotate(const Call &call, Channels channels, const T *src, NppiSize src_size, int src_step,
                 NppiRect src_roi, T *dst, int dst_step, NppiRect dst_roi, double angle,
                 double shift_x, double shift_y, int interpolation) {
  const Matrix back = *inverse(rotation(angle, shift_x, shift_y));
  return warpBy(call, channels, src, src_size, src_step, src_roi, dst, dst_step, dst_roi, back,
                false, interpolation);
}

template <typename T>
NppStatus warp(const Call &call, Channels channels, Warp how, const T *src, NppiSize src_size,
               int src_step, NppiRect src_roi, T *dst, int dst_step, NppiRect dst_roi,
               const double (*coefficients)[3], int interpolation) {
  if (const NppStatus status = checkNotNull(call, {coefficients}))
    return status;
  const bool perspective = how >= Warp::Perspective;
  const Matrix given = matrixOf(coefficients, perspective);
  const auto back = inverse(given);
  if (!back)
    return badCoefficients(call);
  const bool forward = how == Warp::Affine || how == Warp::Perspective;
  return warpBy(call, channels, src, src_size, src_step, src_roi, dst, dst_step, dst_roi,
                forward ? *back : given, perspective, interpolation);
}

template <typename T>
NppStatus warpQuad(const Call &call, Channels channels, Warp how, const T *src, NppiSize src_size,
                   int src_step, NppiRect src_roi, const double (*src_quad)[2], T *dst,
                   int dst_step, NppiRect dst_roi, const double (*dst_quad)[2], int interpolation) {
  if (const NppStatus status = checkNotNull(call, {src_quad, dst_quad}))
    return status;
  const bool perspective = how == Warp::Perspective;
  const auto back = perspective ? perspectiveOf(dst_quad, src_quad) : affineOf(dst_quad, src_quad);
  if (!back)
    return HEDDLE_NPP_REFUSE(call, NPP_QUADRANGLE_ERROR, "a quadrangle is degenerate");
  return warpBy(call, channels, src, src_size, src_step, src_roi, dst, dst_step, dst_roi, *back,
                perspective, interpolation);
}

template <typename T, typename M>
NppStatus remap(const Call &call, Channels channels, const T *src, NppiSize src_size, int src_step,
                NppiRect src_roi, const M *map_x, int map_x_step, const M *map_y, int map_y_step,
                T *dst, int dst_step, NppiSize dst_size, int interpolation) {
  Geometry work;
  if (const NppStatus status =
          checkImages(call, {{map_x, map_x_step}, {map_y, map_y_step}}, dst_size))
    return status;
  if (const NppStatus status =
          prepare(call, work, channels, src, src_size, src_step, src_roi, dst, dst_step,
                  {0, 0, dst_size.width, dst_size.height}, interpolation))
    return status;
  work.map_x = operand(map_x, map_x_step);
  work.map_y = operand(map_y, map_y_step);
  return run(call, work);
}

// Planes are images of one channel each. `one` is given a plane's two pointers.
template <typename T, typename F>
NppStatus eachPlane(const Call &call, Planes planes, const T *const *src, T *const *dst, F one) {
  if (const NppStatus status = checkNotNull(call, {src, dst}))
    return status;
  for (int i = 0; i < planes.count; ++i)
    if (const NppStatus status = one(src[i], dst[i]))
      return status;
  return NPP_SUCCESS;
}

template <typename T, typename... Rest>
NppStatus resizeOf(const Call &call, Planes planes, const T **src, int src_step, NppiSize src_size,
                   NppiRect src_roi, T **dst, Rest... rest) {
  return eachPlane(call, planes, src, dst, [&](const T *from, T *to) {
    return resizeOf(call, C1, from, src_step, src_size, src_roi, to, rest...);
  });
}
#define HEDDLE_NPP_PLANES(shape)                                                                   \
  template <typename T, typename... Rest>                                                          \
  NppStatus shape(const Call &call, Planes planes, const T **src, NppiSize src_size, int src_step, \
                  NppiRect src_roi, T **dst, Rest... rest) {                                       \
    return eachPlane(call, planes, src, dst, [&](const T *from, T *to) {                           \
      return shape(call, C1, from, src_size, src_step, src_roi, to, rest...);                      \
    });                                                                                            \
  }
HEDDLE_NPP_PLANES(sqrPixel)
HEDDLE_NPP_PLANES(rotate)
template <typename T, typename... Rest>
NppStatus warp(const Call &call, Planes planes, Warp how, const T **src, NppiSize src_size,
               int src_step, NppiRect src_roi, T **dst, Rest... rest) {
  return eachPlane(call, planes, src, dst, [&](const T *from, T *to) {
    return warp(call, C1, how, from, src_size, src_step, src_roi, to, rest...);
  });
}
template <typename T, typename... Rest>
NppStatus warpQuad(const Call &call, Planes planes, Warp how, const T **src, NppiSize src_size,
                   int src_step, NppiRect src_roi, const double (*src_quad)[2], T **dst,
                   Rest... rest) {
  return eachPlane(call, planes, src, dst, [&](const T *from, T *to) {
    return warpQuad(call, C1, how, from, src_size, src_step, src_roi, src_quad, to, rest...);
  });
}
template <typename T, typename M, typename... Rest>
NppStatus remap(const Call &call, Planes planes, const T **src, NppiSize src_size, int src_step,
                NppiRect src_roi, const M *map_x, int map_x_step, const M *map_y, int map_y_step,
                T **dst, Rest... rest) {
  return eachPlane(call, planes, src, dst, [&](const T *from, T *to) {
    return remap(call, C1, from, src_size, src_step, src_roi, map_x, map_x_step, map_y, map_y_step,
                 to, rest...);
  });
}

NppStatus checkAxis(const Call &call, NppiAxis axis) {
  if (axis < NPP_HORIZONTAL_AXIS || axis > NPP_BOTH_AXIS)
    return HEDDLE_NPP_REFUSE(call, NPP_MIRROR_FLIP_ERROR, "no such axis");
  return NPP_SUCCESS;
}

// Mirroring at the horizontal axis exchanges rows. In place, a thread exchanges two pixels.
template <typename T>
NppStatus mirror(const Call &call, Channels channels, const T *src, int src_step, T *dst,
                 int dst_step, NppiSize size, NppiAxis axis) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  if (const NppStatus status = checkAxis(call, axis))
    return status;
  Move move;
  move.element = sizeof(T);
  move.count = channels.alpha ? 3 : channels.count;
  for (int i = 0; i < move.count; ++i) {
    move.src[i] = reinterpret_cast<const char *>(src + i);
    move.dst[i] = reinterpret_cast<char *>(dst + i);
  }
  move.src_step = src_step;
  move.dst_step = dst_step;
  move.src_stride = move.dst_stride = channels.count;
  move.width = size.width;
  move.height = size.height;
  move.place = axis == NPP_HORIZONTAL_AXIS ? Place::RowsReversed
               : axis == NPP_VERTICAL_AXIS ? Place::ColumnsReversed
                                           : Place::BothReversed;
  return finish(call, launch(move, call.stream));
}
template <typename T>
NppStatus mirrorI(const Call &call, Channels channels, T *dst, int step, NppiSize size,
                  NppiAxis axis) {
  return mirror(call, channels, dst, step, dst, step, size, axis);
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_GEOMETRY(HEDDLE_NPP_DEFINE)

namespace {

Call named(const char *name) { return {name, nullptr}; }

NppStatus quadOf(const Call &call, NppiRect roi, double (*quad)[2], const Matrix &matrix) {
  if (empty(roi))
    return HEDDLE_NPP_REFUSE(call, NPP_RECTANGLE_ERROR, "the region has no pixels");
  cornersOf(roi, quad);
  for (int i = 0; i < 4; ++i)
    apply(matrix, quad[i]);
  return NPP_SUCCESS;
}

NppStatus boundOf(const Call &call, NppiRect roi, double (*bound)[2], const Matrix &matrix) {
  double quad[4][2];
  if (const NppStatus status = quadOf(call, roi, quad, matrix))
    return status;
  for (int k = 0; k < 2; ++k) {
    bound[0][k] = std::min({quad[0][k], quad[1][k], quad[2][k], quad[3][k]});
    bound[1][k] = std::max({quad[0][k], quad[1][k], quad[2][k], quad[3][k]});
  }
  return NPP_SUCCESS;
}

NppStatus transformTo(const Call &call, NppiRect roi, const double (*quad)[2],
                      double (*coefficients)[3], bool perspective) {
  if (const NppStatus status = checkNotNull(call, {quad, coefficients}))
    return status;
  if (empty(roi))
    return HEDDLE_NPP_REFUSE(call, NPP_RECTANGLE_ERROR, "the region has no pixels");
  double corners[4][2];
  cornersOf(roi, corners);
  const auto found = perspective ? perspectiveOf(corners, quad) : affineOf(corners, quad);
  if (!found || !inverse(*found))
    return HEDDLE_NPP_REFUSE(call, NPP_QUADRANGLE_ERROR, "the quadrangle is degenerate");
  for (int i = 0; i < (perspective ? 9 : 6); ++i)
    coefficients[i / 3][i % 3] = (*found)[i];
  return NPP_SUCCESS;
}

} // namespace

NppStatus nppiGetResizeRect(NppiRect oSrcROI, NppiRect *pDstRect, double nXFactor, double nYFactor,
                            double nXShift, double nYShift, int eInterpolation) {
  const Call call = named("nppiGetResizeRect");
  if (const NppStatus status = checkNotNull(call, {pDstRect}))
    return status;
  if (!(nXFactor > 0) || !(nYFactor > 0))
    return HEDDLE_NPP_REFUSE(call, NPP_RESIZE_FACTOR_ERROR, "a factor is not positive");
  if (const NppStatus status = checkInterpolation(call, eInterpolation, true))
    return status;
  pDstRect->x = int(std::floor(oSrcROI.x * nXFactor + nXShift));
  pDstRect->y = int(std::floor(oSrcROI.y * nYFactor + nYShift));
  pDstRect->width = int(std::ceil(oSrcROI.width * nXFactor));
  pDstRect->height = int(std::ceil(oSrcROI.height * nYFactor));
  return NPP_SUCCESS;
}

NppStatus nppiGetRotateQuad(NppiRect oSrcROI, double (*aQuad)[2], double nAngle, double nShiftX,
                            double nShiftY) {
  const Call call = named("nppiGetRotateQuad");
  const NppStatus status = checkNotNull(call, {aQuad});
  return status ? status : quadOf(call, oSrcROI, aQuad, rotation(nAngle, nShiftX, nShiftY));
}
NppStatus nppiGetRotateBound(NppiRect oSrcROI, double (*aBoundingBox)[2], double nAngle,
                             double nShiftX, double nShiftY) {
  const Call call = named("nppiGetRotateBound");
  const NppStatus status = checkNotNull(call, {aBoundingBox});
  return status ? status : boundOf(call, oSrcROI, aBoundingBox, rotation(nAngle, nShiftX, nShiftY));
}
NppStatus nppiGetAffineTransform(NppiRect oSrcROI, const double (*aQuad)[2], double (*aCoeffs)[3]) {
  return transformTo(named("nppiGetAffineTransform"), oSrcROI, aQuad, aCoeffs, false);
}
NppStatus nppiGetPerspectiveTransform(NppiRect oSrcROI, const double (*quad)[2],
                                      double (*aCoeffs)[3]) {
  return transformTo(named("nppiGetPerspectiveTransform"), oSrcROI, quad, aCoeffs, true);
}

#define HEDDLE_NPP_QUAD(name, function, perspective)                                               \
  NppStatus name(NppiRect oSrcROI, double(*to)[2], const double(*aCoeffs)[3]) {                    \
    const Call call = named(#name);                                                                \
    const NppStatus status = checkNotNull(call, {to, aCoeffs});                                    \
    return status ? status : function(call, oSrcROI, to, matrixOf(aCoeffs, perspective));          \
  }
HEDDLE_NPP_QUAD(nppiGetAffineQuad, quadOf, false)
HEDDLE_NPP_QUAD(nppiGetAffineBound, boundOf, false)
HEDDLE_NPP_QUAD(nppiGetPerspectiveQuad, quadOf, true)
HEDDLE_NPP_QUAD(nppiGetPerspectiveBound, boundOf, true)
