// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lnppial -lnppicc -lnppidei -lnppif -lnppig -lnppim -lnppist -lnppitc -lnpps
// flags: -lnppc
//
// Results of NVIDIA's NPP on a real GPU, in recorded/npp.inc: how it rounds, scales, filters,
// interpolates and converts colours.
#include "npp_check.h"
#include "recorded_check.h"

namespace {

const std::vector<recorded::Recorded> results = {
#include "recorded/npp.inc"
};

NppStreamContext ctx;
constexpr int w = 17, h = 9;
constexpr NppiSize whole{w, h};
constexpr NppiRect all{0, 0, w, h};

/// Values from 0 to the type's own largest, or in [-4, 12) for floats.
template <class T> struct Rough : Image<T> {
  Rough(int channels, int seed, int width = w, int height = h) : Image<T>(width, height, channels) {
    for (int y = 0; y < height; ++y)
      for (int e = 0; e < this->elements(); ++e) {
        const unsigned mixed = unsigned(seed * 7919 + y * 263 + e * 37 + e * e * 11 + y * y * 5);
        this->at(e, y) = std::is_floating_point<T>::value ? T(mixed % 1024 / 64.0 - 4)
                         : sizeof(T) == 1                 ? T(mixed % 256)
                                                          : T(mixed * 97 % 65536);
      }
  }
};
/// Where results go: zeros at first.
template <class T> struct Empty : Image<T> {
  Empty(int channels, int width = w, int height = h) : Image<T>(width, height, channels) {
    for (int y = 0; y < height; ++y)
      for (int e = 0; e < this->elements(); ++e)
        this->at(e, y) = 0;
  }
};

template <class T> void add(const char *name, Image<T> &image, double allowed = 0) {
  CHECK_CUDA(cudaDeviceSynchronize());
  std::vector<recorded::Number> numbers;
  for (int y = 0; y < image.height; ++y)
    for (int e = 0; e < image.elements(); ++e)
      numbers.emplace_back(double(image.at(e, y)));
  recorded::cases().push_back({name, numbers, {}, allowed});
}

#define OF(image) (image).data(), (image).step

template <class T, class F>
void binary(const char *name, F function, int scale, int seed, double allowed = 0) {
  Rough<T> a(1, seed), b(1, seed + 1);
  Empty<T> r(1);
  OK(function(OF(a), OF(b), OF(r), whole, scale, ctx));
  add(name, r, allowed);
}
template <class T, class F> void unary(const char *name, F function, int scale, double allowed) {
  Rough<T> a(1, 5);
  Empty<T> r(1);
  OK(function(OF(a), OF(r), whole, scale, ctx));
  add(name, r, allowed);
}

void arithmetic() {
  binary<Npp8u>("Add 8u, scale 1", nppiAdd_8u_C1RSfs_Ctx, 1, 1);
  binary<Npp8u>("Sub 8u, scale 0", nppiSub_8u_C1RSfs_Ctx, 0, 1);
  binary<Npp8u>("Mul 8u, scale 7", nppiMul_8u_C1RSfs_Ctx, 7, 2);
  binary<Npp8u>("Div 8u, scale -3", nppiDiv_8u_C1RSfs_Ctx, -3, 3);
  binary<Npp16s>("Add 16s, scale 2", nppiAdd_16s_C1RSfs_Ctx, 2, 4);
  binary<Npp16s>("Mul 16s, scale 14", nppiMul_16s_C1RSfs_Ctx, 14, 4);
  binary<Npp16s>("Div 16s, scale -4", nppiDiv_16s_C1RSfs_Ctx, -4, 4);
  unary<Npp8u>("Sqrt 8u, scale -3", nppiSqrt_8u_C1RSfs_Ctx, -3, 0);
  unary<Npp8u>("Sqr 8u, scale 9", nppiSqr_8u_C1RSfs_Ctx, 9, 0);
  unary<Npp8u>("Ln 8u, scale -4", nppiLn_8u_C1RSfs_Ctx, -4, 0);
  unary<Npp16s>("Sqrt 16s, scale -2", nppiSqrt_16s_C1RSfs_Ctx, -2, 0);
  Rough<Npp8u> a(1, 6), b(1, 7);
  Empty<Npp8u> r(1);
  OK(nppiMulCScale_8u_C1R_Ctx(OF(a), 77, OF(r), whole, ctx));
  add("MulCScale 8u", r);
  OK(nppiDivC_8u_C1RSfs_Ctx(OF(a), 6, OF(r), whole, 0, ctx));
  add("DivC 8u", r);
  OK(nppiAlphaCompC_8u_C1R_Ctx(OF(a), 100, OF(b), 180, OF(r), whole, NPPI_OP_ALPHA_OVER, ctx));
  add("AlphaCompC 8u, over", r, 1); // NPP computes with integers
  OK(nppiAlphaCompC_8u_C1R_Ctx(OF(a), 100, OF(b), 180, OF(r), whole, NPPI_OP_ALPHA_PLUS, ctx));
  add("AlphaCompC 8u, plus", r, 1);
}

void conversions() {
  Rough<Npp32f> f(1, 8);
  Rough<Npp8u> a(1, 8);
  Rough<Npp16u> wide(1, 9);
  Empty<Npp8u> r(1);
  Empty<Npp32f> rf(1);
  for (int y = 0; y < h; ++y)
    for (int e = 0; e < w; ++e)
      f.at(e, y) = std::floor(f.at(e, y) * 2) / 2 + Npp32f(e % 3 * 0.25); // halves, too
  OK(nppiConvert_32f8u_C1R_Ctx(OF(f), OF(r), whole, NPP_RND_NEAR, ctx));
  add("Convert 32f8u, near", r);
  OK(nppiConvert_32f8u_C1R_Ctx(OF(f), OF(r), whole, NPP_RND_FINANCIAL, ctx));
  add("Convert 32f8u, financial", r);
  OK(nppiConvert_32f8u_C1R_Ctx(OF(f), OF(r), whole, NPP_RND_ZERO, ctx));
  add("Convert 32f8u, zero", r);
  OK(nppiScale_8u32f_C1R_Ctx(OF(a), OF(rf), whole, -1, 2, ctx));
  add("Scale 8u32f", rf, 1e-6);
  OK(nppiScale_32f8u_C1R_Ctx(OF(f), OF(r), whole, -3, 10, ctx));
  add("Scale 32f8u", r);
  OK(nppiScale_16u8u_C1R_Ctx(OF(wide), OF(r), whole, NPP_ALG_HINT_NONE, ctx));
  add("Scale 16u8u", r);
}

void colours() {
  Rough<Npp8u> a(3, 10);
  Empty<Npp8u> r(3), one(1);
  using Function = NppStatus (*)(const Npp8u *, int, Npp8u *, int, NppiSize, NppStreamContext);
  const std::pair<const char *, Function> functions[] = {
      {"RGBToYUV", nppiRGBToYUV_8u_C3R_Ctx},     {"YUVToRGB", nppiYUVToRGB_8u_C3R_Ctx},
      {"RGBToYCbCr", nppiRGBToYCbCr_8u_C3R_Ctx}, {"YCbCrToRGB", nppiYCbCrToRGB_8u_C3R_Ctx},
      {"RGBToHSV", nppiRGBToHSV_8u_C3R_Ctx},     {"HSVToRGB", nppiHSVToRGB_8u_C3R_Ctx},
      {"RGBToHLS", nppiRGBToHLS_8u_C3R_Ctx},     {"RGBToXYZ", nppiRGBToXYZ_8u_C3R_Ctx},
      {"RGBToLUV", nppiRGBToLUV_8u_C3R_Ctx},     {"RGBToYCC", nppiRGBToYCC_8u_C3R_Ctx},
  };
  for (const auto &[name, function] : functions) {
    OK(function(OF(a), OF(r), whole, ctx));
    add(name, r, 1);
  }
  OK(nppiRGBToGray_8u_C3C1R_Ctx(OF(a), OF(one), whole, ctx));
  add("RGBToGray", one);
}

void filters() {
  Rough<Npp8u> a(1, 11);
  Empty<Npp8u> r(1);
  Empty<Npp16s> wide(1);
  constexpr NppiSize inner{w - 6, h - 6};
  const Npp8u *const from = &a.at(3, 3);
  OK(nppiFilterBox_8u_C1R_Ctx(from, a.step, OF(r), inner, {3, 3}, {1, 1}, ctx));
  add("FilterBox 8u, 3x3", r);
  OK(nppiFilterBox_8u_C1R_Ctx(from, a.step, OF(r), inner, {4, 2}, {2, 1}, ctx));
  add("FilterBox 8u, 4x2", r);
  OK(nppiFilterGauss_8u_C1R_Ctx(from, a.step, OF(r), inner, NPP_MASK_SIZE_5_X_5, ctx));
  add("FilterGauss 8u, 5x5", r);
  OK(nppiFilterLaplace_8u_C1R_Ctx(from, a.step, OF(r), inner, NPP_MASK_SIZE_3_X_3, ctx));
  add("FilterLaplace 8u, 3x3", r);
  OK(nppiFilterSobelHoriz_8u16s_C1R_Ctx(from, a.step, OF(wide), inner, NPP_MASK_SIZE_3_X_3, ctx));
  add("FilterSobelHoriz 8u16s", wide);
  OK(nppiFilterBoxBorder_8u_C1R_Ctx(OF(a), whole, {0, 0}, OF(r), whole, {5, 3}, {2, 1},
                                    NPP_BORDER_REPLICATE, ctx));
  add("FilterBoxBorder 8u, 5x3", r);
  OK(nppiFilterBilateralGaussBorder_8u_C1R_Ctx(OF(a), whole, {0, 0}, OF(r), whole, 2, 1, 900, 4,
                                               NPP_BORDER_REPLICATE, ctx));
  add("FilterBilateralGaussBorder 8u", r, 1);
  Image<Npp32s> kernel(6, 1, 1);
  Image<Npp32f> floats(6, 1, 1);
  for (int i = 0; i < 6; ++i)
    kernel.at(i, 0) = 1 + i * 5 % 7, floats.at(i, 0) = Npp32f(1 + i * 5 % 7) / 21;
  OK(nppiFilter_8u_C1R_Ctx(from, a.step, OF(r), inner, kernel.data(), {3, 2}, {1, 1}, 21, ctx));
  add("Filter 8u", r);
  OK(nppiFilter32f_8u_C1R_Ctx(from, a.step, OF(r), inner, floats.data(), {3, 2}, {1, 1}, ctx));
  add("Filter32f 8u", r);
  OK(nppiDilate3x3_8u_C1R_Ctx(from, a.step, OF(r), inner, ctx));
  add("Dilate3x3 8u", r);
}

/// Which way masks that are not symmetric point, and Gaussian filters of other sizes.
void directions() {
  Rough<Npp8u> a(1, 11);
  constexpr NppiSize inner{w - 6, h - 6};
  const Npp8u *const from = &a.at(3, 3);
  using Plain = NppStatus (*)(const Npp8u *, int, Npp8u *, int, NppiSize, NppStreamContext);
  const std::pair<const char *, Plain> masks[] = {
      {"FilterSobelVert 8u", nppiFilterSobelVert_8u_C1R_Ctx},
      {"FilterPrewittHoriz 8u", nppiFilterPrewittHoriz_8u_C1R_Ctx},
      {"FilterPrewittVert 8u", nppiFilterPrewittVert_8u_C1R_Ctx},
      {"FilterRobertsDown 8u", nppiFilterRobertsDown_8u_C1R_Ctx},
      {"FilterRobertsUp 8u", nppiFilterRobertsUp_8u_C1R_Ctx},
      {"FilterSharpen 8u", nppiFilterSharpen_8u_C1R_Ctx}};
  for (const auto &[name, function] : masks) {
    Empty<Npp8u> r(1);
    OK(function(from, a.step, OF(r), inner, ctx));
    add(name, r);
  }
  const std::pair<const char *, NppiMaskSize> sizes[] = {
      {"FilterGauss 8u, 3x3", NPP_MASK_SIZE_3_X_3}, {"FilterGauss 8u, 7x7", NPP_MASK_SIZE_7_X_7}};
  for (const auto &[name, size] : sizes) {
    Empty<Npp8u> r(1);
    OK(nppiFilterGauss_8u_C1R_Ctx(from, a.step, OF(r), inner, size, ctx));
    add(name, r);
  }
  Image<Npp32s> kernel(6, 1, 1);
  for (int i = 0; i < 6; ++i)
    kernel.at(i, 0) = 1 + i * 5 % 7;
  Empty<Npp8u> bordered(1), row(1), column(1);
  OK(nppiFilterBorder_8u_C1R_Ctx(OF(a), whole, {0, 0}, OF(bordered), whole, kernel.data(), {3, 2},
                                 {0, 1}, 21, NPP_BORDER_REPLICATE, ctx));
  add("FilterBorder 8u", bordered);
  OK(nppiFilterRow_8u_C1R_Ctx(from, a.step, OF(row), inner, kernel.data(), 4, 1, 16, ctx));
  add("FilterRow 8u", row);
  OK(nppiFilterColumn_8u_C1R_Ctx(from, a.step, OF(column), inner, kernel.data(), 4, 1, 16, ctx));
  add("FilterColumn 8u", column);
}

/// Where `Resize` reads, by a ramp, and with which weights, by single bright pixels.
void positions() {
  Image<Npp32f> ramp(16, 8, 1), spots(16, 8, 1);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 16; ++x) {
      ramp.at(x, y) = Npp32f(x + 16 * y);
      spots.at(x, y) = x % 8 == 4 && y == 4 ? 1.0f : 0.0f;
    }
  for (const int dw : {40, 32, 20, 10, 8}) {
    Empty<Npp32f> r(1, dw, 8), cubic(1, dw, 8);
    OK(nppiResize_32f_C1R_Ctx(OF(ramp), {16, 8}, {0, 0, 16, 8}, OF(r), {dw, 8}, {0, 0, dw, 8},
                              NPPI_INTER_LINEAR, ctx));
    add(("Resize 32f, ramp to " + std::to_string(dw)).c_str(), r, 1e-3);
    OK(nppiResize_32f_C1R_Ctx(OF(spots), {16, 8}, {0, 0, 16, 8}, OF(cubic), {dw, 8}, {0, 0, dw, 8},
                              NPPI_INTER_CUBIC, ctx));
    add(("Resize 32f, cubic spots to " + std::to_string(dw)).c_str(), cubic, 1e-3);
  }
}

void geometry() {
  Rough<Npp8u> a(1, 12);
  Rough<Npp32f> f(1, 12);
  constexpr int dw = 25, dh = 7;
  constexpr NppiRect to{0, 0, dw, dh};
  const std::pair<const char *, NppiInterpolationMode> modes[] = {
      {"Resize 8u, nearest", NPPI_INTER_NN},
      {"Resize 8u, linear", NPPI_INTER_LINEAR},
      {"Resize 8u, cubic", NPPI_INTER_CUBIC},
      {"Resize 8u, Lanczos", NPPI_INTER_LANCZOS}};
  for (const auto &[name, mode] : modes) {
    Empty<Npp8u> r(1, dw, dh);
    OK(nppiResize_8u_C1R_Ctx(OF(a), whole, all, OF(r), {dw, dh}, to, mode, ctx));
    // An H100's cubic weights are not known; Catmull and Rom's come this close.
    add(name, r, mode == NPPI_INTER_NN ? 0 : mode == NPPI_INTER_CUBIC ? 14 : 1);
  }
  Empty<Npp8u> super(1, 7, 4);
  OK(nppiResize_8u_C1R_Ctx(OF(a), whole, all, OF(super), {7, 4}, {0, 0, 7, 4}, NPPI_INTER_SUPER,
                           ctx));
  add("Resize 8u, super", super, 1);
  Empty<Npp32f> rf(1, dw, dh);
  OK(nppiResize_32f_C1R_Ctx(OF(f), whole, all, OF(rf), {dw, dh}, to, NPPI_INTER_LINEAR, ctx));
  add("Resize 32f, linear", rf, 1e-3);
  Empty<Npp8u> turned(1, dw, dh), warped(1, dw, dh);
  OK(nppiRotate_8u_C1R_Ctx(a.data(), whole, a.step, all, OF(turned), to, 30, 4, 2.5, NPPI_INTER_NN,
                           ctx));
  add("Rotate 8u, nearest", turned);
  const double matrix[2][3] = {{1.3, 0.2, 1.5}, {-0.1, 0.8, 0.75}};
  OK(nppiWarpAffine_8u_C1R_Ctx(a.data(), whole, a.step, all, OF(warped), to, matrix,
                               NPPI_INTER_LINEAR, ctx));
  add("WarpAffine 8u, linear", warped, 1);
}

void signals() {
  Rough<Npp16s> a(1, 13, 200, 1);
  Rough<Npp32f> f(1, 13, 200, 1);
  Empty<Npp16s> r(1, 200, 1);
  Empty<Npp32f> rf(1, 200, 1);
  OK(nppsSqrt_16s_Sfs_Ctx(a.data(), r.data(), 200, -2, ctx));
  add("nppsSqrt 16s, scale -2", r);
  OK(nppsNormalize_32f_Ctx(f.data(), rf.data(), 200, 1.25f, 3, ctx));
  add("nppsNormalize 32f", rf, 1e-6);
  OK(nppsDivC_16s_Sfs_Ctx(a.data(), 7, r.data(), 200, -1, ctx));
  add("nppsDivC 16s, scale -1", r);
}

} // namespace

int main(int argc, char **argv) {
  ctx = context();
  arithmetic();
  conversions();
  colours();
  filters();
  directions();
  geometry();
  positions();
  signals();
  return recorded::finish(argc, argv, results);
}
